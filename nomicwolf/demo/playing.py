"""A whole contest played out, wherever mail goes: players write, the contestmaster polls, time jumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from nomicwolf.dataclass import dataclass
from nomicwolf.demo.cast import Player
from nomicwolf.demo.days import ways_of
from nomicwolf.demo.places import World, secret_of
from nomicwolf.demo.writing import Post, composed
from nomicwolf.reports.times import when

BEGIN = 1_796_115_600  # Tue 1 Dec 2026 09:00 UTC
MINUTE, DAY = 60, 86_400
PATIENCE = 30
"""After so many rounds for each player the contestmaster ends the session: a demo must come to an end."""

Show = Callable[[str, str], None]
"""Told what happens: a kind (``phase``, ``post``, ``letter``, ``note``) and a line."""


class Office(Protocol):
    """The contestmaster's machine: the cron job and the orders, at the contest's time."""

    def poll(self, at: int) -> None:
        """Do one cron run."""

    def order(self, name: str, args: Mapping[str, str | Sequence[str]], at: int) -> None:
        """Give one order."""

    def alarm(self) -> int | None:
        """Return the instant at which the contest must be asked again though no mail comes."""

    def over(self) -> bool:
        """Return whether the session has ended and all that follows from it is done."""


@dataclass(slots=True)
class Play:
    """One contest: *now* is its time, UTC seconds."""

    world: World
    office: Office
    names: Sequence[str]
    seed: str
    roles: str
    show: Show
    tell_time: Callable[[int], None]
    now: int = BEGIN
    ruleset: str = "nomic-crossing"

    def run(self) -> bool:
        """Play from the first joining to the awards, and return whether the session came to its own end."""
        ways = ways_of(self.ruleset)
        players = [Player(name, place, self.seed, ways) for place, name in enumerate(self.names)]
        self._at(BEGIN)
        self.show("phase", "Players join")
        for player in players:
            self._send(player, player.join())
        self._poll()
        self.show("phase", "The contestmaster starts a session")
        self._pass(10 * MINUTE)
        args = {"roles": self.roles, "seed": secret_of(self.seed, "session")}
        self.office.order("start", args, self.now)
        return self._rounds(players)

    def _rounds(self, players: Sequence[Player]) -> bool:
        phase = ""
        for _ in range(PATIENCE * len(players)):
            for player in players:
                player.take_in(self.world.inbox(player.address))
            if self.office.over():
                return True
            if players[0].phase != phase:
                phase = players[0].phase
                self.show("phase", phase.capitalize())
            if not self._round(players):
                self._wait()
            self._poll()
        self.office.order("end", {"why": "The demo has gone on for long enough."}, self.now)
        return False

    def _round(self, players: Sequence[Player]) -> int:
        """Let everyone write what e wants to, and return how many letters that were."""
        sent = 0
        for player in players:
            for post in player.write():
                self._send(player, post)
                sent += 1
        return sent

    def _send(self, player: Player, post: Post) -> None:
        self._pass(7 * MINUTE)
        message_id = f"<{self.now}.{player.name.lower()}@players.example>"
        data = composed(post, player.name, player.address, self.now, message_id)
        where = " and ".join(a.partition("@")[0] for a in post.to)
        words = " / ".join(line for line in post.text.splitlines() if line)
        self.show("post", f"{when(self.now)}  {player.name} to {where}: {words}")
        self.world.post(player.address, post.to, data)

    def _wait(self) -> None:
        """Nobody writes: jump to what the contest waits for, a day at most: a longer gap is an outage (D-N39)."""
        alarm = self.office.alarm()
        self._at(min(max(self.now + MINUTE, alarm), self.now + DAY) if alarm is not None else self.now + DAY)

    def _poll(self) -> None:
        self._pass(15 * MINUTE)
        self.office.poll(self.now)

    def _pass(self, seconds: int) -> None:
        self._at(self.now + seconds)

    def _at(self, at: int) -> None:
        self.now = at
        self.tell_time(at)
