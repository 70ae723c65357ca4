"""Roles as data: the keys of a file, and their checks.

Nothing here is code that a file could run, and all of it can be printed as JSON: the editor's page checks by the same
forms and conditions (`nomicwolf.reports.setups`). A file is parsed and checked, and never run. docs/roles.md describes
each key for those who write one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from nomicwolf.data import role_texts
from nomicwolf.village.forms import FLAG, Form, either, many, nought, number, one_of, prose, word
from nomicwolf.village.game import HIDDEN
from nomicwolf.village.kernel import GROUPS, Ruleset
from nomicwolf.village.laws.actions import EFFECTS, HIDE_BEHIND, KILL, PAIRS, POISON, RESOLUTION, STANDING, TAKE_ALONG
from nomicwolf.village.laws.groups import PACK
from nomicwolf.village.laws.trials import TRIAL
from nomicwolf.village.role_blocks import (
    ANSWERS,
    ANY,
    ENDS,
    ENDS_ON_DAY,
    OWN,
    REVENGE,
    TWICE,
    WINS,
    WINS_BY_COUNT,
    Terrain,
    rules_of,
    traits_of,
)
from nomicwolf.village.role_duties import DEAD, OUTSIDER, SELF, WHOM, duty_of
from nomicwolf.village.role_facts import facts_of
from nomicwolf.village.rules import ANY_TIME, NIGHTS, SOME_NIGHT, Refusal, Role, listed

Condition: TypeAlias = tuple[Any, ...]
"""``("is", KEY, *values)``: the value is one of these; ``("has", KEY, *values)``: the list has one of these, and
``("just", KEY, *values)`` one of these alone; ``("filled", KEY)``: it is not empty; ``("some duty", condition)``; and
``("not", condition)``, ``("all", *conditions)``, ``("any", *conditions)``. A value ``$sides`` stands for all words that
the rule set has under ``sides``."""
Words: TypeAlias = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Misfit:
    """What makes a table wrong although each value is valid: *when* that holds, *key* is at fault, *why* says.

    It is about each *duty*, or about the whole. In *why* ``{KEY}`` is a value of the table, ``{$sides}`` are words of
    the rule set's.
    """

    key: str
    when: Condition
    why: str
    duty: bool = False

    def said(self, row: Mapping[str, Any], words: Words) -> str:
        """Return what is wrong with *row*."""
        def filled(name: re.Match[str]) -> str:
            value = words[name[1][1:]] if name[1].startswith("$") else row[name[1]]
            return value if isinstance(value, str) else ", ".join(value)

        return re.sub(r"\{([$\w]+)\}", filled, self.why)


def holds(condition: Condition, row: Mapping[str, Any], words: Words) -> bool:
    """Return whether *condition* holds of a table's *row*, by the rule set's *words*."""
    kind, *rest = condition
    if kind in ("all", "any"):
        found = [holds(part, row, words) for part in rest]
        return all(found) if kind == "all" else any(found)
    if kind == "not":
        return not holds(rest[0], row, words)
    if kind == "some duty":
        return any(holds(rest[0], duty, words) for duty in row["duty"])
    value, among = row[rest[0]], _values(rest[1:], words)
    if kind == "filled":
        return bool(value)
    if kind == "is":
        return value in among
    return any(each in among for each in value) and (kind == "has" or len(value) == 1)


def _values(given: Sequence[object], words: Words) -> list[object]:
    named = (words[value[1:]] if isinstance(value, str) and value.startswith("$") else (value,) for value in given)
    return [each for group in named for each in group]


LARGEST: Final = 8192
"""Bytes of a role's file."""
MOST_DUTIES: Final = 3
RESERVED: Final = frozenset((
    "abstain", "accept", "accuse", "act", "act-for", "address", "alias", "announce", "answer", "ask", "award",
    "cancel", "check", "choose", "claim", "close", "confirm", "convict", "deny", "digest", "endorse", "extend",
    "guilty", "help", "history", "holiday", "innocent", "intend", "join", "key", "leave", "nobody", "nominate",
    "object", "observe", "pass", "play", "position", "publish", "register", "release", "resend", "resolve",
    "retract", "role", "roles", "rules", "say", "second", "set", "standby", "statistics", "status", "support",
    "switch", "timezone", "undo", "unvote", "use", "vote", "votes", "who", "withdraw", "write",
))
"""Words that mean something else in letters, whatever is played."""
_TAKEN: Final = tuple(sorted(RESERVED | {*GROUPS}))


class RoleError(Refusal):
    """A role's file can't be used; *problems* names each wrong place, and what could be there."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Terms:
    """What a role has to know of its rule set.

    *evil* and *good* are its sides, *sides* all that its own roles are of. It may have a *law* of what night deeds
    come to, which the roles then need not bring. *names*, *titles* and *verbs* are those that its own roles have,
    *plain* is the one of those who hold no other, *pack* are those that hunt together, and *hunter* is one of them
    (None: there is none). It has *trials* where each gives a verdict that a role can have count twice.
    """

    evil: str
    good: str
    sides: tuple[str, ...] = ()
    law: bool = False
    names: frozenset[str] = frozenset()
    titles: frozenset[tuple[str, str]] = frozenset()
    verbs: frozenset[str] = frozenset()
    ruleset: str = ""
    plain: str = ""
    pack: tuple[str, ...] = ()
    hunter: Role | None = None
    trials: bool = False


def terms_of(ruleset: Ruleset) -> Terms:
    """Return what a role has to know of *ruleset*."""
    roles = ruleset.roles.values()
    pack = [role for role in roles if role.hunts and not role.text]
    duties = [*(d for role in roles for d in role.duties if not d.does), *ruleset.common_duties]
    return Terms(
        ruleset.evil, ruleset.roles[ruleset.plain].side if ruleset.plain else "",
        tuple(dict.fromkeys(role.side for role in roles)), any(law.name == RESOLUTION for law in ruleset.laws),
        frozenset(ruleset.roles),
        frozenset((title, role.side) for role in roles for title in (role.name, role.title) if title),
        frozenset(duty.verb for duty in duties), ruleset.name, ruleset.plain,
        tuple(role.name for role in pack), next(iter(pack), None),
        any(law.name == TRIAL for law in ruleset.laws))


_OWN_DEATHS = (HIDE_BEHIND, POISON, TAKE_ALONG)
"""Effects besides a kill of which somebody can die."""


def role_of(text: str, terms: Terms, place: str = "", *, told: bool = False) -> Role:
    """Return the role in a file's *text* for a rule set of these *terms*.

    Its story is followed by what its keys do, unless it has *told* that, as in a rule set's own files.

    Raises `RoleError` with everything that is wrong, by its key and its line in the file *place*.
    """
    given = table_of(text, place)
    faults = [*_misfits(given, terms)]
    if faults:
        raise RoleError(tuple(_at(place, text, key, 0, why) for key, why in faults))
    duties = tuple(
        duty_of(row, given["name"], tuple(row["clauses"] or given["clauses"]),
                [other for other in given["duty"] if other is not row and (given["one_a_night"] or given["chooses"])],
                for_good=given["chooses"])
        for row in given["duty"])
    terrain = Terrain(given["name"], terms.evil, terms.good, terms.plain, terms.law, tuple(given["clauses"]),
                      terms.pack)
    talk, rules = rules_of(given, terrain, duties)
    if given["hunts"] and terms.hunter is not None:
        talk, rules = (*terms.hunter.duties, *talk), (*terms.hunter.rules, *rules)
    title = given["title"] or given["name"]
    story = given["story"] if told else _story(given, terrain, terms.ruleset)
    return Role(
        given["name"], _side(given, terms), (*duties, *talk), rules, title, story,
        tuple(given["clauses"]), given["seems"], traits_of(given), text, _kills(given, title))


def _story(given: Mapping[str, Any], terrain: Terrain, ruleset: str) -> str:
    """Return what the holder of a role is told: its file's story, and what of its keys that doesn't tell em.

    A story of the program's own tells what the keys of its own file do. So whoever takes emself for a Cop is told
    nothing else than the Cop.
    """
    story = str(given["story"])
    texts = (*role_texts().values(), *role_texts(ruleset).values())
    same = [text for text in texts if story in " ".join(text.split())]
    told = {fact for text in same for fact in facts_of(table_of(text), terrain)}
    return " ".join((story, *(fact for fact in facts_of(given, terrain) if fact not in told)))


def _kills(given: Mapping[str, Any], title: str) -> dict[str, str]:
    """Return by what somebody dies of the role, as `Role.kills` has it; '' for ways of its own (D-A23)."""
    effects = {effect for row in given["duty"] for effect in row["does"]}
    if given["weak"] or given["bound"] or given["visitors"] or given["revenge"] or effects & {*_OWN_DEATHS}:
        return {"day": "", "night": ""}
    phases = ("day" if row["when"] == "day" else "night" for row in given["duty"] if KILL in row["does"])
    return dict.fromkeys(phases, f"the {title}")


def checked(text: str, terms: Terms, place: str) -> Role:
    """Return the role in the file *place*, whose name must be the role's; raises `RoleError` as `role_of` does."""
    role = role_of(text, terms, place)
    stem = place.rpartition("/")[2].removesuffix(".toml")
    if role.name != stem:
        raise RoleError((_at(place, text, "name", 0, f"the file is called {stem}.toml; call both the same"),))
    if role.name in table_of(text, place)["succeeds"]:
        raise RoleError((_at(place, text, "succeeds", 0, f"{role.name} can't follow itself; name other roles"),))
    return role


def is_announced(role: Role) -> bool:
    """Return whether everyone is told at the start who holds *role*."""
    return role.traits.votes != 1 or bool(role.text and table_of(role.text)["known"])


def name_of(text: str) -> str:
    """Return the name of the role in *text*, '' where there is none that can be read."""
    found = re.search(r'(?m)^name *= *"([a-z][a-z-]*)"', text)
    return found[1] if found else ""


@lru_cache(maxsize=128)
def table_of(text: str, place: str = "") -> Mapping[str, Any]:
    """Return the table of a role's file with each key that may be in it; `RoleError` says all that is wrong."""
    raw, faults = parsed(text, place), Faults(place, text)
    rows = raw.pop("duty", [])
    given = table(raw, ROLE, faults.add, ("[[duty]]",))
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or len(rows) > MOST_DUTIES:
        faults.add("duty", f"write up to {MOST_DUTIES} tables, each under a line [[duty]]")
        rows = []
    duties = [table(row, DUTY, partial(faults.add, nth=nth)) for nth, row in enumerate(rows, 1)]
    faults.demand_none()
    verbs = [row["verb"] for row in duties]
    effects = [effect for row in duties for effect in row["does"]]
    if len({*verbs}) < len(verbs) or len({*effects}) < len(effects):
        raise RoleError((_at(place, text, "duty", 0, "two duties have one verb, or one effect: make them one duty"),))
    return {**given, "duty": duties}


_MEND: Final = "mend that place (docs/roles.md shows how it looks)"


def parsed(text: str, place: str) -> dict[str, Any]:
    """Return what is in a file's *text*, unchecked; `RoleError` for one that is too large, or no TOML."""
    decoded(text.encode(), place)
    where = place or "the role"
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        deepest, _ = max(enumerate(text.splitlines(), 1), key=lambda line: line[1].count("[") + line[1].count("{"))
        raise RoleError((f"{where}, line {deepest}: lists in lists go too deep; {_MEND}",)) from error
    except ValueError as error:
        raise RoleError((f"{where}: {error}; {_MEND}",)) from error


def decoded(data: bytes, place: str) -> str:
    """Return the text of a file of a role or a setup; `RoleError` if it is too large, or not in UTF-8.

    The mark that some editors begin such a file with is no part of it.
    """
    where = place or "the role"
    if len(data) > LARGEST:
        raise RoleError((f"{where}: it is larger than {LARGEST} bytes; a role is a page of text",))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = f"the byte 0x{data[error.start]:02x} there is no text; save it as a UTF-8 file"
        raise RoleError((f"{where}, line {line}: {why}",)) from error


class Faults:
    """Everything that is wrong with the file *place*, of this *text*."""

    def __init__(self, place: str, text: str) -> None:
        self.place, self.text = place, text
        self.found: list[str] = []

    def add(self, key: str, why: str, nth: int = 0) -> None:
        """Add that *key* is wrong, of the *nth* duty if that isn't 0."""
        self.found.append(_at(self.place, self.text, key, nth, why))

    def demand_none(self) -> None:
        """Raise `RoleError` if anything is wrong."""
        if self.found:
            raise RoleError(tuple(self.found))


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the file: *form* is what its value may be, *can* says that in words.

    It is *about* the day, or the night, or '' for both or neither.
    """

    form: Form
    can: str
    usual: Any = ""
    needed: bool = False
    about: str = ""


def table(
    raw: Mapping[str, object], keys: Mapping[str, Key], wrong: Callable[[str, str], None], parts: Sequence[str] = ()
) -> dict[str, Any]:
    """Return *raw* with the usual value of each key that it lacks; *wrong* is told of each wrong key, and why.

    *parts* are the tables that there are beside it.
    """
    found = {name: key.usual for name, key in keys.items()}
    for name, value in raw.items():
        if name not in keys:
            near = get_close_matches(name, [*keys, *parts], 1)
            more = f", and under lines of their own {listed(tuple(parts))}" if parts else ""
            every = f"there are {', '.join(keys)}{more}"
            wrong(name, f"unknown key; {f'did you mean {near[0]}?' if near else every}")
            continue
        try:
            found[name] = keys[name].form.read(value)
        except ValueError as error:
            wrong(name, f"{_shown(value)} isn't allowed there{f' ({error})' if str(error) else ''}; write "
                  f"{keys[name].can}")
    for name, key in keys.items():
        if key.needed and name not in raw:
            wrong(name, f"is missing; write {key.can}")
    return found


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _at(place: str, text: str, key: str, nth: int, why: str) -> str:
    """Return the message that *key* is wrong, of the *nth* duty if that isn't 0, with its line if it has one."""
    line = _line(text, key, nth)
    where = f"{place or 'the role'}{f', line {line}' if line else ''}"
    return f"{where}: {f'duty {nth}: ' if nth else ''}{key}: {why}"


def _line(text: str, key: str, nth: int) -> int:
    """Return the number of the line on which *key* is set, of the *nth* duty if that isn't 0; 0 for none."""
    duty, opens = 0, 0
    for place, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[\[ *duty *\]\]", line):
            duty += 1
            opens = place if duty == nth else opens
        if duty == nth and re.match(rf"\s*\"?{re.escape(key)}\"?\s*=|\s*\[+ *{re.escape(key)} *\]+", line):
            return place
    return opens


def _switch(says: str, about: str = "") -> Key:
    """Return a key that is true or false."""
    return Key(FLAG, f"true if {says}, else false", usual=False, about=about)


TALKS: Final = "always"
NAME, _VERB = r"[a-z]+(-[a-z]+)*", r"[a-z]+(-[a-z]+)?"
_CLAUSE = r"[A-Z][A-Za-z0-9_-]{0,3} ?[A-Za-z0-9_.-]{1,8}"
_OTHER_WORD = r"[a-z]+([ '-][a-z]+){0,4}"
_CLAUSES = Key(
    many(word(_CLAUSE, 16), 8), 'labels of clauses: ["SP 5", "D-M8"]', ())
ROLE: Final[Mapping[str, Key]] = {
    "name": Key(word(NAME, 24, ("nobody", "nothing")),
                "a name of small letters, with hyphens between words, as the file has it: night-nurse", needed=True),
    "side": Key(word(NAME, 24), "good, evil, own, or a side of the rule set", needed=True),
    "story": Key(prose(600), "what its holder is told, up to 600 characters", needed=True),
    "title": Key(prose(40), "what players call it, up to 40 characters"),
    "clauses": _CLAUSES,
    "rulesets": Key(many(word(NAME, 40), 20), 'the rule sets that it is for: ["six-phases"]; none for any', ()),
    "seems": Key(one_of("good", "evil"), "good or evil: what those see who look for its side", about="night"),
    "survives": Key(either(one_of("always"), number(9)),
                    'how often it survives being killed by night: 1 to 9, or "always"', 0, about="night"),
    "together": _switch("its holders know one another and can talk by night", about="night"),
    "talks": Key(one_of(TALKS), f"{TALKS}: those who are together can talk by day, too", about="day"),
    "wins": Key(either(one_of(*WINS), word(WINS_BY_COUNT, 40)),
                f"one of {', '.join(WINS)}, only if among the last N, only if N of the evil side are dead"),
    "ends": Key(either(one_of(*ENDS), word(ENDS_ON_DAY, 40)),
                f"how its holder's death ends the session: {', '.join(ENDS)}, or good wins if lynched on day N"),
    "hunts": _switch("it hunts and talks with the pack", about="night"),
    "immune": Key(many(one_of(*EFFECTS, "all"), 20), f"a list of all, {', '.join(EFFECTS)}", (), about="night"),
    "strong": _switch("nothing wards off its kills", about="night"),
    "unseen": _switch("nobody sees it come", about="night"),
    "weak": _switch("it dies of going to the evil side by night", about="night"),
    "knows": Key(many(word(NAME, 24), 20),
                 f'roles of which it is told who holds them: ["king"]; "{PACK}" are all who hunt', ()),
    "known": _switch("everyone is told who holds it", about="day"),
    "votes": Key(either(number(3), nought()), "as how many its vote counts, which all are told: 0, 2 or 3", None,
                 about="day"),
    "verdict": Key(one_of(TWICE), f"{TWICE}, if its verdict in a trial counts so, which nobody is told", about="day"),
    "bound": _switch("its holders die together"),
    "visitors": Key(one_of("die"), "die: whoever comes to it by night does", about="night"),
    "card": Key(one_of(HIDDEN), "hidden: nothing is told of what it was once its holder is dead", about="day"),
    "revenge": Key(one_of(*REVENGE), f"one of {', '.join(REVENGE)}", about="day"),
    "answers": Key(one_of(*ANSWERS), f"one of {', '.join(ANSWERS)}: what it hears of sides", about="night"),
    "one_a_night": _switch("of its duties by night it does only one a night", about="night"),
    "chooses": _switch("of its duties by night it does only one in the session, the first that it does", about="night"),
    "succeeds": Key(many(word(NAME, 24), 20), f'roles whose first dead it follows: ["cop", "seer"], or ["{ANY}"]', ()),
}
DUTY: Final[Mapping[str, Key]] = {
    "verb": Key(word(_VERB, 20, _TAKEN), "the word that players write, in small letters: jail", needed=True),
    "says": Key(prose(160), "what it does, up to 160 characters: no one can kill em tonight", needed=True),
    "does": Key(many(one_of(*EFFECTS), 4), f'a list, such as ["{KILL}"], of {", ".join(EFFECTS)}', needed=True),
    "words": Key(many(word(_OTHER_WORD, 40, _TAKEN), 20), 'other words for the verb: ["lock up", "detain"]', ()),
    "when": Key(either(one_of(*NIGHTS), word(SOME_NIGHT, 20)),
                "each night, first night, night N, from night N, odd nights, even nights, day, or any time",
                "each night"),
    "names": Key(one_of(*WHOM), f"one of {', '.join(WHOM)}", "another"),
    "uses": Key(number(99), "how often it can be done in a session, 1 to 99; leave it out for any number", 0),
    "same_again": Key(FLAG, "false if it can't be done to the same person two nights running, else true", usual=True),
    "shared": _switch("all who hold the role do it once, by the last word of any of them"),
    "clauses": _CLAUSES,
}


_ONE_OF: Final = ("one_a_night", "chooses")
"""Keys by which a role does one of several deeds."""
_STANDING: Final = ("just", "does", *STANDING)
_EACH_STANDING: Final = " or ".join(f'["{effect}"]' for effect in STANDING)
MISFITS: Final = (
    Misfit("side", ("not", ("is", "side", "good", "evil", OWN, "$sides")),
           f"'{{side}}' isn't allowed there; in {{$ruleset}} write one of good, evil, {OWN}, {{$sides}}"),
    Misfit("rulesets", ("all", ("filled", "rulesets"), ("not", ("has", "rulesets", "$ruleset"))),
           "it is for {rulesets}, and not for {$ruleset}"),
    Misfit("name", ("is", "name", "$names"), "{$ruleset} has a role called {name}; give it a name of its own"),
    Misfit("title", ("any", ("all", ("is", "title", "$evil_titles"), ("not", ("is", "side", "evil", "$evil"))),
                     ("all", ("is", "title", "$other_titles"), ("is", "side", "evil", "$evil"))),
           "{$ruleset} has a role of another side that is called {title}; give it another title"),
    Misfit("hunts", ("all", ("is", "hunts", True), ("not", ("is", "side", "$hunting"))),
           'in {$ruleset} it is the {$evil} who hunt with a pack, if any; write side = "evil"'),
    Misfit("side", ("all", ("is", "side", OWN), ("not", ("some duty", (
        "all", ("has", "does", KILL), ("is", "when", "each night"), ("is", "uses", 0))))),
        f'who is on eir own side kills; add a [[duty]] with does = ["{KILL}"] on each night, or change it'),
    Misfit("together", ("all", ("is", "together", False), ("some duty", (
        "any", ("is", "shared", True), ("is", "names", OUTSIDER)))),
        f"who shares a deed, or names {OUTSIDER}, knows who else holds the role; write together = true"),
    Misfit("talks", ("all", ("is", "talks", TALKS), ("is", "together", False)),
           "it is for those who are together: write together = true, or leave it out"),
    *(Misfit(key, ("all", ("is", key, True), ("some duty", ("is", "shared", True))),
             "whoever does one of eir deeds declines the others, but nobody declines what is shared; leave out either")
      for key in _ONE_OF),
    *(Misfit(key, ("all", ("is", key, True), ("not", ("some duty", ("not", ("is", "when", "day", ANY_TIME))))),
             "it has nothing to do by night; add a [[duty]] for each deed of which it does one, or leave it out")
      for key in _ONE_OF),
    Misfit("chooses", ("all", ("is", "chooses", True), ("is", "one_a_night", True)),
           "who does one deed in the session does no more a night; leave out one_a_night"),
    Misfit("verdict", ("not", ("is", "verdict", "$verdicts")),
           "{$ruleset} has no trials with a verdict of each; leave it out, or write votes"),
    Misfit("duty", ("is", "verb", "$verbs"), "{verb} means something else in {$ruleset}; take another verb", duty=True),
    Misfit("duty", ("all", ("is", "when", "day", ANY_TIME), ("not", _STANDING), ("not", ("just", "does", KILL))),
           f'{{verb}} is done by day; by day it can only have does = ["{KILL}"], or {_EACH_STANDING}', duty=True),
    Misfit("duty", ("all", _STANDING, ("not", ("is", "when", "day", ANY_TIME))),
           f'{{verb}} is for any time; {_EACH_STANDING}, and nothing else, has when = "{ANY_TIME}", or "day"',
           duty=True),
    Misfit("duty", ("all", ("not", _STANDING), ("has", "does", *STANDING)),
           f"{{verb}} has an effect that is for any time beside others; give it a duty of its own: {_EACH_STANDING}",
           duty=True),
    Misfit("duty", ("all", ("is", "shared", True), ("is", "when", "day", ANY_TIME)),
           "{verb} is done by day; only what is done by night alone can be shared", duty=True),
    Misfit("duty", ("all", ("has", "does", *PAIRS), ("is", "names", SELF, DEAD)),
           '{verb} needs two persons who live; write names = "another", or "anyone"', duty=True),
)
"""What makes a role's file wrong although each value is valid."""


def words_of(terms: Terms) -> dict[str, tuple[str, ...]]:
    """Return the words of a rule set for `MISFITS`."""
    return {
        "ruleset": (terms.ruleset,), "sides": terms.sides, "evil": (terms.evil,), "names": tuple(sorted(terms.names)),
        "evil_titles": tuple(sorted(title for title, side in terms.titles if side == terms.evil)),
        "other_titles": tuple(sorted(title for title, side in terms.titles if side != terms.evil)),
        "verbs": tuple(sorted(terms.verbs)), "hunting": ("evil", terms.evil) if terms.hunter is not None else (),
        "verdicts": ("", TWICE) if terms.trials else ("",)}


def _misfits(given: Mapping[str, Any], terms: Terms) -> Iterator[tuple[str, str]]:
    """Yield what of a role doesn't fit the rule set, each as a key and what is wrong with it."""
    words = words_of(terms)
    for misfit in MISFITS:
        for row in given["duty"] if misfit.duty else (given,):
            if holds(misfit.when, row, words):
                yield misfit.key, misfit.said(row, words)


def _side(given: Mapping[str, Any], terms: Terms) -> str:
    """Return the side of a role by the rule set's word for it; an own one is called as the role is."""
    side = str(given["side"])
    words = {"good": terms.good, "evil": terms.evil, OWN: str(given["name"])}
    return words.get(side, side)


def from_files(ruleset: str, terms: Terms) -> dict[str, Role]:
    """Return the roles of *ruleset* that are data, by their names."""
    texts = role_texts(ruleset)
    return {name: role_of(text, terms, f"{ruleset}/{name}.toml", told=True) for name, text in texts.items()}
