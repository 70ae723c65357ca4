"""A contest played to its end over mail.

Players write, the contestmaster polls, time jumps, wherever mail goes; ``nomicwolf demo`` plays on a mail server on
loopback that it starts itself.
"""

from __future__ import annotations

import re
import smtplib
import tempfile
import textwrap
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from nomicwolf.archive import write
from nomicwolf.contest import Contest
from nomicwolf.demo.players import (
    CONTEST,
    CONTESTMASTER,
    NAMES,
    Player,
    Post,
    World,
    address_of,
    composed,
    deck,
    forums,
    read_mail,
    secret_of,
    settings_text,
    ways_of,
    write_settings,
)
from nomicwolf.ledger.store import Store
from nomicwolf.mailworld import MailWorld
from nomicwolf.nomic.events import Revealed, SessionStopped
from nomicwolf.nomic.times import when
from nomicwolf.reports.archive import About
from nomicwolf.reports.history import event_line, role_and_side
from nomicwolf.run import command, poll
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.copies import published
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_in, ruleset

BEGIN = 1_796_115_600  # Tue 1 Dec 2026 09:00 UTC
MINUTE, DAY = 60, 86_400
PATIENCE = 30
"""Rounds for each player after which the contestmaster ends the session, because a demo must end."""

Show = Callable[[str, str], None]
"""Called with what happens: a kind (``phase``, ``post``, ``letter``, ``note``) and a line."""


class Office(Protocol):
    """The contestmaster's machine: the cron job and the orders, at the contest's time."""

    def poll(self, at: int) -> None:
        """Do one cron run."""

    def order(self, name: str, args: Mapping[str, str | Sequence[str]], at: int) -> None:
        """Give one order."""

    def alarm(self) -> int | None:
        """Return when the contest must be polled even if no mail comes."""

    def over(self) -> bool:
        """Return whether the session and everything after it is done."""


@dataclass(slots=True)
class Play:
    """A contest in progress; *now* is its time, UTC seconds."""

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
        """Play from the first joining to the awards; return whether the session ended by itself."""
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
        """Let everyone write; return the number of letters."""
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
        """Jump to what the contest waits for, at most a day, because a longer gap is an outage (D-N39)."""
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


MESSAGE_ID = re.compile(rb"^message-id:\s*(<[^>]*>)", re.IGNORECASE | re.MULTILINE)
BEGUN = re.compile(r"(?:Session|Night) \d+ (?:of .* )?has begun")
"""What everyone has been told anyway."""


class DemoError(Exception):
    """The demo can't be played like that; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Demo:
    """The result of a demo: its *folder*, whether the session *ended* by itself, the number of *letters*."""

    folder: Path
    ended: bool
    letters: int


@dataclass(slots=True)
class Loopback:
    """A `MailWorld` with a clock that jumps."""

    world: MailWorld
    sent: int = 0

    def post(self, sender: str, recipients: Sequence[str], data: bytes) -> None:
        """Send by SMTP."""
        with smtplib.SMTP("127.0.0.1", self.world.smtp_port, local_hostname="players.example") as smtp:
            smtp.sendmail(sender, list(recipients), data)
        self.sent += 1

    def inbox(self, address: str) -> list[bytes]:
        """Return what was delivered to *address*."""
        return self.world.inbox(address)


@dataclass(slots=True)
class Desk:
    """The contestmaster's machine in this process, with nomicwolf's own poll and orders."""

    settings: Settings
    show: Show
    shown: set[str] = field(default_factory=set)

    def poll(self, at: int) -> None:
        """Do one cron run; DemoError with its output if something went wrong."""
        report = poll(self.settings, lambda: at, clock_is_right=True)
        if report.status:
            raise DemoError("; ".join(report.said))
        self._tell()

    def order(self, name: str, args: Mapping[str, str | Sequence[str]], at: int) -> None:
        """Give one order; DemoError if it is refused."""
        done = command(self.settings, name, {k: v for k, v in args.items() if v}, lambda: at, clock_is_right=True)
        if done.status:
            raise DemoError(done.said)
        self.show("note", textwrap.fill(done.said, 98))
        self._tell()

    def alarm(self) -> int | None:
        """Return the ledger's next alarm."""
        with closing(self._store()) as store:
            return store.tip().alarm

    def over(self) -> bool:
        """Return whether roles and seed have been revealed, or the session was stopped."""
        with closing(self._store()) as store:
            return any(isinstance(e.event, (Revealed, SessionStopped)) for e in store.record())

    def contest(self) -> Contest:
        """Return the contest in the ledger."""
        with closing(self._store()) as store:
            return Contest.of(setup_of(self.settings, b""), store.record())

    def _store(self) -> Store:
        return Store.open(
                self.settings.ledger.url, self.settings.contest.id, readonly=True, keys=self.settings.ledger.key)

    def _tell(self) -> None:
        with closing(self._store()) as store:
            owed = store.outbox().in_state("sent")
        for letter in (o.letter for o in owed):
            if letter.key not in self.shown and letter.forum in ("agora", ""):
                if letter.forum:
                    self.show("letter", f"everyone: {letter.subject}")
                    self.show("text", "\n".join(public_gist(letter.body)))
                else:
                    gist, *more = private_gist(letter.body)
                    self.show("private", f"{letter.person}: {gist}")
                    if more:
                        self.show("text", "\n".join(more))
            self.shown.add(letter.key)


COUNT = re.compile(r"What made the majority: | +\d+(?:/\d+)?  |[^\n]+ \(\d+\): ")
"""How a paragraph begins that shows a count, or what decided it."""


def public_gist(body: str) -> list[str]:
    """Return the paragraphs of a public letter for the terminal: the first, and the count that decided."""
    first, *more = body.split("\n\n")
    return [first, *(part for part in more if COUNT.match(part))]


def epilogue(contest: Contest, about: About) -> list[str]:
    """Return the outcome of a session, a line each: who was what, and who was awarded what."""
    told, game, roles = contest.revealed.get(contest.session), contest.game, list[str]()
    if told is not None and game is not None:
        roles = [f"{who}: {role_and_side(rules_in(game), role, side)}" for who, role, side in told.deal]
    awards = (replace(award, nomic=about.title(award.nomic)) for award in contest.awards.get(contest.session, ()))
    return [*roles, *map(event_line, awards)]


def private_gist(body: str) -> list[str]:
    r"""Return the gist of a private letter in one or two lines.

    >>> private_gist("Session 1 of Wolves has begun.\nThis letter tells you alone\nwhat you are: Seer.\n\nYou ...")
    ['This letter tells you alone what you are: Seer.']
    """
    parts = body.split("\n\n")
    due = [" ".join(parts.pop(0).split())] if parts[0].startswith("Due by ") else []
    shown = parts[:1 + parts[0].startswith("Please say it again")]
    said = " ".join(line for part in shown for line in part.split("\n") if not line.startswith((">", "You wrote:")))
    sentences = [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])", said) if not BEGUN.match(s)]
    told = " ".join(sentences) or said * (not due)
    return [*due, *textwrap.wrap(told, 92, max_lines=2 - len(due), placeholder=" ...")]


def run_demo(
    name: str, players: int, seed: str, out: Path | None, show: Show, pause: float = 0.0
) -> Demo:
    """Play a whole contest of the rule set *name*; leave letters, ledger and archive in *out* (default: a new folder).

    Each line is followed by *pause* seconds. DemoError for what can't be played.
    """
    roles = _roles(name, players)
    folder = _folder(out)
    now = [BEGIN]

    def slowly(kind: str, line: str) -> None:
        show(kind, line)
        time.sleep(pause)

    names = NAMES[:players]
    with MailWorld(forums(names), lambda: now[0], (CONTEST, address_of(CONTESTMASTER))) as world:
        ports = f"SMTP at port {world.smtp_port}, IMAP at port {world.imap_port}"
        slowly("note", f"A mail server listens on 127.0.0.1: {ports}.")
        home = folder / "contest"
        text = settings_text(
            name, seed, world.imap_port, world.smtp_port, CONTEST, world.password, ruleset(name).title, players)
        write_settings(home, text)
        desk = Desk(load(home, {}), slowly)
        play = Play(Loopback(world), desk, names, seed, roles, slowly, lambda at: now.__setitem__(0, at), ruleset=name)
        ended = play.run()
        given = published(load(home, {}, mail=False))
        if lines := epilogue(desk.contest(), given.about):
            slowly("phase", "Who was what, and what it came to")
            for line in lines:
                slowly("text", line)
        count = save_letters(folder / "letters", [letter.data for letter in world.log])
    write(given, folder / "archive")
    return Demo(folder, ended, count)


def _roles(name: str, players: int) -> str:
    """Return the optional roles for the demo; DemoError for what can't be played."""
    try:
        rules = ruleset(name)
    except Refusal as refused:
        raise DemoError(refused.why) from refused
    most = len(NAMES)
    if not rules.smallest <= players <= most:
        raise DemoError(f"{rules.title} needs {rules.smallest} players or more, and the demo has {most}; not {players}")
    return ",".join(deck(name, players))


def _folder(out: Path | None) -> Path:
    if out is None:
        return Path(tempfile.mkdtemp(prefix="nomicwolf-demo-"))
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DemoError(f"{out}: is there and not empty; name a new folder with --out")
    out.mkdir(parents=True, exist_ok=True)
    return out


def save_letters(folder: Path, log: Sequence[bytes]) -> int:
    """Write each letter once, as it first reached a mailbox; return how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[bytes] = set()
    for data in log:
        found = MESSAGE_ID.search(data)
        key = found[1] if found else data
        if key in seen:
            continue
        seen.add(key)
        mail = read_mail(data)
        words = "".join(c if c.isalnum() else "-" for c in f"{mail.author} {mail.subject}".lower())[:60].strip("-")
        (folder / f"{len(seen):04} {words}.eml".replace(" ", "-")).write_bytes(data)
    return len(seen)


def letters_in(store: Store) -> dict[str, bytes]:
    """Return every letter that the contest received, by file name."""
    return {f"{letter.number:04}.eml": letter.raw.data for letter in store.letters()}


def letters_out(store: Store) -> dict[str, bytes]:
    """Return every letter that the contest sent, under a file name that includes the recipient."""
    sent = store.outbox().in_state("sent")
    whom = {owed.number: owed.letter.forum or owed.letter.person.lower() for owed in sent}
    return {f"{owed.number:04}-{whom[owed.number]}.eml": owed.data or b"" for owed in sent}
