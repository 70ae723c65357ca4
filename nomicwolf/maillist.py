"""A mailing list's effect on a letter.

The marks are Mailman's, as both nomics' forums carry them: ``Received`` by the list's own host (RFC 5321,
4.4), ``List-Id`` (RFC 2919), ``List-Post`` (RFC 2369), ``X-BeenThere``, a tag before the subject, a footer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header, decode_header, make_header
from email.utils import format_datetime, parseaddr

PLAIN = re.compile(rb"(?i)text/plain\b")
APPENDABLE = frozenset({b"", b"7bit", b"8bit", b"quoted-printable"})


@dataclass(frozen=True, slots=True)
class MailingList:
    """A forum's mailing list.

    *address* takes the posts; *title* is the phrase of its List-Id; *tag* (``BUS:``, ``[s-b]``) goes before the
    subject; *footer* is ASCII text, appended to plain letters; *subscribers* are addresses; *reply_to* replaces the
    writer's Reply-To; a list that *rewrites_from* puts itself into From and the writer into Reply-To.
    """

    address: str
    title: str
    tag: str
    footer: str
    subscribers: tuple[str, ...]
    reply_to: str = ""
    rewrites_from: bool = False

    @property
    def name(self) -> str:
        """The local part of its address (``agora-business``)."""
        return self.address.rpartition("@")[0]

    @property
    def host(self) -> str:
        """The host that stamps its posts (``lists.agora.example``)."""
        return self.address.rpartition("@")[2]

    @property
    def bounces(self) -> str:
        """The envelope sender of what it distributes."""
        return f"{self.name}-bounces@{self.host}"


def distributed(post: bytes, forum: MailingList, at: int) -> bytes:
    """Return *post* as the list sends it to its subscribers, stamped at *at* (UTC seconds), with CRLF line ends."""
    head, body = split(post)
    if takes_footer(head):
        body = body.rstrip(b"\r\n") + b"\r\n" + crlf(forum.footer.encode("ascii")).rstrip(b"\r\n") + b"\r\n"
    return trace("[127.0.0.1]", forum.host, at) + marks(forum) + rewritten(head, forum) + b"\r\n" + body


def been_there(post: bytes, forum: MailingList) -> bool:
    """Return whether *post* has come through this list before; a list never distributes anything twice."""
    return f"x-beenthere: {forum.address}".encode().lower() in split(post)[0].lower().split(b"\r\n")


def trace(client: str, host: str, at: int) -> bytes:
    """Return a Received header: *host* took the letter from *client* at *at* (UTC seconds)."""
    date = format_datetime(datetime.fromtimestamp(at, UTC))
    return f"Received: from {client} by {host} with ESMTP;\r\n {date}\r\n".encode()


def marks(forum: MailingList) -> bytes:
    """Return the headers that distinguish a list's copy."""
    return crlf(
        f"X-BeenThere: {forum.address}\n"
        f"List-Id: {forum.title} <{forum.name}.{forum.host}>\n"
        f"List-Post: <mailto:{forum.address}>\n"
        f"Sender: {forum.bounces}\n"
        "Precedence: list\n".encode()
    )


def rewritten(head: bytes, forum: MailingList) -> bytes:
    """Return the writer's headers with the list's tag, and its From and Reply-To where it sets them."""
    subject = field(head, "Subject")
    if forum.tag.encode() not in subject:
        head = replaced(head, "Subject", forum.tag.encode() + b" " + subject)
    head = replaced(head, "Sender", None)
    reply_to = forum.reply_to.encode()
    if forum.rewrites_from:
        name, address = parseaddr(str(make_header(decode_header(field(head, "From").decode("latin-1")))))
        phrase = Header(f"{name or address} via {forum.name}", "utf-8").encode(linesep="\r\n")
        head = replaced(head, "From", f"{phrase} <{forum.address}>".encode())
        reply_to = f"{forum.reply_to}, {address}".removeprefix(", ").encode()
    return replaced(head, "Reply-To", reply_to) if reply_to else head


def takes_footer(head: bytes) -> bool:
    """Return whether text can be appended: plain, as is no Content-Type (RFC 2045, 5.2), and not base64."""
    kind, encoding = field(head, "Content-Type"), field(head, "Content-Transfer-Encoding").lower()
    return (not kind or PLAIN.match(kind) is not None) and encoding in APPENDABLE


def split(post: bytes) -> tuple[bytes, bytes]:
    """Return the header lines, each with its CRLF, and the body."""
    head, _, body = crlf(post).partition(b"\r\n\r\n")
    return head + b"\r\n", body


def crlf(text: bytes) -> bytes:
    """Return *text* with CRLF at the end of each line."""
    return re.sub(rb"\r?\n", b"\r\n", text)


def field(head: bytes, name: str) -> bytes:
    """Return the value of the first header called *name*, or nothing."""
    found = pattern(name).search(head)
    return found[1].strip() if found else b""


def replaced(head: bytes, name: str, value: bytes | None) -> bytes:
    """Return *head* with the headers called *name* replaced by *value*, or removed if that is None."""
    rest = pattern(name).sub(b"", head)
    return rest if value is None else rest + name.encode() + b": " + value + b"\r\n"


def pattern(name: str) -> re.Pattern[bytes]:
    """Return a pattern for the header *name* with its folded lines (RFC 5322, 2.2.3)."""
    return re.compile(rb"(?mi)^%s:[ \t]*((?:[^\r]|\r\n[ \t])*)\r\n" % re.escape(name.encode()))
