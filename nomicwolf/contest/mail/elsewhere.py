"""Letters that are for another contest which reads the same mailbox, or may be (D-N43)."""

from __future__ import annotations

from nomicwolf.contest.mail.routing import route
from nomicwolf.contest.recognising import marks_of
from nomicwolf.letters.addresses import fold_address
from nomicwolf.letters.letter import Bucket, Letter
from nomicwolf.letters.machine import is_own, machine
from nomicwolf.nomic.state import Contest


def elsewhere(contest: Contest, letter: Letter) -> tuple[Bucket, str, str] | None:
    """Return the bucket of a letter that is for another contest, its author ('') and why; None if it is heard here."""
    setup = contest.setup
    if not setup.others or is_own(letter, marks_of(setup)):
        return None
    if {fold_address(a) for _, a in letter.senders} & {fold_address(o.address) for o in setup.others}:
        return "own", "", "mail of another contest that reads this mailbox"
    if machine(letter):
        return None
    found = route(contest, letter)
    if found.contests[0] == setup.contest:
        return None
    return "stranger", "", f"for another contest, {found.contests[0]}: {found.why}"


def several(contest: Contest, letter: Letter) -> tuple[str, ...]:
    """Return the contests that *letter* could be for, where nothing in it tells; () if it is for one."""
    found = route(contest, letter) if contest.setup.others else None
    return () if found is None or found.sure() else found.contests


def which(contests: tuple[str, ...]) -> str:
    """Return the question which of *contests* is meant."""
    named = " or ".join(f"contest {name}" for name in contests)
    return ("You take part in more than one contest here, and this could be for any of them: nothing was done. Write "
            f"it again, with a line of its own before it: {named}; or answer a letter of the contest that you mean.")
