"""A deed for a silent player.

E passes where e can, else goes with eir fellows, else a lot decides.
"""

from __future__ import annotations

from collections import Counter

from nomicwolf.village.events import Chose, Drawn
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.lots import draw


def for_the_silent(rules: Ruleset, game: Game, who: str, verb: str) -> tuple[tuple[str, ...], tuple[Drawn, ...]]:
    """Return whom *verb* names when it is done for *who*, none to decline, and the lot that decided, if one did.

    Of those whom others have named with the same verb in this phase it is the one named most often, so that fellows who
    must agree do. The lot is drawn from the session's seed.
    """
    duty = next((d for d in rules.duties(game, who) if d.verb == verb), None)
    if duty is None or (duty.may_pass and not (duty.must and duty.must(game))):
        return (), ()
    options = rules.options(game, who, duty)
    said = {c.who: c.what for c in game.now(Chose, verb=verb) if c.what and c.who in game.alive}
    named = Counter(what for what in said.values() if set(what) <= set(options))
    most = max(named.values(), default=0)
    tied = [what for what, times in named.items() if times == most]
    if len(tied) == 1:
        return tied[0], ()
    among = tuple(sorted(it for (it,) in tied)) if tied and duty.arity == 1 else tuple(sorted(options))
    seed = game.opened.seed if game.opened else ""
    place = f"{verb} for the silent {who}, {game.place}"
    won = draw(seed, place, among, duty.arity)
    return won, (Drawn(place, among, won),)
