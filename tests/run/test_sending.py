"""Letters are paced by what servers said, and by what they take."""


import json

import pytest

from nomicwolf.cli.app import run
from tests.run.world import BEGIN, World, letter

HOUR, MINUTE = 3600, 60
STAMP = "2026-12-01T02:00Z"


def asked(world: World, *who: str, at: int = BEGIN + HOUR) -> World:
    """Let players ask for help."""
    for name in who:
        world.deliver(f"q-{name}-{at}", letter(f"q-{name}-{at}", name, "help", at, "wolf@contest.test"), at)
    world.smtp.taken.clear()
    return world


def limited(world: World, line: str) -> World:
    """Add a line to the settings of the server for letters out."""
    world.change("connections = 2\n", f"connections = 2\n{line}\n")
    return world


def reached(world: World) -> list[str]:
    """Return whom letters got to, in order."""
    return [to.partition("@")[0] for to, _ in world.smtp.taken]


def test_a_greylisted_letter_goes_when_it_is_time(world: World) -> None:
    """The poll says when; polls before that leave the server alone, and say nothing."""
    asked(world, "Cam", "Ash")
    world.smtp.rcpt["cam@players.test"] = "450 4.2.0 <cam@players.test>: Greylisted"

    report = world.poll(BEGIN + 2 * HOUR)

    assert report.status == 75
    assert [line for line in report.said if "put off" in line] == [
        next(line for line in report.said if "to Cam was put off: 450 (greylisting); it is tried again from "
             "Tue 1 Dec 2026 02:05 UTC on" in line)]
    del world.smtp.rcpt["cam@players.test"]
    assert world.poll(BEGIN + 2 * HOUR + 4 * MINUTE).status == 0
    assert "cam" not in reached(world)
    assert world.poll(BEGIN + 2 * HOUR + 5 * MINUTE).status == 0
    assert reached(world).count("cam") == 1


def test_a_server_that_wants_a_pause_is_not_asked_for_each(world: World) -> None:
    """One letter meets the 421; none goes until the pause is over, then all."""
    asked(world, "Cam", "Ash", "Bex", "Dov")
    world.smtp.mail = "421 4.7.28 unusual rate of mail"

    report = world.poll(BEGIN + 2 * HOUR)

    assert sum("put off" in line for line in report.said) <= 2  # a connection each
    world.smtp.mail = ""
    assert world.poll(BEGIN + 2 * HOUR + 10 * MINUTE).status == 0
    assert reached(world) == []
    assert world.poll(BEGIN + 4 * HOUR).status == 0
    assert {*reached(world)} == {"cam", "ash", "bex", "dov"}


def test_no_more_go_in_an_hour_than_the_settings_say(world: World) -> None:
    """The rest goes as the hour moves on; nothing is lost, nobody is told."""
    limited(asked(world, "Cam", "Ash", "Bex", "Dov", "Eli"), "per_hour = 2")

    assert world.poll(BEGIN + 20 * HOUR).status == 0
    assert len(reached(world)) == 2
    assert world.poll(BEGIN + 20 * HOUR + 30 * MINUTE).status == 0
    assert len(reached(world)) == 2
    assert world.poll(BEGIN + 21 * HOUR).status == 0
    assert len(reached(world)) == 4
    assert world.poll(BEGIN + 22 * HOUR).status == 0
    assert {*reached(world)} == {"cam", "ash", "bex", "dov", "eli"}


def test_a_connection_has_no_more_letters_than_the_settings_say(world: World) -> None:
    """All go in one run, over more connections."""
    limited(asked(world, "Cam", "Ash", "Bex", "Dov", "Eli"), "per_connection = 1")
    before = world.smtp.connections

    assert world.poll(BEGIN + 2 * HOUR).status == 0

    assert len(reached(world)) == 5
    assert world.smtp.connections - before >= 5


def test_what_waits_is_shown_with_when_it_goes(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """In `unsent`, as a table and as JSON."""
    asked(world, "Cam")
    world.smtp.rcpt["cam@players.test"] = "452 4.2.2 Mailbox full"
    world.poll(BEGIN + 2 * HOUR)

    assert run(["-C", str(world.folder), "unsent", "--at", STAMP]) == 0

    said = capsys.readouterr().out
    assert "1 letter goes by itself, with a poll:" in said
    assert "from Tue 1 Dec 2026 03:00 UTC" in said
    assert "(a full mailbox)" in said
    assert run(["-C", str(world.folder), "unsent", "--json", "--at", STAMP]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unsent"] == []
    assert [(one["to"], one["goes"]) for one in found["waiting"]] == [("Cam", BEGIN + 3 * HOUR)]


def test_one_that_waits_too_long_needs_somebody(world: World) -> None:
    """After five days of being put off the poll no longer says that it will be well."""
    asked(world, "Cam")
    world.smtp.rcpt["cam@players.test"] = "452 4.2.2 Mailbox full"
    world.poll(BEGIN + 2 * HOUR)

    report = world.poll(BEGIN + 8 * 24 * HOUR)

    assert report.status == 1
    assert any("It has waited for" in line for line in report.said)


def test_asked_for_again_goes_at_once(world: World) -> None:
    """The contestmaster's word comes before the pause."""
    asked(world, "Cam")
    world.smtp.rcpt["cam@players.test"] = "550 5.7.1 go away"
    world.poll(BEGIN + 2 * HOUR)
    del world.smtp.rcpt["cam@players.test"]
    with world.store() as store:
        (failed,) = store.outbox().in_state("failed")

    assert run(["-C", str(world.folder), "unsent", "--again", str(failed.number), "--at", STAMP]) == 0

    assert world.poll(BEGIN + 2 * HOUR + MINUTE).status == 0
    assert reached(world) == ["cam"]
