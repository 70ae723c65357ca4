"""Events and letters to plain JSON values and back, by their annotations alone.

A dataclass becomes an object of its fields, all of them; a value of a union, and an event, an object of one
key that names its kind (``{"lynched": {"who": "Gus"}}``, ``{"For": {"whom": "Gus"}}``); a tuple a list.
Reading is as strict as writing, so what comes back is what went in, or `Garbled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from operator import itemgetter
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.errors import Garbled
from nomicwolf.village.events import Event

_SCALARS = (str, int, bool, float, NoneType)
_Step: TypeAlias = Callable[[Any], Any]
_CODERS: dict[object, Coder] = {}


@dataclass(frozen=True, slots=True)
class Coder:
    """How values of one type are written, and read back; *takes* tells a value that it writes.

    *plain* is the type of those that are written as they are.
    """

    write: _Step
    read: _Step
    takes: Callable[[object], bool]
    plain: type | None = None


def coder(hint: object) -> Coder:
    """Return how values of an annotation are coded; TypeError for one that has no form here."""
    if hint not in _CODERS:
        _CODERS[hint] = _make(hint)
    return _CODERS[hint]


def _make(hint: Any) -> Coder:  # noqa: ANN401 - any annotation
    origin = get_origin(hint)
    if hint is Event:
        return _event()
    if hint in _SCALARS:
        return _scalar(hint)
    if hint is bytes:
        return Coder(bytes.hex, _bytes, lambda value: isinstance(value, bytes))
    if origin is Literal:
        return _literal(get_args(hint))
    if origin in {Union, UnionType}:
        return _union(get_args(hint))
    if origin is tuple:
        return _tuple(get_args(hint))
    if isinstance(origin, type) and issubclass(origin, Mapping) and get_args(hint)[0] is str:
        return _mapping(get_args(hint)[1])
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    raise TypeError(f"{hint} has no form in the ledger; use dataclasses, tuples, mappings, texts and numbers")


def _scalar(kind: type) -> Coder:
    def same(value: object) -> object:
        if type(value) is not kind:
            raise Garbled(f"{value!r} is no {kind.__name__}")
        return value

    return Coder(same, same, lambda value: type(value) is kind, kind)


def _bytes(value: object) -> bytes:
    if isinstance(value, str):
        with suppress(ValueError):
            return bytes.fromhex(value)
    raise Garbled(f"{value!r} is no bytes in hexadecimal")


def _literal(options: tuple[object, ...]) -> Coder:
    def same(value: object) -> object:
        if value not in options:
            raise Garbled(f"{value!r} is none of {', '.join(map(repr, options))}")
        return value

    return Coder(same, same, lambda value: value in options)


def _tuple(hints: tuple[Any, ...]) -> Coder:
    many = len(hints) == 2 and hints[1] is Ellipsis
    coders = [coder(hint) for hint in hints if hint is not Ellipsis and hint != ()]

    def each(value: tuple[object, ...] | list[object]) -> Iterable[tuple[Coder, object]]:
        if len(value) != len(coders):
            raise Garbled(f"{value!r} must have {len(coders)} parts")
        return zip(coders, value, strict=True)

    plain = [one.plain for one in coders if one.plain is not None]
    kinds = tuple(plain) if len(plain) == len(coders) else None

    def write(value: object) -> Sequence[Any]:
        if not isinstance(value, tuple):
            raise Garbled(f"{value!r} is no tuple")
        if kinds is not None and (set(map(type, value)) <= {*kinds} if many else tuple(map(type, value)) == kinds):
            return value
        return list(map(coders[0].write, value)) if many else [one.write(part) for one, part in each(value)]

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise Garbled(f"{value!r} is no list")
        if many:
            return tuple(map(coders[0].read, value)) if value else ()
        return tuple([one.read(part) for one, part in each(value)])

    return Coder(write, read, lambda value: isinstance(value, tuple))


def _mapping(hint: Any) -> Coder:  # noqa: ANN401
    inner = coder(hint)

    def each(value: object, step: _Step) -> dict[str, Any]:
        if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
            raise Garbled(f"{value!r} is no mapping from texts")
        return {key: step(part) for key, part in value.items()}

    return Coder(
        lambda value: each(value, inner.write),
        lambda value: each(value, inner.read),
        lambda value: isinstance(value, Mapping),
    )


class _Parts:
    """The parts of a dataclass; asked for late, since one may hold its own kind."""

    def __init__(self, kind: type) -> None:
        hints = get_type_hints(kind)
        self.all = {part.name: coder(hints[part.name]) for part in fields(kind)}
        self.needed = {part.name for part in fields(kind)
                       if part.default is MISSING and part.default_factory is MISSING}
        self.values = _tuple_of(*self.all)
        self.deep = tuple((at, one.read) for at, one in enumerate(self.all.values()) if one.plain is None)
        flat = {at: one.plain for at, one in enumerate(self.all.values()) if one.plain is not None}
        self.flat = _tuple_of(*flat)
        self.types = tuple(flat.values()) if all(part.init and not part.kw_only for part in fields(kind)) else None

    def keywords(self, kind: type, value: object) -> dict[str, Any]:
        """Return what *value* gives for each part, or say what is odd about it."""
        if not isinstance(value, dict):
            raise Garbled(f"{value!r} is no {kind.__name__}")
        if odd := (value.keys() - self.all.keys()) | (self.needed - value.keys()):
            raise Garbled(f"{kind.__name__} with other parts than it has here: {', '.join(sorted(odd))}")
        return {name: _within(name, self.all[name].read, part) for name, part in value.items()}


def _tuple_of(*keys: object) -> Callable[[Any], tuple[Any, ...]]:
    return itemgetter(*keys) if len(keys) > 1 else lambda value: tuple([value[key] for key in keys])


def _record(kind: type) -> Coder:
    @cache
    def parts() -> _Parts:
        return _Parts(kind)

    def write(value: object) -> dict[str, Any]:
        if type(value) is not kind:
            raise Garbled(f"{value!r} is no {kind.__name__}")
        return {name: _within(name, one.write, getattr(value, name)) for name, one in parts().all.items()}

    def read(value: Any) -> Any:  # noqa: ANN401
        known = parts()
        try:
            values = known.values(value)
            flat = known.flat(values) if known.deep else values
            if len(value) == len(values) and tuple(map(type, flat)) == known.types:
                if not known.deep:
                    return kind(*values)
                taken = [*values]
                for at, step in known.deep:
                    taken[at] = step(values[at])
                return kind(*taken)
        except (Garbled, AttributeError, KeyError, TypeError):
            return kind(**known.keywords(kind, value))
        return kind(**known.keywords(kind, value))

    return Coder(write, read, lambda value: type(value) is kind)


def _within(name: str, step: _Step, value: object) -> Any:  # noqa: ANN401
    try:
        return step(value)
    except Garbled as error:
        raise Garbled(f"{name}: {error}") from error


def _union(hints: tuple[Any, ...]) -> Coder:
    records = {hint.__name__: coder(hint) for hint in hints if isinstance(hint, type) and is_dataclass(hint)}
    plain = [coder(hint) for hint in hints if not is_dataclass(hint)]

    def write(value: object) -> object:
        name = type(value).__name__
        if name in records:
            return {name: records[name].write(value)}
        for one in plain:
            if one.takes(value):
                return one.write(value)
        raise Garbled(f"{value!r} is of no kind that may stand here")

    def read(value: object) -> object:
        if isinstance(value, dict) and len(value) == 1 and (name := next(iter(value))) in records:
            return records[name].read(value[name])
        for one in plain:
            try:
                return one.read(value)
            except Garbled:
                continue
        raise Garbled(f"{value!r} is of no kind that may stand here")

    return Coder(write, read, lambda value: type(value).__name__ in records or any(one.takes(value) for one in plain))


def _event() -> Coder:
    readers: dict[str, _Step] = {}

    def write(value: object) -> dict[str, Any]:
        if not isinstance(value, Event) or type(value) is Event:
            raise Garbled(f"{value!r} is no event")
        return {value.name: _within(value.name, coder(type(value)).write, value)}

    def read(value: object) -> Any:  # noqa: ANN401
        if not isinstance(value, dict) or len(value) != 1:
            raise Garbled(f"{value!r} is no event")
        ((name, given),) = value.items()
        if name not in readers:
            if name not in Event.kinds:
                import nomicwolf.nomic.state  # noqa: F401 - declares every kind, whatever this process has loaded so far
            if name not in Event.kinds:
                raise Garbled(f"an event of the unknown kind {name!r}; install the part of nomicwolf that declares it")
            readers[name] = coder(Event.kinds[name]).read
        try:
            return readers[name](given)
        except Garbled as error:
            raise Garbled(f"{name}: {error}") from error

    return Coder(write, read, lambda value: isinstance(value, Event))
