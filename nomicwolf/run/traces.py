"""By what one person is found in a ledger, and what becomes of each thing there without em."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from nomicwolf.contest import Contest
from nomicwolf.ledger.codec import canonical, coder
from nomicwolf.ledger.erasing import KeptRow
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.store import Store
from nomicwolf.letters.attribution import own_text
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.letters.pseudonyms import Disguise, disguised, plain_message, readable, real_names
from nomicwolf.nomic.care import AddressAsked
from nomicwolf.nomic.events import PersonKnown
from nomicwolf.reports.people import meant
from nomicwolf.village.events import ERASED

OWN_WORDS = ("text", "words", "asked", "action", "diff", "certificate", "fingerprint")
"""Keys of what somebody wrote, or is known by, in events that are the writer's."""
_WHOSE = ("who", "by")


@dataclass(frozen=True, slots=True)
class Traces:
    """By what a person is found in a ledger: names, addresses, letters of the person's own and what these said."""

    names: tuple[str, ...]
    addresses: tuple[str, ...]
    letters: frozenset[int]
    ids: tuple[str, ...]
    words: tuple[str, ...]


def traces_of(contest: Contest, store: Store, who: str, also: Iterable[str] = ()) -> Traces:
    """Return by what *who* is found; `LedgerError` if nobody of that name or address is known."""
    person = contest.persons.get(who) or contest.persons.get(meant(contest, who) or "")
    names = {person.name, *person.aliases} if person else set[str]()
    addresses = {*_addresses(contest, names)} if person else {who}
    if person is None and "@" not in who:
        raise LedgerError(f"nobody here is called {who!r}; the contest knows {', '.join(contest.persons) or 'nobody'}. "
                          "Of somebody who wrote and never joined, give the address")
    letters, ids, words = set[int](), list[str](), list[str]()
    shown = dict.fromkeys((*names, *also))
    for kept in store.letters():
        if kept.author not in names and not any(a.casefold() in addresses for _, a in kept.letter.senders):
            continue
        letters.add(kept.number)
        ids.append(kept.letter.message_id)
        words += [own_text(kept.letter.body), *(line for _, line in kept.letter.asides)]
        shown.update(dict.fromkeys(real_names(kept.raw.data, addresses)))
    if person is None and not letters:
        raise LedgerError(f"no letter from {who} is in the ledger, so there is nothing to erase")
    return Traces(tuple(shown), tuple(sorted(addresses)), frozenset(letters), tuple(ids), tuple(words))


def _addresses(contest: Contest, names: set[str]) -> Iterator[str]:
    """Yield every address that somebody of these names ever had."""
    for entry in contest.entries:
        match entry.event:
            case PersonKnown(who=who, addresses=addresses) if who in names:
                yield from (address.casefold() for address in addresses)
            case AddressAsked(who=who, address=address) if who in names:
                yield address.casefold()


class OutOfSight:
    """What becomes of the ledger where one person is taken out of it."""

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
        letter: Letter = _again(Letter, row.letter, self.disguise)
        if number in self._traces.letters:
            return KeptRow(emptied(letter), text(row.message_id), text(row.author), text(row.why), b"")
        shown = readable(row.data)
        data = disguised(row.data, self.disguise) if text(shown) != shown else row.data
        return KeptRow(letter, text(row.message_id), text(row.author), text(row.why), data)

    def owed(self, number: int, letter: Outgoing, data: bytes | None, message_id: str) -> tuple[Outgoing, bytes | None]:
        """Return a letter of ours; of one to the person, what it said is gone."""
        new: Outgoing = _again(Outgoing, letter, self.disguise)
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
            elif key in ("says", "note", "why", "hint") and isinstance(part, str):
                for words in said:
                    part = part.replace(words, ERASED)  # noqa: PLW2901 - several words in one text
                mine[key] = part
        return mine


def _again(kind: type, value: object, disguise: Disguise) -> Any:  # noqa: ANN401 - a value of *kind*
    """Return a value of *kind* with the person taken out of its texts."""
    form = coder(kind)
    return form.read(json.loads(canonical(disguise.plain(form.write(value)))))


def emptied(letter: Letter, *, keep: bool = False) -> Letter:
    """Return a letter without all that it said; with *keep*, still by its sender."""
    return replace(
        letter, subject="", body=ERASED, senders=letter.senders if keep else (), in_reply_to="", references=(),
        headers=(), attachments=(), defects=(), asides=(), shown="", trouble="", unproven="", seal=None, signers=())
