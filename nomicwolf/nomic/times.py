"""Instants as people read them."""

from __future__ import annotations

from datetime import UTC, datetime


def when(at: int) -> str:
    """Return an instant (UTC seconds) with its weekday, and with seconds only where there are some.

    >>> when(1796119200)
    'Tue 1 Dec 2026 10:00 UTC'
    """
    moment = datetime.fromtimestamp(at, UTC)
    clock = f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
    return f"{moment:%a} {moment.day} {moment:%b %Y} {clock} UTC"
