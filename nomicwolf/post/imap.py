"""Letters from an IMAP mailbox (RFC 9051, 3501), read and never touched: EXAMINE, BODY.PEEK, UIDs alone.

Flags are no state of ours. Of a letter above the limit only the headers are fetched. When the server says by a
new UIDVALIDITY that its numbers mean other letters now, everything is read again: what was heard is recognised.
"""

from __future__ import annotations

import logging
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError, ProtocolError

from nomicwolf.post.errors import Away, Denied, PostError
from nomicwolf.post.source import Fetched, Mark

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Raw

CHUNK = 500  # UIDs in one command: servers limit the length of a line
AT_ONCE = 8_000_000  # bytes of letters in one answer
_BROKEN = (IMAPClientAbortError, ProtocolError)
_UNREADABLE = (ValueError, LookupError, AttributeError, TypeError, AssertionError)  # from imapclient, on odd answers
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ImapAccount:
    """How to log in; *timeout* is in seconds, for connecting and for every answer."""

    host: str
    port: int
    security: Literal["tls", "starttls", "none"]
    user: str
    password: str = field(repr=False)
    mailbox: str = "INBOX"
    timeout: int = 60


class ImapSource:
    """One mailbox; *limit* is the size in bytes up to which letters are fetched whole."""

    def __init__(self, account: ImapAccount, limit: int) -> None:
        self._account = account
        self._limit = limit
        self._client: IMAPClient | None = None
        self._after: Mark | None = None

    @property
    def name(self) -> str:
        """Return the mailbox as a place: ``imap:host/user/INBOX``."""
        return f"imap:{self._account.host}/{self._account.user}/{self._account.mailbox}"

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

    def nothing_new(self, mark: Mark | None) -> bool:
        """Compare STATUS's UIDVALIDITY and UIDNEXT with the mark: one command, no mailbox opened."""
        if mark is None:
            return False
        with self._telling(opening=True):
            status = self._connect().folder_status(self._account.mailbox, ["UIDVALIDITY", "UIDNEXT"])
        return (status.get(b"UIDVALIDITY"), status.get(b"UIDNEXT")) == (mark[1], mark[2] + 1)

    def fetch(self, mark: Mark | None, known: Callable[[str], bool]) -> Iterator[Fetched]:
        """Return new letters by rising UID; each carries the mark with which it may be forgotten.

        A server that gives numbers a second time, under the same UIDVALIDITY, is read again from the first one
        on; a letter with a number that is known gets a place with its hash.
        """
        with self._telling(opening=True):
            opened = self._connect().select_folder(self._account.mailbox, readonly=True)
        validity, after = int(opened.get(b"UIDVALIDITY", 0)), int(opened.get(b"UIDNEXT", 0))
        trusted = mark is not None and mark[1] == validity
        last = mark[2] if mark and trusted and not 0 < after <= mark[2] else 0
        with self._telling():
            found = self._connect().search(["UID", f"{last + 1}:*"])
        places = {uid: f"{self.name};UIDVALIDITY={validity};UID={uid}" for uid in sorted(found) if uid > last}
        wanted = [uid for uid, place in places.items() if trusted or not known(place)]
        for start in range(0, len(wanted), CHUNK):
            for raw in self._chunk(wanted[start:start + CHUNK], places):
                placed = _again(raw) if known(raw.place) else raw
                if placed is raw or not known(placed.place):
                    yield Fetched(placed, (self.name, validity, raw.order))
        self._after = (self.name, validity, max([*places, after - 1, last]))

    def mark_after(self) -> Mark | None:
        """Return the mark up to UIDNEXT, so that expunged letters aren't looked for again."""
        return self._after

    def _chunk(self, uids: Sequence[int], places: dict[int, str]) -> Iterator[Raw]:
        """Ask for sizes and dates first, then for the letters, so many at once as may be in memory."""
        from nomicwolf.letters.letter import Raw

        with self._telling():
            facts = self._connect().fetch(list(uids), ["RFC822.SIZE", "INTERNALDATE"])
        sizes = {uid: int(facts[uid][b"RFC822.SIZE"]) for uid in uids if b"RFC822.SIZE" in facts.get(uid, {})}
        for group in _groups(sizes, self._limit):
            part = "BODY.PEEK[]" if sizes[group[0]] <= self._limit else "BODY.PEEK[HEADER]"
            with self._telling():
                answer = self._connect().fetch(group, [part])
            for uid in group:
                data = answer.get(uid, {}).get(part.replace(".PEEK", "").encode())
                if data is not None:  # else it was expunged in between
                    yield Raw(
                        places[uid], uid, _seconds(facts[uid].get(b"INTERNALDATE")), data, sizes[uid],
                        truncated=part != "BODY.PEEK[]")

    def _connect(self) -> IMAPClient:
        if self._client is None:
            account = self._account
            client = IMAPClient(
                account.host, account.port, ssl=account.security == "tls",
                timeout=SocketTimeout(account.timeout, account.timeout))
            try:
                client.normalise_times = False
                client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if account.security == "starttls":
                    client.starttls(ssl.create_default_context())
                client.login(account.user, account.password)
            except BaseException:
                _hang_up(client)
                raise
            self._client = client
        return self._client

    @contextmanager
    def _telling(self, *, opening: bool = False) -> Iterator[None]:
        where = f"imap {self._account.host}:{self._account.port}"
        try:
            yield
        except PostError:
            self._drop()  # the run is over: no time for manners
            raise
        except LoginError as error:
            raise self._turned_away(where, error) from error
        except ssl.SSLCertVerificationError as error:
            raise Denied(f"{where}: its certificate is not good for that name: {error.verify_message}") from error
        except (IMAPClientError, *_UNREADABLE) as error:
            self._drop()
            if opening and isinstance(error, IMAPClientError) and not isinstance(error, _BROKEN):
                raise Denied(f"{where}: {error}; look at imap.mailbox and imap.security") from error
            raise Away(f"{where}: broke off: {error}; the next run goes on where it was") from error
        except OSError as error:
            self._drop()
            raise Away(f"{where}: {error}; the next run tries again (imap.host, .port, .security)") from error

    def _turned_away(self, where: str, error: LoginError) -> Away | Denied:
        if "UNAVAILABLE" in str(error).upper():
            return Away(f"{where}: can't log anyone in now ({error}); the next run tries again")
        return Denied(f"{where}: refuses {self._account.user}: {error}; set imap.user and imap.password")

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            _hang_up(client)


def _hang_up(client: IMAPClient) -> None:
    try:
        client.shutdown()
    except (OSError, IMAPClientError):
        _LOG.debug("the connection was closed already")


def _groups(sizes: dict[int, int], limit: int) -> Iterator[list[int]]:
    """Split UIDs into runs of whole and of too big letters, each of at most `AT_ONCE` bytes, in order."""
    group: list[int] = []
    total = 0
    for uid in sorted(sizes):
        weight = sizes[uid] if sizes[uid] <= limit else 1 << 16
        if group and (total + weight > AT_ONCE or (sizes[group[0]] <= limit) != (sizes[uid] <= limit)):
            yield group
            group, total = [], 0
        group.append(uid)
        total += weight
    if group:
        yield group


def _seconds(date: Any) -> int:  # noqa: ANN401 - as the server gave it
    if not isinstance(date, datetime):
        return 0
    return int((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp())


def _again(raw: Raw) -> Raw:
    """Return a letter whose place was another's before, with its hash in its place."""
    return replace(raw, place=f"{raw.place};AGAIN={sha256(raw.data).hexdigest()[:16]}")
