"""How much each person has written today, and how often e was answered: what the caps of the settings look at (D-N47).

Days are UTC, and go by when letters arrived, for letters and answers alike; none comes back once a later one has begun.
Only letters that were heard as eir own count: what others send in eir name does not use up eir day.

A run is not told to the record. It is known by this: all its letters had arrived when the first of them was heard.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import NamedTuple

from nomicwolf.nomic.care import AddressAsked
from nomicwolf.nomic.events import Answered, Asked, DeedHeard, LetterHeard, Noted, Refused
from nomicwolf.nomic.profiles import DAY
from nomicwolf.village.events import Entry, Event

OVER = "above the limit of "
LOUD = 20
"""How many letters that are nobody's for certain the contestmaster is told of one by one, each day; as many newcomers
and forgeries."""
LONGEST = 1800
"""How many seconds a run lasts at most, as far as can be told: mail servers' clocks may be behind our own."""
NOBODY = ""
"""Under this name is counted what is nobody's for certain: letters that were held, newcomers, and forgeries."""


class Spent(NamedTuple):
    """What somebody has used up of *day* (days since 1970).

    That is how many *letters* and *deeds* of eirs were heard, how many *answers* e got, and how many letters above the
    cap (*over*) were held; *untold* is how many of those, since day *since*, no digest has told of. Of nobody for
    certain there are also the *newcomers* and *forgeries* that the contestmaster was told of. *began* is when the first
    letter of eirs in the present run was heard (UTC seconds), and *kinds* is what e was told in it.
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
    began: int = 0
    kinds: tuple[str, ...] = ()

    def more(self, letters: int = 0, deeds: int = 0, answers: int = 0) -> Spent:
        """Return what is used up with so much more."""
        return self._replace(letters=self.letters + letters, deeds=self.deeds + deeds, answers=self.answers + answers)


_NOTHING = Spent()
_COUNTED = frozenset((LetterHeard, DeedHeard, Answered, Asked, Refused, AddressAsked, Noted))


def today(spent: Mapping[str, Spent], who: str, at: int) -> Spent:
    """Return what *who* has used up of the day of *at* (UTC seconds), or of a later one if that has begun for em."""
    found = spent.get(who, _NOTHING)
    if found.day >= at // DAY:
        return found
    return Spent(at // DAY, untold=found.untold, since=found.since, began=found.began, kinds=found.kinds)


def in_run(spent: Mapping[str, Spent], who: str, arrived: int, now: int) -> Spent:
    """Return `today` of a letter that *arrived* and is heard *now* (UTC seconds): a new run has told em nothing."""
    found = today(spent, who, arrived)
    same = arrived <= found.began and now - found.began < LONGEST
    return found if same else found._replace(began=now, kinds=())


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


def repeated(spent: Mapping[str, Spent], entries: Iterable[Entry]) -> frozenset[int]:
    """Return the numbers of those *entries* that tell em what e was told before in this run; *spent* is before them."""
    now, found = dict(spent), set[int]()
    for entry in entries:
        kind = kind_of(entry.event)
        if kind and kind in now.get(entry.event.who, _NOTHING).kinds:  # type: ignore[attr-defined] # answers have it
            found.add(entry.number)
        count(now, entry)
    return frozenset(found)


def count(spent: dict[str, Spent], entry: Entry) -> None:
    """Let *entry* be counted in *spent*, if it is of that kind."""
    if type(entry.event) not in _COUNTED:
        return
    match entry.event:
        case LetterHeard() as letter:
            _letter(spent, letter, entry.at)
        case DeedHeard(who=who, letter=number, key=(arrived, *_)) if number:
            now = today(spent, who, min(arrived, entry.at))
            spent[who] = now.more(deeds=1)
        case Answered(who=who) | Asked(who=who) | Refused(who=who) | AddressAsked(who=who) as told:
            now, kind = spent.get(who) or today(spent, who, entry.at), kind_of(told)
            if kind not in now.kinds:
                spent[who] = now.more(answers=1)._replace(kinds=(*now.kinds, kind))
        case Noted(topic="newcomer"):
            now = today(spent, NOBODY, entry.at)
            spent[NOBODY] = now._replace(newcomers=now.newcomers + 1)
        case Noted(topic="forged"):
            now = today(spent, NOBODY, entry.at)
            spent[NOBODY] = now._replace(forgeries=now.forgeries + 1)
        case Noted(topic="digest"):
            for who, now in list(spent.items()):
                spent[who] = now._replace(untold=0)


def _letter(spent: dict[str, Spent], letter: LetterHeard, heard: int) -> None:
    """Count a letter: as its author's own, or if it is held, as one above the cap or one of nobody's for certain."""
    at = min(letter.arrived, heard)
    known = letter.bucket in ("deeds", "no-deed") or (letter.bucket == "held" and letter.assurance not in ("", "none"))
    if known and not is_flood(letter.why):
        now = in_run(spent, letter.author, at, heard)
        spent[letter.author] = now.more(letters=1)
    elif letter.bucket == "held":
        who = letter.author if is_flood(letter.why) else NOBODY
        now = today(spent, who, at)
        quiet = who != NOBODY or now.over >= LOUD
        since = now.since if now.untold else now.day
        spent[who] = now._replace(over=now.over + 1, untold=now.untold + quiet, since=since)


def is_flood(why: str) -> bool:
    """Return whether a letter was held for *why* because its author's day was used up."""
    return why.startswith(OVER)
