"""An archive's record and letters as JSON.

Each line is bound to those before it.

The head after a line is the SHA-256 of the head before it (32 bytes) and of the line's canonical JSON; the first head
is that of the contest's empty record (`nomicwolf.ledger.codec`). The first line is what the contest is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf import __version__
from nomicwolf.ledger.codec import (
    canonical,
    coder,
    first_head,
    next_head,
    read_entry,
    read_value,
    write_entry,
    write_value,
)
from nomicwolf.ledger.errors import Garbled
from nomicwolf.reports.archive import About, Heard, Published, Sent
from nomicwolf.village.events import Event

RECORD, LETTERS = "record.json", "letters.json"
SCHEMA = 1
"""Of the form of an archive's record; a record of another is not read."""
PROGRAM = f"nomicwolf {__version__}"


def record_file(published: Published) -> bytes:
    """Return the record as JSON, one entry a line."""
    return _file(published.about.contest, {
        "about": [write_value(published.about)], "entries": map(write_entry, published.entries)})


def letters_file(published: Published) -> bytes:
    """Return the letters as JSON, those that came through forums and those that were posted, one a line."""
    return _file(published.about.contest, {
        "heard": map(write_value, published.heard), "sent": map(write_value, published.sent)})


def _file(contest: str, parts: Mapping[str, Iterable[str]]) -> bytes:
    """Return a file of *parts*, whose lines are made one after the other."""
    head, file = first_head(contest), BytesIO()
    file.write(f'{{"schema": {SCHEMA}, "program": {json.dumps(PROGRAM)}, "contest": {canonical(contest)}'.encode())
    for name, lines in parts.items():
        file.write(f',\n"{name}": ['.encode())
        for number, line in enumerate(lines):
            head = next_head(head, line)
            file.write(f'{"," * bool(number)}\n{{"head":"{head}","is":{line}}}'.encode("ascii"))
        file.write(b"\n]")
    file.write(f',\n"head": "{head}"}}\n'.encode())
    return file.getvalue()


def read_back(record: bytes, letters: bytes) -> tuple[Published | None, str, list[str]]:
    """Return what two files publish, by which program, and what is wrong with them, each place named.

    It is None if they can't be read.
    """
    found: list[str] = []
    plain, mail = _loaded(RECORD, record, found), _loaded(LETTERS, letters, found)
    if plain is None or mail is None:
        return None, "", found
    contest = str(plain.get("contest"))
    if mail.get("contest") != contest:
        found.append(f"{LETTERS}: is of the contest {mail.get('contest')!r}, {RECORD} of {contest!r}")
    if mail.get("program") != plain.get("program"):
        found.append(f"{LETTERS}: is by {mail.get('program')!r}, {RECORD} by {plain.get('program')!r}")
    found += _breaks(RECORD, contest, plain, ("about", "entries"))
    found += _breaks(LETTERS, contest, mail, ("heard", "sent"))
    try:
        about = [read_value(About, canonical(line)) for line in _lines(plain, "about")]
        entries = tuple(read_entry(canonical(line)) for line in _lines(plain, "entries"))
        heard = tuple(read_value(Heard, canonical(line)) for line in _lines(mail, "heard"))
        sent = tuple(read_value(Sent, canonical(line)) for line in _lines(mail, "sent"))
    except Garbled as error:
        return None, "", [*found, f"{RECORD} or {LETTERS}: {error}"]
    if len(about) != 1:
        return None, "", [*found, f"{RECORD}: must tell once what the contest is"]
    return Published(about[0], entries, heard, sent), str(plain.get("program")), found


def _loaded(name: str, data: bytes, found: list[str]) -> dict[str, Any] | None:
    try:
        plain = json.loads(data, object_pairs_hook=_once)
        canonical(plain)
    except (ValueError, RecursionError) as error:
        found.append(f"{name}: no JSON: {error}")
        return None
    if not isinstance(plain, dict) or plain.get("schema") != SCHEMA:
        found.append(f"{name}: is of no form that this program knows; take the one that wrote it")
        return None
    return plain


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; ValueError if it has a key twice, of which readers may take either."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key stands twice beside {min(found)!r}")
    return found


def _lines(plain: dict[str, Any], part: str) -> Iterator[object]:
    lines = plain.get(part)
    for line in lines if isinstance(lines, list) else ():
        yield line.get("is") if isinstance(line, dict) else None


def _breaks(name: str, contest: str, plain: dict[str, Any], parts: Sequence[str]) -> Iterator[str]:
    """Yield where the chain breaks; after a break it is followed on from the head that is told there, if one is."""
    head = first_head(contest)
    for part in parts:
        for place, line in enumerate(plain.get(part) or (), 1):
            told = str(line.get("head")) if isinstance(line, dict) else ""
            head = next_head(head, canonical(line.get("is") if isinstance(line, dict) else None))
            if told != head:
                yield f"{name}: {part} {place}: was changed, or one before it was; the chain breaks here"
                head = told if _is_hash(told) else head
    if plain.get("head") != head:
        yield f"{name}: does not end with the head that it tells"


def _is_hash(text: str) -> bool:
    return len(text) == 64 and set(text) <= set("0123456789abcdef")


def event_text(event: Event) -> str:
    """Return an event as JSON, to tell of it where it differs."""
    return canonical(coder(Event).write(event))
