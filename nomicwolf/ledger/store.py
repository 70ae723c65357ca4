"""The ledger of one contest, and copies."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from sqlalchemy import ColumnElement, Connection, Engine, Executable, Row, Select, Table, insert, select

from nomicwolf.ledger.database import (
    BATCH,
    autocommitting,
    connect,
    copy_file,
    demand_newest,
    dispose,
    disposing_on_error,
    file_of,
    prepare,
    translating,
    walk,
)
from nomicwolf.ledger.encryption import reseal
from nomicwolf.ledger.errors import Conflict, Imbalance, LedgerError, NoLedger
from nomicwolf.ledger.records import (
    Conservation,
    Mark,
    StoredHappening,
    StoredLetter,
    Tip,
    first_head,
    read_entry,
    read_value,
)
from nomicwolf.ledger.tables import (
    BUCKETS,
    CONTESTS,
    COUNTS,
    ENDED,
    ENDS,
    ENTRIES,
    HAPPENED,
    HAPPENINGS,
    HEAD,
    HEAD_WHEN_OWED,
    HEADS,
    HEARD_SINCE,
    KEPT_LETTERS,
    KNOWN_PLACES,
    LETTERS,
    MARK,
    METADATA,
    NAMESAKES,
    RECORD,
    STANDING,
    STATES,
    contest_tables,
)
from nomicwolf.ledger.transaction import Outbox, Step, storable, write_steps
from nomicwolf.ledger.verify import ERASURE_SOURCE, demand_whole, problems_of, sweep_files
from nomicwolf.ledger.verify import rewrite as rewrite_rows
from nomicwolf.letters.letter import Bucket, Letter, Raw
from nomicwolf.village.events import Entry

if TYPE_CHECKING:
    from nomicwolf.ledger.verify import Change, Rewritten

UNHEARD: Final = ("defect/", "export/")
"""Prefixes of the keys of letters that no happening causes."""


class Store:
    """One contest's open ledger; a context manager.

    *opened* is its tip when it was opened. *alarm* is the instant at which the contest must be asked again (UTC
    seconds), as of the last append through this store. *note_last* is called with the last entry's number after each
    append.
    """

    def __init__(self, engine: Engine, url: str, contest: str, keys: str = "") -> None:
        self._engine = engine
        self._questions = autocommitting(engine)
        self._url = url
        self._keys = keys
        self.contest = contest
        self.opened = Tip(0, first_head(contest), None, 0)
        self.alarm: int | None = None
        self.note_last: Callable[[int], None] = lambda _: None

    @classmethod
    def create(cls, url: str, contest: str, *, keys: str = "") -> Store:
        """Create an empty record, and the tables if there are none; `Conflict` if the contest has a record already."""
        engine = prepare(url, keys)
        with disposing_on_error(engine), translating(), engine.begin() as connection:
            if connection.execute(STANDING, {"of": contest}).first() is not None:
                raise Conflict(f"contest {contest} has a ledger already at {file_of(url) or url}; open that one")
            connection.execute(insert(CONTESTS).values(
                contest=contest, last=0, head=first_head(contest), alarm=None, polled_at=0, received=0, owed=0))
        return cls(engine, url, contest, keys)

    @classmethod
    def open(cls, url: str, contest: str, *, readonly: bool = False, keys: str = "") -> Store:
        """Open an existing ledger, or raise `NoLedger`, `OldLedger` or `LedgerError`."""
        engine = connect(url, readonly=readonly, keys=keys)
        with disposing_on_error(engine):
            demand_newest(engine)
            store = cls(engine, url, contest, keys)
            store.opened = store.tip()
            store.alarm = store.opened.alarm
        return store

    def close(self) -> None:
        """Close the database."""
        dispose(self._engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _rows(self, wanted: Executable, **values: object) -> Sequence[Row[Any]]:
        with translating(), self._questions.connect() as connection:
            return connection.execute(wanted, {"of": self.contest, **values}).all()

    def tip(self) -> Tip:
        """Return the record's tip: last entry, chain head, next alarm, last change (UTC seconds)."""
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
        """Return the number of happenings and the number of the last entry, read in one statement."""
        (row,) = self._rows(ENDS)
        return row.happened, row.last or 0

    def record(self, after: int = 0) -> Iterator[Entry]:
        """Yield the entries after number *after* in order; `Garbled` at one that can't be read."""
        return (read_entry(row.data) for row in walk(self._questions, RECORD, ENTRIES.c.number, self.contest, after))

    def heads(self) -> Iterator[tuple[int, str]]:
        """Yield each entry's number and the chain's head after it."""
        return map(tuple, walk(self._questions, HEADS, ENTRIES.c.number, self.contest))

    def append(self, *steps: Step) -> None:
        """Write *steps* in one transaction, in order; the last one's alarm counts.

        `Conflict`, with nothing written, if another entry is the last one now than a step builds on, or if one of its
        letters is in the ledger already.
        """
        with translating(), self._engine.begin() as connection:
            write_steps(connection, self.contest, steps)
        if any(step.entries for step in steps):
            self.note_last(steps[-1].base + len(steps[-1].entries))
        self.alarm = steps[-1].alarm

    def head_when_owed(self, number: int) -> str:
        """Return the chain's head right after letter *number* became owed, '' if unknown."""
        found = self._rows(HEAD_WHEN_OWED, owed=number)
        return found[0].head if found else ""

    def mark(self, source: str) -> Mark | None:
        """Return how far a source has been read, None if it never was."""
        return next(((source, row.validity, row.last) for row in self._rows(MARK, named=source)), None)

    def known(self, places: Iterable[str]) -> set[str]:
        """Return those of *places* (of a mailbox) whose letters are in the ledger."""
        asked = {storable(place): place for place in places}
        names, found = list(asked), set[str]()
        with translating(), self._questions.connect() as connection:
            for start in range(0, len(names), BATCH):
                there = connection.execute(KNOWN_PLACES, {"of": self.contest, "places": names[start:start + BATCH]})
                found.update(asked[place] for place in there.scalars())
        return found

    def forums_of(self, message_ids: Iterable[str]) -> dict[str, list[tuple[str, ...]]]:
        """Return for each of the *message_ids* the forums of every letter that had it, in no order."""
        asked = {storable(message_id): message_id for message_id in message_ids}
        names, found = list(asked), dict[str, list[tuple[str, ...]]]()
        for start in range(0, len(names), BATCH):
            for row in self._rows(NAMESAKES, ids=names[start:start + BATCH]):
                letter: Letter = read_value(Letter, row.letter)
                found.setdefault(asked[row.message_id], []).append(letter.forums)
        return found

    def letter(self, number: int) -> StoredLetter | None:
        """Return a letter by its number, None if there is none."""
        found = self._letters(LETTERS.c.number == number)
        return found[0] if found else None

    def letter_of(self, entry: int) -> StoredLetter | None:
        """Return the letter that an entry records, None if there is none."""
        found = self._letters(LETTERS.c.entry == entry)
        return found[0] if entry and found else None

    def letters(self) -> Iterator[StoredLetter]:
        """Yield every letter in the order in which it was heard."""
        received = self._rows(STANDING)[0].received
        for first in range(1, received + 1, BATCH):
            yield from self._letters(LETTERS.c.number.between(first, first + BATCH - 1))

    def held(self) -> tuple[StoredLetter, ...]:
        """Return the held letters, oldest first."""
        return self.in_bucket("held")

    def in_bucket(self, bucket: Bucket) -> tuple[StoredLetter, ...]:
        """Return the letters in a bucket, oldest first."""
        return self._letters(LETTERS.c.bucket == bucket)

    def _letters(self, clause: ColumnElement[bool]) -> tuple[StoredLetter, ...]:
        """Return letters in order; sorted here, because ORDER BY makes SQLite scan the whole table."""
        return tuple(map(_kept, sorted(self._rows(KEPT_LETTERS.where(clause)), key=lambda row: row.number)))

    def happenings(self) -> Iterator[StoredHappening]:
        """Yield the contest's happenings in order; they are recorded since schema 0003."""
        for row in walk(self._questions, HAPPENED, HAPPENINGS.c.number, self.contest):
            yield StoredHappening(row.kind, row.data, row.setup_data, row.now, row.base, row.last, row.owed)

    def posted_until(self) -> int:
        """Return the last entry that the owed letters cover: the last of all, unless a run was interrupted.

        The letters of a run are heard first; then it ends with a tick, which posts what they caused. Earlier versions
        posted after each.
        """
        ended = next(iter(self._rows(ENDED)), None)
        (broken,) = self._rows(HEARD_SINCE, ended=ended.number if ended else 0)
        if broken.base is None:
            return self.opened.last
        owed = self.outbox().between(ended.owed if ended else 0, self._rows(STANDING)[0].owed)
        if any(not one.letter.key.startswith(UNHEARD) for one in owed):
            return self.opened.last
        return int(broken.base)

    def outbox(self) -> Outbox:
        """Return the contest's outbox."""
        return Outbox(self._engine, self._questions, self.contest)

    def counts(self) -> Conservation:
        """Count the letters received by bucket, and the letters owed by state."""
        found: dict[str, dict[str, int]] = {"received": {}, "owed": {}, "bucket": {}, "state": {}}
        for what, name, count in map(tuple, self._rows(COUNTS)):
            found[what][name] = count
        buckets, states = found["bucket"], found["state"]
        return Conservation(
            found["received"][""], {name: buckets[name] for name in BUCKETS if name in buckets},
            found["owed"][""], {name: states[name] for name in STATES if name in states})

    def check(self) -> Conservation:
        """Return the counts, or raise `Imbalance` if a letter was lost or counted twice."""
        counts = self.counts()
        if not counts.balanced:
            raise Imbalance(f"the ledger doesn't balance: {counts}; stop the cron job, run `nomicwolf ledger verify`")
        return counts

    def verify(self) -> list[str]:
        """Return the ledger's faults: chain, numbers, forms, bytes, sums."""
        with translating(), self._engine.connect() as connection:
            return problems_of(connection, self.contest)

    def rewrite(self, who: str, change: Change, now: int, prove: Callable[[Iterable[Entry]], None]) -> Rewritten:
        """Erase from the ledger what *change* removes, for a person who is *who* from then on, '' for old letters.

        See `nomicwolf.ledger.verify.rewrite`; `sweep` removes the old bytes.
        """
        done = rewrite_rows(self._engine, self.contest, who, change, now, self.tip().alarm, prove)
        self.note_last(self.last())
        return done

    def sweep(self) -> bool:
        """Remove old bytes from the file; return whether that was possible."""
        return sweep_files(self._engine, self._url)

    def end_erasure(self) -> None:
        """Remove the mark of an erasure, which would make each poll try to finish it."""
        tip = self.tip()
        self.append(Step(tip.last, mark=(ERASURE_SOURCE, 0, 0), now=tip.polled_at, alarm=tip.alarm))

    def reseal(self) -> int:
        """Encrypt every secret anew by the first key, leave no old bytes behind, and return the number of rows."""
        with translating(), self._engine.begin() as connection:
            count = reseal(connection, contest_tables(), self.contest)
        sweep_files(self._engine, self._url)
        return count


def _kept(row: Row[Any]) -> StoredLetter:
    raw = Raw(row.place, row.mailbox_order, row.arrived, row.data, row.size, bool(row.truncated))
    letter: Letter = read_value(Letter, row.letter)
    return StoredLetter(row.number, raw, letter, row.bucket, row.author, row.why, row.heard_at, row.entry)


_BATCH = 1000
"""Rows per insert."""


@dataclass(frozen=True, slots=True)
class Copied:
    """A verified copy: the number of rows of each table, the last entry, the chain's head."""

    rows: dict[str, int]
    last: int
    head: str


def copy_contest(source: str, target: str, contest: str, keys: str = "") -> Copied:
    """Copy a contest from the ledger at one URL to the one at another, and compare them row by row.

    The source is only read, in one snapshot, and the target written in one transaction. `Conflict` if the target has
    the contest, `LedgerError` if the source has faults or a row differs; either leaves the target unchanged.
    """
    with Store.open(source, contest, readonly=True, keys=keys) as store:
        demand_whole(store.verify(), "the ledger isn't whole, so it isn't copied")
    made = prepare(target, keys)
    engine = connect(source, readonly=True, keys=keys)
    try:
        with translating(), engine.begin() as old, made.begin() as new:
            if new.execute(_of(METADATA.tables["contests"], contest)).first():
                raise Conflict(f"contest {contest} has a ledger there already; nothing was copied")
            counts = {table.name: _fill(new, table, _rows(old, table, contest)) for table in contest_tables()}
            for table in contest_tables():
                with closing(_rows(old, table, contest)) as there, closing(_rows(new, table, contest)) as here:
                    _demand_equal(table, there, here)
            demand_whole(problems_of(new, contest), "the copy isn't whole, so it was taken back")
            head = new.execute(_of(METADATA.tables["contests"], contest)).one()
            return Copied(counts, head.last, head.head)
    finally:
        engine.dispose()
        made.dispose()


def backup(url: str, contest: str, target: Path, keys: str = "") -> None:
    """Back up the ledger at *url*, which may be in use, to a new file of mode 0600; of a server only *contest*.

    The file's folder is created for this user alone if need be. `LedgerError` if that fails, the ledger has no such
    contest, a server's ledger has faults, or *target* exists.
    """
    with Store.open(url, contest, readonly=True, keys=keys):
        _make_folder(target.parent)
        path = file_of(url)
        if path is not None:
            copy_file(path, target)
        elif target.exists():
            raise LedgerError(f"{target}: is there already; move it away, or name another file")
        else:
            copy_contest(url, f"sqlite:///{target.absolute()}", contest, keys)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(f"{folder}: is no folder, and can't be made one: {error.strerror}; name another, or make it "
                          "yourself") from error


def _of(table: Table, contest: str) -> Select[Any]:
    return select(table).where(table.columns["contest"] == contest).order_by(*table.primary_key)


def _rows(connection: Connection, table: Table, contest: str) -> Generator[tuple[Any, ...], None, None]:
    """Yield a contest's rows in the order of the key."""
    with connection.execute(_of(table, contest), execution_options={"yield_per": _BATCH}) as found:
        yield from (tuple(row) for row in found)


def _fill(connection: Connection, table: Table, rows: Iterator[tuple[Any, ...]]) -> int:
    """Insert rows; return their number."""
    count = 0
    while batch := [*islice(rows, _BATCH)]:
        connection.execute(insert(table), [dict(zip(table.columns.keys(), row, strict=True)) for row in batch])
        count += len(batch)
    return count


def _demand_equal(table: Table, old: Iterable[tuple[Any, ...]], new: Iterable[tuple[Any, ...]]) -> None:
    for number, (there, here) in enumerate(zip_longest(old, new), 1):
        if there != here:
            raise LedgerError(f"row {number} of {table.name} came over otherwise than it was; nothing was copied")
