"""The forums' letters, by session and as mbox."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from operator import attrgetter, itemgetter

from nomicwolf.nomic.events import DeedHeard, SessionStarted
from nomicwolf.reports.archive.published import Heard, Published
from nomicwolf.reports.archive.sessions import Session
from nomicwolf.reports.archive.vote_picture import deed_said
from nomicwolf.reports.layout import clean
from nomicwolf.village.events import Cause, Entry, PhaseBegan, Voted
from nomicwolf.village.laws.majority import VERDICTS

_BEFORE = re.compile(r"(?:\s*(?:\[[^\]]*\]|[A-Z]{2,6}:|re:|fwd?:|aw:))+\s*", re.IGNORECASE)
"""Prefixes that lists and mail programs add to subjects."""


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that a letter did, in a few words, and the *place* of the ballot it caused.

    The place is the path of a page with an anchor; '' for a vote that does not count yet, or never, and for other
    deeds.
    """

    said: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A letter on a page: *anchor* is its permanent place (``letter-3`` was posted, ``heard-5`` was received).

    *author* is '' for the contest; *at* is UTC seconds; *follows* is the anchor of the letter that it answers, '' for
    none; *session* is the one whose page it is on; *alias* is the place that the letter itself names, '' for none.
    *deeds* are what it did, *phase* is when it was written (``day 2``; '' before the first), which includes the letter
    that ended it.
    """

    anchor: str
    at: int
    author: str
    subject: str
    body: str
    nomics: tuple[str, ...]
    follows: str
    session: int
    alias: str = ""
    deeds: tuple[Deed, ...] = ()
    phase: str = ""

    @property
    def place(self) -> tuple[int, str, int]:
        """Its sort key: by time; within a second, what was received before what was posted, each by number."""
        kind, _, number = self.anchor.rpartition("-")
        return self.at, kind, int(number)

    @property
    def about(self) -> str:
        """The subject without the prefixes of lists and mail programs."""
        return _BEFORE.sub("", self.subject, count=1) or self.subject


def threads_of(published: Published, played: Iterable[Session]) -> dict[int, tuple[Item, ...]]:
    """Return the letters of each session, oldest first.

    Session 0 has those before the first; letters between sessions belong to the earlier one.
    """
    starts = [(0, 0), *((s.at, s.number) for s in played)]
    phases = [(0, ""), *_phases(published.entries)]

    def during(at: int) -> int:
        return starts[bisect_right(starts, at, 1, key=itemgetter(0)) - 1][1]

    placed: dict[int, list[Item]] = {}
    for item in sorted((*_posted(published, during), *_heard(published, during)), key=attrgetter("place")):
        phase = phases[bisect_left(phases, item.at, 1, key=itemgetter(0)) - 1][1] if item.session else ""
        placed.setdefault(item.session, []).append(replace(item, phase=phase))
    return {number: tuple(items) for number, items in sorted(placed.items())}


def _phases(entries: Iterable[Entry]) -> Iterator[tuple[int, str]]:
    """Yield when each phase began, and its name; a session begins without one."""
    for entry in entries:
        match entry.event:
            case SessionStarted():
                yield entry.at, ""
            case PhaseBegan(phase, number):
                yield entry.at, f"{phase} {number}"


def _posted(published: Published, during: Callable[[int], int]) -> Iterator[Item]:
    taken = {""}
    for letter in published.sent:
        follows = f"letter-{letter.thread}" if letter.thread else ""
        alias = letter.anchor if letter.anchor not in taken else ""
        taken.add(alias)
        yield Item(f"letter-{letter.number}", letter.at, "", letter.subject, letter.body, letter.nomics, follows,
                   letter.session if letter.session >= 0 else during(letter.at), alias)


def _heard(published: Published, during: Callable[[int], int]) -> Iterator[Item]:
    done = letter_deeds(published)
    for letter in published.heard:
        if letter.subject or letter.body:
            yield Item(f"heard-{letter.number}", letter.at, letter.author, letter.subject or "(no subject)",
                       letter.body, (letter.nomic,), _answered(letter), during(letter.at),
                       deeds=tuple(done.get(letter.number, ())))


def _answered(letter: Heard) -> str:
    return f"heard-{letter.reply}" if letter.reply else f"letter-{letter.thread}" if letter.thread else ""


def letter_deeds(published: Published) -> dict[int, list[Deed]]:
    """Return what each heard letter did, by its number."""
    found: dict[int, list[Deed]] = {}
    cast, moved = _cast(published.entries), published.at - published.about.settling
    for entry in published.entries:
        if isinstance(entry.event, DeedHeard) and entry.event.letter:
            deed, place = entry.event, cast.get(entry.number, "")
            said = deed_text(deed.verb, deed.says)
            if (deed.ballot is not None or deed.says in VERDICTS) and not place:
                said += " (not counted yet)" if deed.instant > moved else " (not counted)"
            found.setdefault(deed.letter, []).append(Deed(said, place))
    return found


def _cast(entries: Iterable[Entry]) -> dict[int, str]:
    """Return the places of ballots by the entries of their deeds."""
    found: dict[int, str] = {}
    session = votes = 0
    phase = ""
    for entry in entries:
        match entry.event:
            case SessionStarted(session=session):
                votes = 0
            case PhaseBegan(name, number):
                phase = f"{name}-{number}"
            case Voted(sealed=False):
                votes += 1
                if came := Cause.of(entry.cause).named("deed"):
                    found[came] = f"session-{session}/{phase}.html#vote-{votes}"
    return found


VERBS = {
    "accuse": "accuses", "second": "seconds the accusation of", "nominate": "nominates", "join": "joins",
    "leave": "leaves", "object": "objects to", "support": "supports", "intend": "intends", "resolve": "resolves",
    "withdraw": "withdraws", "say": "says", "unvote": "takes eir vote back", "unaccuse": "takes back the accusation of",
}
"""Forum deeds as verbs that take an object."""


def deed_text(verb: str, says: str) -> str:
    """Return a deed in the third person; *says* is its canonical form.

    >>> deed_text("vote", "vote endorse Fay"), deed_text("accuse", "accuse Gus"), deed_text("unvote", "unvote")
    ('endorses Fay', 'accuses Gus', 'takes eir vote back')
    """
    first, _, rest = says.partition(" ")
    if first == "vote":
        return deed_said(rest)
    if says in VERDICTS:
        return deed_said(says)
    return f"{VERBS.get(verb, first)} {rest}".strip() if first == verb else says


def session_pages(letters: Mapping[int, tuple[Item, ...]]) -> dict[str, int]:
    """Return the session whose page each letter is on, by its anchor."""
    return {item.anchor: number for number, items in letters.items() for item in items}


def time_span(items: Iterable[Item]) -> tuple[int, int]:
    """Return the first and the last instant of *items*, which must not be empty (UTC seconds)."""
    times = [item.at for item in items]
    return min(times), max(times)


POLICY = SMTP.clone(linesep="\n")
HEADER_WIDTH = 78
"""Characters of a header line (RFC 5322, section 2.1.1)."""
NOWHERE = "archive.invalid"
QUOTED = re.compile(rb"^(>*From )", re.MULTILINE)


def mailbox_file(published: Published, letters: Mapping[int, Sequence[Item]]) -> bytes:
    """Return all *letters* as an mboxrd file, oldest first."""
    ids = {f"letter-{x.number}": _message_id(x.messages[0]) for x in published.sent}
    ids |= {f"heard-{x.number}": _message_id(x.message) for x in published.heard}
    items = sorted((item for found in letters.values() for item in found), key=attrgetter("place"))
    return b"".join(_mbox_message(published, item, ids) for item in items)


def _mbox_message(published: Published, item: Item, ids: dict[str, str]) -> bytes:
    sent = datetime.fromtimestamp(item.at, UTC)
    headers = {"Date": format_datetime(sent)}
    name = item.author or published.about.name
    headers["From"] = f'"{_display_name(name)}" <{"player" if item.author else "contest"}@{NOWHERE}>'
    headers["To"] = ", ".join(f'"{_display_name(published.about.title(n))}" <forum{i}@{NOWHERE}>'
                              for i, n in enumerate(item.nomics, 1))
    headers["Subject"] = clean(item.subject)
    headers["Message-ID"] = ids[item.anchor]
    if item.follows in ids:
        headers["In-Reply-To"] = headers["References"] = ids[item.follows]
    message = EmailMessage(policy=POLICY)
    message.set_content(item.body, cte="quoted-printable")
    written = "".join(_header_line(*field) for field in headers.items()).encode() + bytes(message)
    return f"From nomicwolf {sent:%a %b %d %H:%M:%S %Y}\n".encode() + QUOTED.sub(rb">\1", written) + b"\n"


def _header_line(name: str, value: str) -> str:
    """Return a header line; short lines of plain ASCII, which most are, need no encoding or folding."""
    line = f"{name}: {value}"
    plain = line.isascii() and line.isprintable() and "=?" not in line and not line.endswith(" ")
    if plain and len(line) <= HEADER_WIDTH:
        return f"{line}\n"
    return str(POLICY.fold(*POLICY.header_store_parse(name, value)))


def _display_name(name: str) -> str:
    return "".join(c for c in clean(name) if c not in '"\\<>@,;:')


def _message_id(message: str) -> str:
    return f"<{message[:32]}@{NOWHERE}>"
