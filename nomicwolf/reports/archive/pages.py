"""The archive's files, each made when it is asked for, from what is published and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.reports.archive.feed import NEWEST, feed
from nomicwolf.reports.archive.keys import Keys, keyed
from nomicwolf.reports.archive.mailbox import Mailbox
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.sessions import Session, sessions, standings
from nomicwolf.reports.archive.showing import Shown, render
from nomicwolf.reports.archive.threads import Item, pages_of, span, threads
from nomicwolf.reports.views import view_of

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
    played = sessions(published)
    letters = threads(published, played)
    shown = Shown(published, played, letters, partial(view_of, published.about.setup, published.entries),
                  pages_of(letters))
    fared = cache(partial(standings, published))
    box = Mailbox(published, letters, keys)
    told, known = _session_keys(shown, keys), _by_folder(made or {})
    whole = keys.record
    return (
        Page("index.html", lambda: render(shown, "contest", "", published.at, standings=fared()), whole),
        *(page for session, key in zip(played, told, strict=True)
          for page in _session_pages(shown, session, key, known.get(session.folder, {}))),
        *(_letter_page(shown, keys, number, found) for number, found in letters.items()),
        Page("letters/index.html", lambda: render(shown, "letters", "../", published.at), _list_key(shown, keys)),
        Page("statistics.csv", lambda: fared().csv.encode("utf-8", "replace"), whole),
        Page("awards.html", lambda: render(shown, "awards", "", published.at), whole),
        Page("verify.html", lambda: render(shown, "verify", "", published.at), whole),
        Page("feed.atom", lambda: feed(shown), _feed_key(shown, keys)),
        Page("letters.mbox", box.all, box.key, box.after),
    )


def _by_folder(made: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the keys of a session's pages by the folder that they lie in, and by their names there."""
    found: dict[str, dict[str, str]] = {}
    for path, key in made.items():
        if _PAGE.fullmatch(path):
            folder, _, name = path.partition("/")
            found.setdefault(folder, {})[name] = key
    return found


def _session_keys(shown: Shown, keys: Keys) -> list[str]:
    """Return for each session a hash of all that its pages tell of: the record up to the next one, and its letters."""
    grown = keys.grown(session.first + len(session.entries) for session in shown.sessions)
    return [keyed(so_far, session.awards, session.corrections, _placed(shown, keys, session))
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


def _line(item: Item) -> tuple[str, int, str, str, int]:
    return item.anchor, item.at, item.author, item.subject, item.depth


def _feed_key(shown: Shown, keys: Keys) -> str:
    names = [f"letter-{letter.number}" for letter in shown.published.sent[-NEWEST:]]
    told = [(keys.letters[name], shown.places.get(name)) for name in names]
    return keyed(keys.about, told, 0 if told else shown.published.at)


def _session_pages(shown: Shown, session: Session, key: str, made: Mapping[str, str]) -> Iterator[Page]:
    """Yield a session's pages; *made* are those of an earlier archive, by name."""
    folder = session.folder
    yield Page(f"{folder}/index.html", lambda: render(shown, "session", "../", session.until, session=session), key)
    names = [name for name, known in made.items() if known == key]
    if "index.html" not in names:
        names = [phase.page for phase in session.phases if phase.voted or phase.phase == "day"]
    for name in names:
        if name != "index.html":
            yield Page(f"{folder}/{name}", partial(_day, shown, session, name), key)


def _day(shown: Shown, session: Session, name: str) -> bytes:
    phase = next(phase for phase in session.phases if phase.page == name)
    return render(shown, "day", "../", session.until, session=session, phase=phase)


def _letter_page(shown: Shown, keys: Keys, number: int, found: tuple[Item, ...]) -> Page:
    return Page(f"letters/session-{number}.html", lambda: render(
        shown, "thread", "../", max(item.at for item in found), number=number, letters=found),
                keyed(keys.about, [(keys.letters[item.anchor], item.depth, shown.places.get(item.follows))
                                   for item in found]))
