"""Letters from an IMAP mailbox (RFC 9051, 3501), read and never touched: EXAMINE, BODY.PEEK, UIDs alone.

Flags are no state of ours. Of a letter above the limit only the headers are fetched. When the server says by a
new UIDVALIDITY that its numbers mean other letters now, everything is read again: what was heard is recognised.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from nomicwolf.post.answers import UNREADABLE, Answer, answered, by_uid, stands_in, whole
from nomicwolf.post.errors import Away
from nomicwolf.post.imap_connection import BROKEN, ImapAccount, ImapConnection
from nomicwolf.post.source import Fetched, Known, Mark

if TYPE_CHECKING:
    from nomicwolf.letters.letter import Raw

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
            found += self._server.search(f"{last + 1}:*", f"{start}:{end}" if len(starts) > 1 else "")
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
            if not whole(one, most, self._limit):
                truncated = one.size > self._limit
                data = self._one(uid, "BODY[HEADER]" if truncated else "BODY[]")
            if data is None or stands_in(data) or (not data and one.size):
                self._must_be_gone(uid)
                continue
            yield Raw(places[uid], uid, one.arrived, data, one.size, truncated=truncated)

    def _must_be_gone(self, uid: int) -> None:
        """A letter that isn't given was expunged in between; `Away` if the server still has it: none is passed over.

        A server may find it until NOOP lets it say that it is gone (RFC 9051 7.5.1).
        """
        with self._server.telling():
            there = uid in self._server.search(str(uid))
            if there:
                self._server.client().noop()
                there = uid in self._server.search(str(uid))
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
        return answered(self._server.lines(uids, parts))

    def _one(self, uid: int, part: str) -> bytes | None:
        """Ask for one letter's *part*; None if it was expunged in between."""
        with self._server.telling():
            found = by_uid(self._server.lines(str(uid), f"({part.replace('[', '.PEEK[')})"))
        data = found.get(uid, {}).get(part.encode())
        return data if isinstance(data, bytes) else None

def _again(raw: Raw) -> Raw:
    """Return a letter whose place was another's before, with its hash in its place."""
    return replace(raw, place=f"{raw.place};AGAIN={sha256(raw.data).hexdigest()[:16]}")
