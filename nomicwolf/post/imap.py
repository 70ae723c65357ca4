"""Letters and quota of an IMAP mailbox.

The mailbox is read and never touched: EXAMINE, BODY.PEEK, UIDs alone (RFC 9051, 3501). Flags are no state of ours. Of a
letter above the limit only the headers are fetched. When the server says by a new UIDVALIDITY that its numbers mean
other letters now, everything is read again: what was heard is recognised. A full mailbox (QUOTA, RFC 9208) returns
letters to their authors.
"""

from __future__ import annotations

import logging
import re
import socket
import ssl
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from imapclient import SocketTimeout
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError, ProtocolError

from nomicwolf.post.imap_client import (
    UNREADABLE,
    Answer,
    Client,
    answered,
    by_uid,
    is_placeholder,
    is_temporary,
    is_whole,
    safe_text,
    unwrapped,
)
from nomicwolf.post.refusals import Away, Bearer, Denied, PostError, known, no_tls, remedy, unreached, without
from nomicwolf.post.routes import DIRECTLY, Route, context_of
from nomicwolf.post.source import Fetched, Known, Mark
from nomicwolf.settings.keys import ImapSettings

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Raw

BROKEN = (IMAPClientAbortError, ProtocolError)
"""Errors after which nothing that the connection says can be believed."""
_TOO_LONG = "got more than"  # bytes in a line, as imaplib says
_ODD_GREETING = "invalid greeting: "  # as imaplib says from Python 3.14 on, before what was said
_NAMED = 3  # mailboxes that are named to whoever named none of them
_MOST = 2**32  # numbers are smaller (RFC 9051 9)
_LOG = logging.getLogger(__name__)
logging.getLogger("imapclient").setLevel(logging.ERROR)  # it warns of odd bytes in what a server says; errors tell that


@dataclass(frozen=True, slots=True)
class ImapAccount(ImapSettings):
    """A login: by password, by a *bearer*'s tokens, or by the certificate alone; *route* is how the server is reached.

    The *port* is that which is asked.
    """

    bearer: Bearer | None = field(default=None, repr=False)
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
                client.socket().setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                if account.security == "starttls":
                    client.starttls(client.ssl_context)
                if not client.logged_in:  # a greeting of PREAUTH wants no login (RFC 9051 7.1.4)
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
        if account.bearer is None and account.certificate_file is not None and not account.password:
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
        """Open the mailbox, read-only; if the server refuses, name its mailboxes that could be meant."""
        client, mailbox = self.client(), self._account.mailbox
        try:
            return dict(client.select_folder(mailbox, readonly=True))
        except IMAPClientError as error:
            if isinstance(error, BROKEN) or is_temporary(str(error)):
                raise
            raise IMAPClientError(f"{str(error).rstrip('.')}{_meant(client, mailbox)}") from error

    def number(self, told: object) -> int:
        """Return a UID, UIDNEXT or UIDVALIDITY; `Away` for what is none."""
        if isinstance(told, int) and 0 <= told < _MOST:
            return told
        self._drop()
        raise Away(f"{self.where}: gives a number that IMAP has not; the next run asks again")

    @contextmanager
    def telling(self, *, opening: bool = False) -> Iterator[None]:
        """Raise `Away` or `Denied` for what went wrong; with *opening*, a refusal concerns the mailbox."""
        where = self.where
        try:
            yield
        except PostError:
            self._drop()  # the run is over: no time for manners
            raise
        except LoginError as error:
            if _broken_off(error):
                raise Away(f"{where}: broke off: {self._said(safe_text(error))}; the next run tries again") from error
            raise self._turned_away(where, error) from error
        except ssl.SSLError as error:
            self._drop()
            raise no_tls(error, where, "imap.security and imap.port") or Away(
                f"{where}: {error}; the next run tries again") from error
        except (IMAPClientError, *UNREADABLE) as error:
            self._drop()
            bye = "* BYE" in str(error)  # RFC 9051 7.1.5: the server goes away, for now
            if (opening and isinstance(error, IMAPClientError) and not isinstance(error, BROKEN) and not bye
                    and not is_temporary(str(error)) and _TOO_LONG not in str(error)):
                advice = known("imap", str(error), by_token=self._account.bearer is not None)
                raise Denied(f"{where}: {self._said(str(error))}; "
                             f"{advice or 'look at imap.mailbox and imap.security'}") from error
            said = self._said(safe_text(error))
            raise Away(f"{where}: broke off: {said}; the next run goes on where it was") from error
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
                          context=context_of(account.certificate_file, "imap.certificate_file"), route=account.route)
        except IMAPClientError as error:
            said = str(error).removeprefix(_ODD_GREETING)
            if "unexpected response" in said or said == "None" or (said != str(error) and "* BYE" not in said):
                raise Denied(f"{self.where}: no IMAP server answers there; look at imap.host, imap.port and "
                             "imap.security") from error
            if "EOF" in said:
                raise Away(f"{self.where}: hangs up before a word; the next run tries again, and if it stays so, look "
                           "at imap.port and imap.security") from error
            raise type(error)(said) from error

    def _said(self, text: str) -> str:
        """Return what the server said without what proves who we are."""
        return without(text, self._account.user, self._account.password, self._told)

    def _turned_away(self, where: str, error: LoginError) -> Away | Denied:
        account = self._account
        said = self._said(unwrapped(str(error)).rstrip("."))
        if is_temporary(said):
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


_LIST = re.compile(rb"\(([^()]*)\)\s*\Z")


def fullness(account: ImapAccount) -> float | None:
    """Return how much of what a mailbox may hold is used, of bytes or of letters whichever is more; 1 is full.

    None where the server sets no limit, or tells none. `Away` and `Denied` may come.
    """
    connection = ImapConnection(account)
    with closing(connection), connection.telling(opening=True):
        client = connection.client()
        if not client.has_capability("QUOTA"):
            return None
        quotas = client.quotas(account.mailbox)
    return max((used / most for line in quotas for used, most in limits(line) if most), default=None)


def limits(quota: bytes) -> Iterator[tuple[int, int]]:
    """Yield what is used and the limit of each resource in an answer.

    >>> [*limits(b'"User quota" (STORAGE 10 512 MESSAGE 3 50)')]
    [(10, 512), (3, 50)]
    """
    found = _LIST.search(quota)
    words = found[1].split() if found else []
    for used, most in zip(words[1::3], words[2::3], strict=False):
        if used.isdigit() and most.isdigit():
            yield int(used), int(most)


CHUNK = 250  # UIDs in one command: servers limit the length of a line
LISTED = 80_000  # UIDs in one answer: a line of more than 1,000,000 bytes is none for imaplib, and each may take eleven
FIRST = 32_768  # bytes of each letter that are asked for before it is known how long it is; times `CHUNK` in memory


class ImapSource:
    """One mailbox; *limit* is the size in bytes up to which letters are fetched whole."""

    def __init__(self, account: ImapAccount, limit: int) -> None:
        self._account = account
        self._limit = limit
        self._server = ImapConnection(account, limit)
        self._after: Mark | None = None

    @property
    def name(self) -> str:
        """Return the mailbox as a place: ``imap:host/user/INBOX``."""
        return f"imap:{self._account.host}/{self._account.user}/{self._account.mailbox}"

    def close(self) -> None:
        """Log out, or just hang up if the server doesn't care for manners."""
        self._server.close()

    def nothing_new(self, mark: Mark | None) -> bool:
        """Compare STATUS's UIDVALIDITY and UIDNEXT with the mark: one command, no mailbox opened."""
        if mark is None:
            return False
        with self._server.telling(opening=True):
            client = self._server.client()
            try:
                status = client.folder_status(self._account.mailbox, ["UIDVALIDITY", "UIDNEXT"])
            except IMAPClientAbortError:
                raise
            except (IMAPClientError, *UNREADABLE):
                self._server.examine()  # what STATUS can't say, this tells
                return False
        facts = {bytes(key).upper(): number for key, number in status.items() if isinstance(key, bytes)}
        return (facts.get(b"UIDVALIDITY"), facts.get(b"UIDNEXT")) == (mark[1], mark[2] + 1)

    def newest(self) -> int | None:
        """Return the INTERNALDATE of the letter with the highest UID (UTC seconds), None if the mailbox is empty."""
        with self._server.telling(opening=True):
            opened = self._server.examine()
        last = max(self._behind(max(self._server.number(opened.get(b"UIDNEXT", 1)) - 1, 0), opened), default=0)
        with self._server.telling():
            found = self._answered(str(last), "(RFC822.SIZE INTERNALDATE)") if last else {}
        return max((one.arrived for one in found.values()), default=None)

    def fetch(self, mark: Mark | None, known: Known) -> Iterator[Fetched]:
        """Return new letters by rising UID; each carries the mark with which it may be forgotten.

        A server that gives numbers a second time, under the same UIDVALIDITY, is read again from the first one
        on; a letter with a number that is known gets a place with its hash. Where numbers last for one look only
        (UIDNOTSTICKY, RFC 4315), each has a place by its hash, and which copy it is of the same bytes.
        """
        with self._server.telling(opening=True):
            opened = self._server.examine()
        validity, after = (self._server.number(opened.get(fact, 0)) for fact in (b"UIDVALIDITY", b"UIDNEXT"))
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
        with self._server.telling():
            found = self._listed(last, opened)
            if not found and opened.get(b"EXISTS"):
                found = self._listed(0, opened)
            if not found and opened.get(b"EXISTS"):
                raise Away(f"{self._server.where}: {self._account.mailbox} has letters, but the server lists none; "
                           "the next run asks again")
        return [self._server.number(uid) for uid in found]

    def _listed(self, last: int, opened: Mapping[bytes, object]) -> list[int]:
        """Ask for the UIDs behind *last*, in parts where they could be too many for a line.

        The parts are by place, the last one first: what is expunged meanwhile moves letters into parts that are still
        to be asked for, never out of them.
        """
        there, after = (self._server.number(opened.get(fact, 0)) for fact in (b"EXISTS", b"UIDNEXT"))
        most = min(there, after - last) if after else there
        starts = range(1, there, LISTED) if most > LISTED else range(1, 2)
        found: list[int] = []
        for start in reversed(starts):
            end = "*" if start == starts[-1] else start + LISTED - 1
            found += self._server.client().uids(f"{last + 1}:*", f"{start}:{end}" if len(starts) > 1 else "")
        return found

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
            if not is_whole(one, most, self._limit):
                truncated = one.size > self._limit
                data = self._one(uid, "BODY[HEADER]" if truncated else "BODY[]")
            if data is None or is_placeholder(data) or (not data and one.size):
                self._must_be_gone(uid)
                continue
            yield Raw(places[uid], uid, one.arrived, data, one.size, truncated=truncated)

    def _must_be_gone(self, uid: int) -> None:
        """A letter that isn't given was expunged in between; `Away` if the server still has it: none is passed over.

        A server may find it until NOOP lets it say that it is gone (RFC 9051 7.5.1).
        """
        with self._server.telling():
            client = self._server.client()
            there = uid in client.uids(str(uid))
            if there:
                client.noop()
                there = uid in client.uids(str(uid))
        if there:
            raise Away(f"{self._server.where}: has letter {uid} of {self._account.mailbox}, but doesn't give it; the "
                       "next run asks again. If it never does, move that letter elsewhere")

    def _beginnings(self, uids: Sequence[int], most: int) -> dict[int, Answer]:
        """Ask for sizes, dates and the first *most* bytes; without those where a server refuses to give parts."""
        numbers, facts = ",".join(map(str, uids)), "RFC822.SIZE INTERNALDATE"
        with self._server.telling():
            try:
                return self._answered(numbers, f"({facts} BODY.PEEK[]<0.{most}>)")
            except IMAPClientError as error:
                if isinstance(error, BROKEN):
                    raise
                return self._answered(numbers, f"({facts})")

    def _answered(self, uids: str, parts: str) -> dict[int, Answer]:
        return answered(self._server.client().by_uids("FETCH", uids, parts))

    def _one(self, uid: int, part: str) -> bytes | None:
        """Ask for one letter's *part*; None if it was expunged in between."""
        with self._server.telling():
            found = by_uid(self._server.client().by_uids("FETCH", str(uid), f"({part.replace('[', '.PEEK[')})"))
        data = found.get(uid, {}).get(part.encode())
        return data if isinstance(data, bytes) else None

def _again(raw: Raw) -> Raw:
    """Return a letter whose place was another's before, with its hash in its place."""
    return replace(raw, place=f"{raw.place};AGAIN={sha256(raw.data).hexdigest()[:16]}")
