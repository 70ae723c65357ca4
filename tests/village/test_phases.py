"""When a night ends, and when a session: what is announced with it, and who wins."""

from __future__ import annotations

import pytest

from nomicwolf.odds import played_session
from nomicwolf.reports.history import victory
from nomicwolf.village.ballots import For
from nomicwolf.village.events import (
    Announced,
    DeathsAnnounced,
    Disclosed,
    Ended,
    Killed,
    Lynched,
    PhaseBegan,
    Removed,
    Revived,
    Told,
    next_slot,
    slots,
)
from nomicwolf.village.role_file import RoleError, role_of, terms_of
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, library, rules_with
from nomicwolf.village.rulesets.nomic_crossing import nomic_crossing
from tests.tables import each
from tests.village.games import HOUR, S7, Play, Staged
from tests.village.test_library_blocks import Evening

DAY = 24 * HOUR
NIGHT = ("Ash vote Gus", "Bex vote Gus", "Cam vote Gus", "Dov vote Gus")
WITCH_PASSES = ("Dov heal nobody", "Dov poison nobody")


@pytest.mark.parametrize(("text", "times"), [
    ("20:30, 8:15", (8 * HOUR + 15 * 60, 20 * HOUR + 30 * 60)),
    ("00:00", (0,)),
    ("23:59", (DAY - 60,)),
    ("at once", ()),
])
def test_slots_are_times_of_the_day(text: str, times: tuple[int, ...]) -> None:
    """D-N24: hours and minutes, in order."""
    assert slots(text) == times


@each(("after", "at"), [
    (7 * HOUR, 8 * HOUR + 900), (8 * HOUR + 899, 8 * HOUR + 900), (8 * HOUR + 900, 20 * HOUR),
    (20 * HOUR, DAY + 8 * HOUR + 900), (DAY - 1, DAY + 8 * HOUR + 900), (DAY, DAY + 8 * HOUR + 900),
])
def test_the_next_slot_is_later_than_what_it_waited_for(after: int, at: int) -> None:
    """D-N24: what is completed at the very instant of a slot is announced at the next."""
    assert next_slot(after, slots("8:15, 20:00")) == at
    assert next_slot(after, slots("at once")) == after


def test_dawn_at_once_comes_with_the_last_deed() -> None:
    """D-N24: nothing waits for a slot; with a deed owed nothing happens."""
    play = Play(S7, switches={"dawn": "at once"}).do(*NIGHT, "Ash attack Bex", "Cam see Ash", "Dov heal nobody")
    assert play.game.phase == "night"
    play.do("Dov poison nobody")

    assert (play.game.phase, play.game.number) == ("day", 2)
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Bex",))


def test_dawn_waits_for_the_slot_after_the_last_deed() -> None:
    """D-N24: a deed done while dawn is due moves it on; there is no alarm while something is owed."""
    play = Play(S7).do(*NIGHT)
    assert play.rules.alarm(play.game) is None
    play.do("Ash attack Bex", "Cam see Ash", *WITCH_PASSES, at=9 * HOUR)

    assert play.rules.alarm(play.game) == (20 * HOUR, "dawn")
    play.do("dawn")
    assert (play.game.phase, play.game.clock) == ("day", 20 * HOUR)


def test_a_dead_hunter_holds_the_dawn_and_then_a_slot_comes() -> None:
    """NC 7c, D-N24: nothing is announced until e has chosen, and then not before the next slot."""
    play = Play(S7).do(*NIGHT).do("Ash attack Eli", "Cam see Ash", *WITCH_PASSES, at=9 * HOUR).do("dawn")
    assert (play.game.phase, play.owed) == ("night", [("Eli", "shoot")])
    assert play.rules.alarm(play.game) is None

    play.do("Eli shoot Bex", at=21 * HOUR)
    assert play.rules.alarm(play.game) == (DAY + 8 * HOUR, "dawn")
    play.do("dawn")
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Bex", "Eli"))
    assert play.game.last(PhaseBegan) == PhaseBegan("day", 2)


@pytest.mark.parametrize("name", ["G12", "T8", "C11"])
def test_a_night_of_fixed_length_ends_at_its_deadline(name: str) -> None:
    """D-A1, D-T21: 72 hours to the second, whatever was done; a day's stages have eirs."""
    play = Staged(name)
    play = play if play.game.phase == "night" else play.to("night")
    began = play.game.lines(PhaseBegan)[-1].at
    assert play.game.deadline == began + 72 * HOUR

    play.do("dawn")
    assert (play.game.phase, play.game.clock) == ("day", began + 72 * HOUR)


def test_a_lynching_ends_the_day_at_its_instant() -> None:
    """NC 3: night begins with the lynching, if nobody owes a choice."""
    play = Play(S7).do(*NIGHT)

    assert play.game.lines(Lynched)[-1].at == play.game.lines(PhaseBegan)[-1].at


V5 = "Ash:werewolf Bex:villager Cam:villager Dov:villager Eli:villager"


def after(play: Play) -> list[str]:
    """Return the names of the events of the last move."""
    return [type(e.event).__name__ for e in play.news]


def test_a_session_that_ends_by_day_has_nothing_left_to_announce() -> None:
    """NC 5a: the lynching was public; no deaths are announced with the end."""
    play = Play(V5).lynch("Ash", "Bex", "Cam", "Dov")

    assert play.winners() == {"Bex", "Cam", "Dov", "Eli"}
    assert not play.has(DeathsAnnounced)
    assert after(play)[-1] == "Ended"


def test_a_session_that_ends_at_night_announces_the_night() -> None:
    """NC 5b, NC 4c: whoever died since dusk is told of before the end, once."""
    play = Play(V5[: V5.rindex(" ")]).lynch("Bex", "Ash", "Cam", "Dov").do("Ash attack Cam", "dawn")

    assert play.game.ever(DeathsAnnounced) == [DeathsAnnounced(("Cam",))]
    assert after(play)[-2:] == ["DeathsAnnounced", "Ended"]
    assert play.winners() == {"Ash"}


def test_a_session_can_end_while_it_is_set_up() -> None:
    """NC 5, D-N51: of one werewolf and one villager it is over as soon as the cards are dealt, and no day begins."""
    play = Play("Ash:werewolf Bex:cupid")

    assert (play.game.phase, play.winners()) == ("over", {"Ash"})
    assert not play.has(PhaseBegan)


def test_a_departure_at_night_can_end_it() -> None:
    """D-N11, NC 5: with ``departure: kill`` the last werewolf who leaves has lost; the night's end is announced."""
    play = Play(V5, switches={"departure": "kill"}).lynch("Bex", "Ash", "Cam", "Dov")
    play.game, play.news = play.rules.settle(
        play.game, play.game.clock + HOUR, [Removed("Ash", "left")], (), "command")

    assert play.winners() == {"Cam", "Dov", "Eli"}
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Ash",))


@pytest.mark.parametrize(("name", "gone", "side", "why"), [
    ("G12", ("G1", "G2", "G3"), "nephites", "GA 6b"),
    ("T8", ("W1", "W2"), "humans", "LT 6a; LT 6c"),
])
def test_an_end_names_its_clause(name: str, gone: tuple[str, ...], side: str, why: str) -> None:
    """Who wins, and by which clause, is part of the record."""
    ended = Staged(name).to("day").kill(*gone).game.last(Ended)

    assert ended is not None
    assert (ended.side, ended.why) == (side, why)


def test_an_end_by_night_may_have_no_dead_to_announce() -> None:
    """LT 8g, LT 6b: the Mythomaniac turns at dawn, and those who are left are as many werewolves as humans.

    That nobody died is announced all the same, before the end.
    """
    play = Staged("T8", "W1:werewolf My:mythomaniac Bo:bodyguard V1:villager V2:villager").to("day")
    play.do("W1 nominate V2").to("night").do("My point W1", "W1 attack V1", "Bo guard V1").to("over")

    assert play.end() == "werewolves"
    assert play.game.ever(DeathsAnnounced)[-1] == DeathsAnnounced(())
    assert after(play)[-2:] == ["DeathsAnnounced", "Ended"]


def test_an_end_by_night_tells_who_is_back() -> None:
    """NM 6, NM 8: whoever comes back in the night that ends a session is announced with its deaths, once."""
    play = Staged("C11", "M:mafioso D:doctor C1:civilian C2:civilian C3:civilian").to("day").to("night")
    play.do("M attack C1").to("day").to("night")
    play.game, play.news = play.rules.settle(
        play.game, play.game.clock + HOUR, [Revived("C1"), Killed("M", "ruling")], (), "command")

    assert play.end() == "civilians"
    assert play.game.ever(DeathsAnnounced)[-1] == DeathsAnnounced(("M",), ("C1",))
    assert after(play) == ["Revived", "Killed", "DeathsAnnounced", "Ended"]


KILLER = library()["serial-killer"]
SIX = "Ash:werewolf Bex:serial-killer Cam:villager Dov:villager Eli:villager Fay:villager"


def ended(play: Evening) -> tuple[str, set[str]]:
    """Which side has won, and who."""
    over = play.game.last(Ended)
    assert over is not None
    return over.side, set(over.winners)


def test_good_has_not_won_while_the_killer_lives() -> None:
    """The werewolf is lynched and the session goes on, until one villager is left beside the killer."""
    play = Evening(SIX, KILLER).lynch("Ash", "Bex", "Cam", "Dov", "Eli")
    assert not play.game.over
    play.do("Bex slay Cam", "dawn").lynch("Dov", "Bex", "Eli", "Fay")
    play.do("Bex slay Eli", "dawn")

    assert ended(play) == ("serial-killer", {"Bex"})
    assert victory("serial-killer") == "the serial killer wins"


def test_nor_has_evil_where_it_is_as_many() -> None:
    """One werewolf, one killer and one villager: it is not over; what the night brings decides."""
    play = Evening("Ash:werewolf Bex:serial-killer Cam:villager Dov:villager Eli:villager", KILLER)
    play.lynch("Eli", "Ash", "Bex", "Cam").do("Ash attack Dov", "Bex slay Dov", "dawn")
    assert not play.game.over
    assert play.alive == {"Ash", "Bex", "Cam"}


@each(("deeds", "side", "winners"), [
    (("Ash attack Bex", "Bex slay Ash"), "villagers", {"Cam", "Dov"}),
    (("Ash attack Cam", "Bex slay Ash"), "serial-killer", {"Bex"}),
    (("Ash attack Bex", "Bex slay Cam"), "werewolves", {"Ash"}),
    (("Ash attack Cam", "Bex slay Dov"), "draw", set()),
])
def test_who_wins_of_four(deeds: tuple[str, ...], side: str, winners: set[str]) -> None:
    """D-A25: of two killers who are left with nobody else neither has won, for no day could end."""
    play = Evening("Ash:werewolf Bex:serial-killer Cam:villager Dov:villager Eli:villager", KILLER)
    play.lynch("Eli", "Ash", "Bex", "Cam").do(*deeds, "dawn")

    assert ended(play) == (side, winners)


def test_the_larger_of_two_that_kill_wins() -> None:
    """Two werewolves and a killer, and nobody else: they are as good as alone."""
    play = Evening("Ash:werewolf Gus:werewolf Bex:serial-killer Cam:villager Dov:villager", KILLER)
    play.lynch("Dov", "Ash", "Bex", "Gus").do("Ash attack Cam", "Gus attack Cam", "dawn")

    assert ended(play) == ("werewolves", {"Ash", "Gus"})


def test_what_is_disclosed_of_a_killer_is_that_e_was_no_werewolf() -> None:
    """NC 3: what a lynching tells is whether one of them has gone."""
    play = Evening(SIX, KILLER).lynch("Bex", "Ash", "Cam", "Dov", "Eli")

    assert play.game.ever(Disclosed)[0].what == "not a werewolf"


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_each_rule_set_has_sessions_that_a_killer_wins(name: str) -> None:
    """And that every other side does; none is without an end."""
    rules = rules_with(name, (KILLER,))
    evil = next(role.name for role in rules.roles.values() if role.side == rules.evil)
    roles = ("serial-killer",) if name in ("nomic-crossing", "tabula", "gadianton") else (evil, evil, "serial-killer")
    games = [played_session(rules, 8, roles, str(seed)) for seed in range(60)]
    sides = {over.side for game in games if (over := game.last(Ended)) is not None}

    assert all(game.over for game in games)
    assert {rules.evil, "serial-killer", rules.roles[rules.plain].side} <= sides


@each("change", [('when = "first night"',), ("uses = 2",), ('when = "day"',)])
def test_who_cant_kill_on_each_night_is_on_no_side_of_eir_own(change: tuple[str]) -> None:
    """Or nothing would bring such a session to its end."""
    with pytest.raises(RoleError, match="who is on eir own side kills"):
        role_of(f"{KILLER}{change[0]}\n", terms_of(nomic_crossing))


GOVERNOR, SOLDIER = library()["governor"], library()["unknown-soldier"]
SEVEN = "Ash:werewolf Bex:governor Cam:villager Dov:villager Eli:villager Fay:villager Gus:villager"


def test_a_pardon_ends_the_day_and_nobody_dies() -> None:
    """All are told that it happened, and the Governor alone whose it was."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Cam").lynch("Cam", "Ash", "Dov", "Eli", "Fay")

    assert (play.game.phase, "Cam" in play.game.alive, play.game.shown_dead) == ("night", True, ())
    assert [told.text for told in play.game.ever(Announced, topic="pardon")] == [
        "Cam was to be put to death, and is pardoned. The day is over."]
    assert play.told("Bex") == ["It is you who has pardoned Cam."]
    assert not play.has(Lynched)
    assert not play.has(Disclosed)


def test_it_is_for_once_and_the_last_word_counts() -> None:
    """Whom e named before doesn't live by it; on the next day nothing is open."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Dov", "Bex reprieve Cam").lynch("Dov", "Ash", "Cam", "Eli", "Fay")
    assert "Dov" not in play.game.alive
    play.do("Ash attack Eli", "dawn").lynch("Cam", "Ash", "Fay", "Gus")
    assert "Cam" in play.game.alive
    play.do("Ash attack Fay", "dawn")
    with pytest.raises(Refusal):
        play.do("Bex reprieve Gus")


def test_a_dead_governor_pardons_nobody() -> None:
    """Eir letter dies with em."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Cam").lynch("Dov", "Ash", "Cam", "Eli", "Fay")
    play.do("Ash attack Bex", "dawn").lynch("Cam", "Ash", "Eli", "Fay")

    assert "Cam" not in play.game.alive


def test_a_late_vote_is_pardoned_too() -> None:
    """D-V9: the lynching that it brings about at its own instant is one that is stopped."""
    play = Evening(SEVEN, GOVERNOR).do("Bex reprieve Cam").lynch("Cam", "Ash", "Dov", "Eli")
    early = play.game.clock - 1
    play.do("Fay vote Gus")
    play.game, _ = play.rules.cast(play.game, early, "Gus", "vote", For("Cam"))

    assert (play.game.phase, "Cam" in play.game.alive) == ("night", True)


def test_it_can_be_no_part_of_another_deed() -> None:
    """What counts at any time is a duty of its own."""
    for change in ('does = ["pardon", "protect"]', 'does = ["pardon"]\nwhen = "each night"'):
        text = GOVERNOR.replace('when = "any time"\n', "").replace('does = ["pardon"]', change)
        with pytest.raises(RoleError, match="any time"):
            role_of(text, terms_of(nomic_crossing))


@each(("name", "cast", "switches", "shown"), [
    ("nomic-crossing", "werewolf", {}, 1), ("nomic-crossing", "werewolf", {"cards": "hidden"}, 0),
    ("nomic-crossing", "unknown-soldier", {}, 0)])
def test_a_hidden_card_tells_nothing(name: str, cast: str, switches: dict[str, str], shown: int) -> None:
    """D-A24: who was lynched is known to be dead, and no more."""
    cast = f"Ash:{cast} Bex:werewolf Cam:villager Dov:villager Eli:villager Fay:villager Gus:villager Hal:villager"
    play = Evening(cast, SOLDIER, rules=name, switches=switches).lynch("Ash", "Cam", "Dov", "Eli", "Fay", "Gus")

    assert play.game.shown_dead == ("Ash",)
    assert len(play.game.ever(Disclosed)) == shown


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_sessions_with_hidden_cards_show_none(name: str) -> None:
    """By every rule set, in whole sessions; where cards aren't shown anyway, there is no such switch."""
    rules = rules_with(name, (GOVERNOR, SOLDIER))
    evil = next(role.name for role in rules.roles.values() if role.side == rules.evil)
    roles = () if name in ("nomic-crossing", "tabula", "gadianton") else (evil,)
    for seed in range(12):
        game = played_session(rules, 9, (*roles, "governor", "unknown-soldier"), str(seed),
                              switches={"cards": "hidden"})
        assert game.over
        assert game.shown_dead
        assert not game.ever(Disclosed)
        pardons = game.ever(Announced, topic="pardon")
        assert len(pardons) == len(game.ever(Told, topic="pardon")) <= 1
