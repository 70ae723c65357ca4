"""A whole contest, taken apart into its polls and orders, each of which can be stopped at every step and resumed.

Run as a program it reads cases from standard input and forks a process for each, which is killed at the step named:
``{"folder", "step", "act", "at"}``; for each one line comes back: ``killed``, or what the run said. A case with the
step 0 is done by the program itself, unhurt, so that the processes it forks later find everything imported.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from nomicwolf.contest import Contest
from nomicwolf.demo.play import Desk, Play
from nomicwolf.demo.players import CONTEST, NAMES, address_of, forums, settings_text, write_settings
from nomicwolf.ledger.records import write_entry, write_value
from nomicwolf.ledger.store import Store
from nomicwolf.maillist import MailingList, distributed
from nomicwolf.mailworld import account
from nomicwolf.run import command, poll
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.run.steps import Died, Fuse, How, burning

Act: TypeAlias = tuple[str, Mapping[str, Any]]
POLL: Act = ("poll", {})
SEED = "8"
PLAYERS = NAMES[:7]
_SINCE = re.compile(r'"(?:since|run)": ?\d+| \d+$')  # an unreadable file leaves it unknown, and a kill is a run's end


@dataclass(frozen=True, slots=True)
class Scene:
    """A contest's *folder* and mailbox (*letters* and *dates* by UID) right before *act*, at *at* (UTC seconds)."""

    name: str
    folder: Path
    letters: Mapping[int, bytes]
    dates: Mapping[int, int]
    act: Act
    at: int

    def beside(self, name: str, at: int, act: Act = POLL, *posts: tuple[bytes, int]) -> Scene:
        """Return a scene that begins where this one does, with further letters (bytes, UTC seconds)."""
        first = max(self.letters, default=0) + 1
        more = {first + place: post for place, post in enumerate(posts)}
        letters = {**self.letters, **{uid: data for uid, (data, _) in more.items()}}
        dates = {**self.dates, **{uid: when for uid, (_, when) in more.items()}}
        return replace(self, name=name, letters=letters, dates=dates, act=act, at=at)

    def swapped(self, one: int, other: int) -> Scene:
        """Return the scene with two letters in each other's place in the mailbox, as copies overtake each other."""
        places = {one: other, other: one}
        letters = {places.get(uid, uid): data for uid, data in self.letters.items()}
        dates = {places.get(uid, uid): at for uid, at in self.dates.items()}
        return replace(self, letters=letters, dates=dates)


@dataclass(slots=True)
class Site:
    """Two scripted servers, the forums' lists, and everyone's mailbox; a `World` and an `Office` of the demo's."""

    root: Path
    imap: ImapScript
    smtp: SmtpScript
    lists: Mapping[str, MailingList]
    folder: Path = Path()
    now: int = 0
    inboxes: dict[str, list[bytes]] = field(default_factory=dict)
    scenes: list[Scene] = field(default_factory=list)

    def post(self, sender: str, recipients: Sequence[str], data: bytes) -> None:
        """Let a letter come to each mailbox that it is for, by its list or directly."""
        for recipient in recipients:
            forum = self.lists.get(recipient.lower())
            copy = data if forum is None else distributed(data, forum, self.now)
            for reader in (recipient,) if forum is None else forum.subscribers:
                self._deliver(reader, copy)

    def _deliver(self, recipient: str, data: bytes) -> None:
        if account(recipient) == CONTEST:
            uid = self.imap.next()
            self.imap.letters[uid], self.imap.dates[uid] = data, self.now
        else:
            self.inboxes.setdefault(account(recipient), []).append(b"Return-Path: <x@x.example>\r\n" + data)

    def inbox(self, address: str) -> list[bytes]:
        """Return every letter that *address* has received."""
        return self.inboxes.get(account(address), [])

    def poll(self, at: int) -> None:
        """Remember how all stood before, and poll."""
        self._act(("poll", {}), at)

    def order(self, name: str, args: Mapping[str, str | Sequence[str]], at: int) -> None:
        """Remember how all stood before, and give an order."""
        self._act((name, {k: v for k, v in args.items() if v}), at)

    def _act(self, act: Act, at: int) -> None:
        self.now = at
        kept = self.root / f"before-{len(self.scenes):03}"
        shutil.copytree(self.folder, kept)
        self.scenes.append(Scene(kept.name, kept, dict(self.imap.letters), dict(self.imap.dates), act, at))
        before = len(self.smtp.taken)
        done = do(self.folder, act, at)
        assert done[0] == 0, done
        for recipient, data in self.smtp.taken[before:]:
            self.post(CONTEST, (recipient,), data)

    def alarm(self) -> int | None:
        """Return what the contest waits for."""
        return self._desk().alarm()

    def over(self) -> bool:
        """Return whether all is done."""
        return self._desk().over()

    def contest(self, folder: Path) -> Contest:
        """Return the contest in *folder*."""
        return Desk(load(folder, {}), lambda *_: None).contest()

    def _desk(self) -> Desk:
        return Desk(load(self.folder, {}), lambda *_: None)

    def stand(self, scene: Scene, folder: Path) -> None:
        """Make *folder* and the servers as they are in *scene*."""
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(scene.folder, folder)
        self.imap.letters, self.imap.dates = dict(scene.letters), dict(scene.dates)
        self.smtp.taken.clear()


def played(root: Path, stack: ExitStack) -> Site:
    """Play a whole contest between scripted servers, and keep how everything stood before each poll and order."""
    imap, smtp = ImapScript(), SmtpScript()
    imap_port, smtp_port = stack.enter_context(imap_server(imap)), stack.enter_context(smtp_server(smtp))
    site = Site(root, imap, smtp, {forum.address: forum for forum in forums(PLAYERS)}, root / "played")
    text = settings_text("nomic-crossing", SEED, imap_port, smtp_port, CONTEST, "secret")
    write_settings(site.folder, text.replace("[smtp]", "timeout = 2\n\n[smtp]\ntimeout = 2", 1))
    play = Play(site, site, PLAYERS, SEED, "seer,witch,hunter,cupid", lambda *_: None, lambda at: _tell(site, at))
    assert play.run()
    return site


def _tell(site: Site, at: int) -> None:
    site.now = at


def do(folder: Path, act: Act, at: int) -> tuple[int, tuple[str, ...]]:
    """Do what a scene is about, in this process; return its status and what was said."""
    try:
        settings = load(folder, {})
    except SettingsError as error:
        return 1, error.problems
    if act[0] == "poll":
        report = poll(settings, lambda: at)
        return report.status, report.said
    done = command(settings, act[0], act[1], lambda: at)
    return done.status, (done.said,) if done.status else ()


@dataclass(frozen=True, slots=True)
class End:
    """How a contest stands: its record, its letters and their buckets, what it owes, what it waits for."""

    record: list[str]
    heard: list[tuple[Any, ...]]
    owed: list[tuple[str, str]]
    marks: object
    happened: list[tuple[Any, ...]]
    doubtful: frozenset[str]
    unknown: frozenset[str]


def end_of(folder: Path) -> End:
    """Read a contest's ledger, and prove it whole."""
    settings = load(folder, {})
    with Store.open(settings.ledger.url, settings.contest.id) as store:
        assert store.verify() == []
        counts = store.check()
        assert set(counts.states) <= {"sent", "unknown"}, counts
        outbox = store.outbox().in_state("sent", "unknown")
        return End(
            [write_entry(entry) for entry in store.record()],
            [(k.number, k.raw.place, k.bucket, k.author, k.why, k.entry, k.heard_at) for k in store.letters()],
            [(o.letter.key, write_value(o.letter)) for o in outbox],
            (store.tip(), store.mark(f"imap:127.0.0.1/{CONTEST}/INBOX")),
            [(h.kind, _SINCE.sub("", h.data), h.now, h.base, h.last, h.owed) for h in store.happenings()],
            frozenset(o.message_id for o in outbox if o.doubtful),
            frozenset(o.message_id for o in outbox if o.state == "unknown"),
        )


Quick: TypeAlias = tuple[object, Mapping[str, int], Mapping[str, int], tuple[str, ...]]


def quick(folder: Path) -> Quick:
    """Return what tells any change of a ledger: its standing and chain, buckets, states, and tries."""
    settings = load(folder, {})
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True) as store:
        counts = store.check()
        tries = tuple(f"{o.number} {o.tries} {o.error}" for o in store.outbox().in_state("sent", "unknown"))
        return store.tip(), counts.buckets, counts.states, tries


def mails(smtp: SmtpScript) -> Counter[tuple[str, str, bytes]]:
    """Return how often each letter was taken: its Message-ID, to whom, its bytes."""
    found: Counter[tuple[str, str, bytes]] = Counter()
    for recipient, data in smtp.taken:
        line = next(line for line in data.decode().splitlines() if line.startswith("Message-ID: "))
        found[(line.removeprefix("Message-ID: "), recipient, data)] += 1
    return found


@dataclass(slots=True)
class Trial:
    """One scene, uninterrupted first: *steps* are the kinds of its steps in order, *end* and *sent* what came of it."""

    site: Site
    scene: Scene
    folder: Path
    steps: list[str] = field(default_factory=list)
    end: End | None = None
    sent: Counter[tuple[str, str, bytes]] = field(default_factory=Counter)

    def unhurt(self) -> Trial:
        """Run the scene to its end, and count its steps."""
        self.site.stand(self.scene, self.folder)
        with burning(Fuse(folder=self.folder)) as fuse:
            assert do(self.folder, self.scene.act, self.scene.at)[0] == 0
        said = do(self.folder, POLL, self.scene.at)
        assert said[0] == 0, (self.scene.name, said)
        self.steps, self.end, self.sent = fuse.passed, end_of(self.folder), mails(self.site.smtp)
        return self

    def stop(self, step: int, how: How, kill: Callable[[Mapping[str, Any]], str] | None = None) -> bool:
        """Stop the scene at a step, resume it, and find that the end is the same; one more run changes nothing.

        Returns whether the run came to that step: the answers of a server come in more or fewer pieces at times.
        """
        self.site.stand(self.scene, self.folder)
        told = False
        if kill is not None:
            said = kill(self.case(step))
            assert said in ("killed", "done"), said
            stopped = said == "killed"
        else:
            with burning(Fuse(step, how, self.folder)) as fuse:
                try:
                    told = bool(do(self.folder, self.scene.act, self.scene.at)[1])
                except Died:
                    told = False
            stopped = len(fuse.passed) >= step
        self.resume(told=told)
        return stopped

    def case(self, step: int) -> dict[str, Any]:
        """Return what the program that kills is told."""
        return {"folder": str(self.folder), "step": step, "act": self.scene.act, "at": self.scene.at}

    def stop_often(self, steps: Sequence[int]) -> int:
        """Stop the scene, and each run that resumes it, at a step; then resume it for good. Return how many were."""
        self.site.stand(self.scene, self.folder)
        stopped = 0
        for step in steps:
            act = POLL if self.scene.act[0] != "poll" and self._kept() else self.scene.act
            try:
                with burning(Fuse(step, "die", self.folder)):
                    do(self.folder, act, self.scene.at)
            except Died:
                stopped += 1
        self.resume(told=True)
        return stopped

    def resume(self, *, told: bool) -> None:
        """Do it again as cron and the contestmaster would, and compare."""
        again = POLL if self.scene.act[0] == "poll" or self._kept() else self.scene.act
        status, said = do(self.folder, again, self.scene.at)
        if again is not POLL or status == 75:
            status, said = do(self.folder, POLL, self.scene.at)
        before, taken = self.compare(told=told or bool(said)), len(self.site.smtp.taken)
        assert do(self.folder, POLL, self.scene.at) == (0, ())
        assert quick(self.folder) == before
        assert len(self.site.smtp.taken) == taken

    def _kept(self) -> bool:
        """Tell whether an order was kept before the run was stopped; if not, the contestmaster gives it again."""
        settings = load(self.folder, {})
        with Store.open(settings.ledger.url, settings.contest.id) as store:
            last = store.last()
        settings = load(self.scene.folder, {})
        with Store.open(settings.ledger.url, settings.contest.id) as store:
            return last > store.last()

    def compare(self, *, told: bool) -> Quick:
        """The same record, letters and debts; each mail once, save those of which was told that nobody knows."""
        assert self.end is not None
        now, then = end_of(self.folder), self.end
        assert now.record == then.record
        assert now.heard == then.heard
        assert now.owed == then.owed
        assert now.marks == then.marks
        assert now.happened == then.happened
        assert told or not now.doubtful
        times = mails(self.site.smtp)
        assert set(times) <= set(self.sent)
        assert {key[0] for key, count in times.items() if count > 1} <= now.doubtful
        assert {key[0] for key in self.sent} - {key[0] for key in times} <= now.unknown
        return quick(self.folder)


def chosen(site: Site) -> list[Scene]:
    """Return the fewest scenes, as far as greed finds them, that bring every kind of entry of the whole contest."""
    scenes = site.scenes
    folders = [*(scene.folder for scene in scenes), site.folder]
    brings = {scene.name: _brings(scene, after) for scene, after in zip(scenes, folders[1:], strict=True)}
    missing, found = set().union(*brings.values()), []
    while missing:
        best = max(scenes, key=lambda scene: len(brings[scene.name] & missing))
        missing -= brings[best.name]
        found.append(best)
    return found


def _brings(scene: Scene, after: Path) -> set[str]:
    return {*(_kinds(after) - _kinds(scene.folder)), f"act {scene.act[0]}"}


def _kinds(folder: Path) -> set[str]:
    settings = load(folder, {})
    if not (folder / "contest.db").exists():
        return set()
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True) as store:
        return {entry.event.name for entry in store.record()}


def letter(who: str, to: str, text: str, name: str, more: str = "") -> bytes:
    """Return a letter of a player's, as eir own program writes it."""
    return (f"From: {who} <{address_of(who)}>\r\nTo: {to}\r\nMessage-ID: <{name}@players.example>\r\n{more}"
            f"Subject: a letter\r\n\r\n{text}\r\n").encode()


def one(case: Mapping[str, Any]) -> str:
    """Fork a run that is killed at a step, and say how it ended."""
    folder, act, at = Path(case["folder"]), (case["act"][0], case["act"][1]), int(case["at"])
    if not case["step"]:
        return "done" if do(folder, act, at)[0] in (0, 1) else "broken"
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        with burning(Fuse(int(case["step"]), "kill", folder)):
            status, said = do(folder, act, at)
        os.write(writer, b"done" if status in (0, 1) else f"{status} {said}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode()
    _, ended = os.waitpid(child, 0)
    return "killed" if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGKILL else text


@contextmanager
def killer() -> Iterator[Callable[[Mapping[str, Any]], str]]:
    """Give what runs a case in this program, as a process of its own, and returns how it ended."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.run.matrix"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    into, out = process.stdin, process.stdout
    assert into
    assert out

    def run(case: Mapping[str, Any]) -> str:
        into.write(json.dumps(case) + "\n")
        into.flush()
        return str(json.loads(out.readline()))

    yield run
    process.communicate()


def main() -> None:
    """Run the cases of standard input."""
    for line in sys.stdin:
        sys.stdout.write(json.dumps(one(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
