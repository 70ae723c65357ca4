"""The letters of the forums in threads: what the contest posted and what players wrote, by session."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter, itemgetter

from nomicwolf.dataclass import dataclass
from nomicwolf.reports.archive.published import Heard, Published
from nomicwolf.reports.archive.sessions import Session

DEEPEST = 4
"""How far answers to answers are indented; beyond, the page would have no room left."""


@dataclass(frozen=True, slots=True)
class Item:
    """One letter on a page: *anchor* is its place for good (``letter-3`` was posted, ``heard-5`` came in).

    *author* is '' for the contest; *at* is UTC seconds; *follows* is the anchor of the letter that it answers, '' for
    none; *depth* how far it is indented; *session* whose page it stands on.
    """

    anchor: str
    at: int
    author: str
    subject: str
    body: str
    nomics: tuple[str, ...]
    follows: str
    session: int
    depth: int = 0

    @property
    def place(self) -> tuple[int, str, int]:
        """Where it stands among all: by time; of one second, what came in before what was posted, each as numbered."""
        kind, _, number = self.anchor.rpartition("-")
        return self.at, kind, int(number)


def threads(published: Published, played: Iterable[Session]) -> dict[int, tuple[Item, ...]]:
    """Return the letters of each session, threads in the order of their first letters, answers below what they answer.

    Session 0 are those before the first; what came between sessions is the last one's.
    """
    starts = [(0, 0), *((s.at, s.number) for s in played)]

    def during(at: int) -> int:
        return starts[bisect_right(starts, at, 1, key=itemgetter(0)) - 1][1]

    placed: dict[int, list[Item]] = {}
    for item in sorted((*_posted(published, during), *_heard(published, during)), key=attrgetter("place")):
        placed.setdefault(item.session, []).append(item)
    return {number: tuple(_ordered(items)) for number, items in sorted(placed.items())}


def _posted(published: Published, during: Callable[[int], int]) -> Iterator[Item]:
    for letter in published.sent:
        follows = f"letter-{letter.thread}" if letter.thread else ""
        yield Item(f"letter-{letter.number}", letter.at, "", letter.subject, letter.body, letter.nomics, follows,
                   during(letter.at))


def _heard(published: Published, during: Callable[[int], int]) -> Iterator[Item]:
    for letter in published.heard:
        if letter.subject or letter.body:
            at, subject = letter.at, letter.subject or "(no subject)"
            yield Item(f"heard-{letter.number}", at, letter.author, subject, letter.body, (letter.nomic,),
                       _answered(letter), during(at))


def _answered(letter: Heard) -> str:
    return f"heard-{letter.reply}" if letter.reply else f"letter-{letter.thread}" if letter.thread else ""


def _ordered(items: list[Item]) -> Iterator[Item]:
    """Yield the letters of a session, each followed by its answers; an answer to what stands elsewhere begins anew."""
    here = {item.anchor for item in items}
    below: dict[str, list[Item]] = {}
    for item in items:
        below.setdefault(item.follows if item.follows in here else "", []).append(item)
    todo = [(item, 0) for item in reversed(below.get("", []))]
    while todo:
        item, depth = todo.pop()
        yield replace(item, depth=min(depth, DEEPEST)) if depth else item
        todo += [(answer, depth + 1) for answer in reversed(below.get(item.anchor, []))]


def pages_of(letters: Mapping[int, tuple[Item, ...]]) -> dict[str, int]:
    """Return on which session's page each letter stands, by its anchor."""
    return {item.anchor: number for number, items in letters.items() for item in items}


def span(items: Iterable[Item]) -> tuple[int, int]:
    """Return the instants of the first and the last of *items*, of which there is one (UTC seconds)."""
    times = [item.at for item in items]
    return min(times), max(times)
