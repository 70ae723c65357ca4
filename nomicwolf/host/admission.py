"""A contest's way to the host: its ledger copied and proved equal, its files sealed, its tenant's role made."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from nomicwolf.host import registry
from nomicwolf.host.folders import collected
from nomicwolf.host.schema import demand_fit, make_tenant
from nomicwolf.host.settings import HostSettings
from nomicwolf.ledger.copying import Copied, copy_contest
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.peek import glance
from nomicwolf.ledger.store import Store
from nomicwolf.run.turn import turn
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.load import load
from nomicwolf.settings.secret import KEY_FILE, key_file, make_key, secret_of

_TENANT = re.compile(r"[a-z][a-z0-9_]{0,40}")
_BY_ENVIRONMENT = re.compile(r"(\S+), (\S+) or NOMICWOLF_\w+")


def admit(host: HostSettings, folder: Path, tenant: str) -> tuple[str, Copied | None]:
    """Take the contest in *folder* for *tenant*, and return its id, and what was copied of a ledger that it had.

    A contest that is there already gets its new settings alone. `Conflict` if it is another tenant's, or both sides
    have a ledger of it and the host never took it; `SettingsError` for what only this machine has.
    """
    if not _TENANT.fullmatch(tenant):
        problem = f"--tenant {tenant}: must be a-z, 0-9 and _, begin with a letter, and have 41 characters at most"
        raise SettingsError((problem,))
    settings = _loaded(folder)
    contest = settings.contest.id
    files = collected(settings.folder)
    files.setdefault(KEY_FILE, _key(settings).encode())
    with registry.opened(host) as connection:
        demand_fit(connection)
        known = bool(registry.hosted(connection, contest))
        role = make_tenant(connection, tenant, host.database.worker)
        registry.enter(connection, host, contest, role, files)
        return contest, None if known else _bring(host, settings)


def _loaded(folder: Path) -> Settings:
    """Return the settings in *folder*, and nothing of this machine's environment, which the workers won't have."""
    try:
        return load(folder.absolute(), {})
    except SettingsError as error:
        told = r"\1 or \2 in the folder: the workers have nothing of this environment"
        raise SettingsError(tuple(_BY_ENVIRONMENT.sub(told, problem) for problem in error.problems)) from error


def _key(settings: Settings) -> str:
    """Return the contest's key, made if the contest is new."""
    new = settings.ledger_file is None or not settings.ledger_file.exists()
    if new and not settings.contest.secret and not key_file(settings).exists():
        make_key(key_file(settings))
    return secret_of(settings)


def _bring(host: HostSettings, settings: Settings) -> Copied | None:
    """Copy the contest's ledger to the host's database, or make one there."""
    url, contest, ledger = host.database.url, settings.contest.id, settings.ledger_file
    if ledger is None or not ledger.exists():
        if glance(url, contest, 1) is None:
            Store.create(url, contest, keys=settings.ledger.key).close()
        return None
    if glance(url, contest, 1) is not None:
        raise Conflict(f"{contest} has a ledger in the host's database, and {ledger} is there; move one of them away "
                       "(if the host had the contest before, the host's is the newer one: rename the file)")
    with turn(settings) as held:
        copied = copy_contest(settings.ledger.url, url, contest, settings.ledger.key)
        _since(host, settings, held.since)
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
