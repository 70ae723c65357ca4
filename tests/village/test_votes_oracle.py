"""The resolution against the definition, executed by brute force; and what must hold of any resolution (NC 3).

NOMICWOLF_EXAMPLES scales the generated ones.

`test_standing` says the same of towns at random; here each case takes hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from nomicwolf.village.ballots import Ballot, Condition, Count, Endorse, FirstOf, For, If, More, Nobody, Town, Votes
from nomicwolf.village.day_replay import Standing
from nomicwolf.village.resolution import Table, resolve
from nomicwolf.village.settling import components
from tests.tables import each
from tests.village import oracle, towns
from tests.village.test_standing import follow


def renamed(town: Town, ballots: Mapping[str, Ballot], names: Mapping[str, str]) -> tuple[Town, dict[str, Ballot]]:
    """*town* and *ballots* with everyone called by eir new name; the new names sit in alphabetical order."""
    disclosed = {names.get(who, who): side for who, side in town.disclosed.items()}
    new = replace(town, living=tuple(sorted(names.values())), disclosed=disclosed)
    return new, {names[voter]: tree(ballot, names) for voter, ballot in ballots.items()}


def tree(part: Any, names: Mapping[str, str]) -> Any:
    """A ballot or condition with its names replaced."""
    if isinstance(part, tuple):
        return tuple(tree(one, names) for one in part)
    if is_dataclass(part) and not isinstance(part, type):
        return type(part)(*(tree(getattr(part, field.name), names) for field in fields(part)))
    return names.get(part, part) if isinstance(part, str) else part


SEEDS = st.integers(0, 10**9)
STUCK = ("circular", "paradox", "secret")


def flags(table: Table) -> dict[str, str]:
    """Who could not be determined, and why."""
    return {voter: status for voter, status in table.statuses.items() if status in STUCK}


def resolved(town: Town, ballots: Mapping[str, Ballot]) -> tuple[dict[str, str | None], dict[str, str]]:
    """The votes, and why those are null that are, in the form of the oracle."""
    table = resolve(town, ballots)
    return dict(table.values), flags(table)


def small_language(town: Town, me: str) -> list[Ballot]:
    """Every ballot over a small language, about *town*, for *me*."""
    first, second = town.living[:2]
    plain: list[Ballot] = [Nobody(), *(For(who) for who in town.living if who != me)]
    values = [*plain, *(Endorse(who) for who in town.living)]
    atoms: list[Condition] = [
        Votes(first, second), Votes(second, first), Votes(first, None), Votes(second, None), Count(first, ">=", 1),
        Count(second, ">=", 1), Count(second, "<", 2, others=True), More(first, second), More(second, first),
    ]
    chosen: list[Ballot] = [If(c, one, other) for c in atoms for one in values for other in values if one != other]
    return [*values, *chosen, *(FirstOf((one, other)) for one in values for other in values if one != other)]


@pytest.mark.slow
def test_every_town_of_two_voters_over_a_small_language() -> None:
    """All pairs of ballots: the resolution is the definition's."""
    town = Town(("A", "B"))
    for one, other in product(small_language(town, "A"), small_language(town, "B")):
        ballots = {"A": one, "B": other}
        assert resolved(town, ballots) == oracle.resolve(town, ballots)


@pytest.mark.slow
@given(SEEDS)
def test_towns_of_three_voters_over_a_small_language(seed: int) -> None:
    """A sample of the many millions."""
    random, town = Random(seed), Town(("A", "B", "C"))
    languages = [small_language(town, voter) for voter in town.living]
    for _ in range(20):
        ballots = {voter: random.choice(language) for voter, language in zip(town.living, languages, strict=True)}
        assert resolved(town, ballots) == oracle.resolve(town, ballots)


@pytest.mark.slow
@given(SEEDS)
def test_towns_of_up_to_five_with_a_public_record(seed: int) -> None:
    """Dead names, hidden and disclosed sides, facts, times, counts with and without one's own vote."""
    random = Random(seed)
    for town, ballots in [*(towns.town(random, 4) for _ in range(8)), towns.town(random, 5, 5)]:
        assert resolved(town, ballots) == oracle.resolve(town, ballots)


@pytest.mark.slow
@given(SEEDS)
def test_towns_in_which_some_votes_count_twice_or_not_at_all(seed: int) -> None:
    """Conditions, leads, majorities and circles: all by how many votes there are, not by how many voters."""
    random = Random(seed)
    for plain, ballots in (towns.town(random, 4) for _ in range(8)):
        weighed = random.sample(plain.living, random.randint(1, 2))
        town = replace(plain, weights=dict(zip(weighed, random.choice(((0,), (2,), (3,), (0, 2), (0, 0), (2, 2))),
                                               strict=False)))
        note(repr((town, ballots)))
        votes, stuck = oracle.resolve(town, ballots)
        table = resolve(town, ballots)
        assert (dict(table.values), flags(table)) == (votes, stuck)
        counts = {who: sum(town.weights.get(voter, 1) for voter, vote in votes.items() if vote == who)
                  for who in town.living}
        assert dict(table.counts) == {who: number for who, number in counts.items() if number}
        voters = sum(town.weights.get(who, 1) > 0 for who in town.living)
        assert table.lynched == next((who for who in table.counts if counts[who] > voters / 2), None)


@pytest.mark.slow
@given(SEEDS)
def test_the_order_in_which_circles_are_taken_does_not_matter(seed: int) -> None:
    """Any schedule of collapses leads to the one result: the oracle is no matter of its own order either."""
    random = Random(seed)
    town, ballots = towns.town(random, 4, 3)
    expected = oracle.resolve(town, ballots)
    for _ in range(3):
        some = oracle.resolve(town, ballots, lambda found: random.sample(found, random.randint(1, len(found))))
        assert some == expected


@pytest.mark.slow
@given(SEEDS)
def test_faithful_to_the_published_table(seed: int) -> None:
    """Every vote that was determined is what its ballot says of the final table, whatever the secrets are."""
    town, ballots = towns.town(Random(seed), 12)
    table = resolve(town, ballots)
    note(repr((town, ballots)))
    for voter, ballot in ballots.items():
        if table.statuses[voter] not in STUCK:
            for secret in (False, True):
                assert oracle.value(town, ballot, table.values, voter, secret) == table.values[voter]


@pytest.mark.slow
@given(SEEDS)
def test_conservative_and_shown_to_all(seed: int) -> None:
    """What could not be determined is null, for the counts too; what strong Kleene settles alone is never changed."""
    town, ballots = towns.town(Random(seed), 4)
    table = resolve(town, ballots)
    folded = {voter: oracle.fold(town, ballots.get(voter, Nobody()), voter) for voter in town.living}
    ground = oracle.ground(town, folded, oracle.start(town, folded))
    for voter, may in ground.items():
        assert len(may) > 1 or table.values[voter] in may
    assert all(table.values[voter] is None for voter in flags(table))
    cast = [vote for vote in table.values.values() if vote]
    assert dict(table.counts) == {who: cast.count(who) for who in town.living if who in cast}


@pytest.mark.slow
@given(SEEDS)
def test_neutral(seed: int) -> None:
    """Renaming the townspersons renames the result, and so does seating them in another order."""
    random = Random(seed)
    town, ballots = towns.town(random, 9)
    table = resolve(town, ballots)
    names = dict(zip(town.living, random.sample(town.living, len(town.living)), strict=True))
    other, cast = renamed(town, ballots, names)
    new = resolve(other, cast)
    assert {names[voter]: names.get(vote or "") for voter, vote in table.values.items()} == dict(new.values)
    assert {names[voter]: status for voter, status in table.statuses.items()} == dict(new.statuses)
    assert table.lynched is None or new.lynched == names[table.lynched]


@pytest.mark.slow
@each("seats", [list(order) for order in permutations("ABCD")])
def test_seats_decide_nothing(seats: list[str]) -> None:
    """One town with two circles and a secret, in every order of seats."""
    ballots: dict[str, Ballot] = {
        "A": If(Votes("B", None), For("D"), Endorse("B")), "B": Endorse("A"),
        "C": If(Votes("D", "A"), For("A"), Nobody()), "D": FirstOf((Endorse("C"), For("A"))),
    }
    assert dict(resolve(Town(tuple(seats)), ballots).values) == {"A": None, "B": None, "C": "A", "D": "A"}


@pytest.mark.slow
@given(SEEDS)
def test_fixing_every_vote_at_its_value_changes_nothing(seed: int) -> None:
    """Idempotent: the table, cast as plain votes, is its own result."""
    town, ballots = towns.town(Random(seed), 12)
    values = resolve(town, ballots).values
    fixed: dict[str, Ballot] = {voter: For(vote) if vote else Nobody() for voter, vote in values.items()}
    assert resolve(town, fixed).values == values


@pytest.mark.slow
@given(SEEDS)
def test_a_stranger_s_paradox_is_eir_own(seed: int) -> None:
    """Local: a liar of whom nobody speaks changes nobody else's vote."""
    random = Random(seed)
    living = "ABCD"
    ballots = {who: If(Votes(random.choice(living), random.choice(living)), For(random.choice(living)),
                       towns.ballot(random, living, 2)) for who in living}
    town = Town((*living, "L"))
    plain = resolve(town, {**ballots, "L": Nobody()})
    liar = resolve(town, {**ballots, "L": If(Votes("L", None), For("A"))})
    assert liar.values == plain.values
    assert liar.statuses["L"] == "paradox"


@each("seed", range(12))
def test_a_town_moved_by_changes(seed: int) -> None:
    """Who is lynched after each of forty changes is who would be by full resolution."""
    for found, expected in follow(seed, lambda _: None):
        assert found == expected


@each("seed", range(40))
def test_a_town_resolved(seed: int) -> None:
    """What each ballot comes to is what the definition says, computed without any cleverness."""
    town, ballots = towns.town(Random(seed), 4)

    assert resolved(town, ballots) == oracle.resolve(town, ballots)


@each("seed", range(40, 52))
def test_a_town_resolved_in_a_crowd(seed: int) -> None:
    """So it is where fifty-five more live, of whom no one votes."""
    town, ballots = towns.town(Random(seed), 4)

    crowd = replace(town, living=(*town.living, *(f"P{number}" for number in range(55))))
    assert resolved(crowd, ballots) == oracle.resolve(crowd, ballots)


def reached(edges: dict[int, list[int]], node: int) -> set[int]:
    """Whom *node* points to, by any number of steps."""
    found: set[int] = set()
    todo = [node]
    while todo:
        new = [other for other in edges.get(todo.pop(), ()) if other not in found]
        found.update(new)
        todo += new
    return found


@each("seed", range(30))
def test_circles_are_found_bottom_first(seed: int) -> None:
    """Tarjan 1972: those who reach one another are together, after all that they point to; a lone node is one, too."""
    random = Random(seed)
    n = random.randint(1, 14)
    edges = {node: [random.randrange(n + 2) for _ in range(random.randint(0, 2))] for node in range(n)}
    found = components(edges)
    assert sorted(node for part in found for node in part) == sorted(set(edges).union(*edges.values()))
    before: set[int] = set()
    for part in found:
        for node in part:
            to = reached(edges, node)
            assert {other for other in to if node in reached(edges, other)} | {node} == set(part)
            assert to <= before | set(part)
        before |= set(part)


def test_a_long_circle_behind_a_long_path_is_one() -> None:
    """However many wait above it."""
    edges = {node: [node + 1] for node in range(40)} | {40: [20]}

    assert [len(part) for part in components(edges)] == [21, *[1] * 20]
    assert set(components(edges)[0]) == set(range(20, 41))


@each("seed", range(5))
def test_a_ballot_without_an_instant_is_cast_at_the_last_one(seed: int) -> None:
    """The clock moves with those that have one."""
    random = Random(seed)
    town, ballots = towns.town(random, 8, 4)
    standing = Standing(town, ballots)
    for turn in range(20):
        now = standing.town.now
        later = now + random.randint(0, 2) if turn % 2 else None
        standing.cast(random.choice(town.living), towns.ballot(random, "".join(town.living)), later)
        assert standing.town.now == (now if later is None else later)
