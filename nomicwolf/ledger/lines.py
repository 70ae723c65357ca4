"""Sessions with a server of ledgers, kept from one contest's turn to the next where a process takes turn after turn.

To begin a session costs the server more than all that a turn asks of it. A kept one becomes each contest's tenant in
turn (``SET ROLE``), which is what a URL's ``options=-c role=…`` does for one that is begun.
"""

from __future__ import annotations

import logging
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

import psycopg
from psycopg import sql

from nomicwolf.ledger.meaning import pooled
from nomicwolf.ledger.urls import PATIENCE, as_role, libpq

if TYPE_CHECKING:
    from sqlalchemy import Engine

_SEALING = 64  # ledgers with keys of their own, each with half a megabyte of statements
logging.getLogger("psycopg").addFilter(lambda record: not str(record.msg).startswith("error ignored"))
"""It tells whoever reads cron's mail that a session which is gone couldn't be rolled back; the error itself comes."""
_LIMITS_TRANSACTIONS = 170_000  # PostgreSQL's version
_KEPT: ContextVar[Lines | None] = ContextVar("kept", default=None)


class Lines:
    """Sessions that wait for their next turn, by the URL that they were begun with; one that fails isn't kept."""

    def __init__(self) -> None:
        self._idle: dict[str, list[tuple[psycopg.Connection, str]]] = {}
        self._engines: dict[tuple[str, bool], Engine] = {}
        self._sealing: dict[tuple[Engine, str], Engine] = {}

    @contextmanager
    def one(self, url: str, *, autocommit: bool = False) -> Iterator[psycopg.Connection]:
        """Give a session for one at a time, in which nothing is open: it is the role's that *url* names, if it does.

        psycopg's errors may come. What is open in the end is committed, or rolled back after an error.
        """
        whole, role = as_role(url)
        idle = self._idle.setdefault(whole, [])
        connection, was = self._waiting(idle) or (begun(whole), "")
        try:
            if role != was:
                become(connection, role)
            connection.autocommit = autocommit
            yield connection
            connection.commit()
        except BaseException:
            connection.close()
            raise
        idle.append((connection, role))

    @staticmethod
    def _waiting(idle: list[tuple[psycopg.Connection, str]]) -> tuple[psycopg.Connection, str] | None:
        """Return a session that nobody has and that the server hasn't ended, None if there is none."""
        while idle:
            connection, role = idle.pop()
            if quiet(connection):
                return connection, role
            connection.close()
        return None

    def engine(self, url: str, *, readonly: bool, make: Callable[..., Engine]) -> Engine:
        """Return the engine for a server, whose sessions are kept likewise; *make* makes it of the same arguments."""
        known = self._engines.get((url, readonly))
        if known is None:
            known = self._engines.setdefault((url, readonly), make(url, readonly=readonly))
        return known

    def sealing(self, engine: Engine, keys: str, make: Callable[[Engine, str], Engine]) -> Engine:
        """Return what *make* makes of an engine for a ledger's *keys*; that of the eldest is forgotten."""
        known = self._sealing.get((engine, keys))
        if known is None:
            known = self._sealing[engine, keys] = make(engine, keys)
            for old in [*self._sealing][:-_SEALING]:
                self._sealing.pop(old, None)
        return known

    def close(self) -> None:
        """End the sessions that nobody has."""
        for idle in self._idle.values():
            while idle:
                idle.pop()[0].close()
        while self._engines:
            self._engines.popitem()[1].dispose()
        self._sealing.clear()

    def __del__(self) -> None:
        self.close()


@contextmanager
def keeping(lines: Lines) -> Iterator[None]:
    """Let what this thread does with servers of ledgers go over sessions that are kept in *lines*."""
    token = _KEPT.set(lines)
    try:
        yield
    finally:
        _KEPT.reset(token)


def kept() -> Lines | None:
    """Return where sessions are kept, None where each is ended after its use."""
    return _KEPT.get()


@contextmanager
def session(url: str, *, autocommit: bool = False) -> Iterator[psycopg.Connection]:
    """Give a session with a server, one that was kept or a new one; psycopg's errors may come."""
    lines = kept()
    if lines is not None:
        with lines.one(url, autocommit=autocommit) as connection:
            yield connection
        return
    with begun(url) as connection:
        connection.autocommit = autocommit
        yield connection


def begun(url: str) -> psycopg.Connection:
    """Begin a session; `LedgerError` if a pooler keeps from the server what it is to know of it."""
    connection = psycopg.connect(libpq(url), **PATIENCE)  # type: ignore[arg-type]
    try:
        demand_told(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def demand_told(connection: psycopg.Connection) -> None:
    """Raise `LedgerError` if the server doesn't have what a new session of ours begins with.

    A pooler that drops it would also give the session to others between two transactions, with its role and its locks.
    A server that may limit transactions is told not to: one that is older would refuse it among the options.
    """
    endless = b"SET transaction_timeout = 0; " if connection.info.server_version >= _LIMITS_TRANSACTIONS else b""
    found = connection.pgconn.exec_(endless + b"SELECT current_setting('nomicwolf.session', true)")  # in no transaction
    if found.ntuples and found.get_value(0, 0) != b"on":
        raise pooled("the server wasn't told what our sessions begin with")


def become(connection: psycopg.Connection, role: str) -> None:
    """Let a session be a role's from now on, '' for the one that began it; it must be in no transaction."""
    name = sql.Identifier(role) if role else sql.SQL("NONE")
    with connection.pipeline():
        connection.execute(sql.SQL("SET ROLE {}").format(name), prepare=False)
        connection.commit()


def quiet(connection: psycopg.Connection) -> bool:
    """Tell, without asking it, that a server hasn't ended a session in which nothing is open: it says so unasked."""
    if connection.closed:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return not poll.poll(0)
