"""``party key``, ``party export`` and ``party erase`` from the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pysequoia import Cert, Tsk

from nomicwolf.cli.app import order_of, run
from nomicwolf.nomic.law import KeyAdded, KeyRemoved
from tests.run.test_erasing import OWN, lived
from tests.run.world import World, new_world, running_copy, running_world

ASH = Tsk.generate("Ash <ash@players.test>")
PUBLIC = str(ASH.extract_certificate())


def keyed(folder: Path) -> World:
    """A contest that knows Ash and Bex."""
    with new_world(folder) as world:
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


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Return a contest that Gus was in."""
    with running_world(tmp_path_factory.mktemp("template") / "contest") as made:
        return lived(made)


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """Return a copy of it."""
    with running_copy(template, tmp_path / "contest") as made:
        yield made


def test_a_person_gets_what_is_kept(world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names, addresses, letters as they came, letters to em, and the record as far as e may know it."""
    target = tmp_path / "for-gus"

    assert run(["-C", str(world.folder), "party", "export", "Gus", str(target)]) == 0

    found = json.loads((target / "person.json").read_text())
    assert found["schema"] == 1
    assert {"Gus", "Gutmann", "Gustav Gutmann"} <= {*found["names"]}
    assert found["addresses"] == ["gus@players.test", "gustav.gutmann@old.test"]
    assert any(OWN in each["body"] for each in found["letters"])
    assert any(OWN.encode() in file.read_bytes() for file in target.glob("*.eml"))
    assert len(found["sent"]) > 1
    assert {"lynched", "person-known", "letter-heard"} <= {next(iter(each["event"])) for each in found["record"]}
    assert target.stat().st_mode & 0o777 == 0o700
    assert "Give it to em alone" in capsys.readouterr().out


def test_secrets_of_the_session_are_left_out(world: World, tmp_path: Path) -> None:
    """Who saw em, and who holds which role, is not eirs to know while the session goes on."""
    assert run(["-C", str(world.folder), "party", "export", "Gus", str(tmp_path / "g")]) == 0

    found = json.loads((tmp_path / "g" / "person.json").read_text())

    assert found["withheld"] > 0
    assert not any({"opened", "drawn"} & {*each["event"]} for each in found["record"])


def test_what_is_kept_goes_by_letter(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """To eir own address alone; the record replays with that letter in the outbox."""
    before = len(world.smtp.taken)

    assert run(["-C", str(world.folder), "party", "export", "Gus", "--mail", "--at", "2026-12-01T05:00Z"]) == 0

    (to, data), = world.smtp.taken[before:]
    assert to == "gus@players.test"
    assert OWN[:30].encode() in data
    assert b"Letters of yours: 4." in data
    assert "is told at gus@players.test" in capsys.readouterr().out
    assert run(["-C", str(world.folder), "replay"]) == 0


@pytest.mark.parametrize("words", [("export",), ("erase",)])
def test_nobody_is_told_apart(world: World, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """Who isn't known is an error that names who is."""
    assert run(["-C", str(world.folder), "party", *words, "Nemo"]) == 1
    assert "nobody here is called 'Nemo'; the contest knows" in capsys.readouterr().err
