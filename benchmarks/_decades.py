"""A contest that has been played for decades: one session, played by letters, again and again as of another time.

Each time it has numbers, instants and letters of its own, so what is written is a record like any other: its chain is
whole, it can be folded, and `ledger verify` finds nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, is_dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any, cast

from benchmarks.reading import PLAYERS
from nomicwolf.ledger.records import Happened, HeardLetter
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from nomicwolf.letters.compose import Envelope, letter_id
from nomicwolf.letters.letter import Bucket, Letter, Outgoing, Raw
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.run.resources import ensure_founded
from nomicwolf.run.sending import envelope_of
from nomicwolf.settings.keys import Settings
from nomicwolf.village.events import Entry, Event
from tests.contest.world import START, World

DAY = 86_400
ENTRIES = frozenset({"letter", "deed", "aside", "question", "entry"})
"""What a field of an event is called that has the number of another entry."""
HOURS = 24 * 14
"""How long a session lasts at most."""


@cache
def session() -> tuple[int, tuple[Entry, ...], tuple[Outgoing, ...], int]:
    """Return how many entries came before a session of twelve, its entries, the letters it owed, and its days."""
    world = World()
    for name in PLAYERS[:12]:
        world.write(name, "I join.")
    first, owed = world.contest.last, len(world.sent)
    world.command("start", roles="seer", seed="7", limit="agora=35")
    at = 1.0
    while world.contest.running is not None and at < HOURS:
        at = a_phase(world, at)
    if world.contest.running is not None:
        raise RuntimeError("the session that decades are made of doesn't end any more")
    entries = tuple(world.contest.entries)[first:]
    return first, entries, tuple(world.sent[owed:]), (entries[-1].at - START) // DAY + 2


def a_phase(world: World, at: float) -> float:
    """Let everyone talk and vote by day, or do what e has to by night; return when it is over (hours)."""
    game = world.contest.running
    assert game is not None
    place, living = (game.phase, game.number), game.living()
    evil = [who for who in living if game.roles[who] == "werewolf"]
    good = [who for who in living if game.roles[who] == "villager"]
    target = evil[0] if game.number > 2 or not good else good[0]
    night = {"werewolf": f"I attack {good[-1] if good else living[0]}.", "seer": f"I inspect {evil[0]}."}
    for text in ("I have read what you all wrote, and I am not sure at all.", "Who else was there?", ""):
        for who in living:
            game = world.contest.running
            if game is None or (game.phase, game.number) != place:
                return at
            said = text or (f"I vote for {target}." if game.phase == "day" else night.get(game.roles[who], ""))
            if said:
                world.write(who, said, "agora" if game.phase == "day" or text else "contestmaster", at)
                at += 0.1
    world.tick(at + 24)
    return at + 24


def past(settings: Settings, size: int, until: int) -> int:
    """Write sessions behind what there is in a ledger, some *size* entries in all, the last one over by *until*.

    Return how many entries there are then. Whatever was owed was sent then.
    """
    first, entries, _, days = session()
    file, envelope = settings.ledger.url.removeprefix("sqlite:///"), envelope_of(settings, ensure_founded(settings))
    with Store.open(settings.ledger.url, settings.contest.id) as store, closing(sqlite3.connect(file)) as database:
        setup = next(iter(store.happenings())).setup
        last, count = store.last(), max(0, size - store.last()) // len(entries)
        for number in range(count):
            begins = until - (count - number) * days * DAY
            store.append(*a_session(number, last + number * len(entries) - first, begins, setup))
            _send(store, database, envelope)
    return last + count * len(entries)


def a_session(number: int, more: int, begins: int, setup: str) -> Iterator[Step]:
    """Yield what came of the letters of one session, its entries *more* places behind those that were played."""
    _, entries, owed, _ = session()
    later = begins - START
    told = [Entry(e.number + more, e.at + later, _again(e.event, number, more, later), e.cites, _caused(e.cause, more))
            for e in entries]
    starts = [0, *(place for place, entry in enumerate(told) if place and isinstance(entry.event, LetterHeard))]
    sent = [replace(letter, key=f"past/{number}/{place}", at=letter.at + later) for place, letter in enumerate(owed)]
    for start, end in zip(starts, [*starts[1:], len(told)], strict=True):
        part = told[start:end]
        heard = tuple(_letter(entry) for entry in part[:1] if isinstance(entry.event, LetterHeard))
        news, sent = [one for one in sent if one.at <= part[-1].at], [one for one in sent if one.at > part[-1].at]
        yield Step(part[0].number - 1, part, heard, news, now=part[-1].at,
                   happened=Happened("letter" if heard else "tick", "{}", setup))


def _again(event: Event, number: int, more: int, later: int) -> Event:
    found = _later(event, number, more, later)
    if isinstance(found, LetterHeard):
        digest = sha256(f"{number} {found.message_id}".encode()).hexdigest()
        found = replace(found, message_id=f"<{digest[:24]}@players.test>", digest=digest, content=digest)
    assert isinstance(found, Event)
    return found


def _later(value: Any, number: int, more: int, later: int, name: str = "") -> Any:  # noqa: ANN401 - an event's part
    """Return a part of an event as of another session: its number, numbers of other entries, instants."""
    if isinstance(value, tuple):
        return tuple(_later(item, number, more, later, name) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{
            f.name: _later(getattr(value, f.name), number, more, later, f.name) for f in fields(value) if f.init})
    if type(value) is not int or not value:
        return value
    if name == "session":
        return value + number
    return value + more if name in ENTRIES else value + later if value >= START - DAY else value


def _caused(cause: str, more: int) -> str:
    kind, _, number = cause.partition(" ")
    return f"{kind} {int(number) + more}" if number.isdecimal() else cause


def _letter(entry: Entry) -> HeardLetter:
    event = entry.event
    assert isinstance(event, LetterHeard)
    data = f"From: {event.author}\r\nMessage-ID: {event.message_id}\r\n\r\nI wrote this long ago.\r\n".encode()
    raw = Raw(f"maildir:{event.digest}", entry.number, event.arrived, data, len(data))
    made = Letter(raw.place, raw.order, raw.arrived, sha256(data).hexdigest(), event.digest, event.message_id,
                  "long ago", event.sent, (), "I wrote this long ago.")
    bucket = cast(Bucket, event.bucket)
    return HeardLetter(raw, made, bucket, event.author, "", entry.number)


def _send(store: Store, database: sqlite3.Connection, envelope: Envelope) -> None:
    """Let every letter that is owed in a ledger have been sent when it was written."""
    names = [(letter_id(owed.letter, envelope), owed.letter.at, store.contest, owed.number)
             for owed in store.outbox().in_state("queued")]
    with database:
        database.executemany("UPDATE outbox SET state = 'sent', data = CAST(letter AS BLOB), tries = 1, "
                             "message_id = ?, changed_at = ? WHERE contest = ? AND number = ?", names)


