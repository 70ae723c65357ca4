"""Alarms and daily slots: instants that games await.

An alarm's name is what the record says of an instant that has come (`ClockStruck`); the laws of other packages may have
further ones. Slots are times of day in UTC at which something is announced, whenever it was ready (D-N24, D-N48).
"""

from __future__ import annotations

from collections.abc import Sequence

CONDITION = "a condition"
"""An instant that a ballot's condition names."""
DAWN = "dawn"
"""A slot at which a night may end (D-N24)."""
LIMIT = "day limit"
"""The instant by which somebody is to be lynched, where a contest has set one (D-N56)."""
STAGE = "stage"
"""The deadline of a stage (D-A1)."""
TURN = "turn"
"""The end of somebody's turn to vote (D-T22)."""
ACCUSATIONS = "accusations"
"""The end of the time in which somebody can be accused (D-C17)."""


DAY = 86_400
"""Seconds."""
AT_ONCE = "at once"
"""Stands in a setting for no slots at all: nothing waits."""


def slots(text: str) -> tuple[int, ...]:
    """Return the times of day in *text*, sorted, in seconds since midnight; none if it is empty or ``at once``.

    >>> slots("20:00, 08:00")
    (28800, 72000)
    """
    if text.strip() in ("", AT_ONCE):
        return ()
    parts = (part.strip().split(":") for part in text.split(","))
    return tuple(sorted(int(hour) * 3600 + int(minute) * 60 for hour, minute in parts))


def next_slot(after: int, times: Sequence[int]) -> int:
    """Return the first instant later than *after* (UTC seconds) at one of *times*, as `slots` gives them.

    Without *times* nothing waits, and that is *after* itself.

    >>> next_slot(100_000, (28_800, 72_000)), next_slot(100_000, ())
    (115200, 100000)
    """
    midnight = after - after % DAY
    later = (day + time for day in (midnight, midnight + DAY) for time in times)
    return min((at for at in later if at > after), default=after)
