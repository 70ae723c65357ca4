"""Letters as values: received, and to be sent."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, TypeAlias, get_args

Assurance: TypeAlias = Literal["none", "from", "forum", "signed", "confirmed", "openpgp"]
Bucket: TypeAlias = Literal["deeds", "no-deed", "machine", "own", "stranger", "duplicate", "held"]


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes as a mailbox gave them.

    *place* names the mailbox copy for good (``imap:host/user/INBOX;UIDVALIDITY=7;UID=42``,
    ``maildir:cur-file-name``); *order* is the mailbox order (UID); *arrived* is INTERNALDATE or the
    file's time, UTC seconds; *size* is the full size even if *data* holds the headers only.
    """

    place: str
    order: int
    arrived: int
    data: bytes
    size: int
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits on how much of a letter is read; beyond them it is held, never lost.

    *raw* and *header_bytes* are bytes, *headers* counts header fields of the letter or of one part, *depth* is
    the nesting of MIME parts and *parts* their number, *text* is characters of decoded body, *markup* and
    *tags* bound HTML in characters and tags, *nesting* the elements of it that are open at once.
    """

    raw: int = 1_000_000
    header_bytes: int = 65_536
    headers: int = 200
    depth: int = 20
    parts: int = 100
    text: int = 262_144
    markup: int = 262_144
    tags: int = 20_000
    nesting: int = 400


@dataclass(frozen=True, slots=True)
class ForumInfo:
    """One forum as mail shows it.

    *name* is ours (``agora``); *addresses* are the lists that make it up; *list_ids* what is between
    ``<`` and ``>`` in their List-Id; *received_by* the hosts or domains whose ``Received`` header tells when the
    forum made a letter available (default: the domains of the addresses and list ids).
    """

    name: str
    addresses: tuple[str, ...]
    list_ids: tuple[str, ...] = ()
    received_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seal:
    """An OpenPGP signature over the whole text: its key, *made* when (UTC seconds), over what (SHA-256 hex)."""

    fingerprint: str
    made: int
    digest: str


@dataclass(frozen=True, slots=True)
class Letter:
    r"""A message, parsed as far as limits allow.

    *digest* is SHA-256 hex, equal for copies of one act through two forums and directly; *content* is SHA-256
    hex of the raw bytes. *sent* is the Date header (shown, never trusted), *stamps* maps each forum's name to
    the time when its server made the letter available, *arrived* the mailbox's time; all UTC seconds. *senders*
    holds the one From mailbox as (display name, address with its domain in lower case), or nothing if From is
    not exactly one mailbox. *forums* names the forums it came through or was addressed to, *through* those
    whose list headers it carries, and *tag* is what stood after ``+`` in the contest's own address. *body* is
    the decoded plain text with ``\n`` line ends; *asides* are (why, line) pairs that are outside of it, in
    attachments or only in the HTML copy. *trouble* is empty, or says why the letter must be held. *signers* are the
    domains whose DKIM signature was found good, by us or by a sealer whose word counts (RFC 6376, 8617); *seal* is
    the one OpenPGP signature that covers all that was read, and *unproven* says why there is none though one was there.
    *shown* is all that a letter shows to a forum, in whatever part or field (see `exposing.shown`). *unnamed* are
    forums whose stamp isn't believed, each with a host above it that isn't named as one of our own.
    """

    place: str
    order: int
    arrived: int
    content: str
    digest: str
    message_id: str
    subject: str
    sent: int | None
    senders: tuple[tuple[str, str], ...]
    body: str
    html_only: bool = False
    stamps: tuple[tuple[str, int], ...] = ()
    forums: tuple[str, ...] = ()
    to_contestmaster: bool = False
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    attachments: tuple[str, ...] = ()
    defects: tuple[str, ...] = ()
    trouble: str = ""
    lossy: bool = False
    size: int = 0
    through: tuple[str, ...] = ()
    tag: str = ""
    asides: tuple[tuple[str, str], ...] = ()
    signers: tuple[str, ...] = ()
    seal: Seal | None = None
    unproven: str = ""
    shown: str = ""
    unnamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One letter that is owed.

    *key* is unique and deterministic (``s3/e41/private/Bex``): the Message-ID is derived from it, so
    sending twice is harmless. A public letter names a *forum* (``agora``) and has no *to*; a private one
    has exactly one address in *to* and no forum; unless it is *bound* to that one, it follows its *person* to another.
    *thread* is the key of the letter it follows (public
    follows public only). *person* is who it is for, '' for forums. *reply_tag* goes after ``+`` in the
    address that a private letter is to be answered to; an *even* one is written so that it has the size of its text,
    whatever its characters are, and if it has *room* (bytes), of so much text, with padding in a part of its own;
    *page* is where the archive has it, '' if nowhere; *html* gives it an HTML part beside its text; *ends* are the
    words by which its reader gets no more such letters.
    *secret* is what it says instead where it can be encrypted to *certificates* (armored
    OpenPGP keys of its reader's).
    """

    key: str
    kind: Literal["public", "private"]
    subject: str
    body: str
    at: int
    forum: str = ""
    to: str = ""
    person: str = ""
    thread: str = ""
    in_reply_to: str = ""
    auto: Literal["auto-generated", "auto-replied"] = "auto-generated"
    reply_tag: str = ""
    even: bool = False
    secret: str = ""
    certificates: tuple[str, ...] = ()
    bound: bool = False
    room: int = 0
    page: str = ""
    html: bool = False
    ends: str = ""


LEVELS: tuple[Assurance, ...] = get_args(Assurance)


def reaches(level: str, needed: str) -> bool:
    """Return whether *level* is at least *needed*.

    >>> reaches("signed", "forum"), reaches("confirmed", "openpgp")
    (True, False)
    """
    return _place(level) >= _place(needed)


def higher(one: Assurance, other: Assurance) -> Assurance:
    """Return the higher of two levels."""
    return max(one, other, key=LEVELS.index)


def _place(level: str) -> int:
    """Return the rank of a level; ValueError for an unknown word."""
    return [str(each) for each in LEVELS].index(level)


_SHOWN = 12
"""How many hex digits of a letter's hash its anchor has."""


def letter_anchor(subject: str, at: int) -> str:
    """Return the anchor of the public letter with this *subject*, written at *at* (UTC seconds): ``m-`` and 12 digits.

    The forum's tag does not matter, so the copies to all forums have one anchor. It is made from what everyone who has
    the letter knows, and from nothing else.

    >>> letter_anchor("[Wolf] Day 2", 1796119200) == letter_anchor("[Village] Day 2", 1796119200)
    True
    """
    bare = subject.partition("] ")[2] if subject.startswith("[") else subject
    return "m-" + sha256(f"nomicwolf letter 1\n{at}\n{bare}\n".encode("utf-8", "replace")).hexdigest()[:_SHOWN]


def letter_page(url: str, session: int, subject: str, at: int) -> str:
    """Return the address of a public letter's page in the archive at *url*; '' where *url* is.

    *session* is the number of the latest session when it was written (0: before the first), *subject* is as the letter
    has it, and *at* is when it was written (UTC seconds).

    >>> letter_page("https://wolf.example", 1, "[Wolf] Day 2", 1796119200)
    'https://wolf.example/letters/session-1.html#m-ec4045bc092c'
    """
    return f"{url.rstrip('/')}/letters/session-{session}.html#{letter_anchor(subject, at)}" if url else ""
