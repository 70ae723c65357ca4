"""Several contests in one mailbox and forum: whoever writes is known by eir address wherever a list has put it."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.mail.routing import names_of, route
from nomicwolf.nomic.setup import Other
from tests.contest.world import AGORA, B, World, setup

FAIR = Other(("fair",), "fair@wolf.example", (AGORA, B), b"f" * 32, ("ida@players.example",), ("Ida",))


def test_a_list_that_rewrites_from_hides_no_ones_contest() -> None:
    """What Ida posts is for the fair, where e is a party, and what Ash posts is for eirs."""
    world = World(setup(others=(FAIR,)))
    world.command("party-add", who="Ash", address="ash@players.example")
    for who, contest in (("Ida", "fair"), ("Ash", "wolf")):
        reply = f"Reply-To: {who} <{who.lower()}@players.example>\r\n"
        letter = world.letter(who, "I vote for Bex.", sender=f"{who} via Agora <{AGORA}>", headers=reply)
        assert route(world.contest, letter).contests == (contest,)


def test_each_contest_comes_to_the_same_answer_about_a_list_that_is_not_its_own() -> None:
    """The fair lives in B alone, and the wolf in Agora alone; Ash's letter to both came through B's list."""
    agora, b = setup().forums
    known = (AGORA,), b"k" * 32, ("ash@players.example",), ("Ash",)
    fair = Other(("fair",), "fair@wolf.example", (B,), b"f" * 32)
    wolf = World(replace(setup(others=(fair,)), forums=(agora,)))
    wolf.command("party-add", who="Ash", address="ash@players.example")
    there = World(replace(setup(others=(Other(names_of(wolf.contest.setup), "wolf@wolf.example", *known),)),
                          contest="fair", name="The Fair", address="fair@wolf.example", forums=(b,), secret=b"f" * 32))
    reply = f"Reply-To: Ash <ash@players.example>\r\nCc: {AGORA}\r\n"

    found = [route(world.contest, world.letter(
        "Ash", "I vote for Bex.", "b", sender=f"Ash via B <{B}>", headers=reply)).contests for world in (wolf, there)]

    assert found == [("wolf",)] * 2
