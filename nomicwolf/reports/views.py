"""What everyone may know, what one player may know, and what the contestmaster sees.

NC 6: “Except where this contract requires it, the contestmaster SHALL NOT disclose what 6a and 6b name.”

A `PublicView` is made of the settings and of the entries that everyone may read, and of nothing else: it
carries no secret by construction. A `PlayerView` adds what one player holds. A `ContestmasterView` is of
neither kind, so that no letter to a forum or a player can be made from it (NC 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile

from nomicwolf.nomic.absence import Owed
from nomicwolf.nomic.duties import deeds_owed, owing
from nomicwolf.nomic.events import LetterHeld, SessionStarted
from nomicwolf.nomic.law import Law
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People
from nomicwolf.reports.counting import Count, count_of
from nomicwolf.reports.duties import OpenDuty, open_duties, sealed_ballot
from nomicwolf.reports.own import Own
from nomicwolf.reports.people import people_of
from nomicwolf.reports.public import announced, fold, go_on, is_public, shown_before, waiting
from nomicwolf.reports.public import shown as shown_of
from nomicwolf.reports.titles import tag_of
from nomicwolf.reports.ways import polls
from nomicwolf.village.events import Entry
from nomicwolf.village.game import Game, heirs_of
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.lots import nonce, role_commitment
from nomicwolf.village.rulesets import rules_in, rules_with

TAKES_OVER = "takes over"
"""The topic of what a substitute is told (D-N41)."""

@dataclass(frozen=True)
class PublicView:
    """What everyone may know of a contest after the last of its public entries; instants are UTC seconds.

    * *record* are the public entries, *parties* the roster of each nomic, *limits* (P, how confirmed) by nomic, *law*
      the law around the game, and *clock* the latest instant, as far as these tell.
    * Of the present or latest session: *session* is its number (0 before the first), *start* the entry that began it,
      *title* its rule set's; *players* are in seat order, *living* and *dead* as far as everyone knows; *roles* are the
      optional ones in play, *disclosed* what was told of the dead, *facts* what was published, *commitment* what binds
      the seed. *phase* is ``none`` before the first session, else ``setup``, ``day``, ``night`` or ``over``; *began* is
      when it did.
    * *shown* is that session as everyone knows it, without roles and sides; None before the first. *earlier* are
      contests that so many of the public entries told of before, the latest first: from them `upto` goes on.
    """

    setup: Setup
    record: list[Entry]
    parties: Mapping[str, tuple[str, ...]]
    session: int = 0
    ruleset: str = ""
    title: str = ""
    players: tuple[str, ...] = ()
    living: tuple[str, ...] = ()
    dead: tuple[str, ...] = ()
    disclosed: Mapping[str, str] = field(default_factory=dict)
    roles: tuple[str, ...] = ()
    phase: str = "none"
    number: int = 0
    stage: str = ""
    deadline: int = 0
    began: int = 0
    start: int = 0
    clock: int = 0
    facts: Mapping[str, bool] = field(default_factory=dict)
    switches: tuple[tuple[str, str], ...] = ()
    commitment: str = ""
    limits: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    law: Law = field(default_factory=Law)
    shown: Game | None = field(default=None, compare=False, repr=False)
    earlier: tuple[tuple[int, Contest], ...] = field(default=(), compare=False, repr=False)

    @property
    def tag(self) -> str:
        """What stands in brackets in the subjects of this contest's letters."""
        return tag_of(self.setup)

    @property
    def place(self) -> str:
        """The phase as players call it: ``day 1``, ``the setting up``."""
        return self.shown.place if self.shown is not None else "before the first session"

    @cached_property
    def count(self) -> Count | None:
        """The votes of the present phase, or of its stage; None before the first session."""
        return count_of(self.shown) if self.shown is not None else None

    @cached_property
    def polls(self) -> str:
        """How ballots can be cast now: ``open``, ``sealed``, or '' if none can."""
        return polls(rules_of(self.ruleset), self.shown) if self.shown is not None and self.phase == "day" else ""

    @property
    def majority(self) -> int:
        """How many votes are more than half of the living (NC 3)."""
        return len(self.living) // 2 + 1

    def upto(self, number: int) -> PublicView:
        """Return the view as it was right after entry *number*, from the nearest of those *earlier*.

        It is the nearest one itself for another entry after that.
        """
        record, told = self._told_at(number)
        return replace(viewed(record, told), earlier=((len(record), told), *self.earlier[-2:]))

    def game_at(self, number: int, more: Sequence[Entry] = ()) -> Game | None:
        """Return the session as everyone knew it right after entry *number*, and after *more* entries."""
        _, told = self._told_at(number)
        go_on(told, more)
        return told.game if self.session else None

    def _told_at(self, number: int) -> tuple[list[Entry], Contest]:
        """Return the public entries up to *number*, and a contest of one's own that they tell of."""
        length, told = next(((n, t) for n, t in self.earlier if t.last <= number), (0, Contest(self.setup)))
        record, told = self.record[:length], told.branch()
        for entry in takewhile(lambda e: e.number <= number, self.record[length:]):
            record.append(entry)
            go_on(told, (entry,))
        return record, told

    @property
    def brought(self) -> tuple[str, ...]:
        """The texts of the roles that the session has beside the rule set's own."""
        return self.shown.brought if self.shown is not None else ()

    def session_record(self) -> tuple[Entry, ...]:
        """Return the public entries since the present or latest session was initiated; all before the first."""
        found: list[Entry] = []
        for entry in reversed(self.record):
            found.append(entry)
            if isinstance(entry.event, SessionStarted):
                break
        return tuple(reversed(found))


@dataclass(frozen=True)
class PlayerView:
    """What *who* may know: what is *public*, and what is eir own.

    * *own* are the entries that e alone, or e and eir like, may read; *people* are those whom eir letters can name.
    * *role* is eir role's name ('': e holds none), *title* what players call it, *story* what e was told of it.
    * *nonce* shows that the role is the one that was bound ('': none was), under the name of *bound_as*, its first
      holder.
    * *duties* are what is open to em, *owes* those of them that hold the phase open, *lacks* what e owes of any kind;
      *ballot* is eir sealed ballot as
      it stands ('': none is cast; None: none can be).
    """

    public: PublicView
    who: str
    own: Own
    role: str = ""
    title: str = ""
    story: str = ""
    nonce: str = ""
    duties: tuple[OpenDuty, ...] = ()
    lacks: tuple[Owed, ...] = ()
    people: People = field(default_factory=lambda: People(living=()))
    bound_as: str = ""
    ballot: str | None = None

    @property
    def owes(self) -> tuple[OpenDuty, ...]:
        """The open duties that hold the phase open."""
        return tuple(d for d in self.duties if d.owed)


@dataclass(frozen=True)
class ContestmasterView:
    """Everything, for the contestmaster's own eyes.

    *owed* tells who holds the phase open and since when, *held* the letters that wait for a ruling by the
    numbers of their entries, *buckets* how many letters ended where.
    """

    contest: Contest
    owed: tuple[Owed, ...]
    held: Mapping[int, LetterHeld]
    buckets: Mapping[str, int]

    @property
    def game(self) -> Game | None:
        """The present or latest session."""
        return self.contest.game


def public_view(contest: Contest, before: Contest | None = None) -> PublicView:
    """Return what everyone may know of *contest*: nothing but its public entries and its settings is looked at.

    *before* is the contest that this one came of, so that how it stood in between isn't found out from the beginning.
    Of a session whose end waits to be announced it doesn't know that it is over, nor by which death (D-N21).
    """
    view = viewed(*announced(contest))
    if before is None or waiting(contest) or waiting(before):
        return replace(view, earlier=(shown_before(contest),))
    record, told = shown_of(before)
    return replace(view, earlier=((len(record), told), shown_before(contest)))


def untold_view(contest: Contest) -> PublicView:
    """Return what everyone may know of *contest* once all of it is announced: for the contestmaster's eyes till then.

    That is `public_view` but while the end of a session waits for P (D-N21).
    """
    return replace(viewed(*shown_of(contest)), earlier=(shown_before(contest),))


def view_of(setup: Setup, entries: Iterable[Entry]) -> PublicView:
    """Return the view after those of *entries* that everyone may read."""
    record = [e for e in entries if is_public(e.event)]
    return viewed(record, fold(setup, record))


def viewed(record: list[Entry], shown: Contest) -> PublicView:
    """Return what everyone may know by the public entries of *record*, which tell of the contest *shown*."""
    setup = shown.setup
    view = PublicView(setup, record, dict(shown.parties), clock=shown.clock, limits={
        nomic: (limit.points, limit.how) for nomic, limit in shown.limits.items()}, law=shown.law)
    game, started = shown.game, shown.sessions.get(shown.session)
    if game is None or started is None or game.opened is None:
        return view
    return replace(
        view, session=shown.session, ruleset=started.ruleset, title=rules_of(started.ruleset).title,
        players=game.seats, living=game.shown_living(), dead=game.shown_dead, disclosed=dict(game.disclosed),
        roles=started.roles, phase=game.phase, number=game.number, stage=game.stage, deadline=game.deadline,
        start=shown.recalled.started, began=game.began, facts=dict(game.facts), switches=game.opened.switches,
        commitment=started.commitment, shown=game,
    )


def rules_of(name: str, brought: tuple[str, ...] = ()) -> Ruleset:
    """Return the rule set called *name*, with the roles in the texts *brought*."""
    return rules_with(name, brought)


def player_view(
    contest: Contest, who: str, public: PublicView | None = None, owed: Sequence[Owed] | None = None
) -> PlayerView:
    """Return what *who* may know of *contest*; *public* and *owed* save working them out again for each player."""
    public = public or public_view(contest)
    game = contest.game
    own, lacks = Own(contest, who), tuple(o for o in owing(contest) if o.who == who)
    if game is None or game.opened is None or who not in game.seats:
        return PlayerView(public, who, own, lacks=lacks, people=people_of(contest, who))
    rules = rules_in(game)
    role = rules.roles[game.roles[who]]
    running = contest.running is not None
    duties = open_duties(rules, game, who, deeds_owed(contest) if owed is None else owed) if running else ()
    title, (hidden, first) = role.title or role.name, _opening(contest, game, who)
    return PlayerView(
        public, who, own, role.name, title, role.story, hidden, duties, lacks, people_of(contest, who), first,
        sealed_ballot(rules, game, who) if running else None)


def _opening(contest: Contest, game: Game, who: str) -> tuple[str, str]:
    """Return what opens the commitment to the role of *who*, and for whom it was bound; ('', '') if as it is it wasn't.

    Who plays on for another can check what that one could (D-N41).
    """
    started = contest.sessions.get(contest.session)
    if started is None or game.opened is None:
        return "", ""
    first = next((old for old, heir in heirs_of(game).items() if heir == who and old in dict(started.bound)), who)
    hidden = nonce(game.opened.seed, first)
    bound = role_commitment(contest.setup.contest, contest.session, first, game.roles[who], hidden)
    return (hidden, first) if dict(started.bound).get(first) == bound else ("", "")


def contestmaster_view(contest: Contest) -> ContestmasterView:
    """Return everything there is to see."""
    return ContestmasterView(contest, deeds_owed(contest), dict(contest.held), dict(contest.buckets))


def phase_of(contest: Contest) -> str:
    """Return where a contest is: ``session 2, night 1``."""
    game = contest.running
    return f"session {contest.session}, {game.place}" if game is not None else f"after session {contest.session}"
