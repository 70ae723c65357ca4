"""Times in conditions, as UTC instants.

ISO 8601, days with a time of day, and hours into the day. A time without a zone gets a question. "Friday 12:00 UTC" is
the first one after the letter: relative times become instants when the ballot is cast (NC 3).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from nomicwolf.reading.deeds import BallotError
from nomicwolf.village.ballots import IntoDay

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)
_FILLERS = frozenset({"on", "at", "the", "of", "day", "phase", "this", "coming"})
_ZONES = frozenset({"utc", "gmt", "z", "zulu", "utc+0", "(utc)"})
_MOST_WORDS = 10
_INTO = (("hours", "into", "the", "day"), ("hour", "into", "the", "day"), ("hours", "into", "this", "day"))
_FROM_NOW = (("hours", "from", "now"), ("hour", "from", "now"))
WHEN_CAST = -1
"""The beginning of a day that isn't known before the ballot is cast: hours into it stay such until then."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The letter's *instant* and the start of the day phase (or `WHEN_CAST`), UTC seconds, for relative times.

    Without an *instant*, as in a body alone, no relative time is known.
    """

    instant: int | None = 0
    day_began: int | None = None


@dataclass(slots=True)
class _Time:
    """A time as far as it was read."""

    day: date | None = None
    ahead: int | None = None
    weekday: int | None = None
    month: int | None = None
    number: int | None = None
    year: int | None = None
    clock: time | None = None
    zoned: bool = False
    words: list[str] = field(default_factory=list)


def find_time(text: str, start: int, clock: Clock) -> tuple[int, int | IntoDay] | None:
    """Return (end, time) of a time at *start*; BallotError ``ambiguous`` if it has no zone or no hour."""
    words = _words(text, start)
    if not words:
        return None
    if (stamp := _stamp(words[0][0])) is not None:
        return words[0][1], stamp
    plain = [word.casefold() for word, _ in words]
    if (relative := _hours(plain, clock)) is not None:
        return words[relative[0] - 1][1], relative[1]
    found = _Time()
    end = 0
    for number, word in enumerate(plain):
        if _take(found, word):
            end = number + 1
        elif word not in _FILLERS:
            break
    known = (found.clock, found.day, found.ahead, found.weekday, found.month)
    if not end or all(each is None for each in known):
        return None
    return words[end - 1][1], _instant(found, clock, text[start:words[end - 1][1]])


def find_hours(text: str, start: int, clock: Clock) -> tuple[int, int | IntoDay] | None:
    """Return (end, time) of "24 hours into the day" or "3 hours from now" at *start*."""
    words = _words(text, start)
    found = _hours([word.casefold() for word, _ in words], clock) if words else None
    return None if found is None else (words[found[0] - 1][1], found[1])


def _words(text: str, start: int) -> list[tuple[str, int]]:
    """Return up to ten words from *start* with their ends, without commas and a final point."""
    found: list[tuple[str, int]] = []
    at = start
    while at < len(text) and len(found) < _MOST_WORDS:
        while at < len(text) and text[at] in " ,":
            at += 1
        begin = at
        while at < len(text) and at - begin < 40 and text[at] not in " ,;)!?":
            at += 1
        word = text[begin:at].rstrip(".")
        if not word:
            break
        found.append((word, begin + len(word)))
    return found


def _stamp(word: str) -> int | None:
    """Return the instant of an ISO 8601 date and time with a zone, in one word."""
    if "T" not in word.upper() or not word[:4].isdecimal():
        return None
    try:
        stamp = datetime.fromisoformat(word.upper())
    except ValueError:
        return None
    if stamp.tzinfo is None:
        return None
    return int(stamp.astimezone(UTC).timestamp())


def _hours(words: list[str], clock: Clock) -> tuple[int, int | IntoDay] | None:
    """Return (number of words, time) of "24 hours into the day" or "3 hours from now"."""
    if not words[0].isdecimal() or not words[0].isascii() or len(words[0]) > 4:
        return None
    hours = int(words[0])
    rest = tuple(words[1:5])
    if rest in _INTO:
        if clock.day_began is None:
            raise BallotError("ambiguous", "It is not known when the day began.", hint="give the time in UTC")
        at = IntoDay(hours) if clock.day_began == WHEN_CAST else clock.day_began + 3600 * hours
        return 6 if words[5:6] == ["phase"] else 5, at
    if rest[:3] in _FROM_NOW:
        return 4, _written(clock) + 3600 * hours
    return None


def _written(clock: Clock) -> int:
    """Return when the letter was written; BallotError ``ambiguous`` if that is unknown."""
    if clock.instant is None:
        raise BallotError("ambiguous", "It is not known when this was written.",
                          hint="give the whole date, such as 2026-12-04T12:00Z")
    return clock.instant


def _take(found: _Time, word: str) -> bool:
    """Enter *word* into *found*; return whether it is part of a time."""
    if word in _ZONES:
        found.zoned = True
    elif word in WEEKDAYS:
        found.weekday = WEEKDAYS.index(word)
    elif word in {"today", "tomorrow"}:
        found.ahead = int(word == "tomorrow")
    elif len(word) >= 3 and any(month.startswith(word) for month in MONTHS):
        found.month = next(number for number, month in enumerate(MONTHS, 1) if month.startswith(word))
    elif (day := _date(word)) is not None:
        found.day = day
    elif (clock := _clock(word)) is not None:
        found.clock, zoned = clock
        found.zoned |= zoned
    else:
        return _take_number(found, word)
    return True


def _take_number(found: _Time, word: str) -> bool:
    """Enter a day of the month, or a year; return whether *word* is one."""
    digits = word.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
    if not (digits.isdecimal() and digits.isascii()):
        return False
    if len(digits) <= 2 and found.number is None:
        found.number = int(digits)
        return True
    if len(digits) == 4 and found.month is not None and found.year is None:
        found.year = int(digits)
        return True
    return False


def _date(word: str) -> date | None:
    """Return an ISO 8601 date."""
    if len(word) != 10 or word[4] != "-":
        return None
    try:
        return date.fromisoformat(word)
    except ValueError:
        return None


def _clock(word: str) -> tuple[time, bool] | None:
    """Return a time of day, and whether it has a zone."""
    if word in {"noon", "midday"}:
        return time(12), False
    if word == "midnight":
        return time(0), False
    bare = word.removesuffix("z").removesuffix("utc")
    hour, colon, minute = bare.partition(":")
    if not colon or not hour.isdecimal() or not minute[:2].isdecimal() or len(bare) > 8:
        return None
    try:
        return time.fromisoformat(bare.zfill(5) if len(bare) < 5 else bare), bare != word
    except ValueError:
        return None


def _instant(found: _Time, clock: Clock, words: str) -> int:
    """Return the instant of *found*."""
    if found.clock is None:
        raise BallotError("ambiguous", f"“{words}” has no time of day.",
                          hint="give the hour too, such as Friday 12:00 UTC")
    if not found.zoned:
        raise BallotError("ambiguous", f"“{words}” has no time zone.", suggestions=(f"{words} UTC",),
                          hint="give the time in UTC")
    dated = found.day is not None or (found.month is not None and found.year is not None)
    now = datetime.fromtimestamp(0 if dated and clock.instant is None else _written(clock), UTC)
    day = _day(found, now)
    if day is None:
        raise BallotError("not understood", f"“{words}” is no date.", hint="give it as 2026-12-01T12:00Z")
    moment = datetime.combine(day, found.clock, UTC)
    if found.day is None and found.ahead is None and found.month is None and moment <= now:
        moment += timedelta(days=1 if found.weekday is None else 7)
    if found.month is not None and found.year is None and moment <= now:
        moment = moment.replace(year=moment.year + 1)
    if found.number is not None and found.month is None and moment.day != found.number:
        raise BallotError("ambiguous", f"“{words}” names no month.", hint="give it as 2026-12-01T12:00Z")
    return int(moment.timestamp())


def _day(found: _Time, now: datetime) -> date | None:
    """Return the day of *found*, before it is moved past the letter."""
    if found.day is not None:
        return found.day
    if found.month is not None:
        try:
            return date(found.year or now.year, found.month, found.number or 0)
        except ValueError:
            return None
    if found.ahead is not None:
        return now.date() + timedelta(days=found.ahead)
    if found.weekday is not None:
        return now.date() + timedelta(days=(found.weekday - now.weekday()) % 7)
    return now.date()
