"""Who has left everywhere leaves the session, too: in the place of eir letter among all others, whenever it is read.

NC 1c: “and CAN leave again”.
"""

from __future__ import annotations

from nomicwolf.contest.arriving import channel_of
from nomicwolf.contest.work import Work
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import DeedDone, DeedHeard, PartyJoined, PartyLeft
from nomicwolf.village.events import Removed

LEAVE = "leave"
"""The verb of the deed that waits."""
BY_EIR_WORD = "by eir own word"
"""Why somebody leaves who says so emself."""


def in_eir_turn(work: Work, who: str, letter: Letter, number: int, text: str, place: int) -> None:
    """Let *who*'s leaving the session wait for its instant: when e left the last nomic, by *letter* or by another.

    *number* is the letter's, *text* the words in it, *place* that among its deeds.
    """
    nomics = work.contest.setup.nomics
    channel = channel_of(work.contest, letter)
    rank = nomics.index(channel) if channel in nomics else len(nomics)
    work.add(DeedHeard(
        letter=number, who=who, verb=LEAVE, names=(), ballot=None, words="", says=LEAVE, line=1, text=text,
        channel=channel, instant=left_at(work, who), key=(letter.arrived, rank, letter.order, place), sure="from",
    ), cites=("D-N9",), cause=f"letter {number}")


def left_at(work: Work, who: str) -> int:
    """Return when *who* left the last nomic in which e was a party (UTC seconds): each by eir first letter."""
    left: dict[str, int] = {}
    for entry in reversed(work.contest.entries):
        if isinstance(entry.event, PartyJoined) and entry.event.who == who:
            break
        if isinstance(entry.event, PartyLeft) and entry.event.who == who:
            left[entry.event.nomic] = min(left.get(entry.event.nomic, entry.at), entry.at)
    return max(left.values(), default=0)


def sooner(work: Work, who: str, nomic: str, cause: str, at: int) -> bool:
    """Let *who*, who plays, have left *nomic* at *at* if only a later letter of eirs was read; return whether e has."""
    game = work.contest.running
    if game is None or who not in game.seats or who in work.contest.parties.get(nomic, ()):
        return False
    last = next((e for e in reversed(work.contest.entries) if isinstance(e.event, PartyJoined | PartyLeft)
                 and (e.event.who, e.event.nomic) == (who, nomic)), None)
    if last is None or not isinstance(last.event, PartyLeft) or last.event.why != BY_EIR_WORD or last.at <= at:
        return False
    work.add(PartyLeft(who, nomic, BY_EIR_WORD), at, ("NC 1c", "D-N9"), cause)
    return True


def leave(work: Work, who: str, why: str, at: int, cause: str, number: int = 0) -> None:
    """Let the session hear at *at* that *who* has left it (D-N11, D-A2); the deed *number* waits no longer.

    So it does of the dead: who looks only at what all are told can't tell whether e was killed this night, and who has
    left doesn't come back (D-A2).
    """
    game = work.contest.running
    if game is None or who not in game.seats:
        if number:
            work.add(DeedDone(number, who, LEAVE, ""), at, (), cause)
        return
    rules, moment = work.rules, max(at, game.clock)
    work.play(lambda g: rules.settle(g, moment, (Removed(who, why),), ("NC 1c", "D-N11"), cause))
