"""The archive's files, each made when it is asked for, from what is published and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256

from nomicwolf.reports.archive.feed import feed
from nomicwolf.reports.archive.mailbox import mbox
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.sessions import Session, sessions, standings
from nomicwolf.reports.archive.showing import Shown, render
from nomicwolf.reports.archive.threads import Item, pages_of, threads
from nomicwolf.reports.views import view_of


@dataclass(frozen=True, slots=True)
class Page:
    """One file: *path* within the archive, with ``/``; *make* gives its bytes.

    *key* is a hash of all that it is made from, so that it need not be made again; '' if it always is.
    """

    path: str
    make: Callable[[], bytes]
    key: str = ""


def pages(published: Published) -> tuple[Page, ...]:
    """Return every file of the archive but the records that programs read."""
    played = sessions(published)
    letters = threads(published, played)
    shown = Shown(published, played, letters, view_of(published.about.setup, published.entries),
                  pages_of(letters))
    fared = cache(partial(standings, published))
    return (
        Page("index.html", lambda: render(shown, "contest", "", published.at, standings=fared())),
        *(page for session, key in zip(played, _keys(shown), strict=True)
          for page in _session_pages(shown, session, key)),
        *(_letter_page(shown, number, found) for number, found in letters.items()),
        Page("letters/index.html", lambda: render(shown, "letters", "../", published.at)),
        Page("statistics.csv", lambda: fared().csv.encode("utf-8", "replace")),
        Page("awards.html", lambda: render(shown, "awards", "", published.at)),
        Page("verify.html", lambda: render(shown, "verify", "", published.at)),
        Page("feed.atom", lambda: feed(shown)),
        Page("letters.mbox", lambda: mbox(published), keyed(published.about, published.sent, published.heard)),
    )


def keyed(*facts: object) -> str:
    """Return a hash of *facts*, values of ours whose text tells all of them."""
    return sha256("\0".join(map(repr, facts)).encode("utf-8", "backslashreplace")).hexdigest()


def _keys(shown: Shown) -> Iterator[str]:
    """Yield for each session a hash of all that its pages tell of: the record up to the next one, and its letters."""
    about, entries = shown.published.about, iter(shown.published.entries)
    so_far, places = sha256(repr(about).encode("utf-8", "backslashreplace")), sorted(shown.places.items())
    for session in shown.sessions:
        for entry in entries:
            so_far.update(repr(entry).encode("utf-8", "backslashreplace"))
            if entry is session.entries[-1]:
                break
        yield keyed(so_far.hexdigest(), session.awards, session.corrections, _placed(shown, session, places))


def _placed(shown: Shown, session: Session, places: list[tuple[str, int]]) -> object:
    """Return the letters of a session's votes, with the pages that they stand on."""
    cast = {c.letter for phase in session.phases for track in phase.tracks for c in track.casts if c.letter}
    anchors = {f"heard-{number}" for number in cast}
    return [shown.published.heard[n - 1] for n in sorted(cast)], [place for place in places if place[0] in anchors]


def _session_pages(shown: Shown, session: Session, key: str) -> Iterator[Page]:
    folder = session.folder
    yield Page(f"{folder}/index.html", lambda: render(shown, "session", "../", session.until, session=session), key)
    for phase in session.phases:
        if phase.voted or phase.phase == "day":
            yield Page(f"{folder}/{phase.page}", partial(
                render, shown, "day", "../", session.until, session=session, phase=phase), key)


def _letter_page(shown: Shown, number: int, found: tuple[Item, ...]) -> Page:
    return Page(f"letters/session-{number}.html", lambda: render(
        shown, "thread", "../", max(item.at for item in found), number=number, letters=found),
                keyed(shown.published.about, found, [shown.places.get(item.follows) for item in found]))
