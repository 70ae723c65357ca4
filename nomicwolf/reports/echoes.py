"""Two forums, one truth (NC 1g): through which forums a letter came, and which of our own came back from them."""

from __future__ import annotations

from collections.abc import Iterator

from nomicwolf.nomic.events import CopyHeard, LetterHeard
from nomicwolf.nomic.setup import DAY
from nomicwolf.nomic.state import AWAITED, Contest

LATE = DAY
"""For how many seconds a forum's copy of a letter may be late: forums moderate."""


def echoing(contest: Contest) -> frozenset[str]:
    """Return the nomics whose forum sends us what we post to it: only there a missing echo means something."""
    return contest.echoed & frozenset(contest.setup.nomics)


def one_forum_only(contest: Contest) -> tuple[tuple[int, str, str], ...]:
    """Return (letter, author, nomic) for each public letter with deeds that only one of several forums had (NC 1g).

    Those are meant since the latest session began; before the first, all.
    """
    nomics = set(contest.setup.nomics)
    if len(nomics) < 2:
        return ()
    came: dict[int, tuple[str, set[str]]] = {}
    for entry in contest.entries[contest.recalled.started:]:
        match entry.event:
            case LetterHeard(bucket="deeds") as heard:
                came[entry.number] = heard.author, {heard.channel} & nomics
            case CopyHeard(letter=number) as copy if number in came:
                came[number][1].update({copy.channel} & nomics)
    return tuple((n, who, next(iter(through))) for n, (who, through) in came.items() if len(through) == 1)


def unseen(contest: Contest, now: int) -> Iterator[tuple[int, LetterHeard]]:
    """Yield each letter that counts by its own To or Cc alone, for a day and more, where the forum stamps what it had.

    Shown to the contest and to nobody else it would be no public message (NC 1g).
    """
    since = now - AWAITED
    for number, (at, letter) in contest.recalled.unseen.items():
        stamping = contest.recalled.stamping.get(letter.channel, 0) > since
        if stamping and at > since and letter.arrived <= now - LATE:
            yield number, letter
