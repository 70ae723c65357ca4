"""The letters of the forums as pages show them: by session, in the order of their times, each with what it did."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter

from nomicwolf.nomic.events import DeedHeard, SessionStarted
from nomicwolf.reports.archive.published import Heard, Published
from nomicwolf.reports.archive.sessions import Session
from nomicwolf.reports.archive.wording import deed_said
from nomicwolf.village.events import Cause, Entry, PhaseBegan, Voted
from nomicwolf.village.laws.verdicts import VERDICTS

_BEFORE = re.compile(r"(?:\s*(?:\[[^\]]*\]|[A-Z]{2,6}:|re:|fwd?:|aw:))+\s*", re.IGNORECASE)
"""What lists and mail programs put before a subject."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a letter did: in a few words, and the *place* of the ballot that came of it.

    That is the path of a page with an anchor; '' for a vote that does not count, or not yet, and for all else.
    """

    said: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One letter on a page: *anchor* is its place for good (``letter-3`` was posted, ``heard-5`` came in).

    *author* is '' for the contest; *at* is UTC seconds; *follows* is the anchor of the letter that it answers, '' for
    none; *session* whose page it stands on; *alias* is its place as the letter itself calls it, '' for none. *deeds*
    are what it did, *phase* is when it was written (``day 2``; '' before the first): what ended a phase is of it.
    """

    anchor: str
    at: int
    author: str
    subject: str
    body: str
    nomics: tuple[str, ...]
    follows: str
    session: int
    alias: str = ""
    deeds: tuple[Deed, ...] = ()
    phase: str = ""

    @property
    def place(self) -> tuple[int, str, int]:
        """Where it stands among all: by time; of one second, what came in before what was posted, each as numbered."""
        kind, _, number = self.anchor.rpartition("-")
        return self.at, kind, int(number)

    @property
    def about(self) -> str:
        """The subject without what lists and mail programs have put before it."""
        return _BEFORE.sub("", self.subject, count=1) or self.subject


def threads(published: Published, played: Iterable[Session]) -> dict[int, tuple[Item, ...]]:
    """Return the letters of each session, oldest first.

    Session 0 are those before the first; what came between sessions is the last one's.
    """
    starts = [(0, 0), *((s.at, s.number) for s in played)]
    phases = [(0, ""), *_phases(published.entries)]

    def during(at: int) -> int:
        return starts[bisect_right(starts, at, 1, key=itemgetter(0)) - 1][1]

    placed: dict[int, list[Item]] = {}
    for item in sorted((*_posted(published, during), *_heard(published, during)), key=attrgetter("place")):
        phase = phases[bisect_left(phases, item.at, 1, key=itemgetter(0)) - 1][1] if item.session else ""
        placed.setdefault(item.session, []).append(replace(item, phase=phase))
    return {number: tuple(items) for number, items in sorted(placed.items())}


def _phases(entries: Iterable[Entry]) -> Iterator[tuple[int, str]]:
    """Yield when each phase began, and what it is called; a session begins without one."""
    for entry in entries:
        match entry.event:
            case SessionStarted():
                yield entry.at, ""
            case PhaseBegan(phase, number):
                yield entry.at, f"{phase} {number}"


def _posted(published: Published, during: Callable[[int], int]) -> Iterator[Item]:
    taken = {""}
    for letter in published.sent:
        follows = f"letter-{letter.thread}" if letter.thread else ""
        alias = letter.anchor if letter.anchor not in taken else ""
        taken.add(alias)
        yield Item(f"letter-{letter.number}", letter.at, "", letter.subject, letter.body, letter.nomics, follows,
                   letter.session if letter.session >= 0 else during(letter.at), alias)


def _heard(published: Published, during: Callable[[int], int]) -> Iterator[Item]:
    done = deeds(published)
    for letter in published.heard:
        if letter.subject or letter.body:
            yield Item(f"heard-{letter.number}", letter.at, letter.author, letter.subject or "(no subject)",
                       letter.body, (letter.nomic,), _answered(letter), during(letter.at),
                       deeds=tuple(done.get(letter.number, ())))


def _answered(letter: Heard) -> str:
    return f"heard-{letter.reply}" if letter.reply else f"letter-{letter.thread}" if letter.thread else ""


def deeds(published: Published) -> dict[int, list[Deed]]:
    """Return what each letter heard did, by its number."""
    found: dict[int, list[Deed]] = {}
    cast, moved = _cast(published.entries), published.at - published.about.settling
    for entry in published.entries:
        if isinstance(entry.event, DeedHeard) and entry.event.letter:
            deed, place = entry.event, cast.get(entry.number, "")
            said = deed_told(deed.verb, deed.says)
            if (deed.ballot is not None or deed.says in VERDICTS) and not place:
                said += " (not counted yet)" if deed.instant > moved else " (not counted)"
            found.setdefault(deed.letter, []).append(Deed(said, place))
    return found


def _cast(entries: Iterable[Entry]) -> dict[int, str]:
    """Return the places of ballots, by the entries of the deeds that they came of."""
    found: dict[int, str] = {}
    session = votes = 0
    phase = ""
    for entry in entries:
        match entry.event:
            case SessionStarted(session=session):
                votes = 0
            case PhaseBegan(name, number):
                phase = f"{name}-{number}"
            case Voted(sealed=False):
                votes += 1
                if came := Cause.of(entry.cause).named("deed"):
                    found[came] = f"session-{session}/{phase}.html#vote-{votes}"
    return found


VERBS = {
    "accuse": "accuses", "second": "seconds the accusation of", "nominate": "nominates", "join": "joins",
    "leave": "leaves", "object": "objects to", "support": "supports", "intend": "intends", "resolve": "resolves",
    "withdraw": "withdraws", "say": "says", "unvote": "takes eir vote back", "unaccuse": "takes back the accusation of",
}
"""What is done in a forum, as a verb with something after it."""


def deed_told(verb: str, says: str) -> str:
    """Return what someone did, told of em; *says* is its canonical form.

    >>> deed_told("vote", "vote endorse Fay"), deed_told("accuse", "accuse Gus"), deed_told("unvote", "unvote")
    ('endorses Fay', 'accuses Gus', 'takes eir vote back')
    """
    first, _, rest = says.partition(" ")
    if first == "vote":
        return deed_said(rest)
    if says in VERDICTS:
        return deed_said(says)
    return f"{VERBS.get(verb, first)} {rest}".strip() if first == verb else says


def pages_of(letters: Mapping[int, tuple[Item, ...]]) -> dict[str, int]:
    """Return on which session's page each letter stands, by its anchor."""
    return {item.anchor: number for number, items in letters.items() for item in items}


def span(items: Iterable[Item]) -> tuple[int, int]:
    """Return the instants of the first and the last of *items*, of which there is one (UTC seconds)."""
    times = [item.at for item in items]
    return min(times), max(times)
