"""Which intents an objection, or its withdrawal, is about (D-N36)."""

from __future__ import annotations

import re

from nomicwolf.nomic.intents import says
from nomicwolf.nomic.law import Intent
from nomicwolf.nomic.state import Contest
from nomicwolf.village.rules import Refusal

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


def meant(contest: Contest, words: str, sentence: str, found: tuple[Intent, ...]) -> tuple[Intent, ...]:
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
    """Return the spelling of *who* that stands in *folded*, '' if none does."""
    person = contest.persons.get(who)
    names = sorted({who, *(person.aliases if person else ())}, key=len, reverse=True)
    return next((n.casefold() for n in names
                 if re.search(rf"(?<!\w){re.escape(n.casefold())}(?!\w)", folded)), "")


def _listed(found: tuple[Intent, ...]) -> tuple[str, ...]:
    return tuple(f"intent {i.number}, {says(i)}" for i in found)
