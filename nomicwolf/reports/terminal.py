"""What the contestmaster reads on eir terminal: how things stand, the votes, the record, the award book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from nomicwolf.nomic.absence import Owed
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.answers import public_status
from nomicwolf.reports.archive import publish
from nomicwolf.reports.awardbook import book, limits
from nomicwolf.reports.counting import present_count
from nomicwolf.reports.countpage import count_text, to_come
from nomicwolf.reports.drafts import covered, draft_lines
from nomicwolf.reports.echoes import one_forum_only
from nomicwolf.reports.facts import asked_lines
from nomicwolf.reports.happened import happened
from nomicwolf.reports.journal import conservation, due_lines, held_lines, question_lines, unreachable
from nomicwolf.reports.layout import clean, fit, table
from nomicwolf.reports.prose import Prose, plural
from nomicwolf.reports.times import lasting, when
from nomicwolf.reports.views import ContestmasterView, contestmaster_view, phase_of, rules_of, untold_view
from nomicwolf.reports.ways import decides
from nomicwolf.village.events import Entry, Lynched

WIDE = 100
"""Columns of a line on a terminal."""
_TOGETHER = 500
"""So many entries are laid out at once."""


def status_text(contest: Contest, now: int = 0) -> str:
    """Return how things stand at a glance: who is owed what and until when, and what waits for a ruling.

    *now* (UTC seconds) is when it is asked, if that is later than the last that was heard of.
    """
    view = contestmaster_view(contest)
    blocks = [contest.setup.name, public_status(untold_view(contest)), _owed(view, now), _drafted(view, now),
              _due(view), _waiting(view, now), _next(contest), _one_sided(contest), conservation(view)]
    return "\n".join(block for block in blocks if block)


def _next(contest: Contest) -> str:
    """Before the first session: how parties come in, and whether they are enough for one to start."""
    if contest.session:
        return ""
    rules = rules_of(contest.setup.ruleset)
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
    return "\n".join(["Due outside of the game:", *lines]) if lines else ""


def _one_sided(contest: Contest) -> str:
    """NC 1g: what is said belongs into a forum of every nomic; one letter only counts all the same."""
    counts = Counter((author, nomic) for _, author, nomic in one_forum_only(contest))
    told = ", ".join(f"{who} {n} in {nomic}" for (who, nomic), n in sorted(counts.items()))
    since = " since the session began" if contest.session else ""
    return fit(f"Letters with deeds in one forum only{since} (NC 1g): {told}.", WIDE) if told else ""


def _ripe(view: ContestmasterView, owed: Owed, asked: int) -> str:
    """Return from when on the contestmaster may act for one who owes something, or why e may not."""
    now, until = max(view.contest.clock, asked), owed.until
    if not covered(view, owed):
        return "nobody may act for em (D-N3)"
    if view.contest.law.guard or view.contest.law.paused:
        return "act-for not before you say nomicwolf resume (D-N39, D-A15)"
    if now >= until:
        return "act-for is open (NC 1j)"
    game = view.game
    if game is not None and game.stage and 0 < game.deadline <= until:
        return f"until {when(game.deadline)}, when the {game.stage} ends all the same"
    return f"act-for from {when(until)}, in {lasting(until - now)}"


def _waiting(view: ContestmasterView, now: int) -> str:
    lines = [f"  {line}" for line in held_lines(view)]
    lines += [f"  the announcement of the end: confirm P with nomicwolf award --limit {a.nomic}=POINTS"
              for a in view.contest.awards_held.values()]
    lines += [f"  {line}" for line in unreachable(view)]
    lines += [f"  {line}" for line in (*asked_lines(view.game), *question_lines(view))]
    lines += [f"  {clean(a.who)} is asked to confirm a letter (D-N44), until {when(a.until)}"
              for a in view.contest.law.aside.values()
              if a.waits(max(view.contest.clock, now), phase_of(view.contest))]
    if view.contest.pending:
        lines.append(f"  {plural(len(view.contest.pending), 'deed')}: mail with earlier stamps may still come first")
    return "\n".join(["Waiting:", *lines]) if lines else "Waiting: nothing."


def votes_text(contest: Contest, heard: int = 0) -> str:
    """Return the count of the present day with the reasons.

    *heard* (UTC seconds) is up to when all is counted, if that is later than the last that happened.
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
    how = decides(rules_of(view.ruleset), view.stage, view.majority)
    more = to_come(contest, Prose())
    return f"{title}\n{count_text(Prose(), count, decides=how)}" + (f"\n\n{more}" if more else "")


def history_text(contest: Contest, *, public: bool = False) -> str:
    """Return the record, one line for each entry; only what everyone may know if *public*.

    Public entries are numbered as in the archive: gaps would tell how much was written in private between them.
    """
    return "\n".join(history_parts(contest, public=public))


def history_parts(contest: Contest, *, public: bool = False) -> Iterator[str]:
    """Yield what `history_text` returns, part by part; each ends with the end of a line, which is left out."""
    record: Sequence[Entry] = publish(contest).entries if public else contest.entries
    if not record:
        yield "Nothing has happened yet."
        return
    widths, coming = (len(str(record[-1].number)), max(len(when(e.at)) for e in record)), iter(record)
    while some := [*islice(coming, _TOGETHER)]:
        rows = [(str(e.number), when(e.at), _with_cites(happened(e.event), e.cites)) for e in some]
        yield table(rows, indent="", width=WIDE, least=widths)


def _with_cites(words: str, cites: tuple[str, ...]) -> str:
    """Return *words* with the clauses that they rest on, once."""
    told = f" ({', '.join(cites)})" if cites else ""
    return words if words.endswith(told) else words + told


def held_text(contest: Contest) -> str:
    """Return the letters that wait for a ruling, by number, with what to do about them."""
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
    """Return the award book, with P of each nomic and how it comes about."""
    lines = [fit(f"- {clean(line)}" if line.startswith(" ") else clean(line), WIDE) for line in limits(contest)]
    lines += [f"The awards of session {a.session} wait for P: nomicwolf award --limit {a.nomic}=POINTS (D-N21)."
              for a in contest.awards_held.values()]
    rows = [(f"session {a.session}", f"{a.number}.", a.nomic, a.who, f"{a.amount} {a.what}",
             f"corrects {a.corrects}" if a.corrects else f"claim {a.claim}" if a.claim else "") for a in book(contest)]
    return "\n".join([*lines, table(rows, indent="", width=WIDE) if rows else "Nothing has been awarded yet."])


def parties_text(contest: Contest) -> str:
    """Return the roster of each nomic, then every person with addresses and aliases."""
    rosters = [(nomic, ", ".join(map(clean, names)) or "nobody") for nomic, names in contest.parties.items()]
    persons = [(p.name, ", ".join(p.addresses), ", ".join(map(clean, p.aliases)))
               for p in sorted(contest.persons.values(), key=lambda p: p.name.casefold())]
    return "\n".join(filter(None, ["Parties:", table(rosters, width=WIDE), "Persons:", table(persons, width=WIDE)]))
