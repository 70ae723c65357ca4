"""MIME parts, and all text that they show.

The tree of a letter's parts, within limits (RFC 2045, 2046, 2231); all that a letter shows in any part, to look for
words that were meant for one reader alone; and whether its text and HTML copies say the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from nomicwolf.language.deed_words import may_be_deed
from nomicwolf.language.lexicon import OwnFrame
from nomicwolf.letters.attribution import scan
from nomicwolf.letters.headers import Head, decode, decoded_words, split_head, transfer
from nomicwolf.letters.letter import Limits


class TooMuchError(ValueError):
    """A limit was passed; the message says which one. Never leaves this folder."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part: its *kind* (``text/plain``), parameters, disposition, still encoded *data*, and its *children*."""

    kind: str
    parameters: Mapping[str, str]
    disposition: str
    filename: str
    encoding: str
    data: bytes
    children: tuple[Part, ...] = ()
    defects: tuple[str, ...] = ()


@dataclass(slots=True)
class _Count:
    """The number of parts met so far."""

    limits: Limits
    parts: int = 0


def tree(head: Head, limits: Limits) -> Part:
    """Return the letter's parts; raises TooMuchError when it nests too deeply or has too many parts."""
    return _part(head, "text/plain", _Count(limits), 0)


def _part(head: Head, default: str, count: _Count, depth: int) -> Part:
    """Parse one part and all within it."""
    count.parts += 1
    if count.parts > count.limits.parts:
        raise TooMuchError(f"it has more than {count.limits.parts} parts")
    if depth > count.limits.depth:
        raise TooMuchError(f"its parts nest more than {count.limits.depth} deep")
    if head.excess:
        raise TooMuchError(f"it has {head.excess}")
    defects = head.defects if depth else ()
    kind, parameters = value_and_parameters(head.first("Content-Type"))
    if "/" not in kind or kind.startswith("/") or kind.endswith("/"):
        kind = default
    named, extra = value_and_parameters(head.first("Content-Disposition"))
    disposition = named if named in ("", "inline") else "attachment"  # RFC 2183 2.8: unknown ones are, too
    filename = decoded_words(extra.get("filename", "") or parameters.get("name", ""))
    children: tuple[Part, ...] = ()
    if kind.startswith("multipart/"):
        inner = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        sections, found = split_parts(head.rest, parameters.get("boundary", ""), count.limits.parts)
        defects += found
        children = tuple(
            _part(split_head(section, count.limits.headers, count.limits.header_bytes), inner, count, depth + 1)
            for section in sections
        )
    encoding = head.first("Content-Transfer-Encoding")
    return Part(kind, parameters, disposition, filename, encoding, head.rest, children, defects)


def split_parts(data: bytes, boundary: str, most: int) -> tuple[list[bytes], tuple[str, ...]]:
    """Return what is between the boundary lines, at most *most* + 1 pieces, without preamble and epilogue."""
    if not boundary:
        return [], ("multipart without boundary",)
    mark = b"--" + boundary.encode("utf-8", "replace")
    sections: list[bytes] = []
    begin, index = -1, 0
    while len(sections) <= most:
        at = 0 if index == 0 and data.startswith(mark) else _line_start(data, mark, index)
        if at < 0:
            break
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end
        rest = data[at + len(mark) : end].rstrip(b" \t")
        index = end
        if rest not in (b"", b"--"):
            continue
        if begin >= 0:
            sections.append(data[begin : max(begin, at - 1)])
        if rest == b"--":
            return sections, ()
        begin = min(end + 1, len(data))
    if begin >= 0:
        sections.append(data[begin:])
    return sections, ("boundary never closed",) if sections else ("boundary never found",)


def _line_start(data: bytes, mark: bytes, index: int) -> int:
    """Return where the next line that begins with *mark* starts, at or after *index*; -1 if none does."""
    at = data.find(b"\n" + mark, index)
    return at + 1 if at >= 0 else -1


def value_and_parameters(text: str) -> tuple[str, Mapping[str, str]]:
    """Parse ``text/plain; charset="utf-8"``: its value in lower case, the first of each parameter.

    Pieces and percent encodings of RFC 2231 are put together. At most 100 parameters are read.
    """
    if ";" not in text:
        return value_of(text), {}
    pieces = _split_parameters(text)
    plain: dict[str, str] = {}
    sections: dict[str, dict[int, tuple[str, bool]]] = {}
    for piece in pieces[1:101]:
        name, equals, value = piece.partition("=")
        name = name.strip().lower()
        if not equals or not name:
            continue
        base, star, number = name.partition("*")
        if not star:
            plain.setdefault(base, _unquoted(value))
            continue
        encoded = name.endswith("*")
        digits = number.removesuffix("*")
        order = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 4 else 0
        sections.setdefault(base, {}).setdefault(order, (_unquoted(value), encoded))
    for base, found in sections.items():
        plain.setdefault(base, _joined(found))
    return value_of(text), plain


def value_of(text: str) -> str:
    """Return ``text/plain; charset="utf-8"`` without its parameters, in lower case.

    >>> value_of('Text/Plain (so); charset="utf-8"'), value_of('a";"b; c')
    ('text/plain', 'a";"b')
    """
    first = text.partition(";")[0]
    return (_split_parameters(text)[0] if '"' in first else first).split("(", 1)[0].strip().lower()


def _split_parameters(text: str) -> list[str]:
    """Split *text* at the semicolons outside of quoted strings."""
    if '"' not in text:
        return text.split(";")
    pieces: list[str] = []
    start, index, quoted = 0, 0, False
    while index < len(text):
        char = text[index]
        if char == "\\" and quoted:
            index += 1
        elif char == '"':
            quoted = not quoted
        elif char == ";" and not quoted:
            pieces.append(text[start:index])
            start = index + 1
        index += 1
    return [*pieces, text[start:]]


def _unquoted(value: str) -> str:
    """Return a parameter's value without its quotes and escapes."""
    value = value.strip()
    if value[:1] != '"':
        return value.split(" ", 1)[0]
    out: list[str] = []
    chars = iter(value[1:])
    for char in chars:
        if char == '"':
            break
        out.append(next(chars, "") if char == "\\" else char)
    return "".join(out)


def _joined(found: dict[int, tuple[str, bool]]) -> str:
    """Join the pieces of one RFC 2231 parameter in order and undo percent encodings."""
    charset, raw = "utf-8", bytearray()
    for order, (written, encoded) in sorted(found.items()):
        value = written
        if encoded and order == 0 and value.count("'") >= 2:
            charset, _, value = value.split("'", 2)
        raw += _percent(value) if encoded else value.encode("utf-8", "replace")
    return decode(bytes(raw), charset).text


def _percent(value: str) -> bytes:
    """Decode percent-encoded text to bytes; a broken escape stays as it is."""
    first, *rest = value.encode("utf-8", "replace").split(b"%")
    out = bytearray(first)
    for piece in rest:
        digits = piece[:2]
        good = len(digits) == 2 and all(octet in b"0123456789abcdefABCDEF" for octet in digits)
        out += bytes([int(digits, 16)]) + piece[2:] if good else b"%" + piece
    return bytes(out)


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
    r"""Return the ASCII letters and digits of *text* in capitals, as `addresses.hashed` takes a word from its reader.

    >>> squeezed("> Confirm ab12-\n> cd34")
    'CONFIRMAB12CD34'
    """
    return text.upper().encode("ascii", "ignore").translate(None, _NOT_SEEN).decode("ascii")


def shown_text(head: Head, limits: Limits) -> str:
    """Return, squeezed, all headers and parts of a letter: quotations, markup, attachments, letters within."""
    return " ".join(map(squeezed, _texts(head, limits, 0)))


def _texts(head: Head, limits: Limits, depth: int) -> Iterator[str]:
    """Yield every text of a letter; one without separable parts is a text itself."""
    yield from (decoded_words(value) for name, value in head.fields if name.lower() not in _DELIVERED)
    try:
        whole = tree(head, limits)
    except TooMuchError:
        yield head.rest.decode("latin-1")
        return
    yield from _in_part(whole, limits, depth)


def _in_part(part: Part, limits: Limits, depth: int) -> Iterator[str]:
    """Yield the texts of one part and of all within it."""
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


_SEARCHES, _ASIDES = 2000, 100
_NAMED = 2
"""Words of a line that may be a name, which stands for a vote."""
_LINKS = ("http", "mailto:", "cid:", "image", "tel:", "inline")


def compare(
    plain: str, shown: str, signed: str = "", own: tuple[OwnFrame, ...] = ()
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return ('' or why the letter must be held, lines of the HTML alone as (``html-only-copy``, line)).

    Compared are the author's own lines that could be deeds, by letters and digits only: mailers differ in line
    breaks, bullets, emphasis and links. A line must be found in the author's own text on the other side, so that
    words which one reader sees as the author's and another as a quotation (CFJ 3581) are not passed over; what the
    text leaves in doubt may be the author's own in the HTML, for its author is asked about it. *signed* is
    what the HTML shows as its author's signature: nothing in the text tells of that where no ``-- `` is above it.
    *own* are the deeds that the session has beside the language's.
    """
    left, right = _Side(plain, own=own), _Side(shown, signed, own)
    if left.core == right.core:
        return "", ()
    only = tuple(islice((("html-only-copy", line) for line in right.lines[:_SEARCHES]
                         if _core(line) not in left.whole), _ASIDES))
    if missed := left.missed_in(right.core, right):
        return "its HTML copy does not have this line: " + missed, only
    missed = right.missed_in(left.open, left)
    return "only its HTML copy has this line: " + missed if missed else "", only


class _Side:
    """One copy: the author's own *lines*, their letters and digits (*core*), and those of the *whole* copy.

    *open* are those of what may be the author's own: lines in doubt, too.
    """

    def __init__(self, text: str, signed: str = "", own: tuple[OwnFrame, ...] = ()) -> None:
        self._own_deeds = own
        found = scan(text)
        judged = list(zip(found.lines, found.whys, strict=True))
        self.lines = [line.strip() for line, why in judged if not why and line.strip()]
        self.cores = {_core(line) for line in self.lines}
        self.core = _core("\n".join(self.lines))
        kept = [line for place, (line, why) in enumerate(judged) if not why or place in found.doubts]
        self.open = _core("\n".join(kept)) if found.doubts else self.core
        self.whole = _core(f"{text}\n{signed}")

    def missed_in(self, own: str, other: _Side) -> str:
        """Return the first line of this side that could be a deed and isn't in the *other* side's *own* text, or ''.

        A line of one or two words may be a name that stands for a vote, or a signature: it has to be somewhere in
        the whole of the other copy. Lines that aren't there as lines are searched for; after 2,000 of them the copies
        are too different to be one text.
        """
        strange = [line for line in self.lines if _core(line) not in other.cores]
        for line in strange[:_SEARCHES]:
            core = _core(_unlisted(line))
            like = may_be_deed(_without_links(line), self._own_deeds)
            if core not in (own if like else other.whole) and (like or len(_without_links(line).split()) <= _NAMED):
                return line[:200]
        return strange[_SEARCHES][:200] if len(strange) > _SEARCHES else ""


def _unlisted(line: str) -> str:
    """Return *line* without the number or letter of a list's item, which HTML does not write out."""
    mark, _, rest = line.strip().partition(" ")
    numbered = mark[-1:] in (".", ")") and (mark[:-1].isdecimal() or (len(mark) == 2 and mark[0].islower()))
    return rest if numbered and rest else line


def _core(text: str) -> str:
    """Return the letters and digits of *text*, casefolded, without addresses of links and pictures."""
    folded = unicodedata.normalize("NFKC", _without_links(text)).casefold()
    return "".join(char for char in folded if char.isalnum())


def _without_links(text: str) -> str:
    """Return *text* without ``<https://...>``, ``[image: ...]`` and ``[cid:...]``, which only text copies have."""
    pieces = text.replace("[", "<").replace("]", ">").split("<") if "<" in text or "[" in text else [text]
    out = [pieces[0]]
    for piece in pieces[1:]:
        inner, close, after = piece.partition(">")
        linked = close and inner.strip().lower().startswith(_LINKS)
        out.append(after if linked else f" {inner} {after}")
    return "".join(out)
