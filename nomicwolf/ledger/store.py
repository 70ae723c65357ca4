"""The ledger of one contest: what was heard, what followed and what is owed, kept together or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Column, ColumnElement, Engine, Executable, Row, insert, select

from nomicwolf.ledger.chain import first_head
from nomicwolf.ledger.codec import read_entry, read_value
from nomicwolf.ledger.engine import connect, file_of, let_go, let_go_on_error, reading, telling
from nomicwolf.ledger.errors import Conflict, Imbalance, NoLedger
from nomicwolf.ledger.keeping import Bundle, keep_bundles, plain
from nomicwolf.ledger.outbox import Outbox
from nomicwolf.ledger.questions import (
    ALL_MARKS,
    COUNTS,
    ENDS,
    HEAD,
    HEAD_WHEN_OWED,
    KEPT_LETTERS,
    KNOWN_PLACES,
    NAMESAKES,
    STANDING,
)
from nomicwolf.ledger.records import Conservation, Happened, HeardLetter, KeptHappening, KeptLetter, Mark, Ruling, Tip
from nomicwolf.ledger.schema import demand_newest, prepare
from nomicwolf.ledger.sealing import seal_again
from nomicwolf.ledger.tables import (
    BUCKETS,
    CONTESTS,
    ENTRIES,
    LETTERS,
    STATES,
    contest_tables,
)
from nomicwolf.letters.letter import Bucket, Letter, Outgoing, Raw
from nomicwolf.village.events import Entry

_BATCH = 1000
"""Rows, or names, that are asked for at once."""


class Store:
    """One contest's ledger, open; a context manager.

    *opened* is how it stood when it was opened, *alarm* when the contest is to be asked again, as of then and of what
    was kept through this store since (UTC seconds); *note_last* is called with the last entry's number once it is kept.
    """

    def __init__(self, engine: Engine, url: str, contest: str, keys: str = "") -> None:
        self._engine = engine
        self._questions = reading(engine)
        self._url = url
        self._keys = keys
        self._marks: dict[str, Mark] | None = None
        self.contest = contest
        self.opened = Tip(0, first_head(contest), None, 0)
        self.alarm: int | None = None
        self.note_last: Callable[[int], None] = lambda _: None

    @classmethod
    def create(cls, url: str, contest: str, *, keys: str = "") -> Store:
        """Make the ledger's tables if need be, and an empty record; `Conflict` if the contest has one already."""
        engine = prepare(url, keys)
        with let_go_on_error(engine), telling(), engine.begin() as connection:
            if connection.execute(STANDING, {"of": contest}).first() is not None:
                raise Conflict(f"contest {contest} has a ledger already at {file_of(url) or url}; open that one")
            connection.execute(insert(CONTESTS).values(
                contest=contest, last=0, head=first_head(contest), alarm=None, polled_at=0, received=0, owed=0))
        return cls(engine, url, contest, keys)

    @classmethod
    def open(cls, url: str, contest: str, *, readonly: bool = False, keys: str = "") -> Store:
        """Open a ledger that is there; `NoLedger`, `OldLedger` or `LedgerError` say what is wrong with it."""
        engine = connect(url, readonly=readonly, keys=keys)
        with let_go_on_error(engine):
            demand_newest(engine)
            store = cls(engine, url, contest, keys)
            store.opened = store.tip()
            store.alarm = store.opened.alarm
        return store

    def close(self) -> None:
        """Let go of the database."""
        let_go(self._engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _rows(self, wanted: Executable, **values: object) -> Sequence[Row[Any]]:
        with telling(), self._questions.connect() as connection:
            return connection.execute(wanted, {"of": self.contest, **values}).all()

    def tip(self) -> Tip:
        """Return how the contest stands: last entry, chain head, next alarm, last change (UTC seconds)."""
        for row in self._rows(STANDING):
            return Tip(row.last, row.head, row.alarm, row.polled_at)
        place = file_of(self._url) or "the database"  # a server's URL may have a password in it
        raise NoLedger(f"{place}: no contest {self.contest} in it; look at contest.id in the settings")

    def last(self) -> int:
        """Return the number of the last entry, 0 for an empty record."""
        return self.tip().last

    def head_at(self, number: int) -> str:
        """Return the chain's head after entry *number*, '' if there is no such entry."""
        found = self._rows(HEAD, number=number)
        return found[0].head if found else ""

    def ends(self) -> tuple[int, int]:
        """Return the number of happenings, and the number of the last entry, both as of one instant."""
        (row,) = self._rows(ENDS)
        return row.happened, row.last or 0

    def record(self, after: int = 0) -> Iterator[Entry]:
        """Return the entries in order, those behind number *after*; `Garbled` at one that can't be read."""
        return map(read_entry, self._told(ENTRIES.c.data, after))

    def heads(self) -> Iterator[tuple[int, str]]:
        """Return the chain's head after each entry, with the entry's number."""
        return enumerate(self._told(ENTRIES.c.head, 0), 1)

    def _told(self, column: Column[str], after: int) -> Iterator[str]:
        number = ENTRIES.c.number
        wanted = select(column).where(ENTRIES.c.contest == self.contest).order_by(number).limit(_BATCH)
        while True:
            with telling(), self._questions.connect() as connection:
                rows = connection.execute(wanted.where(number > after)).scalars().all()
            yield from rows
            if len(rows) < _BATCH:
                return
            after += len(rows)

    def keep(
        self,
        base: int,
        entries: Sequence[Entry] = (),
        heard: Sequence[HeardLetter] = (),
        owed: Sequence[Outgoing] = (),
        mark: Mark | None = None,
        *,
        now: int,
        alarm: int | None = None,
        ruled: Sequence[Ruling] = (),
        happened: Happened | None = None,
    ) -> None:
        """Write down, in one transaction, letters, what followed from them, what is owed, and how far was read.

        *base* is the number of the last entry that was known when this was made; `Conflict`, with nothing
        written, if it isn't the last one any more, or a letter or an owed letter is there already. *ruled*
        takes letters that waited to another bucket. *happened* is what all this followed from, for `replay`.
        *alarm* is when the contest is to be asked again, whatever comes; *now* is UTC seconds.
        """
        bundle = Bundle(base, tuple(entries), tuple(heard), tuple(owed), mark, now, alarm, tuple(ruled), happened)
        self.keep_all((bundle,))

    def keep_all(self, bundles: Sequence[Bundle]) -> None:
        """Write down in one transaction what `keep` would in several, one after the other; of the alarms the last."""
        with telling(), self._engine.begin() as connection:
            keep_bundles(connection, self.contest, bundles)
        if any(bundle.entries for bundle in bundles):
            self.note_last(bundles[-1].base + len(bundles[-1].entries))
        for bundle in bundles:
            self.alarm = bundle.alarm
            if bundle.mark is not None and self._marks is not None:
                self._marks[bundle.mark[0]] = bundle.mark

    def head_when_owed(self, number: int) -> str:
        """Return the chain's head right after letter *number* became owed, '' if that isn't known."""
        found = self._rows(HEAD_WHEN_OWED, owed=number)
        return found[0].head if found else ""

    def mark(self, source: str) -> Mark | None:
        """Return how far a source was read, None if it never was: when it was first asked, and by what was kept since.

        Whoever asks holds the contest's turn, so nobody else reads on meanwhile.
        """
        if self._marks is None:
            self._marks = {row.source: (row.source, row.validity, row.last) for row in self._rows(ALL_MARKS)}
        return self._marks.get(source)

    def known(self, places: Iterable[str]) -> set[str]:
        """Return those of *places* (of a mailbox) whose letters were heard."""
        asked = {plain(place): place for place in places}
        names, found = list(asked), set[str]()
        with telling(), self._questions.connect() as connection:
            for start in range(0, len(names), _BATCH):
                there = connection.execute(KNOWN_PLACES, {"of": self.contest, "places": names[start:start + _BATCH]})
                found.update(asked[place] for place in there.scalars())
        return found

    def forums_of(self, message_ids: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
        """Return the forums that each letter names which came with one of the *message_ids*; in no order."""
        asked = {plain(message_id): message_id for message_id in message_ids}
        names, found = list(asked), dict[str, list[tuple[str, ...]]]()
        for start in range(0, len(names), _BATCH):
            for row in self._rows(NAMESAKES, ids=names[start:start + _BATCH]):
                letter: Letter = read_value(Letter, row.letter)
                found.setdefault(asked[row.message_id], []).append(letter.forums)
        return found

    def letter(self, number: int) -> KeptLetter | None:
        """Return a letter by its number, None if there is none."""
        found = self._letters(LETTERS.c.number == number)
        return found[0] if found else None

    def letter_of(self, entry: int) -> KeptLetter | None:
        """Return the letter that an entry tells of, None if there is none."""
        found = self._letters(LETTERS.c.entry == entry)
        return found[0] if entry and found else None

    def letters(self) -> Iterator[KeptLetter]:
        """Return every letter in the order in which they were heard."""
        received = self._rows(STANDING)[0].received
        for first in range(1, received + 1, _BATCH):
            yield from self._letters(LETTERS.c.number.between(first, first + _BATCH - 1))

    def held(self) -> tuple[KeptLetter, ...]:
        """Return the letters that wait for a ruling, oldest first."""
        return self.in_bucket("held")

    def in_bucket(self, bucket: Bucket) -> tuple[KeptLetter, ...]:
        """Return the letters in a bucket, oldest first."""
        return self._letters(LETTERS.c.bucket == bucket)

    def _letters(self, clause: ColumnElement[bool]) -> tuple[KeptLetter, ...]:
        """Return letters in order; if the database were asked for order, it would go through all of them (SQLite)."""
        return tuple(map(_kept, sorted(self._rows(KEPT_LETTERS.where(clause)), key=lambda row: row.number)))

    def happenings(self) -> Iterator[KeptHappening]:
        """Return what happened to the contest, in order, as far as it was written down (since schema 0003)."""
        from nomicwolf.ledger.history import happenings_of

        return happenings_of(self._engine, self.contest)

    def outbox(self) -> Outbox:
        """Return the letters that are owed."""
        return Outbox(self._engine, self._questions, self.contest)

    def counts(self) -> Conservation:
        """Return where every letter that came, and every letter that is owed, is now."""
        found: dict[str, dict[str, int]] = {"received": {}, "owed": {}, "bucket": {}, "state": {}}
        for what, name, count in map(tuple, self._rows(COUNTS)):
            found[what][name] = count
        buckets, states = found["bucket"], found["state"]
        return Conservation(
            found["received"][""], {name: buckets[name] for name in BUCKETS if name in buckets},
            found["owed"][""], {name: states[name] for name in STATES if name in states})

    def check(self) -> Conservation:
        """Return the counts, or raise `Imbalance`: something was lost or doubled."""
        counts = self.counts()
        if not counts.balanced:
            raise Imbalance(f"the ledger doesn't balance: {counts}; stop the cron job, run `nomicwolf ledger verify`")
        return counts

    def verify(self) -> list[str]:
        """Return what is wrong with the ledger: chain, numbers, forms, bytes, sums; nothing if all is well."""
        from nomicwolf.ledger.verify import problems_of

        with telling(), self._engine.connect() as connection:
            return problems_of(connection, self.contest)

    def seal_again(self) -> int:
        """Seal all that is secret by the first of the keys, and return how many rows had any; no old bytes are left."""
        with telling(), self._engine.begin() as connection:
            count = seal_again(connection, contest_tables(), self.contest)
        if file_of(self._url) is not None:
            with telling(), self._engine.connect() as connection:
                connection.exec_driver_sql("COMMIT")
                connection.exec_driver_sql("VACUUM")
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        return count


def _kept(row: Row[Any]) -> KeptLetter:
    raw = Raw(row.place, row.mailbox_order, row.arrived, row.data, row.size, bool(row.truncated))
    letter: Letter = read_value(Letter, row.letter)
    return KeptLetter(row.number, raw, letter, row.bucket, row.author, row.why, row.heard_at, row.entry)
