"""Everything a contest lives among: Postfix, Dovecot, and a host of mailing lists, wired together."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from imapclient import IMAPClient

from nomicwolf.maillist import MailingList, been_there, distributed
from tests.servers.dovecot import PASSWORD, Dovecot
from tests.servers.here import free_ports, wait_until
from tests.servers.postfix import Postfix, running_postfix


def now() -> int:
    """Return the time, UTC seconds."""
    return int(time.time())


@dataclass
class ListHost:
    """The host of all lists: what Postfix gives it for a list goes back to Postfix, once for each subscriber.

    *clock* is the time that it stamps (UTC seconds), so that a test can let weeks pass.
    """

    port: int
    smtp_port: int = 0
    clock: Callable[[], int] = now
    lists: dict[str, MailingList] = field(default_factory=dict)

    def reset(self) -> None:
        """Forget all lists, and take the real time again."""
        self.lists.clear()
        self.clock = now

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - aiosmtpd's name
        """Take a post; say 250 only when every copy is Postfix's."""
        strangers = [r for r in envelope.rcpt_tos if r.lower() not in self.lists]
        if strangers:
            return f"550 5.1.1 no such list: {', '.join(strangers)}"
        for recipient in envelope.rcpt_tos:
            await asyncio.to_thread(self.distribute, self.lists[recipient.lower()], envelope.original_content or b"")
        return "250 OK"

    def distribute(self, forum: MailingList, post: bytes) -> None:
        """Send the list's copy to each subscriber, in a transaction of its own."""
        if been_there(post, forum):
            return
        copy = distributed(post, forum, self.clock())
        bounces = forum.bounces.encode("ascii", "ignore").decode()  # to mailboxes that know no address beyond ASCII
        with smtplib.SMTP("127.0.0.1", self.smtp_port, local_hostname=forum.host) as smtp:
            for subscriber in forum.subscribers:
                smtp.sendmail(bounces, [subscriber], copy)


@dataclass(frozen=True, slots=True)
class MailSite:
    """Addresses ``PERSON@players.example`` and ``@contest.example``, and lists at lists.{agora,b}.example."""

    dovecot: Dovecot
    postfix: Postfix
    host: ListHost

    @property
    def smtp_port(self) -> int:
        """Where letters are sent: no login, no TLS, 127.0.0.1."""
        return self.postfix.smtp_port

    @property
    def imap_port(self) -> int:
        """Where letters are read: user = local part, PASSWORD, no TLS, 127.0.0.1."""
        return self.dovecot.imap_port

    def add_list(self, forum: MailingList) -> None:
        """Open a list at lists.agora.example or lists.b.example."""
        self.host.lists[forum.address.lower()] = forum

    def stand_at(self, at: int) -> None:
        """Let it be *at* (UTC seconds) for the lists' stamps and for INTERNALDATE, until the next such call."""
        self.host.clock = lambda: at

    def send(self, sender: str, recipients: list[str], data: bytes) -> None:
        """Hand one letter to Postfix, and wait until it and all its copies lie in mailboxes."""
        with smtplib.SMTP("127.0.0.1", self.smtp_port) as smtp:
            smtp.sendmail(sender, recipients, data)
        self.settle()

    def settle(self) -> None:
        """Wait until no letter is on its way, then date and number what has come; RuntimeError if one got stuck.

        Of two letters that come at once Dovecot numbers one, and the other when somebody looks into the mailbox, which
        could be after letters that came later.
        """
        wait_until("the mail to come to rest", lambda: not self.postfix.moving)
        for person in self.dovecot.date_new(self.host.clock()):
            with self.mailbox(person):
                pass
        if self.postfix.stuck:
            raise RuntimeError((self.postfix.folder / "postfix.log").read_text())

    @contextmanager
    def mailbox(self, person: str) -> Iterator[IMAPClient]:
        """Log in as *person* with the INBOX open, read-only."""
        with IMAPClient("127.0.0.1", self.imap_port, ssl=False, timeout=20) as imap:
            imap.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            imap.normalise_times = False
            imap.login(person, PASSWORD)
            imap.select_folder("INBOX", readonly=True)
            yield imap

    def inbox(self, person: str) -> list[bytes]:
        """Return every letter that *person* has received, in the order of their UIDs."""
        with self.mailbox(person) as imap:
            letters = imap.fetch(sorted(imap.search()), ["BODY.PEEK[]"])
        return [letters[uid][b"BODY[]"] for uid in sorted(letters)]


@contextmanager
def running_site(dovecot: Dovecot) -> Iterator[MailSite]:
    """Run Postfix and the host of lists around *dovecot* for as long as the block lasts."""
    (port,) = free_ports(1)
    host = ListHost(port)
    with running_postfix(dovecot.lmtp_port, port) as postfix:
        host.smtp_port = postfix.smtp_port
        controller = Controller(host, hostname="127.0.0.1", port=port, server_hostname="lists.example")
        controller.start()
        try:
            yield MailSite(dovecot, postfix, host)
        finally:
            controller.stop()
