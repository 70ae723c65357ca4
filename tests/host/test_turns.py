"""A contest's turn on a worker: when its contest is due again, and that nothing of it stays behind."""

from __future__ import annotations

import threading
import time
from email import message_from_bytes
from email.policy import default

import pytest
from sqlalchemy import make_url

from nomicwolf.host.health import Meters
from nomicwolf.host.worker import NotNow, Worker
from tests.host.hosted import Host, until
from tests.run.world import letter
from tests.servers.here import PATIENCE

PLACES = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid::int = hashtext('127.0.0.1')"


def due(host: Host) -> int:
    """Return when the contest is due again (UTC seconds)."""
    return int(host.ask("SELECT due_at FROM host.contests")[0][0])


def start(host: Host) -> None:
    """Begin a session of a contest's, with five players."""
    host.contest("c1", player=False)
    for who in ("Ash", "Bex", "Cam", "Dov", "Eli"):
        assert host.host("do", "c1", "party", "add", who, f"{who.lower()}@players.test") == 0
    assert host.host("do", "c1", "start") == 0
    host.smtp.taken.clear()


def test_a_deadline_is_kept_between_two_polls(host: Host) -> None:
    """What the contest's own clock says next comes on time, however seldom it is polled."""
    host.configure(every=600)
    start(host)
    alarm = int(host.ask("SELECT alarm FROM contests")[0][0])
    for before, then in ((700, 600), (60, 60)):
        worker = Worker(host.settings, "w1", Meters(), now=lambda now=alarm - before: now)  # type: ignore[misc]
        assert worker.take("c1").status == 0
        assert due(host) == alarm - before + then


def test_nothing_of_a_turn_stays_behind(host: Host) -> None:
    """A worker that lives on holds no place at a mail server, and no contest seems to be at work for ever."""
    host.configure(every=600)
    host.contest("c1")
    host.deliver("c1", "q1")
    host.smtp.go.clear()
    worker = Worker(host.settings, "w1", Meters())
    turn = threading.Thread(target=worker.take, args=("c1",))
    turn.start()
    until("the letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
    found = [*worker.at_work], host.ask(PLACES), due(host) > time.time()
    host.smtp.go.set()
    turn.join(PATIENCE)
    assert found == (["c1"], [(1,)], True), "nobody is asked for it meanwhile"
    assert ([*worker.at_work], host.ask(PLACES)) == ([], [(0,)])


def test_a_database_that_is_away_is_asked_again(host: Host) -> None:
    """It lets nobody in for a while: the turn is for later, and no defect; then it is one as any."""
    host.contest("c1")
    host.deliver("c1", "q1")
    worker, database = Worker(host.settings, "w1", Meters()), make_url(host.url).database
    host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
    try:
        with pytest.raises(NotNow):
            worker.take("c1")
    finally:
        host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
    assert worker.take("c1").sent == 1


def test_a_contestmasters_orders_by_mail_are_read(host: Host) -> None:
    """As by cron: e is asked to confirm what e orders in a letter."""
    start(host)
    data = letter("o1", "Ash", 'nomicwolf: announce --phase "day 1"', int(time.time()), "wolf@contest.test")
    (host.folder / "mail" / "c1" / "new" / "o1").write_bytes(data.replace(b"ash@players", b"murphy@masters"))
    host.start("w1")
    until("an answer", lambda: host.smtp.taken)
    (data,) = (data for to, data in host.smtp.taken if to == "murphy@masters.test")
    assert '"confirm ' in message_from_bytes(data, policy=default).get_content()
