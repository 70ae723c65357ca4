"""Little contests on paper for the reports' tests: moves are made in the kernel, letters are what each step owes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.awards import awards_for, unconfirmed
from nomicwolf.nomic.events import (
    AwardsHeld,
    DeedDone,
    DeedHeard,
    LetterHeard,
    LimitConfirmed,
    PartyJoined,
    PersonKnown,
    Revealed,
    SessionStarted,
)
from nomicwolf.nomic.law_events import DeedUndone
from nomicwolf.nomic.setup import Forum, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.history import fold, is_public
from nomicwolf.reports.owed_letters import letters_for
from nomicwolf.reports.views import PublicView, view_from
from nomicwolf.village.ballots import Ballot, ballot_text
from nomicwolf.village.events import Ended, Entry, Event, Opened, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import with_switches
from nomicwolf.village.lots import commitment
from nomicwolf.village.rulesets import ruleset

START = 1796083200  # Tue 1 Dec 2026 00:00 UTC
RULES = ruleset("nomic-crossing")
SEVEN = (
    ("Ash", "werewolf"), ("Bex", "villager"), ("Cam", "seer"), ("Dov", "witch"), ("Eli", "hunter"), ("Fay", "villager"),
    ("Gus", "villager"),
)
EIGHT = (
    ("Ash", "werewolf"), ("Bex", "villager"), ("Cam", "seer"), ("Dov", "witch"), ("Eli", "hunter"), ("Fay", "villager"),
    ("Gus", "villager"), ("Hal", "werewolf"),
)


def view_of(setup: Setup, entries: Iterable[Entry]) -> PublicView:
    """Return the view after those of *entries* that everyone may read, all of them folded anew."""
    record = [e for e in entries if is_public(e.event)]
    return view_from(record, fold(setup, record))


def setup_of(**more: object) -> Setup:
    """Return a contest of two nomics with Murphy as its contestmaster."""
    base: dict[str, object] = {
        "contest": "crossing", "name": "The Werewolves of Nomic Crossing", "ruleset": "nomic-crossing",
        "contestmaster": "Murphy", "contestmaster_addresses": ("murphy@players.example",),
        "address": "werewolves@contest.example",
        "forums": (
            Forum("agora", "agora-business@lists.example", title="Agora"),
            Forum("b", "spoon-business@lists.example", profile="b-2009", title="B"),
        ),
    }
    return Setup(**{**base, **more})  # type: ignore[arg-type]


class Story:
    """A contest that goes on step by step: *letters* are those of the last step, *sent* all so far."""

    def __init__(
        self, deal: Sequence[tuple[str, str]] = SEVEN, *, setup: Setup | None = None, seed: str = "7", at: int = START
    ) -> None:
        self.contest = Contest(setup or setup_of())
        self.deal, self.seed, self.now = tuple(deal), seed, at
        self.letters: tuple[Outgoing, ...] = ()
        self.sent: list[Outgoing] = []
        self.entries: tuple[Entry, ...] = ()
        for who, _ in self.deal:
            self._add(PersonKnown(who, (f"{who.lower().replace(' ', '')}@players.example",)))
            for nomic in self.contest.setup.nomics:
                self._add(PartyJoined(who, nomic))

    def _add(self, event: Event, cause: str = "", cites: tuple[str, ...] = ()) -> Entry:
        entry = Entry(self.contest.last + 1, self.now, event, cites, cause)
        self.contest.record(entry)
        return entry

    def _step(self, *moves: object) -> tuple[Outgoing, ...]:
        before = self.contest
        self.contest = before.branch()
        for move in moves:
            if isinstance(move, Event):
                self._add(move)
            else:
                assert callable(move)
                move()
        self._award()
        self.entries = tuple(e for e in self.contest.entries if e.number > before.last)
        self.letters = letters_for(before, self.contest, self.entries, self.now)
        self.sent += self.letters
        return self.letters

    def _play(self, move: object) -> None:
        assert callable(move)
        game = (self.contest.game or Game()).branch()
        game.next = self.contest.last + 1
        game, entries = move(game)
        self.contest.absorb(game, entries)

    def _award(self) -> None:
        game, session = self.contest.game, self.contest.session
        if game is None or not game.ever(Ended) or session in self.contest.revealed:
            return
        ended = game.last(Ended)
        assert ended is not None
        if nomic := unconfirmed(self.contest, ended):
            if session not in self.contest.awards_held:
                self._add(AwardsHeld(session, nomic))
            return
        for award in awards_for(self.contest, game, ended):
            self._add(award)
        assert game.opened is not None
        self._add(Revealed(session, self.seed, game.opened.deal))

    def start(self, points: int | None = 35) -> tuple[Outgoing, ...]:
        """Start a session with the deal, whatever the seed would have given."""
        names = tuple(who for who, _ in self.deal)
        chosen = tuple(r for r in RULES.optional if any(r == held for _, held in self.deal))
        number = self.contest.session + 1
        switches = with_switches(RULES, dict(self.contest.setup.switches))
        deal = tuple((p, r, RULES.roles[r].side) for p, r in self.deal)
        opened = Opened("nomic-crossing", number, self.seed, deal, switches, chosen)
        bind = commitment(self.contest.setup.contest, number, self.seed)

        def move() -> None:
            if points is not None:
                self._add(LimitConfirmed("agora", points, "5 times 7, as the Scorekeepor has it"), cause="command")
            self._add(SessionStarted(number, "nomic-crossing", names, chosen, bind), cause="command")
            self.contest.game = Game()
            self._play(lambda game: RULES.settle(game, self.now, (opened,), ("NC 2b", "NC 2c"), "command"))

        return self._step(move)

    def votes(self, who: str, ballot: Ballot, after: int = 3600, late: int = 0) -> tuple[Outgoing, ...]:
        """Let *who* cast *ballot* in a forum, *after* seconds later, with a stamp *late* seconds earlier than that."""
        self.now += after
        says = f"vote {ballot_text(ballot)}"
        return self._step(lambda: self._deed(who, "vote", (), ballot, says, "agora", self.now - late))

    def undoes(self, who: str, why: str, ballot: Ballot) -> tuple[Outgoing, ...]:
        """Let *who*'s last vote be undone, as the command does it; *ballot* is the one before it."""
        said = next(e for e in reversed(self.contest.entries) if isinstance(e.event, Voted) and e.event.who == who)
        assert isinstance(said.event, Voted)
        self.now += 3600
        gone = DeedUndone(said.number, who, f"vote {ballot_text(said.event.ballot)}", why)
        return self._step(gone, lambda: self._play(lambda game: RULES.cast(game, self.now, who, "vote", ballot)))

    def acts(self, who: str, verb: str, *names: str, after: int = 3600) -> tuple[Outgoing, ...]:
        """Let *who* act by private mail, *after* seconds later."""
        self.now += after
        says = " ".join([verb, " and ".join(names)]).strip()
        return self._step(lambda: self._deed(who, verb, names, None, says, "contestmaster", self.now))

    def _deed(
        self, who: str, verb: str, names: tuple[str, ...], ballot: Ballot | None, says: str, channel: str, at: int
    ) -> None:
        number = self.contest.last + 1
        heard = LetterHeard(f"<{number}@players.example>", f"{number:064}", f"{number:064}", who, "deeds", channel,
                            arrived=self.now)
        letter = self._add(heard)
        deed = self._add(
            DeedHeard(letter.number, who, verb, names, ballot, "", says, 1, says, channel, at, (number,)),
            f"letter {letter.number}")
        cause = f"deed {deed.number}"
        if ballot is not None:
            self._play(lambda g: RULES.cast(g, at, who, "vote", ballot, key=(number,), cause=cause))
        else:
            passing = not names and verb in ("heal", "poison")
            self._play(lambda g: RULES.act(g, self.now, who, verb, names, passing=passing, cause=cause))
        self._add(DeedDone(deed.number, who, says), cause)

    def happens(self, *events: Event) -> tuple[Outgoing, ...]:
        """Let *events* of the law around the game be recorded."""
        return self._step(*events)

    def dawn(self) -> tuple[Outgoing, ...]:
        """Let the next alarm of the session strike."""
        assert self.contest.game is not None
        alarm = RULES.alarm(self.contest.game)
        assert alarm is not None
        self.now = alarm[0]
        return self._step(lambda: self._play(lambda g: RULES.strike(g, alarm[0], alarm[1])))

    def public(self) -> list[Outgoing]:
        """Return all letters to the first forum so far."""
        return [m for m in self.sent if m.forum == "agora"]

    def to(self, who: str) -> list[Outgoing]:
        """Return all letters to *who* so far."""
        return [m for m in self.sent if m.person == who]


def only(letters: Iterable[Outgoing], *persons: str) -> list[Outgoing]:
    """Return the letters to the first forum, and the private ones to *persons*."""
    return [m for m in letters if m.forum == "agora" or m.person in persons]
