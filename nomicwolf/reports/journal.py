"""The contestmaster's journal by mail.

Whoever relays it must not learn how much is owed by night, or since when everything is done: both reveal who is dead or
has acted (NC 6b). Nor may they read a private letter, except a question, which is addressed to the contestmaster
(D-M16).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.awards import excess
from nomicwolf.nomic.delivery import Batched
from nomicwolf.nomic.duties import FAR, contract_duties, due, soon
from nomicwolf.nomic.events import AwardsHeld, DeedHeard, LetterHeard, LetterHeld, Noted, SessionStopped
from nomicwolf.nomic.law import KeyAdded
from nomicwolf.nomic.law_events import ErrorClaimed, GuardRaised, IntentBlocked, QuestionAsked
from nomicwolf.nomic.setup import PRIVATE, Alerted, Owed, Prodded
from nomicwolf.nomic.times import ahead, duration, when
from nomicwolf.reports.history import event_line, is_public, unannounced
from nomicwolf.reports.layout import clean, shell_word
from nomicwolf.reports.prose import Prose, journal_subject, plural
from nomicwolf.reports.views import ContestmasterView, PublicView, nameable
from nomicwolf.village import explaining
from nomicwolf.village.ballots import Fact
from nomicwolf.village.events import Counted, Ended, Entry, Event, PhaseBegan, StageBegan, Voted
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import ballots_of_stage, latest, lynched_today
from nomicwolf.village.resolution import walk
from nomicwolf.village.rules import listed
from nomicwolf.village.rulesets import rules_in


@dataclass(frozen=True, slots=True)
class Draft:
    """An action on behalf of *who*: the *command* that does it, the *words* that announce it, *names* to choose from.

    The words cite the contract's clause and the deadline that was missed.
    """

    who: str
    verb: str
    command: str
    words: str
    names: tuple[str, ...]


def may_act_for(view: ContestmasterView, owed: Owed) -> bool:
    """Return whether NC 1j covers what is *owed*: a townsperson's duty in a night phase."""
    game = view.contest.running
    return game is not None and game.phase == "night" and owed.who in game.alive


def drafts(view: ContestmasterView, now: int = 0) -> tuple[Draft, ...]:
    """Return what can be done on behalf of others at *now* (UTC seconds; at least as late as the record's own clock).

    There is nothing while an outage is under investigation (D-N39) or the session is paused (D-A15).
    """
    contest, game = view.contest, view.contest.running
    if game is None or game.opened is None or contest.law.guard or contest.law.paused:
        return ()
    rules, here = rules_in(game), game.place
    found = []
    for owed in view.owed:
        if not may_act_for(view, owed) or max(contest.clock, now) < owed.until:
            continue
        duty = next((d for d in rules.duties(game, owed.who) if d.verb == owed.verb), None)
        names = nameable(rules, game, owed.who, duty) if duty is not None else ()
        deed = f"{owed.verb} NAME" if names else owed.verb
        words = (f"Acting on behalf of {clean(owed.who)} under clause 1j, who has owed it since {when(owed.since)} and "
                 f"had time until {when(owed.until)}: {deed}.")
        found.append(Draft(owed.who, owed.verb, f'nomicwolf act-for {shell_word(owed.who)} "{deed}" --phase "{here}"',
                           words, names))
    return tuple(found)


def draft_lines(view: ContestmasterView, now: int = 0) -> list[str]:
    """Return the drafts as lines for the terminal."""
    lines: list[str] = []
    for draft in drafts(view, now):
        lines += [draft.words, f"  {draft.command}"]
        lines += [f"  NAME can be: {listed(tuple(map(clean, draft.names)))}"] if draft.names else []
    return lines


def open_facts(game: Game | None) -> dict[str, tuple[str, ...]]:
    """Return each fact that a ballot of the present vote depends on, with the voters."""
    if game is None or game.phase != "day" or (not game.stage and lynched_today(game)):
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for entry in ballots_of_stage(game) if game.stage else latest(game).values():
        event = entry.event
        if not isinstance(event, Voted) or event.who not in game.living():
            continue
        for text in dict.fromkeys(part.text for part in walk(event.ballot) if isinstance(part, Fact)):
            found[text] = (*found.get(text, ()), event.who)
    return found


def fact_lines(game: Game | None) -> list[str]:
    """Return a line for each fact that a vote waits for, with the shell command that publishes it."""
    known = game.facts if game is not None else {}
    return [f"a fact on which {explaining.listed(explaining.possessive(map(clean, voters)))} vote depends: "
            f"nomicwolf publish {shell_word(text)} true, or false"
            for text, voters in open_facts(game).items() if text not in known]


def fact_hint(game: Game, text: str) -> str:
    """Return a hint that no vote depends on the fact *text*, '' if one does."""
    facts = open_facts(game)
    if text in facts:
        return ""
    near = [fact for fact in facts if fact not in game.facts]
    hint = " Votes depend on " + explaining.listed(f'"{clean(fact)}"' for fact in near) + "." if near else ""
    return f"No vote depends on it now.{hint}"


MAX_HELD_LINES = 30
"""Lines on held letters in a journal."""
BUCKET_WORDS = {
    "deeds": "with deeds", "no-deed": "without a deed", "duplicate": "repeated", "own": "our own",
    "machine": "automatic", "stranger": "from strangers",
}
"""Each bucket of letters in words."""
ROUTINE = (Counted, DeedHeard, Voted)
HIDDEN_ROUTINE = (*ROUTINE, Alerted, Batched, KeyAdded, LetterHeard, Noted)
WORTH_A_LETTER = (
    PhaseBegan, Ended, SessionStopped, AwardsHeld, Alerted, Noted, Prodded, GuardRaised, IntentBlocked, ErrorClaimed,
    QuestionAsked)


def is_routine(event: Event) -> bool:
    """Return whether a journal leaves out *event*, which everyone may know: a night's stage is its phase."""
    return isinstance(event, ROUTINE) or (isinstance(event, StageBegan) and event.stage == "night")


def worth_a_journal(entries: Sequence[Entry]) -> bool:
    """Return whether the contestmaster should hear of *entries* by mail."""
    return any(worth_a_letter(e.event) for e in entries)


def worth_a_letter(event: Event) -> bool:
    """Return whether the contestmaster should hear of *event* by mail: a phase, an end, or something to decide."""
    if isinstance(event, Voted):
        return is_public(event) and any(isinstance(part, Fact) for part in walk(event.ballot))
    return isinstance(event, WORTH_A_LETTER) and not getattr(event, "quiet", False)


def journal(
    view: ContestmasterView, public: PublicView, entries: Sequence[Entry], prose: Prose, now: int
) -> tuple[Outgoing, ...]:
    """Return the journal's letter for *entries*; nothing if the contestmaster has no address.

    Secrets are encrypted to the contestmaster's key, or sent in the clear if there is none and `Setup.open_journal` is
    set.
    """
    setup = view.contest.setup
    if not setup.contestmaster_addresses:
        return ()
    listed_below = _listed_below(view)
    noted = [e.event.text for e in entries if isinstance(e.event, Noted) or (
        isinstance(e.event, Alerted) and e.event.about not in listed_below)]
    noted += [question_line(e.number, e.event) for e in entries if isinstance(e.event, QuestionAsked)]
    untold, due_besides = unannounced(view.contest), due_lines(view, now, clear=True)
    body = prose.text(
        "journal", opening=_opening(view, public, entries, due_besides),
        owed=_owed_in_the_clear(view, public, entries, now),
        happened=[event_line(e.event, public.ruleset) for e in entries
                  if is_public(e.event) and e.number not in untold and not is_routine(e.event)],
        held=held_lines(view, clear=True), due=due_besides,
        notes=[clean(note) for note in (*noted, *prose.faults)],
        conservation=conservation(view), name=setup.name,
    )
    certificates = tuple(k.certificate for k in view.contest.law.keys.get(setup.contestmaster, ()))
    secret = _secret(view, entries, prose, body, now) if certificates or setup.open_journal else ""
    return (Outgoing(
        f"s{view.contest.session}/e{entries[0].number}/journal", "private",
        journal_subject(setup, public.place, view.contest.session),
        secret if setup.open_journal and not certificates else body + "\n", now,
        to=setup.contestmaster_addresses[0], person=setup.contestmaster,
        secret=secret if certificates else "", certificates=certificates,
    ),)


def _secret(view: ContestmasterView, entries: Sequence[Entry], prose: Prose, plain: str, now: int) -> str:
    """Return the text of the journal including secrets."""
    owed = [clean(f"{o.who}: {o.verb}, since {when(o.since)}") for o in view.owed]
    untold = unannounced(view.contest)
    owed += draft_lines(view, now)
    secret = [event_line(e.event) for e in entries if e.number in untold or not (
        is_public(e.event) or isinstance(e.event, HIDDEN_ROUTINE))]
    told = prose.text("journal-secret", plain=plain.partition("\n--\n")[0], owed=owed, happened=secret)
    return told + "\n"


def _listed_below(view: ContestmasterView) -> set[str]:
    """Return what alerts are about of which the letter has a line among what is due."""
    return {f"{d.what}, {d.since}" for d in contract_duties(view.contest)}


def _opening(view: ContestmasterView, public: PublicView, entries: Sequence[Entry], told: Sequence[str]) -> str:
    """Return the first paragraph: the state of the session, and what waits for the contestmaster.

    What is *told* below isn't repeated.
    """
    turns = [e.event for e in entries if isinstance(e.event, Alerted | PhaseBegan | Ended | SessionStopped)]
    asks = [f"Something waits for you: see what is {'due' if t.about in _listed_below(view) else 'noted'} below."
            for t in turns[-1:] if isinstance(t, Alerted)]
    if view.held:
        asks.append(f"{plural(len(view.held), 'letter')} {'waits' if len(view.held) == 1 else 'wait'} for your ruling: "
                    "nomicwolf held, then release N or reject N.")
    held = view.contest.awards_held.get(view.contest.session)
    if held is not None:
        more = excess(view.contest, held.nomic)
        why = f", which is {more} more than the roster yields" if more else ""
        asks.append(f"The announcement of the end waits until you confirm P of {held.nomic}{why}: nomicwolf award "
                    f"--limit {held.nomic}=POINTS (D-N21).")
    asks += [f"{line}." for line in unreachable(view)]
    asks += [f"There is {line}." for line in fact_lines(public.shown)]
    if questions := question_lines(view):
        wait = "a player waits" if len(questions) == 1 else "players wait"
        shows = "shows it" if len(questions) == 1 else "lists them"
        asks.append(f"{plural(len(questions), 'question')} from {wait} for your answer (nomicwolf status {shows}).")
    if view.contest.law.guard:
        asks.append(f"Nobody has polled since {when(view.contest.law.guard)}: no deadline passes until you say "
                    "nomicwolf resume (D-N39).")
    if view.contest.law.paused:
        asks.append(f"The session has been paused since {when(view.contest.law.paused)}: no deadline passes until you "
                    "say nomicwolf resume (D-A15).")
    stands = {"over": "The session is over.", "setup": "The session is being set up."}.get(
        public.phase, f"It is {public.place}.")
    return " ".join([stands, *(asks or ["Nothing waits for you."] * (not told))])


def question_lines(view: ContestmasterView) -> list[str]:
    """Return a line for each unanswered question of a player, with the command that answers it (D-M16)."""
    return [clean(question_line(number, asked)) for number, asked in view.contest.recalled.questions.items()]


def question_line(number: int, asked: QuestionAsked) -> str:
    """Return the question of entry *number* in quotation marks, which its words can't close, and what answers it."""
    words = asked.words.replace("“", "‘").replace("”", "’")
    return f"{asked.who} asks: “{words}” (nomicwolf answer {number} TEXT)"


def unreachable(view: ContestmasterView) -> list[str]:
    """Return a line for each player without an address, with the command that adds one."""
    game = view.contest.running
    lost = [p for p in game.seats if not view.contest.address_of(p)] if game is not None else []
    return [f"No address is known for {clean(p)}: nomicwolf party address {shell_word(p)} ADDRESS" for p in lost]


def due_lines(view: ContestmasterView, now: int, *, clear: bool = False) -> list[str]:
    """Return a line for each thing that the contestmaster or a member owes outside the session's own deeds.

    In the *clear*, dawn is left out, because it would reveal when the night's last deed was done.
    """
    guard = view.contest.law.guard
    return [clean(f"{d.who}: {d.what} ({d.clause}), {'since' if d.since <= now else 'from'} {when(d.since)}, "
                  f"{_term(d.until, now, guard)}")
            for d in contract_duties(view.contest) if not (clear and d.clause == "NC 4c")]


def _term(until: int, now: int, guard: int) -> str:
    """Return until when something is due; during an uninvestigated outage nothing falls due (D-N39)."""
    if guard and until > guard + FAR:
        return "not due before you say nomicwolf resume"
    return f"late since {when(until)}" if until <= now else f"by {ahead(until, now)}"


def _owed_in_the_clear(view: ContestmasterView, public: PublicView, entries: Sequence[Entry], now: int) -> str:
    """Return how much is owed, as far as anyone may read it: by night only how much time has passed.

    By night the number would reveal who is dead or has acted (NC 6b), so only `nomicwolf status` shows it. '' where
    *entries* have an alert that says the same.
    """
    if public.phase == "day" or view.contest.running is None:
        return _owed_by_day(view)
    if view.contest.law.guard:
        return "You can act for nobody before nomicwolf resume."
    if public.phase == "setup":
        return "Nobody can act for others before the first day, but a ruling can do it (D-N3)."
    ripe = due(view.contest, public.began)
    if public.stage and 0 < public.deadline <= ripe:
        return f"{public.place.capitalize()} ends at {ahead(public.deadline, now)}, whatever is still owed by then."
    if ripe <= now:
        if any(isinstance(e.event, Alerted) and e.event.about == f"{public.place}, {public.began}" for e in entries):
            return ""
        days = duration(soon(view.contest.setup))
        return f"{days} of {public.place} have passed; nomicwolf status shows whether you may act for others (NC 1j)."
    return f"You can act for others from {when(ripe)} on, where clause 1j allows it."


def _owed_by_day(view: ContestmasterView) -> str:
    """Return how much is owed and since when, but not by whom (NC 6): '' if nothing is."""
    if not view.owed:
        return ""
    words = f"{plural(len(view.owed), 'deed')} since {when(min(o.since for o in view.owed))}"
    return f"Owed: {words}; nobody can act for others by day, but a ruling can (D-N3)."


def held_lines(view: ContestmasterView, *, clear: bool = False, each: bool = False) -> list[str]:
    """Return a line for each letter that waits for a ruling; in the *clear* no private one is quoted.

    Letters above one author's daily limit share a line, as do those of unknown authors, unless *each* is set; beyond
    `MAX_HELD_LINES` lines the rest is a number.
    """
    if each:
        return [_held_line(view, number, clear=clear) for number in sorted(view.held)]
    folded: dict[tuple[object, ...], list[int]] = {}
    for number, held in sorted(view.held.items()):
        folded.setdefault((_author_of(view, held), held.why) if held.quiet else (number,), []).append(number)
    lines = [_held_line(view, numbers[0], clear=clear) if len(numbers) == 1 else _flood_line(view, numbers)
             for numbers in folded.values()]
    more = sum(map(len, [*folded.values()][MAX_HELD_LINES:]))
    return lines if not more else [*lines[:MAX_HELD_LINES], f"and {plural(more, 'letter')} more: nomicwolf held"]


def _held_line(view: ContestmasterView, number: int, *, clear: bool) -> str:
    held = view.held[number]
    letter = view.contest.letters.get(held.letter)
    why = f"{held.why}. {held.other}"
    if clear and letter is not None and letter.channel == PRIVATE:
        why = f"{held.why.partition(':')[0]} (nomicwolf held {number})."
    return clean(f"letter {number}{_by(_author_of(view, held))}: {why}").replace("..", ".")


def _flood_line(view: ContestmasterView, numbers: Sequence[int]) -> str:
    held = view.held[numbers[0]]
    return clean(f"{len(numbers)} letters{_by(_author_of(view, held))}, letter {numbers[0]} to letter {numbers[-1]}: "
                 f"{held.why.partition(':')[0]} (nomicwolf held)")


def _by(author: str) -> str:
    return f" from {clean(author)}" if author else ""


def _author_of(view: ContestmasterView, held: LetterHeld) -> str:
    letter = view.contest.letters.get(held.letter)
    return letter.author if letter is not None else ""


def conservation(view: ContestmasterView) -> str:
    """Return what became of every letter ever received; the parts add up to the total."""
    total = sum(view.buckets.values())
    parts = ", ".join(f"{number} {BUCKET_WORDS.get(bucket, bucket)}" for bucket, number in sorted(view.buckets.items()))
    return f"Letters heard: {total} ({parts})." if total else "Letters heard: none yet."
