"""What comes back from a nomic's forum in the contest's name (NC 1g).

From when an announced intent counts is told by its own letter (D-N34). What only pretends to be ours does nothing, but
everyone on the forum has read it, so the contestmaster is told.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.contest.capping import forgeries_left
from nomicwolf.contest.work import Work
from nomicwolf.letters.compose import is_ours, message_id
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.actions import IntentAnnounced, IntentPosted, IntentPublished
from nomicwolf.nomic.events import Noted
from nomicwolf.village.events import Entry


def note_posted(work: Work, letters: Sequence[Outgoing], entries: Sequence[Entry]) -> None:
    """Remember in which of the *letters* now owed, which tell of *entries*, an intent is announced to each forum."""
    told = [e.event.number for e in entries if isinstance(e.event, IntentAnnounced)]
    first = {o.forum: o for o in reversed(letters) if o.kind == "public"}
    for number in told:
        for nomic, letter in first.items():
            begins = _begins(message_id(f"public/{letter.key}", work.contest.setup.secret, "forum"))
            work.add(IntentPosted(number, nomic, begins), cites=("D-N34",), cause="command")


def came_back(work: Work, letter: Letter) -> None:
    """Note the instant at which a forum published an intent, when *letter*, our own, comes through it."""
    stamps = dict(letter.stamps)
    for intent in list(work.contest.law.intents.values()):
        for nomic, begins in intent.posted:
            if nomic in letter.through and begins == _begins(letter.message_id) and nomic not in dict(intent.published):
                at = min(stamps.get(nomic, letter.arrived), letter.arrived)
                work.add(IntentPublished(intent.number, nomic, at), cites=("NC 1g", "D-N34"))


def pretends(work: Work, letter: Letter, number: int) -> None:
    """Tell the contestmaster of a letter on a forum that bears the contest's address or mark, but not its seal.

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
