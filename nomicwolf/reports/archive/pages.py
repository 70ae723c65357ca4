"""The archive's files, each made when it is asked for, from what is published and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from nomicwolf.nomic.events import DeedHeard
from nomicwolf.reports.archive.calendar import calendar
from nomicwolf.reports.archive.feed import NEWEST, feed
from nomicwolf.reports.archive.keys import Keys, keyed
from nomicwolf.reports.archive.mailbox import Mailbox
from nomicwolf.reports.archive.people import Person
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.searching import index
from nomicwolf.reports.archive.sessions import Session
from nomicwolf.reports.archive.showing import packaged, render
from nomicwolf.reports.archive.shown import Shown
from nomicwolf.reports.archive.state import SCHEMA_FILE, state
from nomicwolf.reports.archive.threads import Item, span

_PAGE = re.compile(r"session-\d+/(index|[a-z]+-\d+)\.html")


@dataclass(frozen=True, slots=True)
class Page:
    """One file: *path* within the archive, with ``/``; *make* gives its bytes.

    *key* is a hash of all that it is made from, so that it need not be made again. Of one that only grows, *more* gives
    what follows the bytes that were made under an earlier key, None if they are no beginning of it.
    """

    path: str
    make: Callable[[], bytes]
    key: str
    more: Callable[[str], bytes | None] | None = None


def pages(published: Published, made: Mapping[str, str] | None = None, keys: Keys | None = None) -> tuple[Page, ...]:
    """Return every file of the archive but the records that programs read.

    *made* are the keys of an earlier archive's files, by path: which pages a session has that was told there by the
    same key, is not worked out again. *keys* are those of what is published, if they are at hand.
    """
    keys = keys or Keys(published)
    shown = Shown(published)
    named = keyed([(name, person.page) for name, person in shown.people.items()])
    told, known = _session_keys(shown, keys, named), _by_folder(made or {})
    whole = keys.record
    with_letters = keyed(whole, keys.mail)
    box = Mailbox(published, shown.letters, keys)
    return (
        *_plain_pages(shown, {"index.html": with_letters, "search.html": with_letters}, whole),
        *(page for session, key in zip(shown.sessions, told, strict=True)
          for page in _session_pages(shown, session, key, known.get(session.folder, {}))),
        *(_letter_page(shown, keys, number, found, named) for number, found in shown.letters.items()),
        Page("letters/index.html", lambda: render(shown, "letters", "../", published.at), keyed(
            named, _list_key(shown, keys))),
        *(_player_page(shown, person, before, after, whole) for before, person, after in _between(shown.everyone)),
        Page("players/index.html", lambda: render(shown, "players", "../", published.at), whole),
        Page("statistics.csv", lambda: shown.standings.csv.encode("utf-8", "replace"), whole),
        Page("calendar.ics", lambda: calendar(published, shown.terms), whole),
        Page("state.json", lambda: state(shown), with_letters),
        Page(SCHEMA_FILE, packaged()[SCHEMA_FILE].encode, keys.about),
        Page("feed.atom", lambda: feed(shown), _feed_key(shown, keys)),
        Page("letters.mbox", box.all, box.key, box.after),
    )


def _plain_pages(shown: Shown, keys: Mapping[str, str], whole: str) -> Iterator[Page]:
    """Yield the pages that there is one of; those that *keys* don't name are made from the *whole* record."""
    for name in ("contest", "statistics", "awards", "verify", "search"):
        path = "index.html" if name == "contest" else f"{name}.html"
        more = {"index": partial(index, shown)} if name == "search" else {}
        yield Page(path, partial(render, shown, name, "", shown.published.at, **more), keys.get(path, whole))


def _by_folder(made: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the keys of a session's pages by the folder that they lie in, and by their names there."""
    found: dict[str, dict[str, str]] = {}
    for path, key in made.items():
        if _PAGE.fullmatch(path):
            folder, _, name = path.partition("/")
            found.setdefault(folder, {})[name] = key
    return found


def _session_keys(shown: Shown, keys: Keys, named: str) -> list[str]:
    """Return for each session a hash of all that its pages tell of: the record up to the next one, and its letters."""
    grown = keys.grown(session.first + len(session.entries) for session in shown.sessions)
    return [keyed(so_far, session.awards, session.corrections, _placed(shown, keys, session), named)
            for so_far, session in zip(grown, shown.sessions, strict=True)]


def _placed(shown: Shown, keys: Keys, session: Session) -> object:
    """Return the letters of a session's deeds, with the pages that they stand on."""
    told = sorted({e.event.letter for e in session.entries if isinstance(e.event, DeedHeard) and e.event.letter})
    return [(keys.letters[f"heard-{n}"], shown.places.get(f"heard-{n}")) for n in told]


def _list_key(shown: Shown, keys: Keys) -> str:
    """Return a hash of what the list of letters tells: how many of each session, and which of the last one."""
    spans = [(number, len(found), *span(found)) for number, found in shown.letters.items()]
    newest = shown.letters[max(shown.letters)] if shown.letters else ()
    return keyed(keys.about, shown.published.at, spans, [_line(item) for item in newest])


def _line(item: Item) -> object:
    return item.anchor, item.at, item.author, item.subject, item.nomics, item.deeds, item.phase


def _feed_key(shown: Shown, keys: Keys) -> str:
    names = [f"letter-{letter.number}" for letter in shown.published.sent[-NEWEST:]]
    told = [(keys.letters[name], shown.places.get(name)) for name in names]
    return keyed(keys.about, told, 0 if told else shown.published.at)


def _session_pages(shown: Shown, session: Session, key: str, made: Mapping[str, str]) -> Iterator[Page]:
    """Yield a session's pages; *made* are those of an earlier archive, by name."""
    folder, (last, followed) = session.folder, (keyed(key, "last"), keyed(key, "followed by another"))
    yield Page(f"{folder}/index.html", lambda: render(shown, "session", "../", session.until, session=session),
               last if session is shown.sessions[-1] else followed)
    names = [name for name, known in made.items() if known == key]
    if made.get("index.html") not in (last, followed):
        names = [phase.page for phase in session.phases if phase.paged]
    for name in names:
        yield Page(f"{folder}/{name}", partial(_day, shown, session, name), key)


def _day(shown: Shown, session: Session, name: str) -> bytes:
    phase = next(phase for phase in session.phases if phase.page == name)
    return render(shown, "day", "../", session.until, session=session, phase=phase)


def _letter_page(shown: Shown, keys: Keys, number: int, found: tuple[Item, ...], named: str) -> Page:
    told = [(keys.letters[item.anchor], shown.places.get(item.follows), item.alias, _line(item)) for item in found]
    beside = [other for other in (number - 1, number + 1) if other in shown.letters]
    return Page(f"letters/session-{number}.html", lambda: render(
        shown, "thread", "../", max(item.at for item in found), number=number, letters=found),
                keyed(keys.about, told, named, beside))


def _between(everyone: tuple[Person, ...]) -> Iterator[tuple[Person | None, Person, Person | None]]:
    """Yield each person with the one before and the one after em."""
    for before, (person, after) in zip((None, *everyone), pairwise((*everyone, None)), strict=False):
        assert person is not None
        yield before, person, after


def _player_page(shown: Shown, person: Person, before: Person | None, after: Person | None, whole: str) -> Page:
    return Page(f"players/{person.page}.html", lambda: render(
        shown, "player", "../", shown.published.at, person=person, before=before, after=after), whole)
