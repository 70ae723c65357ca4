"""Players have a part in the seed: the half is bound, their letters go into it, and in the end it is told (NC 2b)."""

from __future__ import annotations

from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import LetterHeard
from nomicwolf.nomic.seeds import HalfTold, SeedBound, SeedKept, SeedMixed, Words
from nomicwolf.nomic.state import Contest
from nomicwolf.village.lots import half_commitment, mixed_seed
from nomicwolf.village.rules import Refusal

LETTERS = "letters"
"""What stands for a seed that is made of the bound half and of players' letters."""
CITES = ("NC 2b",)


def bind(work: Work, command: Command) -> str:
    """Bind the contestmaster's half of the next session's seed; once only, for a second one would be a choice."""
    number, half = work.contest.session + 1, command.get("seed")
    if bound(work.contest, number):
        raise Refusal(f"The half of session {number}'s seed is bound already; start with --seed-from letters.", CITES)
    work.add(SeedBound(number, half_commitment(work.contest.setup.contest, number, half)), cites=CITES, cause="command")
    work.add(SeedKept(number, half), cites=CITES, cause="command")
    return (f"Your half of session {number}'s seed is bound, and announced: what is written on a forum from now on "
            "goes into the seed. Then: nomicwolf start --seed-from letters")


def bound(contest: Contest, session: int) -> int:
    """Return the number of the entry that bound the half of *session*'s seed, 0 if none was."""
    return contest.recalled.bound.get(session, 0)


def half_of(contest: Contest, session: int) -> str:
    """Return the contestmaster's half of *session*'s seed, '' if there is none."""
    return contest.recalled.halves.get(session, "")


def letters_since(contest: Contest, entry: int) -> Words:
    """Return the letters that players have sent through a forum since *entry*, in the order of the mailbox."""
    letters = (e.event for e in contest.entries[entry:] if isinstance(e.event, LetterHeard))
    return tuple((heard.author, heard.digest) for heard in letters
                 if heard.channel in contest.setup.nomics and heard.bucket in ("deeds", "no-deed")
                 and heard.author != contest.setup.contestmaster)


def seed_for(work: Work, session: int, given: str) -> tuple[str, tuple[SeedMixed, ...]]:
    """Return the seed of *session*, and how it was mixed; raise `Refusal` if it was bound and isn't, or the reverse."""
    since = bound(work.contest, session)
    if given != LETTERS:
        if since:
            raise Refusal(f"A half of session {session}'s seed is bound, and players were told that their letters go "
                          "into it: start with --seed-from letters.", CITES)
        return given, ()
    if not since:
        raise Refusal("Bind your half of the seed first, before anyone writes: nomicwolf start --bind.", CITES)
    words = letters_since(work.contest, since)
    return mixed_seed(half_of(work.contest, session), words), (SeedMixed(session, words),)


def tell_half(work: Work) -> None:
    """Tell the half of the session's seed, if it had one."""
    half = half_of(work.contest, work.contest.session)
    if half:
        work.add(HalfTold(work.contest.session, half), cites=("D-N23",))
