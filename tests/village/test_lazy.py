"""Votes moved by changes, by either roll, against full resolution after each change (NC 3).

NOMICWOLF_EXAMPLES scales the number of towns: a hundred have 4,000 changes.
`tests.village.million` does the same for a million.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from nomicwolf.village.ballots import After, Ballot, Endorse, For, If, Nobody, Votes
from nomicwolf.village.lazy import LazyRoll
from nomicwolf.village.resolution import resolve
from nomicwolf.village.roll import Roll
from nomicwolf.village.standing import Standing
from nomicwolf.village.town import Town
from tests.village import towns

SEEDS = st.integers(0, 10**9)
CHANGES = 40


class WalkingRoll(LazyRoll):
    """One that never finds all firm votes anew."""

    walk = 0


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


@pytest.mark.parametrize("kind", [Roll, LazyRoll, WalkingRoll])
@given(SEEDS)
def test_who_is_lynched_after_every_change(kind: type[Roll], seed: int) -> None:
    """The same as by the definition, whether or not the table was looked at before."""
    follow(kind, seed, note)


def follow(kind: type[Roll], seed: int, tell: Callable[[str], object]) -> None:
    """Move a town of this *seed* by `CHANGES` changes, and look at it after each; *tell* is told of it first."""
    random = Random(seed)
    town, ballots = towns.town(random, 12, 3)
    town = replace(town, own_votes=random.random() < 0.2)
    standing = Standing(town, ballots, kind)
    for _ in range(CHANGES):
        who = random.choice(standing.town.living)
        if random.random() < 0.1:
            standing.move(news(random, standing.town))
        else:
            now = standing.town.now + random.randint(0, 2)
            standing.cast(who, some_ballot(random, "".join(standing.town.living)), now)
        tell(f"{standing.town} {standing.ballots}")
        expected = resolve(standing.town, standing.ballots)
        assert standing.lynched == expected.lynched
        if random.random() < 0.3:
            assert standing.table == expected


@given(SEEDS)
def test_a_roll_kept_is_a_roll_written_anew(seed: int) -> None:
    """Firm votes, their counts and what is in reach: nothing is left behind by what was taken back."""
    random = Random(seed)
    town, ballots = towns.town(random, 12, 3)
    living = "".join(town.living)
    kept = WalkingRoll(town, ballots)
    for _ in range(CHANGES):
        who = random.randrange(len(living))
        ballot = some_ballot(random, living)
        ballots.pop(living[who], None)
        if ballot is not None:
            ballots[living[who]] = ballot
        kept.put(who, ballot)
        anew = LazyRoll(town, ballots)
        for part in ("firm", "counts", "source", "reach", "levels", "top", "anyone", "low", "value", "says", "codes"):
            assert getattr(kept, part) == getattr(anew, part), part


def test_what_no_condition_can_change_is_known_without_a_table() -> None:
    """Two firm votes and one loose one of seven are no majority; with one more they may be; four firm ones are."""
    town = Town(tuple("ABCDEFG"))
    standing = Standing(town, kind=LazyRoll)
    for who in "AB":
        standing.cast(who, For("G"))
    standing.cast("C", If(Votes("D", "E"), For("G")))
    found = []
    for who, ballot in (("D", For("E")), ("E", Endorse("C")), ("F", For("G")), ("C", For("G"))):
        standing.cast(who, ballot)
        found.append((standing.roll.sure(), standing.lynched))
    assert found == [(-1, None), (None, "G"), (None, "G"), (6, "G")]


def test_rings_open_and_close() -> None:
    """A ring is null, and so are those who hang on it; whoever leaves it takes all along."""
    town = Town(tuple("ABCDEFG"))
    standing = Standing(town, {who: Endorse(whom) for who, whom in zip("ABCD", "BCAA", strict=True)}, LazyRoll)
    assert standing.roll.settled()[0] == [-1] * 7
    ballots: tuple[Ballot, ...] = (For("G"), Endorse("D"), Nobody())
    found = []
    for ballot in ballots:
        standing.cast("B", ballot)
        found.append((standing.lynched, standing.roll.sure(), standing.table.statuses["A"]))
    assert found == [("G", 6, "determined"), (None, -1, "circular"), (None, -1, "determined")]


def test_conditions_on_time_are_looked_at_when_their_instant_comes() -> None:
    """Not before, and again when the clock is put back."""
    standing = Standing(Town(("A", "B", "C")), {"A": If(After(5), For("C")), "B": For("C")}, LazyRoll)
    assert standing.instants == {"A": {5}}
    found = []
    for now in (4, 5, 9, 4):
        standing.move(replace(standing.town, now=now))
        found.append(standing.lynched)
    assert found == [None, "C", "C", None]
    assert standing.changes() == {"B": (None, "C")}
    standing.move(replace(standing.town, now=6))
    assert standing.changes() == {"A": (None, "C")}
