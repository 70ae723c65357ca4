"""Lines to sentences.

Wrapped lines are joined, lists taken apart, names with points in them kept whole, in one pass over the text. A sentence
knows the line on which it begins, and whether it has its lines to itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from nomicwolf.reading.blocks import only_leads
from nomicwolf.reading.marks import BOUNDARY, without_asides, without_marks
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import Clean, bracket_pairs, clean, has_words, is_word

_POST = frozenset("Pp")
_POSTSCRIPT = re.compile(
    r"(?:p\. ?)+s\.?(?: ?[:,-]+)? +(?=\w)|(?:p\.?){1,4}s(?:\.[:,]?|[:,-]+) *(?=\w)|(?-i:P{1,4}S) +(?=\w)",
    re.IGNORECASE)
"""With these a postscript begins: "P.S.", "PPS:", "PS"."""
_GREETINGS = frozenset({
    "all the best", "best", "best regards", "best wishes", "bye", "cheers", "ciao", "cordially", "good night",
    "greetings", "have fun", "kind regards", "love", "many thanks", "regards", "respectfully", "see you", "sincerely",
    "take care", "thank you", "thanks", "thanks all", "thx", "ttyl", "warm regards", "yours",
    "yours sincerely", "yours truly",
})


def signs_off(line: str, author: str | None) -> bool:
    """Return whether *line* is only a greeting at the end of a letter, or its *author*'s name."""
    words = line.strip(" .,;!-~*_").casefold()
    return words in _GREETINGS or (author is not None and words == author.casefold())


def without_marker(line: str) -> tuple[str, bool]:
    """Return *line* without a bullet, a number or a postscript's letters, and whether it had one."""
    bare = line.lstrip()
    if bare[:1] in _POST and (found := _POSTSCRIPT.match(bare)):
        return bare[found.end():], True
    if bare[:1].isalpha() and ")" not in bare[1:3]:
        return line, False
    for bullet in ("- ", "* ", "+ ", "\u2022 ", "\u2013 ", "\u00b7 "):
        if bare.startswith(bullet):
            return bare[len(bullet):], True
    head, space, rest = bare.partition(" ")
    numbered = len(head) <= 4 and head[-1:] in {".", ")"} and head.strip("().").isdigit()
    lettered = len(head) <= 3 and head.endswith(")") and head.strip("()").isalpha()
    return (rest, True) if space and (numbered or lettered) else (line, False)


_ABBREVIATIONS = frozenset("mr mrs ms dr st e.g i.e vs cf etc viz approx resp prof h hon".split())  # noqa: SIM905 - a word list
_NUMBERED = re.compile(r"\. ?\d+\b(?!\))")
_STOP = re.compile(r'[.!?"(\n]')
_QUOTE = re.compile('"')
_CLOSES = re.compile(r"[.!?]++[*_~)\"']*+(?![^ \n])")
_ENDS = frozenset({*(each[-2:] for each in _ABBREVIATIONS), " h", "no", "os", "nr"})


def spans(text: str, book: NameBook) -> list[tuple[int, int, str]]:
    """Return (start, end, closing marks) of each sentence of a paragraph's text."""
    quoted = _quoted(text) if '"' in text else {}
    pairs = bracket_pairs(text) if "(" in text else {}
    found: list[tuple[int, int, str]] = []
    start = at = 0
    places = [stop.start() for stop in _STOP.finditer(text)]
    for place in sorted({*places, *book.starts(text)}) if book.has_stops else places:
        if place < at:
            continue
        at = place
        if at in quoted or (text[at] == "(" and at in pairs):
            at = quoted.get(at, pairs.get(at, at)) + 1
            continue
        name = book.find(text, at) if book.has_stops and (at == 0 or not is_word(text[at - 1])) else None
        if name is not None:
            at = name.end
            if text[at - 1] in ".!?" and _new_start(text, at):
                _add(found, text, start, at, "")
                start = at
            continue
        close = _closing(text, at)
        if close:
            _add(found, text, start, at, close)
            start = at + len(close)
        at += max(len(close), 1)
    _add(found, text, start, len(text), "")
    return found


def _add(spans: list[tuple[int, int, str]], text: str, start: int, end: int, close: str) -> None:
    while start < end and text[start] in " \n":
        start += 1
    while end > start and text[end - 1] in " \n":
        end -= 1
    if start < end and has_words(text, start, end):
        spans.append((start, end, close))


def _closing(text: str, at: int) -> str:
    """Return the marks that end a sentence at *at*; '' if none does."""
    if text[at] == BOUNDARY:
        return BOUNDARY
    found = _CLOSES.match(text, at)
    if found is None or text.startswith("..", at):
        return ""
    single = text[at] == "." and not text.startswith((".", "!", "?"), at + 1)
    return "" if single and abbreviates(text, at) else found[0]


def abbreviates(text: str, at: int) -> bool:
    """Return whether the point at *at* belongs to a short form ("no. 2") or to a number that begins the text."""
    if text[max(0, at - 2):at].casefold() not in _ENDS and not text[at - 1:at].isdigit():
        return False
    begin, last = at, text[max(0, at - 8):at].rpartition(" ")[2]
    if last.replace(".", "").isalnum():
        begin -= len(last)
    while begin > 0 and at - begin < 8 and (is_word(text[begin - 1]) or text[begin - 1] == "."):
        begin -= 1
    word = text[begin:at].casefold()
    if word in ("no", "nos", "nr"):
        return _NUMBERED.match(text, at) is not None
    return word in _ABBREVIATIONS or (word.isdigit() and begin == 0)


def _new_start(text: str, at: int) -> bool:
    """Return whether a sentence begins after a name that ends with a point."""
    while at < len(text) and text[at] == " ":
        at += 1
    return at >= len(text) or text[at] == BOUNDARY or (text[at].isupper() and not text[at:at + 3].isupper())


def _quoted(text: str) -> dict[int, int]:
    """Map the start of each closed quotation to its end."""
    places = [mark.start() for mark in _QUOTE.finditer(text)]
    return dict(zip(places[::2], places[1::2], strict=False))


GOES_ON = (
    "if ", "unless ", "otherwise", "else", "but ", "only ", "provided", "when ", "while ", "and ", "or ", "except",
    "as long as", "so long as", "failing", "in which case", "then ", "iff ", "assuming", "until ", "because ", "not ",
)
_GOES_ON_SMALL = ("as ", "at ", "for ", "in ", "is ", "to ", "was ")
"""Small words with which no sentence begins."""
_IN_CONDITION = re.compile(r"\b(?:if|unless|provided)\b[^.!?;]*$", re.IGNORECASE)
_BEGINS_SMALL = ("i ", "i'", "vote ", "vote:", "unvote", "endorse", "attack", "see ", "heal", "poison", "my ")
"""Words with which those begin a sentence who write no capitals."""
_COMMANDS = ("vote:", "##", "unvote", "[vote", "[b]vote", "**vote")
"""Commands of forums, with which something new begins."""
_OPEN_ENDED = frozenset(
    "if unless when why how that who whom what which because before after until and or but for to the a of "  # noqa: SIM905
    "with by from as than other least both either neither is are my eir vote votes voting endorse would should "
    "could not".split())
_NARROW = 46


class Sentence(NamedTuple):
    """One sentence: *text* is ``whole.text[start:end]`` of its paragraph, cleaned words.

    *rows* of the paragraph are (place in the original, line number). *alone* on its lines or not; *close* are the
    marks that end it.
    """

    whole: Clean
    start: int
    end: int
    text: str
    rows: tuple[tuple[int, int], ...]
    alone: bool
    paragraph: int
    close: str = ""

    @property
    def clean(self) -> Clean:
        """Return the cleaned words with their places."""
        return self.whole.part(self.start, self.end)

    @property
    def written(self) -> str:
        """Return the author's own words on one line."""
        end = min(self.end + len(self.close.strip()), len(self.whole.text))
        return " ".join(self.whole.original(self.start, end).split())

    @property
    def commented(self) -> str:
        """Return the author's own words with the comments before them and at their end."""
        text, end = self.whole.text, self.end
        while end < len(text) and text[end] in " .!":
            end += 1
        return self.whole.original(len(text[:self.start].rstrip(" ")), end)

    @property
    def asked(self) -> bool:
        """Return whether it ends with a question mark."""
        return "?" in self.close

    @property
    def exclaimed(self) -> bool:
        """Return whether it ends with an exclamation mark."""
        return "!" in self.close

    def line_at(self, at: int) -> int:
        """Return the number of the line of ``text[at]``."""
        if len(self.rows) == 1:
            return self.rows[0][1]
        origin = self.whole.origin[min(self.start + at, len(self.whole.text) - 1)]
        return self.rows[bisect_right(self.rows, origin, key=itemgetter(0)) - 1][1]

    def joined(self, *following: Sentence) -> Sentence:
        """Join this and the *following* sentences with commas."""
        text, end = self.whole.text, self.end
        for each in following:
            text = text[:end] + ",".ljust(each.start - end) + text[each.start:]
            end = each.end
        return self._replace(whole=self.whole.with_text(text), end=end, text=text[self.start:end],
                             close=following[-1].close)

    def to_the_end(self) -> Sentence:
        """Extend the sentence to the end of its paragraph."""
        text = self.whole.text.replace(BOUNDARY, " ")
        return self._replace(whole=self.whole.with_text(text), end=len(text), text=text[self.start:], close="")


def paragraphs(lines: Iterable[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Group lines; empty lines and gaps where something was left out separate the groups."""
    groups: list[list[tuple[int, str]]] = []
    group: list[tuple[int, str]] = []
    for number, line in lines:
        if not line.strip():
            group = []
        elif group and number == group[-1][0] + 1:
            group.append((number, line))
        else:
            groups.append(group := [(number, line)])
    return groups


def sentences(lines: Iterable[tuple[int, str]], book: NameBook) -> list[Sentence]:
    """Return all sentences of a letter's own lines, in order."""
    return [
        sentence
        for number, group in enumerate(paragraphs(lines))
        for sentence in _of_paragraph(group, book, number)
    ]


def _of_paragraph(group: Sequence[tuple[int, str]], book: NameBook, paragraph: int) -> list[Sentence]:
    """Return the sentences of one paragraph."""
    rows = [without_marker(line) for _, line in group]
    raw = "\n".join([line for line, _ in rows]) if len(rows) > 1 else rows[0][0]
    starts = [0]
    for line, _ in rows[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    whole = clean(raw)
    origin = whole.origin
    text = without_asides(without_marks(whole.text, book), book)
    ends = [starts[row] - 1 for row in range(1, len(rows)) if _breaks(rows[row - 1][0], rows[row], book)]
    if ends:
        text = _broken(text, origin, ends)
    if text != whole.text:
        whole = whole.with_text(text)
    numbered = tuple([(start, number) for start, (number, _) in zip(starts, group, strict=True)])
    lines = [*[bisect_left(origin, start) for start in starts], len(text)]
    found = []
    for start, end, close in spans(text, book):
        before, after = lines[bisect_right(lines, start) - 1], lines[bisect_left(lines, end)]
        alone = not (has_words(text, before, start) or has_words(text, end, after))
        found.append(Sentence(whole, start, end, text[start:end], numbered, alone, paragraph, close))
    return found


def _broken(text: str, origin: Sequence[int], ends: Iterable[int]) -> str:
    """Return *text* with boundaries for the spaces at the *ends* of lines in the original."""
    chars = list(text)
    for end in ends:
        at = bisect_left(origin, end)
        while at < len(chars) and origin[at] == end:
            if chars[at] == " ":
                chars[at] = BOUNDARY
            at += 1
    return "".join(chars)


def _breaks(line: str, following: tuple[str, bool], book: NameBook) -> bool:
    """Return whether the author meant the end of *line* to end something."""
    after, listed = following
    if listed:
        return True
    start = after.strip()
    if start[:1].islower() and (start.startswith(_GOES_ON_SMALL) or (
            _IN_CONDITION.search(line) and not start.startswith(_BEGINS_SMALL))):
        return False
    capitals = line.lstrip()[:1].isupper() and not line.isupper()
    if capitals and start[:1].islower() and not start.startswith(_BEGINS_SMALL):
        return False
    start = start.casefold()
    if start.startswith(GOES_ON):
        return False
    words = line.split()
    last = words[-1].casefold().strip("*_~\"'") if words else ""
    if last in ("unvote:", "##unvote:", "help", "status", "votes", "history") and len(words) == 1:
        return True
    if last.endswith(":") and start.startswith(_COMMANDS) and only_leads(line):
        return True
    if last.endswith((",", "-", ":")) or last in _OPEN_ENDED:
        return False
    if signs_off(after, book.people.author):
        return True
    first = after.split()[0] if after.split() else ""
    return len(line) + len(first) < _NARROW or start.startswith(_COMMANDS)
