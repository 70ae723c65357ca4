"""Whether a vote is told to be late hangs on the game alone, not on what players say to one another in secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.cli.app import order_of
from nomicwolf.rehearsal import Played, read_script, rehearse
from nomicwolf.reports.archive import publish
from nomicwolf.village.events import Voted
from tests.archive.stories import posted

LETTERS = Path(__file__).parents[1] / "scenarios" / "nomic-crossing"
STORY = """
title: a vote of 09:55 comes in at 10:05
ruleset: nomic-crossing
given:
  roles: {{Ash: werewolf, Hal: werewolf, Bex: villager, Cam: villager, Dov: villager, Eli: villager, Fay: villager,
    Gus: villager}}
  at: 2026-12-01T00:00Z
  limit: {{agora: 50}}
when:
  - {{at: 2026-12-01T08:00Z, from: Dov, to: forum, says: "I vote for Gus."}}
  - {{at: 2026-12-01T09:58Z, from: Hal, to: contestmaster, says: "{talk}"}}
  - {{at: 2026-12-01T10:05Z, letter: letters/late-retraction.eml}}
  - {{at: 2026-12-01T11:00Z, from: Murphy, command: "end --why enough"}}
"""


def played(talk: str) -> Played:
    """Hal writes *talk* between the instant of the vote and when it comes in."""
    return rehearse(read_script(STORY.format(talk=talk), LETTERS), order_of)


def test_a_pack_that_talks_by_day_makes_no_vote_late() -> None:
    """The forums are told the same as where the same letter asked how things stand."""
    talk, ask = played("say pack: Gus it is"), played("status")

    assert {x.person for x in talk.letters if "Gus it is" in x.body} == {"Ash", "Hal"}
    assert [(x.letter.subject, x.letter.body) for x in posted(talk.letters)] == [
        (x.letter.subject, x.letter.body) for x in posted(ask.letters)]
    assert not any("counted again" in x.body for x in talk.letters)


@pytest.mark.parametrize("talk", ["say pack: Gus it is", "status"])
def test_the_archive_of_a_session_with_talk_and_a_late_vote_verifies(talk: str) -> None:
    """What is said in private is never published, so nothing that is may hang on it."""
    told = played(talk)

    assert [v.late for e in told.contest.entries if isinstance(v := e.event, Voted)] == [False, False]
    assert redo(publish(told.contest, posted(told.letters))).differs == []
