"""The archive's files, each made when it is asked for, from what is published and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from nomicwolf.reports.archive.feed import feed
from nomicwolf.reports.archive.mailbox import mbox
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.sessions import Session, sessions, standings
from nomicwolf.reports.archive.showing import Shown, render
from nomicwolf.reports.archive.threads import Item, pages_of, threads
from nomicwolf.reports.views import view_of


@dataclass(frozen=True, slots=True)
class Page:
    """One file: *path* within the archive, with ``/``; *make* gives its bytes."""

    path: str
    make: Callable[[], bytes]


def pages(published: Published) -> tuple[Page, ...]:
    """Return every file of the archive but the records that programs read."""
    played = sessions(published)
    letters = threads(published, played)
    shown = Shown(published, played, letters, view_of(published.about.setup, published.entries),
                  pages_of(letters))
    return (
        Page("index.html", lambda: render(shown, "contest", "", published.at, scores=standings(played))),
        *(page for session in played for page in _session_pages(shown, session)),
        *(_letter_page(shown, number, found) for number, found in letters.items()),
        Page("letters/index.html", lambda: render(shown, "letters", "../", published.at)),
        Page("awards.html", lambda: render(shown, "awards", "", published.at)),
        Page("verify.html", lambda: render(shown, "verify", "", published.at)),
        Page("feed.atom", lambda: feed(shown)),
        Page("letters.mbox", lambda: mbox(published)),
    )


def _session_pages(shown: Shown, session: Session) -> Iterator[Page]:
    folder = session.folder
    yield Page(f"{folder}/index.html", lambda: render(shown, "session", "../", session.until, session=session))
    for phase in session.phases:
        if phase.voted or phase.phase == "day":
            yield Page(f"{folder}/{phase.page}", partial(
                render, shown, "day", "../", session.until, session=session, phase=phase))


def _letter_page(shown: Shown, number: int, found: tuple[Item, ...]) -> Page:
    return Page(f"letters/session-{number}.html", lambda: render(
        shown, "thread", "../", max(item.at for item in found), number=number, letters=found))
