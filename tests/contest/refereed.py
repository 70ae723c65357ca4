"""Random contests by mail before the program and before a referee: letters, orders, a clock, and what follows."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import formatdate

from nomicwolf.contest import Command, LetterCame, Tick, hear
from nomicwolf.contest.sessions import Position, people, stand
from nomicwolf.contest.step import forums_of
from nomicwolf.letters.letter import Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.nomic.events import DeedDone
from nomicwolf.nomic.state import Contest
from nomicwolf.village.ballots import (
    Alive,
    And,
    Ballot,
    Condition,
    Dead,
    Endorse,
    FirstOf,
    For,
    If,
    Nobody,
    Not,
    Or,
    Was,
    ballot_text,
)
from nomicwolf.village.events import Chose, StageBegan, Voted
from nomicwolf.village.rulesets import ruleset
from tests.contest.world import AGORA, HOME, B, setup
from tests.village import towns
from tests.village.beside import CROSSING, Beside
from tests.village.referee import NOBODY, NotAllowed, Referee, renamed
from tests.village.referee_crossing import Crossing
from tests.village.test_referee import FIXED, MAYBE, REFEREES, SWITCHES, an_hour, attempt, soft_ballot

START = 1_796_083_200  # 2026-12-01T00:00Z
HOUR = 3600
NAMES = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon")
SPARE = ("Kim", "Lea", "Moe")
STEPS = 90
TOGETHER = {CROSSING: {"dawn": ("08:00, 20:00", "at once"), "departure": ("stay", "kill"),
                       "nobody_left": ("werewolves", "draw"), "hunter_pause": ("closed", "open"),
                       "parity": ("after-cascade", "immediate"), "lovers_vote": ("free", "spared")}}
LETTERS = "ABCDEFGHIJ"


class Contested(Beside):
    """One random contest, step by step before both; what follows at once comes *gap* seconds later."""

    gap = 0

    def __init__(self, name: str, number: int) -> None:
        super().__init__(name)
        self.chance = c = random.Random(f"contest {name} {number}")
        self.order, self.spare, self.said = 0, list(SPARE), ""
        switches = {k: c.choice(v) for k, v in {**SWITCHES, **TOGETHER}[name].items()}
        deck = self.deck()
        c.shuffle(deck)
        cast = dict(zip(NAMES, deck, strict=False))
        given = replace(setup(switches=switches), ruleset=name)
        addresses = {who: (f"{who.lower()}@players.example",) for who in (*cast, *SPARE)}
        contest = people(Contest(given), addresses, {"agora": 50}, START)
        self.rules = ruleset(name)
        before = len(contest.entries)
        self.contest = stand(contest, Position(tuple(cast.items()), START, seed="seed"))
        self.note(self.contest.entries[before:])
        kind: type[Referee] = {**REFEREES, CROSSING: Crossing}[name]
        self.referee = kind(cast, switches, START, self.lot)
        self.compare("the beginning")

    def deck(self) -> list[str]:
        """Return the cards of this contest."""
        c = self.chance
        if self.name != CROSSING:
            return (FIXED[self.name].split() + [r for r in MAYBE[self.name].split() if c.random() < 0.55])[:10]
        many = c.randint(5, 9)
        roles = ["werewolf"] * (1 + (many - 5) // 3) + [
            r for r in ("seer", "witch", "hunter", "cupid") if c.random() < 0.6]
        return (roles + ["villager"] * many)[:many]

    def compare(self, move: object) -> None:
        """Both have seen the same; so are the living, and in nomic-crossing the votes."""
        super().compare(move)
        game = self.contest.game
        if game is not None and not game.over:
            assert set(game.alive) == self.referee.alive, move
            if isinstance(self.referee, Crossing) and self.referee.voting():
                table = {w: game.table.get(w) for w in game.living()}
                assert table == {w: self.referee.table.get(w) for w in game.living()}, move

    def heard(self, happening: LetterCame | Command | None, at: int) -> bool:
        """Let the program hear it; return whether it was done."""
        first = hear(self.contest, happening or Tick(), at)
        second = hear(first.contest, Tick(), at)
        self.contest = second.contest
        news = (*first.entries, *second.entries)
        self.note(news)
        if isinstance(happening, Command):
            self.said = first.said
            return first.status == 0
        return any(isinstance(x.event, DeedDone) for x in news)

    def write(self, at: int, who: str, text: str, to: str = AGORA, *, private: bool = False) -> bool:
        """Let *who* write *text* to a forum, or in private; return whether it was done."""
        self.order += 1
        to = HOME if private else to
        domain = to.partition("@")[2]
        lists = "" if private else (f"List-Id: <{to.replace('@', '.')}>\r\n"
                                    f"Received: from x.example by {domain} with ESMTP; {formatdate(at)}\r\n")
        data = (f"{lists}From: {who} <{who.lower()}@players.example>\r\nTo: {to}\r\nMessage-ID: <m{self.order}@x>\r\n"
                f"Date: {formatdate(at)}\r\nSubject: w\r\n\r\n{text}\r\n").encode()
        letter = make_letter(
            Raw(f"p{self.order}", self.order, at, data, len(data)), forums_of(self.contest.setup), (HOME,))
        return self.heard(LetterCame(letter), at)

    def move(self) -> None:
        """Let time pass, then let somebody do something."""
        r, c = self.referee, self.chance
        left = max(r.until - r.now, 0) or 9 * HOUR
        at = r.now + c.choice([max(left - 60, 0), left, left + 60, 5 * HOUR] if c.random() < 0.14 else [
            self.gap, 60, 600])
        if self.name == CROSSING and r.phase == "night" and c.random() < 0.03:
            at = r.now + 8 * 86400
        self.heard(None, at)
        r.until_now(at)
        self.compare(f"time passes to {at}")
        if r.over:
            return
        turn = c.random()
        if turn < 0.04:
            self.order_substitute(at)
        elif turn < 0.08:
            self.order_extend(at)
        elif (turn < 0.10 and self.name == CROSSING) or turn < 0.09:
            self.leaves(at)
        elif turn < 0.13:
            self.order_act_for(at)
        elif turn < 0.18:
            self.order_undo(at)
        else:
            self.deeds(at)

    def both(self, what: object, done: bool, asked: Mapping[str, object] | None, call: str) -> None:
        """Ask the referee for *call* and compare with what was *done*."""
        try:
            getattr(self.referee, call)(**(asked or {}))
            may = True
        except NotAllowed:
            may = False
        assert done == may, (what, done, may, self.said)
        self.compare(what)

    def order_substitute(self, at: int) -> None:
        """D-N41: somebody who waits takes a living player's place."""
        if not self.spare:
            return
        old = self.chance.choice(self.referee.seats)
        new = self.spare[-1]
        if old not in self.referee.alive:
            return
        done = self.heard(Command("substitute", {"old": old, "new": new}), at)
        self.spare.pop()
        self.both(("substitute", old, new, at), done, {"at": at, "old": old, "new": new}, "substitute")

    def order_extend(self, at: int) -> None:
        """D-A1: the deadline is moved, or not where that would be past."""
        if self.name == CROSSING:
            return
        until = at + self.chance.choice([-60, 60, 3 * HOUR, 30 * HOUR, 90 * HOUR])
        place = f"{self.referee.phase} {self.referee.number}"
        text = datetime.fromtimestamp(until, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        done = self.heard(Command("extend", {"until": text}, place), at)
        self.both(("extend", at, until), done, {"at": at, "until": until}, "extend")

    def leaves(self, at: int, who: str = "") -> None:
        """D-N11, D-A2: *who*, or somebody, leaves the contract in every nomic."""
        who = who or self.chance.choice(self.referee.seats)
        for forum in (AGORA, B):
            self.write(at, who, "I leave this contract.", forum)
        self.both(("leave", who, at), True, {"at": at, "who": who}, "leave")

    def order_act_for(self, at: int) -> None:
        """NC 1j: the contestmaster acts for somebody."""
        r, c = self.referee, self.chance
        if r.phase != "night":
            return
        owed = r.owes() if self.name == CROSSING else []
        who, verb = c.choice(owed) if owed else (c.choice(r.seats), "attack")
        whom = c.choice(r.seats)
        done = self.heard(Command("act-for", {"who": who, "deed": f"{verb} {whom}"}), at)
        self.both(("act-for", who, verb, whom, at), done, {"at": at, "who": who, "verb": verb, "whom": whom}, "act_for")

    def order_undo(self, at: int) -> None:
        """D-N42: somebody's last vote or choice of the phase is undone, with an authority."""
        game = self.contest.running
        assert game is not None
        if self.referee.switches.get("ballot_order") == "sequential" or getattr(self.referee, "still_open", False):
            return
        found = [(e.number, e.event) for e in (*game.lines_now(Voted)[-4:], *game.lines_now(Chose)[-4:])
                 if isinstance(e.event, Voted | Chose) and (isinstance(e.event, Voted) or e.event.verb != "shoot")]
        if not found:
            return
        number, event = self.chance.choice(found)
        kind, verb = type(event), event.verb
        if number != max(e.number for e in game.lines_now(kind, who=event.who, verb=verb)):
            return
        if kind is Voted and number < game.mark(StageBegan):
            return
        call = {"number": str(number), "why": "a slip", "authority": "CFJ 1"}
        done = self.heard(Command("undo", call), at)
        asked: dict[str, object] = {"at": at, "who": event.who, **({} if kind is Voted else {"verb": verb})}
        self.both(("undo", event, at), done, asked, "undo_vote" if kind is Voted else "undo_choice")

    def deeds(self, at: int) -> None:
        """Somebody writes a letter."""
        if self.name == CROSSING:
            self.crossing(at)
            return
        (who, verb, whom), c, r = attempt(self.name, self.referee, self.chance, wild=0.1), self.chance, self.referee
        if self.referee.phase == "night":
            done = self.write(at, who, f"{verb} {whom}", private=True)
        elif whom in ("guilty", "innocent"):
            done = self.write(at, who, whom, private=self.name == "six-phases")
        elif verb == "vote" and c.random() < 0.25 and sum(not isinstance(b, For) for b in r.votes.values()) < 3:
            ballot = soft_ballot(c, r.living(), r.options() or [whom], r.now)
            done = self.write(at, who, f"vote {ballot_text(ballot)}.", private=self.name == "six-phases")
            self.both((at, who, ballot), done, {"at": at, "who": who, "verb": verb, "whom": ballot}, "deed")
            return
        else:
            done = self.write(at, who, f"{verb} {whom}", private=self.name == "six-phases")
        self.both((at, who, verb, whom), done, {"at": at, "who": who, "verb": verb, "whom": whom}, "deed")

    def crossing(self, at: int) -> None:
        """A letter in nomic-crossing: a vote, several votes, a night deed, a pair or a shot."""
        r, c = self.referee, self.chance
        assert isinstance(r, Crossing)
        living = r.living()
        if r.shooter and (not r.voting() or c.random() < 0.4):
            who, whom = r.shooter if c.random() < 0.7 else c.choice(r.seats), c.choice(r.seats)
            self.private(at, who, "shoot", whom)
        elif r.phase == "setup":
            cupid = r.holders("cupid")
            who = c.choice(cupid) if cupid else c.choice(living)
            self.private(at, who, "match", f"{c.choice(living)} {c.choice(living)}")
        elif r.phase == "night":
            owed = r.owes()
            who, verb = c.choice(owed) if owed and c.random() < 0.9 else (c.choice(r.seats), "see")
            whom = c.choice(living[:4]) if c.random() < 0.8 else c.choice(r.seats)
            if verb == "attack" and c.random() < 0.7:
                whom = next(w for w in living if r.role[w] != "werewolf")
            if verb == "heal":
                whom = c.choice([r.chosen_by_all, NOBODY])
            elif verb == "poison" and c.random() < 0.4:
                whom = NOBODY
            self.private(at, who, verb, whom)
        else:
            who = c.choice(living) if c.random() < 0.95 else c.choice(r.seats)
            ballots = [self.ballot(who) for _ in range(2 if c.random() < 0.15 else 1)]
            before = len(r.log)
            self.write(at, who, "\n\n".join(f"vote {ballot_text(b)}." for b in ballots), private=False)
            for ballot in ballots:
                try:
                    r.vote(at, who, ballot)
                except NotAllowed:
                    continue
            assert len(r.log) >= before
            self.compare((at, who, [ballot_text(b) for b in ballots]))

    def private(self, at: int, who: str, verb: str, whom: str) -> None:
        """A private deed, before both."""
        text = f"match {whom.replace(' ', ' and ')}" if verb == "match" else f"{verb} {whom}"
        done = self.write(at, who, text, private=True)
        self.both((at, who, verb, whom), done, {"at": at, "who": who, "verb": verb, "whom": whom}, "deed")

    def ballot(self, who: str) -> Ballot:
        """Return a ballot: mostly plain, some endorsements, and some conditions about a few."""
        c, living = self.chance, self.referee.living()
        turn = c.random()
        soft = sum(not isinstance(b, For | Nobody) for b in self.referee.standing().values())  # type: ignore[attr-defined]
        if turn < 0.5 or soft > 4:
            return For(c.choice(living[:3]) if c.random() < 0.8 else c.choice(self.referee.seats))
        if turn < 0.6:
            return Nobody()
        if turn < 0.75:
            return Endorse(c.choice(living))
        if turn < 0.82:
            return FirstOf((Endorse(c.choice(living)), For(c.choice(living))))
        return If(self.condition(), self.branch(), self.branch())

    def branch(self) -> Ballot:
        """Return what stands in a branch of a conditional ballot."""
        c, living = self.chance, self.referee.living()
        found: list[Ballot] = [
            For(c.choice(living)), For(c.choice(self.referee.seats)), Endorse(c.choice(living)), Nobody()]
        return c.choice(found)

    def condition(self, depth: int = 0) -> Condition:
        """Return a condition on votes and deaths, at times of two parts."""
        c, living = self.chance, self.referee.living()
        if depth < 1 and c.random() < 0.25:
            parts = (self.condition(1), self.condition(1))
            whole: list[Condition] = [And(parts), Or(parts), Not(parts[0])]
            return c.choice(whole)
        if c.random() < 0.2:
            who = c.choice(self.referee.seats)
            known: list[Condition] = [Alive(who), Dead(who), Was(who, c.choice(["werewolf", "villager"])),
                                      an_hour(c, self.referee.now)]
            return c.choice(known)
        few = c.sample(living, min(len(living), 4))
        found = towns.about_votes(c, LETTERS[:len(few)])
        for letter, name in zip(LETTERS, few, strict=False):
            found = renamed(found, letter, name)
        return found
