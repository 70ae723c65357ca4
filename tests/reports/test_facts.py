"""The contestmaster is told of what only e can do: facts that votes hang on, and questions without an answer."""

from __future__ import annotations

from nomicwolf.reports.terminal import status_text
from tests.contest.world import World

VOTE = 'I vote for Gus if "the proposal 6789 was adopted" is so, otherwise Fay.'
FACT = "the proposal 6789 was adopted"
LINE = f"a fact on which Cam's vote hangs: nomicwolf publish '{FACT}' true, or false"


def _voted() -> World:
    world = World()
    world.start(roles="seer")
    world.write("Cam", VOTE, at=1)
    return world


def test_a_fact_that_a_vote_waits_for_is_told_until_it_is_published() -> None:
    """NC 3, D-N8: the journal and the status name the fact, and the command, ready for a shell."""
    world = _voted()

    assert LINE in " ".join(world.to("Murphy").split())
    assert LINE in status_text(world.contest)

    world.command("publish", at=2, fact=FACT, value="true")
    assert "a fact on which" not in status_text(world.contest)


def test_a_fact_cannot_leave_its_quotation_marks() -> None:
    """What a player wrote is copied into a shell: it stays one word there."""
    world = World()
    world.start(roles="seer")
    world.write("Cam", 'I vote for Gus if "it\'s $(date); rm -rf" is so.', at=1)

    assert "nomicwolf publish 'it'\"'\"'s $(date); rm -rf' true, or false" in status_text(world.contest)


def test_a_published_fact_on_which_nothing_hangs_is_told_so() -> None:
    """D-N8: votes match a fact word by word, so a slip in its words would go unseen."""
    world = _voted()

    wrong = world.command("publish", at=2, fact="the proposal 6788 was adopted", value="true")
    right = world.command("publish", at=3, fact=FACT, value="true")
    again = world.command("publish", at=4, fact=FACT, value="true")

    assert wrong.said.endswith(f'is true. No vote hangs on it now. Votes hang on "{FACT}".')
    assert right.said.endswith("is true.")
    assert again.said.endswith("is true. It had been published before.")


def test_a_question_waits_until_it_is_answered() -> None:
    """D-M16: the status lists each question that has no answer yet."""
    world = World()
    world.start(roles="seer")
    world.write("Gus", "ask gm: may the dead talk?", to="contestmaster", at=1)
    number = next(iter(world.contest.recalled.questions))

    assert f"Gus asks: may the dead talk? (nomicwolf answer {number} TEXT)" in status_text(world.contest)
    assert "1 question of a player's waits for your answer" in " ".join(world.to("Murphy").split())

    world.command("answer", at=2, number=str(number), text="No.")
    assert "Gus asks" not in status_text(world.contest)
