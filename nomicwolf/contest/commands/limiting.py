"""P, the most that a contest may award in a nomic: the contestmaster confirms it (NC 5i, D-N21)."""

from __future__ import annotations

from nomicwolf.contest import sessions
from nomicwolf.contest.happenings import Command, Misuse, whole_number
from nomicwolf.contest.work import Work
from nomicwolf.nomic.awards import BY_COMMAND, derive, explained
from nomicwolf.nomic.events import LimitConfirmed


def limit(work: Work, command: Command) -> str:
    """Confirm P of one nomic or more, each as ``NOMIC=POINTS``; awards that waited for it are given now."""
    how = command.get("how") or BY_COMMAND
    said = [confirm(work, item, how) for item in command.many("limit")]
    if not said:
        raise Misuse("Say which: --limit agora=50.", ("D-N21",))
    if work.contest.session in work.contest.awards_held:
        sessions.award(work, [item.partition("=")[0] for item in command.many("limit")])
    return " ".join(said)


def confirm(work: Work, item: str, how: str) -> str:
    """Confirm P as *item* (``NOMIC=POINTS``) has it, *how* telling by what; return what to say, with a warning."""
    nomic, _, told = item.partition("=")
    points = whole_number(told)
    if nomic not in work.contest.setup.nomics or points is None:
        nomics = ", ".join(work.contest.setup.nomics)
        raise Misuse(f"P is given as NOMIC=POINTS, NOMIC one of {nomics}; not {item!r}.", ("D-N21",))
    how = explained(work.contest, nomic, points, how)
    work.add(LimitConfirmed(nomic, points, how), cites=("NC 5i", "D-N21"), cause="command")
    found = derive(work.contest, nomic)
    if found is None or found.points in (None, points):
        return f"P of {nomic} is {points}."
    return (f"P of {nomic} is {points}, as you confirm; but the roster yields {found.points} ({found.formula}; "
            f"{len(found.counted)} counted). See nomicwolf award; an award above P fails (CFJ 2296), so a P that is "
            "more than the roster yields when awards are due waits for your word then (D-N21).")
