"""A letter is sorted into its bucket; what its known author says is read, and eir deeds are taken."""

from __future__ import annotations

from nomicwolf.contest import capping, rosters
from nomicwolf.contest.arriving import channel_of, effective
from nomicwolf.contest.happenings import ReadLetter, Verdict
from nomicwolf.contest.mail import assurance
from nomicwolf.contest.mail.announcing import came_back, pretends
from nomicwolf.contest.mail.byname import joining_missed
from nomicwolf.contest.mail.cards import point_out
from nomicwolf.contest.mail.copies import copy_of, decorated, in_time, others_under
from nomicwolf.contest.mail.elsewhere import elsewhere, several, which
from nomicwolf.contest.mail.missed import trial_missed
from nomicwolf.contest.mail.near import near_misses, objection_missed, tell_of_wording
from nomicwolf.contest.mail.personal import by_button
from nomicwolf.contest.mail.seconding import seconding
from nomicwolf.contest.mail.speeches import speech
from nomicwolf.contest.mail.spending import spend
from nomicwolf.contest.mail.strangers import ASKED, WAITS, answer, asks_to_join, maybe_joins, newcomer
from nomicwolf.contest.mail.taking import deeds_in, heard_from_others, read_letter, take_reading
from nomicwolf.contest.recognising import DISCUSSION, marks_of
from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import Authored, authored
from nomicwolf.letters.letter import Assurance, Letter
from nomicwolf.letters.machine import machine, own
from nomicwolf.nomic.events import CopyHeard, DeedMoved, LetterHeard, LetterHeld, Refused
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Reading
from nomicwolf.reading.slips import disclaimer

HELD = "Your letter waits for the contestmaster's ruling: {}. Nothing was done. You can write it again, as plain text."
REUSED = "another text came under the same Message-ID"
AFRESH = ("Your letter waits for the contestmaster's ruling: another one came before it under the same Message-ID. "
          "Nothing was done. You can write it again, as a new letter.")
LONG = ("Your letter waits for the contestmaster's ruling: {}. Nothing was done. You can write what you do again, in "
        "short sentences, each with a full stop.")
DISCLAIMED = ("Your letter says of itself that it may not count. The contestmaster will rule on it; or write it again "
              "without these words.")


def hear_letter(work: Work, letter: Letter) -> Verdict:
    """Hear *letter*: put it in its bucket, answer what can be answered at once, and let its deeds wait."""
    channel = channel_of(work.contest, letter)
    copy = copy_of(work.contest, letter, channel) or decorated(work.contest, letter, channel, deeds_in)
    if copy and not in_time(work, letter, copy):
        return _hear_copy(work, letter, copy)
    if found := elsewhere(work.contest, letter):
        return _close(work, letter, Verdict(*found))
    verdict = _sort(work.contest, letter, copy)
    unknown = verdict.bucket == "stranger"
    known = newcomer(work.contest, letter) if unknown else None
    if known is not None:
        verdict = Verdict("deeds", known, sure="forum" if letter.stamps else "from")
    told, cites = _told(letter, verdict)
    if told and verdict.author and capping.answers_left(work, letter, verdict.author):
        return _held_back(work, letter, verdict, "", told, cites)
    if verdict.bucket != "deeds":
        return _close(work, letter, verdict)
    return _hear_author(work, letter, verdict.author, verdict.sure)


def _hear_copy(work: Work, letter: Letter, number: int) -> Verdict:
    """A further copy is the same act; a copy with an earlier stamp moves what still waits."""
    first = work.contest.letters[number]
    verdict = Verdict("duplicate", first.author, f"a copy of letter {number}")
    channel = channel_of(work.contest, letter)
    _record(work, letter, verdict)
    instant = effective(work.contest, letter)
    if channel != first.channel and channel not in (DISCUSSION, PRIVATE):
        work.add(CopyHeard(number, channel, instant), cites=("NC 1g",))
        rosters.copy_heard(work, first.author, letter, number, channel)
    for waiting in work.contest.deeds.by_letter.get(number, ()):
        if instant < work.contest.pending[waiting].instant:
            work.add(DeedMoved(waiting, instant), cites=("D-N9",))
    found = assurance.identified(work.contest, letter)
    if found.person is not None and not found.held and found.person.name == first.author:
        assurance.raised(work, letter, number, instant, found.assurance)
    return verdict


def _sort(contest: Contest, letter: Letter, copied: int | None) -> Verdict:
    """Return the bucket by envelope alone, ``deeds`` meaning that the text is to be read.

    *copied* is the letter that says the same under its Message-ID, though a list may have put other words around it.
    """
    if own(letter, marks_of(contest.setup)):
        return Verdict("own")
    if reason := machine(letter):
        return Verdict("machine", why=reason)
    found = assurance.identified(contest, letter)
    name = found.person.name if found.person else ""
    if letter.trouble:
        return Verdict("held", "" if found.held else name, letter.trouble)
    if found.held:
        return Verdict("held", name, found.reason)
    if not name:
        return Verdict("stranger", why=found.reason)
    if set(others_under(contest, letter)) - {copied}:
        return Verdict("held", name, REUSED)
    return Verdict("deeds", name, sure=found.assurance)


def _told(letter: Letter, verdict: Verdict) -> tuple[str, tuple[str, ...]]:
    """Return what its certain author is told of a letter that is held unread, and the clauses; '' of any other."""
    if verdict.why == REUSED:
        return AFRESH, ("D-N49",)
    return (HELD.format(letter.trouble.rstrip(".")), ("D-N10",)) if letter.trouble else ("", ())


def _close(work: Work, letter: Letter, verdict: Verdict) -> Verdict:
    entry = _record(work, letter, verdict)
    if verdict.bucket == "own":
        came_back(work, letter)
        pretends(work, letter, entry)
    if verdict.bucket == "stranger" and not verdict.why.startswith("for another contest"):
        maybe_joins(work, letter, entry)
    if verdict.bucket == "held":
        work.add(LetterHeld(entry, verdict.why, quiet=capping.quiet(work.contest, letter.arrived)))
    return verdict


def _flood(work: Work, letter: Letter, verdict: Verdict) -> Verdict:
    """Hold a letter that is more than its author's day has, and tell em of the first."""
    number = _record(work, letter, verdict)
    work.add(LetterHeld(number, verdict.why, quiet=True), cites=("D-N47",))
    capping.tell_once(work, verdict.author, letter.arrived, verdict.why, number)
    return verdict


def _held_back(
    work: Work, letter: Letter, verdict: Verdict, words: str, told: str, cites: tuple[str, ...]
) -> Verdict:
    """Hold a letter for a ruling, and tell its author so, of the *words* that are the reason."""
    number = _record(work, letter, verdict)
    work.add(LetterHeld(number, verdict.why))
    work.add(Refused(0, verdict.author, "", words, told), cites=cites, cause=f"letter {number}")
    return verdict


def _let_ask(work: Work, letter: Letter, verdict: Verdict) -> Verdict:
    """Let a letter that joins wait for the contestmaster's word, and tell its author so (D-A16)."""
    if verdict.author in work.contest.persons:
        return _held_back(work, letter, verdict, "", WAITS, ("D-A16",))
    number = _record(work, letter, verdict)
    work.add(LetterHeld(number, verdict.why))
    answer(work, letter, WAITS, "", number)
    return verdict


def _record(work: Work, letter: Letter, verdict: Verdict) -> int:
    stamped = max((at for _, at in letter.stamps), default=0)
    event = LetterHeard(
        letter.message_id, letter.content, letter.digest, verdict.author, verdict.bucket,
        channel_of(work.contest, letter), verdict.why, letter.sent or 0, stamped, letter.arrived, verdict.sure,
        assurance.proofs(letter),
    )
    number = work.add(event).number
    spend(work, letter, number)
    return number


def _hear_author(work: Work, letter: Letter, author: str, sure: Assurance) -> Verdict:
    """Read what *author* says and do it; hold what is too much, disclaims itself, or may be for another contest."""
    if over := capping.too_much(work, author, letter):
        return _flood(work, letter, Verdict("held", author, over, sure))
    text = authored(letter, heard_from_others(work.contest, author))
    if text.too_long:
        return _held_back(work, letter, Verdict("held", author, text.too_long, sure), "", LONG.format(text.too_long),
                          ("D-N10",))
    if why := disclaimer([line for _, line in text.lines]):
        verdict = Verdict("held", author, f"it disclaims what it says: {why}", sure)
        return _held_back(work, letter, verdict, why, DISCLAIMED, ("D-N10",))
    reading = by_button(work.contest, letter, author, read_letter(work.contest, letter, author, text))
    if over := capping.too_much(work, author, letter, len(reading.deeds)):
        return _flood(work, letter, Verdict("held", author, over, sure))
    written = [d.text for d in reading.deeds] + [p.text for p in reading.problems]
    if written and (contests := several(work.contest, letter)):
        verdict = Verdict("held", author, f"it could be for {' or '.join(contests)}", sure)
        return _held_back(work, letter, verdict, written[0], which(contests), ("D-N43",))
    if asks_to_join(work.contest, author, [d.verb for d in reading.deeds]):
        return _let_ask(work, letter, Verdict("held", author, ASKED, sure))
    if author == work.contest.setup.contestmaster and not _roster_only(reading):
        return _hear_contestmaster(work, letter, author, reading)
    reading = seconding(work, letter, author, text, speech(work, letter, author, text, reading))
    return _take(work, letter, Verdict("deeds" if reading.deeds else "no-deed", author, sure=sure), text, reading)


def _take(work: Work, letter: Letter, verdict: Verdict, text: Authored, reading: Reading) -> Verdict:
    """Let what was read in a letter be done, or wait, and ask about what its author seems to have missed."""
    number = _record(work, letter, verdict)
    heard = ReadLetter(letter, number, verdict.author, channel_of(work.contest, letter), text, reading, verdict.sure)
    point_out(work, heard)
    take_reading(work, heard)
    objection_missed(work, heard)
    joining_missed(work, heard)
    trial_missed(work, heard)
    if not reading.deeds and not reading.problems:
        near_misses(work, heard)
    tell_of_wording(work, heard)
    return verdict


def _hear_contestmaster(work: Work, letter: Letter, author: str, reading: Reading) -> Verdict:
    """Do nothing that the contestmaster writes, and say so: e plays no part, and acts by command (D-N1, X-20)."""
    verdict = Verdict("no-deed", author, "the contestmaster acts by command")
    number = _record(work, letter, verdict)
    why = "You are the contestmaster and no townsperson: by mail you do nothing. Give a command where the contest runs."
    for deed in reading.deeds:
        work.add(Refused(0, author, deed.verb, deed.text, why), cites=("NC 2a", "D-N1"), cause=f"letter {number}")
    return verdict


def _roster_only(reading: Reading) -> bool:
    return bool(reading.deeds) and all(d.verb in rosters.VERBS for d in reading.deeds)
