"""Tables of examples: one test with a subtest for each row that fails."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]


def each(names: str | Sequence[str], rows: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test once for each of *rows*, as one test; each row that fails is reported as a subtest of its own.

    *names* and *rows* are as for ``pytest.mark.parametrize``, which is for rows that are long, or that need fixtures of
    their own. A single name takes each row whole.
    """
    single = isinstance(names, str)
    keys = (names,) if isinstance(names, str) else tuple(names)
    table = tuple(rows)

    def decorated(test: Test) -> Test:
        @wraps(test)
        def run(*, subtests: pytest.Subtests, **fixtures: Any) -> None:
            for row in table:
                given = dict(zip(keys, (row,) if single else row, strict=True))
                try:
                    test(**given, **fixtures)
                except (Exception, pytest.fail.Exception):
                    with subtests.test(**given, **fixtures):
                        raise

        assert table, f"{test.__name__} has no rows"
        others = [parameter for name, parameter in inspect.signature(test).parameters.items() if name not in keys]
        shared = inspect.Parameter("subtests", inspect.Parameter.KEYWORD_ONLY)
        run.__signature__ = inspect.Signature([*others, shared])  # type: ignore[attr-defined]
        return run

    return decorated
