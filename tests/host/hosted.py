"""A host with contests: a PostgreSQL, Maildirs for what comes, a scripted SMTP server, worker processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from nomicwolf.cli.app import run
from nomicwolf.host.settings import HostSettings, load_host
from nomicwolf.ledger.encryption import make_key
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import letter
from tests.servers.here import NAP, PATIENCE
from tests.servers.postgres import Postgres

CONTEST = """
[contest]
id = "{contest}"
contestmaster = {{name = "Murphy", addresses = ["murphy@masters.test"]}}
address = "wolf@contest.test"
daily_count = false

[maildir]
path = "{mail}"

[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "wolf@contest.test"
timeout = 300
connections = 2
{more}
[nomic.agora]
forum = "agora-business@lists.agora.test"
limit = 35
"""
HOST = """
[database]
url = "{url}"
key_file = "host.key"
{database}
[worker]
every = {every}
tick = {tick}
stale = {stale}
folder = "laid-out"
at_once = {at_once}
longest = {longest}
{worker}
[limits]
connections = {connections}
sends = {sends}
[grants."*"]
servers = {servers}
[grants.murphy]
mailboxes = ["{mail}"]
[grants.ann]
mailboxes = ["{mail}"]
[grants.bob]
mailboxes = ["{mail}"]
[grants.second]
mailboxes = ["{mail}"]
"""
PROGRAM = (sys.executable, "-c", "from nomicwolf.cli.main import main; main()")


@dataclass
class Host:
    """A host in *folder*, with its database's *url*, and the *port* of the server for letters out."""

    folder: Path
    url: str
    smtp: SmtpScript
    port: int
    postgres: Postgres
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def configure(self, *, every: int = 2, at_once: int = 1, connections: int = 20, sends: int = 600,
                  longest: int = 900, tick: int = 1, stale: int = 2, database: str = "", worker: str = "",
                  servers: list[str] | None = None) -> Host:
        """Write ``host.toml``; of *servers* on loopback that is granted by which letters go out, unless others are."""
        self.folder.mkdir(exist_ok=True)
        key = self.folder / "host.key"
        if not key.exists():
            key.write_text(make_key())
        (self.folder / "host.toml").write_text(HOST.format(
            url=self.url, every=every, at_once=at_once, connections=connections, sends=sends, database=database,
            worker=worker, longest=longest, tick=tick, stale=stale, mail=self.folder / "mail",
            servers=json.dumps([f"127.0.0.1:{self.port}"] if servers is None else servers)))
        return self

    @property
    def settings(self) -> HostSettings:
        """Read the host's settings."""
        return load_host(self.folder)

    def host(self, *words: str) -> int:
        """Run a command of the host's, and return its status."""
        return run(["-C", str(self.folder), "host", *words])

    def contest(
        self, name: str, tenant: str = "murphy", more: str = "", *, player: bool = True, ledger: str = "", key: str = ""
    ) -> Path:
        """Make a contest with a *player*, Ash, and let the host take it; return its folder.

        *more* is added to the settings of SMTP, *ledger* to those of the ledger, whose *key* is in ``ledger.key``.
        """
        folder, mail = self.folder / "contests" / name, self.folder / "mail" / name
        folder.mkdir(parents=True)
        for part in ("new", "cur", "tmp"):
            (mail / part).mkdir(parents=True)
        text = CONTEST.format(contest=name, mail=mail, port=self.port, more=more)
        (folder / "contest.toml").write_text(f"{text}\n[ledger]\n{ledger}\n" if ledger else text)
        if key:
            (folder / "ledger.key").write_text(key)
        assert self.host("add", str(folder), "--tenant", tenant) == 0
        if player:
            assert self.host("do", name, "party", "add", "Ash", "ash@players.test") == 0
            self.smtp.taken.clear()
        return folder

    def deliver(self, contest: str, name: str, text: str = "help") -> None:
        """Put a letter to the contest into its Maildir; each that is heard is answered."""
        file = self.folder / "mail" / contest / "tmp" / name
        file.write_bytes(letter(name, "Ash", text, int(time.time()), "wolf@contest.test"))
        file.rename(self.folder / "mail" / contest / "new" / name)

    def answered(self) -> int:
        """Return how many questions of Ash's were answered: a turn answers all that it heard in one letter."""
        return sum(data.count(b"\r\nYou asked ") for to, data in self.smtp.taken if to == "ash@players.test")

    def start(self, name: str, **environ: str) -> subprocess.Popen[bytes]:
        """Start a worker process, whose log is the file of its name."""
        with self.log_file(name).open("ab") as log:
            process = subprocess.Popen(
                [*PROGRAM, "-C", str(self.folder), "host", "worker", "--name", name], stderr=log, stdout=log,
                env={**os.environ, **environ}, cwd=self.folder)
        self.running.append(process)
        return process

    def log_file(self, name: str) -> Path:
        """Return the file of a worker's log."""
        return self.folder / f"{name}.log"

    def log(self, *names: str) -> list[dict[str, Any]]:
        """Return what workers have logged, or all of them."""
        files = [self.log_file(name) for name in names] or sorted(self.folder.glob("*.log"))
        return [json.loads(line) for file in files if file.exists()
                for line in file.read_text().splitlines() if line.startswith("{") and line.endswith("}")]

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """Ask the database as one who sees all."""
        return self.postgres.run(statement, self.url)

    def standing(self) -> list[object]:
        """Return what registry and queue say now, and what workers logged last: for a test that waited in vain."""
        return [
            self.ask("SELECT contest, began_at, ended_at, due_at, status, said, worker FROM host.contests"),
            self.ask("SELECT queueing_lock, status, attempts, scheduled_at - now() FROM procrastinate_jobs"
                     " WHERE status IN ('todo', 'doing', 'failed')"),
            self.ask("SELECT state, wait_event, now() - state_change, left(query, 100) FROM pg_stat_activity"
                     " WHERE datname = current_database() AND state <> 'idle'"),
            *self.log()[-12:],
        ]

    def postgres_connection(self) -> psycopg.Connection:
        """Return a connection of one who sees all, each of whose statements is by itself."""
        return self.postgres.session(self.url)

    def stop(self) -> None:
        """End the workers that still run."""
        for process in self.running:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
            if process.poll() is None:
                process.kill()
                process.wait()


@contextmanager
def new_host(postgres: Postgres, folder: Path) -> Iterator[Host]:
    """Give a host that is set up and has no contests."""
    script, url = SmtpScript(), postgres.ledger()
    with smtp_server(script) as port:
        made = Host(folder, url, script, port, postgres).configure()
        assert made.host("setup") == 0
        try:
            yield made
        finally:
            made.stop()
    postgres.drop(url)


def until(what: str, holds: Callable[[], object], more: Callable[[], object] = str) -> None:
    """Return as soon as *holds* does; AssertionError names *what* was awaited in vain."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, f"waited {PATIENCE:.0f} seconds for {what}: {more()}"
        time.sleep(5 * NAP)


def overlaps(lines: list[dict[str, Any]], killed: dict[str, float] | None = None) -> list[str]:
    """Return where two workers were at one contest at once, by the log: each turn is logged inside its lock.

    The turns that a worker had when it was *killed* end then (monotonic seconds, which the machine's processes share).
    """
    turns: dict[str, list[tuple[float, float, str]]] = {}
    open_turns: dict[tuple[str, str], float] = {}
    for line in sorted((line for line in lines if "monotonic" in line), key=lambda line: line["monotonic"]):
        key = (line["contest"], line["worker"])
        if line["event"] == "turn began":
            open_turns[key] = line["monotonic"]
        else:
            turns.setdefault(key[0], []).append((open_turns.pop(key), line["monotonic"], key[1]))
    for (contest, worker), began in open_turns.items():
        turns.setdefault(contest, []).append((began, (killed or {}).get(worker, float("inf")), worker))
    return [
        f"{contest}: {first} and {second}" for contest, taken in turns.items()
        for first, second in zip(sorted(taken), sorted(taken)[1:], strict=False) if second[0] < first[1]]
