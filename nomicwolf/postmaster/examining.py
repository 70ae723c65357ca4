"""Examination of a domain's DNS, and of its servers.

For the letters that a contest sends: where they leave from, what is wrong, what is open, and the lines to put into the
DNS. For mail to the domain: to which servers it goes, under what TLS, and by what policy (MTA-STS, RFC 8461).

The servers of an address are found by a page of its domain (Mozilla's autoconfig) or by the DNS (SRV, RFC 6186 and
8314). A page is proved by its certificate. The DNS isn't, so a person has to confirm a server that it names in another
domain (RFC 6186 6).
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

from dns.reversename import from_address
from selectolax.lexbor import LexborHTMLParser, LexborNode

from nomicwolf.post.refusals import Denied
from nomicwolf.post.routes import DIRECTLY, Route, asked
from nomicwolf.post.smtp import cover_of
from nomicwolf.postmaster import records
from nomicwolf.postmaster.records import parents
from nomicwolf.proofs.dkim import Dns, Unanswered, zone_line


@dataclass(frozen=True, slots=True)
class Provider:
    """A mail provider: it receives at hosts of *suffix*, and sends from wherever *spf* says.

    *domains* are its own: a user with an address there can set nothing in the DNS, and uses *servers* for mail in and
    out, each with its port if that isn't the usual one.
    """

    name: str
    suffix: str
    spf: str
    domains: tuple[str, ...] = ()
    servers: tuple[str, str] = ("", "")


PROVIDERS = (
    Provider("Google", "gmail.com", "_spf.google.com", ("gmail.com", "googlemail.com"),
             ("imap.gmail.com", "smtp.gmail.com")),
    Provider("Microsoft", "office365.com", "spf.protection.outlook.com"),
    Provider("Microsoft", "outlook.com", "spf.protection.outlook.com",
             ("outlook.com", "hotmail.com", "live.com", "msn.com"), ("outlook.office365.com", "smtp-mail.outlook.com")),
    Provider("Fastmail", "fastmail.com", "spf.messagingengine.com", ("fastmail.com", "fastmail.fm"),
             ("imap.fastmail.com", "smtp.fastmail.com")),
    Provider("Yahoo", "yahoo.com", "", ("yahoo.com", "ymail.com"), ("imap.mail.yahoo.com", "smtp.mail.yahoo.com")),
    Provider("AOL", "aol.com", "", ("aol.com",), ("imap.aol.com", "smtp.aol.com")),
    Provider("iCloud", "me.com", "icloud.com", ("icloud.com", "me.com", "mac.com"),
             ("imap.mail.me.com", "smtp.mail.me.com:587")),
    Provider("GMX", "gmx.net", "", ("gmx.net", "gmx.de"), ("imap.gmx.net", "mail.gmx.net")),
    Provider("GMX", "gmx.com", "", ("gmx.com",), ("imap.gmx.com", "mail.gmx.com")),
    Provider("mailbox.org", "mailbox.org", "mailbox.org", ("mailbox.org",), ("imap.mailbox.org", "smtp.mailbox.org")),
    Provider("Migadu", "migadu.com", "spf.migadu.com"),
    Provider("Zoho", "zoho.com", "zohomail.com", ("zohomail.com",), ("imap.zoho.com", "smtp.zoho.com")),
)
"""As these providers tell their customers to write it."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """The *addresses* that letters leave from, as far as that can be known, and *said*, how it is known.

    They are *ours* if whoever has the domain also runs the server; else *provider* is who does, if that is known.
    """

    addresses: tuple[str, ...]
    said: str
    ours: bool
    provider: Provider | None = None


def owner_of(domain: str) -> Provider | None:
    """Return the provider whose own *domain* is."""
    return next((p for p in PROVIDERS if domain.lower() in p.domains), None)


def provider_of(server: str) -> Provider | None:
    """Return the provider that a mail *server* belongs to."""
    return next((p for p in PROVIDERS if p.suffix in parents(server)), None)


def leaving(dns: Dns, domain: str, server: str, given: tuple[str, ...], *, here: bool) -> Leaving:
    """Return from where the letters of *domain* leave that a *server* is given.

    *given* addresses are taken as they are. A server on this machine (*here*) sends, as most do, from where the
    domain's mail is taken in.
    """
    if given:
        return Leaving(given, "as domain.leaves_from says", ours=True)
    if found := provider_of(server):
        return Leaving((), f"of {found.name}", ours=False, provider=found)
    hosts = [host for host in dns.exchangers(domain) if host] or [domain] if here else [server]
    seen = tuple(dict.fromkeys(address for host in hosts for address in dns.addresses(host)))
    ours = here or bool({domain, *parents(domain)} & set(parents(server)))
    return Leaving(seen, f"taken to be {' and '.join(hosts)}", ours=ours)


@dataclass(frozen=True, slots=True)
class Sending:
    """A contest's way of sending: From in *domain*, the return path in *back*, by *server*, *here* or there.

    *addresses* are those that letters leave from, if that is known. Letters are signed under *selector* ('': nobody
    knows), and *key* is the record of the key by which nomicwolf signs ('': it doesn't). *lists* is how many there are.
    """

    domain: str
    back: str
    server: str
    here: bool = False
    addresses: tuple[str, ...] = ()
    selector: str = ""
    key: str = ""
    lists: int = 1


@dataclass(slots=True)
class Examined:
    """The findings: *faults* keep letters from arriving, *notes* are open or could be better."""

    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def examine(sending: Sending, dns: Dns) -> Examined:
    """Return what receivers find of letters that are sent so; `Unanswered` if the DNS doesn't say."""
    found = Examined()
    if owner := owner_of(sending.domain):
        _elsewhere(sending, owner.name, found)
        return found
    source = leaving(dns, sending.domain, sending.server, sending.addresses, here=sending.here)
    by_spf = _spf(sending, source, dns, found)
    by_key = _dkim(sending, dns, found)
    if source.ours:
        for address in source.addresses:
            _reverse(address, sending, dns, found)
    _dmarc(sending, dns, found, by_spf=by_spf, by_key=by_key)
    return Examined(list(dict.fromkeys(found.faults)), list(dict.fromkeys(found.notes)))


def _elsewhere(sending: Sending, name: str, found: Examined) -> None:
    """Say of an address at a provider's own domain whether it is sent from there."""
    there = provider_of(sending.server)
    if there is not None and there.name == name:
        found.notes.append(f"{sending.domain} is {name}'s: its SPF, DKIM and DMARC are {name}'s care")
    else:
        found.faults.append(
            f"{sending.domain} is {name}'s, and {sending.server} isn't: receivers take letters from there for forged. "
            f"Set smtp.host to {name}'s server, or contest.address and smtp.from to an address in a domain of your own")


def _spf(sending: Sending, source: Leaving, dns: Dns, found: Examined) -> bool | None:
    """Return whether letters pass SPF; None if that is unknown."""
    back, texts = sending.back, records.spf_records(dns, sending.back)
    terms = _terms(source, sending, dns)
    if not texts:
        line = zone_line(back, " ".join(["v=spf1", *(terms or ["mx"]), "~all"]))
        found.faults.append(f"SPF: {back} doesn't say who may send for it. Put into the DNS:  {line}")
        return False
    if len(texts) > 1:
        found.faults.append(f"SPF: {back} has {len(texts)} records, and receivers then take none; make one of them:  "
                            + "  ".join(zone_line(back, text) for text in texts))
        return False
    if source.provider is not None:
        return _by_provider(source, dns, back, texts[0], found)
    if not source.addresses:
        found.notes.append(f"SPF: {sending.server} has no address in the DNS, so it isn't known from where letters "
                           "leave; set domain.leaves_from")
        return None
    if records.spf_result(dns, records.NOWHERE, back).result == "pass":
        found.faults.append(f"SPF: {back} lets the whole world send for it (+all); end its record with ~all")
    passed = [_from(address, source, dns, back, texts[0], found) for address in source.addresses]
    return False if False in passed else None if None in passed else True


def _from(address: str, source: Leaving, dns: Dns, back: str, record: str, found: Examined) -> bool | None:
    """Return whether letters pass that leave from *address*; None if they may leave from elsewhere."""
    outcome = records.spf_result(dns, address, back)
    if outcome.result == "pass":
        return True
    if outcome.result == "permerror":
        found.faults.append(f"SPF: the record of {back} is broken: {outcome.why}. Mend it:  {zone_line(back, record)}")
        return False
    if outcome.result == "unclear":
        found.notes.append(f"SPF: the record of {back} was not tried: {outcome.why}")
        return None
    line = zone_line(back, records.spf_with_term(record, _term(address)))
    (found.faults if source.ours else found.notes).append(
        f"SPF: {back} doesn't let letters leave from {address} ({outcome.result}; {source.said}). Put this in place of "
        f"its record, or set domain.leaves_from if they leave from elsewhere:  {line}")
    return False if source.ours else None


def _by_provider(source: Leaving, dns: Dns, back: str, record: str, found: Examined) -> bool | None:
    """Return whether a domain allows its provider to send."""
    assert source.provider is not None
    wanted = source.provider.spf
    if not wanted:
        return None
    if records.spf_includes(dns, back, wanted):
        return True
    line = zone_line(back, records.spf_with_term(record, f"include:{wanted}"))
    found.faults.append(f"SPF: {back} doesn't let {source.provider.name} send for it. Put this in place of its "
                        f"record:  {line}")
    return False


def _terms(source: Leaving, sending: Sending, dns: Dns) -> list[str]:
    """Return what a first record would have to say."""
    if source.provider is not None:
        return [f"include:{source.provider.spf}"] if source.provider.spf else []
    there = {address for host in dns.exchangers(sending.back) if host for address in dns.addresses(host)}
    return [*(["mx"] if there else []), *(_term(a) for a in source.addresses if a not in there)]


def _term(address: str) -> str:
    return f"ip{6 if ':' in address else 4}:{address}"


def _dkim(sending: Sending, dns: Dns, found: Examined) -> bool | None:
    """Return whether letters have a good signature of their domain; None if that is unknown."""
    if not sending.selector:
        found.notes.append(
            "DKIM: it isn't known whether the server signs. If a letter that arrived has a DKIM-Signature with "
            f"d={sending.domain}, set domain.dkim_selector to its s=; if it has none, let nomicwolf sign: "
            "nomicwolf dkim says how")
        return None
    name = records.key_name(sending.selector, sending.domain)
    if wrong := records.key_trouble(dns, sending.selector, sending.domain, sending.key):
        mend = (f"Put into the DNS:  {zone_line(name, sending.key)}" if sending.key
                else "Put there what your mail server gives, or set domain.dkim_selector to the one that it uses")
        found.faults.append(f"DKIM: {name} {wrong}. {mend}")
        return False
    if records.is_testing_key(dns, sending.selector, sending.domain):
        found.notes.append(f"DKIM: {name} says t=y, by which receivers may look away; take it out once all is well")
    return True


def _reverse(address: str, sending: Sending, dns: Dns, found: Examined) -> None:
    """Say what is wrong with the reverse name of an *address*, without one that leads back big receivers refuse."""
    names = dns.names(address)
    wanted = next((host for host in dns.exchangers(sending.domain) if host and address in dns.addresses(host)),
                  f"mail.{sending.domain}")
    if not names:
        found.faults.append(
            f"reverse DNS: {address} has no name, and many receivers refuse letters from there. Whoever lets you have "
            f"the machine can set it:  {from_address(address)} IN PTR {wanted}.")
    elif not records.confirmed_names(dns, address):
        kind = "AAAA" if ":" in address else "A"
        found.faults.append(
            f"reverse DNS: {address} is called {names[0]}, which doesn't lead back to it. Put into the DNS:  "
            f"{names[0]}. IN {kind} {address}  or have its name set to one of yours that does")


def _dmarc(sending: Sending, dns: Dns, found: Examined, *, by_spf: bool | None, by_key: bool | None) -> None:
    """Report DMARC's result, and what it does to letters."""
    record = records.dmarc_record(dns, sending.domain)
    if record is None or record.trouble:
        name = f"_dmarc.{record.name if record else sending.domain}"
        why = f"DMARC: {name}: {record.trouble}" if record else f"DMARC: {sending.domain} has no record"
        line = zone_line(name, f"v=DMARC1; p=none; rua=mailto:postmaster@{sending.domain}")
        found.faults.append(f"{why}. Put into the DNS:  {line}")
        record = records.Dmarc(sending.domain)
    speaks = records.aligned(dns, sending.back, sending.domain, strict=record.strict_spf)
    if by_spf and not speaks:
        found.notes.append(f"DMARC: letters are from {sending.domain} and come back to {sending.back}, so SPF proves "
                           "nothing of From; set smtp.from and contest.address to one domain")
    ways = {"SPF": by_spf if speaks else False, "DKIM": by_key}
    _verdict(ways, record.policy, found)
    if record.policy != "none" and sending.lists:
        found.notes.append(_LISTS.format(record.policy, sending.domain, f"_dmarc.{record.name}"))


_LISTS = ("lists: {1} says p={0}, and a list that adds a footer or a tag breaks the signature, so its readers' servers "
          "do that to our announcements. Ask whether the list rewrites From (Mailman: dmarc_moderation_action, or "
          "dmarc_mitigate_action = munge_from) or seals with ARC; else put p=none at {2}")


def _verdict(ways: dict[str, bool | None], policy: str, found: Examined) -> None:
    """Say what receivers do with letters that pass in these *ways*."""
    good = [name for name, passed in ways.items() if passed]
    unknown = [name for name, passed in ways.items() if passed is None]
    if len(good) == len(ways):
        found.notes.append("receivers see letters that are proven twice, by SPF and by DKIM; what goes to spam "
                           "nevertheless does so by what it says, or since the address is new to them")
    elif good:
        other = next(name for name in ways if name not in good)
        found.notes.append(
            f"receivers see letters that are proven by {good[0]}, and {'perhaps' if other in unknown else 'not'} by "
            f"{other}; " + ("what is forwarded then isn't proven, and big ones want both" if good == ["SPF"]
                            else "big ones want both"))
    elif not unknown:
        does = {"reject": "refuse them", "quarantine": "put them into spam"}.get(
            policy, "put many of them into spam, or refuse them")
        found.faults.append(f"receivers see letters that nothing proves, and {does}; mend SPF or DKIM first")
    else:
        found.notes.append(f"whether anything proves the letters to receivers depends on {' and '.join(unknown)}, "
                           "which can't be told from here")


LONGEST = 65_536
"""Bytes of a page that are read."""
PATIENCE = 5
"""Seconds for a page."""
PORTS = {"imap": (993, 143), "smtp": (465, 587)}
"""Where each kind is spoken with TLS from the first byte on, and after STARTTLS (RFC 8314); the first is the usual."""
_SERVICES = {"imap": ("_imaps", "_imap"), "smtp": ("_submissions", "_submission")}
_KINDS = ("ssl", "starttls")


@dataclass(frozen=True, slots=True)
class Servers:
    """The servers *imap* and *smtp* as ``host`` or ``host:port``, their *user*, and who *said* so.

    They are *sure* if nobody on the way can have named others.
    """

    imap: str
    smtp: str
    user: str
    said: str
    sure: bool = True


def servers_of(address: str, dns: Dns, route: Route = DIRECTLY) -> Servers | None:
    """Return the servers of an *address*, None if nobody tells them."""
    domain = address.rpartition("@")[2].lower()
    if owner := owner_of(domain):
        return Servers(*owner.servers, address, owner.name)
    return next((found for url in _pages(address, domain) if (found := _by_page(url, address, route))),
                None) or _by_dns(address, domain, dns)


def _pages(address: str, domain: str) -> Iterator[str]:
    yield f"https://autoconfig.{domain}/mail/config-v1.1.xml?emailaddress={quote(address)}"
    yield f"https://{domain}/.well-known/autoconfig/mail/config-v1.1.xml"


def _by_page(url: str, address: str, route: Route) -> Servers | None:
    try:
        status, page = asked("GET", url, PATIENCE, route=route, longest=LONGEST)
    except (Denied, OSError):
        return None
    return configured(page.decode("utf-8", "replace"), address, url.split("/")[2]) if status == 200 else None


def configured(page: str, address: str, said: str) -> Servers | None:
    """Return the servers that an autoconfig *page* has for an *address*, None if it has none that are encrypted."""
    tree = LexborHTMLParser(page)
    found = {kind: next(filter(None, (_server(kind, node, address) for node in tree.css(tag))), None)
             for kind, tag in (("imap", 'incomingserver[type="imap"]'), ("smtp", 'outgoingserver[type="smtp"]'))}
    coming, going = found["imap"], found["smtp"]
    return Servers(coming[0], going[0], coming[1], said) if coming and going else None


def _server(kind: str, node: LexborNode, address: str) -> tuple[str, str] | None:
    """Return a server and its user from its element; None if it isn't encrypted, or at no usual port."""
    host, port, security, user = (_text(node, tag) for tag in ("hostname", "port", "sockettype", "username"))
    place = next((each for each, how in zip(PORTS[kind], _KINDS, strict=True)
                  if (str(each), how) == (port, security.lower())), 0)
    if not place or not _is_host(host):
        return None
    local, _, domain = address.rpartition("@")
    for word, meant in (("%EMAILADDRESS%", address), ("%EMAILLOCALPART%", local), ("%EMAILDOMAIN%", domain)):
        host, user = host.replace(word, meant), user.replace(word, meant)
    return _place(kind, host.lower(), place), user if user.isprintable() and "%" not in user else address


def _text(node: LexborNode, tag: str) -> str:
    found = node.css_first(tag)
    return found.text().strip() if found is not None else ""


def _is_host(host: str) -> bool:
    return bool(host) and all(c.isalnum() or c in "-.%" for c in host) and host.isascii()


def _place(kind: str, host: str, port: int) -> str:
    return host if port == PORTS[kind][0] else f"{host}:{port}"


def _by_dns(address: str, domain: str, dns: Dns) -> Servers | None:
    found = {}
    try:
        for kind, names in _SERVICES.items():
            found[kind] = next((place for name, port in zip(names, PORTS[kind], strict=True)
                                for place in dns.services(f"{name}._tcp.{domain}") if place[1] == port), None)
    except Unanswered:
        return None
    coming, going = found["imap"], found["smtp"]
    if coming is None or going is None or not (_is_host(coming[0]) and _is_host(going[0])):
        return None
    sure = all(domain in parents(host) for host, _ in (coming, going))
    return Servers(_place("imap", *coming), _place("smtp", *going), address, f"the DNS of {domain}", sure)


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
