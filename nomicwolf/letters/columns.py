"""Text in columns of a monospaced page.

East Asian characters take two columns (UAX 11).
"""

from __future__ import annotations

import re
import unicodedata

_PIECES = re.compile(" +|[^ ]+")


def cut_at(text: str, width: int) -> int:
    """Return how many characters of *text*, at least one, fit into *width* columns."""
    if text[:width].isascii():
        return width
    used = 0
    for number, char in enumerate(text):
        used += _wide(char)
        if used > width:
            return max(number, 1)
    return len(text)


def columns(text: str) -> int:
    """Return the width of *text* in columns; combining and format characters have none."""
    if text.isascii():
        return len(text)
    return sum(_wide(char) for char in text)


def _wide(char: str) -> int:
    """Return the columns of one character: 0, 1 or 2."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def wrap72(text: str, width: int = 72) -> str:
    """Return *text* with no line wider than *width* columns unless a single word is.

    Line ends stay, and so do lines that fit. A line's indentation and quote marks are repeated where it is broken,
    a list item's (``* ``, ``- ``, ``1. ``) as spaces. Words are never broken, but East Asian text may be broken
    between any two wide characters.
    """
    return "\n".join(piece for line in text.split("\n") for piece in _fold(line, width))


def _fold(line: str, width: int) -> list[str]:
    """Fold one line."""
    if columns(line) <= width:
        return [line]
    first, rest = _indents(line, width)
    out: list[str] = []
    current, room = first, width - columns(first)
    gap = ""
    for word in _words(line[len(first) :]):
        if word == " ":
            gap = " "
            continue
        if columns(gap + word) > room and current.strip() and current not in (first, rest):
            out.append(current)
            current, room, gap = rest, width - columns(rest), ""
        current += gap + word
        room -= columns(gap + word)
        gap = ""
    return [*out, current]


def _indents(line: str, width: int) -> tuple[str, str]:
    """Return the indent of *line* and of the lines that continue it.

    What fills half of a line isn't repeated: each word would get a line of its own with all of that.
    """
    content = line.lstrip(" >")
    lead = line[: len(line) - len(content)]
    if len(lead) > width // 2:
        return "", ""
    mark, space, _ = content.partition(" ")
    listed = space and (mark in ("*", "-", "+") or (mark[:-1].isdigit() and mark[-1] in ".)") or mark.startswith("["))
    if listed and len(mark) <= 6:
        return f"{lead}{mark} ", lead + " " * (columns(mark) + 1)
    return lead, lead


def _words(text: str) -> list[str]:
    """Split *text* at spaces (given as ``' '``) and beside wide characters."""
    if text.isascii():
        return [piece.strip(" ") or " " for piece in _PIECES.findall(text.lstrip(" "))]
    out: list[str] = []
    word = ""
    for char in text:
        if char == " " or _wide(char) == 2:
            out += [word] if word else []
            word = ""
            if char != " ":
                out.append(char)
            elif out and out[-1] != " ":
                out.append(" ")
        elif _wide(char) == 0 and not word and out and out[-1] != " ":
            out[-1] += char
        else:
            word += char
    return [*out, word] if word else out
