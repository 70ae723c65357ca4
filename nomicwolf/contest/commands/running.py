"""The session in the contestmaster's hand: e starts it, ends it, has its votes counted and publishes facts."""

from __future__ import annotations

from nomicwolf.contest import sessions
from nomicwolf.contest.commands.limiting import confirm
from nomicwolf.contest.happenings import Command, Misuse
from nomicwolf.contest.work import Work
from nomicwolf.nomic.awards import WITH_START
from nomicwolf.nomic.events import CountPosted, Noted
from nomicwolf.reports.journal import fact_hint
from nomicwolf.village.events import Published
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
    return " ".join([said, *limits, *notes])


def end(work: Work, command: Command) -> str:
    """NC 1f: end the session; nobody wins it."""
    sessions.stop(work, command.words("why", "Say why; all are told: --why.", ("NC 1f",)))
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
