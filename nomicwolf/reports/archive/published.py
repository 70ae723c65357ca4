"""What is published of a contest: nothing else is known to the archive's pages, or to whoever checks them."""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.nomic.setup import Forum, Profile, Setup
from nomicwolf.village.events import Entry


@dataclass(frozen=True, slots=True)
class Nomic:
    """A nomic in which the contest lives: its *name* in the settings, its *title*, and its law as data.

    *law* is one that the contest brings itself, in place of *profile*.
    """

    name: str
    title: str
    profile: str
    law: Profile | None = None


@dataclass(frozen=True, slots=True)
class About:
    """What a contest is, without addresses and keys: *limit* are (nomic, points), as the settings confirm them.

    *url* is where the archive is read, '' if that is not known. *erased* are the pseudonyms of persons who were taken
    out of the record: what hangs on their former names can't be redone.
    """

    contest: str
    name: str
    ruleset: str
    contestmaster: str
    nomics: tuple[Nomic, ...]
    switches: tuple[tuple[str, str], ...] = ()
    limit: tuple[tuple[str, int], ...] = ()
    settling: int = 0
    url: str = ""
    erased: tuple[str, ...] = ()

    @property
    def setup(self) -> Setup:
        """The settings as everyone may know them."""
        forums = tuple(Forum(n.name, "", profile=n.profile, title=n.title, own=n.law) for n in self.nomics)
        return Setup(
            self.contest, self.name, self.ruleset, self.contestmaster, (), "", forums, dict(self.switches),
            self.settling, dict(self.limit))

    def title(self, nomic: str) -> str:
        """Return how *nomic* is called in prose."""
        return next((n.title for n in self.nomics if n.name == nomic and n.title), nomic)


@dataclass(frozen=True, slots=True)
class Heard:
    """A letter that came through a forum: *number* counts them from 1.

    *message* is the SHA-256 of its Message-ID, *digest* of what it does; instants are UTC seconds (0 = unknown).
    *subject* and *body* are as the forum had them, mail addresses hidden; *reply* is the number of the letter heard
    that it answers, *thread* of the letter posted that it answers (0: of none that is published).
    """

    number: int
    author: str
    nomic: str
    message: str
    digest: str
    sent: int = 0
    stamped: int = 0
    arrived: int = 0
    subject: str = ""
    body: str = ""
    reply: int = 0
    thread: int = 0

    @property
    def at(self) -> int:
        """When the forum had it, or the mailbox (UTC seconds)."""
        return self.stamped or self.arrived or self.sent


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter that the contest posted to the forums of *nomics*: *number* counts them from 1.

    *thread* is the number of the letter that it follows, 0 for none; *messages* are the SHA-256 of its
    Message-IDs, one for each forum; *at* is UTC seconds. *session* is the one on whose page it is (-1: that of its
    time), and *anchor* is what the letter itself calls its place there ('': it was not asked).
    """

    number: int
    subject: str
    body: str
    at: int
    nomics: tuple[str, ...]
    messages: tuple[str, ...]
    thread: int = 0
    session: int = -1
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Published:
    """All that is published: *entries* are numbered from 1 without gaps, and tell of each other by these numbers.

    Of a session that runs they are the public ones; of one whose roles were revealed, all that happened in it.
    """

    about: About
    entries: tuple[Entry, ...]
    heard: tuple[Heard, ...] = ()
    sent: tuple[Sent, ...] = ()

    @property
    def at(self) -> int:
        """The instant of the last thing that is told, UTC seconds; 0 for nothing."""
        return max((e.at for e in self.entries), default=0)
