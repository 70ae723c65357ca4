"""The header that Lotus Notes copies above an older letter: who, when, and below that To, cc and Subject.

Notes sets no From before the sender and no Date before the date, and its labels may stand on lines of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nomicwolf.letters import tongues

_SENDER = re.compile(
    r'(?:"?[^"@<>:]{1,60}"? +)?<?[^\s@<>:",]{1,64}@[^\s@<>:",]{1,80}(?<![.!?])>?(?: +on(?= ))?', re.ASCII)
_DATE = re.compile(
    r"(?:[A-Za-z]{2,9},? )?\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?:,? +\d\d?[:.]\d\d(?:[:.]\d\d)?)?(?: ?[AaPp]\.?[Mm]\.?)?"
    r"(?: +[A-Z]{2,5})?", re.ASCII)
_ASIDES = (
    "please respond to", "sent by:", "bitte antworten an", "gesendet von:", "veuillez répondre à", "envoyé par :")
_COPIES = frozenset(("bcc", "fcc", "blindkopie", "cci"))
_LONGEST = 24
"""So many lines such a header has at most."""
_GAP = 2
"""So many empty lines stand in it one after the other at most, before its labels."""
_LINE = 300


def notes_header(lines: Sequence[str], index: int) -> int:
    """Return how many lines from *index* are such a header, or 0.

    The sender's address, a date, To and Subject must all be there, and nothing else.
    """
    first = lines[index].strip()[:_LINE]
    sender = _SENDER.match(first) if "@" in first and not first.endswith(":") else None
    if sender is None:
        return 0
    rest = first[sender.end():].strip()
    if rest and not _DATE.fullmatch(rest):
        return 0
    return _labelled(lines, index + 1, dated=bool(rest))


def _labelled(lines: Sequence[str], start: int, *, dated: bool) -> int:
    """Return how many lines the header has that goes on at *start* below its sender, 0 if it is none."""
    found: set[str] = set()
    empty, owed = 0, False
    for place in range(start, min(start + _LONGEST, len(lines))):
        text = lines[place].strip()[:_LINE]
        if not text:
            empty, owed = empty + 1, False
            if empty > _GAP + 2 * bool(found):
                return 0
            continue
        empty = 0
        kind, value = _label(text)
        if kind:
            found.add(kind)
            owed = not value
            if kind == "subject" and dated and "to" in found:
                after = place + 1
                below = owed and ":" not in text and after < len(lines) and bool(lines[after].strip())
                return after - start + 1 + below
        elif _DATE.fullmatch(text) and not found:
            dated = True
        elif text.lower().startswith(_ASIDES) and not found:
            owed = text.lower().rstrip(": ") in _ASIDES
        elif not owed and not (found and "@" in text):
            return 0
        else:
            owed = False
    return 0


def _label(text: str) -> tuple[str, str]:
    """Return which label *text* begins with (``to``, ``subject`` or ''), and what follows it on the line."""
    name, colon, value = text.partition(":")
    word = name.strip().lower()
    if not colon:
        value = ""
    if word in _COPIES or word in tongues.TO:
        return "to", value.strip()
    return ("subject", value.strip()) if word in tongues.SUBJECT else ("", "")
