"""Days in figures, as people write them, put into words that `dates` reads: "20.12.2026" is "20 december 2026"."""

from __future__ import annotations

import re
from re import Match

from nomicwolf.reading.times import MONTHS

_YEAR_FIRST = re.compile(r"(?<!\d)(?<!\d\.)(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?!\d|[.]\d)")
_NAMED = re.compile(r"(\d{1,2})-([^\W\d_]{3,})-(\d{4})\b")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})(?:\.(\d{2})\b|\.\s?(\d{4})\b)?(?!\d)\.?")
_SLASHED = re.compile(r"(?<![\d/-])(\d{1,2})(?:/(\d{1,2})(?:/(\d{4}))?|-(\d{1,2})-(\d{4}))(?![\d/])")
_SHORT = re.compile(r"(?<!\S)['’](\d{2})\b")
_FRACTION = re.compile(r"\d[.,]\d+\s*(?:hours?|days?|weeks?|months?)\b")
_LEFT = re.compile(r"\d\s?[/·]\s?\d")


def spelled(words: str) -> str:
    """Return *words* with their days in figures as ISO days or by the month's name; ValueError where they are no days.

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
    """Return whether the month comes first in *days*; ValueError if both orders are possible, or neither."""
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
