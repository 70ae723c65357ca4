"""Clauses of one's own behind a vote: how one feels about it, what one hopes; and those that may take it back.

"I vote for Gus, but I'm not happy about it", "..., and I suggest you do too" leave the vote as it is; "..., but I'm not
sure" could be second thoughts, and is asked about.
"""

from __future__ import annotations

import re

from nomicwolf.reading.everyday import VOTING_WORDS
from nomicwolf.reading.names import NameBook

CLAUSES = ("and i ", "and i'", "but i ", "but i'", "yet i ", "and we ", "but we ")
"""With these a clause of one's own goes on behind a deed."""
_FELT = re.compile(
    r"(?:(?:but|and|though|although|yet) )?(?:i(?:'m| am) not (?:(?:very|too|so|really|entirely|exactly|all that"
    r"|particularly) )*(?:happy|glad|proud|pleased|thrilled|delighted|enthusiastic|keen|fond|sorry|ashamed)"
    r"(?: (?:about|with|of) (?:it|this|that|em|(?:doing|saying) (?:it|so|this)))?"
    r"|i (?:don't|do not) (?:(?:really|exactly) )?(?:like|enjoy|love|regret) (?:it|this|that|doing (?:it|so|this))"
    r"|i (?:won't|will not|shan't|shall not|don't) (?:change (?:it|that|my (?:mind|vote))|budge|waver"
    r"|regret (?:it|that)|apologi[sz]e)(?: again| today| for (?:it|that))?"
    r"|(?:please )?(?:don't|do not) (?:ask (?:me )?(?:why|how)|hate me|blame me|worry|mind me|take it personally"
    r"|hold it against me|be (?:mad|angry|surprised|sad|offended|cross)(?: at me| with me)?))[ .!]*", re.IGNORECASE)
"""How one feels about one's vote, and that one stays with it: no second thought, though it denies something."""
_ALL = (
    r"(?:you|you all|y'all|everyone|everybody|others|(?:all )?the (?:others|rest|town)|all|all of you"
    r"|the rest of (?:you|us|the town)|people)")
_REMARKS = re.compile(
    r"and (?:i|we)(?:'m| am)?(?: (?:also|still|do|really|truly|sincerely|firmly|strongly|humbly|now))*"
    rf" (?:(?:hope|trust|pray|wish|urge|suggest|encourage|invite|expect|advise|ask|beg|implore"
    rf"|recommend)(?: that)? {_ALL}"
    r"\b[^?]*|(?:think|believe|know|feel|maintain|bet|suspect|hope|trust|pray) (?:that )?(?:e|he|she|they|this|it"
    r"|we|the"
    r" \w+)\b[^?]*|have (?:an?|the|my|good|every|always|read|thought|checked|looked|explained|said) ?[^?]*"
    r"|(?:sure|certain|confident|convinced|happy|glad|proud|sorry|serious|done|ready|tired|aware|positive|right)\b[^?]*"
    r"|stand by (?:it|this|that)|mean it|(?:will|'ll|shall) (?:explain|say why|tell you why|post my reasons)\b[^?]*)",
    re.IGNORECASE)
"""A remark that leaves the vote as it is, if it names nobody and doubts nothing."""
_DOUBTING = re.compile(
    r"\b(?:but|change[ds]?|condition|doubts?|draft|example|game|hypothetical|if|joke|joking|kidding|later|maybe|might|not"
    r"|only|perhaps|pretend|quot(?:e|ing)|questions?|reconsider|reservations|sarcasm|second|shouldn|test(?:ing)?"
    r"|thoughts|tomorrow|typo|unless|until|unsure|wait|withdraw|wouldn?|wrong"
    rf"|{'|'.join(sorted(VOTING_WORDS - {'lynch', 'lynching'}))})\b", re.IGNORECASE)
"""Words of second thoughts, and of deeds."""


def is_felt(aside: str, book: NameBook) -> bool:
    """Whether *aside*, behind a plain vote, only tells what its author feels, hopes or knows."""
    if _FELT.fullmatch(aside):
        return True
    bare = " ".join(aside.split()).strip(" .!")
    return _REMARKS.fullmatch(bare) is not None and not _DOUBTING.search(bare) and not book.names_in(bare)
