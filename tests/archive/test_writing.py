"""Archives are written file by file, only where something has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.archive import write
from nomicwolf.archive.cache import KEYS
from nomicwolf.archive.writing import SUMS, listed
from tests.archive.stories import Story, finished, going_on, published


def state(folder: Path) -> dict[str, int]:
    """The inode of every file: a file that was written anew has another one."""
    return {path.relative_to(folder).as_posix(): path.stat().st_ino for path in folder.rglob("*") if path.is_file()}


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    """A second run over the same facts leaves every file alone."""
    first = write(finished(), tmp_path)
    before = state(tmp_path)
    second = write(finished(), tmp_path)

    assert (first.changed, second.changed, second.removed) == (first.files, 0, 0)
    assert state(tmp_path) == before


def test_only_what_changed_is_written(tmp_path: Path) -> None:
    """A new session leaves the pages of the old one as they were."""
    write(finished(), tmp_path)
    before = state(tmp_path)
    done = write(going_on(), tmp_path)
    after = state(tmp_path)
    same = {path for path in before if before[path] == after.get(path)}

    assert done.files > len(before) - 1
    assert {"session-1/day-1.html", "session-1/day-2.html", "session-1/index.html"} <= same


def test_files_of_an_earlier_archive_go_and_others_stay(tmp_path: Path) -> None:
    """What an earlier run listed and this one has not is removed; what someone else put there is not ours."""
    write(going_on(), tmp_path)
    (tmp_path / "robots.txt").write_text("mine")
    done = write(finished(), tmp_path)

    assert done.removed == 3
    assert not (tmp_path / "session-2" / "index.html").exists()
    assert (tmp_path / "robots.txt").read_text() == "mine"


def test_a_list_can_not_lead_out_of_the_archive(tmp_path: Path) -> None:
    """Paths in the list that point elsewhere are not looked at, and nothing there is removed."""
    folder = tmp_path / "archive"
    folder.mkdir()
    (tmp_path / "precious").write_text("keep")
    (folder / SUMS).write_text(f"{'0' * 64}  ../precious\n{'0' * 64}  {tmp_path}/precious\n")

    assert listed(folder) == {}
    write(finished(), folder)
    assert (tmp_path / "precious").read_text() == "keep"


def test_progress_is_told(tmp_path: Path) -> None:
    """Whoever wants to know is told how many of how many files are done."""
    told: list[tuple[int, int]] = []
    done = write(finished(), tmp_path, lambda number, of: told.append((number, of)))

    assert told == [(number, done.files) for number in range(1, done.files + 1)]


def test_a_folder_that_can_not_be_written_is_an_error(tmp_path: Path) -> None:
    """A file in the place of the folder stops it."""
    (tmp_path / "archive").write_text("a file")

    with pytest.raises(OSError, match="archive"):
        write(finished(), tmp_path / "archive")


def test_pages_of_old_sessions_are_not_made_again(tmp_path: Path) -> None:
    """What a page tells of is hashed: pages of a session that is over are kept, without a look at their templates."""
    write(finished(), tmp_path, by="one")
    same = write(finished(), tmp_path, by="one")
    more = write(going_on(), tmp_path, by="one")

    assert same.kept == 5  # three of the session, its letters, the mbox
    assert (same.changed, same.removed) == (0, 0)
    assert more.kept == 1  # its letters: what came between belongs to the session before, and the mbox has grown
    assert write(going_on(), tmp_path, by="one").kept == 8
    assert write(going_on(), tmp_path, by="another").kept == 0


def test_a_page_that_somebody_changed_is_made_again(tmp_path: Path) -> None:
    """What is kept is what was made, byte for byte; a page that is gone is made again too."""
    write(finished(), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.html")}
    (tmp_path / "session-1" / "day-1.html").write_text("mine")
    (tmp_path / "session-1" / "day-2.html").unlink()
    done = write(finished(), tmp_path)

    assert (done.changed, done.kept) == (2, 3)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.html")} == before


@pytest.mark.parametrize("notes", ["", "[]", "{", '{"program": "one", "pages": {"index.html": 3}}'])
def test_notes_that_can_not_be_read_only_cost_time(tmp_path: Path, notes: str) -> None:
    """Nothing is kept then, and all is as it was."""
    write(finished(), tmp_path, by="one")
    (tmp_path / KEYS).write_text(notes)
    done = write(finished(), tmp_path, by="one")

    assert (done.changed, done.kept) == (0, 0)


def test_what_is_kept_is_what_would_be_made(tmp_path: Path) -> None:
    """However an archive grew, it is the same as one that is made at once."""
    world = Story()
    world.start()
    for hour, (who, says) in enumerate((("Ash", "I vote for Bex."), ("Cam", "I endorse Ash."), ("Dov", "Hello.")), 2):
        world.write(who, says, at=hour)
        write(published(world), tmp_path / "grown")
    assert world.command("end", at=30, why="enough").status == 0
    write(published(world), tmp_path / "grown")
    assert world.command("start", at=31, roles="seer", seed="9", limit="agora=50").status == 0
    write(published(world), tmp_path / "grown")
    write(published(world), tmp_path / "fresh")

    grown, fresh = ({p.relative_to(tmp_path / f): p.read_bytes() for p in (tmp_path / f).rglob("*") if p.is_file()}
                    for f in ("grown", "fresh"))
    assert grown == fresh
