"""Answers to what players ask by mail: one table of questions, each with its template.

To let players ask something else, add a row to `QUESTIONS` and its template, and teach `grammar/` the word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nomicwolf.nomic.events import RESEND, ActedFor, DeedDone, DeedHeard
from nomicwolf.nomic.intents import says
from nomicwolf.nomic.law_events import QuestionAnswered
from nomicwolf.reports.checking import understood
from nomicwolf.reports.countpage import count_text, summary
from nomicwolf.reports.happened import happened
from nomicwolf.reports.layout import clean, octets, table
from nomicwolf.reports.prose import Prose, Section
from nomicwolf.reports.sides import side_name
from nomicwolf.reports.times import when
from nomicwolf.reports.views import PlayerView, PublicView, rules_of
from nomicwolf.reports.ways import decides, voting
from nomicwolf.village.events import Ended, Entry, Event, Told

LINES = 200
"""How many lines of a session's history a letter has."""
ROOM = (85, 3000)
"""How many lines and octets of what somebody was told are told again, for each day or night so far."""
LINE, WRAPPED = (5, 60), 50
"""What a line of it has beside its own words, and after how many characters it is wrapped at the earliest."""
LEAST = (50, 2400)
"""What else stands in such a letter, but for how things stand and what is open to its reader."""


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

        Letters of one poll are heard before time passes, for any of them may have come before a deadline (D-N9). So
        one that has passed since is told to be that, where its outcome is asked for.
        """
        public = self.view.public
        return public.deadline if 0 < public.deadline <= self.at and public.phase in ("day", "night") else 0


@dataclass(frozen=True, slots=True)
class Question:
    """What players can ask by the word *verb*: *values* are for its *template*, *does* says what the answer tells.

    The answer to a *secret* one tells what its reader is, so that its size must not. *words* stand behind the verb.
    """

    verb: str
    template: str
    does: str
    values: Callable[[Asked], Mapping[str, object]]
    secret: bool = False
    words: str = ""


def answer(view: PlayerView, topic: str, words: str, prose: Prose, at: int = 0) -> Section:
    """Return the answer to the question *topic* as of *at* (UTC seconds); *words* stand behind it."""
    found = QUESTIONS[topic] if topic in QUESTIONS else QUESTIONS["help"]
    if found.secret and not view.role:
        found = QUESTIONS["status"]
    return prose.section(found.template, **found.values(Asked(view, words, prose, at)))


def is_secret(topic: str) -> bool:
    """Return whether the answer to *topic* tells what its reader is."""
    return topic in QUESTIONS and QUESTIONS[topic].secret


def _help(asked: Asked) -> Mapping[str, object]:
    public = asked.view.public
    return {
        "place": public.place, "living": public.living,
        "voting": voting(rules_of(public.ruleset or public.setup.ruleset), public.setup.address),
        "questions": [(f"{q.verb}{q.words}", q.does) for q in QUESTIONS.values() if q.verb != "help"],
    }


def _status(asked: Asked) -> Mapping[str, object]:
    public = asked.view.public
    return {"place": public.place, "status": public_status(public), "ballot": asked.view.ballot,
            "passed": asked.passed}


def _history(asked: Asked) -> Mapping[str, object]:
    return {"history": public_history(asked.view.public)}


def _check(asked: Asked) -> Mapping[str, object]:
    return {"text": asked.words, "lines": understood(asked.view, asked.words)}


def _who(asked: Asked) -> Mapping[str, object]:
    """Who lives, who is dead, who stands by, and before the first session who is a party."""
    public = asked.view.public
    dead = [f"{clean(who)} ({public.disclosed[who]})" if who in public.disclosed else clean(who) for who in public.dead]
    return {"place": public.place, "session": public.session, "living": public.living, "dead": dead,
            "parties": [(nomic, ", ".join(map(clean, names)) or "nobody") for nomic, names in public.parties.items()],
            "standby": public.law.standby}


def _role(asked: Asked) -> Mapping[str, object]:
    """What the reader is, and what opens the hash by which that was bound."""
    view = asked.view
    return {"session": view.public.session, "name": view.public.title or view.public.setup.name, "title": view.title,
            "story": view.story, "contest": view.public.setup.contest, "who": view.bound_as, "role": view.role,
            "nonce": view.nonce}


def _told_again(asked: Asked) -> Mapping[str, object]:
    """All that the reader was told in the session: eir role, what opens its hash, and what came since."""
    view = asked.view
    told = [(entry, line) for entry in view.own.told() if (line := _line(view, entry.event))]
    kept = _fitting(told, view.public)
    return {**_role(asked), "told": [(entry.at, line) for entry, line in kept], "cut": len(kept) < len(told),
            "place": view.public.place, "status": public_status(view.public)}


def _fitting(told: Sequence[tuple[Entry, str]], public: PublicView) -> list[tuple[Entry, str]]:
    """Return what is told again of all that was *told*: no more than there is room for by this phase (D-N48).

    The latest comes first into it, what others have done before receipts of one's own deeds.
    """
    lines, octets = (most * max(public.number, 1) for most in ROOM)
    kept: set[int] = set()
    for entry, line in sorted(told, key=lambda one: (isinstance(one[0].event, DeedDone), -one[0].number)):
        lines -= LINE[0] + line.count("\n") + len(line) // WRAPPED
        octets -= LINE[1] + len(line.encode())
        if lines < 0 or octets < 0:
            break
        kept.add(entry.number)
    return [(entry, line) for entry, line in told if entry.number in kept]


def longest_secret(public: PublicView) -> int:
    """Return the bytes of the longest answer that tells what its reader is, without what is open to em."""
    return octets(public_status(public)) + sum(LEAST) + sum(ROOM) * max(public.number, 1)


def _line(view: PlayerView, event: Event) -> str:
    """Return in a line or two what *event* has told the reader, '' if e can read it in a forum, or asked for it."""
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
    """Return whether deed *number* of the reader's was posted to a forum."""
    deed = view.own.readable(number)
    return deed is not None and isinstance(deed.event, DeedHeard) and deed.event.channel in view.public.setup.nomics


def _votes(asked: Asked) -> Mapping[str, object]:
    """The count and what is to come, or why there is nothing to show."""
    view, public, count, more = asked.view, asked.view.public, "", ""
    if public.count is None or public.phase != "day":
        summed = f"it is {public.place}, and nobody votes"
    elif public.polls == "sealed":
        summed = f"they are sealed until all are opened together, on {when(public.deadline)}"
    elif public.stage and not public.polls:
        summed = f"nobody votes in the {public.stage}, which lasts until {when(public.deadline)}"
    elif not public.polls:
        summed = "the vote is over, and what follows from it is waited for"
    else:
        summed = summary(public.count)
        how = decides(rules_of(public.ruleset), public.stage, public.majority)
        count, more = count_text(asked.prose, public.count, decides=how), view.own.to_come(asked.prose)
    return {"summary": summed, "count": count, "to_come": more, "ballot": view.ballot, "passed": asked.passed}


QUESTIONS: Mapping[str, Question] = {q.verb: q for q in (
    Question("help", "answer-help", "what is open to you now, and what you owe", _help),
    Question("status", "answer-status", "how things stand", _status),
    Question("votes", "answer-votes", "the present count, with reasons", _votes),
    Question("who", "answer-who", "who lives, who is dead, and who stands by", _who),
    Question("history", "answer-history", "what has happened, as far as everyone may know", _history),
    Question("role", "answer-role", "your role, with the last line of its hash", _role, secret=True),
    Question(RESEND, "answer-resend", "the same, and all that you were told in this session", _told_again, secret=True),
    Question("check", "answer-check", "how TEXT would be understood, with nothing done", _check, words=": TEXT"),
)}
"""Everything that can be asked by mail, by its word."""


def public_status(view: PublicView) -> str:
    """Return how things stand, as everyone may know it."""
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
        how = decides(rules_of(view.ruleset), view.stage, view.majority)
        rows += [("votes", f"{summary(view.count)} ({how})")]
    return table([*rows, *_intents(view)])


def _intents(view: PublicView) -> list[tuple[str, str]]:
    """Return a row for each intent that members can still object to (NC 1c, NC 1e, NC 1f)."""
    nomics = view.setup.nomics
    return [(f"intent {i.number}", f"{says(i)}, announced {when(i.at)}"
             + (f"; {', '.join(who for who, _ in i.objections)} objects" if i.objections else ""))
            for i in view.law.intents.values() if not all(i.settled(n) for n in nomics)]


def public_history(view: PublicView) -> str:
    """Return the public events of the session, the latest `LINES` of them."""
    record = [e for e in view.session_record() if not isinstance(e.event, DeedHeard)]
    rows = [(when(e.at), happened(e.event)) for e in record]
    return table(rows[-LINES:], indent="", gap="  ")
