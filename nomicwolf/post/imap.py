"""Letters from an IMAP mailbox (RFC 9051, 3501), read and never touched: EXAMINE, BODY.PEEK, UIDs alone.

Flags are no state of ours. Of a letter above the limit only the headers are fetched. When the server says by a
new UIDVALIDITY that its numbers mean other letters now, everything is read again: what was heard is recognised.
"""

from __future__ import annotations

import logging
import socket
import ssl
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from imapclient import SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError, ProtocolError

from nomicwolf.dataclass import dataclass
from nomicwolf.post.answers import UNREADABLE, Told, by_uid, passing, safely, told, unwrapped, whole
from nomicwolf.post.dialect import Client, numbers
from nomicwolf.post.errors import Away, Denied, PostError
from nomicwolf.post.refusals import no_tls, without
from nomicwolf.post.source import Fetched, Known, Mark

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Raw

CHUNK = 250  # UIDs in one command: servers limit the length of a line
FIRST = 32_768  # bytes of each letter that are asked for before it is known how long it is; times `CHUNK` in memory
_BROKEN = (IMAPClientAbortError, ProtocolError)
_TOO_LONG = "got more than"  # bytes in a line, as imaplib says
_MOST = 2**32  # numbers are smaller (RFC 9051 9)
_LOG = logging.getLogger(__name__)
logging.getLogger("imapclient").setLevel(logging.ERROR)  # it warns of odd bytes in what a server says; errors tell that


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
        self._client: Client | None = None
        self._after: Mark | None = None

    @property
    def name(self) -> str:
        """Return the mailbox as a place: ``imap:host/user/INBOX``."""
        return f"imap:{self._account.host}/{self._account.user}/{self._account.mailbox}"

    @property
    def _where(self) -> str:
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

    def nothing_new(self, mark: Mark | None) -> bool:
        """Compare STATUS's UIDVALIDITY and UIDNEXT with the mark: one command, no mailbox opened."""
        if mark is None:
            return False
        with self._telling(opening=True):
            client = self._connect()
            try:
                status = client.folder_status(self._account.mailbox, ["UIDVALIDITY", "UIDNEXT"])
            except IMAPClientAbortError:
                raise
            except (IMAPClientError, *UNREADABLE):
                client.select_folder(self._account.mailbox, readonly=True)  # what STATUS can't say, this tells
                return False
        facts = {bytes(key).upper(): number for key, number in status.items() if isinstance(key, bytes)}
        return (facts.get(b"UIDVALIDITY"), facts.get(b"UIDNEXT")) == (mark[1], mark[2] + 1)

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return new letters by rising UID; each carries the mark with which it may be forgotten.

        A server that gives numbers a second time, under the same UIDVALIDITY, is read again from the first one
        on; a letter with a number that is known gets a place with its hash. Where numbers last for one look only
        (UIDNOTSTICKY, RFC 4315), each has a place by its hash, and which copy it is of the same bytes.
        """
        with self._telling(opening=True):
            opened = self._connect().select_folder(self._account.mailbox, readonly=True)
        validity, after = self._number(opened.get(b"UIDVALIDITY", 0)), self._number(opened.get(b"UIDNEXT", 0))
        copies: Counter[str] | None = Counter() if b"UIDNOTSTICKY" in opened else None
        validity = 0 if copies is not None else validity
        trusted = mark is not None and mark[1] == validity and copies is None
        last = mark[2] if mark and trusted and not 0 < after <= mark[2] else 0
        found = array("L", sorted({uid for uid in self._behind(last, opened) if uid > last}))
        for start in range(0, len(found), CHUNK):
            places = {uid: f"{self.name};UIDVALIDITY={validity};UID={uid}" for uid in found[start:start + CHUNK]}
            heard = known(places.values())
            wanted = [uid for uid, place in places.items() if trusted or place not in heard]
            for raw in self._chunk(wanted, places) if wanted else ():
                again = _again(raw) if raw.place in heard else raw
                placed = again if copies is None else self._by_hash(raw, copies)
                if placed is raw or not known((placed.place,)):
                    yield Fetched(placed, (self.name, validity, raw.order))
        self._after = (self.name, validity, max([*found[-1:], after - 1, last]))

    def _by_hash(self, raw: Raw, copies: Counter[str]) -> Raw:
        content = sha256(raw.data).hexdigest()[:32]
        copies[content] += 1
        return replace(raw, place=f"{self.name};SHA256={content};COPY={copies[content]}")

    def mark_after(self) -> Mark | None:
        """Return the mark up to UIDNEXT, so that expunged letters aren't looked for again."""
        return self._after

    def _behind(self, last: int, opened: Mapping[bytes, object]) -> Sequence[int]:
        """Ask for the UIDs behind *last*; `Away` if the server lists none though the mailbox isn't empty.

        ``n:*`` always has the last letter (RFC 9051 9), but some servers forget it, and list it among all.
        """
        with self._telling():
            found = self._search(f"{last + 1}:*")
            if not found and opened.get(b"EXISTS"):
                found = self._search("1:*")
            if not found and opened.get(b"EXISTS"):
                raise Away(f"{self._where}: {self._account.mailbox} has letters, but the server lists none; "
                           "the next run asks again")
        return [self._number(uid) for uid in found]

    def _search(self, uids: str) -> list[int]:
        """Ask which UIDs of a set there are; the answer may come in several lines (RFC 9051 7.3.4, RFC 7162 3.1.5)."""
        server = self._connect()._imap  # noqa: SLF001 - imapclient refuses two lines
        server.untagged_responses.pop("ESEARCH", None)
        status, lines = server.uid("SEARCH", "UID", uids)
        if status != "OK":
            raise IMAPClientError(f"search failed: {lines[0]!r}")
        return numbers(lines, server.untagged_responses.pop("ESEARCH", ()))

    def _number(self, told: object) -> int:
        """Return a UID, UIDNEXT or UIDVALIDITY; `Away` for what is none."""
        if isinstance(told, int) and 0 <= told < _MOST:
            return told
        self._drop()
        raise Away(f"{self._where}: gives a number that IMAP has not; the next run asks again")

    def _chunk(self, uids: Sequence[int], places: dict[int, str]) -> Iterator[Raw]:
        """Ask for all sizes, dates and beginnings at once; few letters are longer, and asked for one by one."""
        from nomicwolf.letters.letter import Raw

        most = min(FIRST, self._limit + 1)
        answers = self._beginnings(uids, most)
        for uid in uids:
            one = answers.get(uid)
            if one is None or one.size is None:
                self._must_be_gone(uid)
                continue
            data, truncated = one.data, False
            if not whole(one, most, self._limit):
                truncated = one.size > self._limit
                data = self._one(uid, "BODY[HEADER]" if truncated else "BODY[]")
            if not data and (data is None or one.size):
                self._must_be_gone(uid)
                continue
            yield Raw(places[uid], uid, one.arrived, data, one.size, truncated=truncated)

    def _must_be_gone(self, uid: int) -> None:
        """A letter that isn't given was expunged in between; `Away` if the server still has it: none is passed over."""
        with self._telling():
            there = uid in self._search(str(uid))
        if there:
            raise Away(f"{self._where}: has letter {uid} of {self._account.mailbox}, but doesn't give it; the next run "
                       "asks again. If it never does, move that letter elsewhere")

    def _beginnings(self, uids: Sequence[int], most: int) -> dict[int, Told]:
        """Ask for sizes, dates and the first *most* bytes; without those where a server refuses to give parts."""
        numbers, facts = ",".join(map(str, uids)), "RFC822.SIZE INTERNALDATE"
        with self._telling():
            try:
                return self._told(numbers, f"({facts} BODY.PEEK[]<0.{most}>)")
            except IMAPClientError as error:
                if isinstance(error, _BROKEN):
                    raise
                return self._told(numbers, f"({facts})")

    def _told(self, uids: str, parts: str) -> dict[int, Told]:
        return told(self._lines(uids, parts))

    def _lines(self, uids: str, parts: str) -> Sequence[Any]:
        status, lines = self._connect()._imap.uid("FETCH", uids, parts)  # noqa: SLF001 - its parser takes most of the time
        if status != "OK":
            raise IMAPClientError(f"fetch failed: {lines[0]!r}")
        return [] if lines == [None] else list(lines)

    def _one(self, uid: int, part: str) -> bytes | None:
        """Ask for one letter's *part*; None if it was expunged in between."""
        with self._telling():
            told_of = by_uid(self._lines(str(uid), f"({part.replace('[', '.PEEK[')})"))
        data = told_of.get(uid, {}).get(part.encode())
        return data if isinstance(data, bytes) else None

    def _connect(self) -> Client:
        if self._client is None:
            account = self._account
            client = self._greeted()
            try:
                client.normalise_times = False
                client._imap.debug = 0  # noqa: SLF001 - else it tells a log, which nobody keeps, of each line
                client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if account.security == "starttls":
                    client.starttls(ssl.create_default_context())
                if client._imap.state != "AUTH":  # noqa: SLF001 - a greeting of PREAUTH wants no login (RFC 9051 7.1.4)
                    client.log_in(account.user, account.password)
            except BaseException:
                _hang_up(client)
                raise
            self._client = client
        return self._client

    def _greeted(self) -> Client:
        """Connect; `Denied` if what greets there speaks something else."""
        account = self._account
        try:
            return Client(account.host, account.port, ssl=account.security == "tls",
                          timeout=SocketTimeout(account.timeout, account.timeout))
        except IMAPClientError as error:
            if "unexpected response" in str(error) or str(error) == "None":
                raise Denied(f"{self._where}: no IMAP server answers there; look at imap.host, imap.port and "
                             "imap.security") from error
            raise

    @contextmanager
    def _telling(self, *, opening: bool = False) -> Iterator[None]:
        where = self._where
        try:
            yield
        except PostError:
            self._drop()  # the run is over: no time for manners
            raise
        except LoginError as error:
            if isinstance(error.__context__, IMAPClientAbortError) or _TOO_LONG in str(error):
                raise Away(f"{where}: broke off: {safely(error)}; the next run tries again") from error
            raise self._turned_away(where, error) from error
        except ssl.SSLError as error:
            self._drop()
            raise no_tls(error, where, "imap.security and imap.port") or Away(
                f"{where}: {error}; the next run tries again") from error
        except (IMAPClientError, *UNREADABLE) as error:
            self._drop()
            bye = "* BYE" in str(error)  # RFC 9051 7.1.5: the server goes away, for now
            if (opening and isinstance(error, IMAPClientError) and not isinstance(error, _BROKEN) and not bye
                    and not passing(str(error)) and _TOO_LONG not in str(error)):
                raise Denied(f"{where}: {error}; look at imap.mailbox and imap.security") from error
            raise Away(f"{where}: broke off: {safely(error)}; the next run goes on where it was") from error
        except OSError as error:
            self._drop()
            raise Away(f"{where}: {error}; the next run tries again (imap.host, .port, .security)") from error

    def _turned_away(self, where: str, error: LoginError) -> Away | Denied:
        said = without(unwrapped(str(error)).rstrip("."), self._account.user, self._account.password)
        if passing(said):
            return Away(f"{where}: can't log anyone in now ({said}); the next run tries again")
        keys = "imap.security" if "PRIVACYREQUIRED" in said.upper() else "imap.user and imap.password"  # RFC 5530
        return Denied(f"{where}: refuses {self._account.user}: {said}; set {keys}")

    def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            _hang_up(client)


def _hang_up(client: Client) -> None:
    try:
        client.shutdown()
    except (OSError, IMAPClientError):
        _LOG.debug("the connection was closed already")


def _again(raw: Raw) -> Raw:
    """Return a letter whose place was another's before, with its hash in its place."""
    return replace(raw, place=f"{raw.place};AGAIN={sha256(raw.data).hexdigest()[:16]}")
