"""The contract's game: what no rehearsal of it holds. Numbers are those of the rehearsals."""

from __future__ import annotations

import pytest

from nomicwolf.village.events import DeathsAnnounced, Disclosed, Ended, Killed, Removed, Seen
from nomicwolf.village.game import Game, replay
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets.nomic_crossing import deal
from tests.village.games import S7, S7L, S8, Play


def test_the_deal_does_not_hang_on_the_order_of_the_roster() -> None:
    """NC 2b: the same seed gives everyone the same role (N-05)."""
    names = ["Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal"]
    roles = ("cupid", "seer", "witch")

    there, _ = deal(names, roles, "7", {})
    back, _ = deal(names[::-1], roles[::-1], "7", {})

    assert dict(there) == dict(back)


def test_a_lynched_hunter_holds_the_dusk() -> None:
    """NC 7c, D-N12: the night waits for eir choice, and voting is closed (N-63, N-65)."""
    play = Play(S7).lynch("Eli", "Ash", "Bex", "Cam", "Dov")

    assert play.owed == [("Eli", "shoot")]
    assert play.told("Eli")[-1] == "You have been killed. Choose one to take along."
    with pytest.raises(Refusal):
        play.do("Bex vote Gus")
    play.do("Eli shoot Gus")
    assert (play.game.phase, "Gus" in play.alive) == ("night", False)
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Gus",))
    assert [d.who for d in play.game.ever(Disclosed)] == ["Eli"]


NIGHT = ("Gus", "Ash", "Bex", "Cam", "Dov")


def test_a_pack_must_agree_on_an_outsider() -> None:
    """NC 4a: one's own are no victims, and the choice stands when all name the same (N-71)."""
    play = Play(S8).lynch("Gus", "Ash", "Bex", "Cam", "Dov", "Eli")
    with pytest.raises(Refusal, match="one of you"):
        play.do("Ash attack Hal")

    play.do("Ash attack Bex", "Hal attack Fay")
    assert ("Ash", "attack") in play.owed
    play.do("Ash attack Fay")
    assert ("Ash", "attack") not in play.owed


def quiet(play: Play) -> Play:
    """Let the Seer look and the Witch do nothing more, until dawn."""
    for who, verb in list(play.owed):
        play.do({"see": f"{who} see Ash" if who != "Ash" else f"{who} see Bex"}.get(verb, f"{who} {verb} nobody"))
    return play.do("dawn")


def test_the_witch_heals_emself_and_poisons_only_others() -> None:
    """NC 7b, D-N14 (N-81, N-82)."""
    play = Play(S7).lynch(*NIGHT).do("Ash attack Dov")

    for wrong in ("Dov poison Dov", "Dov heal Bex"):
        with pytest.raises(Refusal):
            play.do(wrong)
    assert "Dov" in quiet(play.do("Dov heal Dov")).alive


def test_a_hunter_killed_at_night_holds_the_dawn() -> None:
    """NC 7c, D-N24: nothing is announced before e has chosen, and then at the next slot."""
    play = quiet(Play(S7).lynch(*NIGHT).do("Ash attack Eli"))

    assert play.owed == [("Eli", "shoot")]
    assert not play.game.now(DeathsAnnounced)
    play.do("Eli shoot Fay", "dawn")
    assert play.game.last(DeathsAnnounced) == DeathsAnnounced(("Eli", "Fay"))
    assert (play.game.phase, play.game.number) == ("day", 2)


LOVE = "Fay match Bex Gus"


def test_healing_does_not_stop_heartbreak() -> None:
    """D-N33: a healed Lover still dies with the partner who is poisoned."""
    play = Play(S7L).do(LOVE).lynch("Cam", "Ash", "Bex", "Dov", "Fay")

    play.do("Ash attack Bex", "Dov heal", "Dov poison Gus")

    assert {"Bex", "Gus"} & play.do("dawn").alive == set()


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
