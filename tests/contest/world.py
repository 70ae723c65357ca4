"""A contest for tests: letters as bytes through `make_letter`, heard one after the other, time in hours."""

from __future__ import annotations

from email.utils import formatdate

from nomicwolf.contest import Command, Contest, Forum, LetterCame, Outcome, Setup, Tick, hear
from nomicwolf.contest.step import forums_of
from nomicwolf.letters.letter import Letter, Outgoing, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.reports.views import own_frames
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.game import Game

START = 1_796_083_200  # 2026-12-01T00:00Z
HOUR = 3600
AGORA, B = "agora-business@agora.example", "spoon-business@b.example"
TALK, HOME = "agora-discussion@agora.example", "wolf@wolf.example"
ADDRESSES = {"agora": AGORA, "b": B, "discussion": TALK, "contestmaster": HOME}
SEVEN = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus")


def setup(settling: int = 0, **more: object) -> Setup:
    """The usual settings: Murphy's contest in Agora and in B."""
    forums = (
        Forum("agora", AGORA, ADDRESSES["discussion"], "agora-business.agora.example", "agora.example", title="Agora"),
        Forum("b", B, "spoon-discuss@b.example", "spoon-business.b.example", "b.example", profile="b-2009", title="B"),
    )
    return Setup(
        "wolf", "The Werewolves of Nomic Crossing", "nomic-crossing", "Murphy", ("murphy@murphy.example",),
        ADDRESSES["contestmaster"], forums, settling=settling, secret=b"k" * 32, **more)  # type: ignore[arg-type]


class World:
    """A contest that hears letters and commands; *entries* and *letters* are what the last step brought."""

    def __init__(self, given: Setup | None = None) -> None:
        self.contest = Contest(given or setup())
        self.entries: tuple[Entry, ...] = ()
        self.letters: tuple[Outgoing, ...] = ()
        self.sent: list[Outgoing] = []
        self.order = 0

    def letter(
        self, who: str, text: str, to: str = "agora", at: float = 0, *, arrives: float | None = None,
        message_id: str = "", headers: str = "", sender: str = "", address: str = "", subject: str = "Werewolves",
    ) -> Letter:
        """A letter of *who*'s as the mailbox has it: through the list (stamped *at*) unless it is private."""
        self.order += 1
        stamp, came = START + int(at * HOUR), START + int((at if arrives is None else arrives) * HOUR)
        address = address or ADDRESSES[to]
        domain = address.partition("@")[2]
        lists = "" if to == "contestmaster" else (
            f"List-Id: <{address.replace('@', '.')}>\r\n"
            f"Received: from mail.players.example by {domain} with ESMTP; {formatdate(stamp)}\r\n")
        source = sender or f"{who} <{who.lower()}@players.example>"
        name = message_id or f"<m{self.order}@players.example>"
        data = (f"{lists}{headers}From: {source}\r\nTo: {address}\r\nMessage-ID: {name}\r\n"
                f"Date: {formatdate(stamp)}\r\nSubject: {subject}\r\n\r\n{text}\r\n").encode()
        raw = Raw(f"place-{self.order}", self.order, came, data, len(data))
        own = own_frames(self.contest)
        return make_letter(raw, forums_of(self.contest.setup), (ADDRESSES["contestmaster"],), own=own)

    def write(self, who: str, text: str, to: str = "agora", at: float = 0, **more: object) -> Outcome:
        """Let *who*'s letter come in, and the clock settle."""
        letter = self.letter(who, text, to, at, **more)  # type: ignore[arg-type]
        return self._hear(LetterCame(letter), letter.arrived)

    def command(self, name: str, at: float = 0, **args: str | tuple[str, ...]) -> Outcome:
        """Let the contestmaster give a command."""
        return self._hear(Command(name, args), START + int(at * HOUR))

    def tick(self, at: float) -> Outcome:
        """Let time pass."""
        return self._hear(None, START + int(at * HOUR))

    def _hear(self, happening: LetterCame | Command | None, now: int) -> Outcome:
        first = hear(self.contest, happening or Tick(), now)
        self.contest = first.contest
        second = hear(self.contest, Tick(), now)
        self.contest = second.contest
        self.entries = first.entries + second.entries
        self.letters = first.letters + second.letters
        self.sent += self.letters
        return first

    def start(self, names: tuple[str, ...] = SEVEN, roles: str = "seer,witch,hunter", seed: str = "7") -> World:
        """Let *names* join by mail, and start a session with P as the roster yields it."""
        for name in names:
            assert self.write(name, "I join.").bucket == "deeds"
        outcome = self.command("start", roles=roles, seed=seed, limit=f"agora={5 * len(names)}")
        assert outcome.status == 0, outcome.said
        return self

    @property
    def game(self) -> Game:
        """The game of the latest session."""
        assert self.contest.game is not None
        return self.contest.game

    def holder(self, role: str) -> str:
        """The first who holds *role*."""
        return self.game.holders(role)[0]

    def events(self, kind: type[Event]) -> list[Entry]:
        """The entries of *kind* in the whole record."""
        return [e for e in self.contest.entries if isinstance(e.event, kind)]

    def to(self, who: str) -> str:
        """What the last step sent to *who*, or to a nomic's forum."""
        return "\n".join(o.body for o in self.letters if who in (o.person, o.forum))
