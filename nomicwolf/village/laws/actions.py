"""Night actions by Natural Action Resolution.

Blocks come first, then protection, deaths, and what is learned.
"""

from __future__ import annotations

from collections.abc import Mapping

from nomicwolf.village.events import Chose, Dawned, Killed, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.group_choices import NOBODY, choices
from nomicwolf.village.rule_helpers import listed
from nomicwolf.village.rules import Events, Law, Rule, instead, whenever

DEADLY = ("attack", "shoot")


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


def stopped(game: Game) -> frozenset[str]:
    """Return who can do nothing tonight."""
    return blocked({who: it for who, it in choices(game, "block").items() if it != NOBODY})


def done_tonight(game: Game, verb: str) -> dict[str, str]:
    """Return who does *verb* to whom tonight, the blocked left out."""
    stop = stopped(game)
    return {who: it for who, it in choices(game, verb).items() if it != NOBODY and who not in stop}


def visits(game: Game) -> list[tuple[str, str]]:
    """Return who comes to whom tonight, in the order in which they chose."""
    stop = stopped(game)
    return [(who, it) for who, it in _meant(game) if who not in stop]


def _meant(game: Game) -> list[tuple[str, str]]:
    last = {(c.who, c.verb): c.what for c in game.now(Chose)}
    return [(who, it) for (who, _), what in last.items() for it in what]


def resolution(*cites: str) -> Law:
    """Return the law that the protected are spared, and that all who lived at nightfall get one feedback each."""

    @instead(Killed, *cites)
    def protect(game: Game, event: Killed) -> Events:
        saved = event.cause in DEADLY and event.who in done_tonight(game, "protect").values()
        return [] if saved and game.phase == "night" else None

    @whenever(Dawned, *cites)
    def feedback(game: Game, event: Dawned) -> Events:
        return [Told(p, "feedback", "\n".join(learned(game, p)) or "Nothing to report.") for p in game.living()]

    rules: tuple[Rule, ...] = (protect, feedback)
    return Law("resolution", rules=rules)


def looks_evil(game: Game, it: str) -> bool:
    """Return what a cop learns: the Godfather passes for one of the town, the miller for one of the mafia."""
    role = game.roles[it]
    return role == "miller" or (game.sides[it] == "mafia" and role != "godfather")


def learned(game: Game, me: str) -> list[str]:
    """Return what *me* learns of this night, a sentence each."""
    said = []
    if me in stopped(game) and any(who == me for who, _ in _meant(game)):
        said.append("You were kept from acting.")
    for who, it in done_tonight(game, "see").items():
        if who == me:
            negation = "" if looks_evil(game, it) else "not "
            said.append(f"{it} is {negation}one of the mafia.")
    for who, it in done_tonight(game, "track").items():
        if who == me:
            seen = sorted({to for by, to in visits(game) if by == it})
            said.append(f"{it} went to {listed(tuple(seen))}.")
    for who, it in done_tonight(game, "watch").items():
        if who == me:
            seen = sorted({by for by, to in visits(game) if to == it and by != me})
            said.append(f"{listed(tuple(seen)) if seen else 'Nobody'} came to {it}.")
    return said
