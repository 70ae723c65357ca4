"""Dates of letters to UTC seconds, or None (RFC 5322 3.3 and its obsolete forms)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES = {
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
}


def seconds(text: str) -> int | None:
    """``Sun, 30 Nov 2008 09:44:00 -0800`` as UTC seconds since 1970; None if it isn't a date of 1970 to 9999."""
    words = text[:200].split("(", 1)[0].replace(",", " ").split()
    if words and not words[0][0].isdigit():
        words = words[1:]
    if len(words) == 1 or len(words) < 4:
        return None
    day, month, year, clock = words[:4]
    minutes = _zone(words[4]) if len(words) > 4 else 0
    parts = clock.split(":")
    numbers = [day, year, *parts]
    if minutes is None or month[:3].lower() not in _MONTHS or not 2 <= len(parts) <= 3:
        return None
    if not all(number.isascii() and number.isdigit() and len(number) <= 4 for number in numbers):
        return None
    hour, minute, second = [int(part) for part in parts] + [0] * (3 - len(parts))
    try:
        local = datetime(_year(year), _MONTHS.index(month[:3].lower()) + 1, int(day), hour, minute, min(second, 59),
                         tzinfo=UTC)
        instant = local - timedelta(minutes=minutes)
    except (ValueError, OverflowError):
        return None
    whole = int(instant.timestamp())
    return whole if whole >= 0 else None


def _year(text: str) -> int:
    """A year of two or three digits as RFC 5322 4.3 has it, else as written."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year


def _zone(text: str) -> int | None:
    """Minutes east of Greenwich; an unknown name counts as UTC (RFC 5322 4.3), a malformed number is None."""
    if text[:1] in "+-" and text[1:].isascii() and text[1:].isdigit() and len(text) == 5:
        minutes = int(text[1:3]) * 60 + int(text[3:])
        return -minutes if text[0] == "-" else minutes
    return _ZONES.get(text.lower(), 0 if text.isalpha() else None)
