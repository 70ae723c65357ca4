"""Instants as people read and write them."""

from __future__ import annotations

from datetime import UTC, datetime


def instant_in(text: str) -> int:
    """Return an ISO 8601 time in UTC seconds; one without a zone is UTC. ValueError for what is none.

    >>> instant_in("2026-12-01T11:00+01:00"), instant_in("2026-12-01T10:00")
    (1796119200, 1796119200)
    """
    moment = datetime.fromisoformat(text.strip())
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def when(at: int) -> str:
    """Return an instant (UTC seconds) with its weekday, and with seconds only where there are some.

    >>> when(1796119200)
    'Tue 1 Dec 2026 10:00 UTC'
    """
    moment = datetime.fromtimestamp(at, UTC)
    clock = f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    return f"{moment:%a} {moment.day} {moment:%b %Y} {clock} UTC"
