"""The law's intents, limits and claims of error.

Actions without member objection are announced, objected to and resolved (NC 1c, NC 1e, NC 1f).

NC 1e: “The text CAN be amended by the contestmaster without member objection.”

Errors in awards are claimed by mail or command, answered, and corrected by a further action (NC 5i, D-N40).

The contestmaster confirms P, the most that a contest may award in a nomic (NC 5i, D-N21).
"""

from __future__ import annotations

import re
from difflib import unified_diff

from nomicwolf.contest import rosters, sessions
from nomicwolf.contest.step import Command, Misuse, Work, whole_number, why_no_accusation
from nomicwolf.nomic.awards import BY_COMMAND, awarded_so_far, derivation_text, derive
from nomicwolf.nomic.duties import (
    ACTIONS,
    CLAUSES,
    chance,
    chance_of,
    hindrance,
    intents_meant,
    law_of,
    open_intents,
    says,
)
from nomicwolf.nomic.events import DeedHeard, LimitConfirmed, Noted
from nomicwolf.nomic.law import Intent
from nomicwolf.nomic.law_events import (
    Amended,
    AwardCorrected,
    ClockTurned,
    ErrorAnswered,
    ErrorClaimed,
    IntentAnnounced,
    IntentBlocked,
    IntentEffective,
    Objected,
    ObjectionWithdrawn,
    QuestionAsked,
    SubgameEnded,
)
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.rules import Refusal

ACCUSED = re.compile(r"\bmy (?:accusation|second)\b", re.IGNORECASE)
"""In what someone withdraws: what they have accused or seconded, not an objection."""


def intend(work: Work, command: Command) -> str:
    """Announce an action with all its parameters; raise `Refusal` for one that names too little (CFJ 1334)."""
    contest, action = work.contest, command.get("what")
    if action not in ACTIONS:
        raise Misuse("Say what is intended.", ("NC 1c", "NC 1e", "NC 1f"), ACTIONS)
    who, text, session, diff = command.get("who"), command.get("text"), 0, ""
    if action == "remove" and not who:
        raise Misuse("Say whom to remove: --who NAME.", ("NC 1c",), contest.contestants())
    if action == "remove" and who not in contest.contestants():
        raise Refusal(f"{who} is no contestant; name one.", ("NC 1c",), contest.contestants())
    if action == "amend":
        command.words("text", "Give the contract as it is to be: a text that differs from the present one, --text.",
                      ("NC 1e",))
        base = contest.law.amended[-1].text if contest.law.amended else command.get("base")
        diff = diff_text(base, text)
        if not diff:
            raise Refusal("Give the contract as it is to be: a text that differs from the present one.", ("NC 1e",))
    if action == "end-session":
        if contest.running is None:
            raise Refusal("No session is in progress; `start` begins one.", ("NC 1f",))
        session = contest.session
    number = max(contest.law.intents, default=0) + 1
    told = IntentAnnounced(number, action, who if action == "remove" else "", session, text, diff, command.get("why"))
    work.add(told, cites=(CLAUSES[action], "D-N34"), cause="command")
    days = "; ".join(_when_possible(contest, n, work.now) for n in contest.setup.nomics)
    return f"Intent {number}, {says(work.contest.law.intents[number])}, is announced: {days}."


def _when_possible(contest: Contest, nomic: str, announced: int) -> str:
    """Return when what was *announced* then can happen in *nomic*, in words."""
    law = law_of(contest.setup, nomic)
    open_ = chance(contest.law, nomic, law.window, announced)
    if open_.first is None:
        return f"in {law.title} once its clock has run for {law.window.earliest} ndays"
    if law.window.by_itself:
        return f"in {law.title} it happens by itself at {when(open_.first)}"
    last = f" to {when(open_.last)}" if open_.last is not None else ""
    return f"in {law.title} it can be resolved from {when(open_.first)}{last}"


def diff_text(old: str, new: str) -> str:
    """Return what changes from *old* to *new*, line by line, as a unified diff without its head."""
    lines = unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
    return "\n".join(list(lines)[2:])


def resolve(work: Work, command: Command) -> str:
    """Do what was intended, by a second announcement, in each nomic where that can be; say where and why not."""
    contest = work.contest
    number = command.number("number")
    intent = contest.law.intents.get(number) if number is not None else None
    if intent is None:
        known = tuple(str(i.number) for i in open_intents(contest))
        raise Refusal(f"There is no intent {command.get('number') or 'without a number'}.", ("D-N34",), known)
    _demand_none_settling(work, intent)
    work.catch_up(work.now)
    manual = [n for n in contest.setup.nomics if not law_of(contest.setup, n).window.by_itself]
    why = {n: hindrance(contest, intent, n, work.now) for n in contest.setup.nomics}
    ready = [n for n in manual if not why[n]]
    if not ready:
        told = "; ".join(dict.fromkeys(why[n] for n in (manual or contest.setup.nomics)))
        raise Refusal(f"Intent {intent.number} can't be resolved: {told}.", ("NC 1c", "NC 1e", "NC 1f"))
    for nomic in ready:
        _take_effect(work, intent.number, nomic, "by announcement", work.now)
    waits = [f"in {law_of(contest.setup, n).title} not yet: {why[n]}" for n in contest.setup.nomics
             if why[n] and not work.contest.law.intents[intent.number].settled(n)]
    return "; ".join([f"Intent {intent.number}, {says(intent)}, is done in {', '.join(ready)}", *waits]) + "."


def _demand_none_settling(work: Work, intent: Intent) -> None:
    """An objection whose letter may still be overtaken counts already: it is public."""
    for deed in work.contest.pending.values():
        if deed.verb == "object" and deed.instant <= work.now and is_member(work.contest, deed.who):
            raise Refusal(f"{deed.who} has just posted an objection; wait until it has been dealt with.", ("NC 1c",))


def act_on_intent(work: Work, deed: DeedHeard, cause: str) -> str:
    """Carry out a member's objection, withdrawal or support; return a note for them, raise `Refusal` if it is void."""
    contest = work.contest
    if deed.verb in ("intend", "resolve"):
        raise Refusal("Only the contestmaster can act without member objection; write to em.", ("NC 1c", "NC 1e"))
    if not is_member(contest, deed.who):
        raise Refusal("Only members of the contract can object, and you are none.", ("NC 1c", "D-N35"))
    if deed.verb == "withdraw":
        return _withdraw(work, deed, cause)
    open_ = open_intents(contest)
    if not open_:
        raise Refusal("No such intent is open; an objection before the intent, or after it has been done, is void "
                      "(CFJ 2316).", ("NC 1c", "NC 1e", "NC 1f"))
    in_time = tuple(i for i in open_ if i.at <= deed.instant)
    if not in_time:
        raise Refusal("You objected before the intent was announced, and that is void (CFJ 2316).", ("NC 1c",))
    chosen = intents_meant(contest, deed.words, deed.text, in_time)
    if deed.verb == "support":
        return "No support is needed: an action without member objection is stopped by objections alone."
    for intent in chosen:
        work.add(Objected(intent.number, deed.who), deed.instant, ("NC 1c", "D-N35", "D-N36"), cause)
    return f"Your objection stands against {_named(chosen)}. You can withdraw it."


def _withdraw(work: Work, deed: DeedHeard, cause: str) -> str:
    """Take back objections; support needs none, and is none."""
    if "support" in deed.text.casefold():
        return "No support is needed, so none can be withdrawn; an objection of yours, if you made one, still stands."
    if ACCUSED.search(deed.text):
        if why := why_no_accusation(work.rules, "accuse"):
            raise Refusal(why)
        raise Refusal("What is accused or seconded stays so for the day: it comes to a vote only when somebody else "
                      "seconds it, and then your verdict is free.", ("D-A5",))
    mine = tuple(i for i in open_intents(work.contest) if any(who == deed.who for who, _ in i.objections))
    if not mine:
        raise Refusal("You have no objection standing.", ("NC 1c",))
    chosen = intents_meant(work.contest, deed.words, deed.text, mine)
    for intent in chosen:
        work.add(ObjectionWithdrawn(intent.number, deed.who), deed.instant, ("NC 1c",), cause)
    return f"Your objection is withdrawn: {_named(chosen)}."


def _named(chosen: tuple[Intent, ...]) -> str:
    return "; ".join(f"intent {i.number}, {says(i)}" for i in chosen)


def is_member(contest: Contest, who: str) -> bool:
    """Return whether *who* may object: a party in some nomic, but not the contestmaster, whose actions they are."""
    masters = {contest.contestmaster(n) for n in contest.setup.nomics}
    return who not in masters and any(who in names for names in contest.parties.values())


def alarm(contest: Contest) -> tuple[int, str] | None:
    """Return the next instant at which an intent takes effect by itself (4E21), and which."""
    due = []
    for intent in open_intents(contest):
        for nomic in contest.setup.nomics:
            if intent.settled(nomic) or not law_of(contest.setup, nomic).window.by_itself:
                continue
            first = chance_of(contest, intent, nomic).first
            if first is not None:
                due.append((first, f"intent {intent.number} {nomic}"))
    return min(due, default=None)


def strike(work: Work, at: int, what: str) -> None:
    """The time of an intent has come in a nomic where it happens by itself: it happens, or objections stop it."""
    _, number, nomic = what.split(" ", 2)
    intent = work.contest.law.intents[int(number)]
    if intent.objections:
        who = ", ".join(name for name, _ in intent.objections)
        work.add(IntentBlocked(intent.number, nomic, f"{who} objects"), at, ("D-N34",), "clock")
        return
    _take_effect(work, intent.number, nomic, "by itself", at)


def _take_effect(work: Work, number: int, nomic: str, how: str, at: int) -> None:
    """Carry an intent out in *nomic*; what is one act for all nomics happens with the last of them."""
    intent = work.contest.law.intents[number]
    clause = CLAUSES[intent.announced.action]
    cause = work.add(IntentEffective(number, nomic, how), at, (clause, "D-N34")).number
    if intent.announced.action == "remove":
        rosters.remove(work, intent.announced.who, (nomic,), "removed without member objection", f"entry {cause}", at)
        return
    after = work.contest.law.intents[number]
    if {n for n, _ in after.effective} == set(work.contest.setup.nomics):
        _conclude_for_all(work, intent, at, f"entry {cause}")


def _conclude_for_all(work: Work, intent: Intent, at: int, cause: str) -> None:
    """D-N34: what is one for all nomics happens once it has taken effect in each."""
    told = intent.announced
    if told.action == "amend":
        version = len(work.contest.law.amended) + 2
        work.add(Amended(version, told.text, told.diff, told.number), at, ("NC 1e",), cause)
    elif told.action == "end-subgame":
        work.add(SubgameEnded(told.number), at, ("NC 1f",), cause)
    elif work.contest.running is not None and work.contest.session == told.session:
        sessions.stop_session(work, told.why or "without member objection")
    else:
        work.add(Noted("intent", f"Intent {told.number}: session {told.session} is over already."), at, (), cause)


def turn_clock(work: Work, command: Command) -> str:
    """Record that a nomic's clock was turned on or off; its ndays don't advance while it is off (4E14)."""
    nomic, turned = command.get("nomic"), command.get("turned")
    if nomic not in work.contest.setup.nomics:
        raise Misuse("Say which nomic's clock was turned on or off.", ("D-N34",), work.contest.setup.nomics)
    if turned not in ("on", "off"):
        raise Misuse(f"Say which way the clock of {nomic} was turned.", ("D-N34",), ("on", "off"))
    off = any(n == nomic and not on for n, _, on in work.contest.law.stops)
    if off == (turned == "off"):
        raise Refusal(f"The clock of {nomic} is {turned} already.", ("D-N34",))
    work.add(ClockTurned(nomic, turned == "on"), cites=("D-N34",), cause="command")
    return f"The clock of {nomic} is {turned}."


CLAIM_CITES = ("NC 5i", "D-N40")
HOW_TO_CORRECT = "Say what it should have been, and why: --amount 11 --why ..."
POINTS = ("X points", "Y points")
_NUMBER = re.compile(r"\bawards?\b\W*(?:number|no\.?|nr\.?)?\W*(\d{1,6})\b", re.IGNORECASE)
_SESSION = re.compile(r"\(?\b(?:of|in|for|from) (?:the )?session (\d{1,6})\b\)?|\(session (\d{1,6})\)", re.IGNORECASE)


def claim_by_mail(work: Work, deed: DeedHeard, cause: str) -> str:
    """Record a claim of error that was posted; return a note for its author. One about no award is passed on."""
    if "award" not in deed.words.casefold():
        work.add(QuestionAsked(deed.who, deed.words), deed.instant, ("D-M16",), cause)
        return "Your claim of error is with the contestmaster, who sets the count right or tells you why it stands."
    number, session = _NUMBER.search(deed.words), _SESSION.search(deed.words)
    named = next((n for n in session.groups() if n), "") if session else ""
    award = _award(work, named or str(_latest(work)), number[1] if number else "")
    why = _SESSION.sub("", _NUMBER.sub("", deed.words, count=1)).strip(" ,:;-.()")
    _claim(work, award, deed.who, why, deed.instant, cause)
    return (f"Your claim of error on award {award[1]} of session {award[0]} is recorded; the contestmaster answers it, "
            "and a further action sets right what is wrong.")


def claim(work: Work, command: Command) -> str:
    """Record a claim of error on an award, or answer one; awards are never edited."""
    why, verdict = command.words("why", "Say why: --why.", ("NC 5i",)), command.get("answer")
    if verdict not in ("", "accepted", "denied"):
        raise Misuse("Say how it is answered: --answer.", ("NC 5i",), ("accepted", "denied"))
    who = "" if verdict else command.words("who", "Say who claims the error: --by NAME; or --answer it.", ("NC 5i",))
    session, number = _award(work, command.get("session") or str(_latest(work)), command.get("number"))
    if not verdict:
        if who not in work.contest.persons:
            raise Refusal(f"Nobody here is called {who!r}.", ("NC 5i",), tuple(work.contest.persons))
        _claim(work, (session, number), who, why, work.now, "command")
        return f"{who} claims an error in award {number} of session {session}."
    told = work.contest.law.claims.get((session, number))
    if told is None or told.accepted is not None:
        raise Refusal(f"There is no open claim on award {number} of session {session}.", ("NC 5i",))
    work.add(ErrorAnswered(session, number, verdict == "accepted", why), cites=CLAIM_CITES, cause="command")
    return f"The claim on award {number} of session {session} is {verdict}."


def _claim(work: Work, award: tuple[int, int], who: str, why: str, at: int, cause: str) -> None:
    standing = work.contest.law.claims.get(award)
    if standing is not None and standing.accepted is None:
        raise Refusal(
            f"{standing.claimed.who} has claimed an error in that award already, and it waits for its answer.",
            CLAIM_CITES)
    work.add(ErrorClaimed(*award, who, why), at, CLAIM_CITES, cause)


def correct(work: Work, command: Command) -> str:
    """Set an award right by a further numbered action: the difference to what it should have been (D-N40).

    ``who`` names somebody else who should have had it, ``what`` another kind of points; either may come to 0 or more.
    """
    amount, why = command.number("amount"), command.words("why", HOW_TO_CORRECT, CLAIM_CITES)
    session, number = _award(work, command.get("session") or str(_latest(work)), command.get("number"))
    wrong = next(a for a in work.contest.awards[session] if a.number == number)
    who, what = command.get("who") or wrong.who, command.get("what") or wrong.what
    if amount is None:
        raise Misuse(HOW_TO_CORRECT, CLAIM_CITES)
    if who not in work.contest.persons or who == work.contest.contestmaster(wrong.nomic):
        raise Refusal(f"Nobody here who can have an award is called {who!r}.", CLAIM_CITES, tuple(work.contest.persons))
    if what not in (wrong.what, *POINTS) or (what in POINTS) != (wrong.what in POINTS):
        raise Refusal(f"Award {number} is of {wrong.what}; there are {' and '.join(POINTS)}.", CLAIM_CITES)
    added = amount - _awarded_so_far(work, session, number, who, what)
    if not added:
        raise Refusal(f"Award {number} of session {session} comes to {amount} {what} for {who} already.", CLAIM_CITES)
    _within_limit(work, session, wrong.nomic, what, added)
    last = max([*(a.number for a in work.contest.awards[session]),
                *(c.number for c in work.contest.law.corrections if c.session == session)])
    event = AwardCorrected(session, last + 1, number, wrong.nomic, who, what, added, why)
    work.add(event, cites=CLAIM_CITES, cause="command")
    stands = _awarded_so_far(work, session, number, wrong.who, wrong.what)
    kept = stands and (who, what) != (wrong.who, wrong.what)
    also = f" It still gives {wrong.who} {stands} {wrong.what}: `correct {number} --amount 0` takes that back."
    return (f"Award {number} of session {session} comes to {amount} {what} for {who} by action {last + 1}."
            f"{also if kept else ''}")


def _awarded_so_far(work: Work, session: int, number: int, who: str, what: str) -> int:
    """Return what award *number* and its corrections have come to so far, of *what* for *who*."""
    first = sum(a.amount for a in work.contest.awards[session] if (a.number, a.who, a.what) == (number, who, what))
    return first + sum(c.amount for c in work.contest.law.corrections
                       if (c.session, c.award, c.who, c.what) == (session, number, who, what))


def _within_limit(work: Work, session: int, nomic: str, what: str, added: int) -> None:
    limit = work.contest.limits.get(nomic)
    total = awarded_so_far(work.contest, session, nomic, what) + added
    if limit is not None and what in POINTS and total > limit.points:
        raise Refusal(f"That would award {total} points in {nomic}, more than P, which is {limit.points}.",
                      ("NC 5i", "D-N21"))


def _award(work: Work, session: str, number: str) -> tuple[int, int]:
    """Return the award that these words name, by session and number; raise `Refusal` if there is none."""
    of, award = whole_number(session), whole_number(number)
    there = work.contest.awards.get(of, ()) if of is not None else ()
    if of is None or award is None or award not in {made.number for made in there}:
        others = there or work.contest.awards.get(_latest(work), ())
        refusal = Misuse if None in (of, award) else Refusal
        raise refusal(f"There is no award {number or 'without a number'} of session {session}.", ("NC 5i",),
                      tuple(f"{made.number} of session {made.session}" for made in others))
    return of, award


def _latest(work: Work) -> int:
    """Return the latest session for which something was awarded; the present one if nothing ever was."""
    return work.contest.recalled.awarded or work.contest.session


def confirm_limit(work: Work, command: Command) -> str:
    """Confirm P of one nomic or more, each as ``NOMIC=POINTS``; awards that waited for it are given now."""
    how = command.get("how") or BY_COMMAND
    said = [confirm(work, item, how) for item in command.many("limit")]
    if not said:
        raise Misuse("Say which: --limit agora=50.", ("D-N21",))
    if work.contest.session in work.contest.awards_held:
        sessions.award(work, [item.partition("=")[0] for item in command.many("limit")])
    return " ".join(said)


def confirm(work: Work, item: str, how: str) -> str:
    """Confirm P as *item* (``NOMIC=POINTS``) has it, *how* telling by what; return what to say, with a warning."""
    nomic, _, told = item.partition("=")
    points = whole_number(told)
    if nomic not in work.contest.setup.nomics or points is None:
        nomics = ", ".join(work.contest.setup.nomics)
        raise Misuse(f"P is given as NOMIC=POINTS, NOMIC one of {nomics}; not {item!r}.", ("D-N21",))
    how = derivation_text(work.contest, nomic, points, how)
    work.add(LimitConfirmed(nomic, points, how), cites=("NC 5i", "D-N21"), cause="command")
    found = derive(work.contest, nomic)
    if found is None or found.points in (None, points):
        return f"P of {nomic} is {points}."
    return (f"P of {nomic} is {points}, as you confirm; but the roster yields {found.points} ({found.formula}; "
            f"{len(found.counted)} counted). See nomicwolf award; an award above P fails (CFJ 2296), so a P that is "
            "more than the roster yields when awards are due waits for your word then (D-N21).")
