"""A letter that can't be read, ever: it is held, and the others are heard."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.run import letter_intake, poll_work
from nomicwolf.run.letter_intake import ATTEMPTS, PoisonError, limited_time
from tests.run.world import BEGIN, World, letter, running_world

pytestmark = pytest.mark.slow

HOUR = 3600


def busy(*_: object) -> None:
    """Work for ever."""
    while True:
        pass


def test_what_takes_too_long_is_stopped_and_leaves_no_trace() -> None:
    """The processor's time counts; afterwards no alarm is left behind."""
    before = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(PoisonError, match=r"more than 0\.05 seconds"), limited_time(0.05):
        busy()
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_without_a_limit_nothing_is_stopped() -> None:
    """0 is no limit."""
    with limited_time(0):
        assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def letters(world: World) -> None:
    """Three letters, the second of which is poison."""
    for place, text in enumerate(("I vote for Gus.", "POISON", "I vote for Fay.")):
        at = BEGIN + HOUR + place
        world.deliver(f"m{place}", letter(f"m{place}", "Ash", text, at, "agora-business@lists.agora.test"), at)


def buckets(world: World) -> list[tuple[str, str]]:
    """Where the letters ended, and why; and how many deeds there were."""
    with world.store() as store:
        record = list(store.record())
    assert sum(isinstance(e.event, DeedHeard) for e in record) == 2
    return [(e.event.bucket, e.event.why) for e in record if isinstance(e.event, LetterHeard)]


def poison(monkeypatch: pytest.MonkeyPatch, act: object) -> None:
    """Let reading a letter with POISON in it do *act*."""
    real = letter_intake.parse_letter

    def made(settings, setup, raw, own=()):  # type: ignore[no-untyped-def] # noqa: ANN001, ANN202
        if b"POISON" in raw.data:
            act()  # type: ignore[operator]
        return real(settings, setup, raw, own)

    monkeypatch.setattr(poll_work, "parse_letter", made)


@pytest.fixture
def world(tmp_path: Path):  # type: ignore[no-untyped-def] # noqa: ANN201
    """A session in progress."""
    with running_world(tmp_path / "c") as made:
        yield made


def test_a_letter_that_never_ends_is_held(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run goes on after its time, and says so."""
    world.add("\n[limits]\nletter_seconds = 1\n")
    poison(monkeypatch, busy)
    letters(world)

    report = world.poll(BEGIN + HOUR + 60)

    assert buckets(world) == [("deeds", ""), ("held", "it takes more than 1 seconds to read"), ("deeds", "")]
    assert report.status == 1


def test_a_letter_that_kills_runs_is_held_after_some(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each run dies without a word, as by `kill -9`; the sixth holds the letter unread and hears the rest."""
    letters(world)
    poison(monkeypatch, lambda: os._exit(9))
    for _ in range(ATTEMPTS):
        child = os.fork()
        if not child:
            world.poll(BEGIN + HOUR + 60)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9

    world.poll(BEGIN + HOUR + 60)

    assert buckets(world) == [("deeds", ""), ("held", f"{ATTEMPTS} runs have died in it"), ("deeds", "")]
    assert not list(world.folder.glob("*.attempt"))


@pytest.mark.skipif(sys.platform != "linux", reason="signals")
def test_the_memory_of_another_letter_or_of_nonsense_counts_nothing(world: World) -> None:
    """Only the very letter in which runs have died is held."""
    file = world.folder / "w1.attempt"
    for text in ("9 another\n", "nonsense", ""):
        file.write_text(text)
        with letter_intake.AttemptLog(world.settings) as attempts:
            with attempts.at("here"):
                assert file.read_text().startswith("1 ")
            assert file.read_text().startswith("0 ")
        assert not file.exists()
