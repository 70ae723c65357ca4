"""Whether a server that takes a domain's mail offers TLS with a certificate of its name, as MTA-STS asks (RFC 8461)."""

from __future__ import annotations

import asyncio
import socket
import ssl
from typing import Literal, TypeAlias

from aiosmtplib import SMTP
from aiosmtplib.errors import SMTPException

from nomicwolf.post.errors import Denied
from nomicwolf.post.reach import connected
from nomicwolf.post.smtp_connection import bye

Cover: TypeAlias = Literal["good", "none", "certificate", "away"]
"""What somebody finds who brings mail: TLS, none, one whose certificate proves nothing, or nobody there."""


def cover_of(host: str, address: str, port: int = 25, timeout: float = 5) -> Cover:
    """Return what the server *host* at *address* offers to whoever brings mail, within *timeout* seconds a step."""
    try:
        line = connected(address, port, timeout, encrypted=True)
    except (Denied, OSError):
        return "away"
    return asyncio.run(_cover(host, line, timeout))


async def _cover(host: str, line: socket.socket, timeout: float) -> Cover:  # noqa: ASYNC109 - aiosmtplib's
    client = SMTP(hostname=host, timeout=timeout, start_tls=False)
    try:
        line.setblocking(False)
        await client.connect(sock=line)
        await client.ehlo()
        if not client.supports_extension("starttls"):
            return "none"
        await client.starttls(server_hostname=host)
    except ssl.SSLError:
        return "certificate"
    except (SMTPException, OSError) as error:
        return "certificate" if isinstance(error.__cause__, ssl.SSLError) else "away"
    else:
        return "good"
    finally:
        await bye(client)
