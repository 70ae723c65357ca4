"""Lines that are read at a glance: nothing is taken that JSON and the annotations wouldn't take so, too."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.ledger.codec import canonical, check_entry, coder, read_entry, write_entry
from nomicwolf.ledger.errors import Garbled
from nomicwolf.ledger.glance import _GLANCES, _SEEN, OFTEN, VERSION, glanced, made
from nomicwolf.nomic.events import DeedHeard, LetterHeard, LetterHeld
from nomicwolf.nomic.proof import SetAside
from nomicwolf.village.ballots import Ballot, Endorse, For, If, Majority, Nobody
from nomicwolf.village.events import Counted, Due, Entry, Event, Lynched, Voted
from tests.ledger.test_codec import KINDS

DEEP = (SetAside, Due)
"""Kinds that hold others, so that no expression matches them."""
GLANCES = {kind: glance for kind in KINDS if (glance := made(kind)) is not None}
ODD = re.compile(r'\\|\d{19}|"If"|"FirstOf"')
"""What no expression matches: escapes, long numbers, ballots of several parts."""
PIECES = ('"', "\\", "\\n", "\\u0041", ",", ":", "{", "}", "[", "]", " ", "0", "-0", "1", "1.0", "1e3", "9" * 20,
          "true", "false", "null", '""', "[]", "{}", '"at":', '"who":"Ash",', '"For":{"whom":"Gus"}', "é", "\x7f",
          "\x00", "\n")
"""What is put into a line, or in the place of something in it."""


def by_json(line: str) -> Entry:
    """Return what the annotations make of a line that is in its one form; Garbled or ValueError for any other."""
    plain = json.loads(line)
    if canonical(plain) != line or plain.pop("version") != VERSION:
        raise Garbled("not in its canonical form")
    entry: Entry = coder(Entry).read(plain)
    return entry


def test_all_kinds_but_those_that_hold_others_have_an_expression() -> None:
    """So nearly every line is read at a glance."""
    assert set(KINDS) - GLANCES.keys() == set(DEEP)


def test_lines_that_come_often_get_their_expression(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if threads of a host's worker have counted past the line at which it is made, each on the other's heels."""
    entry = Entry(1, 2, Voted("Ash", For("Gus")))
    monkeypatch.delitem(_GLANCES, "voted", raising=False)
    monkeypatch.setitem(_SEEN, "voted", OFTEN)

    assert [read_entry(write_entry(entry)) for _ in range(2)] == [entry, entry]
    assert "voted" in _GLANCES


@given(st.data())
def test_what_was_written_is_read_or_left(data: st.DataObject) -> None:
    """Every event comes back, or is left to JSON; and it isn't left if its line has nothing odd in it."""
    kind = data.draw(st.sampled_from([*GLANCES]))
    entry = data.draw(st.builds(Entry, event=st.from_type(kind)))
    line = write_entry(entry)
    found = GLANCES[kind](line)
    assert found in (None, entry)
    assert repr(found) in (repr(None), repr(entry))
    assert found is not None or ODD.search(line)


@given(st.data())
def test_nothing_else_is_taken(data: st.DataObject) -> None:
    """Whatever a line is changed to, what is read at a glance is what JSON and the annotations make of it."""
    kind = data.draw(st.sampled_from([*GLANCES]))
    line = write_entry(data.draw(st.builds(Entry, event=st.from_type(kind))))
    for _ in range(data.draw(st.integers(1, 2))):
        start = data.draw(st.integers(0, len(line)))
        end = data.draw(st.integers(start, min(start + 8, len(line))))
        line = line[:start] + data.draw(st.sampled_from(PIECES)) + line[end:]
    found = GLANCES[kind](line)
    assert found is None or repr(found) == repr(by_json(line))


LINE = write_entry(Entry(7, 60, LetterHeld(3, "why", "", True), ("NC 3", "D-N9"), "letter 4"))


@pytest.mark.parametrize(("old", "new"), [
    ('"number":7', '"number":07'), ('"number":7', '"number":-0'), ('"number":7', '"number":7.0'),
    ('"number":7', '"number":true'), ('"number":7', '"number":"7"'), ('"number":7', '"number": 7'),
    ('"number":7', '"number":7e0'), ('"number":7,', '"number":7,"number":7,'), ('"version":1', '"version":2'),
    ('"version":1', '"version":1,"more":1'), ('"quiet":true', '"quiet":1'), ('"quiet":true,', ""),
    ('"quiet":true', '"quiet":null'), ('"NC 3","D-N9"', '"NC 3",3'), ('"NC 3","D-N9"', '"NC 3",'), ("why", "w\\u0068y"),
    ("why", "w\x00y"), ("why", "w\x7fy"), ("why", "whé"), ("letter-held", "letter-heard"), ("}", "}\n"),
])
def test_what_is_nearly_right_is_left(old: str, new: str) -> None:
    """JSON that says the same in another form, other types, other parts: none of it passes for a line of ours."""
    glance = GLANCES[LetterHeld]
    assert glance(LINE) == by_json(LINE)
    assert old in LINE
    assert glance(LINE.replace(old, new, 1)) is None


@pytest.mark.parametrize(("event", "read"), [
    (Voted("Ash", For("Gus"), (7, -1)), True),
    (Voted("Ash", Endorse("Bex")), True),
    (Voted("Ash", Nobody()), True),
    (Voted("Ash", If(Majority("Gus"), For("Bex"))), False),
    (Counted((("Ash", None), ("Bex", "Gus")), (("Gus", 1),), 2), True),
    (Lynched("Gus"), True),
    (Lynched("Gu\u00df"), False),
    (Lynched(""), True),
    (LetterHeld(10**17, ""), True),
    (LetterHeld(10**18, ""), False),
])
def test_which_lines_are_read(event: Event, read: bool) -> None:
    """Plain ballots, tables and counts are read at a glance, conditions and escaped characters by JSON."""
    entry = Entry(1, 7, event, ("", "NC 3"))
    found = GLANCES[type(event)](write_entry(entry))
    assert found == (entry if read else None)


@pytest.mark.parametrize("ballot", [None, For("Gus"), If(Majority("Gus"), Endorse("Bex"))])
def test_read_often_a_line_says_the_same(ballot: Ballot | None) -> None:
    """A kind's expression is made once it pays; what is read before and after is the same."""
    event = DeedHeard(1, "Ash", "vote", (), ballot, "", "vote for Gus", 1, "vote", "agora", 7, (7, 1))
    lines = [write_entry(Entry(number, 7, event)) for number in range(1, OFTEN + 9)]
    for number, line in enumerate(lines, 1):
        assert read_entry(line) == check_entry(line) == Entry(number, 7, event)
    assert (glanced(lines[0]) is None) is isinstance(ballot, If)


def test_read_often_a_changed_line_is_refused() -> None:
    """One that isn't canonical is found as ever by `verify`, and is read where only what it says matters."""
    event = LetterHeard("<m@x>", "c", "d", "Ash", "deeds", "agora")
    line = write_entry(Entry(1, 7, event))
    for _ in range(OFTEN):
        check_entry(line)
    spaced = line.replace('"Ash"', ' "Ash"')
    assert read_entry(spaced) == Entry(1, 7, event)
    with pytest.raises(Garbled, match="canonical"):
        check_entry(spaced)
    with pytest.raises(Garbled, match="letter-heard: author: 3"):
        check_entry(line.replace('"Ash"', "3"))
