"""Mutants put in the place of functions, and which lines of the game each test runs.

mutmut has each function ask at every call which mutant it is to be, which makes the game many times slower. Here a
function is what it was, and where a mutant is judged its code is exchanged, once, in the process that judges it.
"""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, wraps
from math import inf
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import mutmut.mutation.trampoline

ORIGINAL = "_mutmut_orig"


@dataclass(frozen=True)
class Known:
    """A function that has mutants, by their names within its module; the dictionary is filled after it is made."""

    function: FunctionType
    mutants: dict[str, Any]


KNOWN: dict[str, Known] = {}
"""By the name that mutmut gives the function: ``module.x_function``, or ``module.xǁClassǁmethod``."""
_being: list[str] = []
"""The mutant that functions become when their module is imported now."""
Lines = frozenset[tuple[str, int]]
"""Lines of source files, from 1 on."""


def function_of(mutant: str) -> str:
    """Return the function that *mutant* was made of, ``module.x_function`` for ``module.x_function__mutmut_3``."""
    return mutant.rpartition("__mutmut_")[0]


def install() -> None:
    """Have modules that are imported from now on keep their functions, in place of mutmut's trampolines."""
    vars(mutmut.mutation.trampoline)["wrap_in_trampoline"] = _keep


def _keep(mutants: dict[str, Any], is_classmethod: bool = False) -> Callable[[FunctionType], FunctionType]:
    def keep(function: FunctionType) -> FunctionType:
        owner, _, name = function.__qualname__.rpartition(".")
        key = f"{function.__module__}.xǁ{owner}ǁ{name}" if owner else f"{function.__module__}.x_{name}"
        KNOWN[key] = Known(function, mutants)
        if not _being or function_of(_being[0]) != key:
            return function

        @wraps(function)
        def changed(*args: object, **kwargs: object) -> object:
            return _plain(mutants[_being[0].rpartition(".")[2]])(*args, **kwargs)

        return changed  # type: ignore[return-value]  # a function, whatever `wraps` calls it

    return keep


def _plain(function: Any) -> FunctionType:  # noqa: ANN401 - what a class has, bound or not
    found = getattr(function, "__func__", function)
    assert isinstance(found, FunctionType)
    return found


def become(mutant: str, made: Mapping[int, Sequence[FunctionType]]) -> bool:
    """Put *mutant* in the place of its function; tell whether that changes all that was *made* of it before.

    It does not if the function runs at import, and is changed elsewhere than in functions that it returns.
    """
    known = KNOWN[function_of(mutant)]
    old, new = known.function, _plain(known.mutants[mutant.rpartition(".")[2]])
    same_defaults = repr((old.__defaults__, old.__kwdefaults__)) == repr((new.__defaults__, new.__kwdefaults__))
    inner = list(_inner(old.__code__, new.__code__)) if _alike(old.__code__, new.__code__) else []
    for before, after in inner:
        for function in made.get(id(before), ()):
            function.__code__ = after
    old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
    return same_defaults and bool(inner) and all(id(before) in made for before, _ in inner)


def functions_made() -> dict[int, list[FunctionType]]:
    """Return all functions there are now, by the identity of their code."""
    found: dict[int, list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType):
            found.setdefault(id(thing.__code__), []).append(thing)
    return found


def _alike(old: CodeType, new: CodeType) -> bool:
    """Tell whether two functions differ in nothing but functions within them."""
    return (old.co_code == new.co_code and len(old.co_consts) == len(new.co_consts)
            and all(getattr(old, k) == getattr(new, k) for k in ("co_names", "co_varnames", "co_freevars"))
            and all(isinstance(b, CodeType) and a.co_freevars == b.co_freevars if isinstance(a, CodeType)
                    else (type(a), a) == (type(b), b) for a, b in zip(old.co_consts, new.co_consts, strict=True)))


def _inner(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    for a, b in zip(old.co_consts, new.co_consts, strict=False):
        if isinstance(a, CodeType) and isinstance(b, CodeType) and (a.co_code, a.co_consts) != (b.co_code, b.co_consts):
            yield a, b
            yield from _inner(a, b)


def build_anew(mutant: str, built: tuple[str, ...]) -> None:
    """Import the modules *built* again with *mutant*, and put what they make in the place of what there was."""
    _being[:] = [mutant]
    old = {name: sys.modules.pop(name) for name in sorted(sys.modules) if name.startswith(built)}
    for name in old:
        importlib.import_module(name)
    new = {id(thing): vars(sys.modules[name])[key] for name, module in old.items() for key, thing in
           vars(module).items() if key in vars(sys.modules[name]) and not key.startswith("__")
           and not isinstance(thing, (bool, int, str, tuple, type(None)))}
    new |= {id(module): sys.modules[name] for name, module in old.items()}
    for name, module in sorted(sys.modules.items()):
        if name.startswith(("nomicwolf", "tests")) and module is not None:
            for key, thing in list(vars(module).items()):
                if id(thing) in new:
                    setattr(module, key, new[id(thing)])


@contextmanager
def traced(files: str, most: float = inf) -> Iterator[set[tuple[str, int]]]:
    """Give the lines of functions that run meanwhile in the files whose names begin with *files*.

    Once so many lines have run as *most*, a function that is called counts as run with all its lines.
    """
    seen: set[tuple[str, int]] = set()
    left: dict[int, set[int]] = {}
    ran = 0

    def entered(frame: FrameType, event: str, _: object) -> Callable[[FrameType, str, object], Any] | None:
        code = frame.f_code
        missing = left.get(id(code))
        if missing is None:
            game = code.co_filename.startswith(files) and code.co_flags & inspect.CO_OPTIMIZED
            missing = left[id(code)] = {line for _, _, line in code.co_lines() if line is not None} if game else set()
        if not missing:
            return None
        if ran > most:
            seen.update((code.co_filename, line) for line in missing)
            missing.clear()
            return None
        note(frame, code.co_firstlineno)
        return run

    def run(frame: FrameType, event: str, _: object) -> Callable[[FrameType, str, object], Any]:
        note(frame, frame.f_lineno)
        return run

    def note(frame: FrameType, line: int) -> None:
        nonlocal ran
        ran += 1
        missing = left[id(frame.f_code)]
        if line in missing:
            missing.remove(line)
            seen.add((frame.f_code.co_filename, line))
        if not missing or ran > most:
            frame.f_trace_lines = False

    sys.settrace(entered)
    try:
        yield seen
    finally:
        sys.settrace(None)


def changed_lines(mutant: str) -> tuple[Lines, Lines, Lines]:
    """Return the lines that *mutant* changes, those of the statement around them, and those of its function."""
    known = KNOWN[function_of(mutant)]
    file = known.function.__code__.co_filename
    source, defined = _source(file)
    name = mutant.rpartition(".")[2]
    old, new = defined[function_of(mutant).rpartition(".")[2] + "_" + ORIGINAL], defined[name]
    lines = source[old.lineno - 1 : old.end_lineno], source[new.lineno - 1 : new.end_lineno]
    pairs = [(a, b.replace(name, old.name)) for a, b in zip(*lines, strict=False)]
    at = [n for n, (a, b) in enumerate(pairs) if a != b][: None if len(lines[0]) == len(lines[1]) else 1]
    here = defined[known.function.__qualname__]
    first = here.lineno
    exact = range(first + min(at, default=0), first + max(at, default=0) + 1)
    around = _statement(here, exact[0])
    whole = range(min(first, known.function.__code__.co_firstlineno), (here.end_lineno or first) + 1)
    return tuple(frozenset((file, n) for n in part) for part in (exact, around, whole))  # type: ignore[return-value]


def _statement(function: ast.FunctionDef, line: int) -> range:
    """Return the lines of the innermost statement of *function* at *line*; of one with a body, those before it."""
    around = [n for n in ast.walk(function) if isinstance(n, (ast.stmt, ast.ExceptHandler))
              and n.lineno <= line <= (n.end_lineno or n.lineno)]
    found = max(around, key=lambda n: (n.lineno, -(n.end_lineno or 0)))
    if isinstance(found, ast.Match):
        return range(line, line + 1)
    body = getattr(found, "body", None)
    return range(found.lineno, max(body[0].lineno, line + 1) if body else (found.end_lineno or line) + 1)


@lru_cache
def _source(file: str) -> tuple[list[str], dict[str, ast.FunctionDef]]:
    text = Path(file).read_text("utf-8")
    found: dict[str, ast.FunctionDef] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    found[method.name if "__mutmut_" in method.name else f"{node.name}.{method.name}"] = method
    return text.split("\n"), found
