"""The pages of the handbook, and the blocks that stand on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
PAGES += sorted((ROOT / "docs").rglob("*.md"))
_FENCE = re.compile(r"(?ms)^```([^\n]*)\n(.*?)^```$")
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: its first line has its *kind* and, as a title, its *name*; *text* is what stands in it."""

    page: str
    line: int
    kind: str
    name: str
    text: str


def name_of(page: Path) -> str:
    """Return the page's path from the project's root."""
    return page.relative_to(ROOT).as_posix()


def text_of(page: str) -> str:
    """Return a page's whole text."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str) -> tuple[Block, ...]:
    """Return the fenced blocks of *page* in order."""
    text = text_of(page)
    found = []
    for match in _FENCE.finditer(text):
        kind, _, rest = match[1].strip().partition(" ")
        title = _TITLE.fullmatch(rest)
        assert title or not rest, f"{page}: {match[1]} is no block to the site's builder; write title=\"NAME\""
        found.append(Block(page, text.count("\n", 0, match.start()) + 1, kind, title[1] if title else "", match[2]))
    return tuple(found)


def prose(page: str) -> str:
    """Return a page without its fenced blocks, with as many lines as before."""
    return _FENCE.sub(lambda match: "\n" * match[0].count("\n"), text_of(page))


def table(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the rows of the first table below *heading*, its head and ruler left out."""
    below = prose(page).partition(f"\n{heading}\n")[2]
    lines = iter(below.splitlines())
    rows: list[list[str]] = []
    for line in lines:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))])
        elif rows or line.startswith("#"):
            break
    return rows[2:]
