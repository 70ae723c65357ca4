"""What a contest's own template asks for: whatever it is, a letter goes out, and neither time nor memory is taken."""

from __future__ import annotations

import tracemalloc

import pytest

from nomicwolf.reports.prose import Prose, packaged, template_faults
from tests.tables import each

pytestmark = pytest.mark.slow

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


def test_ours_are_such_templates() -> None:
    """Whatever we say can be taken as a contest's own, and comes out the same."""
    own = {f"{name}.txt": text for name, text in packaged().items()}
    assert template_faults(own) == []
    values = {"says": "see Bex, and then some", "note": "A note."}
    assert Prose(own).text("private-receipt", **values) == Prose().text("private-receipt", **values)


def test_no_method_and_no_hidden_name_is_reached() -> None:
    """What is put out is what a letter is made of, and neither Python's things nor their places in memory."""
    for asked in ("{{ says.__class__ }}", "{{ says.format }}", "{{ says|map(attribute='__class__')|join }}"):
        prose = Prose({"private-receipt.txt": asked})
        assert prose.text("private-receipt", says="Bex", note="").startswith(OURS), asked
        assert prose.faults
