"""Incoming mail of a contest's own domain.

To which servers it goes, under what TLS, and by what policy (MTA-STS, RFC 8461).
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass

from nomicwolf.post.refusals import Denied
from nomicwolf.post.smtp import cover_of
from nomicwolf.post.web import asked
from nomicwolf.postmaster.examining import Examined, owner_of
from nomicwolf.postmaster.records import Dns
from nomicwolf.proofs.signing import zone_line

LONGEST = 65_536
"""Bytes of a policy that are read."""
HTTPS = 443
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


@dataclass(frozen=True, slots=True)
class Ports:
    """The ports for mail and for policies."""

    smtp: int = 25
    https: int = HTTPS


def announces_policy(dns: Dns, domain: str) -> bool:
    """Return whether the DNS says that *domain* has a policy."""
    texts = [text for text in dns.texts(f"_mta-sts.{domain}") if text.replace(" ", "").startswith("v=STSv1;")]
    return len(texts) == 1


def fetched_policy(dns: Dns, domain: str, port: int = HTTPS, timeout: float = 5) -> Policy | str:
    """Return the policy of *domain*, or what is wrong with its page."""
    host = f"mta-sts.{domain}"
    addresses = dns.addresses(host)
    if not addresses:
        return f"{host} has no address"
    place = host if port == HTTPS else f"{host}:{port}"
    try:
        status, page = asked("GET", f"https://{place}{PAGE}", timeout, address=addresses[0], longest=LONGEST)
    except Denied as error:
        return str(error)
    except OSError as error:
        if isinstance(error.__cause__, ssl.SSLError):
            why = error.__cause__.reason or type(error.__cause__).__name__
            return f"its certificate isn't one of {host} that browsers take ({why})"
        return str(error)
    if status != 200:
        return f"it answers {status}, and a policy is taken from where it is asked for alone"
    return _parsed_policy(page.decode("utf-8", "replace"))


def _parsed_policy(text: str) -> Policy | str:
    pairs = [(key.strip(), value.strip().lower()) for key, _, value in (line.partition(":") for line in
                                                                       text.splitlines())]
    tags = dict(pairs)
    hosts = tuple(value for key, value in pairs if key == "mx")
    if tags.get("version") != "stsv1" or tags.get("mode") not in {"enforce", "testing", "none"}:
        return "it has no version: STSv1 and mode: enforce, testing or none"
    if not tags.get("max_age", "").isdecimal() or (not hosts and tags["mode"] != "none"):
        return "it needs max_age: 604800 and a line mx: HOST for each server"
    return Policy(tags["mode"], hosts)


def incoming(domain: str, dns: Dns, ports: Ports = Ports(), timeout: float = 5) -> Examined:
    """Return what senders to *domain* find; each server may take *timeout* seconds for an answer.

    A provider's own domain is its care.
    """
    found = Examined()
    if owner_of(domain):
        return found
    hosts = dns.exchangers(domain)
    if not any(hosts):
        if hosts or not dns.addresses(domain):
            found.faults.append(f"MX: nobody can write to {domain}, for no server takes its mail. Put into the DNS:  "
                                f"{domain}. IN MX 10 mail.{domain}.  with your server's name in place of mail.{domain}")
        return found
    policy = _policy(domain, hosts, dns, found, ports, timeout)
    enforced = policy is not None and policy.mode == "enforce"
    for host in hosts:
        if policy is not None and not policy.allows(host):
            (found.faults if enforced else found.notes).append(
                f"MTA-STS: the policy of {domain} doesn't name {host}, so mail is not brought there. Write into "
                f"https://mta-sts.{domain}{PAGE}, and then a new id= into the DNS:  mx: {host}")
        if not _covered(host, dns, found, ports, timeout, enforced=enforced):
            break
    return found


def _policy(
    domain: str, hosts: tuple[str, ...], dns: Dns, found: Examined, ports: Ports, timeout: float
) -> Policy | None:
    """Return the policy that holds, None if there is none that can be read."""
    name = f"_mta-sts.{domain}"
    if not announces_policy(dns, domain):
        found.notes.append(
            f"MTA-STS: {domain} asks nobody to bring its mail by TLS alone, which is your choice. If it should: a page "
            f"https://mta-sts.{domain}{PAGE} with the lines  version: STSv1,  mode: enforce,  "
            f"{',  '.join(f'mx: {host}' for host in hosts)},  max_age: 604800;  and in the DNS:  "
            f"{zone_line(name, 'v=STSv1; id=1')}")
        return None
    policy = fetched_policy(dns, domain, ports.https, timeout)
    if isinstance(policy, Policy):
        return policy
    found.faults.append(f"MTA-STS: {name} says that there is a policy, and https://mta-sts.{domain}{PAGE} "
                        f"can't be used: {policy}. Mend the page, or take the record out")
    return None


def _covered(host: str, dns: Dns, found: Examined, ports: Ports, timeout: float, *, enforced: bool) -> bool:
    """Say what TLS *host* offers, and return whether other servers can be tried from here."""
    addresses = dns.addresses(host)
    if not addresses:
        found.faults.append(f"MX: {host} takes the domain's mail and has no address. Put into the DNS:  {host}. IN A "
                            "and its address")
        return True
    cover = cover_of(host, addresses[0], ports.smtp, timeout)
    worse = found.faults if enforced else found.notes
    if cover == "away":
        found.notes.append(f"TLS: {host} ({addresses[0]}) was not tried, for it can't be reached at port {ports.smtp} "
                           "from here; many lines have that port closed")
    elif cover == "none":
        worse.append(f"TLS: {host} offers no STARTTLS, so mail comes to it in the clear. Give it a certificate "
                     "(Postfix: smtpd_tls_chain_files)")
    elif cover == "certificate":
        worse.append(f"TLS: {host} has a certificate that isn't of that name, has expired, or is its own; get one for "
                     f"{host} (Let's Encrypt gives them)")
    return cover != "away"
