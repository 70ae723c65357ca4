"""Which letters are one: copies of the same words under the same Message-ID, and what is none of them (D-N49)."""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.contest.arriving import channel_of, effective
from nomicwolf.contest.happenings import ReadLetter
from nomicwolf.contest.late import came_too_late
from nomicwolf.contest.mail.assurance import identified
from nomicwolf.contest.mail.taking import as_heard, read_letter
from nomicwolf.contest.work import Work
from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import Asked, DeedDone, DeedHeard, Refused
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Reading


def copy_of(contest: Contest, letter: Letter, channel: str) -> int | None:
    """Return the letter of which *letter*, that came by *channel*, is a further copy; None if it is heard by itself.

    What was refused where it came first may be sent on, as it is, to where it belongs.
    """
    if not letter.message_id:
        return contest.by_digest.get(letter.digest)
    same = [n for n in contest.by_message.get(letter.message_id, ()) if contest.letters[n].digest == letter.digest
            and contest.letters[n].bucket not in ("stranger", "machine")]
    alike = [n for n in same if _way(contest, contest.letters[n].channel) == _way(contest, channel)]
    return next((n for n in (*alike, *same) if n in alike or not _refused_in(contest, n)), None)


def others_under(contest: Contest, letter: Letter) -> list[int]:
    """Return the letters of other words under its Message-ID whose author was certain: nobody else can reserve one."""
    known = contest.by_message.get(letter.message_id, ()) if letter.message_id else ()
    return [n for n in known if contest.letters[n].bucket in ("deeds", "no-deed")
            and contest.letters[n].digest != letter.digest]


def decorated(
    contest: Contest, letter: Letter, channel: str, read_as: Callable[[Contest, Letter, str], Reading | None]
) -> int | None:
    """Return the letter of which *letter*, through another forum, is a copy with more words around it; None if none.

    Lists may put lines of their own into what they pass on. So it must be its author's for certain, and, as *read_as*
    reads it, say just the deeds that were heard from the first, in their order; and nothing in either is asked about.
    """
    others = others_under(contest, letter)
    if len(others) != 1 or letter.trouble or channel not in contest.setup.nomics:
        return None
    number, first = others[0], contest.letters[others[0]]
    found = identified(contest, letter)
    if first.channel in ("", channel) or found.held or found.person is None or found.person.name != first.author:
        return None
    came = [e.event for e in contest.entries[number:] if isinstance(e.event, DeedHeard | Asked)
            and e.event.letter == number]
    heard = [event.says for event in came if isinstance(event, DeedHeard)]
    reading = read_as(contest, letter, first.author) if len(heard) == len(came) else None
    same = reading is not None and not reading.problems and [d.says for d in reading.deeds] == heard
    return number if same else None


def in_time(work: Work, letter: Letter, number: int) -> bool:
    """Return whether *letter*, a copy of letter *number*, is the first of them that was in time for what is closed now.

    Then it is heard by itself, if nothing came of any other (D-A8): one forum may take it at once and bring it late.
    """
    contest, author = work.contest, work.contest.letters[number].author
    game, instant = contest.game, effective(contest, letter)
    copies = [n for n in contest.by_message.get(letter.message_id, ()) if contest.letters[n].bucket != "duplicate"]
    if game is None or instant >= game.clock or instant >= _stamp(contest, number) or copies != [number]:
        return False
    if number in contest.held or number in contest.deeds.by_letter:
        return False
    text = authored(letter)
    reading = read_letter(contest, letter, author, text)
    heard = ReadLetter(letter, number, author, channel_of(contest, letter), text, reading, "from")
    late = any(came_too_late(work, as_heard(contest, heard, deed, 0)) for deed in reading.deeds)
    return late and not done_by(contest, number)


def _stamp(contest: Contest, number: int) -> int:
    """Return the latest instant that a deed of letter *number* can have."""
    first = contest.letters[number]
    return min(first.stamped or first.arrived, first.arrived)


def done_by(contest: Contest, number: int) -> bool:
    """Return whether a deed of letter *number* has been done."""
    since = contest.entries[number:]
    deeds = {e.number for e in since if isinstance(e.event, DeedHeard) and e.event.letter == number}
    return any(isinstance(e.event, DeedDone) and e.event.deed in deeds for e in since)


def _way(contest: Contest, channel: str) -> str:
    """Return how public *channel* is: all forums are alike."""
    return "forum" if channel in contest.setup.nomics else channel


def _refused_in(contest: Contest, number: int) -> bool:
    cause = f"letter {number}"
    return any(e.cause == cause and isinstance(e.event, Refused) for e in contest.entries[number:])
