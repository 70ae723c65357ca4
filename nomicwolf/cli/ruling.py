"""``rules``: a rule set for players, from the rule set itself and its contract."""

from __future__ import annotations

from textwrap import fill

from nomicwolf.cli.base import WRONG_USE, fail, say, say_json
from nomicwolf.contracts import clauses
from nomicwolf.data import contract_text
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refused
from nomicwolf.village.rulesets import BUILT_IN, ruleset

WIDTH = 72


def print_rules(name: str, *, switches: bool, as_json: bool) -> None:
    """Print the rule set called *name*, or with *switches* only what can be decided otherwise."""
    try:
        rules = ruleset(name)
    except Refused as refused:
        fail(refused.why, WRONG_USE)
    if as_json:
        say_json({
            "schema": 1, "name": rules.name, "title": rules.title, "smallest": rules.smallest,
            "roles": [{"name": r.name, "title": r.title, "side": r.side, "story": r.story,
                       "deeds": [d.says or d.verb for d in r.duties]} for r in rules.roles.values()],
            "switches": [{"name": s.name, "default": s.usual, "values": list(s.values), "decision": s.decision,
                          "says": s.says} for s in rules.switches],
        })
        return
    say("\n".join(_switches(rules) if switches else _words(rules)))


def _words(rules: Ruleset) -> list[str]:
    lines = [rules.title, "=" * len(rules.title), "", "Roles", "-----"]
    for role in rules.roles.values():
        lines += ["", _wrapped(f"{role.title or role.name} ({role.side}). {role.story}")]
        lines += [_wrapped(f"- {duty.says or duty.verb}", "    ") for duty in role.duties]
    lines += ["", "Voting", "------", ""]
    for law in rules.laws:
        lines += [_wrapped(law.describes)] * bool(law.describes)
        lines += [_wrapped(f"- {duty.says or duty.verb}", "    ") for duty in law.duties]
    lines += ["", *_switches(rules)]
    if rules.name not in BUILT_IN:
        return lines
    lines += ["", "The contract", "------------"]
    for label, text in clauses(contract_text(rules.name)).items():
        lines += ["", _wrapped(f"{label}  {text}", "    ")]
    return lines


def _switches(rules: Ruleset) -> list[str]:
    lines = ["Switches", "--------"]
    for switch in rules.switches:
        can = f" (can be {', '.join(switch.values)})" if switch.values else ""
        lines += ["", _wrapped(f"{switch.name} = {switch.usual}{can}: {switch.says}. {switch.decision}", "    ")]
    return lines


def _wrapped(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, subsequent_indent=indent)
