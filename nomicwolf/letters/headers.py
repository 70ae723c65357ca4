"""Header fields and dates out of hostile bytes.

One linear scan, within limits (RFC 5322 2.2, RFC 6532). Dates become UTC seconds, or None (RFC 5322 3.3 and its
obsolete forms).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The header *fields* (name, unfolded value) in order, the *rest* of the bytes, and what was odd.

    *excess* is empty or says which limit was passed; fields beyond it are left out.
    """

    fields: Fields
    rest: bytes
    defects: tuple[str, ...] = ()
    excess: str = ""

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of the field *name*, topmost first."""
        return every(self.fields, name)

    def first(self, name: str) -> str:
        """Return the topmost value of the field *name*, or ''."""
        return next(iter(self.all(name)), "")


def every(fields: Fields, name: str) -> tuple[str, ...]:
    """Return every value of the field *name* (in any case of letters), topmost first."""
    return named(fields).get(name.lower(), ())


@lru_cache(maxsize=4)
def named(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    """Map each field's name in lower case to its values, topmost first; cached, for letters are asked often."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in fields:
        key = name.lower()
        found[key] = (*found.get(key, ()), value)
    return found


def text_of(raw: bytes) -> str:
    """Decode header bytes as UTF-8 (RFC 6532), else as Windows-1252 with replacement characters."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def split_head(data: bytes, max_fields: int, max_bytes: int) -> Head:
    """Split *data* (lines end in LF alone) into header fields and the rest; never raises.

    A line that is no header ends the block, as does an empty one; an mbox ``From `` line before the first
    field is skipped.
    """
    fields: list[tuple[str, list[bytes]]] = []
    defects: list[str] = []
    excess, start = "", 0
    while start < len(data):
        end = data.find(b"\n", start)
        stop = len(data) if end < 0 else end
        line = data[start:stop]
        if not line:
            start = stop + 1
            break
        if stop > max_bytes:
            excess, start = f"more than {max_bytes} bytes of headers", _body_after(data, start)
            break
        name, colon, value = line.partition(b":")
        if line[:1] in b" \t" and fields:
            fields[-1][1].append(line)
        elif not fields and (line.startswith((b"From ", b">From ")) or not line.strip()):
            defects.append("mbox line")
        elif not colon or not _is_name(name.rstrip(b" \t")):
            defects.append("text among the headers")
            break
        elif len(fields) == max_fields:
            excess, start = f"more than {max_fields} header fields", _body_after(data, start)
            break
        else:
            fields.append((name.rstrip(b" \t").decode("ascii"), [value]))
        start = stop + 1
    unfolded = tuple((name, _clean(b"".join(pieces))) for name, pieces in fields)
    if any("\x00" in value for _, value in unfolded):
        defects.append("NUL in the headers")
    return Head(unfolded, data[start:], tuple(defects), excess)


def _body_after(data: bytes, start: int) -> int:
    """Return where the body begins if the headers continue from *start*."""
    gap = data.find(b"\n\n", start)
    return len(data) if gap < 0 else gap + 2


def _is_name(name: bytes) -> bool:
    """Return whether *name* can be a field's name: printable ASCII without space and colon (RFC 5322 2.2)."""
    return 0 < len(name) <= 200 and all(33 <= octet <= 126 for octet in name)


def _clean(value: bytes) -> str:
    """Return one unfolded value as text, with tabs and stray CR as spaces."""
    return text_of(value).replace("\t", " ").replace("\r", " ").strip()


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES = {
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
}


def seconds(text: str) -> int | None:
    """Return ``Sun, 30 Nov 2008 09:44:00 -0800`` as UTC seconds; None if it is no date of 1970 to 9999."""
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
    """Return a year of two or three digits by RFC 5322 4.3, else as written."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year


def _zone(text: str) -> int | None:
    """Return minutes east of Greenwich, 0 for an unknown name (RFC 5322 4.3), None for a malformed number."""
    if text[:1] in "+-" and text[1:].isascii() and text[1:].isdigit() and len(text) == 5:
        minutes = int(text[1:3]) * 60 + int(text[3:])
        return -minutes if text[0] == "-" else minutes
    return _ZONES.get(text.lower(), 0 if text.isalpha() else None)
