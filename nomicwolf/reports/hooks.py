"""Public facts as messages for other programs: each event once, in the order of the record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from hmac import new as keyed
from typing import Any, Literal

from nomicwolf.nomic.state import Contest
from nomicwolf.reports.happened import happened
from nomicwolf.reports.public import is_public, waiting
from nomicwolf.village.events import Entry

SCHEMA = 1
_LONGEST = 1800
"""Characters of a text; Discord takes 2,000."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A public entry: its *number* in the record, which stays here, its *id* for others, and what it tells."""

    number: int
    id: str
    at: int
    event: str
    text: str


def facts(contest: Contest, after: int) -> Iterator[Fact]:
    """Yield the public facts behind entry *after*, up to the first that nobody may know yet.

    Numbers of entries would tell how much happened in secret between two: so a fact is told by an id that only the
    contest's key can make.
    """
    untold = waiting(contest)
    for entry in contest.entries[after:]:
        if not is_public(entry.event):
            continue
        if entry.number in untold:
            return
        yield Fact(entry.number, _id(contest, entry), entry.at, entry.event.name, happened(entry.event)[:_LONGEST])


def _id(contest: Contest, entry: Entry) -> str:
    key = f"nomicwolf fact 1\n{contest.setup.contest}\n{entry.number}\n"
    return keyed(contest.setup.secret, key.encode(), sha256).hexdigest()[:32]


def message(contest: Contest, fact: Fact, form: Literal["json", "discord", "matrix"], url: str = "") -> bytes:
    """Return what is sent of a fact; *url* is where the archive is read."""
    name = contest.setup.name
    said: dict[str, Any]
    match form:
        case "discord":
            said = {"content": f"**{name}**: {fact.text}", "allowed_mentions": {"parse": []}}
        case "matrix":
            said = {"msgtype": "m.notice", "body": f"{name}: {fact.text}"}
        case "json":
            when = datetime.fromtimestamp(fact.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            said = {"schema": SCHEMA, "contest": contest.setup.contest, "name": name, "id": fact.id, "at": when,
                    "event": fact.event, "text": fact.text, "url": url}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
