"""Keys of domains and of players for tests, and letters that are signed by them."""

from __future__ import annotations

import base64
from functools import cache

import dkim
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

NOW = 1_796_083_200  # 2026-12-01T00:00Z
DOMAINS = ("players.example", "lists.example", "evil.example")
# 768 bits, which nobody makes any more.
SHORT = (
    b"-----BEGIN RSA PRIVATE KEY-----\n"
    b"MIIBywIBAAJhAJ5idEYyRc47sYUMVEGQx/mZxwH4EaolcGtt/6Vq5rKYBt2ZOMmv4L91IGiSR9PR/gwi9JSZpNtDeeLLpU49HvCE"
    b"Wsl2YinYlkzw/8WEjanOlUfre40/delUiGiMkMu9nwIDAQABAmB01D7cgLzJEXMypxOHgZpg3TPUmf29ufwg4nTOufoOBuIZl6ox"
    b"65Am6ejL+gsNjjlj5cB34U3P92tBkHPjxdXfYsE8J7YEYFL6HrCvel6nrXCiCbq+997XUZKuszswVDECMQDOfq/UqLfZ9Ql33IMM"
    b"r/MRlI4wjpOS1qCoD6CI26/og7exzJ4SYlx1K1J+fC62rNMCMQDEWxIgMffP3uhDN/jwRqgxzImtX4+SXe0ofQmK6Zaf0CoyArWn"
    b"P4ZFpx5r7FeDvIUCMQCAUFDKgJzeH1nm1WvJsnwEbJ9+pNom4J+sTymeYYUJou++2DtRiTWSyXzVhC0y7mkCMEdAGLqwBxFZ/IPv"
    b"uphNu1ietNLBm1JsXNNVU/IhQvPo0HbnPs1aormBo+tbjoISFQIxAMdMkWbswVxfmxfl7T7jPxFtwM/7wIyYSznE3Fw9Wfc72I54"
    b"cSAGRVA0Gf+e6gfehQ=="
    b"\n-----END RSA PRIVATE KEY-----\n"
)
SHORT_RECORD = (
    b"v=DKIM1; k=rsa; p=MHwwDQYJKoZIhvcNAQEBBQADawAwaAJhAJ5idEYyRc47sYUMVEGQx/mZxwH4EaolcGtt/6"
    b"Vq5rKYBt2ZOMmv4L91IGiSR9PR/gwi9JSZpNtDeeLLpU49HvCEWsl2YinYlkzw/8WEjanOlUfre40/delUiGiMkMu9nwIDAQAB"
)
HEADERS = [b"from", b"to", b"date", b"message-id", b"subject"]


@cache
def key(domain: str, bits: int = 1024) -> tuple[bytes, bytes]:
    """Return (private key as PEM, TXT record) of *domain*."""
    if bits < 1024:
        return SHORT, SHORT_RECORD
    made = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    pem = made.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    public = made.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return pem, b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)


def record(name: str) -> bytes | None:
    """Return the TXT record at *name*, as the DNS of these tests has it."""
    selector, _, domain = name.partition("._domainkey.")
    return key(domain, 768 if selector == "short" else 1024)[1] if domain in DOMAINS else None


def plain(text: str = "see Bex", sender: str = "Ash <ash@players.example>") -> bytes:
    """Return a letter of Ash's to the contest."""
    return (f"From: {sender}\r\nTo: wolf@wolf.example\r\nDate: Tue, 01 Dec 2026 00:00:00 +0000\r\n"
            f"Message-ID: <one@players.example>\r\nSubject: a move\r\n\r\n{text}\r\n").encode()


def signed(data: bytes, domain: str = "players.example", *, selector: bytes = b"s", **more: object) -> bytes:
    """Return *data* with a DKIM signature of *domain*; *more* goes to dkimpy."""
    private = key(domain, 768 if selector == b"short" else 1024)[0]
    given = {"include_headers": HEADERS, "canonicalize": (b"relaxed", b"relaxed"), **more}
    return bytes(dkim.sign(data, selector, domain.encode(), private, **given)) + data


def resealed(data: bytes, change: bytes, domain: str = "players.example") -> bytes:
    """Return *data* signed by a signature whose tags have *change* (``x=1; ``) among them, and are signed so."""
    original = dkim.DomainSigner.gen_header

    def made(signer: object, fields: list[tuple[bytes, bytes]], *rest: object, **more: object) -> object:
        name, _, value = change.partition(b"=")
        return original(signer, [*fields[:1], (name, value), *fields[1:]], *rest, **more)

    dkim.DKIM.gen_header = made
    try:
        return signed(data, domain)
    finally:
        del dkim.DKIM.gen_header
