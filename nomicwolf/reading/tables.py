"""The grammar's parse tables, kept as JSON, so that no process has to work them out again.

Working them out takes a quarter of a second, of each poll that finds a letter. They are taken only if the grammar's
text and Lark's version are those that they were made from; else, they are made anew. ``scripts/tables.py`` writes them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef


def key_of(texts: Sequence[str], starts: Sequence[str]) -> str:
    """Return the hash of all that tables are made from: the grammar's files, where it starts, and Lark's version."""
    return sha256("\0".join([lark.__version__, *starts, *texts]).encode()).hexdigest()


def kept(parser: Lark, key: str) -> str:
    """Return the tables of *parser* as JSON, under *key*."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    del data["options"]["lexer"], data["options"]["transformer"], data["parser"]["lexer_conf"]["lexer_type"]
    return json.dumps({"key": key, "memo": memo, "data": data}, separators=(",", ":"), sort_keys=True) + "\n"


def restored(text: str, key: str, lexer: type[Lexer], builder: object) -> Lark | None:
    """Return the parser whose tables *text* has, None if they are others than those of *key*; '' has none."""
    found: dict[str, Any] = json.loads(text) if text else {}
    if found.get("key") != key:
        return None
    data = found["data"]
    data["options"]["lexer"] = data["parser"]["lexer_conf"]["lexer_type"] = lexer
    table = data["parser"]["parser"]
    table["tokens"] = _by_number(table["tokens"])
    table["states"] = {state: _by_number(steps) for state, steps in _by_number(table["states"]).items()}
    made: Lark = Lark._load_from_dict(data, _by_number(found["memo"]), transformer=builder)  # type: ignore[no-untyped-call]  # noqa: SLF001 - as the parsers that Lark itself writes are loaded
    return made


def _by_number(found: dict[str, Any]) -> dict[int, Any]:
    """Return a mapping with the numbers as keys that JSON has as texts."""
    return {int(key): value for key, value in found.items()}
