"""How one votes in a rule set, in the words of its own laws: for the letters that open sessions and stages."""

from __future__ import annotations

from collections.abc import Iterable

from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Duty, Law

STANDING = (
    "How to vote: by day, write in a forum on a line of its own, for example",
    '- "I vote for Cam."',
    '- "I endorse Cam."',
    '- "I vote for Cam if Bex is voting for Cam, otherwise nobody."',
    '- "I retract my vote."',
)
"""In quotation marks, so that they do nothing where an answer repeats them and doesn't mark what it repeats."""
CONDITIONS = (
    'A vote may also follow another\'s ("endorse Cam") or hang on a condition ("{}"). Until its deadline the last one '
    "that you send counts."
)
ON_NAMES = "Cam if Bex is voting for Cam, otherwise nobody"
PLURALITY = "most votes decide"
ON_VERDICTS = "guilty if Bex votes guilty, otherwise innocent"


def voting(rules: Ruleset, address: str) -> list[str]:
    """Return the lines that tell everyone how votes are given; sealed ballots go to *address* alone (D-M1)."""
    if rules.votes_stand:
        return list(STANDING)
    duties = [duty for law in rules.laws for duty in law.duties]
    lines = [f"How it is decided: {law.describes}" for law in rules.laws if law.describes and ballots(law)]
    lines += _block("By day, in a forum, on a line of its own:", (d for d in duties if d.public))
    lines += _block(f"By day, by private mail to {address} alone:", (d for d in duties if d.pins and not d.public))
    names = any(duty.says.startswith("vote NAME") for duty in duties if duty.pins)
    more = [law.describes for law in rules.laws if law.describes and not ballots(law)]
    return [*lines, CONDITIONS.format(ON_NAMES if names else ON_VERDICTS), *more]


def ballots(law: Law) -> bool:
    """Return whether *law* is a way to vote."""
    return any(duty.pins for duty in law.duties)


def open_to_all(rules: Ruleset, game: Game) -> list[str]:
    """Return what is open to the living in the present stage of a *game* as everyone knows it: ballots come first."""
    duties = sorted((d for law in rules.laws for d in law.duties
                     if (d.public or d.pins) and any(d.opens(game, who) for who in game.living())),
                    key=lambda d: d.pins is None)
    return [*_block("Open in a forum, on a line of its own:", (d for d in duties if d.public)),
            *_block("Open by private mail alone:", (d for d in duties if not d.public))]


def polls(rules: Ruleset, game: Game) -> str:
    """Return how ballots can be cast at this moment: ``open`` to all eyes, ``sealed``, or '' if none can."""
    ballots_open = [d for law in rules.laws for d in law.duties
                    if d.pins and any(d.opens(game, who) for who in game.living())]
    return "sealed" if any(d.sealed for d in ballots_open) else "open" if ballots_open else ""


def decides(rules: Ruleset, stage: str, majority: int) -> str:
    """Return what a count in *stage* comes to, *majority* being more than half of the living ('': no stage)."""
    if any(duty.sealed for law in rules.laws for duty in law.duties):
        return "ballots are sealed until all are opened together"
    if rules.votes_stand:
        return f"{majority} votes lynch"
    accused = any(law.name == "accusation" for law in rules.laws)
    return f"{majority} for guilty convict" if accused else PLURALITY


def where(rules: Ruleset, address: str) -> str:
    """Return the line at the foot of a letter that says where votes and actions go."""
    sealed = any(d.sealed for law in rules.laws for d in law.duties)
    return f"Ballots and private actions go to {address}." if sealed else (
        f"Votes go to a forum, private actions to {address}.")


def _block(head: str, duties: Iterable[Duty]) -> list[str]:
    lines = [f"- {duty.says}" for duty in duties]
    return [head, *lines] if lines else []
