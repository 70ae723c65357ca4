"""What a contest is called in the subjects of its letters, and what the private ones are called."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.nomic.absence import Prodded
from nomicwolf.nomic.events import Answered, Asked, DeedDone, Refused, Reminded
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.times import when
from nomicwolf.village.events import Entry

UNIFORM = "your private note"
"""What all private letters are called where subjects are uniform, or letters covered."""


def tag_of(setup: Setup) -> str:
    """Return the short name of a contest, as subjects carry it (``Werewolves``)."""
    return setup.name.removeprefix("The ").partition(" of ")[0][:30] or setup.contest


def titled(setup: Setup, session: int, what: str) -> str:
    """Return the subject of a letter of *session* (0: before the first) that says *what* it is."""
    return f"[{tag_of(setup)}] session {session}: {what}" if session else f"[{tag_of(setup)}] {what}"


def subject_of(
    setup: Setup, place: str, entries: Sequence[Entry], due: int, *, session: int, begins: bool, night: bool
) -> str:
    """Return the subject of a private letter that tells of *entries*: its kind, and the phase as everyone knows it.

    A phone shows it on its lock screen, so it names no role, nobody's name and no deed. *place* is the phase of
    *session* (0: before the first), *due* by when something is owed (UTC seconds; 0: nothing is), *begins* and *night*
    say what has just begun.
    """
    if setup.uniform_subjects:
        return titled(setup, session, UNIFORM)
    phase = place[:1].upper() + place[1:] if place != "over" else f"After session {session}"
    kind = _kind(f"{phase}: " if session else "", entries, due, begins=begins, night=night)
    return f"[{tag_of(setup)}] {kind[:1].upper()}{kind[1:]}"


def _kind(phase: str, entries: Sequence[Entry], due: int, *, begins: bool, night: bool) -> str:
    kinds = {type(e.event) for e in entries}
    if begins:
        return "Your role"
    if Asked in kinds:
        return "Please say it again"
    if Refused in kinds:
        return f"{phase}not done"
    if due and (night or kinds & {Reminded, Prodded}):
        return f"Due by {' '.join(when(due).split()[:3])}"
    if DeedDone in kinds:
        return f"{phase}received"
    if Answered in kinds:
        return f"{phase}your question"
    return f"{phase}news for you"
