"""Instants and spans of time as text."""

from __future__ import annotations

import re
from datetime import UTC, datetime

LENGTH = re.compile(r"(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?")


def instant_in(text: str) -> int:
    """Return an ISO 8601 time in UTC seconds; one without a zone is UTC. ValueError for what is none.

    >>> instant_in("2026-12-01T11:00+01:00"), instant_in("2026-12-01T10:00")
    (1796119200, 1796119200)
    """
    moment = datetime.fromisoformat(text.strip())
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def seconds_in(text: str) -> int:
    """Return a length of time as it is written in days, hours and minutes, in seconds; ValueError for what is none.

    >>> seconds_in("24h"), seconds_in("1d 12h"), seconds_in("90m")
    (86400, 129600, 5400)
    """
    found = LENGTH.fullmatch("".join(text.split()).lower())
    if found is None or not text.strip():
        raise ValueError(f"{text!r} is no length of time")
    return sum(int(number or 0) * unit for number, unit in zip(found.groups(), (86_400, 3600, 60), strict=True))


def when(at: int) -> str:
    """Return an instant (UTC seconds) with its weekday, and with seconds only where there are some.

    >>> when(1796119200)
    'Tue 1 Dec 2026 10:00 UTC'
    """
    moment = datetime.fromtimestamp(at, UTC)
    clock = f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    return f"{moment:%a} {moment.day} {moment:%b %Y} {clock} UTC"


def iso(at: int) -> str:
    """Return an instant as programs read it (ISO 8601).

    >>> iso(1796119200)
    '2026-12-01T10:00:00Z'
    """
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def duration(seconds: int) -> str:
    """Return a span of time in days and hours, or minutes below an hour.

    >>> duration(7 * 86_400), duration(90_000), duration(300)
    ('7 days', '1 day 1 hour', '5 minutes')
    """
    days, rest = divmod(max(seconds, 0), 86_400)
    parts = [(days, "day"), (rest // 3600, "hour")] if days or rest >= 3600 else [(rest // 60, "minute")]
    return " ".join(f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in parts if n or len(parts) == 1)


def left(seconds: int) -> str:
    """Return how long it is until something, to the nearest day while it is days; '' if it is less than a minute.

    >>> left(7 * 86_400 - 60), left(90_000), left(300), left(0)
    ('in 7 days', 'in 1 day 1 hour', 'in 5 minutes', '')
    """
    unit = next((unit for unit in (86_400, 3600) if seconds >= 2 * unit), 60)
    return f"in {duration((seconds + unit // 2) // unit * unit)}" if seconds >= 60 else ""


def ahead(at: int, now: int) -> str:
    """Return an instant, and how long it is from *now* until then (both UTC seconds; 0: *now* is not known).

    >>> ahead(1796119200, 1796032800), ahead(1796119200, 0)
    ('Tue 1 Dec 2026 10:00 UTC, in 1 day', 'Tue 1 Dec 2026 10:00 UTC')
    """
    return ", ".join(filter(None, (when(at), left(at - now) if now else "")))
