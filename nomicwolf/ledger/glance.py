r"""Entries read at a glance: for each kind of event one expression, which only the canonical form of its lines matches.

What it matches is JSON in its one form, with all parts of the kind and none besides, each of its type; so nothing is
left to be checked. It matches no line in which a character is escaped, a number has more than 18 digits, or a ballot
has conditions, and some kinds have parts that no expression matches. Who gets None here reads the line by JSON, and
learns then what is odd about it, if something is.

>>> re.fullmatch(shape(tuple[int, ...]), "[3,-1]") is not None
True
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Final, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from nomicwolf.ledger.coders import coder
from nomicwolf.village.events import Entry, Event

VERSION: Final = 1
"""Of the form in which entries are written."""
OFTEN: Final = 200
"""How many lines of a kind are read by JSON before its expression is made, which takes as long as so many save."""
_V = TypeVar("_V")
_Glance: TypeAlias = Callable[[str], Entry | None]
_GLANCES: dict[str, _Glance | None] = {}
_SEEN: Counter[str] = Counter()
_INSIDE = r"[ !#-\[\]-~]*"
_SHAPES: dict[object, str] = {
    str: f'"{_INSIDE}"', int: "(?:0|-?[1-9][0-9]{0,17})", bool: "(?:true|false)", NoneType: "null"}
SCAN: Callable[[str, int], tuple[object, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]


_SHORT, _INSTANT = 13, 10
"""Names, words and instants come again and again: texts of fewer characters, numbers of so many digits, or more."""


class _Known(dict[str, _V]):
    """What was made of texts, so that entries share it: a record takes two thirds of the memory. The last thousand."""

    def __init__(self, make: Callable[[str], _V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, text: str) -> _V:
        if len(self) > 1000:
            self.clear()
        made = self[text] = self._make(text)
        return made


_TEXTS, _NUMBERS = _Known(str), _Known(int)


def glanced(line: str) -> Entry | None:
    """Return the entry that a canonical line holds, or None: then it is to be read by JSON."""
    start = line.find('"event":{"') + 10
    name = line[start : line.find('"', start)]
    if name in _GLANCES:
        glance = _GLANCES[name]
        return glance(line) if glance is not None else None
    if name in Event.kinds:
        _SEEN[name] += 1
        if _SEEN[name] >= OFTEN:  # threads that count at once may pass it over
            _GLANCES[name] = made(Event.kinds[name])
    return None


def made(kind: type[Event]) -> _Glance | None:
    """Return what reads lines of a *kind* of event at a glance; None if it has parts that no expression matches."""
    try:
        maker = _Maker(kind)
        expression, call = maker.record(Entry)
    except _Shapeless:
        return None
    matched = re.compile(expression).fullmatch
    parameters = ", ".join(f"g{number}" for number in range(maker.groups))
    make: Callable[..., Entry] = eval(f"lambda {parameters}: {call}", maker.scope)  # noqa: S307 - of names of ours

    def glance(line: str) -> Entry | None:
        found = matched(line)
        return make(*found.groups()) if found is not None else None

    return glance


class _Shapeless(Exception):
    """No expression matches the values of a part."""


class _Maker:
    """Makes the expression for lines of a *kind*, with a group for each part, and the call that takes the *groups*."""

    def __init__(self, kind: type[Event]) -> None:
        self.kind = kind
        self.groups = 0
        self.scope: dict[str, object] = {
            "texts": _TEXTS, "numbers": _NUMBERS, "listed": _listed, "scan": SCAN, "Entry": Entry, kind.__name__: kind}

    def record(self, of: type) -> tuple[str, str]:
        """Return the expression for an object with the parts of *of*, and the call that makes it of the groups."""
        hints, parts = get_type_hints(of), fields(of)
        if any(part.kw_only or not part.init for part in parts):
            raise _Shapeless
        expressions = {"version": str(VERSION)} if of is Entry else {}
        arguments = {}
        for name in sorted(part.name for part in parts):
            expressions[name], arguments[name] = self._part(hints[name], outer=of is Entry)
        return _object(expressions), f"{of.__name__}({', '.join(arguments[part.name] for part in parts)})"

    def _part(self, hint: object, outer: bool) -> tuple[str, str]:
        """Return the expression for values of *hint*, and what is made of its group."""
        if outer and hint is Event:
            inner, call = self.record(self.kind)
            return _object({self.kind.name: inner}), call
        group = f"g{self.groups}"
        self.groups += 1
        if hint is str:
            return f'"({_INSIDE})"', f"texts[{group}] if len({group}) < {_SHORT} else {group}"
        if hint is int:
            return f"({shape(int)})", f"int({group}) if len({group}) < {_INSTANT} else numbers[{group}]"
        if hint == tuple[str, ...]:
            return rf"\[((?:{shape(str)}(?:,{shape(str)})*)?)\]", f"listed({group}) if {group} else ()"
        self.scope[f"read_{group}"] = coder(hint).read
        return f"({shape(hint)})", f"read_{group}(scan({group}, 0)[0])"


def _listed(inside: str) -> tuple[str, ...]:
    """Return the texts of a list, *inside* being what stands between its brackets."""
    return tuple(inside[1:-1].split('","'))


def shape(hint: object) -> str:
    """Return an expression, without groups, for values of *hint* in canonical form; of a union, for the simple ones."""
    inner = get_args(hint)
    if hint in _SHAPES:
        return _SHAPES[hint]
    if get_origin(hint) in {Union, UnionType}:
        return f"(?:{'|'.join(filter(None, map(_choice, inner)))})"
    if get_origin(hint) is not tuple:
        raise _Shapeless
    if inner[1:] == (Ellipsis,):
        one = shape(inner[0])
        return rf"\[(?:{one}(?:,{one})*)?\]"
    return rf"\[{','.join(map(shape, inner))}\]"


def _choice(hint: Any) -> str:  # noqa: ANN401 - any annotation
    """Return an expression for one kind of a union: a scalar, or a record of scalars; '' for any other."""
    if hint in _SHAPES:
        return _SHAPES[hint]
    hints = get_type_hints(hint) if is_dataclass(hint) else {"": hint}
    if any(one not in _SHAPES for one in hints.values()):
        return ""
    return _object({hint.__name__: _object({name: _SHAPES[one] for name, one in hints.items()})})


def _object(parts: dict[str, str]) -> str:
    """Return the expression for an object of *parts*: expressions by keys."""
    return r"\{" + ",".join(f'"{re.escape(name)}":{parts[name]}' for name in sorted(parts)) + r"\}"
