"""Lines to sentences: wrapped lines joined, lists taken apart, names with points in them kept whole.

One pass over the text; a sentence knows the line it begins on, and whether it has its lines for itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import NamedTuple

from nomicwolf.reading.acting import only_leads
from nomicwolf.reading.asides import without_asides
from nomicwolf.reading.bullets import signs_off, without_marker
from nomicwolf.reading.ends import abbreviates, spans
from nomicwolf.reading.marks import BOUNDARY, without_marks
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.text import Clean, clean, has_words

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
_PLAIN = re.compile(r"([a-zA-Z](?:[a-zA-Z0-9 ,;:'@%&+=$-]*[a-zA-Z0-9,;:'@%&+=$-])?) *([.!?]) *")
"""A line without a mark but at its end, after which nothing stands: no list, no tag, no quotation, one sentence."""


class Sentence(NamedTuple):
    """One sentence: *text* is ``whole.text[start:end]`` of its paragraph, cleaned words.

    *rows* of the paragraph are (place in the original, line number). *alone* on its lines or not; *marked* when a
    forum's mark set it apart; *close* are the marks that end it.
    """

    whole: Clean
    start: int
    end: int
    text: str
    rows: tuple[tuple[int, int], ...]
    alone: bool
    marked: bool
    paragraph: int
    close: str = ""

    @property
    def clean(self) -> Clean:
        """The words, cleaned, with their places."""
        return self.whole.part(self.start, self.end)

    @property
    def written(self) -> str:
        """The author's own words, on one line."""
        end = min(self.end + len(self.close.strip()), len(self.whole.text))
        return " ".join(self.whole.original(self.start, end).split())

    @property
    def commented(self) -> str:
        """The author's own words, with the comments that may stand before them and at their end."""
        text, end = self.whole.text, self.end
        while end < len(text) and text[end] in " .!":
            end += 1
        return self.whole.original(len(text[:self.start].rstrip(" ")), end)

    @property
    def closes_paragraph(self) -> bool:
        """Whether nothing but marks follows it in its paragraph."""
        return not has_words(self.whole.text, self.end)

    @property
    def asked(self) -> bool:
        """Whether it ends with a question mark."""
        return "?" in self.close

    @property
    def exclaimed(self) -> bool:
        """Whether it ends with an exclamation mark."""
        return "!" in self.close

    def line_at(self, at: int) -> int:
        """The number of the line on which ``text[at]`` stands."""
        if len(self.rows) == 1:
            return self.rows[0][1]
        origin = self.whole.origin[min(self.start + at, len(self.whole.text) - 1)]
        return self.rows[bisect_right(self.rows, origin, key=itemgetter(0)) - 1][1]

    def joined(self, *following: Sentence) -> Sentence:
        """Make one sentence of this and those *following* it, with commas between."""
        text, end = self.whole.text, self.end
        for each in following:
            text = text[:end] + ",".ljust(each.start - end) + text[each.start:]
            end = each.end
        return self._replace(whole=self.whole.with_text(text), end=end, text=text[self.start:end],
                             close=following[-1].close)

    def to_the_end(self) -> Sentence:
        """Go on to the end of the paragraph."""
        text = self.whole.text.replace(BOUNDARY, " ")
        return self._replace(whole=self.whole.with_text(text), end=len(text), text=text[self.start:], close="")


def paragraphs(lines: Iterable[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Lines in groups: empty lines, and gaps where something was left out, lie between."""
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
    """All the sentences of a letter's own lines, in order."""
    return [
        sentence
        for number, group in enumerate(paragraphs(lines))
        for sentence in _of_paragraph(group, book, number)
    ]


def _of_paragraph(group: Sequence[tuple[int, str]], book: NameBook, paragraph: int) -> list[Sentence]:
    """The sentences of one paragraph."""
    if len(group) == 1 and (plain := _at_a_glance(*group[0], book, paragraph)) is not None:
        return [plain]
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
        apart = start > 0 and _set_apart(text, raw, origin, start)
        found.append(Sentence(whole, start, end, text[start:end], numbered, alone, apart, paragraph, close))
    return found


def _at_a_glance(number: int, line: str, book: NameBook, paragraph: int) -> Sentence | None:
    """The only sentence of a *line* of plain words, with a mark at its end at most; None for any other line."""
    found = _PLAIN.fullmatch(line)
    if found is None or book.has_stops or (line[:1] in "pP" and without_marker(line)[1]):
        return None
    at, text = found.start(2), without_asides(line, book)
    end = len(text[:at].rstrip(" "))
    if text[at] == "." and abbreviates(text, at):
        return None
    whole = Clean(line, text, range(len(line)), len(line))
    return Sentence(whole, 0, end, text[:end], ((0, number),), True, False, paragraph, found[2])


def _broken(text: str, origin: Sequence[int], ends: Iterable[int]) -> str:
    """*text* with boundaries for the spaces that stand for the *ends* of lines in the original."""
    chars = list(text)
    for end in ends:
        at = bisect_left(origin, end)
        while at < len(chars) and origin[at] == end:
            if chars[at] == " ":
                chars[at] = BOUNDARY
            at += 1
    return "".join(chars)


def _set_apart(text: str, raw: str, origin: Sequence[int], start: int) -> bool:
    """Whether the boundary before *start* came from a forum's mark."""
    at = start - 1
    while at >= 0 and text[at] == " ":
        at -= 1
    return at >= 0 and text[at] == BOUNDARY and raw[origin[at]] in "#*_["


def _breaks(line: str, following: tuple[str, bool], book: NameBook) -> bool:
    """Whether the author meant the end of *line* to be the end of something."""
    after, listed = following
    if listed:
        return True
    start = after.strip()
    if start[:1].islower() and (start.startswith(_GOES_ON_SMALL) or (
            _IN_CONDITION.search(line) and not start.startswith(_BEGINS_SMALL))):
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
