"""Settings of a host (``host.toml``), grants and limits.

The file is in the folder that ``-C`` names.

Grants say what a tenant may reach beyond the public network: mailboxes on the machine, and servers near it. Limits say
what one mail server is asked to take over all workers: so many connections at once, so many letters a minute. A
connection's place is an advisory lock, which the database releases with the worker; letters are counted.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Any, TypeAlias

import psycopg

from nomicwolf.post.refusals import Away
from nomicwolf.post.routes import Address, effective_address, is_public
from nomicwolf.settings.keys import URL, Settings, SettingsError
from nomicwolf.settings.load import Source, fill_secrets
from nomicwolf.settings.shape import between, nearest, read_table

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
        raise SettingsError(*problems)
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
        raise SettingsError(f"{path}: not there; examples/host has one, -C names another folder") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from error


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
        raise SettingsError(f"--listen {listen}: {_LISTEN}")
    return replace(host, worker=replace(host.worker, listen=listen or host.worker.listen))


def _is_port(text: str) -> bool:
    return text.isdecimal() and int(text) < 1 << 16


_ASK = "grants in host.toml"


@dataclass(frozen=True, slots=True)
class Granted:
    """One tenant's grants: *folders* in which mailboxes may lie, and *servers*, networks with a port each."""

    folders: tuple[Path, ...]
    servers: tuple[Server, ...]

    def server(self, address: Address, port: int) -> bool:
        """Return whether a server at an address that isn't public may be reached."""
        return any(port == granted and address in network for network, granted in self.servers)

    def mailbox(self, path: Path) -> Path | None:
        """Return the granted folder that a mailbox lies in, None if it may not be read."""
        if ".." in path.parts:
            return None
        return next((folder for folder in self.folders if path.is_relative_to(folder)), None)


def granted(host: HostSettings, tenant: str) -> Granted:
    """Return the grants of *tenant*, by name without the role's prefix, and those of everybody."""
    found = [grant for grant in host.grants if grant.tenant in (tenant, EVERYBODY)]
    return Granted(
        tuple(Path(folder.replace("{tenant}", tenant)) for grant in found for folder in grant.mailboxes),
        tuple(server_of(server) for grant in found for server in grant.servers))


def demand_granted(host: HostSettings, tenant: str, settings: Settings) -> None:
    """Raise `SettingsError` if a contest's settings ask for what its *tenant* doesn't have.

    Of servers that are named, only the lookup at each connection can tell.
    """
    problems = tuple(_problems(granted(host, tenant), settings))
    if problems:
        raise SettingsError(*problems)


def _problems(has: Granted, settings: Settings) -> Iterator[str]:
    for kind, box in (("maildir", settings.maildir), ("mbox", settings.mbox)):
        if box is not None and has.mailbox(box.path) is None:
            yield f"{kind}.path: {box.path}: mailboxes on the host's machines are for its operator to grant ({_ASK})"
    for name, wire in (("imap", settings.imap), ("smtp", settings.smtp)):
        if wire is not None and wire.security == "none" and not has.servers:
            yield f"{name}.security: none is for the host's operator to grant, with the server ({_ASK}); use tls"
    for server in settings.identity.nameservers:
        if not _answers(has, server):
            yield (f"identity.nameservers: {server}: is no address of the public network, and the host's operator has "
                   f"not granted it ({_ASK})")


def _answers(has: Granted, nameserver: str) -> bool:
    """Return whether a nameserver may be asked, which is an address, with a port if not the usual one."""
    address, _, port = nameserver.rpartition(":") if nameserver.count(":") == 1 else (nameserver, "", "53")
    try:
        found = effective_address(ip_address(address))
        return is_public(found) or has.server(found, int(port))
    except ValueError:
        return False


_PLACES = "SELECT place FROM unnest(%s::int[]) place WHERE pg_try_advisory_lock(hashtext(%s), place) LIMIT %s"
_COUNT = """INSERT INTO host.sends AS s VALUES (%s, %s, %s)
            ON CONFLICT (server, minute) DO UPDATE SET count = s.count + excluded.count RETURNING count"""
_FORGET = "DELETE FROM host.sends WHERE minute < %s"


class ServerAllowance:
    """One contest's allowance at mail servers; *server* is the one for letters out.

    *connection* is a session each of whose statements is by itself; it holds the places until `let_go`. Where a server
    takes no more, *room_at* tells when it will: the beginning of a minute (UTC seconds) for letters, 0, which is soon,
    for a place.
    """

    room_at: int | None = None

    def __init__(self, host: HostSettings, connection: psycopg.Connection, server: str, minute: int) -> None:
        self._host = host
        self._connection = connection
        self._server = server.lower()
        self._minute = minute
        self._reads = ""
        self._held: list[int] = []

    def connections(self, wanted: int) -> int:
        """Return how many of the wanted connections may be made now.

        The one to the mailbox has been closed: its place is one of them, or is let go of if it was another server's.
        """
        if self._reads != self._server:
            self.let_go()
        self._take(self._server, wanted)
        if not self._held:
            self.room_at = 0
        return min(wanted, len(self._held))

    def letters(self, wanted: int) -> int:
        """Return how many of the wanted letters may be sent in this minute, and count them.

        That is a quarter of a minute's at once; who wants more comes again soon, behind those who came meanwhile. All
        that are asked for are counted, and so tell in which minute to come for what was not granted: whoever is turned
        away later comes later, and no minute is asked for more than its letters.
        """
        most = self._host.limits.sends
        asked = min(wanted, -(-most // 4))
        row = self._connection.execute(_COUNT, (self._server, self._minute, asked)).fetchone()
        before = row[0] - asked if row else 0
        granted = max(0, min(asked, most - before))
        if granted < asked:
            self.room_at = 60 * (self._minute + max(before, most) // most)
        elif asked < wanted:
            self.room_at = 0
        return granted

    def demand_place(self, server: str) -> None:
        """Take a place at the server that letters come from; `Away` if all are taken."""
        self._reads = server.lower()
        self._take(self._reads, 1)
        if not self._held:
            most, self.room_at = self._host.limits.connections, 0
            raise Away(f"{server}: {most} connections are open already; this contest's turn comes later")

    def _take(self, server: str, wanted: int) -> None:
        """Hold the wanted places at a server, or as many as are free; a session keeps what it holds."""
        others = [place for place in range(1, self._host.limits.connections + 1) if place not in self._held]
        rows = self._connection.execute(_PLACES, (others, server, max(0, wanted - len(self._held))))
        self._held += [place for (place,) in rows]

    def let_go(self) -> None:
        """Release all places."""
        if self._held:
            self._held.clear()
            self._connection.execute("SELECT pg_advisory_unlock_all()")


def forget(connection: psycopg.Connection, minute: int) -> None:
    """Forget what was counted before *minute*."""
    connection.execute(_FORGET, (minute,))
