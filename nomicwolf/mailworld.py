"""SMTP, IMAP and mailing lists on loopback.

One thread holds aiosmtpd and pymap on free ports of 127.0.0.1. Every address has a mailbox, every mailbox the same
password, and time is what the caller's clock says: stamps and INTERNALDATE are those of the contest, not of the day.
When SMTP has said 250, the letter lies in every mailbox that it was for.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
from argparse import Namespace
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from nomicwolf.maillist import MailingList, been_there, crlf, distributed, trace

try:
    from aiosmtpd.smtp import SMTP, Envelope, Session
    from proxyprotocol.reader import ProxyProtocolReader
    from pymap.backend.dict import DictBackend, Identity
    from pymap.imap import IMAPServer
    from pymap.parsing.message import AppendMessage
    from pymap.user import Passwords, UserMetadata
    from pysasl.hashing import BuiltinHash
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"{missing.name} is not installed; the demo's mail servers come with the extra demo: in a checkout, "
        "pip install '.[demo]', or `make demo`",
        name=missing.name,
    ) from missing

LOOPBACK = "127.0.0.1"
PATIENCE = 30.0  # seconds in which the servers must be up, or down


@dataclass(frozen=True, slots=True)
class Passed:
    """A letter delivered to a mailbox: when (UTC seconds), from and to which address, its bytes."""

    at: int
    sender: str
    recipient: str
    data: bytes


class MailWorld:
    """Two servers and some mailing lists, running during the ``with`` block.

    *lists* are the forums; *clock* gives the time in UTC seconds; *mailboxes* are addresses that can log in before
    anything was sent to them, as the lists' subscribers always can.
    """

    def __init__(
        self, lists: Sequence[MailingList], clock: Callable[[], int], mailboxes: Sequence[str] = ()
    ) -> None:
        self.password = secrets.token_urlsafe(9)
        self.smtp_port = self.imap_port = 0
        self.log: list[Passed] = []
        self._lists = {forum.address.lower(): forum for forum in lists}
        self._clock = clock
        self._accounts = [account(a) for a in (*mailboxes, *(s for forum in lists for s in forum.subscribers))]
        self._inboxes: dict[str, list[bytes]] = defaultdict(list)
        self._up: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, name="mail world", daemon=True)

    def __enter__(self) -> Self:
        """Start both servers; their ports are known after that."""
        self._thread.start()
        self._up.result(PATIENCE)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Stop both servers; the log and the inboxes remain."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(PATIENCE)
        if self._thread.is_alive():
            raise TimeoutError(f"the demo's mail servers are still up after {PATIENCE:.0f} seconds")

    def inbox(self, address: str) -> list[bytes]:
        """Return every letter that *address* has received, oldest first."""
        return list(self._inboxes.get(account(address), ()))

    def _run(self) -> None:
        """Run the servers in a thread until told to stop; errors at the start are raised in the caller."""
        try:
            asyncio.run(self._serve())
        except Exception as error:
            if self._up.done():
                raise
            self._up.set_exception(error)

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        async with AsyncExitStack() as stack:
            await self._listen_imap(stack)
            smtp = await self._loop.create_server(
                lambda: SMTP(self, hostname="mx.example", enable_SMTPUTF8=True, loop=self._loop), LOOPBACK, 0
            )
            stack.callback(smtp.close)
            self.smtp_port = smtp.sockets[0].getsockname()[1]
            self._up.set_result(None)
            await self._over.wait()

    async def _listen_imap(self, stack: AsyncExitStack) -> None:
        # One round of PBKDF2 in place of 500,000: a password that lives for a minute needs no more.
        self._backend, self._config = await DictBackend.init(self._arguments(), hash_context=BuiltinHash(rounds=1))
        self._config.apply_context()
        await self._backend.start(stack)
        self._secret = await Passwords(self._config).hash_password(self.password)
        for name in self._accounts:
            await self._open_account(name)
        # pymap's own service hides the port that it bound, so its callback is given to a server of ours.
        callback = ProxyProtocolReader(self._config.proxy_protocol).get_callback(
            IMAPServer(self._backend.login, self._config)
        )
        imap = await asyncio.start_server(callback, LOOPBACK, 0)
        stack.callback(imap.close)
        self.imap_port = imap.sockets[0].getsockname()[1]

    def _arguments(self) -> Namespace:
        """Return the arguments that pymap's command line would supply."""
        return Namespace(
            debug=False, demo_data=False, demo_user="postmaster", demo_password=self.password, host=LOOPBACK, port="0",
            cert=None, key=None, tls=False, proxy_protocol=None, passlib_cfg=None, insecure_login=True,
            skip_services=[], logging_cfg=None, set_uid=None, set_gid=None,
        )  # fmt: skip

    async def _open_account(self, name: str) -> Identity:
        identity = Identity(name, self._backend.login, None, frozenset({"admin"}))
        if name not in self._backend.login.users_dict:
            await identity.set(UserMetadata(self._config, name, password=self._secret))
        return identity

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Take one letter from SMTP: into mailboxes, and by the lists to all their subscribers."""
        at, data = self._clock(), crlf(envelope.original_content or b"")
        sender = envelope.mail_from or ""
        for recipient in envelope.rcpt_tos:
            forum = self._lists.get(recipient.lower())
            if forum is None:
                await self._deliver(Passed(at, sender, recipient, data), "[127.0.0.1]")
            elif not been_there(data, forum):
                copy = distributed(data, forum, at)
                for subscriber in forum.subscribers:
                    await self._deliver(Passed(at, forum.bounces, subscriber, copy), forum.host)
        return "250 OK"

    async def _deliver(self, letter: Passed, client: str) -> None:
        """Put one letter into one mailbox, with the marks of a final delivery (RFC 5321, 4.4)."""
        host = "mx." + letter.recipient.rpartition("@")[2]
        marked = f"Return-Path: <{letter.sender}>\r\n".encode() + trace(client, host, letter.at) + letter.data
        name = account(letter.recipient)
        identity = await self._open_account(name)
        async with identity.new_session() as session:
            box = await session.mailbox_set.get_mailbox("INBOX")
            await box.append(AppendMessage(marked, datetime.fromtimestamp(letter.at, UTC), frozenset()))
        self._inboxes[name].append(marked)
        self.log.append(Passed(letter.at, letter.sender, letter.recipient, marked))


def account(address: str) -> str:
    """Return the mailbox, and IMAP user, of *address*: lower case, without ``+detail``.

    >>> account("Wolf+s3@contest.example")
    'wolf@contest.example'
    """
    local, _, host = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{host}"
