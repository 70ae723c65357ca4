"""Our own announcements, and copies of players' letters, come from the forums, or that is told (NC 1g)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes
from email.policy import default
from email.utils import format_datetime
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.contest import Contest
from nomicwolf.maillist import distributed
from nomicwolf.nomic.events import Noted
from nomicwolf.reports.history import echoing_forums
from nomicwolf.run.contest_setup import mail_hosts_note, setup_of
from nomicwolf.settings.load import load, secret_of
from tests.run.world import BEGIN, FORUMS, World, letter, running_world

DAY = 86_400


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A contest with a session in progress, its start announced in both forums."""
    with running_world(tmp_path / "contest") as made:
        yield made


def contest(world: World) -> Contest:
    """The contest as its ledger tells it."""
    with world.store() as store:
        return Contest.of(setup_of(world.settings, b"k" * 32), store.record())


def journals(world: World) -> list[str]:
    """The texts of all journals that were sent."""
    found = (message_from_bytes(data, policy=default) for to, data in world.smtp.taken if to == "murphy@masters.test")
    return [" ".join(part.get_content().split()) for journal in found for part in journal.walk()
            if part.get_content_type() == "text/plain"]


def echo(world: World, nomic: str, at: int) -> None:
    """Let what was posted to *nomic* last come back through its list."""
    posted = [data for to, data in world.smtp.taken if to.startswith(f"{nomic}-business")][-1]
    world.deliver(f"echo.{nomic}.{at}", distributed(posted, FORUMS[nomic], at), at)


def noted(world: World) -> list[str]:
    """What was noted of echoes."""
    return [e.event.text for e in contest(world).entries if isinstance(e.event, Noted) and e.event.topic == "echo"]


@pytest.mark.slow
def test_an_echo_is_a_receipt_of_its_forum(world: World) -> None:
    """The copy that comes back is nobody's letter, and tells when the forum had it."""
    echo(world, "agora", BEGIN + 60)
    assert world.poll(BEGIN + 120).status == 0

    (own,) = (heard for heard in contest(world).letters.values() if heard.bucket == "own")
    assert (own.channel, own.stamped) == ("agora", BEGIN + 60)
    assert echoing_forums(contest(world)) == {"agora"}


@pytest.mark.slow
def test_a_missing_echo_is_told_once_and_only_where_echoes_come(world: World) -> None:
    """B never echoes, so nothing is told of it; Agora's second letter is missed after a day, once."""
    echo(world, "agora", BEGIN + 60)
    world.poll(BEGIN + 120)
    world.command("announce", BEGIN + 3600)
    world.poll(BEGIN + 7200)
    before = noted(world)
    for later in (2, 3):
        world.post(f"m{later}", "Bex", "hello", BEGIN + later * DAY)
        world.poll(BEGIN + later * DAY)

    assert not any("vote count" in line.lower() or "count" in line.lower() for line in before)
    assert len([line for line in noted(world) if " to agora" in line]) == len(set(noted(world))) > 0
    assert not [line for line in noted(world) if " to b," in line]


@pytest.mark.slow
def test_nothing_is_missed_in_a_mailbox_that_cannot_be_read(world: World) -> None:
    """Echoes may lie in it, unread: nothing is told of them before it has been read."""
    echo(world, "agora", BEGIN + 60)
    world.poll(BEGIN + 120)
    world.command("announce", BEGIN + 3600)
    echo(world, "agora", BEGIN + 3660)
    mail, away = world.folder / "mail", world.folder / "away"
    mail.rename(away)
    assert world.poll(BEGIN + 2 * DAY).status == 1
    assert not [line for line in noted(world) if " to agora" in line]
    away.rename(mail)
    assert world.poll(BEGIN + 2 * DAY + 60).status == 0
    assert [line for line in noted(world) if " to agora" in line]


@pytest.mark.slow
def test_a_letter_that_no_forum_has_sent_is_told_once(world: World) -> None:
    """Ash's vote came straight to the contest, and names the forums; Bex's came through them as well, Cam's by them."""
    at = BEGIN + 3600
    for who in ("Ash", "Bex"):
        world.deliver(f"direct-{who}", letter(f"v-{who}", who, "I vote for Gus.", at), at)
    copy = distributed(letter("v-Bex", "Bex", "I vote for Gus.", at), replace(FORUMS["agora"], footer=""), at)
    world.deliver("v-Bex", copy, at)
    world.post("v-Cam", "Cam", "I vote for Fay.", at)
    told = []
    for later in (at + 60, at + DAY - 60, at + DAY + 60, at + 2 * DAY, at + 3 * DAY):
        world.post(f"m{later}", "Bex", "hello", later)
        assert world.poll(later).status == 0
        told.append([e.event.text for e in contest(world).entries
                     if isinstance(e.event, Noted) and e.event.topic == "unseen"])

    assert [len(each) for each in told] == [0, 0, 1, 1, 1], told[-1]
    assert "from Ash counts as posted to agora by its own To or Cc" in told[-1][0]
    assert sum("by its own To or Cc" in text for text in journals(world)) == 1


@pytest.mark.slow
def test_a_mail_server_that_the_settings_lack_is_told_of(world: World) -> None:
    """Copies come through a new server of one's own, below which no stamp is believed: the note names the key."""
    at = BEGIN + 3600
    world.post("v-Bex", "Bex", "I vote for Gus.", at)
    assert world.poll(at + 60).status == 0
    world.change("[contest]\n", '[contest]\nmail_hosts = ["mx.contest.test"]\n')
    new = f"Received: from lists.agora.test by new.contest.test; {format_datetime(datetime.fromtimestamp(at, UTC))}\r\n"
    copy = distributed(letter("v-Ash", "Ash", "I vote for Gus.", at), FORUMS["agora"], at)
    world.deliver("v-Ash", new.encode() + copy, at + 90)
    for later in (at + 120, at + DAY + 120):
        world.post(f"m{later}", "Cam", "hello", later)
        assert world.poll(later).status == 0

    (note,) = [e.event.text for e in contest(world).entries
               if isinstance(e.event, Noted) and e.event.topic == "unseen"]
    assert "from Ash counts as posted to agora" in note
    assert "contest.mail_hosts, where it is set, has to name every mail server of yours" in note


@pytest.mark.slow
def test_where_no_forum_stamps_nothing_is_missed(world: World) -> None:
    """Of lists that leave no trace in what they send nothing can be told."""
    for day in range(4):
        at = BEGIN + 3600 + day * DAY
        world.deliver(f"d{day}", letter(f"d{day}", "Ash", "I vote for Gus.", at), at)
        world.poll(at + 60)

    assert not any(isinstance(e.event, Noted) and e.event.topic == "unseen" for e in contest(world).entries)


@pytest.mark.slow
def test_a_mail_server_that_the_settings_never_had_is_told_of(world: World) -> None:
    """From the first letter on: the journal names it, once, whoever writes; and notes that are invented are few."""
    at = BEGIN + 3600
    world.change("[contest]\n", '[contest]\nmail_hosts = ["mx.contest.test"]\n')
    servers = ["new.contest.test", "new.contest.test", "x\x1b[0m.test", *(f"h{number}.test" for number in range(9))]
    for place, server in enumerate(servers):
        stamp = format_datetime(datetime.fromtimestamp(at + place, UTC))
        through = f"Received: from lists.agora.test by {server}; {stamp}\r\n".encode()
        copy = distributed(letter(f"v{place}", "Ash", f"Hello {place}.", at + place), FORUMS["agora"], at + place)
        world.deliver(f"v{place}", through + copy, at + place + 30)
        assert world.poll(at + place + 60).status == 0

    notes = [e.event.text for e in contest(world).entries if isinstance(e.event, Noted) and e.event.topic == "unnamed"]
    assert ["new.contest.test" in note for note in notes] == [True, False, False, False]
    assert "a server without a name" in notes[1]
    assert sum("above it stands new.contest.test, and" in text for text in journals(world)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("set_to", "says"), [
    ("", 'by the latest letter from agora they are mail_hosts = ["mx.contest.test"]'),
    ('mail_hosts = ["old.contest.test"]\n', "does not name all of your mail servers"),
    ('mail_hosts = ["contest.test"]\n', ""),
])
def test_check_reads_ones_mail_servers_off_a_letter(
    world: World, capsys: pytest.CaptureFixture[str], set_to: str, says: str
) -> None:
    """Of the latest one that came through a forum."""
    at = BEGIN + 3600
    world.change("[contest]\n", f"[contest]\n{set_to}")
    note = mail_hosts_note(world.settings)
    assert ("once a letter has come through a forum, this names them" in note) == (not set_to)
    stamp = format_datetime(datetime.fromtimestamp(at, UTC))
    through = f"Received: from lists.agora.test by mx.contest.test; {stamp}\r\n".encode()
    world.deliver("v", through + distributed(letter("v", "Ash", "Hi.", at), FORUMS["agora"], at), at + 30)
    assert world.poll(at + 60).status == 0

    run(["-C", str(world.folder), "check"])
    out = capsys.readouterr().out
    assert (says in out) if says else ("mail_hosts" not in out)


HOUR = 3600
LIST = replace(FORUMS["agora"], footer="")
"""Without a footer its copies say the same word by word."""


def unseen(here: World) -> list[str]:
    """The letters that no forum has stamped, as the record has it."""
    with here.store() as store:
        contest = Contest.of(setup_of(load(here.folder, {}), secret_of(here.settings).encode()), store.record())
    return [heard.message_id for _, heard in contest.recalled.unseen.values()]


def came(here: World, who: str, at: int, *, stamped: bool) -> None:
    """Let one and the same vote of *who*'s come in, from the list or right from em, and poll."""
    vote = letter("v1", who, "I vote for Gus.", BEGIN + HOUR)
    here.deliver("v1.list" if stamped else "v1.right", distributed(vote, LIST, at) if stamped else vote, at)
    assert here.poll(at + 60).status == 0


def test_a_copy_that_a_forum_stamped_ends_the_wait_for_it(tmp_path: Path) -> None:
    """Nothing more is awaited once its stamped copy has come, however often the record is folded."""
    with running_world(tmp_path / "contest") as here:
        came(here, "Ash", BEGIN + HOUR, stamped=False)
        assert unseen(here) == ["<v1@players.test>"]
        assert run(["-C", str(here.folder), "ledger", "verify"]) == 0

        came(here, "Ash", BEGIN + 2 * HOUR, stamped=True)
        assert unseen(here) == []
        assert run(["-C", str(here.folder), "ledger", "verify"]) == 0


def test_who_was_a_stranger_when_eir_letter_was_stamped_waits_for_nothing(tmp_path: Path) -> None:
    """A stranger's letter is nobody's, so its copy is heard by itself once e is known; its forum has had it."""
    with running_world(tmp_path / "contest") as here:
        came(here, "Ida", BEGIN + HOUR, stamped=True)
        assert here.command("party-add", BEGIN + 2 * HOUR, who="Ida", address="ida@players.test").status == 0
        came(here, "Ida", BEGIN + 3 * HOUR, stamped=False)

        assert unseen(here) == []
        assert run(["-C", str(here.folder), "ledger", "verify"]) == 0
