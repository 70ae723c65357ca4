"""Ballots as cast, as undone, and as late letters would have had them.

A deed is undone by a further event, never by an edit, and not if a death depends on it (D-N42).

A deed with an earlier stamp is counted from there while the vote that it belongs to is open. Once that is closed, by a
lynching, a deadline or the end of the session, its letter is held for the contestmaster, with what it would have come
to beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from nomicwolf.contest.law import is_member
from nomicwolf.contest.step import Command, Work, can_do
from nomicwolf.nomic.duties import law_of, open_intents, says
from nomicwolf.nomic.events import DeedHeard, LetterHeard, LetterHeld, LetterReleased, Noted, Refused, Ruled
from nomicwolf.nomic.law import BALLOTS, LAW, Intent
from nomicwolf.nomic.law_events import DeedUndone
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.ballots import Ballot, For, Nobody, ballot_text
from nomicwolf.village.events import (
    STAGE,
    TURN,
    Acquitted,
    Agreed,
    Cause,
    Chose,
    ClockStruck,
    Completed,
    Dawned,
    Ended,
    Entry,
    Event,
    Killed,
    Lynched,
    Nominated,
    PhaseBegan,
    Revived,
    Seen,
    StageBegan,
    Told,
    Tried,
    Turned,
    Undone,
    Voted,
)
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import VERDICTS, cast_order, latest, one_by_one, turn_began, voted
from nomicwolf.village.laws.phases import about
from nomicwolf.village.laws.runoff import out_now
from nomicwolf.village.resolution import dated
from nomicwolf.village.rules import Refusal, listed


def ballot_of(deed: DeedHeard, accused: tuple[str, ...]) -> Ballot:
    """Return the ballot that *deed* casts; a verdict may name only those whom the vote is about."""
    if deed.verb in VERDICTS:
        if deed.names and deed.names[0] not in accused:
            raise Refusal(f"{deed.names[0]} is not on trial.", (), accused)
        return For(deed.verb)
    if deed.verb == "nominate":
        return For(deed.names[0]) if deed.names else Nobody()
    return deed.ballot or Nobody()


def cast(
    rules: Ruleset, game: Game, deed: DeedHeard, entries: list[Entry], *, by: str = "", cause: str = "",
    more: bool = False,
) -> tuple[Game, tuple[Entry, ...]]:
    """Return *game* after the ballot *deed* has been cast, and the new entries; raise `Refusal` if it can't be.

    With *more* another one that is late as well follows it. *entries* are the contest's, which tell what was undone: a
    ballot that would have stood again when a later one was undone stands from that instant, too (D-N42).
    """
    in_turn = one_by_one(game)
    opened = turn_began(game, deed.who, out_now(game)) if in_turn and deed.who in game.alive else max(
        [game.began, *(e.at for e in game.lines_now(StageBegan)[-1:])])
    if deed.instant < opened:
        what = "your turn" if in_turn else f"the {game.stage} of {game.place}" if game.stage else game.place
        took, began = when(deed.instant), when(opened)
        raise Refusal(f"Your vote took effect at {took}, and {what} began at {began}.", ("NC 3",))
    ballot = ballot_of(deed, about(game))
    undone = _undone_after(entries, game, deed)
    after, made = rules.cast(
        game, deed.instant, deed.who, "vote", ballot, key=deed.key, by=by, cause=cause, more=more or undone is not None)
    if undone is None:
        return after, made
    said, instead = voted(made[0]).ballot, voted(undone)
    last, again = rules.cast(
        after, undone.at, deed.who, "vote", castable_now(after, said), key=(*instead.key, 1), by=instead.by,
        cause=f"entry {made[0].number}", more=more)
    return last, made + again


def castable_now(game: Game, ballot: Ballot) -> Ballot:
    """Return *ballot* as it can be cast now: a plain vote for a player who has left becomes one for nobody."""
    gone = isinstance(ballot, For) and ballot.whom in game.seats and ballot.whom not in game.alive
    return Nobody() if gone else ballot


def ballot_in_force(entries: list[Entry], game: Game, who: str) -> tuple[Entry, list[Entry]]:
    """Return the entry of *who*'s ballot in force in the present vote, and all their ballots that are not undone.

    They are in the order in which they took effect. What an undoing put in a ballot's place stands for one of them.
    """
    since = max(game.phase_mark, game.mark(StageBegan))
    undone = [e for e in entries[since:] if isinstance(e.event, DeedUndone)]
    void = {e.event.deed for e in undone if isinstance(e.event, DeedUndone)}
    instead = set[tuple[int, ...]]()
    real = list[Entry]()
    cast = sorted((e for e in game.lines_now(Voted, who=who) if e.number > since), key=cast_order)
    for entry in cast:
        key = voted(entry).key
        if entry.number - 1 in {e.number for e in undone} or key[:-1] in instead:
            instead.add(key)
        elif entry.number not in void:
            real.append(entry)
    return cast[-1], real


def _undone_after(entries: list[Entry], game: Game, deed: DeedHeard) -> Entry | None:
    """Return what an undoing put in place of a ballot, if *deed* comes in later and is what stood before that one."""
    last, place = latest(game).get(deed.who), (deed.instant, deed.key)
    if last is None or not voted(last).by or place > cast_order(last)[:2]:
        return None
    if last.number <= max(game.phase_mark, game.mark(StageBegan)):
        return None
    last, real = ballot_in_force(entries, game, deed.who)
    put = not any(e.number == last.number for e in real)
    return last if put and not any(cast_order(e)[:2] > place for e in real) else None


def would_be_cast(rules: Ruleset, game: Game, deed: DeedHeard, entries: list[Entry]) -> bool:
    """Return whether the ballot *deed*, with others that come in late, is one that *game* takes."""
    try:
        cast(rules, game, deed, entries, more=True)
    except Refusal:
        return False
    return deed.who in game.seats


def in_its_day(deed: DeedHeard, game: Game | None) -> DeedHeard:
    """Return *deed* with hours into the day replaced by instants, if *game* is at a day."""
    if deed.ballot is None or game is None or game.phase != "day" or "hours into the day" not in deed.says:
        return deed
    ballot = dated(deed.ballot, game.began)
    return replace(deed, ballot=ballot, says=f"vote {ballot_text(ballot)}")


FATAL: tuple[type[Event], ...] = (Lynched, Killed, Revived, Turned, PhaseBegan, Ended)
TELLING: tuple[type[Event], ...] = (Seen, Told)
ANSWERED = "what it answered to is undone"
"""Why an answer is undone, in words that tell nothing of whose deed it answered to."""


def undo(work: Work, command: Command) -> str:
    """Undo a vote or a choice of the present phase, by the number of its entry; what was public with a new count."""
    game, why = work.contest.running, command.words("why", "Say why; all are told: --why.", ("D-N42",))
    if game is None:
        raise Refusal("No session is in progress; `start` begins one.", ("D-N42",))
    entry = _meant(game, command)
    if entry.number < game.phase_mark:
        raise Refusal("Its phase is over: what came of it stays. A ruling may say what follows.", ("D-N42",))
    if isinstance(entry.event, Voted):
        return _vote(work, game, entry, entry.event, why)
    assert isinstance(entry.event, Chose)
    return _choice(work, game, entry, entry.event, why, command.get("authority"))


def _meant(game: Game, command: Command) -> Entry:
    """Return the vote or choice that *command* names by the number of its entry, or of its deed's.

    Words are neither: who has read them can't be made to forget.
    """
    number = command.number("number")
    done = [*game.lines(Voted), *(e for e in game.lines(Chose) if not getattr(e.event, "words", ""))]
    found = next((e for e in done if e.number == number
                  or (number is not None and e.comes_of("deed", number))), None)
    if found is None:
        last = tuple(str(e.number) for e in done if e.number > game.phase_mark)[-10:]
        said = command.get("number") or "(none)"
        raise Refusal(f"Entry {said} is no vote and no choice of this session.", ("D-N42",), last)
    return found


def _vote(work: Work, game: Game, entry: Entry, undone: Voted, why: str) -> str:
    """Undo a vote, so that the one before it counts again; refused if somebody has died since, or would at once."""
    if entry.number < game.mark(StageBegan):
        raise Refusal("It has been counted: what came of it stays. A ruling may say what follows.", ("D-N42",))
    last, mine = ballot_in_force(work.contest.entries, game, undone.who)
    if not mine or entry.number not in (last.number, mine[-1].number):
        raise Refusal(f"A later vote of {undone.who}'s stands in its place, or it is undone: nothing depends on this "
                      "one.", ("D-N42",))
    entry, vote = mine[-1], voted(mine[-1])
    ballot = castable_now(game, voted(mine[-2]).ballot) if len(mine) > 1 else Nobody()
    if any(_fatal(e) and e.number > entry.number for e in game.entries):
        raise Refusal("A death depends on it: what has been disclosed can't be undone. End the session by clause 1f, "
                      "or record a ruling on what follows.", ("D-N42", "NC 1f"))
    rules, at, master = work.rules, max(work.now, game.clock), work.contest.setup.contestmaster
    key = (*voted(last).key, 1)
    _, follows = rules.cast(game, at, vote.who, vote.verb, ballot, key=key, by=master)
    if any(map(_fatal, follows)):
        raise Refusal(f"Without it {vote.who}'s earlier vote would condemn somebody at once; let em vote anew "
                      "instead.", ("D-N42",))
    work.add(DeedUndone(entry.number, vote.who, f"{vote.verb} {ballot_text(vote.ballot)}", why, vote.sealed),
             cites=("D-N42",), cause="command")
    work.play(lambda g: rules.cast(g, at, vote.who, vote.verb, ballot, key=key, by=master, cause="command"))
    return f"{vote.who}'s vote is undone; it is {ballot_text(ballot)} again."


def _fatal(entry: Entry) -> bool:
    """Return whether *entry* is a death, or what a death brings; one who has left did not die of a vote (D-A2)."""
    event = entry.event
    return isinstance(event, FATAL) and not (isinstance(event, Killed) and event.cause == "departure")


def _choice(work: Work, game: Game, entry: Entry, chose: Chose, why: str, authority: str) -> str:
    """Undo a choice and what followed; refused if somebody died of it, or was told of it and no authority is given."""
    chain = _follows(work.rules, game, entry, chose)
    if any(isinstance(e.event, FATAL) for e in chain) or any(e.number > entry.number for e in game.lines_now(Dawned)):
        raise Refusal("A death depends on it: nothing was done. A ruling may say what follows.", ("D-N42",))
    told = [e for e in chain if isinstance(e.event, TELLING)]
    if told and not authority:
        raise Refusal("Someone has been told what follows from it, and can't be made to forget: give --authority, the "
                      "clause, amendment or case that allows it.", ("D-N42",))
    numbers = tuple(sorted(e.number for e in chain))
    says = _says(chose)
    if authority:
        work.add(Ruled(f"A deed is undone: {why}", authority, (chose.who,), secret=True), cites=("D-N42", "D-A11"),
                 cause="command")
    work.add(DeedUndone(entry.number, chose.who, says, why, secret=True), cites=("D-N42",), cause="command")
    answers = [e for e in chain if isinstance(e.event, Chose) and e is not entry]
    for answer in answers:
        assert isinstance(answer.event, Chose)
        work.add(DeedUndone(answer.number, answer.event.who, _says(answer.event), ANSWERED, secret=True),
                 cites=("D-N42",), cause="command")
    rules, at = work.rules, max(work.now, game.clock)
    work.play(lambda g: rules.settle(g, at, (Undone(numbers),), ("D-N42",), "command"))
    others = listed(tuple(dict.fromkeys(e.event.who for e in answers if isinstance(e.event, Chose))))
    with_it = f" So is what {others} answered to it." if answers else ""
    return f"{chose.who}'s {says} is undone; e owes it again if e did.{with_it}"


def _says(chose: Chose) -> str:
    return " ".join([chose.verb, " and ".join(chose.what) or "nobody"])


def _follows(rules: Ruleset, game: Game, entry: Entry, chose: Chose) -> list[Entry]:
    """Return *entry* and what followed from it: by its cause or its deed's, and that everything had been done.

    What several agreed on follows from what each of them said last; and what has been answered to what they agreed on,
    as by the Witch, who could not have answered without, follows from that.
    """
    own = Cause.of(entry.cause)
    causes = {Cause("entry", entry.number)} | ({own} if own.named("deed") else set())
    found, stands, agreement = [entry], True, False
    for later in (e for e in game.entries if e.number > entry.number):
        stands = stands and not (
            isinstance(later.event, Chose) and (later.event.who, later.event.verb) == (chose.who, chose.verb))
        agreed = stands and _agreed(rules, game, chose, later.event)
        answers = agreement and _answers(rules, game, found, later)
        cause = Cause.of(later.cause)
        if agreed or answers or cause in causes or isinstance(later.event, Completed):
            found.append(later)
            causes.add(Cause("entry", later.number))
            if agreed or (answers and cause.named("deed")):
                causes.add(cause)
            agreement = agreement or isinstance(later.event, Agreed)
    return found


def _answers(rules: Ruleset, game: Game, found: list[Entry], later: Entry) -> bool:
    """Return whether *later* is a choice that was open to its author only by what is *found* (NC 7b)."""
    chose = later.event
    if not isinstance(chose, Chose):
        return False
    without = game.branch()
    without.rebuild([e for e in game.entries if e.number < later.number], [e.number for e in found])
    duty = next((d for d in rules.roles[game.roles[chose.who]].duties if d.verb == chose.verb), None)
    return duty is not None and not duty.opens(without, chose.who)


def _agreed(rules: Ruleset, game: Game, chose: Chose, event: Event) -> bool:
    """Return whether *event* is what those agreed on who choose together, *chose* being a part of that."""
    match event:
        case Agreed(verb, whom, pack):
            return verb == chose.verb and whom == chose.what and chose.who in pack
        case Seen(by, who, _) if by != chose.who and (who,) == chose.what:
            role = game.roles[chose.who]
            together = any(d.verb == chose.verb and d.changeable for d in rules.roles[role].duties)
            return together and game.roles[by] == role
    return False


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
    """Hold the letter of *deed* for a ruling, and tell its author, naming all its deeds.

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
    """Hold a timely objection to an action that has happened everywhere since; report one to a partial action.

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
