"""Instants as people and programs read them: UTC seconds in, text out."""

from __future__ import annotations

from datetime import UTC, datetime

from nomicwolf.nomic.times import when

__all__ = ["iso", "lasting", "when"]


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
