"""The archive as polls keep it: written where something changed, published by a command, and tried again."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nomicwolf.archive import verify
from nomicwolf.cli.app import run
from nomicwolf.letters.letter import letter_page
from nomicwolf.run import copies
from nomicwolf.run.copies import SOONEST, is_due, note_due
from tests.docs.pages import ROOT
from tests.run.world import BEGIN, World
from tests.servers.here import wait_until

HOUR = 3600
COUNTS = "import pathlib, sys; p = pathlib.Path('runs'); p.write_text((p.read_text() if p.exists() else '') + 'x')"
"""A program that counts in the contest's folder how often it was run."""


def keep_archive(world: World, *publish: str, more: str = "") -> None:
    """Let polls keep the archive, and publish it by a command, if one is given."""
    told = f"publish = {json.dumps(publish)}\n" if publish else ""
    world.add(f'\n[archive]\nwrite = true\nurl = "https://wolf.test/"\n{told}{more}')


def inodes(folder: Path) -> dict[str, int]:
    """Every file of a folder by its inode, which another file in its place would not have."""
    return {path.relative_to(folder).as_posix(): path.stat().st_ino for path in folder.rglob("*") if path.is_file()}


def runs(world: World) -> int:
    """How often `COUNTS` was run."""
    file = world.folder / "runs"
    return len(file.read_text()) if file.exists() else 0


def test_a_poll_brings_the_archive_up_to_date(world: World) -> None:
    """The first poll writes it, also if nothing else is to be done; a vote changes some files, and nothing none."""
    assert (world.poll(BEGIN + 60).status, (world.folder / "archive").exists()) == (0, False)
    keep_archive(world)
    assert not world.poll(BEGIN + HOUR).idle
    archive = world.folder / "archive"
    before = inodes(archive)
    assert world.poll(BEGIN + HOUR + 60).idle
    assert inodes(archive) == before

    world.post("v1", "Ash", "I vote for Gus.", BEGIN + 2 * HOUR)
    assert world.poll(BEGIN + 3 * HOUR).heard == 2
    after = inodes(archive)
    assert "Gus" in (archive / "session-1" / "day-1.html").read_text()
    assert {path for path in before if before[path] != after[path]} >= {"index.html", "session-1/day-1.html"}
    assert {path for path in before if before[path] == after[path]} >= {"feed.atom", "letters/session-0.html"}
    assert verify(archive).verified


def test_what_a_command_changes_is_written_by_the_next_poll(world: World) -> None:
    """An order posts at once, and the archive follows with the next poll, which finds nothing else to do."""
    keep_archive(world)
    world.poll(BEGIN + HOUR)
    assert world.command("ruling", BEGIN + HOUR, text="A pause is no vote.", authority="CFJ 1").status == 0
    assert is_due(world.settings, BEGIN + HOUR)
    assert world.poll(BEGIN + HOUR + 60).status == 0
    assert "A pause is no vote." in (world.folder / "archive" / "session-1" / "index.html").read_text()


def test_a_run_that_died_leaves_the_archive_to_the_next(world: World) -> None:
    """It is noted as due before anything is kept."""
    keep_archive(world)
    world.poll(BEGIN + HOUR)
    page = world.folder / "archive" / "index.html"
    note_due(world.settings)
    page.write_text("half")
    assert world.poll(BEGIN + HOUR + 60).status == 0
    assert page.read_text().startswith("<!DOCTYPE html>")


def test_letters_find_their_page(world: World) -> None:
    """What a public letter of the start calls its page is a place there."""
    keep_archive(world)
    world.poll(BEGIN + HOUR)
    with world.store() as store:
        letters = [owed.letter for owed in store.outbox().each() if owed.letter.kind == "public"]
    assert letters
    for letter in letters:
        session = int(letter.key[1:].partition("/")[0])
        address = letter_page(world.settings.archive.url, session, letter.subject, letter.at)
        page, _, anchor = address.removeprefix("https://wolf.test/").partition("#")
        assert f'id="{anchor}"' in (world.folder / "archive" / page).read_text()


def test_the_command_runs_where_files_changed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets its arguments as they are, the contest's folder, and none of the program's variables."""
    monkeypatch.setenv("NOMICWOLF_SMTP_PASSWORD", "hush")
    program = ("import json, os, pathlib, sys; pathlib.Path('told').write_text("
               "json.dumps([sys.argv[1:], os.getcwd(), [n for n in os.environ if n.startswith('NOMIC')]]))")
    keep_archive(world, sys.executable, "-c", program, "a b", "$HOME; touch hacked", "*")
    assert world.poll(BEGIN + HOUR).status == 0
    argv, where, ours = json.loads((world.folder / "told").read_text())
    assert argv == ["a b", "$HOME; touch hacked", "*"]
    assert Path(where).samefile(world.folder)
    assert ours == []
    assert not (world.folder / "hacked").exists()

    (world.folder / "told").unlink()
    assert world.poll(BEGIN + HOUR + 60).idle
    world.post("n1", "Ash", "Nothing new.", BEGIN + HOUR + 90)
    world.poll(BEGIN + 2 * HOUR)
    assert (world.folder / "told").exists()


def test_a_failure_is_told_and_tried_again(world: World) -> None:
    """With 75 and what the program said last, but no password; later each time; and then once more when it works."""
    lines = "import sys; print('fatal: https://murphy:hunter2@git.test/w?token=hush refused'); sys.exit(128)"
    keep_archive(world, sys.executable, "-c", f"{COUNTS}; {lines}")
    at = BEGIN + HOUR
    report = world.poll(at)
    assert report.status == 75
    assert re.fullmatch(r"archive.publish: \S+ ended with status 128: fatal: https://…git.test/w\?… refused; "
                        "it is tried again in 5 minutes", report.said[0])
    assert (world.poll(at + 60).status, runs(world)) == (0, 1)
    world.post("v1", "Ash", "I vote for Gus.", at + 60)
    assert (world.poll(at + 120).said, runs(world)) == ((), 1)
    assert "in 10 minutes" in world.poll(at + SOONEST).said[0]
    assert "in 20 minutes" in world.poll(at + 3 * SOONEST).said[0]

    world.change("sys.exit(128)", "sys.exit(0)")
    assert (world.poll(at + 4 * SOONEST).idle, runs(world)) == (True, 3)
    assert (world.poll(at + 7 * SOONEST).status, runs(world)) == (0, 4)
    assert (world.poll(at + 20 * SOONEST).idle, runs(world)) == (True, 4)


def ended(process: str) -> bool:
    """Return whether a process is gone, or only waits for its parent to ask after it."""
    try:
        return "State:\tZ" in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return True


def test_a_command_that_hangs_is_stopped(world: World) -> None:
    """With what it started, after archive.timeout."""
    program = ("import pathlib, subprocess, time; child = subprocess.Popen(['sleep', '300']); "
               "pathlib.Path('child').write_text(str(child.pid)); print('x' * 9999, flush=True); time.sleep(300)")
    keep_archive(world, sys.executable, "-c", program, more="timeout = 1\n")
    began = time.monotonic()
    report = world.poll(BEGIN + HOUR)
    assert report.status == 75
    assert "took more than 1 seconds and was stopped" in report.said[0]
    assert time.monotonic() - began < 300, "it sleeps longer"
    child = (world.folder / "child").read_text()
    wait_until("the end of what it started", lambda: ended(child))


def test_a_program_that_is_not_there_needs_the_contestmaster(world: World) -> None:
    """`check` says so beforehand."""
    keep_archive(world, "nomicwolf-no-such-program")
    report = world.poll(BEGIN + HOUR)
    assert report.status == 1
    assert "No such file or directory; install it, or name it by its path" in report.said[0]


def test_a_folder_with_other_files_is_told_each_time_until_it_is_mended(world: World) -> None:
    """Nothing is written into it; the poll itself has done its work."""
    keep_archive(world)
    (world.folder / "archive").mkdir()
    (world.folder / "archive" / "diary.txt").write_text("mine")
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    report = world.poll(BEGIN + 2 * HOUR)
    assert (report.status, report.heard) == (1, 2)
    assert "diary.txt, which no archive has written" in report.said[0]
    (world.folder / "archive" / "diary.txt").unlink()
    assert world.poll(BEGIN + 3 * HOUR).status == 0


def test_a_defect_in_a_page_costs_no_letter(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was heard is kept, and the archive stays due."""
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    keep_archive(world)
    monkeypatch.setattr(copies, "_written", broken)
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    report = world.poll(BEGIN + 2 * HOUR)
    assert (report.status, report.heard) == (1, 2)
    assert "defect: ZeroDivisionError" in report.said[0]
    assert is_due(world.settings, BEGIN + 2 * HOUR)


def steps(section: str, kind: str) -> list[str]:
    """The blocks of a *kind* in a section of the page on the archive."""
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    part = text.partition(f"## {section}\n")[2].partition("\n## ")[0]
    return re.findall(rf"```{kind}\n(.*?)```", part, re.DOTALL)


def test_pages_by_git_as_the_handbook_says(file_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Step by step, with a bare repository in place of GitHub's: it has what the poll wrote, and grows with it."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Murphy")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "murphy@masters.test")
    remote = tmp_path / "wolf.git"
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", remote], check=True)
    once = steps("A contest on Pages", "shell")[0].replace("git@github.com:MURPHY/wolf.git", remote.as_uri())
    subprocess.run(["sh", "-eux", "-c", once], cwd=file_world.folder, check=True)
    file_world.add(f"\n{steps('A contest on Pages', 'toml')[0]}")

    assert file_world.poll(BEGIN + HOUR).said == ()
    assert show(remote, "index.html") == (file_world.folder / "archive" / "index.html").read_text()
    assert show(remote, ".nojekyll") == ""
    file_world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    assert file_world.poll(BEGIN + 2 * HOUR).said == ()
    assert "Gus" in show(remote, "session-1/day-1.html")
    log = subprocess.run(["git", "-C", remote, "log", "--format=%s"], capture_output=True, text=True, check=True)
    assert len(log.stdout.splitlines()) == 2
    assert run(["-C", str(file_world.folder), "archive", "--publish"]) == 0


def show(remote: Path, path: str) -> str:
    """A file of the branch that is served."""
    done = subprocess.run(["git", "-C", remote, "show", f"main:{path}"], capture_output=True, text=True, check=True)
    return done.stdout


def test_gitlab_takes_the_same_files(tmp_path: Path) -> None:
    """The script of the job copies all that is served, and nothing else, to the folder that GitLab takes."""
    [job] = steps("A contest on Pages", "yaml")
    script = re.findall(r"^    - (?!if:)(.*)$", job, re.MULTILINE)
    for name in ("index.html", "letters/index.html", ".gitlab-ci.yml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    subprocess.run(["sh", "-eux", "-c", "\n".join(script)], cwd=tmp_path, check=True)
    assert sorted(inodes(tmp_path / "public")) == ["index.html", "letters/index.html"]
