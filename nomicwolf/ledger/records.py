"""The ledger's values, their JSON, and hash chain.

A dataclass becomes an object with all its fields. A member of a union, and an event, becomes an object with one key
that names its kind (``{"lynched": {"who": "Gus"}}``, ``{"For": {"whom": "Gus"}}``). A tuple becomes a list. Reading is
as strict as writing: it returns what was written, or raises `Garbled`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from hashlib import sha256
from operator import itemgetter
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from nomicwolf.ledger.errors import Garbled
from nomicwolf.village.events import Entry, Event

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Bucket, Letter, Outgoing, Raw

Mark: TypeAlias = tuple[str, int, int]
"""How far a source was read: its name, UIDVALIDITY, and the UID of the last letter heard."""

State: TypeAlias = Literal["queued", "sending", "sent", "unknown", "failed"]


@dataclass(frozen=True, slots=True)
class HeardLetter:
    """A letter as it was heard, its bucket, and in a few words *why*.

    *entry* is the number of the entry that records it, 0 if none does.
    """

    raw: Raw
    letter: Letter
    bucket: Bucket
    author: str = ""
    why: str = ""
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling moves a letter, given by its entry's *number*, into another *bucket*, with the reason.

    *was* is its bucket until then. It need not be "held": a late letter's deeds may have been heard before it was held.
    """

    number: int
    bucket: Bucket
    why: str
    was: str = "held"


@dataclass(frozen=True, slots=True)
class Happened:
    """The cause of a transaction: its *kind*, and the contest's *setup* by its settings then, as JSON.

    *data* is a command or a tick as JSON; for a letter the number of its run, since the ledger numbers letters itself.
    """

    kind: Literal["letter", "command", "tick"]
    data: str
    setup: str


@dataclass(frozen=True, slots=True)
class StoredHappening:
    """A recorded happening at *now* (UTC seconds): entries after *base* up to *last*, letters owed up to *owed*."""

    kind: Literal["letter", "command", "tick"]
    data: str
    setup: str
    now: int
    base: int
    last: int
    owed: int

    def of_letter(self) -> tuple[int, int]:
        """Return the number of the letter that this was, and of the run in which it was heard, 0 in old ledgers."""
        number, _, run = self.data.partition(" ")
        return int(number), int(run or 0)


@dataclass(frozen=True, slots=True)
class StoredLetter:
    """A recorded letter; *number* counts the contest's letters from 1, *heard_at* is in UTC seconds."""

    number: int
    raw: Raw
    letter: Letter
    bucket: Bucket
    author: str
    why: str
    heard_at: int
    entry: int


@dataclass(frozen=True, slots=True)
class OwedLetter:
    """A letter of the outbox; *data* are its bytes once composed, the same for every try.

    *tries* counts the attempts to send it, *doubtful* those whose outcome is unknown; *changed_at* is the time of its
    last change of state (UTC seconds).
    """

    number: int
    letter: Outgoing
    state: State
    data: bytes | None
    message_id: str
    tries: int
    doubtful: int
    error: str
    changed_at: int = 0


@dataclass(frozen=True, slots=True)
class Conservation:
    """The letters *received* by bucket, and the letters *owed* by state."""

    received: int
    buckets: Mapping[str, int]
    owed: int
    states: Mapping[str, int]

    @property
    def balanced(self) -> bool:
        """Whether both sums add up."""
        return self.received == sum(self.buckets.values()) and self.owed == sum(self.states.values())

    def __str__(self) -> str:
        parts = ", ".join(f"{name} {count}" for name, count in self.buckets.items())
        owed = ", ".join(f"{name} {count}" for name, count in self.states.items())
        return f"received {self.received} = {parts or 'none'}; owed {self.owed} = {owed or 'none'}"


@dataclass(frozen=True, slots=True)
class Tip:
    """The tip of a record: the last entry's number, the chain's head, next alarm and last poll (UTC seconds)."""

    last: int
    head: str
    alarm: int | None
    polled_at: int


__all__ = ["Coder", "canonical", "check_entry", "coder", "read_entry", "read_value", "write_entry", "write_value"]

VERSION: Final = 1
"""The version of the entries' form."""
_CHUNKS: Callable[[object, int], Iterable[str]] = json.encoder.c_make_encoder(  # type: ignore[attr-defined]
    None, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None, ":", ",", True, False, False)


def canonical(plain: object) -> str:
    """Return *plain* as canonical JSON: keys sorted, no spaces, ASCII, and so safe in any database."""
    return "".join(_CHUNKS(plain, 0))


def write_entry(entry: Entry) -> str:
    """Return an entry as one line of canonical JSON, with the form's version."""
    return canonical({"version": VERSION, **coder(Entry).write(entry)})


def read_entry(text: str) -> Entry:
    """Return the entry in a line of JSON; `Garbled` with the fault otherwise."""
    return _entry(_loads(text))


def check_entry(text: str) -> Entry:
    """Return the entry in a line of JSON; `Garbled` also if the line isn't canonical."""
    plain = _loads(text)
    if canonical(plain) != text:
        raise Garbled("not in its canonical form")
    return _entry(plain)


def _entry(plain: object) -> Entry:
    version = plain.pop("version", None) if isinstance(plain, dict) else None
    if version != VERSION:
        raise Garbled(f"an entry of version {version}, and this program knows {VERSION}; use the program that wrote it")
    entry: Entry = coder(Entry).read(plain)
    return entry


def write_value(value: object) -> str:
    """Return a dataclass as canonical JSON."""
    return canonical(coder(type(value)).write(value))


def read_value(kind: type, text: str) -> Any:  # noqa: ANN401 - a value of *kind*
    """Return the *kind* in a text of JSON; `Garbled` otherwise."""
    return coder(kind).read(_loads(text))


def _loads(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Garbled(f"no JSON: {error}") from error


def first_head(contest: str) -> str:
    """Return the head of a contest's empty record, as hex."""
    return sha256(f"nomicwolf ledger 1\n{contest}\n".encode()).hexdigest()


def next_head(head: str, line: str) -> str:
    """Return the head after *line* (an entry's canonical JSON): SHA-256 of the head's 32 bytes and the line."""
    return digest_after(bytes.fromhex(head), line).hex()


def digest_after(head: bytes, line: str) -> bytes:
    """Return the head after *line* as bytes; *head* is the one before."""
    return sha256(head + line.encode("ascii")).digest()


_SCALARS = (str, int, bool, float, NoneType)
_Step: TypeAlias = Callable[[Any], Any]
_CODERS: dict[object, Coder] = {}


@dataclass(frozen=True, slots=True)
class Coder:
    """How values of one type are written and read; *takes* returns whether it writes a value.

    *plain* is the type of values that are written as they are.
    """

    write: _Step
    read: _Step
    takes: Callable[[object], bool]
    plain: type | None = None


def coder(hint: object) -> Coder:
    """Return the coder for an annotation; TypeError for one that has no form here."""
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
    """The fields of a dataclass with their coders; made late, because a class may contain itself."""

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
        """Return the fields that *value* gives; `Garbled` with the fault otherwise."""
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
        raise Garbled(f"{value!r} is of no kind that is allowed here")

    def read(value: object) -> object:
        if isinstance(value, dict) and len(value) == 1 and (name := next(iter(value))) in records:
            return records[name].read(value[name])
        for one in plain:
            try:
                return one.read(value)
            except Garbled:
                continue
        raise Garbled(f"{value!r} is of no kind that is allowed here")

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
