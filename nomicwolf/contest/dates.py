"""Spans of days as people write them: "2026-12-20 to 2027-01-03", "from 20 December to 2 January", "until 5 Jan"."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

from nomicwolf.reading.times import MONTHS

DAY = 86_400
BREAKS = ("to", "until", "till", "through", "-", "–", "—")


def span(words: str, now: int) -> tuple[int, int] | None:
    """Return the instants (UTC seconds) from which to which *words* say someone is away; None if they don't.

    The last day is included; without a first it is *now*. A day without a year is the next one.
    """
    today = datetime.fromtimestamp(now, UTC).date()
    parts = _halves(words.replace(",", " ").replace("…", " - ").casefold().split())
    if parts is None:
        return None
    before, after = parts
    last = _day(after, today)
    first = _day(before, today) if before else today
    if last is None or first is None:
        return None
    if last < first and not any(w[:4].isdecimal() and len(w) >= 4 for w in after):
        last = date(first.year + 1, last.month, last.day)
    start = now if first == today and not before else _instant(first)
    end = _instant(last + timedelta(days=1))
    return (start, end) if start < end else None


def _halves(words: list[str]) -> tuple[list[str], list[str]] | None:
    words = [w for w in words if w not in ("from", "on", "the", "of", "and", "away")]
    for place, word in enumerate(words):
        if word in BREAKS:
            return words[:place], words[place + 1 :]
    return (words, words) if words else None


def _day(words: Iterable[str], today: date) -> date | None:
    number, month, year = 0, 0, 0
    for word in (w.rstrip(".;") for w in words):
        try:
            return date.fromisoformat(word[:10])
        except ValueError:
            plain = word.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")
            named = [i for i, m in enumerate(MONTHS, 1) if len(word) >= 3 and m.startswith(word)]
            month = named[0] if named else month
            number = int(plain) if plain.isdecimal() and int(plain) < 32 else number
            year = int(plain) if plain.isdecimal() and len(plain) == 4 else year
    try:
        found = date(year or today.year, month, number)
        return found if year or found >= today else date(found.year + 1, month, number)
    except ValueError:
        return None


def _instant(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
