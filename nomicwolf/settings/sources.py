"""The sources of settings: secrets and the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nomicwolf.settings.keys import NomicSettings, Person, Settings, SettingsError
from nomicwolf.settings.shape import WAYS, Typed, keys_of, nearest

KEY_FILE = "contest.key"
PREFIX = "NOMICWOLF_"
LOST = ("put back {0} as it was, from a backup, for this user to read. It makes the reply addresses, the confirmation "
        "words and the marks by which the contest knows its own letters. If it is lost for good, a new one is made by "
        "`openssl rand -hex 32 > {0}`: answers to older letters then count no more, and their heads can't be checked")
"""The remedy for a lost key; its file is {0}."""
MISSING = "put the secret there, for this user to read"
SEALED = "put the key back, from the copy that you keep: without it nobody reads what is secret in the ledger"


def fill_secrets(
    source: Source, given: dict[str, Any], key: str, where: str, problems: list[str]
) -> dict[str, Any]:
    """Return *given* with the secret *key* read from where it is, if that is elsewhere.

    A way that the environment names comes before what stands in the settings. The *source* notes which it was.
    """
    ways = [way for way in (key, *(f"{key}{way}" for way in WAYS)) if way in given]
    ways = [way for way in ways if isinstance(given[way], Typed)] or ways
    if len(ways) > 1:
        problems.append(f"{where}.{key}: given {len(ways)} times ({', '.join(ways)}); keep one")
    rest = {name: value for name, value in given.items() if name not in {f"{key}{way}" for way in WAYS}}
    if ways and given[ways[0]]:
        source.found[f"{where}.{key}"] = _where(given[ways[0]], where, key, ways[0])
    if len(ways) != 1 or ways[0] == key or not isinstance(given[ways[0]], str):
        wrong = [way for way in ways if not isinstance(given[way], str)]
        problems.extend(f"{where}.{way}: must be a text in quotes" for way in wrong if way != key)
        return rest
    try:
        rest[key] = source.read(given, ways[0], SEALED if where == "ledger" else MISSING)
    except LookupError as error:
        problems.append(f"{where}.{ways[0]}: {error.args[0]}")
    return rest


@dataclass(frozen=True, slots=True)
class Source:
    """The places of secrets: files in *folder*, credentials as *environ* says, the keyring.

    *found* takes in words where each secret was, by its key.
    """

    folder: Path
    environ: Mapping[str, str]
    found: dict[str, str] = field(default_factory=dict)

    def read(self, given: Mapping[str, Any], way: str, remedy: str) -> str:
        """Return the secret that *way* names; LookupError says why there is none, with the *remedy* if it's gone."""
        if way.endswith("_file"):
            return _read_file(self.folder / given[way], remedy)
        return _ask_keyring(given, way, remedy) if way.endswith("_keyring") else self._credential(given[way], remedy)

    def _credential(self, name: str, remedy: str) -> str:
        """Return what systemd keeps for this service under *name* (systemd.exec(5), LoadCredential)."""
        place = self.environ.get("CREDENTIALS_DIRECTORY", "")
        if not place:
            raise LookupError("systemd gives this process no credentials; write LoadCredential="
                              f"{name}:/path/to/the/secret into the service, and start it by systemd")
        if "/" in name or name.startswith("."):
            raise LookupError(f"{name!r} is no credential's name; write what stands before the : in LoadCredential")
        return _read_file(Path(place) / name, remedy)


def _where(value: object, where: str, key: str, way: str) -> str:
    """Return in words where a secret is; never what it is."""
    if way == key:
        named = f"{PREFIX}{where}_{key}".upper()
        return f"the environment ({named})" if isinstance(value, Typed) else "contest.toml"
    kind = way.removeprefix(f"{key}_")
    return f"the {'systemd credential' if kind == 'credential' else kind} {value}"


def _read_file(path: Path, remedy: str) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise LookupError(f"{path}: {error.strerror}; {remedy}") from error
    except ValueError as error:
        raise LookupError(f"{path}: {error}; {remedy}") from error
    if not text:
        raise LookupError(f"{path} is empty; {remedy}")
    return text


def _ask_keyring(given: Mapping[str, Any], way: str, remedy: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise LookupError("keyring is not installed (pip install 'nomicwolf[keyring]')") from error
    service, user = given[way], str(given.get("user", "nomicwolf"))
    try:
        found = keyring.get_password(service, user)
    except KeyringError as error:
        raise LookupError(f"the keyring can't be used here: {error}") from error
    if not found:
        raise LookupError(f"the keyring has no password of {user!r} for {service!r}; {remedy}")
    return found


def key_file(settings: Settings) -> Path:
    """Return where the contest's key lies: beside the ledger, or in the contest's folder."""
    ledger = settings.ledger_file
    return (ledger.parent if ledger else settings.folder) / KEY_FILE


def make_key(path: Path, at: int | None = None, text: str = "") -> str:
    """Write 32 random bytes as hex, or *text*, into a new file of mode 0600, on the disk for good, and return them.

    *path* may be a name in the folder with the descriptor *at*. A file that is there already is left alone:
    FileExistsError.
    """
    text = text or os.urandom(32).hex()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=at)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    return text


def secret_of(settings: Settings) -> str:
    """Return the contest's secret, from the settings or its key file; `SettingsError` says what is missing."""
    if settings.contest.secret:
        return settings.contest.secret
    path = key_file(settings)
    try:
        return _read_file(path, LOST.format(path))
    except LookupError as error:
        raise SettingsError((f"contest.secret: {error.args[0]}",)) from error


_FREE = ("switches", "assurance")


def overlay(
    tree: dict[str, Any], environ: Mapping[str, str], shapes: Mapping[str, type], problems: list[str]
) -> None:
    """Put what *environ* sets into *tree*; a name that is nearly a key is a problem, any other isn't ours."""
    for name in sorted(environ):
        if not name.startswith(PREFIX):
            continue
        section, _, rest = name.removeprefix(PREFIX).lower().partition("_")
        path = _path(section, rest, tree, shapes)
        if path is not None:
            _set(tree, path, Typed(environ[name]))
        elif section in {*shapes, *_FREE, "nomic"}:
            known = keys_of(shapes[section]) if section in shapes else keys_of(NomicSettings)
            problems.append(f"{name}: no such key in {section}; {nearest(rest, known)}")
        elif rest and (hint := nearest(section, [*shapes, *_FREE, "nomic"])).startswith("did"):
            problems.append(f"{name}: no such table as {section}; {hint}")


def _path(section: str, rest: str, tree: Mapping[str, Any], shapes: Mapping[str, type]) -> tuple[str, ...] | None:
    if section in _FREE:
        return (section, rest) if rest else None
    if section == "nomic":
        return _nomic_path(rest, tree)
    if section not in shapes:
        return None
    for key in keys_of(Person) if section == "contest" else ():
        if rest == f"contestmaster_{key}":
            return (section, "contestmaster", key)
    return (section, rest) if rest in keys_of(shapes[section]) else None


def _nomic_path(rest: str, tree: Mapping[str, Any]) -> tuple[str, ...] | None:
    for key in sorted(keys_of(NomicSettings), key=len, reverse=True):
        name = rest.removesuffix(f"_{key}")
        if name and name != rest and key != "name":
            nomics = tree.get("nomic", {})
            written = {str(n).lower().replace("-", "_"): str(n) for n in nomics} if isinstance(nomics, dict) else {}
            return ("nomic", written.get(name, name), key)
    return None


def _set(tree: dict[str, Any], path: tuple[str, ...], text: Typed) -> None:
    for step in path[:-1]:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):
            return  # what stands there is no table, which the reading of the table reports
        tree = inner
    tree[path[-1]] = text
