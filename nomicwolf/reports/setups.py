"""Setups in words, and the page that edits them.

The page is one file without a server or anything from elsewhere. What it checks by is data, printed from what the
program checks by: the forms of all keys, the conditions on whole files, and the words of each rule set.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import resources
from textwrap import fill
from typing import Any

from nomicwolf.language.lexicon import OwnFrame, lexicon
from nomicwolf.language.reader import frame_of, own_duties, read
from nomicwolf.language.values import NOBODY
from nomicwolf.reading.deeds import People
from nomicwolf.reports.layout import WIDTH
from nomicwolf.reports.letter_sections import by_title, in_each, rows_in_words, titles_in_words
from nomicwolf.village.game import ATTACK
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.actions import CONVERT
from nomicwolf.village.laws.groups import PACK
from nomicwolf.village.laws.phases import DEADLINES, STAGES
from nomicwolf.village.lots import MOST_CASES, NOTHING, is_choice, possible, rows_of
from nomicwolf.village.role_blocks import ANY, OWN
from nomicwolf.village.role_file import (
    DUTY,
    LARGEST,
    MISFITS,
    MOST_DUTIES,
    ROLE,
    Faults,
    Key,
    RoleError,
    checked,
    table_of,
    terms_of,
    words_of,
)
from nomicwolf.village.rules import HUNT_NIGHTS, NEVER, Refusal, Role, listed
from nomicwolf.village.rulesets import (
    BUILT_IN,
    MOST_CHOICES,
    MOST_HOURS,
    MOST_IN_ROW,
    MOST_PLAYERS,
    MOST_ROWS,
    ROLE_NAME,
    SETUP,
    SetupFile,
    dealt,
    library,
    rules_with,
    ruleset,
    setup_with_faults,
    setups,
)

_PEOPLE = People(("Gus", "Hal", "Ida"), author="Hal")
_TRIED = {"person": (" Gus", ("Gus",)), "pair": (" Gus and Ida", ("Gus", "Ida")), "nothing": ("", ())}
"""What is behind the verb of a deed that takes so much, and whom that names."""


def checked_role(text: str, rules: Ruleset, place: str) -> Role:
    """Return the role in the file *place* for *rules*; raise `RoleError` with everything that is wrong."""
    if not text:
        what = f"it is empty, larger than {LARGEST} bytes, no plain file, no UTF-8, or one of too many"
        raise RoleError((f"{place}: nothing can be read of it: {what}",))
    role = checked(text, terms_of(rules), place)
    if problems := tuple(f"{place}: {fault}" for fault in _unread(role)):
        raise RoleError(problems)
    return role


def role_texts(rules: Ruleset, roles: Sequence[str], own: Mapping[str, str]) -> tuple[str, ...]:
    """Return the texts of those *roles* that *rules* lacks, from the contest's *own* files or the library.

    An own file is meant by its name, even where that is an alias of the rule set's. Raises `RoleError` with all
    that is wrong with those files, as for one that has the name of one of the rule set's roles.
    """
    asked = possible(item.rpartition("=")[2].strip() for item in roles)
    names = dict.fromkeys(low if (low := name.lower()) in own else rules.called(name) for name in asked)
    every, problems = {**library(), **own}, list[str]()
    found = {name: every[name] for name in names if name in own or (name in every and name not in rules.roles)}
    for name, text in found.items():
        if name in rules.roles:
            problems.append(f"roles/{name}.toml: {rules.name} has a role called {name}; give yours another name")
            continue
        try:
            checked_role(text, rules, f"roles/{name}.toml")
        except RoleError as error:
            problems += error.problems
    if problems:
        raise RoleError(tuple(problems))
    return tuple(found.values())


def fitting_rulesets(text: str, place: str, name: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rule sets that a role's file fits, of all or just *name*, and the faults for the rest.

    Raises `Refusal` if there is no rule set of that name.
    """
    fits, problems = list[str](), list[str]()
    for each in (name,) if name else BUILT_IN:
        try:
            checked_role(text, ruleset(each), place)
        except RoleError as error:
            told = {_where(problem) for problem in problems}
            problems += [problem for problem in error.problems if _where(problem) not in told]
        else:
            fits.append(each)
    return tuple(fits), tuple(problems)


def _where(problem: str) -> str:
    """Return the place and the key that a fault is about: for one rule set it is said in other words than for another.

    >>> _where("warden.toml, line 3: duty 1: verb: 'vote' isn't allowed there")
    'warden.toml, line 3: duty 1: verb'
    """
    found = re.match(r".+?: (?:duty \d+: )?[^:]+(?=: )", problem)
    return found[0] if found else problem


def _unread(role: Role) -> Iterator[str]:
    """Yield which words of the file would not be read as the deed that they are for, by who holds the role."""
    duties = own_duties(role.duties)
    frames = tuple(map(frame_of, duties))
    for duty in duties:
        object_, names = _TRIED[frame_of(duty).takes]
        for word in (duty.verb, *duty.words):
            key = "verb" if word == duty.verb else "words"
            if _means_otherwise(word):
                yield f"{key}: {word!r} can't be used, for it has another part in sentences; take another"
            elif wrong := next((said for said in (f"{word}{object_}", f"I {word}{object_}.")
                                if _read(said, role, frames) != (duty.verb, *names)), ""):
                meant = f"{duty.verb}{object_}"
                yield f"{key}: {word!r} can't be used, for {wrong!r} would not be read as {meant}; take another"
            elif _read(said := f"I do not {word}{object_}.", role, frames, done=True):
                yield f"{key}: {word!r} can't be used, for {said!r} would be read as done; take another"


def _means_otherwise(word: str) -> bool:
    """Return whether *word* holds sentences together (``not``, ``for``), so that it can't be a verb beside."""
    entry = lexicon().entries.get(word)
    marks = entry.marks - {"tracks"} if entry is not None else set[str]()  # a Tracker's words, too
    return entry is not None and (bool(marks) or any(not s.frame and not s.form for s in entry.senses))


def _read(said: str, role: Role, frames: tuple[OwnFrame, ...], *, done: bool = False) -> tuple[str, ...]:
    """Return the verb and the names of the deed that *said* is read as, () if it is none, or several.

    If it has to be *done*, one that is declined is none either.
    """
    verbs = frozenset(frame.verb for frame in frames)
    deeds = read(((1, said),), _PEOPLE, to="contestmaster", role=role.name, open_verbs=verbs, own=frames).deeds
    if len(deeds) != 1 or (done and deeds[0].words == NOBODY):
        return ()
    return deeds[0].verb, *deeds[0].names


def checked_setup(text: str, place: str, own: Mapping[str, str]) -> tuple[SetupFile, Ruleset, tuple[int, ...]]:
    """Return the setup in the file *place*, its rule set with the setup's roles, and the possible numbers of players.

    *own* are the texts of the contest's roles. Raises `RoleError` with everything that is wrong with the file, or with
    those of its roles, by its place.
    """
    setup, faults = setup_with_faults(text, place)
    if not setup.ruleset:
        faults.demand_none()
    try:
        rules = ruleset(setup.ruleset)
    except Refusal as refused:
        faults.add("ruleset", refused.why)
        faults.demand_none()
        raise
    _check_switches(setup, rules, faults)
    for role in dict.fromkeys(possible(setup.roles)):
        if not {role.lower(), rules.called(role)} & {*rules.roles, *own, *library()}:
            faults.add(role, f"no such role; {_near(role, [*rules.roles, *rules.aliases, *own, *library()])}")
    try:
        rules = rules_with(rules.name, role_texts(rules, setup.roles, own))
    except RoleError as error:
        faults.found += error.problems
    faults.demand_none()
    found, players = dealt(setup, rules, place)
    return found, rules, players


def doubts(setup: SetupFile, rules: Ruleset, players: tuple[int, ...], text: str, place: str) -> tuple[str, ...]:
    """Return what of a setup that can be played is hardly meant, each with its key, and what could stand there."""
    found = Faults(place, text)
    switches = dict(with_switches(rules, setup.switches))
    decks = rules.decks([f"p{n}" for n in range(players[0])], setup.roles, switches)
    held = sorted({role for deck in decks for role in deck})
    for role in held:
        if rules.roles[role].text:
            if like_a_side(role, rules):
                found.add(role, f"{rules.title} calls a side so; give the role a name of its own")
            for why in _doubted(role, table_of(rules.roles[role].text), held, [deck[role] for deck in decks]):
                found.add(role, why)
    for rows in map(rows_of, filter(is_choice, setup.roles)):
        row, often = Counter(tuple(sorted(row)) for row in rows).most_common(1)[0]
        if often == len(rows):
            found.add("rows", f"all are the same, {json.dumps(row)}; write its roles under [roles]")
        elif often > 1:
            found.add("rows", f"{json.dumps(row)} is there {often} times, and that much likelier; leave it once, if it "
                      "is to be as likely as the others")
    return tuple(found.found)


def like_a_side(role: str, rules: Ruleset) -> bool:
    """Return whether a *role* from a file is called as a side is, in *rules* or in files."""
    return role in (*terms_of(rules).sides, "good", "evil", OWN)


def _doubted(role: str, given: Mapping[str, Any], held: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    """Yield what is hardly meant of a *role* whose file says what is *given*, where these roles are *held*.

    *numbers* are how many of it there are in each way in which rows can fall.
    """
    others = [each for each in held if each != role]
    for key in ("knows", "succeeds"):
        named = [name for name in given[key] if name not in (ANY, PACK)]
        if named and not {*named} & {*others}:
            yield f"its {key} names {listed(tuple(named))}, held by nobody here; others hold {', '.join(others)}"
    if 1 in numbers and (given["together"] or given["bound"]) and not any(
            CONVERT in duty["does"] for duty in given["duty"]):
        what = "know one another" if given["together"] else "die together"
        yield f"1 alone is dealt, but its holders {what}; write {role} = 2, or more"


def _check_switches(setup: SetupFile, rules: Ruleset, faults: Faults) -> None:
    known = {switch.name for switch in rules.switches}
    for name, value in setup.switches.items():
        if name == DEADLINES.name and name not in known:
            why = "its days and nights go by its switches, under [switches]"
            faults.add("hours", f"{rules.title} has no stages; {why}")
            continue
        try:
            with_switches(rules, {name: value})
        except Refusal as refused:
            faults.add(name, refused.why)


def _near(name: str, every: Sequence[str]) -> str:
    """Return which of *every* is like *name*, or the least unlike it, and where to find the others."""
    if near := get_close_matches(name, every, 1):
        return f"did you mean {near[0]}?"
    least = get_close_matches(name, every, 1, 0.3)
    return f"{f'the nearest is {least[0]}; ' if least else ''}nomicwolf roles lists them"


def setup_page(setup: SetupFile, rules: Ruleset, players: tuple[int, ...]) -> str:
    """Return the page that players read."""
    return "\n".join(_page_lines(setup, rules, players))


def _page_lines(setup: SetupFile, rules: Ruleset, players: tuple[int, ...]) -> Iterator[str]:
    yield from (setup.title, "=" * len(setup.title), "")
    if setup.about:
        yield from (_wrapped(setup.about), "")
    yield _wrapped(f"{rules.title}, for {player_range(players)} players.")
    switches = dict(with_switches(rules, setup.switches))
    decks = rules.decks([f"p{n}" for n in range(players[0])], setup.roles, switches)
    yield from _dealt_lines(setup, rules, players, decks)
    yield from ("", "Roles", "-----")
    named = {*in_each(decks), *possible(setup.roles)}
    described = dict.fromkeys(_described(role, switches) for role in rules.roles.values() if role.name in named)
    yield from (line for lines in described for line in ("", *lines))
    yield from ("", "How it goes", "-----------")
    yield from (f"\n{_wrapped(law.describes)}" for law in rules.laws if law.describes)
    if DEADLINES.name in switches:
        hours = switches[DEADLINES.name].split(", ")
        each = listed(tuple(f"{stage} {number}" for stage, number in zip(STAGES, hours, strict=True)))
        yield from ("", _wrapped(f"Hours that stages last: {each}."))
    for switch in rules.switches:
        if switch.name != DEADLINES.name and switches[switch.name] != switch.usual:
            value = f"{switch.name} = {switches[switch.name]} (usually {switch.usual})"
            yield from ("", _wrapped(f"{value}: {switch.says}. {switch.decision}", "    "))


def _dealt_lines(
    setup: SetupFile, rules: Ruleset, players: tuple[int, ...], decks: Sequence[Counter[str]]
) -> Iterator[str]:
    """Yield what is dealt in each of the ways in which its rows can fall, and the rows."""
    titles, choices = [by_title(rules, deck) for deck in decks], rows_in_words(rules, setup.roles)
    varying = {title for deck in titles for title in deck if len({each[title] for each in titles}) > 1}
    sure = f"{titles_in_words(rules, in_each(decks), varying)}{', and more' if choices else ''}."
    more = f" With more than {players[0]} players the rest is dealt as the contract says." if len(players) > 1 else ""
    yield _wrapped(f"Dealt to {players[0]}: {sure}{more}")
    yield from (f"\n{_wrapped(rows, '    ')}" for rows in choices)


def _described(role: Role, switches: Mapping[str, str]) -> tuple[str, ...]:
    """Return what players are told of *role*: of roles that take themselves for the same, the same.

    Who never hunts, by the *switches*, is told of no attack.
    """
    never = switches.get(HUNT_NIGHTS) == NEVER
    duties = [duty for duty in role.duties if not (never and duty.verb == ATTACK)]
    return (_wrapped(f"{role.title or role.name} ({role.side}). {role.story}{_cited(role.cites)}"),
            *(_wrapped(f"- {duty.written(passing=duty.may_pass, switches=switches)}", "    ") for duty in duties))


def player_range(players: tuple[int, ...]) -> str:
    """Return the possible numbers of players in words.

    >>> player_range((7,)), player_range((8, 9, 10))
    ('7', '8 to 10')
    """
    return str(players[0]) if len(players) == 1 else f"{players[0]} to {players[-1]}"


def _cited(cites: tuple[str, ...]) -> str:
    return f" [{', '.join(cites)}]" if cites else ""


def _wrapped(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, subsequent_indent=indent)


MARK = "/* rules */ {}"
"""What is in the page where the rules go."""


def rules_as_data() -> dict[str, Any]:
    """Return everything by which the page checks, for JSON."""
    fitting = {name: fitting_rulesets(text, f"{name}.toml")[0] for name, text in library().items()}
    sets = {}
    for rules in BUILT_IN.values():
        more = [name for name, fits in fitting.items() if rules.name in fits and rules.listed(name) == name]
        sets[rules.name] = _ruleset(rules, more)
    return {
        "schema": 1, "role": _keys(ROLE), "duty": _keys(DUTY), "setup": _keys(SETUP), "rulesets": sets,
        "library": library(), "setups": setups(),
        "misfits": [{"key": m.key, "when": m.when, "why": m.why, "duty": m.duty} for m in MISFITS],
        "stages": list(STAGES), "deadlines": DEADLINES.name, "limits": {
            "bytes": LARGEST, "duties": MOST_DUTIES, "players": MOST_PLAYERS, "hours": MOST_HOURS, "rows": MOST_ROWS,
            "choices": MOST_CHOICES, "in_row": MOST_IN_ROW, "cases": MOST_CASES, "nothing": NOTHING,
            "role_name": ROLE_NAME.pattern}}


def _keys(keys: Mapping[str, Key]) -> dict[str, Any]:
    return {name: {"form": key.form.as_json(), "can": key.can, "usual": key.usual, "needed": key.needed,
                   "about": key.about}
            for name, key in keys.items()}


def _ruleset(rules: Ruleset, more: list[str]) -> dict[str, Any]:
    """Return the words of *rules* with what a setup by it may name; *more* are the fitting roles of the library."""
    switches = [{"name": s.name, "values": list(s.values), "form": s.form, "like": s.like, "usual": s.usual,
                 "says": s.says} for s in rules.switches]
    asked, roles = dict.fromkeys((*rules.optional, rules.plain)), rules.roles.values()
    return {"title": rules.title, "plain": rules.plain, "roles": [*asked, *more], "aliases": dict(rules.aliases),
            "stories": {role.name: {"title": role.title, "side": role.side, "story": role.story} for role in roles},
            "stages": any(s.name == DEADLINES.name for s in rules.switches), "switches": switches,
            "words": {name: list(words) for name, words in words_of(terms_of(rules)).items()}}


def page() -> str:
    """Return the whole page."""
    frame = (resources.files("nomicwolf.reports") / "editor.html").read_text(encoding="utf-8")
    assert frame.count(MARK) == 1
    return frame.replace(MARK, json.dumps(rules_as_data(), ensure_ascii=True).replace("<", "\\u003c"))
