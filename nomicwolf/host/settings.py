"""Settings of a host: ``host.toml``.

The file is in the folder that ``-C`` names.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, TypeAlias

from nomicwolf.settings.keys import URL, SettingsError
from nomicwolf.settings.shape import between, nearest, read_table
from nomicwolf.settings.sources import Source, fill_secrets

Server: TypeAlias = tuple[IPv4Network | IPv6Network, int]
FILE = "host.toml"
GRANTS = "grants"
EVERYBODY = "*"
_LISTEN = "must be like 127.0.0.1:9464, with a port of at most 65535"


@dataclass(frozen=True, slots=True)
class DatabaseSettings:
    """``database``: *url* as in ``ledger.url``; *worker* is the role that workers log in as, if it owns nothing.

    *key* seals the contests' files, passwords among them: a line or more of Fernet keys, the first of which seals.
    """

    url: str = field(repr=False, metadata={"secret": True})
    key: str = field(default="", repr=False, metadata={"secret": True})
    worker: str = ""


@dataclass(frozen=True, slots=True)
class WorkerSettings:
    """``worker``: a contest is polled *every* so many seconds, and due ones are looked up each *tick*.

    *stale* is for how many seconds a worker may be silent before its contests go to others, *at_once* how many
    contests it works on at a time, *folder* where it lays out their files, *listen* where it tells how it is.
    A turn that lasts for more than *longest* seconds is stuck: its worker ends, and its contests go on elsewhere.
    """

    every: int = field(default=300, metadata=between(1))
    tick: int = field(default=15, metadata=between(1))
    stale: int = field(default=30, metadata=between(1))
    at_once: int = field(default=1, metadata=between(1))
    longest: int = field(default=900, metadata=between(1))
    folder: Path = Path("contests")
    listen: str = ""


@dataclass(frozen=True, slots=True)
class LimitSettings:
    """``limits``: to one mail server, over all workers: *connections* at once, letters sent in a minute (*sends*)."""

    connections: int = field(default=20, metadata=between(1))
    sends: int = field(default=600, metadata=between(1))


@dataclass(frozen=True, slots=True)
class GrantSettings:
    """``grants.<tenant>``: what a tenant may reach beyond the public network; ``grants."*"`` is for every tenant.

    *mailboxes* are folders on the machine in which a Maildir or an mbox may lie, where ``{tenant}`` stands for the
    name; *servers* are addresses of loopback or of private networks, each with a port: ``127.0.0.1:25``,
    ``10.1.0.0/16:993``.
    """

    tenant: str
    mailboxes: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HostSettings:
    """All of ``host.toml``; *folder* is where it lies."""

    folder: Path
    database: DatabaseSettings
    worker: WorkerSettings = WorkerSettings()
    limits: LimitSettings = LimitSettings()
    grants: tuple[GrantSettings, ...] = ()


TABLES: dict[str, type] = {"database": DatabaseSettings, "worker": WorkerSettings, "limits": LimitSettings}


def load_host(folder: Path) -> HostSettings:
    """Return the settings of the host in *folder*, or raise `SettingsError` with every wrong key."""
    folder = folder.absolute()
    tree, known = _read(folder / FILE), (*TABLES, GRANTS)
    problems = [f"{key}: unknown table; {nearest(key, known)}" for key in tree if key not in known]
    if isinstance(tree.get("database"), dict):
        for secret in ("url", "key"):
            tree["database"] = fill_secrets(Source(folder, os.environ), tree["database"], secret, "database", problems)
    parts: dict[str, Any] = {
        name: read_table(shape, tree.get(name, {}), name, problems) for name, shape in TABLES.items()
        if name in tree or name == "database"}
    parts["grants"] = _grants(tree.get(GRANTS, {}), problems)
    problems += [] if problems else _odd(HostSettings(folder, **parts))
    if problems:
        raise SettingsError(tuple(problems))
    found = HostSettings(folder, **parts)
    return replace(found, worker=replace(found.worker, folder=folder / found.worker.folder))


def _grants(given: object, problems: list[str]) -> tuple[GrantSettings, ...]:
    if not isinstance(given, Mapping):
        problems.append("grants: must be tables; write [grants.murphy] for a tenant, and its keys below it")
        return ()
    found = [read_table(GrantSettings, keys, f"{GRANTS}.{tenant}", problems, tenant=tenant)
             for tenant, keys in given.items()]
    return tuple(grant for grant in found if grant is not None)


def _odd_grants(grant: GrantSettings) -> Iterator[str]:
    where = f"{GRANTS}.{grant.tenant}"
    for folder in grant.mailboxes:
        if not Path(folder).is_absolute() or ".." in Path(folder).parts:
            yield f"{where}.mailboxes: {folder}: must be a whole path, like /var/vmail/murphy"
        if grant.tenant == EVERYBODY and "{tenant}" not in folder:
            yield f"{where}.mailboxes: {folder}: is every tenant's; write {{tenant}} where the name stands"
    for server in grant.servers:
        try:
            server_of(server)
        except ValueError:
            yield f"{where}.servers: {server}: must be an address or a network, and a port, like 127.0.0.1:25"


def server_of(text: str) -> Server:
    """Return what a grant of servers says; ValueError if it says none.

    >>> server_of("10.1.0.0/16:993"), server_of("[::1]:25")
    ((IPv4Network('10.1.0.0/16'), 993), (IPv6Network('::1/128'), 25))
    """
    network, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 1 << 16:
        raise ValueError(port)
    return ip_network(network.strip("[]")), int(port)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SettingsError((f"{path}: not there; examples/host has one, -C names another folder",)) from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError((f"{path}: {error}",)) from error


def _odd(found: HostSettings) -> list[str]:
    problems = []
    if found.database.url.startswith("sqlite"):
        problems.append("database.url: must be like postgresql+psycopg://user@host/name; hosts keep nothing in SQLite")
    elif not URL["form"].fullmatch(found.database.url):
        problems.append(f"database.url: {URL['else']}")
    if "options=" in found.database.url:
        problems.append("database.url: must have no options; they are the place for a tenant's role")
    if found.worker.tick > 30 or 60 % found.worker.tick:
        problems.append("worker.tick: must be 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 seconds")
    problems += [problem for grant in found.grants for problem in _odd_grants(grant)]
    if found.worker.listen and not _is_port(found.worker.listen.rpartition(":")[2]):
        problems.append(f"worker.listen: {_LISTEN}")
    return problems


def listening(host: HostSettings, listen: str) -> HostSettings:
    """Return the settings of a worker with ``--listen``; *listen* '' leaves the file's.

    `SettingsError` if that is no place to listen at.
    """
    if listen and not _is_port(listen.rpartition(":")[2]):
        raise SettingsError((f"--listen {listen}: {_LISTEN}",))
    return replace(host, worker=replace(host.worker, listen=listen or host.worker.listen))


def _is_port(text: str) -> bool:
    return text.isdecimal() and int(text) < 1 << 16
