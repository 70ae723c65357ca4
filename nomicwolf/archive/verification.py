"""Checks of an archive.

No file was changed; numbers and causes agree; each public deed is traced from its letter to its effect; and the record
follows by the rules from seed, votes and deeds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from nomicwolf.archive.files import (
    LETTERS,
    PROGRAM,
    RECORD,
    SUMS,
    event_text,
    letters_file,
    listed_hashes,
    read_back,
    record_file,
    sums_file,
)
from nomicwolf.archive.replay import redo
from nomicwolf.language.reader import read
from nomicwolf.nomic.events import DeedHeard, PartyJoined, Revealed, SessionStarted
from nomicwolf.nomic.law_events import PersonRenamed
from nomicwolf.nomic.state import is_village
from nomicwolf.reading.deeds import Act, People, says
from nomicwolf.reports.archive import Heard, Published, Sent, pages
from nomicwolf.reports.archive.published import MAX_BODY
from nomicwolf.village.events import ERASED, Cause, Entry, Opened, Replaced, Voted

PARTS = ("letter", "entry", "deed")
"""What a cause may name with a number."""
MARKS = ("nomicwolf seed 1", "nomicwolf half 1")
"""The words by which letters introduce what is hashed into a commitment."""
CLAMPED = 600
"""Seconds before its stamp to which a letter may be dated where `instant` is ``clamped``."""
HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def trace(published: Published, *, exact: bool = True) -> Iterator[str]:
    """Yield the inconsistencies of what is *published*, whether or not a session can be replayed.

    Unless *exact*, letters are not read again, because another version of the program may have read them differently.
    """
    yield from _numbers("entry", published.entries)
    yield from _numbers("letter heard", published.heard)
    yield from _numbers("letter sent", published.sent)
    yield from _causes(published)
    yield from _sessions(published.entries)
    yield from _order_of_votes(published.entries)
    yield from _deeds(published, exact=exact)
    yield from _told_hashes(published)


def _numbers(what: str, lines: Iterable[Entry | Heard | Sent]) -> Iterator[str]:
    for place, line in enumerate(lines, 1):
        if line.number != place:
            yield f"{what} {place}: has the number {line.number}"


def _causes(published: Published) -> Iterator[str]:
    """Yield entries whose cause is missing, later, or someone else's letter."""
    for entry in published.entries:
        kind, named = Cause.of(entry.cause)
        if kind not in PARTS or entry.cause == kind:
            continue
        last = len(published.heard) if kind == "letter" else entry.number - 1
        if not 0 < named <= last:
            yield f"entry {entry.number}: there is no {entry.cause} before it, which it names as its cause"
        elif kind == "deed" and not isinstance(published.entries[named - 1].event, DeedHeard):
            yield f"entry {entry.number}: what it names as its cause, entry {named}, is no deed"
        elif kind == "letter" and getattr(entry.event, "who", author := published.heard[named - 1].author) != author:
            yield f"entry {entry.number}: what it names as its cause, letter {named}, is {author}'s"


def _sessions(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield entries that don't belong to a session started as they say."""
    started: SessionStarted | None = None
    opened: Opened | None = None
    since = 0
    ends = [e.event.session for e in entries if isinstance(e.event, Revealed)]
    for entry in entries:
        match entry.event:
            case SessionStarted(session=session) as event:
                if session != (started.session if started else 0) + 1:
                    yield f"entry {entry.number}: starts session {session}, which is not the next one"
                started, opened, since = event, None, entry.at
            case Opened() as event:
                if started is None or opened is not None or (entry.at, *_said(event)) != (since, *_told(started)):
                    yield f"entry {entry.number}: opens another session than was started"
                if event.session not in ends:
                    yield f"entry {entry.number}: opens a session whose end reveals no roles and no seed"
                opened = event
            case Revealed(session=session, deal=deal):
                if started is None or session != started.session or (deal and opened is None):
                    yield f"entry {entry.number}: reveals a session that was not started"
            case event if started is None and is_village(event):
                yield f"entry {entry.number}: {event.name}: no session was started"


def _said(opened: Opened) -> tuple[object, ...]:
    return opened.session, opened.ruleset, tuple(who for who, _, _ in opened.deal), opened.roles


def _told(started: SessionStarted) -> tuple[object, ...]:
    return started.session, started.ruleset, started.players, started.roles


def _order_of_votes(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield votes whose recorded rank among all of them is wrong."""
    votes = [(e.at, e.event.key, e.number) for e in entries if isinstance(e.event, Voted)]
    for place, (_, key, number) in enumerate(sorted(votes), 1):
        if key != (place,):
            yield f"entry {number}: its vote is number {place} of all, and not {key}"


def _deeds(published: Published, *, exact: bool) -> Iterator[str]:
    """Yield public deeds that differ from their letters."""
    known, heirs = {published.about.contestmaster: ""}, dict[str, str]()
    worded = any(letter.body for letter in published.heard)
    for entry in published.entries:
        match entry.event:
            case PartyJoined(who=who):
                known[who] = ""
            case SessionStarted(players=players):
                known |= dict.fromkeys(players, "")
            case Replaced(old, new) | PersonRenamed(old, new):
                known[new], heirs[old] = "", new
            case DeedHeard(letter=number) as deed if number:
                letter = published.heard[number - 1] if number <= len(published.heard) else None
                for wrong in _misread(deed, letter, worded=worded):
                    yield f"entry {entry.number}: {wrong}"
                if exact and (said := _otherwise(deed, known, heirs)):
                    yield f"entry {entry.number}: what was written says {said!r}, and not {deed.says!r}"


def _misread(deed: DeedHeard, letter: Heard | None, *, worded: bool) -> Iterator[str]:
    """Yield the differences between *deed* and its letter; *worded* says whether the letters' texts are published."""
    if letter is None or letter.author != deed.who:
        yield f"its letter {deed.letter} is not there, or is not {deed.who}'s"
        return
    if letter.nomic != deed.channel:
        yield f"its letter {deed.letter} did not come through {deed.channel}"
    if worded and not _occurs_in(deed.text, letter.body):
        yield f"its letter {deed.letter} does not say {deed.text!r}"
    if deed.instant not in _instants(letter):
        yield f"takes effect at another time than its letter {deed.letter} came"


def _instants(letter: Heard) -> set[int]:
    """Return when *letter* can have taken effect, by any of the clocks that date letters (D-N9)."""
    came = {min(stamp, letter.arrived) for stamp in (letter.stamped, letter.arrived) if stamp}
    return came | {letter.sent} | {at - CLAMPED for at in came}


def _occurs_in(text: str, body: str) -> bool:
    """Return whether *text* occurs in *body*, whatever its line breaks.

    The end of a long letter is not published, and an erased one has no text.
    """
    return body == ERASED or len(body) > MAX_BODY or "".join(text.split()) in "".join(body.split())


def _otherwise(deed: DeedHeard, known: Iterable[str], heirs: Mapping[str, str]) -> str:
    """Return another deed of the same kind that the words of *deed* express, '' if they agree.

    Words that need context, such as a correction or an alias, prove nothing. *heirs* maps names to those of
    substitutes, or to later names: either may be meant.
    """
    form = says(Act(deed.verb, deed.names, deed.ballot, deed.words))
    if deed.says != form or (deed.ballot is not None and deed.verb != "vote"):
        return form
    named = tuple(name for name in known if name not in heirs)
    readings = [read(((1, deed.text),), people, to="forum", instant=deed.instant).deeds
                for people in (People(tuple(known), author=deed.who, own_votes=True),
                               People(named, aliases=dict(heirs), author=deed.who, own_votes=True))]
    plain = all(len(found) == 1 and found[0].says != deed.says for found in readings)
    return readings[0][0].says if plain else ""


def _told_hashes(published: Published) -> Iterator[str]:
    """Yield the contest's letters whose commitment, seed or half of a seed is not in the record.

    The forums have these letters, so a seed that was changed afterwards contradicts them.
    """
    known: frozenset[str] | None = None
    for letter in published.sent:
        if any(mark in letter.body for mark in MARKS):
            known = known or frozenset(HASH.findall(" ".join(event_text(e.event) for e in published.entries)))
            if strange := next((told for told in HASH.findall(letter.body) if told not in known), ""):
                yield f"letter sent {letter.number}: has {strange}, which is not in the record"


NONSENSE = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors that rules and pages may raise for a record that no contest could have."""

KINDS = ("draws", "counts", "deaths", "awards", "letters", "files")


class NoArchive(Exception):
    """There is no archive to check."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How much was checked, by kind, and every difference with its place.

    *other* is the program that wrote the archive if it is not this one: only that program could reproduce its pages.
    """

    checked: dict[str, int]
    differs: tuple[str, ...]
    other: str = ""

    @property
    def verified(self) -> bool:
        """Whether there is no difference."""
        return not self.differs

    def json(self) -> dict[str, Any]:
        """Return the verdict in the shape of ``verify --json``."""
        return {"schema": 1, "verified": self.verified, "checked": self.checked, "differs": list(self.differs)}


def verify(folder: Path) -> Verdict:
    """Check the archive in *folder*; raise `NoArchive` if there is none."""
    sums = listed_hashes(folder) if folder.is_dir() else {}
    if not sums and not (folder / RECORD).is_file():
        raise NoArchive(f"{folder}: there is no archive here; name the folder that has {RECORD} in it")
    differs = [*_changed(folder, sums), *_unlisted(folder, sums, (RECORD, LETTERS))]
    checked = dict.fromkeys(KINDS, 0) | {"files": len(sums)}
    missing = [name for name in (RECORD, LETTERS) if not (folder / name).is_file()]
    if missing:
        return Verdict(checked, (*differs, *(f"{name}: is missing, and nothing can be redone" for name in missing)))
    published, program, broken = read_back((folder / RECORD).read_bytes(), (folder / LETTERS).read_bytes())
    differs += broken
    if published is not None:
        try:
            differs += _redone(published, checked, exact=program == PROGRAM)
            if program == PROGRAM:
                differs += _as_written(folder, published, broken)
                differs += _pages(folder, published, sums)
        except NONSENSE as error:
            differs.append(f"{RECORD}: can't be true, and can't be redone: {error!r}")
    return Verdict(checked, tuple(dict.fromkeys(differs)), program if program != PROGRAM else "")


def _redone(published: Published, checked: dict[str, int], *, exact: bool) -> list[str]:
    redone = redo(published, exact=exact)
    checked |= redone.checked
    checked["letters"] = len(published.heard) + len(published.sent)
    return [*redone.differs, *trace(published, exact=exact)]


def _changed(folder: Path, sums: dict[str, str]) -> list[str]:
    found = [] if sums else [f"{SUMS}: is missing or empty"]
    if sums and (folder / SUMS).read_bytes() != _sums_file(sums):
        found.append(f"{SUMS}: is not written as nomicwolf writes it")
    for path, digest in sums.items():
        if not (folder / path).is_file():
            found.append(f"{path}: is missing")
        elif sha256((folder / path).read_bytes()).hexdigest() != digest:
            found.append(f"{path}: is not the file that {SUMS} lists")
    return found


def _sums_file(sums: dict[str, str]) -> bytes:
    """Return the list of hashes as it must be; nothing if it lists impossible paths."""
    try:
        return sums_file(sums)
    except UnicodeEncodeError:
        return b""


def _unlisted(folder: Path, sums: dict[str, str], names: Iterable[str]) -> list[str]:
    """Return those of these files that exist but are not listed."""
    return [f"{name}: is not listed in {SUMS}" for name in names
            if name not in sums and (folder / name).is_file()]


def _as_written(folder: Path, published: Published, broken: Sequence[str]) -> list[str]:
    """Return which of the two files for programs hold more or less than what was read from them."""
    found = []
    for name, made in ((RECORD, record_file), (LETTERS, letters_file)):
        if not any(line.startswith(name) for line in broken) and (folder / name).read_bytes() != made(published):
            found.append(f"{name}: is not written as nomicwolf writes it")
    return found


def _pages(folder: Path, published: Published, sums: dict[str, str]) -> list[str]:
    """Return the pages that differ from what the record yields, for archives of this very program.

    An export has no pages.
    """
    listed_pages = sums.keys() - {RECORD, LETTERS}
    found = {page.path: page for page in pages(published)}
    there = {path: page for path, page in found.items() if (folder / path).is_file()}
    return [
        *(f"{path}: is missing" for path in found if listed_pages and path not in there and path not in sums),
        *(f"{path}: is not the page that {RECORD} gives" for path, page in there.items()
          if (folder / path).read_bytes() != page.make()),
        *(f"{path}: is listed in {SUMS}, and is no page that {RECORD} gives" for path in sorted(listed_pages)
          if path not in found),
        *_unlisted(folder, sums, found),
    ]
