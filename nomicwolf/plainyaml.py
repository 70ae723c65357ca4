"""YAML and JSON with text scalars only.

``true`` and ``false`` come as those words too; whoever wants a truth asks for it with ``truth``. What is written
nowhere comes as the empty text. A key that stands twice is an error, and so are aliases, which would let a small file
become a large one.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final

import yaml
from yaml.nodes import MappingNode, ScalarNode

MAX_CHARS: Final = 4_000_000
"""The length of a file."""


class PlainYamlError(ValueError):
    """A text that is not plain YAML or JSON; the message says where, and what to do."""


class _Loader(yaml.BaseLoader):
    """PyYAML's loader without types, aliases or repeated keys."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse ``*alias``."""
        if self.check_event(yaml.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise PlainYamlError(f"{_place(mark)}: aliases (*name) are not used here; write it out")
        node: yaml.Node | None = super().compose_node(parent, index)
        return node

    def construct_mapping(self, node: MappingNode, deep: bool = False) -> dict[object, object]:
        """Refuse a duplicate key, or one that is no text."""
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, ScalarNode):
                raise PlainYamlError(f"{_place(key.start_mark)}: a key must be a text, not a list or mapping")
            if key.value in seen:
                raise PlainYamlError(f"{_place(key.start_mark)}: “{key.value}” stands twice; keep one of them")
            seen.add(key.value)
        return super().construct_mapping(node, deep=True)


def _place(mark: yaml.Mark | None) -> str:
    return f"line {mark.line + 1}" if mark else "somewhere"


def load(text: str) -> object:
    """Return *text* as mappings, lists and texts; PlainYamlError with the line if it can't be read.

    A text that begins with a bracket is tried as JSON first, because tabs and surrogate pairs are valid in JSON only;
    there ``null`` means nothing at all.
    """
    if len(text) > MAX_CHARS:
        raise PlainYamlError(f"the text has more than {MAX_CHARS:,} characters; split it")
    try:
        if text.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
            with suppress(json.JSONDecodeError):
                return _json(text)
        found: object = yaml.load(text.lstrip("\ufeff"), _Loader)  # noqa: S506 - a loader without types
    except yaml.MarkedYAMLError as error:
        raise PlainYamlError(f"{_place(error.problem_mark)}: {error.problem}; mend the YAML there") from error
    except yaml.YAMLError as error:
        raise PlainYamlError(f"this is no YAML: {error}; take out what can't be printed") from error
    except RecursionError as error:
        raise PlainYamlError("lists and mappings are nested too deeply; write it flatter") from error
    return "" if found is None else found


def _json(text: str) -> object:
    """Return a JSON value, with numbers as written and booleans as words."""
    found = json.loads(
        text.lstrip("\ufeff"), parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_pairs
    )
    return _word(found)


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object; refuse a duplicate key."""
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise PlainYamlError(f"“{key}” stands twice; keep one of them")
        found[key] = _word(value)
    return found


def _word(value: object) -> object:
    """Return a JSON value as text."""
    if isinstance(value, list):
        return [_word(one) for one in value]
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else value


def truth(value: object) -> bool | None:
    """Return whether *value* is ``true`` or ``false``, as text or boolean; None if neither."""
    if isinstance(value, bool):
        return value
    return {"true": True, "false": False}.get(str(value).lower())
