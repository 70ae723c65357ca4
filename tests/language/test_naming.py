"""Names that may be taken by mail: found by an attack through mail alone, in which someone was called “nobody”."""

from __future__ import annotations

import pytest

from nomicwolf.language.naming import skeleton, unfit
from nomicwolf.language.reader import read
from nomicwolf.reading.deeds import People

OTHERS = ("Ash", "Bex", "Cam", "Gus", "Hal")


@pytest.mark.parametrize("name", [
    "nobody", "Nobody", "null", "no lynch", "abstain", "me", "em", "guilty", "heal", "Ash and Bex", "Gus or Hal",
    "unvote", "help", "votes", "everyone", "innocent", "contestmaster", "Werewolf", "the Seer", "Village",
    "owl", "The Godfather", "Masons", "policemen", "Nephite", "moderator",
    "Gus if Bex does", "Gus, otherwise Hal", "endorse Bex", "Bex is voting for Gus", "Gus.",
])
def test_what_means_something_is_no_name(name: str) -> None:
    """Whoever were called so would take over what others write (NC 3): “poison nobody” would kill em."""
    assert unfit(name, OTHERS) == f"“{name}” means something else in votes and deeds."


@pytest.mark.parametrize(("name", "like"), [
    ("ash", "Ash"), ("\u0410sh", "Ash"), ("B\u200bex", "Bex"), ("\u0412\u0435\u0445", "Bex"),
    ("\uff28\uff41\uff4c", "Hal"), ("HaI", "Hal"), ("Ha1", "Hal"),
    ("C a m", "Cam"), ("\u202eAsh", "Ash"),
])
def test_what_looks_like_another_is_no_name(name: str, like: str) -> None:
    """UTS 39: a reader could not tell for whom a vote is."""
    assert unfit(name, OTHERS) == f"“{name}” looks like {like}."


@pytest.mark.parametrize("name", [
    "> Ida", "| Ida", "--", "====", "Record: 00", "Ida:", "\u202eadI", "Ida\u2067", "\u200fIda",
])
def test_what_would_spoil_letters_is_no_name(name: str) -> None:
    """Where a name stands at a line's beginning, nothing must look like a quote, a rule or a label of ours."""
    assert unfit(name, OTHERS).endswith(("would look like a quote, a rule or a label in letters.",
                                         "turns the direction of writing."))


@pytest.mark.parametrize("name", [
    "Session 1 is over", "Day 2", "night-3", "Ida is dead", "The pack wins", "Somebody was killed", "Ida has left",
])
def test_what_reads_as_news_is_no_name(name: str) -> None:
    """“Session 1 is over has joined” would be a letter's subject, and an announcement begins with whom it is about."""
    assert unfit(name, OTHERS) == f"“{name}” would read as news in letters."


@pytest.mark.parametrize("name", [
    "Ida", "Isis", "Dayton", "Knight 4", "Will Washington", "G.", "0x44", "D. Margaux", "\u5929\u706b\u72d0", "O'Neil",
    "Jean-Luc", "Ivan Hope",
    "ehird", "No", "IF", "Gus Junior", "Bexx",
    "Zo\u00eb", "\u0418\u0432\u0430\u043d",
])
def test_names_of_any_shape_are_free(name: str) -> None:
    """What nobody has, and means nothing, is a name."""
    assert unfit(name, OTHERS) == ""


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\u202e\u2066"])
def test_what_cannot_be_seen_is_no_name(name: str) -> None:
    """It looks like nothing."""
    assert unfit(name, OTHERS).endswith("looks like nothing.")


def test_different_names_keep_different_shapes() -> None:
    """What is left of a name is enough to tell it from others."""
    names = (*OTHERS, "Ida", "Jan", "Ian", "Zoe", "Zo\u00eb", "\u5929\u706b\u72d0")
    assert len({skeleton(name) for name in names}) == len(names)


def test_a_beginning_of_several_names_is_asked_about_with_all_of_them() -> None:
    """"Al" of Alice and Alan is nobody for certain, and both are offered (X-09)."""
    people = People(("Alice", "Alan", "Bex"), author="Bex")
    found = read([(1, "I vote for Al.")], people, to="forum")
    assert [(each.problem, each.suggestions) for each in found.problems] == [("ambiguous player", ("Alice", "Alan"))]
