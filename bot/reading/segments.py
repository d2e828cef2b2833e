"""Discord markup: what of a message its author says in words of their own.

Code is dropped and links leave a mark, since the words inside say nothing of anybody.
Block quotes and quotation marks are kept between two marks: the words count, but a
model can tell them from the author's own. Spoiler bars, emphasis and headings go.
"""

from __future__ import annotations

import re

from bot.reading import roles
from bot.reading.spanned import Edit, Spanned

_PRIVATE = re.compile("[\ue000-\uf8ff]+")

_TOKENS = re.compile(
    r"(?P<code>```.*?```|``[^`\n]+``|`[^`\n]+`)"
    r"|(?P<masked>\]\(<?https?://[^\s()<>]*>?\))"
    r"|(?P<link><?(?:https?://|www\.|discord\.gg/)[^\s<>|]*[^\s<>|).,!?;:'\"]>?"
    r"|\b[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*\.[a-z]{2,12}\b"
    r"|(?<![\w@./-])(?:[a-z0-9-]{1,63}\.){1,4}"
    r"(?:com|net|org|gg|tv|io|co|uk|me|ly|be|app|dev|info|news|link|xyz)(?:/[^\s<>|]*|(?![\w.]*\w)))"
    r"|(?P<gif>!\[[^\]\n]{0,40}\]\([^)\s]{1,200}\))"
    r"|(?P<member><@!?\d{1,20}>)"
    r"|(?P<role><@&\d{1,20}>)"
    r"|(?P<channel><#\d{1,20}>)"
    r"|<a?:(?P<emoji>\w{2,32}):\d{1,20}>"
    r"|(?P<gone><t:-?\d{1,20}(?::[a-zA-Z])?>|</[^:>\n]{1,64}:\d{1,20}>|<id:\w{1,20}>)",
    re.IGNORECASE | re.DOTALL,
)
_MARKS_OF = {
    "code": roles.CODE_MARK,
    "masked": roles.LINK_MARK,
    "link": roles.LINK_MARK,
    "gif": roles.LINK_MARK,
    "member": roles.MEMBER_MARK,
    "role": roles.MEMBER_MARK,
    "channel": roles.CHANNEL_MARK,
    "gone": "",
}

_LINE_MARKUP = re.compile(r"^(?:#{1,3} +|-# +|[*-] +)", re.MULTILINE)
_BLOCK_QUOTE = re.compile(r"^(?P<rest>>>> )|^(?P<line>> )", re.MULTILINE)
_INLINE_QUOTE = re.compile(
    r'(?<!\w)"(?=[^\s"])[^"\n]*(?<=\S)"(?!\w)'
    r"|“[^“”\n]*”|„[^„“”\n]*[“”]|«[^«»\n]*»|»[^«»\n]*«|「[^「」\n]*」|『[^『』\n]*』|\u2039[^\u2039\u203a\n]*\u203a"
)
_LABEL = re.compile(rf"\[(?=[^\[\]\n]{{1,200}} {roles.LINK_MARK})")
_SPOILER_BARS = re.compile(r"\|\|")
_ESCAPE = re.compile(r"\\(?=[*_~`|>#\\-])")
_EMPHASIS = re.compile(r"\*{1,3}|_{1,3}|~~")


def strip_markup(text: str) -> Spanned:
    """The words of a message, with the marks of `roles` where markup was."""
    spanned = Spanned.of(text).sub(_PRIVATE, lambda _: "")
    spanned = spanned.sub(_TOKENS, _token)
    spanned = spanned.sub(_LABEL, lambda _: "")
    spanned = _block_quotes(spanned)
    spanned = spanned.edit(_inline_quotes(spanned.text))
    spanned = spanned.sub(_SPOILER_BARS, lambda _: " ")
    spanned = spanned.sub(_LINE_MARKUP, lambda _: "")
    spanned = spanned.edit(_emphasis(spanned.text))
    return spanned.sub(_ESCAPE, lambda _: "")


def _token(match: re.Match[str]) -> str:
    if match["emoji"]:
        return f" :{match['emoji'].lower()}: "
    kind = match.lastgroup or "gone"
    return f" {_MARKS_OF[kind]} "


def _block_quotes(spanned: Spanned) -> Spanned:
    edits: list[Edit] = []
    text = spanned.text
    opened = False
    done = 0
    for match in _BLOCK_QUOTE.finditer(text):
        if opened and match.start() == done:
            edits.append((match.start(), match.end(), ""))
        else:
            if opened:
                edits.append((done - 1, done, f"{roles.UNQUOTE_MARK}\n"))
            edits.append((match.start(), match.end(), roles.QUOTE_MARK))
        opened = True
        if match["rest"]:
            done = len(text) + 1
            break
        newline = text.find("\n", match.end())
        done = len(text) + 1 if newline < 0 else newline + 1
    if opened:
        if done > len(text):
            return _close_at_end(spanned.edit(edits))
        edits.append((done - 1, done, f"{roles.UNQUOTE_MARK}\n"))
    return spanned.edit(edits)


def _close_at_end(spanned: Spanned) -> Spanned:
    end = spanned.ends[-1]
    return Spanned(spanned.text + roles.UNQUOTE_MARK, [*spanned.starts, end], [*spanned.ends, end])


def _inline_quotes(text: str) -> list[Edit]:
    edits: list[Edit] = []
    for match in _INLINE_QUOTE.finditer(text):
        inside = match.group()[1:-1]
        if roles.QUOTE_MARK in inside or roles.UNQUOTE_MARK in inside:
            continue
        edits.append((match.start(), match.start() + 1, roles.QUOTE_MARK))
        edits.append((match.end() - 1, match.end(), roles.UNQUOTE_MARK))
    return edits


def _emphasis(text: str) -> list[Edit]:
    """Delete paired emphasis, leaving stars inside words (`f***ing`) alone."""
    open_at: dict[str, int] = {}
    edits: list[Edit] = []
    for match in _EMPHASIS.finditer(text):
        before = text[match.start() - 1] if match.start() else " "
        after = text[match.end()] if match.end() < len(text) else " "
        mark = match.group()
        if before == "\\":
            continue
        closes = not before.isspace() and not after.isalnum()
        if closes and mark in open_at:
            start = open_at.pop(mark)
            edits.append((start, start + len(mark), ""))
            edits.append((match.start(), match.end(), ""))
        elif not after.isspace() and not before.isalnum():
            open_at[mark] = match.start()
    return sorted(edits)
