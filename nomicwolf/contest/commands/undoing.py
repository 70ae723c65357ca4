"""A deed undone: by a further event, never by an edit; refused where a death depends on it (D-N42)."""

from __future__ import annotations

from nomicwolf.contest.casting import cast_now, still
from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import DeedUndone
from nomicwolf.nomic.events import Ruled
from nomicwolf.village.ballots import Nobody, ballot_text
from nomicwolf.village.events import (
    Agreed,
    Chose,
    Completed,
    Dawned,
    Ended,
    Entry,
    Event,
    Killed,
    Lynched,
    PhaseBegan,
    Revived,
    Seen,
    StageBegan,
    Told,
    Turned,
    Undone,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import voted as voted_in
from nomicwolf.village.rule_helpers import listed
from nomicwolf.village.rules import Refusal

FATAL: tuple[type[Event], ...] = (Lynched, Killed, Revived, Turned, PhaseBegan, Ended)
TELLING: tuple[type[Event], ...] = (Seen, Told)
ANSWERED = "what it answered to is undone"
"""Why an answer is undone, in words that tell nothing of whose deed it answered to."""


def undo(work: Work, command: Command) -> str:
    """Undo a vote or a choice of the present phase, by the number of its entry; what was public with a new count."""
    game, why = work.contest.running, command.words("why", "Say why; all are told: --why.", ("D-N42",))
    if game is None:
        raise Refusal("No session is in progress; `start` begins one.", ("D-N42",))
    entry = _meant(game, command)
    if entry.number < game.phase_mark:
        raise Refusal("Its phase is over: what came of it stays. A ruling may say what follows.", ("D-N42",))
    if isinstance(entry.event, Voted):
        return _vote(work, game, entry, entry.event, why)
    assert isinstance(entry.event, Chose)
    return _choice(work, game, entry, entry.event, why, command.get("authority"))


def _meant(game: Game, command: Command) -> Entry:
    """Return the vote or choice that *command* names by the number of its entry, or of its deed's.

    Words are neither: who has read them can't be made to forget.
    """
    number = command.number("number")
    done = [*game.lines(Voted), *(e for e in game.lines(Chose) if not getattr(e.event, "words", ""))]
    found = next((e for e in done if e.number == number
                  or (number is not None and e.cause == f"deed {number}")), None)
    if found is None:
        last = tuple(str(e.number) for e in done if e.number > game.phase_mark)[-10:]
        said = command.get("number") or "(none)"
        raise Refusal(f"Entry {said} is no vote and no choice of this session.", ("D-N42",), last)
    return found


def _vote(work: Work, game: Game, entry: Entry, voted: Voted, why: str) -> str:
    """Undo a vote: the one before it stands again, or none; refused if somebody has died since, or would at once."""
    if entry.number < game.mark(StageBegan):
        raise Refusal("It has been counted: what came of it stays. A ruling may say what follows.", ("D-N42",))
    last, mine = cast_now(work.contest.entries, game, voted.who)
    if not mine or entry.number not in (last.number, mine[-1].number):
        raise Refusal(f"A later vote of {voted.who}'s stands in its place, or it is undone: nothing hangs on this one.",
                      ("D-N42",))
    entry, voted = mine[-1], voted_in(mine[-1])
    ballot = still(game, voted_in(mine[-2]).ballot) if len(mine) > 1 else Nobody()
    if any(_fatal(e) and e.number > entry.number for e in game.entries):
        raise Refusal("A death depends on it: what has been disclosed can't be undone. End the session by clause 1f, "
                      "or record a ruling on what follows.", ("D-N42", "NC 1f"))
    rules, at, master = work.rules, max(work.now, game.clock), work.contest.setup.contestmaster
    key = (*voted_in(last).key, 1)
    _, follows = rules.cast(game, at, voted.who, voted.verb, ballot, key=key, by=master)
    if any(map(_fatal, follows)):
        raise Refusal(f"Without it {voted.who}'s earlier vote would condemn somebody at once; let em vote anew "
                      "instead.", ("D-N42",))
    work.add(DeedUndone(entry.number, voted.who, f"{voted.verb} {ballot_text(voted.ballot)}", why, voted.sealed),
             cites=("D-N42",), cause="command")
    work.play(lambda g: rules.cast(g, at, voted.who, voted.verb, ballot, key=key, by=master, cause="command"))
    return f"{voted.who}'s vote is undone; it is {ballot_text(ballot)} again."


def _fatal(entry: Entry) -> bool:
    """Return whether *entry* is a death, or what a death brings; one who has left did not die of a vote (D-A2)."""
    event = entry.event
    return isinstance(event, FATAL) and not (isinstance(event, Killed) and event.cause == "departure")


def _choice(work: Work, game: Game, entry: Entry, chose: Chose, why: str, authority: str) -> str:
    """Undo a choice and what followed; refused if somebody died of it, or was told of it and no authority is given."""
    chain = _follows(work.rules, game, entry, chose)
    if any(isinstance(e.event, FATAL) for e in chain) or any(e.number > entry.number for e in game.lines_now(Dawned)):
        raise Refusal("A death depends on it: nothing was done. A ruling may say what follows.", ("D-N42",))
    told = [e for e in chain if isinstance(e.event, TELLING)]
    if told and not authority:
        raise Refusal("Someone has been told what follows from it, and can't be made to forget: give --authority, the "
                      "clause, amendment or case that allows it.", ("D-N42",))
    numbers = tuple(sorted(e.number for e in chain))
    says = _says(chose)
    if authority:
        work.add(Ruled(f"A deed is undone: {why}", authority, (chose.who,), secret=True), cites=("D-N42", "D-A11"),
                 cause="command")
    work.add(DeedUndone(entry.number, chose.who, says, why, secret=True), cites=("D-N42",), cause="command")
    answers = [e for e in chain if isinstance(e.event, Chose) and e is not entry]
    for answer in answers:
        assert isinstance(answer.event, Chose)
        work.add(DeedUndone(answer.number, answer.event.who, _says(answer.event), ANSWERED, secret=True),
                 cites=("D-N42",), cause="command")
    rules, at = work.rules, max(work.now, game.clock)
    work.play(lambda g: rules.settle(g, at, (Undone(numbers),), ("D-N42",), "command"))
    others = listed(tuple(dict.fromkeys(e.event.who for e in answers if isinstance(e.event, Chose))))
    with_it = f" So is what {others} answered to it." if answers else ""
    return f"{chose.who}'s {says} is undone; e owes it again if e did.{with_it}"


def _says(chose: Chose) -> str:
    return " ".join([chose.verb, " and ".join(chose.what) or "nobody"])


def _follows(rules: Ruleset, game: Game, entry: Entry, chose: Chose) -> list[Entry]:
    """Return *entry* and what followed from it: by its cause or its deed's, and that everything had been done.

    What several agreed on follows from what each of them said last; and what has been answered to what they agreed on,
    as by the Witch, who could not have answered without, follows from that.
    """
    causes = {f"entry {entry.number}"} | ({entry.cause} if entry.cause.startswith("deed ") else set())
    found, stands, agreement = [entry], True, False
    for later in (e for e in game.entries if e.number > entry.number):
        stands = stands and not (
            isinstance(later.event, Chose) and (later.event.who, later.event.verb) == (chose.who, chose.verb))
        agreed = stands and _agreed(rules, game, chose, later.event)
        answers = agreement and _answers(rules, game, found, later)
        if agreed or answers or later.cause in causes or isinstance(later.event, Completed):
            found.append(later)
            causes |= {f"entry {later.number}", later.cause} if agreed else {f"entry {later.number}"}
            causes |= {later.cause} if answers and later.cause.startswith("deed ") else set()
            agreement = agreement or isinstance(later.event, Agreed)
    return found


def _answers(rules: Ruleset, game: Game, found: list[Entry], later: Entry) -> bool:
    """Return whether *later* is a choice that was open to its author only by what is *found* (NC 7b)."""
    chose = later.event
    if not isinstance(chose, Chose):
        return False
    without = game.branch()
    without.rebuild([e for e in game.entries if e.number < later.number], [e.number for e in found])
    duty = next((d for d in rules.roles[game.roles[chose.who]].duties if d.verb == chose.verb), None)
    return duty is not None and not duty.opens(without, chose.who)


def _agreed(rules: Ruleset, game: Game, chose: Chose, event: Event) -> bool:
    """Return whether *event* is what those agreed on who choose together, *chose* being a part of that."""
    match event:
        case Agreed(verb, whom, pack):
            return verb == chose.verb and whom == chose.what and chose.who in pack
        case Seen(by, who, _) if by != chose.who and (who,) == chose.what:
            role = game.roles[chose.who]
            together = any(d.verb == chose.verb and d.changeable for d in rules.roles[role].duties)
            return together and game.roles[by] == role
    return False
