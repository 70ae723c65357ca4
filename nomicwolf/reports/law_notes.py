"""What one person is told of the law around the game: reminders, absences, deeds kept, dropped and undone."""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.nomic import law_events
from nomicwolf.nomic.events import Ruled
from nomicwolf.reports.note import Note, NoteMaker
from nomicwolf.reports.prose import Section
from nomicwolf.village.events import Entry, Event


def _plain(name: str, *fields: str) -> Callable[[Note, Entry, Event], Section]:
    """Return the maker of a section that needs nothing but *fields* of its event."""
    def section(note: Note, entry: Entry, event: Event) -> Section:
        return note.prose.section(name, **{field: getattr(event, field) for field in fields})

    return section


def _member(note: Note, entry: Entry, event: law_events.MemberReminded) -> Section:
    setup = note.view.public.setup
    titles = {f.nomic: f.title or f.law.title for f in setup.forums}
    return note.prose.section("private-member", nomic=titles[event.nomic], elsewhere=titles[event.elsewhere])


def _ruled(note: Note, entry: Entry, ruled: Ruled) -> Section:
    return note.prose.section("private-ruled", text=ruled.text, authority=ruled.authority, at=entry.at)


LAW_NOTES: dict[type, NoteMaker] = {
    Ruled: _ruled,
    law_events.MemberReminded: _member,
    law_events.AbsenceAnnounced: _plain("private-away", "since", "until"),
    law_events.AbsenceEnded: _plain("private-back"),
    law_events.QuestionAnswered: _plain("private-question", "asked", "text"),
    law_events.DeedUndone: _plain("private-undone", "says", "why"),
}
