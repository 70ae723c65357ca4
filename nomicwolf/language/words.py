"""A sentence cut into words: each with its senses, marks, or the person whom it names."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import lru_cache

from rapidfuzz.distance import OSA

from nomicwolf.language.lexicon import CONTRACTIONS, STEMS, Entry, Lexicon, Sense, lexicon
from nomicwolf.reading.names import NameBook, Person
from nomicwolf.reading.text import Clean, is_word

_WORD = re.compile(
    r"(?:\d{4}-\d\d-\d\dT)?\d{1,2}:\d\d(?::\d\d)?(?:[apAP][mM]|[zZ])?(?!\w)"
    r"|\+1(?!\d)|[^\W_]+(?:[-'.@/&_][^\W_]+)*|[-=]+>|-{2,}|\.{2,}|[:;]['-]?[()DPp|/\\](?!\w)|\^_?\^|<3|[^\w\s]|_"
)
_CITED = re.compile(
    r"(?:(?:as |pursuant |according )?(?:under|per|to|by|in|of) (?:the )?(?:clause|section|rule|paragraph|§) ?\d+[a-z]?"
    r"|(?:under|per) \d{1,2}(?:[a-z]|\([a-z]\)(?=\W)))(?!\w)",
    re.IGNORECASE,
)
"""The clause by which somebody acts: "under 7c", "pursuant to clause 3"."""
_SHORT = {
    "im": ("i", "am"),
    "hes": ("he", "'s"),
    "shes": ("she", "'s"),
    "thats": ("that", "'s"),
    "whos": ("who", "'s"),
    "theyre": ("they", "'re"),
    "ive": ("i", "have"),
    "dont": ("do", "not"),
    "cant": ("can", "not"),
    "wont": ("will", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "doesnt": ("does", "not"),
    "wouldnt": ("would", "not"),
    "iam": ("i", "am"),
    "ima": ("i", "gonna"),
    "imma": ("i", "gonna"),
    "cannot": ("can", "not"),
    "arent": ("are", "not"),
}
_PUNCTUATION = {
    ",": "COMMA",
    ";": "SEMI",
    ":": "COLON",
    "(": "OPEN",
    ")": "CLOSE",
    "[": "OPEN",
    "]": "CLOSE",
    "{": "OPEN",
    "}": "CLOSE",
    '"': "QUOTE",
    "/": "SLASH",
    "-": "DASH",
    "--": "DASH",
    "---": "DASH",
    ".": "DOTS",
    "..": "DOTS",
    "...": "DOTS",
    "=": "COLON",
    "->": "COLON",
    "=>": "COLON",
    "-->": "COLON",
    "==>": "COLON",
    "\u2192": "COLON",
    ">": "ARROW",
    "|": "SEMI",
    "&": "AND",
    "+": "AND",
}
_ILL = re.compile(
    r" (?:just |now |also |then )?(?:vote|endorse|second|go|be|take|use|attack|see|poison|heal|shoot|protect|put)\b"
)
"""Words by which "ill" before them is "I'll"."""
BREAKS = frozenset({"COMMA", "SEMI", "COLON", "OPEN", "CLOSE", "DASH", "DOTS", "QUOTE", "ARROW", "BREAK"})
"""Punctuation at which one part of a sentence may end."""
_NOTHING = Entry()
_LONGEST = 60
"""Longer words are not taken apart."""
_DRAWN = re.compile(r"([a-z])\1{2,}")
_SHORTEST_SLIP = 3
_SHORTEST_SWAP = 5
_COMMON_VERBS = (
    "vote",
    "voting",
    "unvote",
    "endorse",
    "lynch",
    "attack",
    "protect",
    "poison",
    "investigate",
    "switching",
    "changing",
    "moving",
    "sorry",
)
_NO_SLIPS = frozenset({"vole", "vice", "vite", "lunch", "vogue", "rote", "vow", "van", "vet", "quiet", "angel"})
"""Words that are one letter from a deed's verb, and mean something else."""
_LY = 4
_OF_LAW = ("law ", "away")
"""Marks that words keep in entries of several words."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word or mark of a sentence: ``text[start:end]`` of it, casefolded; *person* where it is a name."""

    text: str
    start: int
    end: int
    senses: tuple[Sense, ...] = ()
    marks: frozenset[str] = frozenset()
    person: Person | None = None
    exact: bool = False

    @property
    def terminal(self) -> str:
        """Its first sense; '' for a word that the language does not have."""
        return self.senses[0].terminal if self.senses else ""

    def sense(self, *terminals: str) -> Sense | None:
        """Its sense among *terminals*, the first that it has."""
        return next((each for each in self.senses if each.terminal in terminals), None)

    @property
    def breaks(self) -> bool:
        """Whether it is punctuation at which a part of a sentence may end."""
        return self.terminal in BREAKS


def words_of(clean: Clean, book: NameBook, known: Lexicon | None = None) -> list[Word]:
    """Return the words of *clean*, in order; a name is one word, and so is an entry of several words.

    *known* is the lexicon, if it is not the usual one.
    """
    lex = known or lexicon()
    return _together(_pieces(clean.text, book, lex), lex)


def _pieces(text: str, book: NameBook, lex: Lexicon) -> list[Word]:
    """Names, single words with contractions taken apart, and marks."""
    found: list[Word] = []
    starts, at = set(book.starts(text)), 0
    while (match := _WORD.search(text, at)) is not None:
        start = match.start()
        if found and found[-1].person is not None and found[-1].end == start and text[start] == "'":
            end = start + 1 + (text[start + 1 : start + 2] in ("s", "S"))
            own = found[-1].person.names == (book.people.author,)
            found.append(Word(text[start:end].casefold(), start, end, (Sense("MY" if own else "POSS"),)))
            if own:
                found[-2:] = [replace(found[-1], text="my", start=found[-2].start)]
            at = end
            continue
        whole = _named(text, match, book, lex) if start in starts else _cited(text, start)
        if whole:
            found += whole
            at = whole[-1].end
            continue
        if not is_word(match[0][0]):
            at = start + len(match[0])
            if senses := _mark(text, match[0], start):
                found.append(Word(match[0], start, at, senses))
            continue
        inner = next(
            (
                place
                for place in range(start + 1, match.end())
                if place in starts
                and not is_word(text[place - 1])
                and text[place - 1] != "'"
                and book.find(text, place)
            ),
            None,
        )
        piece = match[0] if inner is None else text[start : inner - 1]
        at = start + len(piece)
        if piece.casefold() == "ill" and _ILL.match(text, at) and not (found and found[-1].sense("BE", "LIKE")):
            found += [_single("i", start, start + 1, lex), _single("will", start + 1, at, lex)]
        elif piece:
            found += _word(piece, start, lex)
        if inner is not None:
            at = inner
    return found


def _cited(text: str, start: int) -> list[Word]:
    """The citation of a clause that begins at *start*, as one word; [] where none does."""
    cited = _CITED.match(text, start)
    return [Word(cited[0].casefold(), start, cited.end(), (), frozenset({"force", "ground"}))] if cited else []


def _named(text: str, match: re.Match[str], book: NameBook, lex: Lexicon) -> list[Word]:
    """The name at a *match*, or that and the possessive that lacks its apostrophe, "ivys vote"; [] for none."""
    name = _name(text, match.start(), book, lex)
    return [name] if name is not None else _owner(text, match.start(), match[0], book, lex)


def _name(text: str, start: int, book: NameBook, lex: Lexicon) -> Word | None:
    """The name at *start*, with the possessive behind it left for the next piece; None where none begins."""
    if start and is_word(text[start - 1]):
        return None
    match = book.find(text, start)
    if match is None or (match.end < len(text) and is_word(text[match.end]) and is_word(text[match.end - 1])):
        return None
    spelled = text[start : match.end].casefold()
    entry = lex.entries.get(spelled)
    if entry is not None and (entry.senses or entry.marks) and not match.exact:
        return None
    senses = (Sense("NAME"), *(entry.senses if entry is not None else ()))
    official = match.person.names[0] in {book.people.author, *book.people.others}
    marks = frozenset({"official"} if official else ())
    return Word(spelled, start, match.end, senses, marks, match.person, match.exact)


def _owner(text: str, start: int, word: str, book: NameBook, lex: Lexicon) -> list[Word]:
    """The name and the possessive that make up *word*; [] where it is something else."""
    end = start + len(word) - 1
    match = book.find(text[:end], start) if word[-1:] in {"s", "S"} and word.isalpha() else None
    known = word.casefold() in lex.entries or (start and is_word(text[start - 1]))
    if match is None or match.end != end or not match.exact or known or not match.person.names:
        return []
    name = Word(text[start:end].casefold(), start, end, (Sense("NAME"),), frozenset(), match.person, match.exact)
    return [name, Word(text[end : end + 1].casefold(), end, end + 1, (Sense("POSS"),))]


def _mark(text: str, mark: str, start: int) -> tuple[Sense, ...]:
    """The sense of punctuation; a hyphen is a dash where a blank stands on a side of it, a smiley parts as dots do."""
    if mark == "+" and not start:
        return ()
    if mark in _PUNCTUATION:
        return (Sense(_PUNCTUATION[mark]),)
    if set(mark) <= set("-"):
        return (Sense("DASH"),)
    pictured = len(mark) > 1 or unicodedata.category(mark) == "So"
    return (Sense("DOTS"),) if pictured or mark == "\u2026" else ()


def _word(piece: str, start: int, lex: Lexicon) -> list[Word]:
    """One word, or the parts of a contraction."""
    folded, end = piece.casefold(), start + len(piece)
    if folded in lex.entries:
        return [_single(folded, start, end, lex)]
    if folded in _SHORT:
        first, second = _SHORT[folded]
        return [_single(first, start, start + 1, lex), _single(second, start + 1, end, lex)]
    if "'" in folded and len(folded) <= _LONGEST:
        for tail, stands_for in CONTRACTIONS:
            if folded.endswith(tail) and len(folded) > len(tail):
                stem = folded[: -len(tail)]
                cut = end - len(tail)
                return [
                    *_word(STEMS.get(stem, stem) if tail == "n't" else piece[: len(stem)], start, lex)[:1],
                    _single(stands_for, cut, end, lex),
                ]
    for mark in "/." if len(folded) <= _LONGEST else "":
        if mark in piece and not piece.replace(mark, "").isdigit():
            head, _, rest = piece.partition(mark)
            at = start + len(head)
            return (
                [*_word(head, start, lex), Word(mark, at, at + 1, _mark(piece, mark, at)), *_word(rest, at + 1, lex)]
                if head and rest
                else [_single(folded, start, end, lex)]
            )
    return [_single(folded, start, end, lex)]


def _single(folded: str, start: int, end: int, lex: Lexicon) -> Word:
    entry = lex.entries.get(folded) or _drawn_out(folded, lex) or _slip(folded)
    marks = frozenset(entry.marks)
    if not entry.senses and not marks and folded.endswith("ly") and len(folded) > _LY:
        marks = frozenset({"manner"})
    return Word(folded, start, end, tuple(entry.senses), marks)


def _drawn_out(folded: str, lex: Lexicon) -> Entry | None:
    """The entry of a word whose letters are drawn out: "lmaooo", "pleaaase"."""
    if len(folded) > _LONGEST or _DRAWN.search(folded) is None:
        return None
    return lex.entries.get(_DRAWN.sub(r"\1", folded)) or lex.entries.get(_DRAWN.sub(r"\1\1", folded))


@lru_cache(maxsize=4096)
def _slip(folded: str) -> Entry:
    """The entry of a word that *folded* is with two letters swapped, or of a deed's verb that is one slip away."""
    if len(folded) < _SHORTEST_SLIP or not folded.isalpha() or folded in _NO_SLIPS:
        return _NOTHING
    entries = lexicon().entries
    near = [each for each in _COMMON_VERBS if each[0] == folded[0] and OSA.distance(each, folded, score_cutoff=1) <= 1]
    swapped = near or _swapped(folded)
    return entries[swapped[0]] if len(swapped) == 1 or near else _NOTHING


def _swapped(folded: str) -> list[str]:
    """The words without a sense of their own that *folded* is with two neighbouring letters swapped: "tdoay"."""
    if len(folded) < _SHORTEST_SWAP or folded in _NO_SLIPS:
        return []
    turned = {folded[:at] + folded[at + 1] + folded[at] + folded[at + 2 :] for at in range(1, len(folded) - 1)}
    entries = lexicon().entries
    return [each for each in sorted(turned) if each in entries and not entries[each].senses]


def _together(pieces: list[Word], lex: Lexicon) -> list[Word]:
    """*pieces* with those joined that stand together in the lexicon."""
    found, at = list[Word](), 0
    texts = [each.text for each in pieces]
    while at < len(pieces):
        length = 0 if pieces[at].person is not None else lex.longest(texts, at)
        if length > 1 and not any(each.person for each in pieces[at : at + length]):
            joined = _single(" ".join(texts[at : at + length]), pieces[at].start, pieces[at + length - 1].end, lex)
            of_law = {mark for each in pieces[at : at + length] for mark in each.marks if mark.startswith(_OF_LAW)}
            found.append(replace(joined, marks=joined.marks | of_law) if of_law else joined)
            at += length
        elif (parted := _parted(pieces, texts, at, lex)) is not None:
            found += parted[0]
            at += parted[1]
        else:
            found.append(pieces[at])
            at += 1
    return found


def _parted(pieces: list[Word], texts: list[str], at: int, lex: Lexicon) -> tuple[list[Word], int] | None:
    """A verb of several words that begins at *at*, with a name inside: "put Gus behind bars"; and how many words."""
    whom = at + 1
    if whom + 1 >= len(pieces) or pieces[at].person is not None or pieces[whom].person is None:
        return None
    for end in range(min(whom + 1 + lex.heads.get(texts[at], 0), len(pieces)), whom + 1, -1):
        verb = " ".join((texts[at], *texts[whom + 1 : end]))
        entry = lex.entries.get(verb, _NOTHING)
        if not pieces[end - 1].sense("BE") and any(sense.terminal == "STRIKE" for sense in entry.senses):
            first, last = pieces[at], pieces[end - 1]
            tail = Word(" ".join(texts[whom + 1 : end]), pieces[whom + 1].start, last.end, (Sense("OUT"),))
            return [Word(verb, first.start, first.end, tuple(entry.senses)), pieces[whom], tail], end - at
    return None
