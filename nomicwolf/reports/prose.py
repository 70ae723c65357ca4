"""Templates rendered to text, in a sandbox.

Costs are counted in steps, not in seconds, because the same text has to come out on every machine: one step for each
expression that is evaluated, and one for each character or item of its value. Steps therefore bound time, output and
memory, since nothing is built before it is paid for.

A template is Jinja2 with StrictUndefined; one of a contest's own may use the part of it that the sandbox allows. Its
first line may be ``Subject: ...``; what follows up to the first empty line is the headline, which says what happened
and what to do by when; the rest is detail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import TYPE_CHECKING, TypeVar

from jinja2 import DictLoader, StrictUndefined, TemplateRuntimeError, TemplateSyntaxError, nodes, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment
from jinja2.visitor import NodeTransformer

from nomicwolf.nomic.events import Answered, Asked, DeedDone, Refused, Reminded
from nomicwolf.nomic.setup import Prodded, Setup
from nomicwolf.nomic.times import when
from nomicwolf.reports import layout
from nomicwolf.village.events import Entry
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import either, listed

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

MAX_CHARS = 16_384
"""The length of a template; the longest packaged one has about two thousand."""
MAX_STEPS = 1_000_000
"""The steps of one rendering; the longest packaged template takes some thousands."""
MAX_DEPTH = 50
"""The depth to which parts of a template may be nested."""
METER = "_meter"
"""The variable that counts steps; no template may name one like it."""
_MAX_WIDTH = 200  # columns of a table
_TOO_DEEP = "it is nested too deeply; write it in more and shorter pieces"
_FILTERS = ("capitalize", "first", "last", "length", "lower", "map", "upper")
_TESTS = ("defined", "none", "undefined")
_KNOWN = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.Name, nodes.Const, nodes.Tuple,
    nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand, nodes.CondExpr,
    nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Add, nodes.Sub, nodes.Concat, nodes.Keyword)
"""Everything a template may contain, which is what the packaged ones do: no calls, assignments or other arithmetic."""
T = TypeVar("T")


class LimitExceeded(TemplateRuntimeError):
    """A template exceeds its limit of steps."""

    def __init__(self) -> None:
        super().__init__(f"it takes more than {MAX_STEPS} steps; make it shorter, with fewer loops")


class Meter:
    """The remaining steps of one rendering."""

    def __init__(self) -> None:
        self._left = MAX_STEPS

    def __call__(self, value: T) -> T:
        """Charge one step and the size of *value*; return it."""
        self._pay(value)
        return value

    def text(self, value: object) -> str:
        """Charge the size of *value* and of its text; return the text."""
        if callable(value):
            raise TemplateRuntimeError("a method is no text; a template puts out what the letter is made of")
        self._pay(value)
        found = str(value)
        self.spend(len(found))
        return found

    def spend(self, steps: int) -> None:
        """Charge *steps*; raise `LimitExceeded` if too few are left."""
        self._left -= steps
        if self._left < 0:
            raise LimitExceeded

    def _pay(self, value: object) -> None:
        self.spend(1)
        if isinstance(value, str):
            self.spend(len(value))
        elif isinstance(value, Mapping):
            for key in value:
                self._pay(key)
                self._pay(value[key])
        elif isinstance(value, (list, tuple, set, frozenset)):
            for part in value:
                self._pay(part)


class MeteredSandbox(SandboxedEnvironment):
    """An environment whose templates count their steps."""

    def __init__(self, templates: Mapping[str, str], filters: Mapping[str, Callable[..., object]]) -> None:
        super().__init__(loader=DictLoader(templates), undefined=StrictUndefined, autoescape=False, trim_blocks=True,
                         lstrip_blocks=True, keep_trailing_newline=True)
        self.globals.clear()
        self.filters = {name: self.filters[name] for name in _FILTERS} | {**filters, "join": _joined, "table": _table}
        self.tests = {name: self.tests[name] for name in _TESTS}

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        """Return a template's tree with metering inserted; TemplateSyntaxError for what is not allowed."""
        if len(source) > MAX_CHARS:
            raise TemplateSyntaxError(f"it has more than {MAX_CHARS} characters", 1, name, filename)
        try:
            tree = super()._parse(source, name, filename)
            for node in _all_of(tree, name, filename):
                _demand_known(node, name, filename)
            _MeterNodes().visit(tree)
        except RecursionError as error:
            raise TemplateSyntaxError(_TOO_DEEP, 1, name, filename) from error
        return tree


def _all_of(tree: nodes.Node, name: str | None, filename: str | None) -> Iterator[nodes.Node]:
    """Yield all nodes of a tree; TemplateSyntaxError if it is nested too deeply for Python."""
    waiting = [(tree, 0)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise TemplateSyntaxError(_TOO_DEEP, node.lineno or 1, name, filename)
        yield node
        waiting += ((part, depth + 1) for part in node.iter_child_nodes())


def _demand_known(node: nodes.Node, name: str | None, filename: str | None) -> None:
    said = ""
    if not isinstance(node, _KNOWN) or (isinstance(node, nodes.For) and node.recursive):
        said = (f"{type(node).__name__.lower()} is not for a contest's own template, which has `if`, `for` and filters "
                "alone, as ours have")
    elif isinstance(node, nodes.Name) and node.name.startswith("_"):
        said = f"{node.name}: no variable begins with _"
    if said:
        raise TemplateSyntaxError(said, node.lineno, name, filename)


@pass_context
def _joined(context: Context, parts: Iterable[object], between: str = "") -> str:
    """Join like Jinja's own filter, after charging for it."""
    meter: Meter = context[METER]
    texts = [meter.text(part) for part in parts]
    meter.spend(len(between) * len(texts))
    return between.join(texts)


@pass_context
def _table(context: Context, rows: Iterable[Sequence[str]], indent: str = "  ", gap: str = "  ",
           width: int = layout.WIDTH, least: Sequence[int] = ()) -> str:
    """Lay out a table like `layout.table`, after charging for it: each row may be padded to the full width."""
    meter: Meter = context[METER]
    found = [meter(tuple(row)) for row in rows]
    if max(width, *least, 0) > _MAX_WIDTH:
        raise LimitExceeded
    meter.spend(len(found) * (len(indent) + width) + sum(len(row) * (len(gap) + width) for row in found))
    return layout.table(found, indent, gap, width, least)


class _MeterNodes(NodeTransformer):
    """Passes each expression and each piece of output through the meter."""

    def visit_Output(self, node: nodes.Output) -> nodes.Output:  # noqa: N802 - Jinja's names for these
        """Charge for the text of each output."""
        node.nodes = [_call("text", nodes.Const(part.data) if isinstance(part, nodes.TemplateData)
                            else self.visit(part)) for part in node.nodes]
        return node

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802
        """Charge for each iteration, even one without output."""
        self.generic_visit(node)
        node.body.insert(0, nodes.Output([_call("", nodes.Const(""))]))
        return node

    def generic_visit(self, node: nodes.Node, *args: object, **kwargs: object) -> nodes.Node:
        """Charge for the value of an expression, after its parts."""
        super().generic_visit(node, *args, **kwargs)
        if not isinstance(node, nodes.Expr) or isinstance(node, nodes.Slice) or getattr(node, "ctx", "load") != "load":
            return node
        return _call("", node)


def _call(method: str, value: nodes.Expr) -> nodes.Call:
    """Return an expression that passes *value* to the meter."""
    meter: nodes.Expr = nodes.Name(METER, "load")
    return nodes.Call(nodes.Getattr(meter, method, "load") if method else meter, [value], [], None, None)


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
    return f"[{tag_of(setup)}] {_phase(place, session)}the contestmaster's journal"


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
    such template once. It is tried again for the next letter, whose values may suit it.
    """

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._own = _theirs(tuple(sorted(own.items()))) if own else None
        self._names = frozenset(name.removesuffix(".txt") for name in own or ())
        self.cites = True
        self.person = DEFAULT_PERSON
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
        values = {"person": self.person, **values}
        rendered = self._own_text(name, values) if name in self._names else None
        if rendered is None:
            rendered = _ours().get_template(name).render(values)
        if not self.cites:
            rendered = CITATION.sub("", rendered)
        return layout.fit(GAPS.sub("\n\n", rendered.strip("\n")))

    def _own_text(self, name: str, values: Mapping[str, object]) -> str | None:
        """Render the contest's own template *name* with *values*; return None if it fails, and note that once."""
        from jinja2 import TemplateError


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
        "when": when, "listed": lambda names: listed(tuple(map(layout.clean, names))), "quote": layout.quote,
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
