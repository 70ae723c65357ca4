"""Connections to mail servers (RFC 5321).

How a server is reached and greeted, what it offers, and how the connection is closed; also whether a domain's mail
exchanger offers TLS with a certificate of its name, as MTA-STS asks (RFC 8461).
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from aiosmtplib import SMTP
from aiosmtplib.errors import SMTPAuthenticationError, SMTPException, SMTPHeloError, SMTPResponseException

from nomicwolf.post.refusals import (
    Away,
    Bearer,
    Denied,
    PostError,
    Proof,
    by_proof,
    by_token_only,
    no_tls,
    remedy,
    unreached,
    without,
)
from nomicwolf.post.routes import DIRECTLY, FIRST, Route, allowed, bare_host, connected, context_of, proxied

SAID = 300  # characters of a server's answer that are kept
_GO_ON, _LOGGED_IN = 334, 235
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wire:
    """A server and a login; *sender* is the envelope's, *timeout* in seconds for every answer.

    A *user* logs in by the password, by a *bearer*'s tokens, or, without either, by the *certificate* (a PEM file). So
    many *letters* go over one connection (0: any); *route* is how the server is reached. Tokens that it was *told* are
    left out of what it says.
    """

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    sender: str
    user: str = ""
    password: str = field(default="", repr=False)
    timeout: int = 60
    connections: int = 4
    letters: int = 0
    bearer: Bearer | None = field(default=None, repr=False)
    certificate: Path | None = None
    route: Route = DIRECTLY
    told: list[str] = field(default_factory=list, repr=False, compare=False)


async def open_connection(wire: Wire) -> SMTP:
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
    wire.told.extend(filter(None, [token]))
    client = SMTP(hostname=bare_host(wire.host), timeout=wire.timeout, use_tls=wire.security == "tls",
                  start_tls=wire.security == "starttls",
                  tls_context=context_of(wire.certificate, "smtp.certificate_file"))
    offers: list[str] = []
    try:
        await client.connect(sock=await _socket(wire))
        await _hello(client)
        offers = client.server_auth_methods
        await _log_in(client, wire, token)
    except BaseException as error:  # also when the run is over
        hang_up(client)
        if isinstance(error, (SMTPException, OSError)):
            raise _turned_away(error, f"smtp {wire.host}:{wire.port}", wire, offers, token) from error
        raise
    return client


async def _socket(wire: Wire) -> socket.socket:
    """Return a connection to the first of the server's addresses that answers, of those within reach.

    The name is looked up now, and only what was found is connected to. OSError if none answers.
    """
    if (proxy := proxied(wire.host, wire.route)) is not None:
        made = await asyncio.to_thread(proxy.connected, bare_host(wire.host), wire.port, wire.timeout)
        made.setblocking(False)
        return made
    loop, last = asyncio.get_running_loop(), OSError(f"{wire.host}: has no address")
    found = await loop.getaddrinfo(bare_host(wire.host), wire.port, type=socket.SOCK_STREAM)
    places = allowed(wire.host, wire.port, found, encrypted=wire.security != "none")
    for number, (family, kind, protocol, _, place) in enumerate(places, 1):
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)
        try:
            await asyncio.wait_for(loop.sock_connect(made, place),
                                   wire.timeout if number == len(places) else min(wire.timeout, FIRST))
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
    """Log in if there is a user; a token is only sent to a server that asks for one."""
    if token and "xoauth2" not in client.server_auth_methods:
        raise SMTPException("It offers no XOAUTH2.")
    if token:
        await client.auth_xoauth2(wire.user, token)
    elif wire.user and wire.certificate is not None and not wire.password:
        await _by_certificate(client, wire)
    elif wire.user and not await _proved(client, wire):
        await client.login(wire.user, wire.password)


async def _by_certificate(client: SMTP, wire: Wire) -> None:
    """Log in as whom our certificate names (SASL EXTERNAL, RFC 4422 A; RFC 4954 4 for the empty response)."""
    if "external" not in client.server_auth_methods:
        raise Denied(f"smtp {wire.host}:{wire.port}: takes no login by a certificate alone (it offers no EXTERNAL); "
                     "set smtp.password, or leave out smtp.user if it relays for whoever shows that certificate")
    answer = await client.execute_command(b"AUTH", b"EXTERNAL", b"=")
    if answer.code != _LOGGED_IN:
        raise SMTPAuthenticationError(answer.code, answer.message)


async def _proved(client: SMTP, wire: Wire) -> bool:
    """Log in by a proof of the password (RFC 4954, 5802); return whether that was offered, and done.

    A server that refuses it may keep the password in a form that can't be proved: it is told then.
    """
    offers = client.server_auth_methods
    mechanism = by_proof(offers)
    if not mechanism:
        return False
    proof = Proof(mechanism, wire.user, wire.password, f"smtp {wire.host}:{wire.port}")
    answer = await client.execute_command(b"AUTH", mechanism.encode(), b64encode(proof(b"")))
    while answer.code == _GO_ON:
        try:
            challenge = b64decode(answer.message, validate=True)
        except ValueError as error:
            raise SMTPException("Its challenge can't be read.") from error
        answer = await client.execute_command(b64encode(proof(challenge)))
    if answer.code == _LOGGED_IN and not proof.proved:
        raise proof.unproved()
    if answer.code != _LOGGED_IN and (answer.code < 500 or not {"plain", "login"} & {*offers}):
        raise SMTPAuthenticationError(answer.code, answer.message)
    return answer.code == _LOGGED_IN


def _turned_away(error: SMTPException | OSError, where: str, wire: Wire, offers: list[str], token: str) -> PostError:
    """Return what is wrong with the server, or with how we log in there."""
    if isinstance(error, SMTPAuthenticationError):
        said = said_by(error, wire)
        if error.code < 500:
            return Away(f"{where}: can't log anyone in now ({said}); the next run tries again")
        advice = remedy("smtp", said, offers, wire.user, by_token=bool(token))
        return Denied(f"{where}: refuses {wire.user}: {said}; {advice}")
    if found := no_tls(error, where, "smtp.security and smtp.port"):
        return found
    if type(error) is SMTPException:  # no STARTTLS there, or no login
        if offers and (token or by_token_only(offers)):
            return Denied(f"{where}: {remedy('smtp', '', offers, wire.user, by_token=bool(token))}")
        return Denied(f"{where}: {error} Set smtp.security and smtp.user to what it offers")
    why = said_by(error, wire) if isinstance(error, SMTPResponseException) else unreached(error)
    return Away(f"{where}: {why}; the next run tries again (smtp.host, smtp.port, smtp.security)")


def said_by(error: SMTPResponseException, wire: Wire) -> str:
    """Return a server's answer in one line, no longer than anyone reads, without what proves who we are."""
    said = without(" ".join(error.message.split()), wire.user, wire.password, wire.told)[:SAID]
    return f"{error.code} {said}" if error.code >= 100 else f"an answer that is none: {said}"


def refuses(error: SMTPResponseException) -> bool:
    """Return whether that is a no: 4yz or 5yz (RFC 5321 4.2.1). Anything else says nothing of the letter."""
    return 400 <= error.code < 600


def takes(client: SMTP, recipient: str) -> bool:
    """Return whether the server knows addresses like the *recipient*'s (RFC 6531)."""
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
        hang_up(client)


def hang_up(client: SMTP) -> None:
    """Close the connection at once: a loop that ends doesn't wait for the farewell of TLS, and would leave it open."""
    _abort(client.transport)
    client.close()


def _abort(line: asyncio.BaseTransport | None) -> None:
    if isinstance(line, asyncio.WriteTransport):
        line.abort()


async def bye(client: SMTP) -> None:
    """Say goodbye and hang up, even if the run is over in between."""
    line = client.transport  # aiosmtplib lets go of it behind QUIT, and waits for nothing
    try:
        if client.is_connected:
            await client.quit()
    except (SMTPException, OSError) as error:
        _LOG.debug("no goodbye: %s", type(error).__name__)
    finally:
        _abort(line)
        client.close()


Cover: TypeAlias = Literal["good", "none", "certificate", "away"]
"""What somebody finds who brings mail: TLS, none, one whose certificate proves nothing, or nobody there."""


def cover_of(host: str, address: str, port: int = 25, timeout: float = 5) -> Cover:
    """Return the TLS that the server *host* at *address* offers, within *timeout* seconds a step."""
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
