"""``rules``: a rule set for players, from the rule set itself and its contract."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

from nomicwolf.cli.asking import recorded
from nomicwolf.cli.base import WRONG_USE, Here, fail, say, say_json
from nomicwolf.contest.sessions import switches_for
from nomicwolf.data import clauses, contract_text
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, ruleset

WIDTH = 72
"""Columns of a line."""


def print_rules(place: Here, name: str, *, switches: bool, as_json: bool) -> None:
    """Print the rule set called *name* as it is in force in *place*; with *switches* only what can be otherwise.

    In a contest's folder the switches are those of its session, or of its settings while none is played by these rules,
    or there is no ledger to read.
    """
    try:
        rules = ruleset(name)
    except Refusal as refused:
        fail(refused.why, WRONG_USE)
    values = in_force(place, rules)
    if as_json:
        say_json({
            "schema": 1, "name": rules.name, "title": rules.title, "smallest": rules.smallest,
            "roles": [{"name": r.name, "title": r.title, "side": r.side, "story": r.story,
                       "deeds": [d.written(passing=d.may_pass) for d in r.duties]} for r in rules.roles.values()],
            "switches": [{"name": s.name, "default": s.usual, "value": values[s.name], "values": list(s.values),
                          "decision": s.decision, "says": s.says} for s in rules.switches],
        })
        return
    say("\n".join(_switches(rules, values) if switches else _words(rules, values)))


def in_force(place: Here, rules: Ruleset) -> Mapping[str, str]:
    """Return the value of each switch of *rules* in *place*: the usual ones where there is no contest."""
    if not place.has_contest:
        return dict(with_switches(rules, {}))
    settings = place.settings(mail=False)
    try:
        game = recorded(settings).game
    except LedgerError:
        game = None
    if game is not None and not game.over and game.opened is not None and game.opened.ruleset == rules.name:
        return game.switches
    return dict(with_switches(rules, switches_for(rules, settings.switches)))


def _words(rules: Ruleset, values: Mapping[str, str]) -> list[str]:
    lines = [rules.title, "=" * len(rules.title), "", "Roles", "-----"]
    for role in rules.roles.values():
        lines += ["", _wrapped(f"{role.title or role.name} ({role.side}). {role.story}")]
        lines += [_wrapped(f"- {duty.written(passing=duty.may_pass)}", "    ") for duty in role.duties]
    lines += ["", "Voting", "------", ""]
    for law in rules.laws:
        lines += [_wrapped(law.describes)] * bool(law.describes)
        lines += [_wrapped(f"- {duty.written(passing=duty.may_pass)}", "    ") for duty in law.duties]
    lines += ["", *_switches(rules, values)]
    if rules.name not in BUILT_IN:
        return lines
    lines += ["", "The contract", "------------"]
    for label, text in clauses(contract_text(rules.name)).items():
        lines += ["", _wrapped(f"{label}  {text}", "    ")]
    return lines


def _switches(rules: Ruleset, values: Mapping[str, str]) -> list[str]:
    lines = ["Switches", "--------"]
    for switch in rules.switches:
        value = values[switch.name]
        usual = "" if value == switch.usual else f"usually {switch.usual}"
        can = f"can be {', '.join(switch.values)}" if switch.values else ""
        notes = "; ".join(filter(None, (usual, can)))
        told = f"{switch.name} = {value}{f' ({notes})' if notes else ''}: {switch.says}. {switch.decision}"
        lines += ["", _wrapped(told, "    ")]
    return lines


def _wrapped(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, subsequent_indent=indent)
