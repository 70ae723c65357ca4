"""An outage, end to end: nobody polled for days, and the contestmaster is told before anything bites (D-N39)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from nomicwolf.maillist import distributed
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.resources import last_run
from nomicwolf.settings.keys import SettingsError
from tests.post.scripted import ImapScript, imap_server
from tests.run.world import BEGIN, FORUMS, World, letter, running_world

pytestmark = pytest.mark.slow

HOUR = 3600
DAY = 86_400


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A contest with a session in progress."""
    with running_world(tmp_path / "contest") as made:
        yield made


def bodies(world: World, to: str) -> str:
    """What was sent to *to*."""
    letters = (message_from_bytes(data, policy=default) for recipient, data in world.smtp.taken if recipient == to)
    return "\n".join(part.get_content() for letter in letters for part in letter.walk() if not part.is_multipart())


def test_polls_in_time_raise_nothing(world: World) -> None:
    """The time of each run is kept, idle runs too."""
    world.poll(BEGIN + DAY)
    assert last_run(world.settings) == BEGIN + DAY
    world.poll(BEGIN + 2 * DAY)

    assert last_run(world.settings) == BEGIN + 2 * DAY
    assert "Nobody polled" not in bodies(world, "murphy@masters.test")


def test_a_gap_of_days_is_told_and_waits_for_resume(world: World) -> None:
    """After three days without a run the journal says so, and `resume` goes on."""
    world.poll(BEGIN + DAY)
    assert world.poll(BEGIN + 4 * DAY + 1).status == 0
    assert "Nobody has polled since" in bodies(world, "murphy@masters.test")

    assert world.command("resume", BEGIN + 4 * DAY + 60).status == 0
    assert world.command("resume", BEGIN + 4 * DAY + 61).status == 1


def test_no_time_passes_over_letters_that_could_not_be_read(world: World) -> None:
    """The server breaks off in a long letter that takes a vote back: no majority is seen that it had ended before."""
    script = ImapScript(cut_in="FETCH 5 ")
    votes = [("Ash", 1), ("Bex", 2), ("Cam", 3), ("Dov", 5)]
    for uid, (who, second) in enumerate([*votes, ("Ash", 4)], 1):
        text = "I vote for Gus." if uid < 5 else "I retract my vote.\r\n" + "> and so on\r\n" * 3000
        data = letter(f"v{uid}", who, text, BEGIN + HOUR + second)
        script.dates[uid] = BEGIN + HOUR + second
        script.letters[uid] = distributed(data, FORUMS["agora"], script.dates[uid])
    with imap_server(script) as port:
        world.read_by_imap(port)
        report = world.poll(BEGIN + 2 * HOUR)
        assert (report.status, report.heard) == (75, 4)
        script.cut_in = ""

        report = world.poll(BEGIN + 2 * HOUR)
        assert (report.status, report.heard) == (0, 1)

    events = [json.loads(line)["event"] for line in world.record()]
    assert not any("lynched" in event for event in events)
    assert [event["voted"]["who"] for event in events if "voted" in event] == ["Ash", "Bex", "Cam", "Ash", "Dov"]


def test_no_echo_is_missed_while_the_mailbox_can_not_be_read(world: World) -> None:
    """It may lie where the run didn't get to: what hasn't come back is told by a run that has seen all of it."""

    def echo(at: int) -> bytes:
        posted = [data for to, data in world.smtp.taken if to == FORUMS["agora"].address][-1]
        return distributed(posted, FORUMS["agora"], at)

    world.deliver("echo", echo(BEGIN + 60), BEGIN + 60)
    world.poll(BEGIN + 120)
    world.command("announce", BEGIN + HOUR)
    script = ImapScript({1: echo(BEGIN + HOUR + 60)}, {1: BEGIN + HOUR + 60}, cut_in="FETCH 1")
    with imap_server(script) as port:
        world.read_by_imap(port)
        report = world.poll(BEGIN + 30 * HOUR)
        assert (report.status, report.heard) == (75, 0)
        assert not any('"topic":"echo"' in line for line in world.record())
        script.cut_in = ""
        assert world.poll(BEGIN + 30 * HOUR).heard == 1

    assert not any('"topic":"echo"' in line and "count" in line.lower() for line in world.record())


@pytest.mark.parametrize(("text", "says"), [
    ('base = "agora-2008"\nsoon = 3\n[window]\nearliest = 2\n', ""), ("sooon = 3\n", "sooon"),
    ('soon = "three"\n', "soon"), ('base = "c-2020"\n', "c-2020"), ("soon = \n", "agora"), (None, "agora")])
def test_a_profile_of_ones_own(world: World, text: str | None, says: str) -> None:
    """A TOML file beside the settings changes one of our profiles; what is wrong with it is named with its key."""
    if text is not None:
        (world.folder / "law.toml").write_text(text, encoding="utf-8")
    file = world.folder / "contest.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(
        "[nomic.agora]", '[nomic.agora]\nprofile = "law.toml"'), encoding="utf-8")
    settings = world.settings
    if says:
        with pytest.raises(SettingsError, match=says):
            setup_of(settings, b"k" * 32)
        return
    law = setup_of(settings, b"k" * 32).forums[0].law

    assert (law.soon, law.window.earliest, law.window.latest, law.factor) == (3, 2, 14, 5)


def test_a_mailbox_whose_numbers_do_not_last_is_heard_once(world: World) -> None:
    """RFC 4315 UIDNOTSTICKY: each poll reads it all, and what was heard is not even written down as a duplicate."""
    one = letter("m1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    script = ImapScript({1: one, 2: one}, dates={1: BEGIN + HOUR, 2: BEGIN + HOUR}, sticky=False)
    with imap_server(script) as port:
        world.read_by_imap(port)
        world.poll(BEGIN + 2 * HOUR)
        with world.store() as store:
            first = store.check()
        script.letters[3], script.dates[3] = letter("m2", "Bex", "I vote for Gus.", BEGIN + 2 * HOUR), BEGIN + 2 * HOUR
        for hours in (3, 4):
            assert world.poll(BEGIN + hours * HOUR).status == 0
    with world.store() as store:
        last = store.check()
    assert (first.buckets["deeds"], first.buckets["duplicate"]) == (1, 1)
    assert last.received == first.received + 1
    assert last.buckets["deeds"] == 2
