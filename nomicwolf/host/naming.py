"""The files and places that a contest's settings name, as they stand there: looked at before any of them is opened."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nomicwolf.settings.keys import LedgerSettings


def outside(tree: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Say what the settings name that workers elsewhere wouldn't have, or that isn't the tenant's to name."""
    for where, name in (*named_files(tree), ("ledger.url", ledger_named(tree)), *_texts(tree, "archive", "path")):
        if Path(name).is_absolute() or ".." in Path(name).parts:
            yield (f"{where}: {name} lies outside the contest's folder, or isn't named from there without a '..'; "
                   "workers elsewhere have only what is in it")
    for table, part in _tables(tree):
        for key in part:
            if key.endswith("_keyring"):
                yield (f"{table}.{key}: a keyring is this machine's alone; use "
                       f"{table}.{key.replace('_keyring', '_file')} in the folder")
    if "oauth" in tree:
        yield ("oauth: a login is renewed in the contest's folder, which workers elsewhere don't share; use a mailbox "
               "that takes a password")
    for kind in ("maildir", "mbox"):
        for where, name in _texts(tree, kind, "path"):
            if Path(os.path.normpath(folder / name)).is_relative_to(folder):
                yield f"{where}: is in the contest's folder; only a path that every worker has can be polled"


def named_files(tree: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the files that settings name, secrets and profiles, each with its key."""
    for table, part in _tables(tree):
        yield from ((f"{table}.{key}", str(value)) for key, value in part.items() if key.endswith("_file"))
    for nomic, _ in _tables(tree.get("nomic")):
        yield from ((where, name) for where, name in _texts(tree["nomic"], nomic, "profile") if name.endswith(".toml"))


def ledger_named(tree: Mapping[str, Any]) -> str:
    """Return the file of the ledger, as settings name it; '' if a server has it."""
    url = next((url for _, url in _texts(tree, "ledger", "url")), LedgerSettings().url)
    kind, _, rest = url.partition(":///")
    return rest if kind.split("+")[0] == "sqlite" else ""


def _tables(tree: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(tree, Mapping):
        yield from ((name, part) for name, part in tree.items() if isinstance(part, Mapping))


def _texts(tree: Mapping[str, Any], table: str, key: str) -> list[tuple[str, str]]:
    part = tree.get(table)
    found = part.get(key) if isinstance(part, Mapping) else None
    return [(f"{table}.{key}", found)] if isinstance(found, str) else []
