"""``init`` asks its questions, and leaves a folder with a crontab line and systemd units."""

from __future__ import annotations

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.cli.base import command_of
from nomicwolf.cli.contest_folder import write_units
from nomicwolf.settings.keys import LimitSettings
from nomicwolf.settings.load import load
from tests.cli.terminal import MAIN

ANSWERS = (
    "The Wolves of Agora", "", "The Wolves of Agora", "Murphy", "Murphy", "murphy@players.example",
    "wolf@contest.example", "imap://imap.example.org", "imap.example.org", "127.0.0.1:2525", "",
    "agora-business@agora.example", "agora=agora-business@agora.example", "my servers!", "mx.example.org, example.net",
)
"""Five of them are wrong: a name for a rule set or an address, a URL, a forum of no nomic, a server of no name."""
THROUGH = """\
Received: from lists.agora.example (lists.agora.example [192.0.2.7]) by mx.example.org; Tue, 1 Dec 2026 09:00:09 +0000
Received: from localhost by lists.agora.example; Tue, 1 Dec 2026 09:00:05 +0000
List-Id: <agora-business.agora.example>
From: ash@players.example

Hello.
"""


def test_a_wrong_answer_is_asked_for_again(tmp_path: Path) -> None:
    """Each is told what is wrong with it; what was answered before stays."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([sys.executable, "-c", MAIN, "init", "crossing"], cwd=tmp_path, stdin=theirs,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    os.close(theirs)
    os.write(ours, "".join(f"{answer}\n" for answer in ANSWERS).encode())
    said = process.communicate()[0].decode()
    os.close(ours)

    assert process.returncode == 0, said
    for hint in ("There is no rule set 'The Wolves of Agora'", "Murphy: is no mail address",
                 "imap://imap.example.org: is no server", "write NOMIC=ADDRESS", "servers!: is no file here"):
        assert hint in said
    made = tomllib.loads((tmp_path / "crossing" / "contest.toml").read_text())
    assert (made["contest"]["name"], made["imap"]["host"]) == ("The Wolves of Agora", "imap.example.org")
    assert made["imap"]["user"] == "wolf@contest.example"
    assert made["contest"]["mail_hosts"] == ["mx.example.org", "example.net"]
    assert made["nomic"]["agora"]["forum"] == "agora-business@agora.example"


@pytest.mark.parametrize(("option", "value", "why"), [
    ("--ruleset", "chess", "--ruleset: There is no rule set 'chess'"),
    ("--address", "Murphy", "--address: Murphy: is no mail address"),
    ("--imap", "::1:1143", "--imap: ::1:1143: is no server; write its name alone, like mail.example.org, with a port"),
    ("--imap", "[::z]", "or an address like [::1]:1234"),
    ("--smtp", "smtp.example.org/", "--smtp: smtp.example.org/: is no server"),
    ("--forum", "agora-business@agora.example", "--forum: agora-business@agora.example: write NOMIC=ADDRESS"),
    ("--contestmaster", "", "--contestmaster is missing"),
    ("--mail-hosts", "contest.example!", "--mail-hosts: contest.example!: is no file here, and no server"),
    ("--mail-hosts", __file__, "is no letter that came through a@agora.example"),
])
def test_a_wrong_option_ends_it(
    option: str, value: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """Nobody is asked where there is no terminal: status 2, and nothing is founded."""
    given = {"--contestmaster": "Murphy", "--address": "murphy@example.org", "--contest-address": "wolf@example.org",
             "--imap": "imap.example.org", "--smtp": "smtp.example.org", "--forum": "agora=a@agora.example"}
    given[option] = value
    words = [word for pair in given.items() for word in pair if pair[1]]

    assert run(["init", str(tmp_path / "crossing"), "--yes", *words]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "crossing").exists()


@pytest.mark.parametrize(("given", "set_to"), [
    (THROUGH, ["mx.example.org"]), ("mx.example.org", ["mx.example.org"]), ("", None)])
def test_ones_own_mail_servers_are_read_off_a_letter(given: str, set_to: list[str] | None, tmp_path: Path) -> None:
    """Which came through the forum: those above its server; by name they can be given, too, or later."""
    file = tmp_path / "letter.eml"
    file.write_text(THROUGH)
    words = ["init", str(tmp_path / "six"), "--yes", "--contestmaster", "Murphy", "--address", "m@players.example",
             "--contest-address", "wolf@contest.example", "--imap", "imap.example.org", "--smtp", "smtp.example.org",
             "--forum", "agora=agora-business@agora.example", "--mail-hosts", str(file) if given == THROUGH else given]
    assert run(words) == 0

    made = tomllib.loads((tmp_path / "six" / "contest.toml").read_text())
    assert made["contest"].get("mail_hosts") == set_to
    assert load(tmp_path / "six", {}, mail=False).contest.mail_hosts == tuple(set_to or ())


@pytest.mark.parametrize(("rules", "steps"), [
    ("nomic-crossing", ("prod", "replace", "act-for")), ("tabula", ("prod", "replace"))])
def test_a_new_contest_has_a_policy_on_silence(rules: str, steps: tuple[str, ...], tmp_path: Path) -> None:
    """What the rule set allows of what happens by itself; a limit of the day is named, for its players to agree on."""
    words = ["init", str(tmp_path / "six"), "--yes", "--contestmaster", "Murphy", "--address", "m@players.example",
             "--contest-address", "wolf@contest.example", "--imap", "imap.example.org", "--smtp", "smtp.example.org",
             "--forum", "agora=agora-business@agora.example", "--ruleset", rules]
    assert run(words) == 0

    assert load(tmp_path / "six", {}, mail=False).absence.policy == steps
    assert ("# day_limit" in (tmp_path / "six" / "contest.toml").read_text()) == (rules == "nomic-crossing")


def test_a_server_may_be_an_address_of_version_6(tmp_path: Path) -> None:
    """``[::1]:1143`` is this machine: its port is told apart from it, and no encryption is asked for there."""
    words = ["init", str(tmp_path / "six"), "--yes", "--contestmaster", "Murphy", "--address", "m@players.example",
             "--contest-address", "wolf@contest.example", "--imap", "[::1]:1143", "--smtp", "[2001:db8::25]",
             "--forum", "agora=agora-business@agora.example"]
    assert run(words) == 0

    made = tomllib.loads((tmp_path / "six" / "contest.toml").read_text())
    assert (made["imap"]["host"], made["imap"]["port"], made["imap"]["security"]) == ("::1", 1143, "none")
    assert made["smtp"]["host"] == "2001:db8::25"
    assert "security" not in made["smtp"]
    assert load(tmp_path / "six", {}, mail=False).imap is not None


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
