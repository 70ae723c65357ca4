"""Letters out by SMTP (RFC 5321): each with one recipient, several connections, and an honest word on its fate.

*later*: the server surely doesn't have it; *refused*: it never will; *unknown*: the connection broke after the
letter was begun, so it may have been taken or not (RFC 1047). Letters to one recipient go in their order.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import field
from typing import Literal, TypeAlias

from aiosmtplib import SMTP
from aiosmtplib.errors import (
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPResponseException,
    SMTPSenderRefused,
)

from nomicwolf.dataclass import dataclass
from nomicwolf.post.errors import Away, Denied, PostError
from nomicwolf.post.refusals import about_us, no_tls, without

Fate: TypeAlias = Literal["sent", "later", "refused", "unknown"]
SAID = 300  # characters of a server's answer that are kept
_ASCII_ALONE = ("the server takes no address beyond ASCII, for it doesn't offer SMTPUTF8 (RFC 6531): give another one "
                "by party address, and set smtp.utf8 = false, so that nobody joins with one")
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
    """Connect, log in and hang up, sending nothing; `Away` or `Denied` if that can't be done.

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

    async def run(self, jobs: Iterable[Job]) -> None:
        by_recipient: dict[str, deque[Job]] = {}
        for job in jobs:
            by_recipient.setdefault(job.recipient.lower(), deque()).append(job)
        self._line.extend(by_recipient.values())
        async with asyncio.TaskGroup() as group:
            for _ in range(min(self._wire.connections, len(self._line))):
                group.create_task(self._work())
        if self._line and self._trouble:
            raise self._trouble
        if self._stranger:
            raise self._stranger

    async def greet(self) -> bool:
        client = await self._connect()
        beyond = client.supports_extension("smtputf8")
        await _bye(client)
        return beyond

    async def _work(self) -> None:
        """Hold a connection, and a new one when it breaks, until the line is empty or none can be had."""
        while self._line:
            try:
                client = await self._connect()
            except PostError as error:
                self._trouble = error
                return
            try:
                await self._serve(client)
            except asyncio.CancelledError:
                client.close()  # the run is over: no time for manners
                raise
            finally:
                await _bye(client)

    async def _connect(self) -> SMTP:
        wire = self._wire
        where = f"smtp {wire.host}:{wire.port}"
        client = SMTP(
            hostname=wire.host, port=wire.port, timeout=wire.timeout, use_tls=wire.security == "tls",
            start_tls=wire.security == "starttls", username=wire.user or None, password=wire.password or None)
        try:
            await client.connect()
            await _hello(client)
        except SMTPAuthenticationError as error:
            said = without(_said(error), wire.user, wire.password)
            if error.code < 500:
                raise Away(f"{where}: can't log anyone in now ({said}); the next run tries again") from error
            raise Denied(f"{where}: refuses {wire.user}: {said}; set smtp.user and smtp.password") from error
        except (SMTPException, OSError) as error:
            if found := no_tls(error, where, "smtp.security and smtp.port"):
                raise found from error
            if type(error) is SMTPException:  # no STARTTLS there, or no login
                raise Denied(f"{where}: {error} Set smtp.security and smtp.user to what it offers") from error
            raise Away(f"{where}: {error}; the next run tries again (smtp.host, smtp.port, smtp.security)") from error
        return client

    async def _serve(self, client: SMTP) -> None:
        """Send from the line while the connection holds; what it broke on before its first byte goes back."""
        used = 0
        while self._line:
            jobs = self._line.popleft()
            while jobs:
                done = (await self._one(client, jobs[0], fresh=used == 0) if _takes(client, jobs[0])
                        else self._ended(jobs[0], "refused", _ASCII_ALONE))
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
        sender = job.sender or self._wire.sender
        try:
            await client.mail(sender, options=_options(client, job))
            await client.rcpt(job.recipient, encoding="utf-8")
        except SMTPSenderRefused as error:
            if error.code >= 500:
                raise self._takes_nothing(sender, error) from error
            return "again" if not fresh else await self._put_off(client, job, error)
        except SMTPResponseException as error:
            if about_us(error.code, error.message):
                self._stranger = self._knows_us_not(error)
                return await self._put_off(client, job, error)
            if error.code >= 500:
                await _reset(client)
                return self._ended(job, "refused", _said(error))
            return "again" if not fresh else await self._put_off(client, job, error)
        except (SMTPException, OSError) as error:
            return "again" if not fresh else self._ended(job, "later", f"the connection broke: {error}")
        self._begin(job)
        try:
            await client.data(job.data)
        except SMTPResponseException as error:
            if not _refuses(error):
                client.close()
                return self._ended(job, "unknown", f"an odd answer after the letter was begun: {_said(error)}")
            await _reset(client)  # a refused DATA leaves sender and recipient as they are (RFC 5321 4.1.1.4)
            return self._ended(job, self._refused(error), _said(error))
        except (SMTPException, OSError) as error:
            client.close()
            return self._ended(job, "unknown", f"no answer after the letter was begun: {error}")
        return self._ended(job, "sent", "")

    async def _put_off(self, client: SMTP, job: Job, error: SMTPResponseException) -> Fate:
        if _refuses(error):
            await _reset(client)
        else:
            client.close()  # who knows which answer belongs to what
        return self._ended(job, "later", _said(error))

    def _refused(self, error: SMTPResponseException) -> Fate:
        """Return what becomes of a letter that was refused at its end."""
        if about_us(error.code, error.message):
            self._stranger = self._knows_us_not(error)
            return "later"
        return "refused" if error.code >= 500 else "later"

    def _knows_us_not(self, error: SMTPResponseException) -> Denied:
        """Return what is wrong where a recipient is refused because of us: the letter waits, and others go on."""
        status = re.match(r"[45]\.\d{1,3}\.\d{1,3}\b", error.message)
        return Denied(f"smtp {self._wire.host}:{self._wire.port}: passes no letter on for us ({error.code}"
                      f"{' ' + status[0] if status else ''}): set smtp.user, smtp.password and smtp.security, if that "
                      "server wants a login; smtp.from to an address that it lets you send from; or smtp.host, if it "
                      "blocks this one (nomicwolf unsent tells more)")

    def _takes_nothing(self, sender: str, error: SMTPResponseException) -> Denied:
        """Return what is wrong where the sender is refused: that is no letter's fault, so all of them wait."""
        where = f"smtp {self._wire.host}:{self._wire.port}"
        return Denied(f"{where}: takes no letter from {sender}: {_said(error)}; set smtp.user, smtp.password and "
                      "smtp.from as it wants them (identity.subaddresses = false if it refuses tagged addresses)")

    def _ended(self, job: Job, fate: Fate, why: str) -> Fate:
        self._end(job, fate, why)
        return fate


def _said(error: SMTPResponseException) -> str:
    said = " ".join(error.message.split())[:SAID]
    return f"{error.code} {said}" if error.code >= 100 else f"an answer that is none: {said}"


def _refuses(error: SMTPResponseException) -> bool:
    """Whether that is a no: 4yz or 5yz (RFC 5321 4.2.1). Anything else says nothing of the letter."""
    return 400 <= error.code < 600


def _takes(client: SMTP, job: Job) -> bool:
    """Whether the server knows addresses like the recipient's (RFC 6531)."""
    return job.recipient.isascii() or client.supports_extension("smtputf8")


def _options(client: SMTP, job: Job) -> list[str]:
    """Ask that a bounce brings the headers alone back, where the server knows of it (RFC 3461).

    A recipient beyond ASCII is in the letter's headers, too, as UTF-8 (RFC 6531 3.4).
    """
    beyond = [] if job.recipient.isascii() else ["SMTPUTF8", "BODY=8BITMIME"]
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


async def _reset(client: SMTP) -> None:
    """Forget the sender before the next letter; hang up if the server can't."""
    try:
        await client.rset()
    except (SMTPException, OSError) as error:
        _LOG.debug("no reset: %s", type(error).__name__)
        client.close()


async def _bye(client: SMTP) -> None:
    """Say goodbye and hang up, even if the run is over in between."""
    try:
        if client.is_connected:
            await client.quit()
    except (SMTPException, OSError) as error:
        _LOG.debug("no goodbye: %s", type(error).__name__)
    finally:
        client.close()
