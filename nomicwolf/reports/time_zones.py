"""A letter's instants in its reader's time zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from nomicwolf.nomic.times import left
from nomicwolf.reports.layout import table

_DAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
INSTANT = re.compile(rf"{_DAY} \d{{1,2}} [A-Z][a-z]{{2}} \d{{4}} \d\d:\d\d(?::\d\d)? UTC(?! \({_DAY} )")
"""An instant that has no local time beside it."""
MOST = 12
"""How many instants the table has at most: the latest ones, which are still ahead."""
ROOM = 80 * (MOST + 2)
"""How many bytes the table has at most (D-N48)."""
UTC_NAMES = ("utc", "gmt", "z", "etc/utc", "off", "none", "no", "over")
"""What one writes who wants no time zone but UTC."""
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
    """Return an instant (UTC seconds) in *zone* as it stands behind the one in UTC, '' without a zone.

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
    return next((zone for zone in available_timezones() if _folded(zone) == _folded(name)), None)


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
