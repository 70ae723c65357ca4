"""The rulings of ``contract/rulings.md`` as values; its own first lines describe its form."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nomicwolf.data import sections

RULING = re.compile(r"D-[NVGTMCA]\d+")
_FIELDS = ("Question", "Held", "Because", "Switch", "Rests on")


@dataclass(frozen=True, slots=True)
class Switch:
    """A choice that a ruling leaves to the contestmaster: *values* as written, the default first.

    *kinds* has values that stand for any of their kind (minutes, times of day).
    """

    name: str
    values: tuple[str, ...]
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision on what a contract leaves open (`D-N11`): *rests_on* names the clauses behind it."""

    number: str
    question: str
    held: str
    because: str
    rests_on: tuple[str, ...]
    switches: tuple[Switch, ...] = ()


def rulings(text: str) -> dict[str, Ruling]:
    """Return the rulings by number, in the order of the text.

    A duplicate number, a missing line or one of an unknown kind is a ValueError.
    """
    found: dict[str, Ruling] = {}
    for heading, body in sections(text):
        if RULING.fullmatch(heading):
            if heading in found:
                raise ValueError(f"{heading} is there twice; give the later one a number of its own")
            found[heading] = _ruling(heading, body)
    return found


def _ruling(number: str, body: list[str]) -> Ruling:
    lines: dict[str, list[str]] = {field: [] for field in _FIELDS}
    for line in filter(None, map(str.strip, body)):
        field, colon, words = line.removeprefix("- ").partition(": ")
        if field not in lines or not colon or not line.startswith("- "):
            raise ValueError(f"{number}: {line!r} is no line of a ruling; it may begin with - {', - '.join(_FIELDS)}")
        lines[field].append(words.strip())
    for field in _FIELDS:
        if field != "Switch" and len(lines[field]) != 1:
            raise ValueError(f"{number} needs one line - {field}:, and has {len(lines[field])}")
    (question,), (held,), (because,), switches, (rests_on,) = (lines[field] for field in _FIELDS)
    labels = tuple(label.strip() for label in rests_on.split(","))
    return Ruling(number, question, held, because, labels, tuple(_switch(number, words) for words in switches))


def _switch(number: str, words: str) -> Switch:
    name, equals, values = words.partition(" = ")
    given = tuple(re.findall(r"`([^`]+)`", values))
    if not equals or not given or not re.fullmatch(r"`[a-z_]+`", name):
        raise ValueError(f"{number}: {words!r} is no switch; write `name` = `default`, `other`")
    return Switch(name.strip("`"), given, tuple(re.findall(r"\*([^*]+)\*", values)))
