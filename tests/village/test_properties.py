"""What must hold of any session of the contract, whatever is dealt and played."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.village.ballots import Ballot, Endorse, For, If, Nobody, Votes
from nomicwolf.village.events import Counted, Ended, Lynched, Opened, Voted
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.rules import Duty, Refusal
from nomicwolf.village.rulesets import BUILT_IN, ruleset

pytestmark = pytest.mark.slow

NC = "nomic-crossing"
ROLES = ("seer", "witch", "hunter", "cupid")


def opened(n: int, seed: str, roles: tuple[str, ...]) -> Game:
    """A session of *n* players that has just begun."""
    rules = ruleset(NC)
    names = [f"p{i}" for i in range(n)]
    dealt, drawn = rules.deal(names, roles, seed, {})
    deal = tuple((p, r, rules.roles[r].side) for p, r in dealt)
    event = Opened(NC, 1, seed, deal, with_switches(rules, {"dawn": "at once"}), roles)
    return rules.settle(Game(), 1, (event, *drawn), (), "command")[0]


def any_ballot(chance: random.Random, names: tuple[str, ...]) -> Ballot:
    """A ballot over *names*."""
    a, b, c = (chance.choice(names) for _ in range(3))
    ballots: list[Ballot] = [For(a), For(a), For(a), Endorse(a), Nobody(), If(Votes(a, b), For(c), Endorse(b))]
    return chance.choice(ballots)


def one_move(game: Game, chance: random.Random) -> Game:
    """Let someone do something that is open to em, if it is allowed; else what was owed holds nothing."""
    rules = ruleset(NC)
    open_now = [(p, d) for p in game.seats for d in rules.duties(game, p) if not d.hears]
    assert open_now, f"stuck in {game.phase}"
    owed = [x for x in open_now if x[1].owed]
    who, duty = chance.choice(owed if owed and chance.random() < 0.8 else open_now)
    at = game.clock + chance.choice([0, 1, 60])
    try:
        return _move(game, chance, who, duty, at)
    except Refusal:
        assert duty.pins, f"{who} may not {duty.verb}"
        return game


def _move(game: Game, chance: random.Random, who: str, duty: Duty, at: int) -> Game:
    rules = ruleset(NC)
    if duty.pins:
        return rules.cast(game, at, who, duty.verb, any_ballot(chance, game.living()))[0]
    options = rules.options(game, who, duty)
    passing = duty.may_pass and (chance.random() < 0.3 or len(options) < duty.arity)
    assert passing or len(options) >= duty.arity, f"{who} owes {duty.verb} and has nobody to name"
    what = () if passing else tuple(chance.sample(options, duty.arity))
    return rules.act(game, at, who, duty.verb, what, passing=passing)[0]


@given(st.integers(5, 16), st.sets(st.sampled_from(ROLES)), st.integers(0, 10**9))
def test_no_session_is_ever_stuck(n: int, roles: set[str], number: int) -> None:
    """Until it is over someone may always do something; the record replays; nobody dead votes or is voted for."""
    chance, seed = random.Random(number), str(number)
    game = opened(n, seed, tuple(r for r in ROLES if r in roles))
    for _ in range(400):
        if game.over:
            break
        game = one_move(game, chance)

    again = replay(game.entries)
    for part in ("alive", "phase", "table", "roles", "shown_dead", "clock"):
        assert getattr(again, part) == getattr(game, part)
    check_votes(game)
    if game.over:
        ended = game.last(Ended)
        assert ended is not None
        assert set(ended.winners) <= set(game.seats)


def check_votes(game: Game) -> None:
    """No vote by or for the dead; each lynching has its majority."""
    seen = Game()
    for entry in game.entries:
        match entry.event:
            case Voted(who=who):
                assert who in seen.alive
            case Counted(votes=votes):
                assert all(v is None or (v in seen.alive and v != p) for p, v in votes)
            case Lynched(who):
                assert 2 * sum(v == who for p, v in seen.table.items() if p in seen.alive) > len(seen.alive)
        seen.record(entry)


@given(st.integers(0, 10**9), st.permutations([0, 1, 2, 3]))
def test_night_deeds_may_come_in_any_order(number: int, order: list[int]) -> None:
    """4: who is dead at dawn does not hang on whose letter came first (the Witch must know the victim)."""
    rules = ruleset(NC)
    base = opened(8, str(number), ("seer", "witch"))
    wolves, villagers = base.living("werewolf"), base.living("villager", "seer", "witch")
    plain = [p for p in villagers if base.roles[p] == "villager"]
    for p in base.living():
        if base.phase == "day" and p != plain[0]:
            base, _ = rules.cast(base, 5, p, "vote", For(plain[0]))
    deeds = [(wolves[0], "attack", plain[1]), (wolves[1], "attack", plain[1]),
             (base.living("seer")[0], "see", wolves[0]), (base.living("witch")[0], "poison", plain[2])]
    results = set()
    for turn in (range(4), order):
        game, waiting = base, [deeds[i] for i in turn]
        while waiting:
            who, verb, whom = waiting.pop(0)
            try:
                game, _ = rules.act(game, game.clock + 1, who, verb, (whom,))
            except Refusal:
                waiting.append((who, verb, whom))
        game, _ = rules.act(game, game.clock + 1, base.living("witch")[0], "heal", passing=True)
        results.add((game.alive, game.phase))

    assert len(results) == 1


def test_every_rule_set_names_its_parts() -> None:
    """Each has switches with decisions, roles with stories, and an optional role it knows."""
    for rules in BUILT_IN.values():
        assert all(s.decision.startswith("D-") and s.says for s in rules.switches)
        assert all(r.story and r.title for r in rules.roles.values())
        assert set(rules.optional) <= set(rules.roles)
