"""Entries and counts as plain data, in the shapes that commands print (`docs/commands.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from nomicwolf.letters.letter import Outgoing
from nomicwolf.reports.times import iso
from nomicwolf.village.ballots import Copy, Endorse, FirstOf, For, If, Nobody
from nomicwolf.village.events import Entry, Event
from nomicwolf.village.wording import ballot_text

INSTANTS = ("until", "since", "instant", "over", "sent", "stamped", "arrived", "cast")


def entry_json(entry: Entry) -> dict[str, Any]:
    """Return one line of the record: event, at, audience, cites, and the event's own keys."""
    readers = entry.event.readers()
    return {
        "event": entry.event.name,
        "at": iso(entry.at),
        "audience": readers if isinstance(readers, str) else list(readers),
        "cites": list(entry.cites),
        **event_keys(entry.event),
    }


def event_keys(event: Event) -> dict[str, Any]:
    """Return an event's own keys; one that would hide a key of the line takes the event's name instead."""
    taken = ("event", "at", "audience", "cites")
    found: dict[str, Any] = {}
    for part in fields(event):  # type: ignore[arg-type]
        name = event.name if part.name in taken else part.name
        found[name] = _plain(getattr(event, part.name), part.name)
    return found


def _plain(value: object, name: str) -> Any:  # noqa: ANN401 - JSON is anything
    if isinstance(value, Event):
        return {"event": value.name, **event_keys(value)}
    if isinstance(value, (For, Nobody, Endorse, Copy, If, FirstOf)):
        return ballot_text(value)
    if isinstance(value, int) and not isinstance(value, bool) and name in INSTANTS:
        return iso(value) if value else None
    if isinstance(value, tuple):
        if value and all(isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[0], str) for pair in value):
            return {str(key): _plain(item, "") for key, item in value}
        return [_plain(item, "") for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item, "") for key, item in value.items()}
    return value


def letter_json(letter: Outgoing) -> dict[str, Any]:
    """Return a letter that was sent: to a forum by its nomic's name, or to a person."""
    return {
        "to": letter.forum or letter.person,
        "audience": letter.kind,
        "at": iso(letter.at),
        "subject": letter.subject,
        "body": letter.body,
    }
