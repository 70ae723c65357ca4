"""Commands on the law around the game and on a contest's care, by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomicwolf.contest import caring, claiming, intending, keys, seeding
from nomicwolf.contest.echoing import missing, only_named
from nomicwolf.contest.happenings import Command
from nomicwolf.contest.questioning import answer
from nomicwolf.contest.rosters import suits
from nomicwolf.contest.substituting import substitute
from nomicwolf.contest.undoing import undo
from nomicwolf.contest.work import Work
from nomicwolf.nomic.care import PersonRenamed
from nomicwolf.village.rules import Refused as Refusal


def rename(work: Work, command: Command) -> str:
    """Call a person by a new name; the former one still means em (NC 1c)."""
    old, new, game = command.get("who"), " ".join(command.get("new").split()), work.contest.running
    if old not in work.contest.persons:
        raise Refusal(f"Nobody here is called {old!r}.", (), tuple(work.contest.persons))
    if not new or new == old:
        raise Refusal(f"{new or 'No name'} can't be eir name: it is the present one, or none.")
    warning = suits(work.contest, new, old)
    if game is not None and old in game.seats:
        raise Refusal(f"{old} plays in this session under that name; add an alias now, and rename em after it.")
    work.add(PersonRenamed(old, new), cause="command")
    return f"{old} is now called {new}. {warning}".strip()


FURTHER: Mapping[str, Callable[[Work, Command], str]] = {
    "intend": intending.intend, "resolve": intending.resolve, "clock": intending.turn_clock,
    "resume": caring.resume, "holiday": caring.holiday, "contestmaster": caring.contestmaster,
    "party-status": caring.party_status, "party-rename": rename, "claim": claiming.claim, "correct": claiming.correct,
    "substitute": substitute, "undo": undo, "echo-missing": missing, "only-named": only_named, "answer": answer,
    "seed-bind": seeding.bind, "key-add": keys.add, "key-remove": keys.remove,
}
