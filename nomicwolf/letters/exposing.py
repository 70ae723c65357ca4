"""All that a letter shows to whoever reads it, in whatever part, to look for words that were meant for one alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nomicwolf.letters.decoding import decode, transfer, words
from nomicwolf.letters.headers import Head, split_head
from nomicwolf.letters.letter import Limits
from nomicwolf.letters.parts import Part, TooMuchError, tree

_DELIVERED = frozenset((
    "received", "return-path", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to",
    "x-rcpt-to"))
"""What mail servers write on the way to one reader: nobody else sees it, and a blind copy stays one."""
_NO_TEXT = ("image/", "audio/", "video/", "font/")
_TAG = re.compile(r"<[^<>]*+>")
_NOT_SEEN = bytes(octet for octet in range(256) if not chr(octet).isalnum() or octet > 127)
_DEPTH = 3
"""How deep letters within letters are looked into."""


def squeezed(text: str) -> str:
    r"""Return the ASCII letters and digits of *text* in capitals, as `tokens.hashed` takes a word from its reader.

    >>> squeezed("> Confirm ab12-\n> cd34")
    'CONFIRMAB12CD34'
    """
    return text.upper().encode("ascii", "ignore").translate(None, _NOT_SEEN).decode("ascii")


def shown(head: Head, limits: Limits) -> str:
    """Return, squeezed, the headers and parts of a letter: quotations, markup, attachments, letters within."""
    return " ".join(map(squeezed, _texts(head, limits, 0)))


def _texts(head: Head, limits: Limits, depth: int) -> Iterator[str]:
    """Every text of a letter; one whose parts can't be told apart is a text itself."""
    yield from (words(value) for name, value in head.fields if name.lower() not in _DELIVERED)
    try:
        whole = tree(head, limits)
    except TooMuchError:
        yield head.rest.decode("latin-1")
        return
    yield from _in_part(whole, limits, depth)


def _in_part(part: Part, limits: Limits, depth: int) -> Iterator[str]:
    """The texts of one part and of all within it."""
    if part.children:
        for child in part.children:
            yield from _in_part(child, limits, depth)
        return
    if part.kind.startswith(_NO_TEXT):
        return
    data = transfer(part.data, part.encoding)[0]
    data = part.data if data is None else data
    if part.kind == "message/rfc822" and depth < _DEPTH:
        yield from _texts(split_head(data, limits.headers, limits.header_bytes), limits, depth + 1)
        return
    text = decode(data, part.parameters.get("charset", "")).text or data.decode("latin-1")
    yield text
    if part.kind == "text/html":
        yield _TAG.sub("", text)
