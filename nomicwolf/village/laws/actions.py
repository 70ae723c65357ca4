"""Night actions by Natural Action Resolution.

Blocks come first, then protection, deaths, and what is learned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomicwolf.village.events import Chose, Dawned, Killed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.group_choices import NOBODY, choices
from nomicwolf.village.rule_helpers import listed, looks_evil
from nomicwolf.village.rules import Events, Law, instead, whenever

BLOCK, PROTECT, STAND_IN, KILL, VISIT = "block", "protect", "stand in", "kill", "visit"
SHOT = "shoot"
"""The cause of a death by night that a single player brings about."""
DEADLY = ("attack", SHOT)
KEPT = "You were kept from acting."
FEEDBACK, RESOLUTION = "feedback", "resolution"
"""The topic of what is told of a night at its end, and the law by which everyone is told."""


def blocked(blocks: Mapping[str, str]) -> frozenset[str]:
    """Return who is blocked, *blocks* mapping each blocker to whom e visits.

    A blocker who is blocked blocks nobody; those who block one another in a ring are all blocked.

    >>> sorted(blocked({"a": "b", "b": "c"}))
    ['b']
    >>> sorted(blocked({"a": "b", "b": "a"}))
    ['a', 'b']
    """
    open_blocks, done = dict(blocks), set[str]()
    while open_blocks:
        free = [b for b in open_blocks if b not in open_blocks.values()]
        if not free:
            return frozenset(done | set(open_blocks))
        for blocker in free:
            target = open_blocks.pop(blocker)
            done.add(target)
            open_blocks.pop(target, None)
    return frozenset(done)


def doing(game: Game, effect: str) -> dict[str, str]:
    """Return whom each player last chose tonight for a deed that has this *effect*, ``nobody`` for declining."""
    verbs = dict.fromkeys(verb for card in game.cards.values() for verb, does in card.does.items() if effect in does)
    return {who: it for verb in verbs for who, it in choices(game, verb).items()
            if effect in game.cards[game.roles[who]].does.get(verb, ())}


def stopped(game: Game) -> frozenset[str]:
    """Return who can do nothing tonight."""
    return blocked({who: it for who, it in doing(game, BLOCK).items() if it != NOBODY})


def done_tonight(game: Game, effect: str) -> dict[str, str]:
    """Return who does a deed that has this *effect* to whom tonight, the blocked left out."""
    stop = stopped(game)
    return {who: it for who, it in doing(game, effect).items() if it != NOBODY and who not in stop}


def visits(game: Game) -> list[tuple[str, str]]:
    """Return who comes to whom tonight, in the order in which they chose."""
    stop = stopped(game)
    return [(who, it) for who, it in _meant(game) if who not in stop]


def _meant(game: Game) -> list[tuple[str, str]]:
    last = {(c.who, c.verb): c.what for c in game.now(Chose)}
    return [(who, it) for (who, _), what in last.items() for it in what]


def protected(game: Game, event: Killed) -> bool:
    """Return whether somebody protects the one who would be killed by night."""
    return game.phase == "night" and event.cause in DEADLY and event.who in done_tonight(game, PROTECT).values()


def guardian(game: Game, event: Killed, *roles: str) -> str:
    """Return who dies in place of the one who would be killed by night, '' for nobody; of *roles* if any are given."""
    if game.phase != "night" or event.cause not in DEADLY:
        return ""
    here = game.living(*roles)
    return next((who for who, it in done_tonight(game, STAND_IN).items() if it == event.who and who in here), "")


def resolution(evil: str, *cites: str) -> Law:
    """Return the law that the protected are spared, and that all who lived at nightfall get one feedback each."""

    @instead(Killed, *cites)
    def protect(game: Game, event: Killed) -> Events:
        return [] if protected(game, event) else None

    @whenever(Dawned, *cites)
    def feedback(game: Game, event: Dawned) -> Events:
        return [Told(p, FEEDBACK, "\n".join(learned(game, p, evil)) or "Nothing to report.") for p in game.living()]

    return Law(RESOLUTION, rules=(protect, feedback))


def learned(game: Game, me: str, evil: str) -> list[str]:
    """Return what *me* learns of this night, a sentence each; *evil* is the side that is looked for."""
    said = [KEPT] if me in kept_from_acting(game) else []
    for effect, tells in _TELLS.items():
        if it := done_tonight(game, effect).get(me):
            said.append(tells(game, me, it, evil))
    return said


def kept_from_acting(game: Game) -> frozenset[str]:
    """Return who meant to do something tonight and is stopped."""
    return stopped(game) & {who for who, _ in _meant(game)}


def _side(game: Game, me: str, it: str, evil: str) -> str:
    return f"{it} is {'' if looks_evil(game, it, evil) else 'not '}one of the {evil}."


def _role(game: Game, me: str, it: str, evil: str) -> str:
    return f"{it}'s role is {game.cards[game.roles[it]].title}."


def _visited(game: Game, me: str, it: str, evil: str) -> str:
    return f"{it} went to {listed(tuple(sorted({to for by, to in visits(game) if by == it})))}."


def _visitors(game: Game, me: str, it: str, evil: str) -> str:
    seen = tuple(sorted({by for by, to in visits(game) if to == it and by != me}))
    return f"{listed(seen) if seen else 'Nobody'} came to {it}."


_TELLS: Mapping[str, Callable[[Game, str, str, str], str]] = {
    "see side": _side, "see role": _role, "track": _visited, "watch": _visitors}
LEARNING = frozenset(_TELLS)
"""The effects by which the doer learns something."""
EFFECTS = (BLOCK, PROTECT, STAND_IN, KILL, *_TELLS, VISIT)
"""What can come of a deed at the end of a night, in the order in which it does."""
