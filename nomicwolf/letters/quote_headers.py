"""Attribution lines and copied headers above quotes.

Attribution lines of many mailers and languages, stamps of chat programs, headers of older letters, and the header of
Lotus Notes, which has no From before the sender and no Date before the date.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from nomicwolf.letters import quote_marks
from nomicwolf.letters.quote_marks import DASHES, LONGEST, SPACE, blank, dated, foreign, indented, quoted

_SPOKEN = "\"'\u2018\u201c\u201e\u00ab\u00bb\u2039\u300c"
_COLONS = (":", "：", "៖", "։", "՝", "︰", "﹕", "፦", "፥", "፡")
_SAID = tuple(f" {verb}" for verb in quote_marks.SAID)
_STAMPED = re.compile(
    r"\w[^:.!?]{0,40}?(?: [\u2013\u2014] |, | {1,2}(?=\[))\[?"
    r"(?:(?:today|yesterday) at |\d{1,4}[./-]\d\d?[./-]\d{2,4},? )?\d\d?:\d\d(?::\d\d)?(?: [ap]m)?\]?", re.IGNORECASE)
"""Who and when, as chat programs put them above what they copy."""
_SHORT = re.compile(r"(?:^|[\s.,(])(?:\d{1,2}|\d{4}|[^\W\d]{1,6}|[^\W\d]\.[^\W\d])\.$")
"""A line's end that may be a short form's, or an ordinal number's."""
_MID_DATE = re.compile(r"\d{1,2}\.?(?:,| \w{2,9}[.,])$|[^\W\d]{1,6}\.?,$|\d{1,2}\.$")
"""A line's end within a date: ``27.``, ``1. Dez.``, ``Di.,``, ``Dec 1,``."""
_UNSAID = re.compile(
    r"(?:19|20)\d\d([-/])\d\d?\1\d\d?"
    r"(?: [^<>:]{0,60}<[^\s<>@]+@[^\s<>@]+>| \d\d?:\d\d GMT[+-]\d\d:\d\d [^:<>]{1,60})", re.ASCII)
"""A date and who wrote then, with neither verb nor colon."""


def attribution(lines: Sequence[str], index: int) -> int:
    """Return how many lines from *index* are an attribution (``On ... Murphy wrote:``), or 0.

    Over two or three lines only if the first gives a date or an address, or breaks off within a date, and doesn't end
    a sentence: a line that begins with "On" is no attribution unless it soon ends as one.
    """
    text = ""
    for count in (1, 2, 3):
        place = index + count - 1
        if place >= len(lines) or blank(lines[place]) or len(text) > LONGEST:
            return 0
        line = lines[place].strip(SPACE)
        if count > 1 and quoted(line) and not (line.startswith(">") and text.count("<") > text.count(">")):
            return 0
        text = f"{text} {line}".strip()
        if says_who(text) or ("@" in text and _unread(text, lines, place + 1)):
            return count
        if count == 1 and _says_above_marks(text, lines, place + 1):
            return count
        if count == 1 and not _goes_on(line, lines, place + 1):
            return 0
    return 0


def _goes_on(line: str, lines: Sequence[str], after: int) -> bool:
    """Return whether *line* may be the first of an attribution that continues at *after*.

    A full stop is no end after a day's number or what may be a short form of a month, a weekday or an hour, in any
    language, unless one of the two lines that follow is an attribution by itself.
    """
    if line[-1] in "!?:":
        return False
    if line[-1] == "." and (not _SHORT.search(line) or any(_alone(lines, place) for place in (after, after + 1))):
        return False
    if dated(line) or "@" in line:
        return True
    core = line.lower()
    return _MID_DATE.search(line) is not None and any(_has_word(core, verb) for verb in quote_marks.WROTE)


def _alone(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index*, if there is one, is an attribution by itself."""
    return index < len(lines) and says_who(lines[index].strip(SPACE))


def weak(line: str) -> bool:
    """Return whether *line* is an attribution by a verb like "said" alone, which announces one paragraph."""
    core = line.strip(SPACE + "*_|:：").lower()
    return core.endswith(_SAID) and not core.endswith(quote_marks.WROTE) and "@" not in core and not dated(core)


def stamped(lines: Sequence[str], index: int) -> bool:
    """Return whether line *index* is a chat's, above copied words: ``Bex — Today at 9:44 AM``.

    With brackets around the time there may be a gap: ``Bex, [01.12.26 09:44]``.
    """
    text = lines[index].strip(SPACE)
    if ":" not in text or index + 1 >= len(lines) or (blank(lines[index + 1]) and not text.endswith("]")):
        return False
    return _STAMPED.fullmatch(text) is not None


def says_inline(line: str) -> str:
    """Return what follows an attribution on its own *line*, as in a flattened letter; or ''."""
    start = 0
    for _ in range(8):
        at = line.find(":", start, LONGEST)
        if at < 0:
            return ""
        start = at + 1
        head = line[:start].lower().rstrip(" :")
        if line[start:].strip(SPACE) and head.endswith(quote_marks.WROTE) and says_who(line[:start]):
            return line[start:].strip(SPACE)
    return ""


def begins_quote(line: str) -> bool:
    """Return whether unmarked text of another begins on *line*, after an attribution with an address.

    Yahoo's telephones send it so, with a gap between the two; who repeats another by hand leaves one space.
    """
    said = says_inline(line)
    head = line[:line.index(said)] if said else ""
    return "@" in head and not head[-2:].strip(SPACE) and not quoted(said) and said[0] not in _SPOKEN


def says_who(text: str) -> bool:
    """Return whether the whole of *text* is an attribution."""
    core = text.strip(SPACE + "*_|").lstrip(DASHES + " >")
    framed = text.lstrip(SPACE).startswith("---") and core.endswith("---")
    if len(core) > LONGEST:
        return False
    if not (framed or core.endswith(_COLONS)):
        return _says_without_colon(core)
    core = core.rstrip(SPACE + DASHES + "".join(_COLONS)).lower()
    count = core.count(" ") + 1
    addressed = "@" in core or "[email" in core or "&lt;" in core
    when = dated(core)
    ends = core.endswith(quote_marks.WROTE)
    if (addressed and when) or (core.startswith(quote_marks.QUOTING) and count <= 12) or (when and foreign(core)):
        return True
    if addressed and not framed and ">" in core and count <= 8:  # "Bex <bex@players.example> scripsit:"
        return True
    if when or addressed:
        short = count <= 14 or core.startswith(quote_marks.OPENERS)
        return ends or (short and any(_has_word(core, verb) for verb in quote_marks.WROTE))
    plain = not any(char in core for char in ".!?;") or core.count(".") <= 2
    return plain and ((count <= 6 and ends) or (count <= 3 and core.endswith(_SAID)))


def _says_without_colon(text: str) -> bool:
    """Return whether *text* is an attribution that lacks its colon, and maybe its verb."""
    core = text.lower()
    if not text[:1].isdigit() and "@" not in text and not core.startswith("quoting "):
        return False
    if core.startswith("quoting ") and core.endswith((">", ")")):  # "Quoting Bex (2026-12-01 09:44:12)"
        return core.count(" ") < 12
    return _UNSAID.fullmatch(text) is not None or (
        dated(core) and core.endswith(quote_marks.WROTE) and not ("@" not in core and core.isascii()))


def _unread(text: str, lines: Sequence[str], after: int) -> bool:
    """Return whether *text*, in another script, has an address and a date and ends like an attribution.

    Below it, at *after*, is a gap or a quotation: nothing that goes on with it.
    """
    if text[-1] in ".!?,;。！？،؟।" or "<" not in text or not dated(text) or not foreign(text):
        return False
    return after >= len(lines) or blank(lines[after]) or quoted(lines[after])


def _says_above_marks(text: str, lines: Sequence[str], after: int) -> bool:
    """Return whether *text* is "Bex wrote" alone, right above a quote mark at *after*, like Nabble's."""
    if after >= len(lines) or text.count(" ") > 4 or not quoted(lines[after]):
        return False
    return text.lower().endswith(tuple(f" {verb}" for verb in quote_marks.WROTE))


def _has_word(text: str, word: str) -> bool:
    """Return whether *word* is in *text* with no letter right before or after it."""
    at = text.find(word)
    if at < 0:
        return False
    before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
    return not before.isalpha() and not after.isalpha()


_LABELS = {"from": quote_marks.FROM, "sent": quote_marks.SENT, "to": quote_marks.TO, "subject": quote_marks.SUBJECT}
_BROKEN = 2
"""So many lines in a row may a field have been broken into."""
_LONGEST = 16
"""So many lines may a block have."""
_MOST = 12
"""So many colons of a line are looked at."""


def header_block(lines: Sequence[str], index: int) -> int:
    """Return how many lines from *index* copy a header (From:, Sent:, To:, Subject:), or 0.

    A sender and two more of date, recipient and subject must be there, at most two empty lines between two of them,
    or all on one line; of sender, date and recipient two are enough if they give addresses and a date. Fields of
    other names, and up to two lines in a row that a field was broken into, may be between them. In a language that
    isn't known here, three fields are enough if two give an address and one a date; in letters that English has, two
    must be known.
    """
    kind, name, value = _field(lines[index])
    if not kind and "@" in lines[index] and lines[index].lstrip("| *\t").partition(" ")[0].lower() in quote_marks.FROM:
        return _bare_block(lines, index)
    if not kind or (kind == "other" and (name.isascii() or not ("@" in value or dated(value)))):
        return 0
    if kind == "from" and lines[index].count(":") >= 3 and _has_three(lines[index]):
        return 1
    above = lines[index - 1] if index else ""
    found, last = _Found(), index
    for place, kind, name, value in _fields_from(lines, index):
        found.add(kind, name, value)
        last = place
    return last - index + 1 if found.is_header(ruled=len(above) >= 10 and not above.strip("_" + SPACE)) else 0


def _fields_from(lines: Sequence[str], index: int) -> Iterator[tuple[int, str, str, str]]:
    """Yield the fields from line *index* to the end of the block, with their places."""
    broken = 0
    for place in range(index, min(index + _LONGEST, len(lines))):
        line = lines[place]
        if blank(line):
            if broken or (blank(lines[place - 1]) and blank(lines[place - 2])):
                return
            continue
        kind, name, value = _field(line)
        if kind:
            broken = 0
            yield place, kind, name, value
        else:
            broken += not indented(line)
            if blank(lines[place - 1]) or broken > _BROKEN:
                return


@dataclass(slots=True)
class _Found:
    """The fields of a block: their *kinds*, of which *sure* have an address or a date as expected.

    And how many there are, how many with an address, with a date, and with a name beyond ASCII (*strange*).
    """

    kinds: set[str] = field(default_factory=set)
    sure: set[str] = field(default_factory=set)
    fields: int = 0
    mailboxes: int = 0
    dates: int = 0
    strange: int = 0

    def add(self, kind: str, name: str, value: str) -> None:
        """Count one more."""
        address, date = "@" in value, dated(value)
        self.fields += 1
        self.mailboxes += address
        self.dates += date
        self.strange += not name.isascii()
        if kind != "other":
            self.kinds.add(kind)
        if (kind in ("from", "to") and address) or (kind == "sent" and date):
            self.sure.add(kind)

    def is_header(self, *, ruled: bool) -> bool:
        """Return whether they are a header's; a sender alone is enough below a line that is *ruled*."""
        if len(self.sure) >= 2 or ("from" in self.kinds and len(self.kinds) >= 3):
            return True
        if ruled and self.sure == {"from"}:
            return True
        if not self.dates:
            return False
        alike = self.fields >= 3 and self.mailboxes > 0
        two_are_told = len(self.kinds) >= 2 or (self.strange > 0 and self.mailboxes >= 2)
        return (alike and two_are_told) or (self.strange >= 3 and "from" in self.kinds)


def _bare_block(lines: Sequence[str], index: int) -> int:
    """Count the lines of a header without colons: ``From Bex <bex@b.example>``, ``| Date | 1 Dec |``."""
    kinds: set[str] = set()
    place = index
    while place < len(lines) and (kind := _labelled(lines[place])) not in kinds | {""}:
        if not kinds and kind != "from":
            return 0
        kinds.add(kind)
        place += 1
    return place - index if len(kinds) >= 3 else 0


def _labelled(line: str) -> str:
    """Return the label of *line*, a table's cell or a word before something else; or ''."""
    cell, bar, value = line.strip(SPACE + "|*").partition("|")
    if not bar:
        cell, _, value = cell.partition(" ")
    label = cell.strip(SPACE + "*:").lower()
    return next((kind for kind, words in _LABELS.items() if label in words and value.strip()), "")


def _has_three(line: str) -> bool:
    """Return whether *line* has three fields in it, as letters without their line ends do."""
    kinds: set[str] = set()
    for piece in line.split(":", _MOST)[:-1]:
        words = piece.lower().replace("*", " ").split()[-3:]
        tails = {" ".join(words[-count:]) for count in (1, 2, 3)}
        kinds.update(kind for kind, names in _LABELS.items() if not names.isdisjoint(tails))
    return "from" in kinds and len(kinds) >= 3


@lru_cache(maxsize=2 * _LONGEST)
def _field(line: str) -> tuple[str, str, str]:
    """Return the kind (``from``, ``sent``, ``to``, ``subject``, ``other`` or ''), name and value of a field.

    ``other`` is what may be one, in words unknown here. The blocks that may begin at two lines in a row share lines.
    """
    if ":" not in line and "：" not in line:
        return "", "", ""
    name, _, value = line.strip(SPACE + "*").replace("：", ":", 1).partition(":")
    label = name.strip(SPACE + "*").lower()
    if not label or len(label) > 30:
        return "", "", ""
    for kind, words in _LABELS.items():
        if label in words:
            return kind, label, value
    other = label[0].isalpha() and label.count(" ") <= 3 and value.strip(SPACE + "*") and not value.startswith("//")
    return "other" if other else "", label, value


_SENDER = re.compile(
    r'(?:"?[^"@<>:]{1,60}"? +)?<?[^\s@<>:",]{1,64}@[^\s@<>:",]{1,80}(?<![.!?])>?(?: +on(?= ))?', re.ASCII)
_DATE = re.compile(
    r"(?:[A-Za-z]{2,9},? )?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:,? +\d\d?[:.]\d\d(?:[:.]\d\d)?)?(?: ?[AaPp]\.?[Mm]\.?)?"
    r"(?: +[A-Z]{2,5})?", re.ASCII)
_ASIDES = (
    "please respond to", "sent by:", "bitte antworten an", "gesendet von:", "veuillez répondre à", "envoyé par :")
_COPIES = frozenset(("bcc", "fcc", "blindkopie", "cci"))
_LONGEST_NOTES = 24
"""So many lines such a header has at most."""
_GAP = 2
"""So many empty lines are in it one after the other at most, before its labels."""
_LINE = 300


def notes_header(lines: Sequence[str], index: int) -> int:
    """Return how many lines from *index* are Lotus Notes' header, or 0.

    The sender's address, a date, To and Subject must all be there, and nothing else.
    """
    first = lines[index].strip()[:_LINE]
    sender = _SENDER.match(first) if "@" in first and not first.endswith(":") else None
    if sender is None:
        return 0
    rest = first[sender.end():].strip()
    if rest and not _DATE.fullmatch(rest):
        return 0
    return _notes_lines(lines, index + 1, dated=bool(rest))


def _notes_lines(lines: Sequence[str], start: int, *, dated: bool) -> int:
    """Return how many lines of the header follow its sender at *start*, 0 if it is none."""
    found: set[str] = set()
    empty, owed = 0, False
    for place in range(start, min(start + _LONGEST_NOTES, len(lines))):
        text = lines[place].strip()[:_LINE]
        if not text:
            empty, owed = empty + 1, False
            if empty > _GAP + 2 * bool(found):
                return 0
            continue
        empty = 0
        kind, value = _label(text)
        if kind:
            found.add(kind)
            owed = not value
            if kind == "subject" and dated and "to" in found:
                after = place + 1
                below = owed and ":" not in text and after < len(lines) and bool(lines[after].strip())
                return after - start + 1 + below
        elif _DATE.fullmatch(text) and not found:
            dated = True
        elif text.lower().startswith(_ASIDES) and not found:
            owed = text.lower().rstrip(": ") in _ASIDES
        elif not owed and not (found and "@" in text):
            return 0
        else:
            owed = False
    return 0


def _label(text: str) -> tuple[str, str]:
    """Return the label of *text* (``to``, ``subject`` or ''), and what follows it on the line."""
    name, colon, value = text.partition(":")
    word = name.strip().lower()
    if not colon:
        value = ""
    if word in _COPIES or word in quote_marks.TO:
        return "to", value.strip()
    return ("subject", value.strip()) if word in quote_marks.SUBJECT else ("", "")
