"""“I second that.”: a second that names nobody, where just one accusation is open (GA 5c, D-G19)."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.arriving import effective
from nomicwolf.contest.clock import settle
from nomicwolf.contest.recognising import posted
from nomicwolf.contest.work import Work
from nomicwolf.language.reader import read
from nomicwolf.letters.attribution import Authored
from nomicwolf.letters.letter import Letter
from nomicwolf.reading.deeds import Deed, Problem, Reading
from nomicwolf.reports.people import people_of
from nomicwolf.village.game import replay
from nomicwolf.village.rule_helpers import listed


def seconding(work: Work, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading*, each second that names nobody with whom it seconds, asked about, or left out as talk.

    It is clear in a public letter that begins with it, where a single accusation is open to em at that instant, one
    that still settles included; and below a quotation only if that accuses the same person. Where none is open it is
    talk.
    """
    unnamed = [deed for deed in reading.deeds if deed.verb == "second" and not deed.names]
    if not unnamed:
        return reading
    public = posted(work.contest.setup.nomics, letter)
    whom = _open_to(work, author, effective(work.contest, letter)) if public else set()
    first = next((number for number, words in text.lines if words.strip()), 0)
    quoted = any(why == "quoted" for _, _, why in text.ignored)
    clear = len(whom) == 1 and (not quoted or whom <= _accused_in(work, author, text))
    if clear and unnamed[0].line == first and not any(deed.verb == "accuse" for deed in reading.deeds):
        name = whom.pop()
        named = replace(unnamed[0], says=f"second {name}", names=(name,))
        kept = _without(reading, unnamed[1:])
        return replace(reading, deeds=tuple(named if deed is unnamed[0] else deed for deed in kept))
    hint = f"If you second an accusation, name who is accused: write “second {min(whom)}”." if whom else ""
    more = f" You could second those of {listed(tuple(sorted(whom)))}." if len(whom) > 1 else ""
    asked = tuple(Problem(deed.line, deed.text, "ambiguous", (), hint + more) for deed in unnamed[:1] if whom)
    return replace(reading, deeds=_without(reading, unnamed), problems=(*reading.problems, *asked))


def _without(reading: Reading, unnamed: list[Deed]) -> tuple[Deed, ...]:
    return tuple(deed for deed in reading.deeds if deed not in unnamed)


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
