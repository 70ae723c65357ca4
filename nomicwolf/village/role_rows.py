"""Rows of roles of which the seed chooses one, as open setups of forums have them.

An item of a list of roles may be such a choice: ``cop+doctor|mason+mason|nothing``. Everyone may know the rows; which
one was drawn is known when the seed is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Final, TypeAlias

from nomicwolf.village.events import Drawn
from nomicwolf.village.lots import draw

Row: TypeAlias = tuple[str, ...]
NOTHING: Final = "nothing"
"""What a row without roles is called."""
MOST_CASES: Final = 1000
"""In how many ways the rows of one setup may fall."""
ROW: Final = "row"
"""What the lots are drawn for: ``row 1``."""


def item_of(rows: Iterable[Row]) -> str:
    """Return the item of a list of roles that is a choice of one of *rows*.

    >>> item_of([("cop", "doctor"), ()])
    'cop+doctor|nothing'
    """
    return "|".join("+".join(row) or NOTHING for row in rows)


def is_choice(item: str) -> bool:
    """Return whether an *item* of a list of roles is a choice of rows."""
    return "|" in item


def rows_of(item: str) -> tuple[Row, ...]:
    """Return the rows of which *item* is one; a plain role is the one row of itself.

    >>> rows_of("cop + doctor | nothing"), rows_of("cop")
    ((('cop', 'doctor'), ()), (('cop',),))
    """
    parts = (tuple(role.strip() for role in row.split("+")) for row in item.split("|"))
    return tuple(() if row == (NOTHING,) else row for row in parts)


def possible(items: Iterable[str]) -> tuple[str, ...]:
    """Return every role that *items* can bring, in their order, as often as they name it."""
    return tuple(role for item in items for row in rows_of(item) for role in row)


def cases(items: Sequence[str]) -> Iterator[Row]:
    """Yield the roles of *items* in each of the ways in which their rows can fall.

    >>> list(cases(["cop", "doctor|mason+mason"]))
    [('cop', 'doctor'), ('cop', 'mason', 'mason')]
    """
    return (tuple(chain(*rows)) for rows in product(*map(rows_of, items)))


def cast(items: Sequence[str], seed: str) -> tuple[Row, tuple[Drawn, ...]]:
    """Return the roles of *items* as *seed* has their rows fall, and the lots.

    The options of the first choice's lot, ``row 1``, are its rows with their numbers: ``2 cop+doctor``.
    """
    roles, lots = list[str](), list[Drawn]()
    for item in items:
        if not is_choice(item):
            roles.append(item)
            continue
        rows, place = rows_of(item), f"{ROW} {len(lots) + 1}"
        options = tuple(f"{number} {item_of([row])}" for number, row in enumerate(rows, 1))
        (won,) = draw(seed, place, options)
        lots.append(Drawn(place, options, (won,)))
        roles += rows[options.index(won)]
    return tuple(roles), tuple(lots)
