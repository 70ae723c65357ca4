"""Contests that leave a host, and workers of two versions: nothing is heard or sent twice.

The other version is a copy of this one with a further revision of the ledger's tables, installed beside it.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from nomicwolf.host.health import Meters
from nomicwolf.host.worker import Unfit, Worker
from nomicwolf.ledger import database
from nomicwolf.ledger.store import Store
from tests.architecture.source import ROOT
from tests.host.hosted import PROGRAM, Host, overlaps, until
from tests.servers.here import PATIENCE

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
    turns = "SELECT status::text FROM procrastinate_jobs WHERE task_name = 'nomicwolf.turn'"
    assert host.ask(turns) == [("doing",)], "a worker with a long turn isn't taken for dead"
    assert "nomicwolf_host_workers 1.0" in given(host, "metrics").stdout
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


def test_a_contest_leaves_others_that_name_it(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """They can't be polled: that is told at once, by each turn, in the log, and with what to do about it."""
    host.configure(every=1)
    folders = {name: host.contest(name, player=False) for name in ("c1", "c2", "c3")}

    def name_others(contest: str, *others: str) -> None:
        """Write the others that read a contest's mailbox into its settings, and let the host take these."""
        file = folders[contest] / "contest.toml"
        named = f"others = {[f'../{other}' for other in others]}\ndaily_count"
        file.write_text(re.sub(r"(others = .*\n)?daily_count", named, file.read_text()))
        assert host.host("add", str(folders[contest]), "--tenant", "murphy") == 0

    name_others("c1", "c2", "c3")
    name_others("c2", "c1")
    capsys.readouterr()
    assert host.host("remove", "c3") == 0
    assert "what names it in contest.others: c1. Take it out there, and `nomicwolf host add`" in capsys.readouterr().out
    host.start("w1")
    until("a turn", lambda: host.ask("SELECT 1 FROM host.contests WHERE status = 1 AND contest = 'c1'"))
    (said,) = host.ask("SELECT said FROM host.contests WHERE contest = 'c1'")[0]
    assert said == ("contest c3: the tenant has none on this host; `nomicwolf host add` takes it, or take it out of "
                    "contest.others and `nomicwolf host add` c1 again")
    told = [(line.get("contest"), line.get("status")) for line in host.log() if line["event"] == "turn is hindered"]
    assert ("c1", 1) in told
    name_others("c1", "c2")
    until("good turns", lambda: host.ask(
        "SELECT 1 FROM host.contests HAVING count(*) FILTER (WHERE status = 0 AND ended_at > 0) = 2"))
    capsys.readouterr()
    assert host.host("remove", "c2") == 0
    assert "what names it in contest.others: c1." in capsys.readouterr().out
    assert host.host("remove", "c1") == 0
    assert "contest.others" not in capsys.readouterr().out, "nobody is left who names it"


def test_what_was_laid_out_goes_with_its_contest(host: Host) -> None:
    """The host forgets a contest's files: workers take eirs off the disk, and leave what else lies there."""
    host.configure(every=1)
    host.contest("c1", player=False)
    host.contest("c2", player=False)
    laid = host.folder / "laid-out"
    (laid / "c1" / "notes").mkdir(parents=True)
    host.start("w1")
    until("both to be laid out", lambda: len([*laid.glob("*/*/contest.toml")]) == 2)
    assert host.host("remove", "c1") == 0
    until("the files to be gone", lambda: [place.name for place in (laid / "c1").iterdir()] == ["notes"])
    assert len([*laid.glob("c2/*/contest.toml")]) == 1
    assert host.host("add", str(host.folder / "contests" / "c1"), "--tenant", "murphy") == 0
    until("its files again", lambda: [*laid.glob("c1/*/contest.toml")])
    until("a turn", lambda: host.ask("SELECT 1 FROM host.contests WHERE contest = 'c1' AND ended_at > 0"))
    host.ask("UPDATE host.contests SET ended_at = 0, due_at = 0")
    until("a turn after another tick", lambda: host.ask(
        "SELECT 1 FROM host.contests WHERE contest = 'c1' AND ended_at > 0"))
    assert host.ask("SELECT status, said FROM host.contests WHERE contest = 'c1'") == [(0, "")]
    assert len([*laid.glob("c1/*/contest.toml")]) == 1, "it is the host's again"


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


REVISION = '''"""A column more."""
import sqlalchemy as sa
from alembic import op

revision = "9000"
down_revision = "{newest}"
branch_labels = depends_on = None
additive = {additive}


def upgrade() -> None:
    """Add it."""
    op.add_column("outbox", sa.Column("flavour", sa.Text()))
'''


def next_version(folder: Path, *, additive: bool) -> str:
    """Make the program's next version, and return the folder that PYTHONPATH must name to have it."""
    for part in ("nomicwolf", "grammar", "contract", "roles", "setups"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "nomicwolf" / "ledger" / "migrations" / "versions" / "r9000_flavour.py").write_text(
        REVISION.format(newest=database.NEWEST, additive=additive))
    own = folder / "nomicwolf" / "ledger" / "database.py"
    text = re.sub(r"(?m)^NEWEST = .*$", 'NEWEST = "9000"', own.read_text())
    own.write_text(re.sub(r"(?m)^REVISIONS = \((.*?),?\)$", r'REVISIONS = (\1, "9000")', text))
    init = folder / "nomicwolf" / "__init__.py"
    init.write_text(re.sub(r'__version__ = ".*"', '__version__ = "9.0.0"', init.read_text()))
    return str(folder)


def set_up(host: Host, path: str) -> None:
    """Run the other version's ``host setup``."""
    subprocess.run([*PROGRAM, "-C", str(host.folder), "host", "setup"], check=True, capture_output=True,
                   env={**os.environ, "PYTHONPATH": path}, cwd=host.folder)


@pytest.mark.parametrize("additive", [True, False])
def test_two_versions_at_once(host: Host, tmp_path: Path, *, additive: bool) -> None:
    """After a revision that only adds, both versions work on; after another, the old one stops and says why."""
    host.configure(every=1)
    for number in range(4):
        host.contest(f"c{number}")
    path = next_version(tmp_path / "next", additive=additive)
    old = host.start("old")
    until("the old version's turns", lambda: len(host.log("old")) > 3)
    set_up(host, path)
    assert host.ask("SELECT version_num FROM alembic_version") == [("9000",)]
    host.start("new", PYTHONPATH=path)
    until("the new version's turns", lambda: sum(line["event"] == "turn ended" for line in host.log("new")) > 3,
          lambda: host.log_file("new").read_text()[-2000:])
    began = {line["worker"]: line["version"] for line in host.log() if line["event"] == "worker began"}
    assert began["new"] == "9.0.0" != began["old"]
    if additive:
        seen = len(host.log("old"))
        until("further turns of the old version's", lambda: len(host.log("old")) > seen + 3)
        assert old.poll() is None
    else:
        assert old.wait(PATIENCE) == 1
        assert "install the newer one" in host.log_file("old").read_text()
        until("all contests to go on", lambda: {
            line["contest"] for line in host.log("new") if line["event"] == "turn ended"} == {"c0", "c1", "c2", "c3"})
    assert overlaps(host.log()) == []
    assert host.ask("SELECT DISTINCT status FROM host.contests WHERE ended_at > 0") in ([(0,)], [(0,), (75,)])


def test_a_new_version_waits_for_its_setup(host: Host, tmp_path: Path) -> None:
    """The new version's worker doesn't change tables by itself, under the old one's feet: it says what to run."""
    path = next_version(tmp_path / "next", additive=True)
    worker = host.start("new", PYTHONPATH=path)
    assert worker.wait(PATIENCE) == 1
    assert "host setup" in host.log_file("new").read_text()
    assert host.ask("SELECT version_num FROM alembic_version") == [(database.NEWEST,)]


def test_a_command_of_a_new_version_waits_for_its_setup_too(host: Host, tmp_path: Path) -> None:
    """`host do` names what helps on a host; it named `nomicwolf poll`, which helps a contest of one's own."""
    host.contest("c0")
    path = next_version(tmp_path / "next", additive=True)
    done = subprocess.run([*PROGRAM, "-C", str(host.folder), "host", "do", "c0", "status"], capture_output=True,
                          text=True, check=False, env={**os.environ, "PYTHONPATH": path}, cwd=host.folder)

    assert done.returncode == 1
    assert "run `nomicwolf host setup`" in done.stderr


def test_tables_of_the_version_before(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Setup brings the host's own tables up to date, and says so to workers of both versions; it is asked for."""
    host.ask("DROP TABLE host.former")
    host.ask("UPDATE host.version SET version = 1")
    assert host.host("worker") == 1
    assert "run `nomicwolf host setup`" in capsys.readouterr().err
    assert host.host("setup") == 0
    assert host.ask("SELECT version, oldest FROM host.version") == [(2, 1)]
    host.contest("c1")
    assert host.host("remove", "c1") == 0


@pytest.mark.parametrize(("apart", "fits"), [(0, True), (5, True), (-5, True), (60, False), (-60, False)])
def test_clocks_that_disagree(host: Host, apart: float, *, fits: bool) -> None:
    """Deadlines go by the clock of whoever takes the turn: one far from the database's takes none, and says why."""
    host.contest("c1")
    host.deliver("c1", "q1")
    worker = Worker(host.settings, "w1", Meters(), clock=lambda: time.time() + apart)
    if fits:
        assert worker.take("c1").heard == 1
        return
    with pytest.raises(Unfit, match=r"clock and the database's are \d+ seconds apart"):
        worker.take("c1")
    assert host.ask("SELECT began_at FROM host.contests") == [(0,)]
