"""What is made of letters' bytes, and the program of a second process that does it for a run (`run.ahead`).

The program's input and output are pickles of our own: `Terms`, answered with True once it is ready, then lists of the
values of `Raw`, each answered with a list of what was made of them: a letter's values and its JSON, or None where that
failed. It ends with its input.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from nomicwolf.ledger.codec import write_value
from nomicwolf.letters.letter import ForumInfo, Letter, Limits, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.run.polling import seldom_tidied

Values: TypeAlias = tuple[Any, ...]
"""An instance's fields in their order: pickled in a tenth of the time."""
RAW: Callable[[Raw], Values] = attrgetter(*[field.name for field in fields(Raw)])
_LETTER: Callable[[Letter], Values] = attrgetter(*[field.name for field in fields(Letter)])


class Terms(NamedTuple):
    """What a letter is made by, but for its bytes; see `make_letter`."""

    forums: tuple[ForumInfo, ...]
    addresses: tuple[str, ...]
    limits: Limits
    hosts: tuple[str, ...]

    def make(self, raw: Raw) -> Letter:
        """Return what can be understood of *raw*."""
        return make_letter(raw, *self)


def made_of(raws: Iterable[Values], terms: Terms) -> list[tuple[Values, str] | None]:
    """Make letters; one that can't be made is left to whoever may tell of it."""
    return [_made_of(Raw(*raw), terms) for raw in raws]


def _made_of(raw: Raw, terms: Terms) -> tuple[Values, str] | None:
    try:
        letter = terms.make(raw)
        return _LETTER(letter), write_value(letter)
    except Exception:  # noqa: BLE001 - a defect; the first process meets it again, and tells of it
        return None


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer what is asked until no more is."""
    terms: Terms = pickle.load(asked)  # noqa: S301 - of the process that started this one
    _answer(answers, True)
    while True:
        try:
            raws: list[Values] = pickle.load(asked)  # noqa: S301
        except EOFError:
            return
        _answer(answers, made_of(raws, terms))


def _answer(answers: BinaryIO, answer: object) -> None:
    pickle.dump(answer, answers, pickle.HIGHEST_PROTOCOL)
    answers.flush()


def main() -> None:
    """Be the second process."""
    with seldom_tidied():
        serve(sys.stdin.buffer, sys.stdout.buffer)
