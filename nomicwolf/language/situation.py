"""Where a letter is read, and what is open to its author."""

from __future__ import annotations

from dataclasses import dataclass, field

from nomicwolf.language.lexicon import Lexicon, lexicon
from nomicwolf.reading.deeds import Limits
from nomicwolf.reading.lark_driver import Wording
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.times import Clock


@dataclass(frozen=True, slots=True)
class Situation:
    """Where and by whom a letter is read: *private* or not, the author's *role*, and the verbs *open* to them.

    *open* is None where nobody knows the author's duties. *lexicon* has all words that are known there. *wording* is
    what "as Bex does" means: to follow that vote, to pin it as it is, or to be asked about (D-N6). *named* are those
    whom a pronoun may mean: the one whom the sentence before names, else all whom the letter has named so far.
    *addressed* is whom "you" may mean: the last who was called by name, else the only one whom the letter has named.
    """

    book: NameBook
    clock: Clock
    limits: Limits
    private: bool
    role: str = ""
    open: frozenset[str] | None = None
    lexicon: Lexicon = field(default_factory=lexicon)
    wording: Wording = "ask"
    named: frozenset[str] = frozenset()
    addressed: str = ""
