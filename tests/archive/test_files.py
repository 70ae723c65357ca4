"""Archives are written file by file, only where something has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.archive import write
from nomicwolf.archive.files import SUMS, ForeignFiles, listed_hashes
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
    assert {"session-1/day-1.html", "session-1/day-2.html"} <= same


def test_files_of_an_earlier_archive_go_and_others_stay(tmp_path: Path) -> None:
    """What an earlier run listed and this one has not is removed; what someone else put there is not ours."""
    write(going_on(), tmp_path)
    (tmp_path / "robots.txt").write_text("mine")
    done = write(finished(), tmp_path)
    assert done.removed == 3
    assert not (tmp_path / "session-2" / "index.html").exists()
    assert (tmp_path / "robots.txt").read_text() == "mine"

    write(going_on(), tmp_path)
    (tmp_path / "session-2" / "index.html").unlink()
    assert write(finished(), tmp_path).removed == 2


@pytest.mark.parametrize("name", ["thesis.tex", "index.html", "session-1/notes.md"])
def test_a_folder_with_files_of_another_is_refused(tmp_path: Path, name: str) -> None:
    """Nothing is written beside them, nor over them; what says how a folder is served may stay."""
    for served in (".git/config", "CNAME", ".nojekyll"):
        (tmp_path / served).parent.mkdir(exist_ok=True)
        (tmp_path / served).write_text("mine")
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    before = state(tmp_path)
    with pytest.raises(ForeignFiles, match=f"has {name}, which no archive has written; name an empty folder"):
        write(finished(), tmp_path)
    assert state(tmp_path) == before

    (tmp_path / name).unlink()
    assert write(finished(), tmp_path).changed
    assert write(finished(), tmp_path).changed == 0
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(ForeignFiles, match=r"has thesis\.tex"):
        write(finished(), tmp_path)


def test_an_archive_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    """What it had written, and what it was writing, are no foreign files."""
    write(finished(), tmp_path)
    (tmp_path / SUMS).write_text("")
    (tmp_path / "session-1" / ".index.html.new").write_text("<!doct")

    write(finished(), tmp_path)
    assert len(listed_hashes(tmp_path)) > 5


def test_a_list_can_not_lead_out_of_the_archive(tmp_path: Path) -> None:
    """Paths in the list that point elsewhere are not looked at, and nothing there is removed."""
    folder = tmp_path / "archive"
    folder.mkdir()
    (tmp_path / "precious").write_text("keep")
    (folder / SUMS).write_text(f"{'0' * 64}  ../precious\n{'0' * 64}  {tmp_path}/precious\n")

    assert listed_hashes(folder) == {}
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


def test_a_page_that_somebody_changed_is_made_again(tmp_path: Path) -> None:
    """A page that is gone is made again too."""
    write(finished(), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.html")}
    (tmp_path / "session-1" / "day-1.html").write_text("mine")
    (tmp_path / "session-1" / "day-2.html").unlink()
    done = write(finished(), tmp_path)

    assert done.changed == 2
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.html")} == before


def test_an_archive_that_grew_is_what_would_be_made(tmp_path: Path) -> None:
    """However an archive grew, it is the same as one that is made at once."""
    world = Story()
    world.start()
    written = 0

    def alike() -> None:
        """Write the grown archive on, and one at once; compare them."""
        nonlocal written
        written += 1
        write(published(world), tmp_path / "grown")
        write(published(world), tmp_path / f"fresh{written}")
        grown, fresh = ({p.relative_to(tmp_path / f): p.read_bytes() for p in (tmp_path / f).rglob("*") if p.is_file()}
                        for f in ("grown", f"fresh{written}"))
        assert grown == fresh

    for hour, (who, says) in enumerate((("Ash", "I vote for Bex."), ("Cam", "I endorse Ash."), ("Dov", "Hello.")), 2):
        world.write(who, says, at=hour)
        alike()
    assert world.command("end", at=30, why="enough").status == 0
    alike()
    assert world.command("start", at=31, roles="seer", seed="9", limit="agora=35").status == 0
    alike()
    world.write("Eli", "Hello again.", at=32)
    world.write("Fay", "I wrote this long ago.", at=3)  # among letters that are there
    alike()


def test_one_letter_more_touches_few_files(tmp_path: Path) -> None:
    """Talk changes the page of its session's letters, their list, the letters as data, and the end of the mbox."""
    world = Story()
    world.start()
    world.write("Ash", "I vote for Bex.", at=2)
    write(published(world), tmp_path)
    before, mails = state(tmp_path), (tmp_path / "letters.mbox").read_bytes()
    world.write("Dov", "Nothing but talk.", at=3)
    done = write(published(world), tmp_path)
    after = state(tmp_path)

    changed = {path for path, inode in after.items() if before.get(path) != inode}
    assert changed == {"letters.json", "letters.mbox", "letters/index.html", "letters/session-1.html", "index.html",
                       "search.html", "state.json", SUMS}
    assert done.changed == 7
    assert (tmp_path / "letters.mbox").read_bytes().startswith(mails)
