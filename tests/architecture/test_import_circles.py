"""Modules depend on one another in one direction: no strongly connected component has more than one."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter

from tests.architecture.source import MODULES, tree

FILES = {name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): name for name in MODULES}
"""Each module's file by its dotted name."""


def dependencies(module: str) -> set[str]:
    """Return the modules of ours that *module* imports anywhere: at its top, in a function, or for its types alone.

    Imports for types count, since whoever reads a module has to read what it names.
    """
    found: set[str] = set()
    for node in ast.walk(tree(FILES[module])):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & FILES.keys() or {node.module or ""}
    return (found & FILES.keys()) - {module}


def components(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """Return the strongly connected components of *graph* that have more than one node.

    Each circle that the standard library's sorter meets is made one node, until it meets none.

    >>> [sorted(found) for found in components({"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}})]
    [['a', 'b', 'c'], ['d', 'e']]
    >>> components({"a": {"b", "c"}, "b": {"c"}, "c": set()})
    []
    """
    members = {node: {node} for node in graph}
    edges = {node: set(others) for node, others in graph.items()}
    while circle := _circle(edges):
        first, *rest = sorted(circle)
        for node in rest:
            members[first] |= members.pop(node)
            edges[first] |= edges.pop(node)
        merged = set(rest)
        edges = {node: {first if other in merged else other for other in others} - {node}
                 for node, others in edges.items()}
    return sorted((found for found in members.values() if len(found) > 1), key=min)


def _circle(edges: Mapping[str, set[str]]) -> set[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return set(error.args[1])
    return set()


def test_imports_form_no_circle() -> None:
    """Whichever way one walks along imports, one never comes back to where one was."""
    graph = {module: dependencies(module) for module in FILES}

    assert [sorted(found) for found in components(graph)] == []
    assert sum(map(len, graph.values())) > 1000
