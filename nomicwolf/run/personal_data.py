"""A person's data, as files and by letter."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from nomicwolf.contest import Contest
from nomicwolf.ledger.codec import canonical, write_entry
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.records import OwedLetter, StoredLetter
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import LetterHeard, PersonKnown, SessionStarted
from nomicwolf.nomic.law import KeyAdded, KeyRemoved
from nomicwolf.nomic.law_events import AddressAsked, PersonRenamed
from nomicwolf.nomic.times import when
from nomicwolf.reports.history import event_line
from nomicwolf.reports.views import person_named
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.desk import open_store
from nomicwolf.run.erasing import Traces, traces_of
from nomicwolf.run.resources import ensure_founded, read_store, secret_if_any, turn
from nomicwolf.run.run_report import Findings
from nomicwolf.run.sending import send_owed
from nomicwolf.settings import Settings
from nomicwolf.village.events import PUBLIC, Entry, Event
from nomicwolf.village.game import renamed

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
        contest = Contest.of(setup_of(settings, secret_if_any(settings)), store.record())
        return _gathered(contest, store, who)


def mail_personal(settings: Settings, who: str, now: Callable[[], int]) -> tuple[Personal, str, Findings]:
    """Send a person a letter with the data kept of em; return that, the address, and the findings of the sending."""
    secret = ensure_founded(settings)
    with turn(settings), closing(open_store(settings)) as store:
        contest = Contest.of(setup_of(settings, secret), store.record())
        found, at = _gathered(contest, store, who), now()
        address = contest.address_of(found.who)
        if not address:
            raise LedgerError(f"{found.who} has no address here; nomicwolf party export without --mail writes files")
        letter = Outgoing(f"export/{found.who}/{at}", "private", "What is kept of you", found.text(), at, to=address,
                          person=found.who)
        store.append(contest.last, owed=[letter], now=at, alarm=store.alarm)
        findings = Findings()
        send_owed(settings, secret, store, now, findings, contest.address_of)
        return found, address, findings


def _gathered(contest: Contest, store: Store, who: str) -> Personal:
    traces = traces_of(contest, store, who)
    name = person_named(contest, who) or who
    names = {*traces.names}
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
