"""Backup, restore, upgrade, rekey and unsent, stopped at any step: done again they end as if nobody had stopped them.

By default some steps of each are tried, with ``make crash-matrix`` all.
"""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import get_args

import pytest

from nomicwolf.cli.app import run
from nomicwolf.ledger.database import NEWEST, REVISIONS, connect, revision
from nomicwolf.ledger.store import Store
from nomicwolf.run import poll
from nomicwolf.settings.load import load
from tests.ledger.old import FIXTURES
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.matrix import POLL, do
from tests.run.steps import SAMPLE, Died, Fuse, How, burning, sample
from tests.run.world import BEGIN, World, make_settings, make_world, started

HOUR = 3600
EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "2"))
SEALED = '\n[ledger]\nkey_file = "ledger.key"\n'
pytestmark = [
    pytest.mark.slow, pytest.mark.usefixtures("swept"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""A process that is gone closes nothing; where it only seems to be gone, Python complains of its files."""


@pytest.fixture(scope="module")
def smtp() -> Iterator[tuple[SmtpScript, int]]:
    """A server that takes all letters, and its port."""
    script = SmtpScript()
    with smtp_server(script) as port:
        yield script, port


@pytest.fixture(scope="module")
def template(smtp: tuple[SmtpScript, int], tmp_path_factory: pytest.TempPathFactory) -> World:
    """A contest of which a backup was made before its last letter came; its last writes lie in the journal alone."""
    home = tmp_path_factory.mktemp("template")
    world = started(make_world(home / "contest", smtp[1], smtp[0]))
    assert run(["-C", str(world.folder), "backup", str(home / "backup.db")]) == 0
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    with world.store() as held:
        held.tip()  # while a reader is there, nobody empties the journal
        with closing(sqlite3.connect(world.folder / "contest.db")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entries").fetchall()
            assert world.poll(BEGIN + 2 * HOUR).status == 0
            shutil.copytree(world.folder, home / "crashed")
    assert (home / "crashed" / "contest.db-wal").stat().st_size > 0
    return World(home / "crashed", smtp[0])


def record(file: Path) -> int:
    """Return how long the record of a whole ledger is."""
    with Store.open(f"sqlite:///{file}", "w1") as store:
        assert store.verify() == []
        store.check()
        return store.last()


def each_stop(
    root: Path, lay: Callable[[Path], Path], act: Callable[[Path], object], after: Callable[[Path], None]
) -> int:
    """Do *act* in a folder that *lay* makes, stopped at some of its steps or at each; look *after* each time.

    Returns the number of steps. The folder's parent is the test's own, so that what lies beside it counts, too.
    """
    with burning(Fuse(folder=root)) as fuse:
        place = lay(root / "unhurt" / "contest")
        fuse.passed.clear()
        act(place)
    after(place)
    steps: list[tuple[int, How]] = [(n, how) for n in range(1, len(fuse.passed) + 1) for how in get_args(How)]
    for step, how in sample(str(len(steps))).sample(steps, min(EXAMPLES * 2, len(steps))):
        home = root / f"{step}-{how}"
        place = lay(home / "contest")
        if how == "kill":
            assert killed(partial(stopped, Fuse(step, "kill", home), act, place))
        else:
            stopped(Fuse(step, how, home), act, place)
        try:
            after(place)
        except AssertionError as error:
            raise AssertionError(f"step {step}: {fuse.passed[step - 1]}, {how} (NOMICWOLF_SAMPLE={SAMPLE})") from error
        shutil.rmtree(home)
    return len(fuse.passed)


def stopped(fuse: Fuse, act: Callable[[Path], object], place: Path) -> None:
    """Do *act* until the fuse blows."""
    with burning(fuse), suppress(Died, OSError):
        act(place)


def killed(act: Callable[[], object]) -> bool:
    """Do *act* in a fork of this process, and tell whether SIGKILL ended it; one that hangs ends by an alarm."""
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        act()
        os._exit(0)
    _, ended = os.waitpid(child, 0)
    return os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL


def copied(template: World) -> Callable[[Path], Path]:
    """Return what lays a copy of the contest and of its backup."""

    def lay(folder: Path) -> Path:
        shutil.copytree(template.folder, folder)
        shutil.copy(template.folder.parent / "backup.db", folder.parent / "backup.db")
        return folder

    return lay


def test_a_backup_is_whole_or_not_there(template: World, tmp_path: Path) -> None:
    """What has the backup's name is a whole ledger; an interrupted backup can be made again under that name."""
    whole = record(copied(template)(tmp_path / "x" / "contest") / "contest.db")

    def after(folder: Path) -> None:
        target = folder.parent / "new.db"
        assert not target.exists() or record(target) == whole
        assert run(["-C", str(folder), "backup", str(target)]) == 0 or target.exists()
        assert record(target) == whole
        assert not list(folder.parent.glob("*.part*"))

    def act(folder: Path) -> None:
        run(["-C", str(folder), "backup", str(folder.parent / "new.db")])

    assert each_stop(tmp_path, copied(template), act, after) > 5


def test_a_restore_loses_neither_ledger(template: World, tmp_path: Path) -> None:
    """Stopped anywhere, either ledger is in place or none is; done again the backup is, and the other beside it."""
    place = copied(template)(tmp_path / "x" / "contest")
    old, back = record(place / "contest.db"), record(place.parent / "backup.db")
    assert old > back

    def act(folder: Path) -> None:
        run(["-C", str(folder), "restore", "--over", str(folder.parent / "backup.db")])

    def after(folder: Path) -> None:
        if (folder / "contest.db").exists():
            assert record(folder / "contest.db") in (old, back)
        else:
            assert poll(load(folder, {}), lambda: BEGIN + 3 * HOUR).status == 1
        assert run(["-C", str(folder), "restore", "--over", str(folder.parent / "backup.db")]) == 0
        assert record(folder / "contest.db") == back
        aside = [path for path in folder.glob("contest.db.before-*") if not path.name.endswith(("-wal", "-shm"))]
        assert old in [record(path) for path in aside]
        assert not list(folder.glob("*.restoring*"))

    assert each_stop(tmp_path, copied(template), act, after) > 10


def test_a_lost_ledgers_journal_is_not_the_backups(template: World, tmp_path: Path) -> None:
    """SQLite would take what lies beside a file of that name for its own journal, and mix the two."""
    folder = copied(template)(tmp_path / "contest")
    back = record(tmp_path / "backup.db")
    (folder / "contest.db").unlink()
    assert (folder / "contest.db-wal").stat().st_size > 0

    assert run(["-C", str(folder), "restore", str(tmp_path / "backup.db")]) == 0

    assert record(folder / "contest.db") == back


@pytest.mark.parametrize("old", [name for name in REVISIONS if name != NEWEST])
def test_an_upgrade_goes_on(smtp: tuple[SmtpScript, int], tmp_path: Path, old: str) -> None:
    """Stopped anywhere, the next poll upgrades, and the copy of the old ledger is whole."""

    def lay(folder: Path) -> Path:
        for part in ("new", "cur", "tmp"):
            (folder / "mail" / part).mkdir(parents=True)
        shutil.copy(FIXTURES / "contest.key", folder / "contest.key")
        (folder / "contest.db").write_bytes(gzip.decompress((FIXTURES / f"schema-{old}.db.gz").read_bytes()))
        return make_settings(folder, smtp[1])

    def act(folder: Path) -> None:
        do(folder, POLL, BEGIN + 9000)

    def after(folder: Path) -> None:
        with closing(sqlite3.connect(folder / "contest.db")) as ledger:
            sending = ledger.execute("SELECT number FROM outbox WHERE state = 'sending' ORDER BY number").fetchall()
        report = poll(load(folder, {}), lambda: BEGIN + 9000)
        assert [line.partition(" to ")[0] for line in report.said] == [
            f"nobody knows whether letter {number}" for number, in sending], "what was being sent then is doubted"
        assert report.status == bool(sending)
        assert record(folder / "contest.db") > 0
        copy = connect(f"sqlite:///{folder / f'contest.db.schema-{old}'}")
        assert revision(copy) == old
        copy.dispose()
        assert not list(folder.glob("*.part*"))

    assert each_stop(tmp_path, lay, act, after) > 20


def test_a_new_key_never_locks_the_ledger_out(template: World, tmp_path: Path) -> None:
    """Stopped anywhere, the keys in the file open the ledger; given again, the new key alone does."""

    def lay(folder: Path) -> Path:
        copied(template)(folder)
        with (folder / "contest.toml").open("a") as settings:
            settings.write(SEALED)
        assert run(["-C", str(folder), "ledger", "rekey"]) == 0
        return folder

    def whole(folder: Path) -> None:
        settings = load(folder, {})
        with Store.open(settings.ledger.url, "w1", keys=settings.ledger.key) as store:
            assert store.verify() == []
            assert len(list(store.letters())) == 2

    def after(folder: Path) -> None:
        whole(folder)
        assert run(["-C", str(folder), "ledger", "rekey"]) == 0
        assert len((folder / "ledger.key").read_text().split()) == 1
        whole(folder)

    def act(folder: Path) -> None:
        run(["-C", str(folder), "ledger", "rekey"])

    assert each_stop(tmp_path, lay, act, after) > 10


def test_a_letter_asked_for_again_goes_once(template: World, tmp_path: Path, smtp: tuple[SmtpScript, int]) -> None:
    """The order is kept or not; given again where it wasn't, the letter goes out once with its old bytes."""
    script = smtp[0]

    def lay(folder: Path) -> Path:
        copied(template)(folder)
        with closing(sqlite3.connect(folder / "contest.db")) as raw:
            raw.execute("UPDATE outbox SET state = 'unknown', doubtful = 1 WHERE number = 1")
            raw.commit()
        return folder

    def again(folder: Path) -> int:
        return run(["-C", str(folder), "unsent", "--again", "1"])

    def after(folder: Path) -> None:
        with Store.open(f"sqlite:///{folder / 'contest.db'}", "w1") as store:
            kept = next(store.outbox().each()).state == "queued"
        assert again(folder) == kept
        script.taken.clear()
        assert poll(load(folder, {}), lambda: BEGIN + 3 * HOUR).status == 0
        with Store.open(f"sqlite:///{folder / 'contest.db'}", "w1") as store:
            letter = next(store.outbox().each())
        assert letter.state == "sent"
        assert [data for _, data in script.taken] == [letter.data]

    assert each_stop(tmp_path, lay, again, after) >= 3
