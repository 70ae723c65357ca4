"""Authors are told of words that were not understood, or are the contest's own name (NC 1c, D-N10)."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.mail.hints import by_name
from nomicwolf.nomic.events import Asked, DeedHeard, Noted
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


def asked(world: World) -> list[Asked]:
    """Whom the contest has asked what, in order."""
    return [entry.event for entry in world.contest.entries if isinstance(entry.event, Asked)]


def test_every_player_is_told_whatever_e_holds() -> None:
    """Nobody can tell by the answers who owes something."""
    found = World().start(roles="seer")
    for who in SEVEN:
        found.write(who, "The stars are dim.", "contestmaster", at=1)

    assert [each.who for each in asked(found)] == list(SEVEN)


def test_the_same_words_are_answered_once_in_a_phase() -> None:
    """They may be those of a machine that doesn't say what it is; other words are answered."""
    found = World().start()
    for hour in (1, 2, 3):
        found.write("Ash", "Thank you. We will look at it soon.", "contestmaster", at=hour)
    found.write("Ash", "The stars are dim.", "contestmaster", at=4)

    assert [each.text for each in asked(found)] == ["Thank you. We will look at it soon.", "The stars are dim."]


@each(("says", "suggested"), [
    ("> I vote for Gus.\nSo do I!", "vote Gus"),
    ("> I think Hal is a wolf.\n> I endorse Cam.\n\nMe too.\n\nBex", "vote endorse Cam"),
    ("> I vote for Gus.\nSo do I hope that it rains.", None),
    ("> Gus is a wolf.\nSame here.", None),
    ("> I vote for Gus.\nI do not.", None),
])
def test_who_does_as_the_quoted_one_does_is_asked(says: str, suggested: str | None) -> None:
    """A quotation does nothing, and what "so do I" means stands only there (D-N10)."""
    found = World().start()
    found.write("Bex", says, at=1)

    assert [each.hint.split("write ")[1] for each in asked(found)] == ([f"“{suggested}”."] if suggested else [])
    assert not [entry for entry in found.contest.entries if isinstance(entry.event, DeedHeard)]
