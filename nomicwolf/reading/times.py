"""Times in conditions, to instants (UTC seconds): ISO 8601, days with a time of day, hours into the day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """The letter's *instant* and when the day phase began, UTC seconds; relative times are turned by them."""

    instant: int = 0
    day_began: int | None = None


def find_time(text: str, start: int, clock: Clock) -> tuple[int, int] | None:
    """(end, instant) of a time that stands at *start*."""
    end = start
    while end < len(text) and end - start < 40 and text[end] not in " ,;)":
        end += 1
    word = text[start:end].rstrip(".")
    if "T" in word:
        try:
            stamp = datetime.fromisoformat(word)
        except ValueError:
            return None
        if stamp.tzinfo is not None:
            return start + len(word), int(stamp.astimezone(UTC).timestamp())
    return None
