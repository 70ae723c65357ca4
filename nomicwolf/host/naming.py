"""The files and places that a contest's settings name, as they stand there: looked at before any of them is opened."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from nomicwolf.settings.keys import LedgerSettings

_OWN = {
    "oauth": "a login is renewed in the contest's folder, which workers elsewhere don't share; use a mailbox that "
             "takes a password",
    "network": "workers reach servers by the host's own network; leave it out",
}
"""Tables that are for a contest on a machine of its own, and what to do."""


def outside(tree: Mapping[str, Any], folder: Path) -> Iterator[str]:
    """Say what the settings name that workers elsewhere wouldn't have, or that isn't the tenant's to name."""
    for where, name in (*named_files(tree), ("ledger.url", ledger_named(tree)), *_texts(tree, "archive", "path")):
        if Path(name).is_absolute() or ".." in Path(name).parts:
            yield (f"{where}: {name} lies outside the contest's folder, or isn't named from there without a '..'; "
                   "workers elsewhere have only what is in it")
    for table, part in _tables(tree):
        for key in part:
            if key.endswith(("_keyring", "_credential")):
                yield (f"{table}.{key}: that is this machine's alone; use {table}.{key.rpartition('_')[0]}_file in the "
                       "folder")
    yield from (f"{table}: {why}" for table, why in _OWN.items() if table in tree)
    yield from _commanded(tree)
    for kind in ("maildir", "mbox"):
        for where, name in _texts(tree, kind, "path"):
            if Path(os.path.normpath(folder / name)).is_relative_to(folder):
                yield f"{where}: is in the contest's folder; only a path that every worker has can be polled"


def _commanded(tree: Mapping[str, Any]) -> Iterator[str]:
    """Say which settings ask a worker for what only a machine of the tenant's own can do."""
    archive, keep = tree.get("archive"), tree.get("keep")
    if isinstance(archive, Mapping):
        yield from (f"archive.{key}: workers write no archive and run no command of a tenant's; leave it out, and "
                    "write the archive by nomicwolf archive" for key in ("write", "publish") if archive.get(key))
    if isinstance(keep, Mapping) and keep.get("copy"):
        yield "keep.copy: workers run no command of a tenant's; leave it out"


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
