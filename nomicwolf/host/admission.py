"""A contest's way to the host: its ledger copied and proved equal, its files sealed, its tenant's role made."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from nomicwolf.host import registry
from nomicwolf.host.grants import demand_granted
from nomicwolf.host.schema import demand_fit, make_tenant
from nomicwolf.host.settings import HostSettings
from nomicwolf.host.taking import Taken, taken
from nomicwolf.ledger.copying import Copied, copy_contest
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.files import demand_tables
from nomicwolf.ledger.idle_check import glance
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.tables import contest_tables
from nomicwolf.run.resources import turn
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.sources import KEY_FILE, key_file, secret_of

_TENANT = re.compile(r"[a-z][a-z0-9_]{0,40}")


def admit(host: HostSettings, folder: Path, tenant: str) -> tuple[str, Copied | None]:
    """Take the contest in *folder* for *tenant*, and return its id, and what was copied of a ledger that it had.

    A contest that is there already gets its new settings alone. `Conflict` if it is another tenant's, or both sides
    have a ledger of it and the host never took it; `SettingsError` for what only this machine has.
    """
    if not _TENANT.fullmatch(tenant):
        problem = f"--tenant {tenant}: must be a-z, 0-9 and _, begin with a letter, and have 41 characters at most"
        raise SettingsError((problem,))
    with taken(folder) as found:
        demand_granted(host, tenant, found.settings)
        contest = found.settings.contest.id
        with registry.opened(host) as connection:
            demand_fit(connection)
            before = registry.hosted(connection, contest)
            role = make_tenant(connection, tenant, host.database.worker)
            if before and before[0].tenant == role and KEY_FILE not in found.files:
                found.files |= registry.files_of(connection, host, contest, KEY_FILE)
            if KEY_FILE not in found.files:
                found.files[KEY_FILE] = _key(found).encode()
            registry.enter(connection, host, contest, role, found.files)
            return contest, None if before else _bring(host, found)


def _key(found: Taken) -> str:
    """Return the contest's key, made if the contest is new."""
    settings = found.settings
    if not found.has_ledger and not settings.contest.secret and not key_file(settings).exists():
        found.make_key()
    try:
        return secret_of(settings)
    except SettingsError as error:
        raise found.told(error) from error


def _bring(host: HostSettings, found: Taken) -> Copied | None:
    """Copy the contest's ledger to the host's database, or make one there."""
    url, settings = host.database.url, found.settings
    contest = settings.contest.id
    if not found.has_ledger:
        if glance(url, contest, 1) is None:
            Store.create(url, contest, keys=settings.ledger.key).close()
        return None
    if glance(url, contest, 1) is not None:
        raise Conflict(f"{contest} has a ledger in the host's database, and {found.folder / found.ledger} is there; "
                       "move one of them away (if the host had the contest before, the host's is the newer one: rename "
                       "the file)")
    with found.ledger_copied() as since:
        assert settings.ledger_file is not None
        demand_tables(settings.ledger_file, (table.name for table in contest_tables()))
        copied = copy_contest(settings.ledger.url, url, contest, settings.ledger.key)
        _since(host, settings, since)
    return copied


def _since(host: HostSettings, settings: Settings, since: int) -> None:
    """Take along when the mailbox was last read."""
    with turn(replace(settings, ledger=replace(settings.ledger, url=host.database.url))) as there:
        there.note(since)


def dismiss(host: HostSettings, contest: str) -> list[str]:
    """Take a contest from the host; its ledger stays, and so does its tenant.

    Return the contests that name it among those which read their mailbox: they can't be polled until they don't.
    """
    with registry.opened(host) as connection:
        naming = registry.naming(connection, host, registry.one(connection, contest))
        registry.leave(connection, contest)
        return naming
