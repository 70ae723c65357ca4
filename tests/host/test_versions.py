"""A rolling upgrade: workers of two versions of the program at once, on one database.

The other version is a copy of this one with a further revision of the ledger's tables, installed beside it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from nomicwolf.host.health import Meters
from nomicwolf.host.worker import Unfit, Worker
from nomicwolf.ledger import database
from tests.architecture.source import ROOT
from tests.host.hosted import PROGRAM, Host, overlaps, until
from tests.servers.here import PATIENCE

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
