"""A session as the fold of its record: what each event changes, and what can be asked (architecture: events)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.village.ballots import For
from nomicwolf.village.events import (
    Chose,
    Counted,
    DeathsAnnounced,
    Disclosed,
    Ended,
    Entry,
    Event,
    Extended,
    Killed,
    Lynched,
    Opened,
    PhaseBegan,
    Published,
    Replaced,
    Revived,
    StageBegan,
    Turned,
    Undone,
    Voted,
)
from nomicwolf.village.game import Game, entry_renamed, replay

OPENED = Opened(
    "tabula", 1, "seed", (("Ash", "werewolf", "werewolves"), ("Bex", "seer", "humans"), ("Cam", "villager", "humans")),
    (("dawn", "at once"),))


def told(*events: Event, after: int = 0) -> Game:
    """Return the session of which OPENED and *events* tell, one each ten seconds."""
    return replay(Entry(n, 10 * n + after, event) for n, event in enumerate((OPENED, *events), 1))


def test_it_begins_with_the_deal() -> None:
    """Seats, roles, sides and switches are those of the opening; all live, nothing is known, no phase has begun."""
    game = told()

    assert (game.opened, game.seats) == (OPENED, ("Ash", "Bex", "Cam"))
    assert game.roles == {"Ash": "werewolf", "Bex": "seer", "Cam": "villager"}
    assert game.sides == {"Ash": "werewolves", "Bex": "humans", "Cam": "humans"}
    assert (set(game.alive), game.shown_dead, game.disclosed, game.facts) == ({"Ash", "Bex", "Cam"}, (), {}, {})
    assert (game.phase, game.number, game.stage, game.deadline, game.table) == ("setup", 0, "", 0, {})
    assert (game.clock, game.next, game.began, game.phase_mark) == (10, 2, 0, 0)
    assert (game.over, game.switch("dawn")) == (False, "at once")


def test_before_anything_was_told_there_is_nobody() -> None:
    """A session of which nothing is recorded has no seats, switches or clock, and can be asked all the same."""
    game = Game()

    assert (game.seats, game.living(), game.shown_living(), game.holders("seer")) == ((), (), (), ())
    assert (game.roles, game.sides, game.switches, set(game.alive)) == ({}, {}, {}, set())
    assert (game.clock, game.next, game.entries, game.ever(Killed), game.opened) == (0, 1, [], [], None)


def test_a_phase_begins_with_a_clean_table() -> None:
    """Stage, deadline and count are of the phase; its beginning and its mark are those of its entry."""
    game = told(PhaseBegan("day", 1), StageBegan("ballot", 99), Counted((("Ash", "Bex"),), (("Bex", 1),), 2))
    assert (game.stage, game.deadline, game.table) == ("ballot", 99, {"Ash": "Bex"})
    assert told(PhaseBegan("day", 1), StageBegan("ballot", 99), Extended(150)).deadline == 150

    game = told(PhaseBegan("day", 1), StageBegan("ballot", 99), Counted((("Ash", "Bex"),), (("Bex", 1),), 2),
                StageBegan("defence", 120, ("Bex",)))
    assert (game.stage, game.deadline, game.table) == ("defence", 120, {})
    game = told(PhaseBegan("day", 1), StageBegan("ballot", 99), Counted((("Ash", "Bex"),), (("Bex", 1),), 2),
                PhaseBegan("night", 2))
    assert (game.phase, game.number, game.stage, game.deadline, game.table) == ("night", 2, "", 0, {})
    assert (game.began, game.phase_mark) == (50, 5)


def test_a_count_changes_only_the_votes_that_it_names() -> None:
    """A vote that is gone is named with no one."""
    game = told(Counted((("Ash", "Bex"), ("Cam", "Bex")), (), 2), Counted((("Ash", None),), (), 2))

    assert game.table == {"Ash": None, "Cam": "Bex"}


def test_deaths_are_public_when_they_are_announced() -> None:
    """NC 4c: killed is not shown; lynched is shown; who is back is shown no longer, and nobody is shown twice."""
    killed = told(Killed("Bex", "attack"))
    assert (set(killed.alive), killed.living(), killed.shown_living()) == (
        {"Ash", "Cam"}, ("Ash", "Cam"), ("Ash", "Bex", "Cam"))

    shown = told(Killed("Bex", "attack"), DeathsAnnounced(("Bex",)))
    assert (shown.shown_dead, shown.shown_living()) == (("Bex",), ("Ash", "Cam"))
    twice = told(Lynched("Cam"), Killed("Cam", "lynch"), Killed("Bex", "attack"), DeathsAnnounced(("Cam", "Bex")))
    assert twice.shown_dead == ("Cam", "Bex")
    back = told(Killed("Bex", "attack"), DeathsAnnounced(("Bex",)), Revived("Bex"), DeathsAnnounced((), ("Bex",)))
    assert (set(back.alive), back.shown_dead) == ({"Ash", "Bex", "Cam"}, ())
    healed = told(Killed("Bex", "attack"), Revived("Bex"), DeathsAnnounced(("Bex",)))
    assert healed.shown_dead == ()


def test_what_becomes_of_persons_and_facts() -> None:
    """A turning changes role and side of one, a disclosure and a fact what is known."""
    game = told(Turned("Cam", "werewolf", "werewolves"), Disclosed("Bex", "seer"), Published("it rains", value=False))

    assert (game.roles["Cam"], game.sides["Cam"], game.roles["Bex"]) == ("werewolf", "werewolves", "seer")
    assert (game.disclosed, game.facts) == ({"Bex": "seer"}, {"it rains": False})
    assert (game.living("werewolf"), game.holders("werewolf")) == (("Ash", "Cam"), ("Ash", "Cam"))
    dead = told(Killed("Ash", "lynch"))
    assert (dead.living("werewolf", "seer"), dead.holders("werewolf", "seer")) == (("Bex",), ("Ash", "Bex"))
    assert told(Ended("humans", ("Bex",))).over


def test_what_can_be_asked_of_the_record() -> None:
    """Ever, in this phase, since an entry, the latest, and by what they are like; oldest first."""
    first, second = Chose("Ash", "attack", ("Bex",)), Chose("Bex", "see", ("Ash",))
    game = told(PhaseBegan("night", 1), first, PhaseBegan("night", 2), second, Chose("Ash", "attack", ("Cam",)))

    assert game.ever(Chose, verb="attack") == [first, Chose("Ash", "attack", ("Cam",))]
    assert game.now(Chose) == [second, Chose("Ash", "attack", ("Cam",))]
    assert [e.number for e in game.lines(Chose)] == [3, 5, 6]
    assert [e.number for e in game.lines_now(Chose)] == [5, 6]
    assert game.lines_now(Killed) == game.lines(Killed) == []
    assert game.since(5, Chose) == [Chose("Ash", "attack", ("Cam",))]
    assert game.since(3, Chose, who="Bex") == [second]
    assert (game.since(6, Chose), game.since(0, Killed)) == ([], [])
    assert (game.last(Chose, who="Bex"), game.last(Killed), game.last(Chose, who="Cam")) == (second, None, None)
    assert (game.mark(Chose), game.mark(Killed)) == (6, 0)


def test_the_clock_does_not_go_back() -> None:
    """A late entry has its own instant, and the session that of the latest."""
    late = Entry(2, 5, Voted("Ash", For("Bex"), late=True))
    game = replay([Entry(1, 10, OPENED), late])

    assert (game.clock, game.next, game.entries[-1].at) == (10, 3, 5)


def test_a_branch_leaves_the_game_as_it_was() -> None:
    """Whatever happens in a copy, the first one has the same record, persons, facts and answers."""
    game = told(PhaseBegan("day", 1), Killed("Bex", "attack"))
    copy = game.branch()
    for number, event in enumerate((
        Killed("Ash", "lynch"), Turned("Cam", "seer", "humans"), Disclosed("Ash", "x"), Published("p", value=True),
        Counted((("Cam", "Ash"),), (), 1), PhaseBegan("night", 1), Replaced("Cam", "Dov"),
    ), 4):
        copy.record(Entry(number, 100, event))

    assert (copy.seats, set(copy.alive), copy.phase) == (("Ash", "Bex", "Dov"), {"Dov"}, "night")
    assert (game.seats, set(game.alive), game.phase, game.clock, game.next) == (
        ("Ash", "Bex", "Cam"), {"Ash", "Cam"}, "day", 30, 4)
    assert (game.roles["Cam"], game.sides["Cam"], game.disclosed, game.facts, game.table) == (
        "villager", "humans", {}, {}, {})
    assert (len(game.entries), len(game.ever(Killed)), game.mark(Killed), game.since(3, Killed)) == (3, 1, 3, [])


def test_branches_of_one_game_go_on_by_themselves() -> None:
    """Two that go on from one share what they have of it, and what either adds is its own, whoever adds first."""
    game = told(PhaseBegan("day", 1), Killed("Bex", "attack"))
    first, second = game.branch(), game.branch()
    first.record(Entry(4, 50, Killed("Ash", "lynch")))
    second.record(Entry(4, 60, Killed("Cam", "lynch")))
    first.record(Entry(5, 70, Lynched("Ash")))
    third = game.branch()
    game.record(Entry(4, 80, Revived("Bex")))

    def told_by(one: Game) -> list[tuple[int, str]]:
        return [(e.at, e.event.name) for e in one.entries[3:]]

    assert (told_by(game), told_by(third)) == ([(80, "revived")], [])
    assert (told_by(first), told_by(second)) == ([(50, "killed"), (70, "lynched")], [(60, "killed")])
    assert [[k.who for k in one.ever(Killed)] for one in (game, first, second)] == [
        ["Bex"], ["Bex", "Ash"], ["Bex", "Cam"]]
    assert [one.mark(Killed) for one in (game, first, second)] == [3, 4, 4]
    assert [len(one.since(3, Killed)) for one in (game, first, second)] == [0, 1, 1]


def test_what_is_folded_of_a_phase_is_looked_at_once() -> None:
    """Each entry of the phase is given to the step once, in branches too; a new phase or an undoing begins anew."""
    seen: list[int] = []

    def step(found: tuple[str, ...], entry: Entry) -> tuple[str, ...]:
        seen.append(entry.number)
        assert isinstance(entry.event, Voted)
        return (*found, entry.event.who)

    def folded(game: Game) -> tuple[str, ...]:
        return game.folded("who", Voted, (), step)

    game = told(Voted("Cam", For("Ash")), PhaseBegan("day", 1), Voted("Ash", For("Bex")))
    assert folded(game) == folded(game) == ("Ash",)
    branch = game.branch()
    branch.record(Entry(5, 60, Voted("Bex", For("Ash"))))
    assert (folded(branch), folded(game), seen) == (("Ash", "Bex"), ("Ash",), [4, 5])

    branch.record(Entry(6, 70, Undone((4,))))
    assert folded(branch) == ("Bex",)
    branch.record(Entry(7, 80, PhaseBegan("day", 2)))
    assert folded(branch) == ()


def test_a_replacement_moves_everything() -> None:
    """D-N41: seat, role, side, life, death, disclosure, votes and choices are the new one's, everyone else's stay."""
    game = told(
        PhaseBegan("day", 1), Chose("Ash", "attack", ("Bex",)), Counted((("Ash", "Bex"), ("Cam", "Ash")), (), 2),
        Killed("Bex", "attack"), DeathsAnnounced(("Bex",)), Disclosed("Bex", "seer"), Replaced("Bex", "Dov"),
        Replaced("Ash", "Eli"))

    assert (game.seats, set(game.alive), game.shown_dead) == (("Eli", "Dov", "Cam"), {"Eli", "Cam"}, ("Dov",))
    assert game.roles == {"Eli": "werewolf", "Dov": "seer", "Cam": "villager"}
    assert game.sides == {"Eli": "werewolves", "Dov": "humans", "Cam": "humans"}
    assert (game.disclosed, game.table) == ({"Dov": "seer"}, {"Eli": "Dov", "Cam": "Eli"})
    assert game.ever(Chose) == [Chose("Eli", "attack", ("Dov",))]
    assert game.opened is not None
    assert game.opened.deal[1] == ("Dov", "seer", "humans")
    assert [e.number for e in game.entries] == list(range(1, 10))


def test_what_is_undone_counts_no_more() -> None:
    """D-N42: it stays in the record, and nobody who asks finds it, then and after a replacement."""
    game = told(Chose("Ash", "attack", ("Bex",)), Chose("Ash", "attack", ("Cam",)), Undone((3,)))
    assert game.ever(Chose) == [Chose("Ash", "attack", ("Bex",))]
    assert (len(game.entries), game.mark(Chose), game.since(2, Chose)) == (4, 2, [])

    game.record(Entry(5, 90, Undone((2,))))
    assert game.ever(Chose) == []
    game.record(Entry(6, 90, Replaced("Ash", "Dov")))
    assert (game.ever(Chose), len(game.entries)) == ([], 6)


def test_who_may_read_of_a_vote() -> None:
    """SP 2, GA 5: an open ballot and count are everyone's, a sealed ballot is its voter's, its count nobody's yet."""
    assert [Voted("Ash", For("Bex"), sealed=sealed).readers() for sealed in (False, True)] == ["public", ("Ash",)]
    assert [Counted((), (), 1, sealed=sealed).readers() for sealed in (False, True)] == ["public", "contestmaster"]
    assert (Voted.name, DeathsAnnounced.name) == ("voted", "deaths-announced")


def test_what_was_opened_and_replaced_keeps_its_shape() -> None:
    """D-N41: in the opening a seat has another name and the same role; an earlier replacement stands as it was."""
    entries = [Entry(1, 10, OPENED), Entry(2, 20, Replaced("Zed", "Ash"))]

    assert [entry_renamed(e, "Ash", "Eli") for e in entries] == [
        Entry(1, 10, replace(OPENED, deal=(("Eli", "werewolf", "werewolves"), *OPENED.deal[1:]))), entries[1]]


def test_a_kind_of_event_has_a_name_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its class's in small letters with hyphens; another class of the same name is refused, the same one is not."""
    monkeypatch.setattr(Event, "kinds", dict(Event.kinds))

    def brought() -> type[Event]:
        class RainFell(Event):
            pass

        return RainFell

    kind = brought()
    assert (kind.name, Event.kinds["rain-fell"], Event.kinds["killed"]) == ("rain-fell", kind, Killed)
    assert Event.kinds["rain-fell"] is not brought()
    with pytest.raises(TypeError, match="two kinds of event are called rain-fell"):
        type("RainFell", (Event,), {"__qualname__": "RainFell"})


def test_entries_are_asked_for_by_the_fields_of_their_events() -> None:
    """Those that are like it come in order, of all phases or of the present one; without fields, all of the kind."""
    begun = [(PhaseBegan("night", 1), 1), (PhaseBegan("day", 1), 2), (Killed("Ash", "x"), 3), (Killed("Bex", "x"), 4),
             (PhaseBegan("night", 2), 5), (Killed("Ash", "y"), 6)]
    game = replay(Entry(number, 60 * number, event) for event, number in begun)

    assert [e.number for e in game.lines(PhaseBegan, phase="night")] == [1, 5]
    assert [e.number for e in game.lines(Killed, who="Ash")] == [3, 6]
    assert [e.number for e in game.lines_now(Killed, who="Ash")] == [6]
    assert [e.number for e in game.lines_now(Killed, who="Bex")] == []
    assert [e.number for e in game.lines(Killed)] == [3, 4, 6]


def test_what_happens_in_a_branch_has_not_happened_in_the_game_it_goes_on_from() -> None:
    """They have their lists in common, and each is asked for what is its own."""
    game = told(PhaseBegan("day", 1), Published("it rains", value=True))
    branch = game.branch()
    branch.record(Entry(4, 40, Published("it pours", value=True)))
    other = game.branch()
    other.record(Entry(4, 40, Published("it snows", value=True)))

    texts = [[[fact.text for fact in found] for found in (g.ever(Published), g.now(Published), g.since(2, Published))]
             for g in (game, branch, other)]
    assert texts == [[["it rains", *more]] * 3 for more in ([], ["it pours"], ["it snows"])]
    assert [[e.number for e in g.lines_now(Published)] for g in (game, branch, other)] == [[3], [3, 4], [3, 4]]
    assert [g.mark(Published) for g in (game, branch, other)] == [3, 4, 4]
