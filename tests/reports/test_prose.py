"""Templates: ours, and a contest's own in their place."""

from __future__ import annotations

import re

import pytest

from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.letters.letter import Letter
from nomicwolf.reports.prose import Prose, template_faults
from tests.contest.world import SEVEN, World


def test_a_template_for_no_letter_is_a_fault() -> None:
    """A file that replaces nothing is a slip, and the fault names what there is."""
    (fault,) = template_faults({"public-lynching": "x"})

    assert re.search(r"public-lynching\.txt replaces no letter; .*public-lynched", fault)


@pytest.mark.parametrize(
    ("text", "fault"), [("{{ nobody_knows }}", "speaks of nobody_knows"), ("{% if %}", "no template")])
def test_a_template_is_looked_at_before_it_is_needed(text: str, fault: str) -> None:
    """What a letter does not have, and what is no template, is told by name."""
    (told,) = template_faults({"private-receipt.txt": text})

    assert told.startswith("templates/private-receipt.txt")
    assert fault in told
    assert template_faults({"private-receipt.txt": "{{ says }} {{ note }}"}) == []


@pytest.mark.parametrize(
    "text", ["{{ nobody_knows }}", "{% if %}", "{{ says + 1 }}", "{{ says.__class__.__mro__[1].__subclasses__() }}"])
def test_a_template_that_cant_be_used_stops_no_letter(text: str) -> None:
    """Ours is used where a contest's own can't be, and the fault is remembered once for the journal."""
    prose = Prose({"private-receipt": text})

    assert [prose.text("private-receipt", says="see Ash", note="") for _ in range(2)] == ["Received: see Ash."] * 2
    assert len(prose.faults) == 1
    assert prose.faults[0].startswith("templates/private-receipt.txt can't be used")


def test_a_section_has_subject_headline_and_details() -> None:
    """The first line may be the subject, what follows up to an empty line the headline, the rest detail."""
    own = {"public-fact.txt": "Subject: A {{ text }}\n\nOne.\nTwo.\n\nThree.\n\n\n\nFour.\n"}
    section = Prose(own).section("public-fact", 7, text="fact")

    assert (section.subject, section.headline, section.details) == ("A fact", "One.\nTwo.", "Three.\n\nFour.")
    assert section.weight == 7


def test_prose_is_for_a_page_not_for_markup() -> None:
    """Letters are plain text: nothing in a name is turned into entities."""
    assert "<b>&amp;" in Prose().text("private-receipt", says="see <b>&amp;", note="")


def test_what_one_letter_breaks_spoils_no_other() -> None:
    """A template that can't tell one answer is ours there alone, whatever this process has written before, for whom.

    A host's worker writes for many contests, with the same templates perhaps; and `replay` writes all letters again.
    """
    own, world = {"private-receipt": "Taken: {{ says if 'Bex' in says else says[99] }}."}, World().start(roles="seer")
    for who in SEVEN[:4]:
        world.write(who, "I vote for Gus.", at=2)
    assert world.contest.game is not None
    (seer,) = world.contest.game.holders("seer")
    bex, cam = (world.letter(seer, f"see {name}", "contestmaster", at=3) for name in ("Bex", "Cam"))

    def answer(letter: Letter) -> list[str]:
        heard = hear(world.contest, LetterCame(letter), letter.arrived, own).contest
        return [out.body for out in hear(heard, Tick(), letter.arrived, own).letters]

    before = answer(bex)
    assert any("Taken: see Bex." in body for body in before)
    assert not any("Taken" in body for body in answer(cam))
    assert answer(bex) == before
    assert not any("can't be used" in body for body in before)
