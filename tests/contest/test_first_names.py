"""A first name that is nobody else's means its bearer, in votes and in commands."""

from __future__ import annotations

from nomicwolf.nomic.events import Asked
from nomicwolf.reports.terminal import explain, explain_text
from nomicwolf.village.events import Voted
from tests.contest.world import World
from tests.tables import each

NAMES = ("Jörg Müller", "Bex", "Ann Lee", "Ann Poe", "Will Hill", "Fay", "Gus")


def sitting() -> World:
    """Seven play, some of them under two names."""
    world = World()
    for number, name in enumerate(NAMES):
        world.command("party-add", who=name, address=f"{number}@players.example")
    assert world.command("start", roles="", seed="7", limit="agora=35").status == 0
    return world


def write(world: World, text: str, at: float) -> None:
    """Let Bex write to the forum."""
    world.write("Bex", text, at=at, sender="Bex <1@players.example>")


def voted(world: World) -> list[str]:
    """For whom Bex has voted, in order."""
    return [repr(e.event) for e in world.events(Voted)]


def test_a_first_name_is_enough() -> None:
    """Jörg is Jörg Müller; Ann can be two, so is asked about; Will is a word of its own."""
    world = sitting()
    write(world, "I vote for Jörg.", 1)
    assert len(voted(world)) == 1
    assert "Jörg Müller" in voted(world)[0]

    write(world, "I vote for Ann.", 2)
    assert len(voted(world)) == 1
    assert world.events(Asked)


def test_another_may_take_it() -> None:
    """Who is called Jörg and nothing else is meant by it, as soon as e is known."""
    world = sitting()
    world.command("party-add", at=1, who="Ida", address="ida@players.example")
    world.command("party-alias", at=1, who="Ida", alias=("Jörg",))
    write(world, "I vote for Jörg.", 2)

    assert voted(world) == []


@each("name", ["Jorg", "jörg", "Jörg Müller", "jorg muller", "JM"])
def test_the_contestmaster_need_not_spell_it_out(name: str) -> None:
    """Aliases, first names, and letters without their marks are understood where e asks why a vote counts."""
    world = sitting()
    world.command("party-alias", who="Jorg", alias=("JM",))

    assert explain(world.contest, name).what == "Jörg Müller's vote"
    assert "Jörg Müller" in explain_text(world.contest, name)
