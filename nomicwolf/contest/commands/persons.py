"""Whom, and which nomic, commands name."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.happenings import Command, Misuse
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.views import person_named
from nomicwolf.village.rules import Refusal

NAMING = ("who", "old", "author")
"""The arguments of commands that name somebody whom the contest knows."""


def called(contest: Contest, command: Command) -> Command:
    """Return *command* with those whom it names by an alias, a former name or in other case by eir present names.

    Who is entered with an address may be somebody new, whose name is taken as it stands.
    """
    if command.name == "party-add" and command.get("address"):
        return command
    keys = (*NAMING, "new") if command.name == "substitute" else NAMING
    named = {key: whom(contest, command.get(key)) for key in keys if command.get(key)}
    return replace(command, args={**command.args, **named}) if named else command


def whom(contest: Contest, name: str) -> str:
    """Return the present name of whom *name* means, or *name* as it stands if that is nobody or not one alone."""
    if name in contest.persons or name == contest.setup.contestmaster:
        return name
    return person_named(contest, name) or name


def known_person(contest: Contest, who: str, cites: tuple[str, ...] = ()) -> str:
    """Return *who* if the contest knows em; else raise `Refusal` by the clauses *cites*, with whom it knows."""
    if who not in contest.persons:
        raise Refusal(f"Nobody here is called {who!r}.", cites, tuple(contest.persons))
    return who


def named_nomic(contest: Contest, command: Command) -> str:
    """Return the nomic of the contest's that *command* names; `Refusal` if it is none."""
    nomic = command.get("nomic")
    if nomic not in contest.setup.nomics:
        raise Misuse("Say which nomic.", ("NC 1b",), contest.setup.nomics)
    return nomic
