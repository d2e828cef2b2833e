from __future__ import annotations

import asyncio
import io
import logging
import subprocess
import sys

import pytest
from PIL import Image

from bot.drawing import (
    ALT_LIMIT,
    Bars,
    Columns,
    Curves,
    DrawingError,
    Facts,
    Form,
    Mark,
    Picture,
    Series,
    Studio,
    Theme,
    alt_text,
)

NAMES = ("Ada Lark", "初音ミク", "سميرة سعيد", "Жанна", "$x^{", "🎤🎤", "\u202e", "a" * 300)
PICTURE = Picture(
    "A week\n$of_flags$",
    (
        Columns("By day", ("Mon", "Tue"), (Series("hostile", (3, 0)), Series("abusive", (1, 0)))),
        Bars("At whom", NAMES, tuple(range(len(NAMES)))),
        Facts("In time", (("38 %", "dismissed"),), half=True),
        Columns("Nothing", ("Mon",), (Series("", (0,)),), half=True),
        Curves("Kept", (0.1, 0.9), (Series("kept", (1.0, 0.5)),), marks=(Mark(0.9, "now"),)),
    ),
)


@pytest.mark.parametrize("theme", Theme)
async def test_a_picture_is_a_png_of_a_phones_width_on_its_ground(
    theme: Theme, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        content = await Studio().draw(PICTURE, theme=theme)
    image = Image.open(io.BytesIO(content)).convert("RGB")
    assert image.format is None or image.format == "PNG"
    assert image.width == 1000
    assert 1000 < image.height < 4000
    assert len(content) < 1_000_000
    assert (sum(image.getpixel((2, 2))) > 600) is (theme is Theme.LIGHT)
    assert caplog.records == []


async def test_an_svg_has_its_text_alternative_and_is_always_the_same() -> None:
    first = await Studio().draw(PICTURE, form=Form.SVG)
    assert b"<svg" in first
    assert "初音ミク" in first.decode()
    assert await Studio().draw(PICTURE, form=Form.SVG) == first


async def test_a_picture_without_panels_is_drawn() -> None:
    assert (await Studio().draw(Picture("Empty"))).startswith(b"\x89PNG")


def test_the_text_alternative_has_the_figures_and_fits() -> None:
    told = alt_text(PICTURE)
    assert "hostile: Mon 3; abusive: Mon 1" in told
    assert "初音ミク 1" in told
    assert "38 % dismissed" in told
    assert "Nothing: 0." in told
    assert "kept: now 0.50" in told
    long = alt_text(Picture("x", (Bars("y", NAMES * 40, tuple(range(320))),)))
    assert len(long) == ALT_LIMIT
    assert long.endswith("…")


def test_values_that_do_not_fit_their_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="each series needs 2 values"):
        Bars("At whom", ("a", "b"), (1,))


async def test_what_takes_too_long_is_given_up_and_leaves_no_process() -> None:
    studio = Studio(seconds=0.05)
    with pytest.raises(DrawingError, match="too long"):
        await studio.draw(PICTURE)


async def test_a_failure_is_one_line_for_the_user_and_names_no_one_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken = Picture("Ada Lark", (Curves("x", (0.0,), (Series("", (float("nan"),)),)),))
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(DrawingError, match="cannot be drawn now"):
        await Studio().draw(broken)
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(DrawingError, match="could not be drawn"):
        await Studio().draw(broken)
    assert "Ada" not in caplog.text


async def test_several_at_once_are_drawn_one_after_the_other() -> None:
    studio = Studio()
    drawn = await asyncio.gather(*(studio.draw(Picture(str(each))) for each in range(3)))
    assert len(set(drawn)) == 3


def test_the_bot_does_not_load_the_plotting_library() -> None:
    code = "import sys, bot.drawing; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
