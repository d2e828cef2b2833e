# ruff: noqa: RUF001
"""The normal form: disguises undone, everything else left alone, every character mapped."""

import pytest

from bot.reading.normalise import normalise


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("such an 1d1ot", "such an idiot"),
        ("tr@sh, fr@ud, b!tch, $tupid, @ss", "trash, fraud, bitch, stupid, ass"),
        ("th1ck c0w l1ar lo5er n33ds", "thick cow liar loser needs"),
        ("f***ing b*tch, sh*t, wh*re", "fucking bitch, shit, whore"),
        ("an i d i o t", "an idiot"),
        ("d.u.m.b and t-r-a-s-h", "dumb and trash"),
        ("a p i g", "a pig"),
        ("u r a b i t c h", "ur a bitch"),
        ("smu-g lit-tle cre-ep", "smug little creep"),
        ("stuuuupid and uuuugly", "stupid and ugly"),
        ("sooooo goooood", "soo good"),
        ("hahahahahaha!!!!!!", "haha!!"),
        ("an \u0456d\u0456ot", "an idiot"),
        ("gar\u200bbage\u2060 sou\u00adp", "garbage soup"),
        ("𝓽𝓻𝓪𝓼𝓱 ｔｒａｓｈ ᴛʀᴀsʜ ⓣⓡⓐⓢⓗ 🅸🅳🅸🅾🆃", "trash trash trash trash idiot"),
        ("ᵗᵘⁿᵉ ᶦˢ", "tune is"),
        ("t\u0334r\u0335\u0321a\u0338s\u0337h\u0336", "trash"),
        ("crème brûlée naïve Øystein", "creme brulee naive oystein"),
        ("\u202eevil\u202c", "evil"),
        ("“it’s” — fine…", "\ue000it's\ue001 - fine..."),
        ("#MarenIsOverParty", "maren is over party"),
        ("a\t b\r\n\n c", "a b\nc"),
    ],
)
def test_what_is_disguised_is_read(text: str, normal: str) -> None:
    assert normalise(text).text == normal


@pytest.mark.parametrize(
    "text",
    [
        "2-1 at home",
        "4th and 24k, b2b, gr8, s1e4, s02e05, u2, mp3, 3.5",
        "the co-star of a re-run",
        "@user said so",
        "i.e. the u.s.a. won",
        "well-known, half-baked",
        "a b c",
        "она такая дура",
        "한국어 팬",
        "مرحبا بكم",
        "हिन्दी में",
        "日本語です",
        "й ё",
    ],
)
def test_what_only_looks_disguised_is_left_alone(text: str) -> None:
    assert normalise(text).text == text


def test_a_word_of_another_script_beside_latin_text_is_left_alone() -> None:
    assert normalise("Maren — она такая").text == "maren - она такая"


def test_a_lookalike_word_among_latin_words_is_folded() -> None:
    assert (
        normalise("Maren is \u0430 \u0441\u043e\u0441\u043e and that is that").text
        == "maren is a coco and that is that"
    )


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("🐍", ":snake:"),
        ("👍🏽 🤷‍♀️", ":thumbs_up: :shrugging:"),
        ("🇮🇹", ":italy:"),
        ("😂😂😂😂😂 😂", ":face_with_tears_of_joy: :face_with_tears_of_joy:"),
        ("<:PepeLaugh:123456>", ":pepelaugh:"),
        ("<a:dance:1>", ":dance:"),
    ],
)
def test_emoji_are_words(text: str, names: str) -> None:
    assert " ".join(normalise(text).text.split()) == names


def test_capitals_are_kept_beside_the_normal_form() -> None:
    normal = normalise("Maren is TR@SH")
    assert normal.cased == "Maren is TRASH"
    assert normal.text == normal.cased.lower()


def test_every_character_comes_from_somewhere() -> None:
    text = "s0 d u m b 🐍 gar\u200bbage"
    normal = normalise(text)
    for word, original in [("dumb", "d u m b"), (":snake:", "🐍"), ("garbage", "gar\u200bbage")]:
        at = normal.text.index(word)
        start, end = normal.spanned.origin(at, at + len(word))
        assert text[start:end] == original
