"""How a conviction is told: by verdicts who said what, by standing votes which ballot made it, if one did."""

from __future__ import annotations

from nomicwolf.reports.counting import final_count
from nomicwolf.reports.vote_sections import verdicts_of
from nomicwolf.village.ballots import For
from nomicwolf.village.events import Lynched, Voted
from nomicwolf.village.game import replay
from tests.village.games import S7, Play
from tests.village.test_departures import KILL, leave

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


def made_by(play: Play) -> tuple[int, str]:
    """How many votes the last lynching had, and whose ballot made it ('': nobody's)."""
    lynching = play.game.lines(Lynched)[-1]
    counted, last = final_count(replay(e for e in play.game.entries if e.number <= lynching.number), lynching)
    return counted.counts["Gus"], last.event.who if last is not None and isinstance(last.event, Voted) else ""


def test_a_lynching_by_a_death_is_no_ballots_doing() -> None:
    """NC 3: the ballot of that instant made it; where there are fewer to be more than half of, none did."""
    voted = ("Ash vote Gus", "Bex vote Gus", "Cam vote Gus")

    assert made_by(Play(S7, switches=KILL).do(*voted, "Dov vote Gus")) == (4, "Dov")
    play = Play(S7, switches=KILL).do(*voted)
    leave(play, "Dov")
    leave(play, "Fay")
    assert made_by(play) == (3, "")
