"""Actions without member objection (NC 1c, NC 1e, NC 1f): when they can happen in each nomic, and why not yet."""

from __future__ import annotations

from collections.abc import Iterator

from nomicwolf.dataclass import dataclass
from nomicwolf.nomic.law import Intent, Law
from nomicwolf.nomic.profiles import DAY, HOUR, Profile, Window, profile
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when

ACTIONS = ("remove", "amend", "end-session", "end-subgame")
CLAUSES = {"remove": "NC 1c", "amend": "NC 1e", "end-session": "NC 1f", "end-subgame": "NC 1f"}
GRACE = 72 * HOUR
"""Seconds after a holiday in which, too, nothing falls due; what would is due at their end (D-N37)."""
LONGEST = 400
"""How many days a window is looked for: a clock that is off longer than that is off for good."""


@dataclass(frozen=True, slots=True)
class Chance:
    """When an intent can take effect in a nomic, UTC seconds: *first* to *last*, None while that can't be known."""

    first: int | None
    last: int | None


def law_of(setup: Setup, nomic: str) -> Profile:
    """Return the profile by which *nomic* is reckoned."""
    forum = setup.forum(nomic)
    return forum.law if forum else profile("agora-2009")


def chance(law: Law, nomic: str, window: Window, announced: int) -> Chance:
    """Return when what was *announced* then (UTC seconds) can happen in *nomic*.

    Agora: from 4 to 14 days later, both ends included (R1728, CFJ 2330). B: when the second nday after the
    announcement's own has ended; days on which the clock is off are no ndays (4E14, 4E21).
    """
    if window.unit == "days":
        return Chance(announced + window.earliest * DAY, put_off(law, nomic, announced + window.latest * DAY))
    ends = list(_ndays(law, nomic, announced, window.latest))
    first, last = ends[window.earliest - 1 : window.earliest], ends[window.latest - 1 : window.latest]
    return Chance(first[0] if first else None, last[0] if last else None)


def put_off(law: Law, nomic: str, due: int) -> int:
    """Return *due* (UTC seconds), or 72 hours after a holiday of *nomic*'s in which it would fall (CFJ 2321, 3138)."""
    for name, since, until in sorted(law.holidays, key=lambda h: h[1]):
        if name == nomic and since <= due <= until + GRACE:
            due = until + GRACE
    return due


def _ndays(law: Law, nomic: str, announced: int, wanted: int) -> Iterator[int]:
    """Yield the ends of the ndays after the announcement's own, as far as the clock's stops are known."""
    stops = [(off, on) for n, off, on in law.stops if n == nomic]
    midnight = announced - announced % DAY + DAY
    found = 0
    for start in range(midnight, midnight + LONGEST * DAY, DAY):
        if found == wanted:
            return
        if any(off < start + DAY and (not on or on > start) for off, on in stops):
            continue
        found += 1
        yield start + DAY


def published(contest: Contest, intent: Intent, nomic: str) -> int | None:
    """Return when *intent*'s announcement was published in *nomic* (UTC seconds); None while its echo is awaited.

    Where no forum's echo has ever come, it is when it was sent (D-N34).
    """
    at = dict(intent.published).get(nomic)
    if at is not None or nomic not in dict(intent.posted):
        return intent.at if at is None else at
    return None if nomic in contest.echoed else intent.at


def chance_of(contest: Contest, intent: Intent, nomic: str) -> Chance:
    """Return when *intent* can happen in *nomic*, from its publication there (R478, CFJ 2058; 4E7)."""
    at = published(contest, intent, nomic)
    return Chance(None, None) if at is None else chance(contest.law, nomic, law_of(contest.setup, nomic).window, at)


def hindrance(contest: Contest, intent: Intent, nomic: str, now: int) -> str:
    """Return why *intent* can't be resolved in *nomic* at *now*, with the day from which it can be; '' if it can."""
    law = law_of(contest.setup, nomic)
    open_ = chance_of(contest, intent, nomic)
    if intent.settled(nomic):
        done = any(n == nomic for n, _ in intent.effective)
        return f"it has already happened in {law.title}" if done else f"it was blocked in {law.title}"
    if intent.announced.action == "end-session" and (
            contest.running is None or contest.session != intent.announced.session):
        return f"session {intent.announced.session} is over already"
    if intent.objections:
        who = ", ".join(name for name, _ in intent.objections)
        return f"{who} objects, and a single member's objection stops it"
    if open_.first is None and published(contest, intent, nomic) is None:
        return (f"the forum of {law.title} has not published the announcement yet, and its days count from then; if it "
                "was lost there, announce the intent anew")
    if open_.first is None:
        return f"the clock of {law.title} is off: nobody knows yet when its ndays will have passed"
    ripe = max(open_.first, intent.withdrawn + law.window.cooling * HOUR if intent.withdrawn else 0)
    if now < ripe:
        return f"in {law.title} it is possible from {when(ripe)} on"
    if law.window.unit == "days" and open_.last is not None and now > open_.last:
        return f"in {law.title} it was possible until {when(open_.last)}: announce it anew"
    return ""


def open_intents(contest: Contest) -> tuple[Intent, ...]:
    """Return the intents that can still take effect in some nomic, oldest first."""
    nomics = contest.setup.nomics
    return tuple(i for i in contest.law.intents.values() if not all(i.settled(n) for n in nomics))


def says(intent: Intent) -> str:
    """Return what is intended, in words: "to remove Gus from the contract"."""
    told = intent.announced
    return {
        "remove": f"to remove {told.who} from the contract", "amend": "to amend the contract",
        "end-session": f"to end session {told.session}", "end-subgame": "to end the subgame",
    }[told.action]
