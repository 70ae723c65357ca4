"""The Gravedigger learns at night what one of the dead was."""

from nomicwolf.village.events import Told
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Duty, Events, Role, each_night, the_dead


def anyone_buried(game: Game, me: str) -> bool:
    """Open on nights on which somebody is known to be dead."""
    return each_night(game, me) and bool(game.shown_dead)


def dig(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """Tell the Gravedigger whether the one named was a werewolf."""
    return [Told(me, "grave", f"{it} was {'' if game.sides[it] == 'werewolves' else 'not '}a werewolf.", (it,))
            for it in what]


point = Duty(
    "point", anyone_buried, the_dead, dig, may_pass=True,
    says="point NAME: learn whether that dead person was a werewolf",
)
gravedigger = Role(
    "gravedigger", "villagers", (point,), title="Gravedigger",
    story="You are the Gravedigger, and on the villagers' side. Each night you may point at one of the dead, and learn "
    "whether e was a werewolf.",
)
