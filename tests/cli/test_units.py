"""What lets a contest run by itself: the crontab line and the systemd units that `init` leaves."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.cli.base import command_of
from nomicwolf.cli.contest_folder import write_units
from nomicwolf.settings.keys import LimitSettings

INIT = ("--yes", "--contestmaster", "Murphy", "--address", "murphy@example.org", "--contest-address",
        "wolf@example.org", "--imap", "imap.example.org", "--smtp", "smtp.example.org", "--forum",
        "agora=agora@example.org")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that was installed somewhere, by which this run was started."""
    program = tmp_path / "a place" / "nomicwolf"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho polled "$@"\n')
    program.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(program)])
    return program


@pytest.mark.parametrize("name", ["crossing", "our contest", "50% wolves"])
def test_the_crontab_line_runs(installed: Path, tmp_path: Path, name: str) -> None:
    """What stands after the five fields is a shell's line, with % as crontab(5) wants it."""
    folder = tmp_path / name
    folder.mkdir()
    write_units(folder, "crossing")
    line = (folder / "crontab").read_text()
    command = line.split(None, 5)[5].replace("\\%", "%")

    assert line.startswith("*/10 * * * * ")
    assert "%" not in line.replace("\\%", "")
    assert subprocess.run(command, shell=True, capture_output=True, text=True, check=True).stdout == (
        f"polled -C {folder} poll\n")


@pytest.mark.parametrize("name", ["crossing", "our contest", "50% wolves"])
def test_systemd_takes_the_units(installed: Path, tmp_path: Path, name: str) -> None:
    """The service names the program, its folder its user; systemd itself, where there is one, finds no fault."""
    folder = tmp_path / name
    folder.mkdir()
    write_units(folder, "crossing")
    service = (folder / "systemd" / "nomicwolf.service").read_text()

    assert "Type=oneshot\n" in service
    assert "SuccessExitStatus=75\n" in service
    assert "ProtectSystem=strict\n" in service
    place = str(folder).replace("%", "%%")
    assert f'ReadWritePaths="{place}"\n' in service.replace(f"={place}\n", f'="{place}"\n')
    if analyze := shutil.which("systemd-analyze"):
        units = [str(folder / "systemd" / f"nomicwolf.{kind}") for kind in ("service", "timer")]
        told = subprocess.run([analyze, "verify", "--man=no", *units], capture_output=True, text=True, check=False)
        assert [line for line in told.stderr.splitlines() if "nomicwolf" in line] == []


def test_init_writes_them(installed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They name the program that wrote them, and what to do next is a line that works in this shell."""
    folder = tmp_path / "crossing"
    assert run(["init", str(folder), *INIT]) == 0

    assert shlex.quote(str(installed)) in (folder / "crontab").read_text()
    assert f"{command_of('-C', str(folder), 'check')}\n" in capsys.readouterr().out


def test_a_program_that_path_does_not_find_is_named_whole(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whoever runs the demo from a checkout is told a line that e can type."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command_of("history") == f"'{installed}' history"
    monkeypatch.setenv("PATH", str(installed.parent))
    assert command_of("history") == "nomicwolf history"


def test_the_program_as_a_module(tmp_path: Path) -> None:
    """``python -m nomicwolf`` is the program, and what it writes for cron names the command beside that Python."""
    beside = Path(sys.executable).with_name("nomicwolf")
    if not beside.is_file():
        pytest.skip("nomicwolf is not installed here: make setup")
    words = [sys.executable, "-m", "nomicwolf", "init", str(tmp_path / "crossing"), *INIT]
    subprocess.run(words, capture_output=True, check=True)

    assert f" {beside} -C " in (tmp_path / "crossing" / "crontab").read_text()


def test_systemd_waits_longer_than_a_run_may_last(tmp_path: Path) -> None:
    """A run that takes too long ends by itself, with 75; systemd ended it before, as failed."""
    assert run(["init", str(tmp_path / "crossing"), *INIT]) == 0
    service = (tmp_path / "crossing" / "systemd" / "nomicwolf.service").read_text()
    (minutes,) = re.findall(r"^TimeoutStartSec=(\d+)min$", service, re.MULTILINE)

    assert int(minutes) * 60 > LimitSettings().run_seconds + 60
