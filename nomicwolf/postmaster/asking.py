"""Questions to the DNS of which it matters whether there is nothing, or nobody answers."""

from __future__ import annotations

import time
from collections.abc import Sequence

import dns.exception
import dns.resolver
import dns.reversename

from nomicwolf.proofs.resolver import EACH, configured


class Unanswered(Exception):
    """Nobody has answered a question; the message says which one, and whom was asked."""


class Dns:
    """The DNS as *nameservers* (none: the machine's own) tell it, for *seconds* in all; an answer is asked for once."""

    def __init__(self, nameservers: Sequence[str] = (), seconds: float = 10) -> None:
        self._nameservers = nameservers
        self._until = time.monotonic() + seconds
        self._known: dict[tuple[str, str], tuple[str, ...]] = {}

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the TXT records of *name*, each as one text."""
        return self._ask(name, "TXT")

    def addresses(self, name: str) -> tuple[str, ...]:
        """Return the addresses of *name*, of both kinds."""
        return self._ask(name, "A") + self._ask(name, "AAAA")

    def exchangers(self, name: str) -> tuple[str, ...]:
        """Return the hosts that take mail for *name*, the first choice first; of a null MX (RFC 7505) an empty one."""
        return self._ask(name, "MX")

    def names(self, address: str) -> tuple[str, ...]:
        """Return the names that *address* has in reverse."""
        return self._ask(dns.reversename.from_address(address).to_text().rstrip("."), "PTR")

    def _ask(self, name: str, kind: str) -> tuple[str, ...]:
        """Return the records of a *kind*, empty if there are none; `Unanswered` if nobody says so."""
        key = name.lower().rstrip("."), kind
        if key not in self._known:
            self._known[key] = self._asked(*key)
        return self._known[key]

    def _asked(self, name: str, kind: str) -> tuple[str, ...]:
        left = self._until - time.monotonic()
        try:
            if left <= 0:
                raise Unanswered(f"the time for the DNS is up before {name} ({kind})")
            answer = configured(self._nameservers).resolve(name, kind, lifetime=min(EACH, left), search=False)
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.exception.SyntaxError, dns.exception.FormError):
            return ()
        except (dns.resolver.NoNameservers, dns.exception.Timeout, dns.resolver.NoResolverConfiguration) as error:
            raise Unanswered(f"no answer about {name} ({kind}) from {self._whom()}") from error
        except (dns.exception.DNSException, OSError, ValueError) as error:
            raise Unanswered(f"no answer about {name} ({kind}): {type(error).__name__}") from error
        return _told(answer, kind)

    def _whom(self) -> str:
        return ", ".join(self._nameservers) or "this machine's name server"


def _told(answer: dns.resolver.Answer, kind: str) -> tuple[str, ...]:
    if kind == "TXT":
        return tuple(b"".join(record.strings).decode("utf-8", "replace") for record in answer)
    if kind == "MX":
        return tuple(str(record.exchange).rstrip(".").lower() for record in sorted(answer, key=lambda r: r.preference))
    return tuple(str(record).rstrip(".").lower() for record in answer)
