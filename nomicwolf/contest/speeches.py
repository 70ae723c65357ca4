"""Last words: a whole private letter that is one deed, though it has no verb (D-M14)."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.clock import settle
from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import Authored
from nomicwolf.letters.letter import Letter
from nomicwolf.reading.deeds import Deed, Reading


def speech(work: Work, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading*, or if nothing was read in a private letter of one who may speak, the letter as eir speech."""
    words = "\n".join(line for _, line in text.lines).strip()
    if reading.deeds or letter.forums or not words or not _may_speak(work, author, letter.arrived):
        return reading
    line = next(number for number, line in text.lines if line.strip())
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
