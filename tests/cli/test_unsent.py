"""What did not surely arrive: shown, and sent again when the contestmaster says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Outgoing
from nomicwolf.settings.load import load
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import make_world, running_world, started


def test_a_letter_of_unknown_fate_is_sent_again_on_demand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is listed with its number and the reason; --again queues it; an unknown number is refused."""
    with smtp_server(SmtpScript()) as port:
        world = started(make_world(tmp_path / "contest", port, SmtpScript()))
    folder = str(world.folder)
    settings = load(world.folder, {}, mail=False)
    with Store.open(settings.ledger.url, settings.contest.id) as store:
        letter = Outgoing("s1/e9/public/agora", "public", "[Wolf] Day 1", "text", 1, forum="agora")
        store.append(store.last(), (), (), (letter,), None, now=2)
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
