"""DKIM signatures and ARC seals, checked and made.

The terms are stricter than dkimpy's own (RFC 6376, 8301, 8463). What dkimpy would accept and we don't: a signature over
the beginning of a body (``l=``), one that has expired (``x=``) or comes from the future, RSA with SHA-1, a From field
that isn't signed, and more than one From. ARC seals of lists that changed a letter count by the word of sealers that
the settings name (RFC 8617). Each question to the DNS and each whole run has a limit, so that no poll depends on it.

Letters are signed here for mail servers that sign nothing.
"""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import dkim
import dns.exception
import dns.resolver
import dns.reversename
from authres import AuthenticationResultsHeader, AuthResError
from dkim.util import InvalidTagValueList, parse_tag_value

from nomicwolf.letters.identity import is_domain

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

EACH = 3.0
"""The most seconds that one question may take."""


class Unanswered(Exception):
    """Nobody has answered a question; the message says which one, and whom was asked."""


class Dns:
    """The DNS; each question is asked once, and once the time is up there are no more."""

    def __init__(
        self, nameservers: Sequence[str] = (), seconds: float = 10, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Ask *nameservers* (``192.0.2.1``, ``127.0.0.1:5353``; none: the machine's own), for *seconds* in all."""
        self._nameservers, self._left, self._clock = nameservers, seconds, clock
        self._known: dict[tuple[str, str], tuple[str, ...] | Unanswered] = {}

    def key(self, name: str) -> bytes | None:
        """Return the TXT record of *name*, None if there is none or nobody answers in time: a `Lookup`."""
        try:
            return next((text.encode() for text in self.texts(name)), None)
        except Unanswered:
            return None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the TXT records of *name*, each as one text."""
        return self._ask(name, "TXT")

    def addresses(self, name: str) -> tuple[str, ...]:
        """Return the addresses of *name*, of both kinds."""
        return self._ask(name, "A") + self._ask(name, "AAAA")

    def exchangers(self, name: str) -> tuple[str, ...]:
        """Return the hosts that take mail for *name*, the first choice first; of a null MX (RFC 7505) an empty one."""
        return self._ask(name, "MX")

    def services(self, name: str) -> tuple[tuple[str, int], ...]:
        """Return the hosts and ports of a service, the first choice first; none if it isn't offered (RFC 2782)."""
        told = [record.split() for record in self._ask(name, "SRV")]
        places = sorted((int(one[0]), -int(one[1]), one[3], int(one[2])) for one in told if len(one) == 4)
        return tuple((host, port) for _, _, host, port in places)

    def names(self, address: str) -> tuple[str, ...]:
        """Return the names that *address* has in reverse."""
        return self._ask(dns.reversename.from_address(address).to_text().rstrip("."), "PTR")

    def _ask(self, name: str, kind: str) -> tuple[str, ...]:
        """Return the records of a *kind*, empty if there are none; `Unanswered` if nobody says so."""
        key = name.lower().rstrip("."), kind
        if key not in self._known:
            began = self._clock()
            try:
                self._known[key] = self._asked(*key)
            except Unanswered as error:
                self._known[key] = error
            self._left -= self._clock() - began
        if isinstance(known := self._known[key], Unanswered):
            raise known
        return known

    def _asked(self, name: str, kind: str) -> tuple[str, ...]:
        try:
            if self._left <= 0:
                raise Unanswered(f"the time for the DNS is up before {name} ({kind})")
            answer = configured(self._nameservers).resolve(name, kind, lifetime=min(EACH, self._left), search=False)
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


Lookup: TypeAlias = Callable[[str], bytes | None]
"""A name to its TXT record, None if there is none or nobody answers in time."""

MOST, LONGEST_FIELD, LONGEST_RUN = 5, 8000, 500
"""How many signatures of a letter are looked at; how long a field may be, and a run of blanks in one, in bytes."""
AHEAD = 3600
"""Seconds by which a signer's clock may be ahead of ours."""
ALGORITHMS = (b"rsa-sha256", b"ed25519-sha256")
KEY_BITS = 1024
"""The shortest RSA key that proves something (RFC 8301)."""
FAILURES = (dkim.DKIMException, InvalidTagValueList, binascii.Error, ValueError, KeyError, IndexError, AssertionError)
"""What dkimpy raises for signatures that are no good, or no signatures."""


def dkim_signers(data: bytes, lookup: Lookup, now: int) -> tuple[str, ...]:
    """Return the domains (lower case) whose signature over the letter *data* is good at *now* (UTC seconds)."""
    fields = headers(data)
    if tedious(data) or sum(name == b"from" for name, _ in fields) != 1:
        return ()
    found: list[str] = []
    signatures = [value for name, value in fields if name == b"dkim-signature"]
    for place, value in enumerate(signatures[:MOST]):
        domain = _terms(value, now)
        if domain and domain not in found and _good(data, place, lookup):
            found.append(domain)
    return tuple(found)


def asking(lookup: Lookup) -> Callable[..., bytes | None]:
    """Return *lookup* as dkimpy asks for keys; what has a line of its own in it is no name."""

    def ask(name: bytes | str, timeout: int = 5) -> bytes | None:
        text = name.decode("ascii", "replace") if isinstance(name, bytes) else name
        return lookup(text.rstrip(".")) if is_domain(text.rstrip(".").lower().replace("_", "")) else None

    return ask


def headers(data: bytes) -> list[tuple[bytes, bytes]]:
    """Return the header fields of *data* as (name in lower case, raw value)."""
    try:
        fields, _ = dkim.rfc822_parse(data)
    except FAILURES:
        return []
    return [(name.lower().strip(), value) for name, value in fields]


def tedious(data: bytes) -> bool:
    """Return whether *data* has runs of white space, or fields so long, that patterns over them take for ever."""
    blank = data.replace(b"\t", b" ")
    if b" " * LONGEST_RUN in blank:
        return True
    wanted = (b"dkim-signature", b"arc-seal", b"arc-message-signature", b"arc-authentication-results")
    return any(len(value) > LONGEST_FIELD or b"\r\n \r\n" in value.replace(b"\t", b" ")
               for name, value in headers(data) if name in wanted)


def _terms(value: bytes, now: int) -> str:
    """Return the domain that signs by our terms, '' if the signature isn't to be looked at."""
    try:
        tags: Mapping[bytes, bytes] = parse_tag_value(value)
    except FAILURES:
        return ""
    signed = [part.strip().lower() for part in tags.get(b"h", b"").split(b":")]
    domain = tags.get(b"d", b"").decode("ascii", "replace").strip().lower()
    until, made = _number(tags.get(b"x"), now + 1), _number(tags.get(b"t"), 0)
    if b"l" in tags or tags.get(b"a", b"").strip() not in ALGORITHMS or b"from" not in signed:
        return ""
    return domain if until > now and made <= now + AHEAD and is_domain(domain) and "." in domain else ""


def _number(text: bytes | None, default: int) -> int:
    """Return a tag's number, *default* if it has none; one that is no number makes the signature expired."""
    if text is None:
        return default
    digits = text.strip()
    return int(digits) if digits.isdigit() and len(digits) < 13 else -1 if default > 0 else 10**15


def _good(data: bytes, place: int, lookup: Lookup) -> bool:
    try:
        return bool(dkim.DKIM(data, minkey=KEY_BITS).verify(idx=place, dnsfunc=asking(lookup)))
    except FAILURES:
        return False


_MOST_SEALS = 10
"""How many seals a chain may have to be looked at; RFC 8617 allows 50, and each may cost a question to the DNS."""


def arc_signers(data: bytes, lookup: Lookup, sealers: Sequence[str]) -> tuple[str, ...]:
    """Return the domains whose DKIM signature one of *sealers* says it found good, along an unbroken chain.

    Only the topmost seals count, down to the first that is not of one of *sealers*: below it anyone may have written.
    """
    fields = headers(data)
    froms, seals = (sum(name == wanted for name, _ in fields) for wanted in (b"from", b"arc-seal"))
    if not sealers or tedious(data) or froms != 1 or not 0 < seals <= _MOST_SEALS:
        return ()
    try:
        verdict, results, _ = dkim.ARC(data, minkey=KEY_BITS).verify(dnsfunc=asking(lookup))
    except FAILURES:
        return ()
    if verdict != dkim.CV_Pass:
        return ()
    wanted, found = {name.lower() for name in sealers}, []
    for seal in sorted(results, key=lambda each: -int(each["instance"])):
        if not {_text(seal["as-domain"]), _text(seal["ams-domain"])} <= wanted:
            break
        found += _passed(seal["aar-value"])
    return tuple(dict.fromkeys(found)) if _whole(fields) else ()


def _whole(fields: Sequence[tuple[bytes, bytes]]) -> bool:
    """Return whether every ARC-Message-Signature covers From and the whole body."""
    signed = [_tags(value) for name, value in fields if name == b"arc-message-signature"]
    return all("l" not in tags and "from" in [part.strip().lower() for part in tags.get("h", "").split(":")]
               for tags in signed)


def _text(domain: bytes) -> str:
    return domain.decode("ascii", "replace").strip().lower()


def _tags(value: bytes) -> dict[str, str]:
    try:
        return {key.decode("ascii", "replace"): text.decode("ascii", "replace")
                for key, text in parse_tag_value(value).items()}
    except FAILURES:
        return {}


def _passed(value: bytes) -> list[str]:
    """Return the domains of the good DKIM signatures in one ARC-Authentication-Results field."""
    text = " ".join(value.decode("utf-8", "replace").partition(";")[2].split())
    if text.count("(") > 20 or len(text) > 4000:
        return []
    try:
        results = AuthenticationResultsHeader.parse(f"Authentication-Results: {text}").results
    except AuthResError:
        return []
    found = []
    for each in results:
        said = {str(p.name).lower(): str(p.value or "").lower() for p in each.properties}
        if str(each.method).lower() == "dkim" and str(each.result).lower() == "pass":
            found.append(said.get("d") or said.get("i", "").rpartition("@")[2])
    return [domain for domain in found if domain]


BITS = 2048
"""The length of a key that is made here; receivers take one of 1024 bits or more (RFC 8301)."""
SIGNED = (
    b"from", b"to", b"subject", b"date", b"message-id", b"reply-to", b"in-reply-to", b"references", b"auto-submitted",
    b"mime-version", b"content-type", b"content-transfer-encoding",
)
"""What a signature covers; From is covered once more, so that nobody adds a second one."""
TEXT = 255
"""Bytes that one text of a TXT record holds; a longer record is several (RFC 1035 3.3.14)."""


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs letters for *domain* by the key whose public half is at *selector*; *pem* is the private half."""

    domain: str
    selector: str
    pem: bytes = field(repr=False)

    def sign(self, letter: bytes) -> bytes:
        """Return *letter* (with CRLF) below its signature."""
        head, _, _ = letter.partition(b"\r\n\r\n")
        there = {line.partition(b":")[0].lower() for line in head.split(b"\r\n")}
        signature = dkim.sign(
            letter, self.selector.encode("ascii"), self.domain.encode("ascii"), self.pem,
            canonicalize=(b"relaxed", b"relaxed"), include_headers=[b"from", *(n for n in SIGNED if n in there)])
        return bytes(signature) + letter


def new_key() -> bytes:
    """Return a new private key as PEM."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    return _pem(rsa.generate_private_key(public_exponent=65537, key_size=BITS))


def usable(pem: bytes) -> bytes:
    """Return the RSA key in *pem*, of whatever form, as it is signed by; ValueError says what is wrong with it."""
    return _pem(_private(pem))


def record_of(pem: bytes) -> str:
    """Return the TXT record for the public half of the private key in *pem*; ValueError if it has none."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = _private(pem).public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"v=DKIM1; k=rsa; p={base64.b64encode(public).decode('ascii')}"


def zone_line(name: str, text: str) -> str:
    """Return the line of a zone's file that puts *text* at *name*.

    >>> zone_line("_dmarc.example.org", "v=DMARC1; p=none")
    '_dmarc.example.org. IN TXT "v=DMARC1; p=none"'
    """
    texts = [text[at:at + TEXT] for at in range(0, len(text), TEXT)]
    return f"{name}. IN TXT " + " ".join(f'"{part}"' for part in texts)


def _private(pem: bytes) -> RSAPrivateKey:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        found = load_pem_private_key(pem, None)
    except (ValueError, TypeError) as error:
        raise ValueError("holds no private key in PEM without a password") from error
    if not isinstance(found, RSAPrivateKey) or found.key_size < KEY_BITS:
        raise ValueError(f"holds no RSA key of at least {KEY_BITS} bits, which is what every receiver knows")
    return found


def _pem(key: RSAPrivateKey) -> bytes:
    """Return *key* in the one form that dkimpy reads of every key."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
