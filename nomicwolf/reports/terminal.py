"""Terminal output for the contestmaster.

Much of it is secret: the status, the record and the award book, held letters, and explanations of why a vote counts as
it does or why somebody died, with letter and clause.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.nomic.setup import Owed
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import duration, iso, when
from nomicwolf.reports.answers import public_status
from nomicwolf.reports.archive import publish
from nomicwolf.reports.awards import award_book, limit_lines
from nomicwolf.reports.history import event_line, event_lines, fold, one_forum_only, rules_played
from nomicwolf.reports.journal import (
    conservation,
    draft_lines,
    due_lines,
    fact_lines,
    held_lines,
    may_act_for,
    question_lines,
    unreachable,
)
from nomicwolf.reports.json_reports import SCHEMA, Json, event_json, phase_name
from nomicwolf.reports.layout import clean, fit, table
from nomicwolf.reports.prose import Prose, by_contract, plural
from nomicwolf.reports.views import ContestmasterView, contestmaster_view, person_named, phase_of, untold_view
from nomicwolf.reports.vote_counts import (
    Vote,
    count_text,
    decision_rule,
    final_count,
    present_count,
    stage_count,
    status_words,
    uncounted_text,
    vote_line,
)
from nomicwolf.village.events import (
    Agreed,
    BallotsOpened,
    Cause,
    Chose,
    Due,
    Entry,
    Killed,
    Lynched,
    PhaseBegan,
    Revived,
    numbered,
)
from nomicwolf.village.game import Game, heirs_of
from nomicwolf.village.laws.majority import casts, voted
from nomicwolf.village.rulesets import ruleset


def escaped(text: str) -> str:
    r"""Return *text* on one line, with unprintable characters as Python escapes.

    >>> print(escaped("\x1b[2JAsh\u202e \u00e9"))
    \x1b[2JAsh\u202e é
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def held_letter_text(letter: Letter, why: str) -> str:
    """Return the header of a letter, why it is held, and its text with a bar before each line."""
    lines = [f"{name}: {value}" for name, value in _head(letter)]
    lines += [f"Held: {clean(why)}", "", *(f"| {escaped(line)}".rstrip() for line in letter.body.splitlines())]
    if letter.asides:
        lines += ["", "What stands outside of its text:"]
        lines += [f"| {escaped(line)}  ({clean(what)})" for what, line in letter.asides]
    return "\n".join(lines)


def _head(letter: Letter) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the headers that the contestmaster should see."""
    for name, address in letter.senders or (("", "nobody, or several"),):
        yield "From", escaped(f"{name} <{address}>" if name else address)
    yield "Subject", escaped(letter.subject)
    if letter.sent is not None:
        yield "Dated", when(letter.sent)
    yield "Arrived", when(letter.arrived)
    for forum, at in letter.stamps:
        yield f"Had by {escaped(forum)}", when(at)
    yield "Message-ID", escaped(letter.message_id)
    yield "Place", escaped(letter.place)
    if letter.attachments:
        yield "Attachments", escaped(", ".join(letter.attachments))


def held_letter_json(letter: Letter) -> Mapping[str, Any]:
    """Return a held letter for programs, its text as it was written."""
    return {
        "from": [address for _, address in letter.senders], "subject": letter.subject,
        "dated": iso(letter.sent) if letter.sent is not None else None, "arrived": iso(letter.arrived),
        "message_id": letter.message_id, "place": letter.place, "body": letter.body,
        "attachments": list(letter.attachments), "asides": [line for _, line in letter.asides],
    }


def implicit_cause(game: Game | None, entry: Entry) -> Entry | None:
    """Return the entry behind *entry* where its cause doesn't name it, such as at the end of a night.

    Behind a death or a return is the entry that made it due; behind that the choice of those who agreed on it, or of
    the one who did it. None for anything else.
    """
    event = entry.event
    if game is None or not game.entries or entry.number < game.entries[0].number:
        return None
    if isinstance(event, (Killed, Revived)):
        return _last(game, entry, game.lines(Due, event=event))
    if isinstance(event, Due) and isinstance(event.event, (Killed, Revived)) and _at_the_close(game, entry):
        who, verb = event.event.who, event.event.cause if isinstance(event.event, Killed) else "revive"
        agreed = [one for one in game.lines(Agreed, whom=(who,)) if one.cause == entry.cause]
        return _last(game, entry, agreed) or _last(game, entry, game.lines(Chose, verb=verb, what=(who,)))
    if isinstance(event, Agreed):
        return _last(game, entry, game.lines(Chose, verb=event.verb, what=event.whom))
    return None


def _at_the_close(game: Game, entry: Entry) -> bool:
    """Return whether *entry* came with the end of a night rather than with its own deed."""
    number = Cause.of(entry.cause).named("entry")
    return not any(one.number == number for one in game.lines(Chose)) and Cause.of(entry.cause).kind != "deed"


def _last(game: Game, entry: Entry, lines: list[Entry]) -> Entry | None:
    """Return the last of *lines* before *entry*, None if there is none."""
    return next((one for one in reversed(lines) if one.number < entry.number), None)


def condemning_votes(contest: Contest, lynching: Entry) -> tuple[str, ...]:
    """Return the votes that condemned, a line each with reasons; nothing if there were none or they were erased."""
    then = fold(contest.setup, [e for e in contest.entries if e.number <= lynching.number]).game
    if then is None or not isinstance(lynching.event, Lynched):
        return ()
    count = stage_count(then) if then.stage else final_count(then, lynching)[0]
    sought = (lynching.event.who, "guilty")
    opened = _last(then, lynching, then.lines_now(BallotsOpened))
    if opened is not None and isinstance(opened.event, BallotsOpened):
        return tuple(f"{clean(who)}: {clean(value)}" for who, value in opened.event.votes if value in sought)
    return tuple(_reasoned(vote) for vote in count.votes if vote.value in sought)


def _reasoned(vote: Vote) -> str:
    return f"{vote_line(vote)}{': ' if vote.why else ''}{'; '.join(vote.why)}"


VOTES, SETUP = "NC 3", "NC 2"
"""The contract's clauses on votes, and on the beginning of a session."""


class Unexplained(ValueError):
    """There is nothing of that name to explain; the message lists what there is."""


@dataclass(frozen=True)
class Explanation:
    """The answer to "why": *says* in words, the *steps* of a vote, the *chain* of entries from effect to letter.

    *clause* is the contract's clause to cite if no entry cites one.
    """

    what: str
    says: tuple[str, ...]
    steps: tuple[str, ...] = ()
    chain: tuple[Entry, ...] = ()
    clause: str = ""


def explain(contest: Contest, what: str) -> Explanation:
    """Explain *what*: a living player's vote, a death, ``phase``, ``count``, or an entry by its number."""
    words = what.strip()
    game = contest.game
    seats = game.seats if game is not None else ()
    heirs = {old.casefold(): (old, new) for old, new in heirs_of(game).items()} if game is not None else {}

    def seated(text: str) -> str:
        who = "" if text.strip().casefold() in heirs else person_named(contest, text)
        return who if who in seats else ""

    if game is not None and (who := seated(words)):
        return _vote(contest, game, who) if who in game.alive else _death(contest, game, who)
    kind, _, name = words.partition(" ")
    if game is not None and kind == "death" and (who := seated(name)):
        return _death(contest, game, who)
    if game is not None and words == "phase":
        return _phase(contest, game)
    if game is not None and words == "count":
        return _count(game)
    entry = numbered(contest.entries, int(words)) if words.isdecimal() else None
    if entry is not None:
        line = _entry_line(entry, rules_played(contest))
        return Explanation(f"entry {entry.number}", (line,), (), cause_chain(contest, entry))
    players = ", ".join(seats) or "nobody plays yet"
    if swap := heirs.get((name if kind == "death" else words).strip().casefold()):
        raise Unexplained("{} was replaced, and what was eirs is {}'s now (D-N41): ask for em.".format(*swap))
    if not contest.last:
        raise Unexplained("There is nothing to explain yet: the record is empty.")
    raise Unexplained(
        f"There is no {what!r} to explain. Name a player ({players}), death NAME, phase, count, or an entry of the "
        f"record from 1 to {contest.last}.")


def _vote(contest: Contest, game: Game, who: str) -> Explanation:
    if game.phase != "day":
        return Explanation(f"{who}'s vote", (f"Nobody votes now: it is {phase_name(game)}.",), clause=VOTES)
    vote, cited = next((v for v in present_count(game)[0].votes if v.who == who), None), _cited(game, VOTES)
    if vote is None:
        says = f"{who} is no living townsperson, and has no vote{cited}."
        return Explanation(f"{who}'s vote", (says,), clause=VOTES)
    cast = next((e for e in reversed(casts(game)) if voted(e).who == who), None)
    behind = cause_chain(contest, cast) if cast else ()
    return Explanation(f"{who}'s vote", (_verdict(vote, cited), *_uncounted(contest, who)), vote.why, behind, VOTES)


def _uncounted(contest: Contest, who: str) -> tuple[str, ...]:
    """Return *who*'s forum deeds that are not counted yet, because earlier mail may still arrive (D-A4)."""
    return tuple(
        f"Waiting: {d.says!r} of {when(d.instant)}; mail with earlier stamps may still come first."
        for d in contest.pending.values() if d.who == who and d.channel in contest.setup.nomics)


def _verdict(vote: Vote, cited: str) -> str:
    if not vote.ballot:
        return f"{vote.who} has no vote standing, which is a vote for nobody{cited}."
    if vote.value is None and vote.status != "determined":
        return f"{vote_line(vote)}: it counts as null, since {status_words(vote)}{cited}."
    return f"{vote_line(vote)}{cited}."


def _cited(game: Game, clause: str) -> str:
    """Return a *clause* of the contract in parentheses, '' in a game that has other clauses."""
    return f" ({clause})" if _has_clauses(game) else ""


def _has_clauses(game: Game) -> bool:
    return game.opened is not None and by_contract(ruleset(game.opened.ruleset))


def _count(game: Game) -> Explanation:
    if game.phase != "day":
        return Explanation("the count", (f"Nobody votes now: it is {phase_name(game)}.",), clause=VOTES)
    count, _ = present_count(game)
    cited = _cited(game, VOTES)
    says = [f"{clean(who)} has {n} of the {count.majority} votes that lynch{cited}." for who, n in count.counts.items()]
    steps = tuple(map(_reasoned, count.votes))
    return Explanation("the count", tuple(says or [f"Nobody has a vote{cited}."]), steps, clause=VOTES)


def _death(contest: Contest, game: Game, who: str) -> Explanation:
    killed = game.lines(Killed, who=who)
    if not killed:
        return Explanation(f"the death of {who}", (f"{who} has not been killed.",))
    entry = killed[-1]
    lynched = next((e for e in reversed(game.lines(Lynched, who=who)) if entry.event == Killed(who, "lynch")), None)
    steps = condemning_votes(contest, lynched) if lynched else ()
    return Explanation(f"the death of {who}", (_entry_line(entry),), steps, cause_chain(contest, lynched or entry))


def _phase(contest: Contest, game: Game) -> Explanation:
    begun = game.lines(PhaseBegan)[-1:]
    says = [_entry_line(e) for e in begun] or [f"The session is being set up{_cited(game, SETUP)}."]
    says += [f"{clean(o.who)} owes {o.verb} since {when(o.since)}, which holds the phase open."
             for o in deeds_owed(contest)]
    return Explanation("the phase", tuple(says), (), cause_chain(contest, begun[0]) if begun else (), SETUP)


def cause_chain(contest: Contest, entry: Entry) -> tuple[Entry, ...]:
    """Return *entry* and its causes, back to the letter or command that it comes from."""
    found = [entry]
    while len(found) < 50:
        event = found[-1].event
        number = event.letter if isinstance(event, DeedHeard) else Cause.of(found[-1].cause).number
        before = implicit_cause(contest.game, found[-1]) or (numbered(contest.entries, number) if number else None)
        if before is None or before in found:
            break
        found.append(before)
    return tuple(found)


def _entry_line(entry: Entry, rules: str = "") -> str:
    cites = f" ({', '.join(entry.cites)})" if entry.cites else ""
    return f"{when(entry.at)}: {event_line(entry.event, rules)}{cites}."


def _source(entry: Entry) -> str:
    event = entry.event
    if isinstance(event, DeedHeard):
        return f"line {event.line} of letter {event.letter}, by {event.who}: {clean(event.text)}"
    if isinstance(event, LetterHeard):
        return f"letter {entry.number} {event.message_id} through {event.channel}, arrived {when(event.arrived)}"
    return f"entry {entry.number}, {_entry_line(entry)}"


def explain_text(contest: Contest, what: str) -> str:
    """Return the explanation of *what* in words; raise `Unexplained` if there is nothing of that name."""
    found = explain(contest, what)
    lines = [*map(clean, found.says), *(f"  - {clean(step)}" for step in found.steps)]
    if found.chain:
        last = found.chain[-1].cause
        lines += ["It comes from:", *(f"  - {clean(_source(e))}" for e in found.chain)]
        lines += [f"  - {last}"] if last in ("clock", "command") else []
    return fit("\n".join(lines), WIDE)


def explain_json(contest: Contest, what: str) -> Json:
    """Return the explanation of *what* for programs; raise `Unexplained` if there is nothing of that name."""
    found = explain(contest, what)
    deed = next((e.event for e in found.chain if isinstance(e.event, DeedHeard)), None)
    letter = next((e for e in found.chain if isinstance(e.event, LetterHeard)), None)
    clauses = dict.fromkeys(c for e in found.chain for c in e.cites)
    if not clauses and found.clause and contest.game is not None and _has_clauses(contest.game):
        clauses = {found.clause: None}
    return {
        "schema": SCHEMA, "what": found.what, "says": list(found.says), "why": list(found.steps),
        "clauses": list(clauses), "events": [event_json(e) for e in found.chain],
        "letter": {
            "number": letter.number, "message_id": getattr(letter.event, "message_id", ""),
            "line": deed.line if deed else None, "text": deed.text if deed else None,
        } if letter else None,
    }


WIDE = 100
"""Columns of a line on a terminal."""


def status_text(contest: Contest, now: int = 0) -> str:
    """Return the status at a glance: what is owed by whom and until when, and what waits for a ruling.

    *now* (UTC seconds) is the time of asking, if that is later than the last thing heard.
    """
    view = contestmaster_view(contest)
    blocks = [contest.setup.name, public_status(untold_view(contest)), _owed(view, now), _drafted(view, now),
              _due(view), _waiting(view, now), _next(contest), _one_sided(contest), conservation(view)]
    return "\n".join(block for block in blocks if block)


def _next(contest: Contest) -> str:
    """Before the first session, explain how parties join, and whether there are enough to start."""
    if contest.session:
        return ""
    rules = ruleset(contest.setup.ruleset)
    there = len({who for names in untold_view(contest).parties.values() for who in names})
    if there >= rules.smallest:
        return "Next: nomicwolf start --dry-run tells what a session would begin with."
    return fit(f'Next: a session needs {rules.smallest} contestants, and there are {there}. Players write "I join this '
               'contract." to a forum, and nomicwolf poll hears them; nomicwolf party add NAME ADDRESS enters '
               "someone by hand.", WIDE)


def _owed(view: ContestmasterView, now: int) -> str:
    if not view.owed:
        return "Owed: nothing."
    rows = [(o.who, o.verb, f"since {when(o.since)}; {_ripe(view, o, now)}") for o in view.owed]
    return f"Owed:\n{table(rows, width=WIDE)}"


def _drafted(view: ContestmasterView, now: int) -> str:
    lines = draft_lines(view, now)
    return "\n".join(["What you may do for the silent (NC 1j):", *(f"  {line}" for line in lines)]) if lines else ""


def _due(view: ContestmasterView) -> str:
    lines = [fit(f"- {line}", WIDE) for line in due_lines(view, view.contest.clock)]
    return "\n".join(["Due outside the game:", *lines]) if lines else ""


def _one_sided(contest: Contest) -> str:
    """NC 1g: list deeds that were posted to one forum only; they count all the same."""
    counts = Counter((author, nomic) for _, author, nomic in one_forum_only(contest))
    told = ", ".join(f"{who} {n} in {nomic}" for (who, nomic), n in sorted(counts.items()))
    since = " since the session began" if contest.session else ""
    return fit(f"Letters with deeds in one forum only{since} (NC 1g): {told}.", WIDE) if told else ""


def _ripe(view: ContestmasterView, owed: Owed, asked: int) -> str:
    """Return when the contestmaster may act for someone, or why not."""
    now, until = max(view.contest.clock, asked), owed.until
    if not may_act_for(view, owed):
        return "nobody may act for em (D-N3)"
    if view.contest.law.guard or view.contest.law.paused:
        return "act-for not before you say nomicwolf resume (D-N39, D-A15)"
    if now >= until:
        return "act-for is open (NC 1j)"
    game = view.game
    if game is not None and game.stage and 0 < game.deadline <= until:
        return f"until {when(game.deadline)}, when the {game.stage} ends all the same"
    return f"act-for from {when(until)}, in {duration(until - now)}"


def _waiting(view: ContestmasterView, now: int) -> str:
    lines = [f"  {line}" for line in held_lines(view)]
    lines += [f"  the announcement of the end: confirm P with nomicwolf award --limit {a.nomic}=POINTS"
              for a in view.contest.awards_held.values()]
    lines += [f"  {line}" for line in unreachable(view)]
    lines += [f"  {line}" for line in (*fact_lines(view.game), *question_lines(view))]
    lines += [f"  {clean(a.who)} is asked to confirm a letter (D-N44), until {when(a.until)}"
              for a in view.contest.law.aside.values()
              if a.waits(max(view.contest.clock, now), phase_of(view.contest))]
    if view.contest.pending:
        lines.append(f"  {plural(len(view.contest.pending), 'deed')}: mail with earlier stamps may still come first")
    return "\n".join(["Waiting:", *lines]) if lines else "Waiting: nothing."


def votes_text(contest: Contest, heard: int = 0) -> str:
    """Return the count of the present day with reasons.

    *heard* (UTC seconds) is up to when everything is counted, if that is later than the last event.
    """
    game = contest.game
    if game is None or game.phase != "day":
        return f"Nobody votes now: it is {untold_view(contest).place}."
    count, lynching = present_count(game)
    title = f"The votes of {game.place} as of {when(max(game.clock, heard))}:"
    if lynching is not None and isinstance(lynching.event, Lynched):
        title = (f"The vote of {game.place} is over: {clean(lynching.event.who)} was lynched at {when(lynching.at)}. "
                 "What lynched em:")
    view = untold_view(contest)
    how = decision_rule(ruleset(view.ruleset), view.stage, view.majority)
    more = uncounted_text(contest, Prose())
    return f"{title}\n{count_text(Prose(), count, decides=how)}" + (f"\n\n{more}" if more else "")


def history_text(contest: Contest, *, public: bool = False) -> str:
    """Return the record, one line for each entry; with *public*, only what everyone may know.

    Public entries are numbered as in the archive, because gaps would reveal how much was written in private.
    """
    record: Sequence[Entry] = publish(contest).entries if public else contest.entries
    rows = [(str(e.number), when(e.at), _with_cites(line, e.cites)) for e, line in event_lines(record)]
    return table(rows, indent="", width=WIDE) or "Nothing has happened yet."


def _with_cites(words: str, cites: tuple[str, ...]) -> str:
    """Return *words* with the clauses behind them, once."""
    told = f" ({', '.join(cites)})" if cites else ""
    return words if words.endswith(told) else words + told


def held_text(contest: Contest) -> str:
    """Return the letters that wait for a ruling by number, and what to do about them."""
    lines = held_lines(contestmaster_view(contest), each=True)
    if not lines:
        return "No letter waits for a ruling."
    late = [held for held in contest.held.values() if held.other]
    if len(late) < len(contest.held):
        lines.append("Let one through with nomicwolf release N, or not with nomicwolf reject N --why ...")
    if late:
        lines.append("What came in too late can't be let through (D-A8): nomicwolf reject N --why ..., or rule on what "
                     "follows")
    return "\n".join(lines)


def award_text(contest: Contest) -> str:
    """Return the award book, with P of each nomic and its derivation."""
    lines = [fit(f"- {clean(line)}" if line.startswith(" ") else clean(line), WIDE) for line in limit_lines(contest)]
    lines += [f"The awards of session {a.session} wait for P: nomicwolf award --limit {a.nomic}=POINTS (D-N21)."
              for a in contest.awards_held.values()]
    rows = [(f"session {a.session}", f"{a.number}.", a.nomic, a.who, f"{a.amount} {a.what}",
             f"corrects {a.corrects}" if a.corrects else f"claim {a.claim}" if a.claim else "")
            for a in award_book(contest)]
    return "\n".join([*lines, table(rows, indent="", width=WIDE) if rows else "Nothing has been awarded yet."])


def parties_text(contest: Contest) -> str:
    """Return the roster of each nomic, then every person with addresses and aliases."""
    rosters = [(nomic, ", ".join(map(clean, names)) or "nobody") for nomic, names in contest.parties.items()]
    persons = [(p.name, ", ".join(p.addresses), ", ".join(map(clean, p.aliases)))
               for p in sorted(contest.persons.values(), key=lambda p: p.name.casefold())]
    return "\n".join(filter(None, ["Parties:", table(rosters, width=WIDE), "Persons:", table(persons, width=WIDE)]))
