"""A player's private letter in which nothing was understood: every player is told, and a machine once (D-N10)."""

from __future__ import annotations

from nomicwolf.nomic.events import Asked, DeedHeard
from tests.contest.world import SEVEN, World
from tests.tables import each


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
