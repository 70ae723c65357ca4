"""Time: deeds and alarms happen in the order of their instants, however late the poll (D-N9).

Nothing counts before it is settled: a public deed may still be overtaken by mail with an earlier stamp, so the
clock of a running session stays `Setup.settling` seconds behind the poll.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from heapq import heappop, heappush, heapreplace

from nomicwolf.contest import absent, capping, covering, intending, observing, overdue, pausing
from nomicwolf.contest.doing import do
from nomicwolf.contest.sessions import after_moves
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import GuardRaised, PauseEnded
from nomicwolf.nomic.events import CountPosted, DeedHeard
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.ways import polls
from nomicwolf.village.alarms import DAY, LIMIT, STAGE, next_slot, slots
from nomicwolf.village.events import PUBLIC, Entry, PhaseBegan, StageBegan, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import lynched_today
from nomicwolf.village.rulesets import rules_in

STEPS = 10_000
"""So many deeds and alarms happen in one step at the most; what is left happens in the next."""
BRINGING = (DeedHeard, PauseEnded, PhaseBegan)
"""What lets deeds wait for the clock: that they are heard, and the end of what they were kept for."""
BITING = (LIMIT, STAGE)
"""What a deadline that bites is called; a dawn slot is none, for it comes when everyone has done eir part (D-N39)."""


def working(contest: Contest, now: int, run: int = 0) -> Work:
    """Return a step of *contest* at *now* in which nothing that happens out of its turn passes over what is due.

    *run* is the number of the run that it is a step of.
    """
    return Work(contest, now, settle, run)


def guard(work: Work, since: int) -> None:
    """D-N39: raise the guard if nobody polled since *since* (UTC seconds) for longer than the settings allow."""
    allowed = work.contest.setup.guard
    if since and allowed and work.now - since > allowed and not _stopped(work.contest) and work.contest.running:
        work.add(GuardRaised(since), cites=("D-N39",), cause="clock")


def _stopped(contest: Contest) -> bool:
    """Return whether no clock of the session runs already: an outage is looked into, or it is paused."""
    return bool(contest.law.guard or contest.law.paused)


def settle(work: Work, until: int | None = None) -> None:
    """Let everything happen that is due up to *until* (default: now, less the settling time).

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
            if not pausing.keep(work, waiting):
                do(work, waiting)
        else:
            return
        after_moves(work)


class _Queue:
    """The deeds that wait, by their places in time; each is looked at once, however many there are."""

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
    due = [at + settling for at in (first, alarm and alarm[0], overdue.next_look(contest)) if at is not None]
    return min(due, default=None)


def _clock(contest: Contest) -> int:
    return contest.running.clock if contest.running is not None else 0


def _alarm(contest: Contest, horizon: int, settled: int | None = None) -> tuple[int, str] | None:
    """Return the next alarm up to about *horizon*; one of a slot only up to what is *settled*, if that is given."""
    slot = covering.alarm(contest)
    due = (_game_alarm(contest), _count_alarm(contest, 0 if settled is None else horizon), intending.alarm(contest),
           capping.alarm(contest), observing.alarm(contest),
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
    """A vote count is posted each day at the first dawn slot, while there is a vote that everyone can see.

    Where nothing has changed since the last one, or since the vote began, it waits until a whole day has passed, and
    after some quiet days until as many have (`Setup.quiet_days`).

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

    quiet = DAY * contest.setup.quiet_days
    rest = quiet if 0 < quiet <= since - max(began, game.folded("last vote", Voted, 0, _later_vote)) else DAY
    changed = game.folded(("changed", since, rest), Voted, since + rest - 1, earlier)
    at = next_slot(changed, times)
    at += max(horizon - at, 0) // DAY * DAY
    return (at, "count") if at > game.clock else (game.clock + 1, "count")


def _later_vote(last: int, cast: Entry) -> int:
    return max(last, cast.at) if cast.event.readers() == PUBLIC else last


def _open_vote(game: Game) -> bool:
    """Return whether there is a vote on before all eyes, be it that all have voted."""
    if game.phase != "day" or lynched_today(game) or game.opened is None:
        return False
    return polls(rules_in(game), game) == "open"


def _strike(work: Work, at: int, what: str) -> None:
    """Let the alarm *what* have come *at* its instant: one of the law's (`STRIKES`), an intent's, or the session's."""
    if strike := STRIKES.get(what):
        strike(work, at)
    elif what.startswith("intent "):
        intending.strike(work, at, what)
    else:
        _strike_in_session(work, at, what)


def _strike_in_session(work: Work, at: int, what: str) -> None:
    """Let the session's alarm *what* come, or last longer a vote in which too many are silent (D-A14); name these."""
    missing = absent.silent_now(work.contest) if what == STAGE else ()
    if missing and absent.lasts_longer(work, missing, at):
        return
    rules = work.rules
    work.play(lambda game: rules.strike(game, at, what))
    absent.missed(work, missing)


def _post_count(work: Work, at: int) -> None:
    """Post the day's vote count; in the session no time passes by that, so what is due at the same second still is."""
    work.add(CountPosted("daily"), at, ("NC 1g",), "clock")


STRIKES: Mapping[str, Callable[[Work, int], None]] = {
    "count": _post_count, "digest": capping.strike, "cover": covering.strike,
    "daily": observing.strike,
}
"""What happens at the alarms of the law around the game, but for intents, whose alarms say which intent it is."""
