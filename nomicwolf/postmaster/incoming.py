"""How mail comes to a contest's own domain: to which servers, under what TLS, and by what policy (MTA-STS)."""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.post.smtp_connection import cover_of
from nomicwolf.postmaster import mtasts
from nomicwolf.postmaster.asking import Dns
from nomicwolf.postmaster.examining import Examined
from nomicwolf.postmaster.leaving import owner_of
from nomicwolf.proofs.signing import zone_line


@dataclass(frozen=True, slots=True)
class Ports:
    """Where mail is brought, and policies are fetched."""

    smtp: int = 25
    https: int = 443


def incoming(domain: str, dns: Dns, ports: Ports = Ports(), timeout: float = 5) -> Examined:
    """Return what whoever writes to *domain* finds; each server may take *timeout* seconds for an answer.

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
                f"https://mta-sts.{domain}{mtasts.PAGE}, and then a new id= into the DNS:  mx: {host}")
        if not _covered(host, dns, found, ports, timeout, enforced=enforced):
            break
    return found


def _policy(
    domain: str, hosts: tuple[str, ...], dns: Dns, found: Examined, ports: Ports, timeout: float
) -> mtasts.Policy | None:
    """Return the policy that holds, None if there is none that can be read."""
    name = f"_mta-sts.{domain}"
    if not mtasts.announced(dns, domain):
        found.notes.append(
            f"MTA-STS: {domain} asks nobody to bring its mail by TLS alone, which is your choice. If it should: a page "
            f"https://mta-sts.{domain}{mtasts.PAGE} with the lines  version: STSv1,  mode: enforce,  "
            f"{',  '.join(f'mx: {host}' for host in hosts)},  max_age: 604800;  and in the DNS:  "
            f"{zone_line(name, 'v=STSv1; id=1')}")
        return None
    policy = mtasts.fetched(dns, domain, ports.https, timeout)
    if isinstance(policy, mtasts.Policy):
        return policy
    found.faults.append(f"MTA-STS: {name} says that there is a policy, and https://mta-sts.{domain}{mtasts.PAGE} "
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
