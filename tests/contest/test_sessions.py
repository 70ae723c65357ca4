"""Sessions one after the other in one contest: statistics, awards, and who plays (N-201, N-12b)."""

from __future__ import annotations

from nomicwolf.reports.awards import award_book
from nomicwolf.reports.statistics import results_of, statistics_text
from tests.contest.world import SEVEN, World


def play(world: World, at: float) -> tuple[str, str]:
    """Let the werewolf of the running session be lynched; return em, and the side that has won."""
    game = world.contest.game
    assert game is not None
    wolf = game.holders("werewolf")[0]
    for who in [p for p in game.seats if p != wolf][:4]:
        world.write(who, f"I vote for {wolf}.", at=at)
    return wolf, "villagers"


def test_three_sessions_of_one_contest() -> None:
    """NC 2: each has a seed, a number and awards of its own; statistics speak of those that are over."""
    world = World().start(roles="seer")
    wolves = [play(world, 1)[0]]
    assert world.command("start", 2, seed="8", roles="witch").status == 0
    assert world.command("start", 2.5, seed="9").status == 1
    wolves.append(play(world, 3)[0])
    world.command("start", 4, seed="9")
    world.command("end", 5, why="by clause 1f")
    world.command("start", 6, seed="10")

    found = {r.who: r for r in results_of(world.contest).players}
    assert set(found) == set(SEVEN)
    assert all(r.sessions == 2 for r in found.values())
    assert sum(r.condemned for r in found.values()) == 2
    assert found[wolves[0]].won == 2 - wolves.count(wolves[0])
    assert [(s.side, s.sessions, s.won) for s in results_of(world.contest).sides] == [
        ("villagers", 2, 2), ("werewolves", 2, 0)]
    assert {row.session for row in award_book(world.contest)} == {1, 2}
    assert len({s.commitment for s in world.contest.sessions.values()}) == 4
    assert len(statistics_text(world.contest).splitlines()) == 1 + 7 + 2


def test_a_running_session_is_in_no_statistics() -> None:
    """NC 6: nothing is told of sides while they are secret."""
    world = World().start()

    assert results_of(world.contest).players == ()
    assert results_of(world.contest).sides == ()
