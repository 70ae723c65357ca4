"""What is kept of the public half of a record is what a fold of all of it gives."""

from __future__ import annotations

from nomicwolf.contest import Contest
from nomicwolf.reports.history import public_record
from nomicwolf.reports.views import public_view
from tests.contest.world import World
from tests.reports.stories import view_of


def test_what_is_kept_is_what_a_fold_gives() -> None:
    """After every letter of a day; and two branches of one contest don't learn each other's news."""
    world = World().start()
    before = world.contest
    for hour, (who, text) in enumerate((("Ash", "I vote for Gus."), ("Bex", "I endorse Ash."), ("Cam", "Hello."),
                                        ("Dov", "I vote for Gus."), ("Eli", "I vote for Gus.")), 1):
        world.write(who, text, at=hour)
        anew = view_of(world.contest.setup, world.contest.entries)
        assert public_view(world.contest) == anew
    assert public_view(before) == view_of(before.setup, before.entries)
    assert len(public_record(before)[0]) < len(public_record(world.contest)[0])


def test_other_settings_make_it_anew() -> None:
    """Switches that the settings publish belong to the view; what was kept under others is left aside."""
    world = World().start()
    public_view(world.contest)
    branch = world.contest.branch()
    branch.setup = Contest(World().contest.setup).setup
    assert public_record(branch)[1].setup is branch.setup
