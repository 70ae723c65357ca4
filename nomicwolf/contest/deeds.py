"""Deeds executed in the session, kept, or refused.

A refusal's words disclose nothing of the author's role (NC 6b).

Night deeds that are sent by day are kept until the night begins, and can be replaced until then (D-N38).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nomicwolf.contest import law, rosters
from nomicwolf.contest.ballots import cast, in_its_day, out_of_time, would_be_cast
from nomicwolf.contest.step import DEAD, KILLS, Work
from nomicwolf.nomic.events import DeedDone, DeedHeard, Refused
from nomicwolf.nomic.law import BALLOTS, LAW, duty_verb, public_verbs
from nomicwolf.nomic.law_events import DeedKept, QuestionAsked
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.events import Entry, Extended, Lynched, PhaseBegan, Replaced, StageBegan
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import one_by_one
from nomicwolf.village.laws.runoff import first_nominees
from nomicwolf.village.rules import Duty, Refusal

NOT_OPEN = "You can't do this now"


def no_session(contest: Contest) -> tuple[str, tuple[str, ...]]:
    """Return why nothing can be done where no session is in progress; of an end that waits for P, not that it is one.

    Those words fit whatever has happened (D-N21): a phase that has had its end isn't announced at once.
    """
    if contest.session in contest.awards_held:
        return "It is too late for that: what has come of this phase is yet to be announced.", ()
    return "The session is over." if contest.game else "No session is in progress.", ("NC 5",)


def refusal_text(rules: Ruleset, game: Game, deed: DeedHeard) -> str:
    """Say that a deed is not open, in the same words whatever role its author holds."""
    open_now = [d.says or d.verb for d in rules.duties(game, deed.who)]
    if deed.who not in game.alive and deed.who in game.shown_dead and not open_now:
        return DEAD
    if deed.verb in BALLOTS:
        return _no_vote(game, deed)
    if deed.verb == "ask":
        return f"Questions go to the contestmaster while all may talk, by day; it is {game.place}. Ask again then."
    offer = "\n".join(["", "Open to you now:", *(f"  {line}" for line in open_now)]) if open_now else ""
    return f"{NOT_OPEN}: it is {game.place}.{offer}"


def _no_vote(game: Game, deed: DeedHeard) -> str:
    """Say why the player can't vote: it is night, the stage has no vote, it isn't their turn, or the vote is closed."""
    if game.phase == "setup":
        return "There is no day phase yet: votes open when the start is announced."
    if game.phase == "night":
        day = any(isinstance(e.event, PhaseBegan) and e.event.phase == "day" for e in game.lines(PhaseBegan))
        since = f" The day ended at {when(game.began)}; your vote came at {when(deed.instant)}." if day else ""
        return f"It is {game.place}, and nobody votes by night.{since}"
    if game.stage and not game.now(Lynched):
        if game.stage == "ballot" and deed.who in game.alive and deed.who in first_nominees(game):
            return f"You are nominated, and the others vote among the nominees; it lasts until {when(game.deadline)}."
        if one_by_one(game) and deed.who in game.alive:
            return f"In the {game.stage} of {game.place} all vote in turn: you are told when yours comes, if it does."
        lasts = "they last" if game.stage.endswith("s") else "it lasts"
        return f"In the {game.stage} of {game.place} no vote is open to you; {lasts} until {when(game.deadline)}."
    return (
        f"The vote of {game.place} is closed; your vote came at {when(deed.instant)}. The night begins when "
        "everything that the day still waits for has been done."
    )


KEPT = (
    "Nothing is done now: this is for the night, and it is day. It is kept, and tried when the next night begins; "
    "write again to replace it.\n"
)


def keep_for_night(work: Work, number: int, deed: DeedHeard, cause: str) -> bool:
    """Keep a deed of the night's until the next one, and return whether it is one.

    Its author is told the same whatever their role: only public facts are asked, and what every role may do.
    """
    game = work.contest.running
    if game is None or game.phase != "day" or deed.who not in game.seats or deed.who in game.shown_dead:
        return False
    open_now = any(d.verb == deed.verb for d in work.rules.duties(game, deed.who))
    if open_now or deed.verb not in night_verbs(work.rules):
        return False
    alike = [n for n, (other, phase) in work.contest.deeds.kept.items()
             if (other.who, other.verb, phase) == (deed.who, deed.verb, "night")]
    work.add(DeedKept(number, "night", alike[0] if alike else 0), deed.instant, ("D-N38",), cause)
    work.add(Refused(0, deed.who, deed.verb, deed.text, KEPT), deed.instant, ("D-N38",), cause)
    return True


def night_verbs(rules: Ruleset) -> frozenset[str]:
    """Return what any role may be asked to do by private mail, whichever roles are in play."""
    verbs = {d.verb for role in rules.roles.values() for d in role.duties if d.arity and not d.pins}
    return frozenset(verbs) - public_verbs(rules) - {"say", "ask"}


SPOKEN = ("say", "ask")


def execute(work: Work, number: int) -> None:
    """Do the pending deed *number*, or refuse it; either way it is no longer pending."""
    heard = work.contest.pending[number]
    deed, cause = in_current_seat(work.contest.game, heard), f"deed {number}"
    if deed.verb == rosters.LEAVE:
        rosters.leave_session(work, deed.who, rosters.BY_EIR_WORD, deed.instant, cause, number)
        return
    try:
        if out_of_time(work, number, deed):
            return
        deed = in_its_day(deed, work.contest.running)
        note = _perform_law_deed(work, deed, cause) if _lawful(work, deed) else perform(work, deed, cause)
    except Refusal as refused:
        if keep_for_night(work, number, deed, cause):
            return
        why = refused.why if refused.cites == () else f"{refused.why} ({', '.join(refused.cites)})"
        event = Refused(number, heard.who, deed.verb, deed.text, why, refused.options)
        work.add(event, deed.instant, refused.cites, cause)
    else:
        work.add(DeedDone(number, heard.who, deed.says, note), deed.instant, (), cause)


def in_current_seat(game: Game | None, deed: DeedHeard) -> DeedHeard:
    """Return *deed* as done by who has its author's seat now, if they were replaced after its instant (D-N41, D-A8)."""
    if game is None or deed.verb in LAW:
        return deed
    who = deed.who
    for entry in game.lines(Replaced):
        if isinstance(entry.event, Replaced) and entry.at > deed.instant and entry.event.old == who:
            who = entry.event.new
    return replace(deed, who=who)


def later_ballot_waits(work: Work, deed: DeedHeard) -> bool:
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
    deaths = [(d.instant, d.key) for d in later if kills and d.verb == rosters.LEAVE and d.who in game.alive]
    first = min(deaths, default=(game.clock, ()))
    ballots = (d for d in later if d.verb in BALLOTS and (d.instant, d.key) < first)
    mine = (in_its_day(in_current_seat(game, d), game) for d in ballots)
    return any(would_be_cast(rules, game, d, work.contest.entries) for d in mine)


def _perform_law_deed(work: Work, deed: DeedHeard, cause: str) -> str:
    return law.claim_by_mail(work, deed, cause) if deed.verb == "claim" else law.act_on_intent(work, deed, cause)


def _lawful(work: Work, deed: DeedHeard) -> bool:
    """Return whether *deed* is of the law around the game; where a rule set has the verb too, its duty comes first."""
    game = work.contest.running
    return deed.verb in LAW and not (game is not None and deed.who in game.seats and duties_for(work.rules, game, deed))


def perform(work: Work, deed: DeedHeard, cause: str, by: str = "") -> str:
    """Execute *deed* in the session and return a note for its author; raise `Refusal` if it can't be done."""
    game = work.contest.running
    if game is None:
        raise Refusal(*no_session(work.contest))
    if deed.who not in game.seats:
        raise Refusal(f"You are not a {work.rules.person} of this session.", ("NC 2a",))
    rules = work.rules
    deed = with_open_kill(rules, game, deed)
    if not duties_for(rules, game, deed) and not (deed.verb == "ask" and _can_always_ask(rules)):
        raise Refusal(refusal_text(rules, game, deed), ())
    if deed.verb in BALLOTS:
        more = later_ballot_waits(work, deed)
        work.play(lambda g: cast(rules, g, deed, work.contest.entries, by=by, cause=cause, more=more))
        return ""
    if deed.verb == "pass":
        return _pass_on(work, deed, cause, by)
    if deed.verb in SPOKEN:
        return _speak(work, deed, cause, by)
    passing = not deed.names and deed.words == "nobody"
    made = work.play(lambda g: rules.act(
        g, max(deed.instant, g.clock), deed.who, deed.verb, deed.names, passing=passing, by=by, cause=cause))
    _extend_new_stage(work, deed, made, cause)
    return ""


def _extend_new_stage(work: Work, deed: DeedHeard, made: Sequence[Entry], cause: str) -> None:
    """Prolong a stage that *deed* opened by the delay of its letter, since nobody knew of it (D-A8)."""
    began = next(((e.at, e.event.until) for e in made if isinstance(e.event, StageBegan)), None)
    late = deed.key[0] - began[0] if began else 0
    if began and late > work.contest.setup.settling:
        longer = Extended(began[1] + late)
        work.play(lambda g: work.rules.settle(g, g.clock, (longer,), ("D-A1", "D-A8"), cause))


def with_open_kill(rules: Ruleset, game: Game, deed: DeedHeard) -> DeedHeard:
    """Return *deed* with the one killing verb that is open to its author: a Hunter who writes "kill" shoots (NC 7c)."""
    if deed.verb not in KILLS:
        return deed
    open_now = {d.verb for d in rules.duties(game, deed.who)} & set(KILLS)
    return replace(deed, verb=open_now.pop()) if len(open_now) == 1 else deed


def can_ask(rules: Ruleset, game: Game, who: str) -> bool:
    """Return whether *who* can ask the contestmaster something now."""
    return _can_always_ask(rules) or any(d.verb == "ask" for d in rules.duties(game, who))


def _can_always_ask(rules: Ruleset) -> bool:
    """Return whether no clause sets a time for questions to the contestmaster."""
    return not any(d.verb == "ask" for d in rules.common_duties)


def _speak(work: Work, deed: DeedHeard, cause: str, by: str) -> str:
    rules = work.rules
    if deed.verb != "ask" or not _can_always_ask(rules):
        work.play(lambda g: rules.speak(
            g, max(deed.instant, g.clock), deed.who, deed.verb, deed.words, by=by, cause=cause))
    if deed.verb == "ask":
        work.add(QuestionAsked(deed.who, deed.words), deed.instant, ("D-M16",), cause)
    return ""


def duties_for(rules: Ruleset, game: Game, deed: DeedHeard) -> list[Duty]:
    """Return the open duties that *deed* may be for."""
    verb = duty_verb(deed.verb)
    open_now = rules.duties(game, deed.who)
    return [d for d in open_now if (d.may_pass if verb == "pass" else d.verb == verb)]


def _pass_on(work: Work, deed: DeedHeard, cause: str, by: str) -> str:
    game = work.contest.running
    assert game is not None
    rules = work.rules
    passed = [d.verb for d in duties_for(rules, game, deed)]

    def decline(verb: str) -> None:
        work.play(lambda g: rules.act(
            g, max(deed.instant, g.clock), deed.who, verb, (), passing=True, by=by, cause=cause))

    for verb in passed:
        decline(verb)
    return f"You pass on: {', '.join(passed)}."
