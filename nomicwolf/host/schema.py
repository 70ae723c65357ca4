"""The host's tables, and who may see them.

Each contest's ledger is for its tenant's role alone.

Every statement can be run again, and none takes away what a worker needs: workers of two versions share the tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

import psycopg
from psycopg import sql

from nomicwolf.host.registry import opened
from nomicwolf.host.settings import HostSettings
from nomicwolf.ledger.database import NEWEST, REVISIONS, WHOLE, upgrade
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.postgres import demand_row_security
from nomicwolf.ledger.tables import contest_tables

VERSION = 2
"""Of the host's own tables; `setup` brings older ones up to it."""
APART = 10
"""So many seconds may lie between a worker's clock and the database's."""
_SESSIONS = 8
"""So many sessions at once has a tenant who may log in: the server's own limit is for all."""
TENANTS = "nomicwolf_tenants"
PREFIX = "nomicwolf_t_"

_TABLES = """
CREATE SCHEMA IF NOT EXISTS host;
CREATE TABLE IF NOT EXISTS host.version (version int NOT NULL, oldest int NOT NULL);
CREATE TABLE IF NOT EXISTS host.contests (
    contest text PRIMARY KEY, tenant text NOT NULL, revision bigint NOT NULL DEFAULT 1,
    paused boolean NOT NULL DEFAULT false, due_at bigint NOT NULL DEFAULT 0,
    began_at bigint NOT NULL DEFAULT 0, ended_at bigint NOT NULL DEFAULT 0, status int NOT NULL DEFAULT 0,
    said text NOT NULL DEFAULT '', worker text NOT NULL DEFAULT '');
CREATE INDEX IF NOT EXISTS contests_due ON host.contests (due_at) WHERE NOT paused;
CREATE INDEX IF NOT EXISTS contests_tenant ON host.contests (tenant);
CREATE TABLE IF NOT EXISTS host.files (
    contest text NOT NULL REFERENCES host.contests ON DELETE CASCADE, name text NOT NULL, sealed bytea NOT NULL,
    PRIMARY KEY (contest, name));
CREATE TABLE IF NOT EXISTS host.sends (
    server text NOT NULL, minute bigint NOT NULL, count bigint NOT NULL, PRIMARY KEY (server, minute));
CREATE TABLE IF NOT EXISTS host.former (contest text PRIMARY KEY, tenant text NOT NULL);
INSERT INTO host.version SELECT 2, 1 WHERE NOT EXISTS (SELECT FROM host.version);
UPDATE host.version SET version = 2 WHERE version < 2;
"""
_FIT = """SELECT version, v.oldest, version_num, a.oldest, extract(epoch FROM clock_timestamp())::float8
          FROM host.version v, alembic_version a"""
_MAY_GRANT = """SELECT rolsuper OR pg_has_role(current_user, %s, 'MEMBER WITH ADMIN OPTION')
                       OR rolcreaterole AND current_setting('server_version_num')::int < 160000
                FROM pg_roles WHERE rolname = current_user"""
"""Whether one may let others be a role: from PostgreSQL 16 on CREATEROLE is enough for roles of one's own alone."""
_TELLING = """SELECT tgname FROM pg_trigger WHERE tgrelid = 'procrastinate_jobs'::regclass AND tgenabled <> 'D'
              AND tgname LIKE 'procrastinate_jobs_notify_%%' ORDER BY tgname"""
"""The triggers that announce jobs by NOTIFY."""
_OWN = "tenant = current_user"
_MINE, _EARLIER = "tenant", "tenants"
_IS_MINE = "(SELECT h.tenant FROM host.contests h WHERE h.contest = {}.contest) = current_user"
_NOBODYS = f"NOT EXISTS (SELECT FROM host.contests h WHERE h.contest = {{}}.contest) OR {WHOLE}"


def set_up(host: HostSettings) -> None:
    """Make or bring up to date everything in the database; for a user who may make tables and roles."""
    with opened(host) as connection:  # whose errors speak of a host
        demand_row_security(connection)
    upgrade(host.database.url)
    with opened(host) as connection:
        connection.execute("SELECT set_config('lock_timeout', '10s', true), pg_advisory_xact_lock(7)")
        _role(connection, TENANTS)
        connection.execute(_TABLES)
        _queue(connection)
        _rights(connection, host.database.worker)
        _close_public(connection)
    with opened(host) as connection:
        if not connection.execute(_MAY_GRANT, (TENANTS,)).fetchall()[0][0]:
            raise _not_granted(connection, TENANTS, "The database is ready, but its user can't take tenants")


def _role(connection: psycopg.Connection, name: str) -> None:
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone():
        connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN CONNECTION LIMIT {}").format(
            sql.Identifier(name), _SESSIONS))


def _queue(connection: psycopg.Connection) -> None:
    """Create procrastinate's tables by its own statements, without NOTIFY.

    Any login may LISTEN, and fill what the server keeps of notices until no transaction that has one can end.
    """
    from procrastinate.schema import SchemaManager

    found = connection.execute("SELECT to_regclass('procrastinate_jobs')").fetchone()
    if found and found[0] is None:
        connection.execute(SchemaManager.get_schema().encode())
    for (trigger,) in connection.execute(_TELLING).fetchall():
        connection.execute(sql.SQL("ALTER TABLE procrastinate_jobs DISABLE TRIGGER {}").format(sql.Identifier(trigger)))


def _close_public(connection: psycopg.Connection) -> None:
    """Allow only the owner to create objects in the schema, since workers might call a stranger's function.

    Until PostgreSQL 14 everybody could, and a database that was brought from there still lets them.
    """
    open_ = "SELECT has_schema_privilege('public', 'public', 'CREATE')"
    if not connection.execute(open_).fetchall()[0][0]:
        return
    revoke = "REVOKE CREATE ON SCHEMA public FROM PUBLIC"
    with suppress(psycopg.errors.InsufficientPrivilege), connection.transaction():
        connection.execute(revoke)
    if connection.execute(open_).fetchall()[0][0]:
        raise LedgerError(f"everybody who may log in can make functions among this database's tables. As a superuser "
                          f"say once, in this database,\n  {revoke};\nand then give this command again")


def _rights(connection: psycopg.Connection, worker: str) -> None:
    """Grant tenants their own contests' ledgers, and workers the queue and the registry."""
    group = sql.Identifier(TENANTS)
    for right in ("USAGE ON SCHEMA host", "SELECT (contest, tenant) ON host.contests", "SELECT ON alembic_version"):
        connection.execute(sql.SQL("GRANT " + right + " TO {}").format(group))
    _policy(connection, "host", "contests", "tenants", TENANTS, _OWN)
    for table in contest_tables():
        _write(connection, table.name, [column.name for column in table.columns])
        _policy(connection, "public", table.name, _MINE, TENANTS, _IS_MINE.format(table.name))
        _forget_policy(connection, table.name)
        _force(connection, table.name)
    if worker:
        _worker(connection, worker)


def _write(connection: psycopg.Connection, table: str, names: list[str]) -> None:
    """Grant tenants a table by its columns: whoever may UPDATE it whole may also LOCK it whole, for all.

    A right of that kind, which earlier versions gave, is taken back, and those to the columns with it.
    """
    place, group = sql.Identifier("public", table), sql.Identifier(TENANTS)
    whole = connection.execute("SELECT has_table_privilege(%s, %s, 'UPDATE')", (TENANTS, f"public.{table}"))
    if whole.fetchall()[0][0]:
        connection.execute(sql.SQL("REVOKE UPDATE ON {} FROM {}").format(place, group))
    columns = sql.SQL(", ").join(map(sql.Identifier, names))
    connection.execute(sql.SQL("GRANT SELECT, INSERT, UPDATE ({}) ON {} TO {}").format(columns, place, group))


def _policy(connection: psycopg.Connection, schema: str, table: str, name: str, role: str, condition: str) -> None:
    """Show *role* only the rows of a table that meet a condition; an equal policy isn't touched."""
    if _has_policy(connection, schema, table, name):
        return
    place = sql.Identifier(schema, table)
    connection.execute(sql.SQL("ALTER TABLE {} ENABLE ROW LEVEL SECURITY").format(place))
    connection.execute(sql.SQL("CREATE POLICY {} ON {} TO {} USING ({})").format(
        sql.Identifier(name), place, sql.Identifier(role), sql.SQL(condition)))


def _forget_policy(connection: psycopg.Connection, table: str) -> None:
    """Drop a policy of earlier versions that another one has replaced.

    It said the same by the list of all contests of the tenant, which was made anew for each statement.
    """
    if _has_policy(connection, "public", table, _EARLIER):
        connection.execute(sql.SQL("DROP POLICY {} ON {}").format(
            sql.Identifier(_EARLIER), sql.Identifier("public", table)))


def _has_policy(connection: psycopg.Connection, schema: str, table: str, name: str) -> bool:
    wanted = "SELECT 1 FROM pg_policies WHERE schemaname = %s AND tablename = %s AND policyname = %s"
    return connection.execute(wanted, (schema, table, name)).fetchone() is not None


def _force(connection: psycopg.Connection, table: str) -> None:
    """Hide tenants' rows from a table's owner too, unless the host lacks the contest or the owner asks for all.

    So a mistake that leaves out the tenant's role finds nothing, in place of everything.
    """
    place = sql.Identifier("public", table)
    owner, forced = connection.execute(
        "SELECT relowner::regrole::text, relforcerowsecurity FROM pg_class WHERE oid = %s::regclass",
        (f"public.{table}",)).fetchall()[0]
    _policy(connection, "public", table, "owner", owner, _NOBODYS.format(table))
    if not forced:
        connection.execute(sql.SQL("ALTER TABLE {} FORCE ROW LEVEL SECURITY").format(place))


def _worker(connection: psycopg.Connection, worker: str) -> None:
    """Grant a role that owns nothing what workers need: the queue, the registry, and each tenant's role."""
    role = sql.Identifier(worker)
    for statement in (
        "GRANT USAGE ON SCHEMA host TO {}", "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA host TO {}",
        "GRANT SELECT ON alembic_version TO {}", "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {}",
    ):
        connection.execute(sql.SQL(statement).format(role))
    _policy(connection, "host", "contests", "workers", worker, "true")
    queue = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'procrastinate%'"
    for (name,) in connection.execute(queue).fetchall():
        connection.execute(
            sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON {} TO {}").format(sql.Identifier(name), role))
    for (tenant,) in connection.execute("SELECT DISTINCT tenant FROM host.contests").fetchall():
        _admit(connection, tenant, worker)


def _admit(connection: psycopg.Connection, group: str, member: str) -> None:
    """Make *member* part of *group*; `LedgerError` says what to do if the user may not."""
    try:
        with connection.transaction():
            connection.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(group), sql.Identifier(member)))
    except psycopg.errors.InsufficientPrivilege as error:
        if not connection.execute("SELECT pg_has_role(%s, %s, 'MEMBER')", (member, group)).fetchall()[0][0]:
            raise _not_granted(connection, group, f"The database's user may not let {member} be {group}") from error


def _not_granted(connection: psycopg.Connection, group: str, what: str) -> LedgerError:
    """Return the message on *what* is missing, why, and the statement that mends it, with who can run it."""
    made = connection.execute(
        "SELECT DISTINCT member::regrole::text FROM pg_auth_members WHERE roleid = %s::regrole AND admin_option "
        "ORDER BY 1", (group,)).fetchall()
    user = sql.Identifier(_user(connection)).as_string(connection)
    who = " or ".join(["a superuser", *(name for (name,) in made)])
    return LedgerError(f"{what}: another user of this PostgreSQL made the role {group} (roles are common to all its "
                       f"databases). As {who} say once\n  GRANT {group} TO {user} WITH ADMIN OPTION;\n"
                       "and then give this command again")


def _user(connection: psycopg.Connection) -> str:
    return str(connection.execute("SELECT current_user").fetchall()[0][0])


def make_tenant(connection: psycopg.Connection, tenant: str, worker: str) -> str:
    """Make a tenant's role if it isn't there, and return its name; workers may become it."""
    role = PREFIX + tenant
    _role(connection, role)
    _admit(connection, TENANTS, role)
    for member in (_user(connection), *([worker] if worker else [])):
        _admit(connection, role, member)
    return role


def name_of(role: str) -> str:
    """Return a tenant's name by the tenant's role."""
    return role.removeprefix(PREFIX)


def demand_fit(connection: psycopg.Connection, clock: Callable[[], float] = time.time) -> None:
    """Raise `LedgerError` unless this program may work on the tables as they are: its own, or newer with only more.

    So does a *clock* (UTC seconds) too far from the database's: deadlines go by those of whoever takes the turn.
    """
    demand_row_security(connection)
    began = clock()
    try:
        row = connection.execute(_FIT).fetchone()
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn):
        row = None
    ended = clock()
    if row is None or row[0] < VERSION or row[2] in REVISIONS[:-1]:
        raise LedgerError("the database isn't set up for this version; run `nomicwolf host setup` with it once")
    if row[1] > VERSION or (row[2] != NEWEST and row[3] not in REVISIONS):
        raise LedgerError(
            f"the tables are newer ({row[0]}, {row[2]}) than this program ({VERSION}, {NEWEST}); install the newer one")
    apart = max(began - row[4], row[4] - ended)
    if apart > APART:
        raise LedgerError(f"this machine's clock and the database's are {apart:.0f} seconds apart; set right the one "
                          "that is wrong, and let both follow a time server")
