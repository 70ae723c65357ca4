"""Mailboxes, message ids and reply tags.

Mailboxes and ids are parsed strictly: whatever has two readings has none (RFC 5322 3.4, 3.6.4). Reply tags (RFC 5233)
and tokens that confirm one act are words that only the contest's key can make.

Both are HMAC-SHA-256 cut to at least 128 bits, in base 32, which mail systems preserve whatever they do to case.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b32encode
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from hmac import new as keyed

MAX_ID = 250
MAX_ADDRESS = 254
_USUAL = 2000
"""Of a longer field nothing is kept for the next letter."""
_LONGEST_LOCAL = 64  # RFC 5321 4.5.3.1.1
_ATOM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~.")
_LABEL = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_MAX_COMMENT_DEPTH = 20
_NO_NAME = frozenset("@<>:;,")
"""A comment with one of these may be an address to some program, and a name to another."""
_ID = re.compile(r"[!#-'*+\--;=?-Z^-~]+")


def mailbox(value: str) -> tuple[str, str] | None:
    """Return the one mailbox in a From field as (display name as written, address), or None.

    None if there are several, a group, a route, a comment within the address or with one in it, a control character,
    an open quote or bracket, or anything else that two programs could read differently. A comment is held to be a name
    only where a space parts it from the address, as old programs write it. Linear in ``len(value)``.
    """
    return _mailbox(value) if len(value) <= _USUAL else None


@lru_cache(maxsize=256)
def _mailbox(value: str) -> tuple[str, str] | None:
    """Return what `mailbox` does; most letters are from the same few senders."""
    plain = value.isascii() and value.isprintable()
    if not (plain or all(unicodedata.category(char) not in ("Cc", "Cs") for char in value)):
        return None
    pieces = _pieces(value)
    if pieces is None:
        return None
    words = [text for kind, text in pieces if kind in ("atom", "quoted")]
    angles = [text for kind, text in pieces if kind == "angle"]
    comments = [text for kind, text in pieces if kind == "comment"]
    if comments and (_NO_NAME.intersection("".join(comments)) or not _apart(value)):
        return None
    if len(angles) == 1:
        kinds = [kind for kind, _ in pieces if kind != "comment"]
        if kinds[-1] != "angle" or any(kind == "atom" and "@" in text for kind, text in pieces):
            return None
        address, shown = addr_spec(angles[0]), " ".join(words)
    elif not angles and len(words) == 1 and pieces[0][0] == "atom":
        address, shown = addr_spec(words[0]), " ".join(comments)
    else:
        return None
    return None if address is None else (shown.strip(), address)


def _apart(value: str) -> bool:
    """Return whether each comment of a field stands alone, with a space or the field's end on either side.

    What stands in another one or in a quoted string is not looked at.
    """
    place = 0
    while place < len(value):
        if value[place] == "(":
            end = _comment_end(value, place)
            if end is None or value[place - 1:place] not in ("", " ") or value[end:end + 1] not in ("", " "):
                return False
            place = end
        else:
            place = (_quoted_end(value, place) or len(value)) if value[place] == '"' else place + 1
    return True


def addr_spec(text: str) -> str | None:
    """Return ``local@domain`` with the domain in lower case, or None; letters beyond ASCII stay exact (RFC 6532)."""
    return _addr_spec(text) if len(text) <= MAX_ADDRESS else None


@lru_cache(maxsize=256)
def _addr_spec(text: str) -> str | None:
    """Return what `addr_spec` does; most letters name the same few addresses."""
    local, at, domain = text.partition("@")
    if not at or not 0 < len(local) <= 64:
        return None
    if local[0] == "." or local[-1] == "." or ".." in local:
        return None
    if not _ATOM.issuperset(local) and not all(char in _ATOM or _is_letter(char) for char in local):
        return None
    domain = domain.lower()
    return f"{local}@{domain}" if is_domain(domain) else None


def is_domain(domain: str) -> bool:
    """Return whether *domain* (lower case) is labels of letters, digits and hyphens with dots between."""
    labels = domain.split(".")
    return all(
        0 < len(label) <= 63
        and label[0] != "-" != label[-1]
        and (_LABEL.issuperset(label) or all(char in _LABEL or _is_letter(char) for char in label))
        for label in labels
    )


def _is_letter(char: str) -> bool:
    """Return whether *char* is a letter or digit beyond ASCII, or a mark on one, as many scripts write their vowels."""
    return ord(char) > 127 and (char.isalnum() or unicodedata.category(char) in ("Mn", "Mc"))


def for_transport(address: str) -> str:
    """Return *address* with each label of its domain in the form that any server knows (RFC 5890 2.3.2.1).

    What stays beyond ASCII is before the ``@``, and needs a server that knows SMTPUTF8 (RFC 6531).

    >>> for_transport("ash@Bücher.example")
    'ash@xn--bcher-kva.example'
    """
    if address.isascii():
        return address
    local, _, domain = address.rpartition("@")
    labels = unicodedata.normalize("NFC", domain.lower()).split(".")
    return f"{local}@{'.'.join(_a_label(label) for label in labels)}"


def _a_label(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def fold_address(address: str) -> str:
    """Return *address* as addresses are compared: NFC, the domain as it travels, ASCII letters in lower case.

    Two that reach one mailbox are equal.
    """
    if address.isascii():
        return address.strip().lower()
    same = for_transport(unicodedata.normalize("NFC", address.strip()))
    return "".join(char.lower() if char.isascii() else char for char in same)


def addresses_in(value: str) -> tuple[str, ...]:
    """Return all addresses that a To, Cc, Reply-To or Delivered-To field names, at most 200; lenient, linear."""
    found: list[str] = []
    for chunk in value[:20_000].replace("<", ",").replace(">", ",").replace(";", ",").replace(":", ",").split(","):
        for word in chunk.split():
            address = addr_spec(word.strip("()\"'"))
            if address is not None and len(found) < 200:
                found.append(address)
    return tuple(dict.fromkeys(found))


def folded_in(value: str) -> frozenset[str]:
    """Return the addresses that `addresses_in` finds, folded."""
    return _folded_in(value) if len(value) <= _USUAL else _folded_in.__wrapped__(value)


@lru_cache(maxsize=256)
def _folded_in(value: str) -> frozenset[str]:
    """Return what `folded_in` does; most letters go to the same few addresses."""
    return frozenset(map(fold_address, addresses_in(value)))


def split_tag(address: str) -> tuple[str, str]:
    """Split ``local+tag@domain`` into ``local@domain`` and ``tag``, '' if there is none (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    base, _, tag = local.partition("+")
    return f"{base}@{domain}", tag


def with_tag(address: str, tag: str) -> str:
    """Return *address* with *tag* in it, after any tag of its own; *address* itself if there is no room.

    >>> with_tag("wolf@contest.example", "x"), with_tag("wolf+town@contest.example", "x")
    ('wolf+x@contest.example', 'wolf+town-x@contest.example')
    """
    local, _, domain = address.rpartition("@")
    made = f"{local}{'-' if '+' in local else '+'}{tag}"
    return f"{made}@{domain}" if tag and len(made) <= _LONGEST_LOCAL else address


def tag_in(address: str, own: str) -> str:
    """Return the tag that `with_tag` put into *own* to make *address*, both folded; '' if it didn't."""
    (base, tag), (own_base, own_tag) = split_tag(address), split_tag(own)
    before = f"{own_tag}-" if own_tag else ""
    return tag[len(before) :] if base == own_base and tag.startswith(before) else ""


def message_ids(value: str) -> tuple[str, ...]:
    """Return every valid ``<left@right>`` in *value*, in order, at most 100."""
    found: list[str] = []
    for chunk in value[:65_536].split("<")[1:]:
        text, close, _ = chunk.partition(">")
        if close and _is_id(text) and len(found) < 100:
            found.append(f"<{text}>")
    return tuple(dict.fromkeys(found))


def message_id(value: str) -> str:
    """Return the id if *value* is exactly one of at most 250 characters, else ''."""
    text = value.strip()
    inner = text[1:-1]
    return text if text[:1] == "<" and text[-1:] == ">" and len(text) <= MAX_ID and _is_id(inner) else ""


def _is_id(text: str) -> bool:
    """Return whether *text* is ``left@right`` in printable ASCII; only a literal may have brackets."""
    left, at, right = text.partition("@")
    if not (left and at and right) or "@" in right or len(text) > MAX_ID - 2:
        return False
    if right[0] == "[" and right[-1] == "]" and len(right) > 2:
        right = right[1:-1]
    return _ID.fullmatch(left + right) is not None


def _pieces(value: str) -> list[tuple[str, str]] | None:
    """Split *value* into atoms, quoted strings, comments and angle brackets; None if it is malformed."""
    pieces: list[tuple[str, str]] = []
    index = 0
    while index < len(value):
        char = value[index]
        if char == " ":
            index += 1
            continue
        if char in '"(<':
            end = {'"': _quoted_end, "(": _comment_end, "<": _angle_end}[char](value, index)
            if end is None:
                return None
            kind = {'"': "quoted", "(": "comment", "<": "angle"}[char]
            inner = value[index + 1 : end - 1]
            pieces.append((kind, inner if kind == "angle" else inner.replace("\\", "")))
        else:
            end = index
            while end < len(value) and value[end] not in ' "(<>),;:\\[]':
                end += 1
            if end == index:
                return None
            pieces.append(("atom", value[index:end]))
        index = end
    return pieces or None


def _quoted_end(value: str, start: int) -> int | None:
    """Return the index after the quoted string that opens at *start*."""
    index = start + 1
    while index < len(value):
        if value[index] == "\\":
            index += 1
        elif value[index] == '"':
            return index + 1
        index += 1
    return None


def _comment_end(value: str, start: int) -> int | None:
    """Return the index after the comment that opens at *start*; None if it nests too deeply or never closes."""
    depth, index = 0, start
    while index < len(value):
        if value[index] == "\\":
            index += 1
        elif value[index] == "(":
            depth += 1
            if depth > _MAX_COMMENT_DEPTH:
                return None
        elif value[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
        index += 1
    return None


def _angle_end(value: str, start: int) -> int | None:
    """Return the index after the angle bracket that opens at *start*; None if another opens within or none closes."""
    end = value.find(">", start)
    return None if end < 0 or "<" in value[start + 1 : end] else end + 1


_TOKEN_CHARS, _GROUP = 28, 7  # 140 bits
_TAG_CHARS = 26  # 130 bits


def token(secret: bytes, *parts: str) -> str:
    """Return the word that confirms what *parts* name: 28 letters and digits in four groups."""
    word = _keyed_word(secret, "nomicwolf token 1", parts)[:_TOKEN_CHARS]
    return "-".join(word[place : place + _GROUP] for place in range(0, _TOKEN_CHARS, _GROUP))


def hashed(given: str) -> str:
    """Return the SHA-256 hex of a token as its reader wrote it: case, hyphens, spaces and marks don't matter."""
    return sha256("".join(c for c in given.upper() if c.isascii() and c.isalnum()).encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Compare two hashes in constant time."""
    return compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def reply_tag(secret: bytes, contest: str, session: int, who: str, turn: int = 0) -> str:
    """Return the tag after ``+`` in *who*'s address for answers to letters of *session*.

    *turn* counts the tags of eirs that others have seen.
    """
    return _keyed_word(secret, "nomicwolf reply 1", (contest, str(session), who, str(turn)))[:_TAG_CHARS].lower()


def is_reply_tag(given: str, made: str) -> bool:
    """Return whether *given* is the tag *made*, whatever its case."""
    return same(given.lower(), made)


def _keyed_word(secret: bytes, purpose: str, parts: tuple[str, ...]) -> str:
    """Return 52 characters of base 32; each part's length goes in, so no two lists of parts are alike."""
    said = "\n".join([purpose, *(f"{len(part)}:{part}" for part in parts)])
    return b32encode(keyed(secret, said.encode("utf-8", "replace"), sha256).digest()).decode("ascii")
