"""What must hold of any session of any rule set, whatever is dealt and played."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.archive.replay import Redone, replay_moves
from nomicwolf.ledger.records import read_entry, write_entry
from nomicwolf.village.ballots import Ballot, Endorse, For, If, Nobody, Votes
from nomicwolf.village.events import (
    Counted,
    Drawn,
    Ended,
    Entry,
    Event,
    Killed,
    Lynched,
    Opened,
    PhaseBegan,
    Revived,
    Told,
    Turned,
    Voted,
)
from nomicwolf.village.game import GRAVE, RELAY, RETOLD, SEANCE, Game, replay
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Duty, Refusal, Rule
from nomicwolf.village.rulesets import BUILT_IN, library, ruleset
from tests.tables import each
from tests.village.chance import Chance

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
def test_night_deeds_of_nomic_crossing_may_come_in_any_order(number: int, order: list[int]) -> None:
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


NAMES = sorted(BUILT_IN)
FEW = settings(max_examples=max(8, int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) // 6))
SEEDS = st.integers(0, 10**9)
PACK = {"werewolf", "gadianton", "mafioso", "godfather", *(k for k, v in library().items() if "hunts = true" in v)}
TOGETHER, SHARING = ({k for k, v in library().items() if f"{key} = true" in v} for key in ("together", "shared"))
PARTNERS = {
    "pack": PACK, "masons": {"mason", *TOGETHER}, "freemasons": {"freemason"},
    "police": {"policeman"}, "prophets": {"prophet"}, "seers": {"seer"}, "medium": {"medium"}, "victim": {"witch"},
    "pack choice": PACK | SHARING, "joint question": {"policeman", "seer"},
    "seen": {"seer", "prophet", "policeman"},
    "last shot": {"hunter"}, "mythomaniac": {"mythomaniac"},
}
"""Which roles a private notice may be for, by its topic; other topics are for anyone, or for the dead."""
PASSING = ("pack choice", "joint question", "story")
"""Topics of what is told on the way to a choice: they tell of the order in which deeds came."""


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(number=SEEDS)
def test_every_session_ends_and_can_be_replayed(name: str, number: int) -> None:
    """It is never stuck, it ends, replay gives the same, each line survives the ledger's form, each move redoes it."""
    chance = Chance(name, number)
    game = chance.play()

    assert game.over, f"{game.phase} {game.number} {game.stage}, {len(game.alive)} alive"
    check_record(game, chance.record)
    again = replay(chance.record)
    for part in ("alive", "phase", "table", "roles", "sides", "shown_dead", "clock", "deadline"):
        assert getattr(again, part) == getattr(game, part)
    assert [read_entry(write_entry(e)) for e in chance.record] == chance.record
    assert list(replay_moves(chance.record, chance.rules, Redone())) == []


def check_record(game: Game, record: list[Entry]) -> None:
    """Voters live, and nobody votes for the dead; lots are fair; notices go to those entitled; one side has won."""
    ended = game.ever(Ended)
    assert len(ended) == 1
    assert set(ended[0].winners) <= set(game.seats)
    assert ended[0].winners or ended[0].side == "draw" or game.opened
    seen = Game()
    for entry in record:
        check_entry(game, seen, entry.event)
        seen.record(entry)


def check_entry(game: Game, seen: Game, event: Event) -> None:
    """Hold one event against how the game stood before it."""
    match event:
        case Voted(who=who):
            assert who in seen.alive
        case Counted(votes=votes):
            for who, whom in votes:
                assert who in seen.alive or whom is None
                assert whom is None or whom in seen.alive or whom not in seen.seats
        case Told(to=to, topic=topic, text=text, about=about):
            assert to in seen.seats
            by = text.partition(" names ")[0]
            fellows = about if topic == "masons" else (by,) if topic == "pack choice" and by in seen.seats else ()
            assert all(seen.roles[p] == seen.roles[to] or {seen.roles[p], seen.roles[to]} <= PACK for p in fellows)
            assert seen.roles[to] in PARTNERS.get(topic, {seen.roles[to]}), f"{seen.roles[to]} is told of {topic}"
            assert topic != "turned" or seen.ever(Turned, who=to)
            assert topic in (RELAY, SEANCE, GRAVE) or topic in RETOLD, f"{topic!r}: say so in game.py"
            assert topic != "story" or to not in seen.alive or to in seen.shown_dead
        case Drawn(purpose, options, result):
            assert game.opened is not None
            assert draw(game.opened.seed, purpose, options, len(result)) == result


@pytest.mark.parametrize("name", NAMES)
@FEW
@given(number=SEEDS, steps=st.integers(0, 60))
def test_rules_that_replace_leave_what_they_have_replaced(name: str, number: int, steps: int) -> None:
    """An `instead` rule applied to what it has given changes nothing more: it may come upon its own events."""
    chance = Chance(name, number)
    game = chance.play(steps)

    for rule in replacing(chance.rules, game):
        for event in possible(game):
            if isinstance(event, rule.on):
                new = rule.then(game, event)
                for each in new or ():
                    assert not isinstance(each, rule.on) or rule.then(game, each) in (None, [each])


def replacing(rules: Ruleset, game: Game) -> Iterator[Rule]:
    """The rules that replace events in this game."""
    bundles = [law.rules for law in rules.laws] + [rules.roles[r].rules for r in sorted(set(game.roles.values()))]
    yield from (r for bundle in bundles for r in bundle if r.kind == "instead")


def possible(game: Game) -> Iterator[Event]:
    """Deaths, returns, turnings and endings that might come about."""
    for who in game.seats:
        yield from (Killed(who, cause) for cause in ("attack", "lynch", "poison", "shoot", "second sight"))
        yield Revived(who)
        yield Turned(who, game.roles[who], game.sides[who])
    for side in sorted({*game.sides.values(), "draw"}):
        yield Ended(side, tuple(p for p in game.seats if game.sides[p] == side))


@pytest.mark.parametrize("name", [n for n in NAMES if n != "nomic-crossing"])
@FEW
@given(number=SEEDS, shuffled=st.randoms(use_true_random=False))
def test_night_deeds_may_come_in_any_order(name: str, number: int, shuffled: object) -> None:
    """What a night comes to does not hang on whose letter came first: deaths, announcements, notices."""
    chance = Chance(name, number)
    for _ in range(200):
        if chance.game.over or (chance.game.phase == "night" and not chance.game.lines_now(Told)):
            break
        chance.move()
    game = chance.game
    deeds = [] if game.over or game.phase != "night" else list(one_deed_each(chance))
    mixed = deeds.copy()
    shuffled.shuffle(mixed)  # type: ignore[attr-defined]

    assert after(chance, game, deeds) == after(chance, game, mixed)


Deed = tuple[str, str, tuple[str, ...]]


def one_deed_each(chance: Chance) -> Iterator[Deed]:
    """One thing for everyone who can do something tonight."""
    for who in chance.game.seats:
        for duty in chance.rules.duties(chance.game, who):
            options = chance.rules.options(chance.game, who, duty)
            if not duty.hears and not duty.pins and duty.arity == 1 and options:
                yield who, duty.verb, (chance.random.choice(options),)


def after(chance: Chance, game: Game, deeds: list[Deed]) -> tuple[object, ...]:
    """How the morning finds the village after *deeds*, all done within the night."""
    for who, verb, what in deeds:
        if any(d.verb == verb for d in chance.rules.duties(game, who)):
            game = chance.rules.act(game, game.clock, who, verb, what)[0]
    while game.phase == "night" and (alarm := chance.rules.alarm(game)):
        game = chance.rules.strike(game, *alarm)[0]
    told = sorted((t.to, t.topic, t.text) for t in game.ever(Told) if t.topic not in PASSING)
    public = [(e.at, e.event) for e in game.entries if e.event.readers() == "public"]
    return game.alive, game.phase, tuple(sorted(game.roles.items())), told, public


@each("name", NAMES)
def test_a_night_without_deeds_comes_and_goes(name: str) -> None:
    """D-G8, D-T21, D-C12: with nobody doing anything the games of stages go on by time alone, to a declared end."""
    chance = Chance(name, 3)
    for _ in range(400):
        alarm = chance.rules.alarm(chance.game)
        if alarm is None:
            break
        chance.game = chance.rules.strike(chance.game, *alarm)[0]

    nights = chance.game.ever(PhaseBegan, phase="night")
    assert chance.game.over or len(nights) > 20 or name == "nomic-crossing"
