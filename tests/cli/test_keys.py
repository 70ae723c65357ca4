"""``party key``: what is registered is a public key, whole; it is in the record afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from pysequoia import Cert, Tsk

from nomicwolf.cli.app import order_of, run
from nomicwolf.nomic.law import KeyAdded, KeyRemoved
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import World, make_world

ASH = Tsk.generate("Ash <ash@players.test>")
PUBLIC = str(ASH.extract_certificate())


def keyed(folder: Path) -> World:
    """A contest that knows Ash and Bex."""
    script = SmtpScript()
    with smtp_server(script) as port:
        world = make_world(folder, port, script)
        for who in ("Ash", "Bex"):
            world.command("party-add", who=who, address=f"{who.lower()}@players.test")
    return world


def test_a_key_is_added_once_and_removed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is one person's alone; short key ids are refused."""
    world = keyed(tmp_path / "c")
    file = tmp_path / "ash.asc"
    file.write_text(PUBLIC)
    mark = ASH.extract_certificate().fingerprint
    base = ["-C", str(world.folder), "party", "key"]

    assert run([*base, "add", "Ash", str(file)]) == 0
    assert mark in capsys.readouterr().out
    assert run([*base, "add", "Bex", str(file)]) == 1
    assert "Ash's already" in capsys.readouterr().err
    assert run([*base, "remove", "Ash", mark[-8:]]) == 2
    assert run([*base, "remove", "Ash", mark.upper()]) == 0
    with world.store() as store:
        events = [e.event for e in store.record() if isinstance(e.event, (KeyAdded, KeyRemoved))]
    assert [(type(e), e.fingerprint) for e in events] == [(KeyAdded, mark), (KeyRemoved, mark)]


def revoked() -> str:
    """A public key that its owner has revoked."""
    key = ASH.extract_certificate()
    return str(Cert.from_bytes(bytes(key) + bytes(key.revoke(ASH.certifier()))))


@pytest.mark.parametrize(("text", "says"), [
    ("", "has 0 keys"), ("no key", "has no OpenPGP public key"),
    (PUBLIC + str(Tsk.generate("x").extract_certificate()), "has 2 keys"), (str(ASH), "holds a SECRET key"),
    (revoked(), "its key has been revoked"),
])
def test_what_is_no_one_public_key_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, says: str
) -> None:
    """Nothing, two keys, a secret key, and one that its owner has revoked; it is said which."""
    world = keyed(tmp_path / "c")
    file = tmp_path / "key"
    file.write_text(text)
    assert run(["-C", str(world.folder), "party", "key", "add", "Ash", str(file)]) == 2
    assert f"{file}: {says}" in " ".join(capsys.readouterr().err.split())


def test_no_rehearsal_and_no_mail_reads_a_file(tmp_path: Path) -> None:
    """A file's name in an order that others sent is never opened."""
    file = tmp_path / "ash.asc"
    file.write_text(PUBLIC)
    with pytest.raises(ValueError, match="party key"):
        order_of(["party", "key", "add", "Ash", str(file)])
