"""Plain text on a page of 72 columns: lines that fit, columns that line up, quotes that can't be taken for ours."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from nomicwolf.letters.folding import columns, cut_at, wrap72

WIDTH = 72
"""Columns of a line in a letter: quoted a few times it still fits 78 (RFC 3676, section 4.2)."""
BAR = 20
"""Columns of a picture of votes."""
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


def straight(text: str) -> str:
    """Return *text*, words of ours, with the quotation marks of all letters, which leave them in ASCII.

    >>> straight("write “guilty”")
    'write "guilty"'
    """
    return text if text.isascii() else text.replace("“", '"').replace("”", '"')


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


def equal_size(bodies: Sequence[str]) -> list[str]:
    """Return *bodies* with lines of dashes at their ends, so that all have the same lines and bytes (UTF-8).

    Who reads the traffic of a mail server can't tell a role by the size of the letter that names it (NC 6).
    """
    return _filled(bodies, *_frame(bodies))


def one_class(bodies: Sequence[str], parts: Sequence[str] = (), room: tuple[int, int] = (0, 0)) -> list[str]:
    """Return *bodies* with lines of dashes at their ends, all in the smallest class of size that each of them fits.

    Class n has n times `CLASS` (lines, UTF-8 bytes). Unlike in `equal_size` no letter's size tells of another's words.
    Of *parts*, one of each body, the class tells nothing either: it has *room* (lines, UTF-8 bytes) for any such part.
    """
    spans = [_span(body, part, room) for body, part in zip(bodies, parts or [""] * len(bodies), strict=True)]
    number = 1
    while not all(_fits(span, number) for span in spans):
        number += 1
    return _filled(bodies, CLASS[0] * number, CLASS[1] * number)


def full_classes(number: int) -> str:
    """Return a body that fills so many classes of size, so that it fits the next one alone.

    >>> len(one_class(["short", full_classes(1)])[0]) // CLASS[1]
    2
    """
    return f"{'-' * (CLASS[1] // CLASS[0] - 1)}\n" * (CLASS[0] * number)


def _span(body: str, part: str, room: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the least and the most lines, and bytes, of *body* with any other part of up to *room* for this one."""
    lines, size = body.count("\n"), len(body.encode())
    if not part:
        return (lines, lines), (size, size)
    least = lines - part.count("\n"), size - len(part.encode())
    return (least[0], max(lines, least[0] + room[0])), (least[1], max(size, least[1] + room[1]))


def _fits(span: tuple[tuple[int, int], tuple[int, int]], number: int) -> bool:
    """Return whether a body of any number of lines and bytes within *span* can be filled to class *number*."""
    for lines in span[0]:
        count = CLASS[0] * number - lines
        for size in span[1]:
            if not 0 < count <= CLASS[1] * number - size - len(PADDING) - count <= count * WIDTH:
                return False
    return True


def _filled(bodies: Sequence[str], rows: int, total: int) -> list[str]:
    out: list[str] = []
    for body in bodies:
        count = rows - body.count("\n")
        room = total - len(body.encode()) - len(PADDING) - count
        each, more = divmod(room, count)
        filler = "\n".join("-" * (each + (1 if i < more else 0)) for i in range(count))
        out.append(f"{body}{PADDING}{filler}\n")
    return out


CLASS = (120, 4096)
PADDING = "(The lines below only give all letters of this kind one size.)\n"


def _frame(bodies: Sequence[str]) -> tuple[int, int]:
    """Return how many line ends and bytes each padded letter has: the fewest lines into which the filling goes."""
    most = max((b.count("\n") for b in bodies), default=0)
    sizes = [(b.count("\n"), len(b.encode())) for b in bodies]
    rows = most
    while True:
        rows += 1
        total = max((size + len(PADDING) + 2 * (rows - n) for n, size in sizes), default=0)
        if all(total - size - len(PADDING) - (rows - n) <= (rows - n) * WIDTH for n, size in sizes):
            return rows, total
