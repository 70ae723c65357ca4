"""Votes that count twice, or not at all: in majorities, verdicts, run-offs and reasons, and known to everyone."""

from __future__ import annotations

import pytest

from nomicwolf.odds import played_session
from nomicwolf.reports.vote_counts import count_of
from nomicwolf.village.ballots import For
from nomicwolf.village.events import Announced, Counted, Lynched, Replaced, VotesWeighed
from nomicwolf.village.role_file import RoleError, role_of, terms_of
from nomicwolf.village.rulesets import BUILT_IN, library, rules_with
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village.test_library_blocks import Evening

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
