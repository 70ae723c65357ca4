"""A poll over real IMAP and SMTP, with the forums' lists in between."""

from __future__ import annotations

import smtplib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from nomicwolf.ledger.store import Store
from nomicwolf.maillist import MailingList
from nomicwolf.mailworld import MailWorld
from nomicwolf.run import PollReport, command, poll
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load
from tests.run.world import BEGIN, PLAYERS, SEED, letter

pytestmark = pytest.mark.slow

HOUR = 3600
WOLF = "wolf@contest.test"
TOML = """
[contest]
id = "w1"
contestmaster = {{name = "Murphy", addresses = ["murphy@masters.test"]}}
daily_count = false

[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
user = "wolf@contest.test"

[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
from = "wolf@contest.test"

[nomic.agora]
forum = "agora-business@lists.agora.test"
limit = 35

[nomic.b]
forum = "b-business@lists.b.test"

[switches]
settling = 0
"""


@dataclass
class Town:
    """A contest among servers: time is what *now* says."""

    folder: Path
    mail: MailWorld
    clock: list[int]

    @property
    def settings(self) -> Settings:
        """Read the settings; the password comes from the environment, as under cron."""
        return load(self.folder, {"NOMICWOLF_IMAP_PASSWORD": self.mail.password})

    def poll(self, at: int) -> PollReport:
        """Poll at *at*."""
        self.clock[0] = at
        return poll(self.settings, lambda: at)

    def write(self, name: str, who: str, text: str, at: int, to: tuple[str, ...]) -> None:
        """Let a player send a letter."""
        self.clock[0] = at
        with smtplib.SMTP("127.0.0.1", self.mail.smtp_port) as client:
            client.sendmail(f"{who.lower()}@players.test", to, letter(name, who, text, at, ", ".join(to)))

    def store(self) -> Store:
        """Open the ledger."""
        return Store.open(self.settings.ledger.url, "w1")


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    """Return a contest with a session in progress, its letters sent."""
    clock = [BEGIN]
    everyone = (WOLF, *(f"{who.lower()}@players.test" for who in PLAYERS))
    lists = [MailingList(f"{n}-business@lists.{n}.test", n, "BUS:", "a footer", everyone) for n in ("agora", "b")]
    with MailWorld(lists, lambda: clock[0], [*everyone, "murphy@masters.test"]) as mail:
        (tmp_path / "contest.toml").write_text(TOML.format(imap=mail.imap_port, smtp=mail.smtp_port))
        town = Town(tmp_path, mail, clock)
        for who in PLAYERS:
            command(town.settings, "party-add", {"who": who, "address": f"{who.lower()}@players.test"}, lambda: BEGIN)
        assert command(town.settings, "start", {"seed": SEED}, lambda: BEGIN).status == 0
        yield town


def test_letters_come_by_imap_and_the_next_poll_is_idle(town: Town) -> None:
    """Votes through two lists, a private question, our own echo: each heard once; then nothing is to do."""

    def to_bex() -> list[bytes]:
        return [data for data in town.mail.inbox("bex@players.test") if b"To: bex@players.test" in data]

    forums, asked = ("agora-business@lists.agora.test", "b-business@lists.b.test"), len(to_bex())
    town.write("v1", "Ash", "I vote for Gus.", BEGIN + HOUR, forums)
    town.write("q1", "Bex", "status", BEGIN + HOUR, (WOLF,))
    report = town.poll(BEGIN + 2 * HOUR)
    assert report.status == 0, report.said
    with town.store() as store:
        buckets = dict(store.check().buckets)
        assert store.verify() == []
    assert (buckets["deeds"], buckets["duplicate"], buckets["own"]) == (2, 1, 2 * len(PLAYERS) + 2)
    assert len(to_bex()) == asked + 1
    town.poll(BEGIN + 2 * HOUR)
    assert town.poll(BEGIN + 2 * HOUR).idle


def test_an_echo_settles_doubt(town: Town) -> None:
    """A public letter of unknown fate was sent after all, for it came back; nobody is told it twice."""
    with closing(sqlite3.connect(town.folder / "contest.db")) as raw:
        raw.execute("UPDATE outbox SET state = 'unknown', doubtful = 1 WHERE kind = 'public'")
        raw.commit()
    before = len(town.mail.log)
    town.poll(BEGIN + HOUR)
    with town.store() as store:
        assert store.outbox().in_state("unknown") == ()
    assert not [passed for passed in town.mail.log[before:] if passed.recipient.startswith("ash")]


def test_a_new_uidvalidity_changes_nothing(town: Town) -> None:
    """Everything is read again, and everything is a duplicate: no deed twice, no answer twice."""
    town.write("v1", "Ash", "I vote for Gus.", BEGIN + HOUR, ("agora-business@lists.agora.test",))
    town.write("q1", "Bex", "status", BEGIN + HOUR, (WOLF,))
    town.poll(BEGIN + 2 * HOUR)
    town.poll(BEGIN + 2 * HOUR)
    with town.store() as store:
        deeds, answers = store.counts().buckets["deeds"], len(town.mail.inbox("bex@players.test"))
    with closing(sqlite3.connect(town.folder / "contest.db")) as raw:
        raw.execute("UPDATE marks SET validity = validity + 1")
        raw.execute("DROP TRIGGER keep_letters_update")
        raw.execute("UPDATE letters SET place = place || 'of another time'")
        raw.commit()
    report = town.poll(BEGIN + 3 * HOUR)
    assert (report.status, report.heard > 4) == (0, True)
    with town.store() as store:
        assert store.check().buckets["deeds"] == deeds
    assert len(town.mail.inbox("bex@players.test")) == answers


def test_a_wrong_password_needs_the_contestmaster(town: Town) -> None:
    """Status 1 and the keys to look at; time and post go on, nothing is lost."""
    wrong = load(town.folder, {"NOMICWOLF_IMAP_PASSWORD": "wrong"})
    report = poll(wrong, lambda: BEGIN + HOUR)
    assert report.status == 1
    assert "imap.password" in report.said[0]
    assert town.poll(BEGIN + HOUR).status == 0
