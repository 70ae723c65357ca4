"""Commands on parties, keys and holidays.

The contestmaster enters and removes parties (NC 1c), and records a nomic's holidays, or undoes them (D-N37).
"""

from __future__ import annotations

import re
from dataclasses import replace

from nomicwolf.contest import rosters, silence
from nomicwolf.contest.step import Command, Misuse, Work
from nomicwolf.nomic.duties import GRACE, deeds_owed
from nomicwolf.nomic.events import PersonKnown
from nomicwolf.nomic.law import KeyAdded, KeyRemoved
from nomicwolf.nomic.law_events import ContestmasterChanged, HolidayDeclared, HolidayUndone, PartyStatus, PersonRenamed
from nomicwolf.nomic.setup import DAY
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import iso, when
from nomicwolf.reading.day_spans import span
from nomicwolf.reports.views import person_named
from nomicwolf.village.rules import Refusal

NAMING = ("who", "old", "author")
"""The arguments of commands that name somebody whom the contest knows."""


def with_present_names(contest: Contest, command: Command) -> Command:
    """Return *command* with present names in place of aliases, former names and other spellings.

    Who is entered with an address may be somebody new, whose name is taken as it stands.
    """
    if command.name == "party-add" and command.get("address"):
        return command
    keys = (*NAMING, "new") if command.name == "substitute" else NAMING
    named = {key: present_name(contest, command.get(key)) for key in keys if command.get(key)}
    return replace(command, args={**command.args, **named}) if named else command


def present_name(contest: Contest, name: str) -> str:
    """Return the present name of the person called *name*, or *name* itself if it fits nobody or several."""
    if name in contest.persons or name == contest.setup.contestmaster:
        return name
    return person_named(contest, name) or name


def known_person(contest: Contest, who: str, cites: tuple[str, ...] = ()) -> str:
    """Return *who* if the contest knows them; else raise `Refusal`, citing *cites* and listing the known persons."""
    if who not in contest.persons:
        raise Refusal(f"Nobody here is called {who!r}.", cites, tuple(contest.persons))
    return who


def named_nomic(contest: Contest, command: Command) -> str:
    """Return the nomic of the contest's that *command* names; `Refusal` if it is none."""
    nomic = command.get("nomic")
    if nomic not in contest.setup.nomics:
        raise Misuse("Say which nomic.", ("NC 1b",), contest.setup.nomics)
    return nomic


WORDS = ("player", "first-class", "active")
"""The statuses that a person can have in a nomic."""


def add_party(work: Work, command: Command) -> str:
    """Make a person a party in one nomic, or in all; who is new to the contest needs an address."""
    who, address = " ".join(command.get("who").split()), command.get("address")
    if not who:
        raise Misuse("Say who joins.", ("NC 1c",))
    warning = ""
    if who not in work.contest.persons:
        if not address:
            raise Refusal(f"{who} is not known yet: give eir address.")
        warnings = [rosters.check_name(work.contest, name) for name in (who, *command.many("aliases"))]
        warning = " ".join(filter(None, warnings))
        work.add(PersonKnown(who, (rosters.given_address(work.contest, address, who),), command.many("aliases")),
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


def remove_party(work: Work, command: Command) -> str:
    """End a person's membership in one nomic, or in all."""
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


def add_aliases(work: Work, command: Command) -> str:
    """Give a person further names."""
    who = known_person(work.contest, command.get("who"))
    person, more = work.contest.persons[who], tuple(" ".join(name.split()) for name in command.many("alias"))
    if not more:
        raise Misuse("Say by which further name.")
    warnings = " ".join(filter(None, [rosters.check_name(work.contest, name, who) for name in more]))
    work.add(PersonKnown(who, person.addresses, tuple(dict.fromkeys((*person.aliases, *more)))), cause="command")
    return f"{who} is also known as {', '.join(work.contest.persons[who].aliases)}. {warnings}".strip()


def link_address(work: Work, command: Command) -> str:
    """Give a person a new address, which mail goes to from now on; with ``only``, the others are dropped."""
    who = known_person(work.contest, command.get("who"))
    person = work.contest.persons[who]
    new = tuple(rosters.given_address(work.contest, a, who) for a in command.many("address"))
    if not new:
        raise Misuse("Say which address.")
    others = () if command.get("only") else tuple(a for a in person.addresses if a not in new)
    work.add(PersonKnown(who, (*new, *others), person.aliases), cause="command")
    return f"{who} writes from {', '.join(work.contest.persons[who].addresses)}."


def rename_party(work: Work, command: Command) -> str:
    """Rename a person; the former name stays valid (NC 1c)."""
    old, new, game = command.get("who"), " ".join(command.get("new").split()), work.contest.running
    known_person(work.contest, old)
    if not new or new == old:
        raise Refusal(f"{new or 'No name'} can't be eir name: it is the present one, or none.")
    warning = rosters.check_name(work.contest, new, old)
    if game is not None and old in game.seats:
        raise Refusal(f"{old} plays in this session under that name; add an alias now, and rename em after it.")
    work.add(PersonRenamed(old, new), cause="command")
    return f"{old} is now called {new}. {warning}".strip()


def set_listed(work: Work, command: Command) -> str:
    """Leave a person out of the statistics, or include them again; the record stays as it is."""
    who, listed = known_person(work.contest, command.get("who")), command.get("listed") != "no"
    rosters.choose_listing(work, who, "command", listed=listed)
    return f"{who} is {'in' if listed else 'left out of'} the statistics from now on."


def set_zone(work: Work, command: Command) -> str:
    """Set the time zone that a person's letters show beside UTC."""
    who = known_person(work.contest, command.get("who"))
    zone = rosters.choose_zone(work, who, command.words("zone", "Say which time zone."), "command")
    return f"Times in letters to {who} are in UTC{f', and in {zone}, too' if zone else ' alone'}."


def party_status(work: Work, command: Command) -> str:
    """Record a person's status in a nomic: whether they count towards P (NC 5i), whether NC 1h asks them to join."""
    nomic, who = named_nomic(work.contest, command), known_person(work.contest, command.get("who"), ("NC 5i",))
    status = tuple((word, command.get(word) == "yes") for word in WORDS if command.get(word) in ("yes", "no"))
    if not status:
        raise Misuse("Say what e is: --player yes, --first-class no, --active no.", ("NC 5i",))
    work.add(PartyStatus(who, nomic, status), cites=("NC 5i", "NC 1h"), cause="command")
    silence.remind_members(work, "command")
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


HEX = frozenset("0123456789abcdef")
MOST = 5
"""How many keys one person may have: each makes proving a letter longer."""


def add_key(work: Work, command: Command) -> str:
    """Register a key of *who*'s: its ``fingerprint`` and ``certificate`` as the command line has read them."""
    who, fingerprint = _whose(work, command)
    certificate = command.get("certificate")
    if not certificate:
        raise Refusal("The certificate is missing: name the file with the public key.", ("D-N45",))
    holders = [p for p, keys in work.contest.law.keys.items() for k in keys if k.fingerprint == fingerprint]
    if holders:
        raise Refusal(f"That key is {holders[0]}'s already; nobody else can sign with it.", ("D-N45",))
    if len(work.contest.law.keys.get(who, ())) >= MOST:
        raise Refusal(f"{who} has {MOST} keys already: remove one.", ("D-N45",))
    work.add(KeyAdded(who, fingerprint, certificate), cites=("D-N45",), cause="command")
    return f"{who} signs with the OpenPGP key {fingerprint}."


def remove_key(work: Work, command: Command) -> str:
    """Revoke a key."""
    who, fingerprint = _whose(work, command)
    known = tuple(k.fingerprint for k in work.contest.law.keys.get(who, ()))
    if fingerprint not in known:
        raise Refusal(f"{who} has no key {fingerprint}.", ("D-N45",), known)
    work.add(KeyRemoved(who, fingerprint), cites=("D-N45",), cause="command")
    return f"{who} signs no longer with the OpenPGP key {fingerprint}."


def _whose(work: Work, command: Command) -> tuple[str, str]:
    who = command.get("who")
    fingerprint = "".join(command.get("fingerprint").lower().split())
    if who not in work.contest.persons and who != work.contest.setup.contestmaster:
        raise Refusal(f"Nobody here is called {who!r}.", ("D-N45",), tuple(work.contest.persons))
    if len(fingerprint) not in (40, 64) or not set(fingerprint) <= HEX:
        raise Misuse("A fingerprint is 40 or 64 hex digits, never a short key id.", ("D-N45",))
    return who, fingerprint


ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def holiday(work: Work, command: Command) -> str:
    """Record a holiday of a nomic's, or undo it: what would be due in it is due 72 hours after it (CFJ 2321, 3138)."""
    nomic = named_nomic(work.contest, command)
    days = span(f"{command.get('from')} to {command.get('to')}", work.now)
    if days is None or not all(ISO_DAY.fullmatch(command.get(key).strip()) for key in ("from", "to")):
        raise Misuse("Say the first day and then the last, like 2026-12-20 2027-01-03.", ("D-N37",))
    if command.get("undo"):
        return _undo_holiday(work, nomic, days, command.words("why", "Say why; all are told: --why.", ("D-N37",)))
    if command.get("why"):
        raise Misuse("Only with --undo is it told why.", ("D-N37",))
    if (nomic, *days) in work.contest.law.holidays:
        raise Refusal(f"The holiday in {nomic} from {when(days[0])} to {when(days[1])} is on record already.",
                      ("D-N37",))
    work.add(HolidayDeclared(nomic, *days), cites=("D-N37",), cause="command")
    return f"It is a holiday in {nomic} from {when(days[0])} to {when(days[1])}."


def _undo_holiday(work: Work, nomic: str, days: tuple[int, int], why: str) -> str:
    """Take back a holiday that was recorded by mistake: as if it ended now, be it before it begins (D-N37).

    So nothing is due less than 72 hours from now that it had put off; who was reminded of that is reminded again.
    """
    standing = [(since, until) for name, since, until in work.contest.law.holidays if name == nomic]
    if days not in standing:
        known = tuple(f"{iso(since)[:10]} {iso(until - DAY)[:10]}" for since, until in standing if until > work.now)
        raise Refusal(f"No holiday in {nomic} from {when(days[0])} to {when(days[1])} is on record.", ("D-N37",), known)
    if days[1] <= work.now:
        raise Refusal(f"It ended at {when(days[1])}: what it put off stays so, until {when(days[1] + GRACE)}, and "
                      "nothing else depends on it. A ruling may say what follows.", ("D-N37",))
    before = {(owed.who, owed.verb): owed.until for owed in deeds_owed(work.contest)}
    work.add(HolidayUndone(nomic, *days, why), cites=("D-N37",), cause="command")
    for owed in deeds_owed(work.contest):
        told = work.contest.law.reminded.get((owed.who, owed.verb), ())
        if owed.until < before[owed.who, owed.verb] and any(at >= owed.since for at, _ in told):
            silence.remind_again(work, owed, "command")
    return (f"The holiday in {nomic} from {when(days[0])} to {when(days[1])} is undone. What it put off is due when it "
            f"would be without it, but not before {when(work.now + GRACE)}.")
