"""However people write: when a letter's time is over, no word of it is left, and the contest is the same."""

from __future__ import annotations

import shutil
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from nomicwolf.cli.app import run
from nomicwolf.maillist import distributed
from nomicwolf.run.copies import backups, make_backup
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.test_erasing import contest_of
from tests.run.test_erasing_properties import EXAMPLES, Writer, demand_same, left_of, writers, written
from tests.run.world import BEGIN, FORUMS, World, copied, make_settings

pytestmark = pytest.mark.slow

HOUR, DAY = 3600, 86400
LATE = BEGIN + 40 * DAY
NUMBERS = count()


def kept_for_a_month(world: World) -> World:
    """Have letters kept for thirty days, one backup, and an archive that each poll keeps up to date."""
    world.add('\n[keep]\nletters = "30d"\nbackup_count = 1\n\n[archive]\nwrite = true\n')
    return world


def lived(world: World, writer: Writer) -> World:
    """Let somebody write to the contest and to a forum, be quoted there, and the session end."""
    sender = f"{writer.shown} <ash@players.test>"
    world.deliver("p1", written("p1", sender, writer.text, BEGIN, writer.encoding, writer.form), BEGIN + HOUR)
    spoken = written("f1", sender, f"{' '.join(writer.words)}.\n\nI vote for Bex.", BEGIN, writer.encoding)
    spoken = spoken.replace(b"To: wolf@contest.test", b"To: agora-business@lists.agora.test")
    world.deliver("f1", distributed(spoken, FORUMS["agora"], BEGIN + HOUR), BEGIN + HOUR)
    quoted = written("q1", "Bex <bex@players.test>", f"> {' '.join(writer.words)}\n\nSo what?", BEGIN, "8bit")
    world.deliver("q1", quoted, BEGIN + HOUR + 1)
    assert world.poll(BEGIN + 2 * HOUR).status in (0, 75)
    for number in contest_of(world).held:
        assert world.command("reject", number=str(number), why="unclear", at=BEGIN + 3 * HOUR).status == 0
    assert world.command("end", why="enough", at=BEGIN + 3 * HOUR).status == 0
    assert world.poll(BEGIN + 4 * HOUR).status in (0, 75)
    return world


def demand_forgotten(world: World, writer: Writer) -> None:
    """Let the time pass, and look for the words everywhere; AssertionError if any is left, or anything else is gone."""
    assert left_of(writer.words, world) == {*writer.words}
    before = contest_of(world)

    report = world.poll(LATE, clock_is_right=True)
    assert report.status in (0, 75), report
    if world.settings.ledger_file is not None:
        make_backup(world.settings, 1, LATE, "wish")
        assert len(backups(world.settings)) == 1

    assert left_of(writer.words, world) == set()
    demand_same(world, before)


@given(writers)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_word_is_left_and_the_contest_is_the_same(template: World, tmp_path: Path, writer: Writer) -> None:
    """Ledger, WAL, backups made afterwards, archive, journals; the record verifies and replays."""
    folder = tmp_path / str(next(NUMBERS))
    shutil.copytree(template.folder, folder)
    with smtp_server(script := SmtpScript()) as port:
        world = kept_for_a_month(World(make_settings(folder, port), script))
        demand_forgotten(lived(world, writer), writer)
        assert left_of(writer.words, world) == set()


@pytest.mark.slow
def test_in_a_servers_database(template: World, tmp_path: Path, postgres_url: str) -> None:
    """The same, by its rows; what PostgreSQL keeps besides is its owner's (docs/privacy.md)."""
    writer = Writer("Zoë Ashdown", "zoe.ash@real.test", [f"übertrieben{letter}xq" for letter in "abcdefghij"],
                    "quoted-printable", "html")
    with smtp_server(script := SmtpScript()) as port:
        world = kept_for_a_month(copied(template, tmp_path / "contest", port, script, postgres_url))
        demand_forgotten(lived(world, writer), writer)
        assert left_of(writer.words, world) == set()


def test_what_waits_may_quote(template: World, tmp_path: Path) -> None:
    """While an answer can't go, its question stays in the record, and replay finds nothing wrong; then both go."""
    writer = Writer("Ash", "x@real.test", [f"geheim{letter}xq" for letter in "abcdefghij"], "8bit", "plain")
    folder = tmp_path / "contest"
    shutil.copytree(template.folder, folder)
    world = lived(kept_for_a_month(World(make_settings(folder, 9), template.smtp)), writer)

    assert world.poll(LATE, clock_is_right=True).status == 75

    assert run(["-C", str(world.folder), "replay"]) == 0
    with smtp_server(SmtpScript()) as port:
        file = folder / "contest.toml"
        file.write_text(file.read_text().replace("port = 9\n", f"port = {port}\n"))
        assert world.poll(LATE + HOUR, clock_is_right=True).status == 0
        assert world.poll(LATE + 2 * DAY, clock_is_right=True).status == 0
    make_backup(world.settings, 1, LATE + 2 * DAY, "wish")
    assert left_of(writer.words, world) == set()
    assert run(["-C", str(world.folder), "replay"]) == 0
