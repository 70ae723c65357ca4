"""The contestmaster's commands by name, and by mail.

By mail a command is a line of its own in a private letter: ``nomicwolf: extend 2026-12-03T20:00Z --phase "day 2"``.
Nothing that draws lots, reveals anything or changes who is who can be ordered so.

The contestmaster acts for a silent player, or by ruling where the contract gives no such power (D-N3), answers
questions, and sends once more what a player was told (D-M16).

NC 1j: “From then on the contestmaster CAN do it on eir behalf.”
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from nomicwolf.contest import ballots, clock, law, sessions, silence
from nomicwolf.contest.channels import BALLOTS, channel_of, public_verbs
from nomicwolf.contest.clock import begin_step, instant_of, settle
from nomicwolf.contest.commands import parties
from nomicwolf.contest.commands.parties import called, known_person
from nomicwolf.contest.deeds import perform
from nomicwolf.contest.law import confirm
from nomicwolf.contest.mail import assurance, held_letters, routing
from nomicwolf.contest.mail.intake import open_to
from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.silence import tell_endless
from nomicwolf.contest.step import Command, LetterCame, Misuse, Verdict, Work, parse_order
from nomicwolf.language.reader import read
from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import reaches
from nomicwolf.nomic.awards import WITH_START
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.nomic.events import RESEND, ActedFor, Answered, CountPosted, DeedHeard, LetterHeard, Noted, Ruled
from nomicwolf.nomic.law import Confirmed, SetAside
from nomicwolf.nomic.law_events import QuestionAnswered, QuestionAsked
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.reading.deeds import Deed
from nomicwolf.reports.history import event_line, rules_played
from nomicwolf.reports.journal import fact_hint
from nomicwolf.reports.views import own_frames, people_of
from nomicwolf.village.events import Ended, Lynched, PhaseBegan, Published, numbered
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import lynched_today
from nomicwolf.village.rules import Refusal


def start(work: Work, command: Command) -> str:
    """NC 2: start a session; the limits on awards that come with the command are confirmed first."""
    if work.contest.law.subgame_ended:
        raise Refusal("The subgame has been ended by clause 1f: no further session can be started.", ("NC 1f",))
    if command.get("how") and not command.many("limit"):
        raise Misuse("--how tells how the P of --limit comes about; give --limit, too.", ("D-N21",))
    limits = [confirm(work, item, command.get("how") or WITH_START) for item in command.many("limit")]
    sessions.start(work, command.many("roles"), command.get("seed"), command.get("ruleset"), command.get("odds"))
    started = work.contest.sessions[work.contest.session]
    notes = [e.event.text for e in work.entries if isinstance(e.event, Noted) and e.event.topic == "deck"]
    said = f"Session {started.session} of {started.ruleset} has started with {len(started.players)} players."
    return " ".join(filter(None, [said, *limits, *notes, tell_endless(work)]))


def end(work: Work, command: Command) -> str:
    """NC 1f: end the session; nobody wins it."""
    sessions.stop_session(work, command.words("why", "Say why; all are told: --why.", ("NC 1f",)))
    return f"Session {work.contest.session} has been ended; nobody wins."


def announce(work: Work, command: Command) -> str:
    """Post a vote count to the forums, where votes stand until they are changed (NC 1g)."""
    if work.contest.running is None:
        raise Refusal("No session is in progress; `start` begins one.", ("NC 2",))
    if lynched_today(work.contest.running):
        raise Refusal("Somebody was lynched, and the vote is over: its count was posted with that.", ("NC 3", "D-N12"))
    if not work.rules.votes_stand:
        raise Refusal("Counts are posted where votes stand until they are changed. Here each ballot is told when it is "
                      "closed; nomicwolf votes shows how it stands.", ("D-M1",))
    work.add(CountPosted("asked for by the contestmaster"), cites=("NC 1g",), cause="command")
    return "The count will be posted to the forums."


def publish(work: Work, command: Command) -> str:
    """Publish that a fact is so, or is not: conditions of ballots may hang on it (NC 3, D-N8)."""
    text = command.words("fact", "Say which fact: the condition's text, as the votes have it.", ("D-N8",))
    game, value = work.contest.running, command.get("value").lower()
    if value not in ("true", "false"):
        raise Misuse("Say whether it is so.", ("D-N8",), ("true", "false"))
    if game is None:
        raise Refusal("No session is in progress; `start` begins one.", ("NC 3",))
    rules, at = work.rules, max(work.now, game.clock)
    more = "" if game.facts.get(text) is None else "It had been published before."
    more = " ".join(filter(None, [more, fact_hint(game, text)]))
    work.play(lambda g: rules.settle(g, at, (Published(text, value == "true"),), ("NC 3", "D-N8"), "command"))
    return f"Published: {text!r} is {value}. {more}".rstrip()


def act_for(work: Work, command: Command) -> str:
    """NC 1j: act on behalf of a townsperson who has owed it for as long as "as soon as possible" lasts."""
    written = command.words("deed", "Say what is done for em, as e would write it: 'see Bex'.", ("NC 1j",))
    game, who = _who(work, command)
    deed = _deed(work, who, written)
    if game.phase != "night" or who not in game.alive:
        raise Refusal(
            f"NC 1j lets the contestmaster act for a townsperson during a night phase; it is {game.place}"
            + ("" if who in game.alive else f", and {who} is no townsperson") + ". A ruling may do it instead.",
            ("NC 1j", "D-N3"))
    verbs = [verb for owes, verb in work.rules.owed(game) if owes == who]
    verb = deed.verb if deed.verb in verbs else verbs[0] if verbs and deed.verb == "pass" else ""
    if not verb:
        raise Refusal(f"{who} owes nothing of that kind tonight.", ("NC 1j",))
    if work.contest.law.guard:
        raise Refusal(f"Nobody polled since {when(work.contest.law.guard)}; say `resume` first, and let em answer.",
                      ("NC 1j", "D-N39"))
    owed = next(o for o in deeds_owed(work.contest) if (o.who, o.verb) == (who, verb))
    if work.now < owed.until:
        since, may = when(owed.since), when(owed.until)
        ends = f", but {game.place} ends at {when(game.deadline)} all the same" * (0 < game.deadline <= owed.until)
        raise Refusal(f"{who} has owed this since {since}; the contestmaster can act from {may} on{ends}.", ("NC 1j",))
    perform(work, _heard(work, who, deed), "command", by=work.contest.setup.contestmaster)
    work.add(ActedFor(who, deed.says, owed.since), cites=("NC 1j",), cause="command")
    return f"Acting on behalf of {who} under clause 1j: {deed.says}."


def ruling(work: Work, command: Command) -> str:
    """Record a ruling and its authority, such as an amendment (NC 1e); with --for and --deed, also do what it rules.

    A vote that could not be understood can be ruled for the instant at which it was written (D-N10). All are told
    of it, unless the deed is one that nobody else may know of (D-A11).
    """
    needs = "A ruling needs its words and --authority: the clause, amendment or case that allows it."
    text, authority = command.words("text", needs), command.words("authority", needs)
    if not command.get("who"):
        if command.get("deed") or command.get("as_of"):
            raise Misuse("Say whose deed it rules: --for NAME, with --deed; without both nothing is done by it.")
        work.add(Ruled(text, authority), cites=("D-N3",), cause="command")
        return "The ruling is recorded; all are told."
    written = command.words("deed", "Say what is done by it, as the player would write it: --deed 'see Bex'.")
    _, who = _who(work, command)
    deed = _deed(work, who, written)
    instant = _as_of(work, deed, command.get("as_of"))
    secret = deed.verb not in public_verbs(work.rules)
    perform(work, _heard(work, who, deed, instant), "command", by=work.contest.setup.contestmaster)
    cites = ("D-N10",) if deed.verb in BALLOTS else ("D-N3",)
    work.add(Ruled(text, authority, (who,), secret), cites=(*cites, "D-A11"), cause="command")
    told = f"{who} alone is told, and all once the roles are" if secret else "all are told"
    return f"The ruling is recorded and carried out; {told}."


def _who(work: Work, command: Command) -> tuple[Game, str]:
    game, who = work.contest.running, command.get("who")
    if game is None:
        raise Refusal("No session is in progress; `start` begins one.", ("NC 1j",))
    if who not in game.seats:
        raise Refusal(f"{who!r} is not in this session.", options=game.seats)
    return game, who


def _deed(work: Work, who: str, text: str) -> Deed:
    role, verbs = open_to(work.contest, who)
    reading = read(((1, text),), people_of(work.contest, who), to="contestmaster", instant=work.now,
                   role=role, open_verbs=verbs, own=own_frames(work.contest))
    if len(reading.deeds) != 1 or reading.problems:
        hint = "; ".join(p.hint or p.problem for p in reading.problems)
        raise Refusal(f"Write one deed as the player would, such as 'see Bex'. {hint}".strip())
    return reading.deeds[0]


def _as_of(work: Work, deed: Deed, text: str) -> int:
    """Return the instant (UTC seconds) for which *deed* is ruled: now, or for votes an earlier one (D-N10)."""
    if not text:
        return work.now
    instant = instant_of(text, ("D-N10",))
    if deed.verb not in BALLOTS:
        raise Refusal("Only votes can be ruled for an earlier moment.", ("D-N10",))
    if instant > work.now:
        raise Refusal(f"{when(instant)} lies ahead; name the moment at which it was written.", ("D-N10",))
    return instant


def _heard(work: Work, who: str, deed: Deed, instant: int = 0) -> DeedHeard:
    return DeedHeard(
        letter=0, who=who, verb=deed.verb, names=deed.names, ballot=deed.ballot, words=deed.words, says=deed.says,
        line=1, text=deed.text, channel=PRIVATE, instant=instant or work.now, key=(work.now,))


CITES = ("SP 0f", "D-M16")


def unanswered(contest: Contest) -> dict[int, QuestionAsked]:
    """Return the questions that have no answer yet, by the numbers of their entries."""
    return dict(contest.recalled.questions)


def answer(work: Work, command: Command) -> str:
    """Answer a question; raise `Refusal` if there is none such, it has an answer, or all may not be told."""
    text = command.words("text", "An answer needs words.", ("D-M16",))
    number, waiting = command.number("number"), unanswered(work.contest)
    if number is None or number not in waiting:
        known = "; ".join(f"{n} ({q.who}: {q.words})" for n, q in waiting.items()) or "none"
        raise Refusal(f"{_before(work, command)}Waiting for an answer: {known}.", ("D-M16",))
    public = bool(command.get("public"))
    if public and any(d.verb == "ask" for law in work.rules.laws for d in law.duties):
        raise Refusal("In this rule set a question and its answer are private: leave out --public, or announce what "
                      "concerns all by a ruling.", CITES)
    asked = waiting[number]
    work.add(QuestionAnswered(number, asked.who, asked.words, text, public), cites=("D-M16",), cause="command")
    return "All are told, without a word of who asked." if public else f"{asked.who} is told, and nobody else."


def resend(work: Work, command: Command) -> str:
    """Send a person once more all that e was told in the session, as eir own ``resend`` by mail would."""
    who = known_person(work.contest, command.get("who"))
    address = work.contest.address_of(who)
    if not address:
        raise Refusal(f"No address is known for {who}: give it by party address first.")
    work.add(Answered(who, RESEND, ""), cause="command")
    return f"{who} gets a letter to {address} with all that e was told; what could not be delivered to em goes again."


def _before(work: Work, command: Command) -> str:
    """Say what there is at the number that *command* gives, instead of a question that waits."""
    number = command.number("number")
    asked = numbered(work.contest.entries, number) if number is not None else None
    for entry in work.contest.entries[asked.number:] if asked and isinstance(asked.event, QuestionAsked) else ():
        if isinstance(entry.event, QuestionAnswered) and entry.event.question == number:
            return f"Question {number} was answered at {when(entry.at)}: nothing was done. "
    return f"There is no question {command.get('number') or 'without a number'}. "


MOVING = ("end", "extend", "publish", "substitute", "act-for", "ruling", "undo", "party-remove", "pause", "resume")
"""Commands that change the session; all that was sent, or was due, until then is done first (D-A4)."""
STOPPED = ("extend", "close", "act-for", "announce")
"""Commands that need running clocks; in a pause there is nothing to move, and nobody is late."""


def run(work: Work, command: Command) -> str:
    """Do *command* and return what to say to the contestmaster; raise `Refusal` if it can't be done."""
    doing = COMMANDS.get(command.name)
    if doing is None:
        raise Refusal(f"There is no command {command.name!r}; there are {', '.join(sorted(COMMANDS))}.")
    if command.name in MOVING:
        work.catch_up(work.now)
    game, paused = work.contest.running, work.contest.law.paused
    if paused and command.name in STOPPED:
        raise Refusal(f"The session is paused since {when(paused)}: say `nomicwolf resume` first.", ("D-A15",))
    if command.phase and (game is None or game.place != command.phase):
        now = game.place if game is not None else "no session in progress"
        raise Refusal(f"This was meant for {command.phase}, and it is {now}: nothing was done.")
    return doing(work, called(work.contest, command))


def describe(work: Work) -> str:
    """Return what everyone sees happen with the command, in one sentence more, for the terminal; '' if nothing is."""
    words = "; ".join(event_line(e.event, rules_played(work.contest)) for e in work.entries
                      if isinstance(e.event, Lynched | Ended | PhaseBegan))
    return f" {words[:1].upper()}{words[1:]}." if words else ""


COMMANDS: Mapping[str, Callable[[Work, Command], str]] = {
    "start": start, "end": end, "announce": announce, "publish": publish,
    "extend": clock.extend, "close": clock.close, "seed-bind": sessions.bind_seed,
    "release": held_letters.release, "reject": held_letters.reject, "answer": answer,
    "resend": resend,
    "limit": law.confirm_limit, "award": law.confirm_limit, "claim": law.claim, "correct": law.correct,
    "party-add": parties.add_party, "party-remove": parties.remove_party, "party-alias": parties.add_aliases,
    "party-address": parties.link_address, "party-rename": parties.rename_party, "party-statistics": parties.set_listed,
    "party-timezone": parties.set_zone, "party-status": parties.party_status,
    "substitute": silence.substitute, "key-add": parties.add_key, "key-remove": parties.remove_key,
    "act-for": act_for, "ruling": ruling, "undo": ballots.undo,
    "intend": law.intend, "resolve": law.resolve, "clock": law.turn_clock,
    "pause": clock.pause,
    "resume": clock.resume, "holiday": parties.holiday, "contestmaster": parties.contestmaster,
    "echo-missing": routing.echo_missing, "only-named": routing.only_named,
}
"""The function of each command: it returns what to say to the contestmaster, or raises `Refusal`."""


MARKS = ("nomicwolf:", "contestmaster:")
PHASED = ("act-for", "ruling", "extend", "close", "announce", "publish")
SAFE = (*PHASED, "release", "reject", "pause", "resume", "holiday")
TELLING = ("act-for", "ruling", "release")
"""Commands whose answer may be secret, so that no mail repeats it."""


def hear_orders(work: Work, came: LetterCame, verdict: Verdict) -> None:
    """Put the order of a letter aside until it is confirmed, and do what this letter confirms."""
    for entry in list(work.entries):
        if isinstance(entry.event, Confirmed) and entry.event.by == "token":
            found = numbered(work.contest.entries, entry.event.aside)
            aside = found.event if found is not None else None
            if isinstance(aside, SetAside) and aside.order:
                _do(work, came, aside.order[0], aside.letter)
    if verdict.bucket not in ("deeds", "no-deed") or verdict.author != work.contest.setup.contestmaster:
        return
    said = [line.strip() for _, line in authored(came.letter).lines if line.strip().lower().startswith(MARKS)]
    number = next(e.number for e in work.entries if isinstance(e.event, LetterHeard))
    if not said:
        return
    try:
        line = _one(work, came, said)
    except Refusal as refused:
        _note(work, number, f"was not taken: {refused.why}")
        return
    if reaches(verdict.sure, "openpgp"):
        _do(work, came, line, number)
    else:
        assurance.set_aside(work, verdict.author, number, verdict.sure, (), (line,))


def _one(work: Work, came: LetterCame, said: list[str]) -> str:
    """Return the one order of a letter, without its mark; `Refusal` says why it can't be taken."""
    if channel_of(work.contest, came.letter) != PRIVATE:
        raise Refusal("orders count by private mail alone.")
    if len(said) > 1:
        raise Refusal("one letter gives one order; send each by itself.")
    line = said[0].partition(":")[2].strip()
    command = _parsed(came, line)
    if command.name not in SAFE:
        raise Refusal(f"{command.name} is never done by mail; by mail there are {', '.join(sorted(SAFE))}.")
    game = work.contest.running
    now = game.place if game is not None else ""
    if command.name in PHASED and command.phase != now:
        raise Refusal(f'it has to name the present phase: --phase "{now}".')
    return line


def _parsed(came: LetterCame, line: str) -> Command:
    """Return the command of a line, by the command line's own parser."""
    if came.parse is None:
        raise Refusal("orders by mail are heard by `nomicwolf poll` alone.")
    try:
        return parse_order(line, came.parse)
    except ValueError as error:
        raise Refusal(f"it is no command: {error}") from error


def _do(work: Work, came: LetterCame, line: str, number: int) -> None:
    """Carry an order out; one that is refused changes nothing."""
    try:
        command = _parsed(came, line)
        held = command.number("number")
        if command.name == "release" and came.again is not None and held is not None:
            command = replace(command, letter=came.again(held))
        for attempt in (begin_step(work.contest, work.now), work):
            settle(attempt)
            run(attempt, command)
            award_after_end(attempt)
    except Refusal as refused:
        secret = line.split(maxsplit=1)[0] in TELLING
        _note(work, number, f"was refused: {'give it where the contest runs, to read why.' if secret else refused.why}")
    else:
        _note(work, number, f"was carried out: {command.name}.")


def _note(work: Work, number: int, what: str) -> None:
    work.add(Noted("order", f"The order in letter {number} {what}"), cites=("D-N46",), cause=f"letter {number}")
