"""Answers to questions by mail.

To let players ask something else, add a row to `QUESTIONS` and its template, and teach `grammar/` the word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nomicwolf.language.reader import Place, frames_of, read
from nomicwolf.nomic.duties import lapsed, says
from nomicwolf.nomic.events import RESEND, ActedFor, DeedDone, DeedHeard
from nomicwolf.nomic.law import public_verbs
from nomicwolf.nomic.law_events import QuestionAnswered
from nomicwolf.nomic.times import when
from nomicwolf.reading.deeds import Deed, Problem
from nomicwolf.reports.history import event_line, side_name
from nomicwolf.reports.layout import clean, octets, straight, table
from nomicwolf.reports.prose import Prose, Section
from nomicwolf.reports.views import PlayerView, PublicView
from nomicwolf.reports.vote_counts import count_summary, count_text, decision_rule, how_to_vote
from nomicwolf.village.events import Ended, Entry, Event, Told
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import either
from nomicwolf.village.rulesets import rules_with, ruleset


def check_lines(view: PlayerView, words: str) -> list[str]:
    """Return in canonical form what *words* would do, and where they would have to be written."""
    public = view.public
    began = public.began if public.phase == "day" else None
    lines = tuple(enumerate(words.split("\n"), 1))
    places: tuple[Place, ...] = ("forum", "contestmaster")
    rules = rules_with(public.ruleset or public.setup.ruleset, public.brought)
    own = frames_of(rules, public.brought)
    found = [read(lines, view.people, to=to, instant=public.clock, day_began=began, own=own) for to in places]
    best = max(found, key=lambda reading: (len(reading.deeds), len(reading.problems)))
    said = [_deed(rules, deed) for deed in best.deeds] + [_problem(problem) for problem in best.problems]
    return said or ["It would be taken as talk, and nothing would be done."]


def _deed(rules: Ruleset, deed: Deed) -> str:
    where = "in a forum" if deed.verb in public_verbs(rules) else "by private mail"
    return f"Written {where}, it would be: {clean(deed.says)}"


def _problem(problem: Problem) -> str:
    parts = [f'It would be asked about: "{clean(problem.text)}" ({problem.problem}).', clean(straight(problem.hint))]
    if problem.suggestions:
        parts.append(f"Did you mean {either(map(clean, problem.suggestions))}?")
    return " ".join(part for part in parts if part)


MAX_LINES = 200
"""Lines of a session's history in a letter."""
RESENT_PER_PHASE = (85, 3000)
"""Lines and bytes of earlier messages that are repeated, for each day or night so far."""
LINE, WRAPPED = (5, 60), 50
"""The overhead of each such message (lines, bytes), and the least number of characters after which it is wrapped."""
RESENT_FRAME = (50, 2400)
"""Lines and bytes of the rest of such a letter, apart from the status and the open duties."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: by the reader of *view*, with *words*, as of *at* (UTC seconds)."""

    view: PlayerView
    words: str
    prose: Prose
    at: int

    @property
    def passed(self) -> int:
        """The deadline of the present stage if it has passed, else 0.

        The letters of a poll are heard before time passes, because any of them may have been sent before a deadline
        (D-N9). An answer about the outcome therefore says that the deadline has passed.
        """
        public = self.view.public
        return public.deadline if 0 < public.deadline <= self.at and public.phase in ("day", "night") else 0


@dataclass(frozen=True, slots=True)
class Question:
    """A question that players ask with *verb* and *words*: *values* fill its *template*, *does* describes the answer.

    The answer to a *secret* one reveals the reader's role, so its size must not.
    """

    verb: str
    template: str
    does: str
    values: Callable[[Asked], Mapping[str, object]]
    secret: bool = False
    words: str = ""


def answer_section(view: PlayerView, topic: str, words: str, prose: Prose, at: int = 0) -> Section:
    """Return the answer to the question *topic* with *words* as of *at* (UTC seconds)."""
    found = QUESTIONS[topic] if topic in QUESTIONS else QUESTIONS["help"]
    if found.secret and not view.role:
        found = QUESTIONS["status"]
    return prose.section(found.template, **found.values(Asked(view, words, prose, at)))


def is_secret(topic: str) -> bool:
    """Return whether the answer to *topic* reveals the reader's role."""
    return topic in QUESTIONS and QUESTIONS[topic].secret


def _help(asked: Asked) -> Mapping[str, object]:
    public = asked.view.public
    dead = asked.view.who in public.dead and public.phase != "over"
    return {
        "dead": dead,
        "voting": () if dead else how_to_vote(
            ruleset(public.ruleset or public.setup.ruleset), public.setup.address, [d.says for d in asked.view.duties]),
        "questions": [(f"{q.verb}{q.words}", q.does) for q in QUESTIONS.values() if q.verb != "help"],
    }


def _status(asked: Asked) -> Mapping[str, object]:
    public = asked.view.public
    return {"place": public.place, "status": public_status(public), "ballot": asked.view.ballot,
            "passed": asked.passed}


def _who(asked: Asked) -> Mapping[str, object]:
    """Return who lives, who is dead, who stands by; before the first session, who is a party."""
    public = asked.view.public
    dead = [f"{clean(who)} ({public.disclosed[who]})" if who in public.disclosed else clean(who) for who in public.dead]
    return {"place": public.place, "session": public.session, "living": public.living, "dead": dead,
            "parties": [(nomic, ", ".join(map(clean, names)) or "nobody") for nomic, names in public.parties.items()],
            "standby": public.law.standby}


def _role(asked: Asked) -> Mapping[str, object]:
    """Return the reader's role, and what opens the commitment to it."""
    view = asked.view
    return {"session": view.public.session, "name": view.public.title or view.public.setup.name, "title": view.title,
            "story": view.story, "contest": view.public.setup.contest, "who": view.bound_as, "role": view.role,
            "nonce": view.nonce}


def _told_again(asked: Asked) -> Mapping[str, object]:
    """Return all that the reader was told in the session: the role, what opens its commitment, and what came since."""
    view = asked.view
    told = [(entry, line) for entry in view.own.told() if (line := _line(view, entry.event))]
    kept = _fitting(told, view.public)
    return {**_role(asked), "told": [(entry.at, line) for entry, line in kept], "cut": len(kept) < len(told),
            "place": view.public.place, "status": public_status(view.public)}


def _fitting(told: Sequence[tuple[Entry, str]], public: PublicView) -> list[tuple[Entry, str]]:
    """Return as much of *told* as there is room for by this phase (D-N48).

    The latest has priority, and news has priority over receipts.
    """
    lines, octets = (most * max(public.number, 1) for most in RESENT_PER_PHASE)
    kept: set[int] = set()
    for entry, line in sorted(told, key=lambda one: (isinstance(one[0].event, DeedDone), -one[0].number)):
        lines -= LINE[0] + line.count("\n") + len(line) // WRAPPED
        octets -= LINE[1] + len(line.encode())
        if lines < 0 or octets < 0:
            break
        kept.add(entry.number)
    return [(entry, line) for entry, line in told if entry.number in kept]


def longest_secret(public: PublicView) -> int:
    """Return the bytes of the longest answer that reveals its reader's role, without the list of open duties."""
    return octets(public_status(public)) + sum(RESENT_FRAME) + sum(RESENT_PER_PHASE) * max(public.number, 1)


def _line(view: PlayerView, event: Event) -> str:
    """Return in a line or two what *event* told the reader, '' if a forum has it or the reader asked for it."""
    match event:
        case Told(text=text):
            return text
        case ActedFor(says=says):
            return f'The contestmaster acted for you: "{clean(says)}".'
        case DeedDone(deed=number, says=says) if not _posted(view, number):
            return f'Done, as you wrote: "{clean(says)}".'
        case QuestionAnswered(asked=words, text=text):
            return f'You asked "{clean(words)}". Answer: {text}'
    return ""


def _posted(view: PlayerView, number: int) -> bool:
    """Return whether the reader's deed *number* was posted to a forum."""
    deed = view.own.readable(number)
    return deed is not None and isinstance(deed.event, DeedHeard) and deed.event.channel in view.public.setup.nomics


def _votes(asked: Asked) -> Mapping[str, object]:
    """Return the count and what is not counted yet, or why there is nothing to show."""
    view, public, count, more = asked.view, asked.view.public, "", ""
    if public.count is None or public.phase != "day":
        summed = f"it is {public.place}, and nobody votes"
    elif public.polls == "sealed":
        summed = f"they are sealed until all are opened together, on {when(public.deadline)}"
    elif public.stage and not public.polls:
        summed = f"nobody votes in the {public.stage}, which lasts until {asked.prose.ahead(public.deadline)}"
    elif not public.polls:
        summed = "the vote is over, and what follows from it is waited for"
    else:
        summed = count_summary(public.count)
        how = decision_rule(ruleset(public.ruleset), public.stage, public.majority)
        count, more = count_text(asked.prose, public.count, decides=how), view.own.to_come(asked.prose)
    return {"summary": summed, "count": count, "to_come": more, "ballot": view.ballot, "passed": asked.passed}


QUESTIONS: Mapping[str, Question] = {q.verb: q for q in (
    Question("help", "answer-help", "what is open to you now, and what you owe", _help),
    Question("status", "answer-status", "how things stand", _status),
    Question("votes", "answer-votes", "the present count, with reasons", _votes),
    Question("who", "answer-who", "who lives, who is dead, and who stands by", _who),
    Question("history", "answer-history", "what has happened, as far as everyone may know",
             lambda asked: {"history": public_history(asked.view.public)}),
    Question("role", "answer-role", "your role, with the last line of its hash", _role, secret=True),
    Question(RESEND, "answer-resend", "the same, and all that you were told in this session", _told_again, secret=True),
    Question("check", "answer-check", "how TEXT would be understood, with nothing done",
             lambda asked: {"text": asked.words, "lines": check_lines(asked.view, asked.words)}, words=": TEXT"),
)}
"""Everything that can be asked by mail, by keyword."""


def public_status(view: PublicView) -> str:
    """Return the state of the contest as everyone may know it."""
    if not view.session:
        rows = [(nomic, ", ".join(map(clean, names)) or "nobody") for nomic, names in view.parties.items()]
        return "No session has been started yet. Parties:\n" + table([*rows, *_intents(view)])
    rows = [("session", f"{view.session}, {view.title}"), ("phase", view.place)]
    if (ended := view.shown.last(Ended) if view.shown is not None else None) is not None:
        winners = ", ".join(map(clean, ended.winners))
        rows.append(("won by", f"the {side_name(ended.side)}: {winners}" if winners else "nobody"))
    if view.phase in ("day", "night"):
        rows.append(("since", when(view.began)))
    if view.law.paused and view.phase != "over":
        rows.append(("paused", f"since {when(view.law.paused)}: no clock runs, and what is sent waits (D-A15)"))
    if view.stage and view.deadline and view.phase in ("day", "night"):
        rows.append(("stage", f"{view.stage}, until {when(view.deadline)}"))
    rows.append(("living", f"{len(view.living)}: {', '.join(map(clean, view.living))}"))
    if view.dead:
        dead = (f"{clean(p)} ({view.disclosed[p]})" if p in view.disclosed else clean(p) for p in view.dead)
        rows.append(("dead", ", ".join(dead)))
    if view.polls == "sealed":
        rows += [("votes", "sealed until all are opened together")]
    elif view.polls and view.count is not None:
        how = decision_rule(ruleset(view.ruleset), view.stage, view.majority)
        rows += [("votes", f"{count_summary(view.count)} ({how})")]
    return table([*rows, *_intents(view)])


def _intents(view: PublicView) -> list[tuple[str, str]]:
    """Return a row for each intent that members can still object to (NC 1c, NC 1e, NC 1f)."""
    forums = view.setup.forums
    return [(f"intent {i.number}", f"{says(i)}, announced {when(i.at)}"
             + (f"; {', '.join(who for who, _ in i.objections)} objects" if i.objections else ""))
            for i in view.law.intents.values() if not all(
                i.settled(f.nomic) or lapsed(view.law, i, f.nomic, f.law.window, view.clock) for f in forums)]


def public_history(view: PublicView) -> str:
    """Return the public events of the session, the latest `MAX_LINES` of them."""
    record = [e for e in view.session_record() if not isinstance(e.event, DeedHeard)]
    rows = [(when(e.at), event_line(e.event, view.ruleset)) for e in record]
    return table(rows[-MAX_LINES:], indent="", gap="  ")
