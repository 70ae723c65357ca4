"""A poll, end to end on a Maildir and a real SMTP connection: heard once, kept whole, sent once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from nomicwolf.cli.app import run
from nomicwolf.contest import hear
from nomicwolf.ledger.transaction import Step
from nomicwolf.letters.mime import make_letter
from nomicwolf.maillist import distributed
from nomicwolf.run import letter_intake, poll_work
from nomicwolf.run.resources import turn
from tests.post.scripted import smtp_server
from tests.run.world import BEGIN, FORUMS, PLAYERS, World, letter, new_world
from tests.servers.postgres import Postgres

HOUR = 3600


def subjects(world: World) -> Counter[tuple[str, str]]:
    """Return what was taken by the server: how often each (recipient, Message-ID)."""
    found: Counter[tuple[str, str]] = Counter()
    for recipient, data in world.smtp.taken:
        [line] = [line for line in data.decode().splitlines() if line.startswith("Message-ID: ")]
        found[recipient, line] += 1
    return found


def buckets(world: World) -> dict[str, int]:
    """Return how many letters are in each bucket."""
    with world.store() as store:
        return dict(store.check().buckets)


def test_the_start_reaches_everyone(world: World) -> None:
    """Each forum and each player gets eir letter of the start, once, at the command."""
    to = Counter(recipient for recipient, _ in subjects(world))
    assert set(to) >= {f"{who.lower()}@players.test" for who in PLAYERS}
    assert set(to) >= {"agora-business@lists.agora.test", "b-business@lists.b.test"}
    assert set(subjects(world).values()) == {1}


def test_a_vote_is_heard_once_however_it_comes(world: World) -> None:
    """A letter through two forums is one act: one in deeds, one a duplicate; reading again changes nothing."""
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    report = world.poll(BEGIN + 2 * HOUR)
    assert (report.status, report.heard, report.said) == (0, 2, ())
    assert buckets(world) == {"deeds": 1, "duplicate": 1}
    before = world.record()
    (world.folder / "mail" / "new" / "v1.agora").rename(world.folder / "mail" / "cur" / "v1.agora:2,S")
    again = world.poll(BEGIN + 2 * HOUR)
    assert (again.heard, again.sent) == (0, 0)
    assert world.record() == before


def test_the_next_poll_is_idle(world: World) -> None:
    """With nothing new, nothing owed and no instant come, a poll is over after a glance."""
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    assert not world.poll(BEGIN + 2 * HOUR).idle
    assert world.poll(BEGIN + 2 * HOUR).idle


def test_the_count_is_as_of_the_last_poll(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """All that was sent before it is counted, though nobody has voted since."""
    world.poll(BEGIN + 5 * HOUR)
    assert run(["-C", str(world.folder), "votes"]) == 0
    assert "as of Tue 1 Dec 2026 05:00 UTC" in capsys.readouterr().out


def test_an_idle_poll_brings_nothing_heavy(world: World, ledger_url: str) -> None:
    """No grammar and no library over the database's own module, which brings an event loop for PostgreSQL alone."""
    world.poll(BEGIN + 2 * HOUR)
    code = (
        "import sys; from pathlib import Path\n"
        "from nomicwolf.run import poll; from nomicwolf.settings.load import load\n"
        f"report = poll(load(Path({str(world.folder)!r}), {{}}), lambda: {BEGIN + 2 * HOUR})\n"
        "heavy = {'sqlmodel', 'sqlalchemy', 'lark', 'asyncio', 'pydantic', 'jinja2', 'alembic'}\n"
        "print(report.idle, sorted({name.split('.')[0] for name in sys.modules} & heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ("True []" if ledger_url.startswith("sqlite") else "True ['asyncio']")


def test_every_kind_of_letter_has_its_bucket(world: World) -> None:
    """Strangers, machines, unreadable and talk: each in one bucket, none answered by mistake, sums right."""
    sent = len(world.smtp.taken)
    world.deliver("stranger", letter("s", "Zed", "I vote for Gus.", BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)
    bounce = letter("m", "Ash", "I vote for Gus.", BEGIN + HOUR, "wolf@contest.test")
    world.deliver("machine", b"Auto-Submitted: auto-replied\r\n" + bounce, BEGIN + HOUR)
    world.deliver("garbage", b"\x00\xff" * 100, BEGIN + HOUR)
    world.deliver("huge", letter("h", "Ash", "x\n" * 600_000, BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)
    world.post("talk", "Bex", "What a day!", BEGIN + HOUR, ("agora",))
    report = world.poll(BEGIN + 2 * HOUR)
    assert report.heard == 5
    assert buckets(world) == {"no-deed": 1, "machine": 1, "stranger": 1, "held": 2}
    told = {recipient for recipient, _ in world.smtp.taken[sent:]}
    assert told <= {"murphy@masters.test", "ash@players.test"}


def test_the_server_that_is_away_loses_nothing(tmp_path: Path) -> None:
    """Without SMTP the letters stay owed, with status 75; the next poll sends each once."""
    with new_world(tmp_path / "contest") as world:
        for who in PLAYERS:
            world.command("party-add", who=who, address=f"{who.lower()}@players.test")
        before = len(world.smtp.taken)
    assert world.command("start", seed="7" * 64).status == 0
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    report = world.poll(BEGIN + 2 * HOUR)
    assert (report.status, report.heard, report.sent) == (75, 2, 0)
    assert "smtp 127.0.0.1" in report.said[0]
    with smtp_server(world.smtp) as port:
        world.change(f"port = {world.settings.smtp.port}", f"port = {port}")
        report = world.poll(BEGIN + 2 * HOUR)
    assert (report.status, report.sent) == (0, len(world.smtp.taken) - before)
    assert set(subjects(world).values()) == {1}


def test_a_mailbox_that_is_away_is_told(world: World) -> None:
    """What can't be fetched waits, and each run says so until it can."""
    mail = world.folder / "mail"
    mail.rename(world.folder / "gone")
    report = world.poll(BEGIN + 2 * HOUR)
    assert report.status == 1
    assert "maildir.path" in report.said[0]
    (world.folder / "gone").rename(mail)
    assert world.poll(BEGIN + 2 * HOUR).status == 0


def test_a_letter_that_our_code_cannot_bear(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is set aside whole, the others are heard, the contestmaster is told, and nothing of it is quoted."""
    def fragile(raw: object, *args: object) -> object:
        if b"secret plan" in raw.data:  # type: ignore[attr-defined]
            raise RecursionError("secret plan")
        return make_letter(raw, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(letter_intake, "make_letter", fragile)
    world.post("bad", "Ash", "my secret plan", BEGIN + HOUR, ("agora",))
    world.post("good", "Bex", "I vote for Gus.", BEGIN + HOUR + 1, ("agora",))
    report = world.poll(BEGIN + 2 * HOUR)
    assert (report.status, report.heard) == (1, 2)
    assert "RecursionError in test_poll.py" in report.said[0]
    assert "secret plan" not in "".join(report.said)
    assert buckets(world) == {"deeds": 1, "held": 1}
    notices = [data for recipient, data in world.smtp.taken if recipient == "murphy@masters.test" and b"defect" in data]
    assert notices
    assert not any(b"secret plan" in data for data in notices)
    with world.store() as store:
        [held] = store.held()
        assert b"secret plan" in held.raw.data


def test_two_runs_at_once(world: World) -> None:
    """The second one does nothing and says so, with status 75; commands are no exception."""
    with turn(world.settings):
        assert world.poll(BEGIN + HOUR).status == 75
        assert world.command("announce").status == 75


def test_someone_else_wrote_first(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even without the lock nothing is done twice: the key in the ledger refuses, and the next run goes on."""
    done: list[bool] = []

    def slow(contest: object, *args: object) -> object:
        outcome = hear(contest, *args)  # type: ignore[arg-type]
        if not done:
            done.append(True)
            with world.store() as other:
                other.append(Step(outcome.contest.last - len(outcome.entries), outcome.entries, now=BEGIN))
        return outcome

    monkeypatch.setattr(poll_work, "hear", slow)
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR, ("agora",))
    assert world.poll(BEGIN + 2 * HOUR).status == 75
    with world.store() as store:
        assert store.verify() == []
        assert store.counts().received == 0


def test_a_clock_that_went_back(world: World) -> None:
    """The contestmaster is told; no instant goes backwards in the record."""
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR, ("agora",))
    world.poll(BEGIN + 30 * HOUR)
    world.post("v2", "Bex", "I vote for Gus.", BEGIN + 2 * HOUR, ("agora",))
    report = world.poll(BEGIN + 3 * HOUR)
    assert report.status == 1
    assert "clock" in report.said[0]
    with world.store() as store:
        assert store.check().received == 2


def test_a_refused_recipient_is_told_to_the_contestmaster(world: World) -> None:
    """A letter that the server refuses for good is failed, with status 1; the others go out."""
    world.smtp.rcpt["ash@players.test"] = "550 no such user"
    world.deliver("q1", letter("q1", "Ash", "help", BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)
    world.deliver("q2", letter("q2", "Bex", "help", BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)
    report = world.poll(BEGIN + 2 * HOUR)
    assert report.status == 1
    number = report.said[0].split()[1]
    (said,) = report.said
    assert said == (f"letter {number} to Ash was refused: 550; mend that (nomicwolf unsent tells more), then "
                    f"nomicwolf unsent --again {number}")
    with world.store() as store:
        assert store.counts().states["failed"] == 1


def test_doubt_is_told_and_settled(world: World) -> None:
    """No answer after the letter: told, sent again with the same bytes, and then it is sent."""
    world.smtp.data["bex@players.test"] = "drop"
    world.deliver("q2", letter("q2", "Bex", "help", BEGIN + HOUR, "wolf@contest.test"), BEGIN + HOUR)
    report = world.poll(BEGIN + 2 * HOUR)
    assert report.status == 1
    assert "to Bex" in report.said[0]
    del world.smtp.data["bex@players.test"]
    assert world.poll(BEGIN + 2 * HOUR).status == 0
    copies = [data for recipient, data in world.smtp.taken if recipient == "bex@players.test"][-2:]
    assert copies[0] == copies[1]


def test_a_full_disk_loses_nothing(file_world: World) -> None:
    """When the ledger can't grow, the run says so and stops; with room again, every letter is heard."""

    def full(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 1")  # as many as there are: not one more

    for n in range(20):
        text = "What a day! " * 2000 + str(n)
        file_world.post(f"v{n}", "Ash", text, BEGIN + HOUR + n, ("agora",))
    event.listen(Engine, "connect", full)
    try:
        report = file_world.poll(BEGIN + 2 * HOUR)
    finally:
        event.remove(Engine, "connect", full)
    assert report.status == 1
    assert "no room for the ledger" in report.said[0]
    with file_world.store() as store:
        assert store.verify() == []
        assert store.check().received < 20
    assert file_world.poll(BEGIN + 2 * HOUR).status == 0
    assert sum(buckets(file_world).values()) == 20


def test_a_defect_of_ours_quotes_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cron mails names the line of code, never what a letter or the ledger says."""

    def broken(*args: object) -> object:
        raise KeyError("secret plan")

    monkeypatch.setattr(poll_work, "send_owed", broken)
    world.post("v1", "Ash", "I vote for Gus.", BEGIN + HOUR)
    report = world.poll(BEGIN + 2 * HOUR)
    assert report.status == 1
    assert report.said[0].startswith("defect: KeyError in test_poll.py")
    monkeypatch.setattr(poll_work, "tick", broken)
    assert "secret" not in str(world.poll(BEGIN + 3 * HOUR))


def test_dry_runs_change_nothing(world: World) -> None:
    """A command with --dry-run says what it would do, and nothing is kept or sent."""
    from nomicwolf.run import command

    before, sent = world.record(), len(world.smtp.taken)
    done = command(world.settings, "end", {"why": "trying"}, lambda: BEGIN + HOUR, dry_run=True)
    assert done.status == 0
    assert done.letters
    assert (world.record(), len(world.smtp.taken)) == (before, sent)


def test_a_stale_command_is_refused(world: World) -> None:
    """A command that names a phase that has passed does nothing, and says what it is now."""
    from nomicwolf.run import command

    before = world.record()
    done = command(world.settings, "announce", {}, lambda: BEGIN + HOUR, phase="night 4")
    assert done.status == 1
    assert "night 4" in done.said
    assert world.record() == before


def test_a_held_letter_is_released_and_rejected(world: World) -> None:
    """A ruling takes the letter out of the held ones, in the ledger too; again while nothing has been done by it."""
    for name in ("a", "b"):
        data = letter(name, "Ash", "I vote for Gus.", BEGIN + HOUR, "wolf@contest.test")
        world.deliver(name, data.replace(b"From: Ash", b"From: Bex <bex@players.test>\r\nFrom: Ash"), BEGIN + HOUR)
    world.poll(BEGIN + 2 * HOUR)
    assert buckets(world) == {"held": 2}
    with world.store() as store:
        first, second = (str(kept.entry) for kept in store.held())
    assert world.command("release", BEGIN + 3 * HOUR, number=first, author="Ash").status == 0
    assert world.command("reject", BEGIN + 3 * HOUR, number=second, why="two authors").status == 0
    assert "held" not in buckets(world)
    again = world.command("release", BEGIN + 3 * HOUR, number=first, author="Ash")
    assert (again.status, "vote Gus. But vote is refused" in again.said) == (0, True)
    assert world.command("release", BEGIN + 3 * HOUR, number=second, author="Ash").status == 1
    with world.store() as store:
        assert store.verify() == []


def test_a_letter_for_which_a_ruling_came_too_late_is_rejected(world: World) -> None:
    """Released after its day it is held once more: a ruling takes it from there, and the sums tell of it once."""
    doubtful = letter("doubt", "Ash", "I vote for Bex.\n\nThe statements in this message may be false.", BEGIN + HOUR)
    world.deliver("doubt", distributed(doubtful, FORUMS["agora"], BEGIN + HOUR), BEGIN + HOUR)
    for hour, who in enumerate(("Bex", "Cam", "Dov", "Eli"), 2):
        world.post(who, who, "I vote for Gus.", BEGIN + hour * HOUR)
    world.poll(BEGIN + 7 * HOUR)
    with world.store() as store:
        (number,) = (str(kept.entry) for kept in store.held())
    assert world.command("release", BEGIN + 8 * HOUR, number=number).status == 0
    assert world.command("reject", BEGIN + 9 * HOUR, number=number, why="the day was over").status == 0
    assert world.command("reject", BEGIN + 9 * HOUR, number=number, why="the day was over").status == 1
    world.poll(BEGIN + 10 * HOUR)
    with world.store() as store:
        assert store.verify() == []


def test_a_letter_that_came_too_late_is_rejected(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    """D-A8: its deeds were heard before it was held, and a ruling takes it from there; twice it can't be ruled on."""
    for hour, who in enumerate(("Ash", "Bex", "Cam", "Dov"), 1):
        world.post(who, who, "I vote for Gus.", BEGIN + hour * HOUR)
    world.poll(BEGIN + 5 * HOUR)
    late = letter("late", "Eli", "I vote for Ash.", BEGIN + HOUR // 2)
    world.deliver("late", distributed(late, FORUMS["agora"], BEGIN + HOUR // 2), BEGIN + 6 * HOUR)
    world.poll(BEGIN + 6 * HOUR)
    (held,) = [e.event for e in world.store().record() if e.event.name == "letter-held"]
    number = str(held.letter)  # type: ignore[attr-defined]
    capsys.readouterr()
    for words in ([], [number]):
        assert run(["-C", str(world.folder), "held", *words]) == 0
        said = capsys.readouterr().out
        assert "nomicwolf reject" in said
        assert "nomicwolf release" not in said

    assert world.command("release", BEGIN + 7 * HOUR, number=number).status == 1
    assert world.command("reject", BEGIN + 7 * HOUR, number=number, why="the day was over").status == 0
    assert world.command("reject", BEGIN + 7 * HOUR, number=number, why="the day was over").status == 1
    with world.store() as store:
        assert store.verify() == []
    assert buckets(world) == {"deeds": 4, "duplicate": 4, "no-deed": 1}
    assert run(["-C", str(world.folder), "replay"]) == 0


def test_a_lost_ledger_is_not_made_anew(file_world: World) -> None:
    """A key without its ledger: nobody plays on as if nothing had been."""
    (file_world.folder / "contest.db").rename(file_world.folder / "elsewhere.db")
    report = file_world.poll(BEGIN + HOUR)
    assert report.status == 1
    assert "restore a backup" in report.said[0]


def test_a_contest_written_by_hand(tmp_path: Path) -> None:
    """A `contest.toml` alone is enough: the first poll makes the ledger and the key, for their owner only."""
    with new_world(tmp_path / "contest") as world:
        (world.folder / "contest.db").touch(0o600)  # as an interrupted beginning leaves it
        assert world.poll(BEGIN).status == 0
    for name in ("contest.db", "contest.key"):
        assert (world.folder / name).stat().st_mode & 0o777 == 0o600
    assert world.record() == []


def test_the_lost_key_is_not_made_anew(world: World) -> None:
    """A ledger without its key: our own mail would be strange to us."""
    (world.folder / "contest.key").unlink()
    report = world.poll(BEGIN + HOUR)
    assert report.status == 1
    assert "contest.key" in report.said[0]


@pytest.mark.slow
@pytest.mark.parametrize("ledger_url", ["postgresql"], indirect=True)
def test_a_contest_that_its_server_lost_is_not_made_anew(world: World, ledger_url: str, postgres: Postgres) -> None:
    """A key, and a database without the contest: nobody plays on as if nothing had been."""
    for table in ("marks", "outbox", "letters", "originals", "entries", "contests"):
        postgres.run(f"TRUNCATE {table} CASCADE", ledger_url)
    report = world.poll(BEGIN + HOUR)
    assert (report.status, report.heard) == (1, 0)
    assert "no contest w1" in report.said[0]


def test_the_turn_knows_when_the_mailbox_was_read(world: World) -> None:
    """Who has the turn next, on whatever machine, is told when it was had last."""
    world.poll(BEGIN + HOUR)
    with turn(world.settings) as held:
        assert held.since == BEGIN + HOUR
