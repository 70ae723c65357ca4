"""Sessions in which something was put right can be verified all the same: replaced players, deeds undone and kept."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from nomicwolf.archive.files import write
from nomicwolf.archive.replay import redo
from nomicwolf.archive.verification import verify
from nomicwolf.cli.app import order_of
from nomicwolf.nomic.events import ActedFor, Revealed
from nomicwolf.nomic.law_events import DeedKept, DeedUndone
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.rehearsal.outcome import Played
from nomicwolf.reports.archive import Published, publish
from nomicwolf.reports.archive.sessions import sessions_of
from nomicwolf.reports.archive.vote_picture import draw_picture, track_summary
from nomicwolf.village.events import Removed, Replaced, Undone
from tests.archive.stories import posted
from tests.rehearsal.year import played

SUBSTITUTED = """
title: Jon plays on for Eli in mid-day
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Bex: villager, Cam: villager, Dov: villager, Eli: villager, Fay: villager, Gus: villager}
  at: 2026-12-01T00:00Z
when:
  - {at: 2026-12-01T00:30Z, from: Jon, to: forum, says: "I join."}
  - {at: 2026-12-01T01:00Z, from: Eli, to: forum, says: "I vote for Gus."}
  - {at: 2026-12-01T02:00Z, from: Gus, to: forum, says: "I vote for Eli."}
  - {at: 2026-12-01T03:00Z, from: Cam, to: forum, says: "I endorse Eli."}
  - {at: 2026-12-01T04:00Z, from: Murphy, command: "substitute Eli Jon"}
  - {at: 2026-12-01T05:00Z, from: Jon, to: forum, says: "I vote for Fay."}
"""


@cache
def mended() -> Played:
    """A session with a departure, a substitution, a vote and a choice undone, a kept deed, and a deed by NC 1j."""
    cast = {"Ash": "werewolf", "Hal": "werewolf", "Cam": "seer", "Dov": "witch", "Eli": "hunter"}
    names = ("Ash", "Hal", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Ivy")
    deal = "{" + ", ".join(f"{who}: {cast.get(who, 'villager')}" for who in names) + "}"
    lines = ["title: everything that can be put right", "ruleset: nomic-crossing",
             'switches: {dawn: "at once", departure: kill}', "given:", f"  roles: {deal}", "  contestmaster: Murphy",
             "  at: 2026-12-01T00:00Z", "  limit: {agora: 40}", "when:"]
    steps: list[tuple[str, str, str]] = [
        ("01T01:00Z", "Jon", "forum|I join."), ("01T02:00Z", "Bex", "forum|I vote for Cam."),
        ("01T03:00Z", "Bex", "forum|I vote for Gus."), ("01T03:30Z", "Murphy", "!undo voted --why slip"),
        ("01T04:00Z", "Ivy", "forum|I leave the contract."), ("01T05:00Z", "Cam", "contestmaster|see Ash"),
        ("01T06:00Z", "Murphy", "!substitute Fay Jon"),
        *((f"01T0{7 + n}:00Z", who, "forum|I vote for Gus.") for n, who in enumerate(("Ash", "Hal"))),
        ("01T09:30Z", "Jon", "forum|I vote for Gus."), ("01T09:40Z", "Bex", "forum|I endorse Jon."),
        ("01T09:50Z", "Dov", "forum|I vote for Gus."),
        ("02T01:00Z", "Ash", "contestmaster|attack Bex"),
        ("02T02:00Z", "Murphy", "!undo chose --why slip --authority CFJ"),
        ("02T03:00Z", "Ash", "contestmaster|attack Dov"), ("10T03:00Z", "Murphy", "!act-for Hal 'attack Dov'"),
        ("10T04:00Z", "Dov", "contestmaster|heal"), ("10T04:10Z", "Dov", "contestmaster|poison Ash"),
        *((f"11T0{n}:00Z", who, "forum|I vote for Hal.") for n, who in enumerate(("Bex", "Cam", "Dov", "Eli"))),
    ]
    return _step_by_step("\n".join(lines), steps)


def _step_by_step(head: str, steps: list[tuple[str, str, str]]) -> Played:
    """Play *steps*; "undo voted" is of the latest entry of that name."""
    made: list[str] = []
    for at, who, what in steps:
        to, _, says = what.partition("|")
        if says:
            made.append(f'  - {{at: 2026-12-{at}, from: {who}, to: {to}, says: "{says}"}}')
            continue
        words = to[1:].split()
        if words[0] == "undo":
            so_far = rehearse(read_script("\n".join([head, *made])), order_of)
            words[1] = str([e.number for e in so_far.contest.entries if e.event.name == words[1]][-1])
        made.append(f'  - {{at: 2026-12-{at}, from: {who}, command: "{" ".join(words)}"}}')
    return rehearse(read_script("\n".join([head, *made])), order_of)


def published(played: Played) -> Published:
    """What may be published of it."""
    return publish(played.contest, posted(played.letters))


def test_the_story_has_everything_in_it() -> None:
    """Else the tests below would show nothing."""
    kinds = {type(e.event) for e in mended().contest.entries}

    assert {Removed, Replaced, DeedUndone, Undone, DeedKept, ActedFor, Revealed} <= kinds
    game = mended().contest.game
    assert game is not None
    assert game.over


@pytest.mark.parametrize("which", ["mended", "year"])
def test_what_was_put_right_can_be_redone(which: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deal names who held the cards at first, the reveal who held them at last; every move comes out the same."""
    monkeypatch.chdir(Path(__file__).parents[2])
    redone = redo(published(mended() if which == "mended" else played()))

    assert redone.differs == []
    assert redone.checked["deaths"] >= 3


def test_an_archive_of_it_verifies(tmp_path: Path) -> None:
    """``nomicwolf verify`` on the pages as they are written."""
    write(published(mended()), tmp_path)

    assert verify(tmp_path).differs == ()


def test_a_reveal_that_gives_the_roles_to_the_replaced_is_told() -> None:
    """What differs in that is still found."""
    good = published(mended())
    entries = tuple(
        replace(e, event=replace(e.event, deal=tuple(("Fay" if w == "Jon" else w, r, s) for w, r, s in e.event.deal)))
        if isinstance(e.event, Revealed) else e for e in good.entries)

    assert any("other roles" in line for line in redo(replace(good, entries=entries)).differs)


def test_the_picture_of_a_day_has_the_seat_of_who_was_replaced() -> None:
    """D-N41: one row, by the last name, with what both cast; the words under it say who takes over from whom."""
    record = rehearse(read_script(SUBSTITUTED), order_of)
    day = sessions_of(published(record))[0].phases[0]
    (track,) = day.tracks

    assert track.voters == ("Ash", "Bex", "Cam", "Dov", "Jon", "Fay", "Gus")
    assert [(c.who, track.seat(c.who)) for c in track.casts] == [
        ("Eli", "Jon"), ("Gus", "Gus"), ("Cam", "Cam"), ("Jon", "Jon")]
    assert [dict(m.counts) for m in track.moments if m.cast] == [{"Gus": 1}, {"Gus": 1, "Jon": 1}, {"Gus": 2, "Jon": 1},
                                                                 {"Fay": 2, "Jon": 1}]
    assert "Jon takes over from Eli" in track_summary(track)
    drawn = draw_picture(track, "d1")
    assert drawn.count('class="cast"') == 4
    assert drawn.count('class="chain') == 1
    assert ">Eli<" not in drawn
