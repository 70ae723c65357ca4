"""Plain text on a page of 72 columns: lines that fit, columns that line up, quotes that can't be taken for ours."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from nomicwolf.letters.folding import columns, cut_at, wrap72

WIDTH = 72
"""Columns of a line in a letter: quoted a few times it still fits 78 (RFC 3676, section 4.2)."""
BAR = 20
"""Columns of a picture of votes."""
QUOTED_MARK = re.compile("“[“”„\"'‘’]+”")
JOINERS = "\u200c\u200d"  # they belong to the spelling of some names; other format characters only disguise


def clean(text: str) -> str:
    r"""Return *text* on one line without controls, so that a name can't begin a line of its own.

    >>> clean("Ash\r\nNight 1 begins.\u202e")
    'Ash Night 1 begins.'
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = ("" if unicodedata.category(c) == "Cf" and c not in JOINERS else c for c in text)
    visible = (c if c.isprintable() or c in JOINERS else " " for c in visible)
    return " ".join("".join(visible).split())


def marks_named(text: str) -> str:
    """Return *text*, words of ours, with a quotation mark that they quote in words: nobody reads “””.

    >>> marks_named("Understanding stopped at “””. Write “guilty”.")
    'Understanding stopped at a quotation mark. Write “guilty”.'
    """
    return text if text.isascii() else QUOTED_MARK.sub("a quotation mark", text)


def straight(text: str) -> str:
    """Return *text*, words of ours, with the quotation marks of all letters, which leave them in ASCII.

    >>> straight("write “guilty”")
    'write "guilty"'
    """
    return text if text.isascii() else marks_named(text).replace("“", '"').replace("”", '"')


def fit(text: str, width: int = WIDTH) -> str:
    """Return *text* with every line within *width* columns; a word wider than the page is broken."""
    lines = text.split("\n")
    if text.isascii() and max(map(len, lines)) <= width:
        return "\n".join(map(str.rstrip, lines))
    lines = wrap72(text, width).split("\n")
    return "\n".join(piece.rstrip() for line in lines for piece in _broken(line, width))


def _broken(line: str, width: int) -> list[str]:
    """Break *line* anywhere as long as it is too wide, repeating its quote mark."""
    if columns(line) <= width:
        return [line]
    lead = "> " if line.startswith("> ") else ""
    cut = cut_at(line, width)
    pieces = [line[:cut]]
    while cut < len(line):
        more = cut_at(line[cut:cut + width], width - len(lead))
        pieces.append(lead + line[cut:cut + more])
        cut += more
    return pieces


def quote(text: str) -> str:
    r"""Return a player's words as a quotation: each line is marked, so none of them looks like one of ours.

    >>> quote("I vote\nGus")
    '> I vote\n> Gus'
    """
    lines = [clean(line) for line in text.splitlines()] or [""]
    return "\n".join(f"> {line}".rstrip() for line in lines[:12])


def padded(text: str, width: int) -> str:
    """Return *text* with blanks up to *width* columns; East Asian characters take two."""
    return text + " " * max(0, width - columns(text))


def table(
    rows: Iterable[Sequence[str]], indent: str = "  ", gap: str = "  ", width: int = WIDTH, least: Sequence[int] = (),
) -> str:
    """Return *rows* in columns that line up, of *least* widths if given; the last column is wrapped under itself."""
    cells = [[clean(c) for c in row[:-1]] + [row[-1]] for row in rows]
    if not cells:
        return ""
    widths = [min(max(*(columns(row[i]) for row in cells), *least[i:i + 1], 0), 30) for i in range(len(cells[0]) - 1)]
    lines: list[str] = []
    for row in cells:
        head = indent + "".join(padded(cell, w) + gap for cell, w in zip(row[:-1], widths, strict=True))
        hang = " " * min(columns(head), width // 2)
        room = max(width - max(columns(head), columns(hang)), 20)
        first, *rest = fit(row[-1], room).split("\n")
        lines += [f"{head}{first}", *(hang + line for line in rest)]
    return fit("\n".join(lines), width)


def bar(votes: int, needed: int) -> str:
    """Return a picture of *votes* out of the *needed* ones, at most `BAR` columns and its brackets.

    >>> bar(3, 4), bar(5, 4)
    ('[###.]', '[####]')
    """
    size = min(needed, BAR)
    full = min(size, votes * size // needed) if needed else 0
    return f"[{'#' * full}{'.' * (size - full)}]"


def octets(text: str) -> int:
    """Return how many bytes *text* has in a letter: UTF-8, each line ended by CR and LF."""
    return len(text.encode()) + text.count("\n")


def size_class(bodies: Sequence[str], bare: Sequence[str] = (), room: int = 0, least: int = 0, more: int = 0) -> int:
    """Return the smallest multiple of `CLASS` that takes each of *bodies*, and *least* bytes, with *more* beside.

    *bare* are the same bodies without a part that some have: there is *room* (bytes) for one in each, so the size
    doesn't tell who has one, or how long it is.
    """
    most = max((*map(octets, bodies), *(octets(body) + room for body in bare), least))
    return CLASS * max(1, -(-(most + more) // CLASS))


CLASS = 4096
"""The sizes of the letters of a covered session are multiples of so many bytes (D-N48)."""
