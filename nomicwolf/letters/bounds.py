"""How much one sentence, and one letter, may hold before anybody tries to understand it; linear in its size.

A reader may look at a sentence as often as it has words, so a sentence without end would take for ever. What is longer
than anyone writes is left out. If it seems to say what its author does, all of the letter waits for a ruling: a vote
must not count without the rest of what was said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

Lines = tuple[tuple[int, str], ...]
LONGEST, WORDS, CLAUSES, SENTENCES, ABOUT = 1000, 250, 80, 3000, 200
"""Characters, words and clauses of one sentence; sentences of one letter, and those of them that speak of votes."""
_END = re.compile(r"""(?<![.!?\u2026])[.!?\u2026]++["')\]*_\u201d\u2019]*+(?=\s|$)""")
_CLAUSE = re.compile(r"[,;:()\u2014\u2013]|\b(?:and|or|but|because|if|unless|that|who|which|then|otherwise|else)\b")
_OWN = re.compile(r"\b(?:I|me|my|mine|vot\w*|unvote\w*|lynch\w*)\b", re.IGNORECASE)
_VOTES = re.compile(r"\b(?:vot\w*|unvote\w*|lynch\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Bounded:
    """The *lines* that are left, and *why* all of them must wait ('' if they needn't)."""

    lines: Lines
    why: str = ""


@dataclass(slots=True)
class _Sentence:
    """A sentence in the making: *pieces* are (place of the line, start, end)."""

    pieces: list[tuple[int, int, int]]
    size: int = 0

    def add(self, place: int, start: int, end: int) -> None:
        """Let it go on with a piece of a line."""
        self.pieces.append((place, start, end))
        self.size += end - start + 1


def bounded(lines: Lines) -> Bounded:
    """Return *lines* (number from 1, text) without the sentences that are longer than anyone writes."""
    if sum([len(line) + 1 for _, line in lines]) <= LONGEST:
        return Bounded(lines)
    sentences = _sentences(lines)
    over = [each for each in sentences if _too_long(_text(lines, each), each.size)]
    about = sum(_VOTES.search(_text(lines, each)) is not None for each in sentences if each.size <= LONGEST)
    why = f"it speaks of votes in more than {ABOUT} sentences" if about > ABOUT else ""
    why = f"it has more than {SENTENCES} sentences" if len(sentences) > SENTENCES else why
    if not over:
        return Bounded(lines, why)
    if any(_OWN.search(_text(lines, each)) for each in over):
        why = f"a sentence of it has more than {LONGEST} characters, {WORDS} words or {CLAUSES} clauses"
    left = [list(line) for _, line in lines]
    for sentence in over:
        for place, start, end in sentence.pieces:
            left[place][start:end] = " " * (end - start)
    return Bounded(tuple((number, "".join(chars).rstrip()) for (number, _), chars in zip(lines, left, strict=True)),
                   why)


def _sentences(lines: Lines) -> list[_Sentence]:
    """What stands between full stops and empty lines."""
    found = [_Sentence([])]
    for place, (_, line) in enumerate(lines):
        start = 0
        for end in [each.end() for each in _END.finditer(line)]:
            found[-1].add(place, start, end)
            found.append(_Sentence([]))
            start = end
        if line[start:].strip():
            found[-1].add(place, start, len(line))
        elif not line.strip() and found[-1].pieces:
            found.append(_Sentence([]))
    return found


def _text(lines: Lines, sentence: _Sentence) -> str:
    return " ".join([lines[place][1][start:end] for place, start, end in sentence.pieces])


def _too_long(text: str, size: int) -> bool:
    """Whether a sentence has more characters, words or clauses than anyone writes."""
    return size > LONGEST or text.count(" ") >= WORDS or len(_CLAUSE.findall(text)) > CLAUSES
