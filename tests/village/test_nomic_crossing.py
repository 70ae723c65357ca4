"""The contract's game, told as little sessions. Numbers are those of the scenarios."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import Counted, DeathsAnnounced, Disclosed, Ended, Killed, Lynched, Removed, Seen
from nomicwolf.village.game import Game, replay
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets.nomic_crossing import deal, werewolves
from tests.village.games import S5, S7, S7L, S8, Play


def test_how_many_are_werewolves() -> None:
    """NC 2b: 1 + floor((N-5)/3), for 5 to 20 (N-01)."""
    assert [werewolves(n) for n in range(5, 21)] == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6]


def test_four_are_too_few() -> None:
    """NC 2: a session needs five (N-02)."""
    with pytest.raises(Refusal, match="at least five"):
        deal(["Ash", "Bex", "Cam", "Dov"], (), "7", {})


def test_the_deal_does_not_hang_on_the_order_of_the_roster() -> None:
    """NC 2b: the same seed gives everyone the same role (N-05)."""
    names = ["Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal"]
    roles = ("cupid", "seer", "witch")

    there, _ = deal(names, roles, "7", {})
    back, _ = deal(names[::-1], roles[::-1], "7", {})

    assert dict(there) == dict(back)


def test_everyone_is_a_werewolf_equally_often() -> None:
    """NC 2b: over 10,000 seeds each is one in 2/8 of the deals, within three standard deviations (N-05)."""
    names = [f"p{i}" for i in range(8)]
    counts = dict.fromkeys(names, 0)
    for seed in range(10_000):
        for who in draw(str(seed), "werewolves", names, 2):
            counts[who] += 1

    assert all(abs(n - 2500) < 3 * (10_000 * 0.25 * 0.75) ** 0.5 * 1.3 for n in counts.values()), counts


def test_day_comes_first() -> None:
    """NC 2d: with nobody to wait for, day 1 begins at once (N-07)."""
    play = Play(S7)

    assert (play.game.phase, play.game.number) == ("day", 1)


def test_cupid_holds_the_start() -> None:
    """NC 7d: no day begins, and no vote is taken, before Cupid has chosen (N-08)."""
    play = Play(S5)

    assert play.game.phase == "setup"
    assert play.owed == [("Eli", "match")]
    with pytest.raises(Refusal):
        play.do("Bex vote Ash")


def test_lovers_are_told_of_each_other_and_of_nothing_else() -> None:
    """NC 7d: both are told both names; no side, no role (N-09)."""
    play = Play(S5).do("Eli match Ash Bex")

    for who in ("Ash", "Bex"):
        assert "Ash and Bex" in play.told(who)[-1]
        assert not any(word in play.told(who)[-1].lower() for word in ("wolf", "seer", "villager"))
    assert play.game.phase == "day"


def test_cupid_may_choose_emself_but_needs_two() -> None:
    """D-N28: two distinct townspersons, Cupid included (N-10, N-11)."""
    with pytest.raises(Refusal):
        Play(S5).do("Eli match Bex Bex")
    with pytest.raises(Refusal):
        Play(S5).do("Eli match Bex Zoe")

    assert Play(S5).do("Eli match Eli Bex").game.phase == "day"


def test_half_is_no_majority() -> None:
    """NC 3, D-N4: four of eight are not more than half, five are (N-13)."""
    play = Play(S8).lynch("Gus", "Ash", "Bex", "Cam", "Dov")

    assert not play.has(Lynched)
    assert play.do("Eli vote Gus").has(Lynched, who="Gus")


def test_the_last_vote_counts() -> None:
    """NC 3: a vote can be changed, and taken back; silent votes stay in the denominator (N-15, N-16)."""
    play = Play(S7).do("Bex vote Gus", "Bex vote Fay", "Cam vote Fay", "Cam unvote")

    counted = play.game.last(Counted)
    assert counted is not None
    assert (counted.counts, counted.majority) == ((("Fay", 1),), 4)


def test_the_dead_neither_vote_nor_are_voted_for() -> None:
    """NC 3, 2a, D-N27 (N-18, N-19)."""
    play = Play(S8).lynch("Bex", "Ash", "Hal", "Cam", "Dov", "Eli").do(
        "Ash attack Fay", "Hal attack Fay", "Cam see Ash", "Dov heal nobody", "Dov poison nobody", "dawn")

    with pytest.raises(Refusal):
        play.do("Bex vote Ash")
    with pytest.raises(Refusal, match="dead"):
        play.do("Cam vote Bex")
    assert play.game.table == {}


def test_a_lynched_villager_is_not_named_for_eir_role() -> None:
    """NC 3, D-N32: only whether e was a werewolf (N-61)."""
    play = Play(S7).lynch("Cam", "Ash", "Bex", "Dov", "Eli")

    assert play.game.ever(Disclosed) == [Disclosed("Cam", "not a werewolf")]
    assert play.game.phase == "night"


def test_a_lynched_hunter_holds_the_dusk() -> None:
    """NC 7c, D-N12: the night waits for eir choice, and voting is closed (N-63, N-65)."""
    play = Play(S7).lynch("Eli", "Ash", "Bex", "Cam", "Dov")

    assert play.owed == [("Eli", "shoot")]
    assert "Ash, Bex, Cam, Dov, Fay and Gus" in play.told("Eli")[-1]
    with pytest.raises(Refusal):
        play.do("Bex vote Gus")
    play.do("Eli shoot Gus")
    assert (play.game.phase, "Gus" in play.alive) == ("night", False)
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Gus",))
    assert [d.who for d in play.game.ever(Disclosed)] == ["Eli"]


def test_with_the_pause_open_votes_go_on() -> None:
    """D-N12 at ``open``: a second lynching is possible while the Hunter chooses (T023)."""
    play = Play(S7, switches={"hunter_pause": "open"}).lynch("Eli", "Ash", "Bex", "Cam", "Dov")

    play.lynch("Gus", "Ash", "Bex", "Cam", "Dov")

    assert [e.who for e in play.game.ever(Lynched)] == ["Eli", "Gus"]
    with pytest.raises(Refusal):
        play.do("Ash vote Fay")


NIGHT = ("Gus", "Ash", "Bex", "Cam", "Dov")


def test_one_werewolf_locks_at_once() -> None:
    """NC 4a, D-N13 (N-72)."""
    play = Play(S7).lynch(*NIGHT).do("Ash attack Bex")

    with pytest.raises(Refusal):
        play.do("Ash attack Fay")


def test_a_pack_must_agree_on_an_outsider() -> None:
    """NC 4a: one's own are no victims, and the choice stands when all name the same (N-71)."""
    play = Play(S8).lynch("Gus", "Ash", "Bex", "Cam", "Dov", "Eli")
    with pytest.raises(Refusal, match="one of you"):
        play.do("Ash attack Hal")

    play.do("Ash attack Bex", "Hal attack Fay")
    assert ("Ash", "attack") in play.owed
    play.do("Ash attack Fay")
    assert ("Ash", "attack") not in play.owed


def test_the_seer_is_answered_even_when_attacked() -> None:
    """NC 7a: during the night, before e dies at dawn (N-73, N-74)."""
    play = Play(S7).lynch(*NIGHT).do("Ash attack Cam", "Cam see Ash")

    assert play.told("Cam")[-1] == "Ash is a werewolf."
    assert "Cam" in play.alive
    assert "Cam" not in play.do("Dov heal nobody", "Dov poison nobody", "dawn").alive


def test_the_witch_waits_for_the_agreement() -> None:
    """NC 7b: with nothing agreed there is nothing to heal (N-77)."""
    play = Play(S8).lynch("Gus", "Ash", "Bex", "Cam", "Dov", "Eli").do("Ash attack Bex")

    with pytest.raises(Refusal):
        play.do("Dov heal")


def quiet(play: Play) -> Play:
    """Let the Seer look and the Witch do nothing more, until dawn."""
    for who, verb in list(play.owed):
        play.do({"see": f"{who} see Ash" if who != "Ash" else f"{who} see Bex"}.get(verb, f"{who} {verb} nobody"))
    return play.do("dawn")


def test_healing_saves_once() -> None:
    """NC 7b: the victim lives; a second time there is no potion (N-78, N-79)."""
    play = quiet(Play(S7).lynch(*NIGHT).do("Ash attack Bex", "Dov heal"))

    assert "Bex" in play.alive
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(())
    play.lynch("Fay", "Ash", "Bex", "Cam", "Dov").do("Ash attack Bex")
    with pytest.raises(Refusal):
        play.do("Dov heal")


def test_the_witch_heals_emself_and_poisons_only_others() -> None:
    """NC 7b, D-N14 (N-81, N-82)."""
    play = Play(S7).lynch(*NIGHT).do("Ash attack Dov")

    for wrong in ("Dov poison Dov", "Dov heal Bex"):
        with pytest.raises(Refusal):
            play.do(wrong)
    assert "Dov" in quiet(play.do("Dov heal Dov")).alive


def test_a_spent_witch_is_told_and_not_waited_for() -> None:
    """D-N26 (N-84)."""
    play = Play(S8).lynch("Gus", "Ash", "Bex", "Cam", "Dov", "Eli").do(
        "Ash attack Bex", "Hal attack Bex", "Dov heal", "Dov poison Hal", "Cam see Ash", "dawn")
    play.lynch("Fay", "Ash", "Bex", "Cam", "Dov").do("Ash attack Cam")

    assert play.told("Dov")[-1] == "The werewolves attack Cam tonight."
    assert play.owed == [("Cam", "see")]


def test_a_healed_hunter_does_not_shoot() -> None:
    """NC 7b, 7c (N-87)."""
    play = quiet(Play(S7).lynch(*NIGHT).do("Ash attack Eli", "Dov heal"))

    assert play.game.phase == "day"
    assert "Eli" in play.alive


def test_a_hunter_killed_at_night_holds_the_dawn() -> None:
    """NC 7c, D-N24: nothing is announced before e has chosen, and then at the next slot."""
    play = quiet(Play(S7).lynch(*NIGHT).do("Ash attack Eli"))

    assert play.owed == [("Eli", "shoot")]
    assert not play.game.now(DeathsAnnounced)
    play.do("Eli shoot Fay", "dawn")
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Eli", "Fay"))
    assert (play.game.phase, play.game.number) == ("day", 2)


def test_night_deaths_come_without_reasons() -> None:
    """NC 4c, 6, D-N22 (N-90): who, and nothing else."""
    play = Play(S8).lynch("Gus", "Ash", "Bex", "Cam", "Dov", "Eli").do(
        "Ash attack Bex", "Hal attack Bex", "Dov heal nobody", "Dov poison Hal", "Cam see Fay", "dawn")

    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Hal", "Bex"))
    assert [d.who for d in play.game.ever(Disclosed)] == ["Gus"]


LOVE = "Fay match Bex Gus"


def test_lovers_die_together_by_day_and_by_night() -> None:
    """NC 7d (N-92, N-93): the side of the lynched one alone is disclosed."""
    play = Play(S7L).do(LOVE).lynch("Bex", "Ash", "Cam", "Dov", "Fay")
    assert {"Bex", "Gus"} & play.alive == set()
    assert [d.who for d in play.game.ever(Disclosed)] == ["Bex"]

    play = quiet(Play(S7L).do(LOVE).lynch("Cam", "Ash", "Bex", "Dov", "Fay").do("Ash attack Bex"))
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Bex", "Gus"))


def test_a_healed_lover_saves_both() -> None:
    """NC 7b, 7d (N-94)."""
    play = quiet(Play(S7L).do(LOVE).lynch("Cam", "Ash", "Bex", "Dov", "Fay").do("Ash attack Bex", "Dov heal"))

    assert {"Bex", "Gus"} <= play.alive


def test_healing_does_not_stop_heartbreak() -> None:
    """D-N33: a healed Lover still dies with the partner who is poisoned."""
    play = Play(S7L).do(LOVE).lynch("Cam", "Ash", "Bex", "Dov", "Fay")

    play.do("Ash attack Bex", "Dov heal", "Dov poison Gus")

    assert {"Bex", "Gus"} & play.do("dawn").alive == set()


def test_a_lover_who_is_the_hunter_shoots() -> None:
    """NC 7c, 7d (N-96)."""
    play = Play(S7L).do("Fay match Bex Eli").lynch("Bex", "Ash", "Cam", "Dov", "Fay")

    assert play.owed == [("Eli", "shoot")]
    assert play.do("Eli shoot Gus").game.phase == "night"


def test_villagers_win_who_survive() -> None:
    """NC 5a (N-100): the dead do not."""
    play = quiet(Play(S7).lynch("Fay", "Bex", "Cam", "Dov", "Gus").do("Ash attack Bex"))

    play.lynch("Ash", "Cam", "Dov", "Eli")

    assert play.winners() == {"Cam", "Dov", "Eli", "Gus"}


def test_parity_ends_the_session_at_dawn() -> None:
    """NC 5b (N-102, N-103): with the deaths announced, and nothing after it."""
    play = Play("Ash:werewolf Bex:villager Cam:villager Dov:villager Eli:villager").lynch("Eli", "Ash", "Bex", "Cam")

    play.do("Ash attack Bex", "dawn").lynch("Dov", "Ash", "Cam")

    assert play.winners() == {"Ash"}
    assert play.game.over
    with pytest.raises(Refusal):
        play.do("Cam vote Ash")


def test_parity_waits_for_the_hunter() -> None:
    """D-N17: a shot that is owed may still turn it; at ``immediate`` it does not."""
    cast = "Ash:werewolf Eli:hunter Bex:villager Cam:villager Dov:villager"
    play = Play(cast).lynch("Cam", "Ash", "Bex", "Eli").do("Ash attack Bex", "dawn").lynch("Eli", "Ash", "Dov")
    assert play.winners() is None
    assert play.do("Eli shoot Ash").winners() == {"Dov"}

    at_once = Play(cast, switches={"parity": "immediate"})
    at_once.lynch("Cam", "Ash", "Bex", "Eli").do("Ash attack Bex", "dawn").lynch("Eli", "Ash", "Dov")
    assert at_once.winners() == {"Ash"}


@pytest.mark.parametrize(("switch", "side", "won"), [("werewolves", "werewolves", {"Ash"}), ("draw", "draw", set())])
def test_nobody_left(switch: str, side: str, won: set[str]) -> None:
    """D-N18: attack, shot and love can leave nobody at all."""
    cast = "Ash:werewolf Eli:hunter Bex:villager Cam:villager Dov:villager"
    play = Play(cast, switches={"nobody_left": switch}).lynch("Cam", "Ash", "Bex", "Eli").do("Ash attack Bex", "dawn")
    rules, game = play.rules, play.game

    game, _ = rules.settle(game, game.clock + 1, (Killed("Dov", "ruling"), Killed("Eli", "ruling")), (), "command")
    ended = rules.act(game, game.clock + 2, "Eli", "shoot", ("Ash",))[0].last(Ended)

    assert ended is not None
    assert (ended.side, set(ended.winners)) == (side, won)


CROSSED = "Cam:cupid Ash:werewolf Bex:villager Dov:villager Eli:villager"


def test_crossed_lovers_win_only_as_the_last_two() -> None:
    """NC 7d, D-N19."""
    play = Play(CROSSED).do("Cam match Ash Bex").lynch("Cam", "Ash", "Bex", "Dov").do("Ash attack Dov", "dawn")
    assert play.lynch("Eli", "Ash", "Bex").winners() == {"Ash", "Bex"}

    lost = Play(CROSSED).do("Cam match Ash Bex").lynch("Bex", "Ash", "Cam", "Dov")
    assert lost.winners() == {"Cam", "Dov", "Eli"}


@pytest.mark.parametrize(("switch", "lives"), [("stay", True), ("kill", False)])
def test_leaving_in_mid_session(switch: str, lives: bool) -> None:
    """D-N11: literally a townsperson stays one; at ``kill`` the threshold falls at once (N-56, N-59)."""
    play = Play("Ash:werewolf Bex:villager Cam:villager Dov:villager Fay:hunter Gus:villager",
                switches={"departure": switch}).lynch("Gus", "Ash", "Bex", "Cam")

    game, news = play.rules.settle(play.game, play.game.clock + 1, (Removed("Fay", "left"),), (), "command")

    assert ("Fay" in game.alive) is lives
    assert bool(game.ever(Lynched)) is not lives
    assert [e.event.name for e in news][:1] == ["removed"]


def test_a_spared_lover() -> None:
    """D-N16 at ``spared``: a vote for one's Lover never counts."""
    play = Play(CROSSED, switches={"lovers_vote": "spared"})

    play.do("Cam match Ash Bex", "Bex vote Ash", "Dov vote endorse Bex")

    assert play.game.table.get("Dov") is None
    assert play.game.table.get("Bex") is None


def known(game: Game) -> dict[str, object]:
    """Return all that is known of a game, by name."""
    return {name: value for name, value in vars(game).items() if not name.startswith("_")}


def test_the_record_replays() -> None:
    """A game is a fold over its record: folding again gives the same."""
    game = quiet(Play(S7L).do(LOVE).lynch("Cam", "Ash", "Bex", "Dov", "Fay").do("Ash attack Bex", "Dov heal")).game
    again = replay(game.entries)

    assert again.entries == game.entries
    assert known(again) == known(game)


def test_every_event_cites_a_clause() -> None:
    """Each event that a rule licensed names its clause or ruling."""
    game = quiet(Play(S7L).do(LOVE).lynch("Eli", "Ash", "Bex", "Dov", "Fay").do("Eli shoot Cam", "Ash attack Bex")).game

    uncited = [e.event.name for e in game.entries if not e.cites and e.event.name not in ("opened", "clock-struck")]
    assert uncited == []


def test_a_seer_sees_sides() -> None:
    """NC 7a: one boolean, and nothing else of a role."""
    play = Play(S7).lynch(*NIGHT).do("Cam see Dov")

    assert play.game.ever(Seen) == [Seen("Cam", "Dov", evil=False)]


def test_a_pack_is_told_that_it_has_agreed() -> None:
    """NC 4a, D-N13: all of it, since nobody can change it any more; also when that is because one has left."""
    said = "The pack has agreed on Gus: that is settled for this night."
    play = Play(S8).lynch("Bex", "Ash", "Cam", "Dov", "Eli", "Fay").do("Ash attack Gus")
    assert said not in play.told("Ash")
    play.do("Hal attack Gus")
    assert [play.told(who)[-1] for who in ("Ash", "Hal")] == [said, said]

    left = Play(S8, switches={"departure": "kill"}).lynch("Bex", "Ash", "Cam", "Dov", "Eli", "Fay")
    left.do("Ash attack Gus", "Hal attack Fay")
    left.game, _ = left.rules.settle(left.game, left.game.clock + 60, [Removed("Hal", "left")], (), "command")
    assert left.told("Ash")[-1] == said

    alone = Play(S7).lynch("Bex", "Ash", "Cam", "Dov", "Eli").do("Ash attack Gus")
    assert said not in alone.told("Ash")
