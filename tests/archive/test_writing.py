"""Archives are written file by file, only where something has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.archive import write
from nomicwolf.archive.writing import SUMS, listed
from tests.archive.stories import finished, going_on


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
