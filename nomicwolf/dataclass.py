"""The standard library's dataclasses, whose methods are compiled when they are first looked up.

`dataclasses.dataclass` writes a text for each method of each class, and compiles it when a module is imported: for our
320 classes, of which a poll makes a few, that would be a fifth of the instructions of a poll that finds one letter. And
each field of a frozen class costs it a call, of which letters make some hundred; here an instance is of an open twin of
its class while its fields are set, which takes a third of the time (docs/performance.md). Fields, `replace`, matching,
copying, pickling and errors are the standard library's (``tests/test_dataclass.py`` holds them equal). So is equality,
but that since Python 3.13 two values that share what isn't equal to itself (NaN) are unequal there, and equal here.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, cast

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: type[Any] | None = None, *, frozen: bool = False, slots: bool = False, eq: bool = True,
    ) -> type[Any] | Callable[[type[Any]], type[Any]]:
        """Return *cls* decorated as by `dataclasses.dataclass`, or the decorator; these options alone are known."""
        def decorated(made: type[Any]) -> type[Any]:
            return _made(made, frozen, slots, eq)

        return decorated if cls is None else decorated(cls)


_Method = Callable[..., Any]


class _Factory:
    """Stands for what a field's factory makes, where nothing is given."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _made(cls: type[Any], frozen: bool, slots: bool, eq: bool) -> type[Any]:
    """Let the standard library find the fields and make the slots, and give the class its methods."""
    own = set(vars(cls))
    hashable = "__hash__" in own and not (vars(cls)["__hash__"] is None and "__eq__" in own)
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    fields = dataclasses.fields(cls)
    twin, setting = None, cast("object", cls.__setattr__)
    if frozen and slots and len(fields) >= _WORTH and setting is object.__setattr__:
        cls, twin = _closed(cls), cls
    given: dict[str, object] = {
        "__init__": _Late(cls, "__init__", lambda: _init(cls, fields, frozen, twin)),
        "__repr__": _Late(cls, "__repr__", lambda: _repr(fields)),
    }
    if eq:
        given["__eq__"] = _Late(cls, "__eq__", lambda: _eq(fields))
    if eq and not hashable:
        given["__hash__"] = _Late(cls, "__hash__", lambda: _hash(fields)) if frozen else None
        own.discard("__hash__")
    names = tuple(field.name for field in fields)
    if frozen:
        given |= _refusals(cls, frozenset(names))
    if frozen and slots:
        given |= _states(names)
    for name, method in given.items():
        if name not in own:
            setattr(cls, name, method)
    return cls


_WORTH = 3
"""For how many fields it pays to let an instance be of another class while they are set."""


def _closed(twin: type[Any]) -> type[Any]:
    """Return the class that *twin* was to be: one whose instances can be made to be of *twin*, and back again."""
    same = ("__doc__", "__module__", "__qualname__")
    closed: Any = type(twin.__name__, (twin,), {"__slots__": (), **{name: getattr(twin, name) for name in same}})
    closed.__slots__ = twin.__slots__
    return cast("type[Any]", closed)


class _Late:
    """A method that is made, and given to its class, when it is first looked up."""

    def __init__(self, cls: type[Any], name: str, make: Callable[[], _Method]) -> None:
        self._cls, self._name, self._make = cls, name, make

    def __get__(self, instance: object, owner: type[Any]) -> Any:  # noqa: ANN401 - a method, bound or not
        method = self._make()
        method.__module__, method.__qualname__ = self._cls.__module__, f"{self._cls.__qualname__}.{self._name}"
        if vars(self._cls).get(self._name) is self:
            setattr(self._cls, self._name, method)
        return method.__get__(instance, owner)


def _compiled(
    name: str, parameters: Iterable[str], body: Iterable[str], known: dict[str, Any] | None = None, **scope: object,
) -> _Method:
    """Compile a method in which *scope* is at hand, and *known*, its module's names."""
    lines = "\n  ".join(body)
    text = f"def make({', '.join(scope)}):\n def {name}({', '.join(parameters)}):\n  {lines}\n return {name}"
    found: dict[str, Any] = {}
    exec(text, {} if known is None else known, found)  # noqa: S102 - made of the names of fields, which are identifiers
    made: _Method = found["make"](**scope)
    return made


def _tuple(of: str, fields: Iterable[dataclasses.Field[Any]]) -> str:
    return "(" + "".join(f"{of}.{field.name}, " for field in fields) + ")"


def _eq(fields: tuple[dataclasses.Field[Any], ...]) -> _Method:
    compared = [field for field in fields if field.compare]
    return _compiled("__eq__", ("self", "other"), (
        "if other.__class__ is self.__class__:",
        f" return {_tuple('self', compared)} == {_tuple('other', compared)}", "return NotImplemented"))


def _hash(fields: tuple[dataclasses.Field[Any], ...]) -> _Method:
    hashed = [field for field in fields if (field.compare if field.hash is None else field.hash)]
    return _compiled("__hash__", ("self",), (f"return hash({_tuple('self', hashed)})",))


def _repr(fields: tuple[dataclasses.Field[Any], ...]) -> _Method:
    names = tuple(field.name for field in fields if field.repr)

    def __repr__(self: object) -> str:  # noqa: N807 - it is given to classes
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return recursive_repr()(__repr__)


def _init(cls: type[Any], fields: tuple[dataclasses.Field[Any], ...], frozen: bool, twin: type[Any] | None) -> _Method:
    parameters, values = ["self"], {}
    scope: dict[str, object] = {"put_": object.__setattr__, "missing_": _FACTORY, "cls_": cls, "twin_": twin}
    for field in fields:
        name, value = field.name, field.name
        if field.default is not dataclasses.MISSING:
            scope[f"default_{name}"] = field.default
            parameter, unasked = f"{name}=default_{name}", f"default_{name}"
        elif field.default_factory is not dataclasses.MISSING:
            scope[f"make_{name}"] = field.default_factory
            parameter, unasked = f"{name}=missing_", f"make_{name}()"
            value = f"make_{name}() if {name} is missing_ else {name}"
        else:
            parameter, unasked = name, ""
        if field.init:
            parameters.append(parameter)
        elif not unasked:
            continue
        values[name] = value if field.init else unasked
    body = _setting(values, frozen, twin is not None)
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    made = _compiled("__init__", parameters, body or ["pass"], vars(sys.modules[cls.__module__]), **scope)
    made.__annotations__ = {field.name: field.type for field in fields if field.init} | {"return": None}
    return made


def _setting(values: dict[str, str], frozen: bool, twin: bool) -> list[str]:
    """Return the lines that set each field to its value; an instance of a class below is never of the *twin*."""
    plainly = [f"self.{name} = {value}" for name, value in values.items()]
    if not frozen:
        return plainly
    past = [f"put_(self, {name!r}, {value})" for name, value in values.items()]
    if not twin:
        return past
    return ["if self.__class__ is cls_:", " put_(self, '__class__', twin_)", *(f" {line}" for line in plainly),
            " self.__class__ = cls_", "else:", *(f" {line}" for line in past)]


def _refusals(cls: type[Any], names: frozenset[str]) -> dict[str, _Method]:
    """Return what keeps the fields of a frozen class from being set or deleted."""
    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807 - it is given to classes
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807 - it is given to classes
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return {"__setattr__": __setattr__, "__delattr__": __delattr__}


def _states(names: tuple[str, ...]) -> dict[str, _Method]:
    """Return what gives a frozen class with slots to pickle, and takes it back."""
    def __getstate__(self: object) -> list[object]:  # noqa: N807 - it is given to classes
        return [getattr(self, name) for name in names]

    def __setstate__(self: object, state: list[object]) -> None:  # noqa: N807 - it is given to classes
        for name, value in zip(names, state, strict=False):
            object.__setattr__(self, name, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}
