"""What may stand in a file of a moderator's, as data: forms of values, and conditions on a whole table.

Nothing here is code that a file could run, and all of it can be printed as JSON: the editor's page checks by the very
same forms and conditions (`nomicwolf.reports.editor`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias


@dataclass(frozen=True, slots=True)
class Form:
    """What a value may be, by its *kind*.

    * ``word``: text that matches the whole *pattern*, of at most *most* characters, whose first word isn't *banned*;
    * ``prose``: printable text of at most *most* characters, whose white space counts as one blank;
    * ``one``: one of *choices*; ``flag``: true or false; ``number``: whole, from 1 to *most*, ``nought``: 0;
    * ``many``: a list of at most *most* different values of the first of *parts*; ``either``: like one of *parts*.
    """

    kind: str
    most: int = 0
    pattern: str = ""
    choices: tuple[str, ...] = ()
    banned: tuple[str, ...] = ()
    parts: tuple[Form, ...] = ()

    def read(self, value: object) -> Any:  # noqa: ANN401 - whatever the file holds
        """Return *value* as it is used; ValueError, with the reason if it isn't plain, for one that can't stand."""
        return _READ[self.kind](self, value)

    def as_json(self) -> dict[str, Any]:
        """Return the form for JSON, without what it leaves open."""
        given = {"kind": self.kind, "most": self.most, "pattern": self.pattern, "choices": list(self.choices),
                 "banned": list(self.banned), "parts": [part.as_json() for part in self.parts]}
        return {name: value for name, value in given.items() if value}


def _word(form: Form, value: object) -> str:
    if not isinstance(value, str) or len(value) > form.most or not re.fullmatch(form.pattern, value):
        raise ValueError
    if value.split(" ")[0] in form.banned:
        raise ValueError(f"{value} means something else in letters")
    return value


def _prose(form: Form, value: object) -> str:
    words = " ".join(value.split()) if isinstance(value, str) else ""
    if not words:
        raise ValueError
    if len(words) > form.most:
        raise ValueError(f"it has {len(words)} characters")
    if not words.isprintable():
        raise ValueError("it has signs that can't be printed")
    return words


def _one(form: Form, value: object) -> str:
    if not isinstance(value, str) or value not in form.choices:
        raise ValueError
    return value


def _many(form: Form, value: object) -> tuple[Any, ...]:
    if not isinstance(value, list) or len(value) > form.most:
        raise ValueError
    found = tuple(map(form.parts[0].read, value))
    if len({*found}) < len(found):
        raise ValueError
    return found


def _number(form: Form, value: object) -> int:
    if type(value) is not int or not 1 <= value <= form.most:
        raise ValueError
    return value


def _nought(form: Form, value: object) -> int:
    if type(value) is not int or value:
        raise ValueError
    return value


def _flag(form: Form, value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError  # noqa: TRY004 - the file's value is wrong, not a caller's type
    return value


def _either(form: Form, value: object) -> Any:  # noqa: ANN401 - as its parts have it
    for part in form.parts:
        try:
            return part.read(value)
        except ValueError:
            continue
    raise ValueError


_READ: Final = {"word": _word, "prose": _prose, "one": _one, "many": _many, "number": _number, "flag": _flag,
                "nought": _nought, "either": _either}


def word(pattern: str, most: int, banned: tuple[str, ...] = ()) -> Form:
    """Return the form of text of the *pattern*, at most so long, that doesn't begin with a *banned* word."""
    return Form("word", most, pattern, banned=banned)


def prose(most: int) -> Form:
    """Return the form of prose, at most so long."""
    return Form("prose", most)


def one_of(*choices: str) -> Form:
    """Return the form of one of *choices*."""
    return Form("one", choices=choices)


def many(part: Form, most: int) -> Form:
    """Return the form of a list of different values, each like *part*, at most so many."""
    return Form("many", most, parts=(part,))


def number(most: int) -> Form:
    """Return the form of a whole number from 1 to *most*."""
    return Form("number", most)


def nought() -> Form:
    """Return the form of the number 0."""
    return Form("nought")


def either(*parts: Form) -> Form:
    """Return the form of what is like one of *parts*."""
    return Form("either", parts=parts)


FLAG: Final = Form("flag")

Condition: TypeAlias = tuple[Any, ...]
"""``("is", KEY, *values)``: the value is one of these; ``("has", KEY, *values)``: the list has one of these, and
``("just", KEY, *values)`` one of these alone; ``("filled", KEY)``: it is not empty; ``("some duty", condition)``; and
``("not", condition)``, ``("all", *conditions)``, ``("any", *conditions)``. A value ``$sides`` stands for all words that
the rule set has under ``sides``."""
Words: TypeAlias = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Misfit:
    """What makes a table wrong though each of its values can stand: *when* that holds, *key* is at fault, *why* says.

    It is about each *duty*, or about the whole. In *why* ``{KEY}`` is a value of the table, ``{$sides}`` are words of
    the rule set's.
    """

    key: str
    when: Condition
    why: str
    duty: bool = False

    def said(self, row: Mapping[str, Any], words: Words) -> str:
        """Return what is wrong with *row*."""
        def filled(name: re.Match[str]) -> str:
            value = words[name[1][1:]] if name[1].startswith("$") else row[name[1]]
            return value if isinstance(value, str) else ", ".join(value)

        return re.sub(r"\{([$\w]+)\}", filled, self.why)


def holds(condition: Condition, row: Mapping[str, Any], words: Words) -> bool:
    """Return whether *condition* holds of a table's *row*, by the rule set's *words*."""
    kind, *rest = condition
    if kind in ("all", "any"):
        found = [holds(part, row, words) for part in rest]
        return all(found) if kind == "all" else any(found)
    if kind == "not":
        return not holds(rest[0], row, words)
    if kind == "some duty":
        return any(holds(rest[0], duty, words) for duty in row["duty"])
    value, among = row[rest[0]], _values(rest[1:], words)
    if kind == "filled":
        return bool(value)
    if kind == "is":
        return value in among
    return any(each in among for each in value) and (kind == "has" or len(value) == 1)


def _values(given: Sequence[object], words: Words) -> list[object]:
    named = (words[value[1:]] if isinstance(value, str) and value.startswith("$") else (value,) for value in given)
    return [each for group in named for each in group]
