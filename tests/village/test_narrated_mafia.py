"""Mafia with a narrator: what no rehearsal of it holds. Numbers are those of the rehearsals."""

from __future__ import annotations

from collections import Counter

import pytest

from nomicwolf.village.events import (
    Acquitted,
    DeathsAnnounced,
    Disclosed,
    Drawn,
    Ended,
    Entry,
    Event,
    Extended,
    Killed,
    Opened,
    PhaseBegan,
    Removed,
    Revived,
    Tried,
)
from nomicwolf.village.game import replay
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets.narrated_mafia import deal, mornings, narrated_mafia, repeats
from tests.tables import each
from tests.village.games import CASTS, HOUR, Staged

NIGHT = ("GF attack", "M1 attack", "M2 attack")


def attack(whom: str) -> tuple[str, ...]:
    """All the mafia name *whom*."""
    return tuple(f"{part} {whom}" for part in NIGHT)


def night_two(cast: str = "", **switches: str) -> Staged:
    """The second night, the first day having ended without a death."""
    return Staged("C11", cast, switches).to("day").to("night")


def test_who_knows_whom() -> None:
    """NM 3c, 3d, 5b, D-C12 (C-01): mafia with the Godfather, policemen, masons; the Doctor nobody."""
    play = Staged("C11")

    assert {play.told(p)[0] for p in ("GF", "M1", "M2")} == {"The mafia are: GF, M1 and M2."}
    assert {play.told(p)[0] for p in ("P1", "P2")} == {"The policemen are: P1 and P2."}
    assert {play.told(p)[0] for p in ("S1", "S2")} == {"The masons are: S1 and S2."}
    assert not play.told("D")
    play.do("P1 say policemen: M1?", "S1 say masons: hello", "GF say hello")
    assert (play.told("P2")[-1], play.told("S2")[-1], play.told("M2")[-1]) == (
        "P1 says: M1?", "S1 says: hello", "GF says: hello")


def test_a_list_of_roles_is_required() -> None:
    """NM 4a (C-02): no counts in the text; more than the deck has is a warning."""
    names = [f"p{i}" for i in range(9)]
    with pytest.raises(Refusal, match="name no counts"):
        narrated_mafia.dealt(names, (), "7", {})
    assert Counter(r for _, r in deal(names, ("mafioso", "doctor"), "7", {})[0])["civilian"] == 7

    assert narrated_mafia.warnings is not None
    many = ("policeman",) * 7 + ("mafioso",) * 7 + ("godfather",) * 3 + ("doctor",) * 3
    assert len(narrated_mafia.warnings(30, many)) == 4
    assert not narrated_mafia.warnings(9, ("mafioso", "policeman"))
    assert [narrated_mafia.called(n) for n in ("police", "cop", "mafia", "Villager")] == [
        "policeman", "policeman", "mafioso", "civilian"]


def test_those_who_decide_together_by_most_or_by_lot() -> None:
    """D-C5: a silent policeman has no voice; a tie is drawn from the seed and recorded."""
    alone = Staged("C11").do("P1 see M1").to("day")
    assert alone.told("P2")[-1] == "M1 is one of the mafia."

    tied = Staged("C11").do("P1 see M1", "P2 see C1").to("day")
    (lot,) = tied.game.ever(Drawn)
    assert lot.result == draw("seed", "see policeman, night 1", ["C1", "M1"])
    killed = night_two().do("GF attack C1", "M1 attack C2", "M2 attack C2").to("day")
    assert killed.game.last(DeathsAnnounced) == DeathsAnnounced(("C2",))


def dead_one(cast: str = "") -> Staged:
    """The third night, C1 having been killed in the second."""
    return night_two(cast).do(*attack("C1")).to("day").to("night")


def test_one_dies_and_one_comes_back() -> None:
    """NM 6, D-C6, D-C7, D-C8 (C-07, C-09): in one announcement, and of nobody is said what e is."""
    play = dead_one().do("D revive C1", *attack("C2")).to("day")
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("C2",), ("C1",))
    assert not play.has(Disclosed)

    killed = dead_one().do("D revive C1", *attack("D")).to("day")
    assert ("C1" in killed.alive, "D" in killed.alive) == (True, False)
    with pytest.raises(Refusal):
        killed.to("night").do("D revive C2")


def test_a_mafioso_who_comes_back_is_one_still() -> None:
    """D-C8: and e may be brought back in any night."""
    play = convict(Staged("C11").to("day"), "M1").do("D revive M1").to("day")

    assert "M1" in play.alive
    assert "M1" in convict(play, "M1").do("D revive M1").to("day").alive
    play.to("night").do("M1 attack C1")


def convict(play: Staged, whom: str) -> Staged:
    """Accuse, second, and let everyone find *whom* guilty."""
    others = [p for p in play.game.living() if p != whom]
    play.at_once(f"{others[0]} accuse {whom}", f"{others[1]} second {whom}")
    for voter in others:
        if play.game.phase == "day":
            play.at_once(f"{voter} guilty")
    return play


def test_an_accusation_and_a_second_call_a_vote() -> None:
    """NM 7a, D-C1 (C-14): not the accuser's own; with ``call_threshold`` more must second."""
    play = Staged("C11").to("day").do("C1 accuse M1")
    with pytest.raises(Refusal, match="somebody else"):
        play.do("C1 second M1")
    play.do("S1 second M1")
    assert (play.game.stage, play.has(Tried, who="M1")) == ("ballot", True)

    more = Staged("C11", switches={"call_threshold": "2"}).to("day").do("C1 accuse M1", "S1 second M1")
    assert not more.has(Tried)
    assert more.do("S2 second M1").has(Tried)


def test_more_than_half_of_the_living() -> None:
    """NM 7b, D-C2, D-C3 (C-15, C-16): silence is not guilty, the accused votes; after a failure e may be accused."""
    play = Staged("C11").to("day").do("C1 accuse M1", "S1 second M1")
    play.at_once(*(f"{p} guilty" for p in ("C1", "C2", "C3", "S1", "S2")), "M1 innocent").do("dawn")
    assert (play.has(Acquitted, who="M1"), play.game.stage) == (True, "discussion")

    play.at_once("C1 accuse M1", "S2 second M1")
    assert play.at_once(*(f"{p} guilty" for p in ("C1", "C2", "C3", "S1", "S2", "M1"))).lynched() == ["M1"]
    assert not play.has(Disclosed)


def test_either_side_gone_ends_it() -> None:
    """NM 8, D-C9, D-C10 (C-19 to C-22): at dusk at once, at dawn after both announcements; no parity."""
    mob = "GF:godfather M1:mafioso M2:mafioso D:doctor C1:civilian"
    play = night_two(mob).kill("M1", "M2").do("GF attack D").to("day")
    assert play.winners() is None
    assert play.to("night").do("GF attack C1").to("over").end() == "mafia"

    saved = night_two(mob).do(*attack("C1")).to("day").to("night").do("D revive C1", *attack("D")).to("day")
    assert (saved.winners(), saved.alive) == (None, {"GF", "M1", "M2", "C1"})
    last = Staged("C11", "M1:mafioso D:doctor C1:civilian C2:civilian C3:civilian").to("day")
    assert convict(last, "M1").winners() == {"D", "C1", "C2", "C3"}
    assert last.game.over


def test_a_standstill_is_a_draw() -> None:
    """D-C11 (C-24): after so many mornings that repeat a position; 0 means never."""
    play = Staged("C11", switches={"stalemate": "2"}).to("over")
    assert (play.game.last(Ended) or Ended("", ())).side == "draw"
    assert play.game.number == 3

    never = Staged("C11", switches={"stalemate": "0"})
    for _ in range(60):
        never.do("dawn")
    assert not never.game.over


def test_the_dead_neither_talk_nor_learn() -> None:
    """NM 3g, D-C14 (C-23): no private word while dead, none of it afterwards, no deed."""
    play = dead_one()
    before = play.told("C1")
    for wrong in ("C1 say pack: M1!", "C1 see M1", "C1 say hello"):
        with pytest.raises(Refusal):
            play.do(wrong)

    play.do("P1 see M2", "P2 see M2", "D revive C1").to("day")
    assert play.told("C1") == before


def test_what_is_public_does_not_tell_which_roles_are_dead() -> None:
    """C-12: the third night has the same letters at the same times, with a living Doctor and with a dead one."""
    worlds = []
    for cast in (CASTS["C11"], CASTS["C11"].replace("D:doctor", "D:civilian").replace("C1:civilian", "C1:doctor")):
        play = dead_one(cast)
        start = len(play.public())
        play.do(*attack("C2"), *(["D revive nobody"] if play.game.roles["D"] == "doctor" else [])).to("day").to("night")
        worlds.append(play.public()[start:])

    assert worlds[0] == worlds[1]


@each(("rounds", "limit", "stands"), [
    ([[], []], 2, True), ([[], []], 1, True), ([[]], 2, False), ([[Killed("A", "attack")], []], 2, False),
    ([[Killed("A", "attack")], []], 1, True), ([[], [Killed("A", "attack")]], 1, False),
    ([[Killed("A", "lynch"), Revived("A")], []], 2, True), ([[Killed("A", "lynch"), Revived("B")], []], 2, False),
    ([[Killed("A", "lynch")], []], 2, False),
    ([[Killed("A", "lynch"), Revived("A"), Killed("A", "attack")], []], 2, False),
    ([[Killed("A", "lynch")], [Revived("A")]], 1, True),
    ([[Killed("A", "attack")], [], [], []], 3, True),
])
def test_rounds_are_compared_by_who_lives_after_them(rounds: list[list[Event]], limit: int, stands: bool) -> None:
    """D-C11: from one morning to the next; whoever dies and comes back in one round has not changed it."""
    deal = (("A", "mafioso", "mafia"), ("B", "civilian", "civilians"), ("Z", "civilian", "civilians"))
    told: list[Event] = [Opened("narrated-mafia", 1, "", deal, (), ()), Killed("Z", "attack")]
    for number, between in enumerate(rounds, 1):
        told += [PhaseBegan("day", number), *between, PhaseBegan("night", number)]
    told.append(PhaseBegan("day", len(rounds) + 1))
    game = replay(Entry(n, 10 * n, event) for n, event in enumerate(told, 1))

    assert (repeats(mornings(game)) >= limit) is stands


def filibuster(play: Staged, *accused: str) -> None:
    """Let P1 accuse and P2 second each of *accused*."""
    for who in accused:
        play.at_once(f"P1 accuse {who}", f"P2 second {who}")


def test_only_the_first_vote_on_somebody_takes_none_of_the_days_time() -> None:
    """D-C3, D-C4, D-C17: it goes on after it for as long as it would have; afterwards nobody is accused any more."""
    play = Staged("C11").to("day")
    ends = play.game.deadline
    play.do("C1 accuse M1", "C2 second M1", at=ends - HOUR)
    play.do("C1 accuse GF", at=ends + HOUR)
    play.to("discussion")
    assert (play.has(Acquitted, who="M1"), play.game.deadline - play.game.clock) == (True, HOUR)

    ends = play.game.deadline
    filibuster(play, "M1")
    play.do("dawn")
    assert (play.game.clock, play.game.stage) == (ends, "ballot")
    for late in ("C1 accuse M2", "C2 second M2"):
        with pytest.raises(Refusal, match="No such action"):
            play.do(late, at=ends + HOUR)
    play.do("dawn")
    assert (play.game.phase, play.game.number) == ("night", 2)
    assert play.said()[-1] == "Nobody was killed today."


def test_who_was_seconded_in_time_is_still_voted_on() -> None:
    """D-C17: one after the other, in the order of the accusations, without a discussion between; then night falls."""
    play = Staged("C11").to("day")
    ends = play.game.deadline
    play.do("P1 accuse M1", "P2 second M1", at=ends - HOUR)
    play.to("discussion")
    ends = play.game.deadline
    play.do("P1 accuse M1", "P2 second M1", at=ends - 60)
    play.do("P1 accuse C1", "P2 second C1", "C2 accuse M2", "C3 second M2", at=ends - 50)

    play.do("dawn", "dawn")
    assert (play.game.stage, play.game.last(Tried)) == ("ballot", Tried("C1"))
    play.do("dawn")
    assert play.game.last(Tried) == Tried("M2")
    play.at_once(*(f"{p} guilty" for p in ("P1", "P2", "D", "S1", "S2", "C1")))
    assert (play.lynched(), play.game.phase) == (["M2"], "night")


def test_the_contestmaster_may_lengthen_the_day() -> None:
    """D-A1, D-C17: an extended discussion counts; an extended second vote doesn't, nor who leaves in one."""
    play = Staged("C11").to("day")
    extend(play, play.game.deadline + 10 * HOUR)
    ends = play.game.deadline
    before = play.game.clock
    for _ in range(2):
        filibuster(play, "M1")
        before = play.game.clock
        extend(play, play.game.deadline + HOUR)
        play.to("discussion")
    assert (play.game.clock - before, play.game.deadline - ends) == (49 * HOUR, 49 * HOUR)

    ends = play.game.deadline
    filibuster(play, "M1")
    play.game, play.news = play.rules.settle(play.game, ends - 1, [Removed("M1", "left")], (), "command")
    assert (play.game.stage, play.game.deadline) == ("discussion", ends)


def extend(play: Staged, until: int) -> None:
    """Let the contestmaster move the deadline of the present stage."""
    play.game, play.news = play.rules.settle(play.game, play.game.clock, [Extended(until)], (), "command")
