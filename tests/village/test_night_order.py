"""The order of a night: written down, without a ring, and one outcome for whatever order the letters came in."""

from __future__ import annotations

import random
import re
from graphlib import TopologicalSorter
from itertools import combinations_with_replacement

from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.reports.setups import fitting_rulesets
from nomicwolf.village.events import Chose, Dawned, Opened, RolesBrought, Told
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.actions import BLOCK, CHANGES, EFFECTS, FEEDBACK, ORDER
from nomicwolf.village.role_file import name_of
from nomicwolf.village.rulesets import BUILT_IN, library, ruleset
from tests.docs.pages import text_of
from tests.village.test_properties import FEW, SEEDS

STEP = {effect: number for number, step in enumerate(ORDER, 1) for effect in step}
Deed = tuple[str, str, str]
"""A role, one of its verbs, and one effect of that."""


def before(deeds: list[Deed]) -> dict[Deed, list[Deed]]:
    """By each of *deeds*: those that can change it, but for blockers who block one another (`blocked`)."""
    return {late: [early for early in deeds if late[2] in CHANGES.get(early[2], ())
                   and not early[2] == late[2] == BLOCK] for late in deeds}


def test_the_steps_of_the_page_are_those_of_the_program() -> None:
    """docs/roles.md gives each effect the step in which it comes; steps go upwards, and none is left out."""
    rows = re.findall(r"(?m)^\| (\d+) \| ((?:`[a-z ]+`(?:, )?)+) \|", text_of("docs/roles.md"))
    told = {effect: int(step) for step, effects in rows for effect in re.findall("`([a-z ]+)`", effects)}

    assert told == {effect: STEP[effect] for effect in EFFECTS}
    assert [int(step) for step, _ in rows] == sorted(int(step) for step, _ in rows)


def test_the_roles_that_are_shipped_have_no_ring_among_them() -> None:
    """All together, in each rule set: an order of all their deeds exists, and that of the steps is one."""
    for name in BUILT_IN:
        texts = tuple(text for role, text in library().items() if fitting_rulesets(text, f"{role}.toml", name)[0])
        deeds = [(role.name, duty.verb, effect) for role in ruleset(name, texts).roles.values()
                 for duty in role.duties for effect in duty.does]
        comes_after = before(deeds)

        assert len([*TopologicalSorter(comes_after).static_order()]) == len(deeds)
        assert len(deeds) > len(texts) / 2
        for late, earlier in comes_after.items():
            assert all(STEP[early[2]] < STEP[late[2]] for early in earlier)


def test_no_two_effects_change_one_another() -> None:
    """Not even of roles that nobody has written yet: of each two effects at most one changes the other."""
    for one, other in combinations_with_replacement(STEP, 2):
        mutual = other in CHANGES.get(one, ()) and one in CHANGES.get(other, ())
        assert not mutual or one == other == BLOCK


@settings(FEW)
@given(effects=st.lists(st.sampled_from(sorted(EFFECTS)), min_size=1, max_size=30))
def test_nor_has_any_set_of_effects_a_ring(effects: list[str]) -> None:
    """Roles by lot, each with an effect, the same effect more than once."""
    deeds = [(f"role {number}", "do", effect) for number, effect in enumerate(effects)]
    assert len([*TopologicalSorter(before(deeds)).static_order()]) == len(deeds)


FITTING = tuple(text for role, text in library().items() if fitting_rulesets(text, f"{role}.toml", "gadianton")[0])


IN_TURN = ("attack", "raid", "initiate")
"""What several do as one, and one of them goes: who that is hangs on who has written."""


def first_night(chance: random.Random) -> tuple[Ruleset, Game]:
    """The first night of gadianton, with six roles of the library among fifteen, and four of them twice."""
    texts = tuple(chance.sample(FITTING, 6))
    rules = ruleset("gadianton", texts)
    roles = [name_of(text) for text in texts]
    dealt, drawn = rules.deal([f"p{i:02}" for i in range(15)], (*roles, *roles[:4]), "7", {})
    deal = tuple((who, role, rules.roles[role].side) for who, role in dealt)
    opened = Opened(rules.name, 1, "7", deal, with_switches(rules, {}))
    return rules, rules.settle(Game(), 1, (opened, *drawn, RolesBrought(texts)), (), "command")[0]


def outcome(rules: Ruleset, game: Game, plan: list[tuple[str, str, tuple[str, ...]]]) -> tuple[object, ...]:
    """Who lives, who is who, and what each was told of the night, once all of *plan* has been done in this order."""
    for who, verb, what in plan:
        game, _ = rules.act(game, game.clock + 1, who, verb, what, passing=not what)
    began = len(game.entries)
    while not (game.over or any(isinstance(e.event, Dawned) for e in game.entries[began:])):
        alarm = rules.alarm(game)
        assert alarm is not None
        game, _ = rules.strike(game, *alarm)
    told = sorted((e.event.to, e.event.text) for e in game.lines(Told, topic=FEEDBACK) if isinstance(e.event, Told))
    return game.alive, dict(game.roles), told


@settings(FEW)
@given(number=SEEDS)
def test_a_night_has_one_outcome_in_whatever_order_the_letters_came(number: int) -> None:
    """All who can do something by night do it, in two orders; but the first of a pack goes, and the last who shares."""
    chance = random.Random(number)
    rules, game = first_night(chance)
    plan = list[tuple[str, str, tuple[str, ...]]]()
    hunted = ""
    for who in game.living():
        for duty in rules.duties(game, who):
            options = rules.options(game, who, duty)
            if duty.hears or not duty.owed or len(options) < duty.arity:
                continue
            hunted = hunted or chance.choice(options)
            named = (hunted,) if duty.verb == "attack" else tuple(chance.sample(options, duty.arity))
            plan.append((who, duty.verb, named))
    alike = iter(deed for deed in plan if deed[1] in IN_TURN)
    other = [deed if deed[1] not in IN_TURN else next(alike) for deed in chance.sample(plan, len(plan))]

    assert outcome(rules, game, plan) == outcome(rules, game, other)
    assert not game.ever(Chose)
