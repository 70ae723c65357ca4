"""Ballots from canonical text and from free forms (NC 3)."""

from __future__ import annotations

import pytest

from nomicwolf.reading.ballots import BallotError, read_ballot
from nomicwolf.reading.deeds import People
from nomicwolf.village.ballots import Alike, Ballot, Copy, Count, Endorse, FirstOf, For, If, Nobody, Or, Votes

TOWN = People(living=("Ash", "Bex", "Cam", "Dov", "Fay", "Gus", "Hal", "G."), dead=("Zed",), author="Ash")


@pytest.mark.parametrize(("text", "ballot"), [
    ("nobody", Nobody()),
    ("Gus", For("Gus")),
    ("G.", For("G.")),
    ("endorse Bex", Endorse("Bex")),
    ("endorse Bex or else Gus", FirstOf((Endorse("Bex"), For("Gus")))),
    ("copy Bex", Copy("Bex")),
    ("Gus if Bex is voting for Gus, otherwise Hal", If(Votes("Bex", "Gus"), For("Gus"), For("Hal"))),
    ("I vote for Gus if Bex does.", If(Votes("Bex", "Gus"), For("Gus"))),
    ("Gus if Cam is voting for Ash or Cam and Dov are voting alike",
     If(Or((Votes("Cam", "Ash"), Alike("Cam", "Dov"))), For("Gus"))),
    ("Gus if at least three others are voting for Gus", If(Count("Gus", ">=", 3, others=True), For("Gus"))),
])
def test_a_ballot_is_read(text: str, ballot: Ballot) -> None:
    """Canonical text and its closest relatives come to their trees (NC 3)."""
    assert read_ballot(text, TOWN) == ballot


def test_a_refusal_points_at_the_word() -> None:
    """An unknown name is pointed at, with near names, and never guessed (D-N10)."""
    with pytest.raises(BallotError) as refused:
        read_ballot("Gus if Bex is voting for Hall", TOWN)
    assert (refused.value.problem, refused.value.at, refused.value.suggestions[0]) == ("unknown player", 26, "Hal")
