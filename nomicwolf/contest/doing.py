"""One deed: what it does in the session, or why it can't."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nomicwolf.contest import claiming, departing, intending
from nomicwolf.contest.ahead import keep
from nomicwolf.contest.casting import cast, in_its_day, would_be_cast
from nomicwolf.contest.channels import BALLOTS, KILLS, LAW, duty_verb
from nomicwolf.contest.closed import no_session, not_open
from nomicwolf.contest.late import out_of_time
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import QuestionAsked
from nomicwolf.nomic.events import DeedDone, DeedHeard, Refused
from nomicwolf.village.events import Entry, Extended, Replaced, StageBegan
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Duty, Refusal

SPOKEN = ("say", "ask")


def do(work: Work, number: int) -> None:
    """Do the pending deed *number*, or refuse it; either way it is no longer pending."""
    heard = work.contest.pending[number]
    deed, cause = in_eir_seat(work.contest.game, heard), f"deed {number}"
    if deed.verb == departing.LEAVE:
        departing.leave(work, deed.who, departing.BY_EIR_WORD, deed.instant, cause, number)
        return
    try:
        if out_of_time(work, number, deed):
            return
        deed = in_its_day(deed, work.contest.running)
        note = _do_lawful(work, deed, cause) if _lawful(work, deed) else perform(work, deed, cause)
    except Refusal as refused:
        if keep(work, number, deed, cause):
            return
        why = refused.why if refused.cites == () else f"{refused.why} ({', '.join(refused.cites)})"
        event = Refused(number, heard.who, deed.verb, deed.text, why, refused.options)
        work.add(event, deed.instant, refused.cites, cause)
    else:
        work.add(DeedDone(number, heard.who, deed.says, note), deed.instant, (), cause)


def in_eir_seat(game: Game | None, deed: DeedHeard) -> DeedHeard:
    """Return *deed* as that of whoever has its author's seat now, if e was replaced after its instant (D-N41, D-A8)."""
    if game is None or deed.verb in LAW:
        return deed
    who = deed.who
    for entry in game.lines(Replaced):
        if isinstance(entry.event, Replaced) and entry.at > deed.instant and entry.event.old == who:
            who = entry.event.new
    return replace(deed, who=who)


def another_waits(work: Work, deed: DeedHeard) -> bool:
    """Return whether *deed*, a ballot that comes in late, will be followed by another one: both are weighed together.

    Else the first could bring about what the second, which is as well known by now, prevents (D-A8). Whoever is killed
    by leaving between both (D-N11) parts them: that death is an occasion to count, and may keep the second from voting.
    """
    game, rules = work.contest.running, work.rules
    if game is None or deed.instant >= game.clock:
        return False
    place = deed.instant, deed.key
    later = [d for d in work.contest.pending.values() if place < (d.instant, d.key) < (game.clock, ())]
    kills = game.switches.get("departure") == "kill"
    deaths = [(d.instant, d.key) for d in later if kills and d.verb == departing.LEAVE and d.who in game.alive]
    first = min(deaths, default=(game.clock, ()))
    ballots = (d for d in later if d.verb in BALLOTS and (d.instant, d.key) < first)
    mine = (in_its_day(in_eir_seat(game, d), game) for d in ballots)
    return any(would_be_cast(rules, game, d, work.contest.entries) for d in mine)


def _do_lawful(work: Work, deed: DeedHeard, cause: str) -> str:
    return claiming.by_mail(work, deed, cause) if deed.verb == "claim" else intending.do(work, deed, cause)


def _lawful(work: Work, deed: DeedHeard) -> bool:
    """Return whether *deed* is of the law around the game; where a rule set has the verb too, its duty comes first."""
    game = work.contest.running
    return deed.verb in LAW and not (game is not None and deed.who in game.seats and wanted(work.rules, game, deed))


def perform(work: Work, deed: DeedHeard, cause: str, by: str = "") -> str:
    """Let *deed* happen in the session; return a note for its author; raise `Refusal` if it can't."""
    game = work.contest.running
    if game is None:
        raise Refusal(*no_session(work.contest))
    if deed.who not in game.seats:
        raise Refusal("You are not a townsperson of this session.", ("NC 2a",))
    rules = work.rules
    deed = as_meant(rules, game, deed)
    if not wanted(rules, game, deed) and not _always(rules, deed):
        raise Refusal(not_open(rules, game, deed), ())
    if deed.verb in BALLOTS:
        more = another_waits(work, deed)
        work.play(lambda g: cast(rules, g, deed, work.contest.entries, by=by, cause=cause, more=more))
        return ""
    if deed.verb == "pass":
        return _pass(work, deed, cause, by)
    if deed.verb in SPOKEN:
        return _speak(work, deed, cause, by)
    passing = not deed.names and deed.words == "nobody"
    made = work.play(lambda g: rules.act(
        g, max(deed.instant, g.clock), deed.who, deed.verb, deed.names, passing=passing, by=by, cause=cause))
    _make_good(work, deed, made, cause)
    return ""


def _make_good(work: Work, deed: DeedHeard, made: Sequence[Entry], cause: str) -> None:
    """Let a stage that *deed* has opened last longer by as much as its letter was late, as nobody knew of it (D-A8)."""
    began = next(((e.at, e.event.until) for e in made if isinstance(e.event, StageBegan)), None)
    late = deed.key[0] - began[0] if began else 0
    if began and late > work.contest.setup.settling:
        longer = Extended(began[1] + late)
        work.play(lambda g: work.rules.settle(g, g.clock, (longer,), ("D-A1", "D-A8"), cause))


def as_meant(rules: Ruleset, game: Game, deed: DeedHeard) -> DeedHeard:
    """Return *deed* with the one killing verb that is open to its author: a Hunter who writes "kill" shoots (NC 7c)."""
    if deed.verb not in KILLS:
        return deed
    open_now = {d.verb for d in rules.duties(game, deed.who)} & set(KILLS)
    return replace(deed, verb=open_now.pop()) if len(open_now) == 1 else deed


def _always(rules: Ruleset, deed: DeedHeard) -> bool:
    """Return whether *deed* is a question that no clause sets a time for: the contestmaster can always be asked."""
    return deed.verb == "ask" and not any(d.verb == "ask" for law in rules.laws for d in law.duties)


def _speak(work: Work, deed: DeedHeard, cause: str, by: str) -> str:
    rules = work.rules
    if not _always(rules, deed):
        work.play(lambda g: rules.speak(
            g, max(deed.instant, g.clock), deed.who, deed.verb, deed.words, by=by, cause=cause))
    if deed.verb == "ask":
        work.add(QuestionAsked(deed.who, deed.words), deed.instant, ("D-M16",), cause)
    return ""


def wanted(rules: Ruleset, game: Game, deed: DeedHeard) -> list[Duty]:
    """Return the open duties that *deed* may be for."""
    verb = duty_verb(deed.verb)
    open_now = rules.duties(game, deed.who)
    return [d for d in open_now if (d.may_pass if verb == "pass" else d.verb == verb)]


def _pass(work: Work, deed: DeedHeard, cause: str, by: str) -> str:
    game = work.contest.running
    assert game is not None
    rules = work.rules
    passed = [d.verb for d in wanted(rules, game, deed)]

    def decline(verb: str) -> None:
        work.play(lambda g: rules.act(
            g, max(deed.instant, g.clock), deed.who, verb, (), passing=True, by=by, cause=cause))

    for verb in passed:
        decline(verb)
    return f"You pass on: {', '.join(passed)}."
