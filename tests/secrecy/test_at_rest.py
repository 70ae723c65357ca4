"""A session over a mailbox, a ledger and SMTP, with all logging on: nothing it writes tells a body, role or address."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from nomicwolf.ledger.sealing import make_key
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, PLAYERS, letter, make_world, started

TO = "wolf@contest.test"


def test_a_session_writes_no_secret_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Logs, output and the ledger's files are searched; the mailbox and the settings are what they are."""
    caplog.set_level(logging.DEBUG)
    script = SmtpScript()
    with smtp_server(script) as port:
        world = make_world(tmp_path, port, script)
        (tmp_path / "ledger.key").write_text(make_key())
        with (tmp_path / "contest.toml").open("a", encoding="utf-8") as file:
            file.write('[ledger]\nkey_file = "ledger.key"\n')
        started(world)
        for number, who in enumerate(PLAYERS):
            world.deliver(f"n{number}", letter(f"n{number}", who, "see Gus xyzzy", BEGIN + 60, TO), BEGIN + 60)
            world.post(f"v{number}", who, "I vote for Gus.", BEGIN + 120)
        assert world.poll(BEGIN + 600).heard
        world.poll(BEGIN + 2 * 86_400)
    said = "".join(capfd.readouterr()) + caplog.text
    files = b"".join(path.read_bytes() for path in tmp_path.glob("*")
                     if path.is_file() and path.name not in ("contest.toml", "ledger.key"))

    assert len(script.taken) > len(PLAYERS)
    addresses = [f"{who.lower()}@players.test" for who in PLAYERS]
    for word in ("xyzzy", "see Gus", "I vote", "You are", "werewolf", "Seer", *addresses):
        assert word not in said
        assert word.encode() not in files
