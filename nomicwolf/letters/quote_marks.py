"""Marks and phrases around quotes.

What mailers write in the languages of Europe and Asia is in `grammar/quoting.toml`. Here is where a quote, a signature,
a footer or an older letter begins. Each check looks at a few lines and never backtracks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nomicwolf.data import grammar_table

_WORDS = grammar_table("quoting")
WROTE, SAID, OPENERS, QUOTING = (tuple(_WORDS[name]) for name in ("wrote", "said", "openers", "quoting"))
ORIGINAL, FORWARDED, END_FORWARDED = (tuple(_WORDS[name]) for name in ("original", "forwarded", "end_forwarded"))
FROM, SENT, TO, SUBJECT = (frozenset(_WORDS[name]) for name in ("from", "sent", "to", "subject"))
DEVICES, LISTS, FOOTERS = (tuple(_WORDS[name]) for name in ("devices", "lists", "footers"))
PROCESSED = "original message processed by david®"
"""What Tobit's David writes above an older letter, with no dashes."""

# White space, and the marks for joining and direction that can't be seen either.
SPACE = (
    " \t\u00a0\u202f\u3000\u200b\u200c\u200d\u2060\ufeff"
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_QUOTES = (
    ">", "＞", "&gt;", "&#62;", "|", "❯", "›", ": ", "│", "┃", "▏", "▎", "▍", "▌", "» ", "≫", "﹥", "¦", "❘", "⎜", "⎢")
DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2500\u2501\uff0d_="
DECORATION = SPACE + DASHES + "*~+>"
LONGEST = 500
_WIDE, _NARROWEST, _RAGGED = 70, 36, 12
"""Columns: where lines are broken at the least if nothing shows it; at the least at all; by how much lines differ."""
_NAME = 20
"""In so many characters stand a writer's initials, or their name, and a quote mark."""
_NEAR = 8
"""So many lines before and after show it."""
_DATED = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d[:.]\d\d|/\d\d?/", re.ASCII)
_FIGURES = "0123456789@"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BEGINNINGS = "|".join(
    f"[{first}{first.upper()}](?i:{'|'.join(map(re.escape, rests))})" for first in _LETTERS
    if (rests := [each[1:] for each in DEVICES + FOOTERS if each[0] == first]))
"""Those that begin with a letter, by that: it tells of most lines that they don't begin so."""
_PROSE = re.compile(
    rf"(?!{_BEGINNINGS})[a-zA-Z][a-zA-Z ,;.!?'\"()/*_-]*+"
    r"(?:[0-9@][a-zA-Z0-9@ ,;.!?'\"()/*_-]*[.!?])?", re.ASCII)
FOOTED = re.compile("^[{}]*+(?:[-_=~*#]{{10}}|{})".format(
    SPACE, "|".join(map(re.escape, FOOTERS))), re.IGNORECASE | re.MULTILINE)
_POSTED = re.compile(r"\s*posted by: [^\n]*@[^\n]*\n\s*-{10}")
"""Below its rule: what Yahoo wrote under each letter of a group, between two rules."""


def prose(line: str) -> bool:
    """Return whether *line* is certainly plain prose: words without colons, brackets or bars.

    It begins with a letter, and not like a device's or a list's words; figures, or an address, are in it only if a
    sentence ends with it, so that no attribution goes on below. A date or "wrote" before a comma, or before a full
    stop with figures, may be such an attribution's, and "wrote" at the end is one above quote marks.
    """
    if _PROSE.fullmatch(line) is None:
        return False
    return not (_open_ended(line) if line[-1] in ".," else line.lower().endswith(WROTE))


def _open_ended(line: str) -> bool:
    """Return whether an attribution may continue below *line*, which ends with a comma or full stop."""
    if line[-1] == "." and not any(char in _FIGURES for char in line):
        return False
    folded = line.lower()
    return "@" in line or dated(line) or any(verb in folded for verb in WROTE)


def blank(line: str) -> bool:
    """Return whether *line* shows nothing."""
    return not line.strip(SPACE)


def quoted(line: str) -> bool:
    """Return whether *line* has a quote mark, also indented or after a writer's name (``EM> so``)."""
    text = line.lstrip(SPACE)
    if text.startswith(_QUOTES):
        return True
    initials, mark, after = text[:_NAME].partition(">")
    if mark and initials.isalpha() and after[:1] in ("", " ", ">"):
        return len(initials) <= 4 or initials.istitle()
    return _chatted(text)


def depth(line: str) -> int:
    """Return how many quote marks *line* begins with; marks other than ``>`` count as one."""
    head = line[: len(line) - len(line.lstrip(SPACE + ">"))]
    return max(1, head.count(">"))


def ends_attribution(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index* is a torn-off ``> wrote:`` below an address on lines of its own."""
    if not lines[index].endswith(":") or lines[index].strip(SPACE + ">:").lower() not in WROTE:
        return False
    above = next((line for line in reversed(lines[max(0, index - 2) : index]) if not blank(line)), "")
    return "@" in above and not quoted(above)


def framed(line: str) -> bool:
    """Return whether *line* is GroupWise's: ``>>> Bex <bex@b.example> 12/1/26 12:00 PM >>>``."""
    if not line.startswith(">>> "):
        return False
    text = line.rstrip(SPACE)
    return text.endswith(" >>>") and ("@" in text or dated(text))


def _chatted(text: str) -> bool:
    """Return whether *text* is a line of a chat's log: ``<Bex> so``, also after a time."""
    before, mark, after = text[:60].partition("<")
    name, close, said = after.partition("> ")
    if not (mark and close and said) or any(char in name for char in " @/=:") or f"</{name}" in text.lower():
        return False
    return not before or before.strip("[]() \t").replace(":", "").isdigit()


def indented(line: str) -> bool:
    """Return whether *line* is indented by a tab or at least two spaces."""
    return line.startswith(("\t", "  ", " \t", "\u3000", "\u00a0\u00a0"))


def torn(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index* is the torn-off end of the quoted line above.

    So it looks if the line above is quoted, had no room for this one's first word within that width, and this one goes
    on in lower case (``i`` is taken as a new sentence), or is between that line's open end and a further quoted
    line. The width is 70 columns or more; or that of the quoted lines around, if several are about so long, and the one
    above ends amid a sentence.
    """
    if index == 0 or not quoted(lines[index - 1]):
        return False
    above = lines[index - 1].rstrip(SPACE)
    first = lines[index].strip(SPACE).split(" ", 1)[0]
    needed, open_ended = len(above) + 1 + len(first), above[-1] not in ".!?:;"
    if needed <= _WIDE and not (open_ended and needed > _broken_at(lines, index)):
        return False
    between = index + 1 < len(lines) and quoted(lines[index + 1]) and open_ended
    return between or (first[:1].islower() and first != "i")


def _broken_at(lines: Sequence[str], index: int) -> int:
    """Return the column at which the quoted lines around *index* were broken; `_WIDE` if that is unclear.

    Torn ends may be between them: at most one after each quoted line.
    """
    start = stop = index
    while index - start < _NEAR and start > 0 and (quoted(lines[start - 1]) or _between(lines, start - 1)):
        start -= 1
    while stop - index < _NEAR and stop + 1 < len(lines) and (quoted(lines[stop + 1]) or _between(lines, stop + 1)):
        stop += 1
    lengths = sorted(len(line.rstrip(SPACE)) for line in lines[start:stop + 1] if quoted(line))
    widest = lengths[-1]
    alike = len(lengths) > 1 and lengths[-2] >= widest - _RAGGED
    return widest if alike and widest >= _NARROWEST else _WIDE


def _between(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index* is between two quoted lines."""
    around = 0 < index < len(lines) - 1 and quoted(lines[index - 1]) and quoted(lines[index + 1])
    return around and not blank(lines[index])


def signature(line: str) -> bool:
    """Return whether *line* is a signature's delimiter, with or without its space (RFC 3676 4.3)."""
    return line.rstrip(SPACE) == "--"


def device(line: str) -> bool:
    """Return whether *line* is what a telephone or web mailer adds below letters."""
    text = line.strip(DECORATION).lower()
    return len(text) < 120 and text.startswith(DEVICES)


def footer(lines: Sequence[str], index: int) -> bool:
    """Return whether a list's footer begins at *index*: a rule with the list below it, or known words."""
    text = lines[index].strip(SPACE)
    if text.lower().startswith(FOOTERS):
        return True
    if len(text) < 10 or text.strip("_-=~*#"):
        return False
    near = "\n".join(line[:200] for line in lines[index + 1 : index + 6] if not quoted(line)).lower()
    return any(word in near for word in LISTS) or _POSTED.match(near) is not None


def foreign(text: str) -> bool:
    """Return whether over a quarter of the letters in *text*, without addresses, are no Latin ones."""
    if text.isascii():
        return False
    letters = [char for char in text.partition("<")[0] + text.rpartition(">")[2] if char.isalpha()]
    return 4 * sum("\u0370" <= char < "\u1e00" or "\u1f00" <= char < "\U0001d400" for char in letters) > len(letters)


def dated(text: str) -> bool:
    """Return whether *text* has a year, a time of day or a date in figures."""
    if text.isascii():
        return _DATED.search(text, 0, LONGEST) is not None
    runs = "".join(char if char.isdigit() else " " for char in text[:LONGEST]).split()
    if any(len(run) == 4 and run[:2] in ("19", "20") for run in runs):
        return True
    folded = "".join("0" if char.isdigit() else char for char in text[:LONGEST])
    return "0:00" in folded or "0.00" in folded or "/00/" in folded or "/0/" in folded


_POSTMARK = re.compile(
    r">?From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d(?::\d\d)? .{0,9}\d{4}.{0,6}", re.ASCII)


def divider(line: str) -> str:
    """Return ``forwarded`` or ``quoted`` if *line* announces an older letter, else ''.

    So does an mbox's ``From `` line (RFC 4155).
    """
    text = line.strip(SPACE).replace("&nbsp;", " ") if "&nbsp;" in line else line.strip(SPACE)
    if len(text) > 160:
        return _divided_within(text[:LONGEST])
    core = text.strip(DECORATION).rstrip(" :：").lower()
    if not core:
        return ""
    if _POSTMARK.fullmatch(text):
        return "forwarded"
    dashed = len(text) > 2 and not text.lstrip("*")[:2].strip(DASHES)
    framed = dashed and not text.rstrip("*")[-2:].strip(DASHES)
    announced = text.rstrip("*").endswith((":", "："))
    if (framed and core.startswith(FORWARDED)) or ((dashed or announced) and core in FORWARDED):
        return "forwarded"
    original = (framed and core.startswith(ORIGINAL)) or (dashed and core in ORIGINAL)
    unread = framed and ("@" in core or core == "original" or foreign(core))
    if core[:1] == "[" and core.lstrip("[ ").startswith("forwarded from "):  # Telegram
        return "forwarded"
    if original or unread or core.lstrip("[").startswith(PROCESSED):
        return "quoted"
    return _divided_within(text)


def _divided_within(text: str) -> str:
    """Return the same for a divider with more around it on one line, as in a flattened letter."""
    for piece in text.split("----")[1:-1] if "----" in text else ():
        core = piece.strip(DECORATION).lower()
        if core in FORWARDED:
            return "forwarded"
        if core in ORIGINAL:
            return "quoted"
    return ""


def ends_forwarded(line: str) -> bool:
    """Return whether *line* closes forwarded text, as mutt does."""
    text = line.strip(SPACE)
    return text.startswith("--") and text.strip(DECORATION).lower().startswith(END_FORWARDED)
