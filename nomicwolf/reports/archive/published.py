"""The published form of a contest.

While a session runs that is what everyone may read; of its end nothing as long as that waits for P (D-N21). The
numbers of entries and letters would tell how many private ones lie between them, and so would a letter's place in the
mailbox; so all of these are counted anew. Once the roles of a session were revealed (D-N23), all that happened in it is
told, but not what players wrote in private. Mail addresses are never told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256
from typing import Any

from nomicwolf.letters.letter import Outgoing, letter_anchor
from nomicwolf.nomic.events import DeedHeard, Erasures, LetterHeard, Revealed, SessionStarted
from nomicwolf.nomic.law_events import DeedUndone
from nomicwolf.nomic.setup import Forum, Profile, Setup
from nomicwolf.nomic.state import Contest, is_village
from nomicwolf.reports.history import is_public, unannounced
from nomicwolf.village.events import Cause, Entry, Event, Undone, Voted
from nomicwolf.village.game import is_retold


@dataclass(frozen=True, slots=True)
class Nomic:
    """A nomic where the contest is played: its *name* in the settings, its *title*, and its law as data.

    *law* is the contest's own, in place of *profile*.
    """

    name: str
    title: str
    profile: str
    law: Profile | None = None


@dataclass(frozen=True, slots=True)
class About:
    """A contest without addresses and keys: *limit* has (nomic, points) as the settings confirm them.

    *url* is where the archive is read, '' if unknown. *erased* are the pseudonyms of persons who were removed from the
    record: anything that depends on their former names can't be replayed.
    """

    contest: str
    name: str
    ruleset: str
    contestmaster: str
    nomics: tuple[Nomic, ...]
    switches: tuple[tuple[str, str], ...] = ()
    limit: tuple[tuple[str, int], ...] = ()
    settling: int = 0
    url: str = ""
    erased: tuple[str, ...] = ()

    @property
    def setup(self) -> Setup:
        """The settings as everyone may know them."""
        forums = tuple(Forum(n.name, "", profile=n.profile, title=n.title, own=n.law) for n in self.nomics)
        return Setup(
            self.contest, self.name, self.ruleset, self.contestmaster, (), "", forums, dict(self.switches),
            self.settling, dict(self.limit))

    def title(self, nomic: str) -> str:
        """Return the name of *nomic* in prose."""
        return next((n.title for n in self.nomics if n.name == nomic and n.title), nomic)


@dataclass(frozen=True, slots=True)
class Heard:
    """A letter that came through a forum; *number* counts them from 1.

    *message* is the SHA-256 of its Message-ID, *digest* that of what it does; instants are UTC seconds (0 = unknown).
    *subject* and *body* are as the forum had them, with mail addresses hidden. *reply* is the number of the heard
    letter that it answers, *thread* that of the posted one (0: none that is published).
    """

    number: int
    author: str
    nomic: str
    message: str
    digest: str
    sent: int = 0
    stamped: int = 0
    arrived: int = 0
    subject: str = ""
    body: str = ""
    reply: int = 0
    thread: int = 0

    @property
    def at(self) -> int:
        """When the forum or the mailbox received it (UTC seconds)."""
        return self.stamped or self.arrived or self.sent


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter that the contest posted to the forums of *nomics*; *number* counts them from 1.

    *thread* is the number of the letter that it follows, 0 for none; *messages* has the SHA-256 of its Message-IDs, one
    for each forum; *at* is UTC seconds. *session* is the one whose page it is on (-1: that of its time), and *anchor*
    is the place that the letter itself names there ('': none).
    """

    number: int
    subject: str
    body: str
    at: int
    nomics: tuple[str, ...]
    messages: tuple[str, ...]
    thread: int = 0
    session: int = -1
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """All that is published; *entries* are numbered from 1 without gaps and refer to each other by these numbers.

    They are the public entries of a running session, and all entries of one whose roles were revealed.
    """

    about: About
    entries: tuple[Entry, ...]
    heard: tuple[Heard, ...] = ()
    sent: tuple[Sent, ...] = ()

    @property
    def at(self) -> int:
        """The latest instant in the record, UTC seconds; 0 if it is empty."""
        return max((e.at for e in self.entries), default=0)


MAIL_ADDRESS = re.compile(r"([^\s<>()\[\]:;,\"'@]+)@((?:[\w-]+\.)+[\w-]+)")
SESSION_KEY = re.compile(r"s(\d+)/")
"""The prefix of keys of letters that were written in a session."""
HIDDEN_ADDRESS = r"\1@…"
MAX_BODY = 20_000
"""Characters of a player's letter that are published; a longer one can be read in its forum."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A public letter that was sent, with its Message-ID."""

    letter: Outgoing
    message_id: str


@dataclass(frozen=True, slots=True)
class Wrote:
    """The text of a letter that was heard; *answers* has the Message-IDs that it refers to, the nearest first."""

    subject: str
    body: str
    answers: tuple[str, ...] = ()


def publish(
    contest: Contest, posted: Sequence[Posted] = (), url: str = "", wrote: Mapping[int, Wrote] | None = None
) -> Published:
    """Return what may be published of *contest*, with the public letters that it *posted*, in order.

    *wrote* has the texts of letters by entry number; only those of forums are published. The time is linear in the
    number of entries.
    """
    kept, open_to_all, heard, known = _gone_through(contest)
    numbers = {e.number: place for place, e in enumerate(kept, 1)}
    letters = {number: letter.number for number, letter in heard.items()}
    ranks = _ranks(kept)
    names = frozenset((*contest.persons, contest.setup.contestmaster))
    entries = tuple(
        Entry(numbers[e.number], e.at, hide_addresses(_renumbered(e, numbers, letters, ranks), names), e.cites,
              _renumbered_cause(e.cause, numbers, letters, known=e.number in open_to_all))
        for e in kept)
    sent, places = _sent_letters(posted, names)
    words = wrote or {}
    came = tuple(_with_words(letter, words.get(number), names, known, places) for number, letter in heard.items())
    about = replace(about_of(contest.setup, url), erased=Erasures.of(contest.entries).names)
    return Published(about, entries, came, sent)


def about_of(setup: Setup, url: str = "") -> About:
    """Return a contest without addresses and keys."""
    return About(
        setup.contest, setup.name, setup.ruleset, setup.contestmaster,
        tuple(Nomic(f.nomic, f.title or f.nomic.capitalize(), f.profile, f.own) for f in setup.forums),
        tuple(sorted(setup.switches.items())), tuple(sorted(setup.limit.items())), setup.settling, url)


def _gone_through(contest: Contest) -> tuple[list[Entry], set[int], dict[int, Heard], dict[str, int]]:
    """Return what is published: entries, numbers of those of revealed sessions, the forums' letters, and their numbers.

    Letters are keyed by entry number, and their own numbers by Message-ID.
    """
    session, found = 0, list[tuple[Entry, int]]()
    heard: dict[int, Heard] = {}
    known: dict[str, int] = {}
    roles: dict[int, bool] = {}
    for entry in contest.entries:
        match entry.event:
            case LetterHeard(channel=channel, bucket=bucket) as letter:
                if channel in contest.setup.nomics and bucket in ("deeds", "no-deed"):
                    known[letter.message_id] = len(heard) + 1
                    heard[entry.number] = Heard(
                        len(heard) + 1, letter.author, channel, message_hash(letter.message_id), letter.digest,
                        letter.sent, letter.stamped, letter.arrived)
            case SessionStarted(session=number):
                session = number
            case Revealed(session=number, deal=deal):
                roles[number] = bool(deal)
        if is_public(entry.event) or is_told_later(entry.event):
            found.append((entry, session))
    told = {entry.number for entry, number in found if roles.get(number)}
    untold = unannounced(contest)
    kept = [e for e, _ in found if e.number in told or (is_public(e.event) and e.number not in untold)]
    return kept, told, heard, known


def is_told_later(event: Event) -> bool:
    """Return whether a secret event is published once roles are revealed; players' own words stay private."""
    return is_village(event) and is_retold(event)


def _with_words(
    letter: Heard, words: Wrote | None, names: frozenset[str], heard: Mapping[str, int], sent: Mapping[str, int]
) -> Heard:
    """Return *letter* with its text; *heard* and *sent* map Message-IDs to the numbers of letters."""
    if words is None:
        return letter
    size = len(words.body)
    body = words.body if size <= MAX_BODY else f"{words.body[:MAX_BODY]}\n[{size} characters in all]"
    earlier = {i: heard[i] for i in words.answers if heard.get(i, letter.number) < letter.number}
    answered = next((i for i in words.answers if i in earlier or i in sent), "")
    return replace(
        letter, subject=hide_addresses(words.subject, names), body=hide_addresses(body, names),
        reply=earlier.get(answered, 0), thread=sent.get(answered, 0))


def message_hash(message_id: str) -> str:
    """Return the SHA-256 of a Message-ID as hex, by which its owner can find the letter, but nobody can answer it."""
    return sha256(message_id.encode()).hexdigest()


def _ranks(kept: Iterable[Entry]) -> dict[int, int]:
    """Return the rank of each vote by entry number: a key that doesn't reveal places in the mailbox."""
    cast = sorted((e.at, e.event.key, e.number) for e in kept if isinstance(e.event, Voted))
    return {number: place for place, (_, _, number) in enumerate(cast, 1)}


def _renumbered(
    entry: Entry, numbers: Mapping[int, int], letters: Mapping[int, int], ranks: Mapping[int, int]
) -> Event:
    match entry.event:
        case Voted() as voted:
            return replace(voted, key=(ranks[entry.number],))
        case DeedHeard() as deed:
            return replace(deed, letter=letters.get(deed.letter, 0), key=())
        case DeedUndone() as undone:
            return replace(undone, deed=numbers.get(undone.deed, 0))
        case Undone(old):
            return Undone(tuple(numbers[number] for number in old if number in numbers))
    return entry.event


def _renumbered_cause(cause: str, numbers: Mapping[int, int], letters: Mapping[int, int], *, known: bool) -> str:
    """Return the cause of an entry in published numbers, '' if it is not published."""
    kind, number = Cause.of(cause)
    if not number:
        return cause
    place = (letters if kind == "letter" else numbers).get(number)
    return f"{kind} {place}" if place else kind if known else ""


def hide_addresses(value: Any, names: frozenset[str]) -> Any:  # noqa: ANN401 - any value of ours
    """Return *value* with every mail address in its texts hidden; persons' names stay as they are.

    >>> hide_addresses("write to ash@players.example.", frozenset())
    'write to ash@….'
    """
    if isinstance(value, str):
        return value if "@" not in value or value in names else MAIL_ADDRESS.sub(HIDDEN_ADDRESS, value)
    if isinstance(value, tuple):
        return tuple(hide_addresses(part, names) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        changed = {name: new for name, part in parts.items() if (new := hide_addresses(part, names)) != part}
        return replace(value, **changed) if changed else value
    return value


def _session_of(key: str) -> int:
    """Return the session in which the letter with this *key* was written; -1: unknown."""
    found = SESSION_KEY.match(key)
    return int(found[1]) if found else -1


def _sent_letters(posted: Sequence[Posted], names: frozenset[str]) -> tuple[tuple[Sent, ...], dict[str, int]]:
    """Return the posted letters, and their numbers by Message-ID.

    The same text posted to several forums at once is one letter.
    """
    groups: dict[tuple[str, str, int], list[Posted]] = {}
    for one in posted:
        letter = one.letter
        if letter.kind == "public":
            groups.setdefault((letter.subject, letter.body, letter.at), []).append(one)
    found: list[Sent] = []
    places: dict[str, int] = {}
    ids: dict[str, int] = {}
    for number, ((subject, body, at), same) in enumerate(groups.items(), 1):
        thread = next((places[p.letter.thread] for p in same if p.letter.thread in places), 0)
        places.update({p.letter.key: number for p in same})
        ids.update({p.message_id: number for p in same})
        found.append(Sent(
            number, hide_addresses(subject, names), hide_addresses(body, names), at,
            tuple(p.letter.forum for p in same), tuple(message_hash(p.message_id) for p in same), thread,
            _session_of(same[0].letter.key), letter_anchor(subject, at)))
    return tuple(found), ids
