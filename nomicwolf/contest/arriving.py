"""Where a letter came, and when what it does takes effect (D-N9)."""

from __future__ import annotations

from nomicwolf.contest.recognising import DISCUSSION, posted
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.setup import PRIVATE, Forum
from nomicwolf.nomic.state import Contest
from nomicwolf.village.day_replay import effective as stamped_by


def channel_of(contest: Contest, letter: Letter) -> str:
    """Return where *letter* was sent: the first nomic whose forum has it, else ``discussion`` or ``contestmaster``."""
    public = posted(contest.setup.nomics, letter)
    return public[0] if public else DISCUSSION if DISCUSSION in letter.forums else PRIVATE


def effective(contest: Contest, letter: Letter) -> int:
    """Return the instant at which what *letter* does takes effect (D-N9, D-V10).

    It is never later than the letter arrived, but where a nomic takes the sender's date as it is.
    """
    forums = map(contest.setup.forum, posted(contest.setup.nomics, letter))
    return min((effective_in(forum, letter) for forum in forums if forum is not None), default=letter.arrived)


def effective_in(forum: Forum, letter: Letter) -> int:
    """Return the instant of *letter*, which came through *forum*, by the clock that its nomic has chosen (D-V10)."""
    stamp = min(dict(letter.stamps).get(forum.nomic, letter.arrived), letter.arrived)
    return stamped_by(letter.sent if letter.sent is not None else stamp, stamp, forum.instant)
