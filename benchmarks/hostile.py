"""Hostile letters beside plain ones of the same size: time and memory as ratios, from bytes to what is to be read.

Run in the project's folder: ``python -m benchmarks.hostile [BYTES]`` (default 60,000). Each letter goes the way of a
poll: parsed within limits, its author's own text found, its signatures looked at, its sentences read. A ratio of 1 is
the cost of a plain letter of that many bytes; what a limit turns away costs less. Memory is the peak of what Python
allocates (tracemalloc), so a letter that swells when it is decoded shows.
"""

from __future__ import annotations

import base64
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import process_time

from nomicwolf.language.reader import read
from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.proofs import dkim
from nomicwolf.proofs.prover import sealed
from nomicwolf.reading.deeds import People

HEAD = b"From: Ash <ash@players.example>\r\nTo: wolf@wolf.example\r\nMessage-ID: <m@players.example>\r\n"
PEOPLE = People(living=("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus"))
TURNS = 3
Maker = Callable[[int], bytes]


def body(text: bytes, size: int, head: bytes = b"") -> bytes:
    """Return a letter of *size* bytes whose body repeats *text*."""
    return HEAD + head + b"\r\n" + (text * (size // len(text) + 1))[:size]


def nested(size: int) -> bytes:
    """Return parts within parts."""
    depth = size // 60
    opening = b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n) for n in range(depth))
    return HEAD + opening + b"\r\nI vote for Gus.\r\n"


def parts(size: int) -> bytes:
    """Return a flat row of parts."""
    row = b"--b\r\n\r\nx\r\n" * (size // 10)
    return HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + row + b"--b--\r\n"


def html(tag: bytes) -> Maker:
    """Return the maker of letters full of *tag*."""
    return lambda size: body(tag, size, b"Content-Type: text/html\r\n")


def encoded(size: int) -> bytes:
    """Return a text in base 64."""
    text = base64.encodebytes(b"I vote for Gus.\n" * (size // 22)).replace(b"\n", b"\r\n")
    return HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + text


HOSTILE: dict[str, Maker] = {
    "On On On ...": lambda size: body(b"On ", size),
    "> > > >": lambda size: body(b"> ", size),
    "------": lambda size: body(b"-", size),
    "one long line": lambda size: body(b"vote for ", size),
    "blank lines": lambda size: body(b"\r\n", size),
    "spaces": lambda size: body(b" ", size),
    "not not not": lambda size: body(b"I vote for Gus if not not not not Bex is dead.\r\n", size),
    "((((": lambda size: body(b"I vote for (((((((Gus if Bex is dead.\r\n", size),
    "deeds": lambda size: body(b"I vote for Gus.\r\n", size),
    "NUL": lambda size: body(b"\x00", size),
    "bidi and zero width": lambda size: body(
        "\N{RIGHT-TO-LEFT OVERRIDE}I vote\N{ZERO WIDTH SPACE} for Gus\n".encode(), size,
        b"Content-Type: text/plain; charset=utf-8\r\n"),
    "headers": lambda size: b"X-A: b\r\n" * (size // 8) + body(b"x", 10),
    "one long header": lambda size: b"X-A: " + b"b" * size + b"\r\n" + body(b"x", 10),
    "addresses": lambda size: b"To: " + b"a@b.example, " * (size // 13) + b"\r\n" + body(b"x", 10),
    "parameters": lambda size: body(b"x", 10, b"Content-Type: text/plain" + b"; a*1=b" * (size // 7) + b"\r\n"),
    "Received": lambda size: b"Received: from a by b; 1 Dec 2026 00:00 +0000\r\n" * (size // 46) + body(b"x", 10),
    "parts in parts": nested,
    "parts": parts,
    "base 64": encoded,
    "HTML in HTML": html(b"<div>"),
    "unclosed HTML": html(b"<b <i <a "),
    "HTML entities": html(b"&nbsp;&#x200b;"),
    "encoded words": lambda size: b"Subject: " + b"=?utf-8?q?=41?= " * (size // 16) + b"\r\n" + body(b"x", 10),
    "signatures": lambda size: b"DKIM-Signature: v=1; a=rsa-sha256; d=a.example; s=s; h=from; b=AA==; bh=AA==\r\n" * (
        size // 77) + body(b"x", 10),
    "spaces, signed": lambda size: b"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=a.example; s=s; h=from; "
                                   b"b=AA==; bh=AA==\r\n" + body(b" ", size),
    "armour": lambda size: body(b"-----BEGIN PGP SIGNED MESSAGE-----\r\n", size),
}


def plain(size: int) -> bytes:
    """Return a letter as people write them, with a good deal of talk."""
    text = b"I wonder what Bex was up to.\r\nOn the whole I trust em.\r\nI vote for Gus.\r\n\r\n"
    return body(text, size)


def work(data: bytes) -> None:
    """Do with a letter what a poll does with one of a player's."""
    raw = Raw("here", 1, 0, data, len(data))
    letter = sealed(raw, make_letter(raw), {})
    if not letter.trouble:
        dkim.dkim_signers(data, lambda _: None, 2_000_000_000)
        read(authored(letter).lines, PEOPLE, to="forum")


def cost(data: bytes) -> tuple[float, float]:
    """Return the seconds (median of three) and the peak of memory in MiB that *data* takes."""
    times = []
    for _ in range(TURNS):
        began = process_time()
        work(data)
        times.append(process_time() - began)
    tracemalloc.start()
    work(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return median(times), peak / 2**20


def main() -> None:
    """Print the table."""
    size = int(sys.argv[1]) if sys.argv[1:] else 60_000
    seconds, memory = cost(plain(size))
    print(f"plain letter of {size:,} bytes: {seconds * 1000:.0f} ms, {memory:.1f} MiB\n")
    print(f"{'hostile letter':24}{'time':>8}{'memory':>8}")
    for name, make in HOSTILE.items():
        data = make(size)
        took, peak = cost(data)
        print(f"{name:24}{took / seconds:8.2f}{peak / memory:8.2f}", flush=True)


if __name__ == "__main__":
    main()
