"""Has pictures drawn by a short-lived process: one at a time, and not for ever."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys

from bot.drawing.figures import ORDER, Form, Order, Picture, Theme
from bot.errors import UserError

log = logging.getLogger(__name__)

SECONDS = 45.0
"""How long a picture may take, with waiting for those before it."""

_KEPT = frozenset(
    {"HOME", "LANG", "LC_ALL", "PATH", "PYTHONPATH", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR"}
    | {"MPLCONFIGDIR", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"}
)


class DrawingError(UserError):
    """A picture could not be drawn. The figures are still there to be told in words."""


class Studio:
    """Draws one picture after the other."""

    def __init__(self, seconds: float = SECONDS) -> None:
        """Give up on a picture after `seconds`."""
        self._seconds = seconds
        self._one_at_a_time = asyncio.Lock()

    async def draw(
        self, picture: Picture, *, theme: Theme = Theme.LIGHT, form: Form = Form.PNG
    ) -> bytes:
        """Return the picture as a file's content.

        Raises:
            DrawingError: it could not be drawn, or not in time.
        """
        order = ORDER.dump_json(Order(picture, theme, form))
        try:
            async with asyncio.timeout(self._seconds), self._one_at_a_time:
                return await _drawn(order)
        except TimeoutError:
            log.warning("a picture took longer than %.0f seconds", self._seconds)
            raise DrawingError(
                "The picture took too long to draw. Please try again in a minute."
            ) from None
        except OSError as error:
            log.warning("the process that draws did not start: %s", error.strerror)
            raise DrawingError(
                "The picture cannot be drawn now: this machine is out of memory or processes."
            ) from None


async def _drawn(order: bytes) -> bytes:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.drawing",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={name: value for name, value in os.environ.items() if name in _KEPT},
    )
    try:
        content, complaint = await process.communicate(order)
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode != 0 or not content:
        kind = complaint.decode("utf-8", "replace").strip().partition("\n")[0][:200]
        log.warning("a picture was not drawn (exit %s): %s", process.returncode, kind)
        raise DrawingError(
            "The picture could not be drawn. Whoever runs the bot finds why in its log."
        )
    return content
