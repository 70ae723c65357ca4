"""Packaged texts: grammar, contracts, roles and setups.

A contract file (`contract/nomic-crossing.md` ...) has a heading for each label, and under it what the label
says; `contract/rulings.md` describes its own lines at its top. Errors in either are `ValueError` with the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the folder *name* (such as ``grammar``); FileNotFoundError says where it should be."""
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"The folder {name!r} is neither in {_PACKAGE / '_data'} nor beside {_PACKAGE}: install nomicwolf again."
    )


GRAMMAR = ("words", "conditions", "ballots", "written")
"""The files of the grammar, in their order."""


def grammar_text(name: str) -> str:
    """Return the text of ``grammar/<name>.lark``."""
    return (folder("grammar") / f"{name}.lark").read_text(encoding="utf-8")


def contract_text(name: str) -> str:
    """Return the text of ``contract/<name>``, by default with the suffix ``.md``."""
    file = name if "." in name else f"{name}.md"
    return (folder("contract") / file).read_text(encoding="utf-8")


def role_texts(name: str = "") -> dict[str, str]:
    """Return the text of each role in ``roles/<name>``, the folder of a rule set, by role; without *name*, of all."""
    place = folder("roles") / name
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(place.glob("*.toml"))}


def setup_texts() -> dict[str, str]:
    """The text of each setup that comes with the program, by its file's name."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder("setups").glob("*.toml"))}


LABEL = re.compile(r"(?:NC|GA|LT|SP|NM) \d+[a-z]*(?: [a-z]+)?")
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


def clauses(text: str) -> dict[str, str]:
    """Return the text of each label of a contract in order, with paragraphs joined to one line.

    A heading without a label (`## 3. Days`) ends the clause before it. A duplicate or empty label is a ValueError.
    """
    found: dict[str, str] = {}
    for heading, body in _sections(text):
        if LABEL.fullmatch(heading):
            _put(found, heading, " ".join(" ".join(body).split()))
    return found


def rulings(text: str) -> dict[str, Ruling]:
    """Return the rulings by number, in the order of the text.

    A duplicate number, a missing line or one of an unknown kind is a ValueError.
    """
    found: dict[str, Ruling] = {}
    for heading, body in _sections(text):
        if RULING.fullmatch(heading):
            if heading in found:
                raise ValueError(f"{heading} is there twice; give the later one a number of its own")
            found[heading] = _ruling(heading, body)
    return found


def _put(found: dict[str, str], label: str, words: str) -> None:
    if label in found:
        raise ValueError(f"{label} is there twice; give each clause a label of its own")
    if not words:
        raise ValueError(f"{label} says nothing; write its words under the heading")
    found[label] = words


def _sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading of any depth with the lines up to the next one."""
    heading, body = "", list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            yield heading, body
            heading, body = line.lstrip("#").strip(), []
        else:
            body.append(line)
    yield heading, body


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
