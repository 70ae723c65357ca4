"""Who wrote what follows: attribution lines of many mailers and languages, and the stamps of chat programs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nomicwolf.letters import tongues
from nomicwolf.letters.marks import DASHES, LONGEST, SPACE, blank, dated, foreign, quoted

_SPOKEN = "\"'\u2018\u201c\u201e\u00ab\u00bb\u2039\u300c"
_COLONS = (":", "：", "៖", "։", "՝", "︰", "﹕", "፦", "፥", "፡")
_SAID = tuple(f" {verb}" for verb in tongues.SAID)
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
    """How many lines from *index* say who wrote what follows (``On ... Murphy wrote:``), or 0.

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
    """Whether *line* may be the first of an attribution that goes on at *after*.

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
    return _MID_DATE.search(line) is not None and any(_has_word(core, verb) for verb in tongues.WROTE)


def _alone(lines: Sequence[str], index: int) -> bool:
    """Whether line *index*, if there is one, is an attribution by itself."""
    return index < len(lines) and says_who(lines[index].strip(SPACE))


def abbreviated(lines: Sequence[str], index: int, count: int) -> bool:
    """Whether the attribution of *count* lines at *index* has a full stop at its first line's end.

    That may be a sentence's, too.
    """
    return count > 1 and lines[index].rstrip(SPACE).endswith(".")


def weak(line: str) -> bool:
    """Whether *line* is an attribution by a verb like "said" alone, which announces a paragraph at most."""
    core = line.strip(SPACE + "*_|:：").lower()
    return core.endswith(_SAID) and not core.endswith(tongues.WROTE) and "@" not in core and not dated(core)


def stamped(lines: Sequence[str], index: int) -> bool:
    """Whether line *index* is a chat's, above the copied words right below it: ``Bex — Today at 9:44 AM``.

    With brackets around the time there may be a gap: ``Bex, [01.12.26 09:44]``.
    """
    text = lines[index].strip(SPACE)
    if ":" not in text or index + 1 >= len(lines) or (blank(lines[index + 1]) and not text.endswith("]")):
        return False
    return _STAMPED.fullmatch(text) is not None


def says_inline(line: str) -> str:
    """What follows on *line* after an attribution: ``On ... Bex wrote: > so``, as a flattened letter has it; or ''."""
    start = 0
    for _ in range(8):
        at = line.find(":", start, LONGEST)
        if at < 0:
            return ""
        start = at + 1
        head = line[:start].lower().rstrip(" :")
        if line[start:].strip(SPACE) and head.endswith(tongues.WROTE) and says_who(line[:start]):
            return line[start:].strip(SPACE)
    return ""


def begins_quote(line: str) -> bool:
    """Whether the text of another begins on *line*, with no mark, after an attribution that gives eir address.

    Yahoo's telephones send it so, with a gap between the two; who repeats another by hand leaves one space.
    """
    said = says_inline(line)
    head = line[:line.index(said)] if said else ""
    return "@" in head and not head[-2:].strip(SPACE) and not quoted(said) and said[0] not in _SPOKEN


def says_who(text: str) -> bool:
    """Whether the whole of *text* is an attribution."""
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
    ends = core.endswith(tongues.WROTE)
    if (addressed and when) or (core.startswith(tongues.QUOTING) and count <= 12) or (when and foreign(core)):
        return True
    if addressed and not framed and ">" in core and count <= 8:  # "Bex <bex@players.example> scripsit:"
        return True
    if when or addressed:
        short = count <= 14 or core.startswith(tongues.OPENERS)
        return ends or (short and any(_has_word(core, verb) for verb in tongues.WROTE))
    plain = not any(char in core for char in ".!?;") or core.count(".") <= 2
    return plain and ((count <= 6 and ends) or (count <= 3 and core.endswith(_SAID)))


def _says_without_colon(text: str) -> bool:
    """Whether *text* is an attribution that lacks its colon, and maybe its verb."""
    core = text.lower()
    if not text[:1].isdigit() and "@" not in text and not core.startswith("quoting "):
        return False
    if core.startswith("quoting ") and core.endswith((">", ")")):  # "Quoting Bex (2026-12-01 09:44:12)"
        return core.count(" ") < 12
    return _UNSAID.fullmatch(text) is not None or (
        dated(core) and core.endswith(tongues.WROTE) and not ("@" not in core and core.isascii()))


def _unread(text: str, lines: Sequence[str], after: int) -> bool:
    """Whether *text*, in another script, tells an address and a date and ends so, with no colon known here.

    Below it, at *after*, is a gap or a quotation: nothing that goes on with it.
    """
    if text[-1] in ".!?,;。！？،؟।" or "<" not in text or not dated(text) or not foreign(text):
        return False
    return after >= len(lines) or blank(lines[after]) or quoted(lines[after])


def _says_above_marks(text: str, lines: Sequence[str], after: int) -> bool:
    """Whether *text* is "Bex wrote" alone, right above a line with a quote mark at *after*: so Nabble has it."""
    if after >= len(lines) or text.count(" ") > 4 or not quoted(lines[after]):
        return False
    return text.lower().endswith(tuple(f" {verb}" for verb in tongues.WROTE))


def _has_word(text: str, word: str) -> bool:
    """Whether *word* stands in *text* with no letter right before or after it."""
    at = text.find(word)
    if at < 0:
        return False
    before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
    return not before.isalpha() and not after.isalpha()
