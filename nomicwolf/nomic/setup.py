"""A contest's setup: law and policy on silence.

A nomic's law by year is data. It covers time, joining and awards; nothing of it is code.

Sources: Agora's R1728 (dependent actions), R2124 (objectors), R2136 and R2233 (contests), R1023 ("as soon as
possible") as quoted in CFJ 2296, 2330, 2424, 2451 and 2670; B's 4E14 (ndays), 4E16 (Trophies) and 4E21 (without
objection).

A setup has what settings say of a contest: its name (NC 1a), its contestmaster (NC 1d, NC 1i), its forums (NC 1b).

A contest announces its policy when a session starts, and the policy stands for that session, whatever the settings say
later. What is not announced is `PLAIN`: who is silent before all eyes is named, and nothing follows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from nomicwolf.village.events import Event, ForAll
from nomicwolf.village.rulesets import SetupFile

Step: TypeAlias = Literal["prod", "replace", "act-for", "remove"]
"""The steps against silence; doing nothing is a policy without the step."""
STEPS: tuple[Step, ...] = ("prod", "replace", "act-for", "remove")


Kind: TypeAlias = Literal["deed", "vote", "sealed", "office"]
"""The kinds of what is owed: a secret deed, a public vote, a sealed ballot, or something outside of the game."""


@dataclass(frozen=True, slots=True)
class Owed:
    """*who* owes *verb* since *since*; instants are UTC seconds.

    From *until* on it is late, and where NC 1j applies the contestmaster may act (0: it has no term). At *closes* the
    stage that asks for it ends (0: none does). Of an *office* the *verb* says in words what is to be done; *clause* is
    the one that asks for it.
    """

    who: str
    verb: str
    since: int
    until: int
    kind: Kind = "deed"
    closes: int = 0
    clause: str = ""

    @property
    def ends(self) -> int:
        """When silence has its effect: at the end of its term or of its stage, whichever is first; 0: never."""
        return min(filter(None, (self.until, self.closes)), default=0)


@dataclass(frozen=True, slots=True)
class Policy:
    """The consequences of silence.

    * *steps* are those of `STEPS` that the contest takes. With ``prod``, a player who owes a public vote is named after
      *prod_days* days of silence where votes stand, or when a vote in stages has ended without them. When they have
      been named *prods* times without a word since and are silent once more, ``replace`` lets the first on the standby
      list take over, and ``remove`` asks the contestmaster to. With ``act-for``, what is owed by night is
      done by lot as soon as NC 1j allows it.
    * A vote in stages lasts *extend_hours* longer, at most *extend_times* times, if at least *extend_if_missing* have
      not voted at its deadline; 0 is never.
    """

    steps: tuple[Step, ...] = ("prod",)
    prod_days: int = 3
    prods: int = 1
    extend_if_missing: int = 0
    extend_hours: int = 24
    extend_times: int = 1

    def takes(self, step: Step) -> bool:
        """Return whether *step* is one that the contest takes."""
        return step in self.steps


PLAIN = Policy()
"""The policy of a session that has announced none."""


@dataclass(frozen=True, slots=True)
class PolicyAnnounced(ForAll):
    """The session that begins has this *policy* on absence (D-A12)."""

    policy: Policy


@dataclass(frozen=True, slots=True)
class Prodded(ForAll):
    """*who* owes a vote and is named for the *times*th time in a row, silent since *since* (UTC seconds)."""

    who: str
    since: int
    times: int


@dataclass(frozen=True, slots=True)
class StandbyOffered(ForAll):
    """*who* is ready to take over from somebody (D-N41)."""

    who: str


@dataclass(frozen=True, slots=True)
class StandbyEnded(ForAll):
    """*who* is on the standby list no more."""

    who: str


@dataclass(frozen=True, slots=True)
class Alerted(Event):
    """The contestmaster is alerted that nothing moves: *text*, which holds no secret; *about* names what."""

    about: str
    text: str


DAY = 86_400
HOUR = 3_600


@dataclass(frozen=True, slots=True)
class Window:
    """The time in which an announced action may happen.

    In ``days`` it is done by a second announcement, from *earliest* to *latest* days after the first; in ``ndays``
    the days on which the nomic's clock is on are counted, from the end of the announcement's own. *by_itself*: it
    happens at *earliest*, with no second announcement. *cooling* is how many hours an objection still stops it after
    it has been withdrawn.
    """

    earliest: int
    latest: int
    unit: Literal["days", "ndays"] = "days"
    by_itself: bool = False
    cooling: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """One nomic's law: *title* in prose, *tags* that its lists put into subjects, *joins* when joining takes effect.

    *soon* is "as soon as possible" in days; *awards* is ``points`` or ``trophies``; P is *factor* times the
    parties that have every one of *counted*, or a number to be entered where *factor* is 0; *formula* says it in words.
    """

    name: str
    title: str
    tags: tuple[str, ...]
    window: Window
    joins: Literal["published", "at once"] = "published"
    soon: int = 7
    awards: Literal["points", "trophies"] = "points"
    factor: int = 0
    counted: tuple[str, ...] = ("player",)
    formula: str = ""


T = TypeVar("T", Window, Profile)
_AGORA_TAGS = ("BUS:", "OFF:", "DIS:", "BAK:")
_FIVE = "5 times the number of the contest's parties that are active first-class players (R2136, CFJ 2296)"
_FOUR_TO_FOURTEEN = Window(4, 14)
_ELIGIBLE = ("player", "first-class", "active")
PROFILES: Mapping[str, Profile] = {
    p.name: p for p in (
        Profile("agora-2007", "Agora", _AGORA_TAGS, _FOUR_TO_FOURTEEN, factor=5, counted=("player", "first-class"),
                formula="5 times the number of first-class players in the bases of its members"),
        Profile("agora-2008", "Agora", _AGORA_TAGS, _FOUR_TO_FOURTEEN, factor=5, counted=_ELIGIBLE, formula=_FIVE),
        Profile("agora-2009", "Agora", _AGORA_TAGS, _FOUR_TO_FOURTEEN, factor=5, counted=_ELIGIBLE, formula=_FIVE),
        Profile("agora-2009-06", "Agora", _AGORA_TAGS, Window(4, 14, cooling=24), counted=_ELIGIBLE,
                formula="the contest's threshold index, as entered (R2233, CFJ 2686: for each axis, and over the "
                        "contest's whole life)"),
        Profile("b-2008", "B Nomic", ("[s-b]", "[s-d]", "[s-n]"), Window(2, 4, "ndays", by_itself=True), "at once",
                awards="trophies"),
        Profile("b-2009", "B Nomic", ("[s-b]", "[s-d]", "[s-n]"), Window(2, 4, "ndays", by_itself=True), "at once",
                awards="trophies"),
    )
}


def profile(name: str) -> Profile:
    """Return the profile called *name*; ValueError says which there are."""
    if name not in PROFILES:
        raise ValueError(f"There is no profile {name!r}; there are {', '.join(PROFILES)}, or write one of your own.")
    return PROFILES[name]


def profile_of(data: Mapping[str, object]) -> Profile:
    """Return the profile in *data*, a TOML file's: ``base`` names the one that it changes.

    Unknown keys, and values of another kind than the base's, are a ValueError that names them.
    """
    given = dict(data)
    base = profile(str(given.pop("base", "agora-2009")))
    window = _changed(base.window, _table(given.pop("window", {})))
    return _changed(base, {"window": window, **given})


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError("A profile's window is a table: [window] with earliest, latest, unit, by_itself, cooling.")  # noqa: TRY004 - the file's value is wrong, not a caller's type
    return {str(k): v for k, v in value.items()}


def _changed(base: T, given: Mapping[str, object]) -> T:
    """Return *base* with the fields that are *given*; ValueError for an unknown one, or a value of another kind."""
    known = {f.name: getattr(base, f.name) for f in fields(base)}
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"A profile has no {key!r}; it has {', '.join(known)}.")
        good = tuple(value) if isinstance(value, list) else value
        if type(good) is not type(known[key]):
            raise ValueError(f"{key} in a profile is like {known[key]!r}; not {value!r}.")
        known[key] = good
    return type(base)(**known)


PRIVATE = "contestmaster"
"""The channel of letters to the contest's own address: what came by it is its author's to know (NC 6)."""


@dataclass(frozen=True, slots=True)
class Forum:
    """One nomic's forum.

    *nomic* is its name in the settings (``agora``, ``b``); *address* is the public forum's, *discussion* the
    discussion forum's (not public); *list_id* and *received_by* (host) tell its mail; *instant* says which stamp
    dates a public deed (D-N9); *profile* names the nomic's law as data, *own* is one that the contest brings itself;
    *title* how it is called in prose; *tag* what is in brackets in subjects of this contest there ('': its name);
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
    """How many letters and deeds of one person, and answers to them, a day (UTC) may have; 0 is no limit (D-N47)."""

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
    """The setup of a contest.

    * *contest* is its id, *name* what players call it; *address* is where it gets and sends mail from.
    * *forums* are the nomics' forums; *others* the contests that read the same mailbox.
    * *switches* are decisions on the rule set; *limit* is P by nomic, as far as the settings confirm it.
    * *settling* is how many seconds a public deed may still be overtaken by mail with an earlier stamp; *guard* for how
      many seconds nobody may poll before deadlines wait for the contestmaster.
    * *caps* limit what one person may write in a day; *daily_count* tells whether a count is posted on each day on
      which votes have changed, and after *quiet_days* on which none has (0: daily); *prefixes*
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
