"""Names that somebody may take by mail: none that already means something, and none that looks like another's.

A registered name stands for its person wherever it is written. So whoever could call emself “nobody” or “Gus if Bex
does” would take over what others write, and who is “Аsh” in Cyrillic would get votes meant for em, or not meant.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import permutations

from nomicwolf.language.lexicon import lexicon
from nomicwolf.language.reader import Place, read
from nomicwolf.reading.deeds import People, Reading
from nomicwolf.reading.names import role_names

_ALIKE = {
    # Cyrillic, Greek and digits by the Latin letter that they are mistaken for (a part of UTS 39's confusables).
    **dict(zip("АВСЕНІЈКМОРЅТХУ", "ABCEHIJKMOPSTXY", strict=True)),
    **dict(zip("асеһіјорԛѕԝхуԁѵӏ", "acehijopqswxydvl", strict=True)),
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)),
    **dict(zip("αικνορυχ", "aikvopux", strict=True)),
    "0": "o",
    "1": "l",
    "|": "l",
    "I": "l",
    "ı": "i",
}
_SENTENCES = (
    "I vote for {a}.",
    "I endorse {a}.",
    "I vote for {a} if {b} is voting for {a}, otherwise nobody.",
    "I vote for {a} unless {b} votes for {a}.",
    "I vote for {a}, or failing that {b}.",
    "I vote no lynch.",
    "I retract my vote.",
    "I accuse {a}.",
    "I nominate {a}.",
    "I second the accusation.",
    "I vote guilty.",
    "I vote not guilty.",
)
_DEEDS = ("attack {a}", "heal", "heal nobody", "poison nobody", "match {a} and {b}", "status", "pass")
_OF_ALL = ("I vote for {a} if everyone else does.", "I vote for {a} if {b} is a werewolf.")
_ALONE: tuple[tuple[str, Place], ...] = (
    *((word, "forum") for word in ("unvote", "guilty", "innocent", "nobody", "no lynch")),
    *((word, "contestmaster") for word in ("pass", "heal", "no", "yes")),
)
_TURNS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They turn the direction of writing, also of what is behind a name."""
_MOST = 4


def unfit(name: str, others: Iterable[str]) -> str:
    """Return why nobody may take *name* by mail beside the names of *others*, '' if they may.

    >>> unfit("nobody", ["Bex", "Gus"])
    '“nobody” means something else in votes and deeds.'
    >>> unfit("Веx", ["Bex", "Gus"])
    '“Веx” looks like Bex.'
    >>> unfit("Ida", ["Bex", "Gus"])
    ''
    """
    taken = tuple(dict.fromkeys(others))
    if why := alike(name, taken) or _spoils(name):
        return why
    if name.casefold().removeprefix("the ") in role_names() or _means(name, taken) or _changes(name, taken):
        return f"“{name}” means something else in votes and deeds."
    return f"“{name}” would read as news in letters." if _NEWS.search(name) else ""


def _spoils(name: str) -> str:
    """Return why letters with *name* in them would be misread, '' if they wouldn't: quotes, rules, labels, turns."""
    if _TURNS.intersection(name):
        return f"“{''.join(c for c in name if c not in _TURNS)}” turns the direction of writing."
    if name[:1] in ">|＞" or ": " in f"{name} " or not name.strip("-_=~*#+. "):
        return f"“{name}” would look like a quote, a rule or a label in letters."
    return ""


_NEWS = re.compile(r"\b(?:is|are|was|were|has|have|begins|wins?)\b|\b(?:session|day|night)\W*\d", re.IGNORECASE)
"""What makes a name read as news at the beginning of a subject or a line."""


def alike(name: str, others: Iterable[str]) -> str:
    """Return whose name of *others* *name* looks like, or that it looks like nothing; '' if neither."""
    shape = skeleton(name)
    like = next((other for other in others if skeleton(other) == shape), "")
    return f"“{name}” looks like {like or 'nothing'}." if like or not shape else ""


def skeleton(name: str) -> str:
    """Return what *name* looks like: equal for names that can hardly be told apart (as UTS 39, 4)."""
    plain = unicodedata.normalize("NFKC", name)
    seen = "".join(c for c in plain if unicodedata.category(c) not in ("Cf", "Cc", "Zs"))
    shapes = "".join(_ALIKE.get(c, c) for c in seen)
    return unicodedata.normalize("NFKC", shapes).casefold().replace("rn", "m").replace("vv", "w")


_WHOM = frozenset({"all", "any", "anybody", "anyone", "each", "everybody", "everyone", "of", "us", "you", "them"})
"""Words by which no one person is meant."""


def _means(name: str, others: tuple[str, ...]) -> bool:
    """Whether *name* is understood as it is: as a value, a list, a pronoun."""
    low = name.casefold()
    if all(word in _WHOM for word in low.split()):
        return True
    entries = lexicon().entries
    known = People(
        living=tuple(
            other
            for other in others
            if other.casefold() not in low or any(word.strip(",") in entries for word in low.split())
        )
    )
    for text, to in _tried((name,)):
        reading = read(((1, text),), known, to=to)
        if reading.deeds or any(p.problem in ("ambiguous", "oneself") for p in reading.problems):
            return True
    return False


def _changes(name: str, others: tuple[str, ...]) -> bool:
    """Whether what others write would be read otherwise if somebody were called *name*."""
    low = name.casefold()
    within = [o for o in others if o.casefold() in low][:_MOST]
    people = (*within, *[o for o in others if o not in within][:2])
    before, after = People(living=others), People(living=(*others, name))
    asked: list[tuple[str, Place]] = [(verb, "contestmaster") for verb, f in lexicon().frames.items() if f.question]
    tried = (*_ALONE, *asked, *(each for pair in permutations(people, 2) for each in _sentences(*pair)))
    return any(
        _said(read(((1, text),), before, to=to)) != _said(read(((1, text),), after, to=to)) for text, to in tried
    )


def _said(reading: Reading) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return tuple(d.says for d in reading.deeds), tuple(p.problem for p in reading.problems)


def _tried(names: Iterable[str]) -> Iterator[tuple[str, Place]]:
    for name in names:
        yield f"I vote for {name}.", "forum"
        yield f"attack {name}", "contestmaster"


def _sentences(a: str, b: str) -> Iterator[tuple[str, Place]]:
    for text in (*_SENTENCES, *_OF_ALL):
        yield text.format(a=a, b=b), "forum"
    for text in _DEEDS:
        yield text.format(a=a, b=b), "contestmaster"
