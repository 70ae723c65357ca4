"""Forum quotations in plain letters: what stands between ``[quote]`` and ``[/quote]`` is another's."""

from __future__ import annotations

import re
from collections.abc import Iterable

_OPENS = "[quote"
_CLOSES = "[/quote]"
_LONGEST_TAG = 200
_CHAT = re.compile(r"\s*(?:[\[(]?\d\d?:[\d:]+[\])]? +)?<[@+%~&]?([^\W_][^<>@:/]{0,40})>(?: |$)")
"""A line of a chat, with the time or without, and who said it."""

Line = tuple[int, str]


def without_quotations(lines: Iterable[Line], author: str | None = None) -> tuple[list[Line], list[Line]]:
    """(*lines* without forum quotations, the pieces that were quoted); a quotation never closed runs to the end.

    A chat's lines ("<Bex> Hello.") are quoted, too, but for those of the *author*.

    Quotations nest. A line of which nothing is left is left out, so that what stands around it stays apart.
    """
    kept: list[Line] = []
    quoted: list[Line] = []
    depth = 0
    for number, line in lines:
        if not depth and (said := _CHAT.match(line)) is not None and said[1].casefold() != (author or "").casefold():
            quoted.append((number, line.strip()))
            continue
        if not depth and ("[" not in line or _OPENS not in line.casefold()):
            kept.append((number, line))
            continue
        own, others, depth = _parted(line, depth)
        if own.strip():
            kept.append((number, own))
        if others.strip():
            quoted.append((number, others.strip()))
    return kept, quoted


def _parted(line: str, depth: int) -> tuple[str, str, int]:
    """The own and the quoted part of one *line*, and how deep in quotations its end is."""
    own: list[str] = []
    others: list[str] = []
    folded = line.casefold() if line.isascii() else line
    at = 0
    while at < len(line):
        if folded.startswith(_CLOSES, at) and depth:
            depth, at = depth - 1, at + len(_CLOSES)
            continue
        end = _tag_end(folded, at)
        if end:
            depth, at = depth + 1, end
            continue
        (others if depth else own).append(line[at])
        at += 1
    return "".join(own), "".join(others), depth


def _tag_end(text: str, at: int) -> int:
    """Where the opening tag at *at* ends: ``[quote]``, ``[quote=Bex]``, ``[quote="Bex"]``; 0 if none stands there."""
    if not text.startswith(_OPENS, at) or text[at + len(_OPENS):at + len(_OPENS) + 1] not in {"]", "=", " "}:
        return 0
    return text.find("]", at, at + _LONGEST_TAG) + 1
