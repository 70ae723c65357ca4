"""Letters to be sent, as RFC 5322 bytes.

This is the last line before the post, where private and public part. Text is laid out in columns of a monospaced page,
in which East Asian characters take two (UAX 11).
"""

from __future__ import annotations

import binascii
import re
import unicodedata
from base64 import b32decode, b32encode, b64encode, encodebytes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import sha256
from hmac import compare_digest
from hmac import new as keyed
from html import escape
from itertools import pairwise
from typing import Literal
from urllib.parse import quote

from nomicwolf.letters.identity import addr_spec, fold_address, for_transport, is_domain, with_tag
from nomicwolf.letters.identity import message_id as strict_id
from nomicwolf.letters.letter import Outgoing

_PIECES = re.compile(" +|[^ ]+")


def cut_at(text: str, width: int) -> int:
    """Return how many characters of *text*, at least one, fit into *width* columns."""
    if text[:width].isascii():
        return width
    used = 0
    for number, char in enumerate(text):
        used += _wide(char)
        if used > width:
            return max(number, 1)
    return len(text)


def columns(text: str) -> int:
    """Return the width of *text* in columns; combining and format characters have none."""
    if text.isascii():
        return len(text)
    return sum(_wide(char) for char in text)


def _wide(char: str) -> int:
    """Return the columns of one character: 0, 1 or 2."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def wrap72(text: str, width: int = 72) -> str:
    """Return *text* with no line wider than *width* columns unless a single word is.

    Line ends stay, and so do lines that fit. A line's indentation and quote marks are repeated where it is broken,
    a list item's (``* ``, ``- ``, ``1. ``) as spaces. Words are never broken, but East Asian text may be broken
    between any two wide characters.
    """
    return "\n".join(piece for line in text.split("\n") for piece in _fold(line, width))


def _fold(line: str, width: int) -> list[str]:
    """Fold one line."""
    if columns(line) <= width:
        return [line]
    first, rest = _indents(line, width)
    out: list[str] = []
    current, room = first, width - columns(first)
    gap = ""
    for word in _words(line[len(first) :]):
        if word == " ":
            gap = " "
            continue
        if columns(gap + word) > room and current.strip() and current not in (first, rest):
            out.append(current)
            current, room, gap = rest, width - columns(rest), ""
        current += gap + word
        room -= columns(gap + word)
        gap = ""
    return [*out, current]


def _indents(line: str, width: int) -> tuple[str, str]:
    """Return the indent of *line* and of the lines that continue it.

    What fills half of a line isn't repeated: each word would get a line of its own with all of that.
    """
    content = line.lstrip(" >")
    lead = line[: len(line) - len(content)]
    if len(lead) > width // 2:
        return "", ""
    mark, space, _ = content.partition(" ")
    listed = space and (mark in ("*", "-", "+") or (mark[:-1].isdigit() and mark[-1] in ".)") or mark.startswith("["))
    if listed and len(mark) <= 6:
        return f"{lead}{mark} ", lead + " " * (columns(mark) + 1)
    return lead, lead


def _words(text: str) -> list[str]:
    """Split *text* at spaces (given as ``' '``) and beside wide characters."""
    if text.isascii():
        return [piece.strip(" ") or " " for piece in _PIECES.findall(text.lstrip(" "))]
    out: list[str] = []
    word = ""
    for char in text:
        if char == " " or _wide(char) == 2:
            out += [word] if word else []
            word = ""
            if char != " ":
                out.append(char)
            elif out and out[-1] != " ":
                out.append(" ")
        elif _wide(char) == 0 and not word and out and out[-1] != " ":
            out[-1] += char
        else:
            word += char
    return [*out, word] if word else out


WIDTH = 72
"""Columns after which the text of a letter is wrapped."""
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:40em;margin:1em auto;padding:0 1em}"
    "blockquote{margin:0 0 1em;padding-left:.8em;border-left:3px solid #888}"
    "td{padding:0 1em 0 0;vertical-align:top}pre{white-space:pre-wrap}footer{font-size:.85em;opacity:.8}"
)
_CELLS = re.compile(r" {2,}")


def html_of(text: str) -> str:
    """Return a plain letter of 72 columns as an HTML page: the same words in the same order, and nothing from outside.

    Lines that were only wrapped are joined, ``- `` begins an item, ``> `` a quotation, and lines that are indented and
    have columns are a table. Below each ``--`` stands a foot: an observer's copy has the letter's own and one more.
    """
    body, *feet = text.split("\n--\n")
    blocks = "".join(_blocks(body)) + "".join(f"<footer>{''.join(_blocks(foot))}</footer>" for foot in feet)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><style>{_STYLE}</style></head>\n'
            f"<body>{blocks}</body></html>\n")


def _blocks(text: str) -> Iterator[str]:
    """Yield the blocks of *text*: lines of one kind that follow each other."""
    kind, lines = "", list[str]()
    for line in [*text.split("\n"), ""]:
        found = _kind(line, kind)
        if found != kind and lines:
            yield _block(kind, lines)
            lines = []
        kind = found
        if line.strip():
            lines.append(line)


def _kind(line: str, before: str) -> str:
    """Return what *line* is part of, which follows one of the kind *before*; '' for a blank one."""
    if not line.strip():
        return ""
    if line.startswith(">"):
        return "quote"
    if line.startswith("- ") or (before == "list" and line.startswith("  ")):
        return "list"
    return "table" if line.startswith("  ") else "text"


def _block(kind: str, lines: list[str]) -> str:
    if kind == "quote":
        return f"<blockquote>{'<br>'.join(escape(line.removeprefix('>').strip()) for line in lines)}</blockquote>\n"
    if kind == "list":
        items = "\n".join(lines).removeprefix("- ").split("\n- ")
        return f"<ul>{''.join(f'<li>{_flowed(item.split(chr(10)))}</li>{chr(10)}' for item in items)}</ul>\n"
    if kind == "table":
        rows = [_CELLS.split(line.strip()) for line in lines]
        if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1:
            cells = ("".join(f"<td>{escape(cell)}</td>\n" for cell in row) for row in rows)
            return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>\n"
        return f"<pre>{escape(chr(10).join(lines))}</pre>\n"
    return f"<p>{_flowed(lines)}</p>\n"


def _flowed(lines: list[str]) -> str:
    """Return *lines* as one paragraph; one that had room for the next one's first word ends in a break."""
    said = escape(lines[0].strip())
    for line, after in pairwise(lines):
        wrapped = columns(line) + 1 + columns(after.split()[0]) > WIDTH
        said += f"{' ' if wrapped else '<br>'}{escape(after.strip())}"
    return said


MARK = "X-Nomicwolf-Instance"
_ATEXT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~ ")
_LONGEST_PLAIN = 78
_ID_BYTES, _SEAL_BYTES = 15, 10


@dataclass(frozen=True, slots=True)
class Envelope:
    """The settings that all letters of one contest share.

    *name* and *address* are the contest's own, *domain* is right of the ``@`` in Message-IDs (default: the
    address's), *instance* names this contest to itself, *secret* is its key (at least 16 bytes), *forums* maps
    names to list addresses, *archive* is where the public archive is read ('': nowhere), *never_private* are further
    public addresses, *known* tells of Message-IDs whether the letters were public or private: an id that isn't there
    is never referred to; *head* is the record's head when the letter became owed ('': it isn't told).
    """

    name: str
    address: str
    instance: str
    secret: bytes
    forums: Mapping[str, str]
    domain: str = ""
    never_private: tuple[str, ...] = ()
    known: Mapping[str, Literal["public", "private"]] = field(default_factory=dict)
    head: str = ""
    archive: str = ""


def compose(outgoing: Outgoing, envelope: Envelope) -> bytes:
    """Return the letter as bytes with CRLF and lines of at most 998 octets (RFC 5322 2.1.1), reproducibly.

    ValueError if a private letter has no address of its own, one that is a forum's, or a forum; if a public one
    has an address or names no known forum; and if the envelope can't be used.
    """
    content, body = _content(outgoing, envelope)
    lines = [
        f"Date: {format_datetime(datetime.fromtimestamp(outgoing.at, UTC))}",
        f"From: {_mailbox(envelope.name, _usable(envelope.address))}",
        *_reply_to(outgoing, envelope),
        f"To: {recipient(outgoing, envelope)}",
        f"Message-ID: {letter_id(outgoing, envelope)}",
        *_threading(outgoing, envelope),
        *_subject(outgoing.subject),
        *_list_fields(outgoing, envelope),
        f"Auto-Submitted: {outgoing.auto}",
        "X-Auto-Response-Suppress: All",
        f"{MARK}: {_token(envelope.instance)}",
        "MIME-Version: 1.0",
        *content,
        "",
    ]
    return "\r\n".join(lines).encode("utf-8") + b"\r\n" + body


def _content(outgoing: Outgoing, envelope: Envelope) -> tuple[list[str], bytes]:
    """Return the fields that describe the content, and the content."""
    text = outgoing.body + _record(outgoing, envelope)
    charset, encoding, body = (_even if outgoing.even else _body)(text)
    fields = [f"Content-Type: text/plain; charset={charset}", f"Content-Transfer-Encoding: {encoding}"]
    if outgoing.html:
        charset, encoding, page = _body(html_of(outgoing.body))
        marked = [f"Content-Type: text/html; charset={charset}", f"Content-Transfer-Encoding: {encoding}"]
        return _parts("alternative", [(fields, body), (marked, page)], letter_id(outgoing, envelope))
    if not outgoing.room:
        return fields, body
    return _parts("mixed", [(fields, body), _padding(outgoing.room, len(body))], letter_id(outgoing, envelope))


def _parts(kind: str, parts: Sequence[tuple[list[str], bytes]], message: str) -> tuple[list[str], bytes]:
    """Return the fields and the content of a multipart letter (RFC 2046 5.1), its boundary made from its Message-ID."""
    boundary = "=_" + message.strip("<>").partition("@")[0]
    whole = b"".join(
        f"--{boundary}\r\n".encode() + "\r\n".join([*fields, "", ""]).encode() + body + b"\r\n"
        for fields, body in parts)
    return [f'Content-Type: multipart/{kind}; boundary="{boundary}"'], whole + f"--{boundary}--\r\n".encode()


def _padding(room: int, taken: int) -> tuple[list[str], bytes]:
    """Return the part that pads a text of *taken* bytes to *room* bytes (D-N48).

    ValueError if the text is longer.
    """
    left = len(encodebytes(bytes(room)).replace(b"\n", b"\r\n")) - taken
    if left < 0:
        raise ValueError(f"a letter has {-left} bytes more than there is room for")
    lines, rest = divmod(left, 72)
    fields = ['Content-Type: text/plain; charset=us-ascii; name="padding.txt"',
              'Content-Disposition: attachment; filename="padding.txt"',
              "Content-Description: Padding, which gives letters of this kind one size"]
    return fields, (b"-" * 70 + b"\r\n") * lines + b"-" * rest


def recipient(outgoing: Outgoing, envelope: Envelope) -> str:
    """Return the one address of *outgoing*; ValueError if kind and address don't fit.

    One beyond ASCII, which can only be so before the ``@``, goes into headers and envelope as UTF-8 (RFC 6532, 6531).
    """
    if outgoing.kind == "public":
        if outgoing.to or outgoing.person:
            raise ValueError("a public letter goes to a forum and names no one's address: give it no 'to' and 'person'")
        if outgoing.forum not in envelope.forums:
            raise ValueError(f"no forum {outgoing.forum!r} is known; there are {sorted(envelope.forums)}")
        return _reachable(envelope.forums[outgoing.forum])
    address = _reachable(outgoing.to)
    public = (*envelope.forums.values(), *envelope.never_private)
    if outgoing.forum or fold_address(address) in {fold_address(found) for found in public}:
        raise ValueError("a private letter must not go to a forum: give it one player's address")
    return address


def addressed_to(data: bytes) -> str:
    """Return the address in the To field of *data*, which `compose` has made."""
    head = data.partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    return next((line.removeprefix("To: ") for line in head.split("\r\n") if line.startswith("To: ")), "")


def letter_id(outgoing: Outgoing, envelope: Envelope) -> str:
    """Return the Message-ID of *outgoing*, made from its key and kind, so public and private ids differ."""
    return _id_of(outgoing.kind, outgoing.key, envelope)


def record_mark(head: str, secret: bytes) -> str:
    """Return the *head* of a record as public letters show it, 64 hex digits that only *secret* can make."""
    return keyed(secret, f"nomicwolf head 1\n{head}\n".encode(), sha256).hexdigest()


def _record(outgoing: Outgoing, envelope: Envelope) -> str:
    """Return the last line of a public letter: its record's mark."""
    told = outgoing.kind == "public" and envelope.head
    return f"Record: {record_mark(envelope.head, envelope.secret)}\n" if told else ""


def message_id(key: str, secret: bytes, domain: str) -> str:
    """Return a reproducible Message-ID that reveals nothing of its key and that only *secret* can make.

    ``<random-looking.seal@domain>``: both halves are HMAC-SHA-256, so it carries no order, role or recipient.
    """
    body = keyed(secret, b"nomicwolf id 1\n" + key.encode("utf-8", "replace"), sha256).digest()[:_ID_BYTES]
    return f"<{_base32(body)}.{_base32(_seal(body, secret))}@{domain}>"


def is_ours(found: str, secret: bytes) -> bool:
    """Return whether *secret* has made the Message-ID *found* (with its ``<>``), for whatever key and domain."""
    body, dot, seal = found.strip().strip("<>").partition("@")[0].lower().partition(".")
    if not dot or not (body + seal).isascii():
        return False
    try:
        raw = b32decode(body.upper() + "=" * (-len(body) % 8))
    except binascii.Error:
        return False
    return len(raw) == _ID_BYTES and compare_digest(seal, _base32(_seal(raw, secret)))


def _seal(body: bytes, secret: bytes) -> bytes:
    """Return the proof that *body* came from *secret*."""
    return keyed(secret, b"nomicwolf seal 1\n" + body, sha256).digest()[:_SEAL_BYTES]


def _base32(raw: bytes) -> str:
    """Return *raw* in lower-case base 32 without padding, which any mail system preserves."""
    return b32encode(raw).decode("ascii").rstrip("=").lower()


def _id_of(kind: str, key: str, envelope: Envelope) -> str:
    """Return the Message-ID of the letter of this *kind* with this *key*."""
    if len(envelope.secret) < 16:
        raise ValueError("the contest's mail key is shorter than 16 bytes: make a new one with 'nomicwolf init'")
    domain = (envelope.domain or envelope.address.rpartition("@")[2]).lower()
    if not is_domain(domain) or not domain.isascii():
        raise ValueError(f"{domain!r} isn't allowed in a Message-ID: set a plain domain name")
    return message_id(f"{kind}/{key}", envelope.secret, domain)


def _usable(address: str) -> str:
    """Return *address* if it is one plain ASCII mailbox; ValueError otherwise, to keep headers safe."""
    found = addr_spec(address)
    if found is None or not found.isascii():
        raise ValueError(f"{address!r} is not one plain mail address in ASCII; give another by party address")
    return found


def _reachable(address: str) -> str:
    """Return *address* as it is transmitted, if it is one plain mailbox; ValueError otherwise."""
    found = addr_spec(address)
    if found is None:
        raise ValueError(f"{address!r} is not one plain mail address; give another by party address")
    return for_transport(found)


def _reply_to(outgoing: Outgoing, envelope: Envelope) -> list[str]:
    """Return the contest's own address, with the reply tag if there is one."""
    if outgoing.kind == "public":
        return []
    if any(not (char.isascii() and (char.isalnum() or char == "-")) for char in outgoing.reply_tag):
        raise ValueError("what is put into a reply address is letters, digits and hyphens alone")
    return [f"Reply-To: {_usable(with_tag(envelope.address, outgoing.reply_tag))}"]


def _threading(outgoing: Outgoing, envelope: Envelope) -> list[str]:
    """Return In-Reply-To and References, which name letters of the same kind only."""
    first = _id_of(outgoing.kind, outgoing.thread, envelope) if outgoing.thread else ""
    answered = strict_id(outgoing.in_reply_to)
    answered = answered if envelope.known.get(answered) == outgoing.kind else ""
    ids = [found for found in (first, answered) if found]
    return [f"In-Reply-To: {ids[-1]}", "References: " + "\r\n ".join(ids)] if ids else []


def _list_fields(outgoing: Outgoing, envelope: Envelope) -> list[str]:
    """Return a public letter's archive address (RFC 5064) or a private one's list (RFC 2919, 2369).

    A forum's own fields say the latter of a public one. Nobody leaves a contest by a button: observers alone have one,
    a letter to the contest with the words that end it (RFC 6068). One click by HTTPS (RFC 8058) there is not.
    """
    if outgoing.kind == "public":
        return [f"Archived-At: <{outgoing.page}>"] if _is_plain(outgoing.page) else []
    domain = envelope.address.rpartition("@")[2].lower()
    fields = [f"List-Id: <{_token(envelope.instance)}.{domain}>"]
    if outgoing.ends:
        home, words = quote(_usable(envelope.address), safe="@+"), quote(outgoing.ends, safe="")
        fields.append(f"List-Unsubscribe: <mailto:{home}?subject={words}&body={words}>")
    return [*fields, f"List-Archive: <{envelope.archive}>"] if _is_plain(envelope.archive) else fields


def _is_plain(url: str) -> bool:
    """Return whether *url* fits into one line of a header."""
    return url.startswith(("https://", "http://")) and url.isascii() and url.isprintable() and not set(url) & set(" <>")


def _one_line(text: str) -> str:
    """Return *text* with controls and white space as single spaces, so that it stays in its header."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def _token(text: str) -> str:
    """Return *text* as a header's plain word: letters, digits, dot, hyphen and underscore."""
    return "".join(char if char.isascii() and (char.isalnum() or char in ".-_") else "-" for char in text)[:60]


def _mailbox(name: str, address: str) -> str:
    """Return a display name and an address (RFC 5322 3.4), the name quoted or encoded as needed."""
    shown = _one_line(name)[:100]
    if not shown:
        return address
    if not shown.isascii():
        return "\r\n ".join([*_encoded(shown), f"<{address}>"])
    if not all(char in _ATEXT for char in shown):
        shown = '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"{shown} <{address}>" if len(shown) + len(address) < 70 else f"{shown}\r\n <{address}>"


def _subject(text: str) -> list[str]:
    """Return the Subject field, folded between words at 76 columns or encoded (RFC 2047)."""
    shown = _one_line(text)[:400]
    words = shown.split(" ")
    if not shown.isascii() or "=?" in shown or any(len(word) > 66 for word in words):
        return ["Subject: " + "\r\n ".join(_encoded(shown))]
    lines = ["Subject:"]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > 76:
            lines.append("")
        lines[-1] += f" {word}"
    return lines


def _encoded(text: str) -> list[str]:
    """Return *text* as encoded words of at most 60 columns, no character split over two."""
    pieces: list[bytes] = [b""]
    for char in text:
        raw = char.encode("utf-8", "replace")
        if len(pieces[-1]) + len(raw) > 36:
            pieces.append(b"")
        pieces[-1] += raw
    return [f"=?utf-8?b?{b64encode(piece).decode('ascii')}?=" for piece in pieces]


def _body(text: str) -> tuple[str, str, bytes]:
    """Return charset, transfer encoding and bytes: 7bit where every line allows it, else quoted-printable.

    Quoted-printable keeps long lines, trailing spaces, lines that begin with ``From `` and a lone full stop whole.
    """
    plain = "\n".join(text.splitlines()) + "\n"
    clean = "".join(char for char in plain if char in "\n\t" or char.isprintable() or ord(char) > 127)
    raw = clean.encode("utf-8", "replace")
    lines = raw.split(b"\n")
    charset = "us-ascii" if raw.isascii() else "utf-8"
    if raw.isascii() and not any(_awkward(line) for line in lines):
        return charset, "7bit", raw.replace(b"\n", b"\r\n")
    coded = binascii.b2a_qp(raw, quotetabs=False, istext=True, header=False)
    kept = [b"=46" + line[1:] if line.startswith(b"From ") else line for line in coded.split(b"\n")]
    return charset, "quoted-printable", b"\r\n".join(kept)


def _even(text: str) -> tuple[str, str, bytes]:
    """Return charset, base64 and bytes, whose number depends only on the number of UTF-8 bytes."""
    raw = ("\n".join(text.splitlines()) + "\n").encode("utf-8", "replace").replace(b"\n", b"\r\n")
    return "utf-8", "base64", encodebytes(raw).replace(b"\n", b"\r\n")


def _awkward(line: bytes) -> bool:
    """Return whether some mail system may change *line* in transit."""
    return len(line) > _LONGEST_PLAIN or line.startswith((b"From ", b".")) or line[-1:] in (b" ", b"\t")
