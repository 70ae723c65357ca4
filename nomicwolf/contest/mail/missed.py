"""Words in a forum by which a player seems to accuse, second, nominate or judge, and which were not understood.

E is asked, once, and nothing is done by them. Only who could do it now, and has not, is asked, so that a talk about
guilt stays a talk.
"""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.contest.happenings import ReadLetter
from nomicwolf.contest.work import Work
from nomicwolf.nomic.events import Asked
from nomicwolf.reading.set_phrases import seems_to_accuse, seems_to_judge, seems_to_nominate, seems_to_second
from nomicwolf.village.game import Game
from nomicwolf.village.laws.accusation import ACCUSATION, on_trial
from nomicwolf.village.laws.verdicts import cast_in_stage
from nomicwolf.village.rule_helpers import listed

JUDGES = ("guilty", "innocent", "vote", "unvote")
"""By what someone gives eir verdict."""
NOMINATIONS = "nominations"
NAMES = ("nominate", "vote", "unvote")
"""By what someone names another, where all do."""


def trial_missed(work: Work, heard: ReadLetter) -> None:
    """Ask who posts to a forum of the first words by which e seems to accuse, second, nominate or judge."""
    game, author = work.contest.running, heard.author
    if game is None or author not in game.shown_living() or heard.channel not in work.contest.setup.nomics:
        return
    if game.stage != NOMINATIONS and not any(law.name == ACCUSATION for law in work.rules.laws):
        return
    open_now = {duty.verb: duty for duty in work.rules.duties(game, author) if duty.public}
    if game.stage == NOMINATIONS:
        hint = "If you nominate somebody, write “I nominate NAME.” in a forum, on a line of its own."
        if "vote" in open_now:
            _ask(work, heard, (seems_to_nominate, NAMES, hint))
        return
    if on_trial(game) and "vote" in open_now and author not in _judges(work, game):
        hint = (f"If this is your verdict on {on_trial(game)}, write “guilty” or “innocent” in a forum, on a line of "
                "its own.")
        if _ask(work, heard, (seems_to_judge, JUDGES, hint)):
            return
    if "accuse" in open_now:
        hint = "If you accuse somebody, write “I accuse NAME.” in a forum, on a line of its own."
        if _ask(work, heard, (seems_to_accuse, ("accuse", "second"), hint)):
            return
    if "second" in open_now and (whom := work.rules.options(game, author, open_now["second"])):
        hint = (f"If you second an accusation, name who is accused: write “second {whom[0]}” in a forum, on a line of "
                "its own.")
        more = f" You could second those of {listed(whom)}." if len(whom) > 1 else ""
        _ask(work, heard, (seems_to_second, ("second", "accuse"), hint + more))


def _judges(work: Work, game: Game) -> set[str]:
    """Return who has given a verdict, also by what has not settled yet."""
    return {*cast_in_stage(game), *(d.who for d in work.contest.pending.values() if d.verb in JUDGES)}


def _ask(work: Work, heard: ReadLetter, what: tuple[Callable[[str], bool], tuple[str, ...], str]) -> bool:
    """Ask about the first line that looks so, unless such a deed was understood; the same words once in a phase.

    *what* is whether a line looks so, the verbs of such deeds, and what is told with the question.
    """
    (looks, verbs, hint), reading = what, heard.reading
    understood = {d.line for d in reading.deeds} | {p.line for p in reading.problems}
    line = next(((n, x.strip()) for n, x in heard.text.lines if n not in understood and looks(x)), None)
    if line is None or any(d.verb in verbs for d in reading.deeds):
        return False
    game = work.contest.running
    assert game is not None
    told = any(isinstance(e.event, Asked) and (e.event.who, e.event.text) == (heard.author, line[1])
               for e in work.contest.entries[game.phase_mark:])
    if not told:
        asked = Asked(heard.number, heard.author, *line, "not understood", hint)
        work.add(asked, cites=("D-N10",), cause=f"letter {heard.number}")
    return not told
