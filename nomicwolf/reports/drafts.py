"""What the contestmaster may do for the silent, drafted: to whom NC 1j applies, from when on, and in which words."""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.nomic.absence import Owed
from nomicwolf.reports.layout import clean
from nomicwolf.reports.times import when
from nomicwolf.reports.views import ContestmasterView
from nomicwolf.village.rule_helpers import listed
from nomicwolf.village.rulesets import rules_in


@dataclass(frozen=True, slots=True)
class Draft:
    """One action on behalf of *who*: the *command* that does it, its *words* as they are told, *names* to choose from.

    The words name the contract's clause and the time that was missed.
    """

    who: str
    verb: str
    command: str
    words: str
    names: tuple[str, ...]


def covered(view: ContestmasterView, owed: Owed) -> bool:
    """Return whether NC 1j covers what is *owed*: a townsperson's duty, in a night phase."""
    game = view.contest.running
    return game is not None and game.phase == "night" and owed.who in game.alive


def drafts(view: ContestmasterView, now: int = 0) -> tuple[Draft, ...]:
    """Return what can be done on behalf of others at *now* (UTC seconds; at least as late as the record's own clock).

    Nothing can be while an outage is looked into (D-N39), or the session is paused (D-A15).
    """
    contest, game = view.contest, view.contest.running
    if game is None or game.opened is None or contest.law.guard or contest.law.paused:
        return ()
    rules, here = rules_in(game), game.place
    found = []
    for owed in view.owed:
        if not covered(view, owed) or max(contest.clock, now) < owed.until:
            continue
        duty = next((d for d in rules.duties(game, owed.who) if d.verb == owed.verb), None)
        names = rules.options(game, owed.who, duty) if duty is not None and duty.arity and not duty.pins else ()
        deed = f"{owed.verb} NAME" if names else owed.verb
        words = (f"Acting on behalf of {clean(owed.who)} under clause 1j, who has owed it since {when(owed.since)} and "
                 f"had time until {when(owed.until)}: {deed}.")
        found.append(Draft(owed.who, owed.verb, f'nomicwolf act-for "{clean(owed.who)}" "{deed}" --phase "{here}"',
                           words, names))
    return tuple(found)


def draft_lines(view: ContestmasterView, now: int = 0) -> list[str]:
    """Return the drafts in lines for the terminal."""
    lines: list[str] = []
    for draft in drafts(view, now):
        lines += [draft.words, f"  {draft.command}"]
        lines += [f"  NAME can be: {listed(tuple(map(clean, draft.names)))}"] if draft.names else []
    return lines
