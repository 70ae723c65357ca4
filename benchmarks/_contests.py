"""A contest on disk for the benchmarks, with a Dovecot to read from and a server that takes what is sent."""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import time

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
from imapclient import IMAPClient

from benchmarks.reading import PLAYERS
from nomicwolf.maillist import distributed
from nomicwolf.run import command
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load
from tests.post.scripted import SmtpScript
from tests.run.world import FORUMS, World, make_settings
from tests.run.world import letter as plain_letter
from tests.servers.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.servers.here import free_ports

PROGRAM = Path(sys.executable).with_name("nomicwolf")


@dataclass(frozen=True, slots=True)
class Place:
    """A contest's *folder*, and the *dovecot* in which its mailbox ``wolf`` is."""

    folder: Path
    dovecot: Dovecot

    @property
    def settings(self) -> Settings:
        """Read the settings, as each command does."""
        return load(self.folder, {})

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
            World(make_settings(place.folder, port), SmtpScript()).read_by_imap(dovecot.imap_port, PASSWORD)
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
    at = int(time())
    data = plain_letter(f"n{number}", who, text, at, FORUMS[nomic].address if nomic else "wolf@contest.test")
    if sender:
        data = data.replace(f"From: {who} <{who.lower()}@players.test>".encode(), f"From: {sender}".encode())
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
