"""Packaged texts: grammar, contracts, roles and setups.

A contract file (`contract/nomic-crossing.md` ...) has a heading for each label, and under it what the label says. An
error in it is a `ValueError` with the line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def grammar_table(name: str) -> dict[str, Any]:
    """Return the words in ``grammar/<name>.toml``."""
    return tomllib.loads((folder("grammar") / f"{name}.toml").read_text(encoding="utf-8"))


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


def clauses(text: str) -> dict[str, str]:
    """Return the text of each label of a contract in order, with paragraphs joined to one line.

    A heading without a label (`## 3. Days`) ends the clause before it. A duplicate or empty label is a ValueError.
    """
    found: dict[str, str] = {}
    for heading, body in sections(text):
        if LABEL.fullmatch(heading):
            _put(found, heading, " ".join(" ".join(body).split()))
    return found


def _put(found: dict[str, str], label: str, words: str) -> None:
    if label in found:
        raise ValueError(f"{label} is there twice; give each clause a label of its own")
    if not words:
        raise ValueError(f"{label} says nothing; write its words under the heading")
    found[label] = words


def sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading of any depth with the lines up to the next one."""
    heading, body = "", list[str]()
    for line in text.splitlines():
        if line.startswith("#"):
            yield heading, body
            heading, body = line.lstrip("#").strip(), []
        else:
            body.append(line)
    yield heading, body
