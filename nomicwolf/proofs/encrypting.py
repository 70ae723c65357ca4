"""Letters encrypted to their reader.

The content becomes one OpenPGP message (RFC 3156 4), by Sequoia.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

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
