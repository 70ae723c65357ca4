"""Personal data: copied for its person, and erased."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain, product
from pathlib import Path
from typing import Any

from nomicwolf.contest import Contest, Setup
from nomicwolf.ledger.database import BESIDE, remove_file
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import OwedLetter, StoredLetter, canonical, read_value, write_entry, write_value
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from nomicwolf.ledger.verify import ERASURE_SOURCE, KeptRow, Rewritten
from nomicwolf.letters.attribution import own_text, own_words
from nomicwolf.letters.headers import split_head
from nomicwolf.letters.letter import Letter, Limits, Outgoing
from nomicwolf.letters.parts import shown_text
from nomicwolf.letters.pseudonyms import (
    Disguise,
    Row,
    disguised,
    is_canonical,
    plain_message,
    readable,
    real_names,
    rows_of,
)
from nomicwolf.nomic.events import Erasures, LetterHeard, PersonKnown, SessionStarted
from nomicwolf.nomic.law import KeyAdded, KeyRemoved
from nomicwolf.nomic.law_events import AddressAsked, PersonRenamed
from nomicwolf.nomic.state import Person
from nomicwolf.nomic.times import when
from nomicwolf.reports.history import event_line
from nomicwolf.reports.views import person_named
from nomicwolf.run.contest_setup import recorded, setup_of
from nomicwolf.run.copies import ERASURE, backups, backups_wanted, make_backup, unfinished
from nomicwolf.run.letter_intake import open_store
from nomicwolf.run.resources import Findings, ensure_founded, read_store, secret_if_any, turn
from nomicwolf.run.sending import send_owed
from nomicwolf.settings.keys import Settings
from nomicwolf.village.events import ERASED, PUBLIC, Entry, Event
from nomicwolf.village.game import renamed

OWN_WORDS = ("text", "words", "asked", "action", "diff", "certificate", "fingerprint")
"""Keys of what somebody wrote, or is known by, in events that are the writer's."""
_WHOSE = ("who", "by")
_ANSWERING = ("says", "note", "why", "hint")
OVER = ("sent", "failed")
"""States of a letter of ours that goes no more."""
_CAME_TO_NOTHING = ("asked", "refused")
"""Events that keep words of a letter's which did nothing."""
_QUOTING = (*_CAME_TO_NOTHING, "letter-heard", "letter-held", "noted")
"""Events that may quote a letter."""


@dataclass(frozen=True, slots=True)
class Traces:
    """By what a person is found in a ledger: names, addresses, letters of the person's own and what these said.

    *spoken* are rows of words that somebody else had said before.
    """

    names: tuple[str, ...]
    addresses: tuple[str, ...]
    letters: frozenset[int]
    ids: tuple[str, ...]
    words: tuple[str, ...]
    spoken: frozenset[Row]


def traces_of(contest: Contest, store: Store, who: str, also: Iterable[str] = ()) -> Traces:
    """Return by what *who* is found; `LedgerError` if nobody of that name or address is known."""
    person = _person(contest, who)
    names = {person.name, *person.aliases} if person else set[str]()
    addresses = {*_addresses(contest, names)} if person else {who}
    if person is None and "@" not in who:
        raise LedgerError(f"nobody here is called {who!r}; the contest knows {', '.join(contest.persons) or 'nobody'}. "
                          "Of somebody who wrote and never joined, give the address")
    letters, ids, words, rows = set[int](), list[str](), list[str](), dict[Row, int]()
    shown = dict.fromkeys((*names, *also))
    for kept in store.letters():
        if kept.author not in names and not any(a.casefold() in addresses for _, a in kept.letter.senders):
            continue
        letters.add(kept.number)
        ids.append(kept.letter.message_id)
        words += (said := [*own_words(kept.letter)])
        for row in chain.from_iterable(map(rows_of, said)):
            rows.setdefault(row, kept.number)
        shown.update(dict.fromkeys(real_names(kept.raw.data, addresses)))
    if person is None and not letters:
        raise LedgerError(f"no letter from {who} is in the ledger, so there is nothing to erase")
    spoken = frozenset(row for kept in store.letters() if kept.number not in letters
                       for row in rows_of(own_text(kept.letter.body)) if rows.get(row, 0) > kept.number)
    return Traces(tuple(shown), tuple(sorted(addresses)), frozenset(letters), tuple(ids), tuple(words), spoken)


def _person(contest: Contest, who: str) -> Person | None:
    """Return the person of a name, or of an address that they have or had; None if that is nobody known."""
    return contest.persons.get(who) or contest.persons.get(person_named(contest, who)) or next(
        (each for each in contest.persons.values()
         if who.casefold() in _addresses(contest, {each.name, *each.aliases})), None)


def _addresses(contest: Contest, names: set[str]) -> Iterator[str]:
    """Yield every address that somebody of these names ever had."""
    for entry in contest.entries:
        match entry.event:
            case PersonKnown(who=who, addresses=addresses) if who in names:
                yield from (address.casefold() for address in addresses)
            case AddressAsked(who=who, address=address) if who in names:
                yield address.casefold()


class PersonEraser:
    """The rewriting of a ledger without one person."""

    def __init__(self, disguise: Disguise, traces: Traces) -> None:
        self.disguise = disguise
        self._traces = traces
        self._addresses = {*traces.addresses}

    def entry(self, line: str) -> str:
        """Return an entry with the pseudonym, and without what the person wrote."""
        return canonical(self._event(self.disguise.plain(json.loads(line))))

    def came(self, number: int, row: KeptRow) -> KeptRow:
        """Return a letter: one of the person's own without all that it said, any other with the pseudonym."""
        text = self.disguise.text
        letter: Letter = _rebuilt(Letter, row.letter, self.disguise)
        if number in self._traces.letters:
            return KeptRow(without_text(letter), text(row.message_id), text(row.author), text(row.why), b"")
        was, data = readable(row.data), row.data
        if text(was) != was:
            data = disguised(data, self.disguise)
            letter = _reread(letter, row.data, data)
        return KeptRow(letter, text(row.message_id), text(row.author), text(row.why), data)

    def owed(self, number: int, letter: Outgoing, data: bytes | None, message_id: str) -> tuple[Outgoing, bytes | None]:
        """Return a letter of ours; of one to the person, what it said is gone."""
        new: Outgoing = _rebuilt(Outgoing, letter, self.disguise)
        if letter.kind == "private" and (letter.to.casefold() in self._addresses or new.person != letter.person):
            new = replace(new, to=self.disguise.address(letter.to), body=ERASED, secret="", certificates=())
            return new, None if data is None else plain_message(message_id, new.subject, ERASED)
        if data is None or self.disguise.text(shown := readable(data)) == shown:
            return new, data
        return new, disguised(data, self.disguise) or plain_message(message_id, new.subject, new.body)

    def order(self, text: str) -> str:
        """Return a command or circumstances with the pseudonym."""
        plain = self.disguise.plain(json.loads(text))
        args = plain.get("args") if isinstance(plain, dict) else None
        if isinstance(args, dict) and args.get("who") == self.disguise.name:
            plain = {**plain, "args": {**args, **{key: ERASED for key in OWN_WORDS if args.get(key)}}}
        return canonical(plain)

    def error(self, text: str) -> str:
        """Return what a server said, which may have been about the person's address."""
        return self.disguise.text(text)

    def _event(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """Return JSON with the words gone in what is the person's own: an event, or one within it."""
        if isinstance(value, list):
            return [self._event(part) for part in value]
        if not isinstance(value, dict):
            return value
        if not any(value.get(key) == self.disguise.name for key in _WHOSE):
            return {key: self._event(part) for key, part in value.items()}
        said = [value[key] for key in OWN_WORDS if isinstance(value.get(key), str) and value[key]]
        mine = {key: self._event(part) for key, part in value.items()}
        for key, part in mine.items():
            if key in OWN_WORDS and part:
                mine[key] = ERASED
        return _without(mine, said)


def _without(event: dict[str, Any], said: Iterable[str]) -> dict[str, Any]:
    """Return an event that doesn't quote what was *said* in what was answered to it."""
    found = dict(event)
    for key, words in product(_ANSWERING, said):
        if isinstance(found.get(key), str) and not is_canonical(key, found[key]):
            found[key] = found[key].replace(words, ERASED)
    return found


def _rebuilt(kind: type, value: object, disguise: Disguise) -> Any:  # noqa: ANN401 - a value of *kind*
    """Return a value of *kind* with the person taken out of its texts."""
    return read_value(kind, canonical(disguise.plain(json.loads(write_value(value)))))


def _reread(letter: Letter, was: bytes, data: bytes) -> Letter:
    """Return a letter with the fields and the *shown* text of its new *data*.

    In the old ones, encoded and squeezed as they are, no name is found.
    """
    limits = Limits()
    before, after = (split_head(each.replace(b"\r\n", b"\n"), limits.headers, limits.header_bytes)
                     for each in (was, data))
    return replace(letter, headers=after.fields + letter.headers[len(before.fields):],
                   shown=shown_text(after, limits) if letter.shown else "")


def without_text(letter: Letter, *, keep: bool = False) -> Letter:
    """Return a letter without all that it said; with *keep*, still by its sender."""
    return replace(
        letter, subject="", body=ERASED, senders=letter.senders if keep else (), in_reply_to="", references=(),
        headers=(), attachments=(), defects=(), asides=(), shown="", trouble="", unproven="", seal=None, signers=())


PSEUDONYM = "Anon"
LONGEST = 50_000_000
"""Bytes of a file in the contest's folder that is looked into."""


@dataclass(frozen=True, slots=True)
class Erasing:
    """The result of an erasure, done or not: the person's pseudonym, *name*, and how much is written anew.

    *names* and *addresses* are what was looked for. *copies* are other files of the ledger that were removed, since
    they still had it all; *archive* is the public archive, if one is there and was written anew. *rest* is where the
    person may still be.
    """

    name: str
    names: tuple[str, ...]
    addresses: tuple[str, ...]
    done: Rewritten | None = None
    copies: tuple[Path, ...] = ()
    archive: Path | None = None
    rest: tuple[str, ...] = ()


def erase(
    settings: Settings, who: str, now: Callable[[], int], also: Iterable[str] = (), *, dry_run: bool = False
) -> Erasing:
    """Take *who* (a name, or the address of somebody who has none here) out of the contest's ledger and its copies.

    *also* are further names to look for, such as one that only others used. `LedgerError`, with nothing changed, if
    that can't be: the person is a party or plays, is the contestmaster, or nobody knows the name.
    """
    with turn(settings), closing(open_store(settings)) as store:
        setup = setup_of(settings, secret_if_any(settings))
        contest = Contest.of(setup, store.record())
        traces = traces_of(contest, store, who, also)
        _demand_free(contest, setup, traces.names)
        name = pseudonym(contest)
        found = Erasing(name, traces.names, traces.addresses, rest=tuple(_remaining_traces(settings, store, traces)))
        if dry_run:
            return found
        change = PersonEraser(Disguise(
            name, traces.names, traces.addresses, traces.ids, traces.words, traces.spoken,
            frozenset(word.casefold() for game in contest.games.values()
                      for word in (*game.roles.values(), *game.sides.values()))), traces)  # somebody may be called so
        done = store.rewrite(name, change, now(), lambda entries: demand_same(contest, entries, change.disguise.text))
        copies, archive = finish_erasure(settings, store, now())
        return replace(found, done=done, copies=copies, archive=archive)


def finish_erasure(settings: Settings, store: Store, now: int) -> tuple[tuple[Path, ...], Path | None]:
    """Take away what an erasure leaves outside of the ledger's rows: old bytes in its file, and of a person all copies.

    The archive of a person is written anew, and one backup made in place of those before; those with letters that only
    became too old go in their time. `LedgerError` if something reads the ledger just then, or the archive can't be
    written; the next poll tries again. Returns the files removed, and the archive.
    """
    mark = store.mark(ERASURE_SOURCE)
    of_a_person = mark is not None and bool(mark[1])
    copies = tuple(_copies(settings)) if of_a_person else ()
    for copy in copies:
        remove_file(copy)
    if not store.sweep():
        raise LedgerError("what was erased may still lie in the ledger's -wal file, for another program reads the "
                          "ledger; end it, and the next poll finishes this")
    archive = _archived_anew(settings) if of_a_person else None
    if of_a_person and backups_wanted(settings):
        make_backup(settings, store.last(), now, ERASURE)
    store.end_erasure()
    return copies, archive


def _archived_anew(settings: Settings) -> Path | None:
    """Write the public archive anew if there is one, and return its folder."""
    folder = settings.archive.path
    if not (folder / "index.html").is_file():
        return None
    from nomicwolf.archive import write
    from nomicwolf.archive.files import ForeignFiles
    from nomicwolf.run.copies import published

    try:
        write(published(settings), folder)
    except (OSError, ForeignFiles) as error:
        raise LedgerError(f"{folder}: the archive still names the person: {error}; mend that, and the next poll writes "
                          "it anew") from error
    return folder


def pseudonym(contest: Contest) -> str:
    """Return a name that nobody has had."""
    names = {n.casefold() for p in contest.persons.values() for n in (p.name, *p.aliases)}
    number = 1
    while f"{PSEUDONYM}{number}".casefold() in names:
        number += 1
    return f"{PSEUDONYM}{number}"


def _demand_free(contest: Contest, setup: Setup, names: tuple[str, ...]) -> None:
    """Raise `LedgerError` if anything is still to come of the person."""
    masters = {setup.contestmaster, *map(contest.contestmaster, setup.nomics)}
    game = contest.running
    for name in names:
        if name in masters:
            raise LedgerError(f"{name} is the contestmaster; let somebody else be it first, in contest.toml")
        if nomics := [nomic for nomic, parties in contest.parties.items() if name in parties]:
            raise LedgerError(f"{name} is a party in {' and '.join(nomics)}; first: nomicwolf party remove "
                              f"'{name}' --why REASON")
        if game is not None and name in game.alive:
            raise LedgerError(f"{name} plays in the session in progress; wait for its end, or first: nomicwolf "
                              f"substitute '{name}' NEW")


def demand_same(before: Contest, entries: Iterable[Entry], called: Callable[[str], str] = str) -> None:
    """Raise `LedgerError` unless the record makes the same contest, with everybody as *called*."""
    try:
        after = Contest.of(before.setup, entries)
    except Exception as error:
        raise LedgerError("the record can't be folded without that name, so nothing was changed; please report "
                          f"this ({type(error).__name__})") from error
    if _standing(after) != _standing(before, called):
        raise LedgerError("without that name the record would tell of another contest, so nothing was changed: is it "
                          "also a word of the game's? Please report which")


def _standing(contest: Contest, called: Callable[[str], str] = str) -> object:
    """Return the state of a contest that an erasure must not change, with everybody as *called*."""
    return (
        sorted(map(called, contest.persons)),
        {nomic: [*map(called, parties)] for nomic, parties in contest.parties.items()},
        {number: ([*map(called, game.seats)], sorted(map(called, game.alive)), game.over,
                  *({called(who): what for who, what in each.items()} for each in (game.roles, game.sides)))
         for number, game in contest.games.items()},
        [(award.number, called(award.who), award.what, award.amount)
         for each in contest.awards.values() for award in each],
    )


def _others(settings: Settings) -> Iterator[Path]:
    """Yield files of the contest's folder that are neither mail, nor the ledger, nor written anew from it."""
    mail = [part.path for part in (settings.maildir, settings.mbox) if part is not None]
    ledger = settings.ledger_file
    own = {settings.archive.path, settings.keep.backups, *mail}
    for file in sorted(settings.folder.rglob("*")):
        of_ledger = ledger is not None and file.parent == ledger.parent and file.name.startswith(ledger.name)
        if file.is_file() and not of_ledger and own.isdisjoint((file, *file.parents)) and (
                file.stat().st_size <= LONGEST):
            yield file


def _copies(settings: Settings) -> Iterator[Path]:
    """Yield copies of the ledger that the program itself has made, backups and unfinished ones among them."""
    file = settings.ledger_file
    if file is not None:
        for form in (".schema-*", ".before-*", ".part"):
            found = file.parent.glob(f"{file.name}{form}")
            yield from sorted(each for each in found if not each.name.endswith(BESIDE[1:]))
    yield from sorted(unfinished(settings))
    yield from (each.file for each in backups(settings))


def _remaining_traces(settings: Settings, store: Store, traces: Traces) -> Iterator[str]:
    """Yield where the person may still be: in parts of names, in the contest's folder, and out of reach."""
    disguise = Disguise("x", traces.names, traces.addresses)
    if parts := _parts_of_names(store, traces, disguise):
        yield f"others' letters say {', '.join(parts)}; if that is the person, erase with --also for each"
    named = dict.fromkeys(file.relative_to(settings.folder).parts[0] for file in _others(settings)
                          if disguise.names(file.read_text(encoding="utf-8", errors="replace")))
    yield from (f"{name} in the contest's folder still names the person; remove it, or write it anew" for name in named)
    if traces.letters:
        yield f"the mailbox may still have up to {len(traces.letters)} letters of the person's; delete them there"
    yield "forums' own archives, copies of your archive and backups elsewhere are out of reach (docs/privacy.md)"


def _parts_of_names(store: Store, traces: Traces, disguise: Disguise) -> list[str]:
    """Return words of the names that are alone in others' letters: a first name, or a word of the language."""
    parts = {part for name in traces.names if " " in name for part in re.findall(r"\w{3,}", name)} - {*traces.names}
    found = set[str]()
    for kept in store.letters():
        if kept.number not in traces.letters:
            found |= parts.intersection(re.findall(r"\w+", disguise.text(kept.letter.body)))
    return sorted(found)


class LetterRemover:
    """The rewriting of a ledger without letters, come in or privately owed, and their *words* of before *end*.

    That is in UTC seconds.
    """

    def __init__(self, letters: frozenset[int], owed: frozenset[int], words: Iterable[str], end: int) -> None:
        self._letters, self._owed, self._end = letters, owed, end
        self._disguise = Disguise("", (), (), words=words)

    def entry(self, line: str) -> str:
        """Return an entry without words of a letter's that came to nothing; a deed's own are the record's."""
        told = json.loads(line)
        name, event = next(iter(told["event"].items()))
        if name not in _QUOTING or told["at"] >= self._end:
            return line
        if name in _CAME_TO_NOTHING and event["text"]:
            event = {**_without(event, [event["text"]]), "text": ERASED}
        return canonical({**told, "event": {name: self._disguise.plain(event)}})

    def came(self, number: int, row: KeptRow) -> KeptRow:
        """Return a letter without what it said, if it is one of them."""
        if number not in self._letters:
            return row
        return replace(row, letter=without_text(row.letter, keep=True), data=b"", why=self._disguise.text(row.why))

    def owed(self, number: int, letter: Outgoing, data: bytes | None, message_id: str) -> tuple[Outgoing, bytes | None]:
        """Return a letter of ours without what it said, if it is one of them."""
        if number not in self._owed:
            return letter, data
        new = replace(letter, body=ERASED, secret="", certificates=())
        return new, None if data is None else plain_message(message_id, letter.subject, ERASED)

    def order(self, text: str) -> str:
        """Return the order: the record is kept."""
        return text

    def error(self, text: str) -> str:
        """Return what a server said."""
        return text


def forget_old(store: Store, contest: Contest, before: int, now: int) -> Rewritten:
    """Forget the letters of before *before* (UTC seconds): what they said, and their bytes.

    Those of the session in progress stay, those that wait for a ruling, and public ones of ours, which are out anyway.
    """
    erased = Erasures.of(contest.entries)
    running = contest.running is not None
    first = contest.entries[_start(contest) - 1].at if running else before
    end = min(before, first)
    old = [kept for kept in store.letters()
           if kept.heard_at < end and kept.bucket != "held" and kept.number not in erased.letters]
    letters = frozenset(kept.number for kept in old)
    private = [one for one in store.outbox().each() if one.letter.at < end and one.letter.kind == "private"]
    owed = frozenset(one.number for one in private if one.state in OVER and one.number not in erased.owed)
    quoted = min((one.letter.at for one in private if one.state not in OVER), default=end)  # what waits may quote it
    if not letters and not owed:
        return Rewritten(0, 0, 0)
    words = (said for kept in old for said in own_words(kept.letter))
    return store.rewrite("", LetterRemover(letters, owed, words, quoted), now,
                         lambda entries: demand_same(contest, entries))


def _start(contest: Contest) -> int:
    return next(e.number for e in reversed(contest.entries) if isinstance(e.event, SessionStarted))


_ABOUT = (PersonKnown, PersonRenamed, AddressAsked, KeyAdded, KeyRemoved)
"""Kept for the contestmaster alone, and yet the person's own to know."""
_LONGEST = 200_000
"""Characters of a letter with all of it; the rest is in the files."""


@dataclass(frozen=True, slots=True)
class Personal:
    """The data kept of *who*: *traces*, *parties*, letters *heard* and *sent*, and entries of the *record*.

    *parties* are the nomics in which the person is one. *withheld* entries name the person and are others' to know
    until the roles of their session are told.
    """

    who: str
    traces: Traces
    parties: tuple[str, ...]
    heard: tuple[StoredLetter, ...]
    sent: tuple[OwedLetter, ...]
    record: tuple[Entry, ...]
    withheld: int

    def json(self) -> dict[str, Any]:
        """Return it as data."""
        return {
            "schema": 1, "who": self.who, "names": list(self.traces.names), "addresses": list(self.traces.addresses),
            "parties": list(self.parties), "withheld": self.withheld,
            "letters": [{"number": one.number, "at": one.heard_at, "message_id": one.letter.message_id,
                         "subject": one.letter.subject, "bucket": one.bucket, "body": one.letter.body}
                        for one in self.heard],
            "sent": [{"number": one.number, "at": one.letter.at, "to": one.letter.to, "subject": one.letter.subject,
                      "state": one.state, "body": one.letter.body} for one in self.sent],
            "record": [json.loads(write_entry(entry)) for entry in self.record],
        }

    def text(self) -> str:
        """Return it as the body of a letter."""
        parts = [
            f"This is what the contest keeps of you, {self.who}.",
            f"You are called: {', '.join(self.traces.names)}.",
            f"You write from: {', '.join(self.traces.addresses) or 'no address'}.",
            f"You are a party in: {', '.join(self.parties) or 'no nomic'}.",
            f"Letters of yours: {len(self.heard)}.",
            *(f"{when(one.heard_at)}: {one.letter.subject}\n\n{one.letter.body}" for one in self.heard),
            f"Letters to you: {len(self.sent)}; you have them, so only their subjects stand here.",
            *(f"{when(one.letter.at)}: {one.letter.subject} ({one.state})" for one in self.sent),
            f"In the record: {len(self.record)} entries.",
            *(f"{when(entry.at)}: {event_line(entry.event)}" for entry in self.record),
        ]
        if self.withheld:
            parts.append(f"{self.withheld} more entries name you. They are secret until the roles of their session "
                         "are told.")
        text = "\n\n".join(parts)
        return text if len(text) <= _LONGEST else (
            f"{text[:_LONGEST]}\n\nThere is more: {len(text)} characters in all. Ask the contestmaster for the files.")


def personal_data(settings: Settings, who: str) -> Personal:
    """Return what is kept of *who*, a name or the address of somebody who never joined; `LedgerError` if of nobody."""
    with read_store(settings) as store:
        return _gathered(recorded(settings, store), store, who)


def mail_personal(settings: Settings, who: str, now: Callable[[], int]) -> tuple[Personal, str, Findings]:
    """Send a person a letter with the data kept of them; return that, the address, and the findings of the sending."""
    secret = ensure_founded(settings)
    with turn(settings), closing(open_store(settings)) as store:
        contest = Contest.of(setup_of(settings, secret), store.record())
        found, at = _gathered(contest, store, who), now()
        address = contest.address_of(found.who)
        if not address:
            raise LedgerError(f"{found.who} has no address here; nomicwolf party export without --mail writes files")
        letter = Outgoing(f"export/{found.who}/{at}", "private", "What is kept of you", found.text(), at, to=address,
                          person=found.who)
        store.append(Step(contest.last, owed=[letter], now=at, alarm=store.alarm))
        findings = Findings()
        send_owed(settings, secret, store, now, findings, contest.address_of)
        return found, address, findings


def _gathered(contest: Contest, store: Store, who: str) -> Personal:
    traces = traces_of(contest, store, who)
    person, names = _person(contest, who), {*traces.names}
    name = person.name if person is not None else who
    readable, withheld = list[Entry](), 0
    for entry, open_to_all in _sessions(contest):
        if not _names_one(entry.event, names):
            continue
        if open_to_all or _may_read(entry.event, names):
            readable.append(entry)
        else:
            withheld += 1
    return Personal(
        name, traces, tuple(nomic for nomic, parties in contest.parties.items() if name in parties),
        tuple(one for one in store.letters() if one.number in traces.letters),
        tuple(one for one in store.outbox().each() if one.letter.person in names), tuple(readable), withheld)


def _sessions(contest: Contest) -> Iterator[tuple[Entry, bool]]:
    """Yield the entries, each with whether the roles of its session have been told."""
    session = 0
    for entry in contest.entries:
        if isinstance(entry.event, SessionStarted):
            session = entry.event.session
        yield entry, session == 0 or session in contest.revealed


def _names_one(event: Event, names: set[str]) -> bool:
    return any(renamed(event, name, "\0") != event for name in names)


def _may_read(event: Event, names: set[str]) -> bool:
    readers = event.readers()
    if isinstance(readers, tuple):
        return not names.isdisjoint(readers)
    own = isinstance(event, LetterHeard) and event.author in names
    return readers == PUBLIC or own or isinstance(event, _ABOUT)


def data_of(found: Personal) -> bytes:
    """Return what is kept as a file of JSON."""
    return (json.dumps(json.loads(canonical(found.json())), indent=1, ensure_ascii=False) + "\n").encode()
