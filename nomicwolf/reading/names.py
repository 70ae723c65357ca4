"""Names to people, and the names of roles.

A name matches exactly, casefolded, in a compatibility form (NFKC) or as an alias. Near misses are suggested, never
taken, and look-alike letters of other scripts never match.

The names of roles are derived from the rule sets, so that a new role is known here by itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Literal, NamedTuple, TypeAlias

from nomicwolf.reading.deeds import People
from nomicwolf.reading.text import is_word, plain
from nomicwolf.reading.vocabulary import NUMBERS, Trie, fellows, reserved, words
from nomicwolf.village.rules import several
from nomicwolf.village.rulesets import BUILT_IN

Life: TypeAlias = Literal["living", "dead", "other"]
"""What a name's bearer is in the session; *other* has no seat in it."""
_NEAR = 70.0
_SHORT = 2
_SLIP = 90.0
_SAME = 100.0
_FEW_WORDS = 3
_LONGEST_PREFIX = 40
_RUN = re.compile(r"[^\W_]+")
_MARKS = frozenset("'.-_/&+")
_PART = re.compile(r"[^'._/&+\s-]+|(?<=\S) +(?=\S)")
_LIKE_NUMBERS = ("x", *"0123456789")
_TITLES = r"(?:mr|mrs|ms|sir|dr|lady|lord|madam|h)\b\.? +"
_TITLE = re.compile(_TITLES, re.IGNORECASE)
_EVERYDAY = frozenset({
    "no", "yes", "it", "so", "a", "i", "in", "on", "me", "e", "will", "may", "the", "of", "to", "is", "at", "as", "we",
    "he", "and", "or", "not", "for", "but", "by", "my", "do", "all", "one", "who", "why", "how", "what", "this", "that",
    "you",
})
"""Words of every sentence: as names they count only when spelled as registered."""


@dataclass(frozen=True, slots=True)
class Person:
    """The person that a name means: one canonical name, or several if the name is ambiguous."""

    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """The canonical name (the first, if several could be meant)."""
        return self.names[0]


class NameMatch(NamedTuple):
    """A name found in a text up to *end*; *exact* when spelled as registered, capitals included."""

    end: int
    person: Person
    exact: bool


class NameBook:
    """All names that can be meant, ready for longest match."""

    def __init__(self, people: People) -> None:
        self.people = people
        self._lives: dict[str, Life] = dict.fromkeys(people.others, "other")
        self._lives |= dict.fromkeys(people.dead, "dead")
        self._lives |= dict.fromkeys(people.living, "living")
        self._spelled: dict[str, dict[str, None]] = {}
        self._exact: set[str] = set()
        for name in self._lives:
            self._enter(name, name)
        for spelling, name in people.aliases.items():
            if spelling not in self._lives:
                self._enter(spelling, name)
        self._enter_without_marks()
        if people.prefixes:
            self._enter_prefixes()
        self._trie: Trie[str] = Trie()
        for spelling in self._spelled:
            self._trie.add(spelling, spelling)
        self.fellows = fellows(people.groups)
        self.has_stops = any(char in spelling for spelling in self._spelled for char in '.!?"(')
        begins = "|".join(sorted({re.escape(spelling[:2]) for spelling in self._spelled}))
        self._begins = re.compile(
            rf"(?<![^\W_])(?:{begins}|{_TITLES}|[^\x00-\x7f]|[\x00-\x7f](?=[^\x00-\x7f]))" if begins else r"(?!)",
            re.IGNORECASE)
        self._persons: dict[str, Person] = {}

    def find(self, text: str, start: int) -> NameMatch | None:
        """Return the longest name in *text* (clean) at *start*."""
        for end, spelling in self._trie.matches(text, start):
            exact = " ".join(text[start:end].split()) in self._exact
            if exact or spelling not in _EVERYDAY:
                return NameMatch(end, self._person(spelling), exact)
        title = _TITLE.match(text, start)
        return self.find(text, title.end()) if title is not None and text[title.end() - 1] == " " else None

    def starts(self, text: str) -> list[int]:
        """Return the places in *text* where a name can begin, in order."""
        return [place.start() for place in self._begins.finditer(text)]

    @cached_property
    def author_heads(self) -> frozenset[str]:
        """Return the first words, casefolded, of all names of the author alone; '' for one that begins with a mark."""
        return frozenset(
            match[0] if (match := _RUN.match(spelling)) else "" for spelling, names in self._spelled.items()
            if tuple(names) == (self.people.author,))

    def whole(self, text: str) -> Person | None:
        """Return the person that *text* as a whole names."""
        spelling = plain(text).casefold()
        return self._person(spelling) if spelling in self._spelled else None

    def names_in(self, text: str) -> tuple[str, ...]:
        """Return the canonical names anywhere in *text*, in order."""
        found: dict[str, None] = {}
        at = 0
        for start in self.starts(text):
            if start < at or (start and is_word(text[start - 1])) or (match := self.find(text, start)) is None:
                continue
            if text[start:match.end].casefold() not in reserved():
                found.update(dict.fromkeys(match.person.names))
            at = max(start + 1, match.end)
        return tuple(found)

    def beginning(self, text: str) -> tuple[str, ...]:
        """Return the living townspersons whose names begin with *text*, a word of two letters or more."""
        start = plain(text).casefold()
        named = dict.fromkeys(name for key, names in self._spelled.items() if key.startswith(start) for name in names)
        return tuple(name for name in named if self._lives.get(name) == "living") if len(start) >= _SHORT else ()

    def near(self, text: str) -> tuple[str, ...]:
        """Return up to three names close to *text*, best first; living townspersons before the dead."""
        few = " ".join(text.casefold().split()[:_FEW_WORDS])[:64]
        scored = sorted((-_likeness(few, key), key) for key in self._spelled)
        close = [key for score, key in scored if -score >= _NEAR][:2 * _FEW_WORDS]
        names = dict.fromkeys(name for key in close for name in self._spelled[key])
        return tuple(sorted(names, key=lambda name: self._lives.get(name) != "living"))[:3]

    def _enter(self, spelling: str, name: str) -> None:
        key = plain(spelling)
        if key:
            self._exact.add(key)
            self._spelled.setdefault(key.casefold(), {})[name] = None

    def _enter_without_marks(self) -> None:
        """Enter names without their marks, unless that is another's name or a word: "OBrien" (4E7)."""
        own = {spelling: names for spelling, names in self._spelled.items() if not _MARKS.isdisjoint(spelling)}
        taken = frozenset(self._spelled) | _EVERYDAY | NUMBERS.keys() | reserved() | words()
        for spelling, names in own.items():
            parts = _PART.findall(spelling.replace("'", ""))
            for bare in {"".join(parts), " ".join(" ".join(parts).split())}:
                if len(bare) > _SHORT and not bare.isdigit() and bare not in taken:
                    self._spelled.setdefault(bare, {}).update(names)

    def _enter_prefixes(self) -> None:
        starts: dict[str, set[str]] = {}
        for spelling, names in list(self._spelled.items()):
            for length in range(2, min(len(spelling), _LONGEST_PREFIX)):
                starts.setdefault(spelling[:length].rstrip(), set()).update(names)
        for start, owners in starts.items():
            if len(owners) == 1 and start not in self._spelled:
                self._spelled[start] = dict.fromkeys(owners)

    def _person(self, spelling: str) -> Person:
        """Return the person with the *spelling*, casefolded."""
        person = self._persons.get(spelling)
        if person is None:
            names = tuple(self._spelled[spelling])
            person = self._persons[spelling] = Person(names)
        return person


def book_of(people: People) -> NameBook:
    """Return the name book of *people*, cached for equal people."""
    return _book(people.living, people.dead, people.others, tuple(people.aliases.items()), people.author,
                 people.prefixes, people.own_votes, people.person, tuple(people.groups.items()))


@lru_cache(maxsize=16)
def _book(
    living: tuple[str, ...], dead: tuple[str, ...], others: tuple[str, ...], aliases: tuple[tuple[str, str], ...],
    author: str | None, prefixes: bool, own_votes: bool, person: str, groups: tuple[tuple[str, str], ...],
) -> NameBook:
    return NameBook(People(living, dead, others, dict(aliases), author, prefixes, own_votes, person, dict(groups)))


def _likeness(text: str, name: str) -> float:
    """Return the similarity of *text*, a few casefolded words, to *name*, 0 to 100, by words or as a whole."""
    from rapidfuzz import fuzz
    from rapidfuzz.distance import OSA

    best = fuzz.ratio(text, name) if text != "".join(_PART.findall(name)) else _SAME
    for word in (each for each in text.split() if each not in _EVERYDAY):
        for part in (name, *name.split()):
            if min(len(word), len(part)) > _SHORT:
                slip = OSA.distance(word, part, score_cutoff=1) <= 1
                begins = len(word) > _SHORT and part.startswith(word)
                best = max(best, _SLIP if slip or begins else fuzz.ratio(word, part))
    return best


_OFFICES = frozenset({
    "accused", "condemned", "contestmaster", "forum", "moderator", "narrator", "pack", "town", "townsperson", "village",
})


@cache
def role_names() -> frozenset[str]:
    """Return the names, singular and plural, of roles, sides and offices in the built-in rule sets, casefolded.

    >>> {"seer", "werewolf", "werewolves", "wolf", "mafia", "townsperson"} <= role_names()
    True
    >>> "mayor" in role_names(), "gus" in role_names()
    (True, False)
    """
    roles = [role for rules in BUILT_IN.values() for role in rules.roles.values()]
    one = {name.casefold() for role in roles for name in (role.name, role.title)} | _OFFICES
    one |= {alias.casefold() for rules in BUILT_IN.values() for alias in rules.aliases}
    sides = {role.side.casefold() for role in roles}
    return frozenset(one | {several(name) for name in one - sides} | sides)
