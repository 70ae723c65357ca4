"""Who may speak to whom, by way of the program, and how it is told (GA 3, LT 3c, LT 8e, SP 5, NM 5, D-M13, D-M16)."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import DeathsAnnounced, Told
from nomicwolf.village.rules import Refusal
from tests.tables import each
from tests.village.staged import Staged


def said(play: Staged, move: str) -> dict[str, tuple[str, str]]:
    """Return what *move* tells whom: the topic, and the words."""
    play.do(move)
    return {e.event.to: (e.event.topic, e.event.text) for e in play.news if isinstance(e.event, Told)}


def speaking(play: Staged) -> set[str]:
    """Return who may speak to somebody now."""
    return {p for p in play.game.seats if any(d.verb == "say" for d in play.rules.duties(play.game, p))}


@each(("name", "move", "hears"), [
    ("G12", "G1 say pack: N1?", ("G2", "G3")), ("T16", "W2 say pack: N1?", ("W1", "W3")),
    ("T16", "F1 say masons: N1?", ("F2",)), ("M8", "B say pack: N1?", ("A",)),
    ("C11", "GF say pack: N1?", ("M1", "M2")), ("C11", "S2 say masons: N1?", ("S1",)),
    ("C11", "P1 say policemen: N1?", ("P2",)),
])
def test_those_who_share_a_secret_speak_by_night(name: str, move: str, hears: tuple[str, ...]) -> None:
    """Each of the others who live is told the words and whose they are, and nobody else is."""
    play = Staged(name) if Staged(name).game.phase == "night" else Staged(name).to("night")

    assert said(play, move) == dict.fromkeys(hears, ("relay", f"{move.partition(' ')[0]} says: N1?"))


def test_whoever_is_alone_or_no_member_speaks_to_nobody() -> None:
    """By day none of them speaks; of two masons the one who is left has nobody to speak to, nor have others."""
    play = Staged("T16")
    assert speaking(play) == {"W1", "W2", "W3", "F1", "F2"}
    play.kill("F1", "W3")
    play.game, _ = play.rules.settle(play.game, play.game.clock, [DeathsAnnounced(("F1", "W3"))], (), "command")
    assert speaking(play) == {"W1", "W2"}
    assert said(play, "W1 say pack: now") == {"W2": ("relay", "W1 says: now")}
    with pytest.raises(Refusal, match="No such action"):
        play.do("F2 say masons: anyone?")

    assert speaking(play.to("day")) == set()


def test_the_dead_and_the_medium_speak_by_night_without_names() -> None:
    """D-M13: the dead are spirits to the Medium, and e the Medium to all of them; the living hear nothing."""
    play = Staged("M8").to("day").kill("D", "E").to("night")

    assert {"C", "D", "E"} <= speaking(play)
    assert said(play, "D say spirits: it was A") == {"C": ("seance", "A spirit says: it was A")}
    assert said(play, "C say spirits: who?") == dict.fromkeys("DE", ("seance", "The medium says: who?"))
    assert not {"C", "D", "E", "F"} & speaking(play.to("day"))

    play = Staged("M8").to("day").kill("C", "E").to("night")
    assert said(play, "E say spirits: hello") == {}
    assert said(play, "C say spirits: hello") == {}


def test_a_question_is_for_the_contestmaster_alone() -> None:
    """D-M16: no player is told of it."""
    play = Staged("M8").to("night").to("day")

    assert said(play, "E ask may I?") == {}
    assert play.game.entries[-1].event.readers() == ("E",)
