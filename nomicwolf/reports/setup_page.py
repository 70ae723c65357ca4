"""A setup as players read it: who is dealt what, what each role does, how long stages last, what is unusual."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from textwrap import fill

from nomicwolf.reports.prose import plural
from nomicwolf.reports.public_sections import several
from nomicwolf.reports.role_trial import texts_of
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.phases import DEADLINES, STAGES
from nomicwolf.village.role_file import Faults
from nomicwolf.village.rule_helpers import listed
from nomicwolf.village.rules import Role
from nomicwolf.village.rulesets import library, rules_with, ruleset
from nomicwolf.village.setup_file import SetupFile, dealt, setup_of

WIDTH = 72


def playable(text: str, place: str, own: Mapping[str, str]) -> tuple[SetupFile, Ruleset, tuple[int, ...]]:
    """Return the setup in the file *place*, its rule set with the roles that it brings, and how many can play it.

    *own* are the texts of a contest's own roles. Raises `RoleError` for what is wrong with the file, and `Refusal` for
    a rule set or a role that can't be used.
    """
    setup = setup_of(text, place)
    rules = ruleset(setup.ruleset)
    rules = rules_with(rules.name, texts_of(rules, setup.roles, own))
    faults = Faults(place, text)
    for role in dict.fromkeys(role for role in setup.roles if rules.called(role) not in rules.roles):
        every = [*rules.roles, *rules.aliases, *own, *library()]
        near = get_close_matches(role, every, 1)
        faults.add(role, f"no such role; {f'did you mean {near[0]}?' if near else 'nomicwolf roles lists them'}")
    if DEADLINES.name in setup.switches and DEADLINES.name not in {switch.name for switch in rules.switches}:
        faults.add("hours", f"{rules.title} has no stages; its days and nights go by its switches, under [switches]")
    faults.demand_none()
    found, players = dealt(setup, rules, place)
    return found, rules, players


def page(setup: SetupFile, rules: Ruleset, players: tuple[int, ...]) -> str:
    """Return the page that players read."""
    return "\n".join(_lines(setup, rules, players))


def _lines(setup: SetupFile, rules: Ruleset, players: tuple[int, ...]) -> Iterator[str]:
    yield from (setup.title, "=" * len(setup.title), "")
    if setup.about:
        yield from (_wrapped(setup.about), "")
    yield _wrapped(f"{rules.title}, for {span(players)} players.")
    deal, _ = rules.deal([f"p{n}" for n in range(players[0])], setup.roles, "", dict(_switches(setup, rules)))
    counts = Counter(role for _, role in deal)
    more = f" With more than {players[0]} players the rest is dealt as the contract says." if len(players) > 1 else ""
    titles = Counter[str]()
    for role, number in counts.items():
        titles[rules.roles[role].title or role] += number
    told = listed(tuple(plural(number, title, several(title)) for title, number in titles.items()))
    yield from (_wrapped(f"Dealt to {players[0]}: {told}.{more}"), "", "Roles", "-----")
    told_of = dict.fromkeys(_told_of(role) for role in rules.roles.values() if role.name in counts)
    yield from (line for lines in told_of for line in ("", *lines))
    yield from ("", "How it goes", "-----------")
    yield from (f"\n{_wrapped(law.describes)}" for law in rules.laws if law.describes)
    switches = dict(_switches(setup, rules))
    if DEADLINES.name in switches:
        hours = switches[DEADLINES.name].split(", ")
        each = listed(tuple(f"{stage} {number}" for stage, number in zip(STAGES, hours, strict=True)))
        yield from ("", _wrapped(f"Hours that stages last: {each}."))
    for switch in rules.switches:
        if switch.name != DEADLINES.name and switches[switch.name] != switch.usual:
            value = f"{switch.name} = {switches[switch.name]} (usually {switch.usual})"
            yield from ("", _wrapped(f"{value}: {switch.says}. {switch.decision}", "    "))


def _told_of(role: Role) -> tuple[str, ...]:
    """Return what players are told of *role*: of roles that take themselves for the same, the same."""
    return (_wrapped(f"{role.title or role.name} ({role.side}). {role.story}{_cited(role.cites)}"),
            *(_wrapped(f"- {duty.written(passing=duty.may_pass)}", "    ") for duty in role.duties))


def span(players: tuple[int, ...]) -> str:
    """Return how many can play, in words.

    >>> span((7,)), span((8, 9, 10))
    ('7', '8 to 10')
    """
    return str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"


def _switches(setup: SetupFile, rules: Ruleset) -> tuple[tuple[str, str], ...]:
    return with_switches(rules, setup.switches)


def _cited(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


def _wrapped(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, subsequent_indent=indent)
