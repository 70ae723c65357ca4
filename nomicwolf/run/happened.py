"""What happened, as the ledger keeps it to do it again: the happening, and what the contest was by its settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from nomicwolf import __version__
from nomicwolf.contest import Command, Happening, LetterCame, Setup, Tick
from nomicwolf.dataclass import dataclass
from nomicwolf.ledger.codec import read_value, write_value
from nomicwolf.ledger.records import Happened, KeptHappening


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What the contest was by its settings, without the keys; its own *templates*; the *version* that heard."""

    setup: Setup
    templates: Mapping[str, str]
    version: str = __version__

    def text(self) -> str:
        """Return them as the ledger keeps them."""
        others = tuple(replace(other, secret=b"") for other in self.setup.others)
        return write_value(replace(self, setup=replace(self.setup, secret=b"", others=others)))


@dataclass(frozen=True, slots=True)
class Order:
    """A command of the contestmaster's, without the letter that it is about: that is in the ledger."""

    name: str
    args: Mapping[str, str | tuple[str, ...]]
    phase: str = ""
    since: int = 0


def happened(happening: Happening, circumstances: str) -> Happened:
    """Return *happening* as the ledger keeps it; *circumstances* as `Circumstances.text` tells them."""
    match happening:
        case LetterCame():
            return Happened("letter", "", circumstances)
        case Command(name, args, phase, _, since):
            return Happened("command", write_value(Order(name, args, phase, since)), circumstances)
        case Tick():
            return Happened("tick", write_value(happening), circumstances)


def circumstances_of(kept: KeptHappening, now: Setup) -> Circumstances:
    """Return the circumstances of a happening; the keys are those of *now*, as they never change."""
    told: Circumstances = read_value(Circumstances, kept.setup)
    secrets = {other.names[0]: other.secret for other in now.others}
    others = tuple(replace(other, secret=secrets.get(other.names[0], b"")) for other in told.setup.others)
    return replace(told, setup=replace(told.setup, secret=now.secret, others=others))
