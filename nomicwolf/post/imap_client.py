"""An imapclient that accepts what servers send.

Answers to FETCH are parsed by imapclient's parser (RFC 9051 7.5.2). The words that IMAP defines are the same in lower
case (RFC 9051 9). imaplib knows them in upper case alone, with one space between and a text behind, and takes any other
line for an answer out of step; one poll after the other would break off there. Nor does it know IMAP4rev2, which for us
differs in two things: a literal may be one of 8 bits, and SEARCH is answered by ESEARCH.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from imapclient import IMAPClient, SocketTimeout
from imapclient.exceptions import IMAPClientError, LoginError, ProtocolError
from imapclient.imap4 import IMAP4WithTimeout
from imapclient.response_parser import parse_fetch_response
from imapclient.tls import IMAP4_TLS, wrap_socket

from nomicwolf.post.refusals import BY_TOKEN, Proof, by_proof, spoken, token_responder
from nomicwolf.post.routes import DIRECTLY, Route, bare_host, connected

UNREADABLE = (  # from imapclient and imaplib, on odd answers; a MemoryError is a literal of any number of bytes
    ValueError, LookupError, AttributeError, TypeError, AssertionError, ArithmeticError, MemoryError)
_PASSING = ("[UNAVAILABLE]", "[INUSE]", "[LIMIT]", "[SERVERBUG]", "TOO MANY", "TEMPORAR", "TRY AGAIN",
            "DELETED UNDER US")  # RFC 5530, and what servers say without its codes, of what is over after a while
_STANDS_IN = (b"From: System Administrator <root@localhost>\r\nSubject: message unavailable\r\n\r\n",
              b"This message is no longer available on the server.\r\n")  # Courier's, headers and text
_QUOTED = re.compile(r"(unexpected (?:tagged )?response|unterminated line): .*", re.DOTALL)


class Answer(NamedTuple):
    """A server's answer about a letter: *size* in bytes, *arrived* (UTC seconds; 0: not given), *data*.

    None stands for what was not given; *part* is whether *data* is only what the letter begins with.
    """

    size: int | None
    arrived: int
    data: bytes | None
    part: bool


def answered(lines: Sequence[Any]) -> dict[int, Answer]:
    """Parse *lines*, as imaplib returns them, by UID; raise imapclient's errors for odd ones."""
    found = {}
    for uid, facts in by_uid(lines).items():
        part = facts.get(b"BODY[]<0>")
        size, data = facts.get(b"RFC822.SIZE"), facts.get(b"BODY[]", part)
        found[uid] = Answer(
            int(size) if isinstance(size, int | bytes) else None, _seconds(facts.get(b"INTERNALDATE")),
            data if isinstance(data, bytes) else None, b"BODY[]" not in facts and part is not None)
    return found


def by_uid(lines: Sequence[Any]) -> dict[int, dict[bytes, Any]]:
    """Return what is given under each UID: by its place in the mailbox, which may move, no letter is known."""
    known: dict[int, dict[bytes, Any]] = {}
    for answer in _one_by_one(lines):
        for facts in parse_fetch_response(answer, normalise_times=False, uid_is_key=False).values():
            if isinstance(uid := facts.get(b"UID"), int):
                known.setdefault(uid, {}).update(facts)
    return known


def _one_by_one(lines: Sequence[Any]) -> Iterator[list[Any]]:
    """Yield the lines of each answer: those with a literal, and the one that ends it."""
    answer: list[Any] = []
    for line in lines:
        answer.append(line)
        if not isinstance(line, tuple):
            yield answer
            answer = []
    if answer:
        yield answer


def _seconds(date: object) -> int:
    if not isinstance(date, datetime):
        return 0
    return int((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp())


def is_whole(one: Answer, most: int, limit: int) -> bool:
    """Return whether a letter is complete: servers may send less than requested, or a wrong size."""
    if one.data is None or one.size is None:
        return False
    if one.part:
        return one.size <= len(one.data) < most
    return one.size <= limit and (bool(one.data) or not one.size)


def is_placeholder(data: bytes) -> bool:
    """Return whether these are a server's own words in place of a letter that it can't open.

    A letter that came by mail begins with who has received it (RFC 5321 4.4).
    """
    return data.startswith(_STANDS_IN[0]) and data[len(_STANDS_IN[0]):] in (b"", _STANDS_IN[1])


def safe_text(error: Exception) -> str:
    """Return what went wrong without pieces of letters, which imaplib's errors can quote."""
    if isinstance(error, (ProtocolError, *UNREADABLE)):
        return f"an answer that can't be understood ({type(error).__name__})"
    return unwrapped(_QUOTED.sub(r"\1", str(error)))


def unwrapped(said: str) -> str:
    """Return what a server *said* where imaplib gives the bytes of it as their repr.

    >>> unwrapped("b'* BYE too many connections'")
    '* BYE too many connections'
    """
    return said[2:-1] if said[:2] in ("b'", 'b"') and said[-1:] == said[1] else said


def is_temporary(said: str) -> bool:
    """Return whether a server's refusal is temporary."""
    return any(word in said.upper() for word in _PASSING)


_USUAL = re.compile(rb"\* (?:\d+ )?[A-Z-]+(?: (?!\[)|\Z)")
_ANSWER = re.compile(rb"(\*|[A-Z]+\d+)[ \t]+(\d+[ \t]+)?([A-Za-z-]+)([ \t]+\[[A-Za-z-]+)?(?=[ \t\]]|\Z)")

_ATOM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&'+,-./:;<=>?@[]^_`|}~")
_LITERAL = re.compile(rb"~?\{(\d+)\+?\}\Z")
_ALL = re.compile(rb"\bALL ([\d,:]+)", re.IGNORECASE)
_MOST = 1_000_000  # numbers in an answer
ANSWER = 64 << 20
"""Bytes in the answer to one command, besides a letter: some servers give letters whole though parts were asked for."""


def usual(line: bytes) -> bytes:
    """Return an answer's first *line* with its word, and its response code, as imaplib knows them.

    >>> usual(b"* 1 fetch (uid 7)"), usual(b"* ok [uidnext 9] next"), usual(b"ABCD3 ok")
    (b'* 1 FETCH (uid 7)', b'* OK [UIDNEXT 9] next', b'ABCD3 OK ')
    """
    if line.endswith(b"+}") or b"~{" in line:
        line = _LITERAL.sub(rb"{\1}", line)
    if line == b")" or _USUAL.match(line):
        return line
    match = _ANSWER.match(line)
    if match is None:
        return line
    words = [word.strip().upper() for word in match.groups() if word]
    return b" ".join(words) + (line[match.end():] or b" " * (words[0] != b"*"))


def numbers(lines: Sequence[object], extended: Sequence[object]) -> list[int]:
    """Return what a search has found by its SEARCH *lines*, or by *extended*, its ESEARCH ones (RFC 9051 7.3.4).

    ValueError for what is no number, and for more than any mailbox holds.

    >>> numbers([b"3 5 (MODSEQ 9)", None], []), numbers([None], [b'(TAG "A1") UID ALL 3,5:7'])
    ([3, 5], [3, 5, 6, 7])
    """
    found = [int(word) for line in lines if isinstance(line, bytes) for word in line.partition(b"(")[0].split()]
    for line in extended:
        sets = _ALL.search(line) if isinstance(line, bytes) else None
        for part in sets[1].split(b",") if sets else ():
            first, _, last = part.partition(b":")
            ends = sorted((int(first), int(last or first)))
            if ends[1] - ends[0] + len(found) > _MOST:
                raise ValueError("more numbers than letters")
            found += range(ends[0], ends[1] + 1)
    return found


class _Usual:
    """Of an IMAP4 of imaplib's: reads each line as `usual`. Behind a literal no line begins as an answer does.

    The answer to one command has at most *most* bytes: imaplib would keep all that a server sends, or says it will.
    """

    capabilities: tuple[str, ...]
    abort: type[Exception]
    most = left = ANSWER

    def read(self, size: int) -> bytes:
        """Read *size* bytes, within the limit."""
        self._count(size)
        data: bytes = super().read(size)  # type: ignore[misc]
        return data

    def _get_line(self) -> bytes:
        line: bytes = super()._get_line()  # type: ignore[misc]
        self._count(len(line))
        return usual(line)

    def _command(self, name: str, *args: object) -> Any:  # noqa: ANN401 - imaplib's
        self.left = self.most
        return super()._command(name, *args)  # type: ignore[misc]

    def _count(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise self.abort(f"more than {self.most} bytes in answer to one command")

    def _refresh_capabilities(self, consume: bool = False) -> None:
        """Ask after the greeting (*consume*), and not after a login, as imaplib did before Python 3.14.

        What a greeting says of itself may be less, or another's who is on the way (RFC 9051 11.1).
        """
        if consume:
            self._get_capabilities()

    def _get_capabilities(self) -> None:
        super()._get_capabilities()  # type: ignore[misc]
        if "IMAP4REV2" in self.capabilities and "IMAP4REV1" not in self.capabilities:
            self.capabilities = (*self.capabilities, "IMAP4REV1")


class _Plain(_Usual, IMAP4WithTimeout):  # type: ignore[misc]
    """Without TLS, or with STARTTLS, which is then *encrypted* before anyone logs in."""

    def __init__(self, host: str, port: int, wait: float | None, *, encrypted: bool, route: Route) -> None:
        self._encrypted, self._route = encrypted, route
        super().__init__(host, port, wait)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        return connected(self.host, self.port, timeout or self._timeout, encrypted=self._encrypted, route=self._route)


class _Tls(_Usual, IMAP4_TLS):  # type: ignore[misc]
    """With TLS from the first byte on."""

    def __init__(
        self, host: str, port: int, context: ssl.SSLContext | None, wait: float | None, *, route: Route
    ) -> None:
        self._route = route
        super().__init__(host, port, context, wait)

    def _create_socket(self, timeout: float | None = None) -> socket.socket:
        plain = connected(self.host, self.port, timeout or self._timeout, encrypted=True, route=self._route)
        secured: socket.socket = wrap_socket(plain, self.ssl_context, bare_host(self.host))
        return secured


class Client(IMAPClient):  # type: ignore[misc]
    """imapclient's, over lines in their usual form, and connected within reach alone."""

    def __init__(
        self, host: str, port: int, *, security: str, timeout: SocketTimeout, longest: int = 0,
        context: ssl.SSLContext | None = None, route: Route = DIRECTLY,
    ) -> None:
        """Connect to *host*; the longest letter that may be asked for whole has *longest* bytes."""
        self._encrypted, self._route = security != "none", route
        super().__init__(host, port, ssl=security == "tls", ssl_context=context, timeout=timeout)
        self._imap.most = ANSWER + longest
        self._imap.debug = 0  # else it tells a log, which nobody keeps, of each line

    @property
    def logged_in(self) -> bool:
        """Return whether commands on mailboxes may be given."""
        return bool(self._imap.state == "AUTH")

    def by_uids(self, command: str, *arguments: str) -> list[Any]:
        """Give a UID command; return the lines of the answer as imaplib does.

        imapclient takes a letter's place for its UID where a server gives none, and refuses two lines for a search.
        """
        status, lines = self._imap.uid(command, *arguments)
        if status != "OK":
            raise IMAPClientError(f"{command.lower()} failed: {lines[0]!r}")
        return [line for line in lines if line is not None]

    def quotas(self, mailbox: str) -> list[bytes]:
        """Return the lines on the limits of *mailbox*, whose name imapclient's own method doesn't quote."""
        status, (_, quotas) = self._imap.getquotaroot(self._normalise_folder(mailbox))
        return [line for line in quotas if isinstance(line, bytes)] if status == "OK" else []

    def uids(self, uids: str, places: str = "") -> list[int]:
        """Ask which UIDs of a set there are, or which of them at some *places* in the mailbox.

        The answer may come in several lines (RFC 9051 7.3.4, RFC 7162 3.1.5).
        """
        self._imap.untagged_responses.pop("ESEARCH", None)
        lines = self.by_uids("SEARCH", *([places] if places else []), "UID", uids)
        return numbers(lines, self._imap.untagged_responses.pop("ESEARCH", ()))

    def log_in(self, user: str, password: str) -> None:
        """Log in by a proof of the password if the server offers that, else, or if it fails, by sending it.

        It may keep the password in a form that can't be proved. LoginError if it fails.
        """
        mechanism = by_proof(self.mechanisms)
        if mechanism:
            proof = Proof(mechanism, user, password, f"imap {self.host}:{self.port}")
            try:
                self.sasl_login(mechanism, proof)
            except LoginError:
                if not self._tells_passwords:
                    raise
            else:
                if not proof.proved:
                    raise proof.unproved()
                return
        self._log_in_by_telling(user, password)

    @property
    def _tells_passwords(self) -> bool:
        """Return whether the server takes a password as it is, and the connection is still there."""
        offers = self._imap.capabilities
        return self._imap.state == "NONAUTH" and ("AUTH=PLAIN" in offers or "LOGINDISABLED" not in offers)

    def _log_in_by_telling(self, user: str, password: str) -> None:
        """Log in by LOGIN, or by SASL PLAIN where that can't be (RFC 9051 6.2.2, RFC 4616); LoginError if it fails.

        LOGIN is for ASCII alone, and a server may forbid it; imaplib quotes the password, and not the name.
        """
        offers = self._imap.capabilities
        forbidden, plain = "LOGINDISABLED" in offers, "AUTH=PLAIN" in offers
        beyond = not (user + password).isascii()
        if not {"\r", "\n", "\0"}.isdisjoint(user + password):
            raise LoginError("there is a line break in the name or the password, which no server takes")
        if plain and (forbidden or beyond or not _ATOM.issuperset(user)):
            self.plain_login(user, password)
        elif forbidden:
            raise LoginError("[PRIVACYREQUIRED] it takes no name and password like this")
        elif beyond:
            raise LoginError("it takes no name and password beyond ASCII (it offers no AUTH=PLAIN)")
        else:
            self.login(user if _ATOM.issuperset(user) else self._imap._quote(user), password)  # noqa: SLF001

    @property
    def mechanisms(self) -> tuple[str, ...]:
        """Return the server's ways to log in besides LOGIN, such as PLAIN."""
        return tuple(each.removeprefix("AUTH=") for each in self._imap.capabilities if each.startswith("AUTH="))

    def log_in_by(self, user: str, token: str) -> None:
        """Log in by an OAuth 2.0 *token*; LoginError if it fails."""
        mechanism = next((each for each in BY_TOKEN if each in self.mechanisms), "")
        if not mechanism:
            raise LoginError("it offers neither OAUTHBEARER nor XOAUTH2")
        self.sasl_login(mechanism, token_responder(mechanism, user, token))

    def log_in_by_certificate(self) -> None:
        """Log in as whom our certificate names (SASL EXTERNAL, RFC 4422 A); LoginError if it fails."""
        if "EXTERNAL" not in self.mechanisms:
            raise LoginError("it takes no login by a certificate alone (it offers no EXTERNAL)")
        self.sasl_login("EXTERNAL", spoken(b""))

    def _create_IMAP4(self) -> _Plain | _Tls:  # noqa: N802 - imapclient's name
        wait = self._timeout.connect
        if self.ssl:
            return _Tls(self.host, self.port, self.ssl_context, wait, route=self._route)
        return _Plain(self.host, self.port, wait, encrypted=self._encrypted, route=self._route)
