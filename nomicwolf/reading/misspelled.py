"""Verbs with a slip of the hand in them: "I vtoe for Gus", "Ivote Gus", "I endrose Bex", "I retarct my vote"."""

from __future__ import annotations

_VOTE = "vote"
_LONGER = ("endorse", "retract", "unvote", "withdraw")
_GLUED = frozenset({f"i{verb}" for verb in (_VOTE, *_LONGER)})
_NOT_SLIPS = frozenset({"note", "rote", "tote", "dote", "mote", "voted", "voter", "vole", "cote", "vote"})
_FEW = 4
_TERSE = 2


def misspelled(folded: str) -> str:
    """The verb with which the sentence *folded* (casefolded) begins behind an "I", if that has one slip; '' if not.

    >>> misspelled("i vtoe for gus"), misspelled("i retarct my vote"), misspelled("i note that gus lies")
    ('vote', 'retract', '')
    """
    if folded.startswith("v"):
        words = folded.split(None, _FEW)
        led = len(words) == _TERSE or (len(words) == _FEW - 1 and words[1] == "for")
        return _VOTE if led and words[0] not in _NOT_SLIPS and is_slip(words[0], _VOTE) else ""
    if not folded.startswith("i"):
        return ""
    words = folded.replace(":", " ").split(None, _FEW + 1)
    if len(words) > 1 and words[0] in _GLUED:
        return words[0][1:]
    if len(words) < 2 or words[0] != "i" or words[1] in _NOT_SLIPS:
        return ""
    if words[1] in {"votefor", "votes"} or (len(words) > 2 and is_slip(words[1], _VOTE)):
        return _VOTE
    longer = _LONGER if len(words) <= _FEW or words[2] == "my" else ()
    return next((verb for verb in longer if is_slip(words[1], verb)), "")


def is_slip(word: str, verb: str) -> bool:
    """Whether *word* is *verb* with one slip, and not another form of it, such as "endorsed"."""
    if abs(len(word) - len(verb)) > 1 or word in {verb, f"{verb}s", f"{verb}d", f"{verb}ed"}:
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(word, verb, score_cutoff=1) <= 1
