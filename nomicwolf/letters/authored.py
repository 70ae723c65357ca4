"""The author's own new text: what is left of a letter without quotes, signatures, footers and forwarded mail.

Where a reader could doubt whose words a line holds, it is left out and remembered, with the evidence: a quoted vote
that counts is worse than a vote that has to be sent again, and its author is asked about it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from nomicwolf.letters import marks
from nomicwolf.letters.bounds import bounded
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.whose import Scanned, scan

_HEARD_LENGTH = 60
_RULES = ("\u2014", "\u2013", "\u2015", "\u2014\u2014", "\u2e3a")
"""Dashes that stand for ``--`` where a telephone or a word processor has made one of it."""
_STRANGERS = 4096
_SIGNED = 6
"""Lines of such a signature at most."""
_GOING_ON = re.compile(
    r"\b(?:I|me|my|mine|p\.?s|vot(?:e|es|ing)|unvote|endorse|accuse|second|guilty|innocent|object|join|leave)\b",
    re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Authored:
    """The author's *lines* as (number from 1, text), empty ones too, and what was *ignored* as (number, text, why).

    *why* is ``quoted``, ``signature``, ``footer``, ``forwarded``, ``html-only-copy`` or ``attachment``; the last
    two stand outside of the body and have number 0. *doubtful* are those ignored lines that may be the author's own
    all the same, as (number, text, evidence); the evidence is one of those in `nomicwolf.letters.whose`. *too_long* is
    empty, or says why the letter must be held: there is more in it than is read (see `bounds`).
    """

    lines: tuple[tuple[int, str], ...]
    ignored: tuple[tuple[int, str, str], ...]
    doubtful: tuple[tuple[int, str, str], ...] = ()
    too_long: str = ""


def beginning(letter: Letter) -> Authored:
    """Return the author's own text in the first 4,096 characters of *letter*: more of a stranger's nobody looks at."""
    if len(letter.body) <= _STRANGERS:
        return authored(letter)
    first = letter.body[:_STRANGERS]
    return authored(replace(letter, body=first.rpartition("\n")[0] or first, asides=()))


def authored(letter: Letter, heard_before: Callable[[str], bool] = lambda line: False) -> Authored:
    """Divide the body of *letter* into what its author says and what e only repeats.

    *heard_before* says of a line's text (no spaces around) whether someone else has said it in this thread. It is
    asked only in replies, and a line counts as repeated only in a run of such lines that comes to at least 60
    characters: two players who both write ``I vote for Gus.`` do not quote each other.
    """
    found = scan(letter.body)
    if not letter.body.isascii():
        _mark_dashed(found, _names_of(letter))
    if is_reply(letter):
        _mark_heard(found, heard_before)
    judged = list(enumerate(zip(found.lines, found.whys, strict=True), 1))
    ignored = tuple((number, line.strip(), why) for number, (line, why) in judged if why and not marks.blank(line))
    own = bounded(tuple((number, line) for number, (line, why) in judged if not why))
    doubts = bounded(tuple((place + 1, found.lines[place].strip()) for place in found.doubts))
    return Authored(
        own.lines, ignored + tuple((0, text, why) for why, text in letter.asides),
        tuple((number, line, found.doubts[number - 1]) for number, line in doubts.lines), own.why or doubts.why)


def own_text(body: str) -> str:
    """The author's lines of *body*, one under the other."""
    found = scan(body)
    return "\n".join([line for line, why in zip(found.lines, found.whys, strict=True) if not why])


def _names_of(letter: Letter) -> set[str]:
    """How the sender of *letter* may sign, casefolded: by eir name, the first word of it, or what e is at eir host."""
    name, address = letter.senders[0] if len(letter.senders) == 1 else ("", "")
    local, plain = address.partition("@")[0], " ".join(name.split())
    return {each.casefold() for each in (plain, plain.partition(" ")[0], local) if each}


def _mark_dashed(found: Scanned, names: set[str]) -> None:
    """Mark a few lines below a dash on a line of its own as a signature, where they begin with the sender's name.

    Only as the last of what e says, with no empty line in it, and no word as if e went on: many set such dashes
    between parts of a letter.
    """
    lines, whys = found.lines, found.whys
    own = [place for place, line in enumerate(lines) if not whys[place] and not marks.blank(line)]
    rule = next((place for place in own[:-_SIGNED - 2:-1] if lines[place].strip() in _RULES), None)
    if rule is None or not own or own[-1] == rule:
        return
    first, *more = (lines[place].strip() for place in range(rule + 1, own[-1] + 1))
    known = first.strip(" .,").casefold() in names and own[-1] - rule == len(own) - own.index(rule) - 1
    if known and not any(_GOING_ON.search(line) for line in more):
        found.fill(rule, own[-1] + 1, "signature")


def is_reply(letter: Letter) -> bool:
    """Whether *letter* answers another one, by its headers."""
    return bool(letter.in_reply_to or letter.references) or letter.subject[:3].lower() == "re:"


def _mark_heard(found: Scanned, heard_before: Callable[[str], bool]) -> None:
    """Leave out the runs of lines, empty ones between, that someone else has said before in the thread."""
    lines, whys = found.lines, found.whys
    run: list[int] = []
    length = 0
    for index in range(len(lines) + 1):
        line = lines[index].strip() if index < len(lines) else ""
        if index < len(lines) and not whys[index] and not line:
            continue
        if index < len(lines) and not whys[index] and heard_before(line):
            run.append(index)
            length += len(line)
            continue
        if length >= _HEARD_LENGTH:
            found.fill(run[0], run[-1] + 1, "quoted")
        run, length = [], 0
