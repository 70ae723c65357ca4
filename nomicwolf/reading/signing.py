"""Names under a deed, or behind it on its line: one that isn't its author's makes it another's words."""

from __future__ import annotations

import re

from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.sentences import Sentence

_SIGNED = re.compile(
    r"(?:,? (?:yesterday|today|earlier|above|before|(?:in|on|at|day|night) [\w:. -]{1,20}|\d[\w:. -]*)"
    r"| \([\w ,.-]{1,40}\))?[ .)!]*",
    re.IGNORECASE)
_SIGNING = re.compile(r"[Ss]igned(?:,|:| by) +")
_DASHES = " -\u2013\u2014~("
_LONGEST_SIGN = 40
_BEHIND = re.compile(r"[ .!](?:--?|[~\u2013\u2014]) ?(?=[^\s~\u2013\u2014-])")
"""A stroke between a deed and the name behind it: "I retract my vote -- Bex"."""
ANOTHERS = BallotError("ambiguous", "Another's name stands under it: are these eir words?",
                       hint="if the deed is meant, send it again without that name")


def signs_as_another(sentence: Sentence, before: str, book: NameBook) -> bool:
    """Whether *sentence* is another's name and no more, which does not stand in the words *before* it: "- Bex"."""
    if len(sentence.text) > _LONGEST_SIGN or sentence.asked or sentence.text[-1:] == ":":
        return False
    text = sentence.text.lstrip(_DASHES)
    text = _SIGNING.sub("", text) if text.startswith(("Signed", "signed")) else text
    lead = sentence.whole.text[:sentence.start].rstrip(" ")
    if len(text) == len(sentence.text) and not lead:
        return False
    name = book.find(text, 0) if text else None
    if name is None or _SIGNED.fullmatch(text, name.end) is None or len(name.person.names) != 1:
        return False
    return name.person.names[0] not in (book.people.author, *book.names_in(before))


def signature(written: str, book: NameBook) -> tuple[int, str] | None:
    """Where *written* ends but for a stroke and a name behind it, and that name; None without these: "I join -- Bex".

    >>> from nomicwolf.reading.deeds import People
    >>> from nomicwolf.reading.names import book_of
    >>> signature("I join -- Bex", book_of(People("Ash", ("Ash", "Bex"))))
    (6, 'Bex')
    """
    if written.isascii() and "-" not in written and "~" not in written:
        return None
    tail = max(0, len(written) - _LONGEST_SIGN)
    for found in _BEHIND.finditer(written, tail):
        name = book.find(written, found.end())
        if name is not None and len(name.person.names) == 1 and _SIGNED.fullmatch(written, name.end) is not None:
            return found.start(), name.person.names[0]
    return None
