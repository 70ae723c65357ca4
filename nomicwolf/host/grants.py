"""What the operator grants a tenant beyond the public network: mailboxes on the machine, and servers near it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from nomicwolf.host.settings import EVERYBODY, HostSettings, Server, server_of
from nomicwolf.post.routes import Address, is_public, meant
from nomicwolf.settings.keys import Settings, SettingsError

_ASK = "grants in host.toml"


@dataclass(frozen=True, slots=True)
class Granted:
    """What one tenant has: *folders* in which mailboxes may lie, and *servers*, networks with a port each."""

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
    """Return what *tenant* has, by eir name without the role's prefix: what e was granted, and what everybody was."""
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
        found = meant(ip_address(address))
        return is_public(found) or has.server(found, int(port))
    except ValueError:
        return False
