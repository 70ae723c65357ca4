"""The resolution on its own: statuses, counts, sizes that do no harm, pins, changes (NC 3)."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.village.ballots import (
    After,
    Alike,
    And,
    AsOfNow,
    Ballot,
    Before,
    Cast,
    Condition,
    Copy,
    Count,
    Endorse,
    FirstOf,
    Fixed,
    For,
    If,
    Leads,
    Nobody,
    Not,
    Or,
    Votes,
    Was,
    ballot_text,
)
from nomicwolf.village.day_replay import Standing
from nomicwolf.village.explaining import explain
from nomicwolf.village.resolution import has_pins, pin, resolve, thresholds, truth
from nomicwolf.village.town import Town
from tests.tables import each
from tests.village import oracle, towns

pytestmark = pytest.mark.slow

TOWN = Town(("A", "B", "C", "D", "E"), dead=("Z",))


def nested(depth: int, condition: Condition) -> Condition:
    """*condition* under *depth* times *not*."""
    for _ in range(depth):
        condition = Not(condition)
    return condition


def deep(depth: int) -> Ballot:
    """A ballot with *depth* conditions, each in the last one's otherwise and first option."""
    ballot: Ballot = For("B")
    for _ in range(depth):
        ballot = FirstOf((If(Votes("B", None), ballot, Endorse("C")), For("D")))
    return ballot


def tangled(depth: int) -> Condition:
    """*and* and *or* in each other."""
    condition: Condition = Votes("B", "C")
    for level in range(depth):
        parts = (condition, Votes("C", "D"), Not(condition) if level == 0 else Leads("D"))
        condition = And(parts) if level % 2 else Or(parts)
    return condition


@each("ballot", [
    If(nested(900, Votes("B", "C")), For("C")),
    If(nested(5001, Votes("A", "C")), For("C")),
    If(Or(tuple(Votes("B", name) for name in "CDE" * 17_000)), For("C")),
    If(And(tuple(Not(Votes("A", name)) for name in "CDE" * 17_000)), For("C"), Endorse("B")),
    If(AsOfNow(nested(3000, Was("B", "werewolf"))), For("C")),
    deep(2000),
    If(tangled(3000), For("C")),
])
def test_size_does_no_harm(ballot: Ballot) -> None:
    """However deep or wide: resolved, pinned, explained and written without a RecursionError."""
    ballots = {"A": ballot, "B": If(Votes("A", "C"), For("D"), For("C")), "C": For("D")}
    table = resolve(TOWN, ballots)

    assert pin(ballot, TOWN, table, "A") is not None
    assert explain(TOWN, ballots, table, "A")
    assert len(ballot_text(ballot)) > 1000
    assert thresholds(ballot) == frozenset()


def test_a_chain_of_endorsements_may_be_long() -> None:
    """20,000 townspersons in a row, and in a ring."""
    names = tuple(f"P{number}" for number in range(20_000))
    row: dict[str, Ballot] = {one: Endorse(other) for one, other in itertools.pairwise(names)}
    table = resolve(Town(names), {**row, names[-1]: For("P0")})
    assert (table.lynched, table.counts["P0"]) == ("P0", len(names) - 1)
    ring = resolve(Town(names), {**row, names[-1]: Endorse("P0")})
    assert set(ring.statuses.values()) == {"circular"}


def test_long_negation_circles_are_told_apart() -> None:
    """An odd circle is a paradox, an even one merely circular, at any length."""
    for size, status in ((501, "paradox"), (500, "circular")):
        names = tuple(f"P{number}" for number in range(size))
        ballots: dict[str, Ballot] = {
            who: If(Votes(names[at - 1], "P9" if at != 10 else "P8"), Nobody(), For("P9" if at != 9 else "P8"))
            for at, who in enumerate(names)
        }
        assert set(resolve(Town(names), ballots).statuses.values()) == {status}


def test_counts_are_most_first_then_by_seat() -> None:
    """Only those who have votes."""
    table = resolve(TOWN, {"A": For("C"), "B": For("A"), "C": For("A"), "D": For("B"), "E": Nobody()})
    assert list(table.counts.items()) == [("A", 2), ("B", 1), ("C", 1)]
    assert (table.majority, table.lynched) == (3, None)


def test_ballots_of_others_count_for_nothing() -> None:
    """The dead and strangers have the null vote."""
    table = resolve(TOWN, {"Z": For("A"), "Q": For("A"), "B": Endorse("Q")})
    assert table.counts == {}
    assert "Z" not in table.values


@given(st.integers(0, 10**9))
def test_changes_are_what_changed(seed: int) -> None:
    """A standing moved by changes ends where full resolution does, and names every changed vote."""
    random = Random(seed)
    town, _ballots = towns.town(random, 8)
    standing = Standing(town)
    for _ in range(10):
        who = random.choice(town.living)
        cast = towns.ballot(random, "".join(town.living)) if random.random() < 0.9 else None
        before = dict(standing.table.values)
        standing.cast(who, cast)
        changes = standing.changes()
        after = resolve(town, standing.ballots)
        assert standing.table == after
        assert changes == {v: (before[v], new) for v, new in after.values.items() if before[v] != new}


@given(st.integers(0, 10**9))
def test_truth_on_the_table_is_the_oracle_s(seed: int) -> None:
    """What a pinned condition comes to when it is cast."""
    random = Random(seed)
    town, ballots = towns.town(random, 6)
    table = resolve(town, ballots)
    for _ in range(10):
        condition = towns.condition(random, "".join(town.living))
        who = random.choice(town.living)
        found = {oracle.sure(town, condition, table.values, who, secret) for secret in (False, True)}
        known = truth(condition, town, table, who)
        assert known in found if known is not None else True
        assert known is not None or has_secret(condition)


def has_secret(condition: Condition) -> bool:
    """Whether something in it can be unknown."""
    return any(word in repr(condition) for word in ("Was(", "Fact(", "AsOfNow("))


def test_pins_settle_what_is_public_when_cast() -> None:
    """``copy`` and ``as of now``; what nobody could know stays open for ever, even when disclosed."""
    ballots: dict[str, Ballot] = {"B": For("C")}
    table = resolve(TOWN, ballots)

    assert pin(Copy("B"), TOWN, table, "A") == For("C")
    assert pin(Copy("C"), TOWN, table, "A") == Nobody()
    assert pin(If(Not(AsOfNow(Votes("B", "C"))), For("D")), TOWN, table, "A") == If(Not(Fixed(True)), For("D"))
    assert pin(If(AsOfNow(After(5)), For("D")), TOWN, table, "A") == If(Fixed(False), For("D"))
    unknown = If(AsOfNow(Was("B", "werewolf")), For("D"), For("E"))
    assert pin(unknown, TOWN, table, "A") == unknown
    later = Town(TOWN.living, disclosed={"B": "werewolf"})
    told = resolve(later, {"A": pin(unknown, TOWN, table, "A")})
    assert (told.values["A"], told.statuses["A"]) == (None, "secret")
    assert resolve(later, {"A": If(AsOfNow(Was("B", "werewolf")), For("D"), For("D"))}).values["A"] == "D"


def test_my_own_vote_when_pinned_is_the_one_before() -> None:
    """A count "not counting my own vote" leaves out the vote that the caster had."""
    table = resolve(TOWN, {"A": For("C"), "B": For("C")})
    others = AsOfNow(Count("C", ">=", 2, others=True))
    assert pin(If(others, For("D")), TOWN, table, "A") == If(Fixed(False), For("D"))
    assert pin(If(others, For("C")), TOWN, table, "D") == If(Fixed(True), For("C"))
    assert pin(If(AsOfNow(Cast(">=", 2, others=True)), For("C")), TOWN, table, "Q") == If(Fixed(True), For("C"))
    assert not has_pins(If(Votes("A", "B"), For("C")))


def test_thresholds_are_the_instants_that_are_named() -> None:
    """Not those inside ``as of now``: they were looked at when it was cast."""
    pinned = If(AsOfNow(After(11)), For("B"))
    ballot = If(And((After(5), Not(Before(7)))), FirstOf((If(After(9), For("B")), For("C"))), pinned)
    assert thresholds(ballot) == {5, 7, 9}


def test_secrets_give_nothing_away() -> None:
    """The same table, reasons and words whatever the hidden truth is: it is not even an argument of anything."""
    ballot = If(Or((Was("B", "werewolf"), Alike("C", "D"))), For("B"), Nobody())
    table = resolve(TOWN, {"A": ballot, "C": For("D")})
    assert explain(TOWN, {"A": ballot, "C": For("D")}, table, "A") == (
        "A's vote counts as null: not everyone can know whether B was a werewolf (NC 3)",
    )


@each("whom", ["", "?", "Z", "nobody there", "A"])
def test_votes_for_whom_nobody_may_vote_are_null(whom: str) -> None:
    """Strangers, the dead and oneself, outright and endorsed from either side: none counts, and A's is invalid."""
    table = resolve(TOWN, {"B": Endorse("A"), "A": For(whom), "C": Endorse("D"), "D": Endorse(whom), "E": For("B")})

    assert table.values == {**dict.fromkeys("ABCD"), "E": "B"}
    assert table.counts == {"B": 1}
    assert table.statuses["A"] == "invalid"


@each(("ballot", "status"), [
    (FirstOf((Nobody(), Nobody(), For("A"))), "invalid"), (FirstOf((For("A"), Nobody(), Endorse("E"))), "determined"),
    (FirstOf((For("A"), For("Z"), Nobody())), "determined"), (FirstOf(()), "determined"),
    (If(Votes("B", "C"), For("A"), Nobody()), "invalid"), (If(Votes("B", "C"), Nobody(), For("A")), "determined"),
    (If(Votes("B", "D"), For("A"), Nobody()), "determined"), (If(Votes("B", "D"), Nobody(), For("A")), "invalid"),
    (If(Was("Z", "werewolf"), For("A"), Nobody()), "determined"), (If(Fixed(True), For("A"), Nobody()), "invalid"),
    (If(Fixed(False), For("A"), Nobody()), "determined"), (Endorse("D"), "invalid"), (Endorse("E"), "determined"),
    (If(Votes("B", "C"), Endorse("D"), Nobody()), "invalid"), (For("A"), "invalid"), (For("Z"), "invalid"),
    (If(Votes("B", "C"), Endorse("E"), For("A")), "determined"),
])
def test_a_null_vote_is_told_by_the_part_that_it_comes_to(ballot: Ballot, status: str) -> None:
    """NC 3, D-N5: a vote for oneself or for nobody living is invalid; nobody, or somebody's null vote, is no fault."""
    table = resolve(TOWN, {"A": ballot, "B": For("C"), "D": For("A")})

    assert (table.values["A"], table.statuses["A"]) == (None, status)


def test_votes_for_oneself_count_where_they_may() -> None:
    """D-N5, D-T23: plain, by a condition or by way of another who says so; elsewhere all of them are null."""
    ballots: dict[str, Ballot] = {
        "A": For("A"), "B": Endorse("A"), "C": If(Votes("E", None), For("C"), Nobody()), "D": Endorse("C")}

    assert resolve(TOWN, ballots).values == dict.fromkeys("ABCDE")
    table = resolve(replace(TOWN, own_votes=True), ballots)
    assert table.values == {"A": "A", "B": "A", "C": "C", "D": "C", "E": None}
    assert table.counts == {"A": 2, "C": 2}


@pytest.mark.parametrize("ballot", [
    Endorse("B"), If(Votes("C", None), Endorse("B")), FirstOf((Endorse("C"), Endorse("B"))),
    If(Votes("C", None), If(Votes("D", None), Endorse("B")), For("E")),
])
def test_an_endorsement_may_come_to_oneself_where_one_may_vote_so(ballot: Ballot) -> None:
    """D-N5, D-T23: by a condition or as a fall-back, too, while the one whom C hangs on is still open."""
    ballots: dict[str, Ballot] = {"A": ballot, "B": For("A"), "C": If(Votes("B", "C"), For("B"))}

    assert resolve(TOWN, ballots).values["A"] is None
    assert resolve(replace(TOWN, own_votes=True), ballots).values["A"] == "A"


@each(("ballots", "circular"), [
    ({"A": If(Votes("C", "D"), Endorse("B"), Nobody()), "B": Endorse("A"), "C": For("D")}, "AB"),
    ({"A": If(Votes("C", "D"), Nobody(), Endorse("B")), "B": Endorse("A"), "C": For("D")}, ""),
    ({"A": If(Votes("C", "E"), Endorse("B"), Nobody()), "B": Endorse("A"), "C": For("D")}, ""),
    ({"A": FirstOf((Endorse("C"), Endorse("B"))), "B": Endorse("A")}, "AB"),
    ({"A": FirstOf((Endorse("B"), Endorse("C"))), "B": Endorse("A")}, "AB"),
    ({"A": FirstOf((Nobody(), Endorse("C"))), "B": Endorse("A"), "C": Nobody()}, ""),
])
def test_a_ring_is_of_those_parts_that_ballots_come_to(ballots: dict[str, Ballot], circular: str) -> None:
    """NC 3: who endorses whom as things stand, not in a branch that is not taken."""
    table = resolve(TOWN, ballots)

    assert [who for who in TOWN.living if table.statuses[who] == "circular"] == list(circular)
    assert {who: status for who, status in table.statuses.items() if status in ("circular", "paradox", "secret")} == (
        oracle.resolve(TOWN, ballots)[1])


def test_counts_of_one_size_stand_in_the_order_of_seats() -> None:
    """Most first; among equals by seat, whatever the names, with conditions and without."""
    town = Town(("D", "A", "C", "B", "E"))
    plain: dict[str, Ballot] = {"A": For("B"), "B": For("C"), "C": For("A"), "D": For("E"), "E": For("B")}
    for ballots in (plain, {**plain, "A": If(Votes("B", "C"), For("B"), Nobody())}):
        assert list(resolve(town, ballots).counts.items()) == [("B", 2), ("A", 1), ("C", 1), ("E", 1)]


def test_circles_may_ask_for_one_who_can_get_no_more_votes() -> None:
    """Whether C is level with D, who has one vote for sure, hangs on A's and B's votes: no other may move it."""
    level = If(Leads("C", tied=True), For("C"), Nobody())
    table = resolve(TOWN, {"A": level, "B": level, "E": For("D")})

    assert (table.counts, table.statuses["A"], table.statuses["B"]) == ({"D": 1}, "circular", "circular")


def test_circles_that_lean_on_no_other_are_settled_before_those_that_do() -> None:
    """Three circles, two of them at the bottom; the third is none any more when these are null. By any seats."""
    ballots: dict[str, Ballot] = {
        "A": If(Votes("A", "C"), For("C"), Nobody()), "B": If(Votes("B", "C"), Nobody(), For("C")),
        "C": If(And((Votes("A", None), Or((Votes("D", "E"), Votes("B", None))))), For("E"), Nobody()),
        "D": If(Votes("C", "E"), For("E"), Nobody()),
    }
    for seats in itertools.permutations("ABCDE"):
        table = resolve(Town(seats), ballots)
        assert table.values == {"A": None, "B": None, "C": "E", "D": "E", "E": None}
        assert (table.statuses["A"], table.statuses["B"]) == ("circular", "paradox")
