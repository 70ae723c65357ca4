"""MTA-STS: what a domain asks of servers that bring it mail, and whether its own servers keep to that (RFC 8461)."""

from __future__ import annotations

import ssl
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse

from nomicwolf.post.refusals import Denied
from nomicwolf.post.routes import connected
from nomicwolf.postmaster.asking import Dns

LONGEST = 65_536
"""Bytes of a policy that are read."""
PAGE = "/.well-known/mta-sts.txt"


@dataclass(frozen=True, slots=True)
class Policy:
    """A policy's *mode* (enforce, testing or none) and the patterns of the hosts that mail may be brought to."""

    mode: str
    hosts: tuple[str, ...]

    def allows(self, host: str) -> bool:
        """Return whether mail may be brought to *host*; ``*.`` is for one label (RFC 8461 4.1).

        >>> Policy("enforce", ("*.example.org",)).allows("mail.example.org")
        True
        """
        return host in self.hosts or f"*.{host.partition('.')[2]}" in self.hosts


def announced(dns: Dns, domain: str) -> bool:
    """Return whether the DNS says that *domain* has a policy."""
    texts = [text for text in dns.texts(f"_mta-sts.{domain}") if text.replace(" ", "").startswith("v=STSv1;")]
    return len(texts) == 1


def fetched(dns: Dns, domain: str, port: int = 443, timeout: float = 5) -> Policy | str:
    """Return the policy of *domain*, or what is wrong with its page."""
    host = f"mta-sts.{domain}"
    addresses = dns.addresses(host)
    if not addresses:
        return f"{host} has no address"
    try:
        text = _page(host, addresses[0], port, timeout)
    except ssl.SSLError as error:
        return f"its certificate isn't one of {host} that browsers take ({error.reason or type(error).__name__})"
    except (Denied, OSError, HTTPException, ValueError) as error:
        return str(error) or type(error).__name__
    return _policy(text)


def _page(host: str, address: str, port: int, timeout: float) -> str:
    with (closing(connected(address, port, timeout, encrypted=True)) as plain,
          closing(ssl.create_default_context().wrap_socket(plain, server_hostname=host)) as line):
        line.sendall(f"GET {PAGE} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode("ascii"))
        answer = HTTPResponse(line)
        answer.begin()
        if answer.status != 200:
            raise ValueError(f"it answers {answer.status}, and a policy is taken from where it is asked for alone")
        return answer.read(LONGEST).decode("utf-8", "replace")


def _policy(text: str) -> Policy | str:
    pairs = [(key.strip(), value.strip().lower()) for key, _, value in (line.partition(":") for line in
                                                                       text.splitlines())]
    tags = dict(pairs)
    hosts = tuple(value for key, value in pairs if key == "mx")
    if tags.get("version") != "stsv1" or tags.get("mode") not in {"enforce", "testing", "none"}:
        return "it has no version: STSv1 and mode: enforce, testing or none"
    if not tags.get("max_age", "").isdecimal() or (not hosts and tags["mode"] != "none"):
        return "it needs max_age: 604800 and a line mx: HOST for each server"
    return Policy(tags["mode"], hosts)
