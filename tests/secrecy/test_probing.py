"""A curious player's letters are answered the same whatever others have written in private (NC 6)."""

from __future__ import annotations

import pytest

from tests.contest.world import World

pytestmark = pytest.mark.slow


def answered(other: str, probe: str) -> str:
    """What Fay is told for *probe* in the night, if Ash has written *other* in private before."""
    world = World()
    world.start()
    world.write("Ash", other, to="contestmaster", at=1)
    world.write("Fay", probe, to="contestmaster", at=2, headers="In-Reply-To: <letter@wolf.example>\r\n")
    world.tick(at=30)
    return "\n".join(x.body for x in world.sent if x.person == "Fay")


@pytest.mark.parametrize("probe", [
    "> see Gus", "see Gus", "Someone wrote:\n\n> see Gus",
    "see Gus\n\nattack Bex\n\nsee Gus\n\nattack Bex\n\nsee Gus\n\nattack Bex\n\nsee Gus\n\nattack Bex",
])
def test_the_words_of_another_are_not_known(probe: str) -> None:
    """What another has written in private in the same words makes no quotation of them."""
    assert answered("see Gus\n\nattack Bex", probe) == answered("see Dov\n\nattack Eli", probe)
