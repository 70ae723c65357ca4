"""The places of `grammar/`, `contract/`, `roles/` and `setups/`."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder *name* (such as ``grammar``); FileNotFoundError says where it was looked for."""
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(
        f"The folder {name!r} is neither in {_PACKAGE / '_data'} nor beside {_PACKAGE}: install nomicwolf again."
    )


GRAMMAR = ("words", "conditions", "ballots", "written")
"""The files that make the grammar, in their order."""


def grammar_text(name: str) -> str:
    """The text of ``grammar/<name>.lark``."""
    return (folder("grammar") / f"{name}.lark").read_text(encoding="utf-8")


def contract_text(name: str) -> str:
    """The text of ``contract/<name>``; without an ending, ``.md`` is meant."""
    file = name if "." in name else f"{name}.md"
    return (folder("contract") / file).read_text(encoding="utf-8")


def role_texts(name: str = "") -> dict[str, str]:
    """The text of each role in ``roles/<name>``, the folder of a rule set, by the role's name; without one, of all."""
    place = folder("roles") / name
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(place.glob("*.toml"))}


def setup_texts() -> dict[str, str]:
    """The text of each setup that comes with the program, by its file's name."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted(folder("setups").glob("*.toml"))}
