"""The contest's own letters, as forums return them.

From when an announced intent counts is told by its own letter (D-N34). What only pretends to be ours does nothing, but
everyone on the forum has read it, so the contestmaster is told.

Our letters that a forum has not sent back, or that nobody got, are reported once, so that only these go again (NC 1g).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nomicwolf.contest.caps import forgeries_left
from nomicwolf.contest.step import Command, LetterCame, Verdict, Work
from nomicwolf.letters.compose import is_ours, message_id
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.events import Noted
from nomicwolf.nomic.law_events import IntentAnnounced, IntentPosted, IntentPublished
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.public import echoing_forums, unseen_letters
from nomicwolf.village.events import Entry


def note_posted(work: Work, letters: Sequence[Outgoing], entries: Sequence[Entry]) -> None:
    """Remember in which of the *letters* now owed, which tell of *entries*, an intent is announced to each forum."""
    told = [e.event.number for e in entries if isinstance(e.event, IntentAnnounced)]
    first = {o.forum: o for o in reversed(letters) if o.kind == "public"}
    for number in told:
        for nomic, letter in first.items():
            begins = _begins(message_id(f"public/{letter.key}", work.contest.setup.secret, "forum"))
            work.add(IntentPosted(number, nomic, begins), cites=("D-N34",), cause="command")


def note_published(work: Work, letter: Letter) -> None:
    """Note the instant at which a forum published an intent, when *letter*, our own, comes through it."""
    stamps = dict(letter.stamps)
    for intent in list(work.contest.law.intents.values()):
        for nomic, begins in intent.posted:
            if nomic in letter.through and begins == _begins(letter.message_id) and nomic not in dict(intent.published):
                at = min(stamps.get(nomic, letter.arrived), letter.arrived)
                work.add(IntentPublished(intent.number, nomic, at), cites=("NC 1g", "D-N34"))


def report_forgery(work: Work, letter: Letter, number: int) -> None:
    """Report to the contestmaster a letter on a forum with the contest's address or mark, but not its seal.

    Not where contests share a mailbox: another one's letters may bear the same address.
    """
    setup, left = work.contest.setup, forgeries_left(work.contest, work.now)
    if not letter.through or setup.others or is_ours(letter.message_id, setup.secret) or left <= 0:
        return
    told = (f"Letter {number} came through {' and '.join(letter.through)} in the contest's name, and nomicwolf did not "
            "send it: if you didn't either, tell the forum so. It did nothing.")
    told += " Of further ones you are told from midnight UTC on." if left == 1 else ""
    work.add(Noted("forged", told), cites=("NC 1g",), cause=f"letter {number}")


def _begins(message: str) -> str:
    return message.strip("<>").partition("@")[0].lower()


UNNAMED, SHOWN = "unnamed", 4
"""Under which topic hosts are noted that `contest.mail_hosts` lacks, and how many notes there are at most."""
_HOST = re.compile(r"[a-z0-9.:_-]{1,80}")


def echo_missing(work: Work, command: Command) -> str:
    """Note each letter in ``letters`` ("NOMIC NUMBER SUBJECT") once, if its forum is one that echoes."""
    echoes = echoing_forums(work.contest)
    for item in command.many("letters"):
        nomic, _, rest = item.partition(" ")
        number, _, subject = rest.partition(" ")
        text = (f"Letter {number} to {nomic}, {subject!r}, was sent a day ago or more and has not come back from the "
                f"forum: look whether the forum has it (moderation, a full mailbox).{_of_intent(work, nomic, subject)}")
        if nomic in echoes and ("echo", text) not in work.contest.noted:
            work.add(Noted("echo", text), cites=("NC 1g",), cause="clock")
    return ""


def only_named(work: Work, command: Command) -> str:
    """Note each letter once that counts as posted by its To or Cc, and that no forum has sent a copy of."""
    for note in unseen_notes(work.contest, work.now):
        work.add(note, cites=("NC 1g",), cause="clock")
    return ""


def unseen_notes(contest: Contest, now: int) -> tuple[Noted, ...]:
    """Return what is to be noted of such letters, and wasn't yet."""
    notes = (Noted("unseen", (
        f"Letter {number} from {letter.author} counts as posted to {letter.channel} by its own To or Cc; no copy has "
        "come from that forum for a day. If the forum hasn't got it, nobody else has seen it: you may undo what it did "
        '(`nomicwolf undo`), and assurance.public = "forum" waits for the forum\'s copy. If a copy has come, the '
        "forum's stamp on it isn't believed: contest.mail_hosts, where it is set, has to name every mail server of "
        "yours that such a letter passes."))
        for number, letter in unseen_letters(contest, now))
    return tuple(note for note in notes if (note.topic, note.text) not in contest.noted)


def _of_intent(work: Work, nomic: str, subject: str) -> str:
    """Return what follows where the letter announces an intent: its days don't count yet (D-N34)."""
    for intent in work.contest.law.intents.values():
        if f"Intent {intent.number}:" in subject and nomic not in dict(intent.published):
            return (f" It announces intent {intent.number}, whose days count in {nomic} from when the forum has "
                    "it: if it was lost, announce the intent anew with `nomicwolf intend`.")
    return ""


def note_unnamed(work: Work, letter: Letter) -> None:
    """Note, once for the same hosts, that a forum's stamp isn't believed for hosts above it that are none of ours.

    Whoever invents such hosts could have any number of notes, so a contest has but a few.
    """
    unnamed = {forum: [host for at, host in letter.unnamed if at == forum] for forum, _ in letter.unnamed}
    for forum, hosts in unnamed.items():
        shown = ", ".join(host for host in hosts[:SHOWN] if _HOST.fullmatch(host)) or "a server without a name"
        told = (f"A letter came through {forum} whose forum's stamp isn't believed, for above it stands {shown}, and "
                "contest.mail_hosts does not name that. If it is a mail server of yours, add it there; if not, "
                "somebody has invented the stamp.")
        noted = work.contest.noted
        if (UNNAMED, told) not in noted and sum(topic == UNNAMED for topic, _ in noted) < SHOWN:
            work.add(Noted(UNNAMED, told), cites=("D-N9",))


def note_returned(work: Work, came: LetterCame, verdict: Verdict) -> None:
    """Note once that a letter of ours came back, if it was a machine that says so."""
    told = ("bounce", came.returned)
    if came.returned and verdict.bucket == "machine" and told not in work.contest.noted:
        work.add(Noted("bounce", came.returned), cites=("NC 1g",))
