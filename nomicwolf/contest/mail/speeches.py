"""Last words: a whole private letter that is one deed, though it has no verb, if it is meant for all (D-M14)."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.clock import settle
from nomicwolf.contest.work import Work
from nomicwolf.letters.attribution import Authored
from nomicwolf.letters.letter import Letter
from nomicwolf.reading.deeds import Deed, Problem, Reading
from nomicwolf.reading.set_phrases import last_words

DOUBT = (
    "If these are your last words, which everyone will read, send them again below a line “Last words:”. Nothing of "
    "this letter has been published.")


def speech(work: Work, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading*, or if nothing was read in a private letter of one who may speak, the letter as eir speech.

    Where it may not be meant for everyone its author is asked, since what is published can't be taken back.
    """
    lines = [line for _, line in text.lines]
    written = any(line.strip() for line in lines)
    if reading.deeds or letter.forums or not written or not _may_speak(work, author, letter.arrived):
        return reading
    line, first = next((number, line.strip()) for number, line in text.lines if line.strip())
    words = last_words(lines, letter.subject, work.contest.setup.contestmaster)
    if not words:
        return replace(reading, problems=(*reading.problems, Problem(line, first, "ambiguous", hint=DOUBT)))
    deed = Deed(line, words, "say", f"say: {' '.join(words.split())}", words=words)
    return replace(reading, deeds=(deed,), problems=())


def _may_speak(work: Work, author: str, at: int) -> bool:
    """Return whether *author* can speak at *at*, the session played on until then."""
    game = work.contest.running
    if game is None or author not in game.alive or not any(d.speech for law in work.rules.laws for d in law.duties):
        return False
    then = Work(work.contest, at)
    settle(then, at - work.contest.setup.settling)
    game = then.contest.running
    return game is not None and any(d.speech for d in work.rules.duties(game, author))
