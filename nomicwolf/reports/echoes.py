"""Two forums, one truth (NC 1g): through which forums a letter came, and which of our own came back from them."""

from __future__ import annotations

from collections.abc import Iterator

from nomicwolf.nomic.events import CopyHeard, LetterHeard
from nomicwolf.nomic.recalled import AWAITED
from nomicwolf.nomic.state import Contest

LATE = 86_400
"""For how many seconds a forum's copy of a letter may be late: forums moderate."""


def echoing(contest: Contest) -> frozenset[str]:
    """Return the nomics whose forum sends us what we post to it: only there a missing echo means something."""
    return contest.echoed & frozenset(contest.setup.nomics)


def forums_of(contest: Contest, letter: int) -> tuple[str, ...]:
    """Return the channels that the letter in entry *letter* came through, the first one first."""
    heard = contest.letters.get(letter)
    copies = [e.event.channel for e in contest.entries
              if isinstance(e.event, CopyHeard) and e.event.letter == letter]
    return tuple(dict.fromkeys([heard.channel, *copies])) if heard else ()


def one_forum_only(contest: Contest) -> tuple[tuple[int, str, str], ...]:
    """Return (letter, author, nomic) for each public letter with deeds that only one of several forums had (NC 1g)."""
    nomics = set(contest.setup.nomics)
    if len(nomics) < 2:
        return ()
    came = {number: {heard.channel} & nomics for number, heard in contest.letters.items() if heard.bucket == "deeds"}
    for entry in contest.entries:
        if isinstance(entry.event, CopyHeard) and entry.event.letter in came:
            came[entry.event.letter] |= {entry.event.channel} & nomics
    return tuple((n, contest.letters[n].author, next(iter(through))) for n, through in sorted(came.items())
                 if len(through) == 1)


def unseen(contest: Contest, now: int) -> Iterator[tuple[int, LetterHeard]]:
    """Yield each letter that counts by its own To or Cc alone, for a day and more, where the forum stamps what it had.

    Shown to the contest and to nobody else it would be no public message (NC 1g).
    """
    since = now - AWAITED
    for number, (at, letter) in contest.recalled.unseen.items():
        stamping = contest.recalled.stamping.get(letter.channel, 0) > since
        if stamping and at > since and letter.arrived <= now - LATE:
            yield number, letter
