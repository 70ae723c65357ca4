"""What talk does to a deed beside it, in its sentence and in the sentences around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nomicwolf.language.around_sentence import ABOVE, AROUND, NEXT
from nomicwolf.language.parts import Talk
from nomicwolf.language.talk_features import Beside, Deed, Hazard, Row
from nomicwolf.language.within_sentence import ANYWHERE, BEFORE, BEHIND


def hazard(talk: Talk, deed: Deed, *, before: bool, private: bool) -> Hazard | None:
    """Return what *talk* does to the *deed* beside it in its sentence, *before* which it stands or not.

    None for what is known to be harmless.
    """
    known = _known([talk], talk.parted, deed, private=private)
    return _first(known, (*ANYWHERE, *(BEFORE if before else BEHIND)))


def beside(
    talk: list[Talk],
    text: str,
    deed: Deed,
    *,
    before: bool,
    asked: bool = False,
    ended: bool = True,
    near: bool = True,
) -> Hazard | None:
    """Return what a whole sentence of *talk* does to a *deed* in the next one, *before* which it is, or behind it."""
    if not talk:
        return None
    parted = "COLON" if text.endswith(":") else talk[0].parted
    known = replace(_known(talk, parted, deed, private=False), asked=asked, ended=ended, above=before)
    near = near or parted == "COLON"
    return _first(known, (*AROUND, *((ABOVE if before else NEXT) if near else ())))


def _first(known: Beside, rows: Sequence[Row]) -> Hazard | None:
    return next((row.hazard for row in rows if row.fits(known)), None)


def _known(talk: list[Talk], parted: str, deed: Deed, *, private: bool) -> Beside:
    words = [word for each in talk for word in each.words]
    persons = [word.person for word in words if word.person is not None and "official" not in word.marks]
    return Beside(
        words,
        frozenset(mark for each in talk for mark in each.marks),
        frozenset(part for word in words for part in word.text.split()),
        talk[0].joint,
        talk[0].before,
        parted,
        talk[0].attached,
        bool(persons),
        private,
        deed.frame,
        deed.filled,
        frozenset(name for person in persons for name in person.names) - deed.names,
        mine=deed.mine,
        own=deed.own,
    )
