"""Where a letter came, and when what it does takes effect (D-N9)."""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.contest.recognising import DISCUSSION, posted
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.remembering import remembered
from nomicwolf.nomic.setup import PRIVATE, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.village.dayreplay import effective as stamped_by


def channel_of(contest: Contest, letter: Letter) -> str:
    """Return where *letter* was sent: the first nomic whose forum has it, else ``discussion`` or ``contestmaster``."""
    return _channel(contest.setup)(letter)


@remembered
def _channel(setup: Setup) -> Callable[[Letter], str]:
    @remembered
    def channel(letter: Letter) -> str:
        public = posted(setup.nomics, letter)
        return public[0] if public else DISCUSSION if DISCUSSION in letter.forums else PRIVATE

    return channel


def effective(contest: Contest, letter: Letter) -> int:
    """Return the instant at which what *letter* does takes effect (D-N9, D-V10), never later than it arrived."""
    stamps = dict(letter.stamps)
    dated = []
    for nomic in posted(contest.setup.nomics, letter):
        forum = contest.setup.forum(nomic)
        if forum is None:
            continue
        stamp = min(stamps.get(nomic, letter.arrived), letter.arrived)
        dated.append(stamped_by(letter.sent if letter.sent is not None else stamp, stamp, forum.instant))
    return min(dated, default=letter.arrived)
