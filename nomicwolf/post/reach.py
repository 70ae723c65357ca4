"""How servers are reached, and which may be: on a host, its operator grants what isn't in everybody's reach anyway.

Without a host all may be reached, for then the settings are those of whoever runs the program.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from nomicwolf.post.errors import Denied
from nomicwolf.post.proxy import Proxy

Address: TypeAlias = IPv4Address | IPv6Address
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses whose last 32 bits are the IPv4 address that is reached by them (RFC 6052)."""


_UNICAST = IPv6Network("2000::/3")
"""All that is assigned of IPv6 for the public network (RFC 4291 2.4)."""
Found: TypeAlias = tuple[socket.AddressFamily, socket.SocketKind, int, str, tuple[Any, ...]]
"""What `socket.getaddrinfo` says of an address."""


PORTS = {"https": 443, "http": 80}
FIRST = 10.0
"""Seconds for each of a server's addresses but the last: one of a network that leads nowhere holds up no run."""


@dataclass(frozen=True, slots=True)
class Route:
    """How servers are reached: through a *proxy*, but for this machine and the *direct* hosts (in lower case)."""

    proxy: Proxy | None = field(default=None, repr=False)
    direct: frozenset[str] = frozenset()

    def through(self, host: str) -> Proxy | None:
        """Return the proxy through which *host* is reached, None if there is none between."""
        name = bare(host).lower().rstrip(".")
        return None if name in self.direct or _is_here(name) else self.proxy


DIRECTLY = Route()


class Grants(Protocol):
    """What was granted to a contest beyond the public network."""

    def server(self, address: Address, port: int) -> bool:
        """Return whether a server at an address that isn't public may be reached."""

    def mailbox(self, path: Path) -> Path | None:
        """Return the folder in whose depths a mailbox on this machine may lie, None if it may not be read."""


_GRANTS: ContextVar[Grants | None] = ContextVar("grants", default=None)


@contextmanager
def within(grants: Grants) -> Iterator[None]:
    """Let what is done here reach the public network, and what was granted, and nothing else."""
    token = _GRANTS.set(grants)
    try:
        yield
    finally:
        _GRANTS.reset(token)


def granted_folder(path: Path) -> Path | None:
    """Return the granted folder that a mailbox lies in, None where none needs to be granted; `Denied` for others."""
    grants = _GRANTS.get()
    if grants is None:
        return None
    folder = grants.mailbox(path)
    if folder is None:
        raise Denied(f"{path}: the host's operator has not granted this mailbox (grants.mailboxes in host.toml)")
    return folder


def connected(
    host: str, port: int, timeout: float, *, encrypted: bool, route: Route = DIRECTLY
) -> socket.socket:
    """Return a connection to the first address of *host* that answers, of those that `allowed` leaves.

    The name is looked up now, and only what was found is connected to. OSError if none answers. Through a proxy, that
    looks the name up.
    """
    if (proxy := proxied(host, route)) is not None:
        return proxy.connected(bare(host), port, timeout)
    last = OSError(f"{host}: has no address")
    found = socket.getaddrinfo(bare(host), port, type=socket.SOCK_STREAM)
    places = allowed(host, port, found, encrypted=encrypted)
    for number, (family, kind, protocol, _, place) in enumerate(places, 1):
        made = socket.socket(family, kind, protocol)
        try:
            made.settimeout(timeout if number == len(places) else min(timeout, FIRST))
            made.connect(place)
            made.settimeout(timeout)
        except OSError as error:
            made.close()
            last = error
        else:
            return made
    raise last


def proxied(host: str, route: Route) -> Proxy | None:
    """Return the proxy through which *host* is reached, if any; `Denied` where grants hold, which it would go round."""
    found = route.through(host)
    if found is not None and _GRANTS.get() is not None:
        raise Denied("network.proxy: a contest on a host reaches servers by the host's own network; leave it out")
    return found


def _is_here(name: str) -> bool:
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def bare(host: str) -> str:
    """Return a host as names are looked up: an IPv6 address without its brackets."""
    return host.strip("[]")


def allowed(host: str, port: int, found: Sequence[Found], *, encrypted: bool) -> list[Found]:
    """Return those of the addresses that were *found* for a host which may be reached; `Denied` if there is none.

    What isn't *encrypted* goes to loopback alone where grants hold.
    """
    grants = _GRANTS.get()
    if grants is None:
        return list(found)
    may = [one for one in found if _may(grants, meant(ip_address(str(one[4][0]))), port, encrypted=encrypted)]
    if not may:
        raise Denied(f"{host}:{port}: is on this machine or in a private network, and the host's operator has not "
                     "granted it (grants.servers in host.toml), or it is asked for without encryption")
    return may


def _may(grants: Grants, address: Address, port: int, *, encrypted: bool) -> bool:
    if is_public(address):
        return encrypted
    return grants.server(address, port) and (encrypted or address.is_loopback)


def is_public(address: Address) -> bool:
    """Return whether an address is one of the public network, and of one machine there."""
    return address.is_global and not address.is_multicast and (
        isinstance(address, IPv4Address) or address in _UNICAST)


def meant(address: Address) -> Address:
    """Return the address that is reached by one: IPv6 has ways to write, and to carry, one of IPv4.

    >>> meant(ip_address("::ffff:127.0.0.1")), meant(ip_address("64:ff9b::a00:1"))
    (IPv4Address('127.0.0.1'), IPv4Address('10.0.0.1'))
    """
    if isinstance(address, IPv4Address):
        return address
    if address in _TRANSLATED:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo or (address,))[-1]
