"""The events around the game.

Players can have a part in a seed: the contestmaster's half is bound first, then what they write goes into it. Neither
side can choose the lots: the half was bound before anyone wrote, and nobody but the contestmaster knows it while they
write. Which letters count is no choice: all that came through a forum between the two.

The events around the game are in the same record as the game's: letters, persons and parties, sessions, rulings and
awards. A deed that was heard waits in the record until the clock has settled past its instant; what follows from it
names it as its cause (``deed N``, N being the number of its entry).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from nomicwolf.village.ballots import Ballot
from nomicwolf.village.events import PUBLIC, Audience, Entry, Event, ForAll, ForOne, Joined, Turned
from nomicwolf.village.game import Game

Words = tuple[tuple[str, str], ...]
"""The letters that go into a seed, in their order: the author of each, and its digest (SHA-256 of what they wrote)."""


@dataclass(frozen=True, slots=True)
class SeedBound(ForAll):
    """The contestmaster's half of the seed of *session* is bound by *commitment*."""

    session: int
    commitment: str


@dataclass(frozen=True, slots=True)
class SeedKept(Event):
    """The contestmaster's *half* of the seed of *session*, 64 hex digits: as secret as the seed."""

    session: int
    half: str


@dataclass(frozen=True, slots=True)
class SeedMixed(ForAll):
    """The seed of *session* was made of the bound half and of *letters*."""

    session: int
    letters: Words


@dataclass(frozen=True, slots=True)
class HalfTold(ForAll):
    """After *session*: the *half* that was bound, so that everyone can make the seed again."""

    session: int
    half: str


Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Numbers as (first, last) of each row of them, ascending."""


@dataclass(frozen=True, slots=True)
class Erased(Event):
    """A person was taken out of the ledger and is called *who* there; without *who*, old letters were forgotten.

    Written anew were the *entries*, the *letters* that came and those that were *owed*, by their numbers. *seal* is
    the SHA-256 of all entries before this one that were ever written anew, as they stand now.
    """

    who: str
    entries: Spans = ()
    letters: Spans = ()
    owed: Spans = ()
    seal: str = ""


def spans(numbers: Iterable[int]) -> Spans:
    """Return numbers as spans.

    >>> spans([3, 1, 2, 7])
    ((1, 3), (7, 7))
    """
    found: list[tuple[int, int]] = []
    for number in sorted(set(numbers)):
        if found and found[-1][1] == number - 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return tuple(found)


def numbers_of(given: Spans) -> Iterator[int]:
    """Yield the numbers in spans."""
    for first, last in given:
        yield from range(first, last + 1)


@dataclass(slots=True)
class Erasures:
    """All erasures of a record together: the numbers that were written anew, and the pseudonyms."""

    entries: set[int]
    letters: set[int]
    owed: set[int]
    names: tuple[str, ...]
    last: Entry | None = None

    @classmethod
    def none(cls) -> Erasures:
        """Return those of a record in which nothing was erased."""
        return cls(set(), set(), set(), ())

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Erasures:
        """Return those of a record."""
        found = cls.none()
        for entry in entries:
            found.record(entry)
        return found

    def record(self, entry: Entry) -> None:
        """Take in an entry, if it is of an erasure."""
        if not isinstance(entry.event, Erased):
            return
        event, self.last = entry.event, entry
        self.entries.update(numbers_of(event.entries))
        self.letters.update(numbers_of(event.letters))
        self.owed.update(numbers_of(event.owed))
        if event.who:
            self.names = (*self.names, event.who)


@dataclass(frozen=True, slots=True)
class PersonKnown(Event):
    """*who* is known by these addresses (the first is where mail goes) and aliases; replaces what was known."""

    who: str
    addresses: tuple[str, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartyJoined(ForAll):
    """*who* became a party to the contract in *nomic* (NC 1c)."""

    who: str
    nomic: str


@dataclass(frozen=True, slots=True)
class PartyLeft(ForAll):
    """*who* is no longer a party to the contract in *nomic*."""

    who: str
    nomic: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class SessionStarted(ForAll):
    """A session of *ruleset* was initiated among *players*; *commitment* binds the seed, *bound* each player's role."""

    session: int
    ruleset: str
    players: tuple[str, ...]
    roles: tuple[str, ...]
    commitment: str
    odds: str = ""
    bound: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SessionStopped(ForAll):
    """The contestmaster ended the session (NC 1f): nobody wins."""

    session: int
    why: str


@dataclass(frozen=True, slots=True)
class CountPosted(ForAll):
    """A vote count was posted to the forums, as of its entry's instant."""

    why: str = ""


@dataclass(frozen=True, slots=True)
class LimitConfirmed(ForAll):
    """The contestmaster confirmed *points* as P, what a contest may award in a week in *nomic*; *how* derives it."""

    nomic: str
    points: int
    how: str = ""


@dataclass(frozen=True, slots=True)
class AwardsHeld(Event):
    """The announcement that ends the session waits, since P of *nomic* is not confirmed (D-N21)."""

    session: int
    nomic: str


@dataclass(frozen=True, slots=True)
class Awarded(ForAll):
    """One numbered action: *who* gets *amount* of *what* in *nomic* for winning *session*."""

    session: int
    number: int
    nomic: str
    who: str
    what: str
    amount: int


@dataclass(frozen=True, slots=True)
class Revealed(ForAll):
    """After the session: the seed, and who held which role (D-N23).

    *lovers* are who loved each other, *became* who took another role in the game, and which (player, role, side);
    *ruled* are the rulings that were secret (UTC seconds, text, authority, whom each concerns) (D-A11).
    """

    session: int
    seed: str
    deal: tuple[tuple[str, str, str], ...]
    lovers: tuple[str, ...] = ()
    became: tuple[tuple[str, str, str], ...] = ()
    ruled: tuple[tuple[int, str, str, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class LetterHeard(Event):
    """A letter came, and ended in *bucket* (`commands.md` names them).

    *content* is the SHA-256 of its bytes, *digest* of what it does; *channel* is a forum's nomic,
    ``discussion`` or ``contestmaster``; *sent*, *stamped* and *arrived* are UTC seconds (0 = unknown). *assurance* is
    how certain its author is, *proofs* by what (``dkim example.org``, ``openpgp FINGERPRINT MADE DIGEST``).
    """

    message_id: str
    content: str
    digest: str
    author: str
    bucket: str
    channel: str
    why: str = ""
    sent: int = 0
    stamped: int = 0
    arrived: int = 0
    assurance: str = ""
    proofs: tuple[str, ...] = ()

    @property
    def seals(self) -> tuple[str, ...]:
        """The digest of what OpenPGP keys signed in it (SHA-256 hex)."""
        return tuple(proof.rpartition(" ")[2] for proof in self.proofs if proof.startswith("openpgp "))


@dataclass(frozen=True, slots=True)
class CopyHeard(Event):
    """A further copy of the letter in entry *letter* came through *channel*."""

    letter: int
    channel: str
    stamped: int


@dataclass(frozen=True, slots=True)
class DeedHeard(Event):
    """A deed waits to be done at *instant*, in its place *key*.

    *letter* is the number of its letter's entry (0: a command of the contestmaster's), *line* and *text* where it
    is there, *says* its canonical form; *sure* is how certain its author was.
    """

    letter: int
    who: str
    verb: str
    names: tuple[str, ...]
    ballot: Ballot | None
    words: str
    says: str
    line: int
    text: str
    channel: str
    instant: int
    key: tuple[int, ...]
    sure: str = ""

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return PUBLIC if self.channel not in ("contestmaster", "discussion") else (self.who,)


@dataclass(frozen=True, slots=True)
class DeedMoved(Event):
    """An earlier copy showed that *deed* took effect at *instant*."""

    deed: int
    instant: int


@dataclass(frozen=True, slots=True)
class DeedDone(ForOne):
    """*deed* was done; *note* says to its author what it came to."""

    deed: int
    who: str
    says: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Refused(ForOne):
    """A deed of *who*'s is refused: *why*, and what they may do instead; *deed* is 0 if it never became one.

    It is *quiet* if the same run has told them so already, and so are the other answers below.
    """

    deed: int
    who: str
    verb: str
    text: str
    why: str
    options: tuple[str, ...] = ()
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Asked(ForOne):
    """*who* wrote something that can't be taken as it is; the previous vote stays."""

    letter: int
    who: str
    line: int
    text: str
    problem: str
    hint: str = ""
    suggestions: tuple[str, ...] = ()
    quiet: bool = False


RESEND = "resend"
"""The topic of a request to be told everything again."""


@dataclass(frozen=True, slots=True)
class Answered(ForOne):
    """*who* asked for something by a word (`answers.QUESTIONS`) and is told."""

    who: str
    topic: str
    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class LetterHeld(Event):
    """A letter waits for a ruling: *letter* is the number of its entry, *other* what it would change.

    Of one of a flood the contestmaster is told by a digest, not at once: it is *quiet*.
    """

    letter: int
    why: str
    other: str = ""
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class LetterReleased(Event):
    """A held letter is let through, as its author's."""

    letter: int
    author: str


@dataclass(frozen=True, slots=True)
class LetterRejected(Event):
    """A held letter is not let through."""

    letter: int
    why: str


@dataclass(frozen=True, slots=True)
class Ruled(Event):
    """The contestmaster ruled: *text*, on *authority*; *about* are those whom it concerns.

    They alone read it if it is *secret*, as what rules a secret deed is until the roles are told (D-A11).
    """

    text: str
    authority: str
    about: tuple[str, ...] = ()
    secret: bool = False

    def readers(self) -> Audience:
        """Return whose it is to know."""
        return self.about if self.secret else PUBLIC


@dataclass(frozen=True, slots=True)
class ActedFor(ForOne):
    """The contestmaster acted on behalf of *who* (NC 1j), who owed it since *since* (UTC seconds).

    A *lot* decided where the policy on absence acts (D-A13).
    """

    who: str
    says: str
    since: int
    lot: bool = False


@dataclass(frozen=True, slots=True)
class Reminded(ForOne):
    """*who* was reminded of what they owe since *since*, and until *until* (UTC seconds; 0: seven days).

    *kind* is that of what is owed, as `owed.Owed` has it.
    """

    who: str
    verb: str
    since: int
    until: int = 0
    kind: str = "deed"


@dataclass(frozen=True, slots=True)
class Noted(Event):
    """Something for the contestmaster's journal."""

    topic: str
    text: str


def revealed(session: int, game: Game, ruled: tuple[tuple[int, str, str, tuple[str, ...]], ...] = ()) -> Revealed:
    """Return what is told of *game*: seed, roles, Lovers, who took another role, and what was *ruled* in secret.

    Nothing is with the switch off.
    """
    opened = game.opened
    if opened is None or game.switches.get("reveal_after", "on") != "on":
        return Revealed(session, "", ())
    lovers = tuple(who for pair in game.ever(Joined)[-1:] for who in pair.lovers)
    became = tuple((turned.who, turned.role, turned.side) for turned in game.ever(Turned))
    return Revealed(session, opened.seed, opened.deal, lovers, became, ruled)
