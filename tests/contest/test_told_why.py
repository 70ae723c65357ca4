"""An order that can't be done says what is wrong with it, and not with a part that is right."""

from __future__ import annotations

import pytest

from tests.contest.world import World
from tests.tables import each

pytestmark = pytest.mark.slow

CASES = [
    ("clock", {"nomic": "agora", "turned": "offf"}, "Say which way the clock of agora was turned.", ("on", "off")),
    ("clock", {"nomic": "c", "turned": "off"}, "Say which nomic's clock", ("agora", "b")),
    ("intend", {"what": "remove"}, "Say whom to remove: --who NAME.", ("Ash", "Bex")),
    ("intend", {"what": "remove", "who": "Zed"}, "Zed is no contestant", ("Ash", "Bex")),
    ("holiday", {"nomic": "agora", "from": "2026-12-20", "to": "2026-12-01"}, "the first day and then the last", ()),
    ("holiday", {"nomic": "agora", "from": "20.12.2026", "to": "3.1.2027"}, "like 2026-12-20 2027-01-03", ()),
    ("close", {}, "It is day 1, which has no stage with a deadline", ()),
    ("extend", {"until": "2027-01-01T00:00Z"}, "It is day 1, which has no stage with a deadline", ()),
    ("act-for", {"who": "Cam", "deed": "see Bex"}, "NC 1j lets the contestmaster act", ()),
]


@each(("name", "args", "said", "options"), CASES)
def test_a_refused_order_names_its_fault(name: str, args: dict[str, str], said: str, options: tuple[str, ...]) -> None:
    """The sentence is about the word that is wrong; what is possible there follows."""
    outcome = World().start().command(name, 1, **args)

    assert outcome.status == (2 if name in ("clock", "holiday") or args == {"what": "remove"} else 1)
    assert said in outcome.said
    for option in options:
        assert option in outcome.said.partition("Possible: ")[2]


def test_what_could_follow_there_is_said_once() -> None:
    """Where the sentence names all of it, nothing follows; else it does."""
    world = World()
    rules = world.command("start", ruleset="chess").said

    assert rules.endswith("there are gadianton, narrated-mafia, nomic-crossing, six-phases, tabula.")
    assert world.start().command("act-for", 200, who="Zed", deed="see Bex").said.count("Ash") == 1


@each(("name", "args"), [
    ("announce", {}), ("end", {"why": "x"}), ("act-for", {"who": "Cam", "deed": "see Bex"}),
    ("substitute", {"old": "Ash", "new": "Bex"}), ("undo", {"number": "3", "why": "x"}),
    ("intend", {"what": "end-session"}), ("publish", {"fact": "it rains", "value": "true"}),
])
def test_without_a_session_one_is_told_how_to_begin_one(name: str, args: dict[str, str]) -> None:
    """The next step stands beside what is wrong."""
    assert "No session is in progress; `start` begins one." in World().command(name, 1, **args).said


def test_without_a_session_there_is_nothing_to_close() -> None:
    """It says that, and not that a stage is missing."""
    assert "No session is in progress" in World().command("close", 1).said


def test_the_contestmaster_hears_each_time_of_an_odd_wording_in_a_forum() -> None:
    """What is asked about in public stands in the next journal, once each time; what is asked in private never."""
    world = World().start()
    for at in (1, 2):
        world.write("Ash", "I vote for Bexx.", at=at)
        assert world.to("Murphy") == ""
    world.write("Cam", "attack Bexx", "contestmaster", at=4)
    assert world.to("Cam")
    assert world.to("Murphy") == ""

    for who in ("Ash", "Bex", "Cam", "Dov"):
        world.write(who, "I vote for Gus.", at=5)
    told = " ".join(world.to("Murphy").split())
    assert told.count('"I vote for Bexx." (unknown player)') == 2
    assert told.count("Ash was asked to say more clearly, in the forum of agora") == 1
    assert "attack Bexx" not in told

    world.command("end", 6, why="enough")
    assert "I vote for Bexx" not in world.to("Murphy")


def test_nobody_is_asked_whether_e_means_what_e_has_written_beside_it() -> None:
    """A wish beside a plain word is no question; beside another deed it is one."""
    world = World()
    world.write("Ash", "I'd like to join! I join.")
    assert "Ash" in world.contest.parties["agora"]
    assert world.to("Ash") == ""

    world.write("Ash", "I'd like to join! I leave.", at=1)
    assert "Did you mean: join?" in world.to("Ash")


@each("text", ['I vote for "', "I vote for ” if", "I vote for “"])
def test_a_quotation_mark_that_is_not_understood_is_named(text: str) -> None:
    """A mark between two others is no word that anyone reads."""
    world = World().start()
    world.write("Ash", text, at=1)

    assert "stopped at a quotation mark." in " ".join(world.to("Ash").split())
