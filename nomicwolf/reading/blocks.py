"""Blocks and quotations of other people's words.

Players of nomics set off their actions in code blocks (``` or ~~~) and by indentation, and quote rules and each other
the same way. The line above a block decides whose words it holds (D-N50).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nomicwolf.reading.names import NameBook

_LONGEST_HEADING = 300
_ACTS = re.compile(
    r"(?:(?:and|also|then|so|now|hence|thus|therefore|formally|hereby|accordingly)[, ]+)*"
    r"(?:I (?:(?:also|hereby|then|now|therefore|formally|officially|do) )*"
    r"(?:act|do|perform|take|cast|vote|submit|declare|announce|state|make|issue|choose)\b[^.?!]*"
    r"|(?:my|here(?:'s| is| are) my|th(?:is|ese) (?:is|are) my) [^.?!]*\b(?:vote|ballot|action|move|deed|order)s?\b"
    r"[^.?!]*|(?:game |official |the |new |current |updated |latest |final )?(?:action|vote|ballot|move|deed|order"
    r"|act)s?)\s*:", re.IGNORECASE)
_NOT_NOW = re.compile(
    r"\b(?:would|might|may|could|should|if|not|never|was|were|had|last|next|old|older|earlier|former|previous|plan\w*"
    r"|draft\w*|want\w*|propos\w*|suggest\w*|quot\w*|example)\b|n['’]t\b", re.IGNORECASE)
_BARE = re.compile(
    r"(?:\bas follows|\bthus|\bthe following(?: \w+)?|^\W*(?:(?:here's|(?:here|this|these) (?:is|are)) )?(?:my |the )?"
    r"(?:\w+ )?(?:vote|ballot|action|move|deed|order|act)s?"
    r"(?: (?:is|are|now|today|(?:for|on|of) (?:today|now|the day|day \d+)))*)\W*:\W*$", re.IGNORECASE)
"""Words that only lead on: what they do is in the block."""


def is_acting(line: str) -> bool:
    """Return whether *line* announces what the author does now; what is below such a heading is meant."""
    words = line.strip(" *_#")
    return words.endswith(":") and len(words) <= _LONGEST_HEADING and (
        _ACTS.fullmatch(words) is not None and not _NOT_NOW.search(words))


def only_leads(line: str) -> bool:
    """Return whether *line* is such a heading and says nothing else."""
    return is_acting(line) and _BARE.search(line) is not None


Line = tuple[int, str]
_LONGEST_NAME = 80
_TIME = (
    r"(?:(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|yesterday),? (?:at )?)?"
    r"(?:\d{1,4}[./-]\d\d?[./-]\d{2,4},? )?\d\d?:\d\d(?::\d\d)?(?: ?[ap]m)?")
_STAMP = re.compile(
    rf"(?P<name>[^\[(:]{{1,40}}?)[ ,\u2013\u2014|-]+[\[(]?{_TIME}[\])]?:?|[\[(]{_TIME}[\])] *(?P<after>[^:]{{1,40}}):?",
    re.IGNORECASE)
"""Who and when: "Bex  9:00 AM", "Bex [9:00 AM]", "[Monday 9:00 AM] Bex"."""
_ONLY_TIME = re.compile(rf"[\[(]?{_TIME}[\])]?", re.IGNORECASE)
_CLOCK = re.compile(r":\d\d")


def without_named_paragraphs(lines: list[Line], book: NameBook, whole: str) -> tuple[list[Line], list[Line]]:
    """Split *lines*, whose text is *whole*: the author's, and paragraphs below another's name.

    A name with a colon over a gap is a greeting where the letter begins with it and no other such name follows.
    """
    if ":\n\n" not in whole and not _CLOCK.search(whole):
        return lines, []
    heads = [place for place in range(len(lines)) if _is_called(lines, place, book) or _is_stamped(lines, place, book)]
    called = [place for place in heads if _is_called(lines, place, book)]
    first = next((place for place, (_, line) in enumerate(lines) if line.strip()), 0)
    if called == [first]:
        heads.remove(first)
    others: set[int] = set()
    plates: set[int] = set()
    for head in heads:
        place = head + 1 + (not _is_stamped(lines, head, book, at_once=True) and head not in called)
        plates.update(range(head, place))
        while place < len(lines) and not lines[place][1].strip():
            place += 1
        while place < len(lines) and lines[place][1].strip() and place not in heads:
            others.add(place)
            place += 1
    return ([line for place, line in enumerate(lines) if place not in others | plates],
            [line for place, line in enumerate(lines) if place in others])


def _is_called(lines: list[Line], place: int, book: NameBook) -> bool:
    """Return whether the line at *place* is another's name and a colon, above a gap."""
    text = lines[place][1].strip(" \t*_#@>")
    if not text.endswith(":") or len(text) > _LONGEST_NAME or place + 1 >= len(lines) or lines[place + 1][1].strip():
        return False
    return _is_another(text[:-1], book)


def _is_stamped(lines: list[Line], place: int, book: NameBook, *, at_once: bool = False) -> bool:
    """Return whether the line at *place* is another's name and a time; *at_once*: both on one line."""
    text = lines[place][1].strip()
    if not text or len(text) > _LONGEST_NAME:
        return False
    found = _STAMP.fullmatch(text) if _CLOCK.search(text) else None
    if found is not None:
        return _is_another(found["name"] or found["after"], book)
    below = lines[place + 1][1].strip() if place + 1 < len(lines) and not at_once else ""
    timed = bool(below) and len(below) <= _LONGEST_NAME and _ONLY_TIME.fullmatch(below) is not None
    return timed and _is_another(text, book)


def _is_another(name: str, book: NameBook) -> bool:
    person = book.whole(name.strip(" \t*_#@>"))
    return person is not None and person.names != (book.people.author,)


_OPENS = "[quote"
_CLOSES = "[/quote]"
_LONGEST_TAG = 200
_CHAT = re.compile(r"\s*(?:[\[(]?\d\d?:[\d:]+[\])]? +)?<[@+%~&]?([^\W_][^<>@:/]{0,40})>(?: |$)")
"""A line of a chat, with the time or without, and who said it."""


def without_quotations(lines: Iterable[Line], author: str | None = None) -> tuple[list[Line], list[Line]]:
    """Split *lines* into the author's and forum quotations; an open quotation runs to the end.

    A chat's lines ("<Bex> Hello.") are quoted, too, but for those of the *author*.

    Quotations nest. A line of which nothing is left is left out, so that what is around it stays apart.
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
    """Split a *line* into its own and its quoted part; also return the depth of quotations at its end."""
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
    """Return the end of the tag at *at* (``[quote]``, ``[quote=Bex]``, ``[quote="Bex"]``); 0 if there is none."""
    if not text.startswith(_OPENS, at) or text[at + len(_OPENS):at + len(_OPENS) + 1] not in {"]", "=", " "}:
        return 0
    return text.find("]", at, at + _LONGEST_TAG) + 1


_BRACES = str.maketrans("{}", "  ")
_LONGEST_LINE = 300
"""Longer lines begin no block, nor lead to one: what looks for that takes the square of their length."""
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})\s*([^`]*)")
_TELLS = re.compile(
    r"\b(?:says?|said|reads?|states?|stated|wrote|writes|written|quot\w+|for example|e\.g\.|for instance|would"
    r"|wording|tells?|told|asked|mailed|messaged|texted|forward\w*|fwd"
    r"|relay\w*|on behalf)\b"
    r"|['’]s (?:\w+ )?(?:vote|ballot|words|letter|rule|post|message|text|statement)s?\b", re.IGNORECASE)


def without_blocks(lines: Iterable[Line], book: NameBook) -> tuple[list[Line], list[Line]]:
    """Split *lines* into the author's and those of blocks that may hold another's words; fences are dropped.

    A code block is its author's own if it is all that the letter says, or below a line by which they act ("I act as
    follows:"). Lines that are set in are theirs unless the line above tells of others ("Rule 3 says:"), and a paragraph
    is, unless another's name is above it on a line of its own.
    """
    every = list(lines)
    whole = "\n".join(["", *[line for _, line in every]])
    kept, fenced = _fences(every) if "```" in whole or "~~~" in whole else (every, [])
    kept, headed = without_named_paragraphs(kept, book, whole)
    others = sorted(fenced + headed) if headed else fenced
    return _indented(kept, others) if "\n " in whole or "\n\t" in whole else (kept, others)


def in_braces(lines: list[Line]) -> list[Line]:
    """Return *lines* with the braces around words removed; nothing if there are none."""
    if not any("{" in line for _, line in lines):
        return []
    return [(number, line.translate(_BRACES)) for number, line in lines]


def _fences(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    kept: list[Line] = []
    blocks: list[tuple[int, list[Line]]] = []
    fence, above, own = "", "", False
    for number, line in lines:
        found = _FENCE.fullmatch(line) if len(line) <= _LONGEST_LINE else None
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
    return (words.endswith(":") and len(words) <= _LONGEST_LINE and not is_acting(line)
            and _TELLS.search(words) is not None)
