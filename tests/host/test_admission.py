"""Contests come to the host: with their ledgers, sealed; and what only one machine has is refused."""

from __future__ import annotations

import logging
import socket
import stat
import time
from pathlib import Path

import pytest
from sqlalchemy import make_url

from nomicwolf.cli.app import run
from nomicwolf.host.health import Meters
from nomicwolf.host.registry import seal, unseal, url_as
from nomicwolf.host.schema import PREFIX
from nomicwolf.host.worker import Worker
from nomicwolf.ledger.encryption import make_key
from nomicwolf.ledger.store import Store
from nomicwolf.run import poll
from nomicwolf.run.resources import last_run, turn
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from tests.host.hosted import Host, until


def refused(host: Host, capsys: pytest.CaptureFixture[str], folder: Path, tenant: str = "murphy") -> str:
    """Return why the host doesn't take a contest."""
    capsys.readouterr()
    assert host.host("add", str(folder), "--tenant", tenant) == 1
    return capsys.readouterr().err


@pytest.fixture
def folder(host: Host) -> Path:
    """Return a contest's folder that the host doesn't have yet."""
    from tests.host.hosted import CONTEST

    made = host.folder / "own"
    made.mkdir()
    for part in ("new", "cur", "tmp"):
        (host.folder / "mail" / "own" / part).mkdir(parents=True)
    (made / "contest.toml").write_text(CONTEST.format(
        contest="own", mail=host.folder / "mail" / "own", port=host.port, more=""))
    return made


def test_a_contest_comes_with_its_ledger(host: Host, folder: Path) -> None:
    """A contest that was polled by cron goes on at the host where it was, with its key and its templates."""
    assert run(["-C", str(folder), "party", "add", "Ash", "ash@players.test"]) == 0
    host.deliver("own", "q1")
    assert poll(load(folder, {}), lambda: int(time.time())).heard == 1
    (folder / "templates").mkdir()
    (folder / "templates" / "private.txt").write_text((Path("nomicwolf/reports/templates/private.txt")).read_text())
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    read = "SELECT last FROM marks WHERE source = 'clock'"
    assert host.ask(read) == [(last_run(load(folder, {})),)], "when the mailbox was last read"
    assert host.host("add", str(folder), "--tenant", "murphy") == 0, "given again, it takes what was changed"
    with Store.open(f"sqlite:///{folder / 'contest.db'}", "own") as old, Store.open(
            url_as(host.url, PREFIX + "murphy"), "own") as new:
        assert tuple(new.record()) == tuple(old.record())
        assert new.verify() == []
    host.deliver("own", "q2")
    host.smtp.taken.clear()
    host.start("w1")
    until("an answer", lambda: host.smtp.taken)
    until("the turn's end", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0"))
    assert [to for to, _ in host.smtp.taken] == ["ash@players.test"], "the second alone is answered"
    assert host.ask("SELECT count(*) FROM letters WHERE bucket <> 'duplicate'") == [(2,)]
    (laid_out,) = (host.folder / "laid-out" / "own").iterdir()
    assert (laid_out / "contest.key").read_text() == (folder / "contest.key").read_text()
    assert {stat.S_IMODE(file.stat().st_mode) for file in laid_out.rglob("*") if file.is_file()} == {0o600}
    assert (laid_out / "templates" / "private.txt").is_file()


def test_changed_settings_reach_the_workers(host: Host) -> None:
    """``add`` again takes what was changed, and nothing else; old files are forgotten after the next but one."""
    folder = host.contest("c1")
    first = host.ask("SELECT revision FROM host.contests")[0][0]
    for title in ("One", "Two", "Three"):
        toml = (folder / "contest.toml").read_text()
        (folder / "contest.toml").write_text(toml + f'title = "{title}"\n' if "title" not in toml else toml)
        assert host.host("add", str(folder), "--tenant", "murphy") == 0
    assert host.ask("SELECT revision FROM host.contests") == [(first + 3,)]
    assert host.host("do", "c1", "status") == 0
    assert host.host("do", "c9", "status") == 1
    assert "title" in (host.folder / "laid-out" / "c1" / str(first + 3) / "contest.toml").read_text()


def test_a_contest_that_comes_back_has_its_new_settings(host: Host) -> None:
    """Removed, changed and added again: no worker takes the files for good that it laid out before."""
    folder = host.contest("c1")
    worker = Worker(host.settings, "w1", Meters())
    assert worker.take("c1").status == 0
    assert host.host("remove", "c1") == 0
    toml = (folder / "contest.toml").read_text()
    (folder / "contest.toml").write_text(toml.replace("/mail/c1", "/mail/nowhere"))
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    assert worker.take("c1").status == 1
    assert "mail/nowhere" in host.ask("SELECT said FROM host.contests")[0][0]


def test_two_ledgers_of_one_contest_are_refused(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The database has a ledger of that name that never came from here: nobody can say which is right."""
    Store.create(host.url, "own").close()
    assert run(["-C", str(folder), "party", "add", "Ash", "ash@players.test"]) == 0
    assert "move one of them away" in refused(host, capsys, folder)
    assert host.ask("SELECT count(*) FROM host.contests") == [(0,)]


def test_a_ledger_that_a_run_is_at_is_not_copied(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cron polls the contest just now, and what it writes would be missing: the command is for later."""
    assert run(["-C", str(folder), "party", "add", "Ash", "ash@players.test"]) == 0
    with turn(load(folder, {})):
        capsys.readouterr()
        assert host.host("add", str(folder), "--tenant", "murphy") == 75
    assert "another run" in capsys.readouterr().err
    assert host.ask("SELECT count(*) FROM host.contests") == host.ask("SELECT count(*) FROM contests") == [(0,)]
    assert host.host("add", str(folder), "--tenant", "murphy") == 0


def test_no_key_is_made_where_there_is_one_or_was(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A contest may have its key in its settings; one with a ledger whose key is gone gets it back, and no other."""
    toml = (folder / "contest.toml").read_text()
    (folder / "contest.toml").write_text(toml.replace("daily_count", f'secret = "{"5ec7" * 16}"\ndaily_count'))
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    assert not (folder / "contest.key").exists()
    assert host.host("remove", "own") == 0
    (folder / "contest.toml").write_text(toml.replace('id = "own"', 'id = "another"'))
    assert run(["-C", str(folder), "party", "add", "Ash", "ash@players.test"]) == 0
    (folder / "contest.key").unlink()
    assert "contest.key" in refused(host, capsys, folder)
    assert not (folder / "contest.key").exists()


@pytest.mark.parametrize(("change", "says"), [
    (("[smtp]", '[smtp]\nuser = "u"\npassword_keyring = "k"'), "keyring"),
    (("[smtp]", "[archive]\nwrite = true\n[smtp]"), "archive.write: workers write no archive and run no command of"),
    (("[smtp]", '[archive]\npublish = ["id"]\n[smtp]'), "archive.publish: workers write no archive and run no command"),
    (("[smtp]", '[oauth]\nclient_id = "c"\nprovider = "microsoft"\n[smtp]'), "oauth: a login is renewed in the"),
    (("[smtp]", '[smtp]\nuser = "u"\npassword_file = "../secret"'), "outside the contest's folder"),
    (("[smtp]", '[smtp]\nuser = "u"\npassword_file = "../own/secret"'), "without a '..'"),
    (("[smtp]", '[smtp]\nuser = "u"\npassword_file = "mail/../secret"'), "without a '..'"),
    (("[smtp]", '[smtp]\nuser = "u"\npassword_file = "FOLDER/secret"'), "isn't named from there"),
    (('path = "', 'path = "mail" # "'), "in the contest's folder"),
])
def test_what_only_one_machine_has_is_refused(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, str], says: str
) -> None:
    """Keyrings, files elsewhere and mailboxes in the folder can't be had by workers on other machines."""
    for place in (folder.parent, folder):
        (place / "secret").write_text("s")
    (folder / "mail").mkdir()
    toml = (folder / "contest.toml").read_text().replace(*change)
    (folder / "contest.toml").write_text(toml.replace("FOLDER", str(folder)))
    assert says in refused(host, capsys, folder)


def test_odd_tenants_are_refused(host: Host, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A tenant's name is part of a role's."""
    assert "must be a-z" in refused(host, capsys, folder, 'x"; DROP ROLE')
    assert "41 characters" in refused(host, capsys, folder, 42 * "x")


def test_keys_seal_and_are_replaced() -> None:
    """What one key sealed, another doesn't open; a new first key still opens what the old one sealed."""
    old, new = make_key(), make_key()
    sealed = seal(old, b"secret")
    assert b"secret" not in sealed
    assert unseal(f"{new}\n{old}", sealed) == b"secret"
    assert unseal(new, seal(f"{new}\n{old}", b"secret")) == b"secret"
    for wrong in (new, "no key"):
        with pytest.raises(SettingsError, match=r"database\.key"):
            unseal(wrong, sealed)


@pytest.mark.parametrize(("old", "new", "says"), [
    ("tick = 1", "tick = 7", "worker.tick: must be 1, 2"),
    ("sends = 600", "sends = 0", "limits.sends: must be at least 1"),
    ("sends = 600", "sendz = 1", "did you mean sends?"),
    ("[limits]", "[limit]", "did you mean limits?"),
    ('url = "postgresql+psycopg:', 'url = "sqlite:', "hosts keep nothing in SQLite"),
    ("key_file", "keyfile", "did you mean key_file?"),
    ('"host.key"', '"nowhere"', "database.key_file"),
    ('url = "', 'url = "postgresql+psycopg://wolf@db:port/x" #', "database.url: must be like"),
    ('url = "', 'url = "postgresqldb" #', "database.url: must be like"),
    ("folder =", 'listen = "127.0.0.1:65536"\nfolder =', "worker.listen: must be like 127.0.0.1:9464, with a port"),
])
def test_wrong_settings_are_all_told(
    host: Host, capsys: pytest.CaptureFixture[str], old: str, new: str, says: str
) -> None:
    """Each wrong key of ``host.toml`` is named, with what to write in its place."""
    file = host.folder / "host.toml"
    file.write_text(file.read_text().replace(old, new))
    assert host.host("list") == 1
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("words", [
    ("worker",), ("list",), ("metrics",), ("pause", "c1"), ("remove", "c1"), ("do", "c1", "status")])
@pytest.mark.parametrize("tables", ["the ledger's", "none"])
def test_a_database_that_is_not_set_up(
    host: Host, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], tables: str
) -> None:
    """Workers don't begin, commands do nothing, and say what to run."""
    host.url = host.postgres.empty() if tables == "none" else host.postgres.ledger()
    host.configure()
    assert host.host(*words) == 1
    assert "run `nomicwolf host setup`" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("setup",), ("list",), ("worker",)])
@pytest.mark.parametrize(("wrong", "says"), [
    ({"username": "nobody_here"}, "look at ledger.url, on a host at database.url"),
    ({"database": "not_there"}, "`createdb` makes one, and `nomicwolf host setup` its tables"),
])
def test_a_database_that_lets_nobody_in(
    host: Host, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], wrong: dict[str, str], says: str
) -> None:
    """Whatever is wrong with the URL, it says what to do on a host."""
    host.url = make_url(host.url).set(**wrong).render_as_string(hide_password=False)  # type: ignore[arg-type]
    host.configure()
    assert host.host(*words) == 1
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("words", [("setup",), ("list",), ("worker",)])
def test_a_user_who_may_not(host: Host, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """Someone may log in who owns nothing: no command ends in a defect, each says whom it needs."""
    host.ask("DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'stranger') THEN"
             " CREATE ROLE stranger LOGIN; END IF; END $$")
    host.url = make_url(host.url).set(username="stranger").render_as_string(hide_password=False)
    host.configure()
    assert host.host(*words) == 1
    assert "on a host the owner of the database, who may make roles" in capsys.readouterr().err


def test_a_worker_without_a_key_does_not_begin(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """It could open no contest's files, and would tell each contestmaster so."""
    (host.folder / "host.key").write_text("no key")
    assert host.host("worker") == 1
    assert "database.key: is no key; `nomicwolf host key` makes one" in capsys.readouterr().err


@pytest.mark.parametrize(("listen", "says"), [
    ("nowhere", "--listen nowhere: must be like 127.0.0.1:9464"),
    ("127.0.0.1:65536", "--listen 127.0.0.1:65536: must be like"),
    ("192.0.2.1:9464", "192.0.2.1:9464: Cannot assign requested address; name an address of this machine"),
    ("{taken}", "Address already in use; name an address of this machine and a port that nothing else has"),
])
def test_a_place_that_cannot_be_listened_at(
    host: Host, capsys: pytest.CaptureFixture[str], listen: str, says: str
) -> None:
    """A worker that can't tell how it is doesn't begin, and names the place and what to give it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = listen.replace("{taken}", f"127.0.0.1:{taken.getsockname()[1]}")
        before = list(logging.getLogger().handlers)
        assert host.host("worker", "--listen", place) == 1
        assert logging.getLogger().handlers == before
    said = capsys.readouterr().err
    assert says in said
    assert "worker began" not in said


def test_the_list_shows_all(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Who looks after the host sees each contest, whose it is, and which need someone."""
    assert host.host("list") == 0
    assert "has no contests" in capsys.readouterr().out
    host.contest("c1", player=False)
    assert host.host("pause", "c1") == 0
    capsys.readouterr()
    assert host.host("list") == 0
    assert "c1       murphy  rests" in capsys.readouterr().out
    assert host.host("list", "--json") == 0
    assert '"tenant": "murphy", "paused": true' in capsys.readouterr().out
    assert host.host("metrics") == 0
    assert "nomicwolf_host_paused 1.0" in capsys.readouterr().out


def test_a_password_of_the_environment_is_asked_for_in_the_folder(
    host: Host, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What this machine's environment has is not there where workers poll: no variable is offered, and none heard."""
    monkeypatch.setenv("NOMICWOLF_SMTP_PASSWORD", "known here alone")
    settings = folder / "contest.toml"
    settings.write_text(settings.read_text().replace("[smtp]", '[smtp]\nuser = "wolf"', 1))

    said = refused(host, capsys, folder)

    assert "set smtp.password or smtp.password_file in the folder: the workers have nothing of this" in said
    assert "NOMICWOLF" not in said
