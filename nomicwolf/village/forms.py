"""Forms of values in files of roles and setups."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final


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
        """Return *value* as it is used; ValueError, with the reason if it isn't plain, for one that is invalid."""
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
