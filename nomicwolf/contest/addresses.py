"""A change of address, which both addresses confirm; only whoever reads mail at both can do that."""

from __future__ import annotations

from nomicwolf.contest import capping
from nomicwolf.contest.happenings import Misuse
from nomicwolf.contest.work import Work
from nomicwolf.language.reader import read
from nomicwolf.letters.addresses import addr_spec, fold_address, for_transport, hashed, same
from nomicwolf.letters.attribution import beginning
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.care import AddressAsked, AddressConfirmed
from nomicwolf.nomic.events import DeedDone, PersonKnown
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Deed, People
from nomicwolf.reports.address_letters import token
from nomicwolf.village.rules import Refusal

SIDES = ("old", "new")
_ASCII = "its mail server takes none that is beyond ASCII before the @ (smtp.utf8 = false). Give another one."


def ask(work: Work, letter: Letter, who: str, deed: Deed, cause: str) -> None:
    """Ask both addresses whether *who* is to write from another one; raise `Refusal` for one that can't be."""
    address = fold_address(addr_spec(deed.words.strip().strip("<>.")) or "")
    if not address:
        raise Refusal("That is no address; write like: address: ash@example.org")
    if not reachable(work.contest.setup, address):
        raise Refusal(f"The contest can't write to {address}: {_ASCII}")
    if who not in work.contest.persons or owner(work.contest, address):
        raise Refusal(f"{address} is somebody's address already, or yours.")
    asked = AddressAsked(who, address)
    if work.contest.told.before(asked):
        raise Refusal("Both addresses have just been asked for you: answer each letter with its confirm line.")
    if not capping.answers_left(work, letter, who):
        return
    work.add(asked, cites=("NC 1c",), cause=cause)
    work.add(DeedDone(0, who, deed.says, "Both your addresses are asked: answer each letter with its confirm line."),
             cause=cause)


def owner(contest: Contest, address: str) -> str:
    """Return whose *address* is, '' if nobody's: a person, the contestmaster, the contest or a nomic's forum."""
    setup = contest.setup
    whose = {
        **{fold_address(f.address): f"the forum of {f.nomic}" for f in setup.forums},
        **{fold_address(f.discussion): f"a list of {f.nomic}" for f in setup.forums if f.discussion},
        fold_address(setup.address): setup.name,
        **{fold_address(a): setup.contestmaster for a in setup.contestmaster_addresses},
        **{fold_address(a): p.name for p in contest.persons.values() for a in p.addresses},
    }
    return whose.get(fold_address(address), "")


def reachable(setup: Setup, address: str) -> bool:
    """Return whether letters of the contest's can go to *address* (RFC 6531)."""
    return setup.utf8 or for_transport(address).isascii()


def given(contest: Contest, text: str, who: str) -> str:
    """Return the address that the contestmaster gives for *who*; `Refusal` for one that can't be eirs alone.

    Letters from an address that two persons share are nobody's for certain, and would all be held.
    """
    address = fold_address(addr_spec(text.strip().strip("<>")) or "")
    if not address:
        raise Misuse(f"{text!r} is no address; write it as name@host, without a display name.")
    if not reachable(contest.setup, address):
        raise Refusal(f"No letter can go to {address}: {_ASCII}")
    if (whose := owner(contest, address)) not in ("", who):
        raise Refusal(f"{address} belongs to {whose}: nobody could tell whose letters come from it. Give another one.")
    return address


def asked_by(contest: Contest, who: str) -> tuple[int, AddressAsked, tuple[str, ...]] | None:
    """Return the latest change that *who* asked for, if it is open: its entry, what it is, and the sides confirmed."""
    mine = [(number, asked, sides) for number, (asked, sides) in contest.law.asked.items() if asked.who == who]
    last = max(mine, default=None)
    return last if last is not None and set(last[2]) < set(SIDES) else None


def confirm(work: Work, who: str, deed: Deed, cause: str) -> None:
    """Take one of the two confirmations; with both, the new address takes the old one's place."""
    found = asked_by(work.contest, who)
    side = side_of(work.contest, who, deed.words)
    if found is None or not side:
        raise Refusal("That confirms nothing. Send the line that begins with “confirm” as it is in your newest letter "
                      "of the kind: a word that is mistyped, or of an older one, does nothing.")
    number, asked, _ = found
    old = work.contest.address_of(who)
    work.add(AddressConfirmed(number, side), cause=cause)
    if asked_by(work.contest, who) is not None:
        other = asked.address if side == "old" else old
        work.add(DeedDone(0, who, "confirm", f"Now confirm from the letter that went to {other}."), cause=cause)
        return
    person = work.contest.persons[who]
    work.add(PersonKnown(who, (asked.address, *person.addresses[1:]), person.aliases), cites=("NC 1c",), cause=cause)
    work.add(DeedDone(0, who, "confirm", f"You write from {asked.address} now; {old} is no longer yours."), cause=cause)


def side_of(contest: Contest, who: str, word: str) -> str:
    """Return which side of *who*'s open change *word* confirms: ``old``, ``new`` or ''."""
    found = asked_by(contest, who)
    given = hashed(word)
    right = [s for s in SIDES if found and same(hashed(token(contest.setup, found[0], found[1], s)), given)]
    return right[0] if right else ""


def newcomer(contest: Contest, letter: Letter) -> str | None:
    """Return who confirms eir new address by this letter from it, None if nobody does."""
    senders = {fold_address(address) for _, address in letter.senders}
    for asked, _ in contest.law.asked.values():
        if fold_address(asked.address) in senders and asked_by(contest, asked.who):
            reading = read(beginning(letter).lines, People(living=()), to="contestmaster")
            if any(d.verb == "confirm" and side_of(contest, asked.who, d.words) for d in reading.deeds):
                return asked.who
    return None
