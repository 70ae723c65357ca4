"""Our letters that a forum has not sent back, or that nobody got: told once, so that only these go again (NC 1g)."""

from __future__ import annotations

import re

from nomicwolf.contest.happenings import Command, LetterCame, Verdict
from nomicwolf.contest.work import Work
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import Noted
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.public import echoing_forums, unseen_letters

UNNAMED, SHOWN = "unnamed", 4
"""Under which topic hosts are noted that `contest.mail_hosts` lacks, and how many notes there are at most."""
_HOST = re.compile(r"[a-z0-9.:_-]{1,80}")


def missing(work: Work, command: Command) -> str:
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
