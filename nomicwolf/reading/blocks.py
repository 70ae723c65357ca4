"""Blocks that set text off: code blocks (``` or ~~~), and lines set in below words that tell whose they are (D-N50).

Players of nomics set off their actions so, and quote rules and each other so. What is above the block decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nomicwolf.expression import expression
from nomicwolf.reading.nameplates import without_headed
from nomicwolf.reading.names import NameBook

Line = tuple[int, str]
_BRACES = str.maketrans("{}", "  ")
_LONGEST = 300
"""Longer lines begin no block, nor lead to one: what looks for that takes the square of their length."""
_FENCE = expression(r"\s{0,3}(`{3,}|~{3,})\s*([^`]*)")
_ACTS = expression(
    r"(?:(?:and|also|then|so|now|hence|thus|therefore|formally|hereby|accordingly)[, ]+)*"
    r"(?:I (?:(?:also|hereby|then|now|therefore|formally|officially|do) )*"
    r"(?:act|do|perform|take|cast|vote|submit|declare|announce|state|make|issue|choose)\b[^.?!]*"
    r"|(?:my|here (?:is|are) my|th(?:is|ese) (?:is|are) my) [^.?!]*\b(?:vote|ballot|action|move|deed|order)s?\b[^.?!]*"
    r"|(?:game |official |the )?(?:action|vote|ballot|move|deed|order|act)s?)\s*:", re.IGNORECASE)
_NOT_NOW = expression(
    r"\b(?:would|might|may|could|should|if|not|never|was|were|had|last|old|older|earlier|former|previous|plan\w*|draft\w*"
    r"|want\w*|propos\w*|suggest\w*|quot\w*|example)\b|n['’]t\b", re.IGNORECASE)
_BARE = expression(
    r"(?:\bas follows|\bthus|\bthe following(?: \w+)?|^\W*(?:(?:here|this|these) (?:is|are) )?(?:my |the )?"
    r"(?:\w+ )?(?:vote|ballot|action|move|deed|order|act)s?)\W*:\W*$", re.IGNORECASE)
"""Words that only lead on: what they do stands in the block."""
_TELLS = expression(
    r"\b(?:says?|said|reads?|states?|stated|wrote|writes|written|quot\w+|for example|e\.g\.|for instance|would"
    r"|wording|tells?|told|asked|mailed|messaged|texted|forward\w*|fwd"
    r"|relay\w*|on behalf)\b"
    r"|['’]s (?:\w+ )?(?:vote|ballot|words|letter|rule|post|message|text|statement)s?\b", re.IGNORECASE)


def without_blocks(lines: Iterable[Line], book: NameBook) -> tuple[list[Line], list[Line]]:
    """(*lines* without blocks that may be another's words, those blocks' lines); fences themselves are in neither.

    A code block is its author's own if it is all that the letter says, or below a line by which e acts ("I act as
    follows:"). Lines that are set in are eirs unless the line above tells of others ("Rule 3 says:"), and a paragraph
    is, unless another's name stands above it by itself (`nameplates`).
    """
    every = list(lines)
    whole = "\n".join(["", *[line for _, line in every]])
    kept, fenced = _fences(every) if "```" in whole or "~~~" in whole else (every, [])
    kept, headed = without_headed(kept, book, whole)
    others = sorted(fenced + headed) if headed else fenced
    return _indented(kept, others) if "\n " in whole or "\n\t" in whole else (kept, others)


def in_braces(lines: list[Line]) -> list[Line]:
    """*lines* with what stands in braces laid open, if anything does: the nomics put words between them."""
    if not any("{" in line for _, line in lines):
        return []
    return [(number, line.translate(_BRACES)) for number, line in lines]


def _fences(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    kept: list[Line] = []
    blocks: list[tuple[int, list[Line]]] = []
    fence, above, own = "", "", False
    for number, line in lines:
        found = _FENCE.fullmatch(line) if len(line) <= _LONGEST else None
        if found and not fence:
            fence = found[1]
            blocks.append((len(kept), []))
            own = _is_acting(above)
            if own and _BARE.search(above):
                _blank_last(kept)
        elif found and found[1].startswith(fence) and not found[2]:
            fence = ""
            kept.append((number, ""))
        elif fence and not own:
            blocks[-1][1].append((number, line))
        else:
            kept.append((number, line))
            above = line.strip() or above
    if not any(line.strip() for _, line in kept):
        return [each for _, block in blocks for each in block], []
    return kept, [each for _, block in blocks for each in block]


def _blank_last(lines: list[Line]) -> None:
    place = max(place for place, (_, line) in enumerate(lines) if line.strip())
    lines[place] = (lines[place][0], "")


def _indented(lines: list[Line], fenced: list[Line]) -> tuple[list[Line], list[Line]]:
    kept: list[Line] = []
    others = list(fenced)
    above, inside = "", False
    for number, line in lines:
        if line.strip():
            inside = line[:2] in ("  ", " \t") or line[:1] == "\t" if inside or _tells(above) else False
        if inside and line.strip():
            others.append((number, line))
        else:
            kept.append((number, line))
        above = line if line.strip() else above
    return kept, sorted(others)


def _is_acting(line: str) -> bool:
    words = line.strip(" *_#")
    return len(words) <= _LONGEST and _ACTS.fullmatch(words) is not None and not _NOT_NOW.search(words)


def _tells(line: str) -> bool:
    words = line.strip(" *_#")
    return (words.endswith(":") and len(words) <= _LONGEST and not _is_acting(line)
            and _TELLS.search(words) is not None)
