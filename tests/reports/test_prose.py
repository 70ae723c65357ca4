"""Templates: ours, and a contest's own in their place."""

from __future__ import annotations

import pytest

from nomicwolf.reports.prose import BadTemplate, Prose


def test_a_template_for_no_letter_is_refused() -> None:
    """A file that replaces nothing is a slip, and the error names what there is."""
    with pytest.raises(BadTemplate, match=r"public-lynching.*public-lynched"):
        Prose({"public-lynching": "x"})


@pytest.mark.parametrize("text", ["{{ nobody_knows }}", "{% if %}", "{{ who.__class__.__mro__[1].__subclasses__() }}"])
def test_a_template_that_cant_be_used_is_named(text: str) -> None:
    """What can't be written is an error with the template's name, never a letter with a hole in it."""
    with pytest.raises(BadTemplate, match=r"private-receipt\.txt"):
        Prose({"private-receipt": text}).text("private-receipt", says="see Ash", note="", who="Ash")


def test_a_section_has_subject_headline_and_details() -> None:
    """The first line may be the subject, what follows up to an empty line the headline, the rest detail."""
    own = {"public-fact.txt": "Subject: A {{ text }}\n\nOne.\nTwo.\n\nThree.\n\n\n\nFour.\n"}
    section = Prose(own).section("public-fact", 7, text="fact")

    assert (section.subject, section.headline, section.details) == ("A fact", "One.\nTwo.", "Three.\n\nFour.")
    assert section.weight == 7


def test_prose_is_for_a_page_not_for_markup() -> None:
    """Letters are plain text: nothing in a name is turned into entities."""
    assert "<b>&amp;" in Prose().text("private-receipt", says="see <b>&amp;", note="")
