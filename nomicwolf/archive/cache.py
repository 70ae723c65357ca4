"""Which pages need not be made again: those whose facts, and whose program, are the same as when they were made."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from pathlib import Path

import nomicwolf

KEYS = ".made.json"
SOURCES = {".py", ".html", ".css", ".js", ".atom", ".txt", ".lark", ".md"}


@cache
def program() -> str:
    """Return the hash of all of the program's own files: a page made by another program is made again."""
    folder = Path(nomicwolf.__file__).parent
    found = sha256()
    for path in sorted(p for p in folder.rglob("*") if p.suffix in SOURCES):
        found.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


def made_before(folder: Path, by: str) -> dict[str, tuple[str, str]]:
    """Return (key, hash of the bytes) of the pages that the program *by* made in *folder*, by path; none if unsure."""
    try:
        told = json.loads((folder / KEYS).read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        return {}
    if not isinstance(told, dict) or told.get("program") != by or not isinstance(told.get("pages"), dict):
        return {}
    return {str(path): (str(pair[0]), str(pair[1])) for path, pair in told["pages"].items()
            if isinstance(pair, list) and len(pair) == 2}


def note_made(by: str, pages: dict[str, tuple[str, str]]) -> bytes:
    """Return what `made_before` reads."""
    return (json.dumps({"program": by, "pages": pages}, sort_keys=True, indent=0) + "\n").encode("ascii")
