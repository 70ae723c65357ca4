"""Who joins or leaves by the contest's own name is not passed over: players are asked, strangers told of (NC 1c).

The language knows the contract as “this contract”, and by the names of its kind. What a contest is called is its
contestmaster's choice, and so such words are never done, only asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest

from nomicwolf.contest.happenings import ReadLetter
from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import Asked
from nomicwolf.nomic.setup import Setup
from nomicwolf.reports.prose import tag_of

_DOES = re.compile(
    r"^\W*(?:(?:ok|okay|so|then|and|but|well|now|hi all)\W+)*I\b[^.!?]*?\b(?:(?P<join>join|become|agree|consent|enter)"
    r"|leave|quit|resign|withdraw|cease)\b[^.!?]*$", re.IGNORECASE)
_TALK = re.compile(
    r"n't\b|\b(?:not|never|would|might|may|could|should|if|unless|until|when|who|whoever|that|think|guess|did)\b",
    re.IGNORECASE)


def by_name(setup: Setup, lines: Iterable[tuple[int, str]]) -> tuple[int, str, str] | None:
    """Return where somebody says that e joins or leaves what the contest is called, in which words, and which it is.

    A name may be wrapped, so each line is looked at together with the next.
    """
    names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in (setup.name, tag_of(setup)) if name.split())
    called = re.compile(rf"\b(?:{names})\b", re.IGNORECASE)
    every = list(lines)
    for (number, line), (_, after) in zip_longest(every, every[1:], fillvalue=(0, "")):
        found = called.search(f"{line} {after}")
        if found is None or found.start() >= len(line):
            continue
        before = line[:found.start()]
        does = _DOES.match(before)
        if does is not None and not _TALK.search(before):
            return number, line.strip(), "join" if does["join"] else "leave"
    return None


def joining_missed(work: Work, heard: ReadLetter) -> None:
    """Ask who posts that e joins or leaves the contest by its name, if nothing of it was understood."""
    reading, channel = heard.reading, heard.channel
    said = by_name(work.contest.setup, heard.text.lines) if channel in work.contest.setup.nomics else None
    if said is None or said[0] in {p.line for p in reading.problems} or any(
            d.verb in ("join", "leave") for d in reading.deeds):
        return
    line, words, verb = said
    if (heard.author in work.contest.parties.get(channel, ())) is (verb == "join"):
        return
    hint = f"If you {verb}, write “I {verb} this contract.” in a forum, on a line of its own."
    asked = Asked(heard.number, heard.author, line, words, "not understood", hint)
    work.add(asked, cites=("NC 1c",), cause=f"letter {heard.number}")
