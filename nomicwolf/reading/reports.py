"""Reports behind a deed, which make it another's words: "I vote for Gus, Cam reported."."""

from __future__ import annotations

import re
from collections.abc import Collection

_REPORTED = re.compile(
    r"(?!(?:i|as|like|and|but|so|for|who|which|whose|because|since|though|although|despite|in"
    r"|after|from|by|with|on|what|whatever|not|if|when|seeing|now|given)\b)"
    r"\S+(?: \S+){0,2}? (?:told (?:everyone|everybody|them|him|her|em|all|us|me|you)|(?:report|announc|shout|mutter"
    r"|whisper|declar|dictat|proclaim|exclaim|yell|scream|murmur)ed|cried|swore|said|wrote|ended|goes|sang|sings)"
    r"(?: (?:all|us|me|you))?(?: (?:yesterday|earlier|before|again|last night|aloud|loudly|to (?:say|write|send|post)"
    r"|(?:to|from|at|in) (?:the|a|an|everyone|everybody|all|us|me|you|my|eir|his|her)(?: \S+)?))?[ .!]*$"
    r"|i (?:told|informed|lied to) (?:everyone|everybody|them|him|her|em|all)"
    r"(?: (?:yesterday|earlier|before|last night|in my dream))?[ .!]*$"
    r"|(?:reads|runs|ran|ended|began|goes|went) (?:the|my|an?|this|that|eir|his|her) \S+(?: \S+)?[ .!]*$",
    re.IGNORECASE)
"""Another's report of them: "..., Cam reported", "..., Bex told everyone", "..., reads the note"."""
_SAID = re.compile(
    r"(?:or so |so |thus |as )?(?:said|says|wrote|writes|quoth|claims?|claimed)\b"
    r"|(?:they|people|some|many|others) (?:say|claim|think|tell (?:us|me|you))\b"
    r"|(?!(?:i|as|like)\b)\S+(?: \S+)? (?:said|says|wrote|writes|tells? (?:us|me|you)|told (?:us|me|you)|claims"
    r"|claimed)(?: so)?[ .!]*$", re.IGNORECASE)
"""Whose words they were: "..., said Bex", "..., people say"."""
_REPORTING = frozenset({
    "announced", "began", "cried", "declared", "dictated", "ended", "exclaimed", "goes", "informed", "lied",
    "murmured", "muttered",
    "proclaimed", "ran", "reads", "reported", "runs", "said", "sang", "screamed", "shouted", "sings", "swore", "told",
    "went", "whispered", "wrote", "yelled",
})
"""One of these words is in all that `_REPORTED` takes."""


def is_report(aside: str, words: Collection[str]) -> bool:
    """Whether *aside*, of these *words* (casefolded), says that somebody said what stands before it.

    >>> is_report("Cam reported", ["cam", "reported"]), is_report("Bex reported a vision", ["bex", "reported"])
    (True, False)
    """
    return _SAID.match(aside) is not None or (
        not _REPORTING.isdisjoint(words) and _REPORTED.match(aside) is not None)
