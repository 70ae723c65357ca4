"""Late letters and what they would have changed (D-A8).

A deed with an earlier stamp is counted from there while the vote that it belongs to is open. Once that is closed, by a
lynching, a deadline or the end of the session, its letter is held for the contestmaster, with what it would have come
to beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from nomicwolf.contest.ballots import cast, in_its_day, would_be_cast
from nomicwolf.contest.channels import BALLOTS, LAW, can_do
from nomicwolf.contest.law import is_member
from nomicwolf.contest.step import Work
from nomicwolf.nomic.events import DeedHeard, LetterHeard, LetterHeld, LetterReleased, Noted, Refused
from nomicwolf.nomic.intents import law_of, open_intents, says
from nomicwolf.nomic.law import Intent
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.alarms import STAGE, TURN
from nomicwolf.village.events import (
    Acquitted,
    ClockStruck,
    Ended,
    Entry,
    Event,
    Lynched,
    Nominated,
    PhaseBegan,
    StageBegan,
    Tried,
)
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.runoff import one_by_one
from nomicwolf.village.rule_helpers import listed

BEGINNINGS: tuple[type[Event], ...] = (PhaseBegan, StageBegan)
CLOSING: tuple[type[Event], ...] = (*BEGINNINGS, Lynched, Acquitted, Ended)
CITES = ("D-N9", "D-A8")
LATE_WORDS = {"object": ("objection", "objected", "after what it objects to had happened"),
        "withdraw": ("withdrawal", "withdrew eir objection", "after what it takes back had stopped something")}
"""What the contestmaster and its author are told of a late objection, and of the withdrawal of one."""


def out_of_time(work: Work, number: int, deed: DeedHeard) -> bool:
    """Hold *deed* if what it belongs to is closed, and return whether it is.

    Raise `Refusal` if it could not have been done in time either.
    """
    if deed.verb in LATE_WORDS:
        return _objected_late(work, number, deed)
    game = work.contest.game
    if game is None or not _is_behind(work, game, deed):
        return False
    if _of_a_session_before(work, game, deed):
        what, other = "session", f"Session {work.contest.session} has begun since, and what was before it is over."
    else:
        before = closed_since(work.rules, game, deed)
        if before is None:
            return False
        what = "day" if not before.stage else "turn" if one_by_one(before) else (
            "vote" if deed.verb in BALLOTS else "stage")
        other = outcome_in_time(work, before, deed, _of_its_letter(work, number, deed))
    _hold(work, number, deed, f"after its {what} had ended", other)
    return True


def came_too_late(work: Work, deed: DeedHeard) -> bool:
    """Return whether *deed* was in time for what is closed by now."""
    game = work.contest.game
    return game is not None and _is_behind(work, game, deed) and (
        _of_a_session_before(work, game, deed) or closed_since(work.rules, game, deed) is not None)


def _is_behind(work: Work, game: Game, deed: DeedHeard) -> bool:
    """Return whether *deed* is of the session's, in a forum, and of an instant that lies behind it."""
    return deed.instant < game.clock and deed.verb not in LAW and deed.channel in work.contest.setup.nomics


def _hold(work: Work, number: int, deed: DeedHeard, after: str, other: str) -> None:
    """Hold the letter of *deed* for a ruling, and tell its author so; of several deeds in it all is told.

    One that was in time, and for which a ruling came too late, is held once more.
    """
    held = work.contest.held.get(deed.letter)
    released = any(isinstance(e.event, LetterReleased) and e.event.letter == deed.letter
                   for e in work.contest.entries[deed.letter:])
    if held is None or other not in held.other:
        both = other if held is None else f"{held.other} {other}"
        came = "was let through" if released else "came in"
        work.add(LetterHeld(deed.letter, f"{came} {after}", both), cites=CITES, cause=f"deed {number}")
    told = (f"Your letter was let through only {after}; the contestmaster will rule on what follows." if released else
            f"Your letter reached us {after}, though it was posted before; the contestmaster will rule on it.")
    author = work.contest.pending[number].who
    work.add(Refused(number, author, deed.verb, deed.text, told), cites=CITES, cause=f"deed {number}")


def _objected_late(work: Work, number: int, deed: DeedHeard) -> bool:
    """Hold an objection made in time to what has happened everywhere since; tell of one that was partly.

    So it is with the withdrawal of one by which something has been stopped since.
    """
    contest = work.contest
    if not is_member(contest, deed.who):
        return False
    before = [i for i in contest.law.intents.values() if i.at <= deed.instant]
    other = " ".join(filter(None, (_on_intent(contest, deed, intent) for intent in before)))
    if not other:
        return False
    what, did, after = LATE_WORDS[deed.verb]
    if any(i in open_intents(contest) for i in before):
        work.add(Noted(f"late {what}", f"{deed.who} {did} at {when(deed.instant)}. {other}"), cites=CITES,
                 cause=f"deed {number}")
        return False
    _hold(work, number, deed, after, other)
    return True


def _on_intent(contest: Contest, deed: DeedHeard, intent: Intent) -> str:
    """Return what *deed*, an objection or its withdrawal, would have changed of *intent* in time; '' if nothing."""
    taken_back = deed.verb == "withdraw"
    since = [(nomic, at) for nomic, at in (intent.blocked if taken_back else intent.effective) if at > deed.instant]
    if not since or (taken_back and {who for who, _ in intent.objections} != {deed.who}):
        return ""
    where = " and ".join(f"{law_of(contest.setup, nomic).title} at {when(at)}" for nomic, at in since)
    named = f"intent {intent.number}, {says(intent)}"
    if taken_back:
        return f"Without the objection {named}, would have happened in {where}."
    return f"It would have stopped {named}, which has happened in {where}."


def _of_a_session_before(work: Work, game: Game, deed: DeedHeard) -> bool:
    """Return whether *deed* has its stamp from before the session began, and its author was in the one before."""
    past = work.contest.sessions.get(work.contest.session - 1)
    began = next(iter(game.entries), None)
    return past is not None and deed.who in past.players and began is not None and deed.instant < began.at


def closed_since(rules: Ruleset, game: Game, deed: DeedHeard) -> Game | None:
    """Return *game* as it stood just before that was closed to which *deed* belongs.

    None if it is open still, if nothing was open to its author at that instant, or if that is before all.
    """
    began = [e.number for kind in BEGINNINGS for e in game.lines(kind) if e.at <= deed.instant]
    if not began:
        return None
    first = max(began)
    if can_do(rules, game, deed.who, deed.verb) and first >= _since(game, deed.verb):
        return None
    turns = (e for e in game.lines(ClockStruck, what=TURN) if e.at > deed.instant)
    closing = [e.number for e in (*_closing(game), *turns) if e.number > first]
    if not closing:
        return None
    before = replay(e for e in game.entries if e.number < min(closing))
    return before if can_do(rules, before, deed.who, deed.verb) else None


def _since(game: Game, verb: str) -> int:
    """Return the entry since which a deed counts: of a ballot its stage's beginning, of anything else its day's."""
    return max(game.phase_mark, game.mark(StageBegan)) if verb in BALLOTS else game.phase_mark


def _closing(game: Game) -> Iterable[Entry]:
    """Return what has closed a vote: its end, or the deadline from which that follows."""
    return (*game.lines(ClockStruck, what=STAGE), *(e for kind in CLOSING for e in game.lines(kind)))


def _of_its_letter(work: Work, number: int, deed: DeedHeard) -> list[DeedHeard]:
    """Return the ballots of *deed*'s letter, in their order; *deed* is the one with this *number*."""
    came = takewhile(lambda e: not isinstance(e.event, LetterHeard), work.contest.entries[deed.letter:])
    said = {e.number: replace(e.event, who=deed.who, instant=deed.instant) for e in came
            if isinstance(e.event, DeedHeard) and e.event.letter == deed.letter and e.event.verb in BALLOTS}
    return list({**said, number: deed}.values())


def outcome_in_time(work: Work, before: Game, deed: DeedHeard, ballots: Sequence[DeedHeard]) -> str:
    """Say what would have come of *deed* in its place; a ballot is weighed together with the other *ballots* with it.

    Raise `Refusal` if it could not have been done.
    """
    rules, entries = work.rules, work.contest.entries
    if deed.verb not in BALLOTS:
        rules.act(before, before.clock, deed.who, deed.verb, deed.names)
        return f'By its stamp "{deed.says}" was in time.'
    cast(rules, before, deed, entries)
    in_eir_day = (in_its_day(b, before) for b in ballots)
    together = [dated for dated in in_eir_day if would_be_cast(rules, before, dated, entries)]
    after, news = before, list[Entry]()
    for place, ballot in enumerate(together, 1):
        if would_be_cast(rules, after, ballot, entries):
            after, brought = cast(rules, after, ballot, entries, more=place < len(together))
            news += brought
    if before.stage and after.stage == before.stage and not after.now(Lynched) and not after.over:
        news += rules.strike(after, after.deadline, STAGE)[1]
    return outcome_text(news, staged=bool(before.stage))


def outcome_text(news: Iterable[Entry], *, staged: bool) -> str:
    """Say what *news* brought for those who were voted on."""
    for entry in news:
        match entry.event:
            case Lynched(who):
                return f"With it, {who} would have been {'condemned' if staged else 'lynched'} at {when(entry.at)}."
            case Acquitted(who):
                return f"With it, {who} would have been acquitted all the same."
            case Tried(who):
                return f"With it, {who} would have been tried."
            case Nominated(names):
                return f"With it, {listed(names)} would have been nominated."
            case _:
                continue
    if staged:
        return "With it, nobody would have been condemned."
    return "With it, nobody would have been lynched then."
