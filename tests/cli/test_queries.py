"""``held`` and ``unsent``: which letters wait, and what is in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.ledger.records import HeardLetter
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Step
from nomicwolf.letters.letter import Outgoing, Raw
from nomicwolf.run.letter_intake import unread_letter
from nomicwolf.settings.load import load
from tests.run.world import BEGIN, World, running_world

pytestmark = pytest.mark.slow

LETTER = b"""From: Ash <ash@players.test>\r
To: agora-business@lists.agora.test\r
Message-ID: <odd@players.test>\r
Date: Tue, 01 Dec 2026 01:00:00 +0000\r
Subject: =?utf-8?q?a_=1B[2Jletter?=\r
MIME-Version: 1.0\r
Content-Type: text/plain; charset=utf-8\r
\r
I vote for \x1b[31mGus\x1b[0m.\r
\xe2\x80\xaeThis message is a joke.\r
"""


@pytest.fixture
def waiting(tmp_path: Path) -> tuple[World, int]:
    """A contest with one letter that waits for a ruling, and the number of that letter."""
    with running_world(tmp_path / "contest") as world:
        world.deliver("odd", LETTER, BEGIN + 3600)
        world.deliver("more", LETTER.replace(b"Gus", b"Fay"), BEGIN + 3700)
        world.poll(BEGIN + 4000)
    with world.store() as store:
        (kept, *_) = store.held()
    return world, kept.entry


def test_a_letter_is_shown_with_its_text(waiting: tuple[World, int], capsys: pytest.CaptureFixture[str]) -> None:
    """Head, reason and text, each line marked; no escape is left, and marks that turn text around are spelled out."""
    world, number = waiting
    assert run(["-C", str(world.folder), "held"]) == 0
    assert f"letter {number}" in capsys.readouterr().out
    assert run(["-C", str(world.folder), "held", str(number)]) == 0
    said = capsys.readouterr().out

    assert "From: Ash <ash@players.test>" in said
    assert "Subject: a [2Jletter" in said
    assert "| I vote for [31m" in said
    assert "| \\u202eThis message is a joke." in said
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert f"nomicwolf release {number}" in said


def test_what_other_readers_saw_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A letter whose HTML says something else than its text: both are shown to whoever rules on it."""
    both = (b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nI vote for Gus.\r\n"
            b"--b\r\nContent-Type: text/html\r\n\r\n<p>I vote for Bex.</p>\r\n--b--\r\n")
    with running_world(tmp_path / "contest") as world:
        world.deliver("both", LETTER.partition(b"Content-Type")[0] + both, BEGIN + 3600)
        world.poll(BEGIN + 4000)
    with world.store() as store:
        (kept,) = store.held()

    assert run(["-C", str(world.folder), "held", str(kept.entry)]) == 0
    said = capsys.readouterr().out
    assert "Held: its HTML copy does not have this line: I vote for Gus." in said
    assert "| I vote for Bex.  (html-only-copy)" in said


def test_programs_get_the_text_as_it_is(waiting: tuple[World, int], capsys: pytest.CaptureFixture[str]) -> None:
    """With --json the body is whole."""
    world, number = waiting
    assert run(["-C", str(world.folder), "held", str(number), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)

    assert told["schema"] == 1
    assert told["number"] == number
    assert told["from"] == ["ash@players.test"]
    assert "\u202eThis message is a joke." in told["body"]


def test_a_number_that_is_none_is_told(waiting: tuple[World, int], capsys: pytest.CaptureFixture[str]) -> None:
    """The error names the numbers that there are."""
    world, number = waiting
    assert run(["-C", str(world.folder), "held", "9999"]) == 1
    assert f"waiting are: {number}" in capsys.readouterr().err


def test_a_letter_that_was_set_aside_whole_is_listed(
    waiting: tuple[World, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """A letter over which the program failed is in no entry; it is named with its place and the line to report."""
    world, _ = waiting
    raw = Raw("maildir:bad", 9, BEGIN, b"From: x\r\n\r\nx", 14)
    bad = HeardLetter(raw, unread_letter(raw, "defect: KeyError in x.py:1"), "held", why="defect: KeyError in x.py:1")
    with world.store() as store:
        store.append(Step(store.last(), (), (bad,), now=BEGIN + 5000))

    assert run(["-C", str(world.folder), "held"]) == 0
    assert "Set aside whole (defect: KeyError in x.py:1): maildir:bad" in capsys.readouterr().out
    assert run(["-C", str(world.folder), "held", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["set_aside"][0]["place"] == "maildir:bad"


def test_a_letter_of_unknown_fate_is_sent_again_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is listed with its number and the reason; --again queues it; an unknown number is refused."""
    with running_world(tmp_path / "contest") as world:
        folder = str(world.folder)
    settings = load(world.folder, {}, mail=False)
    with Store.open(settings.ledger.url, settings.contest.id) as store:
        letter = Outgoing("s1/e9/public/agora", "public", "[Wolf] Day 1", "text", 1, forum="agora")
        store.append(Step(store.last(), (), (), (letter,), None, now=2))
        store.outbox().mark_sending(letter.key, b"bytes", "<lost@wolf.test>", 3)
        store.outbox().mark_unknown(letter.key, "no reply after DATA", 4)

    assert run(["-C", folder, "unsent", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["unsent"]
    assert (row["state"], row["to"], row["error"]) == ("unknown", "agora", "no reply after DATA")
    assert run(["-C", folder, "unsent", "--again", "9999"]) == 1
    assert "No letter 9999" in capsys.readouterr().err
    assert run(["-C", folder, "unsent", "--again", str(row["number"])]) == 0
    capsys.readouterr()
    assert run(["-C", folder, "unsent"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("1 letter goes by itself, with a poll:\n")
    assert "the next one" in said


def test_status_shows_where_every_letter_went(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Received = the sum of the buckets, owed = the sum of the states: for the contestmaster alone."""
    with running_world(tmp_path / "contest") as world:
        capsys.readouterr()

        assert run(["-C", str(world.folder), "status", "--json"]) == 0
        mail = json.loads(capsys.readouterr().out)["mail"]
        assert mail["owed"] == sum(mail["states"].values()) == len(world.smtp.taken)
        assert mail["received"] == sum(mail["buckets"].values()) == 0
        assert run(["-C", str(world.folder), "status"]) == 0
        assert f"Letters owed: {mail['owed']} ({mail['owed']} sent)." in capsys.readouterr().out
