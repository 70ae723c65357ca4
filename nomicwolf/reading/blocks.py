"""Blocks that set text off: code blocks (``` or ~~~), and lines set in below words that tell whose they are (D-N50).

Players of nomics set off their actions so, and quote rules and each other so. What is above the block decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nomicwolf.reading.acting import is_acting, only_leads
from nomicwolf.reading.nameplates import without_headed
from nomicwolf.reading.names import NameBook

Line = tuple[int, str]
_BRACES = str.maketrans("{}", "  ")
_LONGEST = 300
"""Longer lines begin no block, nor lead to one: what looks for that takes the square of their length."""
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})\s*([^`]*)")
_TELLS = re.compile(
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
            own = is_acting(above)
            if own and only_leads(above):
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


def _tells(line: str) -> bool:
    words = line.strip(" *_#")
    return (words.endswith(":") and len(words) <= _LONGEST and not is_acting(line)
            and _TELLS.search(words) is not None)
