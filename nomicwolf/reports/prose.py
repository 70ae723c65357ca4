"""The prose of letters: templates outside the code, any of which a contest may replace by one of its own.

A template is Jinja2 with StrictUndefined. Its first line may be ``Subject: ...``; what follows up to the first empty
line is the headline, which says what happened and what to do by when; the rest is detail.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from jinja2 import ChoiceLoader, DictLoader, StrictUndefined, TemplateError
from jinja2.sandbox import SandboxedEnvironment

from nomicwolf.reports import layout
from nomicwolf.reports.times import when
from nomicwolf.village.words import listed

CITATION = re.compile(r"\s\((?:NC|D-N)[^()]*\)")
GAPS = re.compile(r"\n{3,}")


class BadTemplate(ValueError):
    """A template of a contest's own can't be used; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Section:
    """One piece of a letter: *subject* if it may name the letter, *headline*, *details*; *weight* ranks subjects."""

    headline: str
    details: str = ""
    subject: str = ""
    weight: int = 0


@cache
def packaged() -> dict[str, str]:
    """Return the templates that come with the program, by name (``public-lynched``)."""
    folder = resources.files("nomicwolf.reports") / "templates"
    return {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir() if entry.name.endswith(".txt")
    }


class Prose:
    """Templates, the contest's own before ours."""

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        own = {name.removesuffix(".txt"): text for name, text in (own or {}).items()}
        unknown = sorted(set(own) - set(packaged()))
        if unknown:
            known = ", ".join(sorted(packaged()))
            raise BadTemplate(f"No letter has a template called {', '.join(unknown)}; there are: {known}.")
        self._environment = SandboxedEnvironment(
            loader=ChoiceLoader([DictLoader(own), DictLoader(packaged())]), undefined=StrictUndefined,
            autoescape=False,
            trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        )
        self._environment.filters.update(
            when=when, listed=lambda names: listed(tuple(map(layout.clean, names))), quote=layout.quote,
            clean=layout.clean, table=layout.table, plural=plural,
        )

    def text(self, name: str, /, **values: object) -> str:
        """Return the template *name* with *values*, every line within 72 columns."""
        try:
            rendered = self._environment.get_template(name).render(values)
        except TemplateError as error:
            raise BadTemplate(f"The template {name}.txt can't be used: {error}") from error
        return layout.fit(GAPS.sub("\n\n", rendered.strip("\n")))

    def section(self, name: str, weight: int = 0, /, **values: object) -> Section:
        """Return the template *name* with *values*, cut into subject, headline and details."""
        text = self.text(name, **values)
        subject = ""
        if text.startswith("Subject: "):
            first, _, text = text.partition("\n\n")
            subject = layout.clean(first.removeprefix("Subject: "))
        headline, _, details = text.strip("\n").partition("\n\n")
        return Section(headline, details.strip("\n"), subject, weight)


def uncited(section: Section) -> Section:
    """Return *section* without the clauses of nomic-crossing, which another rule set does not have."""
    return replace(section, headline=CITATION.sub("", section.headline), details=CITATION.sub("", section.details))


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> plural(1, "werewolf", "werewolves"), plural(2, "vote")
    ('1 werewolf', '2 votes')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
