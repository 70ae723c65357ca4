"""Tenants don't see each other: the database itself refuses, whatever a program asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from nomicwolf.cli.app import run
from nomicwolf.host.registry import url_as
from nomicwolf.host.schema import PREFIX
from nomicwolf.ledger.errors import LedgerError, NoLedger
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.tables import contest_tables
from tests.host.hosted import CONTEST, Host, new_host, until
from tests.post.scripted import SmtpScript, smtp_server
from tests.servers.postgres import Postgres, plain


@pytest.fixture(scope="module")
def two(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """Return a host with a contest of Ann's and one of Bob's, something in every table of each."""
    with new_host(postgres, tmp_path_factory.mktemp("two") / "host") as host:
        for name in ("ann", "bob"):
            host.contest(f"c-{name}", name)
            host.deliver(f"c-{name}", "q1")
        host.start("w1")
        until("both to be polled", lambda: host.ask("SELECT 1 FROM marks WHERE source LIKE 'maildir%' OFFSET 1"))
        host.stop()
        yield host


@contextmanager
def session(host: Host, tenant: str) -> Iterator[psycopg.Connection]:
    """Give a session of a tenant's, each of whose statements is by itself."""
    with psycopg.connect(plain(url_as(host.url, PREFIX + tenant)), autocommit=True) as connection:
        yield connection


def test_a_tenant_sees_its_own_contests_alone(two: Host) -> None:
    """In every table of the ledger, and in the list of contests, there is only one's own; and there is something."""
    for tenant in ("ann", "bob"):
        with session(two, tenant) as connection:
            for table in (*(table.name for table in contest_tables()), "host.contests"):
                found = connection.execute(f"SELECT DISTINCT contest FROM {table}").fetchall()
                assert found == [(f"c-{tenant}",)], table


def test_every_table_of_the_ledger_is_under_row_level_security(two: Host) -> None:
    """A table that a later revision adds can't be forgotten: setup takes all that the program knows."""
    for table in contest_tables():
        assert two.ask(f"SELECT relrowsecurity FROM pg_class WHERE oid = 'public.{table.name}'::regclass") == [(True,)]


def test_the_guard_makes_no_list_of_all_contests(two: Host) -> None:
    """What it costs doesn't grow with the host: it looks up the one contest of each row, hashing none beside it."""
    with session(two, "ann") as connection:
        for table in contest_tables():
            plan = connection.execute(f"EXPLAIN SELECT * FROM {table.name} WHERE contest = 'c-ann'").fetchall()
            assert any("SubPlan" in line for (line,) in plan), table.name
            assert not any("hashed" in line for (line,) in plan), table.name


def test_an_earlier_guard_gives_way(host: Host) -> None:
    """Setup puts today's guard in the place of the one that earlier versions made, and no row is open meanwhile."""
    host.contest("c-ann", "ann")
    host.contest("c-bob", "bob")
    for table in contest_tables():
        host.ask(f"CREATE POLICY tenants ON {table.name} TO nomicwolf_tenants USING (contest IN "
                 "(SELECT h.contest FROM host.contests h WHERE h.tenant = current_user))")
        host.ask(f"DROP POLICY tenant ON {table.name}")
    assert host.host("setup") == 0
    guards = "SELECT DISTINCT policyname FROM pg_policies WHERE schemaname = 'public' ORDER BY policyname"
    assert host.ask(guards) == [("owner",), ("tenant",)]
    with session(host, "ann") as connection:
        assert connection.execute("SELECT contest FROM contests").fetchall() == [("c-ann",)]


def test_a_tenant_changes_nothing_of_anothers(two: Host) -> None:
    """Updates find no row, and inserts are refused, in whatever table; nothing is ever deleted."""
    with session(two, "ann") as connection:
        for table in contest_tables():
            changed = connection.execute(f"UPDATE {table.name} SET contest = contest WHERE contest = 'c-bob'")
            assert changed.rowcount == 0
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"DELETE FROM {table.name}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO marks VALUES ('c-bob', 'x', 1, 1)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("INSERT INTO contests VALUES ('c-new', 0, '', NULL, 0, 0, 0)")


@pytest.mark.parametrize("table", [
    "host.files", "host.sends", "host.version", "host.former", "procrastinate_jobs", "procrastinate_workers"])
def test_a_tenant_has_no_business_with_the_host(two: Host, table: str) -> None:
    """Files, limits and the queue are closed; so are what a turn said and when another contest is due."""
    with session(two, "ann") as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute(f"SELECT * FROM {table}")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("SELECT said FROM host.contests")


def test_a_tenant_who_may_log_in_uses_eir_contest_as_any(two: Host) -> None:
    """With a login of eir own a contestmaster gives commands to eir contest, and to no other."""
    two.ask("ALTER ROLE nomicwolf_t_ann LOGIN")
    url = make_url(two.url).set(username="nomicwolf_t_ann").render_as_string(hide_password=False)
    with Store.open(url, "c-ann") as store:
        assert store.verify() == []
        assert store.check().received == 1
    with pytest.raises(NoLedger, match="no contest c-bob"):
        Store.open(url, "c-bob")
    with pytest.raises(LedgerError, match="GRANT"):
        Store.create(url, "c-new")
    with psycopg.connect(plain(url)) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("SET ROLE nomicwolf_t_bob")


@pytest.mark.parametrize("said", ["x", '{"type": "abort_job_requested", "job_id": {}}'])
def test_what_a_tenant_tells_the_queue_stops_no_worker(host: Host, said: str) -> None:
    """Any login may NOTIFY, and no right is needed: no worker listens, and none tells of a job by that way."""
    host.contest("c-ann", "ann")
    host.configure(every=1)
    with session(host, "ann") as ann:
        ann.execute("LISTEN procrastinate_any_queue_v1")
        host.start("w1")
        until("a turn", lambda: host.log("w1"), lambda: host.log_file("w1").read_text()[-2000:])
        ann.execute("SELECT pg_notify('procrastinate_any_queue_v1', %s)", (said,))
        seen = len(host.log("w1"))
        until("further turns", lambda: len(host.log("w1")) > seen + 4)
        assert [notice.payload for notice in ann.notifies(timeout=0)] == [said], "nothing is heard of others' jobs"
    assert host.ask("SELECT 1 FROM pg_stat_activity WHERE query LIKE 'LISTEN %'"
                    " AND datname = current_database()") == []
    assert [line["event"] for line in host.log("w1") if line["level"] != "info"] == []


LOCKS = ("ROW SHARE", "SHARE UPDATE EXCLUSIVE", "SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE")


@pytest.mark.parametrize("mode", LOCKS)
def test_a_tenant_locks_no_table(two: Host, mode: str) -> None:
    """A lock that others wait for takes a right to a whole table; tenants have rights to its columns."""
    with session(two, "ann") as connection:
        for table in (*(table.name for table in contest_tables()), "host.contests", "alembic_version"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"BEGIN; LOCK TABLE {table} IN {mode} MODE")
            connection.execute("ROLLBACK")


def test_rights_of_earlier_versions_are_taken_back(host: Host) -> None:
    """Setup leaves no tenant the right to a whole table, nor anyone the making of functions among the tables."""
    host.contest("c-ann", "ann")
    for table in contest_tables():
        host.ask(f"GRANT UPDATE ON {table.name} TO nomicwolf_tenants")
    host.ask("GRANT CREATE ON SCHEMA public TO PUBLIC")
    assert host.host("setup") == 0
    assert host.host("do", "c-ann", "party", "add", "Bex", "bex@players.test") == 0
    with session(host, "ann") as connection:
        for table in contest_tables():
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"BEGIN; LOCK TABLE {table.name}")
            connection.execute("ROLLBACK")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE FUNCTION hashtext(varchar) RETURNS int LANGUAGE sql AS 'SELECT 1'")


def test_a_tenant_has_so_many_sessions(two: Host) -> None:
    """Whoever may log in can't take all the sessions that the server has for workers."""
    assert two.ask("SELECT rolconnlimit FROM pg_roles WHERE rolname IN ('nomicwolf_t_ann', 'nomicwolf_t_bob')"
                   ) == [(8,), (8,)]


@pytest.mark.parametrize("right", ["SUPERUSER", "BYPASSRLS"])
def test_a_user_who_passes_every_guard_is_refused(
    host: Host, capsys: pytest.CaptureFixture[str], right: str
) -> None:
    """Setup, workers, `check` and all other commands say so, and whom to use: nothing would part tenants."""
    folder = host.contest("c-ann", "ann")
    user = make_url(host.url).username
    host.ask(f"ALTER ROLE {user} {right}")
    try:
        own = f"{(folder / 'contest.toml').read_text()}\n[ledger]\nurl = \"{host.url}\"\n"
        (folder / "contest.toml").write_text(own)
        for words in (["setup"], ["worker"], ["add", str(folder), "--tenant", "ann"], ["do", "c-ann", "check"]):
            capsys.readouterr()
            assert host.host(*words) == 1
            assert "is a superuser, or passes row-level security" in capsys.readouterr().err, words
        assert run(["-C", str(folder), "check"]) == 1
        assert "ledger: the database's user" in capsys.readouterr().err
    finally:
        host.ask(f"ALTER ROLE {user} NO{right}")


def test_a_contest_of_anothers_cannot_be_taken(two: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Two tenants can't have a contest of the same name, and whoever asks second changes nothing of it."""
    folder = two.folder / "contests" / "c-bob"
    before = two.ask("SELECT tenant, revision FROM host.contests WHERE contest = 'c-bob'")
    assert before[0][0] == PREFIX + "bob"
    assert two.host("add", str(folder), "--tenant", "ann") == 1
    assert "another tenant's" in capsys.readouterr().err
    assert two.ask("SELECT tenant, revision FROM host.contests WHERE contest = 'c-bob'") == before


def test_a_contest_that_was_anothers_cannot_be_taken(two: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Its ledger stays when the host has it no more: who asks for the name doesn't get it, its tenant does."""
    folder = two.folder / "contests" / "c-bob"
    assert two.host("remove", "c-bob") == 0
    assert two.host("add", str(folder), "--tenant", "ann") == 1
    assert "was another tenant's, and its ledger is still here" in capsys.readouterr().err
    with session(two, "ann") as connection:
        assert connection.execute("SELECT DISTINCT contest FROM entries").fetchall() == [("c-ann",)]
    assert two.host("add", str(folder), "--tenant", "bob") == 0
    assert two.host("remove", "c-bob") == 0
    assert two.host("add", str(folder), "--tenant", "bob") == 0


def test_workers_need_own_nothing(host: Host) -> None:
    """A worker may log in as a role that owns no table; it reads a ledger only as the tenant whose it is."""
    role = str(make_url(host.url).database) + "_worker"
    host.ask(f"CREATE ROLE {role} LOGIN")
    host.configure(database=f'worker = "{role}"')
    assert host.host("setup") == 0
    host.contest("c-ann", "ann")
    owner, host.url = host.url, make_url(host.url).set(username=role).render_as_string(hide_password=False)
    host.configure(database=f'worker = "{role}"')
    with psycopg.connect(plain(host.url)) as connection:
        assert connection.execute("SELECT count(*) FROM host.contests").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (0,)
    host.deliver("c-ann", "q1")
    host.start("w1")
    host.url = owner
    until("an answer", lambda: host.smtp.taken, lambda: host.log_file("w1").read_text()[-2000:])
    until("the turn's end", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0 AND status = 0"))
    host.stop()
    host.ask(f"DROP OWNED BY {role}; DROP ROLE {role}")


@contextmanager
def owned(postgres: Postgres, folder: Path) -> Iterator[Host]:
    """Give a host whose database belongs to a role that is no superuser, as docs/host.md begins."""
    with new_host(postgres, folder) as host:
        first, url = host.url, postgres.empty()
        name = make_url(url).database
        postgres.run(f"CREATE ROLE {name}_owner LOGIN CREATEROLE")
        postgres.run(f"ALTER DATABASE {name} OWNER TO {name}_owner")
        for (role,) in postgres.run("SELECT rolname FROM pg_roles WHERE rolname LIKE 'nomicwolf_t%'"):
            postgres.run(f"GRANT {role} TO {name}_owner WITH ADMIN OPTION")
        host.url = make_url(url).set(username=f"{name}_owner").render_as_string(hide_password=False)
        assert host.configure(every=600).host("setup") == 0
        assert host.host("setup") == 0, "a second time changes nothing"
        try:
            yield host
        finally:
            host.stop()
            postgres.drop(host.url)
            host.url = first


def test_not_even_the_owner_sees_tenants_rows_by_mistake(postgres: Postgres, tmp_path: Path) -> None:
    """FORCE ROW LEVEL SECURITY: who forgets to become the tenant finds nothing, writes nothing; workers go on."""
    with owned(postgres, tmp_path / "host") as host:
        host.contest("c-ann", "ann")
        host.deliver("c-ann", "q1")
        host.start("w1")
        until("a turn", lambda: host.ask("SELECT 1 FROM host.contests WHERE ended_at > 0"),
              lambda: host.log_file("w1").read_text()[-2000:])
        assert host.ask("SELECT status, said FROM host.contests") == [(0, "")]
        with psycopg.connect(plain(host.url), autocommit=True) as owner:
            for table in contest_tables():
                assert owner.execute(f"SELECT count(*) FROM {table.name}").fetchall() == [(0,)], table.name
                assert owner.execute(f"UPDATE {table.name} SET contest = contest").rowcount == 0
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                owner.execute("INSERT INTO marks VALUES ('c-ann', 'x', 1, 1)")
            owner.execute("SET nomicwolf.host = on")
            assert owner.execute("SELECT count(*) FROM letters").fetchall() == [(1,)]
        with pytest.raises(NoLedger):
            Store.open(host.url, "c-ann")
        with Store.create(host.url, "own") as store:
            assert store.last() == 0, "a contest that the host hasn't is the owner's own"


def test_a_tenant_cannot_ask_for_all(two: Host) -> None:
    """What lets the owner see all says nothing in a tenant's session."""
    with session(two, "ann") as connection:
        connection.execute("SET nomicwolf.host = on")
        assert connection.execute("SELECT DISTINCT contest FROM entries").fetchall() == [("c-ann",)]


def test_a_ledger_is_copied_past_the_guard(postgres: Postgres, tmp_path: Path) -> None:
    """A contest with a ledger comes to a host whose owner is under the guard, and leaves it, proved equal both ways."""
    with owned(postgres, tmp_path / "host") as host:
        folder = tmp_path / "own"
        for part in ("new", "cur", "tmp"):
            (host.folder / "mail" / "own" / part).mkdir(parents=True)
        folder.mkdir()
        (folder / "contest.toml").write_text(CONTEST.format(
            contest="own", mail=host.folder / "mail" / "own", port=host.port, more=""))
        assert run(["-C", str(folder), "party", "add", "Ash", "ash@players.test"]) == 0
        assert host.host("add", str(folder), "--tenant", "ann") == 0
        away = f"sqlite:///{tmp_path / 'away.db'}"
        assert host.host("do", "own", "ledger", "copy", away) == 1, "its workers would go on with the one here"
        assert not (tmp_path / "away.db").exists()
        assert host.host("pause", "own") == 0
        assert host.host("do", "own", "ledger", "copy", away) == 0
        with Store.open(f"sqlite:///{folder / 'contest.db'}", "own") as old, Store.open(away, "own") as new:
            assert tuple(new.record()) == tuple(old.record())
            assert new.verify() == []
        assert host.host("restored") == 0, "the owner may mark a tenant's contest as brought back"
        with session(host, "ann") as ann:
            marked = ann.execute("SELECT contest FROM marks WHERE source = 'restored' AND last > 0").fetchall()
        assert marked == [("own",)]
        assert host.host("remove", "own") == 0


def test_a_role_that_another_made_is_told_with_the_grant(
    postgres: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From PostgreSQL 16 on a second host with CREATEROLE needs it, and everywhere one that hasn't even that."""
    url = postgres.empty()
    name, role = f"{make_url(url).database}_second", PREFIX + "second"
    known = [found for (found,) in postgres.run("SELECT rolname FROM pg_roles")]
    for made in {f"{name} LOGIN", role, "nomicwolf_tenants"} - {*known}:
        postgres.run(f"CREATE ROLE {made}")
    postgres.run(f"ALTER DATABASE {make_url(url).database} OWNER TO {name}")

    def granted(group: str) -> None:
        """Say the statement that standard error told, which is for *group*."""
        (line,) = (line for line in capsys.readouterr().err.splitlines() if "  GRANT" in line)
        told = line.partition(": ")[2].strip()
        assert told == f'GRANT {group} TO "{name}" WITH ADMIN OPTION;'
        postgres.run(told)

    with smtp_server(SmtpScript()) as port:
        owner = make_url(url).set(username=name).render_as_string(hide_password=False)
        host = Host(tmp_path / "host", owner, SmtpScript(), port, postgres).configure()
        assert host.host("setup") == 1
        granted("nomicwolf_tenants")
        assert host.host("setup") == 0
        with pytest.raises(AssertionError):
            host.contest("one", "second", player=False)
        granted(role)
        assert host.host("add", str(host.folder / "contests" / "one"), "--tenant", "second") == 0
        assert host.host("do", "one", "status") == 0
    postgres.drop(url)
    postgres.run(f"DROP ROLE {role}; DROP ROLE {name}")
