"""Commands with arguments that name nothing there is: refused like any other word, and nothing has changed."""

from __future__ import annotations

import pytest

from tests.contest.world import World
from tests.tables import each

pytestmark = pytest.mark.slow


@each(("command", "arguments"), [
    ("release", {"number": "²"}),
    ("reject", {"number": "③", "why": "no"}),
    ("answer", {"number": "²", "text": "No."}),
    ("limit", {"limit": "agora=²"}),
    ("resolve", {"number": "²"}),
    ("claim", {"number": "②", "why": "it is wrong"}),
    ("undo", {"number": "²", "why": "it is wrong"}),
    ("release", {"number": "9" * 5000}),
    ("limit", {"limit": f"agora={'9' * 5000}"}),
    ("claim", {"number": "1", "session": "9" * 5000, "why": "it is wrong"}),
])
def test_what_is_no_number_is_refused(command: str, arguments: dict[str, str]) -> None:
    """The contestmaster is told what there is, and nothing has changed."""
    world = World().start()
    before = world.contest

    outcome = world.command(command, 1, **arguments)

    assert outcome.status == 2
    assert outcome.said
    assert outcome.contest is before
    assert outcome.entries == ()


@pytest.mark.parametrize("command", ["party-add", "party-remove"])
def test_a_nomic_that_the_contest_does_not_live_in_is_refused(command: str) -> None:
    """NC 1b: nobody joins or leaves there, and the answer names the nomics that there are."""
    world = World().start()
    before = world.contest

    outcome = world.command(command, 1, who="Bex", nomic="mars")

    assert outcome.status == 2
    assert "does not live in mars. (NC 1b) Possible: agora, b." in outcome.said
    assert outcome.contest is before


def test_no_further_name_is_none() -> None:
    """It was entered as if it were one."""
    world = World().start()

    outcome = world.command("party-alias", 1, who="Bex", alias=("", " "))

    assert (outcome.status, outcome.entries) == (2, ())
    assert outcome.said == "Say by which further name."
