"""Ballots that name one who leaves: whose they are is told in private, with a letter to everyone (D-A2, D-N48)."""

from __future__ import annotations

from tests.contest.test_fellows import PACK, covered, told
from tests.contest.world import World

NOMINATIONS = 24 + 72 + 72 + 1


def left(by: str, other: str) -> World:
    """*by* nominates Gus in secret, *other* Fay; then Gus leaves."""
    found = covered("six-phases", PACK)
    found.tick(at=NOMINATIONS)
    found.write(by, "nominate Gus", "contestmaster", at=NOMINATIONS + 1)
    found.write(other, "nominate Fay", "contestmaster", at=NOMINATIONS + 2)
    found.write("Gus", "I leave this contract.", at=NOMINATIONS + 3)
    return found


def test_whoever_nominated_em_is_told_and_nobody_can_tell_who_that_was() -> None:
    """SP 2a, D-M1: one is told; everyone gets a letter at that moment, all of one size, whoever it was."""
    one, two = left("Ash", "Bex"), left("Bex", "Ash")

    assert "Your ballot names Gus, who is dead: it counts for nobody now." in told(one, "Ash")
    assert "Your ballot names Gus" not in told(one, "Bex")
    assert "Your ballot names Gus" in told(two, "Bex")
    assert "Your ballot names" not in one.to("agora")
    seen = [[(x.kind, x.to or x.forum, x.subject, x.at, x.room, x.auto) for x in w.letters] for w in (one, two)]
    assert sorted(seen[0]) == sorted(seen[1])
    private = [x for x in one.letters if x.kind == "private" and x.person != "Murphy"]
    assert {x.person for x in private} == {"Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus"}
    assert len({x.room for x in private}) == 1
