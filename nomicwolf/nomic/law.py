"""The law around a game, as a fold.

It has intents, clocks, contestmasters, absences and corrections, and the acts that wait for a confirmation and the
signing keys, whose events are here, too (`docs/security.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from nomicwolf.nomic import delivery, law_events
from nomicwolf.nomic.events import DeedHeard
from nomicwolf.nomic.setup import PLAIN, Alerted, Policy, PolicyAnnounced, Prodded, StandbyEnded, StandbyOffered
from nomicwolf.village.events import Entry, Event, ForOne, Replaced
from nomicwolf.village.kernel import Ruleset

LAW = ("object", "withdraw", "support", "intend", "resolve", "claim")
"""Verbs about actions without member objection and awards."""
PARTY = ("join", "leave")
BALLOTS = ("vote", "unvote", "guilty", "innocent", "nominate")


def public_verbs(rules: Ruleset) -> frozenset[str]:
    """Return the verbs that belong in a forum (NC 1g) by *rules* and by the law around the game."""
    verbs = {d.verb for d in rules.all_duties if d.public}
    return frozenset((*LAW, *PARTY, *verbs, *(BALLOTS if "vote" in verbs else ())))


def duty_verb(verb: str) -> str:
    """Return the verb of the duty that *verb* is done by: everything that is a ballot is a vote."""
    return "vote" if verb in BALLOTS else verb


@dataclass(frozen=True, slots=True)
class SetAside(ForOne):
    """Acts of the letter in entry *letter* wait until *who* confirms them, at *until* (UTC seconds) at the latest.

    The letter reached the level *reached*, and *needed* is the highest that one of its acts needs. *deeds* are the
    acts, or *order* the contestmaster's command line; *phase* is where they were meant for; *token* is the SHA-256
    of the word that confirms them.
    """

    letter: int
    who: str
    reached: str
    needed: str
    deeds: tuple[DeedHeard, ...]
    order: tuple[str, ...]
    phase: str
    until: int
    token: str

    def still(self, phase: str) -> tuple[DeedHeard, ...]:
        """Return the acts that can be done in *phase*: a question to the contestmaster is bound to none (D-M16)."""
        return self.deeds if phase == self.phase else tuple(deed for deed in self.deeds if deed.verb == "ask")

    @property
    def bound(self) -> str:
        """The phase without which nothing of it can be done, '' if it can be in any."""
        return "" if self.deeds and self.still("") == self.deeds else self.phase

    def waits(self, now: int, phase: str) -> bool:
        """Return whether it can be confirmed at *now* (UTC seconds), in *phase*."""
        return now <= self.until and (phase == self.phase or bool(self.still(phase)))


@dataclass(frozen=True, slots=True)
class Confirmed(Event):
    """The acts set aside in entry *aside* are done, *by* a ``token``, or by a ``copy`` that is more certain."""

    aside: int
    by: str


@dataclass(frozen=True, slots=True)
class ReplyTagSeen(Event):
    """Others could read the reply address of *who*'s letters of *session*: another one takes its place."""

    who: str
    session: int


@dataclass(frozen=True, slots=True)
class KeyAdded(Event):
    """*who* signs with the OpenPGP key of this *fingerprint* (hex); *certificate* is the public key, armored."""

    who: str
    fingerprint: str
    certificate: str


@dataclass(frozen=True, slots=True)
class KeyRemoved(Event):
    """*who* signs no longer with the OpenPGP key of this *fingerprint*."""

    who: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Intent:
    """An announced action: *announced* is the announcement, *at* its instant (UTC seconds).

    *objections* are (member, instant) as they stand; *withdrawn* is when one was last withdrawn (0: never);
    *effective*, *blocked* and *published* are (nomic, instant), *posted* (nomic, how the Message-ID of the announcement
    begins).
    """

    announced: law_events.IntentAnnounced
    at: int
    objections: tuple[tuple[str, int], ...] = ()
    withdrawn: int = 0
    effective: tuple[tuple[str, int], ...] = ()
    blocked: tuple[tuple[str, int], ...] = ()
    posted: tuple[tuple[str, str], ...] = ()
    published: tuple[tuple[str, int], ...] = ()

    @property
    def number(self) -> int:
        """Its number, from 1."""
        return self.announced.number

    def settled(self, nomic: str) -> bool:
        """Return whether nothing is left to happen to it in *nomic*."""
        return any(n == nomic for n, _ in (*self.effective, *self.blocked))


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of error on an award: *claimed* says who made it and why, *accepted* is None until it is answered."""

    claimed: law_events.ErrorClaimed
    at: int
    accepted: bool | None = None


@dataclass(frozen=True, slots=True)
class Law:
    """Everything that the law around the game remembers; each field is replaced, never changed.

    Instants are UTC seconds; pairs and triples are in the order that is told.

    * *intents* by number; *amended* are the versions of the contract, *amended_at* when it last became another;
      *subgame_ended* tells that no session can be started any more.
    * *stops* are (nomic, off since, on again or 0) of each nomic's clock; *masters* the contestmaster by nomic where it
      isn't the settings'; *status* what a person is in a nomic, by (person, nomic).
    * *away* are (person, since, until), *holidays* (nomic, since, until), of which one that was undone before its
      *until* ends then, be it before its *since*; *guard* is the instant since which nobody polled (0: all is well),
      *outages* are the (since, until) of those that are over; likewise *paused* and *pauses*.
    * *asked* are changes of address by the number of their entry, with the sides confirmed; *former* is who is now
      called how.
    * *zones* are the time zones that people have chosen for their letters.
    * *unlisted* are those who don't want to be in the statistics.
    * *claims* of errors by (session, award), and *corrections* of awards.
    * *reminded* are the (instant, end of the term) of each reminder by (person, verb); *to_join* is when somebody was
      reminded to join, by (person, nomic).
    * *policy* is the present session's on absence, *prods* are the (instant, how many in a row) of who was named as
      silent in it; *standby* are those ready to take over from somebody, first come first; *alerted* is when the
      contestmaster was last told that something has come to a stand, by what it is about.
    * *observers* are those who get public letters; *digests* those who want one letter a day, *put_off* the numbers of
      the entries that wait for it.
    * *aside* is what waits to be confirmed, by the number of its entry; *seen* how many reply tags of (person, session)
      others have seen; *keys* are the OpenPGP keys of each person.
    """

    intents: Mapping[int, Intent] = field(default_factory=dict)
    amended: tuple[law_events.Amended, ...] = ()
    amended_at: int = 0
    subgame_ended: bool = False
    stops: tuple[tuple[str, int, int], ...] = ()
    masters: Mapping[str, str] = field(default_factory=dict)
    status: Mapping[tuple[str, str], Mapping[str, bool]] = field(default_factory=dict)
    away: tuple[tuple[str, int, int], ...] = ()
    holidays: tuple[tuple[str, int, int], ...] = ()
    guard: int = 0
    outages: tuple[tuple[int, int], ...] = ()
    paused: int = 0
    pauses: tuple[tuple[int, int], ...] = ()
    asked: Mapping[int, tuple[law_events.AddressAsked, tuple[str, ...]]] = field(default_factory=dict)
    claims: Mapping[tuple[int, int], Claim] = field(default_factory=dict)
    corrections: tuple[law_events.AwardCorrected, ...] = ()
    reminded: Mapping[tuple[str, str], tuple[tuple[int, int], ...]] = field(default_factory=dict)
    to_join: Mapping[tuple[str, str], int] = field(default_factory=dict)
    policy: Policy = PLAIN
    prods: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    standby: tuple[str, ...] = ()
    alerted: Mapping[str, int] = field(default_factory=dict)
    observers: Mapping[str, delivery.Observer] = field(default_factory=dict)
    digests: tuple[str, ...] = ()
    put_off: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    former: Mapping[str, str] = field(default_factory=dict)
    zones: Mapping[str, str] = field(default_factory=dict)
    unlisted: frozenset[str] = frozenset()
    aside: Mapping[int, SetAside] = field(default_factory=dict)
    seen: Mapping[tuple[str, int], int] = field(default_factory=dict)
    keys: Mapping[str, tuple[KeyAdded, ...]] = field(default_factory=dict)


Change: TypeAlias = Callable[[Law, Entry, Any], Law]


def evolve_law(law: Law, entry: Entry) -> Law:
    """Return *law* after *entry*."""
    change = CHANGES.get(type(entry.event))
    return change(law, entry, entry.event) if change else law


def _of_intent(change: Callable[[Intent, Entry, Any], dict[str, Any]]) -> Change:
    """Return the change of an intent that an event makes: its new fields, by the intent, the entry and its event."""
    def changed(law: Law, entry: Entry, event: Any) -> Law:  # noqa: ANN401 - any event of an intent
        intent = law.intents[event.intent]
        return replace(law, intents={**law.intents, event.intent: replace(intent, **change(intent, entry, event))})

    return changed


def _other_objections(intent: Intent, who: str) -> tuple[tuple[str, int], ...]:
    return tuple(objection for objection in intent.objections if objection[0] != who)


def _clock(law: Law, entry: Entry, event: law_events.ClockTurned) -> Law:
    if not event.on:
        return replace(law, stops=(*law.stops, (event.nomic, entry.at, 0)))
    stops = tuple((n, off, entry.at if n == event.nomic and not on else on) for n, off, on in law.stops)
    return replace(law, stops=stops)


def _status(law: Law, entry: Entry, event: law_events.PartyStatus) -> Law:
    key = (event.who, event.nomic)
    return replace(law, status={**law.status, key: {**law.status.get(key, {}), **dict(event.status)}})


def _no_holiday(law: Law, entry: Entry, event: law_events.HolidayUndone) -> Law:
    undone = (event.nomic, event.since, event.until)
    ended = (event.nomic, event.since, min(event.until, entry.at))
    return replace(law, holidays=tuple(ended if h == undone else h for h in law.holidays))


def _confirmed(law: Law, entry: Entry, event: law_events.AddressConfirmed) -> Law:
    asked, sides = law.asked[event.asked]
    return replace(law, asked={**law.asked, event.asked: (asked, (*sides, event.side))})


def _answered(law: Law, entry: Entry, event: law_events.ErrorAnswered) -> Law:
    key = (event.session, event.award)
    return replace(law, claims={**law.claims, key: replace(law.claims[key], accepted=event.accepted)})


def _back(law: Law, entry: Entry, event: law_events.AbsenceEnded) -> Law:
    away = ((who, since, min(until, entry.at) if who == event.who else until) for who, since, until in law.away)
    return replace(law, away=tuple(a for a in away if a[1] < a[2]))


def _keyed(law: Law, who: str, fingerprint: str, added: tuple[KeyAdded, ...] = ()) -> Law:
    others = tuple(k for k in law.keys.get(who, ()) if k.fingerprint != fingerprint)
    return replace(law, keys={**law.keys, who: (*others, *added)})


def _renamed(law: Law, entry: Entry, event: law_events.PersonRenamed) -> Law:
    def now(who: str) -> str:
        return event.new if who == event.old else who

    return replace(
        law, former={**law.former, event.old: event.new}, standby=tuple(map(now, law.standby)),
        observers={now(who): it for who, it in law.observers.items()}, digests=tuple(map(now, law.digests)),
        put_off={now(who): numbers for who, numbers in law.put_off.items()},
        zones={now(who): zone for who, zone in law.zones.items()}, unlisted=frozenset(map(now, law.unlisted)))


def _digest_sent(law: Law, entry: Entry, event: delivery.DigestSent) -> Law:
    seen = {who: replace(it, seen=max(it.seen, event.upto)) for who, it in law.observers.items()
            if who in event.to and it.daily}
    left = {who: numbers for who, numbers in law.put_off.items() if who not in event.to}
    return replace(law, observers={**law.observers, **seen}, put_off=left)


CHANGES: Mapping[type, Change] = {
    law_events.IntentAnnounced: lambda law, entry, e: replace(
        law, intents={**law.intents, e.number: Intent(e, entry.at)}),
    law_events.Objected: _of_intent(lambda intent, entry, e: {
        "objections": (*_other_objections(intent, e.who), (e.who, entry.at))}),
    law_events.ObjectionWithdrawn: _of_intent(lambda intent, entry, e: {
        "withdrawn": entry.at, "objections": _other_objections(intent, e.who)}),
    law_events.IntentPosted: _of_intent(lambda intent, entry, e: {"posted": (*intent.posted, (e.nomic, e.message))}),
    law_events.IntentPublished: _of_intent(lambda intent, entry, e: {
        "published": (*intent.published, (e.nomic, max(e.at, intent.at)))}),
    law_events.IntentEffective: _of_intent(lambda intent, entry, e: {
        "effective": (*intent.effective, (e.nomic, entry.at))}),
    law_events.IntentBlocked: _of_intent(lambda intent, entry, e: {"blocked": (*intent.blocked, (e.nomic, entry.at))}),
    law_events.ClockTurned: _clock,
    law_events.Amended: lambda law, entry, e: replace(law, amended=(*law.amended, e), amended_at=entry.at),
    law_events.SubgameEnded: lambda law, entry, e: replace(law, subgame_ended=True),
    law_events.ContestmasterChanged: lambda law, entry, e: replace(law, masters={**law.masters, e.nomic: e.who}),
    law_events.PartyStatus: _status,
    law_events.MemberReminded: lambda law, entry, e: replace(
        law, to_join={**law.to_join, (e.who, e.nomic): entry.at}),
    PolicyAnnounced: lambda law, entry, e: replace(law, policy=e.policy),
    Prodded: lambda law, entry, e: replace(
        law, prods={**law.prods, e.who: (*law.prods.get(e.who, ()), (entry.at, e.times))}),
    StandbyOffered: lambda law, entry, e: replace(
        law, standby=(*(who for who in law.standby if who != e.who), e.who)),
    StandbyEnded: lambda law, entry, e: replace(
        law, standby=tuple(who for who in law.standby if who != e.who)),
    Replaced: lambda law, entry, e: replace(law, standby=tuple(who for who in law.standby if who != e.new)),
    Alerted: lambda law, entry, e: replace(law, alerted={**law.alerted, e.about: entry.at}),
    law_events.AbsenceAnnounced: lambda law, entry, e: replace(law, away=(*law.away, (e.who, e.since, e.until))),
    law_events.AbsenceEnded: _back,
    law_events.HolidayDeclared: lambda law, entry, e: replace(
        law, holidays=(*law.holidays, (e.nomic, e.since, e.until))),
    law_events.HolidayUndone: _no_holiday,
    law_events.GuardRaised: lambda law, entry, e: replace(law, guard=e.since),
    law_events.GuardLifted: lambda law, entry, e: replace(law, guard=0, outages=(*law.outages, (e.since, entry.at))),
    law_events.Paused: lambda law, entry, e: replace(law, paused=entry.at),
    law_events.PauseEnded: lambda law, entry, e: replace(law, paused=0, pauses=(*law.pauses, (e.since, entry.at))),
    law_events.AddressAsked: lambda law, entry, e: replace(law, asked={**law.asked, entry.number: (e, ())}),
    law_events.AddressConfirmed: _confirmed,
    law_events.PersonRenamed: _renamed,
    law_events.ZoneChosen: lambda law, entry, e: replace(law, zones={**law.zones, e.who: e.zone}),
    law_events.StatisticsChosen: lambda law, entry, e: replace(
        law, unlisted=law.unlisted - {e.who} if e.listed else law.unlisted | {e.who}),
    SetAside: lambda law, entry, e: replace(law, aside={**law.aside, entry.number: e}),
    Confirmed: lambda law, entry, e: replace(law, aside={n: a for n, a in law.aside.items() if n != e.aside}),
    ReplyTagSeen: lambda law, entry, e: replace(
        law, seen={**law.seen, (e.who, e.session): law.seen.get((e.who, e.session), 0) + 1}),
    KeyAdded: lambda law, entry, e: _keyed(law, e.who, e.fingerprint, (e,)),
    KeyRemoved: lambda law, entry, e: _keyed(law, e.who, e.fingerprint),
    delivery.ObserverCame: lambda law, entry, e: replace(
        law, observers={**law.observers, e.who: delivery.Observer(e.daily, entry.number)}),
    delivery.DigestSent: _digest_sent,
    delivery.ObserverLeft: lambda law, entry, e: replace(
        law, observers={who: it for who, it in law.observers.items() if who != e.who}),
    delivery.DigestChosen: lambda law, entry, e: replace(
        law, digests=(*(who for who in law.digests if who != e.who), *((e.who,) if e.daily else ()))),
    delivery.PutOff: lambda law, entry, e: replace(
        law, put_off={**law.put_off, e.who: (*law.put_off.get(e.who, ()), *e.entries)} if e.entries else law.put_off),
    law_events.ErrorClaimed: lambda law, entry, e: replace(
        law, claims={**law.claims, (e.session, e.award): Claim(e, entry.at)}),
    law_events.ErrorAnswered: _answered,
    law_events.AwardCorrected: lambda law, entry, e: replace(law, corrections=(*law.corrections, e)),
}
