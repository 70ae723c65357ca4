"""Votes moved by changes, against full resolution after each change (NC 3).

NOMICWOLF_EXAMPLES scales the number of towns: a hundred have 4,000 changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from hypothesis import given, note
from hypothesis import strategies as st

from nomicwolf.village.ballots import (
    After,
    Ballot,
    Cast,
    Count,
    Endorse,
    FirstOf,
    For,
    If,
    Leads,
    More,
    Nobody,
    Town,
    Votes,
)
from nomicwolf.village.compiled_ballots import CompiledBallots
from nomicwolf.village.day_replay import Standing
from nomicwolf.village.resolution import resolve
from tests.village import towns

SEEDS = st.integers(0, 10**9)
CHANGES = 40


def some_ballot(random: Random, living: str) -> Ballot | None:
    """Mostly plain votes and endorsements, so that a majority comes into reach and goes out of it."""
    turn = random.random()
    if turn < 0.3:
        return For(random.choice(living[:3]))
    if turn < 0.6:
        return Endorse(random.choice(living))
    return None if turn < 0.65 else towns.ballot(random, living)


def news(random: Random, town: Town) -> Town:
    """The clock moves, or a death, a side or a fact becomes public; sometimes nothing does."""
    turn = random.random()
    if turn < 0.5:
        return replace(town, now=town.now + random.randint(0, 4))
    if turn < 0.6 and len(town.living) > 3:
        gone = random.choice(town.living)
        living = tuple(who for who in town.living if who != gone)
        return replace(town, living=living, dead=(*town.dead, gone))
    if turn < 0.8:
        told = {random.choice(town.living): random.choice(("werewolf", "villager"))}
        return replace(town, disclosed={**town.disclosed, **told})
    return replace(town, facts={**town.facts, "q": random.random() < 0.5})


def crowd(random: Random) -> tuple[Town, dict[str, Ballot]]:
    """A town of thirty or more, in which somebody is always near a majority."""
    living = "".join(chr(0x100 + seat) for seat in range(random.randint(30, 50)))
    return towns.record(random, living), {who: crowded(random, living) for who in living}


def crowded(random: Random, living: str) -> Ballot:
    """A ballot for one of three rivals, outright or if numbers of votes, or some votes, are as they may well be."""
    size = len(living)
    rival = living[random.choice((0, 0, 0, 0, 1, 1, 2))]
    turn = random.random()
    if turn < 0.55:
        return For(rival)
    if turn < 0.7:
        return Endorse(random.choice(living))
    number = int(random.gauss(0.45 * size, 0.1 * size))
    others = random.random() < 0.2
    condition = random.choice((
        Count(living[random.randrange(2)], random.choice(towns.OPERATORS), number, others),
        Count(living[random.randrange(2)], ">=", number, others), Votes(random.choice(living), rival),
        Leads(rival, random.random() < 0.5, others), More(living[0], living[1], others),
        Cast(random.choice((">=", "<")), int(0.9 * size), others), towns.condition(random, living),
    ))
    other = random.choice((Nobody(), For(living[random.randrange(3)]), Endorse(random.choice(living))))
    return If(condition, For(rival), other) if turn < 0.95 else FirstOf((other, For(rival)))


@given(SEEDS)
def test_who_is_lynched_after_every_change(seed: int) -> None:
    """The same as by the definition, whether or not the table was looked at before."""
    for found, expected in follow(seed, note):
        assert found == expected


def follow(seed: int, tell: Callable[[str], object]) -> Iterator[tuple[object, object]]:
    """Move a town of this *seed* by `CHANGES` changes; after each, give what was found and what the definition says.

    That is who is lynched, and sometimes the whole table; *tell* is told of the town first.
    """
    random = Random(seed)
    crowds = random.random() < 0.25
    town, ballots = crowd(random) if crowds else towns.town(random, 12, 3)
    town = replace(town, own_votes=random.random() < 0.2)
    standing = Standing(town, ballots)
    for _ in range(CHANGES):
        who = random.choice(standing.town.living)
        if random.random() < (0.02 if crowds else 0.1):
            standing.move(news(random, standing.town))
        else:
            now = standing.town.now + random.randint(0, 2)
            living = "".join(standing.town.living)
            standing.cast(who, (crowded if crowds else some_ballot)(random, living), now)
        tell(f"{standing.town} {standing.ballots}")
        expected = resolve(standing.town, standing.ballots)
        yield standing.lynched, expected.lynched
        if random.random() < 0.3:
            yield standing.table, expected


@given(SEEDS)
def test_a_roll_kept_is_a_roll_written_anew(seed: int) -> None:
    """Nothing is left behind by what was taken back."""
    for kept, anew in kept_as_anew(seed):
        assert kept == anew


def kept_as_anew(seed: int) -> Iterator[tuple[object, object]]:
    """Give what compiled ballots of a town of this *seed* hold after `CHANGES` changes each, and what new ones do."""
    random = Random(seed)
    town, ballots = towns.town(random, 12, 3)
    living = "".join(town.living)
    kept = CompiledBallots(town, ballots)
    for _ in range(CHANGES):
        who = random.randrange(len(living))
        ballot = some_ballot(random, living)
        kept.put(who, ballot)
        ballots.pop(living[who], None)
        if ballot is not None:
            ballots[living[who]] = ballot
        anew = CompiledBallots(town, ballots)
        yield kept.unconditional(), anew.unconditional()
        yield (kept.codes, kept.leaves), (anew.codes, anew.leaves)
        yield (kept.names, kept.hears), (anew.names, anew.hears)


def test_who_is_no_townsperson_moves_nothing() -> None:
    """However often e votes, and whatever was cast for em before, nobody is nearer to a majority."""
    standing = Standing(Town(tuple("ABC"), ("D",)), {"D": For("A"), "A": For("B")})
    for who, ballot in (("D", For("B")), ("E", For("B")), ("E", For("C")), ("E", For("B")), ("D", Endorse("A")),
                        ("D", For("B")), ("E", None), ("E", For("B")), ("D", If(Votes("A", "B"), For("B")))):
        standing.cast(who, ballot)
        assert standing.lynched is None
        assert standing.table == resolve(standing.town, standing.ballots)
    standing.cast("C", For("B"))
    assert standing.lynched == "B"


def test_rings_open_and_close() -> None:
    """A ring is null, and so are those who hang on it; whoever leaves it takes all along."""
    town = Town(tuple("ABCDEFG"))
    standing = Standing(town, {who: Endorse(whom) for who, whom in zip("ABCD", "BCAA", strict=True)})
    assert set(standing.compiled.unconditional().values.values()) == {None}
    ballots: tuple[Ballot, ...] = (For("G"), Endorse("D"), Nobody())
    found = []
    for ballot in ballots:
        standing.cast("B", ballot)
        found.append((standing.lynched, standing.table.statuses["A"]))
    assert found == [("G", "determined"), (None, "circular"), (None, "determined")]


def test_conditions_on_time_are_looked_at_when_their_instant_comes() -> None:
    """Not before, and again when the clock is put back."""
    standing = Standing(Town(("A", "B", "C")), {"A": If(After(5), For("C")), "B": For("C")})
    assert standing.instants == {"A": {5}}
    found = []
    for now in (4, 5, 9, 4):
        standing.move(replace(standing.town, now=now))
        found.append(standing.lynched)
    assert found == [None, "C", "C", None]
    assert standing.table.values == {"A": None, "B": "C", "C": None}
    standing.move(replace(standing.town, now=6))
    assert standing.table.values == {"A": "C", "B": "C", "C": None}
