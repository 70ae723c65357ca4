"""What frames the words of a line: a list's bullet or number, a postscript's letters, a greeting at the end."""

from __future__ import annotations

import re

_POST = frozenset("Pp")
_POSTSCRIPT = re.compile(
    r"(?:p\. ?)+s\.?(?: ?[:,-]+)? +(?=\w)|(?:p\.?){1,4}s(?:\.[:,]?|[:,-]+) *(?=\w)|(?-i:P{1,4}S) +(?=\w)",
    re.IGNORECASE)
"""With these a postscript begins: "P.S.", "PPS:", "PS"."""
_GREETINGS = frozenset({
    "all the best", "best", "best regards", "best wishes", "bye", "cheers", "ciao", "cordially", "good night",
    "greetings", "have fun", "kind regards", "love", "many thanks", "regards", "respectfully", "see you", "sincerely",
    "take care", "thank you", "thanks", "thanks all", "thx", "ttyl", "warm regards", "yours",
    "yours sincerely", "yours truly",
})


def signs_off(line: str, author: str | None) -> bool:
    """Whether *line* is nothing but a greeting at the end of a letter, or its *author*'s name."""
    words = line.strip(" .,;!-~*_").casefold()
    return words in _GREETINGS or (author is not None and words == author.casefold())


def without_marker(line: str) -> tuple[str, bool]:
    """*line* without a list's bullet or number, or a postscript's letters, and whether it had one."""
    bare = line.lstrip()
    if bare[:1] in _POST and (found := _POSTSCRIPT.match(bare)):
        return bare[found.end():], True
    if bare[:1].isalpha() and ")" not in bare[1:3]:
        return line, False
    for bullet in ("- ", "* ", "+ ", "\u2022 ", "\u2013 ", "\u00b7 "):
        if bare.startswith(bullet):
            return bare[len(bullet):], True
    head, space, rest = bare.partition(" ")
    numbered = len(head) <= 4 and head[-1:] in {".", ")"} and head.strip("().").isdigit()
    lettered = len(head) <= 3 and head.endswith(")") and head.strip("()").isalpha()
    return (rest, True) if space and (numbered or lettered) else (line, False)
