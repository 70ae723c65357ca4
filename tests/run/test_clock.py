"""A clock that jumps, either way, and summer time: no deadline bites by it, no instant goes back, nothing is lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from email.utils import formatdate
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.maillist import distributed
from nomicwolf.run import command
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.run.world import BEGIN, FORUMS, World, copied, letter, make_world, new_world, running_copy, started

HOUR = 3600
YEAR = 365 * 24 * HOUR
TURNS = {"spring": datetime(2027, 3, 28, 1, tzinfo=UTC), "autumn": datetime(2027, 10, 31, 1, tzinfo=UTC)}
"""When the clocks of Europe go forward and back."""


@pytest.fixture
def world(template: World, tmp_path: Path) -> Iterator[World]:
    """A contest in which one has voted."""
    with running_copy(template, tmp_path / "contest") as made:
        made.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
        made.poll(BEGIN + 2 * HOUR)
        yield made


@pytest.fixture
def stand_in() -> Iterator[Callable[[str], None]]:
    """Take this process to another time zone, and back afterwards."""
    with pytest.MonkeyPatch.context() as patch:

        def go(zone: str) -> None:
            patch.setenv("TZ", zone)
            time.tzset()

        yield go
    time.tzset()


def count(world: World, name: str) -> int:
    """Return how many entries of a kind the record has."""
    return sum(f'"event":{{"{name}"' in line for line in world.record())


@pytest.mark.slow
def test_a_year_ahead_and_back(world: World) -> None:
    """Nobody dies of it: the guard is raised, votes count by their stamps, and once resumed it isn't raised again."""
    before = count(world, "died")
    assert world.poll(BEGIN + 2 * HOUR + YEAR, clock_is_right=True).status == 0
    assert (count(world, "guard-raised"), count(world, "died")) == (1, before)

    world.post("v2", "Bex", "I vote for Gus.", BEGIN + 3 * HOUR)
    report = world.poll(BEGIN + 4 * HOUR)
    assert report.status == 1
    assert "the clock is 364 days 22 hours behind" in report.said[0]
    assert f'"at":{BEGIN + 3 * HOUR},' in "".join(line for line in world.record() if '"voted"' in line)
    assert world.command("resume", BEGIN + 4 * HOUR).status == 0
    for number, who in enumerate(("Cam", "Dov"), 1):
        world.post(f"w{number}", who, "I vote for Gus.", BEGIN + (4 + number) * HOUR)
        world.poll(BEGIN + (4 + number) * HOUR + 60)

    assert count(world, "guard-raised") == 1
    assert count(world, "lynched") == 1
    with world.store() as store:
        assert store.check().received == 8


@pytest.mark.slow
def test_years_ahead_nothing_is_dated(world: World) -> None:
    """Where nobody says how late it is, a run after more than a month does nothing, and neither does a command."""
    before, sent = world.record(), len(world.smtp.taken)
    world.post("v2", "Bex", "I vote for Gus.", BEGIN + 3 * HOUR)

    report = world.poll(BEGIN + 2 * HOUR + 3 * YEAR)

    assert (report.status, report.heard, report.sent) == (1, 0, 0)
    assert "1095 days ahead of the last run, and no mail server says that it is so late" in report.said[0]
    assert "nomicwolf poll --clock-is-right" in report.said[0]
    assert world.command("announce", BEGIN + 2 * HOUR + 3 * YEAR).status == 1
    assert (world.record(), len(world.smtp.taken)) == (before, sent)
    assert world.poll(BEGIN + 4 * HOUR).status == 0
    assert count(world, "voted") == 2


@pytest.mark.slow
def test_a_mail_server_that_tells_the_time_is_asked(world: World) -> None:
    """Its greeting says that the clock is five hours ahead, or that the machine was off over a week-end, or longer."""
    before = world.record()
    world.smtp.greeting = f"220 mail.test ESMTP Sendmail 8.17; {formatdate(BEGIN + 3 * HOUR)}"
    report = world.poll(BEGIN + 8 * HOUR)
    assert report.status == 1
    assert "5 hours ahead of what 127.0.0.1 says" in report.said[0]
    assert world.record() == before

    for at in (BEGIN + 60 * HOUR, BEGIN + 60 * HOUR + YEAR):
        world.smtp.greeting = f"220 mail.test ESMTP Exim 4.97 {formatdate(at - 60)}"
        assert world.poll(at).status == 0


@pytest.mark.slow
def test_a_week_end_off_needs_no_witness(world: World) -> None:
    """Nobody says how late it is: the run goes on all the same."""
    assert world.poll(BEGIN + 66 * HOUR).status == 0


@pytest.mark.slow
def test_the_newest_letter_of_a_mailbox_says_how_late_it_is(template: World, tmp_path: Path) -> None:
    """After months a letter that has just come to an IMAP server lets the run go on; an old one doesn't."""
    smtp, later = SmtpScript(), BEGIN + 90 * 24 * HOUR
    data = letter("v1", "Ash", "help", later, "wolf@contest.test")
    mailbox = ImapScript(letters={1: data}, dates={1: BEGIN + HOUR})
    with smtp_server(smtp) as port, imap_server(mailbox) as imap:
        world = copied(template, tmp_path / "contest", port, smtp)
        world.read_by_imap(imap)
        assert world.poll(later + 60).status == 1
        mailbox.letters[2], mailbox.dates[2] = data.replace(b"<v1@", b"<v2@"), later

        assert world.poll(later + 60).status == 0


@pytest.mark.slow
def test_what_comes_back_before_it_left_tells_of_a_clock_that_is_ahead(world: World) -> None:
    """A week ahead nobody says so at first: the next run learns it by the copy of our own letter from the forum."""
    ahead = BEGIN + 2 * HOUR + 7 * 24 * HOUR
    assert world.command("announce", ahead).status == 0
    data = next(data for to, data in reversed(world.smtp.taken) if to.startswith("agora-business"))
    world.deliver("echo", distributed(data, FORUMS["agora"], BEGIN + 2 * HOUR + 60), BEGIN + 2 * HOUR + 60)
    before = world.record()

    report = world.poll(ahead + 120)

    assert report.status == 1
    assert "by a letter of ours that came back" in report.said[0]
    assert world.record() == before
    assert world.poll(ahead + 120, clock_is_right=True).status == 0


@pytest.mark.slow
def test_a_day_ahead_is_no_outage(tmp_path: Path) -> None:
    """What falls due by that clock is done: the batches of a night, with strict cover. Right again, the runs say so."""
    with new_world(tmp_path / "contest") as world:
        world.change("[switches]", '[switches]\ncover = "strict"')
        started(world)
        for number, who in enumerate(("Ash", "Bex", "Cam", "Dov")):
            world.post(f"v{number}", who, "I vote for Gus.", BEGIN + 3 * HOUR + number)
        world.poll(BEGIN + 4 * HOUR)
        batches = count(world, "batched")
        assert world.poll(BEGIN + 28 * HOUR).status == 0
        assert count(world, "batched") > batches
        assert count(world, "guard-raised") == 0

        world.post("v9", "Eli", "I vote for Fay.", BEGIN + 5 * HOUR)
        report = world.poll(BEGIN + 5 * HOUR)
        assert (report.status, report.heard) == (1, 2)
        assert "the clock is 23 hours behind" in report.said[0]
        assert world.poll(BEGIN + 29 * HOUR).status == 0


@pytest.mark.slow
def test_a_backup_takes_a_jump_back(world: World) -> None:
    """What stands in the record a year ahead goes with a restored backup; the mailbox brings the letters again."""
    from nomicwolf.cli.app import run

    target = world.folder.parent / "before.db"
    assert run(["-C", str(world.folder), "backup", str(target)]) == 0
    world.poll(BEGIN + 2 * HOUR + YEAR, clock_is_right=True)
    world.post("v2", "Bex", "I vote for Gus.", BEGIN + 3 * HOUR)
    assert world.poll(BEGIN + 4 * HOUR).status == 1

    assert run(["-C", str(world.folder), "restore", "--over", str(target)]) == 0
    assert world.poll(BEGIN + 4 * HOUR).status == 0

    assert count(world, "guard-raised") == 0
    assert count(world, "voted") == 2


@pytest.mark.slow
def test_a_clock_that_was_behind_all_the_time(world: World) -> None:
    """A machine that wakes up in 1970 hears and loses nothing, and says so; right again, all goes on.

    How long nobody polled can't be known then: the guard is raised for the contestmaster to look (D-N39).
    """
    world.post("v2", "Bex", "I vote for Gus.", BEGIN + 3 * HOUR)
    report = world.poll(60)
    assert report.status == 1
    assert "behind" in report.said[0]
    world.post("v3", "Cam", "I vote for Gus.", BEGIN + 4 * HOUR)
    world.post("v4", "Dov", "I vote for Gus.", BEGIN + 4 * HOUR + 60)

    assert world.poll(BEGIN + 5 * HOUR).status == 0
    assert (count(world, "guard-raised"), count(world, "lynched")) == (1, 1)
    assert world.command("resume", BEGIN + 5 * HOUR).status == 0

    assert world.poll(BEGIN + 6 * HOUR).status == 0
    assert count(world, "guard-raised") == 1


@pytest.mark.slow
@pytest.mark.parametrize("turn", TURNS)
def test_summer_time_changes_nothing(
    template: World, tmp_path: Path, turn: str, stand_in: Callable[[str], None]
) -> None:
    """Polls through the night in which the clocks change: the same record and the same bytes in each zone."""
    found = []
    for zone in ("UTC", "Europe/Berlin", "America/St_Johns"):
        stand_in(zone)
        with running_copy(template, tmp_path / zone.replace("/", "-")) as world:
            at = int(TURNS[turn].timestamp())
            world.smtp.taken.clear()
            world.poll(at - 2 * HOUR, clock_is_right=True)
            world.command("resume", at - 2 * HOUR)
            for step, who in enumerate(("Ash", "Bex", "Cam", "Dov")):
                when = at - HOUR + step * 45 * 60
                world.post(f"d{step}", who, "I vote for Gus.", when)
                assert world.poll(when + 60).said == ()
            assert count(world, "lynched") == 1
            found.append((world.record(), sorted(world.smtp.taken)))

    assert found[0] == found[1] == found[2]


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, BEGIN + YEAR])
def test_a_mailbox_that_dates_a_letter_wrongly(world: World, at: int) -> None:
    """A time that is none, or far ahead, is taken as that of the poll: the vote is neither too early nor kept back."""
    world.deliver("odd", letter("odd", "Bex", "I vote for Gus.", BEGIN + 3 * HOUR), at)
    assert world.poll(BEGIN + 4 * HOUR).status == 0
    world.poll(BEGIN + 5 * HOUR)
    assert [line for line in world.record() if '"voted"' in line and '"Bex"' in line and
            f'"at":{BEGIN + 4 * HOUR},' in line]


FOUR = ("Ash", "Bex", "Cam", "Dov")


def nominating(folder: Path, port: int, smtp: SmtpScript) -> World:
    """A session of six-phases in its first nominations, the last letter at BEGIN + 60, polled at BEGIN + 169 hours."""
    world = make_world(folder, port, smtp)
    file = folder / "contest.toml"
    file.write_text(file.read_text().replace('id = "w1"', 'id = "w1"\nruleset = "six-phases"'))
    for name in FOUR:
        world.post(f"join-{name}", name, "I join this contract.", BEGIN + 60)
    world.poll(BEGIN + 120)
    assert world.command("start", BEGIN + 180, roles="mafioso", seed="7" * 64).status == 0
    for hours in range(24, 170, 24):
        world.poll(BEGIN + hours * HOUR)
    world.poll(BEGIN + 169 * HOUR)
    return world


def test_close_tells_what_was_fetched_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The preview names the last poll, the latest letter, and what to do; the real one what it was done without."""
    script = SmtpScript()
    with smtp_server(script) as port:
        world = nominating(tmp_path / "contest", port, script)
        ballot = letter("late", "Ash", "nominate Bex", BEGIN + 170 * HOUR, "wolf@contest.test")
        world.deliver("late", ballot, BEGIN + 170 * HOUR)
        at = BEGIN + 171 * HOUR
        foreseen = command(world.settings, "close", {}, lambda: at, dry_run=True).said
        done = world.command("close", at)

    assert "The mailbox was last read at Tue 8 Dec 2026 01:00 UTC" in foreseen
    assert "the latest letter from it came at Tue 1 Dec 2026 00:01 UTC." in foreseen
    assert "not counted in this stage (D-A4): to count it, say `nomicwolf poll` first." in foreseen
    assert "last read at Tue 8 Dec 2026 01:00 UTC" in done.said
    assert "`nomicwolf poll` first" not in done.said
    assert "nomicwolf poll" not in world.command("extend", at, until="2027-01-01T00:00Z").said

    assert run(["close", "--help"]) == 0
    assert "It fetches no mail" in capsys.readouterr().out
