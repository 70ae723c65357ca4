"""How a contest stands, for programs: the keys of `status --json` and `votes --json`, as far as all may know them."""

from __future__ import annotations

import json
from typing import Any

from nomicwolf import __version__
from nomicwolf.nomic.times import iso
from nomicwolf.reports.archive.shown import Shown
from nomicwolf.reports.archive.threads import Item
from nomicwolf.reports.json_reports import SCHEMA, phase_name, votes_json

SCHEMA_FILE = "state.schema.json"


def state(shown: Shown) -> bytes:
    """Return the state as JSON, in the form that `SCHEMA_FILE` describes."""
    return (json.dumps(_state(shown), ensure_ascii=True, indent=1) + "\n").encode("ascii")


def _state(shown: Shown) -> dict[str, Any]:
    view, about, game = shown.view, shown.published.about, shown.contest.game
    return {
        "$schema": SCHEMA_FILE, "schema": SCHEMA, "version": __version__, "contest": about.contest, "name": about.name,
        "url": about.url, "contestmaster": about.contestmaster, "clock": _at(shown.published.at),
        "parties": {nomic: list(people) for nomic, people in view.parties.items()},
        "session": view.session, "ruleset": view.ruleset or about.ruleset, "phase": phase_name(game),
        "stage": view.stage, "began": _at(view.began), "deadline": _at(view.deadline),
        "paused": _at(view.law.paused),
        "alive": list(view.living), "dead": list(view.dead), "disclosed": dict(view.disclosed),
        "majority": view.majority if view.living else None, "roles": list(view.roles),
        "switches": dict(view.switches), "commitment": view.commitment,
        "votes": {k: v for k, v in votes_json(shown.contest, shown.published.at).items() if k != "schema"},
        "due": [{"until": iso(t.at), "what": t.what, "who": t.who, "clause": t.clause} for t in shown.terms],
        "sessions": [{"session": s.number, "ruleset": s.started.ruleset, "began": iso(s.at),
                      "over": _at(s.over.at if s.over else 0), "outcome": s.outcome, "winners": list(s.winners),
                      "page": f"{s.folder}/index.html"} for s in shown.sessions],
        "letters": [_letter(item) for item in shown.newest],
    }


def _letter(item: Item) -> dict[str, Any]:
    return {"at": iso(item.at), "author": item.author, "subject": item.subject, "deeds": [d.said for d in item.deeds],
            "page": f"letters/session-{item.session}.html#{item.anchor}"}


def _at(instant: int) -> str | None:
    return iso(instant) if instant else None
