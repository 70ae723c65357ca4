"""One connection to an IMAP server (RFC 9051): how it is reached, what is asked of it, and what its errors mean."""

from __future__ import annotations

import logging
import re
import socket
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from imapclient import SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError, ProtocolError

from nomicwolf.post.answers import UNREADABLE, passing, safely, unwrapped
from nomicwolf.post.dialect import Client, numbers
from nomicwolf.post.errors import Away, Denied, PostError
from nomicwolf.post.reach import DIRECTLY, Route
from nomicwolf.post.refusals import no_tls, unreached, without
from nomicwolf.post.remedies import known, remedy
from nomicwolf.post.sasl import Bearer
from nomicwolf.post.tls import context_of

BROKEN = (IMAPClientAbortError, ProtocolError)
"""Errors after which nothing that the connection says can be believed."""
_TOO_LONG = "got more than"  # bytes in a line, as imaplib says
_NAMED = 3  # mailboxes that are named to whoever named none of them
_MOST = 2**32  # numbers are smaller (RFC 9051 9)
_LOG = logging.getLogger(__name__)
logging.getLogger("imapclient").setLevel(logging.ERROR)  # it warns of odd bytes in what a server says; errors tell that


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """How to log in: by a password, by a *bearer*'s tokens, or, without either, by the *certificate* (a PEM file).

    *timeout* is in seconds, for each answer; *route* is how the server is reached.
    """

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    user: str
    password: str = field(repr=False)
    mailbox: str = "INBOX"
    timeout: int = 60
    bearer: Bearer | None = field(default=None, repr=False)
    certificate: Path | None = None
    route: Route = DIRECTLY


class ImapConnection:
    """A connection that is made when it is first asked for, and given up when it breaks.

    The longest letter that may be asked for whole has *longest* bytes.
    """

    def __init__(self, account: ImapAccount, longest: int = 0) -> None:
        self._account = account
        self._longest = longest
        self._client: Client | None = None
        self._offers: tuple[str, ...] = ()
        self._told: list[str] = []

    @property
    def where(self) -> str:
        """Return the server as a place, for errors."""
        return f"imap {self._account.host}:{self._account.port}"

    def close(self) -> None:
        """Log out, or just hang up if the server doesn't care for manners."""
        client, self._client = self._client, None
        if client is None:
            return
        try:
            client.logout()
        except (OSError, IMAPClientError):
            _LOG.debug("no goodbye from %s", self._account.host)
            _hang_up(client)

    def client(self) -> Client:
        """Return the client, logged in."""
        if self._client is None:
            account = self._account
            client = self._greeted()
            try:
                client.normalise_times = False
                client._imap.debug = 0  # noqa: SLF001 - else it tells a log, which nobody keeps, of each line
                client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if account.security == "starttls":
                    client.starttls(client.ssl_context)
                if client._imap.state != "AUTH":  # noqa: SLF001 - a greeting of PREAUTH wants no login (RFC 9051 7.1.4)
                    self._log_in(client)
            except BaseException:
                _hang_up(client)
                raise
            self._client = client
        return self._client

    def _log_in(self, client: Client) -> None:
        """Log in; by a token that the server refuses no second time, if there is another."""
        account = self._account
        self._offers = client.mechanisms
        if account.bearer is None and account.certificate is not None and not account.password:
            client.log_in_by_certificate()
            return
        if account.bearer is None:
            client.log_in(account.user, account.password)
            return
        token = account.bearer()
        self._told.append(token)
        try:
            client.log_in_by(account.user, token)
        except LoginError as error:
            if _broken_off(error) or (fresh := account.bearer(token)) == token:
                raise
            self._told.append(fresh)
            client.log_in_by(account.user, fresh)

    def examine(self) -> Mapping[bytes, Any]:
        """Open the mailbox, read-only; a server's no tells besides which of its mailboxes may be meant."""
        client, mailbox = self.client(), self._account.mailbox
        try:
            return dict(client.select_folder(mailbox, readonly=True))
        except IMAPClientError as error:
            if isinstance(error, BROKEN) or passing(str(error)):
                raise
            raise IMAPClientError(f"{str(error).rstrip('.')}{_meant(client, mailbox)}") from error

    def search(self, uids: str, places: str = "") -> list[int]:
        """Ask which UIDs of a set there are, or which of them at some *places* in the mailbox.

        The answer may come in several lines (RFC 9051 7.3.4, RFC 7162 3.1.5).
        """
        server = self.client()._imap  # noqa: SLF001 - imapclient refuses two lines
        server.untagged_responses.pop("ESEARCH", None)
        status, lines = server.uid("SEARCH", *([places] if places else []), "UID", uids)
        if status != "OK":
            raise IMAPClientError(f"search failed: {lines[0]!r}")
        return numbers(lines, server.untagged_responses.pop("ESEARCH", ()))

    def lines(self, uids: str, parts: str) -> Sequence[Any]:
        """Ask for *parts* of the letters of a set of UIDs; return the lines as imaplib gives them."""
        status, lines = self.client()._imap.uid("FETCH", uids, parts)  # noqa: SLF001 - imapclient takes a place for a UID where a server gives none
        if status != "OK":
            raise IMAPClientError(f"fetch failed: {lines[0]!r}")
        return [] if lines == [None] else list(lines)

    def number(self, told: object) -> int:
        """Return a UID, UIDNEXT or UIDVALIDITY; `Away` for what is none."""
        if isinstance(told, int) and 0 <= told < _MOST:
            return told
        self._drop()
        raise Away(f"{self.where}: gives a number that IMAP has not; the next run asks again")

    @contextmanager
    def telling(self, *, opening: bool = False) -> Iterator[None]:
        """Tell what went wrong as `Away` or `Denied`; with *opening*, a no is about the mailbox that was asked for."""
        where = self.where
        try:
            yield
        except PostError:
            self._drop()  # the run is over: no time for manners
            raise
        except LoginError as error:
            if _broken_off(error):
                raise Away(f"{where}: broke off: {safely(error)}; the next run tries again") from error
            raise self._turned_away(where, error) from error
        except ssl.SSLError as error:
            self._drop()
            raise no_tls(error, where, "imap.security and imap.port") or Away(
                f"{where}: {error}; the next run tries again") from error
        except (IMAPClientError, *UNREADABLE) as error:
            self._drop()
            bye = "* BYE" in str(error)  # RFC 9051 7.1.5: the server goes away, for now
            if (opening and isinstance(error, IMAPClientError) and not isinstance(error, BROKEN) and not bye
                    and not passing(str(error)) and _TOO_LONG not in str(error)):
                advice = known("imap", str(error), by_token=self._account.bearer is not None)
                raise Denied(f"{where}: {error}; {advice or 'look at imap.mailbox and imap.security'}") from error
            raise Away(f"{where}: broke off: {safely(error)}; the next run goes on where it was") from error
        except OSError as error:
            self._drop()
            raise Away(
                f"{where}: {unreached(error)}; the next run tries again (imap.host, .port, .security)") from error

    def _greeted(self) -> Client:
        """Connect; `Denied` if what greets there speaks something else."""
        account = self._account
        try:
            return Client(account.host, account.port, security=account.security,
                          timeout=SocketTimeout(account.timeout, account.timeout), longest=self._longest,
                          context=context_of(account.certificate, "imap.certificate_file"), route=account.route)
        except IMAPClientError as error:
            if "unexpected response" in str(error) or str(error) == "None":
                raise Denied(f"{self.where}: no IMAP server answers there; look at imap.host, imap.port and "
                             "imap.security") from error
            if "EOF" in str(error):
                raise Away(f"{self.where}: hangs up before a word; the next run tries again, and if it stays so, look "
                           "at imap.port and imap.security") from error
            raise

    def _turned_away(self, where: str, error: LoginError) -> Away | Denied:
        account = self._account
        said = without(unwrapped(str(error)).rstrip("."), account.user, account.password, self._told)
        if passing(said):
            return Away(f"{where}: can't log anyone in now ({said}); the next run tries again")
        advice = remedy("imap", said, self._offers, account.user, by_token=account.bearer is not None)
        return Denied(f"{where}: refuses {account.user}: {said}; {advice}")

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            _hang_up(client)


def _broken_off(error: LoginError) -> bool:
    return isinstance(error.__context__, IMAPClientAbortError) or _TOO_LONG in str(error)


def _meant(client: Client, mailbox: str) -> str:
    """Name the server's mailboxes that are called like *mailbox*: many put ``INBOX.`` before a name (RFC 2342)."""
    try:
        there = [(name, str(mark or b"", "ascii")) for _, mark, name in client.list_folders()]
    except (OSError, IMAPClientError, *UNREADABLE):
        return ""
    last = re.split(r"[./]", mailbox.lower())[-1]
    same = [name for name, mark in there if name.lower().rpartition(mark or "/")[2] == last]
    found = same or get_close_matches(mailbox, [name for name, _ in there])
    return f"; the server has {', '.join(map(repr, found[:_NAMED]))}" if found else ""


def _hang_up(client: Client) -> None:
    try:
        client.shutdown()
    except (OSError, IMAPClientError):
        _LOG.debug("the connection was closed already")
