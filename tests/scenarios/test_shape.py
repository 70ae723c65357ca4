"""Every rehearsal here is well formed: known keys, known persons, times that go forward, a `then` that checks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from nomicwolf import plainyaml
from nomicwolf.village.rules import Switch
from nomicwolf.village.rulesets import BUILT_IN, library, rules_with, ruleset
from tests.tables import each

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*/*.yaml"))

RULESETS = ("nomic-crossing", "gadianton", "tabula", "six-phases", "narrated-mafia")
TOP = {"title", "ruleset", "cites", "switches", "settings", "seed", "given", "when", "then"}
GIVEN = {
    *("roles", "contestants", "contestmaster", "phase", "stage", "at", "dead", "lovers", "spent", "votes"),
    *("disclosed", "limit", "others", "caps"),
}
THEN = {
    *("phase", "alive", "dead", "winners", "counts", "votes", "awards", "events", "refused", "public", "letters"),
    "owed",
}
STEPS = ({"at"}, {"at", "from", "to", "says"}, {"at", "from", "command"}, {"at", "letter"}, {"at", "letter", "to"})
PLACES = {"forum", "agora", "b", "discussion", "contestmaster"}
EVENTS = {
    *("phase-began", "stage-began", "voted", "counted", "lynched", "killed", "revived", "turned", "agreed"),
    *("seen", "disclosed", "ended", "awarded", "refused", "replaced", "reminded", "acted-for"),
    *("party-left", "session-started", "session-stopped", "intent-effective", "intent-blocked", "objected"),
    *("error-claimed", "error-answered", "award-corrected", "guard-raised", "guard-lifted", "absence-ended"),
    *("absence-announced", "intent-announced", "objection-withdrawn", "amended", "contestmaster-changed", "ruled"),
    *("set-aside", "confirmed", "revealed", "count-posted", "party-joined", "subgame-ended", "deed-undone"),
    *("deaths-announced", "nominated", "drawn", "ballots-opened", "tried", "acquitted", "letter-held"),
    *("holiday-declared", "holiday-undone", "prodded", "policy-announced", "alerted", "extended"),
    *("standby-offered", "standby-ended", "paused", "pause-ended", "stranger-answered"),
    *("observer-came", "observer-left", "digest-chosen", "digest-sent", "put-off", "zone-chosen"),
    *("statistics-chosen",),
}
STAGES = {"discussion", "nominations"}
PHASE = re.compile(r"setup|(day|night) \d+")
CITE = re.compile(r"(NC|GA|LT|SP|NM) \d\S*( [a-z]+)?|D-[A-Z]\d+|X-\d+")

Node: TypeAlias = Any  # what a loader that leaves scalars as strings returns: str, list or dict


def load(path: Path) -> Node:
    """Return the file's content with every scalar a string."""
    return plainyaml.load(path.read_text(encoding="utf-8"))


def moment(text: str) -> datetime:
    """Return an instant that is written in ISO 8601 with a zone; ValueError else."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text} has no zone")
    return at


def faults(doc: Node) -> Iterator[str]:
    """Yield what is wrong with a rehearsal, in words."""
    yield from unknown("top", doc, TOP)
    if not doc.get("title") or doc.get("ruleset") not in RULESETS:
        yield "needs a title and a ruleset that there is"
    yield from (f"cites {cite!r}" for cite in doc.get("cites", []) if not CITE.fullmatch(cite))
    yield from given_faults(doc["given"])
    writers = {step.get("from") for step in doc["when"] if "from" in step}
    people = {*doc["given"].get("roles", {}), *doc["given"].get("contestants", []), *writers}
    yield from step_faults(doc["when"])
    for then in [doc.get("then", {}), *(step.get("then", {}) for step in doc["when"])]:
        yield from then_faults(then, people, doc["given"].get("contestmaster", "Murphy"))
    if not doc.get("cites") or not (doc.get("then") or any("then" in step for step in doc["when"])):
        yield "rests on nothing, or checks nothing"


def unknown(where: str, doc: Node, known: set[str]) -> Iterator[str]:
    """Yield the keys that nobody knows."""
    yield from (f"{where}: unknown key {key!r}" for key in doc if key not in known)


def given_faults(given: Node) -> Iterator[str]:
    """Yield what is wrong with how things stand at first."""
    yield from unknown("given", given, GIVEN)
    if ("roles" in given) == ("contestants" in given):
        yield "given: roles of a session, or contestants without one"
    people = set(given.get("roles", given.get("contestants", [])))
    named = {
        *given.get("dead", []),
        *given.get("lovers", []),
        *given.get("spent", {}),
        *given.get("votes", {}),
        *given.get("disclosed", {}),
    }
    yield from (f"given: {who} has no role" for who in named - people)
    if not PHASE.fullmatch(given.get("phase", "setup")) or given.get("stage", "discussion") not in STAGES:
        yield "given: no such phase or stage"
    moment(given["at"])


def step_faults(steps: Node) -> Iterator[str]:
    """Yield what is wrong with what is written and when."""
    times = [moment(step["at"]) for step in steps]
    if times != sorted(times) or not steps:
        yield "when: no steps, or times that go back"
    for number, step in enumerate(steps, 1):
        if set(step) - {"then", "outage"} not in STEPS:
            yield f"step {number}: keys {sorted(step)}"
        if step.get("to", "forum") not in PLACES:
            yield f"step {number}: to {step['to']!r}"
        if step.get("letter") and not (HERE / step["letter"]).is_file():
            yield f"step {number}: no letter {step['letter']}"


def then_faults(then: Node, people: set[str], contestmaster: str) -> Iterator[str]:
    """Yield what is wrong with what must follow."""
    yield from unknown("then", then, THEN)
    if not PHASE.fullmatch(then.get("phase", "setup")):
        yield f"then: phase {then['phase']!r}"
    for key in {"alive", "dead", "winners", "counts"} & set(then):
        yield from (f"then: {key} of {who}" for who in set(then[key]) - people)
    yield from (f"then: letters of {who}" for who in set(then.get("letters", {})) - people - {contestmaster})
    for event in then.get("events", []):
        if event.get("event") not in EVENTS:
            yield f"then: event {event}"
        moment(event.get("at", "2026-12-01T00:00Z"))
    for award in then.get("awards", []):
        yield from unknown("award", award, {"who", "nomic", "what", "amount"})
    for refusal in then.get("refused", []):
        yield from unknown("refused", refusal, {"from", "contains"})
    for letters in [then.get("public", {}), *then.get("letters", {}).values()]:
        yield from unknown("letters", letters, {"contains", "never"})
        yield from (f"{key} is no list" for key, words in letters.items() if not isinstance(words, list))


@each("path", FILES)
def test_a_rehearsal_is_well_formed(path: Path) -> None:
    """Known keys, known persons, times that go forward, the folder of its rule set, something to check."""
    doc = load(path)

    assert list(faults(doc)) == []
    assert doc["ruleset"] == path.parent.name


@each("path", FILES)
def test_the_living_and_the_dead_make_up_the_town(path: Path) -> None:
    """Where `then` names both, everyone with a role is in exactly one."""
    doc = load(path)
    people = sorted(doc["given"].get("roles", {}))
    for then in [doc.get("then", {}), *(step.get("then", {}) for step in doc["when"])]:
        if people and {"alive", "dead"} <= set(then):
            assert sorted([*then["alive"], *then["dead"]]) == people


def test_titles_are_unique() -> None:
    """No two rehearsals of a rule set have one title."""
    titles = [(path.parent.name, load(path)["title"]) for path in FILES]

    assert len(set(titles)) == len(titles) > 0


RULINGS = (HERE.parents[1] / "contract" / "rulings.md").read_text(encoding="utf-8")
SWITCHES = [(name, switch) for name in sorted(BUILT_IN) for switch in ruleset(name).switches]


def played(name: str) -> list[dict[str, str]]:
    """Return the switches of each rehearsal of the rule set *name*."""
    files = sorted((HERE / name).glob("*.yaml"))
    loaded: list[Any] = [plainyaml.load(path.read_text(encoding="utf-8")) for path in files]
    return [rehearsal.get("switches", {}) for rehearsal in loaded]


@pytest.mark.slow
@each(("name", "switch"), SWITCHES)
def test_every_value_of_a_switch_is_rehearsed(name: str, switch: Switch) -> None:
    """A closed list of values is rehearsed value by value; a free text in its default and in another one."""
    given = {switches.get(switch.name, switch.usual) for switches in played(name)}

    assert set(switch.values or (switch.usual,)) <= given
    assert switch.values or len(given) > 1, f"{switch.name} is never anything but {switch.usual}"


@pytest.mark.slow
@each("switch", [switch for _, switch in SWITCHES])
def test_every_switch_stands_in_the_ruling_that_it_names(switch: Switch) -> None:
    """The ruling has a line `Switch:` with the same values."""
    ruling = RULINGS.split(f"### {switch.decision}\n", 1)[1].split("\n### ", 1)[0]
    (line,) = re.findall(rf"^- Switch: `{switch.name}` = (.*)$", ruling, re.MULTILINE)

    assert set(switch.values) <= set(re.findall(r"`([^`]*)`", line))


def written_to(name: str) -> dict[str, set[str]]:
    """Return the files in which a role is held, and does what it can: its living holder writes so.

    A role of the library is found by its name, one of the rule set's own behind the rule set's; that may be silent if
    it can only talk.
    """
    found, rules = dict[str, set[str]](), ruleset(name)
    for path in sorted((HERE / name).glob("*.yaml")):
        doc = load(path)
        given = doc["given"]
        writers = {step.get("from") for step in doc["when"] if step.get("to") == "contestmaster"}
        for who, role in given.get("roles", {}).items():
            own = role in rules.roles
            if who in given.get("dead", []) or not (own or role in library()):
                continue
            played = rules if own else rules_with(name, (library()[role],))
            acts = [duty for duty in played.roles[role].duties if not own or duty.verb != "say"]
            if who in writers or not acts:
                found.setdefault(f"{name}.{role}" if own else role, set()).add(path.stem)
    return found


def test_each_role_plays_in_three_rehearsals() -> None:
    """Who holds it lives when the rehearsal begins, and writes to the contestmaster if there is anything to do.

    So it is for the library, and for the roles of each rule set.
    """
    played_in = [written_to(name) for name in sorted(BUILT_IN)]
    every = (*library(), *(f"{name}.{role}" for name, rules in BUILT_IN.items() for role in rules.roles))
    counts = {role: sum(len(files.get(role, ())) for files in played_in) for role in every}

    assert {role: count for role, count in counts.items() if count < 3} == {}
