"""How each of the dead died, as far as everyone can know it: the vote, or what alone can have killed em (D-A23)."""

from __future__ import annotations

from collections.abc import Iterable

from nomicwolf.reports.layout import clean
from nomicwolf.reports.views import PublicView
from nomicwolf.village.events import DeathsAnnounced, Entry, Lynched, PhaseBegan, Removed
from nomicwolf.village.role_rows import possible
from nomicwolf.village.rulesets import rules_with, ruleset


def killed_by(view: PublicView, phase: str) -> str:
    """Return by what alone somebody can have been killed in a *phase* (``night``), in words; '' if that isn't to say.

    It follows from the rule set and the roles that everyone knows to be in play.
    """
    rules = rules_with(view.ruleset, view.brought)
    if not rules.tells_causes:
        return ""
    named = possible(view.roles)
    in_play = [role for role in rules.roles.values() if role.name in named or role.side == rules.evil]
    ways = {role.kills[phase] for role in in_play if phase in role.kills}
    return ways.pop() if len(ways) == 1 else ""


def fates(view: PublicView, entries: Iterable[Entry]) -> dict[str, str]:
    """Return how and when each of the dead died: ``lynched on day 1``, ``killed in night 1 by the mafia``.

    *entries* are the public ones of the session of which *view* is; whoever has come back is in it no more.
    """
    found: dict[str, str] = {}
    phase, when = "", ""
    for event in (entry.event for entry in entries):
        match event:
            case PhaseBegan(name, number):
                phase, when = name, f" {'on' if name == 'day' else 'in'} {name} {number}"
            case Lynched(who):
                found[who] = f"{ruleset(view.ruleset).condemned}{when}"
            case Removed(who):
                found[who] = f"left{when}"
            case DeathsAnnounced(killed, revived):
                by = killed_by(view, phase)
                found = {who: how for who, how in found.items() if who not in revived}
                for who in killed:
                    found.setdefault(who, f"killed{when}{f' by {by}' if by else ''}")
    return found


def dead_with_fates(view: PublicView) -> list[str]:
    """Return the dead of the present session in the order of eir deaths, each with how e died."""
    known = fates(view, view.session_record())
    return [f"{clean(who)} ({known[who]})" if who in known else clean(who) for who in view.dead]
