"""Questions to the contestmaster and eir answers (SP 0f, D-M16)."""

from __future__ import annotations

from nomicwolf.contest.commands import unanswered
from nomicwolf.nomic.law_events import QuestionAnswered
from tests.contest.world import World


def asked() -> tuple[World, int]:
    """A session of nomic-crossing in which Bex has asked something; the question's number."""
    world = World().start(roles="seer")
    world.write("Bex", "ask gm: does a tie lynch anybody?", to="contestmaster", at=1)
    (number,) = unanswered(world.contest)
    return world, number


def test_an_answer_goes_to_the_asker_alone() -> None:
    """It repeats the question; no public letter has a word of it."""
    world, number = asked()
    outcome = world.command("answer", at=2, number=str(number), text="No: NC 3 asks for more than half.")

    assert outcome.status == 0
    letters = [letter for letter in outcome.letters if "NC 3 asks for more than half" in letter.body]
    assert [letter.person for letter in letters] == ["Bex"]
    assert "does a tie lynch anybody?" in letters[0].body
    assert not unanswered(world.contest)


def test_a_public_answer_does_not_say_who_asked() -> None:
    """All are told what the contestmaster says, without asker and question."""
    world, number = asked()
    outcome = world.command("answer", at=2, number=str(number), text="No tie lynches.", public="yes")

    public = [letter for letter in outcome.letters if letter.forum and "No tie lynches." in letter.body]
    assert public
    assert all("does a tie" not in letter.body for letter in public)
    assert all("Bex" not in letter.body.partition("No tie lynches.")[0] for letter in public)


def test_a_question_is_answered_once() -> None:
    """A second answer and a wrong number are refused, with what waits; nothing is lost."""
    world, number = asked()
    wrong = world.command("answer", at=2, number="9999", text="?")
    assert wrong.status
    assert f"{number} (Bex: does a tie lynch anybody?)" in wrong.said
    empty = world.command("answer", at=2, number=str(number), text=" ")
    assert empty.status
    assert "words" in empty.said
    world.command("answer", at=3, number=str(number), text="No.")
    again = world.command("answer", at=4, number=str(number), text="Yes.")

    assert again.status
    assert "was answered at" in again.said
    assert len([e for e in world.contest.entries if isinstance(e.event, QuestionAnswered)]) == 1
