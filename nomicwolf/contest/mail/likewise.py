"""D-N6: what "I vote as Bex does" means where the switch ``copy_wording`` doesn't leave it to a question."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.language.reader import Place, read
from nomicwolf.reading.deeds import Deed, People, Problem, Reading

WORDS = {"track": "I endorse {}.", "pin": "I copy {}'s present vote."}


def as_switched(reading: Reading, people: People, switch: str, to: Place, instant: int) -> Reading:
    """Return *reading* with each vote "as NAME does" tracked or pinned as *switch* says (``ask``: as it was)."""
    if switch not in WORDS:
        return reading
    deeds, problems = list(reading.deeds), []
    for problem in reading.problems:
        deed = _meant(problem, people, WORDS[switch], to, instant)
        if deed is None:
            problems.append(problem)
        else:
            deeds.append(deed)
    deeds.sort(key=lambda deed: deed.line)
    return Reading(tuple(deeds), tuple(problems), reading.ignored)


def _meant(problem: Problem, people: People, words: str, to: Place, instant: int) -> Deed | None:
    """Return the vote that *problem* would be in unambiguous *words*; None if it is no comparison with one person."""
    if problem.problem != "ambiguous" or not any(s.startswith("endorse") for s in problem.suggestions):
        return None
    spoken = f" {''.join(c if c.isalnum() else ' ' for c in problem.text.casefold())} "
    named = [p for p in people.living if f" {''.join(c if c.isalnum() else ' ' for c in p.casefold())} " in spoken]
    if len(named) != 1:
        return None
    again = read(((problem.line, words.format(named[0])),), people, to=to, instant=instant)
    return replace(again.deeds[0], text=problem.text) if len(again.deeds) == 1 and not again.problems else None
