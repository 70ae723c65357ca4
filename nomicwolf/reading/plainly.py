"""The plainest deeds, taken at a glance: "I vote for Gus if Bex is voting for Gus and Ida is dead", "status".

The grammar comes to the same for each of them (``tests/reading/test_plainly.py`` holds them equal): these are what
most letters do. Whatever is not surely one of them is left to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from nomicwolf.reading.acts import Act
from nomicwolf.reading.names import NameBook
from nomicwolf.village.ballots import Alive, And, Condition, Dead, Endorse, For, If, Nobody, Not, Votes

_DEED = re.compile(r"(?:I +vote for|[Vv]ote(?::| for)?|(?P<endorse>I +endorse|[Ee]ndorse)) (?P<name>[^\W_]+)"
                   r"(?: if (?P<condition>.+))?")
_CONDITION = re.compile(r"(?P<name>[^\W_]+) is (?:(?P<no>not )?voting for (?P<goal>[^\W_]+)|(?P<dead>dead)|alive)")
_QUESTION = re.compile(r"[Hh]elp|[Ss]tatus|[Vv]otes|[Hh]istory")
_MOST = 4


def plain_deed(text: str, book: NameBook) -> tuple[Act, ...] | None:
    """What the grammar makes of *text* (clean), if that is one of the plainest deeds; None leaves it to the grammar."""
    if _QUESTION.fullmatch(text):
        return (Act(text.lower()),) if book.whole(text) is None else None
    found = _DEED.fullmatch(text)
    if found is None or (whom := book.plain.get(found["name"])) is None:
        return None
    if found["endorse"]:
        return None if found["condition"] else (Act("vote", ballot=Endorse(whom)),)
    if not found["condition"]:
        return (Act("vote", ballot=For(whom)),)
    parts = found["condition"].split(" and ", _MOST)
    conditions = [each for part in parts if (each := _condition(part, book.plain)) is not None]
    if len(conditions) < len(parts):
        return None
    whole = And(tuple(conditions)) if len(conditions) > 1 else conditions[0]
    return (Act("vote", ballot=If(whole, For(whom), Nobody())),)


def _condition(text: str, plain: Mapping[str, str]) -> Condition | None:
    """One condition on one person; None if it is not of the plainest."""
    found = _CONDITION.fullmatch(text)
    if found is None or (who := plain.get(found["name"])) is None:
        return None
    if found["goal"] is None:
        return Dead(who) if found["dead"] else Alive(who)
    if (whom := plain.get(found["goal"])) is None:
        return None
    return Not(Votes(who, whom)) if found["no"] else Votes(who, whom)
