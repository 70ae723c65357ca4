"""A contest by its settings.

Its name (NC 1a), its contestmaster (NC 1d, NC 1i), its forums (NC 1b).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from nomicwolf.nomic.absence import PLAIN, Policy
from nomicwolf.nomic.profiles import Profile, profile
from nomicwolf.village.setup_file import SetupFile

PRIVATE = "contestmaster"
"""The channel of letters to the contest's own address: what came by it is its author's to know (NC 6)."""


@dataclass(frozen=True, slots=True)
class Forum:
    """One nomic's forum.

    *nomic* is its name in the settings (``agora``, ``b``); *address* is the public forum's, *discussion* the
    discussion forum's (not public); *list_id* and *received_by* (host) tell its mail; *instant* says which stamp
    dates a public deed (D-N9); *profile* names the nomic's law as data, *own* is one that the contest brings itself;
    *title* how it is called in prose; *tag* what stands in brackets in subjects of this contest there ('': its name);
    *zone* is the time zone of its players by the IANA's name, '' for none.
    """

    nomic: str
    address: str
    discussion: str = ""
    list_id: str = ""
    received_by: str = ""
    instant: Literal["forum", "clamped", "date"] = "forum"
    profile: str = "agora-2009"
    title: str = ""
    own: Profile | None = None
    tag: str = ""
    zone: str = ""

    @property
    def law(self) -> Profile:
        """The nomic's law as data; ValueError for a profile that there isn't."""
        return self.own or profile(self.profile)


@dataclass(frozen=True, slots=True)
class Caps:
    """How many letters and deeds of one person, and answers to em, a day (UTC) may have; 0 is no limit (D-N47)."""

    letters: int = 100
    deeds: int = 200
    answers: int = 60


@dataclass(frozen=True, slots=True)
class Other:
    """Another contest that reads the same mailbox (D-N43), as far as letters are told apart by it.

    *names* is what it is called by in letters and in subjects, its id first; *forums* are its public addresses;
    *secret* knows its Message-IDs; *members* the addresses of those whom it knows, *seats* who plays in its session.
    """

    names: tuple[str, ...]
    address: str
    forums: tuple[str, ...] = ()
    secret: bytes = b""
    members: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()


@dataclass(frozen=True)
class Setup:
    """What a contest is.

    * *contest* is its id, *name* what players call it; *address* is where it gets and sends mail from.
    * *forums* are the nomics' forums; *others* the contests that read the same mailbox.
    * *switches* are decisions on the rule set; *limit* is P by nomic, as far as the settings confirm it.
    * *settling* is how many seconds a public deed may still be overtaken by mail with an earlier stamp; *guard* for how
      many seconds nobody may poll before deadlines wait for the contestmaster.
    * *caps* limit what one person may write in a day; *daily_count* tells whether a count is posted on each day on
      which votes have changed, and after *quiet_days* on which none has only once in so many (0: daily); *prefixes*
      whether the beginning of a name names somebody, if it is nobody else's.
    * *secret* keys the marks of our own mail. *authserv_ids* name one's own mail servers as they sign their
      Authentication-Results, *forum_authserv_ids* those of the forums.
    * *assurance* is the level that a letter must reach for a verb, or for all ``public`` or ``private`` acts (without
      any: ``from``); *token_hours* is how long a confirmation may take, *signature_days* how old an OpenPGP signature
      may be; *subaddresses* tells that private letters are answered to an address with a tag of their reader's, and
      *stamps_prove* that a forum's stamp can't be invented, since our own servers are known by name.
    * *joining* says whether who joins is a party at once, or waits for the contestmaster (D-A16).
    * *observers* is how many people may observe.
    * *roles* are the texts of the contest's own roles by their names; a session keeps those that it is played with.
      *chosen* is the setup whose roles a session has that is started without others.
    * *archive* is the address of the archive that every poll brings up to date, '' for none.
    * *remind* is when who owes something is reminded (``50%`` of the term, ``24h`` before its end); *absence* is the
      policy that the next session announces.
    * *cover* is when the letters of covered nights go out (``HH:MM``, UTC; none: sessions aren't covered);
      *open_journal* lets the journal tell secrets in the clear; *uniform_subjects* gives all private letters one,
      *html* an HTML part beside their text.
    """

    contest: str
    name: str
    ruleset: str
    contestmaster: str
    contestmaster_addresses: tuple[str, ...]
    address: str
    forums: tuple[Forum, ...]
    switches: Mapping[str, str] = field(default_factory=dict)
    settling: int = 600
    limit: Mapping[str, int] = field(default_factory=dict)
    secret: bytes = b""
    daily_count: bool = True
    quiet_days: int = 0
    prefixes: bool = False
    authserv_ids: tuple[str, ...] = ()
    forum_authserv_ids: tuple[str, ...] = ()
    guard: int = 48 * 3600
    others: tuple[Other, ...] = ()
    caps: Caps = Caps()
    assurance: Mapping[str, str] = field(default_factory=dict)
    subaddresses: bool = False
    token_hours: int = 48
    signature_days: int = 2
    cover: tuple[str, ...] = ()
    open_journal: bool = False
    uniform_subjects: bool = False
    html: bool = False
    remind: tuple[str, ...] = ("50%", "24h")
    absence: Policy = PLAIN
    utf8: bool = True
    stamps_prove: bool = True
    archive: str = ""
    joining: Literal["open", "asked"] = "open"
    observers: int = 100
    roles: Mapping[str, str] = field(default_factory=dict)
    chosen: SetupFile | None = None

    def forum(self, nomic: str) -> Forum | None:
        """Return the forum of *nomic*, or None."""
        return next((f for f in self.forums if f.nomic == nomic), None)

    @cached_property
    def nomics(self) -> tuple[str, ...]:
        """The nomics in which the contest lives, in the order of the settings."""
        return tuple(f.nomic for f in self.forums)
