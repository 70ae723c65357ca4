"""ARC seals of lists that changed a letter.

They count on the word of sealers that the settings name (RFC 8617).
"""

from __future__ import annotations

from collections.abc import Sequence

import dkim
from authres import AuthenticationResultsHeader, AuthResError
from dkim.util import parse_tag_value

from nomicwolf.proofs.dkim import FAILURES, KEY_BITS, Lookup, asking, headers, tedious

MOST = 10
"""How many seals a chain may have to be looked at; RFC 8617 allows 50, and each may cost a question to the DNS."""


def signers(data: bytes, lookup: Lookup, sealers: Sequence[str]) -> tuple[str, ...]:
    """Return the domains whose DKIM signature one of *sealers* says it found good, along an unbroken chain.

    Only the topmost seals count, down to the first that is not of one of *sealers*: below it anyone may have written.
    """
    fields = headers(data)
    froms, seals = (sum(name == wanted for name, _ in fields) for wanted in (b"from", b"arc-seal"))
    if not sealers or tedious(data) or froms != 1 or not 0 < seals <= MOST:
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
