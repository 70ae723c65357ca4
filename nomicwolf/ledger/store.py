"""The ledger of one contest: what was heard, what followed and what is owed, kept together or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Engine, Executable, and_, bindparam, func
from sqlmodel import Session, col, select

from nomicwolf.ledger.chain import first_head
from nomicwolf.ledger.codec import read_entry, read_value
from nomicwolf.ledger.engine import connect, file_of, let_go_on_error, make_file, migrating, telling
from nomicwolf.ledger.errors import Conflict, Imbalance, LedgerError, NoLedger
from nomicwolf.ledger.keeping import Bundle, keep_bundle, plain
from nomicwolf.ledger.outbox import Outbox
from nomicwolf.ledger.records import Conservation, Happened, HeardLetter, KeptHappening, KeptLetter, Mark, Standing
from nomicwolf.ledger.schema import copy_file, demand_newest, migrate, revision
from nomicwolf.ledger.sealing import seal_again
from nomicwolf.ledger.shortcuts import Shortcuts
from nomicwolf.ledger.tables import (
    BUCKETS,
    STATES,
    ContestRow,
    EntryRow,
    HappeningRow,
    LetterRow,
    MarkRow,
    OriginalRow,
    OutboxRow,
    SetupRow,
    contest_tables,
)
from nomicwolf.ledger.verify import problems_of
from nomicwolf.letters.letter import Bucket, Letter, Outgoing, Raw
from nomicwolf.village.events import Entry

_BATCH = 1000
_FIRST = select(LetterRow.number).where(LetterRow.contest == bindparam("of")).order_by(col(LetterRow.number)).limit(1)
_AT_PLACE = _FIRST.where(col(LetterRow.place) == bindparam("place"))
_OF_CONTENT = _FIRST.where(col(LetterRow.content) == bindparam("content"))


class Store:
    """One contest's ledger, open; a context manager."""

    def __init__(self, engine: Engine, url: str, contest: str, keys: str = "") -> None:
        self._engine = engine
        self._reader: Engine | None = None
        self._url = url
        self._keys = keys
        self.contest = contest

    @classmethod
    def create(cls, url: str, contest: str, *, keys: str = "") -> Store:
        """Make the ledger's tables if need be, and an empty record; `Conflict` if the contest has one already."""
        path = file_of(url)
        if path is not None:
            make_file(path)
        engine = connect(url, keys=keys)
        with let_go_on_error(engine), telling():
            if not revision(engine):
                with migrating(engine) as connection:
                    migrate(connection)
            demand_newest(engine)
            with Session(engine) as session:
                if session.get(ContestRow, contest) is not None:
                    raise Conflict(f"contest {contest} has a ledger already at {path or url}; open that one")
                session.add(ContestRow(
                    contest=contest, last=0, head=first_head(contest), alarm=None, polled_at=0, received=0, owed=0))
                session.commit()
        return cls(engine, url, contest, keys)

    @classmethod
    def open(cls, url: str, contest: str, *, readonly: bool = False, keys: str = "") -> Store:
        """Open a ledger that is there; `NoLedger`, `OldLedger` or `LedgerError` say what is wrong with it."""
        engine = connect(url, readonly=readonly, keys=keys)
        with let_go_on_error(engine):
            demand_newest(engine)
            store = cls(engine, url, contest, keys)
            store.standing()
        return store

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()
        if self._reader is not None:
            self._reader.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _session(self) -> Session:
        return Session(self._engine)

    def standing(self) -> Standing:
        """Return how the contest stands: last entry, chain head, next alarm, last change (UTC seconds)."""
        with telling(), self._session() as session:
            row = session.get(ContestRow, self.contest)
        if row is None:
            raise NoLedger(f"{self._url}: no contest {self.contest} in it; look at contest.id in the settings")
        return Standing(row.last, row.head, row.alarm, row.polled_at)

    def last(self) -> int:
        """Return the number of the last entry, 0 for an empty record."""
        return self.standing().last

    def record(self, after: int = 0) -> Iterator[Entry]:
        """Return the entries in order, those behind number *after*; `Garbled` at one that can't be read."""
        return map(read_entry, self._told(col(EntryRow.data), after))

    def heads(self) -> Iterator[tuple[int, str]]:
        """Return the chain's head after each entry, with the entry's number."""
        return enumerate(self._told(col(EntryRow.head), 0), 1)

    def _told(self, column: Any, after: int) -> Iterator[str]:  # noqa: ANN401 - of a text
        number = col(EntryRow.number)
        wanted = select(column).where(col(EntryRow.contest) == self.contest).order_by(number).limit(_BATCH)
        while True:
            with telling(), self._engine.connect() as connection:
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
        ruled: Sequence[tuple[int, Bucket, str]] = (),
        happened: Happened | None = None,
    ) -> None:
        """Write down, in one transaction, letters, what followed from them, what is owed, and how far was read.

        *base* is the number of the last entry that was known when this was made; `Conflict`, with nothing
        written, if it isn't the last one any more, or a letter or an owed letter is there already. *ruled*
        takes letters that were held, by the number of their entry, to another bucket, with the reason. *happened*
        is what all this followed from, for `replay`.
        *alarm* is when the contest is to be asked again, whatever comes; *now* is UTC seconds.
        """
        bundle = Bundle(base, tuple(entries), tuple(heard), tuple(owed), mark, now, alarm, tuple(ruled), happened)
        with telling(), self._engine.begin() as connection:
            keep_bundle(connection, self.contest, bundle)

    def head_when_owed(self, number: int) -> str:
        """Return the chain's head right after letter *number* became owed, '' if that isn't known."""
        wanted = select(EntryRow.head).join(HappeningRow, and_(
            col(HappeningRow.contest) == EntryRow.contest, col(HappeningRow.last) == EntryRow.number))
        wanted = wanted.where(col(HappeningRow.contest) == self.contest, col(HappeningRow.owed) >= number)
        with telling(), self._session() as session:
            return session.exec(wanted.order_by(col(HappeningRow.number)).limit(1)).first() or ""

    def mark(self, source: str) -> Mark | None:
        """Return how far a source was read, None if it never was."""
        with telling(), self._session() as session:
            row = session.get(MarkRow, (self.contest, source))
        return (row.source, row.validity, row.last) if row else None

    def knows(self, place: str) -> bool:
        """Tell whether the letter at this place of a mailbox was heard."""
        return self._number(_AT_PLACE, place=plain(place)) is not None

    def same(self, content: str) -> int:
        """Return the number of the first letter of the very same bytes, 0 if there is none."""
        return self._number(_OF_CONTENT, content=content) or 0

    def namesakes(self, message_id: str) -> tuple[KeptLetter, ...]:
        """Return the letters that came with this Message-ID, in the order in which they were heard."""
        return self._letters(LetterRow.message_id == plain(message_id))

    def _number(self, wanted: Executable, **values: str) -> int | None:
        with telling(), self._engine.connect() as connection:
            return connection.execute(wanted, {"of": self.contest, **values}).scalar()

    def letter(self, number: int) -> KeptLetter | None:
        """Return a letter by its number, None if there is none."""
        found = self._letters(LetterRow.number == number)
        return found[0] if found else None

    def letter_of(self, entry: int) -> KeptLetter | None:
        """Return the letter that an entry tells of, None if there is none."""
        found = self._letters(LetterRow.entry == entry)
        return found[0] if entry and found else None

    def letters(self) -> Iterator[KeptLetter]:
        """Return every letter in the order in which they were heard."""
        with telling(), self._session() as session:
            count = session.exec(select(func.count()).where(col(LetterRow.contest) == self.contest)).one()
        for first in range(1, count + 1, _BATCH):
            yield from self._letters(col(LetterRow.number).between(first, first + _BATCH - 1))  # type: ignore[arg-type]

    def held(self) -> tuple[KeptLetter, ...]:
        """Return the letters that wait for a ruling, oldest first."""
        return self.in_bucket("held")

    def in_bucket(self, bucket: Bucket) -> tuple[KeptLetter, ...]:
        """Return the letters in a bucket, oldest first."""
        return self._letters(LetterRow.bucket == bucket)

    def _letters(self, clause: bool) -> tuple[KeptLetter, ...]:
        wanted = select(LetterRow, OriginalRow.data).join(OriginalRow).where(
            col(LetterRow.contest) == self.contest, clause)
        with telling(), self._session() as session:
            rows = session.exec(wanted.order_by(col(LetterRow.number))).all()
        return tuple(_kept(row, data) for row, data in rows)

    def happenings(self) -> Iterator[KeptHappening]:
        """Return what happened to the contest, in order, as far as it was written down (since schema 0003)."""
        wanted = select(HappeningRow, SetupRow.data).join(SetupRow).where(col(HappeningRow.contest) == self.contest)
        after = 0
        while True:
            more = wanted.where(col(HappeningRow.number) > after).order_by(col(HappeningRow.number)).limit(_BATCH)
            with telling(), self._session() as session:
                rows = session.exec(more).all()
            for row, setup in rows:
                kind: Any = row.kind
                yield KeptHappening(kind, row.data, setup, row.now, row.base, row.last, row.owed)
                after = row.number
            if len(rows) < _BATCH:
                return

    def shortcuts(self) -> Shortcuts:
        """Return what spares a run to read the whole record; it is read beside a writer, not behind one.

        A server's readers wait for nobody, so there no other connection is made.
        """
        if self._reader is None:
            server = file_of(self._url) is None
            self._reader = self._engine if server else connect(self._url, readonly=True, keys=self._keys)
        return Shortcuts(self._engine, self._reader, self.contest)

    def outbox(self) -> Outbox:
        """Return the letters that are owed."""
        return Outbox(self._engine, self.contest)

    def counts(self) -> Conservation:
        """Return where every letter that came, and every letter that is owed, is now."""
        with telling(), self._session() as session:
            row = session.get_one(ContestRow, self.contest)
            buckets = dict(session.exec(select(LetterRow.bucket, func.count()).where(
                col(LetterRow.contest) == self.contest).group_by(col(LetterRow.bucket))).all())
            states = dict(session.exec(select(OutboxRow.state, func.count()).where(
                col(OutboxRow.contest) == self.contest).group_by(col(OutboxRow.state))).all())
        return Conservation(
            row.received, {name: buckets[name] for name in BUCKETS if name in buckets},
            row.owed, {name: states[name] for name in STATES if name in states})

    def check(self) -> Conservation:
        """Return the counts, or raise `Imbalance`: something was lost or doubled."""
        counts = self.counts()
        if not counts.balanced:
            raise Imbalance(f"the ledger doesn't balance: {counts}; stop the cron job, run `nomicwolf ledger verify`")
        return counts

    def verify(self) -> list[str]:
        """Return what is wrong with the ledger: chain, numbers, forms, bytes, sums; nothing if all is well."""
        with telling(), self._session() as session:
            return problems_of(session, self.contest)

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

    def backup(self, target: Path) -> None:
        """Copy the ledger while it is in use, to a new file of mode 0600; of a server's, this contest alone."""
        path = file_of(self._url)
        if path is not None:
            copy_file(path, target)
            return
        from nomicwolf.ledger.copying import copy_contest

        if target.exists():
            raise LedgerError(f"{target}: is there already; move it away, or name another file")
        copy_contest(self._url, f"sqlite:///{target.absolute()}", self.contest, self._keys)


def _kept(row: LetterRow, data: bytes) -> KeptLetter:
    raw = Raw(row.place, row.mailbox_order, row.arrived, data, row.size, bool(row.truncated))
    letter: Letter = read_value(Letter, row.letter)
    bucket: Bucket = row.bucket  # type: ignore[assignment]
    return KeptLetter(row.number, raw, letter, bucket, row.author, row.why, row.heard_at, row.entry)
