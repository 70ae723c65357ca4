"""A poll of hostile letters beside a poll of as many plain ones of that size: whole processes, time and memory."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from itertools import cycle, islice

from imapclient import IMAPClient

from benchmarks._contests import Place, contest
from benchmarks._harness import Against, Costs, Effort, Row, compare, process
from benchmarks.hostile import HEAD, HOSTILE, plain
from benchmarks.reading import PLAYERS
from tests.servers.dovecot import PASSWORD

SIZES = (26, 104)
BYTES = 20_000
"""How long each letter is, about."""
BOXES = ("Hostile", "Plain")


def rows(effort: Effort) -> Iterator[Row]:
    """Each kind of `benchmarks.hostile` in turn, from players whom the contest knows, through IMAP to the ledger."""
    makers = {"Hostile": tuple(HOSTILE.values()), "Plain": (plain,)}
    with contest() as place:
        process(place.poll())
        for size in SIZES[: effort.sizes]:
            for box in BOXES:
                filled(place, f"{box}-{size}", letters(makers[box], size))
            yield from compare(
                "hostile letters", "seconds a letter, MiB", size,
                {"ours": polled(place, f"Hostile-{size}", size), "plain letters": polled(place, f"Plain-{size}", size)},
                [Against("plain letters", "<=", 3), Against("plain letters", "<=", 1.5, 1)],
                Effort(3, effort.seconds), ("s", "MiB"))


def letters(makers: tuple[Callable[[int], bytes], ...], size: int) -> list[bytes]:
    """Return *size* letters, each from the next player and under a Message-ID of its own."""
    return [
        maker(BYTES).replace(HEAD, (
            f"From: {who} <{who.lower()}@players.test>\r\nTo: wolf@contest.test\r\n"
            f"Message-ID: <{number}@players.test>\r\n").encode(), 1)
        for number, (maker, who) in enumerate(islice(zip(cycle(makers), cycle(PLAYERS), strict=False), size))]


def filled(place: Place, box: str, found: list[bytes]) -> None:
    """Put letters into a mailbox of their own."""
    with IMAPClient("127.0.0.1", place.dovecot.imap_port, ssl=False) as imap:
        imap.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        imap.login("wolf", PASSWORD)
        imap.create_folder(box)
        imap.multiappend(box, found)


def polled(place: Place, box: str, size: int) -> Callable[[], Costs]:
    """Return a turn: the contest as it stood polls that mailbox."""
    aside = place.folder.with_name(f"aside-{box}")

    def turn() -> Costs:
        there = place.copy(aside)
        file = there.folder / "contest.toml"
        file.write_text(file.read_text().replace('user = "wolf"', f'user = "wolf"\nmailbox = "{box}"'))
        return process(there.poll(), batch=size)

    return turn
