"""Whatever people are called and however they write: erased, no byte of theirs is left, and the contest is the same."""

from __future__ import annotations

import os
import re
import shutil
from base64 import b64encode
from collections.abc import Iterable
from email.header import Header
from itertools import count
from pathlib import Path
from quopri import encodestring
from typing import Literal, NamedTuple, TypeAlias, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomicwolf.archive import write
from nomicwolf.cli.app import run
from nomicwolf.contest import Contest
from nomicwolf.letters.parts import squeezed
from nomicwolf.letters.pseudonyms import readable
from nomicwolf.maillist import distributed
from nomicwolf.run.copies import published
from nomicwolf.run.personal_data import erase
from tests.run.test_erasing import LATE, contest_of, files_of
from tests.run.world import BEGIN, FORUMS, World, make_settings

pytestmark = pytest.mark.slow

EXAMPLES = max(3, int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) // 15)
HOUR = 3600
NUMBERS = count()
WORD = st.text("abcdefghijklmnopqrstuvwxyzäöüßéøł", min_size=7, max_size=12).map(lambda word: f"{word}xq")
"""A word that the program has nowhere: Hypothesis takes words from the sources, too."""
NAME = st.from_regex(r"[A-ZÄØŁ][a-zäöéø]{4,9}", fullmatch=True)
LOCAL = st.from_regex(r"[a-z][a-z0-9]{3,6}[._+-][a-z0-9]{4,8}", fullmatch=True)


Form: TypeAlias = Literal["plain", "html", "both"]
"""Of a letter: text, HTML, or both, of which the HTML has all lines in one."""


class Writer(NamedTuple):
    """Somebody: a display name, an address, words that e writes, and how eir mail program encodes and forms them."""

    shown: str
    address: str
    words: list[str]
    encoding: str
    form: Form

    @property
    def text(self) -> str:
        """Return what e writes, the last words as a signature."""
        return f"{' '.join(self.words[:-3])}\nhelp\n-- \n{' '.join(self.words[-3:])}"


writers = st.builds(
    Writer, st.builds(lambda *names: " ".join(names), NAME, NAME), LOCAL.map(lambda local: f"{local}@real.test"),
    st.lists(WORD, min_size=9, max_size=14, unique=True), st.sampled_from(["8bit", "base64", "quoted-printable"]),
    st.sampled_from(get_args(Form)))


def written(
    name: str, sender: str, text: str, at: int, encoding: str, form: Form = "plain", to: str = "wolf@contest.test"
) -> bytes:
    """Return a letter as a mail program makes it."""
    line = "<br>" if form == "html" else " "
    page = f"<html><body>{text.replace(chr(10), line)}</body></html>"
    shown, _, address = sender.rpartition(" ")
    domain = address.strip("<>").rpartition("@")[2]
    head = (f"From: {Header(shown, 'utf-8').encode()} {address}\r\nTo: {to}\r\nMessage-ID: <{name}@{domain}>\r\n"
            "Subject: a letter\r\nMIME-Version: 1.0\r\n").encode()
    if form != "both":
        return head + _part(page if form == "html" else text, form, encoding)
    return b"".join((
        head, b"Content-Type: multipart/alternative; boundary=apart\r\n\r\n--apart\r\n", _part(text, "plain", encoding),
        b"--apart\r\n", _part(page, "html", encoding), b"--apart--\r\n"))


def _part(text: str, kind: str, encoding: str) -> bytes:
    body = text.encode() + b"\r\n"
    coded = {"8bit": lambda: body, "base64": lambda: b64encode(body) + b"\r\n",
             "quoted-printable": lambda: encodestring(body)}[encoding]()
    head = f"Content-Type: text/{kind}; charset=utf-8\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return head.encode() + coded


def lived(world: World, writer: Writer, shout: bool) -> None:
    """Let the writer join, write, be quoted and talked of, and leave."""
    assert world.command("party-add", who="Zed", address=writer.address).status == 0
    world.deliver("z1", written("z1", f"{writer.shown} <{writer.address}>", writer.text, BEGIN, writer.encoding,
                                writer.form), BEGIN + HOUR)
    quoted = writer.text.replace("\n", "\n> ")
    talk = f"> {quoted}\n\n{writer.shown} ({writer.address}) is odd."
    forum = FORUMS["agora"]
    said = written("b1", "Bex <bex@players.test>", talk.upper() if shout else talk, BEGIN,
                   "base64" if writer.encoding == "8bit" else "8bit",
                   to=f"{Header(writer.shown, 'utf-8').encode()} <{writer.address}>, {forum.address}")
    world.deliver("b1", distributed(said, forum, BEGIN + HOUR), BEGIN + HOUR + 1)
    assert world.poll(BEGIN + 2 * HOUR).status in (0, 75)
    assert world.command("party-remove", who="Zed", why="so", at=BEGIN + 3 * HOUR).status == 0
    assert world.poll(BEGIN + 4 * HOUR).status in (0, 75)
    write(published(world.settings), world.settings.archive.path)


def left_of(words: Iterable[str], world: World) -> set[str]:
    """Return which of *words* can still be read: in any file as it is, or in any letter as it is decoded."""
    texts = [file.read_bytes().decode("utf-8", "replace") for file in files_of(world)]
    with world.store() as store:
        texts += [readable(kept.raw.data) for kept in store.letters()]
        texts += [readable(one.data) for one in store.outbox().each() if one.data]
    said = "\n".join(texts).casefold()
    run_together = said.upper()
    return {each for each in words if re.search(rf"(?<!\w){re.escape(each.casefold())}(?!\w)", said)
            or (len(squeezed(each)) > 6 and squeezed(each) in run_together)}


def demand_same(world: World, before: Contest) -> None:
    """AssertionError unless the contest is as *before*, and its record verifies and replays."""
    after = contest_of(world)
    assert after.parties == before.parties
    assert {n: (g.seats, g.alive) for n, g in after.games.items()} == {
        n: (g.seats, g.alive) for n, g in before.games.items()}
    with world.store() as store:
        assert store.verify() == []
    assert run(["-C", str(world.folder), "replay"]) == 0


@given(writers, st.booleans())
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_left_and_the_contest_is_the_same(
    template: World, tmp_path: Path, writer: Writer, shout: bool
) -> None:
    """Ledger, WAL, backups, archive, journals: no name, no address, no word; the record verifies and replays."""
    folder = tmp_path / str(next(NUMBERS))
    shutil.copytree(template.folder, folder)
    world = World(make_settings(folder, 9), template.smtp)
    lived(world, writer, shout)
    known = (writer.shown, writer.address, *writer.words)
    assert writer.address in left_of(known, world)
    before = contest_of(world)

    erase(world.settings, "Zed", lambda: LATE)

    assert left_of(known, world) == set()
    demand_same(world, before)
