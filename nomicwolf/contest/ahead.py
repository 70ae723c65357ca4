"""Night deeds that are sent by day: kept until the night begins, and changed until then (D-N38)."""

from __future__ import annotations

from nomicwolf.contest.channels import public_verbs
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import DeedKept
from nomicwolf.nomic.events import DeedHeard, Refused
from nomicwolf.village.kernel import Ruleset

KEPT = (
    "Nothing is done now: this is for the night, and it is day. It is kept, and tried when the next night begins; "
    "write again to replace it.\n"
)


def keep(work: Work, number: int, deed: DeedHeard, cause: str) -> bool:
    """Keep a deed of the night's until the next one, and return whether it is one.

    Its author is told the same whatever eir role: only public facts are asked, and what every role may do.
    """
    game = work.contest.running
    if game is None or game.phase != "day" or deed.who not in game.seats or deed.who in game.shown_dead:
        return False
    open_now = any(d.verb == deed.verb for d in work.rules.duties(game, deed.who))
    if open_now or deed.verb not in night_verbs(work.rules):
        return False
    alike = [n for n, (other, phase) in work.contest.deeds.kept.items()
             if (other.who, other.verb, phase) == (deed.who, deed.verb, "night")]
    work.add(DeedKept(number, "night", alike[0] if alike else 0), deed.instant, ("D-N38",), cause)
    work.add(Refused(0, deed.who, deed.verb, deed.text, KEPT), deed.instant, ("D-N38",), cause)
    return True


def night_verbs(rules: Ruleset) -> frozenset[str]:
    """Return what any role may be asked to do by private mail, whichever roles are in play."""
    verbs = {d.verb for role in rules.roles.values() for d in role.duties if d.arity and not d.pins}
    return frozenset(verbs) - public_verbs(rules) - {"say", "ask"}
