"""The lexicon: what class each word has, and which deed it belongs to (`grammar/lexicon.toml`, `frames.toml`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from nomicwolf.data import grammar_table
from nomicwolf.language.inflection import Form, forms
from nomicwolf.reading.vocabulary import spelled_out

Doubt: TypeAlias = Literal["likely", "sure", "heard"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A deed verb: what it takes, where it may be sent, and what a doubt costs; a *question* only asks."""

    name: str
    takes: str
    doubt: Doubt
    private: bool
    question: bool = False


class Sense(NamedTuple):
    """One way to take a word: a *terminal* of the clause grammar; of a deed's verb its *frame* and *form*."""

    terminal: str
    frame: str = ""
    form: Form | Literal[""] = ""
    lemma: str = ""


@dataclass(slots=True)
class Entry:
    """A word, or words that stand together: its *senses*, and the *marks* that it leaves on what it is in."""

    senses: list[Sense] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Lexicon:
    """All words: *entries* by their casefolded words, *frames* by name; *heads* begin an entry of several words."""

    entries: dict[str, Entry]
    frames: dict[str, Frame]
    heads: dict[str, int]

    def longest(self, words: list[str], at: int) -> int:
        """Return how many of *words* from *at* make the longest entry; 0 where none begins there."""
        for length in range(min(self.heads.get(words[at], 0), len(words) - at), 0, -1):
            if " ".join(words[at : at + length]) in self.entries:
                return length
        return 0


class OwnFrame(NamedTuple):
    """A deed of a session's own: its *verb*, and *other* words for it; *sure* if a doubt forbids it.

    It *takes* a ``person``, a ``pair``, or ``nothing``.
    """

    verb: str
    other: tuple[str, ...]
    sure: bool
    takes: str = "person"


class _Maker:
    """Puts the lexicon together, word by word."""

    def __init__(self, entries: dict[str, Entry] | None = None) -> None:
        self.entries: dict[str, Entry] = {} if entries is None else entries

    def entry(self, words: str) -> Entry:
        """Return the entry of *words*, made when it is first asked for."""
        return self.entries.setdefault(" ".join(map(_apart, words.replace("_", " ").split(" "))), Entry())

    def sense(self, words: str, sense: Sense) -> None:
        """Give *words* one more *sense*; a verb that is its frame's name means that frame first."""
        senses = self.entry(words).senses
        if sense not in senses:
            senses.insert(0 if sense.lemma == sense.frame and sense.form else len(senses), sense)

    def verbs(self, words: str, terminal: str, frame: str, irregular: dict[str, str]) -> None:
        """Enter each form of the verbs *words*."""
        for word in _listed(words):
            base = word.replace("_", " ")
            for form, which in forms(base, irregular):
                self.sense(form, Sense(terminal, frame, which, base))

    def frame(self, name: str, row: dict[str, Any], irregular: dict[str, str]) -> None:
        """Enter the verbs, nouns, labels and idioms of the frame *name*."""
        self.verbs(row.get("verbs", ""), _TERMINAL_OF[row["takes"]], name, irregular)
        for noun in _listed(row.get("nouns", "")):
            self.sense(noun, Sense(_NOUNS.get(name, "POWER"), name, "", noun))
        for idiom in _listed(row.get("idioms", "")):
            self.sense(idiom, Sense("ALONE", name, "base", idiom))
        for asked in _listed(row.get("asked", "")):
            self.sense(asked, Sense("ASKED", name, "base", asked))
        self.verbs(row.get("fates", ""), "FATE", name, irregular)
        for label in _listed(row.get("labels", "")):
            self.sense(label, Sense("LABEL", name, "", label))

    def classes(self, words: dict[str, dict[str, str]], irregular: dict[str, str]) -> None:
        """Enter the words of `lexicon.toml`."""
        for terminal, listed in words["terminals"].items():
            for word in _listed(listed):
                if terminal in _INFLECTED:
                    self.verbs(word, terminal, "", irregular)
                else:
                    self.sense(word, Sense(terminal, "", "", word.replace("_", " ")))
        for kind, prefix in (("skipped", ""), ("joints", "joint "), ("marks", ""), ("law", "law ")):
            for mark, listed in words[kind].items():
                for word in _listed(listed):
                    self.entry(word).marks.add(prefix + mark)


def _listed(words: str) -> Iterator[str]:
    """Yield the entries of a list, the choices of each spelled out: "in_(my|this)_game"."""
    for word in words.split():
        yield from (one.strip("_") for one in spelled_out(word)) if "(" in word or "[" in word else (word,)


def _apart(word: str) -> str:
    """*word* with its contraction taken apart, as `nomicwolf.language.words` takes it apart in a text."""
    for tail, stands_for in CONTRACTIONS:
        if word.endswith(tail) and len(word) > len(tail):
            stem = word[: -len(tail)]
            return f"{STEMS.get(stem, stem)} {stands_for}"
    return word


CONTRACTIONS = (
    ("n't", "not"),
    ("'m", "am"),
    ("'re", "are"),
    ("'ve", "have"),
    ("'ll", "will"),
    ("'d", "would"),
    ("'s", "'s"),
)
"""Ends of contractions, and what they stand for."""
STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
"""Stems that lose letters before "n't"."""
_INFLECTED = frozenset({"CAST", "UNDO", "USE", "GIVE", "KEEP", "TAKE", "FIND", "TRAIL", "COPY", "CHOOSE", "CHOOSE_NOT"})
_NOUNS = {"vote": "N_VOTE", "choose": "ACTION"}
_TERMINAL_OF = {
    "ballot": "VOTE",
    "ballot of another": "ENDORSE",
    "person": "STRIKE",
    "accusation": "SECOND",
    "pair": "MATCH",
    "nothing": "ALONE",
    "party": "PARTY",
    "text": "TELL",
}


def lexicon(own: tuple[OwnFrame, ...] = ()) -> Lexicon:
    """Return the lexicon, made once from its two files; with the frames of a session's *own* deeds beside them."""
    return _with(own) if own else _common()


@lru_cache(maxsize=32)
def _with(own: tuple[OwnFrame, ...]) -> Lexicon:
    common, irregular = _common(), grammar_table("lexicon")["irregular"]
    make = _Maker({words: Entry([*entry.senses], {*entry.marks}) for words, entry in common.entries.items()})
    frames = dict(common.frames)
    for verb, other, sure, takes in own:
        if verb not in frames:
            frames[verb] = Frame(verb, takes, "sure" if sure else "likely", private=True)
        for word in (verb, *other):
            make.verbs(word.replace(" ", "_"), _TERMINAL_OF[takes], verb, irregular)
    return Lexicon(make.entries, frames, _heads(make.entries))


@cache
def _common() -> Lexicon:
    words, frames = grammar_table("lexicon"), grammar_table("frames")
    make, irregular = _Maker(), words["irregular"]
    known = {
        name: Frame(name, row["takes"], row["doubt"], row.get("private", False), "asked" in row)
        for name, row in frames.items()
    }
    for name, row in frames.items():
        make.frame(name, row, irregular)
    make.classes(words, irregular)
    return Lexicon(make.entries, known, _heads(make.entries))


def _heads(entries: Iterable[str]) -> dict[str, int]:
    """Return how many words the longest of *entries* has, by its first word."""
    heads: dict[str, int] = {}
    for spelled in entries:
        parts = spelled.split(" ")
        heads[parts[0]] = max(heads.get(parts[0], 0), len(parts))
    return heads
