"""Spans of days, in words and figures."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from re import Match

from nomicwolf.reading.times import MONTHS, WEEKDAYS
from nomicwolf.reading.vocabulary import NUMBERS

_YEAR_FIRST = re.compile(r"(?<!\d)(?<!\d\.)(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d|[.]\d)")
_NAMED = re.compile(r"(\d{1,2})-([^\W\d_]{3,})-(\d{4})\b")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})(?:\.(\d{2})\b|\.\s?(\d{4})\b)?(?!\d)\.?")
_SLASHED = re.compile(r"(?<![\d/-])(\d{1,2})(?:/(\d{1,2})(?:/(\d{4}))?|-(\d{1,2})-(\d{4}))(?![\d/])")
_SHORT = re.compile(r"(?<!\S)['’](\d{2})\b")
_FRACTION = re.compile(r"\d[.,]\d+\s*(?:hours?|days?|weeks?|months?)\b")
_LEFT = re.compile(r"\d\s?[/·]\s?\d")


def spelled(words: str) -> str:
    """Return *words* with days in figures as ISO days or with the month's name; ValueError for what is no day.

    With points the day comes first. With strokes it may be the month: one order must fit all of them, and no other.
    """
    if _FRACTION.search(words):
        raise ValueError(words)
    text = _YEAR_FIRST.sub(lambda day: f" {day[1]}-{day[3]:0>2}-{day[4]:0>2} ", words)
    text = text.replace(" / ", " - ").replace("--", "-")
    text = _SHORT.sub(r"20\1", _NAMED.sub(r"\1 \2 \3", text))
    month_first = _is_month_first(list(_SLASHED.finditer(text)))
    text = _SLASHED.sub(lambda day: _slashed(day, month_first), text)
    text = _DOTTED.sub(lambda day: _in_words(day[1], day[2], day[4] or (f"20{day[3]}" if day[3] else "")), text)
    if _LEFT.search(text):
        raise ValueError(words)
    return text


def _is_month_first(days: list[Match[str]]) -> bool:
    """Return whether the month comes first in *days*; ValueError if both orders or neither fit."""
    pairs = [(int(day[1]), int(day[2] or day[4])) for day in days]
    firsts, seconds = [a for a, _ in pairs], [b for _, b in pairs]
    if pairs and (max(firsts) > 12) == (max(seconds) > 12) and firsts != seconds:
        raise ValueError(pairs)
    return bool(pairs) and max(seconds) > 12


def _slashed(day: Match[str], month_first: bool) -> str:
    first, second = day[1], day[2] or day[4]
    return _in_words(*((second, first) if month_first else (first, second)), day[3] or day[5] or "")


def _in_words(number: str, month: str, year: str) -> str:
    if not 0 < int(month) < 13:
        raise ValueError(month)
    return f" {int(number)} {MONTHS[int(month) - 1]} {year} "


DAY = 86_400
_CLOCK = re.compile(r"(?:t|\s|\bat\s)\s*\d{1,2}:\d{2}(?::\d{2})?\s*(?:z|utc|gmt)?\b|\b(?:utc|gmt)\b")
_WORD = re.compile(r"\d{4}-\d{2}-\d{2}|\d+|[^\W\d_]+|[-–—:]")
_BREAKS = ("to", "until", "till", "through", "thru", "-", "–", "—")
_IDLE = ("from", "on", "the", "of", "away", "starting", "beginning", "st", "nd", "rd", "th", "this", "coming", "for",
         "as", "since", "over", "between", ":", "and", "inclusive", "now")
_OPENS = ("from", "until", "till", "to", "through", "for", "between", "on", "this", "next", "tomorrow", "today",
          "starting", "beginning", "as", "the", "over", "since", "by", "all", "-", ":")
_LENGTHS = {"day": 1, "days": 1, "week": 7, "weeks": 7, "fortnight": 14, "month": 30, "months": 30}
_COUNTS = {**NUMBERS, "a": 1, "an": 1, "one": 1, "couple": 2}
_PERIODS = ("week", "weekend")
_OPEN_ENDED = {"from", "since", "starting", "beginning", "as"}
_OTHER = {"after", "before", "last", "every", "each"}
_DAYS = (*_PERIODS, "today", "tomorrow")
MOST_DAYS = 3_660
_LONGEST = 1_000
"""Characters of what says when someone is away; to look at each year of more takes the square of its length."""


@dataclass(frozen=True, slots=True)
class _Day:
    """A day as far as it was said: *number* of *month* in *year*, 0 for what wasn't said, or *exact*."""

    number: int = 0
    month: int = 0
    year: int = 0
    exact: date | None = None


def span(words: str, now: int) -> tuple[int, int] | None:
    """Return the start and end (UTC seconds) of the absence that *words* describe; None if they describe none.

    The last day is included, but "back on" a day means until it begins; without a first day it is *now*. A day
    without a year is the next one.
    """
    try:
        return _span(_words(words), now)
    except (ValueError, OverflowError):
        return None


def is_span(words: str) -> bool:
    """Return whether *words*, at most `_LONGEST` long, describe a span of days, whenever they are read."""
    if len(words) > _LONGEST:
        return False
    try:
        said = _words(words)
    except ValueError:
        return False
    years = {int(word[:4]) for word in said if word[:4].isdecimal() and len(word) in {4, 10}}
    return any(span(words, now) for now in (0, *(_instant(date(year, 1, 1)) for year in years if year > 1)))


def _words(text: str) -> list[str]:
    """Return the words and days of *text* without times of day; ValueError for an ambiguous day in figures."""
    return _WORD.findall(spelled(_CLOCK.sub(" ", text.casefold().replace("…", " - "))))


def _span(said: list[str], now: int) -> tuple[int, int] | None:
    today = datetime.fromtimestamp(now, UTC).date()
    lasting, rest = _lasting(said)
    if lasting:
        return _for_so_long(lasting, rest, today, now)
    before, after = _halves(said)
    last, first = _find(after, today), _find(before, today) if before else None
    if last is None or (before and first is None):
        return _period(said, today, now)
    if "back" in said:
        return _up_to(now, _instant(_dated(last, today)))
    if before == after and _OPEN_ENDED & set(said):
        return None
    return _from_to(first, last, today, now)


def seems_dated(words: str) -> bool:
    """Return whether *words* begin like a span of days and name a day."""
    said = _WORD.findall(words.casefold())
    if not said or not (said[0] in _OPENS or said[0][0].isdigit() or _month(said[0]) or said[0] in WEEKDAYS):
        return False
    return any(w[0].isdigit() or w in WEEKDAYS or w in _LENGTHS or w in _DAYS for w in said)


def _from_to(first: _Day | None, last: _Day, today: date, now: int) -> tuple[int, int] | None:
    if first is not None and not first.exact and not first.month:
        first = _Day(first.number, last.month, first.year or last.year)
    if first is not None and not last.exact and not last.month:
        last = _Day(last.number, first.month, last.year or first.year)
    begins = _dated(first, today) if first is not None else today
    ends = _dated(last, today)
    if first is not None and first.month and not first.year and (last.year or last.exact):
        begins = date(ends.year - ((first.month, first.number) > (ends.month, ends.day)), first.month, first.number)
    if ends < begins and not last.month and not last.exact:
        ends = _dated(last, begins)
    elif ends < begins and not last.year and not last.exact:
        ends = date(begins.year + (ends.replace(year=begins.year) < begins), ends.month, ends.day)
    start = now if first is None or begins == today else _instant(begins)
    return _up_to(start, _instant(ends + timedelta(days=1)))


def _up_to(start: int, end: int) -> tuple[int, int] | None:
    return (start, end) if start < end <= start + MOST_DAYS * DAY else None


def _lasting(said: list[str]) -> tuple[int, list[str]]:
    """Return the days of "for a week" or "the next 5 days" (0 if there are none), and the other words."""
    for place, word in enumerate(said):
        if word not in _LENGTHS:
            continue
        count = place - 1
        if count >= 0 and said[count] == "of" and said[max(count - 1, 0)] == "couple":
            count -= 1
        number = _number(said[count]) if count >= 0 else 0
        if not number:
            continue
        begins = count
        while begins and said[begins - 1] in ("for", "the", "next", "about", "another", "coming", "a"):
            begins -= 1
        return min(number * _LENGTHS[word], MOST_DAYS), said[:begins] + said[place + 1:]
    return 0, said


def _for_so_long(days: int, rest: list[str], today: date, now: int) -> tuple[int, int] | None:
    first = _find(rest, today)
    if first is None and any(word[0].isdigit() or _month(word) for word in rest):
        return None
    start = now if first is None else _instant(_dated(first, today))
    return _up_to(max(start, now) if first is not None and _dated(first, today) == today else start,
                  start + days * DAY)


def _period(said: list[str], today: date, now: int) -> tuple[int, int] | None:
    """Return "this week", "next week", "this weekend"; None if nothing of the kind is said."""
    word = next((w for w in said if w in _PERIODS), "")
    if not word or _OTHER & set(said) or any(each[0].isdigit() or _month(each) for each in said):
        return None
    monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * ("next" in said))
    first = monday + timedelta(days=5) if word == "weekend" else monday
    return _up_to(max(now, _instant(first)), _instant(monday + timedelta(days=7)))


def _halves(said: list[str]) -> tuple[list[str], list[str]]:
    breaks = (*_BREAKS, "and") if "between" in said else _BREAKS
    for place, word in enumerate(said):
        if word in breaks:
            return said[:place] if set(said[:place]) - set(_IDLE) else [], said[place + 1:]
    return (said, said)


def _find(said: Sequence[str], today: date) -> _Day | None:
    """Return the day with which *said* begins, such as "next Friday"; None if it begins otherwise."""
    words = [w for w in said if w not in (*_IDLE, "back", "by")]
    follows = words[:1] == ["next"]
    words = words[1:] if follows else words
    if not words:
        return None
    one, two, three = [*words, "", "", ""][:3]
    if (one, two) == ("new", "year"):
        return _Day(1, 1)
    one = next((day for day in WEEKDAYS if len(one) > 2 and day.startswith(one)), one)
    if one in ("today", "tonight", "tomorrow"):
        return _Day(exact=today + timedelta(days=one == "tomorrow"))
    if one in WEEKDAYS:
        ahead = (WEEKDAYS.index(one) - today.weekday()) % 7
        return _Day(exact=today + timedelta(days=ahead or 7)) if not _number(two) else _find(words[1:], today)
    if len(one) == 10 and one[4] == "-":
        return _iso(one) if _is_all(words[1:]) else None
    year = int(three) if len(three) == 4 and three.isdecimal() else 0
    if not _is_all(words[2 + bool(year):]):
        return None
    if _month(one) and one.isalpha():
        return _Day(_number(two), _month(one), year) if 0 < _number(two) < 32 else None
    if not one.isdecimal() or not 0 < int(one) < 32 or (two and not _month(two)):
        return None
    return _Day(int(one), _month(two), year)


def _is_all(rest: Sequence[str]) -> bool:
    """Return whether *rest*, the words after a day, name no other day."""
    return not any(word[0].isdigit() or _month(word) for word in rest)


def _iso(text: str) -> _Day | None:
    try:
        return _Day(exact=date.fromisoformat(text))
    except ValueError:
        return None


def _dated(day: _Day, today: date) -> date:
    """Return *day* as the next such from *today* on; ValueError for a 31st of February."""
    if day.exact:
        return day.exact
    if day.month:
        found = date(day.year or today.year, day.month, day.number)
        return found if day.year or found >= today else date(found.year + 1, day.month, day.number)
    if day.number >= today.day:
        return today.replace(day=day.number)
    return (today.replace(day=monthrange(today.year, today.month)[1]) + timedelta(days=1)).replace(day=day.number)


def _number(word: str) -> int:
    return int(word) if word.isdecimal() and len(word) < 4 else _COUNTS.get(word, 0)


def _month(word: str) -> int:
    """Return the number of the month that *word* names or begins, 0 if it names none."""
    if len(word) < 3:
        return 0
    return next((number for number, name in enumerate(MONTHS, 1) if name.startswith(word.removesuffix("."))), 0)


def _instant(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
