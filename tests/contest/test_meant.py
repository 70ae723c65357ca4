"""Which intents an objection is about: picked by number or by what is intended, else asked (D-N36)."""

from __future__ import annotations

import pytest

from nomicwolf.nomic.events import DeedDone, Refused
from nomicwolf.nomic.law_events import ObjectionWithdrawn
from tests.contest.test_law import members
from tests.contest.world import World
from tests.tables import each

pytestmark = pytest.mark.slow


def two_open() -> World:
    """Intent 1 is to remove Gus, intent 2 to remove Fay, intent 3 to amend the contract."""
    world = members()
    world.command("intend", 1, what="remove", who="Gus")
    world.command("intend", 1, what="remove", who="Fay")
    world.command("intend", 1, what="amend", text="one\nthree\n", base="one\ntwo\n")
    return world


def objected(world: World, who: str = "Bex") -> list[int]:
    """The intents against which an objection of *who*'s stands."""
    return [i.number for i in world.contest.law.intents.values() if who in dict(i.objections)]


@each(("says", "numbers"), [
    ("I object.", [1, 2, 3]), ("I object to intent 2.", [2]), ("I object to intents 1 and 3.", [1, 3]),
    ("I object to the removal of Gus.", [1]), ("I object to Fay's removal.", [2]),
    ("I object to the amendment.", [3]), ("I object to Murphy's intent to amend the contract.", [3]),
    ("I object to removing Gus and Fay.", [1, 2]), ("I object to both removals.", []),
    ("I object to both amendments.", []),
    ("I object to all of these.", [1, 2, 3]), ("I object to Ash's intent to amend the contract.", []),
    ("I object to the removal of Hal.", []), ("I object to this intent.", []), ("I object to that.", []),
    ("I object to intent no. 2.", [2]), ("I object to no.2 and no. 3.", [2, 3]),
    ("Concerning intent no. 2: I object.", [2]),
    ("I object to number 3.", [3]), ("I object to 1, 2 and 3.", [1, 2, 3]), ("I object to no. 7.", []),
    ("I object to intents 2 and 7.", []), ("I object to intent 7.", []),
    ("I object to all future dependent actions.", []),
    ("I object to ending the session.", []), ("I object to the removal of Gus from the contract.", [1]),
])
def test_what_an_objection_is_about(says: str, numbers: list[int]) -> None:
    """A description picks what it fits; one that fits nothing, or points at one of several, picks nothing."""
    world = two_open()
    world.write("Bex", says, at=2)

    assert objected(world) == numbers
    asked = [e.event for e in world.entries if isinstance(e.event, Refused)]
    assert bool(asked) is (not numbers and "removals" not in says)


def test_the_number_of_a_session_is_none_of_an_intent() -> None:
    """D-N36: "session 1" says which session, and an intent may have that number too."""
    world = members()
    world.command("start", seed="7")
    world.command("intend", 1, what="remove", who="Gus")
    world.command("intend", 1, what="end-session")
    world.write("Bex", "I object to ending session 1.", at=2)

    assert objected(world) == [2]


def test_a_question_back_lists_what_is_open() -> None:
    """Who is asked which intent e means is told their numbers and what they come to."""
    world = two_open()
    world.write("Bex", "I object to the removal of Hal.", at=2)

    assert "intent 1, to remove Gus from the contract" in world.to("Bex")


def test_this_intent_is_clear_where_one_is_open() -> None:
    """Pointing picks the only one."""
    world = members()
    world.command("intend", 1, what="remove", who="Gus")
    world.write("Bex", "I object to this intent.", at=2)

    assert objected(world) == [1]


def test_an_objection_is_withdrawn_by_what_it_was_about() -> None:
    """One of two standing objections is named; "my objection" alone is asked about, "all" takes back both."""
    world = two_open()
    world.write("Bex", "I object to intents 1 and 3.", at=2)
    world.write("Bex", "I withdraw my objection.", at=3)
    assert objected(world) == [1, 3]
    world.write("Bex", "I withdraw my objection to the amendment.", at=4)
    assert objected(world) == [1]
    world.write("Bex", "I object to intent 3.", at=5)
    world.write("Bex", "I withdraw all my objections.", at=6)

    assert objected(world) == []
    assert len(world.events(ObjectionWithdrawn)) == 3


def test_withdrawn_support_is_no_withdrawn_objection() -> None:
    """Support does nothing here, nor does taking it back."""
    world = two_open()
    world.write("Bex", "I object to intent 1.", at=2)
    world.write("Bex", "I withdraw my support for the removal of Gus.", at=3)

    assert objected(world) == [1]
    assert "still stands" in next(e.event.note for e in world.entries if isinstance(e.event, DeedDone))
