"""A program and a referee side by side: what both say has happened, and where lots have fallen."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.village import events as e
from nomicwolf.village.events import Entry
from tests.village.referee import Line, Referee

CROSSING = "nomic-crossing"


class Beside:
    """What the program has told of a game of *name* and the referee has not been compared with yet."""

    referee: Referee

    def __init__(self, name: str) -> None:
        self.name = name
        self.drawn: list[e.Drawn] = []
        self.seen: list[Line] = []

    def note(self, news: Sequence[Entry]) -> None:
        """Keep what the program says has happened, and where lots have fallen."""
        for entry in news:
            match entry.event:
                case e.Drawn() as drawn:
                    self.drawn.append(drawn)
                case e.PhaseBegan(phase, number):
                    self.seen.append((entry.at, "phase", phase, number))
                case e.StageBegan(stage, until, names):
                    self.seen.append((entry.at, "stage", stage, until, tuple(sorted(names))))
                case e.Killed(who) | e.Revived(who) | e.Tried(who) | e.Acquitted(who) | e.Turned(who):
                    self.seen.append((entry.at, entry.event.name, who))
                case e.Lynched(who) if self.name == CROSSING:
                    self.seen.append((entry.at, "lynched", who))
                case e.Nominated(names) if self.name == "tabula":
                    self.seen.append((entry.at, "nominated", tuple(sorted(names))))
                case e.Announced("answer aloud", words):
                    self.seen.append((entry.at, "aloud", words.removeprefix("The answer was ").removesuffix(".")))
                case e.Seen(_, who, evil) if self.name != "six-phases":
                    self.seen.append((entry.at, "seen", who, evil))
                case e.Ended() as ended:
                    self.seen.append((entry.at, "ended", tuple(sorted(ended.winners))))

    def lot(self, tied: Sequence[str]) -> str:
        """Return where the lot between *tied* has fallen before the program."""
        assert self.drawn, f"no lot was drawn between {tied}"
        drawn = self.drawn.pop(0)
        assert sorted(drawn.options) == sorted(tied)
        return drawn.result[0]

    def compare(self, move: object) -> None:
        """Both have seen the same, in whatever order it is told within an instant."""
        assert sorted(self.seen, key=repr) == sorted(self.referee.log, key=repr), move
        assert not self.drawn, move
        self.seen.clear()
        self.referee.log.clear()
