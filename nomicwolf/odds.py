"""Win rates, exact or from games played.

Games are played by the engine itself; a policy chooses who is lynched, and what is done at night.

Exact odds come by dynamic programming: each day one of the living is lynched by lot, each night one outsider killed. A
lot may fall on anyone, oneself included. A pack has no reason not to kill, and without roles all its choices are alike.
Rates from games played come with their uncertainty, and both as plain data.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, partial
from math import sqrt
from random import Random
from typing import Any

from nomicwolf.village.ballots import For
from nomicwolf.village.events import Chose, Ended, Opened, PhaseBegan, Seen, Told
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.actions import FEEDBACK
from nomicwolf.village.laws.majority import GUILTY, INNOCENT, cast_in_stage
from nomicwolf.village.lots import is_choice, possible
from nomicwolf.village.rules import Course, Duty, Refusal
from nomicwolf.village.rulesets import library, rules_with, ruleset

MAX_MOVES = 20_000
"""More moves than any session takes; a longer one is a defect of its rules, not an endless loop here."""
DEAL = frozenset({"wolves"})
"""Switches that say who is dealt, and change nothing else."""
QUICK = {"dawn": "at once", "dead_see": "off"}
DRAW = "draw"
Policy = Callable[[Game, Random], str]


def by_lot(game: Game, chance: Random) -> str:
    """Lynch any of the living by lot."""
    return chance.choice(game.living())


def reports(game: Game) -> list[tuple[str, str, bool]]:
    """Return what has been seen of sides, oldest first: by whom, of whom, and whether they seemed evil."""
    found = [(e.number, e.event.by, e.event.who, e.event.evil) for e in game.lines(Seen) if isinstance(e.event, Seen)]
    for entry in game.lines(Told, topic=FEEDBACK):
        if isinstance(entry.event, Told):
            found += [(entry.number, entry.event.to, who, not negation)
                      for who, negation in _SEEN.findall(entry.event.text)]
    return [(by, who, evil) for _, by, who, evil in sorted(found)]


def believing(game: Game, chance: Random) -> str:
    """Lynch whom one who sees has seen to be evil; else by lot one whom nobody has seen to be good."""
    return _by(game, chance, {who: evil for by, who, evil in reports(game) if by in game.alive})


def cautious(game: Game, chance: Random) -> str:
    """Lynch whom one has seen to be evil who is dead now; else by lot one whom no such one has seen to be good."""
    return _by(game, chance, {who: evil for by, who, evil in reports(game) if by not in game.alive})


def remembering(game: Game, chance: Random) -> str:
    """Lynch whom most have ever seen to be evil, those who saw them to be good taken off; else by lot one in doubt."""
    score = Counter[str]()
    for _, who, evil in reports(game):
        score[who] += 1 if evil else -1
    most = max((score[p] for p in game.living()), default=0)
    guilty = [p for p in game.living() if most > 0 and score[p] == most]
    return chance.choice(guilty or [p for p in game.living() if not score[p]] or game.living())


def _by(game: Game, chance: Random, seen: Mapping[str, bool]) -> str:
    guilty = [p for p in game.living() if seen.get(p)]
    doubtful = [p for p in game.living() if p not in seen]
    return chance.choice(guilty or doubtful or game.living())


_SEEN = re.compile(r"(?m)^(.+) is (not )?one of the \w+\.$")
POLICIES: Mapping[str, Policy] = {
    "random": by_lot, "believing": believing, "cautious": cautious, "remembering": remembering}
"""Whom the village lynches, by policy. All else is done by lot, a pack acting together."""
ASSUMED: Mapping[str, str] = {
    "random": "each day all but the chosen one vote for one of the living, chosen by lot",
    "believing": "each day all but the chosen one vote for one whom a living seer has seen to be evil, else for one of "
    "those whom none has seen, by lot",
    "cautious": "each day all but the chosen one vote for one whom somebody has seen to be evil who is dead now, else "
    "for one of those whom none of the dead has seen, by lot",
    "remembering": "each day all but the chosen one vote for one whom most have ever seen to be evil, living or dead, "
    "those who saw em to be good taken off, else for one in doubt, by lot",
}
"""What each policy assumes about the days."""
NIGHTS = (
    "each night the pack agrees on a victim of another side by lot; whoever has another power uses it by lot, or not "
    "at all")
"""What every policy assumes about the nights."""


def outcome(game: Game) -> tuple[str, int]:
    """Return the side that has won *game*, or ``draw``, and how many days it had."""
    ended = game.last(Ended)
    return ended.side if ended else DRAW, len(game.ever(PhaseBegan, phase="day"))


def played_session(
    rules: Ruleset, players: int, roles: tuple[str, ...], seed: str, policy: str = "random",
    switches: Mapping[str, str] | None = None,
) -> Game:
    """Play a session; return it when it is over, or after `MAX_MOVES` moves."""
    chance = Random(seed)  # noqa: S311 - a simulation, not a secret
    game = _opened(rules, players, roles, seed, {**QUICK, **(switches or {})})
    for _ in range(MAX_MOVES):
        if game.over:
            break
        game = _play_day(rules, game, chance, POLICIES[policy]) if game.phase == "day" else _deeds(rules, game, chance)
    return game


def _opened(rules: Ruleset, players: int, roles: tuple[str, ...], seed: str, switches: Mapping[str, str]) -> Game:
    known = {s.name for s in rules.switches}
    given = {name: value for name, value in switches.items() if name in known}
    dealt, drawn = rules.dealt([f"p{n:02}" for n in range(1, players + 1)], roles, seed, given)
    deal = tuple((who, role, rules.roles[role].side) for who, role in dealt)
    opened = Opened(rules.name, 1, seed, deal, with_switches(rules, given), roles)
    return rules.settle(Game(), 1, (opened, *drawn), (), "command")[0]


def _play_day(rules: Ruleset, game: Game, chance: Random, policy: Policy) -> Game:
    whom, number = policy(game, chance), game.number
    while game.phase == "day" and game.number == number:
        owed = rules.owed(game)
        moved = _deeds(rules, game, chance) if owed else _vote(rules, game, whom)
        if moved is None and rules.alarm(game) is None and (
                others := [p for p in game.living() if game.weights.get(p) == 0]):  # they can always agree on one
            whom = chance.choice(others)
            moved = _vote(rules, game, whom)
        game = moved or _let_time_pass(rules, game)
    return game


def _let_time_pass(rules: Ruleset, game: Game) -> Game:
    alarm = rules.alarm(game)
    if alarm is None:
        raise RuntimeError(f"{rules.name}: nothing goes on in {game.phase} {game.number}: a defect of the rule set")
    return rules.strike(game, *alarm)[0]


def _vote(rules: Ruleset, game: Game, whom: str) -> Game | None:
    """Let the next player act against *whom*; None if nobody can."""
    voted = set(cast_in_stage(game)) if game.stage else {p for p, vote in game.table.items() if vote == whom}
    for who in game.living():
        for duty in rules.duties(game, who):
            if duty.verb not in ("accuse", "second", "vote"):
                continue
            if (who in voted) if duty.pins else who == whom or not _useful(game, duty, who, whom):
                continue
            if moved := _move(rules, game, who, duty, whom):
                return moved
    return None


def _useful(game: Game, duty: Duty, who: str, whom: str) -> bool:
    done = [e for e in game.entries[-len(game.seats) * 4:] if getattr(e.event, "verb", "") == duty.verb]
    again = any(getattr(e.event, "who", "") == who or duty.verb == "accuse" for e in done if e.number > game.phase_mark)
    return not again and game.stage == "discussion" and not duty.allows(game, who, whom)


def _move(rules: Ruleset, game: Game, who: str, duty: Duty, whom: str) -> Game | None:
    """Let *who* act against *whom*, who only pleads not guilty; None if *who* can't."""
    at = game.clock + 1
    if not duty.pins:
        return rules.act(game, at, who, duty.verb, (whom,))[0]
    for ballot in (INNOCENT,) if who == whom else (whom, GUILTY):
        with suppress(Refusal):
            return rules.cast(game, at, who, duty.verb, For(ballot))[0]
    return None


def _deeds(rules: Ruleset, game: Game, chance: Random) -> Game:
    """Do everything that is owed by lot; if nothing is, let time pass."""
    owed = rules.owed(game)
    if not owed:
        return _let_time_pass(rules, game)
    who, verb = min(owed, key=lambda pair: len(game.now(Chose, who=pair[0], verb=pair[1])))
    duty = next(d for d in rules.duties(game, who) if d.verb == verb and d.owed)
    options = rules.options(game, who, duty)
    passing = len(options) < duty.arity or (duty.may_pass and verb != "attack" and chance.random() < 0.5)
    if passing and duty.may_pass:
        return rules.act(game, game.clock, who, verb, passing=True)[0]
    named = tuple(chance.sample(options, duty.arity)) if verb != "attack" else (_pack_victim(game, options, chance),)
    return rules.act(game, game.clock, who, verb, named)[0]


def _pack_victim(game: Game, options: tuple[str, ...], chance: Random) -> str:
    """Return one victim for the whole pack: the one that its first member drew."""
    named = game.now(Chose, verb="attack")
    return named[-1].what[0] if named and named[-1].what and named[-1].what[0] in options else chance.choice(options)


def chances(evil: int, good: int, course: Course) -> Fraction:
    """Return the probability that the good side wins with so many *evil* and *good* players.

    >>> chances(1, 6, Course())
    Fraction(19, 35)
    """
    return (_night if course.night_first else _day)(evil, good, course.parity, course.least)


def winner_of(evil: int, good: int, parity: bool) -> Fraction | None:
    """Return the winner: 1 for the good side, 0 for the evil, None while neither has won.

    With *parity* the evil side wins as soon as it is no smaller; otherwise, only when no good player is left.
    """
    if not evil:
        return Fraction(1)
    return Fraction(0) if (evil >= good if parity else not good) else None


@lru_cache(maxsize=4096)
def _day(evil: int, good: int, parity: bool, least: int) -> Fraction:
    won = winner_of(evil, good, parity)
    if won is not None:
        return won
    everyone = evil + good
    if everyone < least:
        return _night(evil, good, parity, least)
    return (Fraction(evil, everyone) * _night(evil - 1, good, parity, least)
            + Fraction(good, everyone) * _night(evil, good - 1, parity, least))


def _night(evil: int, good: int, parity: bool, least: int) -> Fraction:
    won = winner_of(evil, good, parity)
    return won if won is not None else _day(evil, good - 1, parity, least)


Z95 = 1.959963984540054
"""95 % of a normal distribution is within so many standard deviations of the mean."""
SESSIONS_PER_TASK = 50
"""Sessions that a process plays at once."""
MAX_PLAYERS = 500
"""The largest number of players, because each one deepens the recursion."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How likely a side is to win: between *low* and *high* with 95 % certainty; *fraction* if it is known exactly."""

    p: float
    low: float
    high: float
    fraction: str = ""


@dataclass(frozen=True, slots=True)
class Odds:
    """Win rates of a rule set with so many players: *method* is ``exact`` or ``played``.

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
        """Return the odds for ``odds --json``."""
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
        """The assumptions about the players behind the figures, in words."""
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
    """Return the win rates of the rule set *name*; raise `Refusal` if it can't be played like that.

    *brought* are the texts of additional roles, *switches* those that aren't as usual. The rates are exact if
    lynching is by lot, all are plain or of the rule set's own pack, and the *switches* are of the `DEAL` alone, unless
    they are to be *played*; the same *seed* gives the same rates with any number of *processes*. *tell* is called with
    the number of sessions played so far, first with 0.
    """
    rules = rules_with(name, brought)
    if policy not in POLICIES:
        raise Refusal(f"There is no policy {policy!r}; there are {', '.join(POLICIES)}.", options=tuple(POLICIES))
    if players > MAX_PLAYERS:
        raise Refusal(
            f"The odds of {players} players are not told: {MAX_PLAYERS} are the most that they are reckoned for.")
    chosen = tuple(map(rules.listed, roles))
    given = dict(switches or {})
    evil, others = evil_and_special(rules, players, chosen, given)
    warned = cliffs(rules, players, chosen, given)
    if rules.warnings:
        warned += rules.warnings(players, chosen)
    if not (others or given.keys() - DEAL or played) and policy == "random" and rules.course is not None:
        p = chances(evil, players - evil, rules.course)
        return Odds(name, players, "exact", 0, policy, _exact(rules, chosen, players, given, p), warned, chosen)
    count, days = Counter[str](), 0
    if tell:
        tell(0)
    play = partial(play_sessions, name, players, chosen, seed, policy, brought=brought, switches=switches)
    for done, (sides, lasted) in _sessions(play, games, processes):
        count, days = count + sides, days + lasted
        if tell:
            tell(done)
    more = sorted(side for side in count if side != DRAW)
    won = dict.fromkeys((*sides_of(rules, players, chosen, given), *more, *([DRAW] if count[DRAW] else [])))
    rates = {side: wilson(count[side], games) for side in won}
    return Odds(name, players, "played", games, policy, rates, warned, chosen, days / games)


def moves(
    found: Odds, brought: tuple[str, ...] = (), switches: Mapping[str, str] | None = None, *, seed: str = "odds",
    processes: int = 1,
) -> Odds:
    """Return odds that were *played* with what each of their roles does to the good side's share.

    Where a role is left out somebody else is dealt a plain one, or one of the rule set's own.
    """
    rules = rules_with(found.ruleset, brought)
    good = next(iter(found.wins))
    changes = dict[str, Rate]()
    for role, rest in weighed(rules, found.players, found.roles, switches or {}).items():
        other = odds(found.ruleset, found.players, rest, games=found.games, policy=found.policy, seed=seed,
                     processes=processes, played=True, brought=brought, switches=switches)
        changes[role] = difference(found.wins[good], other.wins[good], found.games)
    return replace(found, moves=changes)


def weighed(
    rules: Ruleset, players: int, roles: tuple[str, ...], switches: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Return the roles that can be left out, each with those that are left; not the last of the evil side.

    One of a role is left out, or all where the rule set has no single one of it; none without which some way in which
    rows can fall has nobody to deal.
    """
    evil = evil_and_special(rules, players, roles, switches)[0]
    names = [f"p{n:02}" for n in range(players)]
    found = dict[str, tuple[str, ...]]()
    for role in dict.fromkeys(roles):
        if is_choice(role) or (rules.roles[role].side == rules.evil and evil < 2):
            continue
        at = roles.index(role)
        for rest in ((*roles[:at], *roles[at + 1:]), tuple(other for other in roles if other != role)):
            with suppress(Refusal):
                rules.decks(names, rest, switches)
                found.setdefault(role, rest)
    return found


def difference(one: Rate, other: Rate, games: int) -> Rate:
    """Return by how much one rate is above another, each of so many *games*, with bounds of 95 %."""
    half = Z95 * sqrt((one.p * (1 - one.p) + other.p * (1 - other.p)) / games)
    by = one.p - other.p
    return Rate(by, by - half, by + half)


def _sessions(
    play: Callable[[Sequence[int]], tuple[Counter[str], int]], games: int, processes: int
) -> Iterator[tuple[int, tuple[Counter[str], int]]]:
    chunks = [range(start, min(start + SESSIONS_PER_TASK, games)) for start in range(0, games, SESSIONS_PER_TASK)]
    if processes <= 1:
        yield from ((chunk.stop, play(chunk)) for chunk in chunks)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from ((chunk.stop, found) for chunk, found in zip(chunks, pool.map(play, chunks), strict=True))


def play_sessions(
    name: str, players: int, roles: tuple[str, ...], seed: str, policy: str, numbers: Sequence[int],
    brought: tuple[str, ...] = (), switches: Mapping[str, str] | None = None,
) -> tuple[Counter[str], int]:
    """Play the sessions with these *numbers*; return the wins of each side, and the sum of their days."""
    rules = rules_with(name, brought)
    ends = [outcome(played_session(rules, players, roles, f"{seed}/{number}", policy, switches)) for number in numbers]
    return Counter(side for side, _ in ends), sum(days for _, days in ends)


def evil_and_special(
    rules: Ruleset, players: int, roles: tuple[str, ...], switches: Mapping[str, str]
) -> tuple[int, int]:
    """Return how many evil cards are dealt, and how many that are neither plain nor of the rule set's own pack.

    What a role from a file brings along, such as a bond, can move the odds, on whatever side it is.
    """
    dealt, _ = rules.dealt([f"p{n:02}" for n in range(players)], roles, "", switches)
    cards = [rules.roles[role] for _, role in dealt]
    evil = [card for card in cards if card.side == rules.evil]
    plain = sum(card.name == rules.plain for card in cards)
    return len(evil), players - plain - sum(not card.text for card in evil)


def sides_of(
    rules: Ruleset, players: int, roles: tuple[str, ...], switches: Mapping[str, str]
) -> tuple[str, ...]:
    """Return the sides that can win, the good one first."""
    dealt, _ = rules.dealt([f"p{n:02}" for n in range(players)], roles, "", switches)
    every = (*(role for _, role in dealt), *possible(roles))
    names = dict.fromkeys([rules.roles[rules.plain].side, *sorted(rules.roles[role].side for role in every)])
    return tuple("werehamster" if side == "alone" else side for side in names if side != "neutral")


def _exact(
    rules: Ruleset, roles: tuple[str, ...], players: int, switches: Mapping[str, str], p: Fraction
) -> dict[str, Rate]:
    good, evil = sides_of(rules, players, roles, switches)[:2]
    return {side: Rate(float(q), float(q), float(q), str(q)) for side, q in ((good, p), (evil, 1 - p))}


def cliffs(
    rules: Ruleset, players: int, roles: tuple[str, ...], switches: Mapping[str, str]
) -> tuple[str, ...]:
    """Return a warning if one player fewer would mean one fewer on the evil side, where the odds fall (7 to 8)."""
    try:
        here, before = (evil_and_special(rules, number, roles, switches)[0] for number in (players, players - 1))
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


HELPERS = (("cop",), ("doctor",), ("cop", "doctor"), ("cop", "jailkeeper"), ("cop", "doctor", "tracker"))
"""What a town may have, each by what players call it."""


def suggested(
    name: str, players: int, *, games: int, policy: str, processes: int = 1, tell: Callable[[int], None] | None = None,
) -> list[Odds]:
    """Return the odds of setups of *players* that the rule set *name* can deal, those nearest to even first.

    `Refusal` if it can deal none to so many. *tell* is called with the number of setups played so far.
    """
    rules, found, why = ruleset(name), list[Odds](), "no roles fit"
    for number, (roles, brought) in enumerate(_candidates(rules, players), 1):
        try:
            found.append(odds(name, players, roles, games=games, policy=policy, processes=processes, played=True,
                              brought=brought))
        except Refusal as refused:
            why = refused.why
        if tell:
            tell(number)
    if not found:
        raise Refusal(why)
    return sorted(found, key=lambda each: abs(next(iter(each.wins.values())).p - 0.5))


def _candidates(rules: Ruleset, players: int) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield roles that may be dealt to *players*, with the texts of those that are brought."""
    texts = library()
    packs: list[tuple[str, ...]] = [()]
    if hunter := next((role for role in rules.optional if rules.roles[role].side == rules.evil), ""):
        packs = [(hunter,) * count for count in range(1, max(2, players // 3 + 1))]
    for pack in packs:
        for helpers in ((), *HELPERS):
            special = tuple(map(rules.called, helpers))
            brought = tuple(texts[role] for role in special if role not in rules.roles)
            dealt_anyway = any(role in rules.roles and role not in rules.optional for role in special)
            if len(pack) + len(special) < players and not dealt_anyway:
                yield (*pack, *special), brought


def as_setup(found: Odds, title: str, rules: Ruleset) -> str:
    """Return the file of a setup with the roles of *found*."""
    counts: Mapping[str, int] = {role: found.roles.count(role) for role in dict.fromkeys(found.roles)}
    roles = "".join(f"{role} = {count}\n" for role, count in counts.items())
    return f'title = "{title}"\nruleset = "{rules.name}"\nplayers = {found.players}\n\n[roles]\n{roles}'
