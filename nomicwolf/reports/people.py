"""Whom a letter can name, as everyone may know them."""

from __future__ import annotations

from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People
from nomicwolf.village.renaming import heirs_of
from nomicwolf.village.rulesets import ruleset


def people_of(contest: Contest, who: str | None, at: int | None = None) -> People:
    """Return the persons whom a letter of *who*'s can name, as everyone may know them.

    In a session the townspersons are its players; before one, all contestants. Whoever died after *at*, the instant of
    a letter that came late, lived for it (D-A8).
    """
    game = contest.running
    dead = () if game is None else game.shown_dead if at is None or at >= game.clock else game.shown_dead_at(at)
    living = tuple(p for p in game.seats if p not in dead) if game is not None else contest.contestants()
    known = {*contest.persons, contest.setup.contestmaster} - {*living, *dead}
    aliases = {alias: person.name for person in contest.persons.values() for alias in person.aliases}
    heirs = heirs_of(game) if game is not None else {}
    known -= heirs.keys()
    aliases |= heirs
    opened = game.opened if game is not None else None
    own = opened is not None and not ruleset(opened.ruleset).votes_stand
    return People(living, dead, tuple(sorted(known)), aliases, who, contest.setup.prefixes, own)
