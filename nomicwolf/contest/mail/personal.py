"""What concerns a person's own entry in the roster, such as eir names and address: no deed in a forum (D-N53).

There such words stand in talk, in logs and in reports of machines, and everyone could read the address. So does "I
confirm that ...", which gives no word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from nomicwolf.language.reader import Place, read
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Deed, People, Problem, Reading
from nomicwolf.reports.observing import NO_MORE

VERBS = ("alias", "address", "observe", "digest", "timezone", "statistics")
ASKED = ("role", "who")
"""Questions that are also words of talk: in a forum they ask nobody."""
PRIVATELY = "Nothing was done. This is between the contest and you alone: send this to its own address."


def personal(reading: Reading, to: Place, lines: Iterable[tuple[int, str]]) -> Reading:
    """Return *reading* without what is no such deed where it stands, or gives no address.

    Who writes nothing else to a forum than such a line means it, and is asked to write it elsewhere.
    """
    if to == "forum":
        problems = tuple(each for each in reading.problems if not _personal(each.suggestions))
        reading = replace(reading, deeds=tuple(d for d in reading.deeds if not _talk(d)), problems=problems)
    meant = [deed for deed in reading.deeds if deed.verb in VERBS]
    wrong = [deed for deed in meant if to == "forum" or _prose(deed)]
    if not wrong:
        return reading
    kept = tuple(deed for deed in reading.deeds if deed not in wrong)
    alone = sum(bool(line.strip()) for _, line in lines) == 1 and not _prose(wrong[0])
    asked = (Problem(wrong[0].line, wrong[0].text, "ambiguous", (), PRIVATELY),) if alone else ()
    return replace(reading, deeds=kept, problems=(*reading.problems, *asked))


def _personal(suggested: Sequence[str]) -> bool:
    """Return whether all that is *suggested* concerns one's own entry."""
    return bool(suggested) and all(says.partition(":")[0] in VERBS for says in suggested)


def _talk(deed: Deed) -> bool:
    """Return whether *deed* asks something, or confirms by what can be no word of ours, with digits and hyphens."""
    return deed.verb in ASKED or (deed.verb == "confirm" and not re.search(r"[0-9-]", deed.words))


def _prose(deed: Deed) -> bool:
    """Return whether *deed* is "address the above": no address, and no colon behind the verb."""
    return deed.verb == "address" and "@" not in deed.words and ":" not in deed.text


def by_button(contest: Contest, letter: Letter, author: str, reading: Reading) -> Reading:
    """Return what ends an observer's letters where *letter* says so in its subject alone, else *reading* (D-A18).

    So mail programs write that have a button for it; what they put into the letter itself differs.
    """
    said = not letter.through and letter.subject.strip().casefold() == NO_MORE
    if not said or reading.deeds or author not in contest.law.observers:
        return reading
    return read(((0, NO_MORE),), People(living=()), to="contestmaster")
