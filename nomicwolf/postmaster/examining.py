"""Receivers' checks of a contest's letters.

From where they leave, what is wrong, what is open, and the lines to put into the DNS.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dns.reversename import from_address

from nomicwolf.postmaster import records
from nomicwolf.postmaster.records import Dns, parents
from nomicwolf.proofs.signing import zone_line


@dataclass(frozen=True, slots=True)
class Provider:
    """Someone who takes letters in at hosts of *suffix*, and sends them on from wherever *spf* says.

    *domains* are eir own: whoever has an address there can set nothing in the DNS, and has eir mail at *servers*, in
    and out, each with its port if that isn't the usual one.
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
        found.notes.append(f"whether anything proves the letters to receivers hangs on {' and '.join(unknown)}, which "
                           "can't be told from here")
