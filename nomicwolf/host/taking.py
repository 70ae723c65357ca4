"""A tenant's folder, taken: copied into one that is this user's alone, and only then looked into.

The tenant may change it meanwhile, and lay links in it: nothing is taken but plain files of limited size that lie in
the folder itself.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NoReturn

from nomicwolf.host.folders import OTHERS, write
from nomicwolf.host.naming import ledger_named, named_files, outside
from nomicwolf.ledger.files import COMPANIONS
from nomicwolf.post.errors import Locked
from nomicwolf.post.lock import only_run
from nomicwolf.post.within import file_in, folder_at, folder_in, folder_of, is_there, states
from nomicwolf.run.resources import last_run, lock_file
from nomicwolf.settings.keys import DKIM_FILE, NAME, Settings, SettingsError
from nomicwolf.settings.load import FILE, load
from nomicwolf.settings.sources import KEY_FILE, key_file, make_key

FILE_BYTES = 262_144
"""What a file of settings, a key or a template may have."""
ALL_BYTES = 4_194_304
"""What all of them together may have."""
LEDGER_BYTES = 1_000_000_000
"""What a ledger's files may have each."""
_PATTERNS = (("", "*.toml"), ("", KEY_FILE), ("", DKIM_FILE), ("templates", "*.txt"))
_BY_ENVIRONMENT = re.compile(r"(\S+), (\S+) or NOMICWOLF_\w+")
_CHUNK = 1 << 20


@dataclass(slots=True)
class Taken:
    """What was taken of a tenant's *folder*, of which *at* is a descriptor: *files* by their names there.

    They lie in a folder of ours, too, which *settings* were read from.
    """

    folder: Path
    at: int
    settings: Settings
    files: dict[str, bytes] = field(default_factory=dict)

    def told(self, error: SettingsError) -> SettingsError:
        """Return an error of our folder as one of the tenant's."""
        return _told(error, self.settings.folder, self.folder)

    @property
    def ledger(self) -> str:
        """Return the name in the folder of the file that holds the contest's ledger, '' if a server has it."""
        path = self.settings.ledger_file
        return path.relative_to(self.settings.folder).as_posix() if path else ""

    @property
    def has_ledger(self) -> bool:
        """Return whether there is a ledger in the folder."""
        return bool(self.ledger) and is_there(self.at, self.ledger)

    def make_key(self) -> None:
        """Make the contest's key, in the tenant's folder and in ours."""
        ours = key_file(self.settings)
        make_key(ours)
        name = ours.relative_to(self.settings.folder).as_posix()
        with folder_of(self.at, name) as (there, last):
            make_key(Path(last), there, ours.read_text(encoding="ascii").strip())

    @contextmanager
    def ledger_copied(self) -> Iterator[int]:
        """Copy the ledger's files into our folder, in the contest's turn; give when its mailbox was last read."""
        lock = lock_file(self.settings)
        name = lock.relative_to(self.settings.folder).as_posix()
        with folder_of(self.at, name) as (there, last), only_run(Path(last), there):
            before = states(there, self._parts())
            for part in before:
                with file_in(there, part, one_name=True) as file:
                    _copy(file, lock.with_name(part), self.folder)
            if states(there, self._parts()) != before:
                raise Locked(f"{self.folder}: the ledger was written while it was copied; give the command again")
            write(lock, read(there, last))
            yield last_run(self.settings)

    def _parts(self) -> list[str]:
        name = Path(self.ledger).name
        return [name, *(name + companion for companion in COMPANIONS)]


@contextmanager
def taken(folder: Path) -> Iterator[Taken]:
    """Take what the polls of the contest in *folder* need: settings, profiles, templates, key and secrets.

    `SettingsError` for what isn't good, and for what only this machine has.
    """
    folder = folder.absolute()
    with _opened(folder) as at, TemporaryDirectory(prefix="nomicwolf-") as made:
        ours = Path(made)
        files = {FILE: read(at, FILE)} if is_there(at, FILE) else {}
        tree = _tree(files)
        if problems := tuple(outside(tree, folder)):
            raise SettingsError(problems)
        files |= _read_all(at, tree)
        for name, data in files.items():
            write(ours / name, data)
        found = Taken(folder, at, _loaded(ours, folder), files)
        if others := [_id_of(folder / path) for path in found.settings.contest.others]:
            files[OTHERS] = "\n".join(others).encode()
        yield found


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    try:
        with folder_at(folder.parent) as above, folder_in(above, folder.name) as at:
            yield at
    except NotADirectoryError as error:
        _refuse(f"{folder}: is a link or a file; name the contest's own folder", error)
    except FileNotFoundError as error:
        _refuse(f"{folder}: not there; name the folder that has contest.toml in it", error)


def _refuse(problem: str, error: Exception) -> NoReturn:
    raise SettingsError((problem,)) from error


def read(at: int, name: str) -> bytes:
    """Return a file's bytes, by its name in the folder *at*; `SettingsError` if it is no plain file, or too large."""
    try:
        with folder_of(at, name) as (there, last), file_in(there, last, one_name=True) as file:
            data = file.read(FILE_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as error:
        _refuse(f"{name}: {error.strerror}; only plain files in the contest's own folder are taken", error)
    if len(data) > FILE_BYTES:
        raise SettingsError((f"{name}: has more than {FILE_BYTES} bytes; make it smaller",))
    return data


def _copy(file: BinaryIO, to: Path, folder: Path) -> None:
    size = 0
    with to.open("xb") as copy:
        while data := file.read(_CHUNK):
            size += len(data)
            if size > LEDGER_BYTES:
                problem = f"{folder / to.name}: has more than {LEDGER_BYTES} bytes, which no host takes"
                raise SettingsError((problem,))
            copy.write(data)


def _tree(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return what the settings say, nothing if they can't be read: then `load` tells why."""
    try:
        return tomllib.loads(files[FILE].decode())
    except (KeyError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return {}


def _read_all(at: int, tree: Mapping[str, Any]) -> dict[str, bytes]:
    names = [name for _, name in named_files(tree) if name]
    for folder, pattern in _PATTERNS:
        names += [f"{folder}/{name}".strip("/") for name in _listed(at, folder) if fnmatch(name, pattern)]
    names.append((Path(ledger_named(tree)).parent / KEY_FILE).as_posix())
    found: dict[str, bytes] = {}
    for name in sorted({*names} - {FILE, OTHERS}):
        if not name.isprintable():
            raise SettingsError((f"{name!r}: is no name for a file of a contest's; call it otherwise",))
        with suppress(FileNotFoundError):
            found[name] = read(at, name)
        if sum(map(len, found.values())) > ALL_BYTES:
            raise SettingsError((f"{name}: with this the contest's files have more than {ALL_BYTES} bytes",))
    return found


def _listed(at: int, folder: str) -> list[str]:
    if folder and not is_there(at, folder):
        return []
    try:
        with folder_of(at, f"{folder}/." if folder else ".") as (there, _), os.scandir(there) as entries:
            return [entry.name for entry in entries if not entry.name.startswith(".")]
    except OSError as error:
        _refuse(f"{folder}: {error.strerror}; only a folder in the contest's own is taken", error)


def _loaded(ours: Path, folder: Path) -> Settings:
    """Return the settings in our folder, without anything of this machine's environment: workers won't have that."""
    try:
        return load(ours, {})
    except SettingsError as error:
        raise _told(error, ours, folder) from error


def _told(error: SettingsError, ours: Path, folder: Path) -> SettingsError:
    """Return an error of our folder as one of the tenant's, which names no variable of this machine's environment."""
    told = r"\1 or \2 in the folder: the workers have nothing of this environment"
    return SettingsError(tuple(
        _BY_ENVIRONMENT.sub(told, problem).replace(str(ours), str(folder)) for problem in error.problems))


def _id_of(folder: Path) -> str:
    """Return the id of the contest in another folder, which its settings say."""
    where = f"contest.others: {folder}"
    try:
        with _opened(folder) as at:
            found = tomllib.loads(read(at, FILE).decode())["contest"]["id"]
    except (OSError, SettingsError, LookupError, TypeError, ValueError, RecursionError) as error:
        _refuse(f"{where}: has no settings that say the contest's id", error)
    if not isinstance(found, str) or not NAME["form"].fullmatch(found):
        raise SettingsError((f"{where}: its contest.id {NAME['else']}",))
    return found
