"""One connection to a mail server (RFC 5321): how it is reached and greeted, what it offers, and how it is let go."""

from __future__ import annotations

import asyncio
import logging
import socket
from dataclasses import field
from typing import Literal

from aiosmtplib import SMTP
from aiosmtplib.errors import SMTPAuthenticationError, SMTPException, SMTPHeloError, SMTPResponseException

from nomicwolf.dataclass import dataclass
from nomicwolf.post.errors import Away, Denied
from nomicwolf.post.reach import allowed, bare
from nomicwolf.post.refusals import no_tls, unreached, without

SAID = 300  # characters of a server's answer that are kept
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wire:
    """How to reach the server; *sender* is the envelope's, *timeout* in seconds for every answer."""

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    timeout: int = 60
    connections: int = 4


async def connected(wire: Wire) -> SMTP:
    """Return a connection that was greeted and logged in; `Away` or `Denied` if none can be had."""
    where = f"smtp {wire.host}:{wire.port}"
    client = SMTP(
        hostname=wire.host, timeout=wire.timeout, use_tls=wire.security == "tls",
        start_tls=wire.security == "starttls", username=wire.user or None, password=wire.password or None)
    try:
        await client.connect(sock=await _socket(wire))
        await _hello(client)
    except SMTPAuthenticationError as error:
        said = without(said_by(error), wire.user, wire.password)
        if error.code < 500:
            raise Away(f"{where}: can't log anyone in now ({said}); the next run tries again") from error
        raise Denied(f"{where}: refuses {wire.user}: {said}; set smtp.user and smtp.password") from error
    except (SMTPException, OSError) as error:
        if found := no_tls(error, where, "smtp.security and smtp.port"):
            raise found from error
        if type(error) is SMTPException:  # no STARTTLS there, or no login
            raise Denied(f"{where}: {error} Set smtp.security and smtp.user to what it offers") from error
        why = said_by(error) if isinstance(error, SMTPResponseException) else unreached(error)
        raise Away(f"{where}: {why}; the next run tries again (smtp.host, smtp.port, smtp.security)") from error
    return client


async def _socket(wire: Wire) -> socket.socket:
    """Return a connection to the first of the server's addresses that answers, of those within reach.

    The name is looked up now, and only what was found is connected to. OSError if none answers.
    """
    loop, last = asyncio.get_running_loop(), OSError(f"{wire.host}: has no address")
    found = await loop.getaddrinfo(bare(wire.host), wire.port, type=socket.SOCK_STREAM)
    for family, kind, protocol, _, place in allowed(wire.host, wire.port, found, encrypted=wire.security != "none"):
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)
        try:
            await asyncio.wait_for(loop.sock_connect(made, place), wire.timeout)
        except OSError as error:
            made.close()
            last = error
        except BaseException:
            made.close()
            raise
        else:
            return made
    raise last


def said_by(error: SMTPResponseException) -> str:
    """Return a server's answer in one line, no longer than anyone reads."""
    said = " ".join(error.message.split())[:SAID]
    return f"{error.code} {said}" if error.code >= 100 else f"an answer that is none: {said}"


def refuses(error: SMTPResponseException) -> bool:
    """Whether that is a no: 4yz or 5yz (RFC 5321 4.2.1). Anything else says nothing of the letter."""
    return 400 <= error.code < 600


def takes(client: SMTP, recipient: str) -> bool:
    """Whether the server knows addresses like the *recipient*'s (RFC 6531)."""
    return recipient.isascii() or client.supports_extension("smtputf8")


def options(client: SMTP, recipient: str) -> list[str]:
    """Ask that a bounce brings the headers alone back, where the server knows of it (RFC 3461).

    A recipient beyond ASCII is in the letter's headers, too, as UTF-8 (RFC 6531 3.4).
    """
    beyond = [] if recipient.isascii() else ["SMTPUTF8", "BODY=8BITMIME"]
    return [*beyond, *(["RET=HDRS"] if client.supports_extension("dsn") else [])]


async def _hello(client: SMTP) -> None:
    """Learn what the server offers; one that is too old for EHLO offers nothing (RFC 5321 3.2)."""
    if not client.is_ehlo_or_helo_needed:
        return
    try:
        try:
            await client.ehlo()
        except SMTPHeloError:
            await client.helo()
    except BaseException:  # also when the run is over
        client.close()
        raise


async def reset(client: SMTP) -> None:
    """Forget the sender before the next letter; hang up if the server can't."""
    try:
        await client.rset()
    except (SMTPException, OSError) as error:
        _LOG.debug("no reset: %s", type(error).__name__)
        client.close()


async def bye(client: SMTP) -> None:
    """Say goodbye and hang up, even if the run is over in between."""
    try:
        if client.is_connected:
            await client.quit()
    except (SMTPException, OSError) as error:
        _LOG.debug("no goodbye: %s", type(error).__name__)
    finally:
        client.close()
