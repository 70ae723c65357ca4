"""The public half of a record, and its history.

The history has one line per event, for the terminal and for webhooks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from hmac import new as keyed
from itertools import takewhile
from typing import Any, Literal

from nomicwolf.nomic import delivery, law, law_events
from nomicwolf.nomic import events as nomic
from nomicwolf.nomic.events import CopyHeard, DeedHeard, LetterHeard, SessionStarted
from nomicwolf.nomic.setup import DAY, Alerted, PolicyAnnounced, Prodded, Setup, StandbyEnded, StandbyOffered
from nomicwolf.nomic.state import AWAITED, Contest
from nomicwolf.nomic.times import iso, when
from nomicwolf.reports.layout import clean
from nomicwolf.village import events as village
from nomicwolf.village.ballots import ballot_text
from nomicwolf.village.events import PUBLIC, DeathsAnnounced, Disclosed, Ended, Entry, Event, Lynched, Opened, numbered
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import VERDICTS
from nomicwolf.village.role_file import name_of
from nomicwolf.village.rules import Refusal, listed
from nomicwolf.village.rulesets import BUILT_IN, ruleset

ENDING = (Lynched, Disclosed, DeathsAnnounced, Ended)


def is_public(event: Event) -> bool:
    """Return whether everyone may know *event*."""
    return event.readers() == PUBLIC


def fold(setup: Setup, entries: Iterable[Entry]) -> Contest:
    """Return the contest as the public *entries* describe it.

    Its session opens with the players' names alone: seats without roles or sides, and no seed. Townspersons live in it
    until their deaths are public.
    """
    contest = Contest(setup)
    apply_public(contest, entries)
    return contest


class FoldedPlaces:
    """The contest at any place of a record of *entries*.

    Places asked for in ascending order fold each entry once. *follow* applies entries: `apply_public` or
    `Contest.take`.
    """

    def __init__(
        self, setup: Setup, entries: Sequence[Entry], follow: Callable[[Contest, Iterable[Entry]], None],
    ) -> None:
        self._setup, self._entries, self._follow = setup, entries, follow
        self._place, self._contest = 0, Contest(setup)

    def at(self, place: int) -> Contest:
        """Return the contest before entry *place*, counted from 0. Callers must not change it."""
        if place < self._place:
            self._place, self._contest = 0, Contest(self._setup)
        contest = self._contest.branch()
        self._follow(contest, self._entries[self._place:place])
        self._place, self._contest = place, contest
        return contest


def public_record(contest: Contest, without: Container[int] = ()) -> tuple[list[Entry], Contest]:
    """Return the public entries of *contest*, but for those numbered in *without*, and the contest they describe."""
    record = [e for e in contest.entries if is_public(e.event) and e.number not in without]
    return record, fold(contest.setup, record)


def ending_of(contest: Contest) -> tuple[Entry, ...]:
    """Return the public entries of the instant at which the latest session ended."""
    last = numbered(contest.entries, contest.recalled.ended)
    if last is None:
        return ()
    session = [*takewhile(lambda e: not isinstance(e.event, SessionStarted), reversed(contest.entries))][::-1]
    return tuple(e for e in session if e.at == last.at and isinstance(e.event, ENDING) and e.number <= last.number)


def unannounced(contest: Contest) -> frozenset[int]:
    """Return the numbers of the public entries of an end that is still waiting for P (D-N21)."""
    if contest.session not in contest.awards_held:
        return frozenset()
    return frozenset(e.number for e in ending_of(contest))


def apply_public(contest: Contest, entries: Iterable[Entry]) -> None:
    """Apply the public *entries* to *contest*, which holds what everyone may know."""
    for entry in entries:
        if isinstance(entry.event, DeedHeard):
            contest.last = entry.number
            continue
        if contest.game is not None:
            contest.game.alive = _alive_after(contest.game.alive, entry.event)
        contest.record(entry)
        if isinstance(entry.event, SessionStarted):
            contest.record(Entry(entry.number, entry.at, _opened(contest.setup, entry.event)))


def _alive_after(alive: frozenset[str], event: Event) -> frozenset[str]:
    """Return who is publicly alive once *event* is known."""
    match event:
        case Lynched(who):
            return alive - {who}
        case DeathsAnnounced(killed, revived):
            return (alive - {*killed}) | {*revived}
        case _:
            return alive


def _opened(setup: Setup, started: SessionStarted) -> Opened:
    """Return the opening of a session as everyone may know it, with the switches that the settings publish."""
    deal = tuple((who, "", "") for who in started.players)
    return Opened(started.ruleset, started.session, "", deal, switches(setup, started.ruleset), started.roles)


def switches(setup: Setup, name: str) -> tuple[tuple[str, str], ...]:
    """Return the switches of the rule set *name* as the settings publish them, defaults included."""
    try:
        known = ruleset(name).switches
    except Refusal:  # a rule set of another package that is not installed here: its switches can't be told
        return ()
    return tuple((s.name, setup.switches.get(s.name, s.usual)) for s in known)


COPY_LATE = DAY
"""Seconds by which a forum's copy of a letter may be late, because forums moderate."""


def echoing_forums(contest: Contest) -> frozenset[str]:
    """Return the nomics whose forums send us our own posts: only there does a missing echo mean anything."""
    return contest.echoed & frozenset(contest.setup.nomics)


def one_forum_only(contest: Contest) -> tuple[tuple[int, str, str], ...]:
    """Return (letter, author, nomic) for each public letter with deeds that reached only one of several forums (NC 1g).

    Only letters since the latest session began are considered; before the first session, all are.
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


def unseen_letters(contest: Contest, now: int) -> Iterator[tuple[int, LetterHeard]]:
    """Yield each letter that for over a day has counted by its own To or Cc alone, although the forum stamps its mail.

    A letter that reached the contest and nobody else would not be a public message (NC 1g).
    """
    since = now - AWAITED
    for number, (at, letter) in contest.recalled.unseen.items():
        stamping = contest.recalled.stamping.get(letter.channel, 0) > since
        if stamping and at > since and letter.arrived <= now - COPY_LATE:
            yield number, letter


SIDE_NAMES = {"gadiantons": "Gadiantons", "nephites": "Nephites", "werehamster": "Werehamster"}
"""Names of sides in prose, where they differ from the word itself."""
ALONE = ("werehamster",)
"""Sides with a single member."""


def side_name(side: str) -> str:
    """Return what *side* is called in prose.

    >>> side_name("nephites"), side_name("villagers")
    ('Nephites', 'villagers')
    """
    return SIDE_NAMES.get(side, side.replace("-", " "))


def role_and_side(rules: Ruleset, role: str, side: str) -> str:
    """Return a role as its players know it, with its side, as revealed at the end of a session."""
    return f"{rules.roles[role].title or role} ({side_name(side)})"


def with_article(what: str) -> str:
    """Return what someone was, with its article.

    >>> with_article("werewolf"), with_article("not a werewolf"), with_article("Owl")
    ('a werewolf', 'not a werewolf', 'an Owl')
    """
    if what.startswith(("not ", "a ", "an ", "the ")):
        return what
    return f"{'an' if what[:1] in 'AEIOUaeiou' else 'a'} {what}"


def victory(side: str) -> str:
    """Return that *side* has won, in words.

    >>> victory("gadiantons"), victory("werehamster"), victory("serial-killer")
    ('the Gadiantons win', 'the Werehamster wins', 'the serial killer wins')
    """
    several = side not in ALONE and any(r.side == side for rules in BUILT_IN.values() for r in rules.roles.values())
    return f"the {side_name(side)} {'win' if several else 'wins'}"


DECLARATIONS = {"accuse": "accuses", "second": "seconds the accusation of"}
"""Declarations in a forum, as verbs followed by a name."""


LYNCHED = "lynched"
"""What befalls whoever is voted out, where a rule set has no other word for it."""


def event_line(event: Event, rules: str = "") -> str:
    """Return what happened, in one line, with the words of the rule set called *rules*."""
    if rules and isinstance(event, village.Lynched):
        return clean(f"{event.who} is {condemned_word(rules)}")
    saying = SAYINGS.get(type(event))
    return clean(saying(event)) if saying else clean(_plain(event))


def event_lines(entries: Iterable[Entry]) -> Iterator[tuple[Entry, str]]:
    """Yield each of *entries*, a record from its beginning, with what happened, in the words of its session."""
    rules = ""
    for entry in entries:
        if isinstance(entry.event, nomic.SessionStarted):
            rules = entry.event.ruleset
        yield entry, event_line(entry.event, rules)


def rules_played(contest: Contest) -> str:
    """Return the name of the rule set of the present session, or of the last one; '' before the first."""
    opened = contest.game.opened if contest.game is not None else None
    return opened.ruleset if opened is not None else ""


def condemned_word(rules: str) -> str:
    """Return what befalls whoever is voted out in the rule set called *rules*, as far as it is installed.

    >>> condemned_word("gadianton"), condemned_word("")
    ('convicted', 'lynched')
    """
    try:
        return ruleset(rules).condemned if rules else LYNCHED
    except Refusal:
        return LYNCHED


def _plain(event: Event) -> str:
    """Return an event of another package in words: its name and its fields."""
    said = "; ".join(f"{f.name}: {getattr(event, f.name)}" for f in fields(event))  # type: ignore[arg-type]
    return f"{event.name.replace('-', ' ')}: {said}" if said else event.name.replace("-", " ")


def _counted(event: village.Counted) -> str:
    counts = ", ".join(f"{who} {number}" for who, number in event.counts) or "nobody has a vote"
    enough = f" ({event.majority} {'convict' if dict(event.counts).keys() & {*VERDICTS} else 'lynch'})"
    return f"count: {counts}{enough if event.majority else ''}"


def _chose(event: village.Chose | village.Declared) -> str:
    acting = f" (by {event.by})" if event.by else ""
    words = event.words if isinstance(event, village.Chose) else ""
    said = f"{event.verb}: {words}" if words else f"{event.verb} {listed(event.what)}"
    return f"{event.who}: {said}{acting}"


def _declared(event: village.Declared) -> str:
    done = DECLARATIONS.get(event.verb)
    return f"{event.who} {done} {listed(event.what)}" if done and event.what and not event.by else _chose(event)


def _heard(event: nomic.LetterHeard) -> str:
    why = f": {event.why}" if event.why else ""
    author = event.author or ("the contest" if event.bucket == "own" else "someone")
    return f"letter from {author} through {event.channel}: {event.bucket}{why}"


def _set_aside(event: law.SetAside) -> str:
    wanted = "; ".join(event.order or tuple(deed.says for deed in event.deeds))
    return (f"letter {event.letter} in {event.who}'s name waits to be confirmed: {wanted} (certain as {event.reached}, "
            f"needed: {event.needed}; {event.phase}, until {when(event.until)})")


def _confirmed(event: law.Confirmed) -> str:
    if event.by.startswith("nothing"):
        return f"what waited in entry {event.aside} is not done: others could read the word that was sent"
    by = {"token": "the word that was sent", "copy": "a copy that is more certain"}.get(event.by, event.by)
    return f"what waited in entry {event.aside} is confirmed by {by}"


def _erased(event: nomic.Erased) -> str:
    what = f"{event.who} was taken out of the ledger" if event.who else "old letters were forgotten"
    counts = ((event.entries, "entries"), (event.letters, "letters that came"), (event.owed, "letters that were owed"))
    said = tuple(f"{sum(last - first + 1 for first, last in spans)} {name}" for spans, name in counts if spans)
    return f"{what}: {listed(said) or 'nothing'} written anew"


SAYINGS: dict[type, Callable[[Any], str]] = {
    nomic.Erased: _erased,
    village.Opened: lambda e: "dealt: " + ", ".join(f"{who} {role}" for who, role, _ in e.deal),
    village.RolesBrought: lambda e: f"roles of the session's own: {listed(tuple(map(name_of, e.roles)))}",
    village.Drawn: lambda e: f"drawn for {e.purpose}: {listed(e.result)}",
    village.PhaseBegan: lambda e: f"{e.phase} {e.number} begins",
    village.StageBegan: lambda e: (
        f"{e.stage} begin{'' if e.stage.endswith('s') else 's'}" + (f", until {when(e.until)}" if e.until else "")),
    village.ClockStruck: lambda e: f"the clock strikes: {e.what}",
    village.Chose: _chose,
    village.Declared: _declared,
    village.Voted: lambda e: f"{e.who} votes: {ballot_text(e.ballot)}{' (a late copy)' if e.late else ''}",
    village.Counted: _counted,
    village.Extended: lambda e: f"the deadline is now {when(e.until)}",
    village.BallotsOpened: lambda e: "ballots: " + ", ".join(f"{who}: {value or 'nobody'}" for who, value in e.votes),
    village.NightClosed: lambda e: "no more night deeds are taken",
    village.Nominated: lambda e: f"nominated: {listed(e.names)}",
    village.Tried: lambda e: f"{e.who} is on trial",
    village.Acquitted: lambda e: f"{e.who} is acquitted",
    village.Lynched: lambda e: f"{e.who} is {LYNCHED}",
    village.Due: lambda e: f"due at the end of the phase: {event_line(e.event)}",
    village.Completed: lambda e: "everything that was owed has been done",
    village.Dawned: lambda e: "the night ends",
    village.Agreed: lambda e: f"{listed(e.pack)} agree{'s' if len(e.pack) == 1 else ''}: {e.verb} {listed(e.whom)}",
    village.Seen: lambda e: f"{e.by} sees {e.who}",
    village.Joined: lambda e: f"Lovers: {listed(e.lovers)}",
    village.Killed: lambda e: f"{e.who} is killed ({e.cause})",
    village.Revived: lambda e: f"{e.who} lives again",
    village.Turned: lambda e: f"{e.who} becomes {e.role}",
    village.Disclosed: lambda e: f"{e.who} was {with_article(e.what)}",
    village.DeathsAnnounced: lambda e: (
        f"killed: {listed(e.killed)}" if e.killed else "nobody was killed"
    ) + (f"; back: {listed(e.revived)}" if e.revived else ""),
    village.VotesWeighed: lambda e: "votes count: " + ", ".join(f"{who}'s as {n}" for who, n in e.weights),
    village.Announced: lambda e: f"announced: {e.text}",
    village.Told: lambda e: f"told to {e.to}: {e.text}",
    village.Published: lambda e: f"published: \"{e.text}\" is {'so' if e.value else 'not so'}",
    village.Undone: lambda e: f"these entries count as if they had not happened: {listed(tuple(map(str, e.numbers)))}",
    village.Removed: lambda e: f"{e.who} leaves: {e.why}",
    village.Replaced: lambda e: f"{e.new} takes over from {e.old}",
    village.Ended: lambda e: "the session is over: " + (
        f"{victory(e.side)}; winners: {listed(e.winners)}" if e.winners else "nobody wins"),
    village.Recounted: lambda e: f"{e.who}'s vote of {when(e.since)} was heard late: counted again",
    village.Voided: lambda e: f"{e.who}'s vote of {when(e.cast)} does not count: the vote was over at {when(e.over)}",
    nomic.PersonKnown: lambda e: f"{e.who} writes from {', '.join(e.addresses)}",
    nomic.PartyJoined: lambda e: f"{e.who} joins in {e.nomic}",
    nomic.PartyLeft: lambda e: f"{e.who} leaves in {e.nomic}" + (f": {e.why}" if e.why else ""),
    nomic.LetterHeard: _heard,
    nomic.CopyHeard: lambda e: f"a copy of letter {e.letter} through {e.channel}",
    nomic.DeedHeard: lambda e: f"{e.who} writes: {e.says}",
    nomic.DeedMoved: lambda e: f"deed {e.deed} takes effect at {when(e.instant)}",
    nomic.DeedDone: lambda e: f"done for {e.who}: {e.says}",
    nomic.Refused: lambda e: ": ".join(part for part in (f"refused to {e.who}", e.text, e.why) if part),
    nomic.Asked: lambda e: f'asked {e.who} about "{e.text}": {e.problem}',
    law_events.QuestionAsked: lambda e: f"{e.who} asks the contestmaster: {e.words}",
    law_events.QuestionAnswered: lambda e: f"question {e.question} is answered: {e.text}",
    nomic.Answered: lambda e: f"answered {e.who}: {e.topic}",
    nomic.LetterHeld: lambda e: f"letter {e.letter} is held: {e.why}",
    nomic.LetterReleased: lambda e: f"letter {e.letter} is released as {e.author}'s",
    nomic.LetterRejected: lambda e: f"letter {e.letter} is rejected: {e.why}",
    nomic.SessionStarted: lambda e: f"session {e.session} of {e.ruleset} begins with {listed(e.players)}",
    nomic.SessionStopped: lambda e: f"session {e.session} is ended by the contestmaster: {e.why}",
    nomic.CountPosted: lambda e: "a vote count is posted",
    nomic.LimitConfirmed: lambda e: f"P of {e.nomic} is {e.points}: {e.how}",
    nomic.AwardsHeld: lambda e: f"the awards wait for P of {e.nomic}",
    nomic.Awarded: lambda e: f"award {e.number}: {e.amount} {e.what} to {e.who} in {e.nomic}",
    nomic.Revealed: lambda e: "roles and seed are told" if e.deal else "roles stay secret",
    nomic.Ruled: lambda e: f"ruling: {e.text} (authority: {e.authority})",
    nomic.ActedFor: lambda e: f"the contestmaster acts for {e.who}: {e.says}",
    law_events.Paused: lambda e: f"the session is paused: {e.why}",
    law_events.PauseEnded: lambda e: f"the pause since {when(e.since)} is over",
    PolicyAnnounced: lambda e: f"the policy on absence is announced: {', '.join(e.policy.steps) or 'none'}",
    Prodded: lambda e: f"{e.who} has been silent since {when(e.since)}, and is named",
    StandbyOffered: lambda e: f"{e.who} is on standby",
    StandbyEnded: lambda e: f"{e.who} is on standby no more",
    Alerted: lambda e: f"the contestmaster is told: {e.text}",
    nomic.Reminded: lambda e: f"{e.who} is reminded: {e.verb}",
    law_events.IntentAnnounced: lambda e: f"intent {e.number}: {e.action} {e.who}".rstrip(),
    law_events.IntentPosted: lambda e: f"the announcement of intent {e.intent} is owed to {e.nomic}",
    law_events.IntentPublished: lambda e: f"{e.nomic} has published intent {e.intent} at {when(e.at)}",
    law_events.Objected: lambda e: f"{e.who} objects to intent {e.intent}",
    law_events.ObjectionWithdrawn: lambda e: f"{e.who} no longer objects to intent {e.intent}",
    law_events.IntentEffective: lambda e: f"intent {e.intent} takes effect in {e.nomic} {e.how}",
    law_events.IntentBlocked: lambda e: f"intent {e.intent} is blocked in {e.nomic}: {e.why}",
    law_events.Amended: lambda e: f"the contract is amended: version {e.version}",
    law_events.SubgameEnded: lambda e: "the subgame is ended",
    law_events.ClockTurned: lambda e: f"the clock of {e.nomic} is {'on' if e.on else 'off'}",
    law_events.ContestmasterChanged: lambda e: f"{e.who} is contestmaster in {e.nomic}: {e.how}",
    law_events.PartyStatus: lambda e: f"status of {e.who} in {e.nomic}: " + ", ".join(
        word if holds else f"not {word}" for word, holds in e.status),
    law_events.MemberReminded: lambda e: f"{e.who} is reminded to join in {e.nomic}",
    delivery.ObserverCame: lambda e: f"{e.who} observes{', in one letter a day' if e.daily else ''}",
    delivery.ObserverLeft: lambda e: f"{e.who} observes no more",
    delivery.DigestChosen: lambda e: f"{e.who} gets {'one letter a day' if e.daily else 'each letter by itself'}",
    delivery.PutOff: lambda e: f"what {e.who} would be told waits for eir daily letter",
    delivery.DigestSent: lambda e: f"daily letters go out to {listed(e.to)}",
    law_events.AbsenceAnnounced: lambda e: f"{e.who} is away from {when(e.since)} to {when(e.until)}",
    law_events.AbsenceEnded: lambda e: f"{e.who} is back",
    law_events.HolidayDeclared: lambda e: f"holiday in {e.nomic} from {when(e.since)} to {when(e.until)}",
    law_events.HolidayUndone: lambda e: (
        f"no holiday in {e.nomic} from {when(e.since)} to {when(e.until)}, contrary to what was told: {e.why}"),
    law_events.GuardRaised: lambda e: f"nobody polled since {when(e.since)}: no deadline bites until `resume`",
    law_events.GuardLifted: lambda e: f"the outage since {when(e.since)} is over: deadlines bite again",
    law_events.StrangerAnswered: lambda e: f"{e.address}, a stranger who wants to join, is answered: {e.why}",
    law_events.AddressAsked: lambda e: f"{e.who} asks to write from {e.address}",
    law_events.AddressConfirmed: lambda e: (
        f"the {e.side} address agrees to what was asked in entry {e.asked}" if e.side in ("old", "new") else
        f"what was asked in entry {e.asked} is not done: others could read a word that was sent"),
    law_events.StatisticsChosen: lambda e: f"{e.who} {'is' if e.listed else 'is not'} in the statistics from now on",
    law_events.ZoneChosen: lambda e: f"{e.who}'s letters have times in {e.zone or 'UTC alone'}",
    law_events.PersonRenamed: lambda e: f"{e.old} is now called {e.new}",
    law_events.ErrorClaimed: lambda e: f"{e.who} claims an error in award {e.award} of session {e.session}: {e.why}",
    law_events.ErrorAnswered: lambda e: (
        f"the claim on award {e.award} of session {e.session} is {'accepted' if e.accepted else 'denied'}"),
    law_events.AwardCorrected: lambda e: (
        f"award {e.number} corrects award {e.award} of session {e.session}: {e.amount} {e.what} to {e.who}"),
    law_events.DeedUndone: lambda e: f"{e.who}'s deed {e.says} is undone: {e.why}",
    law_events.DeedKept: lambda e: f"deed {e.deed} is kept for the next {e.phase}",
    law.SetAside: _set_aside,
    law.Confirmed: _confirmed,
    law.ReplyTagSeen: lambda e: (
        f"others could read the reply address of {e.who}'s letters of session {e.session}: another takes its place"),
    law.KeyAdded: lambda e: f"{e.who} signs with the OpenPGP key {e.fingerprint}",
    law.KeyRemoved: lambda e: f"{e.who} no longer signs with the OpenPGP key {e.fingerprint}",
    delivery.CoverBegan: lambda e: f"letters by night go out {f'at {listed(e.slots)} UTC' if e.slots else 'at once'}",
    delivery.Batched: lambda e: (
        f"everyone's letters go out {'with what all see' if e.why == 'turn' else 'at their time'}"),
    nomic.SeedBound: lambda e: f"half of the seed of session {e.session} is bound: {e.commitment}",
    nomic.SeedKept: lambda e: f"the half of the seed of session {e.session} that is bound is {e.half}",
    nomic.SeedMixed: lambda e: f"the seed of session {e.session} is made of the bound half and these letters: " + (
        "; ".join(f"{who} {digest}" for who, digest in e.letters) or "none"),
    nomic.HalfTold: lambda e: f"the half of the seed of session {e.session} that was bound is {e.half}",
    nomic.Noted: lambda e: f"{e.topic}: {e.text}",
}


WEBHOOK_SCHEMA = 1
_MAX_CHARS = 1800
"""The longest text of a fact; Discord takes 2,000 characters."""


@dataclass(frozen=True, slots=True)
class WebhookFact:
    """A public entry: its *number* in the record, which is not sent, its *id* for others, and its text."""

    number: int
    id: str
    at: int
    event: str
    text: str


def webhook_facts(contest: Contest, after: int) -> Iterator[WebhookFact]:
    """Yield the public facts after entry *after*, up to the first that is not announced yet.

    Entry numbers would reveal how much happened in secret between two facts, so each has an id that only the contest's
    key can produce.
    """
    untold, rules = unannounced(contest), rules_played(contest)
    for entry in contest.entries[after:]:
        if not is_public(entry.event):
            continue
        if entry.number in untold:
            return
        text = event_line(entry.event, rules)[:_MAX_CHARS]
        yield WebhookFact(entry.number, _fact_id(contest, entry), entry.at, entry.event.name, text)


def _fact_id(contest: Contest, entry: Entry) -> str:
    key = f"nomicwolf fact 1\n{contest.setup.contest}\n{entry.number}\n"
    return keyed(contest.setup.secret, key.encode(), sha256).hexdigest()[:32]


def webhook_message(
    contest: Contest, fact: WebhookFact, form: Literal["json", "discord", "matrix"], url: str = ""
) -> bytes:
    """Return the body of a webhook that reports *fact*; *url* is where the archive is read."""
    name = contest.setup.name
    said: dict[str, Any]
    match form:
        case "discord":
            said = {"content": f"**{name}**: {fact.text}", "allowed_mentions": {"parse": []}}
        case "matrix":
            said = {"msgtype": "m.notice", "body": f"{name}: {fact.text}"}
        case "json":
            said = {"schema": WEBHOOK_SCHEMA, "contest": contest.setup.contest, "name": name, "id": fact.id,
                    "at": iso(fact.at), "event": fact.event, "text": fact.text, "url": url}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
