"""Letters are forgotten when their time is over, and backups are made before phases and upgrades."""

import shutil
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.run.copies import backups, make_backup
from nomicwolf.run.resources import VERSION, lock_file, write_line
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from tests.run.steps import Died, Fuse, burning
from tests.run.test_erasing import FULL, OWN
from tests.run.world import BEGIN, World, letter

pytestmark = pytest.mark.slow

HOUR, DAY = 3600, 86400


def keeping(world: World, *lines: str) -> World:
    """Add a table ``keep`` to the contest's settings."""
    world.add("\n[keep]\n" + "\n".join(lines) + "\n")
    return world


def test_old_letters_are_forgotten(file_world: World) -> None:
    """After its time a letter's words and bytes are gone from all files; what it did stays, and the ledger is whole."""
    world = old_letter(keeping(file_world, 'letters = "30d"'))
    assert any(OWN.encode() in file.read_bytes() for file in world.folder.glob("contest.db*"))

    assert world.poll(BEGIN + 40 * DAY).status == 0

    assert not any(OWN.encode() in file.read_bytes() for file in world.folder.glob("contest.db*"))
    with world.store() as store:
        assert store.verify() == []
        assert {kept.raw.data for kept in store.letters()} == {b""}
        assert all(kept.letter.senders for kept in store.letters())
    assert run(["-C", str(world.folder), "ledger", "verify"]) == 0
    assert world.poll(BEGIN + 40 * DAY + HOUR).idle
    assert not world.poll(BEGIN + 42 * DAY).idle


def _letters_have(world: World, text: str) -> bool:
    with world.store() as store:
        return any(text in kept.letter.body or text.encode() in kept.raw.data for kept in store.letters())


def test_a_session_in_progress_keeps_its_letters(file_world: World) -> None:
    """However long it lasts: what was said in it may still be asked about."""
    world = keeping(file_world, 'letters = "1d"')
    world.deliver("a", letter("a", "Ash", OWN, BEGIN + HOUR), BEGIN + HOUR)
    assert world.poll(BEGIN + 2 * HOUR).status == 0

    world.poll(BEGIN + 9 * DAY)

    assert _letters_have(world, OWN)


@pytest.mark.parametrize("given", ["1", "one year", "0d", "1 y", "12h"])
def test_how_long_must_be_a_time(file_world: World, given: str) -> None:
    """A number of days, weeks, months or years."""
    with pytest.raises(SettingsError, match=r"keep\.letters: .* write a number with d, w, m or y"):
        load(keeping(file_world, f'letters = "{given}"').folder, {})


def test_a_backup_before_each_phase(file_world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """The night's beginning lies behind a copy of the day, proved whole, and `restore --list` names it."""
    for who in ("Ash", "Bex", "Cam", "Dov"):
        file_world.post(f"v-{who}", who, "I vote for Gus.", BEGIN + HOUR)
    assert file_world.poll(BEGIN + 2 * HOUR).status == 0

    newest = backups(file_world.settings)[0]

    assert newest.why == "night-1"
    assert run(["-C", str(file_world.folder), "restore", "--list"]) == 0
    said = capsys.readouterr().out
    assert f"{newest.file.name}  Tue 1 Dec 2026 02:00 UTC, entry {newest.last}, before night-1" in said
    assert newest.file.stat().st_mode & 0o777 == 0o600


def test_only_so_many_are_kept(file_world: World) -> None:
    """The oldest go."""
    world = keeping(file_world, "backup_count = 3")
    made = [make_backup(world.settings, 1, BEGIN + at, "wish").name for at in range(5)]

    assert [each.file.name for each in backups(world.settings)] == made[:1:-1]


def test_none_are_made_where_none_are_wanted(file_world: World) -> None:
    """A count of 0 says so."""
    world = keeping(file_world, "backup_count = 0", 'backups = "elsewhere"')
    for who in ("Ash", "Bex", "Cam", "Dov"):
        world.post(f"v-{who}", who, "I vote for Gus.", BEGIN + HOUR)
    assert world.poll(BEGIN + 2 * HOUR).status == 0

    assert not (world.folder / "elsewhere").exists()


def test_a_folder_that_can_not_be_written_is_told(file_world: World) -> None:
    """The game goes on without a backup, and the contestmaster knows."""
    world = keeping(file_world, 'backups = "contest.toml"')
    for who in ("Ash", "Bex", "Cam", "Dov"):
        world.post(f"v-{who}", who, "I vote for Gus.", BEGIN + HOUR)

    report = world.poll(BEGIN + 2 * HOUR)

    assert report.status == 1
    assert any("no backup was made before night-1" in line for line in report.said)


def test_a_backup_before_another_version_works(file_world: World) -> None:
    """The first run of another version copies what the last one left."""
    write_line(lock_file(file_world.settings), VERSION, "0.0.1")
    file_world.deliver("q", letter("q", "Cam", "help", BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)

    assert file_world.poll(BEGIN + 2 * HOUR).status == 0

    assert backups(file_world.settings)[0].why == "upgrade"


def test_a_backup_by_command(file_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Into the folder of backups, and to standard output, from where it goes anywhere."""
    assert run(["-C", str(file_world.folder), "backup", "--at", "2026-12-02T00:00Z"]) == 0
    assert backups(file_world.settings)[0].why == "wish"

    out = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(out))
    assert run(["-C", str(file_world.folder), "backup", "-"]) == 0
    (tmp_path / "there.db").write_bytes(out.getvalue())
    assert run(["-C", str(file_world.folder), "restore", "--over", str(tmp_path / "there.db")]) == 0


def test_a_restore_without_a_name_lists(file_world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """It says which there are, and that one has to be named."""
    assert run(["-C", str(file_world.folder), "restore"]) == 2
    assert "name a backup" in capsys.readouterr().err


def test_backups_are_taken_elsewhere(file_world: World, tmp_path: Path) -> None:
    """The contestmaster's command runs once for each new backup; one that fails is told, and tried again."""
    there = tmp_path / "there"
    world = keeping(file_world, f'copy = ["cp", "-r", "backups", "{there}"]')
    for who in ("Ash", "Bex", "Cam", "Dov"):
        world.post(f"v-{who}", who, "I vote for Gus.", BEGIN + HOUR)
    assert world.poll(BEGIN + 2 * HOUR).status == 0
    assert {file.name for file in there.iterdir()} == {each.file.name for each in backups(world.settings)}

    make_backup(world.settings, 99, BEGIN + 3 * HOUR, "wish")
    file = world.folder / "contest.toml"
    file.write_text(file.read_text().replace('"cp"', '"false"'))
    world.deliver("q", letter("q", "Cam", "help", BEGIN + 3 * HOUR, "wolf@contest.test"), BEGIN + 3 * HOUR)
    report = world.poll(BEGIN + 4 * HOUR)

    assert report.status == 75
    assert "keep.copy: false ended with status 1" in report.said


def test_a_tenant_names_no_command(tmp_path: Path) -> None:
    """On a host a worker would run it."""
    from nomicwolf.host.admission import outside

    assert [*outside({"keep": {"copy": ["true"]}}, tmp_path)] == [
        "keep.copy: workers run no command of a tenant's; leave it out"]


def old_letter(world: World) -> World:
    """Let a letter grow old whose session is over."""
    world.deliver("a", letter("a", "Ash", f"{OWN}\nI vote for Bex.", BEGIN + HOUR), BEGIN + HOUR)
    assert world.poll(BEGIN + 2 * HOUR).status == 0
    assert world.command("end", why="enough", at=BEGIN + 3 * HOUR).status == 0
    assert world.poll(BEGIN + 29 * DAY).status in (0, 75)
    return world


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("swept")
def test_a_crash_at_each_step_of_forgetting(file_world: World) -> None:
    """The record is whole at each of them, and the next poll leaves no word of the letter."""
    world = old_letter(keeping(file_world, 'letters = "30d"'))

    def copied_to(name: str) -> World:
        folder = world.folder.with_name(name)
        shutil.copytree(world.folder, folder)
        return World(folder, world.smtp)

    with burning(Fuse()) as counted:
        copied_to("whole").poll(BEGIN + 40 * DAY)
    steps = len(counted.passed)
    assert steps > 40
    for place in sorted({*range(1, steps + 1, 1 if FULL else steps // 20), *range(steps - 4, steps + 1)}):
        one = copied_to(f"at-{place}")
        try:
            with burning(Fuse(place)):
                one.poll(BEGIN + 40 * DAY)
        except Died:
            pass
        with one.store() as store:
            assert store.verify() == [], place
        assert one.poll(BEGIN + 40 * DAY + HOUR).status in (0, 75), place
        assert not any(OWN.encode() in file.read_bytes() for file in one.folder.glob("contest.db*")), place
        with one.store() as store:
            assert store.verify() == [], place
