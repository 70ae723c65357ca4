"""Public, private and contestmaster's views of a contest.

NC 6: “Except where this contract requires it, the contestmaster SHALL NOT disclose what 6a and 6b name.”

A `PublicView` is made of the settings and of the entries that everyone may read, and of nothing else: it
carries no secret by construction. A `PlayerView` adds what one player holds. A `ContestmasterView` is of
neither kind, so that no letter to a forum or a player can be made from it (NC 6).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import takewhile

from nomicwolf.language.lexicon import OwnFrame
from nomicwolf.language.naming import unfit
from nomicwolf.language.reader import frames_of
from nomicwolf.nomic.duties import deeds_owed, owing
from nomicwolf.nomic.events import LetterHeld, SessionStarted
from nomicwolf.nomic.law import Law
from nomicwolf.nomic.setup import Owed, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import People
from nomicwolf.reading.names import book_of
from nomicwolf.reports.history import apply_public, is_public, public_record, unannounced
from nomicwolf.reports.layout import clean
from nomicwolf.reports.prose import Prose, tag_of
from nomicwolf.reports.vote_counts import Count, count_of, poll_kind, uncounted_text
from nomicwolf.village.ballots import Town, ballot_text
from nomicwolf.village.events import (
    Audience,
    DeathsAnnounced,
    Entry,
    Lynched,
    PhaseBegan,
    Removed,
    Replaced,
    Told,
    numbered,
)
from nomicwolf.village.game import Game, for_fellows, heirs_of
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import cast_in_stage
from nomicwolf.village.lots import nonce, possible, role_commitment
from nomicwolf.village.rules import Duty, oneself, several
from nomicwolf.village.rulesets import rules_in, rules_with, ruleset


@dataclass(frozen=True, slots=True)
class OpenDuty:
    """Something that a player can do now.

    *says* is how it is written and what it does, *silence* what happens if it isn't done, *options* who can be named,
    and *public* whether it is done in a forum. *owed* duties hold the phase open and are due by *until* (UTC seconds; 0
    for the others). *may_pass* says whether the player can decline. Ballots, and deeds that can still be changed, are
    open until *closes* (0: no deadline).
    """

    verb: str
    says: str
    options: tuple[str, ...]
    owed: bool
    public: bool
    may_pass: bool
    cites: tuple[str, ...]
    until: int = 0
    closes: int = 0
    silence: str = ""


def nameable(rules: Ruleset, game: Game, who: str, duty: Duty) -> tuple[str, ...]:
    """Return whom *who* can name with *duty*; nobody where it is for themself, and no name is written."""
    free = duty.arity and not duty.pins and duty.allows is not oneself
    return rules.options(game, who, duty) if free else ()


def open_duties(rules: Ruleset, game: Game, who: str, owed: Sequence[Owed]) -> tuple[OpenDuty, ...]:
    """Return what *who* can do now, beginning with what *who* owes; *owed* is what everybody owes.

    It is due at its own deadline or at the end of the stage, whichever comes first.
    """
    until = {o.verb: o.ends for o in owed if o.who == who}
    found = []
    for duty in rules.duties(game, who):
        passing = duty.may_pass and not (duty.must and duty.must(game))
        names = nameable(rules, game, who, duty)
        closes = game.deadline if duty.pins or (duty.owed and duty.verb not in until) else 0
        says = duty.written(passing=passing, switches=game.switches)
        found.append(OpenDuty(
            duty.verb, says, names, duty.owed, duty.public, passing, duty.cites, until.get(duty.verb, 0), closes,
            duty.silence))
    return tuple(sorted(found, key=lambda d: not d.owed))


def sealed_ballot(rules: Ruleset, game: Game, who: str) -> str | None:
    """Return the sealed ballot of *who* as it stands: '' if there is none yet, None if *who* can't cast one (D-M1)."""
    if not any(d.sealed for d in rules.duties(game, who)):
        return None
    cast = cast_in_stage(game).get(who)
    return ballot_text(cast) if cast is not None else ""


def people_of(contest: Contest, who: str | None, at: int | None = None) -> People:
    """Return the persons whom a letter of *who* can name, as everyone may know them.

    In a session the townspersons are its players; before one, all contestants. Anyone who died after *at*, the instant
    of a late letter, was still alive for it (D-A8). A unique first name refers to its bearer.
    """
    game = contest.running
    dead = () if game is None else game.shown_dead if at is None or at >= game.clock else game.shown_dead_at(at)
    living = tuple(p for p in game.seats if p not in dead) if game is not None else contest.contestants()
    known = {*contest.persons, contest.setup.contestmaster} - {*living, *dead}
    aliases = {alias: person.name for person in contest.persons.values() for alias in person.aliases}
    heirs = heirs_of(game) if game is not None else {}
    known -= heirs.keys()
    aliases |= heirs
    names = {name: name for name in (*living, *dead, *sorted(known))} | aliases
    aliases |= dict(first_names(tuple(names.items())))
    opened = game.opened if game is not None else None
    rules = ruleset(opened.ruleset if opened is not None else contest.setup.ruleset)
    own = opened is not None and not rules.votes_stand
    return People(living, dead, tuple(sorted(known)), aliases, who, contest.setup.prefixes, own, rules.person,
                  _own_groups(game))


def _own_groups(game: Game | None) -> dict[str, str]:
    """Return by which names players may address the groups of the session's own roles; everyone may know them."""
    if game is None or not game.brought:
        return {}
    brought = (role for role in rules_in(game).roles.values() if role.text in game.brought)
    named = ((role, duty.called) for role in brought for duty in role.duties if duty.called)
    return {spelling: called for role, called in named for one in (role.name, role.title)
            for spelling in (several(one.casefold()), one.casefold())}


def own_frames(contest: Contest) -> tuple[OwnFrame, ...]:
    """Return the deeds that the session's own roles add, for the reader; everyone may know them."""
    game = contest.running
    return frames_of(rules_in(game), game.brought) if game is not None and game.brought else ()


def person_named(contest: Contest, text: str) -> str:
    """Return the present name of the person whom the contestmaster means by *text*; '' unless there is exactly one.

    Accents may be left out, because no deed depends on it.
    """
    people = people_of(contest, None)
    found = book_of(people).whole(text)
    if found is not None:
        return found.name if len(found.names) == 1 else ""
    names = {name: name for name in (*people.living, *people.dead, *people.others)} | people.aliases
    bare = {name for spelling, name in names.items() if _without_accents(spelling) == _without_accents(text)}
    return bare.pop() if len(bare) == 1 else ""


def _without_accents(text: str) -> str:
    """Return *text* casefolded and without accents.

    >>> _without_accents("Jörg  MÜLLER")
    'jorg muller'
    """
    apart = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))


@lru_cache(maxsize=64)
def first_names(names: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Return (first name, bearer) for each first name that only one of *names* (name, bearer) begins with.

    >>> first_names((("Jörg Müller", "Jörg Müller"), ("Bex", "Bex"), ("Ann Lee", "Ann Lee"), ("Ann Poe", "Ann Poe")))
    (('Jörg', 'Jörg Müller'),)
    """
    bearers: dict[str, set[str]] = {}
    for name, bearer in names:
        bearers.setdefault(_first(name).casefold(), set()).add(bearer)
    return tuple(
        (first, bearer) for name, bearer in names if (first := _first(name)) != name and first.isalpha()
        and len(bearers[first.casefold()]) == 1 and not unfit(first, _others(names, bearer)))


def _first(name: str) -> str:
    return name.split(" ", 1)[0]


def _others(names: Iterable[tuple[str, str]], bearer: str) -> tuple[str, ...]:
    return tuple(name for name, whose in names if whose != bearer)


class PrivateEntries(Iterable[Entry]):
    """The entries of *contest* that *who* may read, alone or with others, but not everyone.

    Within a session they include those of *who*'s predecessor. They are found on demand, and compared by their entries.
    """

    def __init__(self, contest: Contest, who: str) -> None:
        self._contest = contest
        self._who = who

    @cached_property
    def _before(self) -> dict[str, int]:
        """Those whom *who* has replaced in this session, each with the last entry before the replacement."""
        game = self._contest.game
        before: dict[str, int] = {}
        for entry in reversed(game.lines(Replaced) if game is not None else []):
            swap = entry.event
            assert isinstance(swap, Replaced)
            if swap.new in (self._who, *before):
                before[swap.old] = entry.number
        return before

    def _is_own(self, entry: Entry) -> bool:
        readers, game = entry.event.readers(), self._contest.game
        start = game.entries[0].number if game is not None and game.entries else 0
        return may_read(readers, self._who) or any(
            start <= entry.number < last and may_read(readers, old) for old, last in self._before.items())

    @cached_property
    def _all(self) -> tuple[Entry, ...]:
        return tuple(filter(self._is_own, self._contest.entries))

    def told(self) -> tuple[Entry, ...]:
        """Return those of the present session, except what is waiting for its slot (D-N48).

        The dead see no message that one fellow sent to the others (D-M12).
        """
        game = self._contest.game
        if game is None or not game.entries:
            return ()
        start, waits = game.entries[0].number, {e.number for e in self._contest.cover.waits}
        dead = self._who in game.shown_dead
        return tuple(e for e in self._all if e.number >= start and e.number not in waits
                     and not (dead and for_fellows(e.event)))

    def to_come(self, prose: Prose) -> str:
        """Return what has been posted to the forums and is not counted yet, '' if there is nothing."""
        return uncounted_text(self._contest, prose)

    def readable(self, number: int) -> Entry | None:
        """Return the entry with this number if it is public or one of these, else None."""
        entry = numbered(self._contest.entries, number)
        return entry if entry is not None and (is_public(entry.event) or self._is_own(entry)) else None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PrivateEntries) and self._all == other._all

    def __hash__(self) -> int:
        return hash(self._all)


def may_read(readers: Audience, who: str) -> bool:
    """Return whether an event for *readers* is addressed to *who* among others (public events are not)."""
    return isinstance(readers, tuple) and who in readers


STORY = "story"
"""The topic of what the dead are told of the whole game."""
TAKES_OVER = "takes over"
"""The topic of the message to a substitute (D-N41)."""

@dataclass(frozen=True)
class PublicView:
    """What everyone may know of a contest after the last of its public entries; instants are UTC seconds.

    * *record* has the public entries, *parties* the roster of each nomic, *limits* (P, how confirmed) by nomic, *law*
      the law around the game, and *clock* the latest instant that these mention.
    * Of the present or latest session: *session* is its number (0 before the first), *start* the entry that began it,
      *title* its rule set's; *players* are in seat order, *living* and *dead* as publicly known; *roles* are the
      optional ones in play, *disclosed* what was revealed about the dead, *facts* what was published, *commitment* what
      binds the seed. *phase* is ``none`` before the first session, else ``setup``, ``day``, ``night`` or ``over``;
      *began* is when it began.
    * *shown* is that session as everyone knows it, without roles and sides; None before the first. *earlier* has cached
      contests with the number of public entries folded into each, the latest first; `upto` continues from them.
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
        """The bracketed tag in the subjects of this contest's letters."""
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
        return poll_kind(ruleset(self.ruleset), self.shown) if self.shown is not None and self.phase == "day" else ""

    @property
    def majority(self) -> int:
        """How many votes are more than half of the living who have one (NC 3, D-V11)."""
        return Town(tuple(self.living), weights=self.shown.weights if self.shown is not None else {}).majority

    def upto(self, number: int) -> PublicView:
        """Return the view as it was right after entry *number*, continuing from the nearest of the *earlier* ones."""
        record, told = self._told_at(number)
        return replace(view_from(record, told), earlier=((len(record), told), *self.earlier[-2:]))

    def game_at(self, number: int, more: Sequence[Entry] = ()) -> Game | None:
        """Return the session as publicly known right after entry *number*, and after *more* entries."""
        _, told = self._told_at(number)
        apply_public(told, more)
        return told.game if self.session else None

    def _told_at(self, number: int) -> tuple[list[Entry], Contest]:
        """Return the public entries up to *number*, and a fresh contest that they describe."""
        length, told = next(((n, t) for n, t in self.earlier if t.last <= number), (0, Contest(self.setup)))
        record, told = self.record[:length], told.branch()
        for entry in takewhile(lambda e: e.number <= number, self.record[length:]):
            record.append(entry)
            apply_public(told, (entry,))
        return record, told

    @property
    def brought(self) -> tuple[str, ...]:
        """The texts of the roles that the session adds to its rule set."""
        return self.shown.brought if self.shown is not None else ()

    def session_record(self) -> tuple[Entry, ...]:
        """Return the public entries since the latest session was initiated; before the first session, all."""
        found: list[Entry] = []
        for entry in reversed(self.record):
            found.append(entry)
            if isinstance(entry.event, SessionStarted):
                break
        return tuple(reversed(found))


@dataclass(frozen=True)
class PlayerView:
    """What one player, *who*, may know: all that is *public*, and what only *who* may know.

    * *own* has the entries that *who* may read, alone or with others; *people* are those whom *who*'s letters can name.
    * *role* is the name of *who*'s role ('': none), *title* what players call it, *story* how it was described.
    * *nonce* proves that the role is the one that was committed to ('': none was), under *bound_as*, the name of its
      first holder.
    * *duties* are open to *who*; *owes* are those that hold the phase open, and *lacks* is everything *who* owes.
    * *ballot* is *who*'s sealed ballot as it stands ('': none is cast; None: none can be).
    """

    public: PublicView
    who: str
    own: PrivateEntries
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
    """Everything, for the contestmaster's eyes only.

    *owed* says who holds the phase open and since when, *held* has the letters that wait for a ruling by their entries'
    numbers, *buckets* counts letters by what became of them.
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
    """Return what everyone may know of *contest*, made from its public entries and its settings alone.

    *before*, the contest that this one developed from, spares folding the entries in between from the beginning. While
    the end of a session waits to be announced, the view hides it and the death that caused it (D-N21).
    """
    view = view_from(*public_record(contest, unannounced(contest)))
    if before is None or unannounced(contest) or unannounced(before):
        return view
    record, told = public_record(before)
    return replace(view, earlier=((len(record), told),))


def untold_view(contest: Contest) -> PublicView:
    """Return the public view including an end that is not announced yet, for the contestmaster's eyes only.

    It differs from `public_view` only while the end of a session waits for P (D-N21).
    """
    return view_from(*public_record(contest))


def view_from(record: list[Entry], shown: Contest) -> PublicView:
    """Return the public view for the public entries of *record*, which describe the contest *shown*."""
    setup = shown.setup
    view = PublicView(setup, record, dict(shown.parties), clock=shown.clock, limits={
        nomic: (limit.points, limit.how) for nomic, limit in shown.limits.items()}, law=shown.law)
    game, started = shown.game, shown.sessions.get(shown.session)
    if game is None or started is None or game.opened is None:
        return view
    return replace(
        view, session=shown.session, ruleset=started.ruleset, title=ruleset(started.ruleset).title,
        players=game.seats, living=game.shown_living(), dead=game.shown_dead, disclosed=dict(game.disclosed),
        roles=started.roles, phase=game.phase, number=game.number, stage=game.stage, deadline=game.deadline,
        start=shown.recalled.started, began=game.began, facts=dict(game.facts), switches=game.opened.switches,
        commitment=started.commitment, shown=game,
    )


def player_view(
    contest: Contest, who: str, public: PublicView | None = None, owed: Sequence[Owed] | None = None
) -> PlayerView:
    """Return what *who* may know of *contest*; pass *public* and *owed* to compute them once for several players."""
    public = public or public_view(contest)
    game = contest.game
    own, lacks = PrivateEntries(contest, who), tuple(o for o in owing(contest) if o.who == who)
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
    """Return the nonce that opens the commitment to *who*'s role, and its first holder; ('', '') if it doesn't open it.

    A substitute can check what the first holder could (D-N41).
    """
    started = contest.sessions.get(contest.session)
    if started is None or game.opened is None:
        return "", ""
    first = next((old for old, heir in heirs_of(game).items() if heir == who and old in dict(started.bound)), who)
    hidden = nonce(game.opened.seed, first)
    bound = role_commitment(contest.setup.contest, contest.session, first, game.roles[who], hidden)
    return (hidden, first) if dict(started.bound).get(first) == bound else ("", "")


def contestmaster_view(contest: Contest) -> ContestmasterView:
    """Return the view of everything."""
    return ContestmasterView(contest, deeds_owed(contest), dict(contest.held), dict(contest.buckets))


def phase_of(contest: Contest) -> str:
    """Return where a contest is: ``session 2, night 1``."""
    game = contest.running
    return f"session {contest.session}, {game.place}" if game is not None else f"after session {contest.session}"


def contestmaster_of(view: PublicView, nomic: str = "") -> str:
    """Return the contestmaster of *nomic*; awards that anyone else gives there are void (NC 5i).

    Without *nomic*, return the contestmaster of all nomics, or each with their nomic if they differ.
    """
    usual = view.setup.contestmaster
    if nomic:
        return view.law.masters.get(nomic, usual)
    masters = {f.title or f.nomic.capitalize(): view.law.masters.get(f.nomic, usual) for f in view.setup.forums}
    if len(set(masters.values())) <= 1:
        return next(iter(masters.values()), usual)
    return ", ".join(f"{who} ({where})" for where, who in masters.items())


def killed_by(view: PublicView, phase: str) -> str:
    """Return by what alone somebody can have been killed in a *phase* (``night``), in words; '' if that isn't to say.

    It follows from the rule set and the roles that everyone knows to be in play.
    """
    rules = rules_with(view.ruleset, view.brought)
    if not rules.tells_causes:
        return ""
    named = possible(view.roles)
    in_play = [role for role in rules.roles.values() if role.name in named or role.side == rules.evil]
    ways = {role.kills[phase] for role in in_play if phase in role.kills}
    return ways.pop() if len(ways) == 1 else ""


def fates(view: PublicView, entries: Iterable[Entry]) -> dict[str, str]:
    """Return how and when each of the dead died: ``lynched on day 1``, ``killed in night 1 by the mafia``.

    *entries* are the public ones of the session of which *view* is; whoever has come back is in it no more.
    """
    found: dict[str, str] = {}
    phase, when = "", ""
    for event in (entry.event for entry in entries):
        match event:
            case PhaseBegan(name, number):
                phase, when = name, f" {'on' if name == 'day' else 'in'} {name} {number}"
            case Lynched(who):
                found[who] = f"{ruleset(view.ruleset).condemned}{when}"
            case Removed(who):
                found[who] = f"left{when}"
            case DeathsAnnounced(killed, revived):
                by = killed_by(view, phase)
                found = {who: how for who, how in found.items() if who not in revived}
                for who in killed:
                    found.setdefault(who, f"killed{when}{f' by {by}' if by else ''}")
    return found


def dead_with_fates(view: PublicView) -> list[str]:
    """Return the dead of the present session in the order of their deaths, each with how they died."""
    known = fates(view, view.session_record())
    return [f"{clean(who)} ({known[who]})" if who in known else clean(who) for who in view.dead]


def stories(view: PlayerView, before: int) -> list[str]:
    """Return the stories of the game that the reader was told before entry *before*."""
    return [e.event.text for e in view.own
            if e.number < before and isinstance(e.event, Told) and e.event.topic == STORY]


def unheard(view: PlayerView, number: int, told: Told) -> str:
    """Return the lines of the story in entry *number* that its reader, who is dead, has not had yet (D-G16).

    A line that differs by the name of a substitute alone is not news.
    """
    heirs = heirs_of(view.public.shown) if view.public.shown is not None else {}
    names = re.compile("|".join(rf"(?<!\w){re.escape(old)}(?!\w)" for old in heirs) or "(?!)")
    had = {names.sub(lambda old: heirs[old[0]], line) for story in stories(view, number) for line in story.split("\n")}
    return "\n".join(line for line in told.text.split("\n") if line not in had)
