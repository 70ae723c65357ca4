"""A private PostgreSQL on loopback, for any user; as root it runs under another, for it never runs as root.

``NOMICWOLF_TEST_PG_URL`` names a server to use in its place, by the URL of a user who may make databases and roles.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from nomicwolf.ledger.database import upgrade
from tests.servers.here import free_ports, short_folder, wait_until

GIVEN = os.environ.pop("NOMICWOLF_TEST_PG_URL", "")
"""Taken from the environment, where commands would take it for a setting whose name is nearly right."""
CONFIGURATION = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = '{folder}'
fsync = off
synchronous_commit = off
full_page_writes = off
shared_buffers = 32MB
max_connections = 200
"""


ASKING = "asking"
"""What sessions of the tests' own questions are called; the server shows one that has ended for a moment more."""


@dataclass
class Postgres:
    """A server that runs; *url* is that of its database ``postgres``, as a user who passes every guard.

    The databases that it makes are owned by a user who passes none, as an operator's are.
    """

    url: str
    numbers: Iterator[int] = field(default_factory=count)
    template: str = ""
    owner: str = ""

    def run(self, statement: str, url: str = "") -> list[tuple[Any, ...]]:
        """Run a statement by itself, as the one who sees all, and return its rows."""
        with self.session(url) as connection:
            done = connection.execute(statement)
            return done.fetchall() if done.description else []

    def session(self, url: str = "", options: str = "") -> psycopg.Connection:
        """Return a session with a database as the one who sees all, each of whose statements is by itself."""
        return psycopg.connect(self.seeing_all(url), autocommit=True, options=options, application_name=ASKING)

    def seeing_all(self, url: str = "") -> str:
        """Return the URL of a database, as libpq takes it, for the one who sees all."""
        found = make_url(self.url).set(database=make_url(url or self.url).database)
        return plain(found.render_as_string(hide_password=False))

    def empty(self, template: str = "template1") -> str:
        """Make a database, and return its URL, as its owner."""
        name = f"nomicwolf_{os.getpid()}_{next(self.numbers)}"
        with self.session() as connection:
            if not self.owner:
                self.owner = f"nomicwolf_owner_{os.getpid()}"
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN CREATEDB CREATEROLE PASSWORD {}").format(
                    sql.Identifier(self.owner), sql.Literal(self.owner)))
            connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(
                sql.Identifier(name), sql.Identifier(template), sql.Identifier(self.owner)))
        return make_url(self.url).set(username=self.owner, password=self.owner, database=name).render_as_string(
            hide_password=False)

    def ledger(self) -> str:
        """Make a database with the tables of a ledger, and return its URL."""
        if not self.template:
            url = self.empty()
            upgrade(url)
            self.template = str(make_url(url).database)
        return self.empty(self.template)

    def drop(self, url: str) -> None:
        """Drop a database, whoever is still connected."""
        with psycopg.connect(plain(self.url), autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(
                sql.Identifier(str(make_url(url).database))))


def plain(url: str) -> str:
    """Return a URL of SQLAlchemy's as libpq takes it."""
    return url.replace("postgresql+psycopg://", "postgresql://")


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL for as long as the block lasts, or use the one that is named; skip where there is none."""
    if GIVEN:
        yield Postgres(GIVEN)
        return
    with own_postgres() as own:
        yield Postgres(own.url)


@dataclass
class OwnPostgres:
    """A server of a test's own in *folder*, at a *port* of loopback, which may be ended and started again."""

    programs: Path
    folder: Path
    port: int
    user: str | None
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the URL of its database ``postgres``."""
        return f"postgresql+psycopg://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start it, and wait until it takes sessions."""
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", self.folder / "data"], user=self.user, stderr=log, cwd=self.folder)
        wait_until("PostgreSQL", self.up)

    def up(self) -> bool:
        """Tell whether it takes sessions; RuntimeError if it has ended."""
        if self.process is not None and self.process.poll() is not None:
            raise RuntimeError(f"PostgreSQL ended with {self.process.returncode}: {(self.folder / 'log').read_text()}")
        return subprocess.run(
            [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False).returncode == 0

    def end(self, by: signal.Signals = signal.SIGQUIT) -> None:
        """End it by a signal: SIGINT ends all sessions and writes all down, SIGQUIT leaves it to the next start."""
        if self.process is not None:
            self.process.send_signal(by)
            self.process.wait(30)


@contextmanager
def own_postgres(more: str = "") -> Iterator[OwnPostgres]:
    """Run a PostgreSQL for as long as the block lasts, with *more* settings; skip where there is none."""
    folder_of_programs = _programs()
    (port,) = free_ports(1)
    with short_folder("pg") as folder:
        user = _user()
        if user:
            os.chown(folder, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
        _initdb(folder_of_programs, folder, user)
        with (folder / "data" / "postgresql.conf").open("a") as file:
            file.write(CONFIGURATION.format(port=port, folder=folder) + more)
        (folder / "log").touch()
        own = OwnPostgres(folder_of_programs, folder, port, user)
        try:
            own.start()
            yield own
        finally:
            own.end()


def _initdb(programs: Path, folder: Path, user: str | None) -> None:
    subprocess.run(
        [programs / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
         "-N"],
        user=user, check=True, stdout=subprocess.DEVNULL, cwd=folder)


def _programs() -> Path:
    """Return the folder of PostgreSQL's own programs, or skip the test and say which package brings it."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: float(path.parts[-3]))
    exe = found[-1] if found else shutil.which("postgres")
    if exe is None:
        pytest.skip("PostgreSQL is not installed: as root, apt-get install postgresql; or set NOMICWOLF_TEST_PG_URL")
    return Path(exe).resolve().parent


def _user() -> str | None:
    """Return whom the server runs as: this user, or in root's place the package's own user."""
    if os.getuid():
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in known else "nobody"
