"""Letters of strangers: of each only the beginning is read, for whoever may want to join (NC 1c).

Anyone can write any number of them, of any length, in anyone's name. So the contestmaster is told of so many a day only
(D-N47), and an answer goes but once a day to an address, and to none in whose name somebody else may write (D-A17).
"""

from __future__ import annotations

from collections.abc import Iterable

from nomicwolf.contest import addresses, observing, rosters
from nomicwolf.contest.capping import may_answer, newcomers_left
from nomicwolf.contest.mail.byname import by_name
from nomicwolf.contest.recognising import forums_of, marks_of, trust_of
from nomicwolf.contest.work import Work
from nomicwolf.language.reader import read
from nomicwolf.letters.addresses import fold_address
from nomicwolf.letters.attribution import beginning
from nomicwolf.letters.identity import vouched, written_by
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.machine import answerable
from nomicwolf.nomic.care import StrangerAnswered
from nomicwolf.nomic.events import Noted
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People

CITES = ("NC 1c", "D-A17")
JOINING = ("join", "play", "sign", "count me", "add me", "let me", "deal me", "contest", "contract", "party", "bound",
           "agree", "game", "werewol", "'m in", "am in", "want in", "/in")
"""What somebody writes who may want to join: letters of strangers to us alone are read no further without it."""
LINE = "I join this contract."
ELSEWHERE = "A letter to the contest does nothing for that: joining takes effect in a forum, where everyone reads it."
ASKED = "it asks to join, and who joins waits for the contestmaster"
"""Why a letter is held by which somebody joins who is no party yet (`contest.joining`)."""
UNCLEAR = "Your letter was not understood, and nothing was done."
WAITS = "Your letter waits: the contestmaster looks at who joins. You need not write again."


def newcomer(contest: Contest, letter: Letter) -> str | None:
    """Return the name of a stranger who joins, observes, or confirms eir new address by *letter*; None of others."""
    return rosters.newcomer(contest, letter) or addresses.newcomer(contest, letter) or _observer(contest, letter)


def _observer(contest: Contest, letter: Letter) -> str | None:
    """Return the name by which a stranger observes who asks for that by private mail, if e surely wrote it (D-A18)."""
    display, address = written_by(letter, forums_of(contest.setup))
    if letter.through or not address or not addresses.reachable(contest.setup, address):
        return None
    deeds = read(beginning(letter).lines, People(living=(), others=tuple(contest.persons)), to="contestmaster").deeds
    asks = [deed for deed in deeds if deed.verb == "observe" and not observing.is_over(deed.words)]
    if not asks or len(asks) < len(deeds) or not observing.has_room(contest):
        return None
    if not vouched(letter, address, trust_of(contest.setup)) or not answerable(letter, marks_of(contest.setup)):
        return None
    return rosters.fitting(contest, (display, address.partition("@")[0]))


def _may_join(lines: Iterable[tuple[int, str]]) -> bool:
    folded = "\n".join(line for _, line in lines).casefold()
    return any(words in folded for words in JOINING)


def maybe_joins(work: Work, letter: Letter, number: int) -> None:
    """Tell a stranger who seems to want to join how that is done, and the contestmaster of em (NC 1c)."""
    display, address = written_by(letter, forums_of(work.contest.setup))
    own = beginning(letter).lines
    if not address or (not letter.through and not _may_join(own)):
        return
    reading = read(own, People(living=(), others=tuple(work.contest.persons)), to="forum")
    lines = [p.text for p in reading.problems if "join" in p.suggestions]
    lines += [d.text for d in reading.deeds if d.verb == "join"]
    lines += [named[1]] if (named := by_name(work.contest.setup, own)) and named[2] == "join" else []
    if not lines:
        return
    _tell_of(work, letter, f"{display} <{address}>", address, lines[0], number)
    name, why = rosters.joining(work.contest, letter)
    if not letter.through:
        answer(work, letter, ELSEWHERE, LINE, number)
    elif name and why:
        answer(work, letter, f"You can't be called {name} here: {why}", f"{LINE[:-1]} as NAME.", number)
    else:
        answer(work, letter, UNCLEAR, LINE, number)


def _tell_of(work: Work, letter: Letter, who: str, address: str, line: str, number: int) -> None:
    """Tell the contestmaster of a stranger once, and of so many a day only."""
    left, setup = newcomers_left(work.contest, work.now), work.contest.setup
    if left <= 0:
        return
    where = "" if letter.through else ", in a letter to the contest's own address, where nobody joins"
    then = ('Nobody is registered with that address. `party add NAME ADDRESS` lets em in; or e posts "I join this '
            'contract.", by a name that is free.' if addresses.reachable(setup, address) else
            "No letter of the contest's can go to that address: its mail server takes none that is beyond ASCII before "
            "the @ (smtp.utf8 = false), so e has not joined. Ask em to post it from another one.")
    told = f'A stranger, {who}, seems to want to join{where}: "{line}" {then}'
    if addresses.reachable(setup, address):
        told += (" E is told how." if vouched(letter, address, trust_of(setup)) else
                 " Nothing proves that e wrote the letter, so e gets no answer.")
    told += " Of further strangers you are told from midnight UTC on." if left == 1 else ""
    if ("newcomer", told) not in work.contest.noted:
        work.add(Noted("newcomer", told), cites=("NC 1c",), cause=f"letter {number}")


def asks_to_join(contest: Contest, author: str, verbs: Iterable[str]) -> bool:
    """Return whether a letter of *author*'s that does this waits since it joins, and e is a party nowhere (D-A16)."""
    party = any(author in names for names in contest.parties.values())
    return contest.setup.joining == "asked" and "join" in verbs and not party


def answer(work: Work, letter: Letter, why: str, write: str, number: int) -> None:
    """Tell the stranger who wrote *letter* *why* e has not joined and what to *write*, if e may be answered today."""
    address = written_by(letter, forums_of(work.contest.setup))[1]
    if addresses.reachable(work.contest.setup, address) and may_answer(work.contest, letter, address, work.now):
        work.add(StrangerAnswered(fold_address(address), why, write), cites=CITES, cause=f"letter {number}")


def turned_away(work: Work, number: int, why: str) -> None:
    """Tell a stranger whose letter *number* was held, if e was told so, that the contestmaster has not let em in."""
    cause = f"letter {number}"
    told = [e.event for e in work.contest.entries[number:] if e.cause == cause]
    for event in told:
        if isinstance(event, StrangerAnswered):
            said = f"The contestmaster has not let you in: {why}"
            work.add(StrangerAnswered(event.address, said), cites=CITES, cause=cause)
