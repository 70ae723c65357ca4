"""DKIM: whether the public key that receivers find is one that they take, and the one that signs (RFC 6376 3.6.1)."""

from __future__ import annotations

import base64
import binascii

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_der_public_key

from nomicwolf.postmaster.asking import Dns
from nomicwolf.proofs.signing import LEAST


def name_of(selector: str, domain: str) -> str:
    """Return where the key of a *selector* is looked for."""
    return f"{selector}._domainkey.{domain}"


def trouble(dns: Dns, selector: str, domain: str, ours: str = "") -> str:
    """Return what is wrong with the record of a *selector*, '' if nothing is; *ours* is the record that it should be.

    It ends a sentence that begins with the record's name.
    """
    texts = dns.texts(name_of(selector, domain))
    if len(texts) != 1:
        return "has no key" if not texts else f"has {len(texts)} records, and receivers take any of them; keep one"
    tags = _tags(texts[0])
    key = tags.get("p")
    if tags.get("v", "DKIM1") != "DKIM1" or key is None:
        return "is no key: it has no p="
    if not key:
        return "has been revoked: its p= is empty"
    if ours and key != _tags(ours)["p"]:
        return "is another key than the one that signs"
    return _weakness(key) if tags.get("k", "rsa") == "rsa" else ""


def testing(dns: Dns, selector: str, domain: str) -> bool:
    """Return whether the record says that the domain only tries DKIM, so that receivers may look away."""
    return any("y" in _tags(text).get("t", "").split(":") for text in dns.texts(name_of(selector, domain)))


def _tags(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(";")]
    return {key.strip(): "".join(value.split()) for key, _, value in pairs if key.strip()}


def _weakness(key: str) -> str:
    try:
        found = load_der_public_key(base64.b64decode(key, validate=True))
    except (ValueError, binascii.Error, UnsupportedAlgorithm):
        return "holds no key that can be read; it may have been cut off when it was pasted"
    if not isinstance(found, RSAPublicKey) or found.key_size < LEAST:
        return f"holds no RSA key of at least {LEAST} bits, and receivers take no other"
    return ""
