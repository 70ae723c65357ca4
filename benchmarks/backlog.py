"""A mailbox that has filled up: letters from IMAP to the committed ledger; and fetching alone, beside a raw socket."""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Iterator
from contextlib import closing

from imapclient import IMAPClient

from benchmarks._contests import Place, backlog, contest
from benchmarks._harness import Against, Costs, Effort, Row, compare, process, wall
from nomicwolf.run.resources import source_of
from tests.servers.dovecot import PASSWORD
from tests.servers.here import free_ports

BARE = """
import socket, sqlite3, sys
from email import message_from_bytes
from imapclient import IMAPClient
client = IMAPClient("127.0.0.1", int(sys.argv[1]), ssl=False)
client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
client.login("wolf", "secret")
client.select_folder("INBOX", readonly=True)
connection = sqlite3.connect(sys.argv[2], isolation_level=None)
connection.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE letters (uid, sender, body)")
uids = client.search(["UID", "1:*"])
for start in range(0, len(uids), 500):
    for uid, found in client.fetch(uids[start:start + 500], ["BODY.PEEK[]"]).items():
        letter = message_from_bytes(found[b"BODY[]"])
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO letters VALUES (?, ?, ?)",
                           (uid, letter["From"], letter.get_payload(decode=True).decode()))
        connection.execute("COMMIT")
client.logout()
"""
SIZES = (50, 500)
AWAY = 75
"""What a poll ends with that has heard everything, and could send nothing."""


def rows(effort: Effort) -> Iterator[Row]:
    """The backlog at two sizes, each whole process with its memory; then fetching."""
    with contest() as place:
        process(place.poll())
        before = 0
        for size in SIZES[: effort.sizes]:
            place.deliver(backlog(size)[before:])
            before = size
            yield from whole(place, size, effort)
        yield from fetching(place, before, effort)


def whole(place: Place, size: int, effort: Effort) -> Iterator[Row]:
    """Poll a backlog of *size* in a copy of the contest: seconds a letter, and peak memory.

    Nothing is sent: the letters owed are in the ledger then, and the server that should take them is away.
    """
    aside = place.folder.with_name("aside")
    database = aside.with_name("bare.db")
    bare = [sys.executable, "-c", BARE, str(place.dovecot.imap_port), str(database)]

    def ours() -> Costs:
        copy = place.copy(aside)
        settings = copy.folder / "contest.toml"
        settings.write_text(re.sub(r"(?s)(\[smtp\].*?port = )\d+", rf"\g<1>{free_ports(1)[0]}", settings.read_text()))
        return process(copy.poll(), batch=size, status=AWAY)

    def floor() -> Costs:
        for file in database.parent.glob("bare.db*"):
            file.unlink()
        return process(bare, batch=size)

    yield from compare(
        "backlog", "seconds a letter", size, {"ours": ours, "bare loop": floor},
        [Against("bare loop", ">=", 0.2), Against("bare loop", "<=", 4, 1)],
        Effort(3, effort.seconds), ("s", "MiB"))


def fetching(place: Place, size: int, effort: Effort) -> Iterator[Row]:
    """Fetch *size* letters: our source, and imapclient in batches."""
    settings = place.settings
    name = ""

    def ours() -> None:
        with closing(source_of(settings, 0)) as source:
            assert sum(1 for _ in source.fetch(None, lambda places: set())) == size, name

    yield from compare(
        "fetch", "seconds a letter", size,
        {"ours": wall(ours, size), "imapclient in batches": wall(lambda: batches(place), size)},
        [Against("imapclient in batches", ">=", 0.5)], effort)


def batches(place: Place) -> None:
    """Fetch 500 at a time, and keep nothing."""
    with IMAPClient("127.0.0.1", place.dovecot.imap_port, ssl=False) as imap:
        imap.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        imap.login("wolf", PASSWORD)
        imap.select_folder("INBOX", readonly=True)
        uids = imap.search(["UID", "1:*"])
        for start in range(0, len(uids), 500):
            imap.fetch(uids[start:start + 500], ["BODY.PEEK[]"])
