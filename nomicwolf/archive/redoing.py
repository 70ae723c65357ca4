"""Redo sessions from what is published of them: lots, the deal, every move, count, death and award."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from nomicwolf.archive.moving import Redone, moves
from nomicwolf.nomic.awards import awards_for, unconfirmed
from nomicwolf.nomic.events import Awarded, Revealed, SessionStarted
from nomicwolf.nomic.revealing import revealed
from nomicwolf.nomic.seeds import HalfTold, SeedBound, SeedMixed
from nomicwolf.nomic.state import Contest, is_village
from nomicwolf.reports.archive import Published
from nomicwolf.reports.public import Places, go_on
from nomicwolf.village.events import (
    Cause,
    Counted,
    DeathsAnnounced,
    Drawn,
    Ended,
    Entry,
    Opened,
)
from nomicwolf.village.game import replay
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import count
from nomicwolf.village.lots import commitment, draw, half_commitment, mixed_seed, roles_bound
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

SLACK = 600
"""Seconds by which the clocks of the contest and of its mailbox may differ."""


def redo(published: Published, *, exact: bool = True) -> Redone:
    """Redo every session, as far as what is published of it allows; *exact* as in `Redone`."""
    setup = published.about.setup
    done = Redone(exact=exact, settling=setup.settling)
    told = {True: Places(setup, published.entries, Contest.take), False: Places(setup, published.entries, go_on)}
    starts = [i for i, e in enumerate(published.entries) if isinstance(e.event, SessionStarted)]
    for first, end in zip(starts, [*starts, len(published.entries)][1:], strict=bool(starts)):
        _session(published, first, end, done, told)
    return done


def _session(published: Published, first: int, end: int, done: Redone, told: Mapping[bool, Places]) -> None:
    """Redo one session; *told* gives the contest at places of the record, as it is and as everyone may know it."""
    entries = published.entries[first:end]
    started = entries[0].event
    assert isinstance(started, SessionStarted)
    opened = next((e for e in entries if isinstance(e.event, Opened)), None)
    try:
        rules = ruleset(started.ruleset)
    except Refusal:
        done.differs.append(f"session {started.session}: the rule set {started.ruleset} is not installed here")
        return
    if opened is not None:
        done.differs += _deal(published, started, entries, rules, done)
        done.differs += moves(entries, rules, done)
    else:
        done.differs += _public_counts(told[False], first, entries, done)
    done.differs += _awards(told[opened is not None], first, entries, opened is not None, done)


def _deal(
    published: Published, started: SessionStarted, entries: Sequence[Entry], rules: Ruleset, done: Redone
) -> Iterator[str]:
    """Redo commitment, lots and deal from the seed."""
    opened = next(e.event for e in entries if isinstance(e.event, Opened))
    assert isinstance(opened, Opened)
    if commitment(published.about.contest, started.session, opened.seed) != started.commitment:
        yield f"session {started.session}: the commitment is not that of the seed"
    yield from _mixed(published, started, entries, opened.seed)
    dealt = tuple((who, role) for who, role, _ in opened.deal)
    if started.bound and roles_bound(published.about.contest, started.session, opened.seed, dealt) != started.bound:
        yield f"session {started.session}: the commitments to the roles are not those of the deal"
    for place, entry in enumerate(entries):
        match entry.event:
            case Revealed() as told:
                game = replay(e for e in entries[:place] if is_village(e.event))
                if told != revealed(started.session, game, told.ruled):
                    yield f"entry {entry.number}: tells another seed, other roles or Lovers than there were"
            case Drawn(purpose, options, result):
                done.checked["draws"] += 1
                if draw(opened.seed, purpose, options, len(result)) != result:
                    yield f"entry {entry.number}: the lot for {purpose} falls otherwise"
    yield from _dealt(f"session {started.session}", opened, entries, rules)


def _mixed(published: Published, started: SessionStarted, entries: Sequence[Entry], seed: str) -> Iterator[str]:
    """Make a seed again that players have a part in; no letter between two that went into it may be left out."""
    where = f"session {started.session}"
    mixed = next((e.event for e in entries if isinstance(e.event, SeedMixed)), None)
    told = next((e.event for e in entries if isinstance(e.event, HalfTold)), None)
    bound = [e.event.commitment for e in published.entries
             if isinstance(e.event, SeedBound) and e.event.session == started.session]
    if not bound and mixed is None:
        return
    if mixed is None or told is None or bound != [half_commitment(
            published.about.contest, started.session, told.half)]:
        yield f"{where}: the half of the seed is not the one that was bound"
        return
    if mixed_seed(told.half, mixed.letters) != seed:
        yield f"{where}: the seed is not made of the half and the letters"
    yield from _window(published, entries[0].number, mixed)


def _window(published: Published, start: int, mixed: SeedMixed) -> Iterator[str]:
    """Yield the letters that went into a seed though they shouldn't have, or the reverse: all between the two count."""
    where, size = f"session {mixed.session}", len(mixed.letters)
    heard = [h for h in published.heard if h.author != published.about.contestmaster]
    words = [(h.author, h.digest) for h in heard]
    places = [i for i in range(len(words) - size + 1) if tuple(words[i:i + size]) == mixed.letters]
    if not places:
        yield f"{where}: the letters that went into the seed are not those of the forums, one after the other"
        return
    bind = next(e for e in published.entries if isinstance(e.event, SeedBound) and e.event.session == mixed.session)
    first = {named: e.number for e in reversed(published.entries) if (named := Cause.of(e.cause).named("letter"))}
    numbers = [first.get(h.number, 0) for h in heard]
    if not any(
            all(h.arrived <= bind.at + SLACK and n < bind.number
                for h, n in zip(heard[:place], numbers[:place], strict=True))
            and all(bind.number < n < start for n in numbers[place:place + size] if n)
            and all(n > start for n in numbers[place + size:] if n)
            for place in places):
        yield f"{where}: other letters came between the binding of the half and the start than went into the seed"


def _dealt(where: str, opened: Opened, entries: Sequence[Entry], rules: Ruleset) -> Iterator[str]:
    """Deal again; a deal without lots was made by hand, and is the contestmaster's word."""
    names = tuple(who for who, _, _ in opened.deal)
    if not any(isinstance(e.event, Drawn) and e.cause == "command" for e in entries):
        return
    try:
        dealt, drawn = rules.deal(names, opened.roles, opened.seed, dict(opened.switches))
    except Refusal as refused:
        yield f"{where}: this can't be dealt: {refused.why}"
        return
    lots = tuple(e.event for e in entries if isinstance(e.event, Drawn))[:len(drawn)]
    if lots != drawn:
        yield f"{where}: the lots of the deal are not those of the seed"
    if drawn and tuple((who, role, rules.roles[role].side) for who, role in dealt) != opened.deal:
        yield f"{where}: the deal is not that of the seed"


def _public_counts(told: Places, first: int, entries: Sequence[Entry], done: Redone) -> Iterator[str]:
    """Redo the counts of standing votes from public facts alone (NC 3); other ways to vote wait for the seed.

    One that a late ballot has changed is dated back to that, but is made by what was known when it was heard (D-A8).
    One without people who are named as dead behind it waits for the seed, too.
    """
    for place, entry in enumerate(entries, first):
        if not isinstance(entry.event, Counted) or not entry.event.majority:
            continue
        game = told.at(place).game
        if game is None or game.stage or game.switches.get("lovers_vote") == "spared":
            continue
        fits = tuple(count(game, max(entry.at, game.clock)).counts.items()) == entry.event.counts
        if not fits and _named_then(entries, place - first):
            continue
        done.checked["counts"] += 1
        if not fits:
            yield f"entry {entry.number}: the ballots come to another count"


def _named_then(entries: Sequence[Entry], place: int) -> bool:
    """Return whether deaths are named in the same instant behind the entry at *place*: that count may know of them."""
    after = (entries[number] for number in range(place + 1, len(entries)))
    return any(isinstance(e.event, DeathsAnnounced) for e in takewhile(lambda e: e.at == entries[place].at, after))


def _awards(
    told: Places, first: int, entries: Sequence[Entry], revealed: bool, done: Redone
) -> Iterator[str]:
    """Redo the awards: who won, and floor(P/N) of each nomic (NC 5i, NC 5ii)."""
    given = [e for e in entries if isinstance(e.event, Awarded)]
    over = next((e for e in entries if isinstance(e.event, Ended)), None)
    if over is None or not given:
        return
    contest = told.at(first + list(entries).index(given[0]))
    assert isinstance(over.event, Ended)
    assert contest.game is not None
    if nomic := unconfirmed(contest, over.event):
        yield f"entry {given[0].number}: awards were given although P of {nomic} was not confirmed"
        return
    wanted = awards_for(contest, contest.game, over.event)
    done.checked["awards"] += len(given)
    should = [_plain(a, revealed) for a in wanted]
    for entry, award in zip(given, [*should, *[None] * len(given)], strict=False):
        assert isinstance(entry.event, Awarded)
        if _plain(entry.event, revealed) != award:
            yield f"entry {entry.number}: redone, award {entry.event.number} is {award}"
    if len(given) < len(should):
        yield f"entry {given[-1].number}: {len(should)} awards are due, and {len(given)} were given"


def _plain(award: Awarded, revealed: bool) -> Awarded:
    """Return an award; where sides were not revealed, without the kind of points."""
    return award if revealed else replace(award, what="points" if award.what.endswith("points") else award.what)
