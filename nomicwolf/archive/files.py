"""An archive's files.

Record and letters are JSON, in which each line is bound to those before it: the head after a line is the SHA-256 of the
head before it (32 bytes) and of the line's canonical JSON; the first head is that of the contest's empty record
(`nomicwolf.ledger.records`). The first line describes the contest.

Each file is written whole or not at all, and only if it has changed, with a list of all files and their hashes. The
data for programs are public facts alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf import __version__
from nomicwolf.ledger.errors import Garbled
from nomicwolf.ledger.records import (
    canonical,
    coder,
    first_head,
    next_head,
    read_entry,
    read_value,
    write_entry,
    write_value,
)
from nomicwolf.reports.archive import About, Heard, Page, Published, Sent, pages
from nomicwolf.village.events import Event

RECORD, LETTERS = "record.json", "letters.json"
SCHEMA = 1
"""The version of the record's form; no other version is read."""
PROGRAM = f"nomicwolf {__version__}"


def record_file(published: Published) -> bytes:
    """Return the record as JSON, one entry per line."""
    return _file(published.about.contest, {
        "about": [write_value(published.about)], "entries": map(write_entry, published.entries)})


def letters_file(published: Published) -> bytes:
    """Return the letters as JSON, both heard and posted ones, one per line."""
    return _file(published.about.contest, {
        "heard": map(write_value, published.heard), "sent": map(write_value, published.sent)})


def _file(contest: str, parts: Mapping[str, Iterable[str]]) -> bytes:
    """Return a file of *parts*, whose lines are made one at a time."""
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
    """Return what two files publish, the program that wrote them, and every fault with its place.

    What they publish is None if they can't be read.
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
    """Return a JSON object; ValueError for a duplicate key, which readers may resolve either way."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key stands twice beside {min(found)!r}")
    return found


def _lines(plain: dict[str, Any], part: str) -> Iterator[object]:
    lines = plain.get(part)
    for line in lines if isinstance(lines, list) else ():
        yield line.get("is") if isinstance(line, dict) else None


def _breaks(name: str, contest: str, plain: dict[str, Any], parts: Sequence[str]) -> Iterator[str]:
    """Yield where the chain breaks; after a break it continues from the head that is given there, if any."""
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
    """Return an event as JSON, for reports of differences."""
    return canonical(coder(Event).write(event))


def export(published: Published, folder: Path) -> tuple[str, ...]:
    """Write record, letters and their hashes into *folder* for `verify`; return the files' names."""
    found = {RECORD: record_file(published), LETTERS: letters_file(published)}
    for name, data in found.items():
        replace_content(folder / name, data)
    replace_content(folder / SUMS, sums_file({name: sha256(data).hexdigest() for name, data in found.items()}))
    return (*found, SUMS)


SUMS = "SHA256SUMS"
SERVING = ("CNAME", "robots.txt", "favicon.ico", "_headers", "_redirects")
"""Files beside an archive that configure how it is served; any name may begin with a dot (``.git``)."""
Progress = Callable[[int, int], None]


class ForeignFiles(Exception):
    """The folder has files that belong to no archive; the message names one and says what to do."""


@dataclass(frozen=True, slots=True)
class Written:
    """The result: how many *files* the archive has, and how many were *changed* or *removed*."""

    files: int
    changed: int
    removed: int


def write(published: Published, folder: Path, progress: Progress | None = None) -> Written:
    """Write the archive of what is *published* into *folder*; OSError if that fails.

    Files of an earlier archive that this one lacks are removed. Raises `ForeignFiles` and writes nothing if the folder
    has files of others, except those that configure how it is served. *progress* is called with (done, all).
    """
    before, sums, changed = listed_hashes(folder), dict[str, str](), 0
    found = (*pages(published), Page(RECORD, lambda: record_file(published)),
             Page(LETTERS, lambda: letters_file(published)))
    _demand_own(folder, {*before, *(page.path for page in found)})
    if not before:
        replace_content(folder / SUMS, b"")
    for number, page in enumerate(found, 1):
        data = page.make()
        sums[page.path] = sha256(data).hexdigest()
        changed += replace_content(folder / page.path, data)
        if progress is not None:
            progress(number, len(found))
    replace_content(folder / SUMS, sums_file(sums))
    removed = [path for path in before if path not in sums and (folder / path).is_file()]
    for path in removed:
        (folder / path).unlink()
    return Written(len(found), changed, len(removed))


def _demand_own(folder: Path, own: set[str]) -> None:
    """Raise `ForeignFiles` if *folder* has files that its list, or lack of one, doesn't make an archive's *own*."""
    ours = {*own, SUMS} if (folder / SUMS).is_file() else set()
    for where, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for path in (Path(where, name) for name in files if not name.startswith(".")):
            name = path.relative_to(folder).as_posix()
            if name not in ours and name not in SERVING:
                raise ForeignFiles(f"{folder}: has {name}, which no archive has written; name an empty folder, or move "
                              "away what is in that one")


def replace_content(path: Path, data: bytes) -> bool:
    """Replace the content of the file *path* with *data* atomically; return whether it changed."""
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_bytes(data)
    os.replace(fresh, path)  # noqa: PTH105 - the rename that is told to be atomic
    return True


def sums_file(sums: dict[str, str]) -> bytes:
    """Return hashes by path in the format of ``sha256sum -c``."""
    return "".join(f"{digest}  {path}\n" for path, digest in sorted(sums.items())).encode("ascii")


def listed_hashes(folder: Path) -> dict[str, str]:
    """Return the hashes that an archive lists, by path; nothing without a list."""
    try:
        text = (folder / SUMS).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return {}
    return dict(_sums(text.splitlines()))


def _sums(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    for line in lines:
        digest, gap, path = line.partition("  ")
        parts = PurePosixPath(path).parts
        if gap and parts and ".." not in parts and not path.startswith("/"):
            yield path, digest
