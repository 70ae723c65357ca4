"""From when an announced intent counts: its own letter comes back from a nomic's forum (NC 1g, D-N34)."""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.contest.work import Work
from nomicwolf.letters.compose import message_id
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.nomic.actions import IntentAnnounced, IntentPosted, IntentPublished


def posted(work: Work, letters: Sequence[Outgoing]) -> None:
    """Remember in which of the *letters* now owed an intent is announced to each forum."""
    told = [e.event.number for e in work.entries if isinstance(e.event, IntentAnnounced)]
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


def _begins(message: str) -> str:
    return message.strip("<>").partition("@")[0].lower()
