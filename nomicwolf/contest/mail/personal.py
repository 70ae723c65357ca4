"""What concerns a person's own entry in the roster, eir further names and eir address: no deed in a forum (D-N53).

There such words stand in talk, in logs and in reports of machines, and everyone could read the address.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from nomicwolf.reading.deeds import Deed, Problem, Reading
from nomicwolf.reading.reader import Place

VERBS = ("alias", "address")
PRIVATELY = "Nothing was done. Your names and your address concern the contest alone: send this to its own address."


def personal(reading: Reading, to: Place, lines: Iterable[tuple[int, str]]) -> Reading:
    """Return *reading* without what is no such deed where it stands, or gives no address.

    Who writes nothing else to a forum than such a line means it, and is asked to write it elsewhere.
    """
    meant = [deed for deed in reading.deeds if deed.verb in VERBS]
    wrong = [deed for deed in meant if to == "forum" or _prose(deed)]
    if not wrong:
        return reading
    kept = tuple(deed for deed in reading.deeds if deed not in wrong)
    alone = sum(bool(line.strip()) for _, line in lines) == 1 and not _prose(wrong[0])
    asked = (Problem(wrong[0].line, wrong[0].text, "ambiguous", (), PRIVATELY),) if alone else ()
    return replace(reading, deeds=kept, problems=(*reading.problems, *asked))


def _prose(deed: Deed) -> bool:
    """Return whether *deed* is "address the above": no address, and no colon behind the verb."""
    return deed.verb == "address" and "@" not in deed.words and ":" not in deed.text
