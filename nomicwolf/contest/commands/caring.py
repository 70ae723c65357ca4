"""The contestmaster's care of a contest: outages that are over, holidays, contestmasters, and what parties are."""

from __future__ import annotations

import re

from nomicwolf.contest import reminding
from nomicwolf.contest.commands import timing
from nomicwolf.contest.commands.persons import known_person
from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.nomic.actions import ContestmasterChanged, PartyStatus
from nomicwolf.nomic.care import GuardLifted, HolidayDeclared, HolidayUndone
from nomicwolf.nomic.events import Reminded
from nomicwolf.nomic.intents import GRACE
from nomicwolf.nomic.profiles import DAY
from nomicwolf.reading.dates import span
from nomicwolf.reports.times import iso, when
from nomicwolf.reports.views import owed_now
from nomicwolf.village.rules import Refusal

ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
WORDS = ("player", "first-class", "active")


def resume(work: Work, command: Command) -> str:
    """Say that an outage has been looked into: deadlines bite again, later by the time between."""
    since = work.contest.law.guard
    if not since:
        raise Refusal("There has been no outage: nothing waits to be resumed.", ("D-N39",))
    work.add(GuardLifted(since), cites=("D-N39",), cause="command")
    moved = timing.make_good(work, since)
    return f"The outage since {when(since)} is over; deadlines bite again.{moved}"


def holiday(work: Work, command: Command) -> str:
    """Record a holiday of a nomic's, or undo it: what would be due in it is due 72 hours after it (CFJ 2321, 3138)."""
    nomic = _nomic(work, command)
    days = span(f"{command.get('from')} to {command.get('to')}", work.now)
    if days is None or not all(ISO_DAY.fullmatch(command.get(key).strip()) for key in ("from", "to")):
        raise Refusal("Say the first day and then the last, like 2026-12-20 2027-01-03.", ("D-N37",))
    if command.get("undo"):
        return _undo_holiday(work, nomic, days, command.get("why"))
    if command.get("why"):
        raise Refusal("Only with --undo is it told why.", ("D-N37",))
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
                      "nothing else hangs on it. A ruling may say what follows.", ("D-N37",))
    if not why:
        raise Refusal("Say why; all are told: --why.", ("D-N37",))
    before = {(owed.who, owed.verb): owed.until for owed in owed_now(work.contest)}
    work.add(HolidayUndone(nomic, *days, why), cites=("D-N37",), cause="command")
    for owed in owed_now(work.contest):
        if owed.until < before[owed.who, owed.verb] and reminding.reminded(work.contest, owed):
            work.add(Reminded(owed.who, owed.verb, owed.since, owed.until), cites=("NC 1j", "D-N37"), cause="command")
    return (f"The holiday in {nomic} from {when(days[0])} to {when(days[1])} is undone. What it put off is due when it "
            f"would be without it, but not before {when(work.now + GRACE)}.")


def contestmaster(work: Work, command: Command) -> str:
    """Record that somebody else is contestmaster in a nomic, by its rules (NC 1d); NC 1i wants all to agree."""
    nomic, who, how = _nomic(work, command), command.get("who"), command.get("how")
    game = work.contest.running
    if who != work.contest.setup.contestmaster and who not in work.contest.persons:
        raise Refusal(f"Nobody here is called {who!r}.", ("NC 1d",), tuple(work.contest.persons))
    if not how:
        raise Refusal("Say by which of the nomic's rules: --how.", ("NC 1d",))
    if game is not None and who in game.seats:
        raise Refusal(f"{who} plays in this session, and the contestmaster knows everything.", ("NC 1d", "D-N1"))
    work.add(ContestmasterChanged(nomic, who, how), cites=("NC 1d",), cause="command")
    masters = {n: work.contest.contestmaster(n) for n in work.contest.setup.nomics}
    agreed = len(set(masters.values())) == 1
    more = "" if agreed else " The nomics disagree: " + ", ".join(f"{n}: {m}" for n, m in masters.items()) + " (NC 1i)."
    return f"{who} is contestmaster in {nomic}.{more} The settings say where the journal goes."


def party_status(work: Work, command: Command) -> str:
    """Record what a person is in a nomic: whether e counts towards P (NC 5i), whether NC 1h asks em to join."""
    nomic, who = _nomic(work, command), known_person(work.contest, command.get("who"), ("NC 5i",))
    status = tuple((word, command.get(word) == "yes") for word in WORDS if command.get(word) in ("yes", "no"))
    if not status:
        raise Refusal("Say what e is: --player yes, --first-class no, --active no.", ("NC 5i",))
    work.add(PartyStatus(who, nomic, status), cites=("NC 5i", "NC 1h"), cause="command")
    reminding.members(work, "command")
    return f"{who} in {nomic}: " + ", ".join(f"{'' if so else 'not '}{word}" for word, so in status) + "."


def _nomic(work: Work, command: Command) -> str:
    nomic = command.get("nomic")
    if nomic not in work.contest.setup.nomics:
        raise Refusal("Say which nomic.", ("NC 1b",), work.contest.setup.nomics)
    return nomic
