"""Delivery by SMTP, and its connections (RFC 5321).

How a server is reached and greeted, what it offers, and how the connection is closed; also whether a domain's mail
exchanger offers TLS with a certificate of its name, as MTA-STS asks (RFC 8461).

Each letter has one recipient, there are several connections, and each fate is told honestly. *later*: the server
certainly doesn't have it; *refused*: it never will; *unknown*: the connection broke after the letter was begun, so it
may have been taken or not (RFC 1047). Letters to one recipient go in their order.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
import ssl
from base64 import b64decode, b64encode
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPResponseException,
    SMTPSenderRefused,
)

from nomicwolf.post.refusals import (
    About,
    Away,
    Bearer,
    Denied,
    PostError,
    Proof,
    about_options,
    about_us,
    by_proof,
    by_token_only,
    class_of,
    is_limited,
    known,
    no_tls,
    remedy,
    unreached,
    without,
)
from nomicwolf.post.routes import DIRECTLY, FIRST, Route, allowed, bare_host, connected, context_of, proxied
from nomicwolf.settings.keys import SmtpSettings

SAID = 300  # characters of a server's answer that are kept
_GO_ON, _LOGGED_IN = 334, 235
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Wire(SmtpSettings):
    """A server and a login; *sender* is the envelope's too, and the *port* that which is asked.

    A *user* logs in by the password, by a *bearer*'s tokens, or, without either, by the certificate. *route* is how the
    server is reached. Tokens that it was *told* are left out of what it says.
    """

    bearer: Bearer | None = field(default=None, repr=False)
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
                  tls_context=context_of(wire.certificate_file, "smtp.certificate_file"))
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
    elif wire.user and wire.certificate_file is not None and not wire.password:
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


Fate: TypeAlias = Literal["sent", "later", "refused", "unknown"]
_ASCII_ALONE = ("the server takes no address beyond ASCII{} (RFC 6531): give another one by party address, and set "
                "smtp.utf8 = false, so that nobody joins with one")


@dataclass(frozen=True, slots=True)
class Job:
    """One letter to one recipient, as bytes with CRLF; it comes back to *sender* ('': the wire's)."""

    key: str
    recipient: str
    data: bytes
    sender: str = ""


def send(
    jobs: Iterable[Job], wire: Wire, begin: Callable[[Job], None], end: Callable[[Job, Fate, str], None]
) -> None:
    """Send *jobs*; call *begin* before a letter's first byte and *end* with what became of it, why it wasn't sent.

    A letter that was refused, or put off, before its first byte has an *end* without *begin*. `Away` or `Denied`
    if no connection can be had: whatever had no *end* is as it was.
    """
    try:
        asyncio.run(_Round(wire, begin, end).run(jobs))
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from several


def greet(wire: Wire) -> bool:
    """Connect, log in, name our sender and hang up, sending nothing; `Away` or `Denied` if that can't be done.

    Returns whether the server takes addresses beyond ASCII (RFC 6531).
    """
    return asyncio.run(_Round(wire, lambda _: None, lambda *_: None).greet())


class _Round:
    """One round of sending: recipients wait in a line, each connection takes the next."""

    def __init__(
        self, wire: Wire, begin: Callable[[Job], None], end: Callable[[Job, Fate, str], None]
    ) -> None:
        self._wire = wire
        self._begin = begin
        self._end = end
        self._line: deque[deque[Job]] = deque()
        self._trouble: PostError | None = None
        self._stranger: Denied | None = None
        self._senderless: Denied | None = None
        self._lasting: set[tuple[str, int]] = set()
        self._paused = False

    @property
    def _stopped(self) -> bool:
        """Return whether nothing more is begun."""
        return self._paused or self._senderless is not None

    async def run(self, jobs: Iterable[Job]) -> None:
        by_recipient: dict[str, deque[Job]] = {}
        for job in jobs:
            by_recipient.setdefault(job.recipient.lower(), deque()).append(job)
        self._line.extend(by_recipient.values())
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._wire.connections, len(self._line))):
                group.create_task(self._work())
        if self._senderless:
            raise self._senderless
        if self._line and self._trouble:
            raise self._trouble
        if self._stranger:
            raise self._stranger

    async def greet(self) -> bool:
        client = await open_connection(self._wire)
        beyond = client.supports_extension("smtputf8")
        try:
            await client.mail(self._wire.sender)
        except SMTPResponseException as error:
            if refuses(error) and error.code >= 500:
                raise self._takes_nothing(self._wire.sender, error) from error
            if not refuses(error):
                raise Away(f"smtp {self._wire.host}:{self._wire.port}: {said_by(error, self._wire)}") from error
        except (SMTPException, OSError) as error:
            raise Away(f"smtp {self._wire.host}:{self._wire.port}: the connection broke: {error}") from error
        finally:
            await bye(client)
        return beyond

    async def _work(self) -> None:
        """Hold a connection, and a new one when it breaks, until the line is empty or none can be had.

        Where our sender is refused, or the server wants a pause, nothing more is begun, and what other connections have
        begun they bring to its end: else nobody would know of those letters.
        """
        while self._line and not self._stopped:
            try:
                client = await open_connection(self._wire)
            except PostError as error:
                self._trouble = error
                return
            try:
                await self._serve(client)
            except asyncio.CancelledError:
                hang_up(client)  # the run is over: no time for manners
                raise
            finally:
                await bye(client)

    async def _serve(self, client: SMTP) -> None:
        """Send from the line while the connection holds; what it broke on before its first byte goes back."""
        used, most = 0, self._wire.per_connection
        while self._line and not self._stopped:
            if 0 < most <= used:
                return
            jobs = self._line.popleft()
            while jobs and not self._stopped:
                if 0 < most <= used:
                    self._line.appendleft(jobs)
                    return
                done = (await self._one(client, jobs[0], fresh=used == 0) if takes(client, jobs[0].recipient)
                        else self._ended(jobs[0], "refused", _ASCII_ALONE.format(", for it doesn't offer SMTPUTF8")))
                used += 1
                if done == "again":
                    self._line.appendleft(jobs)
                    return
                if done == "later":
                    break  # the others to this recipient wait for it, so that their order stays
                jobs.popleft()
                if not client.is_connected:
                    self._line.appendleft(jobs)
                    return

    async def _one(self, client: SMTP, job: Job, *, fresh: bool) -> Fate | Literal["again"]:
        """Send one letter; ``again`` if a used connection failed before its first byte, so a new one may do."""
        if unsent := await self._not_begun(client, job, fresh=fresh):
            return unsent
        self._begin(job)
        try:
            await client.data(job.data)
        except SMTPResponseException as error:
            if not refuses(error):
                hang_up(client)
                said = said_by(error, self._wire)
                return self._ended(job, "unknown", f"an odd answer after the letter was begun: {said}")
            await reset(client)  # a refused DATA leaves sender and recipient as they are (RFC 5321 4.1.1.4)
            return self._ended(job, self._refused(error), said_by(error, self._wire))
        except (SMTPException, OSError) as error:
            hang_up(client)
            return self._ended(job, "unknown", f"no answer after the letter was begun: {error}")
        return self._ended(job, "sent", "")

    async def _not_begun(self, client: SMTP, job: Job, *, fresh: bool) -> Fate | Literal["again", ""]:
        """Send the letter's sender and recipient; return its fate if it can't be begun."""
        try:
            await client.mail(job.sender or self._wire.sender, options=options(client, job.recipient))
            await client.rcpt(job.recipient, encoding="utf-8")
        except SMTPSenderRefused as error:
            return await self._sender_refused(client, job, error, fresh=fresh)
        except SMTPResponseException as error:
            if is_limited(said_by(error, self._wire)):
                return await self._put_off(client, job, error)
            if what := about_us(error.code, error.message):
                self._stranger = self._knows_us_not(error, what)
                return await self._put_off(client, job, error)
            if refuses(error) and error.code >= 500:
                await reset(client)
                return self._ended(job, "refused", said_by(error, self._wire))
            return await self._not_now(client, job, "RCPT", error, fresh=fresh)
        except (SMTPException, OSError) as error:
            return "again" if not fresh else self._ended(job, "later", f"the connection broke: {error}")
        return ""

    async def _sender_refused(
        self, client: SMTP, job: Job, error: SMTPSenderRefused, *, fresh: bool
    ) -> Fate | Literal["again"]:
        """Return what becomes of a letter whose MAIL was refused; for good that is no letter's fault, so all wait."""
        if not refuses(error) or error.code < 500 or is_limited(said_by(error, self._wire)):
            return await self._not_now(client, job, "MAIL", error, fresh=fresh)
        if not job.recipient.isascii() and about_options(error.code, error.message):
            await reset(client)
            return self._ended(job, "refused", f"{said_by(error, self._wire)}: {_ASCII_ALONE.format('')}")
        self._senderless = self._takes_nothing(job.sender or self._wire.sender, error)
        return "again"

    async def _not_now(
        self, client: SMTP, job: Job, command: str, error: SMTPResponseException, *, fresh: bool
    ) -> Fate | Literal["again"]:
        """Put a letter off, or try it on a new connection, unless one was refused like this before.

        Some servers take few letters at a time (452). One that greylists, or takes few in an hour, would be asked by a
        connection for each letter.
        """
        said = command, error.code
        if fresh:
            self._lasting.add(said)
        elif said not in self._lasting:
            return "again"
        return await self._put_off(client, job, error)

    async def _put_off(self, client: SMTP, job: Job, error: SMTPResponseException) -> Fate:
        if refuses(error):
            await reset(client)
        else:
            hang_up(client)  # who knows which answer belongs to what
        return self._ended(job, "later", said_by(error, self._wire))

    def _refused(self, error: SMTPResponseException) -> Fate:
        """Return what becomes of a letter that was refused at its end."""
        if is_limited(said_by(error, self._wire)):
            return "later"
        if what := about_us(error.code, error.message):
            self._stranger = self._knows_us_not(error, what)
            return "later"
        return "refused" if error.code >= 500 else "later"

    def _knows_us_not(self, error: SMTPResponseException, what: About) -> Denied:
        """Return what is wrong where a recipient is refused because of us: the letter waits, and others go on."""
        status = re.match(r"[45]\.\d{1,3}\.\d{1,3}\b", error.message)
        return Denied(f"smtp {self._wire.host}:{self._wire.port}: passes no letter on for us ({error.code}"
                      f"{' ' + status[0] if status else ''}): {self._advice(what)} (nomicwolf unsent tells more)")

    def _advice(self, what: About, sender: str = "") -> str:
        """Return what to do where *what* of us is refused, of *sender* if that is another than the usual one."""
        user, usual = self._wire.user, self._wire.sender
        match what:
            case "login" if user:
                return "it wants a login first; set smtp.port and smtp.security as for who logs in (587, starttls)"
            case "login":
                return "it wants a login; set smtp.user and smtp.password"
            case "sender" if sender not in ("", usual):
                return (f"{user or usual} may not send as {sender}; set identity.subaddresses = false, if it refuses "
                        "tagged addresses, or let it be allowed")
            case "sender":
                return (f"{f'{user} may not send as {usual}' if user else f'{usual} may not send'}; set smtp.from to "
                        "the account's own address, or let its provider or administrator allow this one")
            case "host":
                return ("it takes no letters from this machine, by its address or name; set smtp.host to your "
                        "provider's server, with a login, or see what nomicwolf check says of the domain")
            case "blocked":
                return known("smtp", "bad outbound sender", by_token=False)

    def _takes_nothing(self, sender: str, error: SMTPResponseException) -> Denied:
        """Return what is wrong where the sender is refused."""
        said = said_by(error, self._wire)
        what = f"smtp {self._wire.host}:{self._wire.port}: takes no letter from {sender}: {said}; "
        if error.code == 530 and "STARTTLS" in error.message.upper():  # RFC 3207 4
            return Denied(f'{what}set smtp.security = "starttls"')
        if about := about_us(error.code, error.message):
            return Denied(f"{what}{self._advice(about, sender)}")
        return Denied(f"{what}set smtp.user, smtp.password and smtp.from as it wants them (identity.subaddresses = "
                      "false if it refuses tagged addresses)")

    def _ended(self, job: Job, fate: Fate, why: str) -> Fate:
        pause = class_of(why) if fate == "later" else None
        self._paused = self._paused or (pause is not None and pause.scope == "server")
        self._end(job, fate, why)
        return fate
