"""``nomicwolf demo``: the play on a mail server on loopback that it starts itself."""

from __future__ import annotations

import re
import smtplib
import tempfile
import textwrap
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import field
from pathlib import Path

from nomicwolf.archive import write
from nomicwolf.contest import Contest
from nomicwolf.dataclass import dataclass
from nomicwolf.demo.decks import deck
from nomicwolf.demo.places import (
    CONTEST,
    CONTESTMASTER,
    NAMES,
    address_of,
    forums,
    settings_text,
    write_settings,
)
from nomicwolf.demo.playing import BEGIN, Play, Show
from nomicwolf.demo.reading import opened
from nomicwolf.ledger.store import Store
from nomicwolf.mailworld import MailWorld
from nomicwolf.nomic.events import Revealed, SessionStopped
from nomicwolf.run import command, poll
from nomicwolf.run.publishing import published
from nomicwolf.run.setting import setup_of
from nomicwolf.settings import Settings
from nomicwolf.settings.load import load
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

MESSAGE_ID = re.compile(rb"^message-id:\s*(<[^>]*>)", re.IGNORECASE | re.MULTILINE)
BEGUN = re.compile(r"(?:Session|Night) \d+ (?:of .* )?has begun")
"""What everyone has been told anyway."""


class DemoError(Exception):
    """The demo can't be played so; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Demo:
    """What a demo left: its *folder*, whether the session *ended* by itself, how many *letters* there were."""

    folder: Path
    ended: bool
    letters: int


@dataclass(slots=True)
class Loopback:
    """A `MailWorld` with a clock that jumps."""

    world: MailWorld
    sent: int = 0

    def post(self, sender: str, recipients: Sequence[str], data: bytes) -> None:
        """Send by real SMTP."""
        with smtplib.SMTP("127.0.0.1", self.world.smtp_port, local_hostname="players.example") as smtp:
            smtp.sendmail(sender, list(recipients), data)
        self.sent += 1

    def inbox(self, address: str) -> list[bytes]:
        """Return what the world delivered to *address*."""
        return self.world.inbox(address)


@dataclass(slots=True)
class Desk:
    """The contestmaster's machine, in this process: nomicwolf's own poll and orders."""

    settings: Settings
    show: Show
    shown: set[str] = field(default_factory=set)

    def poll(self, at: int) -> None:
        """Do one cron run; DemoError with what it said if something went wrong."""
        report = poll(self.settings, lambda: at, clock_is_right=True)
        if report.status:
            raise DemoError("; ".join(report.said))
        self._tell()

    def order(self, name: str, args: Mapping[str, str | Sequence[str]], at: int) -> None:
        """Give one order; DemoError if it is refused."""
        done = command(self.settings, name, {k: v for k, v in args.items() if v}, lambda: at, clock_is_right=True)
        if done.status:
            raise DemoError(done.said)
        self.show("note", done.said)
        self._tell()

    def alarm(self) -> int | None:
        """Return what the ledger waits for."""
        with closing(self._store()) as store:
            return store.tip().alarm

    def over(self) -> bool:
        """Return whether roles and seed have been told, or the session was stopped."""
        with closing(self._store()) as store:
            return any(isinstance(e.event, (Revealed, SessionStopped)) for e in store.record())

    def contest(self) -> Contest:
        """Return the contest as the ledger tells it."""
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
                    self.show("text", letter.body.split("\n\n")[0])
                else:
                    self.show("private", f"{letter.person}: {gist(letter.body)}")
            self.shown.add(letter.key)


def gist(body: str) -> str:
    r"""Return what a private letter tells, in one line of up to 100 columns; the subject is the same for all.

    >>> gist("Session 1 of Wolves has begun.\nThis letter tells you alone\nwhat you are: Seer.\n\nYou ...")
    'This letter tells you alone what you are: Seer.'
    """
    said = " ".join(body.partition("\n\n")[0].split())
    sentences = [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])", said) if not BEGUN.match(s)]
    return textwrap.shorten(" ".join(sentences) or said, 100, placeholder=" ...")


def run_demo(
    name: str, players: int, seed: str, out: Path | None, show: Show, pause: float = 0.0
) -> Demo:
    """Play a whole contest of the rule set *name*; leave letters, ledger and archive in *out* (default: a new folder).

    *pause* is how many seconds each line stays before the next. DemoError says what can't be.
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
            name, seed, world.imap_port, world.smtp_port, CONTEST, world.password, ruleset(name).title)
        write_settings(home, text)
        desk = Desk(load(home, {}), slowly)
        play = Play(Loopback(world), desk, names, seed, roles, slowly, lambda at: now.__setitem__(0, at), ruleset=name)
        ended = play.run()
        count = save_letters(folder / "letters", [letter.data for letter in world.log])
    write(published(load(home, {}, mail=False)), folder / "archive")
    return Demo(folder, ended, count)


def _roles(name: str, players: int) -> str:
    """Return the optional roles that the demo plays with; raise DemoError for what can't be played."""
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
    """Write each letter once, as it first came to a mailbox, and return how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[bytes] = set()
    for data in log:
        found = MESSAGE_ID.search(data)
        key = found[1] if found else data
        if key in seen:
            continue
        seen.add(key)
        mail = opened(data)
        words = "".join(c if c.isalnum() else "-" for c in f"{mail.author} {mail.subject}".lower())[:60].strip("-")
        (folder / f"{len(seen):04} {words}.eml".replace(" ", "-")).write_bytes(data)
    return len(seen)


def letters_in(store: Store) -> dict[str, bytes]:
    """Return every letter that the contest was sent, as it came, under a name for its file."""
    return {f"{letter.number:04}.eml": letter.raw.data for letter in store.letters()}


def letters_out(store: Store) -> dict[str, bytes]:
    """Return every letter that the contest has sent, as it left, under a name that tells whom it is for."""
    sent = store.outbox().in_state("sent")
    whom = {owed.number: owed.letter.forum or owed.letter.person.lower() for owed in sent}
    return {f"{owed.number:04}-{whom[owed.number]}.eml": owed.data or b"" for owed in sent}
