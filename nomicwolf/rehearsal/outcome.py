"""A rehearsal's outcome and expectations.

An expectation that fails says what there was instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from operator import attrgetter
from typing import Any

from nomicwolf.contest import Contest
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import Asked, Awarded, DeedHeard, LetterHeld, Refused
from nomicwolf.nomic.times import iso
from nomicwolf.rehearsal.script import Script, ScriptError, instant, list_in, pairs_in, text_of
from nomicwolf.reports.json_reports import event_json, phase_name
from nomicwolf.reports.vote_counts import count_of
from nomicwolf.village.events import Ended, Entry, Killed
from nomicwolf.village.explaining import explain
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import cast_in_stage, put_forward, town_with
from nomicwolf.village.resolution import resolve
from nomicwolf.village.rules import either
from nomicwolf.village.rulesets import rules_in


@dataclass(frozen=True, slots=True)
class Denied:
    """Something that was not done: *who* wrote or ordered *text* at *at* (UTC seconds), and *why* it was not."""

    who: str
    at: int
    text: str
    why: str


@dataclass(slots=True)
class Played:
    """A rehearsal so far: the contest, and everything new since it began.

    *failures* are the expectations that did not hold, in words; *checked* says whether there were any; *said* has the
    answers of commands.
    """

    script: Script
    contest: Contest
    entries: list[Entry] = field(default_factory=list)
    letters: list[Outgoing] = field(default_factory=list)
    refused: list[Denied] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    checked: bool = False

    @property
    def passed(self) -> bool | None:
        """Whether all expectations held; None if there were none."""
        return not self.failures if self.checked else None


def outcome_json(played: Played) -> dict[str, Any]:
    """Return a rehearsal for ``rehearse --json``.

    Events are ordered by time: a letter is recorded before what fell due until it came.
    """
    contest = played.contest
    game = contest.game
    votes, counts = votes_of(game) if game is not None else ({}, {})
    ended = game.last(Ended) if game is not None else None
    return {
        "schema": 1,
        "title": played.script.title,
        "passed": played.passed,
        "failures": list(played.failures),
        "phase": phase_name(game) or "none",
        "alive": list(game.living()) if game is not None else [],
        "dead": list(dead_in_order(game)) if game is not None else [],
        "votes": votes,
        "counts": counts,
        "winners": list(ended.winners) if ended else [],
        "awards": [
            {"who": a.who, "nomic": a.nomic, "what": a.what, "amount": a.amount}
            for a in (e.event for e in played.entries) if isinstance(a, Awarded)
        ],
        "events": [event_json(e) for e in sorted(played.entries, key=attrgetter("at"))],
        "letters": [letter_json(x) for x in played.letters],
        "refused": [{"from": d.who, "at": iso(d.at), "text": d.text, "why": d.why} for d in played.refused],
        "owed": [{"who": who, "verb": verb} for who, verb in owed_deeds(contest)],
    }


def denied(contest: Contest, entry: Entry) -> Denied | None:
    """Return what was not done according to *entry*, None if that is something else."""
    match entry.event:
        case Refused(who=who, text=text, why=why, options=options):
            return Denied(who, entry.at, text, " ".join([why, *(["Possible:", ", ".join(options)] if options else [])]))
        case Asked(who=who, text=text, problem=problem, hint=hint, suggestions=near):
            mean = f"Did you mean {either(near)}?" if near else ""
            return Denied(who, entry.at, text, " ".join(part for part in (f"{problem}:", hint, mean) if part))
        case LetterHeld(letter=number, why=why):
            heard = contest.letters.get(number)
            told = any(isinstance(e.event, DeedHeard) and e.event.letter == number for e in contest.entries) or any(
                isinstance(e.event, Refused) and e.comes_of("letter", number) for e in contest.entries)
            return None if told else Denied(heard.author if heard else "", entry.at, "", f"held: {why}")
    return None


def letter_json(letter: Outgoing) -> dict[str, Any]:
    """Return a sent letter; its recipient is a forum, by its nomic's name, or a person."""
    return {
        "to": letter.forum or letter.person, "audience": letter.kind, "at": iso(letter.at), "subject": letter.subject,
        "body": letter.body,
    }


def dead_in_order(game: Game) -> tuple[str, ...]:
    """Return the dead in the order in which they died; someone revived and killed again counts by the last death."""
    last_first = dict.fromkeys(k.who for k in reversed(game.ever(Killed)) if k.who not in game.alive)
    return tuple(reversed(last_first))


def owed_deeds(contest: Contest) -> list[tuple[str, str]]:
    """Return who holds the phase open, and with which verbs."""
    game = contest.running
    return rules_in(game).owed(game) if game is not None and game.opened is not None else []


def votes_of(game: Game) -> tuple[dict[str, Any], dict[str, int]]:
    """Return each vote as ``tally`` shows it, and the counts; in a day of stages, those of the present stage."""
    if game.stage:
        ballots = cast_in_stage(game)
        town = town_with(game, put_forward(ballots.values()))
        table = resolve(town, ballots)
        votes = {
            who: {"value": table.values[who], "status": table.statuses[who],
                  "why": list(explain(town, ballots, table, who))}
            for who in game.living()
        }
        return votes, dict(table.counts)
    count = count_of(game)
    by_name = {v.who: {"value": v.value, "status": v.status, "why": list(v.why)} for v in count.votes}
    return {who: by_name[who] for who in game.seats if who in by_name}, dict(count.counts)


def outcome_text(played: Played) -> str:
    """Return a rehearsal as text: whether it passed, what failed, how things stand."""
    found = outcome_json(played)
    word = {True: "passed", False: "FAILED", None: "played"}[played.passed]
    lines = [f"{word}: {played.script.title or played.script.ruleset}"]
    if played.passed:
        return lines[0]
    lines += [f"  {failure}" for failure in played.failures]
    standing = f"  it is {found['phase']}; living: {', '.join(found['alive']) or 'nobody'}"
    lines.append(f"{standing}; dead: {', '.join(found['dead']) or 'nobody'}")
    if found["winners"]:
        lines.append(f"  winners: {', '.join(found['winners'])}")
    if found["counts"]:
        lines.append("  votes: " + ", ".join(f"{who} {number}" for who, number in found["counts"].items()))
    lines += [f"  refused, {r['from']} at {r['at']}: {' '.join(r['why'].split())}" for r in found["refused"]]
    return "\n".join(lines)


Outcome = Mapping[str, Any]
NEAR_LINES = 3
"""The number of similar lines shown beside what was expected."""
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")
PLAIN = {None: ("", "null", "none", "nobody"), True: ("true",), False: ("false",)}


def check(then: Mapping[str, Any], played: Played) -> list[str]:
    """Return every expectation of *then* that does not hold, in words."""
    found = {**outcome_json(played), "people": _people(played)}
    failures: list[str] = []
    for key, wanted in then.items():
        failures += CHECKS[key](wanted, found)
    return failures


def _people(played: Played) -> set[str]:
    """Return everyone who can be written to: parties, writers, and those whom an order names."""
    given, steps = played.script.given, played.script.steps
    named = {word for step in steps for word in (step.command or "").replace("'", " ").replace('"', " ").split()}
    return {*given.people, given.contestmaster, *(step.who for step in steps), *named}


def normalised(text: object) -> str:
    """Return *text* for comparison: single blanks, because letters are wrapped, and straight quotes."""
    return " ".join(str(text).translate(_STRAIGHT).split())


def _phase(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
    right = normalised(wanted).lower() == found["phase"]
    return [] if right else [f"phase: expected {wanted}, but it is {found['phase']}"]


def _same(key: str) -> Callable[[Any, Outcome], list[str]]:
    def persons(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
        names = _words(key, wanted)
        if sorted(names) == sorted(found[key]):
            return []
        missing = [who for who in names if who not in found[key]]
        extra = [who for who in found[key] if who not in names]
        parts = [f"missing {', '.join(missing)}"] * bool(missing) + [f"not expected {', '.join(extra)}"] * bool(extra)
        return [f"{key}: {'; '.join(parts) or 'someone is named twice'} (there: {', '.join(found[key]) or 'nobody'})"]

    return persons


def _counts(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
    counts = {who: str(number) for who, number in _mapping("counts", wanted).items() if str(number) != "0"}
    there = {who: str(number) for who, number in found["counts"].items()}
    return [] if counts == there else [f"counts: expected {_table(counts)}, but there is {_table(there)}"]


def _votes(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
    failures = []
    for who, expected in _mapping("votes", wanted).items():
        if who not in (*found["alive"], *found["dead"]):
            failures.append(f"votes: there is no {who} in the session")
            continue
        there = found["votes"].get(who, {"value": None, "status": "no vote", "why": []})
        like = expected if isinstance(expected, Mapping) else {"value": expected}
        if not alike(like, there):
            failures.append(f"votes: {who}: expected {like}, but it is {there['value']} ({there['status']})")
    return failures


def _in_order(key: str, *, part: str = "") -> Callable[[Any, Outcome], list[str]]:
    def listed(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
        there: list[Outcome] = list(found[key])
        place = 0
        for each in _list(key, wanted):
            like = _mapping(key, each)
            at = next((i for i in range(place, len(there)) if _fits(like, there[i], part)), None)
            if at is None:
                earlier = any(_fits(like, line, part) for line in there[:place])
                where = "it is there, but earlier than what stands before it" if earlier else _nearest(like, there)
                return [f"{key}: no {_table(like)}; {where}"]
            place = at + 1
        return [] if wanted or not there or part == "" else [f"{key}: expected none; {_nearest({}, there)}"]

    return listed


def _awards(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
    there: list[Outcome] = list(found["awards"])
    awards = _list("awards", wanted)
    if not awards and there:
        return [f"awards: expected none; {_nearest({}, there)}"]
    awards = [_mapping("awards", a) for a in awards]
    missing = [a for a in awards if not any(_fits(a, line, "") for line in there)]
    return [f"awards: no {_table(a)}; {_nearest(a, there)}" for a in missing]


def _public(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
    return _texts("public", wanted, [x for x in found["letters"] if x["audience"] == "public"])


def _letters(wanted: Any, found: Outcome) -> list[str]:  # noqa: ANN401 - what a file says
    failures = []
    for who, expected in _mapping("letters", wanted).items():
        mine = [x for x in found["letters"] if x["audience"] == "private" and x["to"] == who]
        if not mine and who not in found["people"]:
            failures.append(f"letters: {who} is nobody here")
            continue
        failures += _texts(f"letters: {who}", expected, mine)
    return failures


def _texts(where: str, wanted: Any, letters: Sequence[Outcome]) -> list[str]:  # noqa: ANN401 - what a file says
    like = _mapping(where, wanted)
    if unknown := set(like) - {"contains", "never"}:
        raise ScriptError(f"then: {where}: no such key as {min(unknown)}; write contains or never")
    bodies = [normalised(f"{x['subject']}\n{x['body']}") for x in letters]
    failures = [
        f"{where}: nowhere “{text}”; {_near_lines(text, letters)}"
        for text in _words(where, like.get("contains", [])) if not any(normalised(text) in body for body in bodies)
    ]
    for text in _words(where, like.get("never", [])):
        for letter, body in zip(letters, bodies, strict=True):
            if normalised(text) in body:
                failures.append(f"{where}: “{text}” stands in “{letter['subject']}” of {letter['at']}")
                break
    return failures


def _near_lines(text: str, letters: Sequence[Outcome]) -> str:
    lines = list(dict.fromkeys(line.strip() for x in letters for line in x["body"].splitlines() if line.strip()))
    words = {word for word in normalised(text).lower().split() if len(word) > 2}
    near = get_close_matches(text, lines, NEAR_LINES, 0.4)
    near += sorted((x for x in lines if x not in near), key=lambda x: -len(words & set(x.lower().split())))
    told = "; ".join(f"“{line}”" for line in near[:NEAR_LINES])
    return f"{len(letters)} letters, nearest lines: {told}" if lines else "there are no such letters"


def _fits(like: Mapping[str, Any], line: Outcome, part: str) -> bool:
    rest = {key: value for key, value in like.items() if key != "contains"}
    if rest.get("event") == "ended" and line.get("event") == "session-stopped":
        rest.pop("event")  # NC 1f: the contestmaster has ended it
    wanted = normalised(like["contains"]).lower() if "contains" in like else ""
    return alike(rest, line) and wanted in normalised(line.get(part, "") if part else line).lower()


def alike(wanted: Any, there: Any) -> bool:  # noqa: ANN401 - what a file says, and what JSON holds
    """Return whether *there* is what a file wants: mappings by the named keys, times as times, all else as text."""
    if isinstance(wanted, Mapping):
        return isinstance(there, Mapping) and all(key in there and alike(x, there[key]) for key, x in wanted.items())
    if isinstance(wanted, list):
        return isinstance(there, (list, tuple)) and len(wanted) == len(there) and all(map(alike, wanted, there))
    if isinstance(there, (list, tuple)):
        return len(there) == 1 and alike(wanted, there[0])
    if there is None or isinstance(there, bool):
        return str(wanted).lower() in PLAIN[there]
    return str(wanted) == str(there) or _moment(wanted) == _moment(there) != 0


def _moment(value: object) -> int:
    try:
        return instant("at", value) if "T" in str(value) else 0
    except ScriptError:
        return 0


def _nearest(like: Mapping[str, Any], there: Sequence[Outcome]) -> str:
    if not there:
        return "there are none"
    score = sorted(there, key=lambda line: -sum(key in line and alike(x, line[key]) for key, x in like.items()))
    return "nearest: " + "; ".join(_table(_short(line)) for line in score[:NEAR_LINES])


def _short(line: Outcome) -> Outcome:
    return {key: value for key, value in line.items() if key not in ("audience", "cites")}


def _table(mapping: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in mapping.items()) + "}"


def _mapping(where: str, value: object) -> Mapping[str, Any]:
    return dict(pairs_in(f"then: {where}", value))


def _list(where: str, value: object) -> list[Any]:
    return list_in(f"then: {where}", [value] if isinstance(value, str) and value else value)


def _words(where: str, value: object) -> list[str]:
    return [text_of(f"then: {where}", each) for each in _list(where, value)]


CHECKS: Mapping[str, Callable[[Any, Outcome], list[str]]] = {
    "phase": _phase, "alive": _same("alive"), "dead": _same("dead"), "winners": _same("winners"), "counts": _counts,
    "votes": _votes, "awards": _awards, "events": _in_order("events"), "refused": _in_order("refused", part="why"),
    "public": _public, "letters": _letters, "owed": _in_order("owed"),
}  # fmt: skip
