"""English verb forms by rule: third person, -ing, past, participle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["base", "third", "ing", "past"]
_VOWELS = frozenset("aeiou")


def forms(base: str, irregular: dict[str, str]) -> Iterator[tuple[str, Form]]:
    """Yield each form of the verb *base* and which it is ("votin" too); what is behind it stays: ``look at``."""
    verb, space, rest = base.partition(" ")
    behind = space + rest
    yield base, "base"
    third, ing, past, participle = irregular[verb].split() if verb in irregular else _regular(verb)
    yield third + behind, "third"
    yield ing + behind, "ing"
    yield ing[:-1] + behind, "ing"
    if verb.endswith("l") and not ing.endswith("lling"):
        yield f"{verb}ling{behind}", "ing"
    if past != base:
        yield past + behind, "past"
    yield participle + behind, "past"


def _regular(verb: str) -> tuple[str, str, str, str]:
    """Third person, -ing form, past and participle of a regular *verb*."""
    stem = _stem(verb)
    past = f"{verb}d" if verb.endswith("e") else f"{stem}ed"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return f"{verb[:-1]}ies", f"{verb}ing", f"{verb[:-1]}ied", f"{verb[:-1]}ied"
    third = f"{verb}es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{verb}s"
    ing = f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) else f"{stem}ing"
    return third, ing, past, past


def _stem(verb: str) -> str:
    """*verb* with its last letter doubled where a short vowel is before it."""
    short = len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
    return verb + verb[-1] if short and len(verb) < 5 else verb
