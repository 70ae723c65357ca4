"""What everyone may know, what one player may know: nothing else is in a view."""

from __future__ import annotations

import dataclasses

import pytest

from nomicwolf.nomic.events import CountPosted
from nomicwolf.reports.history import is_public
from nomicwolf.reports.sections import vote_changes
from nomicwolf.reports.views import (
    ContestmasterView,
    PlayerView,
    PublicView,
    contestmaster_view,
    player_view,
    public_view,
)
from nomicwolf.village.ballots import Endorse, For
from nomicwolf.village.events import Opened
from tests.reports.stories import SEVEN, Story


def _night() -> Story:
    story = Story()
    story.start()
    for who in ("Bex", "Cam", "Dov", "Eli"):
        story.votes(who, For("Gus"))
    story.acts("Cam", "see", "Ash")
    return story


def test_a_public_view_is_made_of_public_entries() -> None:
    """Every entry in it may be read by everyone, and neither seed nor role is anywhere in it (NC 6)."""
    view = public_view(_night().contest)

    assert view.record
    assert all(is_public(e.event) for e in view.record)
    assert view.living == ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay")
    assert (view.phase, view.number, view.dead) == ("night", 1, ("Gus",))
    assert not [f.name for f in dataclasses.fields(PublicView) if f.name in ("seed", "deal", "sides", "game")]
    assert view.shown is not None
    assert view.shown.opened is not None
    assert ({*view.shown.roles.values(), *view.shown.sides.values()}, view.shown.opened.seed) == ({""}, "")
    assert all(is_public(e.event) for e in view.shown.entries if not isinstance(e.event, Opened))


def test_a_view_does_not_change_with_secrets() -> None:
    """The same public record gives the same view, whatever else is in the record (X-12)."""
    contest = _night().contest
    only_public = dataclasses.replace(public_view(contest))

    assert public_view(contest) == only_public
    assert [*public_view(contest).upto(contest.last).record] == [e for e in contest.entries if is_public(e.event)]


def test_deaths_are_known_when_they_are_announced() -> None:
    """Who was killed by night lives on in the view until the dawn says so (NC 4c)."""
    story = _night()
    story.acts("Ash", "attack", "Bex")
    story.acts("Dov", "heal")
    story.acts("Dov", "poison")
    before = public_view(story.contest)
    story.dawn()

    assert "Bex" in before.living
    assert "Bex" not in public_view(story.contest).living
    assert public_view(story.contest).majority == 3


@pytest.mark.parametrize(("who", "verbs"), [("Ash", ["attack"]), ("Bex", []), ("Cam", []), ("Gus", [])])
def test_a_player_sees_eir_own_duties(who: str, verbs: list[str]) -> None:
    """A player's view has eir role and what is open to em: the Seer has asked already, the dead can do nothing."""
    view = player_view(_night().contest, who)

    assert view.role == dict(SEVEN)[who]
    assert [d.verb for d in view.duties] == verbs
    assert all(who in e.event.readers() for e in view.own)


def test_what_is_owed_has_a_term() -> None:
    """What holds the night open is due within seven days of nightfall (NC 1j; R1023)."""
    contest = _night().contest
    (duty,) = player_view(contest, "Ash").owes
    (owed,) = contestmaster_view(contest).owed

    assert contest.game is not None
    assert duty.until == contest.game.began + 7 * 86_400 == owed.until
    assert (owed.who, owed.verb, owed.since) == ("Ash", "attack", contest.game.began)


def test_the_contestmasters_view_is_of_no_other_kind() -> None:
    """X-26: nothing that takes a public or a player's view takes the contestmaster's."""
    assert not issubclass(ContestmasterView, (PublicView, PlayerView))
    assert not issubclass(PlayerView, PublicView)


def test_changes_since_the_last_count() -> None:
    """A count tells what has changed since the one before, not since the morning (X-27)."""
    story = Story()
    story.start()
    story.votes("Bex", For("Gus"))
    story.happens(CountPosted("daily"))
    story.votes("Cam", Endorse("Bex"))
    story.votes("Bex", For("Fay"))

    assert vote_changes(public_view(story.contest), story.contest.last) == [("Cam", None, "Fay"), ("Bex", "Gus", "Fay")]
