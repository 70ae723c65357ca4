"""The contestmaster's commands by name, and by mail.

By mail a command is a line of its own in a private letter: ``nomicwolf: extend 2026-12-03T20:00Z --phase "day 2"``.
Nothing that draws lots, reveals anything or changes who is who can be ordered so.

The contestmaster acts for a silent player, or by ruling where the contract gives no such power (D-N3), answers
questions, sends once more what a player was told (D-M16), and releases or rejects letters that were held. One journal
names all the letters that a poll has held.

NC 1j: “From then on the contestmaster CAN do it on eir behalf.”
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from nomicwolf.contest import ballots, clock, law, rosters, sessions, silence
from nomicwolf.contest.ballots import came_too_late
from nomicwolf.contest.clock import begin_step, instant_of, settle
from nomicwolf.contest.commands import parties
from nomicwolf.contest.commands.parties import known_person, with_present_names
from nomicwolf.contest.deeds import perform
from nomicwolf.contest.law import confirm
from nomicwolf.contest.mail import assurance
from nomicwolf.contest.mail.hearing import ASKED, done_by, report_rejection
from nomicwolf.contest.mail.intake import as_heard, read_letter, role_and_verbs, take_reading
from nomicwolf.contest.sessions import award_after_end
from nomicwolf.contest.silence import tell_endless
from nomicwolf.contest.step import (
    Command,
    LetterCame,
    Misuse,
    ReadLetter,
    Verdict,
    Work,
    author_of,
    channel_of,
    parse_order,
)
from nomicwolf.language.reader import read
from nomicwolf.letters.attribution import authored
from nomicwolf.letters.letter import Letter, reaches
from nomicwolf.nomic.awards import WITH_START
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.nomic.events import (
    RESEND,
    ActedFor,
    Answered,
    CountPosted,
    DeedHeard,
    LetterHeard,
    LetterHeld,
    LetterRejected,
    LetterReleased,
    Noted,
    Refused,
    Ruled,
)
from nomicwolf.nomic.law import BALLOTS, Confirmed, SetAside, public_verbs
from nomicwolf.nomic.law_events import QuestionAnswered, QuestionAsked
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.times import when
from nomicwolf.reading.deeds import Deed
from nomicwolf.reading.set_phrases import disclaimer
from nomicwolf.reports.history import event_line, rules_played
from nomicwolf.reports.journal import fact_hint
from nomicwolf.reports.layout import shell_word
from nomicwolf.reports.views import own_frames, people_of
from nomicwolf.village.events import Ended, Lynched, PhaseBegan, Published, numbered
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import lynched_today
from nomicwolf.village.rules import Refusal

TOPIC = "held"
_NUMBER = re.compile(r"\d+")
_CLAUSES = re.compile(r"(?<=[.!?:;])\s+|,?\s+(?:but|though|although)\s+", re.IGNORECASE)
"""The boundary between two clauses, of which one may void a letter."""


def tell_of_held(work: Work) -> None:
    """Report new held letters once; those above the day's limits are summarised."""
    waiting = {number for number, held in work.contest.held.items() if not held.quiet}
    if not waiting:
        return
    told = {int(number) for topic, text in work.contest.noted if topic == TOPIC for number in _NUMBER.findall(text)}
    if new := sorted(waiting - told):
        which = ", ".join(map(str, new))
        work.add(Noted(TOPIC, f"Held since the last journal: {which}."), cause="clock")


def release(work: Work, command: Command) -> str:
    """Release a held letter as its author's, or as the named person's; its deeds are done.

    Words of it by which it would not count are set aside: that it counts is the ruling. One by which nothing has been
    done can be released again.
    """
    number, held = _held(work, command, again=True)
    if held is not None and held.other:
        raise Refusal(
            f"Letter {number} {held.why}, and what it came to without it has been announced. {held.other} "
            f"`reject {number}` lets the announced outcome stand; a ruling can set right what can still be, and "
            "`correct` an award.", ("D-N9", "D-A8"))
    letter = command.letter
    if letter is None:
        raise Refusal(f"The bytes of letter {number} are not at hand.")
    author = command.get("author") or _author_of(work, letter, number)
    if author not in work.contest.persons and work.contest.letters[number].why != ASKED:
        raise Refusal("Say whose letter it is: --as NAME, of a person that the contest knows.")
    if letter.trouble and not letter.body.strip():
        raise Refusal(
            f"Letter {number} has no text that could be read: {letter.trouble}. If you can read it in the mailbox, "
            f"rule on what it says (`ruling --for {shell_word(author)} --deed ...`), and `reject {number}`.",
            ("D-N10",))
    work.add(LetterReleased(number, author), cause="command")
    whole = authored(letter)
    text = replace(whole, lines=without_disclaimer(whole.lines))
    reading = read_letter(work.contest, letter, author, text)
    heard = ReadLetter(letter, number, author, channel_of(work.contest, letter), text, reading, "confirmed")
    late = [d.says for d in reading.deeds if came_too_late(work, as_heard(work.contest, heard, d, 0))]
    take_reading(work, heard)
    return f"Letter {number} is released as {author}'s: {_result_text(work, heard, late)}"


def _author_of(work: Work, letter: Letter, number: int) -> str:
    """Return whose *letter* is; of one that asks to join, by what it shows now: its name may be taken by another."""
    heard = work.contest.letters[number]
    if heard.why != ASKED:
        return heard.author
    if (known := author_of(work.contest, letter).person) is not None:
        return known.name
    name, why = rosters.joining(work.contest, letter)
    if why:
        raise Refusal(f"{name} can't join by this name any more: {why} `party add NAME ADDRESS` lets em in by another "
                      f"one, and `reject {number}` closes the letter.", ("NC 3", "D-A16"))
    return name


def _result_text(work: Work, heard: ReadLetter, late: list[str]) -> str:
    """Return what a letter that is let through does, and why it does not do what it says; *late* is over."""
    number, reading, again = heard.number, heard.reading, f"`release {heard.number}` can be given again."
    if not reading.deeds:
        why = f"{heard.author} is asked what e means" if reading.problems else "no deed is read in it"
        return (f"{why}, so nothing is done. If you read a deed in it, rule on that "
                f"(`ruling --for {shell_word(heard.author)} --deed ...`); {again}")
    done = f"{', '.join(d.says for d in reading.deeds)}."
    if late:
        return (f"{done} But that to which {' and '.join(late)} belongs is over: it is not done, and `held` tells what "
                "would have come of it.")
    refused = [f" But {says} is refused: {why}" for says, why in _refused(work, number)]
    return done + "".join(refused) + (f" Once that has changed, {again}" if refused else "")


def _refused(work: Work, number: int) -> list[tuple[str, str]]:
    """Return what letter *number* says that is refused now, or will be as soon as the clock goes on, and why."""
    then = Work(work.contest, work.now)
    settle(then)
    mine = {e.number: e.event.says for e in then.contest.entries[number:]
            if isinstance(e.event, DeedHeard) and e.event.letter == number}
    return [(mine.get(e.event.deed, e.event.verb), e.event.why) for e in (*work.entries, *then.entries)
            if isinstance(e.event, Refused) and (e.event.deed in mine or e.comes_of("letter", number))]


def without_disclaimer(lines: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Return *lines* without the clauses that would void their letter.

    Where such a clause goes on over a line's end, paragraphs become lines.
    """
    kept = tuple((number, _line_without_disclaimer(line)) for number, line in lines)
    if disclaimer(line for _, line in kept) is None:
        return kept
    paragraphs: list[tuple[int, str]] = []
    for number, line in lines:
        if paragraphs and paragraphs[-1][1] and line.strip():
            paragraphs[-1] = (paragraphs[-1][0], f"{paragraphs[-1][1]} {line.strip()}")
        else:
            paragraphs.append((number, line.strip()))
    return tuple((number, _line_without_disclaimer(line)) for number, line in paragraphs)


def _line_without_disclaimer(line: str) -> str:
    if disclaimer([line]) is None:
        return line
    return " ".join(clause for clause in _CLAUSES.split(line) if disclaimer([clause]) is None)


def reject(work: Work, command: Command) -> str:
    """Reject a held letter; its author, if the contest knows them, is told why."""
    why = command.words("why", "Say why; its author is told, if the contest knows em: --why.")
    number, _ = _held(work, command)
    heard = work.contest.letters[number]
    author = heard.author
    work.add(LetterRejected(number, why), cause="command")
    if author in work.contest.persons:
        said = (f"A letter of {when(heard.arrived)} that came as yours waited for a ruling; the contestmaster has not "
                f"let it through: {why}")
        work.add(Refused(0, author, "", "", said), cause=f"letter {number}")
    else:
        report_rejection(work, number, why)
    return f"Letter {number} is rejected."


def _held(work: Work, command: Command, *, again: bool = False) -> tuple[int, LetterHeld | None]:
    """Return the held letter that *command* names, with its number.

    With *again* that may be one which was released before, if nothing has been done by it: then there is no reason.
    """
    number = command.number("number")
    if number is not None and number in work.contest.held:
        return number, work.contest.held[number]
    if again and number is not None and number in work.contest.letters:
        came = work.contest.entries[number:]
        if any(isinstance(e.event, LetterReleased) and e.event.letter == number for e in came):
            if done_by(work.contest, number) or number in work.contest.deeds.by_letter:
                raise Refusal(f"Letter {number} has been released, and what it says is done, or waits for its time.")
            return number, None
    known = ", ".join(map(str, sorted(work.contest.held))) or "none"
    raise Refusal(f"No letter {command.get('number')} is held; held are: {known}.")


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
    """Publish that a fact is so, or is not: conditions of ballots may depend on it (NC 3, D-N8)."""
    said = command.words("fact", "Say which fact: the condition's text, as the votes have it.", ("D-N8",))
    text = " ".join(said.split())
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
    role, verbs = role_and_verbs(work.contest, who)
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


def answer(work: Work, command: Command) -> str:
    """Answer a question; raise `Refusal` if it doesn't exist, is answered already, or may not be answered publicly."""
    text = command.words("text", "An answer needs words.", ("D-M16",))
    number, waiting = command.number("number"), work.contest.recalled.questions
    if number is None or number not in waiting:
        known = "; ".join(f"{n} ({q.who}: {q.words})" for n, q in waiting.items()) or "none"
        raise Refusal(f"{_why_not_open(work, command)}Waiting for an answer: {known}.", ("D-M16",))
    public = bool(command.get("public"))
    if public and any(d.verb == "ask" for d in work.rules.common_duties):
        raise Refusal("In this rule set a question and its answer are private: leave out --public, or announce what "
                      "concerns all by a ruling.", CITES)
    asked = waiting[number]
    work.add(QuestionAnswered(number, asked.who, asked.words, text, public), cites=("D-M16",), cause="command")
    return "All are told, without a word of who asked." if public else f"{asked.who} is told, and nobody else."


def resend(work: Work, command: Command) -> str:
    """Send a person again all that they were told in the session, as their own ``resend`` by mail would."""
    who = known_person(work.contest, command.get("who"))
    address = work.contest.address_of(who)
    if not address:
        raise Refusal(f"No address is known for {who}: give it by party address first.")
    work.add(Answered(who, RESEND, ""), cause="command")
    return f"{who} gets a letter to {address} with all that e was told; what could not be delivered to em goes again."


def _why_not_open(work: Work, command: Command) -> str:
    """Say why the number that *command* gives is no open question."""
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
    return doing(work, with_present_names(work.contest, command))


def describe(work: Work) -> str:
    """Return what everyone sees happen with the command, in one sentence more, for the terminal; '' if nothing is."""
    words = "; ".join(event_line(e.event, rules_played(work.contest)) for e in work.entries
                      if isinstance(e.event, Lynched | Ended | PhaseBegan))
    return f" {words[:1].upper()}{words[1:]}." if words else ""


COMMANDS: Mapping[str, Callable[[Work, Command], str]] = {
    "start": start, "end": end, "announce": announce, "publish": publish,
    "extend": clock.extend, "close": clock.close, "seed-bind": sessions.bind_seed,
    "release": release, "reject": reject, "answer": answer,
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
    "echo-missing": assurance.echo_missing, "only-named": assurance.only_named,
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
                _carry_out(work, came, aside.order[0], aside.letter)
    if verdict.bucket not in ("deeds", "no-deed") or verdict.author != work.contest.setup.contestmaster:
        return
    said = [line.strip() for _, line in authored(came.letter).lines if line.strip().lower().startswith(MARKS)]
    number = next(e.number for e in work.entries if isinstance(e.event, LetterHeard))
    if not said:
        return
    try:
        line = _single_order(work, came, said)
    except Refusal as refused:
        _note(work, number, f"was not taken: {refused.why}")
        return
    if reaches(verdict.sure, "openpgp"):
        _carry_out(work, came, line, number)
    else:
        assurance.set_aside(work, verdict.author, number, verdict.sure, (), (line,))


def _single_order(work: Work, came: LetterCame, said: list[str]) -> str:
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


def _carry_out(work: Work, came: LetterCame, line: str, number: int) -> None:
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
