"""The resolution on its own: statuses, counts, sizes that do no harm, pins, changes (NC 3)."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.odds import played_session
from nomicwolf.reports.vote_counts import count_of
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
    Town,
    Votes,
    Was,
    ballot_text,
)
from nomicwolf.village.day_replay import Standing
from nomicwolf.village.events import Announced, Counted, Lynched, Replaced, VotesWeighed
from nomicwolf.village.explaining import explain
from nomicwolf.village.resolution import has_pins, pin, resolve, thresholds, truth
from nomicwolf.village.role_file import RoleError, role_of, terms_of
from nomicwolf.village.rulesets import BUILT_IN, library, rules_with
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village import oracle, towns
from tests.village.test_library_blocks import Evening

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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_chain_of_endorsements_may_be_long() -> None:
    """20,000 townspersons in a row, and in a ring."""
    names = tuple(f"P{number}" for number in range(20_000))
    row: dict[str, Ballot] = {one: Endorse(other) for one, other in itertools.pairwise(names)}
    table = resolve(Town(names), {**row, names[-1]: For("P0")})
    assert (table.lynched, table.counts["P0"]) == ("P0", len(names) - 1)
    ring = resolve(Town(names), {**row, names[-1]: Endorse("P0")})
    assert set(ring.statuses.values()) == {"circular"}


@pytest.mark.slow
def test_long_negation_circles_are_told_apart() -> None:
    """An odd circle is a paradox, an even one merely circular, at any length."""
    for size, status in ((501, "paradox"), (500, "circular")):
        names = tuple(f"P{number}" for number in range(size))
        ballots: dict[str, Ballot] = {
            who: If(Votes(names[at - 1], "P9" if at != 10 else "P8"), Nobody(), For("P9" if at != 9 else "P8"))
            for at, who in enumerate(names)
        }
        assert set(resolve(Town(names), ballots).statuses.values()) == {status}


@pytest.mark.slow
def test_counts_are_most_first_then_by_seat() -> None:
    """Only those who have votes."""
    table = resolve(TOWN, {"A": For("C"), "B": For("A"), "C": For("A"), "D": For("B"), "E": Nobody()})
    assert list(table.counts.items()) == [("A", 2), ("B", 1), ("C", 1)]
    assert (table.majority, table.lynched) == (3, None)


@pytest.mark.slow
def test_ballots_of_others_count_for_nothing() -> None:
    """The dead and strangers have the null vote."""
    table = resolve(TOWN, {"Z": For("A"), "Q": For("A"), "B": Endorse("Q")})
    assert table.counts == {}
    assert "Z" not in table.values


@pytest.mark.slow
@given(st.integers(0, 10**9))
def test_a_standing_ends_where_full_resolution_does(seed: int) -> None:
    """Whatever it was moved by."""
    random = Random(seed)
    town, _ballots = towns.town(random, 8)
    standing = Standing(town)
    for _ in range(10):
        cast = towns.ballot(random, "".join(town.living)) if random.random() < 0.9 else None
        standing.cast(random.choice(town.living), cast)
        assert standing.table == resolve(town, standing.ballots)


@pytest.mark.slow
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
        assert known is not None or any(word in repr(condition) for word in ("Was(", "Fact(", "AsOfNow("))


@pytest.mark.slow
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


@pytest.mark.slow
def test_my_own_vote_when_pinned_is_the_one_before() -> None:
    """A count "not counting my own vote" leaves out the vote that the caster had."""
    table = resolve(TOWN, {"A": For("C"), "B": For("C")})
    others = AsOfNow(Count("C", ">=", 2, others=True))
    assert pin(If(others, For("D")), TOWN, table, "A") == If(Fixed(False), For("D"))
    assert pin(If(others, For("C")), TOWN, table, "D") == If(Fixed(True), For("C"))
    assert pin(If(AsOfNow(Cast(">=", 2, others=True)), For("C")), TOWN, table, "Q") == If(Fixed(True), For("C"))
    assert not has_pins(If(Votes("A", "B"), For("C")))


@pytest.mark.slow
def test_thresholds_are_the_instants_that_are_named() -> None:
    """Not those inside ``as of now``: they were looked at when it was cast."""
    pinned = If(AsOfNow(After(11)), For("B"))
    ballot = If(And((After(5), Not(Before(7)))), FirstOf((If(After(9), For("B")), For("C"))), pinned)
    assert thresholds(ballot) == {5, 7, 9}


@pytest.mark.slow
def test_secrets_give_nothing_away() -> None:
    """The same table, reasons and words whatever the hidden truth is: it is not even an argument of anything."""
    ballot = If(Or((Was("B", "werewolf"), Alike("C", "D"))), For("B"), Nobody())
    table = resolve(TOWN, {"A": ballot, "C": For("D")})
    assert explain(TOWN, {"A": ballot, "C": For("D")}, table, "A") == (
        "A's vote counts as null: not everyone can know whether B was a werewolf (NC 3)",
    )


@pytest.mark.slow
@each("whom", ["", "?", "Z", "nobody there", "A"])
def test_votes_for_whom_nobody_may_vote_are_null(whom: str) -> None:
    """Strangers, the dead and oneself, outright and endorsed from either side: none counts, and A's is invalid."""
    table = resolve(TOWN, {"B": Endorse("A"), "A": For(whom), "C": Endorse("D"), "D": Endorse(whom), "E": For("B")})

    assert table.values == {**dict.fromkeys("ABCD"), "E": "B"}
    assert table.counts == {"B": 1}
    assert table.statuses["A"] == "invalid"


@pytest.mark.slow
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


@pytest.mark.slow
def test_votes_for_oneself_count_where_they_may() -> None:
    """D-N5, D-T23: plain, by a condition or by way of another who says so; elsewhere all of them are null."""
    ballots: dict[str, Ballot] = {
        "A": For("A"), "B": Endorse("A"), "C": If(Votes("E", None), For("C"), Nobody()), "D": Endorse("C")}

    assert resolve(TOWN, ballots).values == dict.fromkeys("ABCDE")
    table = resolve(replace(TOWN, own_votes=True), ballots)
    assert table.values == {"A": "A", "B": "A", "C": "C", "D": "C", "E": None}
    assert table.counts == {"A": 2, "C": 2}


@pytest.mark.slow
@pytest.mark.parametrize("ballot", [
    Endorse("B"), If(Votes("C", None), Endorse("B")), FirstOf((Endorse("C"), Endorse("B"))),
    If(Votes("C", None), If(Votes("D", None), Endorse("B")), For("E")),
])
def test_an_endorsement_may_come_to_oneself_where_one_may_vote_so(ballot: Ballot) -> None:
    """D-N5, D-T23: by a condition or as a fall-back, too, while the one whom C hangs on is still open."""
    ballots: dict[str, Ballot] = {"A": ballot, "B": For("A"), "C": If(Votes("B", "C"), For("B"))}

    assert resolve(TOWN, ballots).values["A"] is None
    assert resolve(replace(TOWN, own_votes=True), ballots).values["A"] == "A"


@pytest.mark.slow
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


@pytest.mark.slow
def test_counts_of_one_size_stand_in_the_order_of_seats() -> None:
    """Most first; among equals by seat, whatever the names, with conditions and without."""
    town = Town(("D", "A", "C", "B", "E"))
    plain: dict[str, Ballot] = {"A": For("B"), "B": For("C"), "C": For("A"), "D": For("E"), "E": For("B")}
    for ballots in (plain, {**plain, "A": If(Votes("B", "C"), For("B"), Nobody())}):
        assert list(resolve(town, ballots).counts.items()) == [("B", 2), ("A", 1), ("C", 1), ("E", 1)]


@pytest.mark.slow
def test_circles_may_ask_for_one_who_can_get_no_more_votes() -> None:
    """Whether C is level with D, who has one vote for sure, hangs on A's and B's votes: no other may move it."""
    level = If(Leads("C", tied=True), For("C"), Nobody())
    table = resolve(TOWN, {"A": level, "B": level, "E": For("D")})

    assert (table.counts, table.statuses["A"], table.statuses["B"]) == ({"D": 1}, "circular", "circular")


@pytest.mark.slow
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


TEXTS = library()["doublevoter"], library()["voteless"]
CAST = "Ash:werewolf Bex:doublevoter Cam:voteless Dov:villager Eli:villager Fay:villager Gus:villager"


def day() -> Evening:
    """A day of seven, one of them without a vote: four votes lynch."""
    return Evening(CAST, *TEXTS)


def test_everyone_is_told_whose_vote_counts_how_often() -> None:
    """It is in the record that all may read, so a count tells nothing that wasn't known."""
    play = day()

    assert play.game.weights == {"Bex": 2, "Cam": 0}
    assert [told.text for told in play.game.ever(Announced, topic="votes")] == [
        "It is known to all that the vote of Bex, who holds the role Doublevoter, counts twice.",
        "It is known to all that the vote of Cam, who holds the role Voteless, counts for nothing."]


def test_three_voters_can_be_four_votes() -> None:
    """And four voters three."""
    play = day().lynch("Gus", "Cam", "Dov", "Eli", "Fay")
    assert not play.has(Lynched)
    assert play.game.ever(Counted)[-1].counts == (("Gus", 3),)

    play = day().lynch("Gus", "Bex", "Dov")
    assert not play.has(Lynched)
    assert play.do("Eli vote Gus").has(Lynched, who="Gus")


def test_conditions_count_votes_and_not_voters() -> None:
    """Also of one who has none; eir own is left out as a whole where others are asked for."""
    play = day().do("Bex vote Gus", "Cam vote Gus", "Dov vote Gus if Gus has at least 2 votes, otherwise nobody",
                    "Eli vote Fay if Gus has at least 5 votes, otherwise nobody")
    assert dict(play.game.table)["Dov"] == "Gus"
    assert play.game.table.get("Eli") is None

    play = day().do("Bex vote Gus if at least 2 others are voting for Gus, otherwise nobody", "Cam vote Gus",
                    "Dov vote Gus")
    assert play.game.table.get("Bex") is None
    play.do("Eli vote Gus")
    assert play.game.phase == "night"


def test_an_endorser_of_the_voteless_follows_eir_vote() -> None:
    """It has a value, though it counts for nothing."""
    play = day().do("Cam vote Gus", "Dov vote endorse Cam")

    assert play.game.table["Dov"] == "Gus"
    assert play.game.ever(Counted)[-1].counts == (("Gus", 1),)


def test_reasons_name_the_weight() -> None:
    """So that a sum can be checked by who reads it."""
    play = day().do("Bex vote Gus", "Dov vote Gus if at least 2 others are voting for Gus, otherwise nobody")
    (why,) = [vote.why for vote in count_of(play.game).votes if vote.who == "Dov"]

    assert "Gus has 2 of the 2 votes asked for: Bex (2 votes)" in why[0]


def test_a_late_vote_counts_as_often_then() -> None:
    """D-V9: the day is counted again with the same weights."""
    play = day().lynch("Gus", "Dov", "Eli")
    early = play.game.clock - 1
    play.do("Fay vote Ash")
    play.game, _ = play.rules.cast(play.game, early, "Bex", "vote", For("Gus"))

    assert play.has(Lynched, who="Gus")


def test_a_substitute_has_the_same_weight() -> None:
    """It goes with the seat."""
    play = day()
    play.game, _ = play.rules.settle(play.game, play.game.clock + 1, (Replaced("Bex", "Zed"),), (), "command")

    assert play.game.weights == {"Zed": 2, "Cam": 0}


@each(("name", "verdicts", "dies"), [
    ("gadianton", ("Bex guilty", "N1 guilty", "N2 guilty", "N3 guilty"), True),
    ("gadianton", ("Cam guilty", "N1 guilty", "N2 guilty", "N3 guilty"), False)])
def test_verdicts_are_weighed(name: str, verdicts: tuple[str, ...], dies: bool) -> None:
    """Of nine who live, eight of whom have a vote, five convict."""
    cast = "W1:gadianton W2:gadianton Bex:doublevoter Cam:voteless " + " ".join(
        f"N{n}:nephite" for n in range(1, 5)) + " P:prophet"
    play = Evening(cast, *TEXTS, rules=name)
    while play.game.phase != "day":
        play.do("dawn")
    play.do("N1 accuse W1", "N2 second W1")
    while play.game.stage != "ballot":
        play.do("dawn")
    for verdict in verdicts:
        who, says = verdict.split()
        play.game, _ = play.rules.cast(play.game, play.game.clock + 1, who, "vote", For(says))

    assert play.has(Lynched, who="W1") is dies


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_whole_sessions_are_played_with_them(name: str) -> None:
    """By every rule set, to an end."""
    rules = rules_with(name, TEXTS)
    evil = next(role.name for role in rules.roles.values() if role.side == rules.evil)
    roles = () if name in ("nomic-crossing", "tabula", "gadianton") else (evil, evil)
    for seed in range(8):
        game = played_session(rules, 10, (*roles, "doublevoter", "voteless"), str(seed))
        assert game.over
        assert {n for event in game.ever(VotesWeighed) for _, n in event.weights} == {0, 2}


@each("votes", ["-1", "4", '"two"', "true"])
def test_what_a_weight_cant_be(votes: str) -> None:
    """Nought to three."""
    with pytest.raises(RoleError, match="as how many its vote counts"):
        role_of(TEXTS[0].replace("votes = 2", f"votes = {votes}"), terms_of(nomic_crossing))
