"""Addresses beyond ASCII (RFC 6530 to 6532): who may join with one, and which two are the same."""

from __future__ import annotations

import pytest

from nomicwolf.letters.compose import Envelope, compose
from tests.contest.world import AGORA, SEVEN, World, setup

BEYOND = ("zoë@players.example", "डाटा@मेल.example")


@pytest.mark.parametrize("address", [*BEYOND, "a@bücher.example"])
def test_people_join_and_play_from_addresses_beyond_ascii(address: str) -> None:
    """By their forum, with marks on their letters too; and each letter to them can be made."""
    world = World()
    assert world.write("Zoe", "I join this contract.", sender=f"Zoe <{address}>").bucket == "deeds"
    assert world.contest.parties["agora"] == ("Zoe",)
    world.start(SEVEN)
    assert world.write("Zoe", "status", "contestmaster", 1, sender=f"Zoe <{address}>").bucket == "deeds"
    envelope = Envelope("Wolf", "wolf@wolf.example", "wolf", b"k" * 32, {"agora": AGORA})
    (letter,) = (o for o in world.letters if o.person == "Zoe")
    local, _, _ = address.partition("@")
    assert f"To: {local}@".encode() in compose(letter, envelope)


def test_a_domain_is_the_same_as_it_travels() -> None:
    """RFC 5890 2.3.2.1: bücher and xn--bcher-kva are one name, and ß is no ss."""
    world = World()
    world.write("Zoe", "I join this contract.", sender="Zoe <zoe@bücher.example>")
    same = world.write("Zoe", "status", "contestmaster", sender="Zoe <zoe@XN--bcher-kva.example>")
    assert same.author == "Zoe"
    world.command("party-add", who="Fay", address="a@faß.example")
    assert world.contest.persons["Fay"].addresses == ("a@xn--fa-hia.example",)
    assert world.write("Fay", "status", "contestmaster", sender="Fay <a@fass.example>").bucket == "stranger"


@pytest.mark.parametrize("address", BEYOND)
def test_nobody_joins_whom_no_letter_can_reach(address: str) -> None:
    """The contestmaster is told, and what e can do; e isn't asked to let em in with that address."""
    world = World(setup(utf8=False))
    assert world.write("Zoe", "I join this contract.", sender=f"Zoe <{address}>").bucket == "stranger"
    told = " ".join(world.to("Murphy").split())
    assert not world.contest.parties.get("agora")
    assert "smtp.utf8 = false" in told
    assert "from another one" in told
    assert "party add" not in told


def test_a_domain_beyond_ascii_needs_no_such_server() -> None:
    """It travels as ASCII, so people of such domains join anyway."""
    world = World(setup(utf8=False))
    assert world.write("Zoe", "I join this contract.", sender="Zoe <zoe@bücher.example>").bucket == "deeds"


def test_nobody_moves_to_where_no_letter_can_reach_em() -> None:
    """By eir own word; the answer says why."""
    world = World(setup(utf8=False)).start()
    world.write("Ash", "address: zoë@players.example", "contestmaster", 1)
    assert "beyond ASCII" in world.to("Ash")
