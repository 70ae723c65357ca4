"""The crash matrix, after the manner of isync's tests: stopped at every step, resumed, the same; once more, nothing.

By default a few steps of each scene are tried. ``make crash-matrix`` (``NOMICWOLF_EXAMPLES=1000``) tries all: each by
an error, each by the process's end, and each by SIGKILL.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from nomicwolf.demo.players import CONTEST, FORUMS
from nomicwolf.ledger.store import Store
from nomicwolf.maillist import distributed
from nomicwolf.settings.load import load
from tests.run.matrix import PLAYERS, POLL, Scene, Site, Trial, chosen, do, killer, letter, played
from tests.run.steps import KINDS, SAMPLE, How, sample

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "2"))
FULL = EXAMPLES >= 1000
pytestmark = [
    pytest.mark.slow, pytest.mark.usefixtures("swept"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""A process that is gone closes nothing; where it only seems to be gone, Python complains of its sockets."""
PART = os.environ.get("NOMICWOLF_PART", "")
"""``2/4``: only scenes of the second quarter, so that several machines can share the whole."""

DSN = b"""Return-Path: <>
From: MAILER-DAEMON@mx.example
To: wolf@contest.example
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Message-ID: <dsn1@mx.example>
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I could not deliver it.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; gus@players.example
Action: failed
Status: 5.1.1
--b--
"""


def all_sorts(base: Scene) -> list[Scene]:
    """Return scenes that a contest which goes well doesn't bring: odd letters, roster, orders, a lost reply."""
    at, b = base.at + 60, FORUMS["b"]
    odd = [
        letter("Ash", CONTEST, "help", "h1"), letter("Bex", CONTEST, "status", "h2"),
        letter("Zed", CONTEST, "I vote", "z"),
        b"\x00\xff" * 99, DSN, letter("Cam", CONTEST, "My other name is Camomile.", "alias"),
        letter("Gus", CONTEST, "I am away.", "v", "Auto-Submitted: auto-replied\r\n"),
        letter("Dov", b, "I vote for Nobodyatall.", "odd"), letter("Eli", b, "I object to everything.", "ob"),
    ]
    return [
        base.beside("odd letters", at, POLL, *((data, at) for data in odd)),
        base.beside("a party", at, ("party-add", {"who": "Zoe", "address": "zoe@players.example"})),
        base.beside("another name", at, ("party-alias", {"who": "Ash", "alias": "Ashtray"})),
        base.beside("a leaver", at, ("party-remove", {"who": "Gus", "why": "e asked"})),
        base.beside("an intent", at, ("intend", {"what": "remove", "who": "Gus", "why": "e has left"})),
        base.beside("a holiday", at, ("holiday", {"nomic": "agora", "from": "2026-12-20", "to": "2026-12-30"})),
        base.beside("an end", at, ("end", {"why": "a fire"})),
    ]


def crowd(site: Site) -> Scene:
    """Return a scene of one poll that keeps letters in groups: a day's majority, and deadlines that have passed since.

    Most vote through both forums, one of them for somebody else first; with talk and questions in between. Nobody has
    to look into the outage before deadlines bite.
    """
    base = next(scene for scene in site.scenes[1:] if getattr(site.contest(scene.folder).running, "phase", "") == "day")
    at = base.at + 60
    posts: list[tuple[bytes, int]] = []

    def post(who: str, text: str, name: str) -> None:
        data, when = letter(who, ", ".join(FORUMS.values()), text, name), at + len(posts)
        posts.extend((distributed(data, site.lists[forum], when), when) for forum in FORUMS.values())

    post("Ash", "I vote for Bex.", "c0")
    posts.append((letter("Bex", CONTEST, "status", "c1"), at))
    for place, who in enumerate(PLAYERS[:5]):
        post(who, "I vote for Gus." if place % 2 else "> I vote for Ash.\n\nI vote for Gus, then.", f"c{place + 2}")
    posts.append((letter("Zed", CONTEST, "I vote for Ash.", "c8"), at))
    folder = site.root / "crowd"
    shutil.copytree(base.folder, folder)
    settings = folder / "contest.toml"
    settings.write_text(settings.read_text().replace("[contest]\n", "[contest]\nguard_hours = 0\n", 1))
    return replace(base, folder=folder).beside("a crowd", base.at + 8 * 86_400, POLL, *posts)


def ruled(site: Site) -> list[Scene]:
    """Return scenes of rulings on what waits: a vote that came too late, an alias under a disclaimer, a holiday."""
    base = next(scene for scene in site.scenes[1:]
                if getattr(site.contest(scene.folder).running, "phase", "") == "night")
    game, at, forum = site.contest(base.folder).running, base.at + 60, FORUMS["agora"]
    assert game is not None
    who, stamp = game.living()[0], game.began - 1
    vote = distributed(letter(who, forum, "I vote for nobody.", "late"), site.lists[forum], stamp)
    alias = letter(who, CONTEST, "My other name is Another.\n\nThis message may be false.", "doubt")
    waits = base.beside("what waits for a ruling", at, POLL, (vote, at), (alias, at))
    holiday = {"nomic": "agora", "from": "2026-12-20", "to": "2026-12-30"}
    site.stand(waits, folder := site.root / "waits")
    assert [do(folder, act, at)[0] for act in (POLL, ("holiday", holiday))] == [0, 0]
    held = site.contest(folder).held
    late, doubtful = sorted(held, key=lambda number: not held[number].other)
    waiting, then = replace(waits, folder=folder), at + 60
    return [
        waiting.beside("a late letter is rejected", then, ("reject", {"number": str(late), "why": "it stands"})),
        waiting.beside("a letter is released", then, ("release", {"number": str(doubtful)})),
        waiting.beside("a holiday is undone", then, ("holiday", {**holiday, "undo": "yes", "why": "a slip"})),
    ]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A contest that was played between scripted servers, and how it stood before each poll and order."""
    with ExitStack() as stack:
        yield played(tmp_path_factory.mktemp("matrix"), stack)


@pytest.fixture(scope="module")
def scenes(site: Site) -> list[Scene]:
    """The scenes of the matrix."""
    found = chosen(site)
    base = site.scenes[len(site.scenes) // 2]
    return [*found, *all_sorts(base), *ruled(site), crowd(site)]


@pytest.fixture(scope="module")
def trials(site: Site, scenes: list[Scene]) -> list[Trial]:
    """Each scene, run once without a fault."""
    return [Trial(site, scene, site.root / "trial").unhurt() for scene in scenes]


@pytest.fixture(scope="module")
def kill(trials: list[Trial]) -> Iterator[Callable[[Mapping[str, Any]], str]]:
    """The program that runs polls which are killed; it did each scene itself first, so that forks import little."""
    with killer() as run:
        for trial in trials:
            trial.site.stand(trial.scene, trial.folder)
            assert run(trial.case(0)) == "done"
        yield run


def steps_of(trial: Trial, seed: str, count: int = EXAMPLES) -> list[int]:
    """Return the steps to try: all, or *count* of them, of kinds as different as can be."""
    every = range(1, len(trial.steps) + 1)
    if FULL:
        return list(every)
    random = sample(f"{trial.scene.name} {seed}")
    by_kind: dict[str, list[int]] = {}
    for step in every:
        by_kind.setdefault(trial.steps[step - 1], []).append(step)
    kinds = random.sample(sorted(by_kind), min(count, len(by_kind)))
    found = [random.choice(by_kind[kind]) for kind in kinds]
    rest = sorted(set(every) - set(found))
    return found + random.sample(rest, min(count - len(found), len(rest)))


def mine(trials: list[Trial]) -> list[Trial]:
    """Return the scenes that are this machine's share."""
    part, _, of = PART.partition("/")
    return trials[int(part) - 1 :: int(of)] if of else trials


def test_the_scenes_cover_the_program(trials: list[Trial], site: Site) -> None:
    """Every kind of entry that the contest brings is brought by a scene, and every kind of step is passed."""
    assert {kind for trial in trials for kind in trial.steps} == set(KINDS)
    assert len(trials) >= 12
    names = {name for trial in trials if trial.end for name in trial.end.record}
    for word in ("voted", "lynched", "killed", "phase-began", "seen", "ended", "awarded", "joined"):
        assert any(word in name for name in names), word


@dataclass
class Tally:
    """How many stops were tried, how many came too late, and what went wrong; told by scene if all are tried."""

    say: Callable[[str], None]
    tried: Counter[How] = field(default_factory=Counter)
    late: int = 0
    wrong: list[str] = field(default_factory=list)

    def stop(self, trial: Trial, steps: Iterable[int], how: How,
             kill: Callable[[Mapping[str, Any]], str] | None = None) -> None:
        """Stop a scene at each of these steps, resume it, and go on with the next whatever came of it."""
        for step in steps:
            self.tried[how] += 1
            try:
                self.late += not trial.stop(step, how, kill)
            except AssertionError as error:
                place = f"step {step} of {len(trial.steps)}: {trial.steps[step - 1]} (NOMICWOLF_SAMPLE={SAMPLE})"
                self.wrong.append(f"{trial.scene.name}, {place}, {how}: {error}")
                self.say(f"WRONG: {self.wrong[-1]}")
        self.say(f"{trial.scene.name}: {len(trial.steps)} steps; {dict(self.tried)} stops so far, "
                 f"{self.late} not reached, {len(self.wrong)} wrong")


@pytest.fixture
def tally(capfd: pytest.CaptureFixture[str]) -> Iterator[Tally]:
    """Count the stops; each that went wrong is named."""

    def say(line: str) -> None:
        if FULL:
            with capfd.disabled():
                sys.stdout.write(f"{line}\n")
                sys.stdout.flush()

    made = Tally(say)
    yield made
    assert not made.wrong, "\n".join(made.wrong)
    assert made.late * 100 <= sum(made.tried.values())


@pytest.mark.parametrize("how", ["raise", "die"])
def test_a_run_is_stopped_at_every_step(trials: list[Trial], tally: Tally, how: How) -> None:
    """By an error, or as if the process had gone: the end and the mails are those of the uninterrupted run."""
    for trial in mine(trials):
        tally.stop(trial, steps_of(trial, how), how)
    assert sum(tally.tried.values()) >= len(mine(trials))


def test_a_process_is_killed_at_every_step(
    trials: list[Trial], tally: Tally, kill: Callable[[Mapping[str, Any]], str]
) -> None:
    """The same by SIGKILL, in processes of their own."""
    for trial in mine(trials):
        tally.stop(trial, steps_of(trial, "kill", 1), "kill", kill)
    assert sum(tally.tried.values()) >= len(mine(trials))


def test_a_crowd_is_kept_in_groups(trials: list[Trial], site: Site) -> None:
    """The scene does what it is for: a lynching and a deadline come of letters that were kept several at once."""
    trial = next(trial for trial in trials if trial.scene.name == "a crowd")
    assert trial.end is not None
    brought = trial.end.record[site.contest(trial.scene.folder).last:]
    assert any('"lynched"' in line for line in brought)
    assert any('"alerted"' in line for line in brought), "a term of seven days is over"
    kept = trial.steps[: trial.steps.index("smtp send")].count("commit after")
    assert len(new_letters(trial.scene)) > 2 * kept


def test_a_run_is_stopped_again_while_it_resumes(trials: list[Trial]) -> None:
    """Two stops, one after another, at any two steps; the first is always reached."""
    stopped = []
    for trial in mine(trials)[:: 1 if FULL else 4]:
        random = sample(trial.scene.name)
        for _ in range(20 if FULL else 1):
            steps = [random.randint(1, len(trial.steps)) for _ in range(2)]
            stopped.append(trial.stop_often(steps))
    assert sum(stopped) >= len(stopped)


def outcome(site: Site, folder: Path) -> tuple[object, ...]:
    """Return how the session stands for its players, whatever the copies that came."""
    contest = site.contest(folder)
    game = contest.running or contest.game
    return (game.phase, game.number, tuple(sorted(game.alive)), sorted(contest.persons)) if game else (
        sorted(contest.persons),)


def test_each_letter_twice_is_one(trials: list[Trial], site: Site) -> None:
    """Every letter comes again, with another UID: the mailbox may be copied, the lists may stutter; nothing differs."""
    for trial in trials:
        if trial.scene.act[0] != "poll":
            continue
        again = [(data, trial.scene.dates[uid]) for uid, data in trial.scene.letters.items()]
        site.stand(trial.scene, site.root / "once")
        do(site.root / "once", POLL, trial.scene.at)
        site.stand(trial.scene.beside("twice", trial.scene.at, POLL, *again), site.root / "twice")
        do(site.root / "twice", POLL, trial.scene.at)
        assert outcome(site, site.root / "twice") == outcome(site, site.root / "once"), trial.scene.name


def told_of(site: Site, folder: Path) -> tuple[object, ...]:
    """Return how the session stands, and what each author did in it, whatever the order in which it was heard."""
    settings = load(folder, {})
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True) as store:
        buckets = sorted((kept.letter.message_id, kept.letter.forums, kept.bucket, kept.author)
                         for kept in store.letters())
        assert store.verify() == []
        store.check()
    return (*outcome(site, folder), buckets)


def test_each_pair_swapped_is_the_same(trials: list[Trial], site: Site) -> None:
    """Two letters that come in the other order: the same acts by the same authors, and the session stands the same."""
    pairs = 0
    scenes = [trial.scene for trial in trials]
    for scene in scenes + [scene for scene in site.scenes if FULL and scene not in scenes]:
        new = new_letters(scene)
        every = list(pairwise(new))
        if scene.act[0] != "poll" or not every:
            continue
        site.stand(scene, site.root / "once")
        do(site.root / "once", POLL, scene.at)
        wanted = told_of(site, site.root / "once")
        for one, other in every if FULL else sample(scene.name).sample(every, min(EXAMPLES, len(every))):
            site.stand(scene.swapped(one, other), site.root / "swapped")
            do(site.root / "swapped", POLL, scene.at)
            assert told_of(site, site.root / "swapped") == wanted, (scene.name, one, other)
            pairs += 1
    assert pairs > 5


def new_letters(scene: Scene) -> list[int]:
    """Return the UIDs of the letters that the scene's poll is to hear."""
    if not (scene.folder / "contest.db").exists():
        return sorted(scene.letters)
    settings = load(scene.folder, {})
    with Store.open(settings.ledger.url, settings.contest.id, readonly=True) as store:
        mark = store.mark(f"imap:127.0.0.1/{CONTEST}/INBOX")
    return sorted(uid for uid in scene.letters if mark is None or uid > mark[2])
