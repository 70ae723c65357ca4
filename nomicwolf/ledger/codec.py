"""Events and letters as texts: canonical JSON with the version of its form, and back (`coders` has the values)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

from nomicwolf.ledger.coders import Coder, coder
from nomicwolf.ledger.errors import Garbled
from nomicwolf.village.events import Entry

__all__ = ["Coder", "canonical", "check_entry", "coder", "read_entry", "read_value", "write_entry", "write_value"]

VERSION: Final = 1
"""Of the form in which entries are written."""
_CHUNKS: Callable[[object, int], Iterable[str]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None, ":", ",", True, False, False)


def canonical(plain: object) -> str:
    """Return *plain* as JSON in its one form: keys sorted, no spaces, ASCII, and so safe in any database."""
    return "".join(_CHUNKS(plain, 0))


def write_entry(entry: Entry) -> str:
    """Return an entry as one line of canonical JSON, with the version of this form."""
    return canonical({"version": VERSION, **coder(Entry).write(entry)})


def read_entry(text: str) -> Entry:
    """Return the entry that a line of JSON holds, or raise `Garbled` with what is odd about it."""
    return _entry(_loads(text))


def check_entry(text: str) -> Entry:
    """Return the entry that a line holds; `Garbled` also if the line isn't in the one form in which it is written."""
    plain = _loads(text)
    if canonical(plain) != text:
        raise Garbled("not in its canonical form")
    return _entry(plain)


def _entry(plain: object) -> Entry:
    version = plain.pop("version", None) if isinstance(plain, dict) else None
    if version != VERSION:
        raise Garbled(f"an entry of version {version}, and this program knows {VERSION}; use the program that wrote it")
    entry: Entry = coder(Entry).read(plain)
    return entry


def write_value(value: object) -> str:
    """Return any dataclass of ours as canonical JSON."""
    return canonical(coder(type(value)).write(value))


def read_value(kind: type, text: str) -> Any:  # noqa: ANN401 - a value of *kind*
    """Return the *kind* that JSON holds, or raise `Garbled`."""
    return coder(kind).read(_loads(text))


def _loads(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Garbled(f"no JSON: {error}") from error
