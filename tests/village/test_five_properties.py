"""What must hold of any session of any rule set, whatever is dealt and played."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.village.ballots import Ballot, Endorse, For, If, Nobody, Votes
from nomicwolf.village.events import Drawn, Ended, Opened, Told, Voted
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Duty, Refused
from nomicwolf.village.rulesets import BUILT_IN, ruleset

LISTS = {
    "nomic-crossing": [("seer", "witch", "hunter", "cupid"), ()],
    "gadianton": [()],
    "tabula": [("medium", "possessed", "bodyguard", "owl", "freemason", "freemason", "werehamster", "mythomaniac"),
               ("owl", "werehamster"), ()],
    "six-phases": [("mafioso", "mafioso", "cop", "doctor", "roleblocker", "tracker", "watcher", "vigilante", "medium"),
                   ("mafioso", "neutral")],
    "narrated-mafia": [("mafioso", "mafioso", "godfather", "policeman", "policeman", "doctor", "mason", "mason"),
                       ("mafioso", "doctor")],
}


def opened(rules: Ruleset, n: int, seed: str, roles: tuple[str, ...], switches: dict[str, str]) -> Game:
    """A session of *n* players that has just begun."""
    dealt, drawn = rules.deal([f"p{i}" for i in range(n)], roles, seed, switches)
    deal = tuple((p, r, rules.roles[r].side) for p, r in dealt)
    event = Opened(rules.name, 1, seed, deal, with_switches(rules, switches), roles)
    return rules.settle(Game(), 1, (event, *drawn), (), "command")[0]


def any_ballot(chance: random.Random, names: tuple[str, ...]) -> Ballot:
    """A ballot over *names*."""
    a, b, c = (chance.choice(names) for _ in range(3))
    ballots: list[Ballot] = [For(a)] * 8 + [Endorse(a), Nobody(), If(Votes(a, b), For(c), Endorse(b))]
    return chance.choice(ballots)


def move(rules: Ruleset, game: Game, chance: random.Random) -> Game:
    """Let someone do something that is open, or time pass to the next alarm."""
    open_now = [(p, d) for p in game.seats for d in rules.duties(game, p)]
    alarm = rules.alarm(game)
    assert open_now or alarm, f"stuck in {game.phase} {game.stage}"
    if alarm and (not open_now or chance.random() < 0.05 or (not rules.owed(game) and chance.random() < 0.15)):
        return rules.strike(game, *alarm)[0]
    if not open_now:
        return game
    owed = [x for x in open_now if x[1].owed]
    who, duty = chance.choice(owed if owed and chance.random() < 0.8 else open_now)
    try:
        return act(rules, game, chance, who, duty)
    except Refused:
        assert duty.pins, f"{who} may not {duty.verb}"
        return game


def act(rules: Ruleset, game: Game, chance: random.Random, who: str, duty: Duty) -> Game:
    """Let *who* do *duty* with someone whom it allows; nothing happens if there is nobody."""
    if duty.pins:
        names = (*game.living(), "guilty", "guilty", "innocent")
        return rules.cast(game, game.clock + 1, who, duty.verb, any_ballot(chance, names))[0]
    options = rules.options(game, who, duty)
    if len(options) < duty.arity or (duty.may_pass and chance.random() < 0.2):
        if not duty.may_pass or (duty.must and duty.must(game)):
            assert not duty.owed or options, f"{who} owes {duty.verb} and has nobody to name"
            return game
        return rules.act(game, game.clock + 1, who, duty.verb, passing=True)[0]
    return rules.act(game, game.clock + 1, who, duty.verb, tuple(chance.sample(options, duty.arity)))[0]


@pytest.mark.parametrize("name", sorted(BUILT_IN))
@given(number=st.integers(0, 10**9))
def test_no_session_is_ever_stuck(name: str, number: int) -> None:
    """Until it is over something can happen; it ends; the record replays; lots can be drawn again; no dead voter."""
    chance, rules = random.Random(number), ruleset(name)
    roles = chance.choice(LISTS[name])
    switches = {s.name: chance.choice(s.values) for s in rules.switches if s.values and chance.random() < 0.3}
    game = opened(rules, chance.randint(max(rules.smallest, len(roles) + 4, 8), 20), str(number), roles, switches)
    for _ in range(6000):
        if game.over:
            break
        game = move(rules, game, chance)

    assert game.over, f"{game.phase} {game.number} {game.stage}, {len(game.alive)} alive"
    check_record(game)
    again = replay(game.entries)
    for part in ("alive", "phase", "table", "roles", "sides", "shown_dead", "clock", "deadline"):
        assert getattr(again, part) == getattr(game, part)


def check_record(game: Game) -> None:
    """Voters live, lots are fair, winners are players, private notices go to players."""
    ended = game.last(Ended)
    assert ended is not None
    assert set(ended.winners) <= set(game.seats)
    assert game.opened is not None
    seen = Game()
    for entry in game.entries:
        match entry.event:
            case Voted(who=who):
                assert who in seen.alive
            case Told(to=to):
                assert to in seen.seats
            case Drawn(purpose, options, result):
                assert draw(game.opened.seed, purpose, options, len(result)) == result
        seen.record(entry)
