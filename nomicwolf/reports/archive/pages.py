"""The archive's files, each made when it is asked for, from what is published and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256

from nomicwolf.nomic.events import DeedHeard
from nomicwolf.reports.archive.feed import NEWEST, feed
from nomicwolf.reports.archive.mailbox import Mailbox
from nomicwolf.reports.archive.published import Published
from nomicwolf.reports.archive.sessions import Session, sessions, standings
from nomicwolf.reports.archive.showing import Shown, render
from nomicwolf.reports.archive.threads import Item, pages_of, threads
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


def pages(published: Published, made: Mapping[str, str] | None = None) -> tuple[Page, ...]:
    """Return every file of the archive but the records that programs read.

    *made* are the keys of an earlier archive's files, by path: which pages a session has that was told there by the
    same key, is not worked out again.
    """
    played = sessions(published)
    letters = threads(published, played)
    shown = Shown(published, played, letters, partial(view_of, published.about.setup, published.entries),
                  pages_of(letters))
    fared = cache(partial(standings, published))
    keys, whole = _keys(shown)
    box = Mailbox(published, letters)
    return (
        Page("index.html", lambda: render(shown, "contest", "", published.at, standings=fared()), whole),
        *(page for session, key in zip(played, keys, strict=True)
          for page in _session_pages(shown, session, key, made or {})),
        *(_letter_page(shown, number, found) for number, found in letters.items()),
        Page("letters/index.html", lambda: render(shown, "letters", "../", published.at), keyed(
            published.about, published.at, [(n, [_line(item) for item in items]) for n, items in letters.items()])),
        Page("statistics.csv", lambda: fared().csv.encode("utf-8", "replace"), whole),
        Page("awards.html", lambda: render(shown, "awards", "", published.at), whole),
        Page("verify.html", lambda: render(shown, "verify", "", published.at), whole),
        Page("feed.atom", lambda: feed(shown), _feed_key(shown)),
        Page("letters.mbox", box.all, box.key, box.after),
    )


def keyed(*facts: object) -> str:
    """Return a hash of *facts*, values of ours whose text tells all of them."""
    return sha256("\0".join(map(repr, facts)).encode("utf-8", "backslashreplace")).hexdigest()


def _keys(shown: Shown) -> tuple[list[str], str]:
    """Return for each session a hash of all that its pages tell of, and one of the whole record.

    A session's is of the record up to the next one, and of its letters.
    """
    about, entries, keys = shown.published.about, iter(shown.published.entries), []
    so_far = sha256(repr(about).encode("utf-8", "backslashreplace"))
    for session in shown.sessions:
        for entry in entries:
            so_far.update(repr(entry).encode("utf-8", "backslashreplace"))
            if entry is session.entries[-1]:
                break
        keys.append(keyed(so_far.hexdigest(), session.awards, session.corrections, _placed(shown, session)))
    return keys, keyed(so_far.hexdigest(), list(entries))


def _placed(shown: Shown, session: Session) -> object:
    """Return the letters of a session's deeds, with the pages that they stand on."""
    told = sorted({e.event.letter for e in session.entries if isinstance(e.event, DeedHeard) and e.event.letter})
    return [(shown.published.heard[n - 1], shown.places.get(f"heard-{n}")) for n in told]


def _line(item: Item) -> tuple[str, int, str, str, int]:
    return item.anchor, item.at, item.author, item.subject, item.depth


def _feed_key(shown: Shown) -> str:
    sent = shown.published.sent[-NEWEST:]
    places = [shown.places.get(f"letter-{letter.number}") for letter in sent]
    return keyed(shown.published.about, sent, places, 0 if sent else shown.published.at)


def _session_pages(shown: Shown, session: Session, key: str, made: Mapping[str, str]) -> Iterator[Page]:
    folder = session.folder
    yield Page(f"{folder}/index.html", lambda: render(shown, "session", "../", session.until, session=session), key)
    names = [path.removeprefix(f"{folder}/") for path, known in made.items()
             if path.startswith(f"{folder}/") and known == key and _PAGE.fullmatch(path)]
    if "index.html" not in names:
        names = [phase.page for phase in session.phases if phase.voted or phase.phase == "day"]
    for name in names:
        if name != "index.html":
            yield Page(f"{folder}/{name}", partial(_day, shown, session, name), key)


def _day(shown: Shown, session: Session, name: str) -> bytes:
    phase = next(phase for phase in session.phases if phase.page == name)
    return render(shown, "day", "../", session.until, session=session, phase=phase)


def _letter_page(shown: Shown, number: int, found: tuple[Item, ...]) -> Page:
    return Page(f"letters/session-{number}.html", lambda: render(
        shown, "thread", "../", max(item.at for item in found), number=number, letters=found),
                keyed(shown.published.about, found, [shown.places.get(item.follows) for item in found]))
