"""Letters made of their bytes ahead: where a mailbox has filled up, by a second process, while those before are heard.

Making a letter hangs on nothing but its bytes and the settings, so it doesn't matter who does it, or when. Whatever
happens to the second process, the letters that it didn't make are made here, each at its turn, as all are where there
are few. It is started with nothing open but its two pipes, knows no password, and ends with them.
"""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple, cast

from nomicwolf.letters.letter import Letter
from nomicwolf.post.errors import PostError
from nomicwolf.run.making import RAW

if TYPE_CHECKING:
    from nomicwolf.post.source import Fetched
    from nomicwolf.run.making import Terms, Values

FEW = 128
"""So many letters are made here in any case: a process has to begin, and for these it wouldn't pay."""
LETTERS = 128
"""How many letters are made at once, at most."""
OCTETS = 1 << 20
"""After how many bytes no further letter is added to those."""
SECONDS = 10
"""How long it may take to be asked for them, and to answer."""
_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH")
"""All of the environment that the process gets: passwords may be in any other variable."""
_PROGRAM = "import sys; sys.path[:] = sys.argv[1:]; from nomicwolf.run.making import main; main()"


class Made(NamedTuple):
    """A *letter*, and how the ledger writes it."""

    letter: Letter
    written: str


def made_ahead(letters: Iterable[Fetched], terms: Terms) -> Generator[tuple[Fetched, Made | None]]:
    """Return *letters* in their order, each with what was made of it if it was; close it if you don't come to its end.

    Errors of their source come behind what was fetched before them.
    """
    coming = iter(letters)
    for fetched in islice(coming, FEW):
        yield fetched, None
    one_more = next(coming, None)
    if one_more is None:
        return
    rest = chain((one_more,), coming)
    if not _pays():
        yield from ((fetched, None) for fetched in rest)
        return
    failed: list[Exception] = []
    maker = Maker(terms)
    try:
        asked: list[Fetched] = []
        for batch in chain(_batches(rest, failed), ([],)):
            made = maker.made(asked)
            maker.ask(batch)
            yield from zip(asked, made, strict=True)
            asked = batch
    finally:
        maker.end()
    for error in failed:
        raise error


def _pays() -> bool:
    """Tell whether a processor would be idle: not in a host's worker, which has other contests to do."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1 and threading.current_thread() is threading.main_thread()


def _batches(letters: Iterator[Fetched], failed: list[Exception]) -> Iterator[list[Fetched]]:
    """Return *letters*, some at once; what stops them is put into *failed*."""
    batch: list[Fetched] = []
    octets = 0
    try:
        for fetched in letters:
            batch.append(fetched)
            octets += len(fetched.raw.data)
            if len(batch) >= LETTERS or octets > OCTETS:
                yield batch
                batch, octets = [], 0
    except (PostError, OSError) as error:
        failed.append(error)
    yield batch


class Maker:
    """The second process; it makes nothing before it is ready, and nothing more once it failed."""

    def __init__(self, terms: Terms) -> None:
        self._ready = self._asked = False
        self._process: subprocess.Popen[bytes] | None = None
        known = {name: os.environ[name] for name in _KEPT if name in os.environ}
        with suppress(OSError):
            self._process = subprocess.Popen(  # noqa: S603 - this program
                [sys.executable, "-I", "-c", _PROGRAM, *sys.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=known, pipesize=OCTETS)
        self._say(terms)

    def ask(self, letters: Sequence[Fetched]) -> None:
        """Let *letters* be made next, if the process is ready for it."""
        self._ready = self._ready or (self._says_something() and self._heard() is True)
        self._asked = bool(letters) and self._ready and self._say([*map(RAW, [each.raw for each in letters])])

    def made(self, letters: Sequence[Fetched]) -> Sequence[Made | None]:
        """Return what was made of *letters*, those that were asked for last; None for each that wasn't."""
        answer = self._heard() if self._asked else None
        found = cast("list[tuple[Values, str] | None]", answer) or [None] * len(letters)
        return [one and Made(Letter(*one[0]), one[1]) for one in found]

    def end(self) -> None:
        """Let the process be no more."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _say(self, what: object) -> bool:
        """Tell the process something, and return whether it could be told in time."""
        if self._process is None or self._process.stdin is None:
            return False
        try:
            with _in_time(self._process):
                pickle.dump(what, self._process.stdin, pickle.HIGHEST_PROTOCOL)
                self._process.stdin.flush()
        except OSError:
            self.end()
            return False
        return True

    def _says_something(self) -> bool:
        """Tell whether the process has said anything that wasn't heard yet."""
        if self._process is None or self._process.stdout is None:
            return False
        said = select.poll()
        said.register(self._process.stdout)
        return bool(said.poll(0))

    def _heard(self) -> object:
        """Return what the process says in time, None if it says nothing."""
        if self._process is None or self._process.stdout is None:
            return None
        try:
            with _in_time(self._process):
                return pickle.load(self._process.stdout)  # noqa: S301 - our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            self.end()
            return None


@contextmanager
def _in_time(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Kill *process* unless this ends within `SECONDS`: who waits for it goes on without it."""
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
