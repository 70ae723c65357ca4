"""Win rates, exact or from games played.

Exact odds come by dynamic programming: each day one of the living is lynched by lot, each night one outsider killed. A
lot may fall on anyone, oneself included. A pack has no reason not to kill, and without roles all its choices are alike.
Rates from games played come with their uncertainty, and both as plain data.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from typing import Any

from nomicwolf.odds.playing import ASSUMED, DRAW, NIGHTS, POLICIES, outcome
from nomicwolf.odds.playing import played as played_by
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Course, Refusal
from nomicwolf.village.rulesets import rules_with


def chances(evil: int, good: int, course: Course) -> Fraction:
    """Return the probability that the good side wins with so many *evil* and *good* players.

    >>> chances(1, 6, Course())
    Fraction(19, 35)
    """
    return (_night if course.night_first else _day)(evil, good, course.parity, course.least)


def over(evil: int, good: int, parity: bool) -> Fraction | None:
    """Return who has won: 1 for the good side, 0 for the evil, None while neither has.

    With *parity* evil wins as soon as it is no fewer; without, only when no good player is left.
    """
    if not evil:
        return Fraction(1)
    return Fraction(0) if (evil >= good if parity else not good) else None


@lru_cache(maxsize=4096)
def _day(evil: int, good: int, parity: bool, least: int) -> Fraction:
    won = over(evil, good, parity)
    if won is not None:
        return won
    everyone = evil + good
    if everyone < least:
        return _night(evil, good, parity, least)
    return (Fraction(evil, everyone) * _night(evil - 1, good, parity, least)
            + Fraction(good, everyone) * _night(evil, good - 1, parity, least))


def _night(evil: int, good: int, parity: bool, least: int) -> Fraction:
    won = over(evil, good, parity)
    return won if won is not None else _day(evil, good - 1, parity, least)


Z95 = 1.959963984540054
"""Within so many standard deviations of the mean lies 95 % of a normal distribution."""
CHUNK = 50
"""How many sessions a process plays at once."""
MOST = 500
"""With so many players, at most, odds are reckoned: each of them is a step deeper."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How likely a side wins, between *low* and *high* with 95 % certainty; *fraction* where it is known exactly."""

    p: float
    low: float
    high: float
    fraction: str = ""


@dataclass(frozen=True, slots=True)
class Odds:
    """Win rates of one rule set with so many players: *method* is ``exact`` or ``played``.

    *wins* are by side, the good one first; *days* is how many a session has in the mean (0: not played). *moves* says
    by how much the good side's share is higher for a role's being there, with its bounds.
    """

    ruleset: str
    players: int
    method: str
    games: int
    policy: str
    wins: Mapping[str, Rate]
    warnings: tuple[str, ...] = ()
    roles: tuple[str, ...] = field(default=())
    days: float = 0.0
    moves: Mapping[str, Rate] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the shape that ``odds --json`` prints."""
        wins: dict[str, dict[str, Any]] = {}
        for side, rate in self.wins.items():
            wins[side] = {"p": round(rate.p, 4), "low": round(rate.low, 4), "high": round(rate.high, 4)}
            if rate.fraction:
                wins[side]["fraction"] = rate.fraction
        found = {"schema": 1, "ruleset": self.ruleset, "players": self.players, "method": self.method,
                 "games": self.games, "policy": self.policy, "roles": list(self.roles), "wins": wins,
                 "warnings": list(self.warnings)}
        found["assumed"] = self.assumed
        if self.days:
            found["days"] = round(self.days, 1)
        if self.moves:
            found["moves"] = {role: {"by": round(move.p, 4), "low": round(move.low, 4), "high": round(move.high, 4)}
                              for role, move in self.moves.items()}
        good = next(iter(self.wins.values()))
        return found | ({"fraction": good.fraction} if good.fraction else {})

    @property
    def assumed(self) -> str:
        """What the figures take for granted of those who play, in words."""
        return f"{ASSUMED[self.policy]}; {NIGHTS}"

    def in_words(self) -> str:
        """Return one line for people.

        >>> Odds("nomic-crossing", 7, "exact", 0, "random", {"villagers": Rate(19 / 35, 19 / 35, 19 / 35, "19/35")}
        ... ).in_words()
        'villagers 54 % (19/35)'
        """
        return ", ".join(_words(side, rate) for side, rate in self.wins.items())


def _words(side: str, rate: Rate) -> str:
    sure = rate.fraction or f"{100 * rate.low:.0f} to {100 * rate.high:.0f} %"
    return f"{side} {100 * rate.p:.0f} % ({sure})"


def wilson(won: int, games: int, z: float = Z95) -> Rate:
    """Return the rate of *won* in *games* with its Wilson score interval (Wilson 1927).

    >>> rate = wilson(50, 100)
    >>> round(rate.low, 4), round(rate.high, 4)
    (0.4038, 0.5962)
    """
    p, z2 = won / games, z * z
    middle, half = p + z2 / (2 * games), z * sqrt(p * (1 - p) / games + z2 / (4 * games * games))
    scale = 1 + z2 / games
    return Rate(p, (middle - half) / scale if won else 0.0, (middle + half) / scale if won < games else 1.0)


def odds(
    name: str, players: int, roles: Sequence[str] = (), *, games: int = 2000, policy: str = "random",
    seed: str = "odds", processes: int = 1, played: bool = False, tell: Callable[[int], None] | None = None,
    brought: tuple[str, ...] = (), switches: Mapping[str, str] | None = None,
) -> Odds:
    """Return the win rates of the rule set *name*; raise `Refusal` for what it can't be played with.

    *brought* are the texts of roles that it is played with beside its own, *switches* those that aren't as usual.

    They are exact where lynching is by lot and roles are none, unless they are to be *played*; the same *seed* gives
    the same rates with any number of *processes*. *tell* is called with the number of sessions played so far, first
    with 0.
    """
    rules = rules_with(name, brought)
    if policy not in POLICIES:
        raise Refusal(f"There is no policy {policy!r}; there are {', '.join(POLICIES)}.", options=tuple(POLICIES))
    if players > MOST:
        raise Refusal(f"The odds of {players} players are not told: {MOST} are the most that they are reckoned for.")
    chosen = tuple(rules.called(role) for role in roles)
    evil, others = cast(rules, players, chosen)
    warned = cliffs(rules, players, chosen)
    if rules.warnings:
        warned += rules.warnings(players, chosen)
    if not others and policy == "random" and rules.course is not None and not played:
        p = chances(evil, players - evil, rules.course)
        return Odds(name, players, "exact", 0, policy, _exact(rules, chosen, players, p), warned, chosen)
    count, days = Counter[str](), 0
    if tell:
        tell(0)
    play = partial(play_some, name, players, chosen, seed, policy, brought=brought, switches=switches)
    for done, (sides, lasted) in _sessions(play, games, processes):
        count, days = count + sides, days + lasted
        if tell:
            tell(done)
    rates = {side: wilson(count[side], games) for side in (*sides_of(rules, players, chosen), *(
        [DRAW] if count[DRAW] else []))}
    return Odds(name, players, "played", games, policy, rates, warned, chosen, days / games)


def moves(
    found: Odds, brought: tuple[str, ...] = (), switches: Mapping[str, str] | None = None, *, seed: str = "odds",
    processes: int = 1,
) -> Odds:
    """Return odds that were *played* with what each of their roles does to the good side's share.

    Each role is left out once, so that somebody else is dealt a plain one, or one of the rule set's own.
    """
    rules = rules_with(found.ruleset, brought)
    good = next(iter(found.wins))
    changes = dict[str, Rate]()
    for role in dict.fromkeys(found.roles):
        rest = list(found.roles)
        rest.remove(role)
        if rules.roles[role].side == rules.evil and cast(rules, found.players, found.roles)[0] < 2:
            continue
        other = odds(found.ruleset, found.players, rest, games=found.games, policy=found.policy, seed=seed,
                     processes=processes, played=True, brought=brought, switches=switches)
        changes[role] = _difference(found.wins[good], other.wins[good], found.games)
    return replace(found, moves=changes)


def _difference(one: Rate, other: Rate, games: int) -> Rate:
    """Return by how much one rate is above another, each of so many *games*, with bounds of 95 %."""
    half = Z95 * sqrt((one.p * (1 - one.p) + other.p * (1 - other.p)) / games)
    by = one.p - other.p
    return Rate(by, by - half, by + half)


def _sessions(
    play: Callable[[Sequence[int]], tuple[Counter[str], int]], games: int, processes: int
) -> Iterator[tuple[int, tuple[Counter[str], int]]]:
    chunks = [range(start, min(start + CHUNK, games)) for start in range(0, games, CHUNK)]
    if processes <= 1:
        yield from ((chunk.stop, play(chunk)) for chunk in chunks)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from ((chunk.stop, found) for chunk, found in zip(chunks, pool.map(play, chunks), strict=True))


def play_some(
    name: str, players: int, roles: tuple[str, ...], seed: str, policy: str, numbers: Sequence[int],
    brought: tuple[str, ...] = (), switches: Mapping[str, str] | None = None,
) -> tuple[Counter[str], int]:
    """Play the sessions with these *numbers*; return how many each side has won, and the sum of their days."""
    rules = rules_with(name, brought)
    ends = [outcome(played_by(rules, players, roles, f"{seed}/{number}", policy, switches)) for number in numbers]
    return Counter(side for side, _ in ends), sum(days for _, days in ends)


def cast(rules: Ruleset, players: int, roles: tuple[str, ...]) -> tuple[int, int]:
    """Return how many are dealt an evil card, and how many one that is neither evil nor plain."""
    dealt, _ = rules.deal([f"p{n:02}" for n in range(players)], roles, "", {})
    evil = sum(rules.roles[role].side == rules.evil for _, role in dealt)
    plain = sum(role == rules.plain for _, role in dealt)
    return evil, players - evil - plain


def sides_of(rules: Ruleset, players: int, roles: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sides that can win, the good one first."""
    dealt, _ = rules.deal([f"p{n:02}" for n in range(players)], roles, "", {})
    names = dict.fromkeys([rules.roles[rules.plain].side, *sorted(rules.roles[role].side for _, role in dealt)])
    return tuple("werehamster" if side == "alone" else side for side in names if side != "neutral")


def _exact(rules: Ruleset, roles: tuple[str, ...], players: int, p: Fraction) -> dict[str, Rate]:
    good, evil = sides_of(rules, players, roles)[:2]
    return {side: Rate(float(q), float(q), float(q), str(q)) for side, q in ((good, p), (evil, 1 - p))}


def cliffs(rules: Ruleset, players: int, roles: tuple[str, ...]) -> tuple[str, ...]:
    """Return a warning if one player fewer would mean one fewer of the evil side: the odds fall there (7 to 8)."""
    try:
        here, before = cast(rules, players, roles)[0], cast(rules, players - 1, roles)[0]
    except Refusal:
        return ()
    if here <= before:
        return ()
    text = f"with {players} players there are {here} of the evil side, with {players - 1} only {before}"
    if rules.course is not None:
        good = rules.roles[rules.plain].side
        now = chances(here, players - here, rules.course)
        then = chances(before, players - 1 - before, rules.course)
        digits = 0 if f"{100 * float(now):.0f}" != f"{100 * float(then):.0f}" else 1
        text += (f": without roles the {good} win {100 * float(now):.{digits}f} % of the sessions, with {players - 1} "
                 f"players {100 * float(then):.{digits}f} %")
    return (text,)
