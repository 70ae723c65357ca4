"""Domain keys from the DNS, with timeouts.

Each question and each whole run has a limit, so that no poll hangs on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import dns.exception
import dns.resolver
from dns.rdatatype import TXT

EACH = 3.0
"""The most seconds that one question may take."""


class Resolver:
    """A `Lookup` of TXT records; every answer is kept for the run, and once its time is up there are no more."""

    def __init__(
        self, nameservers: Sequence[str] = (), seconds: float = 10, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Ask *nameservers* (``192.0.2.1``, ``127.0.0.1:5353``; none: the machine's own), for *seconds* in all."""
        self._left = seconds
        self._clock = clock
        self._known: dict[str, bytes | None] = {}
        self._nameservers = nameservers

    def __call__(self, name: str) -> bytes | None:
        """Return the TXT record of *name* as one text, None if there is none or time is up."""
        if name not in self._known:
            began = self._clock()
            self._known[name] = self._asked(name) if self._left > 0 else None
            self._left -= self._clock() - began
        return self._known[name]

    def _asked(self, name: str) -> bytes | None:
        try:
            answer = configured(self._nameservers).resolve(name, TXT, lifetime=min(EACH, self._left), search=False)
        except (dns.exception.DNSException, OSError, ValueError):
            return None
        return b"".join(next(iter(answer)).strings)


def configured(nameservers: Sequence[str] = ()) -> dns.resolver.Resolver:
    """Return what asks *nameservers* (``192.0.2.1``, ``127.0.0.1:5353``), or without any the machine's own."""
    if not nameservers:
        return dns.resolver.Resolver()
    found = dns.resolver.Resolver(configure=False)
    ports = {(at[0] if server.count(":") == 1 else server): (int(at[2]) if server.count(":") == 1 else 53)
             for server in nameservers for at in [server.rpartition(":")]}
    found.nameservers = list(ports)
    found.nameserver_ports = ports
    return found
