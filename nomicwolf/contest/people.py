"""Who can be meant in a letter, as the contest stands."""

from __future__ import annotations

from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People


def people_of(contest: Contest, author: str | None) -> People:
    """Return the persons whom a letter by *author* can name; only public facts are used.

    In a session the townspersons are its players; before one, all contestants.
    """
    game = contest.running
    living = game.shown_living() if game is not None else contest.contestants()
    dead = game.shown_dead if game is not None else ()
    known = {*contest.persons, contest.setup.contestmaster}
    aliases = {alias: person.name for person in contest.persons.values() for alias in person.aliases}
    return People(
        living=living, dead=dead, others=tuple(sorted(known - {*living, *dead})), aliases=aliases, author=author,
        prefixes=contest.setup.prefixes,
    )
