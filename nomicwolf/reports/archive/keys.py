"""From what pages are made, as hashes: of each letter once, of the record as it grew, and of whatever a page tells."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from functools import cache, cached_property
from hashlib import sha256
from itertools import islice
from operator import attrgetter
from typing import Any

from nomicwolf.reports.archive.published import Published
from nomicwolf.village.events import Entry


def keyed(*facts: object) -> str:
    """Return a hash of *facts*, values of ours whose text tells all of them."""
    return _hashed("\0".join(map(repr, facts)))


class Keys:
    """The hashes of what is *published*: *about* the contest, each letter by its anchor, and the record."""

    def __init__(self, published: Published) -> None:
        self._published = published
        self.about = keyed(published.about)
        self.letters = {f"letter-{letter.number}": _hashed(told(letter)) for letter in published.sent}
        self.letters |= {f"heard-{letter.number}": _hashed(told(letter)) for letter in published.heard}

        self._record = ""

    @cached_property
    def mail(self) -> str:
        """A hash of all letters and of what the contest is."""
        found = sha256(self.about.encode())
        for name, key in self.letters.items():
            found.update(f"{name} {key}\0".encode())
        return found.hexdigest()

    @property
    def record(self) -> str:
        """A hash of the whole record and of what the contest is."""
        if not self._record:
            deque(self.grown(()), maxlen=0)
        return self._record

    def grown(self, ends: Iterable[int]) -> Iterator[str]:
        """Yield for each of *ends*, places that grow, a hash of the record's entries before it; then know `record`."""
        so_far, place, coming = sha256(self.about.encode()), 0, map(_line, self._published.entries)
        for end in ends:
            for line in islice(coming, end - place):
                so_far.update(line)
            place = end
            yield so_far.hexdigest()
        for line in coming:
            so_far.update(line)
        self._record = so_far.hexdigest()


def _line(entry: Entry) -> bytes:
    said = f"{entry.number} {entry.at} {entry.cites!r} {entry.cause!r} {told(entry.event)}\0"
    return said.encode("utf-8", "backslashreplace")


def told(value: object) -> str:
    """Return the text of *value*, one of our classes': its name and all its fields, as `repr` tells them, but sooner.

    >>> told(Entry(1, 60, None, ("NC 1c",)))
    "Entry(1, 60, None, ('NC 1c',), '')"
    """
    kind: Any = type(value)
    return f"{kind.__name__}{_fields(kind)(value)!r}"


@cache
def _fields(kind: Any) -> Callable[[object], object]:  # noqa: ANN401 - a class
    """What takes all fields of a value of *kind*, as a tuple (of one field, that field)."""
    names = [field.name for field in fields(kind)]
    return attrgetter(*names) if names else lambda value: ()


def _hashed(text: str) -> str:
    return sha256(text.encode("utf-8", "backslashreplace")).hexdigest()

