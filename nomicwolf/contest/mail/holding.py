"""Letters that wait for a ruling: the contestmaster is told of them, and lets each through or not.

Of all that a poll has held e is told in one journal.
"""

from __future__ import annotations

import re

from nomicwolf.contest.arriving import channel_of
from nomicwolf.contest.happenings import Command, ReadLetter
from nomicwolf.contest.late import came_too_late
from nomicwolf.contest.mail.taking import as_heard, read_letter, take_reading
from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import authored
from nomicwolf.nomic.events import LetterHeld, LetterRejected, LetterReleased, Noted, Refused
from nomicwolf.reports.times import when
from nomicwolf.village.rules import Refusal

TOPIC = "held"
_NUMBER = re.compile(r"\d+")


def tell(work: Work) -> None:
    """Note once which letters wait that nobody was told of; those above the day's limits are told by their sum."""
    waiting = {number for number, held in work.contest.held.items() if not held.quiet}
    if not waiting:
        return
    told = {int(number) for topic, text in work.contest.noted if topic == TOPIC for number in _NUMBER.findall(text)}
    if new := sorted(waiting - told):
        which = ", ".join(map(str, new))
        work.add(Noted(TOPIC, f"Held since the last journal: {which}."), cause="clock")


def release(work: Work, command: Command) -> str:
    """Let a held letter through as its author's, or as that of whom the contestmaster names; its deeds are done."""
    number, held = _held(work, command)
    if held.other:
        raise Refusal(
            f"Letter {number} {held.why}, and what it came to without it has been announced. {held.other} "
            f"`reject {number}` lets the announced outcome stand; a ruling can set right what can still be, and "
            "`correct` an award.", ("D-N9", "D-A8"))
    author = command.get("author") or work.contest.letters[number].author
    if author not in work.contest.persons:
        raise Refusal("Say whose letter it is: --as NAME, of a person that the contest knows.")
    letter = command.letter
    if letter is None:
        raise Refusal(f"The bytes of letter {number} are not at hand.")
    if letter.trouble and not letter.body.strip():
        raise Refusal(
            f"Letter {number} has no text that could be read: {letter.trouble}. If you can read it in the mailbox, "
            f"rule on what it says (`ruling --for {author} --deed ...`), and `reject {number}`.", ("D-N10",))
    work.add(LetterReleased(number, author), cause="command")
    text = authored(letter)
    reading = read_letter(work.contest, letter, author, text)
    heard = ReadLetter(letter, number, author, channel_of(work.contest, letter), text, reading, "confirmed")
    late = [d.says for d in reading.deeds if came_too_late(work, as_heard(work.contest, heard, d, 0))]
    take_reading(work, heard)
    done = ", ".join(d.says for d in reading.deeds) or "no deed in it"
    over = (f" But that to which {' and '.join(late)} belongs is over: it is not done, and `held` tells what would "
            "have come of it.") if late else ""
    return f"Letter {number} is released as {author}'s: {done}.{over}"


def reject(work: Work, command: Command) -> str:
    """Let a held letter not through; its author, if the contest knows em, is told why."""
    why = command.words("why", "Say why; its author is told, if the contest knows em: --why.")
    number, _ = _held(work, command)
    heard = work.contest.letters[number]
    author = heard.author
    work.add(LetterRejected(number, why), cause="command")
    if author in work.contest.persons:
        said = (f"A letter of {when(heard.arrived)} that came as yours waited for a ruling; the contestmaster has not "
                f"let it through: {why}")
        work.add(Refused(0, author, "", "", said), cause=f"letter {number}")
    return f"Letter {number} is rejected."


def _held(work: Work, command: Command) -> tuple[int, LetterHeld]:
    """Return the held letter that *command* names, with its number."""
    number = command.number("number")
    if number is None or number not in work.contest.held:
        known = ", ".join(map(str, sorted(work.contest.held))) or "none"
        raise Refusal(f"No letter {command.get('number')} is held; held are: {known}.")
    return number, work.contest.held[number]
