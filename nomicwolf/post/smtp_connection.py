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
from nomicwolf.post.errors import Away, Denied, PostError
from nomicwolf.post.reach import allowed, bare
from nomicwolf.post.refusals import no_tls, unreached, without
from nomicwolf.post.remedies import remedy
from nomicwolf.post.sasl import Bearer, by_token_only

SAID = 300  # characters of a server's answer that are kept
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wire:
    """How to reach the server; *sender* is the envelope's, *timeout* in seconds for every answer.

    A *user* logs in by the password, or by a *bearer*'s tokens.
    """

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    timeout: int = 60
    connections: int = 4
    bearer: Bearer | None = field(default=None, repr=False)


async def connected(wire: Wire) -> SMTP:
    """Return a connection that was greeted and logged in; `Away` or `Denied` if none can be had."""
    if wire.bearer is None or not wire.user:
        return await _connected(wire, "")
    token = await asyncio.to_thread(wire.bearer)
    try:
        return await _connected(wire, token)
    except Denied as error:
        if not isinstance(error.__cause__, SMTPAuthenticationError):
            raise
        fresh = await asyncio.to_thread(wire.bearer, token)
        if fresh == token:
            raise
    return await _connected(wire, fresh)


async def _connected(wire: Wire, token: str) -> SMTP:
    client = SMTP(hostname=wire.host, timeout=wire.timeout, use_tls=wire.security == "tls",
                  start_tls=wire.security == "starttls")
    offers: list[str] = []
    try:
        await client.connect(sock=await _socket(wire))
        await _hello(client)
        offers = client.server_auth_methods
        await _log_in(client, wire, token)
    except BaseException as error:  # also when the run is over
        client.close()
        if isinstance(error, (SMTPException, OSError)):
            raise _turned_away(error, f"smtp {wire.host}:{wire.port}", wire, offers, token) from error
        raise
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


async def _log_in(client: SMTP, wire: Wire, token: str) -> None:
    """Log in if there is a user; no token is told to a server that doesn't ask for one."""
    if token and "xoauth2" not in client.server_auth_methods:
        raise SMTPException("It offers no XOAUTH2.")
    if token:
        await client.auth_xoauth2(wire.user, token)
    elif wire.user:
        await client.login(wire.user, wire.password)


def _turned_away(error: SMTPException | OSError, where: str, wire: Wire, offers: list[str], token: str) -> PostError:
    """Return what is wrong with the server, or with how we log in there."""
    if isinstance(error, SMTPAuthenticationError):
        said = without(said_by(error), wire.user, wire.password, [token] if token else [])
        if error.code < 500:
            return Away(f"{where}: can't log anyone in now ({said}); the next run tries again")
        return Denied(f"{where}: refuses {wire.user}: {said}; {remedy('smtp', said, offers, by_token=bool(token))}")
    if found := no_tls(error, where, "smtp.security and smtp.port"):
        return found
    if type(error) is SMTPException:  # no STARTTLS there, or no login
        if offers and (token or by_token_only(offers)):
            return Denied(f"{where}: {remedy('smtp', '', offers, by_token=bool(token))}")
        return Denied(f"{where}: {error} Set smtp.security and smtp.user to what it offers")
    why = said_by(error) if isinstance(error, SMTPResponseException) else unreached(error)
    return Away(f"{where}: {why}; the next run tries again (smtp.host, smtp.port, smtp.security)")


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
        await client.ehlo()
    except SMTPHeloError:
        await client.helo()


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
