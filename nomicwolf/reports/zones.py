"""The instants that a letter names, in the forum's own time zone too: a table at its end, for letters say UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from nomicwolf.reports.layout import table

INSTANT = re.compile(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? UTC")
MOST = 12
"""How many instants the table has at most: the latest ones, which are still ahead."""


def zoned(body: str, zone: str) -> str:
    """Return *body* with its instants in *zone* (a name of the IANA's) below; as it is for '' or an unknown zone.

    What is quoted in it is left out.
    """
    place = zone_of(zone)
    own = "\n".join(line for line in body.split("\n") if not line.startswith(">"))
    found = {said: at for said in INSTANT.findall(" ".join(own.split())) if (at := _read(said)) is not None}
    if place is None or not found:
        return body
    latest = sorted(found, key=lambda said: found[said])[-MOST:]
    rows = [(said, _local(found[said].astimezone(place))) for said in latest]
    return f"{body}\n\nThe same in {zone}:\n{table(rows)}"


def zone_of(name: str) -> ZoneInfo | None:
    """Return the time zone called *name*, None if there is none of that name here."""
    try:
        return ZoneInfo(name) if name else None
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _read(said: str) -> datetime | None:
    form = "%a %d %b %Y %H:%M:%S UTC" if said.count(":") == 2 else "%a %d %b %Y %H:%M UTC"
    try:
        return datetime.strptime(said, form).replace(tzinfo=UTC)
    except ValueError:  # a 31 Nov that somebody wrote
        return None


def _local(at: datetime) -> str:
    clock = f"{at:%H:%M:%S}" if at.second else f"{at:%H:%M}"
    return f"{at:%a} {at.day} {at:%b %Y} {clock} {at:%Z}"
