"""A deed undone: by a further event, never by an edit; refused where a death depends on it (D-N42)."""

from __future__ import annotations

from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import DeedUndone
from nomicwolf.nomic.events import Ruled
from nomicwolf.village.ballots import Nobody
from nomicwolf.village.events import (
    Chose,
    Completed,
    Ended,
    Entry,
    Event,
    Killed,
    Lynched,
    PhaseBegan,
    Revived,
    Seen,
    Told,
    Turned,
    Undone,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Refusal
from nomicwolf.village.wording import ballot_text

FATAL: tuple[type[Event], ...] = (Lynched, Killed, Revived, Turned, PhaseBegan, Ended)
TELLING: tuple[type[Event], ...] = (Seen, Told)


def undo(work: Work, command: Command) -> str:
    """Undo a vote or a choice of the present phase, by the number of its entry; what was public with a new count."""
    game, why = work.contest.running, command.get("why")
    if game is None:
        raise Refusal("No session is in progress.", ("D-N42",))
    if not why:
        raise Refusal("Say why; all are told: --why.", ("D-N42",))
    entry = _meant(game, command)
    if entry.number < game.phase_mark:
        raise Refusal("Its phase is over: what came of it stays. A ruling may say what follows.", ("D-N42",))
    if isinstance(entry.event, Voted):
        return _vote(work, game, entry, entry.event, why)
    assert isinstance(entry.event, Chose)
    return _choice(work, game, entry, entry.event, why, command.get("authority"))


def _meant(game: Game, command: Command) -> Entry:
    """Return the vote or choice that *command* names by the number of its entry, or of its deed's."""
    number = command.number("number")
    found = next((e for e in (*game.lines(Voted), *game.lines(Chose)) if e.number == number
                  or (number is not None and e.cause == f"deed {number}")), None)
    if found is None:
        last = tuple(str(e.number) for e in (*game.lines_now(Voted), *game.lines_now(Chose)))[-10:]
        said = command.get("number") or "(none)"
        raise Refusal(f"Entry {said} is no vote and no choice of this session.", ("D-N42",), last)
    return found


def _vote(work: Work, game: Game, entry: Entry, voted: Voted, why: str) -> str:
    """Undo a vote: the one before it stands again, or none; refused if somebody has died since, or would at once."""
    mine = game.lines_now(Voted, who=voted.who)
    if mine[-1].number != entry.number:
        raise Refusal(f"A later vote of {voted.who}'s stands in its place: nothing hangs on this one.", ("D-N42",))
    before = mine[-2].event if len(mine) > 1 else None
    ballot = before.ballot if isinstance(before, Voted) else Nobody()
    if any(isinstance(e.event, FATAL) and e.number > entry.number for e in game.entries):
        raise Refusal("A death depends on it: what has been disclosed can't be undone. End the session by clause 1f, "
                      "or record a ruling on what follows.", ("D-N42", "NC 1f"))
    rules, at, master = work.rules, max(work.now, game.clock), work.contest.setup.contestmaster
    _, follows = rules.cast(game, at, voted.who, voted.verb, ballot, key=(at,), by=master)
    if any(isinstance(e.event, FATAL) for e in follows):
        raise Refusal(f"Without it {voted.who}'s earlier vote would condemn somebody at once; let em vote anew "
                      "instead.", ("D-N42",))
    work.add(DeedUndone(entry.number, voted.who, f"{voted.verb} {ballot_text(voted.ballot)}", why, voted.sealed),
             cites=("D-N42",), cause="command")
    work.play(lambda g: rules.cast(g, at, voted.who, voted.verb, ballot, key=(at,), by=master, cause="command"))
    return f"{voted.who}'s vote is undone; it is {ballot_text(ballot)} again."


def _choice(work: Work, game: Game, entry: Entry, chose: Chose, why: str, authority: str) -> str:
    """Undo a choice and what followed; refused if somebody died of it, or was told of it and no authority is given."""
    chain = _follows(game, entry)
    if any(isinstance(e.event, FATAL) for e in chain):
        raise Refusal("A death depends on it: nothing was done. A ruling may say what follows.", ("D-N42",))
    told = [e for e in chain if isinstance(e.event, TELLING)]
    if told and not authority:
        raise Refusal("Someone has been told what follows from it, and can't be made to forget: give --authority, the "
                      "clause, amendment or case that allows it.", ("D-N42",))
    numbers = tuple(sorted(e.number for e in chain))
    says = " ".join([chose.verb, " and ".join(chose.what) or "nobody"])
    if authority:
        work.add(Ruled(f"A deed is undone: {why}", authority, (chose.who,), secret=True), cites=("D-N42", "D-A11"),
                 cause="command")
    work.add(DeedUndone(entry.number, chose.who, says, why, secret=True), cites=("D-N42",), cause="command")
    rules, at = work.rules, max(work.now, game.clock)
    work.play(lambda g: rules.settle(g, at, (Undone(numbers),), ("D-N42",), "command"))
    return f"{chose.who}'s {says} is undone; e owes it again if e did."


def _follows(game: Game, entry: Entry) -> list[Entry]:
    """Return *entry* and what followed from it: by its cause or its deed's, and that everything had been done."""
    causes = {f"entry {entry.number}"} | ({entry.cause} if entry.cause.startswith("deed ") else set())
    found = [entry]
    for later in (e for e in game.entries if e.number > entry.number):
        if later.cause in causes or isinstance(later.event, Completed):
            found.append(later)
            causes.add(f"entry {later.number}")
    return found


