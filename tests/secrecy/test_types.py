"""The types keep public and private apart: what mixes them doesn't pass the type checker."""

from __future__ import annotations

import inspect

import pytest
from mypy import api

from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.letters.letter import Outgoing
from nomicwolf.reports import owed_letters

HEAD = """
from nomicwolf.reports.owed_letters import public_letters
from nomicwolf.reports.sections import Page
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.views import ContestmasterView, PlayerView, PublicView
from nomicwolf.nomic.state import Contest

def good(view: PublicView, prose: Prose) -> None:
    public_letters(view, (), prose, 0)
    Page(view, (), prose)

def wrong(view: {kind}, prose: Prose) -> None:
    {call}
"""


@pytest.mark.parametrize("kind", ["PlayerView", "ContestmasterView", "Contest"])
def test_a_public_letter_is_made_from_a_public_view_alone(kind: str) -> None:
    """Mypy lets the good call pass, and neither of the wrong ones."""
    for call in ("public_letters(view, (), prose, 0)", "Page(view, (), prose)"):
        said, errors, status = api.run(["--config-file=", "--strict", "-c", HEAD.format(kind=kind, call=call)])

        assert status == 1, said + errors
        assert said.count("error:") == 1
        assert f'has incompatible type "{kind}"; expected "PublicView"' in said


def test_the_function_sees_no_contest() -> None:
    """The maker of public letters is given a view, entries, prose and an instant, and nothing with a secret."""
    assert list(inspect.signature(owed_letters.public_letters).parameters) == ["view", "told", "prose", "now"]


@pytest.mark.parametrize("address", ["agora@lists.example", "AGORA@lists.example", "talk@lists.example"])
def test_a_private_letter_to_a_forum_is_never_composed(address: str) -> None:
    """The last line before the post refuses it, whatever the case; also to a discussion forum."""
    envelope = Envelope("Wolf", "wolf@contest.example", "w", b"sixteen bytes or more",
                        {"agora": "agora@lists.example"}, never_private=("talk@lists.example",))
    letter = Outgoing("k", "private", "note", "You are a werewolf.\n", 9, to=address, person="Ash")

    with pytest.raises(ValueError, match="must not go to a forum"):
        compose(letter, envelope)
