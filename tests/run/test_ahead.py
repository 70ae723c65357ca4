"""Letters made by a second process: the ledger is that of letters made here, whatever becomes of that process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import cast

import pytest

from nomicwolf.ledger.codec import write_value
from nomicwolf.letters.letter import Limits, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.post.errors import Away
from nomicwolf.post.source import Fetched
from nomicwolf.run import ahead, making
from nomicwolf.run.ahead import Made, Maker, made_ahead
from nomicwolf.run.making import RAW, Terms, made_of
from tests.letters.test_corpus import CASES, FORUMS, HERE
from tests.run.test_grouping import (  # noqa: F401 - its contest, and what copies it
    DAY,
    LATER,
    WHOLE,
    place,
    polled,
    template,
)
from tests.run.test_identity import dkim_signed, world  # noqa: F401 - a contest that looks at signatures
from tests.run.world import World, letter
from tests.servers.here import wait_until

TERMS = Terms(FORUMS, ("wolf@wolf.example",), Limits(), ())


def fetched(count: int) -> list[Fetched]:
    """Return letters that differ in their texts."""
    texts = [b"From: Bex <b@players.test>\n\nNumber %d.\n" % number for number in range(count)]
    return [Fetched(Raw(f"mbox:x#{n}", n, 7, text, len(text)), None) for n, text in enumerate(texts)]


@pytest.fixture
def makers(monkeypatch: pytest.MonkeyPatch) -> list[Maker]:
    """Let a second process make all letters but the first, three at once, on any machine; give what is started."""
    begin, found = Maker.__init__, []

    def begun(self: Maker, terms: Terms) -> None:
        begin(self, terms)
        self._ready = self._heard() is True
        found.append(self)

    monkeypatch.setattr(Maker, "__init__", begun)
    monkeypatch.setattr(ahead, "FEW", 1)
    monkeypatch.setattr(ahead, "LETTERS", 3)
    monkeypatch.setattr(ahead, "_pays", lambda: True)
    return found


def pid_of(maker: Maker) -> int:
    """Return the number of a process that was started."""
    assert maker._process is not None
    return maker._process.pid


def gone(pid: int) -> bool:
    """Tell whether a process has ended, though nobody may have asked for its status yet."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"
    return True


def test_the_ledger_is_that_of_letters_made_here(
    place: Callable[[str], World], makers: list[Maker], monkeypatch: pytest.MonkeyPatch,  # noqa: F811
) -> None:
    """Byte for byte, with letters of all kinds, one of them dated by its mailbox as of days to come."""
    made: list[Made | None] = []
    answers = Maker.made

    def counted(self: Maker, letters: list[Fetched]) -> list[Made | None]:
        found = answers(self, letters)
        made.extend(found)
        return list(found)

    monkeypatch.setattr(Maker, "made", counted)
    worlds = [place("there"), place("here")]
    for each in worlds:
        each.deliver("dated", letter("dated", "Gus", "I vote for Ash.", LATER), LATER + 9 * DAY)
    there = polled(worlds[0], WHOLE, monkeypatch)
    monkeypatch.setattr(ahead, "_pays", lambda: False)
    here = polled(worlds[1], WHOLE, monkeypatch)

    assert there == here
    assert len(makers) == 1
    assert len(made) > 20
    assert None not in made
    assert makers[0]._process is None


def test_each_letter_is_what_it_would_be_here(makers: list[Maker]) -> None:
    """Letters of real mailers and of hostile hands, and how the ledger writes them."""
    files = [(HERE / "corpus" / f"{name}.eml").read_bytes() for name in CASES]
    letters = [Fetched(Raw(f"maildir:{n}", n, 9, data, len(data)), None) for n, data in enumerate(files)]
    found = list(made_ahead(letters, TERMS))

    assert [one for one, _ in found] == letters
    assert [made for _, made in found[:1]] == [None]
    for one, made in found[1:]:
        here = TERMS.make(one.raw)
        assert made == (here, write_value(here))


def test_what_a_letter_proves_is_kept_with_it(world: World, makers: list[Maker]) -> None:  # noqa: F811
    """It is made there, proven here, and written as it is then."""
    for name in ("one", "two"):
        world.deliver(name, dkim_signed(letter(name, "Bex", "ask: may I?", LATER, "wolf@contest.test")), LATER)

    assert world.poll(LATER + 60).heard == 2
    assert makers
    with world.store() as store:
        assert [kept.letter.signers for kept in store.letters()] == [("players.test",)] * 2


def killed(maker: Maker) -> None:
    """Let the process be killed."""
    os.kill(pid_of(maker), signal.SIGKILL)


def stopped(maker: Maker) -> None:
    """Let the process never go on."""
    os.kill(pid_of(maker), signal.SIGSTOP)


@pytest.mark.parametrize("hit", [killed, stopped])
@pytest.mark.parametrize("after", [1, 2, 4, 7])
def test_what_becomes_of_the_process_loses_nothing(
    makers: list[Maker], monkeypatch: pytest.MonkeyPatch, hit: Callable[[Maker], None], after: int,
) -> None:
    """All letters come once, in their order; what it didn't make is to be made here, and it isn't waited for twice."""
    monkeypatch.setattr(ahead, "SECONDS", 0.5)
    letters, found, pid = fetched(20), [], 0
    coming = made_ahead(letters, TERMS)
    for pair in coming:
        found.append(pair)
        if len(found) == after + 1:
            pid = pid_of(makers[0])
            hit(makers[0])

    assert [one for one, _ in found] == letters
    assert [made for _, made in found[-6:]] == [None] * 6
    for one, made in found:
        assert made is None or made.letter == TERMS.make(one.raw)
    assert gone(pid)


def test_a_process_that_never_reads(makers: list[Maker], monkeypatch: pytest.MonkeyPatch) -> None:
    """More is to be told to it than a pipe holds; nobody waits for that without end."""
    ask = Maker.ask

    def asked(self: Maker, letters: Sequence[Fetched]) -> None:
        if self._process is not None:
            stopped(self)
        ask(self, letters)

    monkeypatch.setattr(Maker, "ask", asked)
    monkeypatch.setattr(ahead, "SECONDS", 0.5)
    letters = [Fetched(replace(one.raw, data=one.raw.data + b"x" * 900_000), None) for one in fetched(7)]

    assert list(made_ahead(letters, TERMS)) == [(one, None) for one in letters]
    assert all(maker._process is None for maker in makers)


def test_a_process_that_cannot_be_started(makers: list[Maker], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no more room for one, or it is no Python of ours, letters are made here."""
    for wrong in ("/nowhere/python", "/bin/false", ""):
        monkeypatch.setattr(sys, "executable", wrong)
        assert list(made_ahead(fetched(9), TERMS)) == [(one, None) for one in fetched(9)]
    assert len(makers) == 3


def test_a_letter_that_cannot_be_made_is_left_to_the_first_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only that one; whoever hears it meets the defect, and tells of it."""
    def fragile(raw: Raw, *terms: object) -> object:
        if b"Number 1" in raw.data:
            raise RecursionError
        return make_letter(raw, *terms)  # type: ignore[arg-type]

    monkeypatch.setattr(making, "make_letter", fragile)
    assert [made is None for made in made_of([RAW(one.raw) for one in fetched(3)], TERMS)] == [False, True, False]


@pytest.mark.parametrize("good", [0, 1, 2, 5, 7, 8])
def test_errors_of_the_source_come_behind_what_was_fetched(makers: list[Maker], good: int) -> None:
    """As without a second process; nothing that was fetched waits for the next run."""

    def failing() -> Iterator[Fetched]:
        yield from fetched(good)
        raise Away("the server went away")

    coming = made_ahead(failing(), TERMS)

    assert [one for one, _ in islice(coming, good)] == fetched(good)
    with pytest.raises(Away, match="the server went away"):
        next(coming)
    assert all(maker._process is None for maker in makers)


def test_who_comes_to_no_end_closes_it(makers: list[Maker]) -> None:
    """A run that stops in mid-backlog leaves no process."""
    coming = made_ahead(fetched(30), TERMS)
    assert len(list(islice(coming, 9))) == 9
    pid = pid_of(makers[0])
    coming.close()

    assert gone(pid)


def test_it_ends_with_the_run_that_is_killed(tmp_path: Path) -> None:
    """Its input ends then, whatever it was told before."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os, signal\nfrom nomicwolf.letters.letter import Limits\nfrom nomicwolf.run.ahead import Maker\n"
        "from nomicwolf.run.making import Terms\nmaker = Maker(Terms((), (), Limits(), ()))\nassert maker._heard()\n"
        "print(maker._process.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n")
    done = subprocess.run([sys.executable, program], check=False, capture_output=True, text=True)

    assert done.returncode == -signal.SIGKILL
    wait_until("the second process to end", lambda: gone(int(done.stdout)))


def test_it_knows_no_password_and_has_nothing_open(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the ledger, nor its lock, nor a connection; of the environment all but what is the contest's."""
    monkeypatch.setattr(ahead, "_PROGRAM", (
        "import os, pickle, sys; "
        "pickle.dump((sorted(os.readlink(f'/proc/self/fd/{n}').partition(':')[0] for n in range(3, 99) "
        "if os.path.exists(f'/proc/self/fd/{n}')), dict(os.environ)), sys.stdout.buffer)"))
    monkeypatch.setenv("NOMICWOLF_IMAP_PASSWORD", "hush")
    monkeypatch.setenv("PGPASSWORD", "hush")
    with (tmp_path / "lock").open("w") as lock:
        os.set_inheritable(lock.fileno(), True)
        maker = Maker(TERMS)
        opened, environment = cast("tuple[list[str], dict[str, str]]", maker._heard())
        maker.end()

    assert opened == []
    assert "hush" not in str(environment)
    assert environment["PATH"] == os.environ["PATH"]


def test_few_letters_are_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process is started for them; nor where it would have no processor, or others have one to do."""

    def refused(terms: Terms) -> None:
        raise AssertionError

    monkeypatch.setattr(ahead, "Maker", refused)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    few = fetched(ahead.FEW)
    assert list(made_ahead(few, TERMS)) == [(one, None) for one in few]
    many = fetched(ahead.FEW + 1)
    with pytest.raises(AssertionError):
        list(made_ahead(many, TERMS))
    said: list[bool] = []
    worker = threading.Thread(target=lambda: said.append(len(list(made_ahead(many, TERMS))) == len(many)))
    worker.start()
    worker.join()
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    said.append(len(list(made_ahead(many, TERMS))) == len(many))
    assert said == [True, True]
