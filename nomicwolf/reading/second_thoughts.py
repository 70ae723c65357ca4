"""What stands around a deed and makes it a question: a joke in the next sentence, a heading, too many deeds."""

from __future__ import annotations

from typing import TypeAlias

from nomicwolf.reading.deeds import Deed, Ignored, Problem
from nomicwolf.reading.sentences import Sentence

Finding: TypeAlias = Deed | Problem | Ignored


def is_under(title: Sentence | None, sentence: Sentence) -> bool:
    """Whether *sentence* stands under the heading: in its paragraph, or the next if it has one for itself."""
    return title is not None and sentence.paragraph - title.paragraph <= title.closes_paragraph


def only_considered(found: Finding, title: Sentence | None) -> Finding:
    """A deed under a heading such as "Plan:" is asked about."""
    if not isinstance(found, Deed) or title is None:
        return found
    return Problem(found.line, found.text, "ambiguous", (found.says,),
                   f"It stands under “{title.written}”. If the deed is meant, send it again without that.")


def capped(findings: list[Finding], most: int) -> list[Finding]:
    """*findings* with everything after the first *most* deeds refused in one problem."""
    deeds = [place for place, each in enumerate(findings) if isinstance(each, Deed)]
    if len(deeds) <= most:
        return findings
    first = findings[deeds[most]]
    refused = Problem(first.line, first.text, "too long", (),
                      f"A letter may hold {most} deeds. Nothing from here on was done; send it in a letter of its own.")
    return [*findings[:deeds[most]], refused]


def taken_back(deed: Deed, sentence: Sentence) -> Problem:
    """A deed whose author says in the next sentence that e was joking."""
    return Problem(deed.line, deed.text, "ambiguous", (deed.says,),
                   f"“{sentence.written}” follows. If the deed is meant, send it again without that.")
