"""A contest in a folder, with a Maildir for what comes and a scripted SMTP server for what goes."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from nomicwolf.cli.app import run
from nomicwolf.ledger.records import write_entry
from nomicwolf.ledger.store import Store
from nomicwolf.maillist import MailingList, distributed
from nomicwolf.run import Done, PollReport, command, poll
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load
from tests.post.scripted import SmtpScript, smtp_server
from tests.servers.dovecot import PASSWORD

BEGIN = 1_796_083_200  # 2026-12-01T00:00Z
PLAYERS = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus")
SEED = "7" * 64
FORUMS = {
    nomic: MailingList(f"{nomic}-business@lists.{nomic}.test", f"{nomic} business", "BUS:", "a footer", ())
    for nomic in ("agora", "b")
}
TOML = """
[contest]
id = "w1"
name = "Werewolves"
contestmaster = {{name = "Murphy", addresses = ["murphy@masters.test"]}}
address = "wolf@contest.test"
daily_count = false

[maildir]
path = "mail"

[smtp]
host = "127.0.0.1"
port = {port}
security = "none"
from = "wolf@contest.test"
timeout = 5
connections = 2

[nomic.agora]
forum = "agora-business@lists.agora.test"
limit = 35

[nomic.b]
forum = "b-business@lists.b.test"

[switches]
settling = 0
{ledger}"""


READING = """
[contest]
id = "w1"
contestmaster = {{name = "Murphy", addresses = ["murphy@masters.test"]}}
[imap]
host = "127.0.0.1"
port = {port}
security = "none"
user = "wolf"
{login}
[smtp]
host = "127.0.0.1"
port = 9
security = "none"
from = "wolf@contest.example"
[nomic.agora]
forum = "agora-business@lists.agora.test"
{more}
"""


def write_reading(folder: Path, port: int, login: str = "", more: str = "") -> Path:
    """Write the settings of a contest that reads at an IMAP server's *port* and can't send; return their folder."""
    (folder / "contest.toml").write_text(READING.format(port=port, login=login, more=more))
    (folder / "contest.toml").chmod(0o600)
    return folder


@dataclass
class World:
    """One contest: its *folder* and the *smtp* server that takes its letters."""

    folder: Path
    smtp: SmtpScript = field(repr=False)

    @property
    def settings(self) -> Settings:
        """Read the settings, as each command does."""
        return load(self.folder, {})

    def poll(self, at: int, *, clock_is_right: bool = False) -> PollReport:
        """Poll at *at* (UTC seconds)."""
        return poll(self.settings, lambda: at, clock_is_right=clock_is_right)

    def command(self, name: str, at: int = BEGIN, **args: str | tuple[str, ...]) -> Done:
        """Give a command of the contestmaster's."""
        return command(self.settings, name, args, lambda: at)

    def store(self) -> Store:
        """Open the ledger."""
        return Store.open(self.settings.ledger.url, "w1")

    def change(self, old: str, new: str) -> None:
        """Write *new* for *old* in the settings."""
        file = self.folder / "contest.toml"
        file.write_text(file.read_text().replace(old, new))

    def add(self, text: str) -> None:
        """Write *text* at the end of the settings."""
        file = self.folder / "contest.toml"
        file.write_text(file.read_text() + text)

    def read_by_imap(self, port: int, password: str = "x", timeout: int = 60) -> None:
        """Let letters be read from an IMAP server on a *port* of loopback, as "wolf"; *timeout* is in seconds."""
        self.change('[maildir]\npath = "mail"', (
            f'[imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nuser = "wolf"\n'
            f'password = "{password}"\ntimeout = {timeout}'))

    def live_on_site(self, imap_port: int, timeout: int = 60) -> None:
        """Have the addresses of the servers that run here (tests.servers.site), and read letters from there."""
        self.read_by_imap(imap_port, PASSWORD, timeout)
        file = self.folder / "contest.toml"
        text = file.read_text().replace("masters.test", "players.example").replace("contest.test", "contest.example")
        for nomic in ("agora", "b"):
            text = text.replace(f"lists.{nomic}.test", f"lists.{nomic}.example")
        file.write_text(text)

    def be_impatient(self) -> None:
        """Wait for a server that takes letters one second, not five."""
        self.change("timeout = 5\n", "timeout = 1\n")

    def deliver(self, name: str, data: bytes, at: int) -> None:
        """Put a letter into the Maildir, as an MDA does."""
        file = self.folder / "mail" / "tmp" / name
        file.write_bytes(data)
        os.utime(file, (at, at))
        file.rename(self.folder / "mail" / "new" / name)

    def post(self, name: str, who: str, text: str, at: int, nomics: tuple[str, ...] = ("agora", "b")) -> None:
        """Let *who* write to the forums of *nomics*: one letter, a copy from each list."""
        for nomic in nomics:
            self.deliver(f"{name}.{nomic}", distributed(letter(name, who, text, at), FORUMS[nomic], at), at)

    def record(self) -> list[str]:
        """Return the record as it is kept, line by line."""
        with self.store() as store:
            assert store.verify() == []
            return [write_entry(entry) for entry in store.record()]


def letter(name: str, who: str, text: str, at: int, to: str = "agora-business@lists.agora.test, "
           "b-business@lists.b.test") -> bytes:
    """Return a letter of a player's."""
    return (
        f"From: {who} <{who.lower()}@players.test>\r\nTo: {to}\r\nMessage-ID: <{name}@players.test>\r\n"
        f"Date: {_date(at)}\r\nSubject: a letter\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    ).encode()


def _date(at: int) -> str:
    from email.utils import formatdate

    return formatdate(at)


def make_world(folder: Path, port: int, smtp: SmtpScript, ledger: str = "") -> World:
    """Return a new contest in *folder*, whose letters go to a port of loopback; *ledger* is a database's URL."""
    for part in ("new", "cur", "tmp"):
        (folder / "mail" / part).mkdir(parents=True)
    return World(make_settings(folder, port, ledger), smtp)


@contextmanager
def new_world(folder: Path) -> Iterator[World]:
    """Give a new contest, and a server that takes its letters meanwhile."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield make_world(folder, port, script)


@contextmanager
def running_world(folder: Path) -> Iterator[World]:
    """Give a contest with seven players and a session in progress, and a server that takes its letters meanwhile."""
    with new_world(folder) as world:
        yield started(world)


def copied(template: World, folder: Path, port: int, smtp: SmtpScript, ledger: str = "") -> World:
    """Return a copy of a contest whose letters go to another port, with the letters that were taken so far.

    With *ledger*, the URL of a server's database, the copy's ledger is moved there.
    """
    shutil.copytree(template.folder, folder)
    made = make_settings(folder, port)
    if ledger.startswith("postgresql"):
        assert run(["-C", str(folder), "ledger", "copy", ledger]) == 0
        (folder / "contest.db").unlink()
        made = make_settings(folder, port, ledger)
    smtp.taken.extend(template.smtp.taken)
    return World(made, smtp)


@contextmanager
def running_copy(template: World, folder: Path, ledger: str = "") -> Iterator[World]:
    """Give a copy of a contest, as `copied` makes it, and a server that takes its letters meanwhile."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield copied(template, folder, port, script, ledger)


def make_settings(folder: Path, port: int, ledger: str = "") -> Path:
    """Write the contest's settings, and return its folder."""
    table = f'[ledger]\nurl = "{ledger}"\n' if ledger else ""
    (folder / "contest.toml").write_text(TOML.format(port=port, ledger=table))
    return folder


def started(world: World) -> World:
    """Return *world* with seven players and a session in progress."""
    for who in PLAYERS:
        assert world.command("party-add", who=who, address=f"{who.lower()}@players.test").status == 0
    done = world.command("start", seed=SEED)
    assert done.status == 0, done.said
    return world


def demand_once(world: World, heard: int) -> None:
    """AssertionError unless so many letters were heard, once, and each letter out went once."""
    with world.store() as store:
        assert store.verify() == []
        assert store.check().received == heard
        assert set(store.counts().states) == {"sent"}
    lines = [line for _, data in world.smtp.taken for line in data.decode().splitlines()]
    assert set(Counter(line for line in lines if line.startswith("Message-ID")).values()) == {1}
