"""Sessions, from a seed or any phase to their awards.

Players can have a part in the seed: the contestmaster's half is bound, their letters go into it, and in the end it is
published (NC 2b).

NC 2: “With five contestants or more and no session running, the contestmaster CAN take the steps 2a to 2d”.

Rehearsals begin here. What lies before the phase is told to the record in short, so that all rules find there what they
ask for; the phase itself begins as it does in a session, with everything that follows from it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from nomicwolf.contest import delivery
from nomicwolf.contest.step import Command, Work
from nomicwolf.nomic.awards import BY_SETTINGS, TROPHY, awards_for, derivation_text, unconfirmed
from nomicwolf.nomic.duties import open_intents
from nomicwolf.nomic.events import (
    AwardsHeld,
    HalfTold,
    LetterHeard,
    LimitConfirmed,
    Noted,
    PartyJoined,
    PersonKnown,
    Refused,
    SeedBound,
    SeedKept,
    SeedMixed,
    SessionStarted,
    SessionStopped,
    Words,
    revealed,
)
from nomicwolf.nomic.law_events import IntentBlocked
from nomicwolf.nomic.setup import PLAIN, PolicyAnnounced, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.setups import role_texts
from nomicwolf.village.ballots import Ballot
from nomicwolf.village.events import (
    Announced,
    Chose,
    DeathsAnnounced,
    Disclosed,
    Ended,
    Event,
    Joined,
    Killed,
    Lynched,
    Opened,
    PhaseBegan,
    RolesBrought,
    Told,
    VotesWeighed,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset, with_switches
from nomicwolf.village.laws.phases import begin
from nomicwolf.village.lots import commitment, half_commitment, mixed_seed, roles_bound
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_with, ruleset

FROM_LETTERS = "letters"
"""The word for a seed made of the bound half and of players' letters."""
SEED_CITES = ("NC 2b",)


def bind_seed(work: Work, command: Command) -> str:
    """Bind the contestmaster's half of the next session's seed; once only, for a second one would be a choice."""
    number, half = work.contest.session + 1, command.get("seed")
    if bound_entry(work.contest, number):
        raise Refusal(f"The half of session {number}'s seed is bound already; start with --seed-from letters.",
                      SEED_CITES)
    work.add(SeedBound(number, half_commitment(work.contest.setup.contest, number, half)),
             cites=SEED_CITES, cause="command")
    work.add(SeedKept(number, half), cites=SEED_CITES, cause="command")
    return (f"Your half of session {number}'s seed is bound, and announced: what is written on a forum from now on "
            "goes into the seed. Then: nomicwolf start --seed-from letters")


def bound_entry(contest: Contest, session: int) -> int:
    """Return the number of the entry that bound the half of *session*'s seed, 0 if none was."""
    return contest.recalled.bound.get(session, 0)


def seed_half(contest: Contest, session: int) -> str:
    """Return the contestmaster's half of *session*'s seed, '' if there is none."""
    return contest.recalled.halves.get(session, "")


def letters_since(contest: Contest, entry: int) -> Words:
    """Return the letters that players have sent through a forum since *entry*, in the order of the mailbox."""
    letters = (e.event for e in contest.entries[entry:] if isinstance(e.event, LetterHeard))
    return tuple((heard.author, heard.digest) for heard in letters
                 if heard.channel in contest.setup.nomics and heard.bucket in ("deeds", "no-deed")
                 and heard.author != contest.setup.contestmaster)


def seed_for(work: Work, session: int, given: str) -> tuple[str, tuple[SeedMixed, ...]]:
    """Return the seed of *session*, and how it was mixed; raise `Refusal` if it was bound and isn't, or the reverse."""
    since = bound_entry(work.contest, session)
    if given != FROM_LETTERS:
        if since:
            raise Refusal(f"A half of session {session}'s seed is bound, and players were told that their letters go "
                          "into it: start with --seed-from letters.",
                      SEED_CITES)
        return given, ()
    if not since:
        raise Refusal("Bind your half of the seed first, before anyone writes: nomicwolf start --bind.", SEED_CITES)
    words = letters_since(work.contest, since)
    return mixed_seed(seed_half(work.contest, session), words), (SeedMixed(session, words),)


def publish_seed_half(work: Work) -> None:
    """Publish the contestmaster's half of the session's seed, if it had one."""
    half = seed_half(work.contest, work.contest.session)
    if half:
        work.add(HalfTold(work.contest.session, half), cites=("D-N23",))


BY_HAND = "The contestmaster has dealt the cards by hand, not by lot."


def start(work: Work, roles: tuple[str, ...], seed: str, name: str = "", odds: str = "") -> None:
    """NC 2: initiate a session among the contestants; raise `Refusal` if that can't be done now."""
    contest = work.contest
    rules, names, number = _startable(contest, name), contest.contestants(), contest.session + 1
    roles = roles or roles_asked(contest, rules, len(names))
    brought = role_texts(rules, roles, contest.setup.roles)
    rules = rules_with(rules.name, brought)
    switches = with_switches(rules, switches_for(rules, contest.setup.switches))
    roles = tuple(map(rules.listed, roles))
    seed, mixed = seed_for(work, number, seed)
    by_hand = any("=" in role for role in roles)
    rules.decks(names, roles, dict(switches))
    dealt, drawn = rules.dealt(names, roles, seed, dict(switches))
    roles = in_play(rules, roles, dealt)
    deal = tuple((p, r, rules.roles[r].side) for p, r in dealt)
    opened = Opened(rules.name, number, seed, deal, switches, roles)
    bind = commitment(contest.setup.contest, number, seed)
    bound = roles_bound(contest.setup.contest, number, seed, dealt)
    started = SessionStarted(number, rules.name, names, roles, bind, odds, bound)
    for event in (started, *mixed):
        work.add(event, cites=("NC 2", "NC 2a"), cause="command")
    _begin_policy(work)
    delivery.begin_covers(work)
    open_game(work, rules, opened, (*drawn, *((RolesBrought(brought),) if brought else ())))
    if by_hand:
        work.play(lambda game: rules.settle(game, work.now, (Announced("cards", BY_HAND),), ("NC 2b",), "command"))
    for warning in rules.warnings(len(names), roles) if rules.warnings else ():
        work.add(Noted("deck", f"{warning[0].upper()}{warning[1:]}."), cause="command")


def _begin_policy(work: Work) -> None:
    """Announce the policy of the session that begins, unless it is the plain one."""
    policy = work.contest.setup.absence
    if policy != PLAIN:
        work.add(PolicyAnnounced(policy), cites=("D-A12",), cause="command")


def roles_asked(contest: Contest, rules: Ruleset, players: int) -> tuple[str, ...]:
    """Return the roles of the setup that the settings name, if it is one of *rules*; `Refusal` for other *players*."""
    chosen = contest.setup.chosen
    if chosen is None or chosen.ruleset != rules.name:
        return ()
    if chosen.players not in (0, players):
        raise Refusal(f"{chosen.title} is for {chosen.players} players, and there are {players}: --roles names others.")
    return chosen.roles


def _startable(contest: Contest, name: str) -> Ruleset:
    """Return the rule set called *name*, or else the settings', if a session of it can be started now."""
    if contest.running is not None:
        raise Refusal(f"Session {contest.session} is in progress; one session at a time.", ("NC 2",))
    if contest.session in contest.awards_held:
        raise Refusal(
            f"The end of session {contest.session} and its awards aren't announced yet: they wait until you confirm P. "
            "Do that first: nomicwolf award --limit NOMIC=POINTS.", ("NC 5", "D-N21"))
    rules, names = ruleset(name or contest.setup.ruleset), contest.contestants()
    if len(names) < rules.smallest:
        raise Refusal(
            f"{rules.title} needs at least {rules.smallest} contestants; there are {len(names)}: "
            f"{', '.join(names) or 'nobody'}. Wait for more to join.", ("NC 2",))
    return rules


def in_play(rules: Ruleset, roles: tuple[str, ...], dealt: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the roles publicly known to be in play; for a deal by hand, what was dealt but not to whom."""
    if not any("=" in role for role in roles):
        return roles
    return tuple(sorted(role for _, role in dealt if role in rules.optional and role != rules.plain))


def switches_for(rules: Ruleset, given: Mapping[str, str]) -> dict[str, str]:
    """Return those of the settings' switches that *rules* has: others belong to other rule sets."""
    known = {s.name for s in rules.switches}
    return {name: value for name, value in given.items() if name in known}


def open_game(work: Work, rules: Ruleset, opened: Opened, drawn: tuple[Event, ...]) -> None:
    """Begin the session with the lots drawn for it and the roles brought to it."""
    events: tuple[Event, ...] = (opened, *drawn)
    work.contest.game = Game()
    work.play(lambda game: rules.settle(game, work.now, events, ("NC 2b", "NC 2c"), "command"))


def award_after_end(work: Work) -> None:
    """Give the awards as soon as a session has ended: they belong into the announcement that ends it (NC 5)."""
    contest = work.contest
    game = contest.game
    if game is None or not game.mark(Ended):
        return
    session = contest.session
    if session in contest.revealed or session in contest.stopped or session in contest.awards_held:
        return
    award(work)


def award(work: Work, confirmed: Collection[str] = ()) -> None:
    """Award, or hold the awards while P of a nomic that pays points is not confirmed (D-N21); then reveal.

    *confirmed* are the nomics whose P the contestmaster confirms with this very command.
    """
    contest = work.contest
    game = contest.game
    assert game is not None
    ended = game.last(Ended)
    assert ended is not None
    for forum in contest.setup.forums:
        points = contest.setup.limit.get(forum.nomic)
        if points is not None and forum.nomic not in contest.limits:
            how = derivation_text(contest, forum.nomic, points, BY_SETTINGS)
            work.add(LimitConfirmed(forum.nomic, points, how), cites=("D-N21",))
    if nomic := unconfirmed(contest, ended, confirmed):
        if contest.session not in contest.awards_held:
            work.add(AwardsHeld(contest.session, nomic), cites=("D-N21",))
        return
    for awarded in awards_for(contest, game, ended):
        clause = "NC 5ii" if awarded.what == TROPHY else "NC 5i"
        work.add(awarded, cites=(clause, "D-N20", "D-N21"))
    reveal_roles(work)


def reveal_roles(work: Work) -> None:
    """D-N23: publish the seed and the roles, after the awards, unless the switch is off; no intent can end it now."""
    contest = work.contest
    game = contest.game
    if game is None or game.opened is None or contest.session in contest.revealed:
        return
    told = revealed(contest.session, game, contest.recalled.ruled)
    work.add(told, cites=("D-N23",))
    if told.deal:
        publish_seed_half(work)
    for intent in open_intents(contest):
        if (intent.announced.action, intent.announced.session) == ("end-session", contest.session):
            for nomic in (n for n in contest.setup.nomics if not intent.settled(n)):
                work.add(IntentBlocked(intent.number, nomic, f"session {contest.session} is over"), cites=("D-N34",))


def stop_session(work: Work, why: str) -> None:
    """NC 1f: end the session without winners; deeds that still wait are refused, seed and roles are told (D-N23)."""
    contest = work.contest
    if contest.running is None:
        raise Refusal("No session is in progress; `start` begins one.", ("NC 1f",))
    for number, deed in list(contest.pending.items()):
        work.add(Refused(number, deed.who, deed.verb, deed.text, "The session has been ended."), cites=("NC 1f",))
    work.add(SessionStopped(contest.session, why), cites=("NC 1f",), cause="command")
    reveal_roles(work)


OPENING = ("setup", 0)


@dataclass(frozen=True, slots=True)
class Position:
    """The position of a session when *phase* with its *number* begins at *at* (UTC seconds).

    *roles* are (player, role) in seat order; *spent* maps a player to the powers they have used; *votes* are cast at
    the beginning of the phase, in this order; *stage* is '' for the one that the rules give.
    """

    roles: tuple[tuple[str, str], ...]
    at: int
    phase: str = "setup"
    number: int = 0
    stage: str = ""
    dead: tuple[str, ...] = ()
    lovers: tuple[str, ...] = ()
    spent: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    votes: tuple[tuple[str, Ballot], ...] = ()
    disclosed: Mapping[str, str] = field(default_factory=dict)
    seed: str = ""


def people(contest: Contest, addresses: Mapping[str, tuple[str, ...]], limits: Mapping[str, int], at: int) -> Contest:
    """Return *contest* with everyone in *addresses* a party in every nomic, and P as *limits* have it."""
    work = Work(contest, at)
    for who, known in addresses.items():
        work.add(PersonKnown(who, known))
        for nomic in contest.setup.nomics:
            work.add(PartyJoined(who, nomic), cites=("NC 1c",))
    for nomic, points in limits.items():
        work.add(LimitConfirmed(nomic, points), cites=("D-N21",))
    return work.contest


def stand(contest: Contest, position: Position) -> Contest:
    """Return *contest* with a session in that position; raise `Refusal` for roles or votes that can't be.

    At ``setup`` the cards have just been dealt, and all follows that does then. Roles that the rule set has not may be
    files of the contest's, or of the library.
    """
    work = Work(contest, position.at)
    rules, brought = rules_for(contest.setup, position)
    position = replace(position, roles=tuple((who, rules.called(role)) for who, role in position.roles))
    opened = _opened(contest, rules, position)
    roles = _in_play(rules, position)
    bind = commitment(contest.setup.contest, opened.session, position.seed)
    names = tuple(who for who, _ in position.roles)
    work.add(SessionStarted(opened.session, rules.name, names, roles, bind), cites=("NC 2",), cause="command")
    _begin_policy(work)
    delivery.begin_covers(work)
    if (position.phase, position.number) == OPENING:
        work.contest.game = Game()
        events = (opened, *brought)
        work.play(lambda game: rules.settle(game, position.at, events, ("NC 2b", "NC 2c"), "command"))
        delivery.close_cover(work, contest)
        return work.contest
    votes = [(who, rules.roles[role].traits.votes) for who, role, _ in opened.deal]
    weighed = tuple((who, number) for who, number in votes if number != 1)
    for event in (opened, *brought, *([VotesWeighed(weighed)] if weighed else [])):
        work.add(event, cites=("NC 2b", "NC 2c"), cause="command")
    _past(work, rules, position)
    _begin(work, rules, position)
    delivery.close_cover(work, contest)
    return work.contest


def rules_for(setup: Setup, position: Position) -> tuple[Ruleset, tuple[Event, ...]]:
    """Return the rules by which a *position* is played, and the event that brings its roles from files, if any."""
    rules = ruleset(setup.ruleset)
    texts = role_texts(rules, sorted({role for _, role in position.roles}), setup.roles)
    return rules_with(rules.name, texts), (RolesBrought(texts),) if texts else ()


def _opened(contest: Contest, rules: Ruleset, position: Position) -> Opened:
    unknown = [role for _, role in position.roles if role not in rules.roles]
    if unknown:
        raise Refusal(f"{rules.name} has no role {unknown[0]!r}.", options=tuple(rules.roles))
    deal = tuple((who, role, rules.roles[role].side) for who, role in position.roles)
    chosen = _in_play(rules, position)
    switches = with_switches(rules, switches_for(rules, contest.setup.switches))
    return Opened(rules.name, contest.session + 1, position.seed, deal, switches, chosen)


def _in_play(rules: Ruleset, position: Position) -> tuple[str, ...]:
    """Return the roles that were asked for, as often as they are held: two Freemasons, three mafiosi."""
    held = [role for _, role in position.roles]
    return tuple(role for role in rules.optional if role != rules.plain for _ in range(held.count(role)))


def _past(work: Work, rules: Ruleset, position: Position) -> None:
    """Record what was before: phases, Lovers, powers used, deaths and what is known of the dead."""
    opening = _opening(rules, work, position)
    events: list[Event] = [PhaseBegan(*phase) for phase in earlier(opening, position.phase, position.number)]
    for event in events:
        work.add(event)
    if len(position.lovers) == 2:
        one, other = position.lovers
        work.add(Joined((one, other)), cites=("NC 7d",))
        for lover in position.lovers:
            work.add(Told(lover, "lovers", f"The Lovers are {one} and {other}.", position.lovers))
    for who, verbs in position.spent.items():
        for verb in verbs:
            work.add(Chose(who, verb, (who,)))
    for who in position.dead:
        _death(work, who, lynched=who in position.disclosed)
    for who, what in position.disclosed.items():
        work.add(Disclosed(who, what))
    game = work.contest.game
    assert game is not None
    for who, verb in rules.owed(game):
        if who in position.dead:
            work.add(Chose(who, verb))


def _death(work: Work, who: str, *, lynched: bool) -> None:
    if lynched:
        work.add(Lynched(who))
        work.add(Killed(who, "lynch"))
    else:
        work.add(Killed(who, "attack"))
        work.add(DeathsAnnounced((who,)))


def _opening(rules: Ruleset, work: Work, position: Position) -> str:
    """Return the phase that opens a session of *rules*, ``day`` or ``night``; the other kind follows.

    After a short day 0 the numbers run as if night 1 were the first; `Refusal` for a phase 0 that there isn't.
    """
    game = work.contest.game
    assert game is not None
    assert game.opened is not None
    fresh, _ = rules.settle(Game(), 0, (game.opened,), (), "")
    begun = fresh.last(PhaseBegan)
    if position.number == 0 and (begun is None or (begun.phase, begun.number) != (position.phase, 0)):
        raise Refusal(f"{rules.name} has no {position.phase} 0.")
    return "night" if begun is not None and begun.number == 0 else begun.phase if begun is not None else rules.first


def earlier(first: str, phase: str, number: int) -> list[tuple[str, int]]:
    """Return the phases that come before *phase* *number* where the session begins with a *first* (day or night).

    >>> earlier("day", "night", 2)
    [('day', 1), ('night', 1), ('day', 2)]
    >>> earlier("night", "day", 1)
    [('night', 1)]
    """
    other = "night" if first == "day" else "day"
    found = [pair for count in range(1, number + 1) for pair in ((first, count), (other, count))]
    return found[: found.index((phase, number))] if (phase, number) in found else found


def _begin(work: Work, rules: Ruleset, position: Position) -> None:
    """Begin the phase with all that follows, and then the stage and the votes that are given."""
    at, phase = position.at, PhaseBegan(position.phase, position.number)
    work.play(lambda game: rules.settle(game, at, (phase,), (), "clock"))
    game = work.contest.game
    assert game is not None
    if position.stage and game.stage and position.stage != game.stage:
        stage = begin(game, position.stage)
        work.play(lambda g: rules.settle(g, at, (stage,), (), "clock"))

    def cast(place: int, who: str, ballot: Ballot) -> None:
        work.play(lambda g: rules.cast(g, at, who, "vote", ballot, key=(at, place), cause="command"))

    for place, (who, ballot) in enumerate(position.votes):
        cast(place, who, ballot)
