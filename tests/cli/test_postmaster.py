"""`check` as a postmaster, `dkim`, and letters that leave signed: a contest whose domain is on a name server here."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.proofs.dkim import Dns, dkim_signers
from tests.post.scripted import SmtpScript, smtp_server
from tests.postmaster.zones import Records, good, txt
from tests.run.world import BEGIN, PLAYERS, SEED, World, make_world, new_world, started
from tests.servers.nameserver import nameserver

pytestmark = pytest.mark.slow

NAME = "nomicwolf._domainkey.howl.town"


@contextmanager
def contest(folder: Path, zone: Records | None, more: str = "") -> Iterator[tuple[World, str]]:
    """Give a contest of howl.town, whose domain has *zone*, and the name server's address."""
    script = SmtpScript()
    with smtp_server(script) as port, nameserver(zone) as (address, _):
        world = make_world(folder / "c", port, script)
        toml = world.folder / "contest.toml"
        toml.write_text(toml.read_text().replace("contest.test", "howl.town") + f"""
[identity]
nameservers = ["{address}"]
[domain]
dkim_selector = "nomicwolf"
{more}""")
        toml.chmod(0o600)
        yield world, address


def checked(world: World, capsys: pytest.CaptureFixture[str]) -> tuple[str, list[str]]:
    """Return what `check` says on both sides of the domain: all that is well, and the faults."""
    run(["-C", str(world.folder), "check"])
    out, err = capsys.readouterr()
    return out, [line for line in err.splitlines() if line.startswith("domain:")]


def test_a_domain_that_is_well_is_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What receivers see is told in a note."""
    with contest(tmp_path, good()) as (world, _):
        out, faults = checked(world, capsys)
    assert faults == []
    assert "domain: good" in out
    assert "note: receivers see letters that are proven twice" in out


def test_what_is_missing_is_said_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the check fails by it."""
    with contest(tmp_path, txt(good(), "howl.town")) as (world, _):
        _, faults = checked(world, capsys)
        assert run(["-C", str(world.folder), "check"]) == 1
    line = 'howl.town. IN TXT "v=spf1 mx ~all"'
    assert faults == [f"domain: SPF: howl.town doesn't say who may send for it. Put into the DNS:  {line}"]


def test_without_a_resolver_one_line_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And the other trials go on, none of which fails by it."""
    with contest(tmp_path, None) as (world, _):
        assert run(["-C", str(world.folder), "check"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("howl.town wasn't looked at to its end: no answer about") == 1
    assert "clock: good" in out
    assert "domain: good" not in out


def test_names_for_examples_are_not_asked_about(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The DNS of the world doesn't have them (RFC 6761), so that is said, and nothing is asked."""
    with new_world(tmp_path / "c") as world:
        (world.folder / "contest.toml").chmod(0o600)
        assert run(["-C", str(world.folder), "check"]) == 0
    told = capsys.readouterr().out
    assert "note: contest.test is a name for examples" in told
    assert "domain: good" not in told


def test_a_key_is_made_put_into_the_dns_and_signs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """From no key to a contest whose letters, each with its own bytes kept, are proven to whoever gets them."""
    zone = txt(good(), NAME)
    with contest(tmp_path, zone, "dkim_sign = true") as (world, address):
        file = world.folder / "dkim.key"
        assert any("nomicwolf dkim makes a key" in fault for fault in checked(world, capsys)[1])
        assert run(["-C", str(world.folder), "dkim"]) == 0
        told = capsys.readouterr().out
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert any(NAME in fault for fault in checked(world, capsys)[1])

        zone |= txt({}, NAME, told.partition("TXT ")[2].partition("\n")[0].replace('" "', "").strip('"'))
        assert checked(world, capsys)[1] == []
        before = file.read_bytes()
        assert run(["-C", str(world.folder), "dkim"]) == 0
        assert (file.read_bytes(), "as before" in capsys.readouterr().out) == (before, True)

        started(world).poll(BEGIN)
        taken = [data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") for _, data in world.smtp.taken]
        assert len(taken) > 7
        assert {dkim_signers(data, Dns((address,)).key, 2 * BEGIN) for data in taken} == {("howl.town",)}
        run(["-C", str(world.folder), "check", "--send"])
        assert dkim_signers(world.smtp.taken[-1][1], Dns((address,)).key, 2 * BEGIN) == ("howl.town",)


def test_letters_wait_for_a_key_that_is_gone(tmp_path: Path) -> None:
    """None leaves unsigned where they are to be signed; what is missing is told, and then all go."""
    with contest(tmp_path, good()) as (founded, _):
        world = started(founded)
        world.poll(BEGIN)
        toml = world.folder / "contest.toml"
        usual, sent = toml.read_text(), len(world.smtp.taken)
        world.command("announce", BEGIN + 60, text="A word.")
        toml.write_text(usual.replace("[domain]", "[domain]\ndkim_sign = true"))
        world.command("announce", BEGIN + 90, text="Another word.")
        before = len(world.smtp.taken)
        report = world.poll(BEGIN + 120)
        assert any("dkim.key" in line for line in report.said)
        assert len(world.smtp.taken) == before > sent
        toml.write_text(usual)
        world.poll(BEGIN + 180)
        assert len(world.smtp.taken) > before


def test_a_letter_that_goes_again_is_not_signed_again(tmp_path: Path) -> None:
    """Nobody knows whether it was taken, so it goes with the bytes that it had, though there is another key by then."""
    with contest(tmp_path, good(), "dkim_sign = true") as (world, _):
        assert run(["-C", str(world.folder), "dkim"]) == 0
        for who in PLAYERS:
            world.command("party-add", who=who, address=f"{who.lower()}@players.test")
        world.smtp.data["ash@players.test"] = "drop"
        assert "whether letter" in world.command("start", seed=SEED).said
        with world.store() as store:
            before = {owed.data for owed in store.outbox().in_state("unknown")}
        (world.folder / "dkim.key").unlink()
        assert run(["-C", str(world.folder), "dkim"]) == 0
        world.smtp.data.clear()
        world.smtp.taken.clear()
        world.poll(BEGIN + 60)
        again = {data for to, data in world.smtp.taken if to == "ash@players.test"}
    assert before
    assert before <= again


def test_a_key_that_others_can_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever has it signs as the contest."""
    with contest(tmp_path, good(), "dkim_sign = true") as (world, _):
        run(["-C", str(world.folder), "dkim"])
        (world.folder / "dkim.key").chmod(0o644)
        run(["-C", str(world.folder), "check"])
        assert f"chmod 600 {world.folder / 'dkim.key'}" in capsys.readouterr().err
        (world.folder / "dkim.key").write_text("no key")
        assert run(["-C", str(world.folder), "dkim"]) == 1
        assert "move it away" in capsys.readouterr().err


@pytest.mark.parametrize(("more", "said"), [
    ('leaves_from = ["mx.howl.town"]', "domain.leaves_from: 'mx.howl.town' is no address"),
    ('dkim_key_file = ""', "domain.dkim_key_file: must not be empty"),
])
def test_a_setting_that_cannot_be_is_told(
    more: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As any other wrong key."""
    with contest(tmp_path, good(), more) as (world, _):
        assert run(["-C", str(world.folder), "check"]) == 1
    assert said in capsys.readouterr().err
