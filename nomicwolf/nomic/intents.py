"""Actions without member objection (NC 1c, 1e, 1f).

For each intent: when the action can happen in each nomic, why not yet, and which intent an objection, or its
withdrawal, is about (D-N36).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nomicwolf.nomic.law import Intent, Law
from nomicwolf.nomic.setup import DAY, HOUR, Profile, Setup, Window, profile
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.rules import Refusal

ACTIONS = ("remove", "amend", "end-session", "end-subgame")
CLAUSES = {"remove": "NC 1c", "amend": "NC 1e", "end-session": "NC 1f", "end-subgame": "NC 1f"}
GRACE = 72 * HOUR
"""Seconds after a holiday in which, too, nothing falls due; what would is due at their end (D-N37)."""
LONGEST = 400
"""How many days a window is looked for: a clock that is off longer than that is off for good."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The time in which an intent can take effect in a nomic: *first* to *last* (UTC seconds), None while unknown."""

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


CITES = ("NC 1c", "NC 1e", "NC 1f", "D-N36")
_ACTIONS = {
    "remove": re.compile(r"\b(?:remov(?:al|e|ing|ed)|expel\w*|expulsion|kick(?:ing|ed)?)\b"),
    "amend": re.compile(r"\bamend(?:ment|ments|ing|ed)?\b"),
    "end-session": re.compile(r"\bsessions?\b"),
    "end-subgame": re.compile(r"\bsub-?games?\b"),
}
_IDLE = frozenset({
    "the", "of", "from", "this", "that", "contract", "contest", "in", "to", "and", "a", "an", "it", "its", "all", "by",
    "em", "eir", "being", "out", "him", "her", "them", "members", "member", "agora", "b", "nomic", "intent", "without",
    "objection", "both", "nomics", "intents", "party", "parties", "someone", "anyone", "people", "for", "with",
    "proposed", "above", "announced", "recent", "posted", "latest", "last", "first", "recently", "'s", "s",
})
_ONE = re.compile(r"\b(?:(?:this|that|the|your|eir) intent(?:ion)?|this|that|it|(?:my|the|this|that) objection)\W*$")
_SESSION = re.compile(r"\bsession (\d+)\b")
_NUMBER = re.compile(r"(?:(?<![\w.])|(?<=\bn[or]\.))#?(\d{1,6})\b")
_FUTURE = re.compile(r"\b(?:future|coming|further)\b")


def intents_meant(contest: Contest, words: str, sentence: str, found: tuple[Intent, ...]) -> tuple[Intent, ...]:
    """Return those of *found* that *words* describe; all of them for no words; raise `Refusal` where none can be told.

    *sentence* is the whole of what was written: "this intent" points at one, and picks none of several.
    """
    folded = " ".join(words.casefold().split())
    if not folded:
        if len(found) > 1 and _ONE.search(sentence.casefold()):
            raise Refusal(f"That could be any of {len(found)} intents: say which you mean, by its number.", CITES,
                          _listed(found))
        return found
    if _FUTURE.search(folded):
        raise Refusal("Nobody can object to what hasn't been announced (CFJ 2316).", CITES, _listed(found))
    numbers = {int(n) for n in _NUMBER.findall(_SESSION.sub("session", folded))}
    picked = [i for i in found if i.number in numbers] if numbers else _described(contest, found, folded)
    if numbers - {i.number for i in picked}:
        raise Refusal(f"No intent {min(numbers - {i.number for i in picked})} is open.", CITES, _listed(found))
    if not picked:
        raise Refusal("No open intent is like that; say which you mean, by its number.", CITES, _listed(found))
    if folded.startswith("both") and len(picked) != 2:
        raise Refusal(f"Not two but {len(picked)} intents could be meant: say which, by number.", CITES, _listed(found))
    return tuple(picked)


def _described(contest: Contest, found: tuple[Intent, ...], folded: str) -> list[Intent]:
    """Return those of *found* whose action and person *folded* names."""
    masters = {contest.setup.contestmaster, *map(contest.contestmaster, contest.setup.nomics)}
    named = {who: spelt for who in {*contest.persons, *masters} if (spelt := _spelt(contest, who, folded))}
    if any(re.search(rf"{re.escape(s)}'s? (?:proposed )?(?:intent|amend|attempt)", folded)
           for who, s in named.items() if who not in masters):
        return []
    actions = {action for action, shape in _ACTIONS.items() if shape.search(folded)}
    targets = set(named) - masters
    if "remove" in actions and not targets and _names_nobody_known(folded, set(named.values())):
        return []
    ended = _SESSION.search(folded)
    return [i for i in found if (not actions or i.announced.action in actions)
            and (not targets or i.announced.who in targets or (bool(actions) and i.announced.action != "remove"))
            and (ended is None or i.announced.action != "end-session" or i.announced.session == int(ended[1]))]


def _names_nobody_known(folded: str, spelt: set[str]) -> bool:
    """Return whether a removal is spoken of, and of somebody whom nobody knows."""
    rest = folded
    for name in spelt:
        rest = rest.replace(name, " ")
    rest = _ACTIONS["remove"].sub(" ", rest)
    return bool(set(re.findall(r"[^\W\d_][\w.'-]*", rest)) - _IDLE)


def _spelt(contest: Contest, who: str, folded: str) -> str:
    """Return the spelling of *who* in *folded*, '' if there is none."""
    person = contest.persons.get(who)
    names = sorted({who, *(person.aliases if person else ())}, key=len, reverse=True)
    return next((n.casefold() for n in names
                 if re.search(rf"(?<!\w){re.escape(n.casefold())}(?!\w)", folded)), "")


def _listed(found: tuple[Intent, ...]) -> tuple[str, ...]:
    return tuple(f"intent {i.number}, {says(i)}" for i in found)
