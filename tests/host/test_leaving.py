"""Contests that leave the host while workers work: nothing is heard or sent on both sides of it."""

from __future__ import annotations

import resource
import subprocess
from pathlib import Path

from nomicwolf.ledger.store import Store
from tests.host.hosted import PROGRAM, Host, until

SENDING = "SELECT 1 FROM outbox WHERE state = 'sending'"


def given(host: Host, *words: str) -> subprocess.CompletedProcess[str]:
    """Give a command of the host's in a process of its own."""
    return subprocess.run([*PROGRAM, "-C", str(host.folder), "host", *words], capture_output=True, text=True,
                          check=False)


def test_a_contest_does_not_leave_in_the_midst_of_a_turn(host: Host) -> None:
    """A letter is on its way: the contest stays, and so what became of it is noted; it is sent once alone."""
    host.configure(every=600)
    host.contest("c1")
    host.smtp.go.clear()
    host.deliver("c1", "q1")
    host.start("w1")
    until("a letter to be on its way", lambda: host.ask(SENDING))
    done = given(host, "remove", "c1")
    assert (done.returncode, done.stdout) == (75, "")
    assert "c1: another run has its turn; nothing was done." in done.stderr
    host.smtp.go.set()
    until("the turn's end", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0"))
    assert given(host, "remove", "c1").returncode == 0
    assert host.ask("SELECT DISTINCT state FROM outbox") == [("sent",)]
    assert host.host("add", str(host.folder / "contests" / "c1"), "--tenant", "murphy") == 0
    until("another turn", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0"))
    assert len(host.smtp.taken) == 1
    assert host.host("do", "c1", "ledger", "verify") == 0


def test_a_contest_rests_before_it_is_copied_away(host: Host, tmp_path: Path) -> None:
    """Else its workers would hear what comes after the copy, and so would whoever goes on with that."""
    host.contest("c1")
    away = f"sqlite:///{tmp_path / 'away.db'}"
    host.start("w1")
    until("a turn", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0"))
    done = given(host, "do", "c1", "ledger", "copy", away)
    assert (done.returncode, (tmp_path / "away.db").exists()) == (1, False)
    assert "`nomicwolf host pause c1`" in done.stderr
    assert host.host("pause", "c1") == 0
    until("the copy, after a turn that has begun", lambda: host.host("do", "c1", "ledger", "copy", away) == 0)
    host.deliver("c1", "q1")
    assert host.host("remove", "c1") == 0
    with Store.open(away, "c1") as copy:
        assert copy.verify() == []
        assert copy.counts().received == 0
    assert host.ask("SELECT count(*) FROM letters") == [(0,)], "nobody has heard it yet"


def test_files_that_cannot_be_laid_out_leave_no_pieces(host: Host) -> None:
    """A worker's disk is full: it says what to do, piece by piece would fill what is left, and with room it goes on."""
    host.configure(every=1)
    folder = host.contest("c1", player=False)
    (folder / "templates").mkdir()
    (folder / "templates" / "private-receipt.txt").write_text("x" * 40_000)
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    worker = host.start("w1")
    until("a turn", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0"))
    resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    until("it to say so", lambda: host.ask("SELECT 1 FROM host.contests WHERE said LIKE '%make room on the disk%'"))
    places = [place.name for place in (host.folder / "laid-out" / "c1").iterdir()]
    assert len(places) == 1, places
    resource.prlimit(worker.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    until("a turn that is done", lambda: host.ask("SELECT 1 FROM host.contests WHERE status = 0 AND said = ''"))
