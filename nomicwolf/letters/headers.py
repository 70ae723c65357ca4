"""Header fields out of hostile bytes: one linear scan, within limits (RFC 5322 2.2, RFC 6532)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
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
        """Every value of the field *name*, topmost first."""
        return every(self.fields, name)

    def first(self, name: str) -> str:
        """The topmost value of the field *name*, or ''."""
        return next(iter(self.all(name)), "")


def every(fields: Fields, name: str) -> tuple[str, ...]:
    """Every value of the field *name* (in any case of letters), topmost first."""
    return named(fields).get(name.lower(), ())


@lru_cache(maxsize=4)
def named(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    """The values of each field, topmost first, by its name in lower case: a letter is asked for dozens of names."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in fields:
        key = name.lower()
        found[key] = (*found.get(key, ()), value)
    return found


def text_of(raw: bytes) -> str:
    """Header bytes as text: UTF-8 (RFC 6532), else Windows-1252 with replacement characters."""
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
    """Where the body begins if the headers go on from *start*."""
    gap = data.find(b"\n\n", start)
    return len(data) if gap < 0 else gap + 2


def _is_name(name: bytes) -> bool:
    """Whether *name* can be a field's name: printable ASCII without space and colon (RFC 5322 2.2)."""
    return 0 < len(name) <= 200 and all(33 <= octet <= 126 for octet in name)


def _clean(value: bytes) -> str:
    """One unfolded value as text; tabs and stray CR become spaces."""
    return text_of(value).replace("\t", " ").replace("\r", " ").strip()
