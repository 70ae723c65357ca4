"""Grants to tenants, and limits of mail servers.

What a tenant may reach beyond the public network: mailboxes on the machine, and servers near it. And what one mail
server is asked to take over all workers: so many connections at once, so many letters a minute.

A connection's place is an advisory lock, which the database releases with the worker; letters are counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

import psycopg

from nomicwolf.host.settings import EVERYBODY, HostSettings, Server, server_of
from nomicwolf.post.refusals import Away
from nomicwolf.post.routes import Address, effective_address, is_public
from nomicwolf.settings.keys import Settings, SettingsError

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
        raise SettingsError(problems)


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
    """What one contest may ask of mail servers now: *server* is the one for letters out.

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
