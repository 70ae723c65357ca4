"""What each rule set says of itself, as text: roles, duties, laws and switches, in players' words, with their clauses.

``python -m tests.village.told`` writes the pages in ``told/`` anew, to be looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Duty, Role, Rule, Switch
from nomicwolf.village.rulesets import BUILT_IN

PAGES = Path(__file__).resolve().parent / "told"
HOW = ("owed", "may_pass", "again", "changeable", "public", "spoken", "sealed", "speech")
"""What can be so of a duty: that it holds the phase open, can be declined, repeated, changed, and where it is done."""


def page(rules: Ruleset) -> str:
    """Return the page of *rules*."""
    lines = [f"{rules.title} ({rules.name}, {rules.prefix}): {rules.smallest} or more players, {rules.first} first",
             f"plain role {rules.plain or '-'}; can be asked for: {', '.join(rules.optional) or '-'}",
             f"condemned: {rules.condemned}; rulings {rules.rulings}; cards {', '.join(rules.cards) or '-'}",
             f"aliases {dict(rules.aliases)}"]
    for role in rules.roles.values():
        lines += ["", *_role(role)]
    for law in rules.laws:
        more = [word for word, there in (("alarms", law.alarms), ("recast", law.recast)) if there]
        lines += ["", f"law {law.name}{': ' * bool(more)}{', '.join(more)}", law.describes or "-"]
        lines += [*map(_duty, law.duties), *_rules(law.rules)]
    return "\n".join([*lines, "", *map(_switch, rules.switches), ""])


def _role(role: Role) -> Iterable[str]:
    yield f"role {role.name}, {role.title or '-'}, {role.side}{_cited(role.cites)}"
    yield role.story
    yield from map(_duty, role.duties)
    yield from _rules(role.rules)


def _duty(duty: Duty) -> str:
    how = [word for word in HOW if getattr(duty, word)]
    how += [word for word in ("optional", "must", "pins", "hears") if getattr(duty, word) is not None]
    group = f" for {duty.group}" if duty.group else ""
    told = f"- {duty.verb}{group}, {duty.arity} named: {', '.join(how) or '-'}{_cited(duty.cites)}"
    under = "".join(f"\n  under {name} = {value}: {says}" for name, value, says in duty.under)
    return f"{told}\n  {duty.says or '-'}{under}"


def _rules(rules: Iterable[Rule]) -> list[str]:
    return [f"* {rule.kind} {rule.on.__name__}{_cited(rule.cites)}" for rule in rules]


def _switch(switch: Switch) -> str:
    can = ", ".join(switch.values) or f"{switch.like} ({switch.form})"
    return f"switch {switch.name} = {switch.usual}; {can}: {switch.says}{_cited((switch.decision,))}"


def _cited(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


if __name__ == "__main__":
    PAGES.mkdir(exist_ok=True)
    for kept in BUILT_IN.values():
        (PAGES / f"{kept.name}.txt").write_text(page(kept), encoding="utf-8")
