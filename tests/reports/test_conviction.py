"""How a conviction by verdict is told: who said what, and no count of votes for a name."""

from __future__ import annotations

from nomicwolf.reports.vote_sections import verdicts_of
from nomicwolf.village.ballots import For
from nomicwolf.village.game import replay
from tests.village.games import Play

CAST = "G1:gadianton G2:gadianton P1:prophet N1:nephite N2:nephite N3:nephite N4:nephite N5:nephite"


def test_a_conviction_names_who_said_guilty() -> None:
    """GA 5e: the verdicts as they stood at the conviction."""
    play = Play(CAST, "gadianton").do("G1 attack N1", "G2 attack N1", "P1 see G1", "dawn")
    play.do("N2 accuse G1", "N3 second G1", "dawn")
    for who in ("N2", "N3", "N4", "P1"):
        verdict = For("guilty")
        play.game, play.news = play.rules.cast(play.game, play.game.clock + 60, who, "vote", verdict)

    lynching = next(e for e in play.news if e.event.name == "lynched")
    before = replay(e for e in play.game.entries if e.number < lynching.number)
    assert verdicts_of(before) == {"guilty": ["P1", "N2", "N3", "N4"], "innocent": []}
    assert verdicts_of(replay(e for e in play.game.entries if e.number < 5)) == {}
