"""Contests played in pairs: the same public letters and questions, other roles and other deeds by night."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from nomicwolf.contest import Command, Contest, LetterCame, Outcome, Setup, Tick, hear
from nomicwolf.contest.sessions import Position, stand
from nomicwolf.contest.step import forums_of
from nomicwolf.letters.compose import Envelope, compose, letter_id
from nomicwolf.letters.identity import with_tag
from nomicwolf.letters.letter import Letter, Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.nomic.events import PartyJoined, PersonKnown
from nomicwolf.nomic.setup import PLAIN, Policy
from nomicwolf.rehearsal import play
from nomicwolf.reports.owed_letters import letters_for
from nomicwolf.reports.sections import reply_tag_of
from nomicwolf.village.events import DeathsAnnounced, Disclosed, Ended, Entry, PhaseBegan, Revived
from nomicwolf.village.rulesets import rules_in

START = 1_796_083_200 + 9 * 3600
STEP = 6 * 3600
NAMES = ("Ash", "Bex", "G.", "0x44", "天火狐", "D. Margaux", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lee", "Max",
         "Ned", "Oda", "Pip")
DECKS: dict[str, tuple[str, ...]] = {
    "nomic-crossing": ("werewolf", "seer", "witch", "hunter", *["villager"] * 4),
    "nomic-crossing with Lovers": ("werewolf", "werewolf", "seer", "witch", "cupid", *["villager"] * 3),
    "nomic-crossing with Lovers and a Hunter": (
        "werewolf", "werewolf", "seer", "witch", "hunter", "cupid", *["villager"] * 3),
    "gadianton": ("gadianton", "gadianton", "prophet", *["nephite"] * 5),
    "tabula": ("werewolf", "werewolf", "seer", "medium", "bodyguard", *["villager"] * 5),
    "six-phases": ("mafioso", "mafioso", "cop", "doctor", *["townie"] * 5),
    "narrated-mafia": ("mafioso", "mafioso", "policeman", "doctor", *["civilian"] * 5),
    "gadianton with two Prophets": ("gadianton", "gadianton", "gadianton", "prophet", "prophet", *["nephite"] * 7),
    "tabula with all": (
        "werewolf", "werewolf", "werewolf", "seer", "medium", "possessed", "bodyguard", "owl", "freemason", "freemason",
        "werehamster", "mythomaniac", *["villager"] * 4),
    "six-phases with all": (
        "mafioso", "mafioso", "godfather", "cop", "doctor", "roleblocker", "tracker", "watcher", "vigilante", "medium",
        "mayor", "miller", "neutral", *["townie"] * 4),
    "narrated-mafia with all": (
        "mafioso", "mafioso", "godfather", "mason", "mason", "policeman", "policeman", "doctor", *["civilian"] * 5),
}
LIBRARY = {
    "nomic-crossing with those who move others": (
        "werewolf", "redirector", "bus-driver", "lightning-rod", "tracker", "watcher", *["villager"] * 5),
    "nomic-crossing with heirs and the poisoned": (
        "werewolf", "poisoner", "cop", "deputy", "understudy", "cultist", "doctor", *["villager"] * 6),
    "gadianton with shelters": (
        "gadianton", "framer", "prophet", "commuter", "hider", "rolestopper", *["nephite"] * 5),
    "tabula with those who strike back": (
        "werewolf", "strongman", "seer", "granny", "bomb", "avenger", "supersaint", *["villager"] * 6),
    "six-phases with those who look": (
        "mafioso", "lawyer", "neapolitan", "gunsmith", "motion-detector", "insane-cop", "coroner", *["townie"] * 5),
    "nomic-crossing with a killer and a Governor": (
        "werewolf", "unknown-soldier", "serial-killer", "governor", "cop", *["villager"] * 6),
    "six-phases with a killer and a Governor": (
        "mafioso", "mafioso", "serial-killer", "governor", "unknown-soldier", "doctor", *["townie"] * 6),
    "six-phases with two packs": (
        "mafioso", "mafioso", "raider", "raider", "cop", "roleblocker", *["townie"] * 5),
    "nomic-crossing with Templars": (
        "werewolf", "templar", "templar", "cop", "tracker", *["villager"] * 5),
    "narrated-mafia with the weak": (
        "mafioso", "vanillaiser", "weak-doctor", "lover", "lover", "fruit-vendor", "jack-of-all-trades",
        *["civilian"] * 5),
}
"""Decks with roles of the library."""
LAWFUL = (DeathsAnnounced, Disclosed, Ended, PhaseBegan, Revived)
"""What the contracts themselves make public of what is hidden: who is dead, and when, and what is shown of them."""
MESSAGE_ID = re.compile(r"<[a-z2-7]{24}\.[a-z2-7]{16}@werewolf\.example>")

TAG = re.compile(r"\+[a-z2-7-]{20,40}@")
BOUNDARY = re.compile(r"=_[a-z2-7]{24}\.[a-z2-7]{16}")


@dataclass(frozen=True)
class Written:
    """A letter that somebody writes at *at* (UTC seconds): *to* is ``forum`` or ``contestmaster``.

    With *to* ``bounce`` a mail server says that a letter to *who* came back; *text* is what the contestmaster is told.
    """

    at: int
    who: str
    to: str
    text: str


@dataclass
class World:
    """A contest that goes on by polls; *sent* is what left with each of them."""

    rules: str
    deal: tuple[tuple[str, str], ...]
    cover: tuple[str, ...] = USUAL
    contest: Contest = field(init=False)
    sent: list[Outgoing] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    numbers: int = 0
    polled: int = START
    spare: tuple[str, ...] = ()
    tagged: bool = False
    strict: bool = False
    lazy: float = 0.3
    switches: dict[str, str] = field(default_factory=dict)
    absence: Policy = PLAIN

    def __post_init__(self) -> None:
        """Deal the cards."""
        setup = Setup(
            "two", "The Werewolves of Nomic Crossing", self.rules.partition(" ")[0], "Murphy",
            ("murphy@players.example",), play.CONTEST, play.FORUMS, settling=600,
            secret=b"sixteen bytes or more", cover=self.cover, subaddresses=self.tagged, switches=self.switches,
            assurance={"private": "signed"} if self.strict else {}, absence=self.absence)
        people = [*(who for who, _ in self.deal), *self.spare]
        self.addresses = {who: (f"player{n}@players.example",) for n, who in enumerate(people)}
        entries: list[Entry] = []
        for who in people:
            entries.append(Entry(len(entries) + 1, START, PersonKnown(who, self.addresses[who])))
            entries += [Entry(len(entries) + n, START, PartyJoined(who, nomic)) for n, nomic
                        in enumerate(setup.nomics, 1)]
        before = Contest.of(setup, entries)
        self.contest = stand(before, Position(self.deal, START, seed="5" * 64))
        self.entries = self.contest.entries[before.last:]
        self.sent = list(letters_for(before, self.contest, self.entries, START))

    def answered(self, who: str) -> str:
        """Return the address to which *who* answers eir letters, if e does so in this world."""
        tag = reply_tag_of(self.contest, who) if self.strict else ""
        return with_tag(play.CONTEST, tag)

    def _take(self, outcome: Outcome) -> Outcome:
        self.contest = outcome.contest
        self.sent += outcome.letters
        self.entries += outcome.entries
        return outcome

    def poll(self, at: int, letters: Sequence[Written]) -> tuple[list[Outgoing], list[Entry]]:
        """Hear *letters* in the order of their times, let time pass until *at*, and return what came of it."""
        self.sent, self.entries = [], []
        for one in sorted(letters, key=lambda w: (w.at, w.to, w.who)):
            self.numbers += 1
            if one.to == "bounce":
                self._take(hear(self.contest, LetterCame(self._bounce(one), returned=one.text), at))
                continue
            forums = play.lists_for(one.to) or ()
            to = [f.address for f in forums] or [self.answered(one.who)]
            data = play.step_letter(one.who, self.addresses[one.who][0], one.text, to, one.at, 0)
            data = data.replace(b"<step-0.", f"<{(one.who + one.text).encode().hex()}-{one.at}-{one.to}.".encode(), 1)
            for raw in play.arriving_copies(data, forums, one.at, self.numbers):
                letter = make_letter(raw, forums_of(self.contest.setup), (play.CONTEST,))
                self._take(hear(self.contest, LetterCame(letter), at))
        self._take(hear(self.contest, Tick(self.polled), at))
        self.polled = at
        return self.sent, self.entries

    def _bounce(self, told: Written) -> Letter:
        """Return a server's letter on one that came back."""
        head = (f"Return-Path: <>\r\nFrom: MAILER-DAEMON@players.example\r\nTo: {play.CONTEST}\r\n"
                f"Message-ID: <bounce-{self.numbers}@players.example>\r\nSubject: Undelivered\r\n")
        data = f"{head}\r\nGone.\r\n".encode()
        raw = Raw(f"bounce-{self.numbers}", self.numbers, told.at, data, len(data))
        return make_letter(raw, forums_of(self.contest.setup), (play.CONTEST,))

    def order(self, command: Command, at: int) -> Outcome:
        """Give an order at *at*; what leaves with it is in `sent` alone."""
        self.sent, self.entries = [], []
        return self._take(hear(self.contest, command, at))

    def private(self, chance: random.Random, plan: random.Random, since: int, until: int) -> Iterator[Written]:
        """Yield what is written in private between two polls: by whoever owes a deed, and what is none of eir business.

        *plan* is the same in both worlds, so that the same people are attacked; *chance* is this world's own.
        """
        game = self.contest.running
        if game is None or game.phase not in ("setup", "night"):
            return
        rules = rules_in(game)
        prey = plan.choice(sorted(game.shown_living()))
        for who in game.living():
            for duty in rules.duties(game, who):
                options = rules.options(game, who, duty)
                setting_up = game.phase == "setup"  # its end is lawful to see, so it is the same in both worlds
                if duty.pins or len(options) < duty.arity or (chance.random() < self.lazy and not setting_up):
                    continue
                named = [prey] if duty.arity == 1 and prey in options else chance.sample(sorted(options), duty.arity)
                words = f"{duty.verb} {' and '.join(named)}".strip() if duty.verb != "heal" else "heal nobody"
                at = (since + until) // 2 if setting_up else chance.randrange(since, until)
                yield Written(at, who, "contestmaster", words)
        for who in chance.sample(sorted(game.shown_living()), 2):
            other = chance.choice(sorted(game.seats))
            yield Written(chance.randrange(since, until), who, "contestmaster", chance.choice(
                (f"see {other}", f"attack {other}", f"poison {other}", "heal", "pass", f"frobnicate {other}")))

    def public(self, plan: random.Random, since: int, until: int, victims: Sequence[str]) -> Iterator[Written]:
        """Yield what is written in the same words in both worlds: votes, questions, and what isn't understood.

        Now and then everyone votes for one of *victims*, who are the same in both.
        """
        game = self.contest.running
        living = sorted(game.shown_living()) if game is not None else []
        if game is None or len(living) < 2:
            return
        hanged = [who for who in victims if who in living]
        if hanged and plan.random() < 0.4:
            yield from (Written(until, who, "forum", f"I vote for {hanged[0]}.") for who in living)
        for number in range(plan.randrange(5)):
            who, other = plan.choice(living), plan.choice(living)
            words = plan.choice((f"I vote for {other}.", f"I accuse {other}.", f"I second the accusation of {other}.",
                                 "I vote guilty.", f"I nominate {other}.", f"I vote to lynch {other} if it rains."))
            yield Written(plan.randrange(since, until) + number, who, "forum", words)
        for question in plan.sample(("help", "status", "votes", "check: see Ash", "history", "what?", "resend"), 2):
            yield Written(plan.randrange(since, until), plan.choice(living), "contestmaster", question)


def seen_by_others(world: World, sent: Sequence[Outgoing]) -> list[Outgoing]:
    """Return those letters of which others than their readers may see something: without cover those to forums.

    With cover it is all, for who carries the mail sees them (D-N48).
    """
    return [letter for letter in sent if world.cover or letter.kind == "public"]


def traffic(world: World, sent: Sequence[Outgoing]) -> list[tuple[object, ...]]:
    """Return what is seen of *sent* by those who must not know what it says, and of public letters what they say."""
    envelope = Envelope(
        "Werewolves", play.CONTEST, "two", world.contest.setup.secret,
        {f.nomic: f.address for f in world.contest.setup.forums})
    seen: list[tuple[object, ...]] = []
    for letter in seen_by_others(world, sent):
        assert MESSAGE_ID.fullmatch(letter_id(letter, envelope))
        body = letter.body if letter.kind == "public" else ""
        seen.append((letter.kind, letter.forum or letter.to, letter.subject, letter.at, len(compose(letter, envelope)),
                     letter.auto, body))
    return sorted(seen, key=repr)


def heads(world: World, sent: Sequence[Outgoing]) -> list[str]:
    """Return the header of each letter in *sent*, without what only the contest's key can make of its words."""
    envelope = Envelope("Werewolves", play.CONTEST, "two", world.contest.setup.secret,
                        {f.nomic: f.address for f in world.contest.setup.forums})
    composed = (compose(letter, envelope).partition(b"\r\n\r\n")[0].decode()
                for letter in seen_by_others(world, sent))
    return sorted(BOUNDARY.sub("=_", TAG.sub("+tag@", MESSAGE_ID.sub("<id>", head))) for head in composed)


def lawful(entries: Sequence[Entry]) -> list[object]:
    """Return what was disclosed in *entries*, and at which instants."""
    return [(e.at, e.event) for e in entries if isinstance(e.event, LAWFUL)]
