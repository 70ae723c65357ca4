"""Several contests in one mailbox and forum: whoever writes is known by eir address wherever a list has put it."""

from __future__ import annotations

from nomicwolf.contest.mail.routing import route
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
