"""Questions to the contestmaster, and eir answers; what a player was told, sent to em once more (D-M16)."""

from __future__ import annotations

from nomicwolf.contest.commands.persons import known_person
from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import QuestionAnswered, QuestionAsked
from nomicwolf.nomic.events import RESEND, Answered
from nomicwolf.nomic.state import Contest
from nomicwolf.nomic.times import when
from nomicwolf.village.events import numbered
from nomicwolf.village.rules import Refusal

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
