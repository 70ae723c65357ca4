"""The contestmaster may call somebody as players do: by an alias, a former name, in any case."""

from __future__ import annotations

import pytest

from tests.contest.world import World


def _known() -> World:
    world = World()
    world.start(roles="seer")
    assert world.command("party-alias", who="Gus", alias="Gustav").status == 0
    return world


@pytest.mark.parametrize("name", ["Gus", "gus", "Gustav", "GUSTAV"])
def test_orders_take_every_name_that_votes_take(name: str) -> None:
    """NC 1c: “The former name still means em” holds for the contestmaster's commands, too."""
    world = _known()

    assert world.command("party-address", who=name, address="gus@new.example").said.startswith("Gus writes from")
    assert world.command("party-add", who=name, nomic=("agora",)).said == "Gus is a party already; nothing was done."
    assert "Gus plays in this session" in world.command("party-rename", who=name, new="Augustus").said


def test_who_is_replaced_can_be_called_by_an_alias() -> None:
    """D-N41: both names of `substitute` are looked up."""
    world = _known()
    assert world.command("party-add", who="Ida", address="ida@players.example").status == 0

    assert world.command("substitute", old="gustav", new="ida").said.startswith("Ida takes over from Gus")


def test_another_address_is_no_silent_loss() -> None:
    """NC 3: who is entered with an address of somebody else's is not taken for em, nor is the address dropped."""
    world = _known()
    before = world.contest.last

    said = world.command("party-add", who="Gus", address="other@players.example").said

    assert said.startswith("Gus is known already, and writes from gus@players.example. Use `party address`")
    assert world.contest.last == before
    assert world.command("party-add", who="Gus", address="Gus@players.example").status == 0
