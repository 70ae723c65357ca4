"""``rehearse``: files and folders of rehearsals, in one process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from nomicwolf.cli.base import NEEDS_YOU, WRONG_USE, complain, fail, say, say_json
from nomicwolf.cli.texts import content_text, shown_name
from nomicwolf.contest.happenings import Parse
from nomicwolf.rehearsal import Played, ScriptError, read_script
from nomicwolf.rehearsal import rehearse as play
from nomicwolf.rehearsal.outcome import outcome_json, outcome_text

KINDS = (".yaml", ".yml", ".json")


def rehearse_all(names: Sequence[str], parse: Parse, until: int | None, *, as_json: bool) -> int:
    """Play every rehearsal, print what came of each, and return the exit status: 1 if an expectation failed.

    One that can't be played is told on standard error, the others are played all the same, and the status is 2.
    """
    played: list[Played] = []
    broken = 0
    for name in _scripts(names):
        text = content_text(name)
        if text is None:
            broken += 1
            continue
        try:
            played.append(play(read_script(text, _folder(name)), parse, until))
        except ScriptError as error:
            complain(f"{shown_name(name)}: {error}")
            broken += 1
            continue
        say_json(outcome_json(played[-1])) if as_json else say(outcome_text(played[-1]))
    failed = sum(p.passed is False for p in played)
    if not as_json and len(played) + broken > 1:
        say(f"{len(played)} rehearsals, {failed} failed." + (f" {broken} could not be played." if broken else ""))
    return WRONG_USE if broken else NEEDS_YOU if failed else 0


def _scripts(names: Sequence[str]) -> Iterator[str]:
    for name in names:
        folder = Path(name)
        if not folder.is_dir():
            yield name
            continue
        files = sorted(path for path in folder.rglob("*") if path.suffix in KINDS and path.is_file())
        if not files:
            fail(f"{name}: has no rehearsals ({', '.join(KINDS)}) in it", WRONG_USE)
        yield from map(str, files)


def _folder(name: str) -> Path:
    return Path(name).parent if Path(name).is_file() else Path()
