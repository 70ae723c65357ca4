"""The modules of the program, or the table of its rooms.

``python scripts/modules.py [FOLDER...]`` (``contest village``) prints what each module is for, folder by folder;
``python scripts/modules.py --rooms`` prints the table in ``docs/architecture.md``, innermost rooms first.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "nomicwolf"


def purpose(path: Path) -> str:
    """Return the first line of a module's docstring, '' if it has none."""
    told = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return told.partition("\n")[0]


def described(folders: Sequence[str]) -> Iterator[str]:
    """Yield the lines for the *folders* of the package, for all of it if none is named; those below come after each."""
    roots = [PACKAGE / name for name in folders] or [PACKAGE]
    inside = sorted({path.parent for root in roots for path in root.rglob("*.py")})
    for folder in inside:
        first, *modules = sorted(folder.glob("*.py"), key=lambda path: (path.name != "__init__.py", path.name))
        yield f"\n{folder.relative_to(PACKAGE.parent).as_posix()}/: {purpose(first)}"
        width = max((len(module.stem) for module in modules), default=0)
        yield from (f"    {module.stem.ljust(width)}  {purpose(module)}" for module in modules)


def rooms() -> dict[str, Path]:
    """Return each room, a folder of the package or a lone module, with the file that describes it."""
    folders = {path.parent.name: path for path in PACKAGE.glob("*/__init__.py")}
    return folders | {path.stem: path for path in PACKAGE.glob("*.py") if path.stem != "__init__"}


def imported(path: Path) -> set[str]:
    """Return the rooms that *path*, a room's file as `rooms` gives it, and all below it import, its own too."""
    files = path.parent.rglob("*.py") if path.stem == "__init__" else [path]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))]
    named = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    named |= {f"nomicwolf.{alias.name}" for node in nodes if isinstance(node, ast.ImportFrom)
              and node.module == "nomicwolf" for alias in node.names}
    return {name.split(".")[1] for name in named if name.startswith("nomicwolf.")}


def room_table() -> Iterator[str]:
    """Yield the lines of the table of rooms: what is done in each, and which others it imports."""
    every = rooms()
    graph = {room: sorted((imported(path) & every.keys()) - {room}) for room, path in sorted(every.items())}
    order = list(TopologicalSorter(graph).static_order())
    yield "| room | what it is for | imports, of ours |"
    yield "|---|---|---|"
    for room in order:
        others = ", ".join(f"`{other}`" for other in order if other in graph[room])
        ours = "all" if room == "cli" else others or "nothing"
        suffix = "/" if every[room].stem == "__init__" else ".py"
        yield f"| `nomicwolf/{room}{suffix}` | {purpose(every[room]).replace('``', '`').rstrip('.')} | {ours} |"


if __name__ == "__main__":
    lines = room_table() if sys.argv[1:] == ["--rooms"] else described(sys.argv[1:])
    print("\n".join(lines).lstrip("\n"))
