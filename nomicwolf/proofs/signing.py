"""Signing and encryption of the contest's letters.

DKIM signatures are for servers that sign nothing (RFC 6376). A letter is encrypted to its reader as one OpenPGP message
(RFC 3156 4), by Sequoia.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

BITS = 2048
"""The length of a key that is made here; receivers take one of 1024 bits or more (RFC 8301)."""
LEAST = 1024
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
        import dkim

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
    if not isinstance(found, RSAPrivateKey) or found.key_size < LEAST:
        raise ValueError(f"holds no RSA key of at least {LEAST} bits, which is what every receiver knows")
    return found


def _pem(key: RSAPrivateKey) -> bytes:
    """Return *key* in the one form that dkimpy reads of every key."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


CONTENT = (b"content-type:", b"content-transfer-encoding:")


def encrypted(letter: bytes, certificates: Sequence[str]) -> bytes | None:
    """Return a composed *letter* whose text only holders of *certificates* (armored public keys) can read.

    Headers stay as they are but for those of the content. None if there is no key that can encrypt, or no Sequoia.
    """
    try:
        from pysequoia import Cert, encrypt
    except ImportError:
        return None
    head, _, body = letter.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    inner = [line for line in lines if line.lower().startswith(CONTENT)]
    outer = [line for line in lines if line not in inner]
    try:
        readers = [Cert.from_bytes(certificate.encode("ascii")) for certificate in certificates]
        coded = bytes(encrypt(b"\r\n".join([*inner, b"", body]), recipients=readers)) if readers else b""
    except (RuntimeError, ValueError, TypeError, OSError):
        return None
    if b"-----BEGIN PGP MESSAGE-----" not in coded:
        return None
    mark = b"pgp-" + sha256(coded).hexdigest()[:32].encode("ascii")
    parts = [
        b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n",
        b'Content-Type: application/octet-stream; name="encrypted.asc"\r\n\r\n'
        + b"\r\n".join(coded.splitlines()) + b"\r\n",
    ]
    kind = b'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted";\r\n boundary="' + mark + b'"'
    whole = b"".join(b"--" + mark + b"\r\n" + part for part in parts) + b"--" + mark + b"--\r\n"
    return b"\r\n".join([*outer, kind]) + b"\r\n\r\n" + whole
