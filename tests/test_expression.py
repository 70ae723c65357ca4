"""Regular expressions that are compiled when they are first asked answer as the standard library's do."""

from __future__ import annotations

import importlib
import pkgutil
import re
from typing import Any

import pytest

import nomicwolf.reading
from nomicwolf.expression import expression

ASKED: dict[str, tuple[object, ...]] = {
    "search": ("a1 b2",), "match": ("b2", 0), "fullmatch": ("b2",), "findall": ("a1 b2",), "split": ("x a1 y b2",),
    "sub": (r"<\1>", "a1 b2", 1),
}


@pytest.mark.parametrize("method", ASKED)
def test_each_method_answers_as_the_standard_librarys(method: str) -> None:
    """At once and again, with flags."""
    late: Any = expression(r"([A-Z])\d", re.IGNORECASE)
    for _ in range(2):
        mine, theirs = (getattr(one, method)(*ASKED[method]) for one in (late, re.compile(r"([A-Z])\d", re.IGNORECASE)))
        assert str(mine) == str(theirs)
    assert [found[0] for found in late.finditer("a1 b2")] == ["a1", "b2"]


def test_what_an_expression_is_can_be_asked() -> None:
    """Its text, flags and groups are those of the compiled one; what that doesn't have it hasn't either."""
    late: Any = expression("(a)", re.ASCII)
    assert (late.pattern, late.groups, late.flags) == ("(a)", 1, re.compile("(a)", re.ASCII).flags)
    with pytest.raises(AttributeError):
        _ = late.nothing


def test_nothing_is_compiled_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """And then once."""
    compiled: list[str] = []
    real = re.compile

    def noted(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return real(text, flags)

    monkeypatch.setattr(re, "compile", noted)
    late = expression("[a-z]+")
    assert compiled == []
    assert late.findall("one two") == ["one", "two"]
    assert late.search("3") is None
    assert compiled == ["[a-z]+"]


def test_every_expression_of_the_reading_can_be_compiled() -> None:
    """A mistake in one isn't found on import any more."""
    found = [value for module in pkgutil.iter_modules(nomicwolf.reading.__path__)
             for value in vars(importlib.import_module(f"nomicwolf.reading.{module.name}")).values()
             if type(value).__name__ == "expression"]
    assert len(found) > 50
    for one in found:
        assert one.search("") is None or one.pattern
