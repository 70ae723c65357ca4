"""The HTML part of a private letter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from itertools import pairwise

from nomicwolf.letters.folding import columns

WIDTH = 72
"""Columns after which the text of a letter is wrapped."""
_STYLE = (
    "body{font:16px/1.5 sans-serif;max-width:40em;margin:1em auto;padding:0 1em}"
    "blockquote{margin:0 0 1em;padding-left:.8em;border-left:3px solid #888}"
    "td{padding:0 1em 0 0;vertical-align:top}pre{white-space:pre-wrap}footer{font-size:.85em;opacity:.8}"
)
_CELLS = re.compile(r" {2,}")


def html_of(text: str) -> str:
    """Return a plain letter of 72 columns as an HTML page: the same words in the same order, and nothing from outside.

    Lines that were only wrapped are joined, ``- `` begins an item, ``> `` a quotation, and lines that are indented and
    have columns are a table. Below each ``--`` stands a foot: an observer's copy has the letter's own and one more.
    """
    body, *feet = text.split("\n--\n")
    blocks = "".join(_blocks(body)) + "".join(f"<footer>{''.join(_blocks(foot))}</footer>" for foot in feet)
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><style>{_STYLE}</style></head>\n'
            f"<body>{blocks}</body></html>\n")


def _blocks(text: str) -> Iterator[str]:
    """Yield the blocks of *text*: lines of one kind that follow each other."""
    kind, lines = "", list[str]()
    for line in [*text.split("\n"), ""]:
        found = _kind(line, kind)
        if found != kind and lines:
            yield _block(kind, lines)
            lines = []
        kind = found
        if line.strip():
            lines.append(line)


def _kind(line: str, before: str) -> str:
    """Return what *line* is part of, which follows one of the kind *before*; '' for a blank one."""
    if not line.strip():
        return ""
    if line.startswith(">"):
        return "quote"
    if line.startswith("- ") or (before == "list" and line.startswith("  ")):
        return "list"
    return "table" if line.startswith("  ") else "text"


def _block(kind: str, lines: list[str]) -> str:
    if kind == "quote":
        return f"<blockquote>{'<br>'.join(escape(line.removeprefix('>').strip()) for line in lines)}</blockquote>\n"
    if kind == "list":
        items = "\n".join(lines).removeprefix("- ").split("\n- ")
        return f"<ul>{''.join(f'<li>{_flowed(item.split(chr(10)))}</li>{chr(10)}' for item in items)}</ul>\n"
    if kind == "table":
        rows = [_CELLS.split(line.strip()) for line in lines]
        if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1:
            cells = ("".join(f"<td>{escape(cell)}</td>\n" for cell in row) for row in rows)
            return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>\n"
        return f"<pre>{escape(chr(10).join(lines))}</pre>\n"
    return f"<p>{_flowed(lines)}</p>\n"


def _flowed(lines: list[str]) -> str:
    """Return *lines* as one paragraph; one that had room for the next one's first word ends in a break."""
    said = escape(lines[0].strip())
    for line, after in pairwise(lines):
        wrapped = columns(line) + 1 + columns(after.split()[0]) > WIDTH
        said += f"{' ' if wrapped else '<br>'}{escape(after.strip())}"
    return said
