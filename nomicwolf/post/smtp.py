"""Delivery by SMTP (RFC 5321).

Each letter has one recipient, there are several connections, and each fate is told honestly. *later*: the server
certainly doesn't have it; *refused*: it never will; *unknown*: the connection broke after the letter was begun, so it
may have been taken or not (RFC 1047). Letters to one recipient go in their order.
"""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from aiosmtplib import SMTP
from aiosmtplib.errors import SMTPException, SMTPResponseException, SMTPSenderRefused

from nomicwolf.post.pacing import class_of
from nomicwolf.post.refusals import About, Away, Denied, PostError, about_options, about_us, is_limited, known
from nomicwolf.post.smtp_connection import Wire, bye, hang_up, open_connection, options, refuses, reset, said_by, takes

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
        used, most = 0, self._wire.letters
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
