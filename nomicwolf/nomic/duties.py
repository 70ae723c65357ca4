"""Intents, duties of the contract, and what is owed.

For each intent: when the action can happen in each nomic, why not yet, and which intent an objection, or its
withdrawal, is about (D-N36).

Each duty of the contract is wanted "as soon as possible": since when, and when it is due (NC 1j). One table has all
that is owed: by whom, since when, until when, and who may know it. Reminders, public prods, what the contestmaster is
told, the extension of stages and the absence policy all follow from it. What players owe in a session comes from the
duties of its rule set, what is owed besides from `duties`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from nomicwolf.nomic.law import Intent, Law
from nomicwolf.nomic.setup import DAY, HOUR, Owed, Profile, Setup, Window, profile
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.events import Completed, Replaced, StageBegan, Voted
from nomicwolf.village.game import Game, replay
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import one_by_one, turn_began, whose
from nomicwolf.village.laws.runoff import out_now
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_in

ACTIONS = ("remove", "amend", "end-session", "end-subgame")
CLAUSES = {"remove": "NC 1c", "amend": "NC 1e", "end-session": "NC 1f", "end-subgame": "NC 1f"}
GRACE = 72 * HOUR
"""Seconds after a holiday in which, too, nothing falls due; what would is due at their end (D-N37)."""
LONGEST = 400
"""How many days a window is looked for: a clock that is off longer than that is off for good."""


@dataclass(frozen=True, slots=True)
class Chance:
    """The time in which an intent can take effect in a nomic: *first* to *last* (UTC seconds), None while unknown."""

    first: int | None
    last: int | None


def law_of(setup: Setup, nomic: str) -> Profile:
    """Return the profile by which *nomic* is reckoned."""
    forum = setup.forum(nomic)
    return forum.law if forum else profile("agora-2009")


def chance(law: Law, nomic: str, window: Window, announced: int) -> Chance:
    """Return when what was *announced* then (UTC seconds) can happen in *nomic*.

    Agora: from 4 to 14 days later, both ends included (R1728, CFJ 2330). B: when the second nday after the
    announcement's own has ended; days on which the clock is off are no ndays (4E14, 4E21).
    """
    if window.unit == "days":
        return Chance(announced + window.earliest * DAY, put_off(law, nomic, announced + window.latest * DAY))
    ends = list(_ndays(law, nomic, announced, window.latest))
    first, last = ends[window.earliest - 1 : window.earliest], ends[window.latest - 1 : window.latest]
    return Chance(first[0] if first else None, last[0] if last else None)


def put_off(law: Law, nomic: str, due: int) -> int:
    """Return *due* (UTC seconds), or 72 hours after a holiday of *nomic*'s in which it would fall (CFJ 2321, 3138)."""
    for name, since, until in sorted(law.holidays, key=lambda h: h[1]):
        if name == nomic and since <= due <= until + GRACE:
            due = until + GRACE
    return due


def _ndays(law: Law, nomic: str, announced: int, wanted: int) -> Iterator[int]:
    """Yield the ends of the ndays after the announcement's own, as far as the clock's stops are known."""
    stops = [(off, on) for n, off, on in law.stops if n == nomic]
    midnight = announced - announced % DAY + DAY
    found = 0
    for start in range(midnight, midnight + LONGEST * DAY, DAY):
        if found == wanted:
            return
        if any(off < start + DAY and (not on or on > start) for off, on in stops):
            continue
        found += 1
        yield start + DAY


def published(contest: Contest, intent: Intent, nomic: str) -> int | None:
    """Return when *intent*'s announcement was published in *nomic* (UTC seconds); None while its echo is awaited.

    Where no forum's echo has ever come, it is when it was sent (D-N34).
    """
    at = dict(intent.published).get(nomic)
    if at is not None or nomic not in dict(intent.posted):
        return intent.at if at is None else at
    return None if nomic in contest.echoed else intent.at


def chance_of(contest: Contest, intent: Intent, nomic: str) -> Chance:
    """Return when *intent* can happen in *nomic*, from its publication there (R478, CFJ 2058; 4E7)."""
    at = published(contest, intent, nomic)
    return Chance(None, None) if at is None else chance(contest.law, nomic, law_of(contest.setup, nomic).window, at)


def hindrance(contest: Contest, intent: Intent, nomic: str, now: int) -> str:
    """Return why *intent* can't be resolved in *nomic* at *now*, with the day from which it can be; '' if it can."""
    law = law_of(contest.setup, nomic)
    open_ = chance_of(contest, intent, nomic)
    if intent.settled(nomic):
        done = any(n == nomic for n, _ in intent.effective)
        return f"it has already happened in {law.title}" if done else f"it was blocked in {law.title}"
    if intent.announced.action == "end-session" and (
            contest.running is None or contest.session != intent.announced.session):
        return f"session {intent.announced.session} is over already"
    if intent.objections:
        who = ", ".join(name for name, _ in intent.objections)
        return f"{who} objects, and a single member's objection stops it"
    if open_.first is None and published(contest, intent, nomic) is None:
        return (f"the forum of {law.title} has not published the announcement yet, and its days count from then; if it "
                "was lost there, announce the intent anew")
    if open_.first is None:
        return f"the clock of {law.title} is off: nobody knows yet when its ndays will have passed"
    ripe = max(open_.first, intent.withdrawn + law.window.cooling * HOUR if intent.withdrawn else 0)
    if now < ripe:
        return f"in {law.title} it is possible from {when(ripe)} on"
    if law.window.unit == "days" and open_.last is not None and now > open_.last:
        return f"in {law.title} it was possible until {when(open_.last)}: announce it anew"
    return ""


def lapsed(law: Law, intent: Intent, nomic: str, window: Window, now: int) -> bool:
    """Return whether the time in which *intent* could be resolved in *nomic* is over at *now* (D-N34)."""
    at = dict(intent.published).get(nomic, intent.at)
    last = chance(law, nomic, window, at).last if window.unit == "days" else None
    return last is not None and now > last


def open_intents(contest: Contest) -> tuple[Intent, ...]:
    """Return the intents that can still take effect in some nomic, oldest first."""
    nomics = contest.setup.nomics
    return tuple(i for i in contest.law.intents.values() if not all(i.settled(n) for n in nomics))


def says(intent: Intent) -> str:
    """Return what is intended, in words: "to remove Gus from the contract"."""
    told = intent.announced
    return {
        "remove": f"to remove {told.who} from the contract", "amend": "to amend the contract",
        "end-session": f"to end session {told.session}", "end-subgame": "to end the subgame",
    }[told.action]


CITES = ("NC 1c", "NC 1e", "NC 1f", "D-N36")
_ACTIONS = {
    "remove": re.compile(r"\b(?:remov(?:al|e|ing|ed)|expel\w*|expulsion|kick(?:ing|ed)?)\b"),
    "amend": re.compile(r"\bamend(?:ment|ments|ing|ed)?\b"),
    "end-session": re.compile(r"\bsessions?\b"),
    "end-subgame": re.compile(r"\bsub-?games?\b"),
}
_IDLE = frozenset({
    "the", "of", "from", "this", "that", "contract", "contest", "in", "to", "and", "a", "an", "it", "its", "all", "by",
    "em", "eir", "being", "out", "him", "her", "them", "members", "member", "agora", "b", "nomic", "intent", "without",
    "objection", "both", "nomics", "intents", "party", "parties", "someone", "anyone", "people", "for", "with",
    "proposed", "above", "announced", "recent", "posted", "latest", "last", "first", "recently", "'s", "s",
})
_ONE = re.compile(r"\b(?:(?:this|that|the|your|eir) intent(?:ion)?|this|that|it|(?:my|the|this|that) objection)\W*$")
_SESSION = re.compile(r"\bsession (\d+)\b")
_NUMBER = re.compile(r"(?:(?<![\w.])|(?<=\bn[or]\.))#?(\d{1,6})\b")
_FUTURE = re.compile(r"\b(?:future|coming|further)\b")


def intents_meant(contest: Contest, words: str, sentence: str, found: tuple[Intent, ...]) -> tuple[Intent, ...]:
    """Return those of *found* that *words* describe; all of them for no words; raise `Refusal` where none can be told.

    *sentence* is the whole of what was written: "this intent" points at one, and picks none of several.
    """
    folded = " ".join(words.casefold().split())
    if not folded:
        if len(found) > 1 and _ONE.search(sentence.casefold()):
            raise Refusal(f"That could be any of {len(found)} intents: say which you mean, by its number.", CITES,
                          _listed(found))
        return found
    if _FUTURE.search(folded):
        raise Refusal("Nobody can object to what hasn't been announced (CFJ 2316).", CITES, _listed(found))
    numbers = {int(n) for n in _NUMBER.findall(_SESSION.sub("session", folded))}
    picked = [i for i in found if i.number in numbers] if numbers else _described(contest, found, folded)
    if numbers - {i.number for i in picked}:
        raise Refusal(f"No intent {min(numbers - {i.number for i in picked})} is open.", CITES, _listed(found))
    if not picked:
        raise Refusal("No open intent is like that; say which you mean, by its number.", CITES, _listed(found))
    if folded.startswith("both") and len(picked) != 2:
        raise Refusal(f"Not two but {len(picked)} intents could be meant: say which, by number.", CITES, _listed(found))
    return tuple(picked)


def _described(contest: Contest, found: tuple[Intent, ...], folded: str) -> list[Intent]:
    """Return those of *found* whose action and person *folded* names."""
    masters = {contest.setup.contestmaster, *map(contest.contestmaster, contest.setup.nomics)}
    named = {who: spelt for who in {*contest.persons, *masters} if (spelt := _spelt(contest, who, folded))}
    if any(re.search(rf"{re.escape(s)}'s? (?:proposed )?(?:intent|amend|attempt)", folded)
           for who, s in named.items() if who not in masters):
        return []
    actions = {action for action, shape in _ACTIONS.items() if shape.search(folded)}
    targets = set(named) - masters
    if "remove" in actions and not targets and _names_nobody_known(folded, set(named.values())):
        return []
    ended = _SESSION.search(folded)
    return [i for i in found if (not actions or i.announced.action in actions)
            and (not targets or i.announced.who in targets or (bool(actions) and i.announced.action != "remove"))
            and (ended is None or i.announced.action != "end-session" or i.announced.session == int(ended[1]))]


def _names_nobody_known(folded: str, spelt: set[str]) -> bool:
    """Return whether a removal is spoken of, and of somebody whom nobody knows."""
    rest = folded
    for name in spelt:
        rest = rest.replace(name, " ")
    rest = _ACTIONS["remove"].sub(" ", rest)
    return bool(set(re.findall(r"[^\W\d_][\w.'-]*", rest)) - _IDLE)


def _spelt(contest: Contest, who: str, folded: str) -> str:
    """Return the spelling of *who* in *folded*, '' if there is none."""
    person = contest.persons.get(who)
    names = sorted({who, *(person.aliases if person else ())}, key=len, reverse=True)
    return next((n.casefold() for n in names
                 if re.search(rf"(?<!\w){re.escape(n.casefold())}(?!\w)", folded)), "")


def _listed(found: tuple[Intent, ...]) -> tuple[str, ...]:
    return tuple(f"intent {i.number}, {says(i)}" for i in found)


AWAY = 14 * DAY
"""For how long the absences that someone announces can put off what they owe, all together (D-N37)."""
FAR = 10_000 * DAY
"""Seconds for which an outage or a pause lasts while nobody has said that it is over: longer than any contest."""


@dataclass(frozen=True, slots=True)
class Due:
    """*who* is to do *what* by *clause*, since *since* and until *until* (UTC seconds)."""

    who: str
    what: str
    clause: str
    since: int
    until: int


def soon(setup: Setup) -> int:
    """Return what "as soon as possible" lasts, in seconds: the longest of the nomics in which the contract is."""
    return max((law_of(setup, n).soon for n in setup.nomics), default=7) * DAY


def due(contest: Contest, since: int, who: str = "") -> int:
    """Return until when what is owed since *since* is to be done, UTC seconds: see `term`."""
    return term(contest.setup, contest.law, since, who)


def term(setup: Setup, law: Law, since: int, who: str = "") -> int:
    """Return until when what *who* owes since *since* is to be done by the *law* that is known, UTC seconds.

    Outages and the absences that *who* announced don't count (D-N37); a holiday in which the end would fall moves it to
    72 hours after (CFJ 2321).
    """
    at = deadline_past(since, soon(setup), (*absences(law, who, since), *stoppages(law)))
    for nomic in setup.nomics:
        at = put_off(law, nomic, at)
    return at


def absences(law: Law, who: str, since: int) -> list[tuple[int, int]]:
    """Return (since, until) of the absences that *who* announced, as far as they put off what waits from *since* on.

    However many they are, it is put off by fourteen days at most: else who announces one after the other could keep a
    night open for ever (D-N37).
    """
    found, left, end = list[tuple[int, int]](), AWAY, since
    for begins, ends in sorted((begins, ends) for name, begins, ends in law.away if name == who):
        first, end = max(begins, end), max(end, ends)
        last = min(end, first + left)
        if first < last:
            found.append((first, last))
            left -= last - first
    return found


def stoppages(law: Law) -> list[tuple[int, int]]:
    """Return (since, until) of the outages and the pauses in which no time counted (D-N39, D-A15)."""
    return [*law.outages, *law.pauses, *((since, since + FAR) for since in (law.guard, law.paused) if since)]


def deadline_past(since: int, lasts: int, pauses: Iterable[tuple[int, int]]) -> int:
    """Return the instant by which *lasts* seconds from *since* on have passed, without those of *pauses*.

    >>> deadline_past(100, 50, [(110, 130), (120, 140), (500, 600)])
    180
    """
    left, now = lasts, since
    for start, end in sorted(pauses):
        if end <= now:
            continue
        if start >= now + left:
            break
        left -= max(start - now, 0)
        now = end
    return now + left


def contract_duties(contest: Contest) -> tuple[Due, ...]:
    """Return what the contestmaster and the members owe outside of what players do in a session, soonest first."""
    found = [*_of_the_session(contest), *_of_awards(contest), *_of_intents(contest), *_of_members(contest)]
    return tuple(sorted(found, key=lambda d: (d.until, d.who, d.what)))


def _of_the_session(contest: Contest) -> list[Due]:
    """Return what the contestmaster owes a session: the news of a complete night, or to start one that can be."""
    master, game = contest.contestmaster(), contest.running
    if game is not None:
        done = game.lines_now(Completed)
        if game.phase == "night" and done:
            at = done[-1].at
            return [Due(master, "announce who was killed", "NC 4c", at, due(contest, at))]
        return []
    if contest.law.subgame_ended or len(contest.contestants()) < 5:
        return []
    since = _startable(contest)
    return [Due(master, "start a session: five contestants or more, and none is running", "NC 2", since,
                due(contest, since))]


def _startable(contest: Contest) -> int:
    """Return since when a session can be started: the fifth contestant's joining, or the end of the last session."""
    joined = contest.recalled.joined
    return max(sorted(joined.get(who, 0) for who in contest.contestants())[4], contest.recalled.over_at)


def _of_awards(contest: Contest) -> list[Due]:
    """Return what the contestmaster owes about awards: P where they wait for it, and answers to claims of error."""
    master = contest.contestmaster()
    ended = contest.recalled.ended_at
    found = [
        Due(master, f"confirm P of {held.nomic}, and award", "NC 5", ended,
            due(contest, ended))
        for held in contest.awards_held.values()
    ]
    found += [
        Due(master, f"answer the claim of error on award {claim.claimed.award} of session {claim.claimed.session}",
            "NC 5i", claim.at, due(contest, claim.at))
        for claim in contest.law.claims.values() if claim.accepted is None
    ]
    return found


def _of_intents(contest: Contest) -> list[Due]:
    """Return the duties about intents, in each nomic in which nothing happens by itself (NC 1c, D-N34)."""
    master, found = contest.contestmaster(), []
    for intent in open_intents(contest):
        for nomic in contest.setup.nomics:
            law = law_of(contest.setup, nomic)
            if intent.objections or intent.settled(nomic) or law.window.by_itself:
                continue
            clause = CLAUSES[intent.announced.action]
            if published(contest, intent, nomic) is None:
                found.append(Due(master, f"see whether the forum of {law.title} has published intent {intent.number}, "
                                 f"{says(intent)}, and announce it anew if it hasn't", clause, intent.at,
                                 due(contest, intent.at)))
                continue
            open_ = chance_of(contest, intent, nomic)
            over = lapsed(contest.law, intent, nomic, law.window, contest.clock)
            if open_.first is not None and open_.last is not None and not over:
                found.append(Due(master, f"resolve intent {intent.number}, {says(intent)}, in {law.title}, or let it "
                                 "lapse", clause, open_.first, open_.last))
    return found


def _of_members(contest: Contest) -> list[Due]:
    found = []
    for who, nomic, elsewhere in missing_members(contest):
        since = contest.law.to_join.get((who, nomic))
        if since is not None:
            found.append(Due(who, f"become a party in {nomic} too, as in {elsewhere}", "NC 1h", since,
                             due(contest, since, who)))
    return found


def missing_members(contest: Contest) -> list[tuple[str, str, str]]:
    """NC 1h: return (who, nomic, elsewhere) for each player of *nomic* who is a member *elsewhere* and not there."""
    found = []
    for (who, nomic), status in contest.law.status.items():
        here = contest.parties.get(nomic, ())
        elsewhere = [n for n, names in contest.parties.items() if who in names and n != nomic]
        if status.get("player") and elsewhere and who not in here:
            found.append((who, nomic, elsewhere[0]))
    return found


def owing(contest: Contest) -> tuple[Owed, ...]:
    """Return all that is owed in *contest*, deeds first; it is computed once for each place in the record."""
    if contest.owing is None or contest.owing[0] != contest.last:
        contest.owing = contest.last, (*deeds_owed(contest), *votes_owed(contest), *offices(contest))
    return contest.owing[1]


def offices(contest: Contest) -> tuple[Owed, ...]:
    """Return what the contestmaster and the members owe outside of what players do in a session."""
    return tuple(Owed(d.who, d.what, d.since, d.until, "office", clause=d.clause) for d in contract_duties(contest))


def deeds_owed(contest: Contest) -> tuple[Owed, ...]:
    """Return who holds the present phase of *contest* open, with what, since when, and until when (D-N37)."""
    game = contest.running
    if game is None or game.opened is None:
        return ()
    taken = _taken(game)
    found = []
    for who, verb, owed in _since(rules_in(game), game):
        since = max(owed, taken.get(who, 0))
        found.append(Owed(who, verb, since, due(contest, since, who), closes=game.deadline if game.stage else 0))
    return tuple(found)


def votes_owed(contest: Contest) -> tuple[Owed, ...]:
    """Return who can vote now and hasn't: since the vote opened, or since they took a seat (D-N41)."""
    game = contest.running
    if game is None or game.opened is None or game.phase != "day":
        return ()
    rules, stands = rules_in(game), not game.stage
    opened = game.began if stands else game.lines(StageBegan)[-1].at
    mark = game.phase_mark if stands else game.mark(StageBegan)
    voted = {v.who for v in game.since(mark, Voted)}
    taken = _taken(game)
    found = []
    for who in game.living():
        ballot = None if who in voted else next((d for d in rules.duties(game, who) if d.pins), None)
        if ballot is None:
            continue
        since, closes = max(opened, taken.get(who, 0)), game.deadline
        if one_by_one(game):
            out = out_now(game)
            since, closes = turn_began(game, who, out), whose(game, out)[1]
        found.append(Owed(who, ballot.verb, since, 0, "sealed" if ballot.sealed else "vote", closes))
    return tuple(found)


def reminders(owed: Owed, when: Iterable[str]) -> tuple[int, ...]:
    """Return the instants (UTC seconds) at which *owed* is to be reminded of; none of what has no end.

    Of *when*, ``50%`` is so much of the term, ``24h`` so many hours before its end; those are left out that lie in the
    first quarter of the term, or less than a day before the next one.

    >>> reminders(Owed("Cam", "see", 0, 604_800), ("50%", "24h"))
    (302400, 518400)
    >>> reminders(Owed("Cam", "see", 0, 259_200), ("50%", "24h"))
    (172800,)
    >>> reminders(Owed("Cam", "vote", 0, 0, closes=86_400), ("50%", "24h"))
    (43200,)
    """
    term = owed.ends - owed.since
    found = {owed.since + term * int(text[:-1]) // 100 if text.endswith("%") else owed.ends - 3600 * int(text[:-1])
             for text in when} if owed.ends else set()
    each = sorted(at for at in found if owed.since + term // 4 <= at < owed.ends)
    return tuple(at for at, after in zip_longest(each, each[1:]) if after is None or after - at >= DAY)


def remaining_reminders(contest: Contest, owed: Owed) -> tuple[int, ...]:
    """Return the instants at which *owed* is still to be reminded of; a new end of its term begins anew."""
    given = [at for at, until in contest.law.reminded.get((owed.who, owed.verb), ())
             if at >= owed.since and until == owed.ends]
    every = reminders(owed, contest.setup.remind)
    return tuple(at for at in every if at > max(given, default=0)) if len(given) < len(every) else ()


def _taken(game: Game) -> dict[str, int]:
    """Return since when those play who have taken over a seat."""
    return {e.event.new: e.at for e in game.lines(Replaced) if isinstance(e.event, Replaced)}


def _since(rules: Ruleset, game: Game) -> Iterable[tuple[str, str, int]]:
    """Yield (player, verb, since) for all that holds the phase open, owed without a break since then (UTC seconds)."""
    now = rules.owed(game)
    if not now:
        return
    past = replay(e for e in game.entries if e.number < game.phase_mark)
    since: dict[tuple[str, str], int] = {}
    for entry in (e for e in game.entries if e.number >= game.phase_mark):
        past.record(entry)
        owed = set(rules.owed(past))
        since = {pair: since.get(pair, entry.at) for pair in owed}
    for who, verb in now:
        yield who, verb, since.get((who, verb), game.clock)
