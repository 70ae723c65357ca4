"""What the words before a vote leave of it: it performs, is doubtful, or is only told of.

"Nobody will move, so I vote for Gus" performs; "they told me I vote for Gus" tells of a vote.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from nomicwolf.reading.everyday import CONNECTORS, LAST_OF_TALK, MADE_UP, NOT_YET, STRONG, TITLES
from nomicwolf.reading.idioms import TURNS, is_apart
from nomicwolf.reading.leads import is_elsewhere, is_own, is_timed, leads_up, tells_of_another
from nomicwolf.reading.qualifying import qualifies
from nomicwolf.reading.vocables import is_heading, words_in

_AS_I_SAID = re.compile(r"\bas i (?:said|wrote|promised)\b", re.IGNORECASE)
_AFTER_WORDS = re.compile(
    r"^(?:\w+[, ]+)?(?:after|because of|considering|depending on|given|despite|based on|from|in (?:view|light) of"
    r"|to quote myself|seeing|reading|hearing)\b[^:\"]*,$", re.IGNORECASE)
"""Somebody's words came before the vote, and are no part of it: "after what Bex said,"."""
_WHATEVER = re.compile(
    r"(?:\w+[, ]+)?(?:(?:no matter|regardless of) (?:what|whether|how|why|who)|whatever)\b[^:,\"]*,", re.IGNORECASE)
"""Whatever is said, the vote is not part of it: "no matter what Bex says,"."""
_MENTIONED = re.compile(
    r"\b(?:told|tells?|remind(?:s|ed)?|inform(?:s|ed)?|assure[sd]?) (?:me|us|you|em|him|her|them|everyone)$"
    r"|\b(?:the|these|those|this|that) (?:\w+ )?(?:words?|phrase|sentence|statement|formula|wording)$", re.IGNORECASE)
"""The vote is reported, or spoken of: "they told me", "the sentence"."""
_REPORTED = frozenset({"said", "says"})
HANGING = STRONG - {"nobody"}
"""Words before a vote that leave it doubtful even where it follows from them."""
_REASONED = frozenset({"so", "and so", "therefore", "thus", "hence", "and therefore", "and thus"})
_DOUBTFUL = (
    '"', ":", "last day", "last time", "whoever", "as i rec", "as i rem", "as i understand", "i recall correctly",
    "i remember correctly", "i remember rightly", "what i recall", "what i remember", "from memory")
"""In what leads to a vote they leave it another's, or another day's: "as I recall, I vote for Gus"."""
_NEAR = 200
"""How far before a vote stand words that may be said of it."""

Manner: TypeAlias = Literal["performs", "bare", "talk", "doubt"]


def manner_behind(lead: str, kinds: frozenset[str]) -> Manner | None:
    """How a part of these *kinds* stands behind the words of *lead*; None if they only tell of it."""
    if ";" in lead and is_apart(lead):
        return "performs"
    last, words = last_word(lead), words_in(lead)
    first = lead.casefold().split(maxsplit=1)[:1]
    told = _is_report(lead, last.strip(",:")) or (is_heading(lead) and words & TITLES) or (
        first and first[0].strip(",") in NOT_YET)
    if told and ('"' in lead or not (kinds == {"UNVOTE"} or _AS_I_SAID.search(lead) or _AFTER_WORDS.search(lead)
                                     or TURNS.search(lead))):
        return None
    if not told and is_elsewhere(lead):
        return "talk"
    if told or is_timed(lead) or tells_of_another(lead):
        return "doubt"
    if last in LAST_OF_TALK or _MENTIONED.search(lead[-_NEAR:]):
        return None
    sure = not qualifies(lead[-_NEAR:]) and _leads_on(lead, words)
    return "performs" if sure else "doubt"


def _leads_on(lead: str, words: set[str]) -> bool:
    """Whether the *words* of *lead*, which report nothing, leave no doubt of what comes behind them."""
    clause = lead.casefold()
    connector = next((each for each in CONNECTORS if clause.endswith(" " + each) or clause == each), "")
    joined = clause[:len(clause) - len(connector)].rstrip() if connector else clause
    if connector and is_own(joined, words) and not doubts(clause, denials=True):
        return True
    if leads_up(lead, words) or _WHATEVER.fullmatch(lead):
        return True
    follows = joined.endswith((",", ";")) and (connector in _REASONED or (connector == "but" and "vot" not in clause))
    strong = words & (HANGING if follows else STRONG)
    return joined.endswith((",", ";", "-", "...")) and not strong and not doubts(clause, denials=not follows)


def _is_report(lead: str, last: str) -> bool:
    """Whether *lead* supposes, or tells what somebody says; "everything that was said, ..." does not."""
    made_up = words_in(lead) & MADE_UP
    if not made_up or _WHATEVER.fullmatch(lead):
        return False
    return not (made_up <= _REPORTED and lead.endswith(",") and last not in _REPORTED)


def doubts(clause: str, denials: bool) -> bool:
    """Whether *clause* reports another's words or a memory, or denies; a reason ("..., so") may deny something."""
    denied = denials and any(each in clause for each in ("n't ", " not ", "never"))
    return denied or any(each in clause for each in _DOUBTFUL)


def last_word(text: str) -> str:
    """The last word of *text*, casefolded, without what opens or closes a quotation; '' if there is none."""
    words = text.rsplit(maxsplit=1)
    return words[-1].casefold().strip("(*_\"'") if words else ""
