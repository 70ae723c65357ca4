"""The environment laid over the file: ``NOMICWOLF_IMAP_PASSWORD`` is ``imap.password``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nomicwolf.settings.keys import NomicSettings, Person
from nomicwolf.settings.secret import PREFIX
from nomicwolf.settings.shape import Typed, keys_of, nearest

_FREE = ("switches", "assurance")


def overlay(
    tree: dict[str, Any], environ: Mapping[str, str], shapes: Mapping[str, type], problems: list[str]
) -> None:
    """Put what *environ* sets into *tree*; a name that is nearly a key is a problem, any other isn't ours."""
    for name in sorted(environ):
        if not name.startswith(PREFIX):
            continue
        section, _, rest = name.removeprefix(PREFIX).lower().partition("_")
        path = _path(section, rest, tree, shapes)
        if path is not None:
            _set(tree, path, Typed(environ[name]))
        elif section in {*shapes, *_FREE, "nomic"}:
            known = keys_of(shapes[section]) if section in shapes else keys_of(NomicSettings)
            problems.append(f"{name}: no such key in {section}; {nearest(rest, known)}")
        elif rest and (hint := nearest(section, [*shapes, *_FREE, "nomic"])).startswith("did"):
            problems.append(f"{name}: no such table as {section}; {hint}")


def _path(section: str, rest: str, tree: Mapping[str, Any], shapes: Mapping[str, type]) -> tuple[str, ...] | None:
    if section in _FREE:
        return (section, rest) if rest else None
    if section == "nomic":
        return _nomic_path(rest, tree)
    if section not in shapes:
        return None
    for key in keys_of(Person) if section == "contest" else ():
        if rest == f"contestmaster_{key}":
            return (section, "contestmaster", key)
    return (section, rest) if rest in keys_of(shapes[section]) else None


def _nomic_path(rest: str, tree: Mapping[str, Any]) -> tuple[str, ...] | None:
    for key in sorted(keys_of(NomicSettings), key=len, reverse=True):
        name = rest.removesuffix(f"_{key}")
        if name and name != rest and key != "name":
            nomics = tree.get("nomic", {})
            written = {str(n).lower().replace("-", "_"): str(n) for n in nomics} if isinstance(nomics, dict) else {}
            return ("nomic", written.get(name, name), key)
    return None


def _set(tree: dict[str, Any], path: tuple[str, ...], text: Typed) -> None:
    for step in path[:-1]:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):
            return  # what stands there is no table, which the reading of the table reports
        tree = inner
    tree[path[-1]] = text
