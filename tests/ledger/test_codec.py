"""The codec: every kind of event and letter comes back as it went in."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from dataclasses import dataclass, fields
from textwrap import dedent
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import nomicwolf
from nomicwolf.ledger.errors import Garbled
from nomicwolf.ledger.records import Coder, canonical, coder, read_entry, read_value, write_entry, write_value
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.village.ballots import And, Endorse, FirstOf, For, If, Nobody, Not, Votes
from nomicwolf.village.events import Due, Entry, Event, Lynched, Voted
from tests.tables import each


def every_kind() -> list[type[Event]]:
    """Return all kinds of events that the package declares, those of laws, roles and nomics included."""
    for part in ("village", "nomic"):
        package = importlib.import_module(f"nomicwolf.{part}")
        for found in pkgutil.walk_packages(package.__path__, f"nomicwolf.{part}."):
            importlib.import_module(found.name)
    return sorted((kind for kind in Event.kinds.values() if kind.__module__.startswith(nomicwolf.__name__)), key=str)


KINDS = every_kind()
st.register_type_strategy(Event, st.sampled_from(KINDS).flatmap(st.from_type))


@each("kind", KINDS)
def test_every_kind_of_event_has_a_form(kind: type[Event]) -> None:
    """No event has a part that the ledger couldn't keep."""
    hints = get_type_hints(kind)
    for part in fields(kind):  # type: ignore[arg-type]
        assert isinstance(coder(hints[part.name]), Coder)


@given(st.data())
def test_every_event_comes_back(data: st.DataObject) -> None:
    """What is read back equals what was written, and writing it again gives the same bytes."""
    event = data.draw(st.sampled_from(KINDS).flatmap(st.from_type))
    entry = data.draw(st.builds(Entry, event=st.just(event)))
    line = write_entry(entry)
    assert read_entry(line) == entry
    assert write_entry(read_entry(line)) == line
    assert line.isascii()


@given(st.from_type(Letter) | st.from_type(Outgoing))
def test_every_letter_comes_back(letter: Letter | Outgoing) -> None:
    """Letters in and out are kept whole, odd characters included."""
    assert read_value(type(letter), write_value(letter)) == letter


def test_ballots_name_their_kinds() -> None:
    """A nested ballot is written with the kind of each of its parts."""
    ballot = If(And((Votes("Bex", None), Not(Votes("Cam", "Gus")))), For("Gus"), FirstOf((Endorse("Bex"), Nobody())))
    entry = Entry(1, 7, Due(Voted("Ash", ballot, (7, 1, 2))), ("NC 3",), "letter 4")
    line = write_entry(entry)
    assert '{"For":{"whom":"Gus"}}' in line
    assert read_entry(line) == entry


def test_surrogates_and_nul_survive() -> None:
    """Half characters and NUL, which databases refuse, are written in ASCII."""
    entry = Entry(1, 0, Lynched("G\x00\udc80us"))
    assert read_entry(write_entry(entry)) == entry


@each(("line", "says"), [
    ("", "no JSON"),
    ("[]", "version None"),
    ('{"version":2}', "version 2"),
    ('{"version":1,"number":1,"at":0,"event":{"tricked":{}},"cites":[],"cause":""}', "unknown kind 'tricked'"),
    ('{"version":1,"number":1,"at":0,"event":{"lynched":{"who":3}},"cites":[],"cause":""}', "event: lynched: who: 3"),
    ('{"version":1,"number":1,"at":0,"event":{"lynched":{}},"cites":[],"cause":""}', "who"),
    ('{"version":1,"number":true,"at":0,"event":{"lynched":{"who":"G"}},"cites":[],"cause":""}', "number: True"),
    ('{"version":1,"number":1,"at":0,"event":{"lynched":{"who":"G","new":1}},"cites":[],"cause":""}', "new"),
])
def test_what_cannot_be_read_is_told(line: str, says: str) -> None:
    """Anything but what this version writes is refused with the place, never guessed."""
    with pytest.raises(Garbled, match=says):
        read_entry(line)


def test_what_cannot_be_written_is_refused() -> None:
    """A value of the wrong type is caught before it is in the record."""
    with pytest.raises(Garbled, match="who: 3 is no str"):
        write_entry(Entry(1, 0, Lynched(3)))  # type: ignore[arg-type]
    with pytest.raises(Garbled, match="no event"):
        write_entry(Entry(1, 0, Event()))


def test_a_part_without_a_form_is_a_mistake_of_ours() -> None:
    """A kind with a part that has no form is refused when it is first met."""

    @dataclass(frozen=True)
    class Bag:
        things: list[int]

    with pytest.raises(TypeError, match="no form"):
        write_value(Bag([1]))


def test_the_canonical_form_is_one() -> None:
    """Keys sorted, no spaces, ASCII."""
    assert canonical({"b": "é", "a": [1, None, True]}) == '{"a":[1,null,true],"b":"\\u00e9"}'


def test_a_process_that_has_loaded_nothing_else_knows_every_kind() -> None:
    """`ledger copy` loads no game, and still proves a record with covered nights, a seed of letters, a key in it."""
    words = """
        import sys
        from nomicwolf.ledger.records import read_value
        from nomicwolf.ledger.errors import Garbled
        from nomicwolf.village.events import Event
        for name in sys.argv[1:]:
            try:
                read_value(Event, '{"%s": {}}' % name)
            except Garbled as error:
                print(error)
    """
    told = subprocess.run(
        [sys.executable, "-c", dedent(words), *(kind.name for kind in KINDS)], capture_output=True, text=True,
        timeout=60, check=True).stdout
    assert told
    assert "unknown" not in told
