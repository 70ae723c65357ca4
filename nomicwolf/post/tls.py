"""The TLS of our side: servers are proved by the system's authorities, and we by a certificate where one is set."""

from __future__ import annotations

import ssl
from pathlib import Path

from nomicwolf.post.errors import Denied


def context_of(certificate: Path | None, key: str) -> ssl.SSLContext:
    """Return how a connection is encrypted, with the *certificate* that we show: a PEM file with its private key.

    `Denied`, naming the setting's *key*, if the file can't be used.
    """
    context = ssl.create_default_context()
    if certificate is None:
        return context
    try:
        context.load_cert_chain(certificate, password=_nobody)
    except ssl.SSLError as error:
        why = (error.reason or "").replace("_", " ").lower() or "it can't be read"
        raise Denied(f"{key}: {certificate}: {why}; put the certificate, those that it rests on, and its private key "
                     "into that file, in PEM, one behind the other") from error
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise Denied(f"{key}: {certificate}: {why}") from error
    return context


def _nobody() -> str:
    raise ValueError("its private key is encrypted, and nobody is there to open it; keep it unencrypted in a file that "
                     "only this user reads (openssl pkey -in KEY)")
