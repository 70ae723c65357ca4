"""Whom a letter, or the contestmaster, can name, as everyone may know them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from nomicwolf.language.lexicon import OwnFrame
from nomicwolf.language.naming import unfit
from nomicwolf.language.reader import frames_of
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People
from nomicwolf.reading.names import book_of
from nomicwolf.village.game import heirs_of
from nomicwolf.village.rulesets import rules_in, ruleset


def people_of(contest: Contest, who: str | None, at: int | None = None) -> People:
    """Return the persons whom a letter of *who*'s can name, as everyone may know them.

    In a session the townspersons are its players; before one, all contestants. Whoever died after *at*, the instant of
    a letter that came late, lived for it (D-A8). A first name that is nobody else's means its bearer.
    """
    game = contest.running
    dead = () if game is None else game.shown_dead if at is None or at >= game.clock else game.shown_dead_at(at)
    living = tuple(p for p in game.seats if p not in dead) if game is not None else contest.contestants()
    known = {*contest.persons, contest.setup.contestmaster} - {*living, *dead}
    aliases = {alias: person.name for person in contest.persons.values() for alias in person.aliases}
    heirs = heirs_of(game) if game is not None else {}
    known -= heirs.keys()
    aliases |= heirs
    names = {name: name for name in (*living, *dead, *sorted(known))} | aliases
    aliases |= dict(first_names(tuple(names.items())))
    opened = game.opened if game is not None else None
    own = opened is not None and not ruleset(opened.ruleset).votes_stand
    return People(living, dead, tuple(sorted(known)), aliases, who, contest.setup.prefixes, own)


def own_frames(contest: Contest) -> tuple[OwnFrame, ...]:
    """Return the deeds that the roles brought to the session have, for the reader; everyone may know them."""
    game = contest.running
    return frames_of(rules_in(game), game.brought) if game is not None and game.brought else ()


def meant(contest: Contest, text: str) -> str:
    """Return the present name of the one whom *text* means to the contestmaster; '' if that is nobody, or not one.

    E may leave out what stands above or below letters: no deed hangs on it.
    """
    people = people_of(contest, None)
    found = book_of(people).whole(text)
    if found is not None:
        return found.name if len(found.names) == 1 else ""
    names = {name: name for name in (*people.living, *people.dead, *people.others)} | people.aliases
    bare = {name for spelling, name in names.items() if _bare(spelling) == _bare(text)}
    return bare.pop() if len(bare) == 1 else ""


def _bare(text: str) -> str:
    """Return *text* without the marks of its letters, casefolded.

    >>> _bare("Jörg  MÜLLER")
    'jorg muller'
    """
    apart = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))


@lru_cache(maxsize=64)
def first_names(names: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return whom first names mean: of *names* (each with its bearer) of several words, where nobody else has it.

    >>> first_names((("Jörg Müller", "Jörg Müller"), ("Bex", "Bex"), ("Ann Lee", "Ann Lee"), ("Ann Poe", "Ann Poe")))
    (('Jörg', 'Jörg Müller'),)
    """
    bearers: dict[str, set[str]] = {}
    for name, bearer in names:
        bearers.setdefault(_first(name).casefold(), set()).add(bearer)
    return tuple(
        (first, bearer) for name, bearer in names if (first := _first(name)) != name and first.isalpha()
        and len(bearers[first.casefold()]) == 1 and not unfit(first, _others(names, bearer)))


def _first(name: str) -> str:
    return name.split(" ", 1)[0]


def _others(names: Iterable[tuple[str, str]], bearer: str) -> tuple[str, ...]:
    return tuple(name for name, whose in names if whose != bearer)
