"""``check: TEXT``: how a text would be understood if it were written now; nothing is done."""

from __future__ import annotations

from itertools import chain

from nomicwolf.language.reader import Place, frames_of, read
from nomicwolf.reading.deeds import Deed, Problem
from nomicwolf.reports.layout import clean, straight
from nomicwolf.reports.views import PlayerView, rules_of
from nomicwolf.village.rule_helpers import either
from nomicwolf.village.rules import Duty

ROSTER = {"join", "leave", "intend", "object", "support", "withdraw", "resolve", "unvote"}


def understood(view: PlayerView, words: str) -> list[str]:
    """Return in canonical form what *words* would do, and where they would have to be written."""
    public = view.public
    began = public.began if public.phase == "day" else None
    lines = tuple(enumerate(words.split("\n"), 1))
    places: tuple[Place, ...] = ("forum", "contestmaster")
    own = frames_of(rules_of(public.ruleset, public.brought), public.brought) if public.brought else ()
    found = [read(lines, view.people, to=to, instant=public.clock, day_began=began, own=own) for to in places]
    best = max(found, key=lambda reading: (len(reading.deeds), len(reading.problems)))
    said = [_deed(view, deed) for deed in best.deeds] + [_problem(problem) for problem in best.problems]
    return said or ["It would be taken as talk, and nothing would be done."]


def _deed(view: PlayerView, deed: Deed) -> str:
    where = "in a forum" if deed.verb in public_verbs(view) else "by private mail"
    return f"Written {where}, it would be: {clean(deed.says)}"


def public_verbs(view: PlayerView) -> set[str]:
    """Return the verbs that are done in a forum."""
    if not view.public.ruleset:
        return {*ROSTER, "vote"}
    rules = rules_of(view.public.ruleset, view.public.brought)
    duties: chain[Duty] = chain(*(law.duties for law in rules.laws), *(role.duties for role in rules.roles.values()))
    return ROSTER | {d.verb for d in duties if d.public}


def _problem(problem: Problem) -> str:
    parts = [f'It would be asked about: "{clean(problem.text)}" ({problem.problem}).', clean(straight(problem.hint))]
    if problem.suggestions:
        parts.append(f"Did you mean {either(map(clean, problem.suggestions))}?")
    return " ".join(part for part in parts if part)
