"""How much each person has written today, and how often e was answered: what the caps of the settings look at (D-N47).

Days are UTC. Only letters that were heard as eir own count: what others send in eir name does not use up eir day.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nomicwolf.nomic.events import Answered, Asked, DeedHeard, LetterHeard, Noted, Refused
from nomicwolf.nomic.profiles import DAY
from nomicwolf.village.events import Entry

OVER = "above the limit of "
LOUD = 20
"""How many letters that are nobody's for certain the contestmaster is told of one by one, each day; as many newcomers
and forgeries."""
NOBODY = ""
"""Under this name is counted what is nobody's for certain: letters that were held, newcomers, and forgeries."""


class Spent(NamedTuple):
    """What somebody has used up of *day* (days since 1970).

    That is how many *letters* and *deeds* of eirs were heard, how many *answers* e got, and how many letters above the
    cap (*over*) were held; *untold* is how many of those, since day *since*, no digest has told of. Of nobody for
    certain there are also the *newcomers* and *forgeries* that the contestmaster was told of.
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

    def more(self, letters: int = 0, deeds: int = 0, answers: int = 0) -> Spent:
        """Return what is used up with so much more."""
        return Spent(self.day, self.letters + letters, self.deeds + deeds, self.answers + answers, self.over,
                     self.untold, self.since, self.newcomers, self.forgeries)


_NOTHING = Spent()
_COUNTED = frozenset((LetterHeard, DeedHeard, Answered, Asked, Refused, Noted))


def today(spent: Mapping[str, Spent], who: str, at: int) -> Spent:
    """Return what *who* has used up of the day of *at* (UTC seconds)."""
    found = spent.get(who, _NOTHING)
    return found if found.day == at // DAY else Spent(at // DAY, untold=found.untold, since=found.since)


def count(spent: dict[str, Spent], entry: Entry) -> None:
    """Let *entry* be counted in *spent*, if it is of that kind."""
    if type(entry.event) not in _COUNTED:
        return
    match entry.event:
        case LetterHeard() as letter:
            _letter(spent, letter)
        case DeedHeard(who=who, letter=number, instant=at) if number:
            now = today(spent, who, at)
            spent[who] = now.more(deeds=1)
        case Answered(who=who) | Asked(who=who) | Refused(who=who):
            now = today(spent, who, entry.at)
            spent[who] = now.more(answers=1)
        case Noted(topic="newcomer"):
            now = today(spent, NOBODY, entry.at)
            spent[NOBODY] = now._replace(newcomers=now.newcomers + 1)
        case Noted(topic="forged"):
            now = today(spent, NOBODY, entry.at)
            spent[NOBODY] = now._replace(forgeries=now.forgeries + 1)
        case Noted(topic="digest"):
            for who, now in list(spent.items()):
                spent[who] = now._replace(untold=0)


def _letter(spent: dict[str, Spent], letter: LetterHeard) -> None:
    """Count a letter: as its author's own, or if it is held, as one above the cap or one of nobody's for certain."""
    known = letter.bucket in ("deeds", "no-deed") or (letter.bucket == "held" and letter.assurance not in ("", "none"))
    if known and not is_flood(letter.why):
        now = today(spent, letter.author, letter.arrived)
        spent[letter.author] = now.more(letters=1)
    elif letter.bucket == "held":
        who = letter.author if is_flood(letter.why) else NOBODY
        now = today(spent, who, letter.arrived)
        quiet = who != NOBODY or now.over >= LOUD
        since = now.since if now.untold else now.day
        spent[who] = now._replace(over=now.over + 1, untold=now.untold + quiet, since=since)


def is_flood(why: str) -> bool:
    """Return whether a letter was held for *why* because its author's day was used up."""
    return why.startswith(OVER)
