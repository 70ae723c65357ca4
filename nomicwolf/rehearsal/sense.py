"""What a rehearsal's file may not say of its contest and rule set, told with its place before anything is played."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from nomicwolf.contest.position import Position
from nomicwolf.letters.levels import LEVELS
from nomicwolf.nomic.setup import Setup
from nomicwolf.rehearsal.script import Given, ScriptError
from nomicwolf.village.kernel import Ruleset

STAGES = ("discussion", "nominations", "defence", "ballot", "verdict")


def make_sense(given: Given, setup: Setup, rules: Ruleset) -> None:
    """Raise ScriptError for what *given* and the levels in *setup* say and *rules*, or any contest, can't have."""
    for problem in (*_persons(given), *_session(given.position, rules), *_contest(given, setup)):
        raise ScriptError(problem)


def _persons(given: Given) -> Iterable[str]:
    if given.contestmaster in dict(given.position.roles):
        yield f"given: contestmaster: {given.contestmaster} has a role, and the contestmaster is no player (D-N1)"
    for name in given.people:
        if not name.strip() or not name.isprintable() or name.strip().lower() == "nobody":
            yield f"given: “{' '.join(name.split())}” is no name"


def _session(stands: Position, rules: Ruleset) -> Iterable[str]:
    if stands.lovers and not len(stands.lovers) == len(set(stands.lovers)) == 2:
        yield "given: lovers: there are two, or none"
    roles = dict(stands.roles)
    for who, verbs in stands.spent.items():
        role = rules.roles.get(rules.called(roles.get(who, "")))
        powers = [duty.verb for duty in role.duties] if role else []
        yield from (f"given: spent: {who}, the {roles[who]}, can't {verb}{_near(verb, powers)}"
                    for verb in verbs if role and verb not in powers)
    if stands.stage and stands.stage not in STAGES:
        yield f"given: stage: “{stands.stage}” is none{_near(stands.stage, STAGES)}"
    if stands.stage and stands.phase != "day":
        yield f"given: stage: only a day has stages that can be chosen; leave {stands.stage} out"


def _contest(given: Given, setup: Setup) -> Iterable[str]:
    for nomic in given.limit:
        if nomic not in setup.nomics:
            yield f"given: limit: there is no nomic {nomic}{_near(nomic, setup.nomics)}"
    for act, level in setup.assurance.items():
        if level not in LEVELS:
            yield f"switches: assurance.{act}: “{level}” is no level{_near(level, LEVELS)}"


def _near(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word, known, 1) or known
    return f"; write {', '.join(near)}" if near else ""
