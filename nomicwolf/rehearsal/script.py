"""The file of a rehearsal, parsed and checked.

Unknown keys and bad times are errors. All faults of the file, of its contest's settings, and by its rule set are
reported with their places before anything is played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from nomicwolf import plainyaml
from nomicwolf.contest.sessions import Position
from nomicwolf.letters.letter import LEVELS
from nomicwolf.nomic.setup import STEPS, Policy, Setup
from nomicwolf.nomic.times import instant_in
from nomicwolf.tally import SIDES
from nomicwolf.village.kernel import Ruleset

TOP = ("title", "ruleset", "cites", "switches", "settings", "seed", "given", "when", "then")
PLAYED = ("stage", "dead", "lovers", "spent", "votes", "disclosed")
GIVEN = ("roles", "contestants", "contestmaster", "phase", "at", *PLAYED, "limit", "others", "caps")
DONE = ("from", "to", "says", "command", "letter")
STEP = ("at", *DONE, "outage", "then")
THEN = (
    "phase", "alive", "dead", "votes", "counts", "winners", "awards", "events", "letters", "public", "refused", "owed",
)  # fmt: skip
PHASE = re.compile(r"(setup)|(day|night) ([0-9]{1,4})")
SEED = "rehearsal"
T = TypeVar("T")
END_OF_TIME = instant_in("9999-01-01")
"""Times of a rehearsal are before this (UTC seconds), so that later deadlines can be written too."""


class ScriptError(ValueError):
    """A rehearsal that can't be played; the message says where, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step: at *at* (UTC seconds) *who* writes *says* to *to*, gives a *command*, or sends a whole *letter*.

    *to* is '' if the letter's own headers decide; *outage* is since when nobody has polled (UTC seconds; 0: there was
    no outage).
    """

    number: int
    at: int
    who: str = ""
    to: str = "forum"
    says: str | None = None
    command: str | None = None
    letter: Path | None = None
    then: Mapping[str, Any] | None = None
    outage: int = 0


@dataclass(frozen=True, slots=True)
class Given:
    """The initial state: before any session *position* has no roles, and *contestants* are known.

    *votes* are (player, words) as in the file. *others* are (id, members) of further contests that share mailbox and
    forums, *caps* the daily limits of a person: letters, deeds, answers.
    """

    contestmaster: str
    position: Position
    contestants: tuple[str, ...] = ()
    votes: tuple[tuple[str, str], ...] = ()
    limit: Mapping[str, int] = field(default_factory=dict)
    others: tuple[tuple[str, tuple[str, ...]], ...] = ()
    caps: Mapping[str, int] = field(default_factory=dict)

    @property
    def people(self) -> tuple[str, ...]:
        """Everyone who is a party at first."""
        return tuple(who for who, _ in self.position.roles) or self.contestants


@dataclass(frozen=True, slots=True)
class Script:
    """A rehearsal as its file describes it; *then* is None if nothing is expected at the end.

    *roles* are the texts of the roles that are beside it, by their names.
    """

    title: str
    ruleset: str
    given: Given
    steps: tuple[Step, ...]
    then: Mapping[str, Any] | None = None
    cites: tuple[str, ...] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: str = SEED
    folder: Path = Path()
    roles: Mapping[str, str] = field(default_factory=dict)


def read_script(text: str, folder: Path = Path()) -> Script:
    """Return the rehearsal in *text* (YAML or JSON); letters are looked up from *folder* upwards."""
    try:
        data = plainyaml.load(text)
    except plainyaml.PlainYamlError as error:
        raise ScriptError(str(error)) from error
    top = known_keys("the file", data, TOP)
    for key in ("ruleset", "given"):
        if not top.get(key):
            raise ScriptError(f"{key}: missing; see `nomicwolf rehearse --help` for the form")
    steps = tuple(_step(number, raw, folder) for number, raw in enumerate(list_in("when", top.get("when", [])), 1))
    given = _given(known_keys("given", top["given"], GIVEN), steps)
    steps = _by_persons(steps, given)
    times = [given.position.at, *(step.at for step in steps)]
    for number, (before, after) in enumerate(pairwise(times), 1):
        if after < before:
            raise ScriptError(f"when, step {number}: its time lies before the one above; times only go forward")
    return Script(
        text_of("title", top.get("title", "")), text_of("ruleset", top["ruleset"]), given, steps,
        _then("then", top.get("then")), _texts("cites", top.get("cites", [])),
        _switches("switches", top.get("switches", {})), _switches("settings", top.get("settings", {})),
        text_of("seed", top.get("seed")) or SEED, folder,
    )


def known_keys(where: str, value: object, keys: Sequence[str]) -> Mapping[str, Any]:
    """Return *value* as a mapping, all of whose keys must be in *keys*."""
    if not isinstance(value, Mapping):
        raise ScriptError(f"{where}: is no mapping; write its keys below it: {', '.join(keys)}")
    for key in value:
        if key not in keys:
            near = get_close_matches(str(key), keys, 1)
            raise ScriptError(f"{where}: no such key as {key}; write {near[0] if near else ', '.join(keys)}")
    return value


def text_of(where: str, value: object) -> str:
    """Return *value* if it is text, '' for nothing."""
    if value is not None and not isinstance(value, str):
        raise ScriptError(f"{where}: is a list or a mapping; write one text")
    return value or ""


def instant(where: str, value: object) -> int:
    """Return an ISO 8601 time of the years 1 to 9998 as UTC seconds; one without a zone is UTC."""
    try:
        found = instant_in(str(value))
    except ValueError as error:
        raise ScriptError(f"{where}: “{value}” is no time; write it like 2026-12-01T09:00Z") from error
    if found >= END_OF_TIME:
        raise ScriptError(f"{where}: “{value}” is too late; a rehearsal is over before the year 9999")
    return found


def _by_persons(steps: Sequence[Step], given: Given) -> tuple[Step, ...]:
    """Return *steps* with persons spelled as in *given*, or as in their first step."""
    persons = dict.fromkeys((*given.people, given.contestmaster))
    found = []
    for step in steps:
        who = person_called(f"when, step {step.number}: from", step.who, persons)
        persons.setdefault(who)
        found.append(replace(step, who=who))
    return tuple(found)


def person_called(where: str, name: str, persons: Iterable[str]) -> str:
    """Return the one of *persons* meant by *name*, whatever its case; else *name* itself."""
    meant = [who for who in persons if _folded(who) == _folded(name)]
    if len(meant) > 1 and name not in meant:
        raise ScriptError(f"{where}: “{name}” may be {' or '.join(meant)}; write which")
    return meant[0] if len(meant) == 1 else name


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _given(raw: Mapping[str, Any], steps: Sequence[Step]) -> Given:
    def read(kind: Callable[[str, Any], T], key: str) -> T:
        return kind(f"given: {key}", raw.get(key) or None)

    def persons(key: str) -> tuple[str, ...]:
        return tuple(person_called(f"given: {key}", who, people) for who in read(_texts, key))

    def by_person(kind: Callable[[str, Any], Mapping[str, T]], key: str) -> dict[str, T]:
        return {person_called(f"given: {key}", who, people): told for who, told in read(kind, key).items()}

    if bool(raw.get("roles")) == bool(raw.get("contestants")):
        raise ScriptError("given: write either roles: {Ash: werewolf, ...} or contestants: [Ash, ...]")
    roles, contestants = read(_mapping, "roles"), read(_texts, "contestants")
    people = tuple(roles) or contestants
    phase = PHASE.fullmatch(_folded(read(text_of, "phase")) or "setup")
    if not phase:
        raise ScriptError(f"given: phase: “{raw['phase']}” is none; write setup, day 1, night 1, ...")
    if contestants and (found := [key for key in PLAYED if raw.get(key)] or ["phase"] * (phase[0] != "setup")):
        raise ScriptError(f"given: {found[0]}: no session has begun where there are contestants; write roles, or no "
                          f"{found[0]}")
    if not (raw.get("at") or steps):
        raise ScriptError("given: at: missing; write when it began, like 2026-12-01T00:00Z")
    position = Position(
        tuple(roles.items()), read(instant, "at") if raw.get("at") else steps[0].at, phase[1] or phase[2],
        int(phase[3] or 0), _folded(read(text_of, "stage")), persons("dead"), persons("lovers"),
        by_person(_lists, "spent"),
        disclosed={who: _side(told) for who, told in by_person(_mapping, "disclosed").items()})
    given = Given(
        read(text_of, "contestmaster") or "Murphy", position, contestants,
        tuple(by_person(_mapping, "votes").items()), read(_numbers, "limit"), tuple(read(_lists, "others").items()),
        _numbers("given: caps", known_keys("given: caps", raw.get("caps") or {}, ("letters", "deeds", "answers"))))
    for who in (*position.dead, *position.lovers, *position.spent, *position.disclosed, *dict(given.votes)):
        if who not in given.people:
            raise ScriptError(f"given: {who} has no role here; add em to roles")
    return given


def _side(told: str) -> str:
    """Return a published role as the record has it: "a werewolf" is "werewolf"."""
    words = " ".join(told.split())
    if (known_side := SIDES.get(words.lower())) is not None:
        return known_side
    article, _, rest = words.partition(" ")
    return rest if rest and article.lower() in ("a", "an", "the") else words


def _step(number: int, value: object, folder: Path) -> Step:
    where = f"when, step {number}"
    raw = known_keys(where, value, STEP)
    if not raw.get("at"):
        raise ScriptError(f"{where}: at: missing; write when it happens, like 2026-12-01T09:00Z")
    if sum(key in raw for key in ("says", "command", "letter")) > 1:
        raise ScriptError(f"{where}: more than one of says, command and letter; make them steps of their own")
    if ("says" in raw or "command" in raw) and not raw.get("from"):
        raise ScriptError(f"{where}: from: missing; write who does this")
    texts = {key: text_of(f"{where}: {key}", raw[key]) for key in DONE if key in raw}
    if texts.get("from") and not {"says", "command", "letter"} & texts.keys():
        raise ScriptError(f"{where}: from: nothing is done; write says, command or letter, or leave it out")
    letter = _letter(where, texts["letter"], folder) if texts.get("letter") else None
    at = instant(f"{where}: at", raw["at"])
    outage = instant(f"{where}: outage", raw["outage"]) if raw.get("outage") else 0
    if outage > max(at, 0):
        raise ScriptError(f"{where}: outage: lies after the step; write since when nobody had polled")
    return Step(
        number, at, texts.get("from", ""), texts.get("to") or ("" if letter else "forum"), texts.get("says"),
        texts.get("command"), letter, _then(f"{where}: then", raw.get("then")), outage,
    )


def _letter(where: str, path: str, folder: Path) -> Path:
    for base in (folder, *folder.absolute().parents, Path()):
        if (base / path).is_file():
            return base / path
    raise ScriptError(f"{where}: letter: there is no file {path} beside the rehearsal")


def _then(where: str, value: object) -> Mapping[str, Any] | None:
    return None if value is None else known_keys(where, {} if value == "" else value, THEN)


def _numbers(where: str, value: object) -> dict[str, int]:
    found = _mapping(where, value)
    for key, number in found.items():
        if not (number.isascii() and number.isdecimal()):
            raise ScriptError(f"{where}: {key} is a whole number, not “{number}”")
    return {key: int(number) for key, number in found.items()}


def _switches(where: str, value: object) -> dict[str, str]:
    """Return switches in the settings' form: lists joined by commas, tables by dots."""
    found: dict[str, str] = {}
    for name, given in pairs_in(where, value):
        if isinstance(given, Mapping):
            found |= {f"{name}.{key}": text for key, text in _switches(f"{where}.{name}", given).items()}
        else:
            found[name] = ", ".join(map(str, given)) if isinstance(given, list) else str(given)
    return {name: {"true": "on", "false": "off"}.get(text, text) for name, text in found.items()}


def pairs_in(where: str, value: object) -> Iterable[tuple[str, Any]]:
    """Return the keys of a mapping with what each is given; none for nothing."""
    if value in (None, ""):
        return ()
    if not isinstance(value, Mapping):
        raise ScriptError(f"{where}: is no mapping; write {{name: value}}")
    return [(str(key), given) for key, given in value.items()]


def _mapping(where: str, value: object) -> dict[str, str]:
    found = dict(pairs_in(where, value))
    for key, text in found.items():
        if not isinstance(text, str):
            raise ScriptError(f"{where}: {key}: is no text; put it in quotes")
    return found


def _lists(where: str, value: object) -> dict[str, tuple[str, ...]]:
    return {key: _texts(where, texts) for key, texts in pairs_in(where, value)}


def _texts(where: str, value: object) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) and value else value
    return tuple(str(text) for text in list_in(where, texts))


def list_in(where: str, value: object) -> list[Any]:
    """Return a list; an empty one for nothing."""
    if value in (None, ""):
        return []
    if not isinstance(value, list):
        raise ScriptError(f"{where}: is no list; write [one, another]")
    return value


STAGES = ("discussion", "nominations")
"""The stages that a rehearsal can begin in; later ones are about somebody, whom votes or accusations have named."""


def demand_sense(given: Given, setup: Setup, rules: Ruleset) -> None:
    """Raise ScriptError for anything in *given* or the levels of *setup* that *rules*, or any contest, can't have."""
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
    begins = [stage for stage in STAGES if f"stage-began {stage}" in rules.licences]
    if stands.stage and not begins:
        yield f"given: stage: days of {rules.name} have no stages; leave it out"
    elif stands.stage and stands.stage not in begins:
        near = _near(stands.stage, begins)
        yield f"given: stage: a rehearsal of {rules.name} can't begin in “{stands.stage}”{near}, and play on from there"
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


Change = Callable[[Setup, str], Setup]


def with_settings(setup: Setup, given: Mapping[str, str]) -> Setup:
    """Return *setup* with the settings *given* by key; ScriptError for an unknown key or a bad value."""
    for key, text in given.items():
        change = KEYS.get(key)
        if change is None:
            near = get_close_matches(key, KEYS, 1)
            raise ScriptError(f"settings: no {key}; write {near[0] if near else ', '.join(KEYS)}")
        try:
            setup = change(setup, text)
        except ValueError as error:
            raise ScriptError(f"settings: {key}: “{text}” can't be: {error}") from error
    return setup


def _policy(change: Callable[[Policy, int], Policy]) -> Change:
    return lambda setup, text: replace(setup, absence=change(setup.absence, int(text)))


def _steps(setup: Setup, text: str) -> Setup:
    words = [word.strip() for word in text.split(",")]
    if unknown := [word for word in words if word not in (*STEPS, "leave")]:
        raise ValueError(f"{unknown[0]} is no step")
    return replace(setup, absence=replace(setup.absence, steps=tuple(step for step in STEPS if step in words)))


def _joining(setup: Setup, text: str) -> Setup:
    if text not in ("open", "asked"):
        raise ValueError("it is open or asked")
    return replace(setup, joining="asked" if text == "asked" else "open")


KEYS: Mapping[str, Change] = {
    "absence.remind": lambda setup, text: replace(
        setup, remind=tuple(when for part in text.split(",") if (when := part.strip()) != "never")),
    "absence.policy": _steps,
    "absence.prod_days": _policy(lambda policy, n: replace(policy, prod_days=n)),
    "absence.prods": _policy(lambda policy, n: replace(policy, prods=n)),
    "stages.extend_if_missing": _policy(lambda policy, n: replace(policy, extend_if_missing=n)),
    "stages.extend_hours": _policy(lambda policy, n: replace(policy, extend_hours=n)),
    "stages.extend_times": _policy(lambda policy, n: replace(policy, extend_times=n)),
    "contest.joining": _joining,
    "contest.observers": lambda setup, text: replace(setup, observers=int(text)),
    "contest.daily_count": lambda setup, text: replace(setup, daily_count=text == "on"),
}
