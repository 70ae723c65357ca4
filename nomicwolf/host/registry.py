"""The registry of hosted contests and their files.

Which contests the host has, whose they are, when each is due, and how its last turn ended. Their files, passwords among
them, are sealed with the host's key before they go to the database, and laid out on whatever machine works on them.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import psycopg
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from psycopg import sql
from psycopg.rows import class_row

from nomicwolf.host.settings import HostSettings
from nomicwolf.ledger.database import WAIT
from nomicwolf.ledger.errors import Conflict, LedgerError, NoLedger, first_line, translated
from nomicwolf.ledger.postgres import SessionPool, begin_session, with_options
from nomicwolf.post.refusals import Locked
from nomicwolf.run.sending import MARK as RESTORED
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.load import load


def seal(key: str, data: bytes) -> bytes:
    """Return *data* so that only who has the host's key can read it, or change it unnoticed."""
    return _keys(key).encrypt(data)


def unseal(key: str, sealed: bytes) -> bytes:
    """Return what was sealed; `SettingsError` if it was with another key, or has been changed."""
    try:
        return _keys(key).decrypt(sealed)
    except InvalidToken as error:
        raise SettingsError("database.key: doesn't open the contests' files; put back the one before") from error


def demand_valid_key(key: str) -> None:
    """Raise `SettingsError` unless *key* is one; only sealed files can show whether it is the right one."""
    _keys(key)


def _keys(text: str) -> MultiFernet:
    try:
        return MultiFernet([Fernet(line) for line in text.split()])
    except ValueError as error:
        raise SettingsError("database.key: is no key; `nomicwolf host key` makes one") from error


OTHERS = "others.txt"
"""The file that names the contests which read the same mailbox, by their ids, in the order of the settings."""


def place_of(host: HostSettings, contest: str, revision: int) -> Path:
    """Return where a contest's files of one revision lie on this machine."""
    return host.worker.folder / contest / str(revision)


def lay_out(host: HostSettings, contest: str, revision: int, files: Mapping[str, bytes]) -> Path:
    """Write a contest's files for this user alone, all or none, and forget those of revisions long gone."""
    place = place_of(host, contest, revision)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = Path(tempfile.mkdtemp(dir=place.parent))
    try:
        for name, data in files.items():
            write(made / name, data)
        made.rename(place)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        if not place.is_dir():  # else a neighbour was quicker
            raise
    for old in place.parent.iterdir():
        if old.name.isdecimal() and int(old.name) < revision - 1:
            shutil.rmtree(old, ignore_errors=True)
    return place


def places(host: HostSettings) -> dict[str, list[Path]]:
    """Return where files of contests lie on this machine, of all revisions, by contest."""
    if not host.worker.folder.is_dir():
        return {}
    return {folder.name: [place for place in folder.iterdir() if place.name.isdecimal()]
            for folder in host.worker.folder.iterdir() if folder.is_dir()}


def take_away(places: Iterable[Path]) -> None:
    """Take files of contests off this machine."""
    for place in places:
        shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):  # it holds more
            place.parent.rmdir()


def write(file: Path, data: bytes) -> None:
    """Write a file for this user alone, on the disk for good: where its folder is there, it isn't looked at again."""
    _make_folder(file.parent)
    file.touch(mode=0o600)
    with file.open("wb") as written:
        written.write(data)
        written.flush()
        os.fsync(written.fileno())


def _make_folder(folder: Path) -> None:
    """Make a folder, with those above it, for this user alone."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True, mode=0o700)


def others_in(place: Path) -> list[str]:
    """Return the contests which read the same mailbox as the one that is laid out there."""
    file = place / OTHERS
    return file.read_text(encoding="utf-8").split() if file.is_file() else []


@lru_cache(maxsize=4096)
def settings_in(host: HostSettings, place: Path, role: str) -> Settings:
    """Return the settings of a contest that was laid out, with the host's ledger, opened as its tenant alone.

    A place's files never change, for each revision has its own; so they are read once.
    """
    found = load(place, {})
    return replace(found, ledger=replace(found.ledger, url=url_as(host.database.url, role)))


def url_as(url: str, role: str) -> str:
    """Return a database's URL for a session that is *role*'s.

    >>> url_as("postgresql+psycopg://host@db/wolves", "nomicwolf_t_ann")
    'postgresql+psycopg://host@db/wolves?options=-c%20role%3Dnomicwolf_t_ann'
    """
    return with_options(url, f"role={role}")


JOB = "contest:"
"""What a contest's queueing lock begins with: at most one job of it waits."""

_DUE = """
SELECT contest FROM host.contests c WHERE NOT paused AND due_at <= %s AND NOT EXISTS (
    SELECT FROM procrastinate_jobs WHERE status = 'todo' AND queueing_lock = 'contest:' || c.contest)
ORDER BY due_at, ended_at LIMIT %s"""
_DOUBTED = """INSERT INTO marks (contest, source, validity, last) VALUES (%s, %s, 0, %s)
              ON CONFLICT (contest, source) DO UPDATE SET last = excluded.last"""
_TURN = "SELECT FROM marks WHERE contest = %s AND source = 'clock' FOR UPDATE"
_NUMBERS = """
SELECT count(*) AS contests, count(*) FILTER (WHERE paused) AS paused,
    count(*) FILTER (WHERE NOT paused AND due_at <= %(now)s) AS due,
    coalesce(max(%(now)s - due_at) FILTER (WHERE NOT paused AND due_at BETWEEN 1 AND %(now)s), 0) AS late,
    count(*) FILTER (WHERE status = 1) AS needing,
    (SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo') AS waiting,
    (SELECT count(*) FROM procrastinate_jobs WHERE status = 'doing') AS doing,
    (SELECT count(*) FROM procrastinate_workers
     WHERE last_heartbeat > now() - make_interval(secs => %(stale)s)) AS workers
FROM host.contests"""


@dataclass(frozen=True, slots=True)
class Hosted:
    """A contest of the host's; times are UTC seconds, *status* and *said* are of its last turn."""

    contest: str
    tenant: str
    revision: int
    paused: bool
    due_at: int
    began_at: int
    ended_at: int
    status: int
    said: str
    worker: str


@contextmanager
def opened(host: HostSettings) -> Iterator[psycopg.Connection]:
    """Connect to the host's database; its errors say what to do."""
    try:
        with begin_session(host.database.url) as connection:
            yield connection
    except psycopg.errors.UndefinedTable as error:
        raise LedgerError("the database isn't set up for this; run `nomicwolf host setup` with it once") from error
    except psycopg.Error as error:
        found = translated(error)
        if isinstance(found, NoLedger):
            raise LedgerError(f"{first_line(error)}; `createdb` makes one, and `nomicwolf host setup` its tables"
                              ) from error
        raise found from error


@contextmanager
def turning(pool: SessionPool, host: HostSettings) -> Iterator[psycopg.Connection]:
    """Yield one of the host's pooled sessions in autocommit; errors say what to do.

    It waits for no disk: if the database's machine dies, contests whose last turns it forgets are polled again.
    """
    try:
        with pool.session(without_sync(host.database.url), autocommit=True) as connection:
            yield connection
    except psycopg.Error as error:
        raise translated(error) from error


def without_sync(url: str) -> str:
    """Return a URL for sessions whose commits wait for no disk; nothing of a ledger goes through them."""
    return with_options(url, "synchronous_commit=off")


def enter(
    connection: psycopg.Connection, host: HostSettings, contest: str, role: str, files: Mapping[str, bytes]
) -> None:
    """Enter a contest with its files, due at once; `Conflict` if another tenant has one of that name, or had it.

    A contest that is there gets the new files, and workers lay them out anew at its next turn. One that was removed
    meanwhile begins with a revision that it never had, for its old files may still lie on workers' machines.
    """
    former = connection.execute("SELECT tenant FROM host.former WHERE contest = %s", (contest,)).fetchone()
    if former is not None and former[0] != role:
        raise Conflict(f"contest {contest} was another tenant's, and its ledger is still here; choose another id")
    row = connection.execute(
        "INSERT INTO host.contests (contest, tenant, revision) "
        "VALUES (%s, %s, (1000 * extract(epoch FROM clock_timestamp()))::bigint) ON CONFLICT (contest) DO UPDATE "
        "SET revision = host.contests.revision + 1, due_at = 0 WHERE host.contests.tenant = excluded.tenant "
        "RETURNING contest",
        (contest, role)).fetchone()
    if row is None:
        raise Conflict(f"contest {contest} is there already, and another tenant's; choose another contest.id")
    connection.execute("DELETE FROM host.files WHERE contest = %s", (contest,))
    with connection.cursor() as cursor:
        cursor.executemany("INSERT INTO host.files VALUES (%s, %s, %s)", [
            (contest, name, seal(host.database.key, data)) for name, data in files.items()])


def files_of(
    connection: psycopg.Connection, host: HostSettings, contest: str, only: str = ""
) -> dict[str, bytes]:
    """Return a contest's files by their names, unsealed, or *only* the one of a name."""
    rows = connection.execute("SELECT name, sealed FROM host.files WHERE contest = %s AND %s IN ('', name) "
                              "ORDER BY name", (contest, only))
    return {name: unseal(host.database.key, bytes(sealed)) for name, sealed in rows}


def hosted(connection: psycopg.Connection, contest: str = "") -> list[Hosted]:
    """Return the contests in the order of their names, or one alone."""
    with connection.cursor(row_factory=class_row(Hosted)) as cursor:
        cursor.execute("SELECT contest, tenant, revision, paused, due_at, began_at, ended_at, status, said, worker "
                       "FROM host.contests WHERE %s IN ('', contest) ORDER BY contest", (contest,))
        return cursor.fetchall()


def one(connection: psycopg.Connection, contest: str) -> Hosted:
    """Return a contest; `NoLedger` if there is none of that name."""
    found = hosted(connection, contest)
    if not found:
        raise NoLedger(f"the host has no contest {contest}; `nomicwolf host list` shows those it has")
    return found[0]


def laid_out(connection: psycopg.Connection, host: HostSettings, contest: Hosted) -> tuple[Path, list[Path]]:
    """Return where a contest lies on this machine, and the others that read its mailbox; laid out if need be.

    `SettingsError` if its tenant has not all of these.
    """
    place = _place(connection, host, contest)
    return place, [_place(connection, host, _neighbour(connection, other, contest)) for other in others_in(place)]


def forget_files(connection: psycopg.Connection, host: HostSettings) -> None:
    """Take off this machine what lies here of contests that have left the host, passwords among it."""
    here = places(host)
    for contest in here.keys() & _gone(connection):
        take_away(here[contest])


def _gone(connection: psycopg.Connection) -> set[str]:
    """Return the contests that have left the host."""
    return {contest for (contest,) in connection.execute(
        "SELECT contest FROM host.former EXCEPT SELECT contest FROM host.contests")}


def _place(connection: psycopg.Connection, host: HostSettings, contest: Hosted) -> Path:
    place = place_of(host, contest.contest, contest.revision)
    if place.is_dir():
        return place
    return lay_out(host, contest.contest, contest.revision, files_of(connection, host, contest.contest))


def _neighbour(connection: psycopg.Connection, name: str, contest: Hosted) -> Hosted:
    found = hosted(connection, name)
    if not found or found[0].tenant != contest.tenant:
        raise SettingsError(f"contest {name}: the tenant has none on this host; `nomicwolf host add` takes it, or take "
                            f"it out of contest.others and `nomicwolf host add` {contest.contest} again")
    return found[0]


def naming(connection: psycopg.Connection, host: HostSettings, contest: Hosted) -> list[str]:
    """Return the contests of the same tenant's that name one among those which read their mailbox."""
    rows = connection.execute("SELECT contest, sealed FROM host.files JOIN host.contests USING (contest) "
                              "WHERE tenant = %s AND name = %s ORDER BY contest", (contest.tenant, OTHERS)).fetchall()
    found = []
    for name, sealed in rows:
        with suppress(SettingsError):  # of another key
            found += [name] * (contest.contest in unseal(host.database.key, bytes(sealed)).decode().split())
    return found


def due(connection: psycopg.Connection, now: int, most: int) -> list[str]:
    """Return the contests that are due and wait in no queue, those first that have waited longest."""
    return [contest for (contest,) in connection.execute(_DUE, (now, most))]


def hurry(connection: psycopg.Connection, contests: list[str]) -> None:
    """Make contests due at once whose worker is gone."""
    connection.execute("UPDATE host.contests SET due_at = 0 WHERE contest = ANY(%s)", (contests,))


def begin(connection: psycopg.Connection, contest: str, now: int, next_at: int, worker: str) -> None:
    """Record that a turn began; *next_at* is when the contest is due again if its end is never recorded."""
    connection.execute("UPDATE host.contests SET began_at = %s, due_at = %s, worker = %s WHERE contest = %s",
                       (now, next_at, worker, contest))


def end(connection: psycopg.Connection, contest: str, now: int, next_at: int, status: int, said: str) -> None:
    """Write down how a turn ended, and when the contest is due again; *said* is for its contestmaster."""
    connection.execute("UPDATE host.contests SET ended_at = %s, due_at = %s, status = %s, said = %s WHERE contest = %s",
                       (now, next_at, status, re.sub(r"[\x00\ud800-\udfff]", "?", said), contest))


def pause(connection: psycopg.Connection, contest: str, *, paused: bool) -> None:
    """Pause a contest, or make it due at once."""
    one(connection, contest)
    connection.execute("UPDATE host.contests SET paused = %s, due_at = 0 WHERE contest = %s", (paused, contest))
    if paused:
        cancel(connection, contest)


def cancel(connection: psycopg.Connection, contest: str) -> None:
    """Take a contest's waiting job from the queue."""
    connection.execute("SELECT procrastinate_cancel_job_v1(id, false, true) FROM procrastinate_jobs "
                       "WHERE status = 'todo' AND queueing_lock = %s", (JOB + contest,))


def leave(connection: psycopg.Connection, contest: str) -> None:
    """Take a contest and its files from the host; its ledger stays, and can come back for the same tenant alone.

    `Locked` while somebody has its turn: a letter that is just being sent couldn't be noted as sent any more.
    """
    _demand_turn(connection, one(connection, contest))
    cancel(connection, contest)
    connection.execute("INSERT INTO host.former SELECT contest, tenant FROM host.contests WHERE contest = %s "
                       "ON CONFLICT (contest) DO NOTHING", (contest,))
    connection.execute("DELETE FROM host.contests WHERE contest = %s", (contest,))


def doubt(connection: psycopg.Connection, now: int) -> list[str]:
    """Mark all contests as brought back at *now* (UTC seconds); return them. `Locked` while somebody has a turn.

    The next turn of each is wary of what may be out already (`nomicwolf.run.sending`).
    """
    found = hosted(connection)
    for contest in found:
        _demand_turn(connection, contest)
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(contest.tenant)))
        connection.execute(_DOUBTED, (contest.contest, RESTORED, now))
        connection.execute("RESET ROLE")
    connection.execute("UPDATE host.contests SET due_at = 0")
    return [contest.contest for contest in found]


def _demand_turn(connection: psycopg.Connection, contest: Hosted) -> None:
    """Have a contest's turn until the connection's transaction ends, as its tenant, who alone sees its rows."""
    try:
        connection.execute(f"SET LOCAL lock_timeout = '{WAIT}s'")
        connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(contest.tenant)))
        connection.execute(_TURN, (contest.contest,))
    except psycopg.errors.LockNotAvailable as error:
        raise Locked(f"{contest.contest}: another run has its turn; nothing was done. Try again when it is over: "
                     f"`nomicwolf host pause {contest.contest}` lets none follow it") from error
    connection.execute("RESET ROLE")


def numbers(connection: psycopg.Connection, now: int, stale: int) -> dict[str, int]:
    """Return the host's numbers: contests, those paused, due and needing someone, jobs, workers, seconds *late*."""
    with connection.cursor() as cursor:
        cursor.execute(_NUMBERS, {"now": now, "stale": stale})
        row = cursor.fetchone()
        assert row is not None
        assert cursor.description is not None
        return {column.name: int(value) for column, value in zip(cursor.description, row, strict=True)}
