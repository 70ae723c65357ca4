"""Forum marks and comments: tags become plain words or boundaries, comments become spaces; lengths stay.

Comments in ``[ ]``, ``{ }`` and ``/* */`` have no effect, as in the nomics; parentheses are left to the grammar.
"""

from __future__ import annotations

import re

from nomicwolf.reading.brackets import bracket_pairs
from nomicwolf.reading.names import NameBook

BOUNDARY = "\n"
"""Ends a sentence for certain (clean text has no line ends of its own)."""

_WORDS_FOR = {"[vote]": "vote: ", "[unvote]": "unvote  ", "[/vote]": BOUNDARY, "[/unvote]": BOUNDARY}
_PLAIN_TAGS = ("b", "i", "u", "s", "size", "color", "colour", "center", "font", "strong", "em", "highlight")
_COMMANDS = ("vote", "unvote", "un-vote")
_MARKED = (*_COMMANDS, "lynch", "no lynch", "no-lynch", "nolynch")
"""Commands behind ``##``."""
_BY_NIGHT = ("attack ", "attack:", "kill ", "kill:", "see ", "see:", "heal", "poison ", "poison:", "shoot ", "shoot:",
             "protect ", "protect:", "guard ", "guard:", "block ", "block:", "track ", "track:", "watch ", "watch:")
"""Those that games of forums have for the night, right behind ``##``."""
_LONGEST_TAG = 40
_MARK = re.compile(r"[\[{/#*_<~|]")
_EMPHASISED = re.compile(r"(?<![\w*])([*_]{1,2})([^\W_]+(?:['\u2019][^\W_]+)?)\1(?![\w*])")
_NEXT = re.compile(r"[/|] *(?=(?:##)?(?:un-?)?vote\b *:)", re.IGNORECASE)
"""Between two commands: "unvote: Bex / vote: Gus"."""
_STRUCK = (
    ("[s]", "[/s]"), ("[strike]", "[/strike]"), ("[del]", "[/del]"), ("[code]", "[/code]"), ("~~", "~~"),
    ("<s>", "</s>"), ("<del>", "</del>"), ("<strike>", "</strike>"),
)
"""Marks around words that have no effect."""


def without_marks(text: str, book: NameBook) -> str:
    """*text* of the same length with tags, emphasis around commands or single words, and comments taken out."""
    if "*" in text or "_" in text:
        text = _EMPHASISED.sub(lambda found: _plain(found, text, book), text)
    places = [mark.start() for mark in _MARK.finditer(text)]
    if not places:
        return text
    pairs = bracket_pairs(text)
    last = {each: text.rfind(each) for _, closes in _STRUCK for each in (closes, closes.upper())}
    pieces: list[str] = []
    done = 0
    for at in places:
        if at >= done:
            piece = _piece(text, at, pairs, last, book)
            pieces += (text[done:at], piece)
            done = at + len(piece)
    return "".join((*pieces, text[done:]))


def _plain(found: re.Match[str], text: str, book: NameBook) -> str:
    """A word that is emphasised, without its marks; not behind a colon, nor a name with such marks, or a command."""
    command = found[2].casefold().startswith(_COMMANDS) and text[:found.start()].rstrip()[-1:] not in ("I", "i")
    if command or ":" in text[:found.start()] or book.find(text, found.start()) is not None:
        return found[0]
    space = " " * len(found[1])
    return f"{space}{found[2]}{space}"


def _piece(text: str, at: int, pairs: dict[int, int], last: dict[str, int], book: NameBook) -> str:
    """What stands for the text from the mark *at* on, as long as what it replaces."""
    char = text[at]
    if (name := book.find(text, at)) is not None:
        return text[at:name.end]
    if struck := _struck(text, at, last):
        return BOUNDARY.ljust(struck - at - 1) + BOUNDARY
    if char == "[" and (tag := _tag(text, at)):
        return tag
    if char == "<":
        return _html(text, at)
    if char in "[{" and at in pairs:
        return " " * (pairs[at] + 1 - at)
    if char in "/|" and (joint := _NEXT.match(text, at)):
        return BOUNDARY.ljust(len(joint[0]))
    if text.startswith("/*", at) and (end := text.find("*/", at + 2)) > 0:
        return " " * (end + 2 - at)
    return _emphasis(text, at) if char in "#*_" else char


def _struck(text: str, at: int, last: dict[str, int]) -> int:
    """Where words that are struck out, or shown as code, end; 0 if none begin here. *last*: the last of each end."""
    for opens, closes in _STRUCK:
        start = at + len(opens)
        if text[at:start].casefold() == opens:
            ends = [text.find(each, start) for each in {closes, closes.upper()} if last[each] >= start]
            return min(ends) + len(closes) if ends else 0
    return 0


def _html(text: str, at: int) -> str:
    """A tag of HTML in a plain letter, such as ``<b>``: as that of a forum."""
    if text.startswith("<!--", at) and (end := text.find("-->", at + 4)) > 0:
        return " " * (end + 3 - at)
    end = text.find(">", at, at + _LONGEST_TAG)
    tag = text[at:end + 1]
    name = tag.strip("<>/").casefold()
    if end < 0 or name not in _PLAIN_TAGS:
        return "<"
    opens = text[end + 1:end + 1 + _LONGEST_TAG].lstrip(" *_").casefold().startswith(_COMMANDS)
    return (BOUNDARY if opens or tag.startswith("</") else "").ljust(len(tag))


def _tag(text: str, at: int) -> str:
    """A forum's tag, replaced; '' if this is none."""
    end = text.find("]", at, at + _LONGEST_TAG)
    if end < 0:
        return ""
    tag = text[at:end + 1].casefold()
    if tag in _WORDS_FOR:
        start = BOUNDARY if not tag.startswith("[/") else ""
        return (start + _WORDS_FOR[tag]).ljust(len(tag))[:len(tag)] if not start else _opened(tag)
    if tag.startswith("[vote="):
        value = text[at + len("[vote="):end].strip("\"' ")
        return f"{BOUNDARY}vote:{value}".ljust(len(tag) - 1) + BOUNDARY
    name = tag.strip("[]").removeprefix("/").partition("=")[0]
    if name not in _PLAIN_TAGS:
        return ""
    after = text[end + 1:end + 1 + _LONGEST_TAG].lstrip(" *_").casefold()
    opens = not tag.startswith("[/") and after.startswith(_COMMANDS)
    closes = tag.startswith("[/")
    return (BOUNDARY if opens or (closes and _closes_command(text, at)) else "").ljust(len(tag))


def _opened(tag: str) -> str:
    """``[vote]`` as ``vote: `` in the same number of characters, ``[unvote]`` likewise."""
    return _WORDS_FOR[tag][:len(tag)].ljust(len(tag))


def _closes_command(text: str, at: int) -> bool:
    """Whether the emphasis that ends at *at* began with a command."""
    opened = max(text.rfind("[", max(0, at - 80), at), 0)
    return text[text.find("]", opened) + 1:at].lstrip(" *_").casefold().startswith(_COMMANDS)


def _emphasis(text: str, at: int) -> str:
    """``##Vote``, ``**Vote: Gus**`` and ``_Vote: Gus_`` stand apart from the prose around them."""
    end = at
    while end < len(text) and text[end] == text[at]:
        end += 1
    marks = text[at:end]
    command = text[end:end + 10].casefold()
    if marks[0] == "#" and (command.lstrip().startswith(_MARKED) or (marks == "##" and command.startswith(_BY_NIGHT))):
        return BOUNDARY.ljust(len(marks))
    if marks[0] != "#" and command.startswith(("vote:", "unvote", "vote ")):
        return BOUNDARY.ljust(len(marks))
    return marks
