"""The letter to a stranger who seems to want to join: what to write, and where (D-A17).

Not a word of what came in the stranger's name is in it: nobody is written to by way of the contest.
"""

from __future__ import annotations

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.law_events import StrangerAnswered
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.step import Step
from nomicwolf.reports.titles import titled


def stranger_letters(step: Step, prose: Prose) -> tuple[Outgoing, ...]:
    """Return one letter for each stranger who is answered in *step*."""
    contest, setup = step.after, step.after.setup
    forums = [f"the forum of {f.title or f.nomic.capitalize()} ({f.address})" for f in setup.forums]
    out: list[Outgoing] = []
    for entry in step.entries:
        if isinstance(told := entry.event, StrangerAnswered):
            body = prose.text("stranger", name=setup.name, why=told.why, write=told.write, forums=forums,
                              master=contest.contestmaster(), archive=setup.archive, asked=setup.joining == "asked")
            out.append(Outgoing(
                f"s{contest.session}/e{entry.number}/stranger", "private", titled(setup, 0, "how to join"),
                body + "\n", step.now, to=told.address, auto="auto-replied", bound=True))
    return tuple(out)
