"""What a mail server takes of a host's contests: no turn takes more than it needs, and whoever waits knows how long."""

from __future__ import annotations

import threading
import time

import pytest

from nomicwolf.host.health import Meters
from nomicwolf.host.settings import ServerAllowance, forget
from nomicwolf.host.worker import Ended, InOtherHands, NotNow, Worker
from nomicwolf.post.refusals import Away
from nomicwolf.run.resources import LATER, NEEDS_YOU, OK, PollReport
from tests.host.hosted import Host, until
from tests.post.scripted import ImapScript, imap_server
from tests.run.world import letter
from tests.servers.here import PATIENCE
from tests.tables import each

PLACES = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid::int = hashtext('127.0.0.1')"


def test_one_letter_takes_one_place(host: Host) -> None:
    """A turn with one letter to send asks for one connection, however many the contest may have."""
    host.contest("c1")
    host.deliver("c1", "q1")
    host.smtp.go.clear()
    turn = threading.Thread(target=Worker(host.settings, "w1", Meters()).take, args=("c1",))
    turn.start()
    until("the letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
    taken = host.ask(PLACES)
    host.smtp.go.set()
    turn.join(PATIENCE)
    assert taken == [(1,)]
    assert host.ask(PLACES) == [(0,)], "it is let go of"


def test_no_turn_holds_a_mailbox_while_it_sends(host: Host) -> None:
    """One server is both, and takes one connection at once: the mailbox is hung up before the letter goes out."""
    host.configure(connections=1)
    folder, script = host.contest("c1"), ImapScript()
    script.letters[1] = letter("q1", "Ash", "help", int(time.time()), "wolf@contest.test")
    script.dates[1] = int(time.time())
    with imap_server(script) as port:
        host.configure(connections=1, servers=[f"127.0.0.1:{host.port}", f"127.0.0.1:{port}"])
        toml = (folder / "contest.toml").read_text()
        imap = f'[imap]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\nuser = "x"\npassword = "y"\n'
        (folder / "contest.toml").write_text(toml[:toml.index("[maildir]")] + imap + toml[toml.index("[smtp]"):])
        assert host.host("add", str(folder), "--tenant", "murphy") == 0
        host.smtp.go.clear()
        turn = threading.Thread(target=Worker(host.settings, "w1", Meters()).take, args=("c1",))
        turn.start()
        until("the letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
        taken, asked = host.ask(PLACES), script.asked[-1]
        host.smtp.go.set()
        turn.join(PATIENCE)
    assert taken == [(1,)]
    assert "LOGOUT" in asked
    assert host.ask("SELECT status FROM host.contests") == [(OK,)]


@pytest.mark.parametrize(("reads", "then"), [("mx.test", [1, 3, 3]), ("MX.test", [1, 3, 3]), ("imap.test", [1, 2, 3])])
def test_each_connection_has_a_place_of_its_own(host: Host, reads: str, then: list[int]) -> None:
    """Who holds one place and wants three takes two others; one that was for another server's mailbox is let go of."""
    host.configure(connections=3)
    held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2"
    with host.postgres_connection() as connection, host.postgres_connection() as other:
        allowance = ServerAllowance(host.settings, connection, "mx.test", 100)
        allowance.demand_place(reads)
        found = [host.ask(held)[0][0]]
        neighbour = ServerAllowance(host.settings, other, "MX.TEST", 100)
        if reads == "imap.test":
            neighbour.demand_place("mx.test")
        assert allowance.connections(5) == then[1]
        found += [allowance.connections(then[1]), host.ask(held)[0][0]]
        allowance.let_go()
        neighbour.let_go()
    assert found == then
    assert host.ask(held) == [(0,)]


def test_a_server_is_one_however_its_name_is_written(host: Host) -> None:
    """Its places and its letters are shared by all who write it in capitals or not."""
    host.configure(connections=2, sends=4)
    with host.postgres_connection() as connection, host.postgres_connection() as other:
        small, large = (ServerAllowance(host.settings, session, server, 100)
                        for session, server in ((connection, "mx.test"), (other, "MX.TEST")))
        assert small.connections(2) == 2
        assert (large.connections(1), large.room_at) == (0, 0)
        with pytest.raises(Away, match="2 connections are open already"):
            large.demand_place("Mx.Test")
        small.let_go()
        large.demand_place("Mx.Test")
        assert [session.letters(1) for session in (small, large) * 2] == [1, 1, 1, 1]
        assert (large.letters(1), large.room_at) == (0, 60 * 101)
        large.let_go()


def test_minutes_long_gone_are_forgotten(host: Host) -> None:
    """Those before the one that is named, and no other."""
    with host.postgres_connection() as connection:
        for minute in (98, 99, 100):
            assert ServerAllowance(host.settings, connection, "mx.test", minute).letters(1) == 1
        forget(connection, 99)
    assert host.ask("SELECT minute FROM host.sends ORDER BY minute") == [(99,), (100,)]


def test_letters_above_a_minute_are_spread_over_those_that_follow(host: Host) -> None:
    """Twelve letters a minute, three at once: who is turned away later comes later, and no minute is asked for more."""
    host.configure(sends=12)
    with host.postgres_connection() as connection:
        found = []
        for wanted in (2, 5, 3, 9, 2, 1, 9, 9, 9, 2, 0):
            allowance = ServerAllowance(host.settings, connection, "mx.test", 100)
            found.append((allowance.letters(wanted), allowance.room_at))
        another = ServerAllowance(host.settings, connection, "other.test", 100)
        assert (another.letters(3), another.room_at) == (3, None), "another server's letters are its own"
    assert found == [(2, None), (3, 0), (3, None), (3, 0), (1, 6060), (0, 6060), (0, 6060), (0, 6060), (0, 6060),
                     (0, 6060), (0, None)]


def test_nobody_is_starved_by_who_has_much_to_say(host: Host) -> None:
    """Three contests owe a thousand letters each, at four a minute; others' single letters wait for three minutes."""
    host.configure(sends=4)
    owed = {f"big-{number}": 1000 for number in range(3)} | {f"small-{number}": 0 for number in range(5)}
    due, ended, since, waits = dict.fromkeys(owed, 0), dict.fromkeys(owed, 0), dict.fromkeys(owed, 0), []
    with host.postgres_connection() as connection:
        for now in range(6000, 7800):
            for name in owed:
                if name.startswith("small") and not owed[name] and (now + 37 * int(name[-1])) % 400 == 0:
                    owed[name], due[name], since[name] = 1, now, now
            for name in sorted((name for name in owed if owed[name] and due[name] <= now),
                               key=lambda name: (due[name], ended[name], name)):
                allowance = ServerAllowance(host.settings, connection, "mx.test", now // 60)
                owed[name] -= allowance.letters(owed[name])
                due[name], ended[name] = allowance.room_at or now + 2, now
                if not owed[name]:
                    waits.append(now - since[name])
    assert len(waits) > 20
    assert max(waits) < 180
    assert sum(owed.values()) == 3000 + len(waits) - 4 * 30, "and no letter of a minute was left"


@pytest.mark.parametrize("minutes", [1, 3])
def test_a_contest_without_letters_left_comes_in_the_minute_that_has_some(host: Host, minutes: int) -> None:
    """The queue doesn't try again meanwhile: the contest is due when there is room, and its letter is sent then."""
    host.configure(every=600, sends=1)
    host.contest("c1")
    host.deliver("c1", "q1")
    before, clock = len(host.smtp.taken), [int(time.time())]
    now = clock[0]
    with host.postgres_connection() as other:
        other.execute("INSERT INTO host.sends VALUES ('127.0.0.1', %s, %s)", (now // 60, minutes))
    worker = Worker(host.settings, "w1", Meters(), now=lambda: clock[0])
    assert worker.take("c1").status == LATER
    room = 60 * (now // 60 + minutes)
    assert host.ask("SELECT due_at, status FROM host.contests") == [(room, LATER)]
    assert len(host.smtp.taken) == before
    clock[0] = room
    assert worker.take("c1").status == OK
    assert len(host.smtp.taken) == before + 1


def test_a_contest_without_a_place_is_due_at_once(host: Host) -> None:
    """All places are somebody else's: the queue tries again soon, and the next tick after that."""
    host.configure(every=600, connections=1)
    host.contest("c1")
    host.deliver("c1", "q1")
    worker = Worker(host.settings, "w1", Meters())
    with host.postgres_connection() as other:
        other.execute("SELECT pg_advisory_lock(hashtext('127.0.0.1'), 1)")
        with pytest.raises(InOtherHands):
            worker.take("c1")
        assert host.ask("SELECT due_at, status FROM host.contests") == [(0, LATER)]
    assert worker.take("c1").status == OK


@each(("ended", "wanted"), [
    (Ended(PollReport(OK), had=True), None),
    (Ended(PollReport(NEEDS_YOU), had=True, room_at=0), None),
    (Ended(PollReport(LATER)), InOtherHands),
    (Ended(PollReport(LATER), had=True), NotNow),
    (Ended(PollReport(LATER), had=True, room_at=0), InOtherHands),
    (Ended(PollReport(LATER), had=True, room_at=6000), None),
])
def test_what_the_queue_tries_again(ended: Ended, wanted: type[NotNow] | None) -> None:
    """Soon what is in other hands, ever later what a server kept from its end, not what is due at a known time."""
    raised: list[type[NotNow]] = []
    try:
        ended.demand_done("c1")
    except NotNow as error:
        raised.append(type(error))
    assert raised == ([wanted] if wanted else [])
