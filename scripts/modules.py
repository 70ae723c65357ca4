"""Print what each module is for, folder by folder: ``python scripts/modules.py [FOLDER...]`` (``contest village``)."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
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


if __name__ == "__main__":
    print("\n".join(described(sys.argv[1:])).lstrip("\n"))
