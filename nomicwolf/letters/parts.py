"""The tree of MIME parts of a letter, within limits (RFC 2045, 2046, 2231)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nomicwolf.letters.decoding import decode, words
from nomicwolf.letters.headers import Head, split_head
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
    """How many parts were met so far."""

    limits: Limits
    parts: int = 0


def tree(head: Head, limits: Limits) -> Part:
    """The letter's parts; raises TooMuchError when it nests too deeply or has too many parts."""
    return _part(head, "text/plain", _Count(limits), 0)


def _part(head: Head, default: str, count: _Count, depth: int) -> Part:
    """One part and all within it."""
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
    filename = words(extra.get("filename", "") or parameters.get("name", ""))
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
    """What lies between the boundary lines, at most *most* + 1 pieces; preamble and epilogue are dropped."""
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
    """Where the next line that begins with *mark* starts, at or after *index*; -1 if none does."""
    at = data.find(b"\n" + mark, index)
    return at + 1 if at >= 0 else -1


def value_and_parameters(text: str) -> tuple[str, Mapping[str, str]]:
    """``text/plain; charset="utf-8"`` as its value in lower case and its parameters, the first of each name.

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
    """``text/plain; charset="utf-8"`` without its parameters, in lower case.

    >>> value_of('Text/Plain (so); charset="utf-8"'), value_of('a";"b; c')
    ('text/plain', 'a";"b')
    """
    first = text.partition(";")[0]
    return (_split_parameters(text)[0] if '"' in first else first).split("(", 1)[0].strip().lower()


def _split_parameters(text: str) -> list[str]:
    """*text* cut at the semicolons that stand outside of quoted strings."""
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
    """A parameter's value without its quotes and escapes."""
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
    """The pieces of one RFC 2231 parameter in order, percent encodings undone."""
    charset, raw = "utf-8", bytearray()
    for order, (written, encoded) in sorted(found.items()):
        value = written
        if encoded and order == 0 and value.count("'") >= 2:
            charset, _, value = value.split("'", 2)
        raw += _percent(value) if encoded else value.encode("utf-8", "replace")
    return decode(bytes(raw), charset).text


def _percent(value: str) -> bytes:
    """Percent-encoded text as bytes; a broken escape stays as it is."""
    first, *rest = value.encode("utf-8", "replace").split(b"%")
    out = bytearray(first)
    for piece in rest:
        digits = piece[:2]
        good = len(digits) == 2 and all(octet in b"0123456789abcdefABCDEF" for octet in digits)
        out += bytes([int(digits, 16)]) + piece[2:] if good else b"%" + piece
    return bytes(out)
