"""Every setting is in the handbook with its default, and every fragment of settings there is good."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

import pytest

from nomicwolf.settings.keys import NomicSettings
from nomicwolf.settings.load import TABLES, load
from nomicwolf.settings.shape import key_of
from tests.docs.pages import PAGES, Block, blocks, name_of, table, text_of
from tests.tables import each

SHAPES = {**TABLES, "nomic": NomicSettings}
FRAGMENTS = [b for page in PAGES for b in blocks(name_of(page)) if b.kind == "toml" and b.name in ("", "contest.toml")]
LEAST = """
[contest]
id = "crossing"
contestmaster = { name = "Murphy", addresses = ["murphy@example.org"] }

[imap]
host = "imap.example.org"
user = "wolf@example.org"
password = "x"

[smtp]
host = "smtp.example.org"
user = "wolf@example.org"
password = "x"
from = "wolf@example.org"

[nomic.agora]
forum = "agora-business@agora.example"
"""


@each("name", SHAPES)
def test_a_table_has_every_key_with_its_default(name: str) -> None:
    """The rows below a table's heading are the keys of the settings, no fewer and no more, with what they are unset."""
    where = "nomic.NAME" if name == "nomic" else name
    wanted = {f"`{where}.{key_of(part)}`": usual(part) for part in fields(SHAPES[name]) if key_of(part) != "name"
              or name != "nomic"}

    rows = table("docs/settings.md", f"## {name}")
    assert {row[0]: row[1] for row in rows} == wanted
    assert [row[0] for row in rows if not row[2]] == []


def test_every_table_is_there() -> None:
    """A heading for each table, the two free ones included."""
    headings = set(re.findall(r"(?m)^## (\w+)$", text_of("docs/settings.md")))
    assert headings == {*SHAPES, "assurance", "switches", "Secrets", "webhook"}


@pytest.mark.parametrize("block", FRAGMENTS, ids=lambda b: f"{b.page}:{b.line}")
def test_a_fragment_is_taken(block: Block, tmp_path: Path) -> None:
    """Each block of settings is good beside the least that a contest needs."""
    headings = re.findall(r"(?m)^\[([\w.]+)\]$", block.text)
    missing = [part for part in re.split(r"(?m)^(?=\[)", LEAST) if part.partition("]")[0][1:] not in headings]
    elsewhere = "maildir" in headings or "mbox" in headings
    kept = [part for part in missing if not (elsewhere and part.startswith("[imap]"))]
    (tmp_path / "contest.toml").write_text("".join(kept) + block.text, encoding="utf-8")

    (tmp_path / "mail.password").write_text("x", encoding="utf-8")
    for key, name in re.findall(r'(?m)^(\w+)_file = "([^"]+)"$', block.text):
        (tmp_path / name).write_text("https://chat.example/hook" if key == "url" else "x", encoding="utf-8")
    bare = {} if "password" in block.text else {"NOMICWOLF_SMTP_PASSWORD": "x", "NOMICWOLF_IMAP_PASSWORD": "x"}
    found = load(tmp_path, bare if "imap" in headings else {})
    assert found.contest.id == "crossing"


def usual(part: Field[Any]) -> str:
    """Return the default of a setting as the page writes it."""
    value = part.default
    if value is MISSING:
        return "needed"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return f"`{json.dumps(list(value))}`"
    return f"`{value}`" if isinstance(value, int) else f'`"{value}"`'
