"""Expectations checked against a rehearsal's outcome.

A failure says what there was instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from nomicwolf.rehearsal.script import ScriptError, instant, text_of
from nomicwolf.rehearsal.shown import Played, shown

Shown = Mapping[str, Any]
NEAR = 3
"""How many lines near to what was expected are shown."""
_STRAIGHT = str.maketrans("‘’“”", "''\"\"")
PLAIN = {None: ("", "null", "none", "nobody"), True: ("true",), False: ("false",)}


def check(then: Mapping[str, Any], played: Played) -> list[str]:
    """Return in words every expectation of *then* that does not hold."""
    found = {**shown(played), "people": _people(played)}
    failures: list[str] = []
    for key, wanted in then.items():
        failures += CHECKS[key](wanted, found)
    return failures


def _people(played: Played) -> set[str]:
    """Return who can be written to: parties, whoever writes, and whom an order names."""
    given, steps = played.script.given, played.script.steps
    named = {word for step in steps for word in (step.command or "").replace("'", " ").replace('"', " ").split()}
    return {*given.people, given.contestmaster, *(step.who for step in steps), *named}


def normal(text: object) -> str:
    """Return *text* as it is compared: every run of white space one blank (letters are wrapped), quotes straight."""
    return " ".join(str(text).translate(_STRAIGHT).split())


def _phase(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
    return [] if normal(wanted).lower() == found["phase"] else [f"phase: expected {wanted}, but it is {found['phase']}"]


def _same(key: str) -> Callable[[Any, Shown], list[str]]:
    def persons(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
        names = _words(key, wanted)
        if sorted(names) == sorted(found[key]):
            return []
        missing = [who for who in names if who not in found[key]]
        extra = [who for who in found[key] if who not in names]
        parts = [f"missing {', '.join(missing)}"] * bool(missing) + [f"not expected {', '.join(extra)}"] * bool(extra)
        return [f"{key}: {'; '.join(parts) or 'someone is named twice'} (there: {', '.join(found[key]) or 'nobody'})"]

    return persons


def _counts(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
    counts = {who: str(number) for who, number in _mapping("counts", wanted).items() if str(number) != "0"}
    there = {who: str(number) for who, number in found["counts"].items()}
    return [] if counts == there else [f"counts: expected {_table(counts)}, but there is {_table(there)}"]


def _votes(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
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


def _in_order(key: str, *, part: str = "") -> Callable[[Any, Shown], list[str]]:
    def listed(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
        there: list[Shown] = list(found[key])
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


def _awards(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
    there: list[Shown] = list(found["awards"])
    awards = _list("awards", wanted)
    if not awards and there:
        return [f"awards: expected none; {_nearest({}, there)}"]
    awards = [_mapping("awards", a) for a in awards]
    missing = [a for a in awards if not any(_fits(a, line, "") for line in there)]
    return [f"awards: no {_table(a)}; {_nearest(a, there)}" for a in missing]


def _public(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
    return _texts("public", wanted, [x for x in found["letters"] if x["audience"] == "public"])


def _letters(wanted: Any, found: Shown) -> list[str]:  # noqa: ANN401 - what a file says
    failures = []
    for who, expected in _mapping("letters", wanted).items():
        mine = [x for x in found["letters"] if x["audience"] == "private" and x["to"] == who]
        if not mine and who not in found["people"]:
            failures.append(f"letters: {who} is nobody here")
            continue
        failures += _texts(f"letters: {who}", expected, mine)
    return failures


def _texts(where: str, wanted: Any, letters: Sequence[Shown]) -> list[str]:  # noqa: ANN401 - what a file says
    like = _mapping(where, wanted)
    if unknown := set(like) - {"contains", "never"}:
        raise ScriptError(f"then: {where}: no such key as {min(unknown)}; write contains or never")
    bodies = [normal(f"{x['subject']}\n{x['body']}") for x in letters]
    failures = [
        f"{where}: nowhere “{text}”; {_near_lines(text, letters)}"
        for text in _words(where, like.get("contains", [])) if not any(normal(text) in body for body in bodies)
    ]
    for text in _words(where, like.get("never", [])):
        for letter, body in zip(letters, bodies, strict=True):
            if normal(text) in body:
                failures.append(f"{where}: “{text}” stands in “{letter['subject']}” of {letter['at']}")
                break
    return failures


def _near_lines(text: str, letters: Sequence[Shown]) -> str:
    lines = list(dict.fromkeys(line.strip() for x in letters for line in x["body"].splitlines() if line.strip()))
    words = {word for word in normal(text).lower().split() if len(word) > 2}
    near = get_close_matches(text, lines, NEAR, 0.4)
    near += sorted((x for x in lines if x not in near), key=lambda x: -len(words & set(x.lower().split())))
    told = "; ".join(f"“{line}”" for line in near[:NEAR])
    return f"{len(letters)} letters, nearest lines: {told}" if lines else "there are no such letters"


def _fits(like: Mapping[str, Any], line: Shown, part: str) -> bool:
    rest = {key: value for key, value in like.items() if key != "contains"}
    if rest.get("event") == "ended" and line.get("event") == "session-stopped":
        rest.pop("event")  # NC 1f: the contestmaster has ended it
    wanted = normal(like["contains"]).lower() if "contains" in like else ""
    return alike(rest, line) and wanted in normal(line.get(part, "") if part else line).lower()


def alike(wanted: Any, there: Any) -> bool:  # noqa: ANN401 - what a file says, and what JSON holds
    """Return whether *there* is what a file wants: of a mapping the named keys, times as times, all else as text."""
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


def _nearest(like: Mapping[str, Any], there: Sequence[Shown]) -> str:
    if not there:
        return "there are none"
    score = sorted(there, key=lambda line: -sum(key in line and alike(x, line[key]) for key, x in like.items()))
    return "nearest: " + "; ".join(_table(_short(line)) for line in score[:NEAR])


def _short(line: Shown) -> Shown:
    return {key: value for key, value in line.items() if key not in ("audience", "cites")}


def _table(mapping: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in mapping.items()) + "}"


def _mapping(where: str, value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - what a file says
    if value == "":
        return {}
    if not isinstance(value, Mapping):
        raise ScriptError(f"then: {where}: is no mapping; write {{name: value}}")
    return value


def _list(where: str, value: Any) -> list[Any]:  # noqa: ANN401 - what a file says
    if value == "":
        return []
    return list(value) if isinstance(value, (list, tuple)) else _single(where, value)


def _words(where: str, value: Any) -> list[str]:  # noqa: ANN401 - what a file says
    found = _list(where, value)
    for each in found:
        text_of(f"then: {where}", each)
    return found


def _single(where: str, value: Any) -> list[Any]:  # noqa: ANN401 - what a file says
    if isinstance(value, str):
        return [value]
    raise ScriptError(f"then: {where}: is no list; write [one, another]")


CHECKS: Mapping[str, Callable[[Any, Shown], list[str]]] = {
    "phase": _phase, "alive": _same("alive"), "dead": _same("dead"), "winners": _same("winners"), "counts": _counts,
    "votes": _votes, "awards": _awards, "events": _in_order("events"), "refused": _in_order("refused", part="why"),
    "public": _public, "letters": _letters, "owed": _in_order("owed"),
}  # fmt: skip
