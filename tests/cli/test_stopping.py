"""How a command ends: by Ctrl-C, by a crash, and where its database is away."""

from __future__ import annotations

import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from tests.cli.terminal import MAIN, spawn
from tests.run.world import TOML, running_world
from tests.servers.here import PATIENCE, free_ports, wait_until

ENDED = (130, b"", b"nomicwolf: stopped\n")
AT_AN_IMPORT = """
import sys
class Finder:
    def find_spec(self, name, *_):
        if name == "nomicwolf.post.imap":
            {then}
sys.meta_path.insert(0, Finder())
"""
"""A program that does something when a poll begins to look into its mailbox."""
STOP = "import os, signal; os.kill(os.getpid(), signal.SIGINT)"
DROPPED = f"""
class Last:
    def __del__(self):
        {STOP}
"""
"""Something that stops the process when it is thrown away: what that raises, Python drops."""
BESIDE = """
import os, signal, sys, threading
def beside():
    sys.stdin.readline()
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)
threading.Thread(target=beside, daemon=True).start()
"""
"""A thread that takes the signal, so that the main one waits on: as if it had come right before the wait began."""


def _sleeps(pid: int) -> bool:
    """Whether the process waits for something, and is not on its way there (proc(5))."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    return stat.rpartition(")")[2].split()[0] == "S"


@pytest.mark.slow
@pytest.mark.parametrize("words", [("poll",), ("poll", "--verbose")])
def test_a_poll_that_is_about_to_wait_for_a_server(words: tuple[str, ...], tmp_path: Path) -> None:
    """However it is given; a traceback was all that whoever stopped it got, or nothing at all."""
    with running_world(tmp_path) as world, socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(PATIENCE)
        world.read_by_imap(silent.getsockname()[1])
        process = spawn("-C", str(tmp_path), *words)
        accepted, _ = silent.accept()
        with accepted:
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, said) == ENDED


@pytest.mark.slow
@pytest.mark.parametrize("program", [
    AT_AN_IMPORT.format(then=STOP), DROPPED + AT_AN_IMPORT.format(then="Last()"), BESIDE])
def test_a_signal_that_comes_when_nothing_can_be_raised(program: str, tmp_path: Path) -> None:
    """While a module is imported, in a destructor, and right before a wait: in the last two it is said again."""
    with running_world(tmp_path) as world, socket.create_server(("127.0.0.1", 0)) as silent:
        world.read_by_imap(silent.getsockname()[1])
        with subprocess.Popen(
            [sys.executable, "-c", program + MAIN, "-C", str(tmp_path), "poll"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as process:
            if program == BESIDE:
                silent.settimeout(PATIENCE)
                with silent.accept()[0]:
                    wait_until("the poll to wait for the server", lambda: _sleeps(process.pid))
                    out, said = process.communicate(b"\n", timeout=PATIENCE)
            else:
                out, said = process.communicate(timeout=PATIENCE)

    assert (process.returncode, out, said) == ENDED


CRASH = """
import os, resource, signal
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
from nomicwolf.cli.main import main
try:
    main(["-C", ".", "poll"])
except SystemExit:
    print(resource.getrlimit(resource.RLIMIT_CORE)[0], flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
"""


def test_no_core_dump(tmp_path: Path) -> None:
    """Whatever the machine allows, and who called it."""
    done = subprocess.run([sys.executable, "-c", CRASH], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-11, "0\n"), done.stderr
    assert list(tmp_path.glob("core*")) == []


COMMANDS = (
    "poll", "status", "status --json", "votes", "history", "explain Gus", "statistics", "held", "unsent",
    "unsent --again 3", "party alias Ash A", "award", "start", "announce", "act-for Ash 'vote Gus'", "release 3",
    "archive out", "export out", "export --public out", "backup copy.db", "replay", "ledger verify",
    "ledger copy sqlite:///copy.db", "watch",
)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_waits_for_its_database(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody answers at the ledger's port: that passes, so a script may try again; nothing was done."""
    (port,) = free_ports(1)
    url = f"postgresql+psycopg://wolf@127.0.0.1:{port}/contests"
    (tmp_path / "contest.toml").write_text(TOML.format(port=port, ledger=f'[ledger]\nurl = "{url}"\n'))
    (tmp_path / "contest.key").write_text("5" * 64)
    (tmp_path / "contest.key").chmod(0o600)

    assert run(["-C", str(tmp_path), *shlex.split(words)]) == 75
    said = capsys.readouterr()
    assert said.out == ""
    assert "the ledger is not to be had now (connection" in said.err
    assert "a command has to be given again" in said.err
    assert said.err.count("\n") == 1
