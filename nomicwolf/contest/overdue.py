"""Reminders and alerts of what is overdue (D-A12).

All of it follows from the one table of what is owed. It is looked at once everything that was sent has been done, so
that nobody is reminded of what e has just done. While an outage is looked into, or the session is paused, nothing is
overdue (D-N39, D-A15).

Reminders are of what is owed before silence has its effect (NC 1j, D-A12), and of joining in the other nomic (NC 1h).

NC 1h: “shall become a member there too, and do so in a timely fashion”.

The contestmaster is alerted when nothing moves, and of what the contract asks of em (D-A12). An alert goes out in the
clear, so it comes at instants that everyone can work out, and names no secret: who owes what by night is in `nomicwolf
status`, and in the journal where that is encrypted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from nomicwolf.contest import silence
from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.step import Work
from nomicwolf.nomic.absence import Alerted, Owed
from nomicwolf.nomic.duties import deadline_past, left_to_remind, missing_members, owing, reminders, soon, stoppages
from nomicwolf.nomic.events import Reminded
from nomicwolf.nomic.law_events import MemberReminded
from nomicwolf.nomic.setup import DAY
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import duration, when
from nomicwolf.village.events import Lynched, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.rule_helpers import listed


def reminders_due(contest: Contest) -> Iterator[int]:
    """Yield the instants (UTC seconds) at which a player is to be reminded."""
    for owed in owing(contest):
        if owed.who != contest.setup.contestmaster:
            yield from left_to_remind(contest, owed)[:1]


def remind(work: Work) -> None:
    """Remind every player who is to be reminded by now, unless what e owes waits for the clock, or is over."""
    waiting = {deed.who for deed in work.contest.pending.values()}
    for owed in owing(work.contest):
        left = left_to_remind(work.contest, owed)
        if owed.who == work.contest.setup.contestmaster or owed.who in waiting or not left or left[0] > work.now:
            continue
        if work.now < owed.ends:
            remind_again(work, owed, "clock")


def remind_again(work: Work, owed: Owed, cause: str) -> None:
    """Remind of what is *owed*."""
    work.add(Reminded(owed.who, owed.verb, owed.since, owed.ends, owed.kind),
             cites=(owed.clause or ("NC 1j" if owed.kind == "deed" else "D-A12"),), cause=cause)


def remind_members(work: Work, cause: str) -> None:
    """NC 1h: remind whoever plays a nomic, is a member elsewhere, and not there; once."""
    for who, nomic, elsewhere in missing_members(work.contest):
        if (who, nomic) not in work.contest.law.to_join:
            work.add(MemberReminded(who, nomic, elsewhere, work.now), cites=("NC 1h",), cause=cause)


STANDS = {
    "setup": "Nobody can act for em before the first day, but a ruling can (D-N3), and `nomicwolf substitute` lets "
             "another play on. `nomicwolf status` names who owes what.",
    "night": "`nomicwolf status` names who owes what since when, and has the command that acts for em where clause 1j "
             "allows it.",
    "day": "`nomicwolf announce` posts the count; `nomicwolf substitute` lets another play on for who is gone, and "
           "`nomicwolf intend` can end the session (NC 1f).",
    "shot": "The phase waits for a choice. Nobody can act for em by day, but a ruling can (D-N3).",
}
"""What can be done about a phase in which nothing moves."""


@dataclass(frozen=True, slots=True)
class Alert:
    """From *at* on (UTC seconds) the contestmaster is to be told *text*; *about* is what it is of."""

    at: int
    about: str
    text: str


def alerts_due(contest: Contest) -> Iterator[int]:
    """Yield the instants (UTC seconds) at which there is something to tell."""
    return (alert.at for alert in _alerts(contest, contest.clock))


def alert(work: Work) -> None:
    """Send the contestmaster the alerts that are due."""
    for told in [*_alerts(work.contest, work.now)]:
        if told.at <= work.now:
            work.add(Alerted(told.about, told.text), cites=("D-A12",), cause="clock")


def _alerts(contest: Contest, now: int) -> Iterator[Alert]:
    """Yield the next alert about each thing, in the words for *now* (UTC seconds)."""
    yield from _offices(contest, now)
    game = contest.running
    if game is not None:
        yield from _stands(contest, game, now)
        yield from _no_votes(contest, game)


def _offices(contest: Contest, now: int) -> Iterator[Alert]:
    """What the contestmaster owes: at the times of reminders, and once it is late; a dawn comes by itself."""
    for owed in owing(contest):
        if owed.who != contest.setup.contestmaster or owed.clause == "NC 4c":
            continue
        about = f"{owed.verb}, {owed.since}"
        last = contest.law.alerted.get(about, 0)
        left = [at for at in (*reminders(owed, contest.setup.remind), owed.ends) if at > last]
        if left:
            passed = [at for at in left if at <= now]
            term = "late since" if owed.ends <= now else "due by"
            yield Alert(passed[-1] if passed else left[0], about,
                        f"You owe this: {owed.verb} ({owed.clause}), {term} {when(owed.ends)}.")


def _stands(contest: Contest, game: Game, now: int) -> Iterator[Alert]:
    """A phase without a deadline to come, and in which nothing has moved for as long as "as soon as possible" lasts."""
    if game.deadline > now:
        return
    since, kind = _moved(game)
    last = contest.law.alerted.get(about := f"{game.place}, {since}", 0)
    first = deadline_past(since, soon(contest.setup), stoppages(contest.law))
    at = next(at for n in count() if (at := first + DAY * n * (n + 1) // 2) > last)
    said = "nobody has voted anew for" if kind == "day" else "it has waited for"
    yield Alert(at, about, f"It is {game.place}, and {said} {duration(max(now, at) - since)}. {STANDS[kind]}")


def _moved(game: Game) -> tuple[int, str]:
    """Return since when nothing has moved in the present phase, as everyone can see, and in which way."""
    if game.phase != "day":
        return game.began or game.entries[0].at, game.phase
    lynched = game.lines_now(Lynched)
    if lynched:
        return lynched[-1].at, "shot"
    return max([game.began, *(e.at for e in game.lines_now(Voted)[-1:])]), "day"


def _no_votes(contest: Contest, game: Game) -> Iterator[Alert]:
    """A vote before all eyes in which some have not voted when they are reminded for the last time."""
    missing = [o for o in owing(contest) if o.kind == "vote" and o.closes]
    if not missing:
        return
    stage = Owed("", game.stage, min(o.since for o in missing), 0, "vote", missing[0].closes)
    about = f"{game.stage} of {game.place}, {game.deadline}"
    instants = reminders(stage, contest.setup.remind)
    if instants and about not in contest.law.alerted:
        names = listed(tuple(o.who for o in missing))
        yield Alert(instants[-1], about, f"In the {game.stage} of {game.place}, which ends at {when(game.deadline)}, "
                    f"these have not voted: {names}. `nomicwolf extend --by 24h` gives more time.")


def handle(work: Work) -> None:
    """Remind, name, act for and alert, as far as it is time for that."""
    if work.contest.law.guard or work.contest.law.paused:
        return
    remind(work)
    silence.act_on_silence(work)
    award_after_end(work)
    alert(work)


def next_due(contest: Contest) -> int | None:
    """Return the next instant (UTC seconds) at which something will be overdue, None if nothing will."""
    if contest.law.guard or contest.law.paused:
        return None
    return min((*reminders_due(contest), *silence.silence_due(contest), *alerts_due(contest)), default=None)
