"""One session, played by a policy.

The engine itself plays it; the policy chooses who is lynched, and what is done at night.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random

from nomicwolf.village.ballots import For
from nomicwolf.village.events import Chose, Ended, Opened, PhaseBegan, Seen, Told
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.actions import FEEDBACK
from nomicwolf.village.laws.verdicts import GUILTY, INNOCENT, cast_in_stage
from nomicwolf.village.rules import Duty, Refusal

MOVES = 20_000
"""More moves than any session takes: one that goes on is a defect of its rules, and no endless loop here."""
QUICK = {"dawn": "at once", "dead_see": "off"}
DRAW = "draw"
Policy = Callable[[Game, Random], str]


def by_lot(game: Game, chance: Random) -> str:
    """Lynch any of the living by lot."""
    return chance.choice(game.living())


def reports(game: Game) -> list[tuple[str, str, bool]]:
    """Return what has been seen of sides, oldest first: by whom, of whom, and whether e seemed evil."""
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
    """Lynch whom most have ever seen to be evil, those who saw em to be good taken off; else by lot one in doubt."""
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
"""By name: whom the village lynches. What else players can do they do by lot, a pack all together."""
ASSUMED: Mapping[str, str] = {
    "random": "each day all but the chosen one vote for one of the living, chosen by lot",
    "believing": "each day all but the chosen one vote for one whom a living seer has seen to be evil, else for one of "
    "those whom none has seen, by lot",
    "cautious": "each day all but the chosen one vote for one whom somebody has seen to be evil who is dead now, else "
    "for one of those whom none of the dead has seen, by lot",
    "remembering": "each day all but the chosen one vote for one whom most have ever seen to be evil, living or dead, "
    "those who saw em to be good taken off, else for one in doubt, by lot",
}
"""By name of a policy: what it takes for granted of the days."""
NIGHTS = "each night the pack agrees on a victim of another side by lot; who can do more does it by lot, or not at all"
"""What is taken for granted of the nights, whatever the policy."""


def one_session(
    rules: Ruleset, players: int, roles: tuple[str, ...], seed: str, policy: str = "random",
    switches: Mapping[str, str] | None = None,
) -> str:
    """Play a session and return the side that has won it, or ``draw``; the same *seed* gives the same session."""
    return outcome(played(rules, players, roles, seed, policy, switches))[0]


def outcome(game: Game) -> tuple[str, int]:
    """Return the side that has won *game*, or ``draw``, and how many days it had."""
    ended = game.last(Ended)
    return ended.side if ended else DRAW, len(game.ever(PhaseBegan, phase="day"))


def played(
    rules: Ruleset, players: int, roles: tuple[str, ...], seed: str, policy: str = "random",
    switches: Mapping[str, str] | None = None,
) -> Game:
    """Play a session, and return how it stood when it was over, or after `MOVES` moves."""
    chance = Random(seed)  # noqa: S311 - a simulation, not a secret
    game = _opened(rules, players, roles, seed, {**QUICK, **(switches or {})})
    for _ in range(MOVES):
        if game.over:
            break
        game = _day(rules, game, chance, POLICIES[policy]) if game.phase == "day" else _deeds(rules, game, chance)
    return game


def _opened(rules: Ruleset, players: int, roles: tuple[str, ...], seed: str, switches: Mapping[str, str]) -> Game:
    known = {s.name for s in rules.switches}
    given = {name: value for name, value in switches.items() if name in known}
    dealt, drawn = rules.deal([f"p{n:02}" for n in range(1, players + 1)], roles, seed, given)
    deal = tuple((who, role, rules.roles[role].side) for who, role in dealt)
    opened = Opened(rules.name, 1, seed, deal, with_switches(rules, given), roles)
    return rules.settle(Game(), 1, (opened, *drawn), (), "command")[0]


def _day(rules: Ruleset, game: Game, chance: Random, policy: Policy) -> Game:
    whom, number = policy(game, chance), game.number
    while game.phase == "day" and game.number == number:
        game = _deeds(rules, game, chance) if rules.owed(game) else _vote(rules, game, whom) or _time(rules, game)
    return game


def _time(rules: Ruleset, game: Game) -> Game:
    alarm = rules.alarm(game)
    if alarm is None:
        raise RuntimeError(f"{rules.name}: nothing goes on in {game.phase} {game.number}: a defect of the rule set")
    return rules.strike(game, *alarm)[0]


def _vote(rules: Ruleset, game: Game, whom: str) -> Game | None:
    """Let the next player do what brings *whom* nearer to the gallows; None if nobody can."""
    voted = set(cast_in_stage(game)) if game.stage else set(game.table)
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
    """Let *who* act against *whom*, who emself says nothing but that e is innocent; None if e can't."""
    at = game.clock + 1
    if not duty.pins:
        return rules.act(game, at, who, duty.verb, (whom,))[0]
    for ballot in (INNOCENT,) if who == whom else (whom, GUILTY):
        with suppress(Refusal):
            return rules.cast(game, at, who, duty.verb, For(ballot))[0]
    return None


def _deeds(rules: Ruleset, game: Game, chance: Random) -> Game:
    """Let all that is owed be done by lot, or if nothing is, let time pass."""
    owed = rules.owed(game)
    if not owed:
        return _time(rules, game)
    who, verb = min(owed, key=lambda pair: len(game.now(Chose, who=pair[0], verb=pair[1])))
    duty = next(d for d in rules.duties(game, who) if d.verb == verb and d.owed)
    options = rules.options(game, who, duty)
    passing = len(options) < duty.arity or (duty.may_pass and verb != "attack" and chance.random() < 0.5)
    if passing and duty.may_pass:
        return rules.act(game, game.clock, who, verb, passing=True)[0]
    named = tuple(chance.sample(options, duty.arity)) if verb != "attack" else (_prey(game, options, chance),)
    return rules.act(game, game.clock, who, verb, named)[0]


def _prey(game: Game, options: tuple[str, ...], chance: Random) -> str:
    """One victim for the whole pack, so that it agrees: whom the first has drawn."""
    named = game.now(Chose, verb="attack")
    return named[-1].what[0] if named and named[-1].what and named[-1].what[0] in options else chance.choice(options)
