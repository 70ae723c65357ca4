"""Letters held for the contestmaster's ruling.

The contestmaster is told of all that a poll has held in one journal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nomicwolf.contest import rosters
from nomicwolf.contest.ballots import came_too_late
from nomicwolf.contest.channels import author_of, channel_of
from nomicwolf.contest.clock import settle
from nomicwolf.contest.mail.hearing import ASKED, done_by, turned_away
from nomicwolf.contest.mail.intake import as_heard, read_letter, take_reading
from nomicwolf.contest.step import Command, ReadLetter, Work
from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import DeedHeard, LetterHeld, LetterRejected, LetterReleased, Noted, Refused
from nomicwolf.nomic.times import when
from nomicwolf.reading.set_phrases import disclaimer
from nomicwolf.reports.layout import shell_word
from nomicwolf.village.rules import Refusal

TOPIC = "held"
_NUMBER = re.compile(r"\d+")
_CLAUSES = re.compile(r"(?<=[.!?:;])\s+|,?\s+(?:but|though|although)\s+", re.IGNORECASE)
"""The boundary between two clauses, of which one may void a letter."""


def tell_of_held(work: Work) -> None:
    """Note once which letters wait that nobody was told of; those above the day's limits are told by their sum."""
    waiting = {number for number, held in work.contest.held.items() if not held.quiet}
    if not waiting:
        return
    told = {int(number) for topic, text in work.contest.noted if topic == TOPIC for number in _NUMBER.findall(text)}
    if new := sorted(waiting - told):
        which = ", ".join(map(str, new))
        work.add(Noted(TOPIC, f"Held since the last journal: {which}."), cause="clock")


def release(work: Work, command: Command) -> str:
    """Release a held letter as its author's, or as that of whom the contestmaster names; its deeds are done.

    Words of it by which it would not count are set aside: that it counts is the ruling. One by which nothing has been
    done can be released again.
    """
    number, held = _held(work, command, again=True)
    if held is not None and held.other:
        raise Refusal(
            f"Letter {number} {held.why}, and what it came to without it has been announced. {held.other} "
            f"`reject {number}` lets the announced outcome stand; a ruling can set right what can still be, and "
            "`correct` an award.", ("D-N9", "D-A8"))
    letter = command.letter
    if letter is None:
        raise Refusal(f"The bytes of letter {number} are not at hand.")
    author = command.get("author") or _author_of(work, letter, number)
    if author not in work.contest.persons and work.contest.letters[number].why != ASKED:
        raise Refusal("Say whose letter it is: --as NAME, of a person that the contest knows.")
    if letter.trouble and not letter.body.strip():
        raise Refusal(
            f"Letter {number} has no text that could be read: {letter.trouble}. If you can read it in the mailbox, "
            f"rule on what it says (`ruling --for {shell_word(author)} --deed ...`), and `reject {number}`.",
            ("D-N10",))
    work.add(LetterReleased(number, author), cause="command")
    whole = authored(letter)
    text = replace(whole, lines=without_disclaimer(whole.lines))
    reading = read_letter(work.contest, letter, author, text)
    heard = ReadLetter(letter, number, author, channel_of(work.contest, letter), text, reading, "confirmed")
    late = [d.says for d in reading.deeds if came_too_late(work, as_heard(work.contest, heard, d, 0))]
    take_reading(work, heard)
    return f"Letter {number} is released as {author}'s: {_result_text(work, heard, late)}"


def _author_of(work: Work, letter: Letter, number: int) -> str:
    """Return whose *letter* is; of one that asks to join, by what it shows now: its name may be taken by another."""
    heard = work.contest.letters[number]
    if heard.why != ASKED:
        return heard.author
    if (known := author_of(work.contest, letter).person) is not None:
        return known.name
    name, why = rosters.joining(work.contest, letter)
    if why:
        raise Refusal(f"{name} can't join by this name any more: {why} `party add NAME ADDRESS` lets em in by another "
                      f"one, and `reject {number}` closes the letter.", ("NC 3", "D-A16"))
    return name


def _result_text(work: Work, heard: ReadLetter, late: list[str]) -> str:
    """Return what a letter that is let through does, and why it does not do what it says; *late* is over."""
    number, reading, again = heard.number, heard.reading, f"`release {heard.number}` can be given again."
    if not reading.deeds:
        why = f"{heard.author} is asked what e means" if reading.problems else "no deed is read in it"
        return (f"{why}, so nothing is done. If you read a deed in it, rule on that "
                f"(`ruling --for {shell_word(heard.author)} --deed ...`); {again}")
    done = f"{', '.join(d.says for d in reading.deeds)}."
    if late:
        return (f"{done} But that to which {' and '.join(late)} belongs is over: it is not done, and `held` tells what "
                "would have come of it.")
    refused = [f" But {says} is refused: {why}" for says, why in _refused(work, number)]
    return done + "".join(refused) + (f" Once that has changed, {again}" if refused else "")


def _refused(work: Work, number: int) -> list[tuple[str, str]]:
    """Return what letter *number* says that is refused now, or will be as soon as the clock goes on, and why."""
    then = Work(work.contest, work.now)
    settle(then)
    mine = {e.number: e.event.says for e in then.contest.entries[number:]
            if isinstance(e.event, DeedHeard) and e.event.letter == number}
    return [(mine.get(e.event.deed, e.event.verb), e.event.why) for e in (*work.entries, *then.entries)
            if isinstance(e.event, Refused) and (e.event.deed in mine or e.comes_of("letter", number))]


def without_disclaimer(lines: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Return *lines* without the clauses by which their letter would not count.

    Where such a clause goes on over a line's end, paragraphs become lines.
    """
    kept = tuple((number, _line_without_disclaimer(line)) for number, line in lines)
    if disclaimer(line for _, line in kept) is None:
        return kept
    paragraphs: list[tuple[int, str]] = []
    for number, line in lines:
        if paragraphs and paragraphs[-1][1] and line.strip():
            paragraphs[-1] = (paragraphs[-1][0], f"{paragraphs[-1][1]} {line.strip()}")
        else:
            paragraphs.append((number, line.strip()))
    return tuple((number, _line_without_disclaimer(line)) for number, line in paragraphs)


def _line_without_disclaimer(line: str) -> str:
    if disclaimer([line]) is None:
        return line
    return " ".join(clause for clause in _CLAUSES.split(line) if disclaimer([clause]) is None)


def reject(work: Work, command: Command) -> str:
    """Reject a held letter; its author, if the contest knows em, is told why."""
    why = command.words("why", "Say why; its author is told, if the contest knows em: --why.")
    number, _ = _held(work, command)
    heard = work.contest.letters[number]
    author = heard.author
    work.add(LetterRejected(number, why), cause="command")
    if author in work.contest.persons:
        said = (f"A letter of {when(heard.arrived)} that came as yours waited for a ruling; the contestmaster has not "
                f"let it through: {why}")
        work.add(Refused(0, author, "", "", said), cause=f"letter {number}")
    else:
        turned_away(work, number, why)
    return f"Letter {number} is rejected."


def _held(work: Work, command: Command, *, again: bool = False) -> tuple[int, LetterHeld | None]:
    """Return the held letter that *command* names, with its number.

    With *again* that may be one which was released before, if nothing has been done by it: then there is no reason.
    """
    number = command.number("number")
    if number is not None and number in work.contest.held:
        return number, work.contest.held[number]
    if again and number is not None and number in work.contest.letters:
        came = work.contest.entries[number:]
        if any(isinstance(e.event, LetterReleased) and e.event.letter == number for e in came):
            if done_by(work.contest, number) or number in work.contest.deeds.by_letter:
                raise Refusal(f"Letter {number} has been released, and what it says is done, or waits for its time.")
            return number, None
    known = ", ".join(map(str, sorted(work.contest.held))) or "none"
    raise Refusal(f"No letter {command.get('number')} is held; held are: {known}.")
