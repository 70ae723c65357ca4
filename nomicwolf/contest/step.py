"""One step: happening, work, outcome, and the channels.

NC 1g: “Whatever is said about the contract belongs in a forum of every nomic where it is in force”.

A letter's acts take effect at an instant that depends on the channel (D-N9).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TypeAlias

from nomicwolf.letters.attribution import Authored
from nomicwolf.letters.identity import Identified, Trust, fold_address, identify, vouched
from nomicwolf.letters.letter import Assurance, Bucket, ForumInfo, Letter, Outgoing
from nomicwolf.letters.origin import OwnMarks, answerable
from nomicwolf.nomic.delivery import ANSWERS, LOUD, NOBODY, OVER, ToldOnce, spent_today
from nomicwolf.nomic.events import Noted, Refused
from nomicwolf.nomic.law import duty_verb, public_verbs
from nomicwolf.nomic.setup import DAY, PRIVATE, Forum, Setup
from nomicwolf.nomic.state import Contest, Person
from nomicwolf.reading.deeds import Reading
from nomicwolf.village.day_replay import effective as stamped_by
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_in, ruleset


def whole_number(text: str) -> int | None:
    """Return the number from 0 on that *text* writes in up to 18 digits, None for anything else.

    >>> whole_number("12"), whole_number("-1"), whole_number("\u00b2"), whole_number("9" * 5000)
    (12, None, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= 18 else None


class Misuse(Refusal):
    """An order that can't be understood as it is written: wrong use, exit status 2."""


@dataclass(frozen=True, slots=True)
class Command:
    """The contestmaster gave a command on their own machine.

    *phase* names the phase it is meant for (``night 1``), if any: it is refused when that has passed. *letter* is
    the letter that it is about (``release``), made again from the ledger's bytes; *since* and *run* as in `Tick`.
    """

    name: str
    args: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    phase: str = ""
    letter: Letter | None = None
    since: int = 0
    run: int = 0

    def get(self, name: str) -> str:
        """Return the argument *name* as text, '' if it was not given."""
        value = self.args.get(name, "")
        return value if isinstance(value, str) else " ".join(value)

    def words(self, name: str, missing: str, cites: tuple[str, ...] = ()) -> str:
        """Return the argument *name* without what is blank around it; `Misuse` says *missing* if nothing is left."""
        text = self.get(name).strip()
        if not text:
            raise Misuse(missing, cites)
        return text

    def number(self, name: str) -> int | None:
        """Return the argument *name* as a whole number, None if it was not given; `Misuse` if it is none."""
        text = self.get(name)
        number = whole_number(text)
        if text and number is None:
            raise Misuse(f"{text[:40]!r} is no number; write it in digits.")
        return number

    def many(self, name: str) -> tuple[str, ...]:
        """Return the argument *name* as a list; commas separate what was given as one text."""
        value = self.args.get(name, ())
        parts = value.split(",") if isinstance(value, str) else value
        return tuple(p.strip() for p in parts if p.strip())


Parse: TypeAlias = Callable[[Sequence[str]], Command]
"""The words of a command line to a command, as the command line's own parser has it; ValueError for one it refuses."""


def parse_order(line: str, parse: Parse) -> Command:
    """Return the command of a written *line*, with or without ``nomicwolf`` before it; ValueError if it is none."""
    words = shlex.split(line)
    return parse(words[1:] if words[:1] == ["nomicwolf"] else words)


@dataclass(frozen=True, slots=True)
class LetterCame:
    """A letter came in.

    For orders of the contestmaster's by mail, *parse* is the command line's own parser (ValueError for what is no
    order), and *again* makes a held letter anew, by the number of its entry, from the ledger's bytes. *returned* says
    which letter of ours came back with it, for the contestmaster; *run* as in `Tick`.
    """

    letter: Letter
    parse: Parse | None = None
    again: Callable[[int], Letter | None] | None = None
    returned: str = ""
    run: int = 0


@dataclass(frozen=True, slots=True)
class Tick:
    """Nothing but time; *since* is when time last passed before (UTC seconds; 0: not long ago).

    *run* is the number of the run in which it passes: what was told to somebody in one run isn't told them again in it.
    Of a run that is this one happening alone it is 0. It ends the run: what its letters brought is posted with it. If
    it is not to *pass*, time stands still, and only that is done.
    """

    since: int = 0
    run: int = 0
    passes: bool = True


Happening: TypeAlias = LetterCame | Command | Tick


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a happening.

    *contest* is the contest after it, *entries* what is new in its record, *letters* what is now owed;
    *bucket*, *author* and *why* tell where a letter ended; *said* is for the terminal, *status* its exit status.
    """

    contest: Contest
    entries: tuple[Entry, ...] = ()
    letters: tuple[Outgoing, ...] = ()
    bucket: Bucket | None = None
    author: str = ""
    why: str = ""
    said: str = ""
    status: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a letter ended: its *bucket*, its *author*, *why* (for the contestmaster), and how *sure* the author is."""

    bucket: Bucket
    author: str = ""
    why: str = ""
    sure: Assurance = "none"


@dataclass(frozen=True, slots=True)
class ReadLetter:
    """A letter that is its author's, and read.

    *number* is its entry, *channel* the way it came, *text* what is the author's own, *reading* what that does, *sure*
    how certain the author is.
    """

    letter: Letter
    number: int
    author: str
    channel: str
    text: Authored
    reading: Reading
    sure: Assurance


Move = Callable[[Game], tuple[Game, tuple[Entry, ...]]]


class Work:
    """A contest that goes on: events are added to it, moves are made in its session.

    *now* is the instant of the poll or command, UTC seconds; *entries* is what is new, in order. *settle* lets all
    happen in a step that was sent or is due up to an instant. *run* is the number of the run that it is a step of, 0 if
    it is one by itself.
    """

    def __init__(
        self, contest: Contest, now: int, settle: Callable[[Work, int], None] | None = None, run: int = 0
    ) -> None:
        self.contest = contest.branch()
        if not run or run != contest.told.run:
            self.contest.told = ToldOnce(run)
        self.now = now
        self.entries: list[Entry] = []
        self._settle = settle

    @property
    def rules(self) -> Ruleset:
        """The rule set of the present or latest session, else the one that the settings name."""
        game = self.contest.game
        return rules_in(game) if game is not None and game.opened else ruleset(self.contest.setup.ruleset)

    def catch_up(self, at: int) -> None:
        """Execute what was sent or is due up to *at*, before something that happens out of its turn (D-A4)."""
        if self._settle is not None:
            self._settle(self, at)

    def add(self, event: Event, at: int | None = None, cites: tuple[str, ...] = (), cause: str = "") -> Entry:
        """Record *event* at *at* (default: now); an answer that this run has given already is quiet."""
        if isinstance(event, ANSWERS) and self.contest.told.before(event):
            event = replace(event, quiet=True)
        entry = Entry(self.contest.last + 1, self.now if at is None else at, event, cites, cause)
        self.contest.record(entry)
        self.contest.told = self.contest.told.after(event)
        self.entries.append(entry)
        return entry

    def play(self, move: Move) -> tuple[Entry, ...]:
        """Make *move* in the session; nothing is changed if it raises."""
        game = self.contest.game
        assert game is not None
        game = game.branch()
        game.next = self.contest.last + 1
        game, entries = move(game)
        self.contest.absorb(game, entries)
        self.entries.extend(entries)
        return entries


DISCUSSION = "discussion"


def forums_of(setup: Setup) -> tuple[ForumInfo, ...]:
    """Return each nomic's forum under the nomic's name, and all discussion forums as one, ``discussion``."""
    talk = tuple(f.discussion for f in setup.forums if f.discussion)
    public = tuple(_info(f) for f in setup.forums)
    return (*public, ForumInfo(DISCUSSION, talk)) if talk else public


def _info(forum: Forum) -> ForumInfo:
    ids = (forum.list_id,) if forum.list_id else ()
    hosts = (forum.received_by,) if forum.received_by else ()
    return ForumInfo(forum.nomic, (forum.address,), ids, hosts)


def forums_reached(nomics: tuple[str, ...], letter: Letter) -> tuple[str, ...]:
    """Return the nomics whose forum this copy of *letter* came through; of a copy through no list, those it names.

    One letter to two forums comes once through each, unless the mailbox keeps one copy only (NC 1g, CFJ 2800).
    """
    through = tuple(n for n in nomics if n in letter.through)
    return through or tuple(n for n in nomics if n in letter.forums)


def trust_of(setup: Setup) -> Trust:
    """Return whose word on a letter's author counts."""
    return Trust(setup.authserv_ids, setup.forum_authserv_ids, forums_of(setup), setup.stamps_prove)


def marks_of(setup: Setup) -> OwnMarks:
    """Return what the contest's own mail is known by."""
    return OwnMarks(setup.secret, (setup.address,), setup.contest)


def known_persons(contest: Contest) -> tuple[Person, ...]:
    """Return everyone whose letters are heard: the persons of the roster, and the contestmaster."""
    setup, persons = contest.setup, contest.persons
    master = persons.get(setup.contestmaster)
    others = tuple(p for name, p in persons.items() if name != setup.contestmaster)
    addresses = tuple(dict.fromkeys((*setup.contestmaster_addresses, *(master.addresses if master else ()))))
    return (*others, Person(setup.contestmaster, addresses)) if addresses else others


def author_of(contest: Contest, letter: Letter) -> Identified:
    """Return who wrote *letter*, and how sure that is."""
    return identify(letter, known_persons(contest), trust_of(contest.setup))


def channel_of(contest: Contest, letter: Letter) -> str:
    """Return where *letter* was sent: the first nomic whose forum has it, else ``discussion`` or ``contestmaster``."""
    public = forums_reached(contest.setup.nomics, letter)
    return public[0] if public else DISCUSSION if DISCUSSION in letter.forums else PRIVATE


def effective_at(contest: Contest, letter: Letter) -> int:
    """Return the instant at which what *letter* does takes effect (D-N9, D-V10).

    It is never later than the letter arrived, but where a nomic takes the sender's date as it is.
    """
    forums = map(contest.setup.forum, forums_reached(contest.setup.nomics, letter))
    return min((effective_in_forum(forum, letter) for forum in forums if forum is not None), default=letter.arrived)


def effective_in_forum(forum: Forum, letter: Letter) -> int:
    """Return the instant of *letter*, which came through *forum*, by the clock that its nomic has chosen (D-V10)."""
    stamp = min(dict(letter.stamps).get(forum.nomic, letter.arrived), letter.arrived)
    return stamped_by(letter.sent if letter.sent is not None else stamp, stamp, forum.instant)


KILLS = ("attack", "shoot")
"""Verbs that anyone may use for what their role kills by."""
DEAD = "You are dead, and the dead take no part."
SPOKEN = ("accuse", "second")
"""Verbs of games in which somebody is accused in a forum before a vote on them."""


def can_do(rules: Ruleset, game: Game, who: str, verb: str) -> bool:
    """Return whether *who* can do *verb* now, by the right way: a killed Hunter can still shoot (NC 7c)."""
    return any(d.verb == duty_verb(verb) for d in rules.duties(game, who))


def why_no_accusation(rules: Ruleset, verb: str) -> str:
    """Return why *verb* does nothing in games without accusations; '' in other games, and for other verbs."""
    if verb not in SPOKEN or verb in public_verbs(rules):
        return ""
    return f"There are no accusations in {rules.title}, only votes."


def wrong_channel(rules: Ruleset, verb: str, channel: str, nomics: tuple[str, ...]) -> str:
    """Return why a deed can't be done by this way, '' if it can."""
    if channel != PRIVATE and (why := why_no_accusation(rules, verb)):
        return why
    if verb in public_verbs(rules):
        if channel in nomics:
            return ""
        if channel == "discussion":
            return ("The discussion forum is not public, so this does not count. Post it to the forum itself: your own "
                    "letter, sent on to it with TTttPF above, counts from then.")
        return ("This does not count by private mail: post it to the list. If you post it to the forum, everyone can "
                "see it.")
    if channel == PRIVATE:
        return ""
    return (
        "What belongs in private mail was posted where others can read it. Write to the contestmaster's address alone."
    )


CITES = ("D-N47",)


def cap_exceeded(work: Work, author: str, letter: Letter, deeds: int = 0) -> str:
    """Return why *letter*, *author*'s, with so many *deeds* is more than the day has on which it came; '' if not.

    The contestmaster has no caps.
    """
    contest = work.contest
    caps, spent = contest.setup.caps, spent_today(contest.spent, author, min(letter.arrived, work.now))
    if author == contest.setup.contestmaster:
        return ""
    if not deeds and caps.letters and spent.letters >= caps.letters:
        return _cap_text(caps.letters, "letters")
    if deeds and caps.deeds and spent.deeds + deeds > caps.deeds:
        return _cap_text(caps.deeds, "deeds")
    return ""


@cache
def _cap_text(most: int, what: str) -> str:
    """Return why a letter above the cap is held; all letters of a flood share this text."""
    return f"{OVER}{most} {what} a day"


def report_flood(work: Work, author: str, at: int, why: str, number: int) -> None:
    """Tell *author* and the contestmaster of the first letter held for a flood; hold later ones quietly."""
    if spent_today(work.contest.spent, author, min(at, work.now)).over > 1:
        return
    told = (f"Your letter is {why}: it waits for the contestmaster, and so does whatever else you write that is above "
            "it, until midnight UTC. You are told so only once.")
    work.add(Refused(0, author, "", "", told), cites=CITES, cause=f"letter {number}")
    work.add(Noted("flood", f"{author}'s letter {number} is {why}: it is held, and so are further ones today. The sum "
                            "follows at midnight UTC."), cites=CITES, cause=f"letter {number}")


def is_quiet(contest: Contest, at: int) -> bool:
    """Return whether further letters from unknown senders are summarised today, not reported one by one."""
    return spent_today(contest.spent, NOBODY, at).over > LOUD


def newcomers_left(contest: Contest, at: int) -> int:
    """Return how many more would-be parties may be reported to the contestmaster today."""
    return LOUD - spent_today(contest.spent, NOBODY, at).newcomers


def forgeries_left(contest: Contest, at: int) -> int:
    """Return how many more forgeries may be reported to the contestmaster today."""
    return LOUD - spent_today(contest.spent, NOBODY, at).forgeries


def may_answer(contest: Contest, letter: Letter, address: str, at: int) -> bool:
    """Return whether *letter*, a stranger's, may be answered at *address*: once a day, and only so many strangers.

    Nobody is answered who may not have written it (RFC 3834 2, D-A17), and no machine is.
    """
    told = spent_today(contest.spent, NOBODY, at).strangers
    return (fold_address(address) not in told and len(told) < LOUD and vouched(letter, address, trust_of(contest.setup))
            and answerable(letter, marks_of(contest.setup)))


def answers_left(work: Work, letter: Letter, author: str) -> bool:
    """Return whether *author* may be answered once more today, and in this run (RFC 3834 2); say so when that ends."""
    contest = work.contest
    now = spent_today(contest.spent, author, min(letter.arrived, work.now))
    caps, given = contest.setup.caps.answers, max(now.answers, contest.told.to(author))
    full = bool(caps) and given >= caps and author != contest.setup.contestmaster
    if caps and given == caps and full:
        told = f"These were {caps} answers today. What you ask now is answered no more until midnight UTC."
        work.add(Refused(0, author, "", "", told), cites=CITES)
    return answerable(letter, marks_of(contest.setup), [a for _, a in letter.senders] if full else ())


def alarm(contest: Contest) -> tuple[int, str] | None:
    """Return the midnight at which the letters held in a day's flood are reported."""
    days = [s.since for s in contest.spent.values() if s.untold]
    return ((min(days) + 1) * DAY, "digest") if days else None


def strike(work: Work, at: int) -> None:
    """Report the number of letters that were held."""
    told = [f"{who or 'nobody for certain'}: {s.untold}" for who, s in sorted(work.contest.spent.items()) if s.untold]
    work.add(Noted("digest", "Letters that were held above the day's limits, by author: " + "; ".join(told) + ". See "
                             "`nomicwolf held`."), at, CITES, "clock")
