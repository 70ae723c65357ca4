"""Templates rendered to text, in a sandbox.

A template is Jinja2 with StrictUndefined; one of a contest's own may use the part of it that `sandbox` allows. Its
first line may be ``Subject: ...``; what follows up to the first empty line is the headline, which says what happened
and what to do by when; the rest is detail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from nomicwolf.nomic.events import Answered, Asked, DeedDone, Refused, Reminded
from nomicwolf.nomic.setup import Prodded, Setup
from nomicwolf.nomic.times import ahead, when
from nomicwolf.reports import layout
from nomicwolf.village.events import Entry
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import either, listed

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

    from nomicwolf.reports.sandbox import MeteredSandbox

UNIFORM_SUBJECT = "your private note"
"""The subject of all private letters where subjects are uniform or letters covered."""


def tag_of(setup: Setup) -> str:
    """Return the short name of a contest for subjects (``Werewolves``)."""
    return setup.name.removeprefix("The ").partition(" of ")[0][:30] or setup.contest


def subject_line(setup: Setup, session: int, what: str) -> str:
    """Return the subject of a letter about *what* in *session* (0: before the first)."""
    return f"[{tag_of(setup)}] session {session}: {what}" if session else f"[{tag_of(setup)}] {what}"


def private_subject(
    setup: Setup, place: str, entries: Sequence[Entry], due: int, *, session: int, begins: bool, night: bool
) -> str:
    """Return the subject of a private letter about *entries*: its kind, and the phase as everyone knows it.

    Phones show it on their lock screens, so it names no role, no person and no deed. *place* is the phase of *session*
    (0: before the first), *due* when something is owed (UTC seconds; 0: nothing is); *begins* and *night* say what has
    just begun.
    """
    if setup.uniform_subjects:
        return subject_line(setup, session, UNIFORM_SUBJECT)
    kind = _kind(_phase(place, session), entries, due, begins=begins, night=night)
    return f"[{tag_of(setup)}] {kind[:1].upper()}{kind[1:]}"


def journal_subject(setup: Setup, place: str, session: int) -> str:
    """Return the subject of a journal about the phase *place* of *session* (0: before the first)."""
    phase = _phase(place, session)
    return f"[{tag_of(setup)}] {phase}{'t' if phase else 'T'}he contestmaster's journal"


def _phase(place: str, session: int) -> str:
    """Return how subjects of letters about the phase *place* of *session* begin, '' before the first."""
    if not session:
        return ""
    return f"{place[:1].upper()}{place[1:]}: " if place != "over" else f"After session {session}: "


def _kind(phase: str, entries: Sequence[Entry], due: int, *, begins: bool, night: bool) -> str:
    kinds = {type(e.event) for e in entries}
    if begins:
        return "Your role"
    if Asked in kinds:
        return "Please say it again"
    if Refused in kinds:
        return f"{phase}not done"
    ends = [e.event.until for e in entries if isinstance(e.event, Reminded) and e.event.until]
    if (due := due if due and (night or kinds & {Reminded, Prodded}) else min(ends, default=0)):
        return f"Due by {' '.join(when(due).split()[:3])}"
    if DeedDone in kinds:
        return f"{phase}received"
    if Answered in kinds:
        return f"{phase}your question"
    if night:
        return f"{phase.removesuffix(': ')} begins"
    if Prodded in kinds:
        return f"{phase}please vote"
    return f"{phase}news for you"


CITATION = re.compile(r"\s\((?:NC|D-N)[^()]*\)")
GAPS = re.compile(r"\n{3,}")
_OTHER_ERRORS = (AttributeError, MemoryError, OSError, RecursionError, SyntaxError)
"""Further errors of a contest's template: unknown attributes, dates beyond the calendar, nesting that is too deep."""
DEFAULT_PERSON = "townsperson"
"""The word for a player where the rule set has none of its own."""


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of a letter: *headline*, *details*, a *subject* if it may name the letter; *weight* ranks subjects."""

    headline: str
    details: str = ""
    subject: str = ""
    weight: int = 0


CONTRACT_PREFIX = "NC"
"""The prefix of the clauses that templates cite: the contract's own."""


def by_contract(rules: Ruleset) -> bool:
    """Return whether *rules* are the contract's own game or a variant with its clauses."""
    return rules.prefix == CONTRACT_PREFIX


@cache
def packaged() -> dict[str, str]:
    """Return the program's own templates by name (``public-lynched``)."""
    folder = resources.files("nomicwolf.reports") / "templates"
    return {
        entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir() if entry.name.endswith(".txt")
    }


class Prose:
    """The templates of one run: the contest's own where there are any, else the packaged ones.

    A template of the contest's that fails never stops a letter: the packaged one replaces it, and *faults* reports each
    such template once. It is tried again for the next letter, whose values may suit it. What is still to come has how
    long it is from *now* until then (UTC seconds; 0: not known).
    """

    def __init__(self, own: Mapping[str, str] | None = None, now: int = 0) -> None:
        self._own = _theirs(tuple(sorted(own.items()))) if own else None
        self._names = frozenset(name.removesuffix(".txt") for name in own or ())
        self.cites = True
        self.person = DEFAULT_PERSON
        self.now = now
        self.faults: list[str] = []
        self._faulty: set[str] = set()

    def of(self, rules: Ruleset) -> Prose:
        """Return the same prose for a game of *rules*, with its word for players.

        Citations of the contract are left out where the game has other clauses.
        """
        found = copy(self)
        found.cites, found.person = by_contract(rules), rules.person
        return found

    def text(self, name: str, /, **values: object) -> str:
        """Render the template *name* with *values*, every line within 72 columns."""
        values = {"person": self.person, "now": self.now, **values}
        rendered = self._own_text(name, values) if name in self._names else None
        if rendered is None:
            rendered = _ours().get_template(name).render(values)
        if not self.cites:
            rendered = CITATION.sub("", rendered)
        return layout.fit(GAPS.sub("\n\n", rendered.strip("\n")))

    def ahead(self, at: int) -> str:
        """Return an instant that is still to come, and how long it is until then."""
        return ahead(at, self.now)

    def _own_text(self, name: str, values: Mapping[str, object]) -> str | None:
        """Render the contest's own template *name* with *values*; return None if it fails, and note that once."""
        from jinja2 import TemplateError

        from nomicwolf.reports.sandbox import METER, Meter

        assert self._own is not None
        try:
            return self._own.get_template(name).render({**values, METER: Meter()})
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, *_OTHER_ERRORS) as error:
            if name not in self._faulty:
                self._faulty.add(name)
                self.faults.append(f"templates/{name}.txt can't be used, and ours was: {error}")
            return None

    def section(self, name: str, weight: int = 0, /, **values: object) -> Section:
        """Render the template *name* with *values* and split it into subject, headline and details."""
        text = self.text(name, **values)
        subject = ""
        if text.startswith("Subject: "):
            first, _, text = text.partition("\n\n")
            subject = layout.clean(first.removeprefix("Subject: "))
        headline, _, details = text.strip("\n").partition("\n\n")
        return Section(headline, details.strip("\n"), subject, weight)


@cache
def _ours() -> SandboxedEnvironment:
    """Return the environment of the packaged templates, created when a letter first needs it."""
    return _environment(packaged())


@lru_cache(maxsize=16)
def _theirs(templates: tuple[tuple[str, str], ...]) -> MeteredSandbox:
    """Return the environment of a contest's own templates, cached because contests of a host may share them."""
    from nomicwolf.reports.sandbox import MeteredSandbox

    return MeteredSandbox({name.removesuffix(".txt"): text for name, text in templates}, _filters())


def _environment(templates: Mapping[str, str]) -> SandboxedEnvironment:
    """Return a sandboxed Jinja2 environment for *templates*, with the filters of letters."""
    from jinja2 import DictLoader, StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    environment = SandboxedEnvironment(
        loader=DictLoader(templates), undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )
    environment.filters.update(_filters())
    return environment


def _filters() -> dict[str, Callable[..., object]]:
    """Return the filters that letters use besides Jinja's."""
    return {
        "when": when, "ahead": ahead, "quote": layout.quote,
        "listed": lambda names: listed(tuple(map(layout.clean, names))),
        "either": lambda choices: either(map(layout.clean, choices)),
        "clean": layout.clean, "table": layout.table, "plural": plural,
        "counted": lambda what, amount: what.removesuffix("s") if amount == 1 else what,
    }


def template_faults(own: Mapping[str, str]) -> list[str]:
    """Return what is wrong with a contest's own templates, before any letter needs them.

    Faults are names that replace no letter, text that is not Jinja2, and variables that the letter does not have.
    """
    return [fault for file, text in own.items() for fault in _faults(file.removesuffix(".txt"), text)]


def _faults(name: str, text: str) -> Iterator[str]:
    """Yield what is wrong with the contest's own template *name*."""
    from jinja2 import TemplateError
    from jinja2.meta import find_undeclared_variables

    from nomicwolf.reports.sandbox import METER


    if name not in packaged():
        yield f"templates/{name}.txt replaces no letter; there are: {', '.join(sorted(packaged()))}"
        return
    theirs = _theirs(((f"{name}.txt", text),))
    try:
        theirs.get_template(name)
        used = find_undeclared_variables(theirs.parse(text))
    except (TemplateError, ValueError, *_OTHER_ERRORS) as error:
        yield f"templates/{name}.txt is no template: {error}"
        return
    known = find_undeclared_variables(_ours().parse(packaged()[name]))
    for variable in sorted(used - known - {METER}):
        yield f"templates/{name}.txt speaks of {variable}, which this letter has not; it has {', '.join(sorted(known))}"


def plural(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun.

    >>> plural(1, "werewolf", "werewolves"), plural(2, "vote")
    ('1 werewolf', '2 votes')
    """
    return f"{number} {one if number == 1 else many or one + 's'}"
