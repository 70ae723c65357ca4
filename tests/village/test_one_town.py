"""One small town after the other, always the same ones: quick to fail (NC 3).

`test_standing` says the same of towns at random; here each case takes hundredths of a second.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from nomicwolf.village.day_replay import Standing
from nomicwolf.village.settling import components
from tests.tables import each
from tests.village import oracle, towns
from tests.village.test_standing import follow, kept_as_anew
from tests.village.test_votes_oracle import resolved


@each("seed", range(12))
def test_a_town_moved_by_changes(seed: int) -> None:
    """Who is lynched after each of forty changes is who would be by full resolution."""
    for found, expected in follow(seed, lambda _: None):
        assert found == expected


@each("seed", range(8))
def test_a_roll_that_was_kept(seed: int) -> None:
    """A roll is the same, kept through forty changes or written anew."""
    for kept, anew in kept_as_anew(seed):
        assert kept == anew


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
def test_changes_are_those_since_they_were_last_asked_for(seed: int) -> None:
    """Whoever has told every change knows each vote; a ballot without an instant is cast at the last one."""
    random = Random(seed)
    town, ballots = towns.town(random, 8, 4)
    standing, told = Standing(town, ballots), dict[str, str | None]()
    for turn in range(20):
        for who, (before, after) in standing.changes().items():
            assert told.get(who) == before != after
            told[who] = after
        assert all(told.get(who) == vote for who, vote in standing.table.values.items())
        assert standing.changes() == {}
        now = standing.town.now
        later = now + random.randint(0, 2) if turn % 2 else None
        standing.cast(random.choice(town.living), towns.ballot(random, "".join(town.living)), later)
        assert standing.town.now == (now if later is None else later)
