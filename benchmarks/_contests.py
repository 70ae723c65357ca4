"""A contest on disk for the benchmarks, with a Dovecot to read from and a server that takes what is sent."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from pathlib import Path
from time import time

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
from imapclient import IMAPClient

from benchmarks.reading import PLAYERS
from nomicwolf.maillist import MailingList, distributed
from nomicwolf.run import command
from nomicwolf.settings import Settings, load
from tests.servers.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.servers.here import free_ports

FORUMS = {nomic: MailingList(f"{nomic}-business@lists.{nomic}.test", f"{nomic} business", "BUS:", "a footer", ())
          for nomic in ("agora", "b")}
PROGRAM = Path(sys.executable).with_name("nomicwolf")
TOML = """
[contest]
id = "w1"
name = "Werewolves"
contestmaster = {{name = "Murphy", addresses = ["murphy@masters.test"]}}
address = "wolf@contest.test"
daily_count = false

[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
user = "wolf"

[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
from = "wolf@contest.test"

[nomic.agora]
forum = "agora-business@lists.agora.test"
limit = 50

[nomic.b]
forum = "b-business@lists.b.test"

[switches]
settling = 0
"""


@dataclass(frozen=True, slots=True)
class Place:
    """A contest's *folder*, and the *dovecot* in which its mailbox ``wolf`` is."""

    folder: Path
    dovecot: Dovecot

    @property
    def settings(self) -> Settings:
        """Read the settings, as each command does."""
        return load(self.folder, {"NOMICWOLF_IMAP_PASSWORD": PASSWORD})

    @property
    def env(self) -> dict[str, str]:
        """What a process of its own needs in its environment."""
        return {"NOMICWOLF_IMAP_PASSWORD": PASSWORD}

    def poll(self) -> list[str | Path]:
        """Return the command of a poll, as cron gives it."""
        return [PROGRAM, "-C", self.folder, "poll"]

    def copy(self, to: Path) -> Place:
        """Return a copy of the contest as it stands, that reads the same mailbox."""
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.folder, to)
        return Place(to, self.dovecot)

    def deliver(self, letters: Sequence[bytes]) -> None:
        """Put letters into the mailbox, 500 at once (RFC 3502)."""
        with IMAPClient("127.0.0.1", self.dovecot.imap_port, ssl=False) as imap:
            imap.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            imap.login("wolf", PASSWORD)
            for start in range(0, len(letters), 500):
                imap.multiappend("INBOX", list(letters[start:start + 500]))


@contextmanager
def contest() -> Iterator[Place]:
    """A contest of twelve with a session in progress, for as long as the block lasts."""
    (port,) = free_ports(1)
    taking = Controller(Sink(), hostname="127.0.0.1", port=port)
    taking.start()
    try:
        with running_dovecot() as dovecot, tempfile.TemporaryDirectory() as folder:
            place = Place(Path(folder) / "contest", dovecot)
            place.folder.mkdir()
            (place.folder / "contest.toml").write_text(TOML.format(imap=dovecot.imap_port, smtp=port))
            for who in PLAYERS:
                must(place, "party-add", who=who, address=f"{who.lower()}@players.test")
            must(place, "start", seed="7" * 64)
            yield place
    finally:
        taking.stop()


def must(place: Place, name: str, **args: str) -> None:
    """Give a command of the contestmaster's; RuntimeError if it is refused."""
    done = command(place.settings, name, args, lambda: int(time()))
    if done.status:
        raise RuntimeError(f"{name}: {done.said}")


def letter(number: int, who: str, text: str, nomic: str = "", sender: str = "") -> bytes:
    """Return a letter of a player's, through a forum of *nomic*, or straight to the contest."""
    to = FORUMS[nomic].address if nomic else "wolf@contest.test"
    at = int(time())
    data = (
        f"From: {sender or f'{who} <{who.lower()}@players.test>'}\r\nTo: {to}\r\n"
        f"Message-ID: <n{number}@players.test>\r\n"
        f"Date: {formatdate(at)}\r\nSubject: a letter\r\nMIME-Version: 1.0\r\n"
        f"Content-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n"
    ).encode()
    return distributed(data, FORUMS[nomic], at) if nomic else data


def backlog(size: int) -> list[bytes]:
    """Return *size* letters: half votes, a tenth hostile, a tenth copies through the other forum, talk, questions."""
    found: list[bytes] = []
    while len(found) < size:
        number = len(found)
        who, whom = PLAYERS[number % 12], PLAYERS[(number * 7 + 3) % 12]
        match number % 10:
            case 0 | 2 | 4 | 6:
                found.append(letter(number, who, f"I vote for {whom}.\n\nWe will see.", "agora"))
            case 8:
                found.append(letter(number, who, f"I endorse {whom}.", "agora"))
            case 1:
                found.append(letter(number, "Zed", HOSTILE, "", "Ash <zed@else.test>"))
            case 3:
                found.append(letter(number - 1, PLAYERS[(number - 1) % 12],
                                    f"I vote for {PLAYERS[((number - 1) * 7 + 3) % 12]}.\n\nWe will see.", "b"))
            case 5 | 9:
                found.append(letter(number, who, f"> I vote for {whom}.\n\nI don't believe a word of it.", "agora"))
            case _:
                found.append(letter(number, who, "status"))
    return found


HOSTILE = "> > > On On On wrote:\n" * 40 + "I vote for Ash if " + "not " * 200 + "Bex is dead." + "(" * 500
