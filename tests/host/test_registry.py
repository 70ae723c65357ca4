"""The registry: which contests are due, in which order, what is told of them, and whose each other one is."""

from __future__ import annotations

import pytest

from nomicwolf.host import registry
from nomicwolf.host.health import Meters
from nomicwolf.host.registry import settings_in
from nomicwolf.host.worker import Worker
from nomicwolf.ledger.encryption import make_key
from nomicwolf.ledger.postgres import SessionPool
from nomicwolf.run.resources import turn
from tests.host.hosted import Host

WAITS = ("SELECT procrastinate_defer_jobs_v1(ARRAY[ROW('turns', 'nomicwolf.turn', 0, NULL, 'contest:{0}',"
         " '{{\"contest\": \"{0}\"}}', NULL)::procrastinate_job_to_defer_v1])")


def enter(host: Host, name: str, **columns: object) -> None:
    """Enter a contest that nobody polls, with what the registry knows of it."""
    host.ask(f"INSERT INTO host.contests (contest, tenant, revision{''.join(f', {key}' for key in columns)})"
             f" VALUES ('{name}', 'nomicwolf_t_murphy', 1{''.join(f', {value}' for value in columns.values())})")


def name_others(host: Host, contest: str, tenant: str, *others: str) -> None:
    """Write the others that read a contest's mailbox into its settings, and let the host take these."""
    folder = host.folder / "contests" / contest
    file = folder / "contest.toml"
    named = f"others = {[f'../{other}' for other in others]}\ndaily_count"
    file.write_text(file.read_text().replace("daily_count", named))
    assert host.host("add", str(folder), "--tenant", tenant) == 0


def test_who_has_waited_longest_comes_first(host: Host) -> None:
    """Of those due at one instant, whose last turn ended first; not those who rest, wait already, or aren't due."""
    enter(host, "a", due_at=70, ended_at=60)
    enter(host, "b", due_at=70, ended_at=50)
    enter(host, "c", due_at=40, ended_at=90)
    enter(host, "d", due_at=100)
    enter(host, "rests", due_at=10, paused=True)
    enter(host, "waits", due_at=10)
    enter(host, "later", due_at=101)
    host.ask(WAITS.format("waits"))
    with registry.opened(host.settings) as connection:
        assert registry.due(connection, 100, 9) == ["c", "b", "a", "d"]
        assert registry.due(connection, 100, 2) == ["c", "b"]
        assert [one.contest for one in registry.hosted(connection)] == ["a", "b", "c", "d", "later", "rests", "waits"]


def test_how_the_host_stands(host: Host) -> None:
    """Each number counts what it says: who rests is neither due nor late, and who was just entered isn't late."""
    assert set(numbers(host).values()) == {0}
    enter(host, "new")
    enter(host, "a", due_at=70, status=1)
    enter(host, "b", due_at=40, status=75)
    enter(host, "later", due_at=101, status=1)
    enter(host, "rests", due_at=10, paused=True)
    for name in ("a", "b", "new"):
        host.ask(WAITS.format(name))
    host.ask("INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now()), (now() - interval '40 seconds')")
    host.ask("UPDATE procrastinate_jobs SET status = 'doing' WHERE queueing_lock = 'contest:new'")
    assert numbers(host) == {"contests": 5, "paused": 1, "due": 3, "late": 60, "needing": 2, "waiting": 2, "doing": 1,
                             "workers": 1}


def numbers(host: Host) -> dict[str, int]:
    """Return the host's numbers at 100 seconds, where 30 of silence are a worker's end."""
    with registry.opened(host.settings) as connection:
        return registry.numbers(connection, 100, 30)


def test_what_a_server_said_can_be_kept_whatever_it_is(host: Host) -> None:
    """Neither NUL nor half a character goes into a database: a turn's end is written down all the same."""
    enter(host, "a")
    with registry.opened(host.settings) as connection:
        registry.end(connection, "a", 5, 9, 1, "550 \0 no \udcff user \ud83d")
        (found,) = registry.hosted(connection)
    assert (found.said, found.status, found.ended_at, found.due_at) == ("550 ? no ? user ?", 1, 5, 9)


def test_only_the_ledger_waits_for_the_disk(host: Host) -> None:
    """What workers note may be forgotten with the database's machine; what commands write may not, nor ledgers."""
    host.postgres.run(f"ALTER DATABASE {host.url.rpartition('/')[2]} SET synchronous_commit = on")
    found = []
    for session in (registry.turning(SessionPool(), host.settings), registry.opened(host.settings)):
        with session as connection:
            found += connection.execute("SHOW synchronous_commit").fetchall()
    assert found == [("off",), ("on",)]


def test_commands_make_a_contest_due_at_once(host: Host) -> None:
    """Its settings have changed, it was resumed, or the database was brought back: nobody waits for its next poll."""
    folder = host.contest("c1", player=False)
    for words in (("add", str(folder), "--tenant", "murphy"), ("resume", "c1"), ("restored",)):
        host.ask("UPDATE host.contests SET due_at = 4000000000")
        host.ask(WAITS.format("c1"))
        assert host.host(*words) == 0
        assert host.ask("SELECT due_at FROM host.contests") == [(0,)], words
        assert host.ask("SELECT count(*) FROM procrastinate_jobs") == [(1,)], words
        host.ask("DELETE FROM procrastinate_jobs")


def test_a_contest_that_leaves_takes_its_waiting_job_along(host: Host) -> None:
    """And no other's; a turn that is asked for all the same, by a job that somebody has already, is none."""
    host.contest("c1", player=False)
    host.contest("c2", player=False)
    for name in ("c1", "c2"):
        host.ask(WAITS.format(name))
    assert host.host("remove", "c1") == 0
    assert host.ask("SELECT queueing_lock, status FROM procrastinate_jobs") == [("contest:c2", "todo")]
    assert host.host("pause", "c2") == 0
    assert host.ask("SELECT count(*) FROM procrastinate_jobs") == [(0,)]
    worker = Worker(host.settings, "w1", Meters())
    assert worker.take("c1").idle
    assert worker.take("c2").idle
    assert host.ask("SELECT contest, began_at, ended_at FROM host.contests") == [("c2", 0, 0)]


@pytest.mark.parametrize("words", [("remove", "c1"), ("restored",)])
def test_a_turn_is_awaited_for_a_while(
    host: Host, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Then the command is for later, and has done nothing to any contest."""
    host.contest("c0", player=False)
    folder = host.contest("c1", player=False)
    monkeypatch.setattr(registry, "WAIT", 1)
    kept = "SELECT * FROM host.contests", "SELECT * FROM marks WHERE source <> 'clock'"
    before = [host.ask(statement) for statement in kept]
    with turn(settings_in(host.settings, folder, "nomicwolf_t_murphy")):
        capsys.readouterr()
        assert host.host(*words) == 75
    assert "c1: another run has its turn; nothing was done." in capsys.readouterr().err
    assert [host.ask(statement) for statement in kept] == before
    assert host.host(*words) == 0


def test_another_tenants_contest_is_none_of_the_others(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Who names one in contest.others gets nothing of it, and is told what of one that the host hasn't."""
    host.contest("c-bob", "bob", player=False)
    host.contest("c-ann", "ann", player=False)
    name_others(host, "c-ann", "ann", "c-bob")
    assert Worker(host.settings, "w1", Meters()).take("c-ann").status == 1
    (said,) = host.ask("SELECT said FROM host.contests WHERE contest = 'c-ann'")[0]
    assert said.startswith("contest c-bob: the tenant has none on this host;")
    assert not (host.folder / "laid-out" / "c-bob").exists()
    capsys.readouterr()
    assert host.host("remove", "c-bob") == 0
    assert "c-ann" not in capsys.readouterr().out, "nor is Bob told who named eir contest"


def test_a_contest_leaves_though_others_are_of_another_key(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Files that the host's key doesn't open any more keep no command from its end."""
    for name in ("c1", "c2", "c3", "c33", "c4"):
        host.contest(name, player=False)
    name_others(host, "c1", "murphy", "c3")
    (host.folder / "host.key").write_text(make_key())
    name_others(host, "c2", "murphy", "c3")
    name_others(host, "c4", "murphy", "c33")
    capsys.readouterr()
    assert host.host("remove", "c3") == 0
    assert "what names it in contest.others: c2." in capsys.readouterr().out


def test_files_of_contests_that_came_back_stay(host: Host) -> None:
    """What lies here of those who left goes at a tick, and not under the feet of a turn that is at them again."""
    worker = Worker(host.settings, "w1", Meters())
    folders = [host.contest(name, player=False) for name in ("c1", "c2")]
    for name in ("c1", "c2"):
        assert worker.take(name).status == 0
        assert host.host("remove", name) == 0
    assert host.host("add", str(folders[1]), "--tenant", "murphy") == 0
    assert worker.take("c2").status == 0
    with registry.opened(host.settings) as connection:
        registry.forget_files(connection, host.settings)
    assert [place.name for place in (host.folder / "laid-out").iterdir()] == ["c2"]
