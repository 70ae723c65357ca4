"""NC 1c: who joins or leaves by what the contest is called is heard of, whatever its contestmaster called it."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.mail.hints import by_name
from nomicwolf.nomic.events import Noted
from tests.contest.world import SEVEN, World, setup
from tests.tables import each

WOLVES = replace(setup(), name="The Wolves of Agora")


@each(("text", "verb"), [
    ("I hereby join The Wolves of Agora.", "join"), ("Ok, I join the contract The Wolves of Agora!", "join"),
    ("I become a party to the contract known as the wolves of agora.", "join"), ("I join the Wolves.", "join"),
    ("I leave The Wolves of Agora.", "leave"), ("So I resign from the Wolves of\nAgora, sadly.", "leave"),
])
def test_by_name(text: str, verb: str) -> None:
    """The whole name, or the tag of its letters, also where a line was wrapped."""
    said = by_name(WOLVES, enumerate(text.split("\n"), 1))

    assert said is not None
    assert said[2] == verb


@each("text", [
    "I might join The Wolves of Agora.", "If I join The Wolves of Agora, who else does?", "I like The Wolves of Agora.",
    "Who joins The Wolves of Agora?", "I think that people leave The Wolves of Agora.", "I join the Partnership.",
    "I don't leave The Wolves of Agora.", "I join the Scholarship. The Wolves of Agora is fun.",
])
def test_talk_of_it(text: str) -> None:
    """Nobody is asked who only talks of it."""
    assert by_name(WOLVES, [(1, text)]) is None


def test_a_letter_without_words_names_nothing() -> None:
    """A letter may be empty, or all of it quoted."""
    assert by_name(WOLVES, []) is None
    assert World(WOLVES).start(SEVEN).write("Bex", "> I join The Wolves of Agora.", at=1).bucket == "no-deed"


def test_a_stranger_who_joins_by_name_is_told_of() -> None:
    """The contestmaster alone can tell em how it is written."""
    world = World(WOLVES)
    world.write("Cam", "I hereby join The Wolves of Agora.")

    noted = world.events(Noted)[0].event
    assert isinstance(noted, Noted)
    assert 'Cam <cam@players.example>, seems to want to join: "I hereby join The Wolves of Agora."' in noted.text


def test_a_party_who_leaves_by_name_is_asked() -> None:
    """Nothing is done, and e is told what to write."""
    world = World(WOLVES)
    world.start(SEVEN)
    world.write("Bex", "I leave The Wolves of Agora.", at=2)
    assert "Did you mean: leave?" in " ".join(world.to("Bex").split())
    assert "Bex" in world.contest.parties["agora"]
