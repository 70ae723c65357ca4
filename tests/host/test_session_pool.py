"""Sessions with the database are kept from turn to turn; each turn has its tenant's rows alone all the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from time import monotonic, sleep

import psycopg
import pytest

from nomicwolf.host.health import Meters
from nomicwolf.host.registry import url_as
from nomicwolf.host.schema import PREFIX
from nomicwolf.host.worker import Worker
from nomicwolf.ledger.encryption import make_key
from nomicwolf.ledger.errors import LedgerError, NoLedger
from nomicwolf.ledger.idle_check import glance
from nomicwolf.ledger.postgres import SessionPool, current_pool, session, using_pool
from nomicwolf.ledger.store import Store
from tests.host.hosted import Host
from tests.servers.postgres import ASKING

OTHERS = ("FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
          f" AND backend_type = 'client backend' AND application_name <> '{ASKING}'")
SESSIONS = f"SELECT pid {OTHERS} ORDER BY pid"


@pytest.fixture
def lines() -> Iterator[SessionPool]:
    """Return lines over which this test's ledgers are reached."""
    with closing(SessionPool()) as made, using_pool(made):
        yield made


def tenants(host: Host) -> dict[str, str]:
    """Give the host a contest of Ann's and one of Bob's, and return the URLs of their ledgers."""
    for name in ("ann", "bob"):
        host.contest(f"c-{name}", name)
    return {name: url_as(host.url, PREFIX + name) for name in ("ann", "bob")}


def test_a_session_is_each_tenants_in_turn(host: Host, lines: SessionPool) -> None:
    """One session goes from Ann to Bob and back: each sees eir own contest by every way in, and nothing else."""
    urls, seen = tenants(host), []
    for own, other in (("ann", "bob"), ("bob", "ann"), ("ann", "bob")):
        with session(urls[own]) as connection:
            seen.append(connection.info.backend_pid)
            assert connection.execute("SELECT current_user").fetchone() == (PREFIX + own,)
            assert connection.execute("SELECT contest FROM contests").fetchall() == [(f"c-{own}",)]
        with Store.open(urls[own], f"c-{own}") as store:
            assert store.last() > 0
            assert len(list(store.record())) == store.last()
        with pytest.raises(NoLedger):
            Store.open(urls[own], f"c-{other}")
        assert glance(urls[own], f"c-{other}", 1) is None
    assert len(set(seen)) == 1
    assert current_pool() is lines


@pytest.mark.usefixtures("lines")
def test_what_is_rolled_back_takes_no_tenant_back(host: Host) -> None:
    """A turn that fails leaves no session behind that is another's than it seems."""
    urls = tenants(host)
    with session(urls["ann"]) as connection:
        connection.rollback()
    with pytest.raises(psycopg.errors.InsufficientPrivilege), session(urls["bob"]) as connection:
        connection.execute("DELETE FROM contests")
    with session(urls["ann"]) as connection:
        assert connection.execute("SELECT contest FROM contests").fetchall() == [("c-ann",)]
    with Store.open(urls["bob"], "c-bob") as store:
        store.contest = "c-ann"
        with pytest.raises(NoLedger):
            store.tip()


def test_turns_begin_no_sessions(host: Host) -> None:
    """Turn after turn, of two tenants, with letters and without: the same sessions, none more."""
    tenants(host)
    worker = Worker(host.settings, "w1", Meters())
    found = []
    for round_ in range(3):
        for name in ("c-ann", "c-bob"):
            host.deliver(name, f"q{round_}")
            assert [worker.take(name).heard, worker.take(name).heard] == [1, 0]
        found.append(host.ask(SESSIONS))
    assert found[0] == found[1] == found[2]
    assert len(found[0]) == 3, "the registry's, the lock's and the ledger's"
    worker.pool.close()
    deadline = monotonic() + 10
    while left := host.ask(SESSIONS):
        assert {*left} <= {*found[0]}, "they end, if not at once, and in any order"
        assert monotonic() < deadline, f"still there: {left}"
        sleep(0.1)


def test_sessions_that_the_server_has_ended_are_begun_anew(host: Host) -> None:
    """After a restart of the database, or an administrator's word, a worker's next turn is one as any."""
    host.contest("c1")
    worker = Worker(host.settings, "w1", Meters())
    host.deliver("c1", "q1")
    assert worker.take("c1").heard == 1
    host.ask(f"SELECT pg_terminate_backend(pid, 5000) {OTHERS}")
    host.deliver("c1", "q2")
    report = worker.take("c1")
    assert (report.status, report.heard, report.said) == (0, 1, ())


def test_contests_with_keys_of_their_own(host: Host) -> None:
    """What one contest's key seals is never opened or sealed by another's, though both are one worker's."""
    for name in ("c1", "c2", "c3"):
        host.contest(name, ledger=f'key = "{make_key()}"' if name != "c3" else "")
    worker, found = Worker(host.settings, "w1", Meters()), []
    for round_ in range(3):
        for name in ("c1", "c2", "c3"):
            host.deliver(name, f"q{round_}")
            report = worker.take(name)
            assert (report.status, report.heard, report.said) == (0, 1, ())
        found.append(host.ask(SESSIONS))
    assert found[0] == found[1] == found[2], "they begin no sessions"
    assert len(found[0]) == 3
    for name in ("c1", "c2", "c3"):
        assert host.host("do", name, "ledger", "verify") == 0
    sealed = dict(host.ask("SELECT contest, bool_and(data LIKE 'nomicwolf sealed%') FROM entries GROUP BY contest"))
    assert sealed == {"c1": True, "c2": True, "c3": False}


@pytest.mark.usefixtures("lines")
def test_keys_stay_apart_on_one_session(host: Host) -> None:
    """Whoever opens a ledger, before or after another by the same session, opens it by eir own key and no other."""
    keys = {"c1": make_key(), "c2": make_key(), "c3": ""}
    for name, key in keys.items():
        host.contest(name, ledger=f'key = "{key}"' if key else "")
    url, found = url_as(host.url, PREFIX + "murphy"), []
    for names in (("c1", "c2", "c3"), ("c3", "c2", "c1"), ("c2", "c1", "c3")):
        stores = {name: Store.open(url, name, keys=keys[name]) for name in names}
        for name in names:
            assert len([*stores[name].record()]) == stores[name].last()
        for own, other in (("c1", "c2"), ("c2", "c1"), ("c3", "c1")):
            stores[own].contest = other
            with pytest.raises(LedgerError, match="sealed"):
                list(stores[own].record())
        found.append(host.ask(SESSIONS))
    assert found[0] == found[1] == found[2]


def test_a_hosted_contests_key_is_replaced(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """No machine makes a key that the others don't have: it comes by ``add``, and what the old one sealed is read."""
    old, new = make_key(), make_key()
    folder = host.contest("c1", ledger='key_file = "ledger.key"', key=old)
    assert host.host("do", "c1", "ledger", "rekey") == 1
    assert "`host add` it again" in capsys.readouterr().err
    assert [file.read_text() for file in (host.folder / "laid-out").rglob("ledger.key")] == [old]
    (folder / "ledger.key").write_text(f"{new} {old}")
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    host.deliver("c1", "q1")
    assert Worker(host.settings, "w1", Meters()).take("c1").heard == 1
    assert host.host("do", "c1", "ledger", "verify") == 0
    url = url_as(host.url, PREFIX + "murphy")
    with pytest.raises(LedgerError, match="another key"), Store.open(url, "c1", keys=old) as store:
        list(store.record())
