"""The sandbox of templates, with a limit of steps.

Costs are counted in steps, not in seconds, because the same text has to come out on every machine: one step for each
expression that is evaluated, and one for each character or item of its value. Steps therefore bound time, output and
memory, since nothing is built before it is paid for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from jinja2 import DictLoader, StrictUndefined, TemplateRuntimeError, TemplateSyntaxError, nodes, pass_context
from jinja2.runtime import Context
from jinja2.sandbox import SandboxedEnvironment
from jinja2.visitor import NodeTransformer

from nomicwolf.reports import layout

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
           width: int = layout.WIDTH) -> str:
    """Lay out a table like `layout.table`, after charging for it: each row may be padded to the full width."""
    meter: Meter = context[METER]
    found = [meter(tuple(row)) for row in rows]
    if width > _MAX_WIDTH:
        raise LimitExceeded
    meter.spend(len(found) * (len(indent) + width) + sum(len(row) * (len(gap) + width) for row in found))
    return layout.table(found, indent, gap, width)


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
