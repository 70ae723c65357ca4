"""Workers: contests are polled, by one at a time, whatever becomes of the one that is at it."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from sqlalchemy import make_url

from nomicwolf.host.health import LOG, Meters, logging_to_stderr, serve
from nomicwolf.host.worker import Worker
from nomicwolf.ledger.encryption import make_key
from nomicwolf.run.resources import turn
from tests.host.hosted import Host, overlaps, until
from tests.servers.here import PATIENCE, free_ports

UNSENT = "unsent letters: 1 (`nomicwolf unsent` lists them)"
ANSWERED = "SELECT count(*) FROM outbox WHERE state = 'sent' AND kind = 'private'"


def answers(host: Host) -> int:
    """Return how many private letters were sent."""
    return int(host.ask(ANSWERED)[0][0])


def turns(host: Host, *names: str, event: str = "turn ended") -> int:
    """Return how many turns workers logged."""
    return sum(line["event"] == event for line in host.log(*names))


def test_a_contest_is_polled_and_answered(host: Host) -> None:
    """A letter in the mailbox is heard by a worker, and the answer is sent."""
    host.contest("c1")
    before = answers(host)
    host.deliver("c1", "q1")
    host.start("w1")
    until("an answer", lambda: answers(host) == before + 1, lambda: host.log_file("w1").read_text()[-2000:])
    until("the turn's end", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0"))
    assert host.ask("SELECT status, said, worker FROM host.contests") == [(0, "", "w1")]
    until("the turn to be logged", lambda: turns(host))
    ended = next(line for line in host.log("w1") if line["event"] == "turn ended")
    assert {key: ended[key] for key in ("contest", "worker", "status", "heard", "sent", "idle")} == {
        "contest": "c1", "worker": "w1", "status": 0, "heard": 1, "sent": 1, "idle": False}
    assert host.host("do", "c1", "ledger", "verify") == 0
    assert overlaps(host.log()) == []


def test_three_workers_never_share_a_contest(host: Host) -> None:
    """Many contests, each due again and again, and three workers of two threads: no two turns of one overlap."""
    host.configure(every=1, at_once=2)
    for number in range(6):
        host.contest(f"c{number}")
    for name in ("w1", "w2", "w3"):
        host.start(name)
    for number in range(12):
        host.deliver(f"c{number % 6}", f"q{number}", ("help", "status")[number // 6])
        time.sleep(0.1)
    until("all answers", lambda: host.answered() >= 12, lambda: [host.answered(), *host.standing()])
    until("many turns of all", lambda: min(turns(host, name) for name in ("w1", "w2", "w3")) > 3)
    host.stop()
    assert host.answered() == 12
    assert overlaps(host.log()) == []
    assert turns(host, event="turn began") == turns(host)
    assert host.ask("SELECT 1 FROM procrastinate_jobs WHERE status = 'succeeded'") == [], "what is done is forgotten"
    for number in range(6):
        assert host.host("do", f"c{number}", "ledger", "verify") == 0


def test_the_overlap_detector_detects() -> None:
    """Two turns of one contest that overlap are named; those that follow one another, or end by a kill, aren't."""
    def line(event: str, worker: str, at: float) -> dict[str, object]:
        return {"event": event, "contest": "c", "worker": worker, "monotonic": at}

    follow = [line("turn began", "a", 1), line("turn ended", "a", 2), line("turn began", "b", 3)]
    assert overlaps(follow) == []
    assert overlaps([line("turn began", "a", 1), line("turn began", "b", 2)], {"a": 1.5}) == []
    assert len(overlaps([line("turn began", "a", 1), line("turn began", "b", 2), line("turn ended", "a", 3)])) == 1
    assert len(overlaps([line("turn began", "a", 1), line("turn began", "b", 2)])) == 1


def test_a_killed_workers_contest_goes_on_elsewhere(host: Host) -> None:
    """A worker dies by SIGKILL in the midst of a turn; another has it within the stale time and a tick, not twice."""
    host.configure(every=600)
    host.contest("c1")
    host.smtp.go.clear()
    before = answers(host)
    host.deliver("c1", "q1")
    dying = host.start("w1")
    until("the letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"),
          lambda: host.log_file("w1").read_text()[-2000:])
    host.start("w2")
    until("the other to be there", lambda: host.log("w2"))
    os.kill(dying.pid, signal.SIGKILL)
    killed = time.monotonic()
    dying.wait(PATIENCE)
    host.smtp.go.set()
    until("the other to have the turn", lambda: turns(host, "w2"), lambda: host.log_file("w2").read_text()[-2000:])
    assert overlaps(host.log(), {"w1": killed}) == []
    until("the letter to be sent again, for nobody knows whether it was", lambda: answers(host) == before + 1)
    assert host.ask("SELECT count(*) FROM procrastinate_jobs WHERE status = 'failed'") == [(1,)]
    assert host.host("do", "c1", "ledger", "verify") == 0


def test_a_worker_outlives_its_database(host: Host) -> None:
    """The database ends all sessions mid-turn and lets nobody in for a while: the same worker goes on after that."""
    host.configure(every=600)
    for name in ("c1", "c2"):
        host.contest(name)
        host.deliver(name, "q1")
    before, database = answers(host), make_url(host.url).database
    host.smtp.go.clear()
    worker = host.start("w1")
    until("a letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
    host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
    host.postgres.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{database}'")
    host.smtp.go.set()
    until("the worker to notice", lambda: any(line["level"] == "error" for line in host.log("w1")))
    host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
    until("both answers", lambda: answers(host) == before + 2, lambda: host.log_file("w1").read_text()[-2000:])
    until("the turns' ends", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0 OFFSET 1"))
    worker.send_signal(signal.SIGINT)  # as good as SIGTERM
    assert worker.wait(PATIENCE) == 0
    assert [line["event"] for line in host.log("w1")].count("worker began") == 1
    assert overlaps(host.log()) == []
    for name in ("c1", "c2"):
        assert host.host("do", name, "ledger", "verify") == 0


def test_a_stopped_worker_finishes_its_contest(host: Host) -> None:
    """SIGTERM lets the turn that has begun come to its end, and takes no other."""
    host.configure(every=600)
    for name in ("c1", "c2"):
        host.contest(name)
        host.deliver(name, "q1")
    before = answers(host)
    host.smtp.go.clear()
    worker = host.start("w1")
    until("a letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
    worker.send_signal(signal.SIGTERM)
    time.sleep(1)
    host.smtp.go.set()
    assert worker.wait(PATIENCE) == 0
    log = host.log("w1")
    assert [line["event"] for line in log if line["event"].startswith("turn")] == ["turn began", "turn ended"]
    assert log[-1]["event"] == "worker ended"
    assert {line["level"] for line in log} == {"info"}, "nothing went wrong"
    assert answers(host) == before + 1
    assert host.ask("SELECT count(*) FROM outbox WHERE state IN ('sending', 'unknown')") == [(0,)]


def test_a_contest_whose_lock_is_held_waits(host: Host) -> None:
    """Whatever the queue says, who hasn't the contest's lock doesn't work on it; the job is tried again, later."""
    host.configure(every=600)
    folder = host.contest("c1")
    before = answers(host)
    host.deliver("c1", "q1")
    from nomicwolf.host.registry import settings_in

    with turn(settings_in(host.settings, folder, "nomicwolf_t_murphy")):
        host.start("w1")
        until("the job to be put off", lambda: host.ask(
            "SELECT 1 FROM procrastinate_jobs WHERE status = 'todo' AND attempts > 0 AND scheduled_at > now()"))
        assert turns(host, event="turn began") == 0
    until("an answer after all", lambda: answers(host) == before + 1)
    until("the turn's end, which comes after it", lambda: turns(host) == 1)


def test_a_contest_that_rests_is_left_alone(host: Host) -> None:
    """A paused contest's waiting job is cancelled, and none is made until it is resumed; removing does the same."""
    host.contest("c1")
    host.contest("c2")
    host.ask("SELECT procrastinate_defer_jobs_v1(ARRAY[ROW('turns', 'nomicwolf.turn', 0, NULL, 'contest:c1',"
             " '{\"contest\": \"c1\"}', NULL)::procrastinate_job_to_defer_v1])")
    assert host.host("pause", "c1") == 0
    assert host.ask("SELECT count(*) FROM procrastinate_jobs") == [(0,)]
    host.start("w1")
    until("three turns of the other", lambda: turns(host) >= 3)
    assert {line["contest"] for line in host.log() if "contest" in line} == {"c2"}
    assert host.host("resume", "c1") == 0
    until("a turn of it", lambda: any(line.get("contest") == "c1" for line in host.log()))
    assert host.host("remove", "c2") == 0
    assert host.host("pause", "c2") == 1
    assert host.ask("SELECT contest FROM host.files GROUP BY contest") == [("c1",)]
    assert host.ask("SELECT count(*) FROM contests") == [(2,)], "the ledger stays"


def test_a_server_that_is_away_is_tried_ever_later(host: Host) -> None:
    """A contest whose mail server is away is put back with a growing wait; it isn't lost, and says why."""
    host.configure(every=600, servers=[f"127.0.0.1:{host.port}", "127.0.0.1:1"])
    folder = host.contest("c1")
    toml = (folder / "contest.toml").read_text()
    imap = '[imap]\nhost = "127.0.0.1"\nport = 1\nsecurity = "none"\nuser = "x"\npassword = "hidden"\n'
    (folder / "contest.toml").write_text(toml[:toml.index("[maildir]")] + imap + toml[toml.index("[smtp]"):])
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    host.start("w1")
    until("two tries", lambda: turns(host) >= 2)
    assert host.ask("SELECT status FROM host.contests") == [(75,)]
    assert "imap 127.0.0.1:1" in host.ask("SELECT said FROM host.contests")[0][0]
    until("a third wait", lambda: host.ask(
        "SELECT 1 FROM procrastinate_jobs WHERE attempts >= 2 AND scheduled_at > now() + interval '3 seconds'"))


def test_a_refused_letter_is_told_until_somebody_sees_to_it(
    host: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    """The list of contests tells of it also after turns that had nothing to do; sent again, it is told no more."""
    host.contest("c1")
    host.smtp.rcpt["ash@players.test"] = "550 5.1.1 no such user"
    host.deliver("c1", "q1")
    worker = Worker(host.settings, "w1", Meters())

    def listed() -> tuple[int, str]:
        assert host.host("list", "--json") == 0
        (one,) = json.loads(capsys.readouterr().out)["contests"]
        return one["status"], one["said"]

    capsys.readouterr()
    assert worker.take("c1").status == 1
    status, said = listed()
    assert (status, said.splitlines()[1:]) == (1, [UNSENT])
    assert "was refused: 550" in said
    assert worker.take("c1").idle
    assert listed() == (0, UNSENT)
    assert host.host("list") == 0
    assert "unsent letters: 1" in " ".join(capsys.readouterr().out.split())

    del host.smtp.rcpt["ash@players.test"]
    (number,) = host.ask("SELECT number FROM outbox WHERE state = 'failed'")[0]
    assert host.host("do", "c1", "unsent", "--again", str(number)) == 0
    capsys.readouterr()
    assert worker.take("c1").sent == 1
    assert listed() == (0, "")


@pytest.mark.parametrize("limit", ["connections", "sends"])
def test_limits_hold_over_all_workers(host: Host, limit: str) -> None:
    """When a mail server's places or this minute's letters are used up by others, letters wait, and then are sent."""
    host.configure(every=600, connections=1, sends=1)
    host.contest("c1")
    before = answers(host)
    host.deliver("c1", "q1")
    with host.postgres_connection() as other:
        if limit == "connections":
            other.execute("SELECT pg_advisory_lock(hashtext('127.0.0.1'), 1)")
        else:
            other.execute("INSERT INTO host.sends SELECT '127.0.0.1', extract(epoch FROM now())::bigint / 60 + n, 1"
                          " FROM generate_series(-1, 1) n ON CONFLICT (server, minute) DO UPDATE SET count = 1")
        host.start("w1")
        until("the turn to end with letters owed", lambda: host.ask("SELECT 1 FROM host.contests WHERE status = 75"),
              lambda: host.log_file("w1").read_text()[-2000:])
        assert "letters wait" in host.ask("SELECT said FROM host.contests")[0][0]
        assert answers(host) == before
        other.execute("SELECT pg_advisory_unlock_all()")
        other.execute("DELETE FROM host.sends")
    if limit == "sends":
        minute = host.ask("SELECT due_at % 60 FROM host.contests WHERE due_at > extract(epoch FROM now())")
        assert minute in ([(0,)], []), "it is due when a minute begins, and not asked for before"
        assert host.host("resume", "c1") == 0
    until("the letter to be sent", lambda: answers(host) == before + 1)


def has_ipv6() -> bool:
    """Tell whether this machine has a loopback of IPv6."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("address", ["127.0.0.1", *(["[::1]"] if has_ipv6() else [])])
def test_health_and_metrics(host: Host, address: str) -> None:
    """A worker tells how it is, and Prometheus what it did and how the host stands; no contest is named there."""
    (port,) = free_ports(1)
    host.configure(worker=f'listen = "{address}:{port}"')
    host.contest("secretive")
    host.deliver("secretive", "q1")
    host.start("w1")
    until("a turn", lambda: turns(host))

    def page(path: str, method: str = "GET") -> str:
        with urllib.request.urlopen(urllib.request.Request(f"http://{address}:{port}{path}", method=method)) as answer:
            return str(answer.read().decode())

    assert page("/health") == page("/health?from=balancer") == "well\n"
    assert page("/health", "HEAD") == ""
    until("its count", lambda: 'nomicwolf_turns_total{outcome="done"} 1.0' in page("/metrics"))
    metrics = page("/metrics")
    assert "nomicwolf_letters_heard_total 1.0" in metrics
    assert "nomicwolf_host_contests 1.0" in metrics
    assert "nomicwolf_host_workers 1.0" in metrics
    assert "secretive" not in metrics
    with pytest.raises(urllib.error.HTTPError):
        page("/elsewhere")


def test_what_nobody_answers_asks_the_database_nothing(host: Host) -> None:
    """A path that there isn't is told from itself, whatever the database does; the others want to know of it."""
    host.url = host.url.replace("/nomicwolf_", "/nowhere_")
    host.configure(worker=f'listen = "127.0.0.1:{free_ports(1)[0]}"')
    place = host.settings.worker.listen
    server = serve(host.settings, Meters(), lambda: True)
    try:
        for path, status in (("/elsewhere", 404), ("/metrics", 503), ("/health", 503)):
            with pytest.raises(urllib.error.HTTPError) as told:
                urllib.request.urlopen(f"http://{place}{path}")
            with told.value:
                assert told.value.code == status, path
    finally:
        server.shutdown()
        server.server_close()


def test_each_line_of_the_log_has_its_worker(capsys: pytest.CaptureFixture[str]) -> None:
    """Also what a library says of itself, which knows of no worker."""
    with logging_to_stderr("w1"):
        logging.getLogger("procrastinate.worker").warning("something")
        LOG.info("worker began")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [(line["event"], line["worker"]) for line in lines] == [
        ("test_each_line_of_the_log_has_its_worker", "w1"), ("worker began", "w1")]


def test_logs_hold_no_secrets(host: Host) -> None:
    """Neither passwords, nor addresses, nor what letters say gets into a worker's log, even when turns go wrong."""
    host.contest("c1", more='user = "wolfling"\npassword = "hush-hush"\n', player=False)
    assert host.host("do", "c1", "party", "add", "Ash", "ash@players.test") == 1, "the server takes no login"
    host.deliver("c1", "q1", "a confession")
    host.start("w1")
    until("the turn's end", lambda: turns(host))
    host.stop()
    said = host.log_file("w1").read_text()
    assert len(said.splitlines()) == len(host.log("w1")), "every line is JSON"
    for secret in ("hush-hush", "wolfling", "confession", "ash@", "murphy@", host.url):
        assert secret not in said
    assert "hush-hush" not in str(host.ask("SELECT sealed FROM host.files")), "and none lies open in the database"


def test_procrastinates_own_commands_work(host: Host) -> None:
    """The queue's own program finds the app, the database and its tables, and its shell shows what waits."""
    host.ask("SELECT procrastinate_defer_jobs_v1(ARRAY[ROW('turns', 'nomicwolf.turn', 0, NULL, NULL,"
             " '{\"contest\": \"c1\"}', NULL)::procrastinate_job_to_defer_v1])")
    program = Path(sys.executable).with_name("procrastinate")
    for words, shows in ((["healthchecks"], "OK"), (["shell", "list_jobs"], "nomicwolf.turn on turns - [todo]")):
        done = subprocess.run([program, "--app=nomicwolf.host.worker.app", *words], cwd=host.folder,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert shows in done.stdout


def test_contests_of_one_mailbox(host: Host) -> None:
    """Two contests of a tenant's, each sealed by its own key, read the same mailbox; each takes what is for it."""
    one = host.contest("c1", ledger=f'key = "{make_key()}"')
    two = host.contest("c2", ledger=f'key = "{make_key()}"', player=False)
    for folder, other in ((one, "c2"), (two, "c1")):
        toml = (folder / "contest.toml").read_text().replace("/mail/c2", "/mail/c1")
        toml = toml.replace("daily_count", f'others = ["../{other}"]\ndaily_count')
        (folder / "contest.toml").write_text(toml)
        assert host.host("add", str(folder), "--tenant", "murphy") == 0
    before = answers(host)
    host.deliver("c1", "q1")
    host.start("w1")
    until("one answer", lambda: answers(host) == before + 1, lambda: host.ask("SELECT said FROM host.contests"))
    until("both to be polled", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0 OFFSET 1"))
    assert host.ask("SELECT DISTINCT status, said FROM host.contests") == [(0, "")]
    assert host.host("do", "c2", "status") == 0
    assert host.ask("SELECT contest FROM letters WHERE bucket = 'deeds' OR bucket = 'no-deed'") == [("c1",)]


def test_a_stuck_turn_ends_its_worker(host: Host) -> None:
    """A turn that lasts too long takes nobody with it: its worker ends with 75, and another goes on."""
    host.configure(every=600, longest=2)
    host.contest("c1")
    host.smtp.go.clear()
    before = answers(host)
    host.deliver("c1", "q1")
    worker = host.start("w1")
    assert worker.wait(PATIENCE) == 75
    assert host.log("w1")[-1]["event"] == "turn is stuck"
    host.smtp.go.set()
    host.start("w2")
    until("an answer", lambda: answers(host) == before + 1)
    assert host.host("do", "c1", "ledger", "verify") == 0
