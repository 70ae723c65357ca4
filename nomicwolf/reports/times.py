"""Instants as people and programs read them: UTC seconds in, text out."""

from __future__ import annotations

from datetime import UTC, datetime

from nomicwolf.nomic.times import when

__all__ = ["iso", "lasting", "left", "when"]


def iso(at: int) -> str:
    """Return an instant as programs read it (ISO 8601).

    >>> iso(1796119200)
    '2026-12-01T10:00:00Z'
    """
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%dT%H:%M:%SZ}"


def lasting(seconds: int) -> str:
    """Return a span of time in days and hours, or minutes below an hour.

    >>> lasting(7 * 86_400), lasting(90_000), lasting(300)
    ('7 days', '1 day 1 hour', '5 minutes')
    """
    days, rest = divmod(max(seconds, 0), 86_400)
    parts = [(days, "day"), (rest // 3600, "hour")] if days or rest >= 3600 else [(rest // 60, "minute")]
    return " ".join(f"{n} {unit}{'' if n == 1 else 's'}" for n, unit in parts if n or len(parts) == 1)


def left(seconds: int) -> str:
    """Return how long it is until something, in words, to the day while it is days; '' if it is less than a minute.

    >>> left(7 * 86_400 - 60), left(90_000), left(300), left(0)
    ('in 6 days', 'in 1 day 1 hour', 'in 5 minutes', '')
    """
    unit = next((unit for unit in (86_400, 3600) if seconds >= 2 * unit), 60)
    return f"in {lasting(seconds - seconds % unit)}" if seconds >= 60 else ""
