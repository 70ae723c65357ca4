"""What came by the wrong way: private deeds in a forum, public ones by private mail (NC 1g, D-N25)."""

from __future__ import annotations

from nomicwolf.contest.channels import DEAD, LAW, can_do, never_accused
from nomicwolf.contest.happenings import ReadLetter
from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import Noted, Refused
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.reading.deeds import Deed


def misplace(work: Work, heard: ReadLetter, deed: Deed, wrong: str) -> None:
    """Refuse a deed that came by the wrong way, and say *wrong*, why; never where others can see it."""
    number, author, channel = heard.number, heard.author, heard.channel
    strange = bool(never_accused(work.rules, deed.verb))
    cites = () if strange else ("NC 1g", "D-N25") if channel == PRIVATE else ("NC 1g",)
    game = work.contest.running
    dead = game is not None and author in game.shown_dead and not can_do(work.rules, game, author, deed.verb)
    if dead and deed.verb not in LAW:
        wrong = DEAD
    work.add(Refused(0, author, deed.verb, deed.text, wrong), cites=cites, cause=f"letter {number}")
    if channel != PRIVATE and deed.verb not in ("vote", "unvote") and not strange:
        work.add(Noted("misplaced", f"Letter {number}: a private action came through {channel}; it was not done."))
