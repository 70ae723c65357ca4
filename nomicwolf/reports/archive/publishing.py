"""What may be published, and in which form.

While a session runs that is what everyone may read; of its end nothing as long as that waits for P (D-N21). The
numbers of entries and letters would tell how many private ones lie between them, and so would a letter's place in the
mailbox; so all of these are counted anew. Once the roles of a session were revealed (D-N23), all that happened in it is
told, but not what players wrote in private. Mail addresses are never told.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from hashlib import sha256
from typing import Any

from nomicwolf.letters.letter import Outgoing
from nomicwolf.letters.pages import letter_anchor
from nomicwolf.nomic.events import DeedHeard, Erasures, LetterHeard, Revealed, SessionStarted
from nomicwolf.nomic.law_events import DeedUndone
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest, is_village
from nomicwolf.reports.archive.published import About, Heard, Nomic, Published, Sent
from nomicwolf.reports.public import is_public, waiting
from nomicwolf.village.events import Cause, Entry, Event, Undone, Voted
from nomicwolf.village.game import is_retold

ADDRESS = re.compile(r"([^\s<>()\[\]:;,\"'@]+)@((?:[\w-]+\.)+[\w-]+)")
SESSION = re.compile(r"s(\d+)/")
"""How the key of a letter begins that was written in a session."""
HIDDEN = r"\1@…"
LONGEST = 20_000
"""How many characters of a player's letter are published; whoever wrote more has a forum to show it."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A public letter that was sent, with its Message-ID."""

    letter: Outgoing
    message_id: str


@dataclass(frozen=True, slots=True)
class Wrote:
    """The words of a letter that was heard; *answers* are the Message-IDs that it refers to, the nearest first."""

    subject: str
    body: str
    answers: tuple[str, ...] = ()


def publish(
    contest: Contest, posted: Sequence[Posted] = (), url: str = "", wrote: Mapping[int, Wrote] | None = None
) -> Published:
    """Return what may be published of *contest*, with the public letters that it *posted*, in order.

    *wrote* are the words of letters by the numbers of their entries; only those that came through a forum are told. Its
    entries are gone through once, in their order, and nothing else is asked that grows with them.
    """
    kept, open_to_all, heard, known = _gone_through(contest)
    numbers = {e.number: place for place, e in enumerate(kept, 1)}
    letters = {number: letter.number for number, letter in heard.items()}
    ranks = _ranks(kept)
    names = frozenset((*contest.persons, contest.setup.contestmaster))
    entries = tuple(
        Entry(numbers[e.number], e.at, hidden(_renumbered(e, numbers, letters, ranks), names), e.cites,
              _cause(e.cause, numbers, letters, known=e.number in open_to_all))
        for e in kept)
    sent, places = _sent(posted, names)
    words = wrote or {}
    came = tuple(_said(letter, words.get(number), names, known, places) for number, letter in heard.items())
    about = replace(about_of(contest.setup, url), erased=Erasures.of(contest.entries).names)
    return Published(about, entries, came, sent)


def about_of(setup: Setup, url: str = "") -> About:
    """Return what a contest is, without addresses and keys."""
    return About(
        setup.contest, setup.name, setup.ruleset, setup.contestmaster,
        tuple(Nomic(f.nomic, f.title or f.nomic, f.profile, f.own) for f in setup.forums),
        tuple(sorted(setup.switches.items())), tuple(sorted(setup.limit.items())), setup.settling, url)


def _gone_through(contest: Contest) -> tuple[list[Entry], set[int], dict[int, Heard], dict[str, int]]:
    """Return what is published: entries, the numbers of those of revealed sessions, forums' letters.

    These are told by their entries' numbers, and their own numbers by their Message-IDs.
    """
    session, found, sessions = 0, list[Entry](), array("l")
    heard: dict[int, Heard] = {}
    known: dict[str, int] = {}
    roles: dict[int, bool] = {}
    for entry in contest.entries:
        match entry.event:
            case LetterHeard(channel=channel, bucket=bucket) as letter:
                if channel in contest.setup.nomics and bucket in ("deeds", "no-deed"):
                    known[letter.message_id] = len(heard) + 1
                    heard[entry.number] = _letter(len(heard) + 1, letter)
            case SessionStarted(session=number):
                session = number
            case Revealed(session=number, deal=deal):
                roles[number] = bool(deal)
        if is_public(entry.event) or is_told(entry.event):
            found.append(entry)
            sessions.append(session)
    told = {entry.number for entry, number in zip(found, sessions, strict=True) if roles.get(number)}
    untold = waiting(contest)
    kept = [e for e in found if e.number in told or (is_public(e.event) and e.number not in untold)]
    return kept, told, heard, known


def is_told(event: Event) -> bool:
    """Return whether a secret event of a session is told once its roles are; players' own words stay private."""
    return is_village(event) and is_retold(event)


def _letter(place: int, letter: LetterHeard) -> Heard:
    return Heard(place, letter.author, letter.channel, hashed(letter.message_id), letter.digest, letter.sent,
                 letter.stamped, letter.arrived)


def _said(
    letter: Heard, words: Wrote | None, names: frozenset[str], heard: Mapping[str, int], sent: Mapping[str, int]
) -> Heard:
    """Return the letter with its words; *heard* and *sent* give the numbers of letters by their Message-IDs."""
    if words is None:
        return letter
    size = len(words.body)
    body = words.body if size <= LONGEST else f"{words.body[:LONGEST]}\n[{size} characters in all]"
    earlier = {i: heard[i] for i in words.answers if heard.get(i, letter.number) < letter.number}
    answered = next((i for i in words.answers if i in earlier or i in sent), "")
    return replace(
        letter, subject=hidden(words.subject, names), body=hidden(body, names),
        reply=earlier.get(answered, 0), thread=sent.get(answered, 0))


def hashed(message_id: str) -> str:
    """Return the SHA-256 of a Message-ID as hex: who has the letter can find it, nobody can answer to it."""
    return sha256(message_id.encode()).hexdigest()


def _ranks(kept: Iterable[Entry]) -> dict[int, int]:
    """Return the place of each vote among all of them, by entry: a key without the mailbox's numbers."""
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


def _cause(cause: str, numbers: Mapping[int, int], letters: Mapping[int, int], *, known: bool) -> str:
    """Return what brought an entry about, in the numbers that are published; '' for what is not told."""
    kind, number = Cause.of(cause)
    if not number:
        return cause
    place = (letters if kind == "letter" else numbers).get(number)
    return f"{kind} {place}" if place else kind if known else ""


def hidden(value: Any, names: frozenset[str]) -> Any:  # noqa: ANN401 - any value of ours
    """Return *value* with every mail address in its texts hidden; names of persons stay as they are.

    >>> hidden("write to ash@players.example.", frozenset())
    'write to ash@….'
    """
    if isinstance(value, str):
        return value if "@" not in value or value in names else ADDRESS.sub(HIDDEN, value)
    if isinstance(value, tuple):
        return tuple(hidden(part, names) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {f.name: getattr(value, f.name) for f in fields(value)}
        changed = {name: new for name, part in parts.items() if (new := hidden(part, names)) != part}
        return replace(value, **changed) if changed else value
    return value


def _session_of(key: str) -> int:
    """Return the session in which the letter of this *key* was written, as the letter's own link says; -1: unknown."""
    found = SESSION.match(key)
    return int(found[1]) if found else -1


def _sent(posted: Sequence[Posted], names: frozenset[str]) -> tuple[tuple[Sent, ...], dict[str, int]]:
    """Return the letters that were posted, and the number of each by its Message-IDs.

    What went to several forums at once in the same words is one letter.
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
            number, hidden(subject, names), hidden(body, names), at, tuple(p.letter.forum for p in same),
            tuple(hashed(p.message_id) for p in same), thread, _session_of(same[0].letter.key),
            letter_anchor(subject, at)))
    return tuple(found), ids
