"""The demo's places, and players who write.

A player knows nothing but their own mail, has habits, and does sooner or later what the game needs of them. The same
sentence may be a plain letter, below a quotation, HTML, or over a signature.
"""

from __future__ import annotations

import email
import email.policy
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Protocol

from nomicwolf.maillist import MailingList
from nomicwolf.village.rulesets import ruleset
from nomicwolf.village.rulesets.tabula import SUGGESTED


@dataclass(frozen=True, slots=True)
class Ways:
    """The *verbs* that everyone has by day; *sealed* ballots go to the contest alone."""

    verbs: frozenset[str] = frozenset({"vote"})
    sealed: bool = False


def ways_of(name: str) -> Ways:
    """Return the ways of the rule set called *name*; raise `Refusal` if there is none."""
    duties = ruleset(name).common_duties
    return Ways(frozenset(d.verb for d in duties), any(d.sealed for d in duties))


USUAL = {"gadianton": 12, "tabula": 16, "six-phases": 9, "narrated-mafia": 11}
"""The number of players with which a rule set shows most of its features; seven for any other."""
MORE = {
    "six-phases": (("cop", 4), ("doctor", 4), ("roleblocker", 9), ("medium", 10), ("watcher", 11), ("tracker", 12),
                   ("vigilante", 13), ("godfather", 14), ("mayor", 15), ("miller", 16)),
    "narrated-mafia": (("policeman", 5), ("doctor", 5), ("godfather", 9), ("policeman", 9), ("mason", 11),
                       ("mason", 11)),
}
"""Roles in the demo besides mafiosi, each from so many players on."""


def usual(name: str) -> int:
    """Return the default number of players of the rule set *name*."""
    return USUAL.get(name, 7)


def deck(name: str, players: int) -> tuple[str, ...]:
    """Return the roles for the demo, if the rule set has a choice."""
    match name:
        case "nomic-crossing":
            return ("seer", "witch", "hunter", "cupid") if players > 6 else ("seer", "witch")
        case "tabula":
            return tuple(role for role, least in SUGGESTED.items() if players >= least
                         for _ in range(2 if role == "freemason" else 1))
    if name not in MORE:
        return ()
    plain, wanted = ruleset(name).plain, [role for role, least in MORE[name] if players >= least]
    deck = ["mafioso"] * (max(1, players // 4) - wanted.count("godfather")) + wanted
    return (*deck, *[plain] * (players - len(deck)))


CONTEST = "wolf@contest.example"
CONTESTMASTER = "Murphy"
PLAYERS = "players.example"
NAMES = (
    "Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lea", "Max", "Nia", "Ole", "Pia",
    "Quin", "Ros", "Sam", "Tia", "Uli", "Val", "Wim", "Yan",
)  # fmt: skip
FORUMS = {"agora": "agora-business@lists.agora.example", "b": "spoon-business@lists.b.example"}
DISCUSSIONS = {"agora": "agora-discussion@lists.agora.example", "b": "spoon-discuss@lists.b.example"}
TITLES = {"agora": "Agora", "b": "B"}
TAGS = {"agora": ("BUS:", "DIS:"), "b": ("[s-b]", "[s-d]")}


class World(Protocol):
    """A mail world: letters go in, and are delivered to mailboxes."""

    def post(self, sender: str, recipients: Sequence[str], data: bytes) -> None:
        """Send one letter and return once it is delivered to every mailbox."""

    def inbox(self, address: str) -> list[bytes]:
        """Return every letter that *address* has received, oldest first."""


def address_of(name: str) -> str:
    """Return the address of *name*.

    >>> address_of("Ash")
    'ash@players.example'
    """
    return f"{name.lower()}@{PLAYERS}"


def forums(names: Sequence[str]) -> tuple[MailingList, ...]:
    """Return the four lists of two nomics, with all players and the contest subscribed."""
    everyone = (CONTEST, *(address_of(name) for name in names))
    found = []
    for nomic, addresses in ((n, (FORUMS[n], DISCUSSIONS[n])) for n in FORUMS):
        for address, tag in zip(addresses, TAGS[nomic], strict=True):
            name, _, host = address.partition("@")
            footer = f"\n_______________________________________________\n{name} mailing list\n{name}@{host}\n"
            found.append(MailingList(address, TITLES[nomic], tag, footer, everyone))
    return tuple(found)


def secret_of(seed: str, what: str) -> str:
    """Return 64 hex digits that depend on the demo's seed alone, so that it can be repeated."""
    return sha256(f"nomicwolf demo\n{seed}\n{what}\n".encode()).hexdigest()


def settings_text(
    ruleset: str, seed: str, imap_port: int, smtp_port: int, user: str, password: str,
    title: str = "The Werewolves of Nomic Crossing", players: int = 7,
) -> str:
    """Return `contest.toml` for a contest called *title* on loopback mail servers.

    P is what a roster of so many *players* yields in Agora.
    """
    lines = [
        "[contest]", 'id = "demo"', f"name = {json.dumps(title)}", f"ruleset = {json.dumps(ruleset)}",
        f'contestmaster = {{ name = "{CONTESTMASTER}", addresses = ["{address_of(CONTESTMASTER)}"] }}',
        f'secret = "{secret_of(seed, "secret")}"', "", "[imap]", 'host = "127.0.0.1"', f"port = {imap_port}",
        'security = "none"', f"user = {json.dumps(user)}", f"password = {json.dumps(password)}", "", "[smtp]",
        'host = "127.0.0.1"', f"port = {smtp_port}", 'security = "none"', f'from = "{CONTEST}"', "connections = 1", "",
    ]
    for nomic, forum in FORUMS.items():
        lines += [f"[nomic.{nomic}]", f'forum = "{forum}"', f'discussion = "{DISCUSSIONS[nomic]}"',
                  f'title = "{TITLES[nomic]}"', f'list_id = "{forum.replace("@", ".")}"',
                  *([f"limit = {5 * players}"] if nomic == "agora" else []), ""]
    return "\n".join(lines)


def write_settings(folder: Path, text: str) -> None:
    """Write `contest.toml` into a new folder, readable by its owner alone."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "contest.toml").write_text(text, encoding="utf-8")
    (folder / "contest.toml").chmod(0o600)


@dataclass(frozen=True, slots=True)
class Post:
    """What someone wants to send: *text* to the addresses *to*, in a *manner*, perhaps in answer to a letter.

    *manner* is ``plain``, ``top`` (own words above a quotation), ``below``, ``html`` or ``signed``; *quotes* is
    (Message-ID, author, text) of the letter that it answers.
    """

    to: tuple[str, ...]
    subject: str
    text: str
    manner: str = "plain"
    quotes: tuple[str, str, str] | None = None


def composed(post: Post, name: str, address: str, at: int, message_id: str) -> bytes:
    """Return the letter as *name* sends it from *address* at *at* (UTC seconds)."""
    body, kind = _body(post, name)
    head = [
        f"Date: {format_datetime(datetime.fromtimestamp(at, UTC))}", f"From: {name} <{address}>",
        f"To: {', '.join(post.to)}", f"Message-ID: {message_id}", f"Subject: {post.subject}", "MIME-Version: 1.0",
        f"Content-Type: {kind}; charset=utf-8", "Content-Transfer-Encoding: 8bit",
    ]
    if post.quotes:
        head[4:4] = [f"In-Reply-To: {post.quotes[0]}", f"References: {post.quotes[0]}"]
    return ("\r\n".join(head) + "\r\n\r\n" + body.replace("\n", "\r\n") + "\r\n").encode()


def _body(post: Post, name: str) -> tuple[str, str]:
    if post.manner == "html":
        lines = "".join(f"<p>{escape(line)}</p>" for line in post.text.splitlines() if line)
        return f"<html><body>{lines}<p>-- <br>Sent from my <b>telephone</b></p></body></html>", "text/html"
    parts = [post.text]
    if post.quotes:
        quoted = f"{post.quotes[1]} wrote:\n{_quoted(post.quotes[2].splitlines())}"
        parts = [quoted, post.text] if post.manner == "below" else [post.text, quoted]
    if post.manner == "signed":
        parts.append(f"-- \n{name}\n“I vote for peace.”")
    return "\n\n".join(parts), "text/plain"


def _quoted(lines: Sequence[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in lines[:8])


DUTY = re.compile(
    r"^- (?P<says>.*(?:\n  (?!NAME can be).*)*)(?:\n  NAME can be: (?P<names>.*(?:\n  .*)*))?", re.MULTILINE)
OPEN = re.compile(r"Open to you by private mail[^\n]*:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
DUE = re.compile(r"^Due by [^:]*:[\d:]+ UTC(?:, in [^:]*)?: ([^.]*)\.", re.MULTILINE)
LIVING = re.compile(r"^(?:Townspersons|Players)(?: at the end)?: ([^.]*)\.", re.MULTILINE)
SEEN = re.compile(r"^(\w+) is (not )?(?:a|one of the) (?:werewolf|Werewolf|Gadianton|mafia)\.", re.MULTILINE)
PACK = re.compile(r"^The (?:werewolves|Werewolves|Gadiantons|mafia)[^:]*: ([^.]*)\.", re.MULTILINE)
DAY = re.compile(r"^Day (\d+) begins", re.MULTILINE)
NIGHT = re.compile(r"^Night (\d+) begins", re.MULTILINE)
STAGE = re.compile(r"^The (discussion|nominations|defence|ballot|verdict) of day \d+\b", re.MULTILINE)
ACCUSED = re.compile(r"^accuse (\w+)", re.MULTILINE)
ABOUT = re.compile(r"^The \w+ of day \d+,\s(?:on|between)\s([^:]*),\s(?:begins?\sat|lasts?\suntil)\s", re.MULTILINE)
FREED = re.compile(r"^(\w+) is acquitted", re.MULTILINE)
VOTE = re.compile(r"^I vote for (\w+)\.", re.MULTILINE)
LYNCHED = re.compile(r"^(\w+) is lynched", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mail:
    """A letter: who wrote it, its body, whether it came through a list, and whether it is the contest's.

    *answer* is the address for answers, '' if there is none.
    """

    message_id: str
    author: str
    subject: str
    body: str
    public: bool
    official: bool
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """Something asked of a player: its *verb*, and how many *names* of which *options* it takes."""

    verb: str
    arity: int
    options: tuple[str, ...]
    may_decline: bool


@lru_cache(maxsize=256)
def read_mail(data: bytes) -> Mail:
    """Return a letter as its reader sees it, cached because a list sends the same to all members."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain", "html"))
    body = part.get_content() if part is not None else ""
    sender = str(message["From"] or "")
    return Mail(
        str(message["Message-ID"] or "").strip(), sender.partition("<")[0].strip(' "'), str(message["Subject"] or ""),
        body.replace("\r\n", "\n"), message["List-Post"] is not None, CONTEST in sender,
        str(message["Reply-To"] or "").strip(),
    )


def asked_of(mail: Mail) -> tuple[Asked, ...]:
    """Return what a private letter demands of its reader; optional deeds are left out."""
    block = OPEN.search(mail.body)
    due = {verb for line in DUE.findall(mail.body) for verb in names_in(line)}
    found = []
    for item in DUTY.finditer(block[1] if block else ""):
        says = " ".join(item["says"].split())
        verb = says.split()[0].rstrip(":,")
        head = says.partition(":")[0].partition(", or")[0]
        if verb in due:
            found.append(Asked(verb, head.count("NAME"), names_in(item["names"] or ""), "nobody" in says))
    return tuple(found)


def names_in(text: str) -> tuple[str, ...]:
    r"""Return the names in a list as letters have it.

    >>> names_in("Ash, Bex and\n  Cam")
    ('Ash', 'Bex', 'Cam')
    """
    return tuple(name for name in re.split(r",\s*|\s+and\s+|\s+", text.strip()) if name)


CROWD_ROUND = 2
"""The round of a day from which everyone follows the crowd, so that the day ends."""
MAX_ROUNDS = 8
"""Rounds of a day in which a player takes part in the vote, so that an undecided one ends."""
MAX_TRIALS = 5
"""Stages of a day after which everyone votes guilty, for the same reason."""
EVERYWHERE = tuple(FORUMS.values())


class Player:
    """A player: *place* in the list determines the habits, *seed* the choices.

    *ways* are those of the rule set. Players answer private letters, so that their deeds need no confirmation.
    """

    def __init__(self, name: str, place: int, seed: str, ways: Ways = Ways()) -> None:
        self.name, self.address = name, address_of(name)
        self._place, self._seed, self._ways = place, seed, ways
        self._contest = CONTEST
        self._read = 0
        self._living: tuple[str, ...] = ()
        self._suspects: list[str] = []
        self._cleared: set[str] = set()
        self._pack: tuple[str, ...] = ()
        self._asked: list[Asked] = []
        self._done: set[tuple[str, str]] = set()
        self._votes: dict[str, str] = {}
        self._latest: Mail | None = None
        self._slip: Mail | None = None
        self._stage, self._stages = "", 0
        self._accused: dict[str, str] = {}
        self._freed: set[str] = set()
        self._named: tuple[str, ...] = ()
        self.phase = "setting up"
        self.round = 0

    def join(self) -> Post:
        """Join the contract in one forum or in both."""
        to = EVERYWHERE if self._place % 3 == 0 else (EVERYWHERE[0], EVERYWHERE[1])[: 1 + self._place % 2]
        words = ("I join this contract.", "I agree to be bound by the Werewolves contract.", "I join.")
        return Post(to, "werewolves", words[self._place % 2 * 2])

    def take_in(self, letters: Sequence[bytes]) -> None:
        """Read what is new among all letters received so far."""
        for data in letters[self._read:]:
            mail = read_mail(data)
            if mail.official and mail.public:
                self._official(mail)
            elif mail.official:
                self._private(mail)
            elif mail.public:
                self._others(mail)
        self._read = len(letters)

    def _official(self, mail: Mail) -> None:
        if found := LIVING.findall(mail.body):
            self._living = names_in(found[-1])
        for dead in LYNCHED.findall(mail.body):
            self._living = tuple(p for p in self._living if p != dead)
        day, night = list(DAY.finditer(mail.body)), list(NIGHT.finditer(mail.body))
        if day and (not night or day[-1].start() > night[-1].start()):
            self.phase, self.round, self._votes, self._slip = f"day {day[-1][1]}", 0, {}, None
            self._stages, self._freed = 0, set()
        elif night:
            self.phase = f"night {night[-1][1]}"
        if stages := STAGE.findall(mail.body):
            self._stage, self.round, self._stages, self._accused = stages[-1], 0, self._stages + 1, {}
        self._freed.update(FREED.findall(mail.body))
        if named := ABOUT.findall(mail.body):
            self._named = names_in(named[-1])
        if "is over" in mail.subject:
            self.phase = "over"
        self._latest = mail

    def _private(self, mail: Mail) -> None:
        self._contest = mail.answer or self._contest
        self._asked = list(asked_of(mail))
        for who, innocent in SEEN.findall(mail.body):
            self._cleared.add(who) if innocent else self._suspects.append(who)
        for names in PACK.findall(mail.body):
            self._pack = names_in(names)

    def _others(self, mail: Mail) -> None:
        if "join" in mail.body or "bound by" in mail.body:
            self._living = tuple(dict.fromkeys((*self._living, mail.author)))
        for whom in VOTE.findall(mail.body)[:1]:
            self._votes[mail.author] = whom
        self._accused.update((whom, mail.author) for whom in ACCUSED.findall(mail.body))
        if mail.author == self.name and any(address in mail.body for address in DISCUSSIONS.values()):
            self._slip = mail
        self._latest = mail

    def write(self) -> list[Post]:
        """Return what the player writes now: private deeds that are due, and by day contributions to the vote."""
        posts = self._deeds()
        if self.phase.startswith("day") and self.name in self._living and self.round < MAX_ROUNDS:
            posts += self._staged() if self._stage else self._voting()
            self.round += 1
        return posts

    def _deeds(self) -> list[Post]:
        lines = [line for each in self._asked if (self.phase, line := self._deed(each)) not in self._done]
        self._done.update((self.phase, line) for line in lines)
        self._asked = []
        manner = "top" if self._place % 4 == 1 else "plain"
        return [Post((self._contest,), "my move", "\n".join(lines), manner, self._answered(manner))] if lines else []

    def _deed(self, each: Asked) -> str:
        if each.may_decline and each.verb != "attack" and self._roll(each.verb) % 2:
            return f"{each.verb} nobody"
        if not each.arity or not each.options:
            return each.verb
        fresh = [o for o in each.options if o not in self._cleared and o not in self._suspects]
        options = fresh if each.verb == "see" and fresh else list(each.options)
        key = each.verb if each.verb == "attack" else f"{each.verb} {self.name}"
        chosen = sorted(options, key=lambda o: self._roll(f"{key} {o}", common=True))[: each.arity]
        return f"{each.verb} {' and '.join(chosen)}"

    def _roll(self, what: str, *, common: bool = False) -> int:
        who = "" if common else self.name
        digest = sha256(f"{self._seed}\n{self.phase}\n{who}\n{what}\n".encode()).digest()
        return int.from_bytes(digest[:4], "big")

    def _answered(self, manner: str) -> tuple[str, str, str] | None:
        latest = self._latest
        return (latest.message_id, latest.author, latest.body) if latest and manner == "top" else None

    def _suspect(self) -> str:
        """Return the chief suspect, in a ballot among *some* one of these."""
        among = self._named if self._stage == "ballot" else self._living
        others = [p for p in among if p != self.name and p not in self._pack] or [p for p in among if p != self.name]
        strangers = [p for p in others if p not in self._freed] or others
        doubtful = [p for p in strangers if p not in self._cleared] or strangers
        known = [p for p in self._suspects if p in among and p in self._living]
        return known[0] if known else min(doubtful, key=lambda p: self._roll(f"suspect {p}"), default="nobody")

    def _crowd(self) -> str:
        """Return the candidate with most votes read so far; even the pack follows the crowd."""
        counts = Counter(whom for who, whom in self._votes.items() if whom in self._living and who in self._living)
        others = [p for p in sorted(counts, key=lambda p: (-counts[p], p)) if p != self.name]
        return others[0] if others else self._suspect()

    def _voting(self) -> list[Post]:
        if self.round >= CROWD_ROUND:
            whom = self._crowd()
            return [] if self._votes.get(self.name) == whom else [self._ballot(f"I vote for {whom}.")]
        return self._second_thoughts() if self.round else self._first_thoughts()

    def _first_thoughts(self) -> list[Post]:
        whom, habit = self._suspect(), self._place % 7
        near = self._neighbour(1 if habit == 3 else -1)
        if habit == 0:
            return [self._ballot(f"No idea, really.\n\nI vote for {whom}.", "top")]
        if habit == 1:
            return [self._ballot(f"I vote for {whom}.", "html")]
        if habit == 2:
            return [self._ballot(f"I vote for {whom}{whom[-1]}.")]
        if habit in (3, 4):
            return [self._ballot(f"I endorse {near}.")]
        if habit == 5:
            return [Post((DISCUSSIONS["agora"],), "who is it?", f"I vote for {whom}.\n\n({DISCUSSIONS['agora']})")]
        return [self._ballot(f"I vote for {whom}.", "signed")]

    def _second_thoughts(self) -> list[Post]:
        whom, habit = self._suspect(), self._place % 7
        if habit == 2:
            return [self._ballot(f"Sorry for the slip. I vote for {whom}.", "top")]
        if habit == 4:
            witness = self._neighbour(1)
            return [self._ballot(f"I vote for {whom} if {witness} is voting for {whom}, otherwise nobody.")]
        if habit == 5 and self._slip is not None:
            quotes = (self._slip.message_id, self.name, self._slip.body)
            return [Post((FORUMS["agora"],), "Re: who is it?", "TTttPF.", "below", quotes)]
        return []

    def _staged(self) -> list[Post]:
        """Take part in a day of stages: accuse and second, nominate, choose and judge."""
        if self._stage == "discussion":
            return self._discussing() if "accuse" in self._ways.verbs else []
        if self.round or self._stage not in ("nominations", "ballot", "verdict"):
            return []
        if self._stage == "nominations":
            return [self._ballot(f"I vote for {self._suspect()}.")]
        if not self._ways.verbs & {"accuse"} and self._stage == "ballot":
            heard = self.name in self._named and not self._ways.sealed
            return [] if heard else [self._ballot(f"I vote for {self._suspect()}.")]
        return [self._ballot("guilty" if self._guilty() else "innocent")]

    def _discussing(self) -> list[Post]:
        """Let one player accuse, and in the next round another second; the others wait."""
        if self._accused:
            accused, accuser = next(iter(self._accused.items()))
            free = [p for p in self._turn() if p not in (accused, accuser)]
            return [self._ballot(f"second {accused}")] if self.round == 1 and free[:1] == [self.name] else []
        return [self._ballot(f"accuse {self._suspect()}")] if not self.round and self._turn()[0] == self.name else []

    def _turn(self) -> list[str]:
        """Return the living in the order in which they speak in this stage."""
        return sorted(self._living, key=lambda p: self._roll(f"turn {self._stages} {p}", common=True))

    def _guilty(self) -> bool:
        """Return the verdict: by knowledge, else by chance, and in the end by impatience."""
        tried = self._named[0] if self._named else ""
        if tried in (self.name, *self._pack):
            return False
        known = tried in self._suspects or self._stages > MAX_TRIALS
        return known or (tried not in self._cleared and bool(self._roll(f"guilty {self._stages}") % 4))

    def _neighbour(self, step: int) -> str:
        living = sorted(self._living)
        return living[(living.index(self.name) + step) % len(living)]

    def _ballot(self, text: str, manner: str = "plain") -> Post:
        if self._ways.sealed:
            return Post((self._contest,), "my ballot", text)
        to = (EVERYWHERE[self._place % 2],) if self._place % 3 else EVERYWHERE
        return Post(to, "Re: who is it?" if manner == "top" else "who is it?", text, manner, self._answered(manner))
