"""The roster in the contestmaster's hand: who is a party, how e is called, and what e is (NC 1c)."""

from __future__ import annotations

from nomicwolf.contest import addresses, preferences, reminding, rosters
from nomicwolf.contest.commands.persons import known_person, named_nomic
from nomicwolf.contest.happenings import Command, Misuse
from nomicwolf.contest.work import Work
from nomicwolf.nomic.actions import ContestmasterChanged, PartyStatus
from nomicwolf.nomic.care import PersonRenamed
from nomicwolf.nomic.events import PersonKnown
from nomicwolf.village.rules import Refusal

WORDS = ("player", "first-class", "active")
"""What a person can be in a nomic."""


def add(work: Work, command: Command) -> str:
    """Let a person be a party in one nomic, or in all; who is new to the contest needs an address."""
    who, address = " ".join(command.get("who").split()), command.get("address")
    if not who:
        raise Misuse("Say who joins.", ("NC 1c",))
    warning = ""
    if who not in work.contest.persons:
        if not address:
            raise Refusal(f"{who} is not known yet: give eir address.")
        warnings = [rosters.suits(work.contest, name) for name in (who, *command.many("aliases"))]
        warning = " ".join(filter(None, warnings))
        work.add(PersonKnown(who, (addresses.given(work.contest, address, who),), command.many("aliases")),
                 cause="command")
    elif address and address.lower() not in (known := [a.lower() for a in work.contest.persons[who].addresses]):
        raise Refusal(f"{who} is known already, and writes from {', '.join(known) or 'no address'}. Use "
                      "`party address` if the new one is eirs, too, and another name if it is somebody else's.",
                      ("NC 3",))
    nomics = _nomics(work, command)
    already = all(who in work.contest.parties.get(nomic, ()) for nomic in nomics)
    for nomic in nomics:
        rosters.join(work, who, nomic)
    return f"{who} is a party already; nothing was done." if already else f"{who} is a party. {warning}".strip()


def remove(work: Work, command: Command) -> str:
    """Let a person be a party no longer, in one nomic or in all."""
    who = known_person(work.contest, command.get("who"))
    rosters.remove(work, who, _nomics(work, command), command.get("why") or "removed by the contestmaster")
    return f"{who} is no longer a party."


def _nomics(work: Work, command: Command) -> tuple[str, ...]:
    """Return the nomics that *command* names, all of the contest's if it names none; `Refusal` for any other."""
    named = command.many("nomic")
    for nomic in named:
        if nomic not in work.contest.setup.nomics:
            raise Misuse(f"The contest does not live in {nomic}.", ("NC 1b",), work.contest.setup.nomics)
    return named or work.contest.setup.nomics


def alias(work: Work, command: Command) -> str:
    """Let a person be known by further names."""
    who = known_person(work.contest, command.get("who"))
    person, more = work.contest.persons[who], tuple(" ".join(name.split()) for name in command.many("alias"))
    if not more:
        raise Misuse("Say by which further name.")
    warnings = " ".join(filter(None, [rosters.suits(work.contest, name, who) for name in more]))
    work.add(PersonKnown(who, person.addresses, tuple(dict.fromkeys((*person.aliases, *more)))), cause="command")
    return f"{who} is also known as {', '.join(work.contest.persons[who].aliases)}. {warnings}".strip()


def address(work: Work, command: Command) -> str:
    """Give a person a new address, which mail goes to from now on; with ``only``, e keeps no other."""
    who = known_person(work.contest, command.get("who"))
    person = work.contest.persons[who]
    new = tuple(addresses.given(work.contest, a, who) for a in command.many("address"))
    if not new:
        raise Misuse("Say which address.")
    others = () if command.get("only") else tuple(a for a in person.addresses if a not in new)
    work.add(PersonKnown(who, (*new, *others), person.aliases), cause="command")
    return f"{who} writes from {', '.join(work.contest.persons[who].addresses)}."


def rename(work: Work, command: Command) -> str:
    """Call a person by a new name; the former one still means em (NC 1c)."""
    old, new, game = command.get("who"), " ".join(command.get("new").split()), work.contest.running
    known_person(work.contest, old)
    if not new or new == old:
        raise Refusal(f"{new or 'No name'} can't be eir name: it is the present one, or none.")
    warning = rosters.suits(work.contest, new, old)
    if game is not None and old in game.seats:
        raise Refusal(f"{old} plays in this session under that name; add an alias now, and rename em after it.")
    work.add(PersonRenamed(old, new), cause="command")
    return f"{old} is now called {new}. {warning}".strip()


def statistics(work: Work, command: Command) -> str:
    """Leave a person out of the statistics, or take em in again; the record itself stays as it is."""
    who, listed = known_person(work.contest, command.get("who")), command.get("listed") != "no"
    preferences.choose_listing(work, who, "command", listed=listed)
    return f"{who} is {'in' if listed else 'left out of'} the statistics from now on."


def timezone(work: Work, command: Command) -> str:
    """Let a person's letters have times in eir own time zone, too."""
    who = known_person(work.contest, command.get("who"))
    zone = preferences.choose_zone(work, who, command.words("zone", "Say which time zone."), "command")
    return f"Times in letters to {who} are in UTC{f', and in {zone}, too' if zone else ' alone'}."


def party_status(work: Work, command: Command) -> str:
    """Record what a person is in a nomic: whether e counts towards P (NC 5i), whether NC 1h asks em to join."""
    nomic, who = named_nomic(work.contest, command), known_person(work.contest, command.get("who"), ("NC 5i",))
    status = tuple((word, command.get(word) == "yes") for word in WORDS if command.get(word) in ("yes", "no"))
    if not status:
        raise Misuse("Say what e is: --player yes, --first-class no, --active no.", ("NC 5i",))
    work.add(PartyStatus(who, nomic, status), cites=("NC 5i", "NC 1h"), cause="command")
    reminding.members(work, "command")
    return f"{who} in {nomic}: " + ", ".join(f"{'' if so else 'not '}{word}" for word, so in status) + "."


def contestmaster(work: Work, command: Command) -> str:
    """Record that somebody else is contestmaster in a nomic, by its rules (NC 1d); NC 1i wants all to agree."""
    how = command.words("how", "Say by which of the nomic's rules: --how.", ("NC 1d",))
    nomic, who = named_nomic(work.contest, command), command.get("who")
    game = work.contest.running
    if who != work.contest.setup.contestmaster and who not in work.contest.persons:
        raise Refusal(f"Nobody here is called {who!r}.", ("NC 1d",), tuple(work.contest.persons))
    if game is not None and who in game.seats:
        raise Refusal(f"{who} plays in this session, and the contestmaster knows everything.", ("NC 1d", "D-N1"))
    work.add(ContestmasterChanged(nomic, who, how), cites=("NC 1d",), cause="command")
    masters = {n: work.contest.contestmaster(n) for n in work.contest.setup.nomics}
    agreed = len(set(masters.values())) == 1
    more = "" if agreed else " The nomics disagree: " + ", ".join(f"{n}: {m}" for n, m in masters.items()) + " (NC 1i)."
    return f"{who} is contestmaster in {nomic}.{more} The settings say where the journal goes."
