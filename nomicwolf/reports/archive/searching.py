"""What can be searched for, as data within the page that searches: letters, phases and people, each with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator

from markupsafe import Markup

from nomicwolf.reports.archive.drawing import phases
from nomicwolf.reports.archive.sessions import QUIET, Session
from nomicwolf.reports.archive.shown import Shown
from nomicwolf.reports.archive.threads import Item
from nomicwolf.reports.archive.wording import clock
from nomicwolf.reports.history import event_line
from nomicwolf.reports.layout import clean
from nomicwolf.village.events import PhaseBegan

Line = tuple[str, str, str, str]
"""Where it is, what it is called, what is said of it, and the text that is searched."""


def index(shown: Shown) -> Markup:
    """Return all that can be found, as JSON that can stand within an element of a page; oldest first."""
    data = json.dumps([*_people(shown), *_sessions(shown), *_letters(shown)], ensure_ascii=False, separators=(",", ":"))
    return Markup(data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))  # noqa: S704


def _people(shown: Shown) -> Iterator[Line]:
    for person in shown.everyone:
        former = f"formerly {', '.join(person.former)}" if person.former else ""
        yield f"players/{person.page}.html", clean(person.name), "Player", clean(former)


def _sessions(shown: Shown) -> Iterator[Line]:
    for session in shown.sessions:
        yield f"{session.folder}/index.html", f"Session {session.number}", session.outcome, ""
        yield from _phases(session)


def _phases(session: Session) -> Iterator[Line]:
    for first, until in phases(session.public):
        assert isinstance(first.event, PhaseBegan)
        name = f"{first.event.phase} {first.event.number}"
        said = [event_line(e.event) for e in until if not isinstance(e.event, QUIET)]
        if said:
            yield (f"{session.folder}/index.html#{name.replace(' ', '-')}", f"Session {session.number}, {name}",
                   clock(first.at), ". ".join(said))


def _letters(shown: Shown) -> Iterator[Line]:
    for item in (item for items in shown.letters.values() for item in items):
        yield (f"letters/session-{item.session}.html#{item.anchor}", _title(item),
               f"{item.author or shown.published.about.name}, {clock(item.at)}", item.body)


def _title(item: Item) -> str:
    return clean("; ".join(deed.said for deed in item.deeds) or item.about)
