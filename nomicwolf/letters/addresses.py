"""Mailboxes and message ids, parsed strictly: whatever has two readings has none (RFC 5322 3.4, 3.6.4)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

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
    """The one mailbox in a From field as (display name as written, address), or None.

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
    """Whether each comment of a field stands by itself, with a space or the field's end on either side.

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
    """``local@domain`` with the domain in lower case, or None; letters beyond ASCII stay exact (RFC 6532)."""
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
    """Whether *domain* (lower case) is labels of letters, digits and hyphens with dots between."""
    labels = domain.split(".")
    return all(
        0 < len(label) <= 63
        and label[0] != "-" != label[-1]
        and (_LABEL.issuperset(label) or all(char in _LABEL or _is_letter(char) for char in label))
        for label in labels
    )


def _is_letter(char: str) -> bool:
    """Whether *char* is a letter or digit beyond ASCII, or a mark on one, as many scripts write their vowels."""
    return ord(char) > 127 and (char.isalnum() or unicodedata.category(char) in ("Mn", "Mc"))


def for_transport(address: str) -> str:
    """*address* with each label of its domain in the form that any server knows (RFC 5890 2.3.2.1).

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
    """*address* as addresses are compared: NFC, the domain as it travels, ASCII letters in lower case.

    Two that reach one mailbox are equal.
    """
    if address.isascii():
        return address.strip().lower()
    same = for_transport(unicodedata.normalize("NFC", address.strip()))
    return "".join(char.lower() if char.isascii() else char for char in same)


def addresses_in(value: str) -> tuple[str, ...]:
    """All addresses that a To, Cc, Reply-To or Delivered-To field names, at most 200; lenient, linear."""
    found: list[str] = []
    for chunk in value[:20_000].replace("<", ",").replace(">", ",").replace(";", ",").replace(":", ",").split(","):
        for word in chunk.split():
            address = addr_spec(word.strip("()\"'"))
            if address is not None and len(found) < 200:
                found.append(address)
    return tuple(dict.fromkeys(found))


def folded_in(value: str) -> frozenset[str]:
    """The addresses that `addresses_in` finds, folded."""
    return _folded_in(value) if len(value) <= _USUAL else _folded_in.__wrapped__(value)


@lru_cache(maxsize=256)
def _folded_in(value: str) -> frozenset[str]:
    """Return what `folded_in` does; most letters go to the same few addresses."""
    return frozenset(map(fold_address, addresses_in(value)))


def split_tag(address: str) -> tuple[str, str]:
    """``local+tag@domain`` as (``local@domain``, ``tag``); the tag is '' if there is none (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    base, _, tag = local.partition("+")
    return f"{base}@{domain}", tag


def with_tag(address: str, tag: str) -> str:
    """*address* with *tag* in it, behind a tag of its own if it has one; *address* itself if there is no room.

    >>> with_tag("wolf@contest.example", "x"), with_tag("wolf+town@contest.example", "x")
    ('wolf+x@contest.example', 'wolf+town-x@contest.example')
    """
    local, _, domain = address.rpartition("@")
    made = f"{local}{'-' if '+' in local else '+'}{tag}"
    return f"{made}@{domain}" if tag and len(made) <= _LONGEST_LOCAL else address


def tag_in(address: str, own: str) -> str:
    """The tag that `with_tag` has put into *own* to make *address*; '' if it hasn't. Both are folded."""
    (base, tag), (own_base, own_tag) = split_tag(address), split_tag(own)
    before = f"{own_tag}-" if own_tag else ""
    return tag[len(before) :] if base == own_base and tag.startswith(before) else ""


def message_ids(value: str) -> tuple[str, ...]:
    """Every valid ``<left@right>`` in *value*, in order, at most 100."""
    found: list[str] = []
    for chunk in value[:65_536].split("<")[1:]:
        text, close, _ = chunk.partition(">")
        if close and _is_id(text) and len(found) < 100:
            found.append(f"<{text}>")
    return tuple(dict.fromkeys(found))


def message_id(value: str) -> str:
    """The id if *value* is exactly one of at most 250 characters, else ''."""
    text = value.strip()
    inner = text[1:-1]
    return text if text[:1] == "<" and text[-1:] == ">" and len(text) <= MAX_ID and _is_id(inner) else ""


def _is_id(text: str) -> bool:
    """Whether *text* is ``left@right`` in printable ASCII, without brackets but around a literal on the right."""
    left, at, right = text.partition("@")
    if not (left and at and right) or "@" in right or len(text) > MAX_ID - 2:
        return False
    if right[0] == "[" and right[-1] == "]" and len(right) > 2:
        right = right[1:-1]
    return _ID.fullmatch(left + right) is not None


def _pieces(value: str) -> list[tuple[str, str]] | None:
    """*value* as atoms, quoted strings, comments and angle brackets; None if it is malformed or lists several."""
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
    """The index after the quoted string that opens at *start*."""
    index = start + 1
    while index < len(value):
        if value[index] == "\\":
            index += 1
        elif value[index] == '"':
            return index + 1
        index += 1
    return None


def _comment_end(value: str, start: int) -> int | None:
    """The index after the comment that opens at *start*; None if it nests too deeply or never closes."""
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
    """The index after the angle bracket that opens at *start*; None if another opens within or none closes."""
    end = value.find(">", start)
    return None if end < 0 or "<" in value[start + 1 : end] else end + 1
