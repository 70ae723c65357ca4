"""Cards that are shown: whoever quotes in a forum what e was told of eir role is pointed out (D-G13)."""

from __future__ import annotations

import re

from nomicwolf.contest.happenings import ReadLetter
from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import Noted

REPEATED = ("quoted", "forwarded")


def point_out(work: Work, heard: ReadLetter) -> None:
    """Note for the contestmaster that a public letter repeats one about a role.

    That it is no deed follows from its being quoted; whether it is the author's true role is not looked at.
    """
    game, rules = work.contest.running, work.rules
    if not rules.cards or game is None or not heard.letter.forums or heard.author not in game.seats:
        return
    titles = "|".join(re.escape(role.title or name) for name, role in rules.roles.items())
    repeated = " ".join(line.strip("> ") for _, line, why in heard.text.ignored if why in REPEATED)
    if re.search(rf"\byou are (?:an? |the |one of the )?(?:{titles})\b", repeated, re.IGNORECASE):
        told = f"Letter {heard.number}: {heard.author} quotes a letter about a card, and no card may be shown."
        work.add(Noted("card", told), cites=rules.cards, cause=f"letter {heard.number}")
