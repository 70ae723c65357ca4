"""The public half of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile

from nomicwolf.nomic.events import CopyHeard, DeedHeard, LetterHeard, SessionStarted
from nomicwolf.nomic.setup import DAY, Setup
from nomicwolf.nomic.state import AWAITED, Contest, PublicHalf
from nomicwolf.village.events import PUBLIC, DeathsAnnounced, Disclosed, Ended, Entry, Event, Lynched, Opened, numbered
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

ENDING = (Lynched, Disclosed, DeathsAnnounced, Ended)


def is_public(event: Event) -> bool:
    """Return whether everyone may know *event*."""
    return event.readers() == PUBLIC


def fold(setup: Setup, entries: Iterable[Entry]) -> Contest:
    """Return the contest as the public *entries* describe it.

    Its session opens with the players' names alone: seats without roles or sides, and no seed. Townspersons live in it
    until their deaths are public.
    """
    contest = Contest(setup)
    apply_public(contest, entries)
    return contest


class FoldedPlaces:
    """The contest at any place of a record of *entries*.

    Places asked for in ascending order fold each entry once. *follow* applies entries: `apply_public` or
    `Contest.take`.
    """

    def __init__(
        self, setup: Setup, entries: Sequence[Entry], follow: Callable[[Contest, Iterable[Entry]], None],
    ) -> None:
        self._setup, self._entries, self._follow = setup, entries, follow
        self._place, self._contest = 0, Contest(setup)

    def at(self, place: int) -> Contest:
        """Return the contest before entry *place*, counted from 0. Callers must not change it."""
        if place < self._place:
            self._place, self._contest = 0, Contest(self._setup)
        contest = self._contest.branch()
        self._follow(contest, self._entries[self._place:place])
        self._place, self._contest = place, contest
        return contest


def public_record(contest: Contest) -> tuple[list[Entry], Contest]:
    """Return the public entries of *contest* and the contest that they describe. Callers must not change either.

    The result is cached on the contest and its branches, so each entry is folded once.
    """
    half = contest.public
    if half is None or half.contest.setup is not contest.setup:
        half = PublicHalf(0, [], Contest(contest.setup), (0, Contest(contest.setup)))
    record, public, before = half.entries, half.contest, half.before
    if half.seen < len(contest.entries):
        record, public = record.copy(), public.branch()
        for entry in contest.entries[half.seen:]:
            if is_public(entry.event):
                if isinstance(entry.event, SessionStarted):
                    before = len(record), public.branch()
                record.append(entry)
                apply_public(public, (entry,))
        contest.public = PublicHalf(len(contest.entries), record, public, before)
    return record, public


def public_before(contest: Contest) -> tuple[int, Contest]:
    """Return the number of public entries before the latest session, and the contest that they describe."""
    public_record(contest)
    return contest.public.before if contest.public is not None else (0, Contest(contest.setup))


def ending_of(contest: Contest) -> tuple[Entry, ...]:
    """Return the public entries of the instant at which the latest session ended."""
    last = numbered(contest.entries, contest.recalled.ended)
    if last is None:
        return ()
    session = [*takewhile(lambda e: not isinstance(e.event, SessionStarted), reversed(contest.entries))][::-1]
    return tuple(e for e in session if e.at == last.at and isinstance(e.event, ENDING) and e.number <= last.number)


def unannounced(contest: Contest) -> frozenset[int]:
    """Return the numbers of the public entries of an end that is still waiting for P (D-N21)."""
    if contest.session not in contest.awards_held:
        return frozenset()
    return frozenset(e.number for e in ending_of(contest))


def announced_record(contest: Contest) -> tuple[list[Entry], Contest]:
    """Return what `public_record` does, without what is still `unannounced`."""
    record, public = public_record(contest)
    if not (untold := unannounced(contest)):
        return record, public
    length, then = public_before(contest)
    found, public = record[:length], then.branch()
    for entry in record[length:]:
        if entry.number not in untold:
            found.append(entry)
            apply_public(public, (entry,))
    return found, public


def apply_public(contest: Contest, entries: Iterable[Entry]) -> None:
    """Apply the public *entries* to *contest*, which holds what everyone may know."""
    for entry in entries:
        if isinstance(entry.event, DeedHeard):
            contest.last = entry.number
            continue
        if contest.game is not None:
            contest.game.alive = _alive_after(contest.game.alive, entry.event)
        contest.record(entry)
        if isinstance(entry.event, SessionStarted):
            contest.record(Entry(entry.number, entry.at, _opened(contest.setup, entry.event)))


def _alive_after(alive: frozenset[str], event: Event) -> frozenset[str]:
    """Return who is publicly alive once *event* is known."""
    match event:
        case Lynched(who):
            return alive - {who}
        case DeathsAnnounced(killed, revived):
            return (alive - {*killed}) | {*revived}
        case _:
            return alive


def _opened(setup: Setup, started: SessionStarted) -> Opened:
    """Return the opening of a session as everyone may know it, with the switches that the settings publish."""
    deal = tuple((who, "", "") for who in started.players)
    return Opened(started.ruleset, started.session, "", deal, switches(setup, started.ruleset), started.roles)


def switches(setup: Setup, name: str) -> tuple[tuple[str, str], ...]:
    """Return the switches of the rule set *name* as the settings publish them, defaults included."""
    try:
        known = ruleset(name).switches
    except Refusal:  # a rule set of another package that is not installed here: its switches can't be told
        return ()
    return tuple((s.name, setup.switches.get(s.name, s.usual)) for s in known)


COPY_LATE = DAY
"""Seconds by which a forum's copy of a letter may be late, because forums moderate."""


def echoing_forums(contest: Contest) -> frozenset[str]:
    """Return the nomics whose forums send us our own posts: only there does a missing echo mean anything."""
    return contest.echoed & frozenset(contest.setup.nomics)


def one_forum_only(contest: Contest) -> tuple[tuple[int, str, str], ...]:
    """Return (letter, author, nomic) for each public letter with deeds that reached only one of several forums (NC 1g).

    Only letters since the latest session began are considered; before the first session, all are.
    """
    nomics = set(contest.setup.nomics)
    if len(nomics) < 2:
        return ()
    came: dict[int, tuple[str, set[str]]] = {}
    for entry in contest.entries[contest.recalled.started:]:
        match entry.event:
            case LetterHeard(bucket="deeds") as heard:
                came[entry.number] = heard.author, {heard.channel} & nomics
            case CopyHeard(letter=number) as copy if number in came:
                came[number][1].update({copy.channel} & nomics)
    return tuple((n, who, next(iter(through))) for n, (who, through) in came.items() if len(through) == 1)


def unseen_letters(contest: Contest, now: int) -> Iterator[tuple[int, LetterHeard]]:
    """Yield each letter that for over a day has counted by its own To or Cc alone, although the forum stamps its mail.

    A letter that reached the contest and nobody else would not be a public message (NC 1g).
    """
    since = now - AWAITED
    for number, (at, letter) in contest.recalled.unseen.items():
        stamping = contest.recalled.stamping.get(letter.channel, 0) > since
        if stamping and at > since and letter.arrived <= now - COPY_LATE:
            yield number, letter
