"""Plain-text layout on a page of 72 columns, and instants in time zones."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from nomicwolf.letters.compose import columns, cut_at, wrap72
from nomicwolf.nomic.times import left

WIDTH = 72
"""Columns of a line in a letter: quoted several times it still fits 78 (RFC 3676, section 4.2)."""
BAR_WIDTH = 20
"""Columns of a bar of votes."""
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


def shell_word(text: str) -> str:
    r"""Return *text*, on one line, as one word for a shell, which does nothing else whatever players are called.

    >>> print(shell_word("Gus"), shell_word("$(reboot)"))
    Gus '$(reboot)'
    """
    return shlex.quote(clean(text))


def marks_named(text: str) -> str:
    """Return our own *text* with a lone quoted quotation mark spelled out, because nobody can read “””.

    >>> marks_named("Understanding stopped at “””. Write “guilty”.")
    'Understanding stopped at a quotation mark. Write “guilty”.'
    """
    return text if text.isascii() else QUOTED_MARK.sub("a quotation mark", text)


def straight(text: str) -> str:
    """Return our own *text* with straight quotation marks, which keep letters in ASCII.

    >>> straight("write “guilty”")
    'write "guilty"'
    """
    return text if text.isascii() else marks_named(text).replace("“", '"').replace("”", '"')


def fit(text: str, width: int = WIDTH) -> str:
    """Return *text* with every line within *width* columns; longer words are broken."""
    lines = text.split("\n")
    if text.isascii() and max(map(len, lines)) <= width:
        return "\n".join(map(str.rstrip, lines))
    lines = wrap72(text, width).split("\n")
    return "\n".join(piece.rstrip() for line in lines for piece in _broken(line, width))


def _broken(line: str, width: int) -> list[str]:
    """Break *line* wherever it is too wide, repeating its quote mark."""
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
    r"""Return a player's words with a mark before each line, so that none looks like one of ours.

    >>> quote("I vote\nGus")
    '> I vote\n> Gus'
    """
    lines = [clean(line) for line in text.splitlines()] or [""]
    return "\n".join(f"> {line}".rstrip() for line in lines[:12])


def padded(text: str, width: int) -> str:
    """Return *text* padded with blanks to *width* columns; East Asian characters take two."""
    return text + " " * max(0, width - columns(text))


def table(rows: Iterable[Sequence[str]], indent: str = "  ", gap: str = "  ", width: int = WIDTH) -> str:
    """Return *rows* in aligned columns; the last column is wrapped under itself."""
    cells = [[clean(c) for c in row[:-1]] + [row[-1]] for row in rows]
    if not cells:
        return ""
    widths = [min(max(columns(row[i]) for row in cells), 30) for i in range(len(cells[0]) - 1)]
    lines: list[str] = []
    for row in cells:
        head = indent + "".join(padded(cell, w) + gap for cell, w in zip(row[:-1], widths, strict=True))
        hang = " " * min(columns(head), width // 2)
        room = max(width - max(columns(head), columns(hang)), 20)
        first, *rest = fit(row[-1], room).split("\n")
        lines += [f"{head}{first}", *(hang + line for line in rest)]
    return fit("\n".join(lines), width)


def bar(votes: int, needed: int) -> str:
    """Return a bar that shows *votes* out of *needed* in at most `BAR_WIDTH` columns plus brackets.

    >>> bar(3, 4), bar(5, 4)
    ('[###.]', '[####]')
    """
    size = min(needed, BAR_WIDTH)
    full = min(size, votes * size // needed) if needed else 0
    return f"[{'#' * full}{'.' * (size - full)}]"


def octets(text: str) -> int:
    """Return the number of bytes *text* has in a letter: UTF-8, lines ended by CR and LF."""
    return len(text.encode()) + text.count("\n")


def size_class(bodies: Sequence[str], bare: Sequence[str] = (), room: int = 0, least: int = 0, more: int = 0) -> int:
    """Return the smallest multiple of `SIZE_STEP` that is at least *least* bytes and holds each of *bodies*.

    *bare* are the same bodies without a part that only some have. Each gets *room* (bytes) for it, so that the size
    doesn't reveal who has it or how long it is.
    """
    most = max((*map(octets, bodies), *(octets(body) + room for body in bare), least))
    return SIZE_STEP * max(1, -(-(most + more) // SIZE_STEP))


SIZE_STEP = 4096
"""Letters of a covered session are padded to multiples of so many bytes (D-N48)."""


_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
INSTANT = re.compile(rf"{_DAY} \d{{1,2}} [A-Z][a-z]{{2}} \d{{4}} \d\d:\d\d(?::\d\d)? UTC(?! \({_DAY} )")
"""An instant that has no local time beside it."""
MOST = 12
"""How many instants the table has at most: the latest ones, which are still ahead."""
ROOM = 80 * (MOST + 2)
"""How many bytes the table has at most (D-N48)."""
UTC_NAMES = ("utc", "gmt", "z", "etc/utc", "off", "none", "no", "over")
"""What one writes who wants no time zone but UTC."""
NO_ZONES = frozenset(("Factory", "localtime"))
"""Names of what is no zone: the time of this machine, which is nobody's business, and that of a clock never set."""
_NEAR, _ALIKE = 3, 0.7
"""How many zones are suggested for a name that none has, and how alike they are to it at least (0 to 1)."""


def zoned(body: str, zone: str) -> str:
    """Return *body* with its instants in *zone* (a name of the IANA's) below; as it is for '' or an unknown zone."""
    rows = zone_table(body, zone)
    return f"{body}\n\n{rows}" if rows else body


def zone_table(body: str, zone: str, now: int | None = None) -> str:
    """Return a table of the instants of *body* in *zone*, '' if there is none of that name, or nothing to show.

    What is quoted in it is left out, and what has its local time beside it. From *now* on (UTC seconds) the table says
    how long it is until then.
    """
    place = zone_of(zone)
    own = "\n".join(line for line in body.split("\n") if not line.startswith(">"))
    found = {said: at for said in INSTANT.findall(" ".join(own.split())) if (at := _read(said)) is not None}
    if place is None or not found:
        return ""
    latest = sorted(found, key=lambda said: found[said])[-MOST:]
    rows = [(said, _local(found[said], place), *_ahead(found[said], now)) for said in latest]
    return f"The same in {zone}:\n{table(rows)}"


def beside(at: int, zone: str) -> str:
    """Return an instant (UTC seconds) in *zone* as it is behind the one in UTC, '' without a zone.

    >>> beside(1796119200, "Europe/Berlin")
    ' (Tue 1 Dec 11:00 CET)'
    """
    place = zone_of(zone)
    return f" ({_local(datetime.fromtimestamp(at, UTC), place)})" if place is not None else ""


def zone_of(name: str) -> ZoneInfo | None:
    """Return the time zone called *name*, None if there is none of that name here."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def known_zone(name: str) -> str | None:
    """Return the IANA's name of the zone that somebody calls *name*, in any case; None if there is none."""
    return next((zone for zone in available_timezones() - NO_ZONES if _folded(zone) == _folded(name)), None)


def near_zones(name: str) -> tuple[str, ...]:
    """Return the zones whose names, or whose cities, are near to *name*, the nearest first."""
    from rapidfuzz.distance import OSA

    folded = _folded(name)
    near = {zone: max(OSA.normalized_similarity(folded, said) for said in (_folded(zone), _city(zone)))
            for zone in available_timezones() if "/" in zone}
    alike = (zone for zone in near if near[zone] >= _ALIKE)
    return tuple(sorted(alike, key=lambda zone: (-near[zone], zone))[:_NEAR])


def _folded(name: str) -> str:
    return "_".join(name[:60].casefold().replace("_", " ").split())


def _city(zone: str) -> str:
    return _folded(zone.rpartition("/")[2])


def _read(said: str) -> datetime | None:
    form = "%a %d %b %Y %H:%M:%S UTC" if said.count(":") == 2 else "%a %d %b %Y %H:%M UTC"
    try:
        return datetime.strptime(said, form).replace(tzinfo=UTC)
    except ValueError:  # a 31 Nov that somebody wrote
        return None


def _ahead(moment: datetime, now: int | None) -> tuple[str, ...]:
    return () if now is None else (left(int(moment.timestamp()) - now),)


def _local(moment: datetime, place: ZoneInfo) -> str:
    at = moment.astimezone(place)
    clock = f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"
    return f"{at:%a} {at.day} {at:%b} {clock} {at:%Z}"
