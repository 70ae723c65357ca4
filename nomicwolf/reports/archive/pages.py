"""The archive's files, each made on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import pairwise
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from markupsafe import Markup

from nomicwolf import __version__
from nomicwolf.nomic.times import iso
from nomicwolf.reports.archive.charts import phases_of
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.render import ArchiveView, Term, get_template, packaged, render
from nomicwolf.reports.archive.sessions import QUIET, Person, Session
from nomicwolf.reports.archive.threads import mailbox_file
from nomicwolf.reports.archive.vote_picture import short_time
from nomicwolf.reports.history import event_line
from nomicwolf.reports.json_reports import SCHEMA, phase_name, votes_json
from nomicwolf.reports.layout import clean
from nomicwolf.village.events import PhaseBegan

ICS_WIDTH = 75
"""Octets of a line without its end (RFC 5545, section 3.1)."""
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def calendar_file(published: Published, found: Iterable[Term]) -> bytes:
    """Return *found* as events with permanent UIDs, so that calendars move one whose time changes."""
    about = published.about
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//nomicwolf//archive//EN", "METHOD:PUBLISH",
             f"X-WR-CALNAME:{_ics_text(about.name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"]
    for term in found:
        name = f"nomicwolf:{about.contest}:{term.who}:{term.clause}:{term.what}"
        lines += ["BEGIN:VEVENT", f"UID:{uuid5(NAMESPACE_URL, name)}", f"DTSTAMP:{_ics_instant(published.at)}",
                  f"DTSTART:{_ics_instant(term.at)}", f"SUMMARY:{_ics_text(_ics_summary(about.name, term))}",
                  "TRANSP:TRANSPARENT", *([f"URL:{about.url}"] if about.url else []), "END:VEVENT"]
    return "".join(f"{part}\r\n" for line in (*lines, "END:VCALENDAR") for part in _ics_lines(line)).encode()


def _ics_summary(contest: str, term: Term) -> str:
    who, clause = f"{term.who}: " if term.who else "", f" ({term.clause})" if term.clause else ""
    return f"{contest}: {who}{term.what}{clause}"


def _ics_text(text: str) -> str:
    return clean(text).translate(_ESCAPED)


def _ics_instant(at: int) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y%m%dT%H%M%SZ}"


def _ics_lines(line: str) -> Iterator[str]:
    """Yield *line* folded to the allowed number of octets, without splitting characters."""
    part = ""
    for char in line:
        if len((part + char).encode("utf-8", "replace")) > ICS_WIDTH:
            yield part
            part = " "
        part += char
    yield part


NEWEST = 50
"""The number of letters in the feed."""


def feed_file(shown: ArchiveView) -> bytes:
    """Return the feed; its identifiers depend on the letters alone, so they survive rebuilding."""
    about = shown.published.about
    newest = [*reversed(shown.published.sent)][:NEWEST]
    items = [
        {"id": permanent_name(about.contest, letter.messages[0]), "letter": letter,
         "page": shown.places[f"letter-{letter.number}"]}
        for letter in newest
    ]
    text = get_template("feed.atom").render(
        about=about, items=items, id=permanent_name(about.contest, ""),
        base=about.url.rstrip("/") + "/" if about.url else "",
        updated=max((letter.at for letter in newest), default=shown.published.at))
    return text.encode()


def permanent_name(contest: str, what: str) -> str:
    """Return a permanent identifier for *what* in *contest* (RFC 4122, version 5)."""
    return uuid5(NAMESPACE_URL, f"nomicwolf:{contest}:{what}").urn


SCHEMA_FILE = "state.schema.json"


def _state(shown: ArchiveView) -> dict[str, Any]:
    view, about, game = shown.view, shown.published.about, shown.contest.game
    return {
        "$schema": SCHEMA_FILE, "schema": SCHEMA, "version": __version__, "contest": about.contest, "name": about.name,
        "url": about.url, "contestmaster": about.contestmaster, "clock": _iso_or_none(shown.published.at),
        "parties": {nomic: list(people) for nomic, people in view.parties.items()},
        "session": view.session, "ruleset": view.ruleset or about.ruleset, "phase": phase_name(game),
        "stage": view.stage, "began": _iso_or_none(view.began), "deadline": _iso_or_none(view.deadline),
        "paused": _iso_or_none(view.law.paused),
        "alive": list(view.living), "dead": list(view.dead), "disclosed": dict(view.disclosed),
        "majority": view.majority if view.living else None, "roles": list(view.roles),
        "switches": dict(view.switches), "commitment": view.commitment,
        "votes": {k: v for k, v in votes_json(shown.contest, shown.published.at).items() if k != "schema"},
        "due": [{"until": iso(t.at), "what": t.what, "who": t.who, "clause": t.clause} for t in shown.terms],
        "sessions": [{"session": s.number, "ruleset": s.started.ruleset, "began": iso(s.at),
                      "over": _iso_or_none(s.over.at if s.over else 0), "outcome": s.outcome,
                      "winners": list(s.winners), "page": f"{s.folder}/index.html"} for s in shown.sessions],
        "letters": [{"at": iso(item.at), "author": item.author, "subject": item.subject,
                     "deeds": [d.said for d in item.deeds],
                     "page": f"letters/session-{item.session}.html#{item.anchor}"} for item in shown.newest],
    }


def _iso_or_none(instant: int) -> str | None:
    return iso(instant) if instant else None


Line = tuple[str, str, str, str]
"""Place, name, description, and the text that is searched."""


def search_index(shown: ArchiveView) -> Markup:
    """Return everything that can be searched, oldest first, as JSON that can be embedded in a page."""
    data = json.dumps([*_lines(shown)], ensure_ascii=False, separators=(",", ":"))
    return Markup(data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))  # noqa: S704


def _lines(shown: ArchiveView) -> Iterator[Line]:
    for person in shown.everyone:
        former = f"formerly {', '.join(person.former)}" if person.former else ""
        yield f"players/{person.page}.html", clean(person.name), "Player", clean(former)
    for session in shown.sessions:
        yield f"{session.folder}/index.html", f"Session {session.number}", session.outcome, ""
        yield from _phase_lines(session)
    for item in (item for items in shown.letters.values() for item in items):
        yield (f"letters/session-{item.session}.html#{item.anchor}",
               clean("; ".join(deed.said for deed in item.deeds) or item.about),
               f"{item.author or shown.published.about.name}, {short_time(item.at)}", item.body)


def _phase_lines(session: Session) -> Iterator[Line]:
    for first, until in phases_of(session.public):
        assert isinstance(first.event, PhaseBegan)
        name = f"{first.event.phase} {first.event.number}"
        said = [event_line(e.event, session.started.ruleset) for e in until if not isinstance(e.event, QUIET)]
        if said:
            yield (f"{session.folder}/index.html#{name.replace(' ', '-')}", f"Session {session.number}, {name}",
                   short_time(first.at), ". ".join(said))


@dataclass(frozen=True, slots=True)
class Page:
    """One file: its *path* within the archive, with ``/``; *make* returns its bytes."""

    path: str
    make: Callable[[], bytes]


def pages(published: Published) -> tuple[Page, ...]:
    """Return every file of the archive except the records for programs."""
    shown = ArchiveView(published)
    return (
        *_plain_pages(shown),
        *(page for session in shown.sessions for page in _session_pages(shown, session)),
        *(Page(f"letters/session-{number}.html", partial(
            render, shown, "thread", "../", max(item.at for item in found), number=number, letters=found))
          for number, found in shown.letters.items()),
        Page("letters/index.html", lambda: render(shown, "letters", "../", published.at)),
        *(Page(f"players/{person.page}.html", partial(
            render, shown, "player", "../", published.at, person=person, before=before, after=after))
          for before, person, after in _between(shown.everyone)),
        Page("players/index.html", lambda: render(shown, "players", "../", published.at)),
        Page("statistics.csv", lambda: shown.standings.csv.encode("utf-8", "replace")),
        Page("calendar.ics", lambda: calendar_file(published, shown.terms)),
        Page("state.json", lambda: (json.dumps(_state(shown), ensure_ascii=True, indent=1) + "\n").encode("ascii")),
        Page(SCHEMA_FILE, packaged()[SCHEMA_FILE].encode),
        Page("feed.atom", lambda: feed_file(shown)),
        Page("letters.mbox", lambda: mailbox_file(published, shown.letters)),
    )


def _plain_pages(shown: ArchiveView) -> Iterator[Page]:
    """Yield the pages of which there is only one."""
    for name in ("contest", "statistics", "awards", "verify", "search"):
        path = "index.html" if name == "contest" else f"{name}.html"
        more = {"index": partial(search_index, shown)} if name == "search" else {}
        yield Page(path, partial(render, shown, name, "", shown.published.at, **more))


def _session_pages(shown: ArchiveView, session: Session) -> Iterator[Page]:
    show = partial(render, shown, root="../", until=session.until, session=session)
    yield Page(f"{session.folder}/index.html", partial(show, "session"))
    for phase in session.phases:
        if phase.paged:
            yield Page(f"{session.folder}/{phase.page}", partial(show, "day", phase=phase))


def _between(everyone: tuple[Person, ...]) -> Iterator[tuple[Person | None, Person, Person | None]]:
    """Yield each person with their neighbours."""
    for before, (person, after) in zip((None, *everyone), pairwise((*everyone, None)), strict=False):
        assert person is not None
        yield before, person, after
