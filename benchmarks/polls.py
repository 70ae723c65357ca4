"""Whole polls, as cron runs them: one that finds nothing, and one that finds one letter (Dovecot on loopback)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import count

from benchmarks._contests import Place, contest, letter
from benchmarks._harness import Against, Costs, Effort, Row, compare, process

BARE = """
import socket, sqlite3, sys
from imapclient import IMAPClient
client = IMAPClient("127.0.0.1", int(sys.argv[1]), ssl=False)
client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
client.login("wolf", "secret")
client.folder_status("INBOX", ["UIDVALIDITY", "UIDNEXT"])
connection = sqlite3.connect(sys.argv[2])
connection.execute("SELECT last FROM contests").fetchall()
connection.close()
client.logout()
"""
UNITS = ("s", "MiB", "s CPU")


def rows(effort: Effort) -> Iterator[Row]:
    """Idle, and with one letter; time, memory and the processor's time each, which alone tells on a busy machine."""
    with contest() as place:
        file = place.settings.ledger_file
        process(place.poll())
        numbers = count(1)
        bare = [sys.executable, "-c", BARE, str(place.dovecot.imap_port), str(file)]
        with_orm = [sys.executable, "-c", f"import sqlmodel\n{BARE}", *bare[3:]]
        yield from compare(
            "idle poll", "one process", 1,
            {"ours": lambda: process(place.poll()), "bare script": lambda: process(bare)},
            [Against("bare script", "<=", 1.3, unit) for unit in range(len(UNITS))],
            Effort(max(effort.turns, 15), effort.seconds), UNITS)
        yield from compare(
            "one-letter poll", "one process", 1,
            {"ours": lambda: with_letter(place, next(numbers)), "bare script, sqlmodel": lambda: process(with_orm)},
            [Against("bare script, sqlmodel", "<=", 1.5, unit) for unit in range(len(UNITS))],
            Effort(max(effort.turns, 11), effort.seconds), UNITS)


def with_letter(place: Place, number: int) -> Costs:
    """A poll that finds one vote; delivering it is not counted."""
    place.deliver([letter(number, "Ash", "I vote for Gus.", "agora")])
    return process(place.poll())
