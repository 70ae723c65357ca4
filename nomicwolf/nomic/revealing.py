"""The disclosure after a session (D-N23)."""

from __future__ import annotations

from nomicwolf.nomic.events import Revealed
from nomicwolf.village.events import Joined, Turned
from nomicwolf.village.game import Game


def revealed(session: int, game: Game, ruled: tuple[tuple[int, str, str, tuple[str, ...]], ...] = ()) -> Revealed:
    """Return what is told of *game*: seed, roles, Lovers, who took another role, and what was *ruled* in secret.

    Nothing is with the switch off.
    """
    opened = game.opened
    if opened is None or game.switches.get("reveal_after", "on") != "on":
        return Revealed(session, "", ())
    lovers = tuple(who for pair in game.ever(Joined)[-1:] for who in pair.lovers)
    became = tuple((turned.who, turned.role, turned.side) for turned in game.ever(Turned))
    return Revealed(session, opened.seed, opened.deal, lovers, became, ruled)
