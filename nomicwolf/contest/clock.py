"""Time: alarms in order, deadlines, pauses and outages.

In a pause the session's clocks are stopped, and what is done meanwhile waits for its end (D-A15). What belongs to the
law around the game doesn't wait, since a nomic's own time goes on: objections, claims, and questions to the
contestmaster.

The contestmaster moves deadlines or brings them on early (D-A1), pauses (D-A15), and ends outages (D-N39).

Deeds and alarms happen in the order of their instants, however late the poll (D-N9).

Nothing counts before it is settled: a public deed may still be overtaken by mail with an earlier stamp, so the clock of
a running session stays `Setup.settling` seconds behind the poll.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heappop, heappush, heapreplace

from nomicwolf.contest import delivery, law, silence, step
from nomicwolf.contest.deeds import execute
from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.step import Command, Misuse, Work
from nomicwolf.nomic.delivery import Batched
from nomicwolf.nomic.events import CountPosted, DeedHeard, DeedMoved
from nomicwolf.nomic.law import LAW
from nomicwolf.nomic.law_events import PAUSE, DeedKept, GuardLifted, GuardRaised, Paused, PauseEnded
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import instant_in, seconds_in, when
from nomicwolf.reports.vote_counts import poll_kind
from nomicwolf.village.events import (
    DAY,
    LIMIT,
    PUBLIC,
    STAGE,
    Entry,
    Extended,
    PhaseBegan,
    StageBegan,
    Voted,
    next_slot,
    slots,
)
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import lynched_today
from nomicwolf.village.laws.phases import MISSING, struck
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_in

GOES_ON = (*LAW, "ask")
PAUSE_CITES = ("D-A15",)


def keep_for_pause(work: Work, number: int) -> bool:
    """Keep the pending deed *number* until the pause is over, and return whether it has to wait for that."""
    deed, paused = work.contest.pending[number], work.contest.law.paused
    if not paused or deed.instant <= paused or deed.verb in GOES_ON:
        return False
    work.add(DeedKept(number, PAUSE), max(deed.instant, paused), PAUSE_CITES, f"deed {number}")
    return True


def postpone_for_pause(work: Work, number: int, deed: DeedHeard) -> None:
    """Postpone *deed*, in entry *number*, to the end of the pause in which it was sent, if that is over."""
    after = next((until for since, until in work.contest.law.pauses if since < deed.instant < until), deed.instant)
    if after != deed.instant and deed.verb not in GOES_ON:
        work.add(DeedMoved(number, after), cites=PAUSE_CITES, cause=f"deed {number}")


CITES = ("D-A1",)
PAUSED = ("D-A15",)
MANY = "nominations"
"""The one stage that is spoken of as of many."""
_LATELY = 3600
"""Seconds after the beginning of a stage in which an order that names no phase may be meant for the one before."""


def extend(work: Work, command: Command) -> str:
    """Move the deadline of the present stage to ``until``, or ``by`` a length of time; `Refusal` for the past (X-18).

    So it is for a stage that has hardly begun, where the one before it is probably meant.
    """
    by = _length(command)
    until = 0 if by else instant_of(command.get("until"), CITES)
    game = _staged(work)
    until = until or game.deadline + by
    _refuse_overtaken(work, command, game, "move its deadline")
    if until <= max(work.now, game.clock):
        raise Refusal(f"{when(until)} is past: a deadline can only be moved to an instant to come.", CITES)
    _move(work, until)
    return _lasts(game, until)


def _length(command: Command) -> int:
    """Return by how many seconds a deadline is moved, 0 where it is moved to an instant."""
    said = command.get("by")
    if bool(said) == bool(command.get("until")):
        raise Misuse("Say until when, like 2026-12-01T09:00Z, or --by how much, like 24h.", CITES)
    try:
        return seconds_in(said) if said else 0
    except ValueError as error:
        raise Misuse(f"{error}; write it like 24h, 2d or 90m.", CITES) from error


def close(work: Work, command: Command) -> str:
    """End the present stage now, as its deadline would: the moderator finds that there has been time enough.

    What was sent before has been done before, though it may have come within the settling time (D-A4).
    """
    at = max(work.now, _staged(work).clock)
    work.catch_up(at)
    game = _staged(work)
    _refuse_overtaken(work, command, game, "close it")
    _move(work, at)
    work.play(lambda g: work.rules.strike(g, at, STAGE if g.stage else LIMIT))
    named = _named(game.stage, game.place)
    return f"{named[0].upper()}{named[1:]} {'are' if game.stage == MANY else 'is'} closed."


def pause(work: Work, command: Command) -> str:
    """Stop all clocks of the session; what is sent meanwhile is done once it is resumed (D-A15)."""
    why, law = command.words("why", "Say why; all are told: --why.", PAUSED), work.contest.law
    if work.contest.running is None:
        raise Refusal("No session is in progress: there is nothing to pause.", PAUSED)
    if law.paused:
        raise Refusal(f"The session is paused already, since {when(law.paused)}; `resume` lets it go on.", PAUSED)
    work.add(Paused(why), cites=PAUSED, cause="command")
    return "The session is paused: no deadline bites, and what is sent waits until you say nomicwolf resume."


def resume(work: Work, command: Command) -> str:
    """Say that an outage has been looked into, or that a pause is over: all goes on, later by the time between."""
    guard, paused = work.contest.law.guard, work.contest.law.paused
    if not guard and not paused:
        raise Refusal("There has been no outage, and no pause: nothing waits to be resumed.", ("D-N39", *PAUSED))
    said = []
    if guard:
        work.add(GuardLifted(guard), cites=("D-N39",), cause="command")
        said.append(f"The outage since {when(guard)} is over; deadlines bite again.")
    if paused:
        work.add(PauseEnded(paused), cites=PAUSED, cause="command")
        said.append(f"The pause since {when(paused)} is over; what was sent in it is done now.")
    return " ".join(said) + _make_good(work, min(filter(None, (guard, paused))))


def _make_good(work: Work, since: int) -> str:
    """Move the present stage's deadline by what of an outage or a pause, *since* an instant, lies within the stage.

    Return a sentence on it, '' where it stays: there is none, or the contestmaster has moved it since. What a late
    second has lengthened the stage by is time in which nobody knew of it (D-A8), and is made good already.
    """
    game = work.contest.running
    if game is None or not game.deadline or (game.stage and struck(game)):
        return ""
    began = game.lines(StageBegan if game.stage else PhaseBegan)[-1]
    moved = [e for e in game.lines(Extended) if e.number > began.number]
    if any(e.cause == "command" and e.at > since for e in moved):
        return ""
    known = began.at + sum(_longer(began, e) for e in moved if e.cause not in ("command", MISSING))
    now = max(work.now, game.clock)
    until = max(game.deadline + now - max(since, known), now + 1)
    _move(work, until)
    return f" {_lasts(game, until)}"


def _longer(began: Entry, moved: Entry) -> int:
    """Return by how many seconds the stage that *began* was *moved* to last longer."""
    assert isinstance(moved.event, Extended)
    return moved.event.until - began.event.until if isinstance(began.event, StageBegan) else 0


def _lasts(game: Game, until: int) -> str:
    """Return until when the stage of *game* lasts now, and what its deadline was."""
    named = _named(game.stage, game.place)
    many = game.stage == MANY
    return (f"{named[0].upper()}{named[1:]} {'last' if many else 'lasts'} until {when(until)}; before, "
            f"{'their' if many else 'its'} deadline was {when(game.deadline)}.")


def _refuse_overtaken(work: Work, command: Command, game: Game, what: str) -> None:
    """Raise `Refusal` if the order probably means the previous stage, which is over; nothing is done to the next.

    It does so if nobody can know yet that the next has begun, because this order itself began it, or if it began a
    short time ago and the order doesn't name the phase. Whoever closed the previous stage knows.
    """
    stages = [(e.number, e.at, e.event.stage) for e in game.lines(StageBegan) if isinstance(e.event, StageBegan)]
    if len(stages) < 2:
        return
    (last, _, stage), (number, at, _) = stages[-2:]
    place, untold = _place_at(game, last), any(entry.number == number for entry in work.entries)
    known = command.phase and not (untold and place == game.place)
    if known or _closed_by_hand(game, at) or not (untold or work.now - at < _LATELY):
        return
    told = when(at + work.contest.setup.settling)
    again = (f"give the order again when that has been announced, as `nomicwolf poll` does from {told} on"
             if untold and place == game.place else f'say --phase "{game.place}"')
    raise Refusal(f"Nothing was done: {_named(stage, place)} ended at {when(at)}. Now it is "
                  f"{_named(game.stage, game.place)}, until {when(game.deadline)}; to {what}, {again}.", CITES)


def _closed_by_hand(game: Game, at: int) -> bool:
    """Return whether what ended at the instant *at* was closed by the contestmaster."""
    return any(entry.at == at and entry.event == Extended(at) for entry in game.lines(Extended))


def _place_at(game: Game, number: int) -> str:
    """Return the phase in which entry *number* was made, as players call it."""
    phases = [entry.event for entry in game.lines(PhaseBegan) if entry.number < number]
    last = phases[-1]
    assert isinstance(last, PhaseBegan)
    return f"{last.phase} {last.number}"


def _named(stage: str, place: str) -> str:
    """Return how a stage is called: "the ballot of day 2", "night 1"."""
    return place if stage in ("", "night") else f"the {stage} of {place}"


def _staged(work: Work) -> Game:
    game = work.contest.running
    if game is None:
        raise Refusal("No session is in progress: there is no stage to extend or to close.", CITES)
    if not game.deadline:
        raise Refusal(f"It is {game.place}, which has no stage with a deadline to extend or to close.", CITES)
    return game


def _move(work: Work, until: int) -> None:
    work.play(lambda g: work.rules.settle(g, max(work.now, g.clock), (Extended(until),), CITES, "command"))


def instant_of(text: str, cites: tuple[str, ...]) -> int:
    """Return an ISO 8601 time in UTC seconds; `Refusal` by the clauses *cites* if it is none."""
    try:
        return instant_in(text)
    except ValueError as error:
        raise Misuse(f"{text!r} is no time; write it like 2026-12-01T09:00Z.", cites) from error


STEPS = 10_000
"""So many deeds and alarms happen in one step at the most; what is left happens in the next."""
BRINGING = (DeedHeard, PauseEnded, PhaseBegan)
"""The events after which deeds wait for the clock: they were heard, or what they were kept for is over."""
BITING = (LIMIT, STAGE)
"""The alarms of deadlines; a dawn slot is none, since it comes when everyone has done their part (D-N39)."""


def begin_step(contest: Contest, now: int, run: int = 0) -> Work:
    """Return a step of *contest* at *now* in which nothing that happens out of its turn passes over what is due.

    *run* is the number of the run that it is a step of.
    """
    return Work(contest, now, settle, run)


def guard_outage(work: Work, since: int) -> None:
    """D-N39: raise the guard if nobody polled since *since* (UTC seconds) for longer than the settings allow."""
    allowed = work.contest.setup.guard
    if since and allowed and work.now - since > allowed and not _stopped(work.contest) and work.contest.running:
        work.add(GuardRaised(since), cites=("D-N39",), cause="clock")


def _stopped(contest: Contest) -> bool:
    """Return whether no clock of the session runs already: an outage is looked into, or it is paused."""
    return bool(contest.law.guard or contest.law.paused)


def settle(work: Work, until: int | None = None) -> None:
    """Execute everything that is due up to *until* (default: now, less the settling time).

    Everyone's letters of a slot wait until it is settled, come what may: an order about a secret would send them early.
    """
    settled = work.now - work.contest.setup.settling
    horizon = settled if until is None else until
    queue = _Queue(work)
    for _ in range(STEPS):
        alarm = _alarm(work.contest, horizon, settled)
        waiting = queue.first()
        deed_at = work.contest.pending[waiting].instant if waiting else None
        if alarm and alarm[0] <= horizon and (deed_at is None or alarm[0] <= max(deed_at, _clock(work.contest))):
            _strike(work, *alarm)
        elif waiting and deed_at is not None and deed_at <= horizon:
            if not keep_for_pause(work, waiting):
                execute(work, waiting)
        else:
            return
        award_after_end(work)


class _Queue:
    """The waiting deeds, in the order of their instants; each is looked at once."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._heap: list[tuple[int, tuple[int, ...], int]] = []
        self._known: set[int] = set()
        self._take()

    def _take(self) -> None:
        """Take in the deeds that aren't known yet."""
        self._looked = len(self._work.entries)
        for number, deed in self._work.contest.pending.items():
            if number not in self._known:
                heappush(self._heap, _place(number, deed))
                self._known.add(number)

    def first(self) -> int:
        """Return the number of the deed that is next in time, 0 if none waits.

        While time passes deeds come, with what is `BRINGING` them, and go, but no deed that waits gets an earlier
        place: only a letter moves it.
        """
        if any(isinstance(entry.event, BRINGING) for entry in self._work.entries[self._looked:]):
            self._take()
        self._looked = len(self._work.entries)
        pending = self._work.contest.pending
        while self._heap:
            first = self._heap[0]
            deed = pending.get(first[-1])
            if deed is None:
                heappop(self._heap)
                self._known.discard(first[-1])
            elif (place := _place(first[-1], deed)) != first:
                heapreplace(self._heap, place)
            else:
                return first[-1]
        return 0


def _place(number: int, deed: DeedHeard) -> tuple[int, tuple[int, ...], int]:
    return deed.instant, deed.key, number


def next_alarm(contest: Contest, horizon: int = 0) -> int | None:
    """Return the instant at which the contest must be asked again though no mail comes, or None.

    Beyond *horizon* (UTC seconds; at least the contest's own clock) it may lie before anything happens.
    """
    settling = contest.setup.settling
    alarm = _alarm(contest, max(contest.clock, horizon))
    first = min((deed.instant for deed in contest.pending.values()), default=None)
    due = [at + settling for at in (first, alarm and alarm[0], silence.next_due(contest)) if at is not None]
    return min(due, default=None)


def _clock(contest: Contest) -> int:
    return contest.running.clock if contest.running is not None else 0


def _alarm(contest: Contest, horizon: int, settled: int | None = None) -> tuple[int, str] | None:
    """Return the next alarm up to about *horizon*; one of a slot only up to what is *settled*, if that is given."""
    slot = delivery.cover_alarm(contest)
    due = (_game_alarm(contest), _count_alarm(contest, 0 if settled is None else horizon), law.alarm(contest),
           step.alarm(contest), delivery.alarm(contest),
           slot if slot and (settled is None or slot[0] <= settled) else None)
    return min((a for a in due if a), default=None)


def _game_alarm(contest: Contest) -> tuple[int, str] | None:
    """Return the session's next alarm; while an outage is looked into only those on which votes hang (D-N39)."""
    game = contest.running
    if game is None or game.opened is None or contest.law.paused:
        return None
    alarms = rules_in(game).alarms(game)
    return next((alarm for alarm in alarms if not contest.law.guard or alarm[1] not in BITING), None)


def _count_alarm(contest: Contest, horizon: int) -> tuple[int, str] | None:
    """Return when the daily vote count is due: at the first dawn slot, while a public vote is open.

    Where nothing has changed since the last one, it waits until some quiet days have passed (`Setup.quiet_days`), or a
    whole day, as it does where nothing has changed since the vote began.

    Of several slots up to *horizon* it is the last one: a poll that is late posts one count, not one for each day.
    """
    game = contest.running
    times = slots(game.switches.get("dawn", ""))[:1] if game is not None else ()
    if game is None or not times or not contest.setup.daily_count or contest.law.paused or not _open_vote(game):
        return None
    began = max([game.began, *(e.at for e in game.lines_now(StageBegan)[-1:])])
    since = max(contest.counted_at, began)

    def earlier(changed: int, cast: Entry) -> int:
        return min(changed, cast.at) if cast.at > since and cast.event.readers() == PUBLIC else changed

    rest = DAY * max(contest.setup.quiet_days if since > began else 0, 1)
    changed = game.folded(("changed", since, rest), Voted, since + rest - 1, earlier)
    at = next_slot(changed, times)
    at += max(horizon - at, 0) // DAY * DAY
    return (at, "count") if at > game.clock else (game.clock + 1, "count")


def _open_vote(game: Game) -> bool:
    """Return whether a public vote is open, even if all have voted."""
    if game.phase != "day" or lynched_today(game) or game.opened is None:
        return False
    return poll_kind(rules_in(game), game) == "open"


def _strike(work: Work, at: int, what: str) -> None:
    """Strike the alarm *what* *at* its instant: one of the law's (`STRIKES`), an intent's, or the session's."""
    if strike := STRIKES.get(what):
        strike(work, at)
    elif what.startswith("intent "):
        law.strike(work, at, what)
    else:
        _strike_in_session(work, at, what)


def _strike_in_session(work: Work, at: int, what: str) -> None:
    """Strike the session's alarm *what*, or prolong a vote in which too many are silent (D-A14); name these."""
    missing = silence.silent_now(work.contest) if what == STAGE else ()
    if missing and silence.prolong_vote(work, missing, at):
        return
    rules = work.rules
    work.play(lambda game: rules.strike(game, at, what))
    silence.note_missed(work, missing)


STRIKES: Mapping[str, Callable[[Work, int], object]] = {
    "count": lambda work, at: work.add(CountPosted("daily"), at, ("NC 1g",), "clock"),
    "digest": step.strike,
    "cover": lambda work, at: work.add(Batched("slot"), at, ("NC 6", "D-N48"), "clock"),
    "daily": delivery.strike,
}
"""The handlers of alarms of the law around the game; intents have their own, which say which intent it is.

In the session no time passes by a count, so what is due at the same second still is.
"""
