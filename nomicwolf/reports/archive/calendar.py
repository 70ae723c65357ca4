"""What is due as a calendar that programs subscribe to (iCalendar, RFC 5545)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.terms import Term
from nomicwolf.reports.layout import clean

WIDTH = 75
"""Octets of a line without its end (RFC 5545, section 3.1)."""
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def calendar(published: Published, found: Iterable[Term]) -> bytes:
    """Return the terms as events; one whose time is moved keeps its UID, so that calendars move it too."""
    about = published.about
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//nomicwolf//archive//EN", "METHOD:PUBLISH",
             f"X-WR-CALNAME:{_text(about.name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"]
    for term in found:
        name = f"nomicwolf:{about.contest}:{term.who}:{term.clause}:{term.what}"
        lines += ["BEGIN:VEVENT", f"UID:{uuid5(NAMESPACE_URL, name)}", f"DTSTAMP:{_instant(published.at)}",
                  f"DTSTART:{_instant(term.at)}", f"SUMMARY:{_text(_summary(about.name, term))}",
                  "TRANSP:TRANSPARENT", *([f"URL:{about.url}"] if about.url else []), "END:VEVENT"]
    return "".join(f"{part}\r\n" for line in (*lines, "END:VCALENDAR") for part in _folded(line)).encode()


def _summary(contest: str, term: Term) -> str:
    who, clause = f"{term.who}: " if term.who else "", f" ({term.clause})" if term.clause else ""
    return f"{contest}: {who}{term.what}{clause}"


def _text(text: str) -> str:
    return clean(text).translate(_ESCAPED)


def _instant(at: int) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y%m%dT%H%M%SZ}"


def _folded(line: str) -> Iterator[str]:
    """Yield *line* in parts of so many octets, none of which splits a character."""
    part = ""
    for char in line:
        if len((part + char).encode("utf-8", "replace")) > WIDTH:
            yield part
            part = " "
        part += char
    yield part
