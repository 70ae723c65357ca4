"""An archive proves itself, and whatever is changed in it is found and named."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nomicwolf.archive import verify, write
from nomicwolf.archive.files import PROGRAM, letters_file, listed_hashes, read_back, record_file
from nomicwolf.archive.replay import Redone, redo, replay_moves
from nomicwolf.archive.verification import NoArchive
from nomicwolf.cli.app import order_of
from nomicwolf.nomic.events import Awarded, Revealed, SessionStarted
from nomicwolf.nomic.state import is_village
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.archive import Published
from nomicwolf.reports.archive.published import is_told_later
from nomicwolf.reports.history import is_public
from nomicwolf.run.contest_setup import own_roles
from nomicwolf.village.events import Counted, Drawn, Entry, Event, Killed, Opened, PhaseBegan, Seen, Voted
from nomicwolf.village.game import replay
from nomicwolf.village.rulesets import rules_in
from tests.archive.stories import finished, going_on, two_worlds
from tests.tables import each

pytestmark = pytest.mark.slow

SCENARIOS = Path(__file__).parents[1] / "scenarios"
FILES = sorted(path for path in SCENARIOS.rglob("*.yaml"))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a session that is over."""
    folder = tmp_path_factory.mktemp("archive")
    write(finished(), folder)
    return folder


@pytest.mark.parametrize("story", [finished, going_on, lambda: two_worlds()[0]], ids=["over", "going-on", "running"])
def test_what_was_written_is_verified(story: Callable[[], Published], tmp_path: Path) -> None:
    """A contest's archive verifies, over or not."""
    write(story(), tmp_path)

    assert verify(tmp_path).json()["differs"] == []


def test_the_verdict_says_how_much_was_checked(archive: Path) -> None:
    """`commands.md` 6 promises the shape."""
    verdict = verify(archive).json()

    assert verdict["schema"] == 1
    assert verdict["verified"] is True
    assert {kind: n > 0 for kind, n in verdict["checked"].items()} == dict.fromkeys(
        ("draws", "counts", "deaths", "awards", "letters", "files"), True)
    assert verdict["checked"]["deaths"] == 3


def test_what_is_read_back_is_what_was_published() -> None:
    """The files hold all of it."""
    for story in (finished(), going_on()):
        assert read_back(record_file(story), letters_file(story)) == (story, PROGRAM, [])


def test_others_can_check_the_files_without_the_program(archive: Path) -> None:
    """``sha256sum -c SHA256SUMS``, as the archive's own page says."""
    run = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=archive, capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stdout
    assert len(run.stdout.splitlines()) == len(listed_hashes(archive))


EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "40"))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_changed_byte_is_found_and_named(archive: Path, data: st.DataObject) -> None:
    """Whichever byte of whichever file is another one, is lost or is added, and wherever it ends, the file is named.

    So it is where SHA256SUMS is mended with it; a line of that list is named itself, or by the file that it tells of.
    """
    path = data.draw(st.sampled_from(["SHA256SUMS", *sorted(listed_hashes(archive))]))
    whole, sums = (archive / path).read_bytes(), (archive / "SHA256SUMS").read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1) | st.sampled_from([0, len(whole) - 1]))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != whole[place]))
    rest = data.draw(st.sampled_from([
        bytes([byte]) + whole[place + 1:], whole[place + 1:], bytes([byte]) + whole[place:], b""]))
    forged = whole[:place] + rest
    try:
        (archive / path).write_bytes(forged)
        if path != "SHA256SUMS" and data.draw(st.booleans()):
            mended = sums.replace(sha256(whole).hexdigest().encode(), sha256(forged).hexdigest().encode())
            (archive / "SHA256SUMS").write_bytes(mended)
        differs = verify(archive).differs
    finally:
        (archive / path).write_bytes(whole)
        (archive / "SHA256SUMS").write_bytes(sums)

    assert any(line.startswith(f"{path}: ") or (path == "SHA256SUMS" and path in line) for line in differs)


def test_what_an_archive_holds_besides_evidence(archive: Path) -> None:
    """Only the list of hashes isn't in the list of hashes."""
    there = {path.relative_to(archive).as_posix() for path in archive.rglob("*") if path.is_file()}

    assert there - set(listed_hashes(archive)) == {"SHA256SUMS"}


def test_the_pages_of_another_program_are_said_not_to_be_made_again(archive: Path, tmp_path: Path) -> None:
    """They are compared with the list alone, and whoever checks is told so."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    sums = (copy / "SHA256SUMS").read_text()
    for name in ("record.json", "letters.json"):
        before = (copy / name).read_bytes()
        after = before.replace(PROGRAM.encode(), b"nomicwolf 0.0.9")
        (copy / name).write_bytes(after)
        sums = sums.replace(sha256(before).hexdigest(), sha256(after).hexdigest())
    (copy / "SHA256SUMS").write_text(sums)
    verdict = verify(copy)

    assert (verdict.verified, verdict.other) == (True, "nomicwolf 0.0.9")
    (copy / "record.json").write_bytes((archive / "record.json").read_bytes())
    assert any(line.startswith("letters.json: is by 'nomicwolf 0.0.9'") for line in verify(copy).differs)


def test_a_forger_who_mends_the_list_is_found(archive: Path, tmp_path: Path) -> None:
    """A page that was changed with its line in SHA256SUMS still is not what the record gives."""
    forged = tmp_path / "forged"
    shutil.copytree(archive, forged)
    page = forged / "awards.html"
    before = sha256(page.read_bytes()).hexdigest()
    page.write_bytes(page.read_bytes().replace(b"<bdi>Dov</bdi>", b"<bdi>Cam</bdi>"))
    sums = (forged / "SHA256SUMS").read_text()
    (forged / "SHA256SUMS").write_text(sums.replace(before, sha256(page.read_bytes()).hexdigest()))

    assert verify(forged).differs == ("awards.html: is not the page that record.json gives",)


@pytest.mark.parametrize("name", ["record.json", "letters.json", "index.html"])
def test_a_missing_file_is_named(archive: Path, tmp_path: Path, name: str) -> None:
    """Nothing may be left out."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    (copy / name).unlink()

    assert f"{name}: is missing" in verify(copy).differs


def test_a_page_that_is_lost_or_added_with_its_line_of_the_list_is_named(archive: Path, tmp_path: Path) -> None:
    """The record gives which pages there are: a list that was mended doesn't hide one, nor does it bring one in."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    day = next(line for line in (copy / "SHA256SUMS").read_text().splitlines() if line.endswith("day-1.html"))
    path = day.split("  ")[1]
    (copy / path).rename(copy / "session-1" / "day-9.html")
    mended = (copy / "SHA256SUMS").read_text().replace("day-1.html", "day-9.html")
    (copy / "SHA256SUMS").write_text(mended)

    assert set(verify(copy).differs) >= {
        f"{path}: is missing",
        "session-1/day-9.html: is listed in SHA256SUMS, and is no page that record.json gives"}


@pytest.mark.parametrize("text", ['"contest": "none", "contest"', '"head": "0", "head"'])
def test_a_key_that_stands_twice_is_named(archive: Path, tmp_path: Path, text: str) -> None:
    """One reader takes the first, another the last; so whoever wrote the archive, it is no record."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    whole = (copy / "record.json").read_text().replace(PROGRAM, "nomicwolf 0.0.9")
    (copy / "record.json").write_text(whole.replace(text.rsplit(maxsplit=1)[-1] + ":", text + ":", 1))

    assert any(line.startswith("record.json: no JSON: a key stands twice") for line in verify(copy).differs)


def test_a_line_of_the_record_that_was_changed_is_named(archive: Path, tmp_path: Path) -> None:
    """The chain says which line it was."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    record: dict[str, Any] = json.loads((copy / "record.json").read_bytes())
    record["entries"][20]["is"]["at"] += 1
    (copy / "record.json").write_text(json.dumps(record))

    assert "record.json: entries 21: was changed, or one before it was; the chain breaks here" in verify(copy).differs


@pytest.mark.parametrize("head", ["", "no hash", 7, None])
def test_a_head_that_is_none_is_named_and_the_chain_goes_on_behind_it(
    archive: Path, tmp_path: Path, head: object,
) -> None:
    """Only the line whose head was spoilt is named: those behind it are held to what its head must be."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    record: dict[str, Any] = json.loads((copy / "record.json").read_bytes())
    record["entries"][20]["head"] = head
    (copy / "record.json").write_text(json.dumps(record))

    broken = [line for line in verify(copy).differs if "the chain breaks here" in line]
    assert broken == ["record.json: entries 21: was changed, or one before it was; the chain breaks here"]


@pytest.mark.parametrize("times", [0, 2])
def test_what_the_contest_is_must_be_told_once(archive: Path, tmp_path: Path, times: int) -> None:
    """A record that tells it twice, or not at all, tells readers different things."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    record: dict[str, Any] = json.loads((copy / "record.json").read_bytes())
    record["about"] *= times
    (copy / "record.json").write_text(json.dumps(record))

    assert "record.json: must tell once what the contest is" in verify(copy).differs


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    """A folder without a record is no archive, nor is a file."""
    with pytest.raises(NoArchive, match=r"record\.json"):
        verify(tmp_path)
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(NoArchive, match=r"record\.json"):
        verify(tmp_path / "file")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"schema": 1, "contest": "w", "x": 1e999}', "\x00", "[]", "{}"])
def test_a_record_that_can_not_be_read_is_named(archive: Path, tmp_path: Path, text: str) -> None:
    """Nonsense stops nothing: the file is named."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    (copy / "record.json").write_text(text)

    differs = verify(copy).differs

    assert "record.json: is not the file that SHA256SUMS lists" in differs
    assert any(line.startswith(("record.json: no JSON", "record.json: is of no form")) for line in differs)


def test_a_record_of_what_can_not_be_is_named(archive: Path, tmp_path: Path) -> None:
    """A record in good order that no contest could have is told as such."""
    copy = tmp_path / "copy"
    shutil.copytree(archive, copy)
    story = finished()
    gone = tuple(e for e in story.entries if not isinstance(e.event, Opened | SessionStarted))
    seat = replace(story, entries=(*gone, *(e for e in story.entries if isinstance(e.event, SessionStarted))))
    (copy / "record.json").write_bytes(record_file(seat))

    assert not verify(copy).verified


def forged(kind: type[Event], change: Callable[[Any], Event]) -> Published:
    """The story with the last event of *kind* told otherwise, in good order for whoever looks at hashes only."""
    story = finished()
    place = max(i for i, e in enumerate(story.entries) if isinstance(e.event, kind))
    entry = replace(story.entries[place], event=change(story.entries[place].event))
    return replace(story, entries=(*story.entries[:place], entry, *story.entries[place + 1:]))


LIES: list[tuple[type[Event], Callable[[Any], Event], str]] = [
    (Drawn, lambda e: replace(e, result=("Bex",)), "the lot for hunter falls otherwise"),
    (Opened, lambda e: replace(e, seed="8"), "the commitment is not that of the seed"),
    (Opened, lambda e: replace(e, deal=(("Ash", "villager", "villagers"), *e.deal[1:])), "the deal is not that"),
    (SessionStarted, lambda e: replace(e, commitment="0" * 64), "the commitment is not that of the seed"),
    (SessionStarted, lambda e: replace(e, bound=tuple((who, "0" * 64) for who, _ in e.bound)), "to the roles are not"),
    (Counted, lambda e: replace(e, counts=(("Ash", 4),)), "the record says counted"),
    (Killed, lambda e: replace(e, who="Ash"), "the record says killed"),
    (Seen, lambda e: replace(e, evil=not e.evil), "the record says seen"),
    (Voted, lambda e: replace(e, late=True), "the record says voted"),
    (Awarded, lambda e: replace(e, amount=e.amount + 1), "redone, award"),
    (Awarded, lambda e: replace(e, who="Cam"), "redone, award"),
    (Revealed, lambda e: replace(e, lovers=("Ash", "Bex")), "other roles or Lovers"),
    (Revealed, lambda e: replace(e, became=(("Bex", "seer", "villagers"),)), "other roles or Lovers"),
    (Revealed, lambda e: replace(e, deal=e.deal[1:]), "tells another seed"),
]


@each(("kind", "change", "said"), LIES)
def test_a_lie_of_the_contestmaster_is_found(kind: type[Event], change: Callable[[Any], Event], said: str) -> None:
    """Hashes that fit do not help: draws, deal, counts, deaths, sights and awards are all done again."""
    differs = redo(forged(kind, change)).differs

    assert any(said in line for line in differs), differs


def test_a_move_that_was_left_out_is_found() -> None:
    """Whoever withholds a night deed leaves a record that can't be redone."""
    story = finished()
    entries = tuple(e for e in story.entries if not isinstance(e.event, Seen))

    assert redo(replace(story, entries=entries)).differs


@each("path", FILES[::6])
def test_every_rule_set_can_be_redone(path: Path) -> None:
    """What the scenarios of all rule sets come to is what their published moves come to again.

    Where a scenario gives how the session stands, that instant has no moves and is taken as it is.
    """
    script = read_script(path.read_text(encoding="utf-8"), path.parent)
    played = rehearse(replace(script, roles=own_roles(path.parent)), order_of)
    game = played.contest.game
    if game is None or game.opened is None:
        assert not [e for e in played.contest.entries if isinstance(e.event, Voted)]
        return
    begin = max(i for i, e in enumerate(played.contest.entries) if isinstance(e.event, Opened))
    told = [e for e in played.contest.entries[begin:] if is_public(e.event) or is_told_later(e.event)]
    given = any(isinstance(e.event, PhaseBegan) and e.cause == "clock" for e in told)
    first = next((i for i, e in enumerate(told) if e.at > told[0].at), len(told)) if given else 0
    before: list[Entry] = [e for e in told[:first] if is_village(e.event)]

    assert list(replay_moves(told[first:], rules_in(game), Redone(), replay(before))) == []
