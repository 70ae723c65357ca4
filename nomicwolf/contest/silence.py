"""Silent players: reminded, named, replaced, or acted for (D-A12).

What is public follows from what is public alone: who owes a vote, and who has been seen in a forum. What a role has its
holder do in secret is acted for in secret (D-A13).

Players offer to stand by, and the list is public (D-N41, D-A12). A substitute takes over everything, and the old
address is cut off, whether the policy or the contestmaster's command brings them in (D-N41).

All of it follows from the one table of what is owed. It is read after everything that was sent has been done, so
that nobody is reminded of what they have just done. Nothing is overdue while an outage is looked into, or while the
session is paused (D-N39, D-A15).

Reminders are of what is owed before silence has its effect (NC 1j, D-A12), and of joining in the other nomic (NC 1h).

NC 1h: “shall become a member there too, and do so in a timely fashion”.

The contestmaster is alerted when nothing moves, and of what the contract asks of them (D-A12). An alert goes out in the
clear, so it comes at instants that everyone can work out, and names no secret: who owes what by night is in `nomicwolf
status`, and in the journal where that is encrypted.

A silent player passes where the rules allow it, else follows their fellows, else a lot decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.step import Command, Work
from nomicwolf.nomic.duties import (
    absences,
    deadline_past,
    missing_members,
    owing,
    remaining_reminders,
    reminders,
    soon,
    stoppages,
)
from nomicwolf.nomic.events import ActedFor, DeedDone, PersonKnown, Reminded
from nomicwolf.nomic.law_events import MemberReminded
from nomicwolf.nomic.setup import DAY, Alerted, Owed, Prodded, StandbyEnded, StandbyOffered
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import duration, when
from nomicwolf.reports.layout import shell_word
from nomicwolf.reports.views import TAKES_OVER
from nomicwolf.village.events import (
    Chose,
    Drawn,
    Event,
    Extended,
    Lynched,
    PhaseBegan,
    Replaced,
    StageBegan,
    Told,
    Voted,
    next_slot,
    slots,
)
from nomicwolf.village.game import Game, heirs_of
from nomicwolf.village.kernel import Ruleset, done
from nomicwolf.village.laws.majority import DAY_LIMIT, PLURALITY, cast_in_stage, limit_of, one_by_one, order
from nomicwolf.village.laws.phases import MISSING
from nomicwolf.village.laws.runoff import out_now
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal, listed
from nomicwolf.village.rulesets import rules_in


def may_take_over(contest: Contest, game: Game, new: str) -> None:
    """Raise `Refusal` if *new* can't take over from somebody in *game*: they know too much, or are no party."""
    masters = {contest.setup.contestmaster, *(contest.contestmaster(n) for n in contest.setup.nomics)}
    if not new or new in masters:
        raise Refusal("Say who takes over: --new NAME; not the contestmaster.", ("D-N1", "D-N41"))
    if new in game.seats or new in heirs_of(game):
        raise Refusal(f"{new} is or was in this session, and knows what e knows.", ("D-N41",))
    if not any(new in names for names in contest.parties.values()):
        raise Refusal(f"{new} is no party to the contract; e has to join first, or `party add` enters em.",
                      ("NC 1c", "D-N41"))


def take_over(work: Work, old: str, new: str, cites: tuple[str, ...], cause: str) -> None:
    """Give *new* everything of *old*'s; everyone learns who, and nobody which role."""
    game = work.contest.running
    assert game is not None
    rules, at = work.rules, max(work.now, game.clock)
    told = told_so_far(work.contest, game, old)
    text = "\n".join([f"You take over from {old}.", rules.roles[game.roles[old]].story, *told])
    events: tuple[Event, ...] = (Replaced(old, new), Told(new, TAKES_OVER, text.strip()))
    work.play(lambda g: rules.settle(g, at, events, cites, cause))


def told_so_far(contest: Contest, game: Game, who: str) -> list[str]:
    """Return lines on what *who* was told in this session, and on what they did in private, each with its phase."""
    told = [(e.number, " ".join(e.event.text.split())) for e in game.lines(Told, to=who) if isinstance(e.event, Told)]
    did = [(e.number, f"{e.event.verb} {' and '.join(e.event.what) or 'nobody'}")
           for e in game.lines(Chose, who=who) if isinstance(e.event, Chose)]
    return [line for head, found in ((f"What {who} was told:", told), (f"What {who} did in private:", did)) if found
            for line in (head, *(f"- {_phase_at(game, number)}: {text}" for number, text in found))]


def _phase_at(game: Game, number: int) -> str:
    """Return in which phase entry *number* was made."""
    phases = [e.event for e in game.lines(PhaseBegan) if e.number < number and isinstance(e.event, PhaseBegan)]
    return f"{phases[-1].phase.capitalize()} {phases[-1].number}" if phases else "At the start"


def act_on_silence(work: Work) -> None:
    """Name everyone who has been silent for too long, and act for who owes a secret deed for too long, by now."""
    for at, who, since in [*_prods(work.contest)]:
        if at <= work.now:
            _act_on_silent(work, who, since)
    while work.contest.law.policy.takes("act-for"):
        ripe = (owed for owed in _overdue(work.contest) if owed.until <= work.now)
        if not any(_acted_for(work, owed) for owed in ripe):
            return


def _prods(contest: Contest) -> list[tuple[int, str, int]]:
    """Return when to name whom as silent, and since when they are, where votes stand: at a time for counts."""
    game, policy = contest.running, contest.law.policy
    if game is None or not policy.takes("prod"):
        return []
    found = []
    for owed in owing(contest):
        since, told = _silence(contest, owed.who, owed.since)
        if owed.kind != "vote" or not session_stands(contest) or len(told) > policy.prods:
            continue
        silent = max([since, *told])
        paused = (*absences(contest.law, owed.who, silent), *stoppages(contest.law))
        ripe = deadline_past(silent, DAY * policy.prod_days, paused)
        times = slots(game.switches.get("dawn", ""))[:1]
        found.append((next_slot(ripe - 1, times) if times else ripe, owed.who, since))
    return found


def session_stands(contest: Contest) -> bool:
    """Return whether the votes of the session that runs stand until they are changed, without a deadline each."""
    game = contest.running
    return game is not None and game.opened is not None and rules_in(game).votes_stand


def _silence(contest: Contest, who: str, since: int) -> tuple[int, list[int]]:
    """Return since when *who* is publicly silent, *since* or later, and when they were named for it."""
    sign = contest.recalled.signs.get(who, 0)
    return max(since, sign), [at for at, _ in contest.law.prods.get(who, ()) if at > sign]


def _act_on_silent(work: Work, who: str, since: int) -> None:
    """Name *who*; after enough times, do what the policy says."""
    policy = work.contest.law.policy
    times = len(_silence(work.contest, who, since)[1]) + 1
    work.add(Prodded(who, since, times), cites=("D-A12",), cause="clock")
    if times > policy.prods:
        _vacate(work, who)


def _vacate(work: Work, who: str) -> None:
    """Replace *who* by somebody on standby, or ask the contestmaster to see to it."""
    policy = work.contest.law.policy
    if policy.takes("replace") and _replaced(work, who):
        return
    then = ("nobody is on standby to take over" if policy.takes("replace") else
            "what becomes of em is left to you" if not policy.takes("remove") else "e is to be removed")
    text = f"{who} has been silent for too long (D-A12), and {then}: {out_of_silence(who)}."
    work.add(Alerted(f"silence of {who}", text), cites=("D-A12",), cause="clock")


def out_of_silence(who: str) -> str:
    """Return the commands by which the contestmaster ends *who*'s silence."""
    name = shell_word(who)
    return (f"`nomicwolf substitute {name} NAME` lets somebody take over, and `nomicwolf intend remove --who "
            f'{name} --why "silent"` announces that e is to be removed')


def _replaced(work: Work, who: str) -> bool:
    """Give *who*'s seat to the first on standby who may take it, away only if all are; return whether one has it."""
    game, law, now = work.contest.running, work.contest.law, work.now
    away = {name for name, since, until in law.away if since <= now < until}
    for new in sorted(law.standby, key=lambda name: name in away):
        try:
            if game is not None:
                may_take_over(work.contest, game, new)
        except Refusal:
            continue
        take_over(work, who, new, ("D-A12", "D-N41"), "clock")
        return True
    return False


def fill_vacancy(work: Work) -> None:
    """Give a new standby the seat of a player who has been silent for too long, if there is one."""
    contest, game = work.contest, work.contest.running
    if game is None or not contest.law.policy.takes("replace"):
        return
    for who in game.living():
        if len(_silence(contest, who, 0)[1]) > contest.law.policy.prods and _replaced(work, who):
            return


def _overdue(contest: Contest) -> list[Owed]:
    """Return what is owed in a night that NC 1j lets the contestmaster do, those first who have named nobody yet."""
    game = contest.running
    if game is None or game.phase != "night" or game.stage:
        return []
    owed = [o for o in owing(contest) if o.kind == "deed" and o.who in game.alive]
    return sorted(owed, key=lambda o: (done(game, o.who, o.verb), o.until))


def _acted_for(work: Work, owed: Owed) -> bool:
    """Do what is *owed*, by passing or by lot (NC 1j, D-A13); return whether that does anything new."""
    game, rules = work.contest.running, work.rules
    assert game is not None
    what, lots = for_the_silent(rules, game, owed.who, owed.verb)
    cites, at = ("NC 1j", "D-A13"), max(work.now, game.clock)
    if any(said.what == what for said in game.now(Chose, who=owed.who, verb=owed.verb)[-1:]):
        return False
    if lots:
        work.play(lambda g: rules.settle(g, at, lots, cites, "clock"))
    try:
        work.play(lambda g: rules.act(g, at, owed.who, owed.verb, what, passing=not what,
                                      by=work.contest.setup.contestmaster, cause="clock"))
    except Refusal:
        return False
    says = f"{owed.verb} {' and '.join(what) or 'nobody'}"
    work.add(ActedFor(owed.who, says, owed.since, bool(lots)), cites=cites, cause="clock")
    return True


def silent_now(contest: Contest) -> tuple[str, ...]:
    """Return who will have voted nothing if the vote that is open ends now: of votes in turn, everyone who had one."""
    missing = tuple(o.who for o in owing(contest) if o.kind in ("vote", "sealed"))
    game = contest.running
    if game is None or not missing or not one_by_one(game):
        return missing
    voted = cast_in_stage(game)
    return tuple(who for who in order(game, out_now(game)) if who not in voted)


def prolong_vote(work: Work, missing: Sequence[str], at: int) -> bool:
    """Prolong the vote whose deadline is *at* if too many are *missing*; return whether it is prolonged (D-A14)."""
    game, policy = work.contest.running, work.contest.law.policy
    enough = policy.extend_if_missing
    if game is None or not enough or len(missing) < enough or one_by_one(game):
        return False
    if _times_prolonged(game) >= policy.extend_times:
        return False
    until = at + 3600 * policy.extend_hours
    work.play(lambda g: work.rules.settle(g, at, (Extended(until),), ("D-A14",), MISSING))
    return True


def _times_prolonged(game: Game) -> int:
    mark = game.mark(StageBegan)
    return sum(e.cause == MISSING and e.number > mark for e in game.lines(Extended))


def note_missed(work: Work, missing: Sequence[str]) -> None:
    """Name those who were *missing* when a vote in stages ended, except the announced absent."""
    if not work.contest.law.policy.takes("prod"):
        return
    for who in missing:
        game = work.contest.running
        if game is None or who not in game.alive:
            continue
        since = _silence(work.contest, who, game.entries[0].at)[0]
        if any(first <= work.now < last for first, last in absences(work.contest.law, who, since)):
            continue
        if len(_silence(work.contest, who, since)[1]) <= work.contest.law.policy.prods:
            _act_on_silent(work, who, since)


STANDBY_CITES = ("D-N41",)
STANDBY_OVER = "over"


def stand_by(work: Work, who: str, words: str, cause: str) -> None:
    """Put *who* on the standby list, or take them off it by the *words* ``over``; `Refusal` for who can't take over."""
    waiting = who in work.contest.law.standby
    if words == STANDBY_OVER:
        if not waiting:
            raise Refusal("You are not on the standby list.", STANDBY_CITES)
        work.add(StandbyEnded(who), cites=STANDBY_CITES, cause=cause)
        work.add(DeedDone(0, who, "standby: over", "You are on the standby list no more."), cause=cause)
        return
    if waiting:
        raise Refusal("You are on the standby list already.", STANDBY_CITES)
    game = work.contest.running
    if who == work.contest.setup.contestmaster:
        raise Refusal("You are the contestmaster, and know too much to play.", ("D-N1", *STANDBY_CITES))
    if not any(who in names for names in work.contest.parties.values()):
        raise Refusal('Only a party to the contract can take over from another: first write "I join this contract." to '
                      "a forum.", ("NC 1c", *STANDBY_CITES))
    if game is not None:
        may_take_over(work.contest, game, who)
    work.add(StandbyOffered(who), cites=STANDBY_CITES, cause=cause)
    work.add(DeedDone(0, who, "standby", "You are on the standby list; everyone is told."), cause=cause)
    fill_vacancy(work)


def substitute(work: Work, command: Command) -> str:
    """Give one player everything of another's; everyone learns who, and nobody which role."""
    contest, old, new = work.contest, command.get("old"), command.get("new")
    game = contest.running
    if game is None:
        raise Refusal("No session is in progress; `start` begins one.", ("D-N41",))
    if old not in game.seats:
        raise Refusal(f"{old or 'Nobody'} is not in this session.", ("D-N41",), game.seats)
    if old not in game.alive and not any(who == old for who, _ in work.rules.owed(game)):
        raise Refusal(f"{old} is dead and owes nothing: there is nothing to take over.", ("D-N41",))
    may_take_over(contest, game, new)
    if new not in contest.persons:
        if not command.get("address"):
            raise Refusal(f"{new} is not known yet: give eir address.", ("D-N41",))
        work.add(PersonKnown(new, (command.get("address").lower(),)), cause="command")
    take_over(work, old, new, ("D-N41",), "command")
    return f"{new} takes over from {old} in {contest.setup.name}, and was mailed the role and all that {old} was told."


def remind(work: Work) -> None:
    """Remind every player who is due for it, unless what they owe waits for the clock, or is over."""
    waiting = {deed.who for deed in work.contest.pending.values()}
    for owed in owing(work.contest):
        left = remaining_reminders(work.contest, owed)
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
    "setup": "Nobody can act for others before the first day, but a ruling can (D-N3), and `nomicwolf substitute` "
             "lets another take over. `nomicwolf status` names who owes what.",
    "night": "`nomicwolf status` names who owes what since when, and has the command that acts for them where clause "
             "1j allows it.",
    "day": "`nomicwolf votes` shows who has no vote, `nomicwolf announce` posts the count, `nomicwolf substitute` lets "
           "another take over, and `nomicwolf intend end-session --why WHY` can end the session (NC 1f).",
    "shot": "The phase waits for a choice. Nobody can act for others by day, but a ruling can (D-N3).",
}
"""What can be done about a phase in which nothing moves."""


@dataclass(frozen=True, slots=True)
class Alert:
    """An alert to the contestmaster, due at *at* (UTC seconds): its *text*, and what it is *about*."""

    at: int
    about: str
    text: str


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
        yield from _standstill(contest, game, now)
        yield from _missing_votes(contest, game)


def _offices(contest: Contest, now: int) -> Iterator[Alert]:
    """Yield alerts about what the contestmaster owes, at the times of reminders and when it is late."""
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


def tell_endless(work: Work) -> str:
    """Tell the contestmaster, at a session's start, that nothing but a majority ends its days; '' if something does."""
    contest, game = work.contest, work.contest.running
    if game is None or not session_stands(contest) or limit_of(game)[0]:
        return ""
    plays = ("takes over for whoever is silent too long" if contest.law.policy.takes("replace") else
             "can take over for a silent player (`nomicwolf substitute OLD NEW`)")
    text = ("Only a majority ends a day here (D-N29), and nobody is on standby yet. Whoever joins and writes "
            f'"standby" {plays}, and '
            "`nomicwolf intend end-session --why WHY` can end a session in which nothing moves (NC 1f). In the next "
            f'{DAY_LIMIT.name} = "14 {PLURALITY}" under [switches] ends such a day, if its players agree (D-N56).')
    work.add(Alerted("days without an end", text), cites=("D-A12",), cause="command")
    return text


def _standstill(contest: Contest, game: Game, now: int) -> Iterator[Alert]:
    """Yield the alert about a phase without a deadline in which nothing has moved for "as soon as possible"."""
    if game.deadline > now:
        return
    since, kind = _moved(game)
    last = contest.law.alerted.get(about := f"{game.place}, {since}", 0)
    first = deadline_past(since, soon(contest.setup), stoppages(contest.law))
    at = next(at for n in count() if (at := first + DAY * n * (n + 1) // 2) > last)
    said = "nobody has voted anew for" if kind == "day" else "it has waited for"
    yield Alert(at, about, f"It is {game.place}, and {said} {duration(max(now, at) - since)}. {STANDS[kind]}")


def _moved(game: Game) -> tuple[int, str]:
    """Return since when nothing has publicly moved in the present phase, and in which way."""
    if game.phase != "day":
        return game.began or game.entries[0].at, game.phase
    lynched = game.lines_now(Lynched)
    if lynched:
        return lynched[-1].at, "shot"
    return max([game.began, *(e.at for e in game.lines_now(Voted)[-1:])]), "day"


def _missing_votes(contest: Contest, game: Game) -> Iterator[Alert]:
    """Yield the alert about a public vote in which some haven't voted at their last reminder."""
    missing = [o for o in owing(contest) if o.kind == "vote" and o.closes]
    if not missing:
        return
    stage = Owed("", game.stage, min(o.since for o in missing), 0, "vote", missing[0].closes)
    about = f"{game.stage} of {game.place}, {game.deadline}"
    instants = reminders(stage, contest.setup.remind)
    if instants and about not in contest.law.alerted:
        names = listed(tuple(o.who for o in missing))
        yield Alert(instants[-1], about, f"In the {game.stage} of {game.place}, open until {when(game.deadline)}, "
                    f"these have not voted: {names}. `nomicwolf extend --by 24h` gives more time.")


def handle(work: Work) -> None:
    """Remind, name, act for and alert, as far as it is time for that."""
    if work.contest.law.guard or work.contest.law.paused:
        return
    remind(work)
    act_on_silence(work)
    award_after_end(work)
    alert(work)


def next_due(contest: Contest) -> int | None:
    """Return the next instant (UTC seconds) at which something will be overdue, None if nothing will."""
    if contest.law.guard or contest.law.paused:
        return None
    return min((
        *(at for owed in owing(contest) if owed.who != contest.setup.contestmaster
          for at in remaining_reminders(contest, owed)[:1]),
        *(at for at, _, _ in _prods(contest)),
        *(owed.until for owed in _overdue(contest) if contest.law.policy.takes("act-for")),
        *(alert.at for alert in _alerts(contest, contest.clock))), default=None)


def for_the_silent(rules: Ruleset, game: Game, who: str, verb: str) -> tuple[tuple[str, ...], tuple[Drawn, ...]]:
    """Return the names for *verb* when it is done for *who* (none to decline), and the deciding lot, if any.

    Of those whom others have named with the same verb in this phase it is the one named most often, so that fellows who
    must agree do. The lot is drawn from the session's seed.
    """
    duty = next((d for d in rules.duties(game, who) if d.verb == verb), None)
    if duty is None or (duty.may_pass and not (duty.must and duty.must(game))):
        return (), ()
    options = rules.options(game, who, duty)
    said = {c.who: c.what for c in game.now(Chose, verb=verb) if c.what and c.who in game.alive}
    named = Counter(what for what in said.values() if set(what) <= set(options))
    most = max(named.values(), default=0)
    tied = [what for what, times in named.items() if times == most]
    if len(tied) == 1:
        return tied[0], ()
    among = tuple(sorted(it for (it,) in tied)) if tied and duty.arity == 1 else tuple(sorted(options))
    seed = game.opened.seed if game.opened else ""
    place = f"{verb} for the silent {who}, {game.place}"
    won = draw(seed, place, among, duty.arity)
    return won, (Drawn(place, among, won),)
