"""Letters of strangers: of each only the beginning is read, for whoever may want to join (NC 1c).

They are never answered, and anyone can write any number of them, of any length.
"""

from __future__ import annotations

from collections.abc import Iterable

from nomicwolf.contest import addresses, rosters
from nomicwolf.contest.capping import newcomers_left
from nomicwolf.contest.mail.byname import by_name
from nomicwolf.contest.recognising import forums_of
from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import beginning
from nomicwolf.letters.identity import written_by
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import Noted
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People
from nomicwolf.reading.reader import read

JOINING = ("join", "play", "sign", "count me", "add me", "let me", "deal me", "contest", "contract", "party", "bound",
           "agree", "game", "werewol", "'m in", "am in", "want in", "/in")
"""What somebody writes who may want to join: letters of strangers to us alone are read no further without it."""


def newcomer(contest: Contest, letter: Letter) -> str | None:
    """Return the name of a stranger who joins, or of who confirms eir new address, by *letter*; None of any other."""
    return rosters.newcomer(contest, letter) or addresses.newcomer(contest, letter)


def _may_join(lines: Iterable[tuple[int, str]]) -> bool:
    folded = "\n".join(line for _, line in lines).casefold()
    return any(words in folded for words in JOINING)


def maybe_joins(work: Work, letter: Letter, number: int) -> None:
    """Tell the contestmaster, once, of a stranger who seems to want to join by what e posts, or writes to us (NC 1c).

    That is told of so many a day only: anyone can write any number of such letters (D-N47).
    Strangers are never answered, so nobody but the contestmaster can tell em that a forum is the place.
    """
    left = newcomers_left(work.contest, work.now)
    display, address = written_by(letter, forums_of(work.contest.setup))
    if not address or left <= 0:
        return
    own = beginning(letter).lines
    if not letter.through and not _may_join(own):
        return
    reading = read(own, People(living=(), others=tuple(work.contest.persons)), to="forum")
    lines = [p.text for p in reading.problems if "join this contract" in p.suggestions]
    lines += [d.text for d in reading.deeds if d.verb == "join"]
    lines += [named[1]] if (named := by_name(work.contest.setup, own)) and named[2] == "join" else []
    if not lines:
        return
    where = "" if letter.through else ", in a letter to the contest's own address, where nobody joins"
    then = ('Nobody is registered with that address. `party add NAME ADDRESS` lets em in; or e posts "I join this '
            'contract.", by a name that is free.' if addresses.reachable(work.contest.setup, address) else
            "No letter of the contest's can go to that address: its mail server takes none that is beyond ASCII before "
            "the @ (smtp.utf8 = false), so e has not joined. Ask em to post it from another one.")
    told = f'A stranger, {display} <{address}>, seems to want to join{where}: "{lines[0]}" {then}'
    told += " Of further strangers you are told from midnight UTC on." if left == 1 else ""
    if ("newcomer", told) not in work.contest.noted:
        work.add(Noted("newcomer", told), cites=("NC 1c",), cause=f"letter {number}")
