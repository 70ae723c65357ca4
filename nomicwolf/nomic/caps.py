"""Caps on letters and answers by person.

They count what each person has written today, and the answers to it (D-N47).

Days are UTC, and go by when letters arrived, for letters and answers alike; none comes back once a later one has begun.
Only letters that were heard as eir own count: what others send in eir name does not use up eir day.

In one run nobody is told the same twice (RFC 3834 2): what was told in the present run is no part of the record, which
says of an answer only whether it was a repetition.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import NamedTuple

from nomicwolf.nomic.events import Answered, Asked, DeedHeard, LetterHeard, Noted, Refused
from nomicwolf.nomic.law_events import AddressAsked, StrangerAnswered
from nomicwolf.nomic.setup import DAY
from nomicwolf.village.events import Entry, Event

OVER = "above the limit of "
LOUD = 20
"""How many letters that are nobody's for certain the contestmaster is told of one by one, each day; as many newcomers
and forgeries, and so many strangers are answered."""
NOBODY = ""
"""Under this name is counted what is nobody's for certain: letters that were held, newcomers, and forgeries."""


class Spent(NamedTuple):
    """A person's use of *day* (days since 1970).

    That is how many *letters* and *deeds* of eirs were heard, how many *answers* e got, and how many letters above the
    cap (*over*) were held; *untold* is how many of those, since day *since*, no digest has told of. Of nobody for
    certain there are also the *newcomers* and *forgeries* that the contestmaster was told of, and the addresses of the
    *strangers* who were answered.
    """

    day: int = 0
    letters: int = 0
    deeds: int = 0
    answers: int = 0
    over: int = 0
    untold: int = 0
    since: int = 0
    newcomers: int = 0
    forgeries: int = 0
    strangers: tuple[str, ...] = ()

    def more(self, letters: int = 0, deeds: int = 0, answers: int = 0) -> Spent:
        """Return what is used up with so much more."""
        return self._replace(letters=self.letters + letters, deeds=self.deeds + deeds, answers=self.answers + answers)


ANSWERS = (Answered, Asked, Refused)
_NOTHING = Spent()
_COUNTED = frozenset((LetterHeard, DeedHeard, Answered, Asked, Refused, AddressAsked, Noted, StrangerAnswered))


def spent_today(spent: Mapping[str, Spent], who: str, at: int) -> Spent:
    """Return what *who* has used up of the day of *at* (UTC seconds), or of a later one if that has begun for em."""
    found = spent.get(who, _NOTHING)
    if found.day >= at // DAY:
        return found
    return Spent(at // DAY, untold=found.untold, since=found.since)


class Told(NamedTuple):
    """The *kinds* of answers that each person got in one *run*, by the run's number; 0 is a run by itself."""

    run: int = 0
    kinds: Mapping[str, frozenset[str]] = {}

    def before(self, event: Event) -> bool:
        """Return whether *event* repeats to a person what this run has told em already."""
        kind = kind_of(event)
        return bool(kind) and kind in self.kinds.get(event.who, ())  # type: ignore[attr-defined] # answers have it

    def after(self, event: Event) -> Told:
        """Return what was told once *event* has happened."""
        kind = kind_of(event)
        if not kind:
            return self
        who = event.who  # type: ignore[attr-defined] # answers have it
        return Told(self.run, {**self.kinds, who: self.kinds.get(who, frozenset()) | {kind}})

    def to(self, who: str) -> int:
        """Return how many different answers *who* got."""
        return len(self.kinds.get(who, ()))


def is_repeated(event: Event) -> bool:
    """Return whether *event* is an answer that the same run had given before."""
    return isinstance(event, ANSWERS) and event.quiet


def kind_of(event: Event) -> str:
    """Return by what two answers to one person are of one kind (some hex digits), '' for what is no answer."""
    match event:
        case Answered(topic=topic, text=text):
            said = (topic, text if topic == "check" else "")
        case Asked(text=text, problem=problem):
            said = (problem, text)
        case Refused(verb=verb, text=text, why=why):
            said = (f"{verb} {why}", text)
        case AddressAsked(address=address):
            said = ("address", address)
        case _:
            return ""
    return sha256("\n".join(said).encode("utf-8", "replace")).hexdigest()[:16]


def count_entry(spent: dict[str, Spent], entry: Entry) -> None:
    """Count *entry* in *spent*, if it is of that kind."""
    if type(entry.event) not in _COUNTED:
        return
    match entry.event:
        case LetterHeard() as letter:
            _letter(spent, letter, entry.at)
        case DeedHeard(who=who, letter=number, key=(arrived, *_)) if number:
            now = spent_today(spent, who, min(arrived, entry.at))
            spent[who] = now.more(deeds=1)
        case Answered(who=who) | Asked(who=who) | Refused(who=who) | AddressAsked(who=who) as told:
            if is_repeated(told):
                return
            now = spent.get(who) or spent_today(spent, who, entry.at)
            spent[who] = now.more(answers=1)
        case Noted(topic="digest"):
            for who, now in list(spent.items()):
                spent[who] = now._replace(untold=0)
        case event:
            spent[NOBODY] = _of_nobody(spent_today(spent, NOBODY, entry.at), event)


def _of_nobody(now: Spent, event: Event) -> Spent:
    """Return *now*, what is used up by nobody for certain, with *event*."""
    match event:
        case Noted(topic="newcomer"):
            return now._replace(newcomers=now.newcomers + 1)
        case Noted(topic="forged"):
            return now._replace(forgeries=now.forgeries + 1)
        case StrangerAnswered(address=address):
            return now._replace(strangers=(*now.strangers, address))
    return now


def _letter(spent: dict[str, Spent], letter: LetterHeard, heard: int) -> None:
    """Count a letter: as its author's own, or if it is held, as one above the cap or one of nobody's for certain."""
    at = min(letter.arrived, heard)
    known = letter.bucket in ("deeds", "no-deed") or (letter.bucket == "held" and letter.assurance not in ("", "none"))
    if known and not is_flood(letter.why):
        now = spent_today(spent, letter.author, at)
        spent[letter.author] = now.more(letters=1)
    elif letter.bucket == "held":
        who = letter.author if is_flood(letter.why) else NOBODY
        now = spent_today(spent, who, at)
        quiet = who != NOBODY or now.over >= LOUD
        since = now.since if now.untold else now.day
        spent[who] = now._replace(over=now.over + 1, untold=now.untold + quiet, since=since)


def is_flood(why: str) -> bool:
    """Return whether a letter was held for *why* because its author's day was used up."""
    return why.startswith(OVER)
