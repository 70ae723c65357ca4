"""Facts that votes hang on and that only the contestmaster can establish, by ``publish`` (NC 3, D-N8)."""

from __future__ import annotations

from shlex import quote

from nomicwolf.reports.layout import clean
from nomicwolf.village.ballots import Fact
from nomicwolf.village.events import Voted
from nomicwolf.village.explaining import listed, possessive
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import latest, lynched_today
from nomicwolf.village.laws.verdicts import ballots_of_stage
from nomicwolf.village.pinning import walk


def facts_of(game: Game | None) -> dict[str, tuple[str, ...]]:
    """Return each fact that a ballot of the present vote names, with whose ballots those are."""
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


def asked_lines(game: Game | None) -> list[str]:
    """Return a line for each fact that a vote waits for, with the command that publishes it, ready for a shell."""
    known = game.facts if game is not None else {}
    return [f"a fact on which {listed(possessive(map(clean, voters)))} vote hangs: "
            f"nomicwolf publish {quote(clean(text))} true, or false"
            for text, voters in facts_of(game).items() if text not in known]


def bearing(game: Game, text: str) -> str:
    """Return what the contestmaster should know who publishes *text* as a fact: that no vote hangs on it."""
    facts = facts_of(game)
    if text in facts:
        return ""
    near = [fact for fact in facts if fact not in game.facts]
    hint = " Votes hang on " + listed(f'"{clean(fact)}"' for fact in near) + "." if near else ""
    return f"No vote hangs on it now.{hint}"
