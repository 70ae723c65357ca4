"""PostgreSQL sessions, and a pool of them.

Opening a session costs the server more than the rest of a turn. A pooled one takes the role of each contest's tenant in
turn (``SET ROLE``), as ``options=-c role=…`` in a URL does for a new session.
"""

from __future__ import annotations

import logging
import re
import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING
from urllib.parse import quote

import psycopg
from psycopg import sql

from nomicwolf.ledger.errors import LedgerError, pooler_error, translated

if TYPE_CHECKING:
    from sqlalchemy import Engine


_SEALING = 64  # ledgers with keys of their own, each with half a megabyte of statements
logging.getLogger("psycopg").addFilter(lambda record: not str(record.msg).startswith("error ignored"))
"""It warns in cron's mail that a lost session couldn't be rolled back; the error itself is raised anyway."""
_LIMITS_TRANSACTIONS = 170_000  # PostgreSQL's version
_KEPT: ContextVar[SessionPool | None] = ContextVar("kept", default=None)


class SessionPool:
    """Idle sessions by URL; one that failed is closed."""

    def __init__(self) -> None:
        self._idle: dict[str, list[tuple[psycopg.Connection, str]]] = {}
        self._engines: dict[tuple[str, bool], Engine] = {}
        self._sealing: dict[tuple[Engine, str], Engine] = {}

    @contextmanager
    def session(self, url: str, *, autocommit: bool = False) -> Iterator[psycopg.Connection]:
        """Lend a session, outside any transaction and in the role that *url* names.

        Raises psycopg's errors. An open transaction is committed at the end, or rolled back after an error.
        """
        whole, role = split_role(url)
        idle = self._idle.setdefault(whole, [])
        connection, was = self._waiting(idle) or (begin_session(whole), "")
        try:
            if role != was:
                set_role(connection, role)
            connection.autocommit = autocommit
            yield connection
            connection.commit()
        except BaseException:
            connection.close()
            raise
        idle.append((connection, role))

    @staticmethod
    def _waiting(idle: list[tuple[psycopg.Connection, str]]) -> tuple[psycopg.Connection, str] | None:
        """Return an idle session that the server hasn't ended, None if there is none."""
        while idle:
            connection, role = idle.pop()
            if is_alive(connection):
                return connection, role
            connection.close()
        return None

    def engine(self, url: str, *, readonly: bool, make: Callable[..., Engine]) -> Engine:
        """Return the pooled engine for a server, made by *make* with the same arguments."""
        known = self._engines.get((url, readonly))
        if known is None:
            known = self._engines.setdefault((url, readonly), make(url, readonly=readonly))
        return known

    def sealing(self, engine: Engine, keys: str, make: Callable[[Engine, str], Engine]) -> Engine:
        """Return the engine that *make* makes for a ledger's *keys*, from a cache of the newest."""
        known = self._sealing.get((engine, keys))
        if known is None:
            known = self._sealing[engine, keys] = make(engine, keys)
            for old in [*self._sealing][:-_SEALING]:
                self._sealing.pop(old, None)
        return known

    def close(self) -> None:
        """Close the idle sessions."""
        for idle in self._idle.values():
            while idle:
                idle.pop()[0].close()
        while self._engines:
            self._engines.popitem()[1].dispose()
        self._sealing.clear()

    def __del__(self) -> None:
        self.close()


@contextmanager
def using_pool(pool: SessionPool) -> Iterator[None]:
    """Take the sessions of this context from *pool*."""
    token = _KEPT.set(pool)
    try:
        yield
    finally:
        _KEPT.reset(token)


def current_pool() -> SessionPool | None:
    """Return this context's pool, None where each session is closed after its use."""
    return _KEPT.get()


@contextmanager
def session(url: str, *, autocommit: bool = False) -> Iterator[psycopg.Connection]:
    """Lend a session from the pool, or a new one; raises psycopg's errors."""
    pool = current_pool()
    if pool is not None:
        with pool.session(url, autocommit=autocommit) as connection:
            yield connection
        return
    with begin_session(url) as connection:
        connection.autocommit = autocommit
        yield connection


def begin_session(url: str) -> psycopg.Connection:
    """Open a session; `LedgerError` if a pooler drops our options."""
    connection = psycopg.connect(libpq(url), **CLIENT_SETTINGS)  # type: ignore[arg-type]
    try:
        demand_options(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def demand_options(connection: psycopg.Connection) -> None:
    """Raise `LedgerError` if the server didn't get the options of a new session.

    A pooler that drops them would also lend the session, with its role and locks, to others between transactions.
    The transaction timeout is switched off here, because older servers would refuse it among the options.
    """
    endless = b"SET transaction_timeout = 0; " if connection.info.server_version >= _LIMITS_TRANSACTIONS else b""
    found = connection.pgconn.exec_(endless + b"SELECT current_setting('nomicwolf.session', true)")  # in no transaction
    if found.ntuples and found.get_value(0, 0) != b"on":
        raise pooler_error("the server wasn't told what our sessions begin with")


def set_role(connection: psycopg.Connection, role: str) -> None:
    """Set a session's role, '' for the one that logged in; the session must be outside a transaction."""
    name = sql.Identifier(role) if role else sql.SQL("NONE")
    with connection.pipeline():
        connection.execute(sql.SQL("SET ROLE {}").format(name), prepare=False)
        connection.commit()


def is_alive(connection: psycopg.Connection) -> bool:
    """Return whether an idle session is alive, without a query: a server that ends one says so unasked."""
    if connection.closed:
        return False
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return not poll.poll(0)


CLIENT_SETTINGS = {
    "connect_timeout": "10", "keepalives": "1", "keepalives_idle": "15", "keepalives_interval": "5",
    "keepalives_count": "3", "tcp_user_timeout": "30000",
}
"""libpq's options by which a lost server is noticed within half a minute; the URL may override them.

Keepalives serve an idle session (tcp(7)), the last one a query that is never acknowledged.
"""
SERVER_SETTINGS = (
    "tcp_keepalives_idle=15", "tcp_keepalives_interval=5", "tcp_keepalives_count=3", "tcp_user_timeout=30000",
    "idle_in_transaction_session_timeout=0", "idle_session_timeout=0", "statement_timeout=0", "nomicwolf.session=on",
)
"""The server's settings for a session, by which it soon releases the locks of a lost machine.

It never releases those of a live one: a turn is a transaction that waits for mail servers. The last setting shows
whether the server got any of them (`demand_options`).
"""
_ROLE = re.compile(r"[?&]options=-c%20role%3D(\w+)$")


def libpq(url: str) -> str:
    """Return SQLAlchemy's PostgreSQL URL in libpq's form, with the server's settings for our sessions.

    >>> libpq("postgresql+psycopg://wolf@db.example/contests")[:65]
    'postgresql://wolf@db.example/contests?options=-c%20tcp_keepalives'
    """
    kind, _, rest = url.partition("://")
    return with_options(f"{kind.partition('+')[0]}://{rest}", *SERVER_SETTINGS)


def with_options(url: str, *settings: str) -> str:
    """Return a PostgreSQL URL with further session settings; those that it has already take precedence.

    >>> with_options("postgresql://db/wolves?options=-c%20role%3Dann", "lock_timeout=9s")
    'postgresql://db/wolves?options=-c%20lock_timeout%3D9s%20-c%20role%3Dann'
    """
    ours = quote(" ".join(f"-c {setting}" for setting in settings))
    before, found, given = url.partition("options=")
    if found:
        return f"{before}options={ours}%20{given}"
    return f"{url}{'&' if '?' in url else '?'}options={ours}"


def split_role(url: str) -> tuple[str, str]:
    """Return a URL without its session role, and that role, '' if it names none.

    >>> split_role("postgresql://db/wolves?options=-c%20role%3Dann")
    ('postgresql://db/wolves', 'ann')
    """
    found = _ROLE.search(url)
    return (url[:found.start()], found[1]) if found else (url, "")


_UNBOUND = "SELECT rolname FROM pg_roles WHERE rolname = session_user AND (rolsuper OR rolbypassrls)"


def demand_row_security(connection: psycopg.Connection) -> None:
    """Raise `LedgerError` if row-level security doesn't bind the user of a session, as it binds no superuser."""
    row = connection.execute(_UNBOUND).fetchone()
    if row is not None:
        raise LedgerError(
            f"the database's user {row[0]} is a superuser, or passes row-level security: nothing would keep one "
            "contest's rows from another's. Make a user who is neither (createuser --createdb --createrole "
            "nomicwolf), let em own the database and its tables, and name em in the database's URL")


def demand_row_security_at(url: str) -> None:
    """Raise `LedgerError` if row-level security doesn't bind the user in *url*, or the server can't be asked."""
    try:
        with session(url) as connection:
            demand_row_security(connection)
    except psycopg.Error as error:
        raise translated(error) from error
