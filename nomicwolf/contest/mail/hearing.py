"""Letters sorted: copies, strangers, known authors.

Copies of the same words under the same Message-ID are one letter (D-N49).

Only the beginning of a stranger's letter is read, in case they want to join (NC 1c). Anyone can write any number of
letters, of any length, in anyone's name. So the contestmaster is told of a limited number a day (D-N47), and an address
gets at most one answer a day, and none if somebody else may be writing in its name (D-A17).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nomicwolf.contest import delivery, rosters
from nomicwolf.contest.ballots import came_too_late
from nomicwolf.contest.mail import assurance
from nomicwolf.contest.mail.assurance import (
    for_other_contest,
    identified,
    invalidate_tokens,
    note_published,
    possible_contests,
    report_forgery,
    which_contest_text,
)
from nomicwolf.contest.mail.hints import (
    by_name,
    joining_missed,
    near_misses,
    note_shown_card,
    objection_missed,
    trial_missed,
)
from nomicwolf.contest.mail.intake import (
    as_heard,
    complete_second,
    complete_speech,
    complete_unsubscription,
    deeds_in,
    heard_from_others,
    read_letter,
    take_reading,
)
from nomicwolf.contest.step import (
    DISCUSSION,
    ReadLetter,
    Verdict,
    Work,
    answers_left,
    cap_exceeded,
    channel_of,
    effective_at,
    forums_of,
    is_quiet,
    marks_of,
    may_answer,
    newcomers_left,
    report_flood,
    trust_of,
)
from nomicwolf.language.reader import read
from nomicwolf.letters.attribution import Authored, authored, beginning
from nomicwolf.letters.identity import fold_address, vouched, written_by
from nomicwolf.letters.letter import Assurance, Letter
from nomicwolf.letters.origin import answerable, is_own, machine
from nomicwolf.nomic.events import (
    Asked,
    CopyHeard,
    DeedDone,
    DeedHeard,
    DeedMoved,
    LetterHeard,
    LetterHeld,
    Noted,
    Refused,
)
from nomicwolf.nomic.law_events import StrangerAnswered
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People, Reading
from nomicwolf.reading.set_phrases import disclaimer


def copy_of(contest: Contest, letter: Letter, channel: str) -> int | None:
    """Return the letter that *letter*, received by *channel*, is a copy of; None if it isn't a copy.

    What was refused where it came first may be sent on, as it is, to where it belongs.
    """
    if not letter.message_id:
        return contest.by_digest.get(letter.digest)
    same = [n for n in contest.by_message.get(letter.message_id, ()) if contest.letters[n].digest == letter.digest
            and contest.letters[n].bucket not in ("stranger", "machine")]
    alike = [n for n in same if _channel_word(contest, contest.letters[n].channel) == _channel_word(contest, channel)]
    return next((n for n in (*alike, *same) if n in alike or not _refused_in(contest, n)), None)


def others_under(contest: Contest, letter: Letter) -> list[int]:
    """Return the letters with the same Message-ID, other words and a certain author: nobody else can reserve an ID."""
    known = contest.by_message.get(letter.message_id, ()) if letter.message_id else ()
    return [n for n in known if contest.letters[n].bucket in ("deeds", "no-deed")
            and contest.letters[n].digest != letter.digest]


def decorated_copy(
    contest: Contest, letter: Letter, channel: str, read_as: Callable[[Contest, Letter, str], Reading | None]
) -> int | None:
    """Return the letter that *letter*, through another forum, is a copy of with more words around it; None if none.

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
    game, instant = contest.game, effective_at(contest, letter)
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


def _channel_word(contest: Contest, channel: str) -> str:
    """Return how public *channel* is: all forums are alike."""
    return "forum" if channel in contest.setup.nomics else channel


def _refused_in(contest: Contest, number: int) -> bool:
    return any(e.comes_of("letter", number) and isinstance(e.event, Refused) for e in contest.entries[number:])


CITES = ("NC 1c", "D-A17")
JOINING = ("join", "play", "sign", "count me", "add me", "let me", "deal me", "contest", "contract", "party", "bound",
           "agree", "game", "werewol", "'m in", "am in", "want in", "/in")
"""Words of somebody who may want to join; a stranger's private letter without one is read no further."""
LINE = "I join this contract."
ELSEWHERE = "A letter to the contest does nothing for that: joining takes effect in a forum, where everyone reads it."
ASKED = "it asks to join, and who joins waits for the contestmaster"
"""Why a letter is held by which somebody joins who is no party yet (`contest.joining`)."""
UNCLEAR = "Your letter was not understood, and nothing was done."
WAITS = "Your letter waits: the contestmaster looks at who joins. You need not write again."


def newcomer(contest: Contest, letter: Letter) -> str | None:
    """Return the name of a stranger who joins, observes, or confirms their new address by *letter*; None of others."""
    return rosters.newcomer(contest, letter) or rosters.address_newcomer(contest, letter) or _observer(contest, letter)


def _observer(contest: Contest, letter: Letter) -> str | None:
    """Return the name of a stranger who asks by private mail to observe, if they surely wrote it (D-A18)."""
    display, address = written_by(letter, forums_of(contest.setup))
    if letter.through or not address or not rosters.reachable(contest.setup, address):
        return None
    deeds = read(beginning(letter).lines, People(living=(), others=tuple(contest.persons)), to="contestmaster").deeds
    asks = [deed for deed in deeds if deed.verb == "observe" and not delivery.is_over(deed.words)]
    if not asks or len(asks) < len(deeds) or not delivery.has_room(contest):
        return None
    if not vouched(letter, address, trust_of(contest.setup)) or not answerable(letter, marks_of(contest.setup)):
        return None
    return rosters.fitting_name(contest, (display, address.partition("@")[0]))


def _may_join(lines: Iterable[tuple[int, str]]) -> bool:
    folded = "\n".join(line for _, line in lines).casefold()
    return any(words in folded for words in JOINING)


def answer_would_be_party(work: Work, letter: Letter, number: int) -> None:
    """Tell a stranger who seems to want to join how that is done, and the contestmaster of them (NC 1c)."""
    display, address = written_by(letter, forums_of(work.contest.setup))
    lines_read = beginning(letter).lines
    if not address or (not letter.through and not _may_join(lines_read)):
        return
    reading = read(lines_read, People(living=(), others=tuple(work.contest.persons)), to="forum")
    lines = [p.text for p in reading.problems if "join" in p.suggestions]
    lines += [d.text for d in reading.deeds if d.verb == "join"]
    lines += [named[1]] if (named := by_name(work.contest.setup, lines_read)) and named[2] == "join" else []
    if not lines:
        return
    _report_stranger(work, letter, f"{display} <{address}>", address, lines[0], number)
    name, why = rosters.joining(work.contest, letter)
    if not letter.through:
        answer_stranger(work, letter, ELSEWHERE, LINE, number)
    elif name and why:
        answer_stranger(work, letter, f"You can't be called {name} here: {why}", f"{LINE[:-1]} as NAME.", number)
    else:
        answer_stranger(work, letter, UNCLEAR, LINE, number)


def _report_stranger(work: Work, letter: Letter, who: str, address: str, line: str, number: int) -> None:
    """Tell the contestmaster of a stranger once, and of so many a day only."""
    left, setup = newcomers_left(work.contest, work.now), work.contest.setup
    if left <= 0:
        return
    where = "" if letter.through else ", in a letter to the contest's own address, where nobody joins"
    then = ('Nobody is registered with that address. `party add NAME ADDRESS` lets em in; or e posts "I join this '
            'contract.", by a name that is free.' if rosters.reachable(setup, address) else
            "No letter of the contest's can go to that address: its mail server takes none that is beyond ASCII before "
            "the @ (smtp.utf8 = false), so e has not joined. Ask em to post it from another one.")
    told = f'A stranger, {who}, seems to want to join{where}: "{line}" {then}'
    if rosters.reachable(setup, address):
        told += (" E is told how." if vouched(letter, address, trust_of(setup)) else
                 " Nothing proves that e wrote the letter, so e gets no answer.")
    told += " Of further strangers you are told from midnight UTC on." if left == 1 else ""
    if ("newcomer", told) not in work.contest.noted:
        work.add(Noted("newcomer", told), cites=("NC 1c",), cause=f"letter {number}")


def asks_to_join(contest: Contest, author: str, verbs: Iterable[str]) -> bool:
    """Return whether a joining letter of *author*'s waits for approval, and they are a party nowhere (D-A16)."""
    party = any(author in names for names in contest.parties.values())
    return contest.setup.joining == "asked" and "join" in verbs and not party


def answer_stranger(work: Work, letter: Letter, why: str, write: str, number: int) -> None:
    """Tell the stranger who wrote *letter* *why* they haven't joined, and what to *write*, if an answer is allowed."""
    address = written_by(letter, forums_of(work.contest.setup))[1]
    if rosters.reachable(work.contest.setup, address) and may_answer(work.contest, letter, address, work.now):
        work.add(StrangerAnswered(fold_address(address), why, write), cites=CITES, cause=f"letter {number}")


def report_rejection(work: Work, number: int, why: str) -> None:
    """Tell a stranger whose letter *number* was held, if they know, that the contestmaster has not admitted them."""
    cause = f"letter {number}"
    told = [e.event for e in work.contest.entries[number:] if e.comes_of("letter", number)]
    for event in told:
        if isinstance(event, StrangerAnswered):
            said = f"The contestmaster has not let you in: {why}"
            work.add(StrangerAnswered(event.address, said), cites=CITES, cause=cause)


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
    copy = copy_of(work.contest, letter, channel) or decorated_copy(work.contest, letter, channel, deeds_in)
    if copy and not in_time(work, letter, copy):
        return _hear_copy(work, letter, copy)
    if found := for_other_contest(work.contest, letter):
        return _close(work, letter, Verdict(*found))
    verdict = _sort(work.contest, letter, copy)
    unknown = verdict.bucket == "stranger"
    known = newcomer(work.contest, letter) if unknown else None
    if known is not None:
        verdict = Verdict("deeds", known, sure="forum" if letter.stamps else "from")
    told, cites = _notice_of_hold(letter, verdict)
    if told and verdict.author and answers_left(work, letter, verdict.author):
        return _hold_for_ruling(work, letter, verdict, "", told, cites)
    if verdict.bucket != "deeds":
        return _close(work, letter, verdict)
    return _hear_author(work, letter, verdict.author, verdict.sure)


def _hear_copy(work: Work, letter: Letter, number: int) -> Verdict:
    """A further copy is the same act; a copy with an earlier stamp moves what still waits."""
    first = work.contest.letters[number]
    verdict = Verdict("duplicate", first.author, f"a copy of letter {number}")
    channel = channel_of(work.contest, letter)
    _record(work, letter, verdict)
    instant = effective_at(work.contest, letter)
    if channel != first.channel and channel not in (DISCUSSION, PRIVATE):
        work.add(CopyHeard(number, channel, instant), cites=("NC 1g",))
        rosters.copy_heard(work, first.author, letter, number, channel)
    for waiting in work.contest.deeds.by_letter.get(number, ()):
        if instant < work.contest.pending[waiting].instant:
            work.add(DeedMoved(waiting, instant), cites=("D-N9",))
    found = assurance.identified(work.contest, letter)
    if found.person is not None and not found.held and found.person.name == first.author:
        assurance.raise_assurance(work, letter, number, instant, found.assurance)
    return verdict


def _sort(contest: Contest, letter: Letter, copied: int | None) -> Verdict:
    """Return the bucket by envelope alone; ``deeds`` means that the text must be read.

    *copied* is the letter that says the same under its Message-ID, though a list may have put other words around it.
    """
    if is_own(letter, marks_of(contest.setup)):
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


def _notice_of_hold(letter: Letter, verdict: Verdict) -> tuple[str, tuple[str, ...]]:
    """Return the notice, with its clauses, to the certain author of a letter held unread; '' for any other letter."""
    if verdict.why == REUSED:
        return AFRESH, ("D-N49",)
    return (HELD.format(letter.trouble.rstrip(".")), ("D-N10",)) if letter.trouble else ("", ())


def _close(work: Work, letter: Letter, verdict: Verdict) -> Verdict:
    entry = _record(work, letter, verdict)
    if verdict.bucket == "own":
        note_published(work, letter)
        report_forgery(work, letter, entry)
    if verdict.bucket == "stranger" and not verdict.why.startswith("for another contest"):
        answer_would_be_party(work, letter, entry)
    if verdict.bucket == "held":
        work.add(LetterHeld(entry, verdict.why, quiet=is_quiet(work.contest, letter.arrived)))
    return verdict


def _flood(work: Work, letter: Letter, verdict: Verdict) -> Verdict:
    """Hold a letter above its author's daily cap; the first one is reported to them."""
    number = _record(work, letter, verdict)
    work.add(LetterHeld(number, verdict.why, quiet=True), cites=("D-N47",))
    report_flood(work, verdict.author, letter.arrived, verdict.why, number)
    return verdict


def _hold_for_ruling(
    work: Work, letter: Letter, verdict: Verdict, words: str, told: str, cites: tuple[str, ...]
) -> Verdict:
    """Hold a letter for a ruling, and tell its author that *words* are the reason."""
    number = _record(work, letter, verdict)
    work.add(LetterHeld(number, verdict.why))
    work.add(Refused(0, verdict.author, "", words, told), cites=cites, cause=f"letter {number}")
    return verdict


def _hold_for_approval(work: Work, letter: Letter, verdict: Verdict) -> Verdict:
    """Hold a letter that joins for the contestmaster's approval, and tell its author so (D-A16)."""
    if verdict.author in work.contest.persons:
        return _hold_for_ruling(work, letter, verdict, "", WAITS, ("D-A16",))
    number = _record(work, letter, verdict)
    work.add(LetterHeld(number, verdict.why))
    answer_stranger(work, letter, WAITS, "", number)
    return verdict


def _record(work: Work, letter: Letter, verdict: Verdict) -> int:
    stamped = max((at for _, at in letter.stamps), default=0)
    event = LetterHeard(
        letter.message_id, letter.content, letter.digest, verdict.author, verdict.bucket,
        channel_of(work.contest, letter), verdict.why, letter.sent or 0, stamped, letter.arrived, verdict.sure,
        assurance.proofs(letter),
    )
    number = work.add(event).number
    invalidate_tokens(work, letter, number)
    return number


def _hear_author(work: Work, letter: Letter, author: str, sure: Assurance) -> Verdict:
    """Read what *author* says and do it; hold what is too much, disclaims itself, or may be for another contest."""
    if over := cap_exceeded(work, author, letter):
        return _flood(work, letter, Verdict("held", author, over, sure))
    text = authored(letter, heard_from_others(work.contest, author))
    if text.too_long:
        return _hold_for_ruling(work, letter, Verdict("held", author, text.too_long, sure), "",
                                LONG.format(text.too_long), ("D-N10",))
    if why := disclaimer([line for _, line in text.lines]):
        verdict = Verdict("held", author, f"it disclaims what it says: {why}", sure)
        return _hold_for_ruling(work, letter, verdict, why, DISCLAIMED, ("D-N10",))
    reading = read_letter(work.contest, letter, author, text)
    reading = complete_unsubscription(work, letter, author, reading)
    if over := cap_exceeded(work, author, letter, len(reading.deeds)):
        return _flood(work, letter, Verdict("held", author, over, sure))
    written = [d.text for d in reading.deeds] + [p.text for p in reading.problems]
    if written and (contests := possible_contests(work.contest, letter)):
        verdict = Verdict("held", author, f"it could be for {' or '.join(contests)}", sure)
        return _hold_for_ruling(work, letter, verdict, written[0], which_contest_text(contests), ("D-N43",))
    if asks_to_join(work.contest, author, [d.verb for d in reading.deeds]):
        return _hold_for_approval(work, letter, Verdict("held", author, ASKED, sure))
    if author == work.contest.setup.contestmaster and not _roster_only(reading):
        return _hear_contestmaster(work, letter, author, reading)
    reading = complete_second(work, letter, author, text, complete_speech(work, letter, author, text, reading))
    return _take(work, letter, Verdict("deeds" if reading.deeds else "no-deed", author, sure=sure), text, reading)


def _take(work: Work, letter: Letter, verdict: Verdict, text: Authored, reading: Reading) -> Verdict:
    """Take what was read in a letter, and hint at what its author seems to have missed."""
    number = _record(work, letter, verdict)
    heard = ReadLetter(letter, number, verdict.author, channel_of(work.contest, letter), text, reading, verdict.sure)
    note_shown_card(work, heard)
    take_reading(work, heard)
    objection_missed(work, heard)
    joining_missed(work, heard)
    trial_missed(work, heard)
    if not reading.deeds and not reading.problems:
        near_misses(work, heard)
    return verdict


def _hear_contestmaster(work: Work, letter: Letter, author: str, reading: Reading) -> Verdict:
    """Refuse deeds in the contestmaster's letters: they are no player, and act by command (D-N1, X-20)."""
    verdict = Verdict("no-deed", author, "the contestmaster acts by command")
    number = _record(work, letter, verdict)
    why = "You are the contestmaster and no townsperson: by mail you do nothing. Give a command where the contest runs."
    for deed in reading.deeds:
        work.add(Refused(0, author, deed.verb, deed.text, why), cites=("NC 2a", "D-N1"), cause=f"letter {number}")
    return verdict


def _roster_only(reading: Reading) -> bool:
    return bool(reading.deeds) and all(d.verb in rosters.ROSTER_VERBS for d in reading.deeds)
