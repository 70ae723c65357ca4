"""Bytes to text: charsets, encodings, header fields and dates.

One linear scan, within limits (RFC 5322 2.2, RFC 6532). Dates become UTC seconds, or None (RFC 5322 3.3 and its
obsolete forms).

Hostile input never raises (RFC 2045, 2047, 2231). Flowed paragraphs are joined (RFC 3676).
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from nomicwolf.letters.quote_marks import quoted

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_NOT_BASE64 = bytes(octet for octet in range(256) if octet not in _ALPHABET)
_HEX = frozenset(b"0123456789abcdefABCDEF")
# Python's names of the charsets that letters use: codecs that are no charsets (rot13, zlib, idna) stay out.
_CHARSETS = frozenset(
    ["ascii", "utf-8", "utf-16", "utf-16-le", "utf-16-be", "koi8-r", "koi8-u", "gb18030", "gbk", "gb2312",
     "big5", "big5hkscs", "euc_jp", "shift_jis", "cp932", "iso2022_jp", "iso2022_jp_1", "iso2022_jp_2",
     "iso2022_jp_3", "iso2022_jp_ext", "euc_kr", "cp949", "iso2022_kr", "johab", "mac-roman", "tis-620",
     "cp437", "cp850", "cp852", "cp866", "cp874", "hp-roman8"]
    + [f"iso8859-{part}" for part in (*range(1, 12), *range(13, 17))]
    + [f"cp{page}" for page in range(1250, 1259)]
)
_WIDER = {
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
    "iso2022_jp": "iso2022_jp_ext", "iso8859-9": "cp1254", "tis-620": "cp874",
}
_NAMES = {
    "ks_c_5601-1987": "cp949", "x-sjis": "cp932", "windows-31j": "cp932", "x-gbk": "gb18030",
    "iso-8859-8-i": "iso8859-8", "iso-8859-8-e": "iso8859-8", "unicode-1-1-utf-8": "utf-8",
    "ansi_x3.110-1983": "ascii", "x-euc-tw": "big5hkscs", "uhc": "cp949", "ms949": "cp949",
}
_PAGE = re.compile(r"(?:windows|win|cp|ibm|dos|ms|cswindows|csibm)[-_]?(\d{3,4})")
"""Names of the code pages, in one of many spellings."""
# Controls that viewers show as line ends: a quote mark after one of them would look like the start of a line.
_LINE_ENDS = {0x0B: "\n", 0x0C: "\n", 0x85: "\n", 0x2028: "\n", 0x2029: "\n"}
_CONTROLS: dict[int, str | None] = dict.fromkeys((*range(9), *range(14, 32), 127))
_CONTROLS |= dict.fromkeys((0x1680, 0x180E, *range(0x2000, 0x200B), 0x205F, 0x2800, 0x3164), " ")
"""Rarer spaces, and letters that are drawn as nothing, are spaces."""
_LONGEST_NAME = 40
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ufeff\u1680\u180e\u2000-\u200a\u205f\u2800\u3164]")


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded text: whether it is *lossy*, what was odd, and why it is refused."""

    text: str
    lossy: bool = False
    defects: tuple[str, ...] = ()
    refused: str = ""


def transfer(data: bytes, encoding: str) -> tuple[bytes | None, tuple[str, ...]]:
    """Undo a Content-Transfer-Encoding; (None, why) if it is unknown and so must not be guessed (RFC 2045 6.4)."""
    name = encoding.split("(", 1)[0].split(";", 1)[0].strip().strip('"').lower()
    if name in ("", "7bit", "8bit", "binary", "7-bit", "8-bit", "none"):
        return data, ()
    if name in ("quoted-printable", "quotedprintable"):
        broken = any(not _good_escape(piece) for piece in data.split(b"=")[1:])
        return binascii.a2b_qp(data), ("broken quoted-printable",) if broken else ()
    if name == "base64":
        return _base64(data)
    return None, (f"unknown transfer encoding {name[:40]}",)


def _good_escape(piece: bytes) -> bool:
    """Return whether what follows a ``=`` is two hexadecimal digits or a soft line break."""
    return (len(piece) >= 2 and piece[0] in _HEX and piece[1] in _HEX) or piece.lstrip(b" \t")[:1] in (b"\n", b"")


def _base64(data: bytes) -> tuple[bytes, tuple[str, ...]]:
    """Decode base64 up to its first padding, without foreign octets; a cut end loses at most two octets."""
    head, padding, tail = data.partition(b"=")
    letters = head.translate(None, _NOT_BASE64)
    foreign = head.translate(None, _ALPHABET + b" \t\n")
    whole = len(letters) - (1 if len(letters) % 4 == 1 else 0)
    decoded = binascii.a2b_base64(letters[:whole] + b"=" * (-whole % 4))
    odd = bool(foreign) or bool(tail.strip(b"= \t\n")) or (len(letters) % 4 == 1) or (len(letters) % 4 and not padding)
    return decoded, ("broken base64",) if odd else ()


def decode(data: bytes, charset: str) -> Text:
    """Decode by the declared charset, else UTF-8, else Windows-1252 with replacement; refuse UTF-7."""
    name = charset.strip().strip("'\"").lower()
    if name.replace("_", "-") in ("utf-7", "unicode-1-1-utf-7", "csunicode11utf7", "utf7", "x-unicode-1-1-utf-7"):
        return Text("", refused="its text is in UTF-7, which hides what it says")
    codec = _codec(name) if len(name) <= _LONGEST_NAME else ""
    attempts = [codec] if codec else []
    for candidate in (*attempts, "utf-8"):
        text = _attempt(data, candidate)
        if text is not None:
            odd = () if candidate == codec else (f"not in the declared charset {name[:40]}",)
            return _plain(text, False, odd if name not in ("", "us-ascii", "ascii") else ())
    return _plain(data.decode("cp1252", "replace"), True, (f"charset guessed for {name[:40] or 'none'}",))


def _attempt(data: bytes, codec: str) -> str | None:
    """Return *data* in *codec*, or None; Latin-1 with octets 80 to 9F is Windows-1252 in practice."""
    if codec == "iso8859-1":
        codec = "cp1252" if data.translate(None, bytes(range(0x80, 0xA0))) != data else codec
    try:
        return data.decode(codec)
    except (UnicodeError, ValueError):
        wider = _WIDER.get(codec)
    return _attempt(data, wider) if wider else None


@lru_cache(maxsize=256)
def _codec(name: str) -> str:
    """Return Python's name of a charset that letters may use, or ''."""
    if not name or not name.isascii() or "\x00" in name:
        return ""
    try:
        found = codecs.lookup(_NAMES.get(name, name)).name
    except LookupError:
        page = _PAGE.fullmatch(name.removeprefix("x-"))
        other = f"cp{page[1]}" if page else name.removeprefix("x-")
        return _codec(other) if other != name else ""
    return found if found in _CHARSETS else ""


def _plain(text: str, lossy: bool, defects: tuple[str, ...]) -> Text:
    """Return *text* with newlines for all line ends, without byte order mark and controls."""
    if not _ODD.search(text):
        return Text(text, lossy, defects)
    lines = _one_line_end(text.replace("\r\n", "\n").removeprefix("\ufeff"))
    clean = lines.translate(_CONTROLS)
    if len(clean) != len(lines):
        defects += ("control characters removed",)
    return Text(clean, lossy, defects)


def _one_line_end(text: str) -> str:
    """Return *text* with a newline for everything that viewers show as the end of a line.

    A mailer puts its quote mark before each line that ends with a newline; so whoever was quoted could write a line of
    more than one, of which the later ones would look like those of who answers. Where only CR ends lines, it does.
    """
    if "\n" not in text:
        return text.replace("\r", "\n").translate(_LINE_ENDS)
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if _ODD.search(line):
            pieces = line.translate(_LINE_ENDS).replace("\r", "\n").split("\n")
            lines[place] = ("\n> " if quoted(pieces[0].translate(_CONTROLS)) else "\n").join(pieces)
    return "\n".join(lines)


def decoded_words(value: str) -> str:
    """Return a header's value for people: encoded words decoded once, controls removed (RFC 2047)."""
    if "=?" not in value and value.isprintable():
        return value.strip()
    out: list[str] = []
    rest, joined = value, False
    while True:
        before, mark, after = rest.partition("=?")
        pieces = after.split("?", 3)
        good = mark and len(pieces) == 4 and pieces[3][:1] == "=" and pieces[1].lower() in ("b", "q")
        if not (joined and good and not before.strip()):
            out.append(before)
        if not mark:
            break
        if good:
            out.append(_word(pieces[0], pieces[1].lower(), pieces[2]))
            rest = pieces[3][1:]
        else:
            out.append(mark)
            rest = after
        joined = bool(good)
    return "".join(out).translate(_CONTROLS).replace("\n", " ").replace("\r", " ").strip()


def _word(charset: str, kind: str, payload: str) -> str:
    """Return the text of one encoded word."""
    data = payload.encode("utf-8", "replace")
    raw = _base64(data)[0] if kind == "b" else binascii.a2b_qp(data, header=True)
    return decode(raw, charset.split("*", 1)[0]).text


def join_flowed(text: str, delsp: bool = False) -> str:
    """Join flowed lines of the same quote depth; quoted lines come out as ``>> text``, the rest unstuffed.

    A line of the author's own that begins with a stuffed ``>`` keeps its space: it reads as a quote, which is
    the careful choice. ``-- `` is never flowed.
    """
    out: list[str] = []
    pieces: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        if content.startswith(" ") and not content[1:].lstrip().startswith(">"):  # else a quote mark would begin it
            content = content[1:]
        signature = content == "-- "
        if pieces and (depth != open_depth or signature):
            out.append(_shown(open_depth, "".join(pieces)))
            pieces = []
        open_depth = depth
        if content.endswith(" ") and not signature:
            pieces.append(content[:-1] if delsp else content)
            continue
        out.append(_shown(depth, "".join(pieces) + content))
        pieces = []
    if pieces:
        out.append(_shown(open_depth, "".join(pieces)))
    return "\n".join(out)


def _shown(depth: int, content: str) -> str:
    """Return a paragraph with its quote marks."""
    return f"{'>' * depth} {content}".rstrip() if depth else content


Fields = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The header *fields* (name, unfolded value) in order, the *rest* of the bytes, and what was odd.

    *excess* is empty or says which limit was passed; fields beyond it are left out.
    """

    fields: Fields
    rest: bytes
    defects: tuple[str, ...] = ()
    excess: str = ""

    def all(self, name: str) -> tuple[str, ...]:
        """Return every value of the field *name*, topmost first."""
        return every(self.fields, name)

    def first(self, name: str) -> str:
        """Return the topmost value of the field *name*, or ''."""
        return next(iter(self.all(name)), "")


def every(fields: Fields, name: str) -> tuple[str, ...]:
    """Return every value of the field *name* (in any case of letters), topmost first."""
    return named(fields).get(name.lower(), ())


@lru_cache(maxsize=4)
def named(fields: Fields) -> Mapping[str, tuple[str, ...]]:
    """Map each field's name in lower case to its values, topmost first; cached, for letters are asked often."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in fields:
        key = name.lower()
        found[key] = (*found.get(key, ()), value)
    return found


def text_of(raw: bytes) -> str:
    """Decode header bytes as UTF-8 (RFC 6532), else as Windows-1252 with replacement characters."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def split_head(data: bytes, max_fields: int, max_bytes: int) -> Head:
    """Split *data* (lines end in LF alone) into header fields and the rest; never raises.

    A line that is no header ends the block, as does an empty one; an mbox ``From `` line before the first
    field is skipped.
    """
    fields: list[tuple[str, list[bytes]]] = []
    defects: list[str] = []
    excess, start = "", 0
    while start < len(data):
        end = data.find(b"\n", start)
        stop = len(data) if end < 0 else end
        line = data[start:stop]
        if not line:
            start = stop + 1
            break
        if stop > max_bytes:
            excess, start = f"more than {max_bytes} bytes of headers", _body_after(data, start)
            break
        name, colon, value = line.partition(b":")
        if line[:1] in b" \t" and fields:
            fields[-1][1].append(line)
        elif not fields and (line.startswith((b"From ", b">From ")) or not line.strip()):
            defects.append("mbox line")
        elif not colon or not _is_name(name.rstrip(b" \t")):
            defects.append("text among the headers")
            break
        elif len(fields) == max_fields:
            excess, start = f"more than {max_fields} header fields", _body_after(data, start)
            break
        else:
            fields.append((name.rstrip(b" \t").decode("ascii"), [value]))
        start = stop + 1
    unfolded = tuple((name, text_of(b"".join(pieces)).replace("\t", " ").replace("\r", " ").strip())
                     for name, pieces in fields)
    if any("\x00" in value for _, value in unfolded):
        defects.append("NUL in the headers")
    return Head(unfolded, data[start:], tuple(defects), excess)


def _body_after(data: bytes, start: int) -> int:
    """Return where the body begins if the headers continue from *start*."""
    gap = data.find(b"\n\n", start)
    return len(data) if gap < 0 else gap + 2


def _is_name(name: bytes) -> bool:
    """Return whether *name* can be a field's name: printable ASCII without space and colon (RFC 5322 2.2)."""
    return 0 < len(name) <= 200 and all(33 <= octet <= 126 for octet in name)


_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES = {
    "ut": 0, "utc": 0, "gmt": 0, "z": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300,
    "mst": -420, "mdt": -360, "pst": -480, "pdt": -420,
}


def seconds(text: str) -> int | None:
    """Return ``Sun, 30 Nov 2008 09:44:00 -0800`` as UTC seconds; None if it is no date of 1970 to 9999."""
    words = text[:200].split("(", 1)[0].replace(",", " ").split()
    if words and not words[0][0].isdigit():
        words = words[1:]
    if len(words) == 1 or len(words) < 4:
        return None
    day, month, year, clock = words[:4]
    minutes = _zone(words[4]) if len(words) > 4 else 0
    parts = clock.split(":")
    numbers = [day, year, *parts]
    if minutes is None or month[:3].lower() not in _MONTHS or not 2 <= len(parts) <= 3:
        return None
    if not all(number.isascii() and number.isdigit() and len(number) <= 4 for number in numbers):
        return None
    hour, minute, second = [int(part) for part in parts] + [0] * (3 - len(parts))
    try:
        local = datetime(_year(year), _MONTHS.index(month[:3].lower()) + 1, int(day), hour, minute, min(second, 59),
                         tzinfo=UTC)
        instant = local - timedelta(minutes=minutes)
    except (ValueError, OverflowError):
        return None
    whole = int(instant.timestamp())
    return whole if whole >= 0 else None


def _year(text: str) -> int:
    """Return a year of two or three digits by RFC 5322 4.3, else as written."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year


def _zone(text: str) -> int | None:
    """Return minutes east of Greenwich, 0 for an unknown name (RFC 5322 4.3), None for a malformed number."""
    if text[:1] in "+-" and text[1:].isascii() and text[1:].isdigit() and len(text) == 5:
        minutes = int(text[1:3]) * 60 + int(text[3:])
        return -minutes if text[0] == "-" else minutes
    return _ZONES.get(text.lower(), 0 if text.isalpha() else None)
