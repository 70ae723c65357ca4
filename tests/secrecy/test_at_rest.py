"""A session over a mailbox, a ledger and SMTP, with all logging on: nothing it writes tells a body, role or address."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from nomicwolf.ledger.encryption import make_key
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, PLAYERS, SEED, letter, make_world

TO = "wolf@contest.test"
WORDS = ("xyzzyplugh", "see Gus", "I vote", "You are", "werewolf", '"seer"', "the Seer",
         *(f"{who.lower()}@players.test" for who in PLAYERS))
"""What is searched for. What is sealed lies in base64, half a million letters of it: a word of four of its letters
stands in there by chance in one session of thirty."""
BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=")


def a_session(folder: Path, *, sealed: bool) -> bytes:
    """Play a session in *folder*, and return the bytes of its ledger and of what else lies there."""
    script = SmtpScript()
    with smtp_server(script) as port:
        world = make_world(folder, port, script)
        if sealed:
            (folder / "ledger.key").write_text(make_key())
            with (folder / "contest.toml").open("a", encoding="utf-8") as file:
                file.write('[ledger]\nkey_file = "ledger.key"\n')
        for who in PLAYERS:
            world.command("party-add", who=who, address=f"{who.lower()}@players.test")
        assert world.command("start", seed=SEED, roles=("seer", "hunter")).status == 0
        for number, who in enumerate(PLAYERS):
            data = letter(f"n{number}", who, "see Gus xyzzyplugh", BEGIN + 60, TO)
            world.deliver(f"n{number}", data, BEGIN + 60)
            world.post(f"v{number}", who, "I vote for Gus.", BEGIN + 120)
        assert world.poll(BEGIN + 600).heard
        world.poll(BEGIN + 2 * 86_400)
    assert len(script.taken) > len(PLAYERS)
    return b"".join(path.read_bytes() for path in folder.glob("*")
                    if path.is_file() and path.name not in ("contest.toml", "ledger.key"))


def test_a_session_writes_no_secret_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Logs, output and the ledger's files are searched; the mailbox and the settings are what they are."""
    caplog.set_level(logging.DEBUG)
    files = a_session(tmp_path, sealed=True)
    said = "".join(capfd.readouterr()) + caplog.text

    assert said
    for word in WORDS:
        assert word not in said
        assert word.encode() not in files


def test_the_search_would_find_a_secret(tmp_path: Path) -> None:
    """Without a key each word lies in the ledger; none is so short that what is sealed holds it by chance."""
    files = a_session(tmp_path, sealed=False)

    for word in WORDS:
        assert word.encode() in files, word
        assert len(word) >= 8 or not BASE64.issuperset(word)
