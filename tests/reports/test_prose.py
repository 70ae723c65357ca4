"""Templates: ours, and a contest's own in their place, which cost a letter neither time nor memory."""

from __future__ import annotations

import re
import tracemalloc

import pytest

from nomicwolf.contest import LetterCame, Tick, hear
from nomicwolf.letters.letter import Letter
from nomicwolf.reports.prose import Prose, packaged, template_faults
from tests.contest.world import SEVEN, World
from tests.tables import each

OURS = "Received: "
GREEDY = [
    "{{ 'x' * 20000000000 }}",
    "{{ 9 ** 9 ** 9 }}",
    "{{ '%20000000000d' % 1 }}",
    "{{ says|center(20000000000) }}",
    "{{ '%20000000000d'|format(1) }}",
    "{{ '{:20000000000}'.format(1) }}",
    "{{ lipsum(20000000) }}",
    "{% for n in range(20000000000) %}x{% endfor %}",
    "{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}",
    "{% set all = says %}{{ all }}",
    "{% include 'private-receipt' %}",
    "{{ _meter.spend(-20000000000) }}",
    "{{ [says]|table(width=20000000000) }}",
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "{% if says %}" * 200 + "{% endif %}" * 200,
    "{% for a in says %}" * 30 + "{% endfor %}" * 30,
    "{{ " + "1" * 6000 + " }}",
    "x" * 70_000,
]
"""What no template may have: the check says so before any letter is made."""
ENDLESS = [
    "{{ says|map('center', 20000000000)|join }}",
    "{% for a in says %}{% for b in says %}{% for c in says %}x{% endfor %}{% endfor %}{% endfor %}",
    "{% for a in says %}{% for b in says %}{% for c in says %}{% endfor %}{% endfor %}{% endfor %}",
    "{% for a in says %}{% for b in says if b == '' %}{% endfor %}{% endfor %}",
    "{{ says|join(says) }}",
    "{{ ((says, says), (says, says))|table(says) }}",
    "{{ ((says, says),)|table(width=20000000000) }}",
    "{{ " + " ~ ".join(["says"] * 1500) + " }}",
    "{{ says|capitalize }}" * 700,
    "{{ 99999999999999999999999|when }}",
]
"""What a letter alone can tell: it depends on how long the things are that it is made of."""


@pytest.mark.slow
@pytest.mark.slow
@each("greedy", [*GREEDY, *ENDLESS])
def test_a_greedy_template_is_an_error(greedy: str) -> None:
    """The letter goes out in our words, the journal gets to know why, and no memory was taken for it."""
    prose = Prose({"private-receipt.txt": greedy})
    tracemalloc.start()
    try:
        told = prose.text("private-receipt", says="word " * 10_000, note="")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert told.startswith(OURS)
    assert len(prose.faults) == 1
    assert most < 100_000_000


@pytest.mark.slow
@each("greedy", GREEDY)
def test_the_check_tells_what_no_template_may_have(greedy: str) -> None:
    """Before any letter needs it, and without taking what it asks for."""
    tracemalloc.start()
    try:
        (fault, *_) = template_faults({"private-receipt.txt": greedy})
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert fault.startswith("templates/private-receipt.txt")
    assert most < 100_000_000


@pytest.mark.slow
def test_ours_are_such_templates() -> None:
    """Whatever we say can be taken as a contest's own, and comes out the same."""
    own = {f"{name}.txt": text for name, text in packaged().items()}
    assert template_faults(own) == []
    values = {"says": "see Bex, and then some", "note": "A note."}
    assert Prose(own).text("private-receipt", **values) == Prose().text("private-receipt", **values)


@pytest.mark.slow
def test_no_method_and_no_hidden_name_is_reached() -> None:
    """What is put out is what a letter is made of, and neither Python's things nor their places in memory."""
    for asked in ("{{ says.__class__ }}", "{{ says.format }}", "{{ says|map(attribute='__class__')|join }}"):
        prose = Prose({"private-receipt.txt": asked})
        assert prose.text("private-receipt", says="Bex", note="").startswith(OURS), asked
        assert prose.faults


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
    (seer,) = world.game.holders("seer")
    bex, cam = (world.letter(seer, f"see {name}", "contestmaster", at=3) for name in ("Bex", "Cam"))

    def answer(letter: Letter) -> list[str]:
        heard = hear(world.contest, LetterCame(letter), letter.arrived, own).contest
        return [out.body for out in hear(heard, Tick(), letter.arrived, own).letters]

    before = answer(bex)
    assert any("Taken: see Bex." in body for body in before)
    assert not any("Taken" in body for body in answer(cam))
    assert answer(bex) == before
    assert not any("can't be used" in body for body in before)
