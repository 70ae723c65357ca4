"""Answers to what players ask by mail: help, status, votes, history, resend, and ``check: TEXT``."""

from __future__ import annotations

from nomicwolf.nomic.care import QuestionAnswered
from nomicwolf.nomic.events import RESEND, ActedFor, DeedDone, DeedHeard
from nomicwolf.nomic.intents import says
from nomicwolf.reports.checking import understood
from nomicwolf.reports.countpage import count_text, summary
from nomicwolf.reports.happened import happened
from nomicwolf.reports.layout import clean, table
from nomicwolf.reports.prose import Prose, Section
from nomicwolf.reports.sides import side_name
from nomicwolf.reports.times import when
from nomicwolf.reports.views import PlayerView, PublicView, rules_of
from nomicwolf.reports.ways import decides, voting
from nomicwolf.village.events import Ended, Event, Told

LINES = 200
"""How many lines of a session's history a letter has."""


def answer(view: PlayerView, topic: str, words: str, prose: Prose, at: int = 0) -> Section:
    """Return the answer to *topic* as of *at* (UTC seconds); *words* is the text to be checked.

    Letters of one poll are heard before time passes, for any of them may have come before a deadline (D-N9). So one
    that has passed since is told to be that, where its outcome is asked for.
    """
    public = view.public
    passed = public.deadline if 0 < public.deadline <= at and public.phase in ("day", "night") else 0
    if topic == RESEND and view.role:
        return _told_again(view, prose)
    if topic in ("status", RESEND):
        return prose.section("answer-status", place=public.place, status=public_status(public), ballot=view.ballot,
                             passed=passed)
    if topic == "votes":
        return _votes(view, prose, passed)
    if topic == "history":
        return prose.section("answer-history", history=public_history(public))
    if topic == "check":
        return prose.section("answer-check", text=words, lines=understood(view, words))
    owed = min((d.until for d in view.owes), default=0)
    how = voting(rules_of(public.ruleset or public.setup.ruleset), public.setup.address)
    return prose.section("answer-help", place=public.place, living=public.living, owed=owed, voting=how)


def _told_again(view: PlayerView, prose: Prose) -> Section:
    """Return all that the reader was told in the session: eir role, what opens its hash, and what came since."""
    public = view.public
    told = [(entry.at, line) for entry in view.own.told() if (line := _line(view, entry.event))]
    return prose.section(
        "answer-resend", session=public.session, name=public.title or public.setup.name, title=view.title,
        story=view.story, told=told, owed=min((d.until for d in view.owes), default=0), contest=public.setup.contest,
        who=view.bound_as, role=view.role, nonce=view.nonce, place=public.place, status=public_status(public))


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


def _votes(view: PlayerView, prose: Prose, passed: int) -> Section:
    """Return the answer to ``votes``: the count and what is to come, or why there is nothing to show."""
    public, count, more = view.public, "", ""
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
        count, more = count_text(prose, public.count, decides=how), view.own.to_come(prose)
    return prose.section("answer-votes", summary=summed, count=count, to_come=more, ballot=view.ballot,
                         passed=passed)


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
