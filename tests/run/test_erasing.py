"""A person taken out: no byte is left of address, name and own letters; the record folds, verifies and replays."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import NullPool, create_engine, text

from nomicwolf.archive import verify, write
from nomicwolf.cli.app import run
from nomicwolf.contest import Contest
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.copies import backups, published
from nomicwolf.run.personal_data import erase
from nomicwolf.run.resources import secret_if_any
from tests.run.steps import Died, Fuse, burning
from tests.run.world import BEGIN, World, letter

pytestmark = pytest.mark.slow

FULL = int(os.environ.get("NOMICWOLF_EXAMPLES", "50")) > 50
HOUR = 3600
LATE = BEGIN + 30 * 86400
OWN = "I believe that the quiet ones among us are lying about everything tonight."
VOTE = "I vote for Bex if Ash is voting for Gus, otherwise nobody."
TRACES = ("gus@players.test", "Gustav Gutmann", "gustav.gutmann@old.test", OWN[:40], "Gutmann")

NAME_IN_TEXT = re.compile(rb"[\t\n -~]{8}(?<![A-Za-z0-9+/=_-])gus(?![A-Za-z0-9+/=_-])[\t\n -~]{8}", re.IGNORECASE)
"""The name amid text: three letters stand in sealed bytes by chance, in one database of twenty."""


def lived(world: World) -> World:
    """Return a contest in which Gus has written, was written about, was lynched, and has left."""
    assert world.command("party-alias", who="Gus", alias=("Gutmann",)).status == 0
    assert world.command("party-address", who="Gus", address=("gustav.gutmann@old.test",)).status == 0
    assert world.command("party-address", who="Gus", address=("gus@players.test",)).status == 0
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    real = letter("g1", "Gus", f"{OWN}\n{VOTE}", BEGIN + HOUR + 60).replace(
        b"From: Gus <", b"From: Gustav Gutmann <")
    world.deliver("g1", real, BEGIN + HOUR + 60)
    world.post("g3", "Gus", VOTE, BEGIN + HOUR + 70)
    quoting = letter("b1", "Bex", f"> {OWN}\n> {VOTE}\n\ngus@players.test is wrong. I vote for Gus.",
                     BEGIN + HOUR + 120)
    world.deliver("b1", quoting, BEGIN + HOUR + 120)
    world.deliver("g2", letter("g2", "Gus", "status", BEGIN + HOUR + 180, "wolf@contest.test"), BEGIN + HOUR + 180)
    for who in ("Cam", "Dov"):
        world.post(f"v-{who}", who, "I vote for Gus.", BEGIN + HOUR + 190)
    world.deliver("s1", letter("s1", "Zed", "Who is Gustav Gutmann?", BEGIN + HOUR + 200, "wolf@contest.test"),
                  BEGIN + HOUR + 200)
    assert world.poll(BEGIN + 2 * HOUR).status in (0, 75)
    done = world.command("party-remove", who="Gus", why="Gus asked for it", at=BEGIN + 3 * HOUR)
    assert done.status == 0, done.said
    assert world.poll(BEGIN + 4 * HOUR).status == 0
    game = contest_of(world).game
    assert game is not None
    assert "Gus" not in game.alive
    return world


@pytest.fixture
def left(world: World) -> World:
    """Return such a contest, in each kind of database."""
    return lived(world)


@pytest.fixture
def left_file(file_world: World) -> World:
    """Return such a contest whose ledger is a file."""
    return lived(file_world)


def contest_of(world: World) -> Contest:
    """Fold the contest."""
    with world.store() as store:
        return Contest.of(setup_of(world.settings, secret_if_any(world.settings)), store.record())


def traces_in(data: bytes) -> list[str]:
    """Return what of the person is in some bytes, in whatever case."""
    found = [trace for trace in TRACES if re.search(
        rb"(?<![A-Za-z])" + re.escape(trace.encode()) + rb"(?![A-Za-z])", data, re.IGNORECASE)]
    return found + ["Gus"] * (NAME_IN_TEXT.search(data) is not None)


def files_of(world: World) -> Iterator[Path]:
    """Yield the files that the program keeps: all but the mailbox, which is the contestmaster's."""
    for file in world.folder.rglob("*"):
        if file.is_file() and "mail" not in file.relative_to(world.folder).parts:
            yield file


def dumped(world: World) -> bytes:
    """Return all that a contest's tables hold, value by value, each amid blanks."""
    file = world.settings.ledger_file
    url = world.settings.ledger.url if file is None else f"sqlite:///{file}"
    engine = create_engine(url, poolclass=NullPool)
    with engine.connect() as connection:
        return b"\n".join(
            b" " * 8 + (value.encode() if isinstance(value, str) else bytes(value)) + b" " * 8
            for table in ("contests", "entries", "originals", "letters", "outbox", "marks", "setups", "happenings")
            for row in connection.execute(text(f"SELECT * FROM {table}"))
            for value in row if isinstance(value, str | bytes | memoryview))


def test_nothing_of_the_person_is_left(left: World) -> None:
    """Not in the ledger, its WAL, copies beside it, backups; in a server's tables neither."""
    assert "Gus" in traces_in(dumped(left))

    done = erase(left.settings, "Gus", lambda: LATE)

    assert done.done is not None
    assert done.name == "Anon1"
    assert traces_in(dumped(left)) == []
    assert {str(file): found for file in files_of(left) if (found := traces_in(file.read_bytes()))} == {}


def test_the_game_stays_and_the_chain_holds(left: World) -> None:
    """Who lives, votes and awards are the same under another name; verify, replay and a poll find nothing wrong."""
    before = contest_of(left)
    with left.store() as store:
        heads = [*store.heads()]
    erase(left.settings, "Gus", lambda: LATE)
    after = contest_of(left)

    assert after.game is not None
    assert before.game is not None
    assert after.game.seats == tuple("Anon1" if who == "Gus" else who for who in before.game.seats)
    assert {*after.game.alive} == {*before.game.alive}
    assert after.persons["Anon1"].addresses[0].endswith("@erased.invalid")
    says = {entry.event.says for entry in after.entries if isinstance(entry.event, DeedHeard)}
    assert "vote Bex if Ash is voting for Anon1, otherwise nobody" in says
    with left.store() as store:
        assert store.verify() == []
        assert [*store.heads()][:len(heads)] == heads
    assert run(["-C", str(left.folder), "ledger", "verify"]) == 0
    assert run(["-C", str(left.folder), "replay"]) == 0
    assert left.poll(LATE).status in (0, 75)


def test_a_second_person_is_erased_too(left_file: World) -> None:
    """The two pseudonyms differ, and both erasures are bound by the record."""
    erase(left_file.settings, "Gus", lambda: LATE)
    assert left_file.command("end", why="enough", at=LATE).status == 0
    assert left_file.command("party-remove", who="Bex", at=LATE).status == 0

    assert erase(left_file.settings, "Bex", lambda: LATE + HOUR).name == "Anon2"

    with left_file.store() as store:
        assert store.verify() == []
    assert run(["-C", str(left_file.folder), "ledger", "verify"]) == 0
    found = b"".join(file.read_bytes() for file in files_of(left_file))
    assert b"bex@players.test" not in found


def test_what_was_erased_can_not_be_changed_again(left_file: World) -> None:
    """An erased line, an erased letter's excuse, or a line that no erasure names: each change is found."""
    erase(left_file.settings, "Gus", lambda: LATE)
    file = left_file.settings.ledger_file
    assert file is not None
    engine = create_engine(f"sqlite:///{file}", poolclass=NullPool)
    with engine.connect() as connection:
        names = [row[0] for row in connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))]
        for name in names:
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text("UPDATE entries SET data = replace(data, 'Anon1', 'Fay') WHERE number = "
                                "(SELECT max(number) FROM entries WHERE data LIKE '%Anon1%' AND kind != 'erased')"))
        connection.commit()

    with left_file.store() as store:
        problems = store.verify()

    assert any("what was erased before it is not as it was left then" in problem for problem in problems)


def test_the_archive_is_of_the_pseudonym(left_file: World, tmp_path: Path) -> None:
    """It is written anew without the person, and what can be redone of it is redone."""
    write(published(left_file.settings), left_file.settings.archive.path, None)

    assert run(["-C", str(left_file.folder), "party", "erase", "Gus", "--at", "2027-01-01T00:00Z"]) == 0

    pages = b"".join(file.read_bytes() for file in left_file.settings.archive.path.rglob("*") if file.is_file())
    assert b"Anon1" in pages
    assert traces_in(pages) == []
    assert verify(left_file.settings.archive.path).differs == ()


def test_a_finished_session_with_the_erased_is_verified(left_file: World) -> None:
    """Lots with the erased can't be drawn again; all else that is published can."""
    assert left_file.command("end", why="enough", at=LATE).status == 0
    erase(left_file.settings, "Gus", lambda: LATE + HOUR)
    write(published(left_file.settings), left_file.settings.archive.path, None)

    assert verify(left_file.settings.archive.path).differs == ()


@pytest.mark.parametrize(("who", "said"), [
    ("Ash", "is a party"), ("Murphy", "nobody here is called 'Murphy'"), ("Nobody", "nobody here is called"),
    ("who@knows.test", "no letter from"),
])
def test_who_can_not_be_erased(left_file: World, who: str, said: str) -> None:
    """Parties, the contestmaster, and nobody: each is told why, and nothing is changed."""
    with left_file.store() as store:
        last = store.last()

    with pytest.raises(LedgerError, match=re.escape(said)):
        erase(left_file.settings, who, lambda: LATE)

    with left_file.store() as store:
        assert store.last() == last


def test_a_stranger_is_erased_by_address(left_file: World) -> None:
    """Who wrote and never joined has no name here."""
    erase(left_file.settings, "zed@players.test", lambda: LATE)

    found = b"".join(file.read_bytes() for file in files_of(left_file))
    assert b"zed@players.test" not in found
    assert b"Who is Gustav" not in found
    with left_file.store() as store:
        assert store.verify() == []


def test_what_somebody_else_said_first_stays(left_file: World) -> None:
    """A stock phrase is its first author's, whose letter keeps it; what is the person's own goes from later ones."""
    stock, own = "I vote for whoever has most votes at the end.", "Seven purple owls have danced upon my roof today."
    told = (("Ash", stock), ("Gus", f"{stock}\n{own}"), ("Cam", stock), ("Dov", own))
    for at, (who, said) in enumerate(told, LATE - HOUR):
        left_file.deliver(f"{at}", letter(f"t-{who}", who, said, at, "wolf@contest.test"), at)
    assert left_file.poll(LATE - 60, clock_is_right=True).status in (0, 75)

    erase(left_file.settings, "Gus", lambda: LATE)

    with left_file.store() as store:
        bodies = {kept.author: kept.letter.body.strip() for kept in store.letters() if kept.heard_at == LATE - 60}
    assert bodies == {"Ash": stock, "Anon1": "[erased]", "Cam": stock, "Dov": "[erased]."}


def test_an_address_is_its_persons(left_file: World) -> None:
    """Whoever is known is erased whole, or not at all, by whichever address is given."""
    with pytest.raises(LedgerError, match="Ash is a party"):
        erase(left_file.settings, "Ash@players.test", lambda: LATE)

    assert "Gutmann" in erase(left_file.settings, "gustav.gutmann@old.test", lambda: LATE).names
    assert traces_in(dumped(left_file)) == []


def test_a_dry_run_changes_nothing(left_file: World, capsys: pytest.CaptureFixture[str]) -> None:
    """It says what would be looked for."""
    before = b"".join(sorted(file.read_bytes() for file in files_of(left_file) if file.suffix == ".db"))

    assert run(["-C", str(left_file.folder), "party", "erase", "Gus", "--dry-run"]) == 0

    said = capsys.readouterr().out
    assert "gus@players.test" in said
    assert "Gustav Gutmann" in said
    assert b"".join(sorted(file.read_bytes() for file in files_of(left_file) if file.suffix == ".db")) == before


@pytest.mark.parametrize("name", ["Villager", "villager"])
def test_who_is_called_as_a_role_is(left_file: World, name: str) -> None:
    """Everybody keeps eir role, and the game goes on."""
    assert left_file.command("party-alias", who="Gus", alias=(name,), at=LATE - HOUR).status == 0
    before = contest_of(left_file).game
    assert before is not None

    erase(left_file.settings, name, lambda: LATE)

    after = contest_of(left_file).game
    assert after is not None
    assert after.roles == {"Anon1" if who == "Gus" else who: role for who, role in before.roles.items()}
    assert "villager" in after.roles.values()
    assert left_file.poll(LATE + HOUR, clock_is_right=True).status in (0, 75)
    assert traces_in(dumped(left_file)) == []


def test_parts_of_a_name_are_told(left_file: World, capsys: pytest.CaptureFixture[str]) -> None:
    """A first name may be a word of the language, so the contestmaster says whether it is the person."""
    left_file.deliver("z2", letter("z2", "Zed", "I know Gustav.", LATE - HOUR, "wolf@contest.test"), LATE - HOUR)
    assert left_file.poll(LATE - HOUR, clock_is_right=True).status in (0, 75)
    erasing = ["-C", str(left_file.folder), "party", "erase"]

    assert run([*erasing, "Gus", "--dry-run"]) == 0
    assert "others' letters say Gustav; if that is the person, erase with --also for each" in capsys.readouterr().out
    assert run([*erasing, "Gus"]) == 0
    assert run([*erasing, "Anon1", "--also", "Gustav"]) == 0

    assert "others' letters say" not in capsys.readouterr().out.rpartition("Looked for")[2]
    assert b"Gustav" not in dumped(left_file)


def test_other_files_that_name_the_person_are_named(left_file: World, capsys: pytest.CaptureFixture[str]) -> None:
    """What was exported, or copied by hand, into the contest's folder is the contestmaster's to remove."""
    assert run(["-C", str(left_file.folder), "party", "export", "Gus"]) == 0
    (left_file.folder / "notes.txt").write_text("Gustav Gutmann called.")
    (left_file.folder / "others.txt").write_text("Bex called.")

    assert run(["-C", str(left_file.folder), "party", "erase", "Gus", "--at", "2027-01-01T00:00Z"]) == 0

    said = capsys.readouterr().out
    for name in ("export-Gus", "notes.txt"):
        assert f"{name} in the contest's folder still names the person" in said
    assert "others.txt" not in said


def test_what_a_backup_that_died_left_goes_too(left_file: World) -> None:
    """A copy that was never finished has the person in it as well."""
    file, kept = left_file.settings.ledger_file, left_file.settings.keep.backups
    assert file is not None
    for place in (kept / "w1.20261201T000000Z.1.day-1.db.part", left_file.folder / ".backup-x" / "contest.db",
                  file.with_name("contest.db.part")):
        place.parent.mkdir(exist_ok=True)
        shutil.copy(file, place)

    erase(left_file.settings, "Gus", lambda: LATE)

    assert {str(file): found for file in files_of(left_file) if (found := traces_in(file.read_bytes()))} == {}


def test_backups_go_with_the_person(left_file: World) -> None:
    """Those that the program made are removed, and one is made anew, which can be restored."""
    assert backups(left_file.settings)

    erase(left_file.settings, "Gus", lambda: LATE)

    (only,) = backups(left_file.settings)
    assert only.why == "erasure"
    assert traces_in(only.file.read_bytes()) == []
    assert run(["-C", str(left_file.folder), "restore", only.file.name]) == 0
    with left_file.store() as store:
        assert store.verify() == []


@pytest.mark.usefixtures("swept")
def test_a_crash_at_each_step(left_file: World) -> None:
    """Either nothing is done, or the next poll ends it: then nothing of the person is left."""
    write(published(left_file.settings), left_file.settings.archive.path)
    with burning(Fuse()) as counted:
        whole = left_file.folder.with_name("whole")
        shutil.copytree(left_file.folder, whole)
        erase(World(whole, left_file.smtp).settings, "Gus", lambda: LATE)
    steps = len(counted.passed)
    assert steps > 20
    places = sorted({*range(1, steps + 1, 1 if FULL else steps // 24), steps - 2, steps - 1, steps})
    outcomes = set()
    for place in places:
        folder = left_file.folder.with_name(f"at-{place}")
        shutil.copytree(left_file.folder, folder)
        world = World(folder, left_file.smtp)
        try:
            with burning(Fuse(place)):
                erase(world.settings, "Gus", lambda: LATE)
        except Died:
            pass
        assert world.poll(LATE + HOUR).status in (0, 75)
        with world.store() as store:
            assert store.verify() == []
        gone = "Anon1" in contest_of(world).persons
        outcomes.add(gone)
        found = {str(file): found for file in files_of(world) if (found := traces_in(file.read_bytes()))}
        assert bool(found) != gone, (place, found)
    assert outcomes == {True, False}
