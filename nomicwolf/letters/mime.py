"""Hostile bytes to letters, within limits.

No input makes this raise.

Two copies are one act if they have the same author, Message-ID and words (CFJ 2800, CFJ 3572).

Against DMARC, a list such as Mailman can put a letter whole into one of its own (``message/rfc822``), with its own
address in From, the author's beside it, and the same Date. Its words are their author's own, now sent; those of a
letter that a person has forwarded are not.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

from nomicwolf.language.lexicon import OwnFrame
from nomicwolf.letters import quote_marks
from nomicwolf.letters.headers import (
    Fields,
    Head,
    decode,
    decoded_words,
    every,
    join_flowed,
    named,
    seconds,
    split_head,
    transfer,
)
from nomicwolf.letters.html_text import exceeded_limit, visible
from nomicwolf.letters.identity import fold_address, folded_in, mailbox, message_id, message_ids
from nomicwolf.letters.letter import ForumInfo, Letter, Limits, Raw
from nomicwolf.letters.origin import own_addresses, route
from nomicwolf.letters.parts import Part, TooMuchError, compare, shown_text, tree


def digest(fields: Fields, sender: str, message_id: str, body: str, forums: Sequence[ForumInfo]) -> str:
    """Return a SHA-256 in hex that is equal for all copies of one letter, from forums or direct.

    Taken over the author's address, the Message-ID (the Date header if there is none) and the words. A list that
    puts its own address into From names the author in Reply-To or X-Original-From; that is good enough for telling
    copies apart, never for telling who someone is. The subject is left out: lists put tags into it.
    """
    lists = {address for forum in forums for address in own_addresses(forum)}
    author = fold_address(sender)
    if author in lists:
        author = next(iter(original_senders(fields, lists)), author)
    when = message_id or "".join(every(fields, "Date")[:1])
    return hashlib.sha256("\0".join((author, when, compared_words(body))).encode("utf-8", "replace")).hexdigest()


def original_senders(fields: Fields, lists: set[str]) -> tuple[str, ...]:
    """Return the addresses (folded, no lists') to which a list that rewrites From may have moved the author's.

    One for each of the fields that names exactly one, best field first.
    """
    found: list[str] = []
    for name in ("X-Original-From", "Reply-To", "X-MailFrom", "Cc"):
        named = {address for value in every(fields, name) for address in folded_in(value)} - lists
        found += named if len(named) == 1 else ()
    return tuple(dict.fromkeys(found))


def compared_words(body: str) -> str:
    """Normalise *body*: NFC, no list's footer, no mbox ``>From``, single spaces."""
    if not quote_marks.FOOTED.search(body) and ">From " not in body:
        return " ".join(unicodedata.normalize("NFC", body).split())
    lines = body.split("\n")
    end = next((index for index in range(len(lines)) if quote_marks.footer(lines, index)), len(lines))
    while 0 < end < len(lines) and not lines[end - 1].strip(" \t\u00a0-_=~*#"):  # the rule, or "-- ", above it
        end -= 1
    kept = [line[1:] if line.startswith(">From ") else line for line in lines[:end]]
    return " ".join(unicodedata.normalize("NFC", " ".join(kept)).split())


WHOLE = "message/rfc822"
"""The type of a part that is a letter of its own (RFC 2046 5.2.1)."""
_AROUND = (WHOLE, "multipart/mixed")
_LISTS_OWN = "text/plain"
_FROM_MACHINES = ("auto-", "x-auto", "x-failed-", "x-mail-auto", "x-vacation", "x-nomicwolf")


def wrapped(
    head: Head, whole: Part, forums: Sequence[ForumInfo], limits: Limits
) -> tuple[Head, tuple[Part, ...]] | None:
    """Return the letter that a list of *forums* wrapped in *head* and *whole*, and the list's own parts.

    None if it is no such letter: its one From has to be the only address that the list gives for the author, and its
    Date that of the wrapping. What someone forwards, even a letter of their own, has a Date of its own around it.
    """
    inside = [part for part in whole.children or (whole,) if part.kind == WHOLE]
    beside = tuple(part for part in whole.children if part.kind != WHOLE)
    if whole.kind not in _AROUND or len(inside) != 1:
        return None
    if any(part.kind != _LISTS_OWN or part.disposition == "attachment" for part in beside):
        return None
    lists = {address for forum in forums for address in own_addresses(forum)}
    outer = mailbox(head.first("From"))
    if outer is None or fold_address(outer[1]) not in lists:
        return None
    data, _ = transfer(inside[0].data, inside[0].encoding)
    inner = split_head(data or b"", limits.headers, limits.header_bytes)
    senders, dates = inner.all("From"), inner.all("Date")
    author = mailbox(senders[0]) if len(senders) == 1 else None
    if author is None or original_senders(head.fields, lists)[:1] != (fold_address(author[1]),):
        return None
    return (inner, beside) if len(dates) == 1 and dates == head.all("Date") else None


def of_machines(fields: Fields) -> Fields:
    """Return those of *fields* with which a machine marks its letters; a list leaves them inside."""
    return tuple((name, value) for name, value in fields if name.lower().startswith(_FROM_MACHINES))


_SEALED = ("application/pkcs7-mime", "application/x-pkcs7-mime")
_READ = ("text/plain", "text/markdown", "text/x-markdown")
_ASIDES = 100


@dataclass(slots=True)
class _Found:
    """The result of reading the parts so far: *pieces* are (text, whether it comes from HTML)."""

    limits: Limits
    pieces: list[tuple[str, bool]] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    asides: list[tuple[str, str]] = field(default_factory=list)
    defects: list[str] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    lossy: bool = False
    own: tuple[OwnFrame, ...] = ()
    inner: Head | None = None
    """Of the letter that a list has wrapped whole."""


_DEFAULTS = Limits()


def make_letter(
    raw: Raw,
    forums: Sequence[ForumInfo] = (),
    contestmaster: Sequence[str] = (),
    limits: Limits = _DEFAULTS,
    own_hosts: Sequence[str] = (),
    own: tuple[OwnFrame, ...] = (),
) -> Letter:
    """Parse *raw* as far as *limits* allow.

    *contestmaster* holds the contest's own addresses, *own_hosts* the names of one's own mail servers: with them a
    forum's stamp counts only if nothing but those are above it. *own* are the deeds of the session's own roles, in
    which its HTML copy must not differ either. What must not be read becomes ``trouble``.
    """
    data = raw.data.replace(b"\r\n", b"\n")
    if b"\n" not in data:  # as old Macs end lines
        data = data.replace(b"\r", b"\n")
    head = split_head(data, limits.headers, limits.header_bytes)
    found = _Found(limits, defects=list(head.defects), own=own)
    if raw.truncated or max(raw.size, len(raw.data)) > limits.raw:
        found.trouble.append(f"it has {max(raw.size, len(raw.data))} bytes, more than {limits.raw}")
    else:
        _read(head, found, forums)
    body = "\n".join(text for text, _ in found.pieces)
    if len(body) > limits.text:
        found.trouble.append(f"its text is longer than {limits.text} characters")
        body = body[: limits.text]
    if body.lstrip().startswith("-----BEGIN PGP MESSAGE-----"):
        found.trouble.append("it is encrypted")
    senders = _senders(head, found)
    fields = named(head.fields)
    inner = found.inner
    ids = inner.all("Message-ID") if inner else fields.get("message-id", ())
    name = message_id(ids[0]) if len(ids) == 1 else ""
    if ids and not name:
        found.defects.append("Message-ID unusable")
    way = route(head.fields, forums, contestmaster, own_hosts)
    replied = message_ids(" ".join(fields.get("in-reply-to", ())))
    return Letter(
        place=raw.place, order=raw.order, arrived=raw.arrived, content=hashlib.sha256(raw.data).hexdigest(),
        digest=digest(head.fields, senders[0][1] if senders else "", name, body, forums),
        message_id=name, subject=decoded_words(head.first("Subject"))[:998], sent=seconds(head.first("Date")),
        senders=senders, body=body, html_only=any(html for text, html in found.pieces if text.strip()),
        stamps=way.stamps, forums=way.forums, through=way.through, to_contestmaster=way.to_contestmaster, tag=way.tag,
        in_reply_to=replied[0] if replied else "", references=message_ids(" ".join(fields.get("references", ()))),
        headers=head.fields + of_machines(inner.fields) if inner else head.fields,
        attachments=tuple(found.attachments), defects=tuple(dict.fromkeys(found.defects)),
        trouble="; ".join(dict.fromkeys(found.trouble)), lossy=found.lossy, size=max(raw.size, len(raw.data)),
        asides=tuple(found.asides[:_ASIDES]), shown=shown_text(head, limits) if way.forums else "", unnamed=way.unnamed,
    )


def _senders(head: Head, found: _Found) -> tuple[tuple[str, str], ...]:
    """Return the one mailbox of the one From field, or nothing and trouble."""
    fields = head.all("From")
    if len(fields) != 1:
        found.trouble.append("it has no From field" if not fields else f"it has {len(fields)} From fields")
        return ()
    box = mailbox(fields[0])
    if box is None:
        found.trouble.append("its From field is not exactly one plain address")
        return ()
    return ((decoded_words(box[0]), box[1]),)


def _read(head: Head, found: _Found, forums: Sequence[ForumInfo]) -> None:
    """Read the parts into *found*; those of the letter inside, if a list of *forums* wrapped it whole."""
    try:
        whole = tree(head, found.limits)
        if inside := wrapped(head, whole, forums, found.limits) if WHOLE in _kinds(whole) else None:
            found.inner, beside = inside
            for part in beside:
                found.asides += [("footer", line.strip()) for line in _text(part, found).split("\n") if line.strip()]
            whole = tree(found.inner, found.limits)
    except TooMuchError as error:
        found.trouble.append(str(error))
        return
    _take(whole, found)


def _kinds(whole: Part) -> tuple[str, ...]:
    return tuple([part.kind for part in whole.children]) or (whole.kind,)


def _take(part: Part, found: _Found) -> None:
    """Read one part: text into pieces, alternatives compared, everything else as an attachment."""
    found.defects += part.defects
    if part.kind == "multipart/encrypted" or part.parameters.get("smime-type") == "enveloped-data":
        found.trouble.append("it is encrypted")
        found.attachments.append(part.kind)
    elif part.kind == "multipart/alternative" and part.children:
        _choose(part, found)
    elif part.kind in ("multipart/signed", "multipart/related", "multipart/report", "multipart/appledouble"):
        for index, child in enumerate(part.children):
            _take(child, found) if index == 0 else _set_aside(child, found)
    elif part.kind.startswith("multipart/") and part.children:
        for child in part.children:
            _take(child, found)
    elif part.kind.startswith("multipart/"):
        found.trouble.append("it says it has several parts, but none can be told apart")
    else:
        _take_leaf(part, found)


def _take_leaf(part: Part, found: _Found) -> None:
    """Read a part without parts: text of the letter itself, not attached or after it under a name."""
    if part.kind in _SEALED:
        found.trouble.append("it is wrapped in S/MIME, which is not read")
    attached = part.disposition == "attachment" or bool(part.filename and found.pieces)
    if attached or part.kind not in (*_READ, "text/html"):
        _set_aside(part, found)
    else:
        text = _text(part, found)
        found.pieces.append((text, part.kind == "text/html"))


def _choose(part: Part, found: _Found) -> None:
    """Read the plain text of a multipart/alternative, else the HTML; if both are readable they must agree."""
    plain = [child for child in part.children if _holds(child, _READ)]
    html = [child for child in part.children if _holds(child, ("text/html",)) and child not in plain]
    for child in part.children:
        if child not in plain and child not in html:
            _set_aside(child, found)
    said = _take_plain(plain, found)
    copy = _Found(found.limits)
    for child in html:
        _take(child, copy)
    found.attachments += copy.attachments
    found.defects += copy.defects
    if said:
        found.defects += [f"HTML copy not read: {why}" for why in copy.trouble]
        _compare(said, copy, found)
    else:
        found.trouble += copy.trouble
        found.pieces += copy.pieces
        found.asides += copy.asides
        found.lossy |= copy.lossy


def _take_plain(parts: Sequence[Part], found: _Found) -> str:
    """Read plain texts, one of them as a single piece; return all they say, '' if they are blank."""
    before = len(found.pieces)
    for part in parts:
        _take(part, found)
    texts = [text for text, _ in found.pieces[before:]]
    if len(parts) > 1 and len({" ".join(text.split()) for text in texts}) > 1:
        found.trouble.append("its alternative texts differ")
    said = "\n".join(texts)
    found.pieces[before:] = [(said if len(parts) == 1 else texts[0], False)] if said.strip() else []
    return said if said.strip() else ""


def _compare(said: str, copy: _Found, found: _Found) -> None:
    """Record in *found* where the HTML *copy* of the plain text *said* differs from it."""
    visible_text = "\n".join(text for text, _ in copy.pieces)
    if visible_text.strip():
        signed = "\n".join(text for why, text in copy.asides if why == "signature")
        trouble, asides = compare(said, visible_text, signed, found.own)
        found.trouble += [trouble] if trouble else []
        found.asides += asides


def _holds(part: Part, kinds: Sequence[str]) -> bool:
    """Return whether *part* is, or has at its beginning, a text of one of *kinds*."""
    while part.kind.startswith("multipart/") and part.children:
        part = part.children[0]
    return part.kind in kinds and part.disposition != "attachment"


def _text(part: Part, found: _Found) -> str:
    """Return the text of a text part: decoded, flowed lines joined, HTML made visible."""
    data, defects = transfer(part.data, part.encoding)
    found.defects += defects
    if data is None:
        found.trouble.append(f"its text has an {defects[0]}")
        return ""
    found.lossy |= bool(defects)
    text = decode(data, part.parameters.get("charset", ""))
    found.defects += text.defects
    found.lossy |= text.lossy
    if text.refused:
        found.trouble.append(text.refused)
        return ""
    if part.kind == "text/html":
        return _from_html(text.text, found)
    if part.parameters.get("format", "").lower() == "flowed":
        return join_flowed(text.text, part.parameters.get("delsp", "").lower() == "yes")
    return text.text


def _from_html(markup: str, found: _Found) -> str:
    """Return the visible text of *markup*; hidden text becomes asides."""
    over = exceeded_limit(markup, found.limits)
    if over:
        found.trouble.append(over)
        return ""
    seen = visible(markup)
    found.asides += seen.asides
    return seen.text


def _set_aside(part: Part, found: _Found) -> None:
    """Remember an attachment by its name; the lines of a small plain text are kept for near misses only."""
    for child in part.children:
        _set_aside(child, found)
    if part.children:
        return
    found.attachments.append(part.filename[:200] or part.kind)
    if len(found.asides) >= _ASIDES:
        return
    if part.kind == WHOLE:
        found.asides += [("forwarded", line) for line in _forwarded(part, found.limits)]
    if part.kind not in _READ:
        return
    data, _ = transfer(part.data[:20_000], part.encoding)
    text = decode(data or b"", part.parameters.get("charset", "")).text
    found.asides += [("attachment", line.strip()) for line in text.split("\n")[:_ASIDES] if line.strip()]


def _forwarded(part: Part, limits: Limits) -> list[str]:
    """Return the first lines with words of an attached letter's plain text; none if it has none."""
    data, _ = transfer(part.data[:20_000], part.encoding)
    try:
        inner = tree(split_head(data or b"", limits.headers, limits.header_bytes), limits)
    except TooMuchError:
        return []
    while inner.children:
        inner = inner.children[0]
    if inner.kind not in _READ:
        return []
    data, _ = transfer(inner.data, inner.encoding)
    text = decode(data or b"", inner.parameters.get("charset", "")).text
    return [line.strip() for line in text.split("\n")[:_ASIDES] if line.strip()]
