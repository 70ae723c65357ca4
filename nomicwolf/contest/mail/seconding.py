"""“I second that.”: a second that names nobody, where just one accusation is open (GA 5c, D-G19)."""

from __future__ import annotations

import re
from dataclasses import replace

from nomicwolf.contest.arriving import effective
from nomicwolf.contest.clock import settle
from nomicwolf.contest.recognising import posted
from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import Authored
from nomicwolf.letters.letter import Letter
from nomicwolf.reading.deeds import Deed, Reading
from nomicwolf.reading.reader import read
from nomicwolf.reports.people import people_of
from nomicwolf.village.game import replay

_SECONDS = re.compile(
    r"(?:(?:yes|yeah|ok|okay|well|so|right)[,.! ]+)*I (?:(?:hereby|also|gladly|happily|do) )*second (?:that|this)"
    r"[ .!]*", re.IGNORECASE)


def seconding(work: Work, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading*, with a second where *author* begins a public letter with “I second that.” and nothing else.

    Only where a single accusation is open to em at that instant, one that still settles included; and below a quotation
    only if that accuses the same person. Anything else is left to be asked about.
    """
    line = next(((number, words.strip()) for number, words in text.lines if words.strip()), None)
    if line is None or not _SECONDS.fullmatch(line[1]) or not posted(work.contest.setup.nomics, letter):
        return reading
    whom = _open_to(work, author, effective(work.contest, letter))
    if len(whom) != 1 or any(deed.verb in ("accuse", "second") for deed in reading.deeds):
        return reading
    name = whom.pop()
    if any(why == "quoted" for _, _, why in text.ignored) and name not in _accused_in(work, author, text):
        return reading
    deed = Deed(line[0], line[1], "second", f"second {name}", (name,))
    return replace(reading, deeds=(deed, *reading.deeds))


def _open_to(work: Work, author: str, at: int) -> set[str]:
    """Return whose accusations *author* could second at *at*, the session as it was or, played on, will be then."""
    then = Work(work.contest, work.now)
    settle(then, at)
    game = then.contest.running
    if game is None:
        return set()
    if at < game.clock:
        game = replay(e for e in game.entries if e.at <= at)
    duty = next((duty for duty in then.rules.duties(game, author) if duty.verb == "second"), None)
    return set() if duty is None else {*then.rules.options(game, author, duty)} - {author}


def _accused_in(work: Work, author: str, text: Authored) -> set[str]:
    """Return who is accused in what *text* quotes."""
    people = people_of(work.contest, author)
    quoted = tuple((max(number, 1), words.lstrip("> ")) for number, words, why in text.ignored if why == "quoted")
    return {name for row in quoted for deed in read((row,), people, to="forum").deeds if deed.verb == "accuse"
            for name in deed.names}
