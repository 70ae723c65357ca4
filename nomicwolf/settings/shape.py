"""Conversion of tables to dataclasses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar, get_args, get_origin, get_type_hints


class Shape(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


T = TypeVar("T", bound=Shape)
WAYS = ("_file", "_keyring", "_credential")
"""The suffixes of a secret's key for one that is in a file, a keyring, or systemd's keeping."""
_PASSWORD = re.compile(r":(?!//).*(?=@)|(?<=password=)[^&]*", re.IGNORECASE)


class Typed(str):
    """A text from the environment, where numbers and lists are written as texts."""

    __slots__ = ()


class Wrong(Exception):
    """A value that can't be taken; its text ends the sentence that begins with the key."""


def between(least: int, most: int | None = None, remedy: str = "") -> Mapping[str, Any]:
    """Return the bounds of a number as a field's metadata, and the *remedy* that is told where it is out of them."""
    bounds = f"at least {least}" if most is None else f"{least} to {most}"
    return {"least": least, "most": most, "else": f"must be {bounds}{remedy and f'; {remedy}'}"}


def key_of(part: Field[Any]) -> str:
    """Return the key under which a field is set."""
    return str(part.metadata.get("key", part.name))


@cache
def _hints(shape: type[Shape]) -> dict[str, Any]:
    """Return the annotations of a table's parts; a host of many contests asks again and again."""
    return get_type_hints(shape)


@cache
def tables_of(shape: type[Shape]) -> Mapping[str, type]:
    """Return the parts of *shape* that are tables themselves, needed or not, by their names."""
    return {name: part for name, hint in _hints(shape).items() for part in (hint, *get_args(hint))
            if get_origin(hint) is not tuple and isinstance(part, type) and is_dataclass(part)}


@cache
def keys_of(shape: type[Shape]) -> tuple[str, ...]:
    """Return the keys of a table, the further ways of giving a secret included."""
    found: list[str] = []
    for part in fields(shape):
        found.append(key_of(part))
        if part.metadata.get("secret"):
            found += [f"{key_of(part)}{way}" for way in WAYS]
    return tuple(found)


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the known key nearest to *word*, or lists them all."""
    every = list(known)
    close = get_close_matches(word.lower(), every, n=1, cutoff=0.5)
    return f"did you mean {close[0]}?" if close else f"known here: {', '.join(every)}"


def read_table(shape: type[T], given: object, where: str, problems: list[str], **fixed: object) -> T | None:
    """Return *given* as a *shape*, or None after adding to *problems* what is wrong; *fixed* fields come from us."""
    if not isinstance(given, Mapping):
        problems.append(f"{where}: must be a table; write [{where}] and its keys below it")
        return None
    known = tuple(key for key in keys_of(shape) if key not in fixed)
    before = len(problems)
    problems += [f"{where}.{key}: unknown key; {nearest(key, known)}" for key in given if key not in known]
    hints = _hints(shape)
    values: dict[str, object] = dict(fixed)
    for part in fields(shape):
        key = key_of(part)
        if key in given and given[key] == "" == part.default:
            continue
        if key in given and part.name not in fixed:
            values[part.name] = _take(part, hints[part.name], given[key], f"{where}.{key}", problems)
        elif part.name not in fixed and part.default is MISSING and part.default_factory is MISSING:
            problems.append(f"{where}.{key}: missing; write {key} = ... under [{where}]")
    if len(problems) > before:
        return None
    problems += [f"{where}.{key_of(part)}: {part.metadata['else']}" for part in fields(shape)
                 if part.name in values and _out_of_bounds(part, values[part.name])]
    return shape(**values)


def _out_of_bounds(part: Field[Any], number: object) -> bool:
    """Return whether a *number* that is set is out of the bounds of its field."""
    least, most = part.metadata.get("least"), part.metadata.get("most")
    return least is not None and isinstance(number, int) and (number < least or (most is not None and number > most))


def _take(part: Field[Any], hint: object, given: object, where: str, problems: list[str]) -> object:
    if is_dataclass(hint) and isinstance(hint, type):
        return read_table(hint, given, where, problems)
    try:
        found = convert(hint, given)
        _check_form(part, found)
    except Wrong as wrong:
        problems.append(f"{where}: {wrong}")
        return None
    return found


def _check_form(part: Field[Any], found: object) -> None:
    form: re.Pattern[str] | None = part.metadata.get("form")
    for text in found if isinstance(found, tuple) else (found,):
        if form is not None and not form.fullmatch(str(text)):
            if part.metadata.get("secret"):
                raise Wrong(part.metadata["else"])
            told = without_password(str(text)) if part.metadata.get("hushed") else str(text)
            raise Wrong(f"{told!r} {part.metadata['else']}")


def without_password(text: str) -> str:
    """Return what was given in place of a URL without the password in it.

    >>> without_password("postgres://wolf:hush@db/contests")
    'postgres://wolf@db/contests'
    """
    return _PASSWORD.sub("", text)


def convert(hint: object, given: object) -> object:
    """Return *given* as *hint* wants it: str, int, bool, Path, a tuple of texts or one of some words."""
    if hint in {int, int | None}:
        return _number(given)
    if hint is bool:
        return _truth(given)
    if get_origin(hint) is Literal:
        if given not in get_args(hint):
            raise Wrong(f"must be one of {', '.join(get_args(hint))}, not {given!r}")
        return str(given)
    if get_origin(hint) is tuple:
        return _texts(given)
    if not isinstance(given, str):
        raise Wrong(f"must be a text in quotes, not {given!r}")
    if not given.strip() or any(ord(c) < 32 for c in given):
        raise Wrong("must not be empty, and must be one line")
    return Path(given) if hint in {Path, Path | None} else str(given)


def _number(given: object) -> int:
    if isinstance(given, Typed) and given.isdecimal():
        return int(given)
    if isinstance(given, bool) or not isinstance(given, int) or given < 0:
        raise Wrong(f"must be a whole number of 0 or more, not {given!r}")
    return given


def _truth(given: object) -> bool:
    words = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
    found = words.get(given.lower()) if isinstance(given, Typed) else given
    if not isinstance(found, bool):
        raise Wrong(f"must be true or false, not {given!r}")
    return found


def _texts(given: object) -> tuple[str, ...]:
    if isinstance(given, str):
        given = [part.strip() for part in given.split(",")] if isinstance(given, Typed) else [given]
    if not isinstance(given, list) or not given or not all(isinstance(text, str) and text.strip() for text in given):
        raise Wrong(f"must be a list of texts, not {given!r}")
    return tuple(str(text) for text in given)
