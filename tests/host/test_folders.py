"""A contest's files on a worker's disk: for this user alone, whole or not at all, and none that is long gone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from nomicwolf.host import registry
from nomicwolf.host.admission import take_folder
from nomicwolf.host.health import Meters
from nomicwolf.host.registry import lay_out, place_of, places, settings_in, take_away
from nomicwolf.host.worker import Worker
from nomicwolf.settings import SettingsError
from tests.host.hosted import Host

FILES = {"contest.toml": b"title", "contest.key": b"secret", "templates/private.txt": b"{{ who }}",
         "secrets/mail/smtp.password": b"sesame"}


def test_files_are_this_users_alone(host: Host) -> None:
    """Others on the machine neither read them nor learn their names."""
    place = lay_out(host.settings, "c1", 7, FILES)
    assert {file.relative_to(place).as_posix(): file.read_bytes() for file in place.rglob("*.*")} == FILES
    found = [place.parent, place, *place.rglob("*")]
    assert {stat.S_IMODE(file.stat().st_mode) for file in found if file.is_file()} == {0o600}
    assert {stat.S_IMODE(file.stat().st_mode) for file in found if file.is_dir()} == {0o700}


def test_two_workers_of_one_machine_lay_out_the_same(host: Host) -> None:
    """Who is later finds the files there, and leaves no pieces; who can't write says so."""
    first = lay_out(host.settings, "c1", 7, FILES)
    assert lay_out(host.settings, "c1", 7, FILES) == first
    assert [place.name for place in first.parent.iterdir()] == ["7"]
    (first.parent / "8").write_text("in the way")
    with pytest.raises(NotADirectoryError):
        lay_out(host.settings, "c1", 8, FILES)
    assert sorted(place.name for place in first.parent.iterdir()) == ["7", "8"]


def test_the_files_before_stay_for_the_turn_that_is_at_them(host: Host) -> None:
    """Those of still earlier settings go; what isn't ours stays."""
    folder = host.contest("c1", player=False)
    laid = host.folder / "laid-out" / "c1"
    (laid / "notes").mkdir(parents=True)
    worker, revisions = Worker(host.settings, "w1", Meters()), []
    for _ in range(4):
        assert worker.take("c1").status == 0
        revisions += [str(revision) for (revision,) in host.ask("SELECT revision FROM host.contests")]
        assert sorted(place.name for place in laid.iterdir()) == [*revisions[-2:], "notes"]
        assert host.host("add", str(folder), "--tenant", "murphy") == 0


def test_places_are_those_of_contests(host: Host) -> None:
    """Whatever else lies there is left alone, and an empty folder of a contest's goes with its files."""
    assert places(host.settings) == {}
    found = [lay_out(host.settings, name, 7, FILES) for name in ("c1", "c2")]
    (host.settings.worker.folder / "README").write_text("ours")
    (found[0].parent / "notes").mkdir()
    assert places(host.settings) == {"c1": [found[0]], "c2": [found[1]]}
    take_away(found)
    assert sorted(place.name for place in host.settings.worker.folder.iterdir()) == ["README", "c1"]
    assert [place.name for place in found[0].parent.iterdir()] == ["notes"]


def test_no_machines_environment_reaches_a_contest(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker is started with is the host's: it would be every contest's."""
    folder = host.contest("c1", player=False)
    monkeypatch.setenv("NOMICWOLF_CONTEST_NAME", "Elsewhere")
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    with registry.opened(host.settings) as connection:
        (one,) = registry.hosted(connection)
        place, _ = registry.laid_out(connection, host.settings, one)
    assert settings_in(host.settings, place, one.tenant).contest.name != "Elsewhere"
    assert place == place_of(host.settings, "c1", one.revision)


def test_all_that_polls_need_comes_along(host: Host) -> None:
    """Settings, templates, key and the files that any table names; not what else lies in the folder."""
    folder = host.contest("c1", player=False)
    (folder / "contest.toml").write_text((folder / "contest.toml").read_text().replace(
        "[smtp]", '[smtp]\nuser = "u"\npassword_file = "passwords/smtp"') + '\n[ledger]\nkey_file = "ledger"\n')
    (folder / "c.toml").write_text("# a nomic's profile")
    for name in ("passwords/smtp", "ledger", "templates/public.txt", "templates/public.txt~", "contest.db", "notes"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("KrKZVnqf9k5FAoECgsOp25xs5ZszWwxCAeBd1Pnvv24=")
    with take_folder(folder) as found:
        assert sorted(found.files) == [
            "c.toml", "contest.key", "contest.toml", "ledger", "passwords/smtp", "templates/public.txt"]


def test_a_mailbox_in_the_folder_is_refused_whatever_its_kind(host: Host) -> None:
    """An mbox there would be a copy that nothing is delivered to, as a Maildir would."""
    folder = host.contest("c1", player=False)
    toml = (folder / "contest.toml").read_text()
    (folder / "contest.toml").write_text(toml.replace("[maildir]", "[mbox]").replace(
        f"{host.folder / 'mail' / 'c1'}", f"{Path('inbox.mbox')}"))
    with pytest.raises(SettingsError, match=r"mbox\.path: is in the contest's folder"), take_folder(folder):
        pass
