"""Cover letters, observers and daily letters.

Observers get what the forums get, and players can choose one letter a day (D-A18, D-A19).

Which letters of a covered session go out, and when, follows from what everyone may know, so that nobody can tell from
their letters what a player was told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nomicwolf.contest.step import Work
from nomicwolf.nomic.delivery import (
    SECRET_PHASES,
    Batched,
    CoverBegan,
    DigestChosen,
    DigestSent,
    ObserverCame,
    ObserverLeft,
    PutOff,
    has_news,
    next_batch,
    phase_turned,
)
from nomicwolf.nomic.duties import due, owing
from nomicwolf.nomic.events import ActedFor, DeedDone, Refused, Reminded, Ruled
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.history import is_public, unannounced
from nomicwolf.reports.letter_sections import is_routine, night_begun, session_dealt
from nomicwolf.reports.views import may_read
from nomicwolf.village.events import DAY, Entry, Told, next_slot, numbered, slots
from nomicwolf.village.rules import Refusal


def begin_covers(work: Work) -> None:
    """Cover the session that begins, if the contest has slots for that."""
    if work.contest.setup.cover:
        work.add(CoverBegan(work.contest.setup.cover), cites=("NC 6", "D-N48"), cause="command")


def cover_alarm(contest: Contest) -> tuple[int, str] | None:
    """Return the next slot at which everyone gets a letter, None while no secret phase is on."""
    game = contest.running
    at = next_batch(contest.cover, game.began) if game is not None and game.phase in SECRET_PHASES else 0
    return (at, "cover") if at else None


def close_cover(work: Work, before: Contest) -> None:
    """Send everyone's letters with what everyone has just seen, and with news by day.

    A batch is the last thing that happens in a step, so that nothing of the step is left for the next one.
    """
    after = work.contest
    if not after.cover.slots or not work.entries or (before.running is None and after.running is None):
        return
    secret = after.running is not None and after.running.phase in SECRET_PHASES
    struck = [e.at for e in work.entries if isinstance(e.event, Batched)]
    if phase_turned(work.entries) or (not secret and (has_news(work.entries) or _would_tell(work))):
        _last(work, Batched("turn"), work.now)
    elif struck:
        _last(work, Batched("slot"), max(struck))


def _would_tell(work: Work) -> bool:
    """Return whether a living player without that power tried to pass words on by day.

    If they alone got a letter then, whoever carries the mail would know that they lack it (NC 6b).
    """
    game, rules = work.contest.game, work.rules
    refused = (e.event.who for e in work.entries if isinstance(e.event, Refused) and e.event.verb == "say")
    daily = any(d.daily for d in rules.all_duties)
    return game is not None and daily and not set(game.shown_living()).isdisjoint(refused)


def _last(work: Work, batch: Batched, at: int) -> None:
    """Make *batch* the last event of a step; one of a slot stays at its slot, whatever else the step has told."""
    if not isinstance(work.entries[-1].event, Batched):
        work.add(batch, at, ("NC 6", "D-N48"), "clock")


DAILY, MORNING = slots("08:30"), slots("08:00")
"""When daily letters go out (UTC), after the day's count; in a covered night with the first batch of a morning."""
LATER = (Told, DeedDone, ActedFor, Reminded, Ruled)
"""What can wait for a daily letter; what answers a letter of its reader's goes at once."""
OVER = "over"
OBSERVING, DIGESTS = ("D-A18",), ("D-A19",)


def is_over(words: str) -> bool:
    """Return whether *words* behind ``observe`` or ``digest`` end it."""
    return words == OVER


def has_room(contest: Contest) -> bool:
    """Return whether one more may observe."""
    return len(contest.law.observers) < contest.setup.observers


def observe(work: Work, who: str, words: str, cause: str) -> None:
    """Subscribe *who* to public letters, one by one or daily, or unsubscribe them; `Refusal` if that is so already."""
    now, daily = work.contest.law.observers.get(who), bool(words)
    if is_over(words):
        if now is None:
            raise Refusal("You don't observe.", OBSERVING)
        work.add(ObserverLeft(who), cites=OBSERVING, cause=cause)
        work.add(DeedDone(0, who, "observe: over", "You get no public letters any more."), cause=cause)
        return
    if now is not None and now.daily == daily:
        raise Refusal('You observe already; "observe: over" ends it.', OBSERVING)
    if now is None and not has_room(work.contest):
        raise Refusal("As many observe as may. All public letters can be read in the forums.", OBSERVING)
    work.add(ObserverCame(who, daily), cites=OBSERVING, cause=cause)
    how = "in one letter a day" if daily else "as it goes out"
    note = f'You get what the forums get, {how}. "observe: over" ends it.'
    work.add(DeedDone(0, who, f"observe{': daily' * daily}", note), cause=cause)


def digest(work: Work, who: str, words: str, cause: str) -> None:
    """Give *who* one letter a day, or each by itself again; `Refusal` if that is so already."""
    daily = not is_over(words)
    if daily == (who in work.contest.law.digests):
        raise Refusal("You get one letter a day already." if daily else "You get each letter by itself.", DIGESTS)
    work.add(DigestChosen(who, daily), cites=DIGESTS, cause=cause)
    if not daily and work.contest.law.put_off.get(who) and not _in_covered_night(work.contest, who):
        work.add(DigestSent((who,), work.contest.last), cites=DIGESTS, cause=cause)
    note = ("What isn't due within a day comes in one letter a day. \"digest: over\" ends it." if daily
            else "Each letter comes by itself again.")
    work.add(DeedDone(0, who, f"digest: {'daily' if daily else 'over'}", note), cause=cause)


def alarm(contest: Contest) -> tuple[int, str] | None:
    """Return when daily letters are due next, None while there is nothing for them."""
    first = min((at for _, at in _waiting(contest)), default=None)
    if first is None:
        return None
    at, clock = next_slot(first, DAILY), contest.running.clock if contest.running is not None else 0
    return (at if at > clock else clock + 1), "daily"


def strike(work: Work, at: int) -> None:
    """Send daily letters to all for whom there is something."""
    to = tuple(dict.fromkeys(who for who, _ in _waiting(work.contest)))
    work.add(DigestSent(to, _told_up_to(work.contest)), at, ("D-A18", "D-A19"), "clock")


def _waiting(contest: Contest) -> Iterator[tuple[str, int]]:
    """Yield (who, since when) of those for whom something waits that the next daily letters bring."""
    law = contest.law
    for who, numbers in law.put_off.items():
        first = numbered(contest.entries, numbers[0])
        if first is not None and not _in_covered_night(contest, who):
            yield who, first.at
    daily = {who: it.seen for who, it in law.observers.items() if it.daily}
    if not daily:
        return
    upto, oldest = _told_up_to(contest), min(daily.values())
    news = [e for e in contest.entries[oldest:upto] if is_public(e.event) and not is_routine(e.event)]
    for who, seen in daily.items():
        if (new := next((e for e in news if e.number > seen), None)) is not None:
            yield who, new.at


def _told_up_to(contest: Contest) -> int:
    """Return the number of the last entry that can be told: an ending is told with its awards (NC 5, D-N21)."""
    return min(unannounced(contest), default=contest.last + 1) - 1


def _in_covered_night(contest: Contest, who: str) -> bool:
    """Return whether *who* gets letters with everyone's alone, as a secret phase is on (D-N48)."""
    game = contest.running
    return bool(contest.cover.slots) and game is not None and game.phase in SECRET_PHASES and who in game.seats


def put_off(work: Work, before: Contest) -> None:
    """Postpone what readers of daily letters would be told now, unless it is due today; the last of a step."""
    contest, step = work.contest, tuple(work.entries)
    people = dict.fromkeys((*contest.law.digests, *contest.law.put_off))
    if not people:
        return
    batch = next((e for e in reversed(step) if isinstance(e.event, Batched)), None)
    phase = contest.game.phase if contest.game else ""
    turns = session_dealt(step) or night_begun(step, phase)
    for who in people:
        wants = who in contest.law.digests
        if batch is not None and batch.event == Batched("slot") and _in_covered_night(before, who):
            later = next_slot(before.cover.last, MORNING) > batch.at and not _closing(contest, batch.at)
            _tell(work, who, (*before.cover.waits, *step), later=wants and later, slot=True)
        elif batch is not None or turns:
            _tell(work, who)
        elif not _in_covered_night(contest, who):
            _tell(work, who, step, later=wants and not _due_today(contest, who, work.now))


def _tell(work: Work, who: str, told: Sequence[Entry] = (), *, later: bool = False, slot: bool = False) -> None:
    """Postpone what is *told* to *who*'s daily letter if that comes *later*; else bring them what has waited.

    They then get no letter of a covered night's *slot*, whatever there is to tell.
    """
    if later:
        numbers = _for(told, who)
        if numbers or slot:
            work.add(PutOff(who, numbers, slot), cites=DIGESTS, cause="clock")
    elif work.contest.law.put_off.get(who):
        work.add(DigestSent((who,), _told_up_to(work.contest)), cites=DIGESTS, cause="clock")


def _for(entries: Sequence[Entry], who: str) -> tuple[int, ...]:
    """Return the numbers of those of *entries* that tell *who* alone, or some with them, something that can wait."""
    return tuple(e.number for e in entries
                 if isinstance(e.event, LATER) and not is_public(e.event) and may_read(e.event.readers(), who)
                 and not (isinstance(e.event, DeedDone) and not e.event.deed))


def _closing(contest: Contest, at: int) -> bool:
    """Return whether the phase ends within a day of *at* (UTC seconds), as everyone can work out."""
    game = contest.running
    if game is None:
        return False
    end = game.deadline if game.stage else due(contest, game.began or game.entries[0].at) * (
        game.phase in SECRET_PHASES)
    return bool(end) and end - at <= DAY


def _due_today(contest: Contest, who: str, at: int) -> bool:
    """Return whether *who* has to do something within a day of *at*; in a covered session by what all may know."""
    if contest.cover.slots or _closing(contest, at):
        return _closing(contest, at)
    return any(owed.who == who and owed.ends and owed.ends - at <= DAY for owed in owing(contest))
