"""``check`` and ``read`` tell how certain the authors of letters are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.cli.check import identity_faults, weak_settings
from tests.post.scripted import SmtpScript
from tests.run.world import BEGIN, World, letter, make_world, running_world

HOUR = 3600


def world_of(folder: Path, more: str) -> World:
    """A contest with more settings."""
    made = make_world(folder / "c", 25, SmtpScript())
    toml = made.folder / "contest.toml"
    toml.write_text(toml.read_text() + "\n" + more)
    return made


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('[identity]\narc_sealers = ["lists.agora.test"]', "arc_sealers"),
        ('[identity]\nnameservers = ["dns.example"]', "nameservers"),
        ("[identity]\nsubaddresses = true", ""),
        ('[assurance]\npublic = "forum"', "contest.mail_hosts"),
    ],
)
def test_settings_that_cannot_work_are_told(tmp_path: Path, more: str, fault: str) -> None:
    """Each with what to do."""
    found = list(identity_faults(world_of(tmp_path, more).settings))
    assert [fault in line for line in found] == ([True] if fault else [])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", "wolf+TAG@contest.test"),
        ("[identity]\nsubaddresses = false", "forges"),
        ('[identity]\nsubaddresses = false\n[assurance]\nprivate = "confirmed"', ""),
        ('[assurance]\nprivate = "from"', "forges"),
    ],
)
def test_what_is_left_open_is_told(tmp_path: Path, more: str, said: str) -> None:
    """Where there are no subaddresses, what follows from that is said, and how to mend it."""
    found = list(weak_settings(world_of(tmp_path, more).settings))
    assert [said in line for line in found] == ([True] if said else [])


def test_read_tells_what_would_wait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The level that a letter reaches, and whether its acts would be put aside."""
    with running_world(tmp_path / "c") as world:
        file = tmp_path / "letter.eml"
        file.write_bytes(letter("one", "Bex", "ask: may I?", BEGIN + HOUR, "wolf@contest.test"))

        assert run(["-C", str(world.folder), "read", "--json", str(file)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["letter"]["assurance"] == "from"
        assert [deed.get("waits") for deed in found["deeds"]] == ["to be confirmed"]

        tags = [data for to, data in world.smtp.taken if to == "bex@players.test" and b"Reply-To: wolf+" in data]
        address = tags[-1].partition(b"Reply-To: ")[2].partition(b"\r\n")[0].decode()
        file.write_bytes(letter("one", "Bex", "ask: may I?", BEGIN + HOUR, address))
        assert run(["-C", str(world.folder), "read", "--json", str(file)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["letter"]["assurance"], [deed.get("waits") for deed in found["deeds"]]) == ("signed", [None])
