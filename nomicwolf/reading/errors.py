"""What stops a reading: one exception, with the place, and what could stand there."""

from __future__ import annotations

from typing import Self

from nomicwolf.reading.deeds import ProblemKind


class BallotError(ValueError):
    """Words that can't be taken as a ballot (or as another deed).

    *problem* is one of ``read --json``'s kinds; *at* the column (from 1) of the word where understanding
    stopped; *suggestions* are names or whole forms that could be meant; *hint* says what could stand there.
    """

    def __init__(
        self, problem: ProblemKind, message: str, at: int = 1, suggestions: tuple[str, ...] = (), hint: str = "",
    ) -> None:
        super().__init__(message)
        self.problem: ProblemKind = problem
        self.message = message
        self.at = at
        self.suggestions = suggestions
        self.hint = hint

    def as_value(self) -> Self:
        """Return this as a value, without the frames that it came through: whoever held it would be held by it."""
        self.__context__ = None
        return self.with_traceback(None)
