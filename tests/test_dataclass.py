"""Dataclasses whose methods are compiled when first used do all that the standard library's do."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any, ClassVar

import pytest

from nomicwolf import dataclass as ours

Decorator = Callable[..., Any]


def made(decorator: Decorator, **options: bool) -> dict[str, type[Any]]:
    """Classes of every kind that there is here: defaults, factories, what is left out, what follows, inheritance."""
    class Plain:
        """Three fields."""

        one: int
        two: str = "b"
        three: list[int] = field(default_factory=list)
        LIMIT: ClassVar[int] = 3

    class Partly:
        """Fields that are not compared, shown, hashed or given."""

        one: int
        two: int = field(default=2, compare=False)
        three: int = field(default=3, repr=False)
        four: int = field(default=4, hash=False)
        five: int = field(default=5, init=False)
        six: tuple[int, ...] = field(default_factory=tuple, init=False)

    class Empty:
        """No field."""

    class Single:
        """One field, which may be anything."""

        one: object

    class Own:
        """Methods of its own stay."""

        one: int

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "own"

    class OwnEq:  # noqa: PLW1641 - that is what is tried
        """Comparing alone is its own."""

        one: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, OwnEq)

    class Followed:
        """What comes after ``__init__``."""

        one: int
        two: int = field(default=0, init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "two", 2 * self.one)

    found = {each.__name__: decorator(**options)(each)
             for each in (Plain, Partly, Empty, Single, Own, OwnEq, Followed)}

    class Derived(found["Plain"]):  # type: ignore[misc, valid-type]
        """One more field, and another default."""

        two: str = "c"
        four: int = 4

    return {**found, "Derived": decorator(**options)(Derived)}


NAN = float("nan")
OPTIONS = [{"frozen": frozen, "slots": slots, "eq": eq}
           for frozen in (True, False) for slots in (True, False) for eq in (True, False)]
TRIED: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "Plain": [
        ((1,), {}), ((1, "x", [5]), {}), ((), {"one": 2, "three": [1]}), ((), {}), ((1, 2, 3, 4), {}),
        ((1,), {"no": 1}),
    ],
    "Partly": [((1,), {}), ((1, 9, 9, 9), {}), ((1,), {"five": 6}), ((2, 2), {})],
    "Empty": [((), {}), ((1,), {})],
    "Single": [((1,), {}), (([],), {}), *([((NAN,), {})] if sys.version_info < (3, 13) else [])],
    "Own": [((1,), {}), ((2,), {})],
    "OwnEq": [((1,), {})],
    "Followed": [((1,), {}), ((3,), {})],
    "Derived": [((1,), {}), ((1, "x", [5], 6), {}), ((), {})],
}


def outcome(do: Callable[..., object], *args: object, **keywords: object) -> object:
    """What comes of *do*, or how it fails."""
    try:
        return do(*args, **keywords)
    except (TypeError, AttributeError) as error:
        return type(error), str(error)


def facts(kind: type[Any]) -> Iterator[object]:
    """All that can be told of a class and of its instances, whichever decorator made it."""
    yield kind.__doc__, [(f.name, f.init, f.repr, f.compare, f.hash) for f in dataclasses.fields(kind)]
    yield str(inspect.signature(kind)), kind.__init__.__annotations__, kind.__init__.__qualname__
    yield kind.__match_args__, dataclasses.is_dataclass(kind), kind.__hash__ is None, getattr(kind, "__slots__", None)
    instances = []
    for args, keywords in TRIED[kind.__name__]:
        one = outcome(kind, *args, **keywords)
        if isinstance(one, tuple):
            yield one
            continue
        again = kind(*args, **keywords)
        instances.append(again)
        yield repr(one), one == again, one != again, one == 1
        yield outcome(lambda one, again: hash(one) == hash(again), one, again)
        yield [getattr(one, f.name) for f in dataclasses.fields(kind)], repr(copy.copy(one)), repr(copy.deepcopy(one))
        for name in [f.name for f in dataclasses.fields(kind)][:1]:
            yield outcome(setattr, one, name, 5), outcome(delattr, one, name), outcome(repr, one)
        yield outcome(lambda old: repr(dataclasses.replace(old, one=8)), again), repr(dataclasses.asdict(again))
    yield [one == other for one in instances for other in instances]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", TRIED)
def test_everything_is_as_the_standard_library_does_it(name: str, options: dict[str, bool]) -> None:
    """Making, wrong arguments, comparing, hashing, showing, copying, replacing, setting and deleting."""
    theirs, mine = made(dataclasses.dataclass, **options)[name], made(ours.dataclass, **options)[name]
    assert list(facts(mine)) == list(facts(theirs))
    assert list(facts(mine)) == list(facts(theirs))  # now that every method has been used


def test_nothing_is_compiled_before_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """One text for each method, when it is first called, and once."""
    compiled: list[str] = []
    real = ours._compiled

    def noted(name: str, *rest: Any, **scope: Any) -> Callable[..., Any]:
        compiled.append(name)
        return real(name, *rest, **scope)

    monkeypatch.setattr(ours, "_compiled", noted)

    @ours.dataclass(frozen=True)
    class Late:
        """One field."""

        one: int

    assert compiled == []
    assert Late(1) == Late(1)
    assert len({Late(1), Late(1)}) == 1
    assert compiled == ["__init__", "__eq__", "__hash__"]


def test_the_decorator_without_options() -> None:
    """As bare as the standard library's."""
    @ours.dataclass
    class Bare:
        """One field."""

        one: int

    assert repr(Bare(1)).endswith("Bare(one=1)")
