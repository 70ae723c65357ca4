"""Admission of contests from tenants' folders.

A tenant's folder is copied into one that is this user's alone, and only then looked into. The ledger is copied and
proved equal, the files are sealed, and the tenant's role is made.

The tenant may change their folder meanwhile, and lay links in it: only plain files of limited size that lie in the
folder itself are taken.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NoReturn

from nomicwolf.host import registry
from nomicwolf.host.registry import OTHERS, write
from nomicwolf.host.schema import demand_fit, make_tenant
from nomicwolf.host.settings import HostSettings, demand_granted
from nomicwolf.ledger.database import COMPANIONS, demand_tables
from nomicwolf.ledger.errors import Conflict
from nomicwolf.ledger.idle_check import glance
from nomicwolf.ledger.store import Copied, Store, copy_contest
from nomicwolf.ledger.tables import contest_tables
from nomicwolf.post.refusals import Locked
from nomicwolf.post.source import file_in, folder_at, folder_in, folder_of, is_there, states
from nomicwolf.run.resources import last_run, lock_file, only_run, turn
from nomicwolf.settings.keys import DKIM_FILE, NAME, LedgerSettings, Settings, SettingsError
from nomicwolf.settings.load import FILE, KEY_FILE, key_file, load, make_key, secret_of

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
class TakenFolder:
    """A copy of a tenant's *folder*, of which *at* is a descriptor: *files* by their names there.

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
def take_folder(folder: Path) -> Iterator[TakenFolder]:
    """Take what the polls of the contest in *folder* need: settings, profiles, templates, key and secrets.

    `SettingsError` for what isn't good, and for what only this machine has.
    """
    folder = folder.absolute()
    with _opened(folder) as at, TemporaryDirectory(prefix="nomicwolf-") as made:
        ours = Path(made)
        files = {FILE: read(at, FILE)} if is_there(at, FILE) else {}
        tree = _tree(files)
        if problems := tuple(outside(tree, folder)):
            raise SettingsError(*problems)
        files |= _read_all(at, tree)
        for name, data in files.items():
            write(ours / name, data)
        found = TakenFolder(folder, at, _loaded(ours, folder), files)
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
    raise SettingsError(problem) from error


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
        raise SettingsError(f"{name}: has more than {FILE_BYTES} bytes; make it smaller")
    return data


def _copy(file: BinaryIO, to: Path, folder: Path) -> None:
    size = 0
    with to.open("xb") as copy:
        while data := file.read(_CHUNK):
            size += len(data)
            if size > LEDGER_BYTES:
                raise SettingsError(f"{folder / to.name}: has more than {LEDGER_BYTES} bytes, which no host takes")
            copy.write(data)


def _tree(files: Mapping[str, bytes]) -> dict[str, Any]:
    """Return the settings as a tree, nothing if they can't be read; `load` then reports why."""
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
            raise SettingsError(f"{name!r}: is no name for a file of a contest's; call it otherwise")
        with suppress(FileNotFoundError):
            found[name] = read(at, name)
        if sum(map(len, found.values())) > ALL_BYTES:
            raise SettingsError(f"{name}: with this the contest's files have more than {ALL_BYTES} bytes")
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
    return SettingsError(*(
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
        raise SettingsError(f"{where}: its contest.id {NAME['else']}")
    return found


_TENANT = re.compile(r"[a-z][a-z0-9_]{0,40}")


def admit(host: HostSettings, folder: Path, tenant: str) -> tuple[str, Copied | None]:
    """Take the contest in *folder* for *tenant*, and return its id, and what was copied of a ledger that it had.

    A contest that is there already gets its new settings alone. `Conflict` if it is another tenant's, or both sides
    have a ledger of it and the host never took it; `SettingsError` for what only this machine has.
    """
    if not _TENANT.fullmatch(tenant):
        raise SettingsError(
            f"--tenant {tenant}: must be a-z, 0-9 and _, begin with a letter, and have 41 characters at most")
    with take_folder(folder) as found:
        demand_granted(host, tenant, found.settings)
        contest = found.settings.contest.id
        with registry.opened(host) as connection:
            demand_fit(connection)
            before = registry.hosted(connection, contest)
            role = make_tenant(connection, tenant, host.database.worker)
            if before and before[0].tenant == role and KEY_FILE not in found.files:
                found.files |= registry.files_of(connection, host, contest, KEY_FILE)
            if KEY_FILE not in found.files:
                found.files[KEY_FILE] = _key(found).encode()
            registry.enter(connection, host, contest, role, found.files)
            return contest, None if before else _bring(host, found)


def _key(found: TakenFolder) -> str:
    """Return the contest's key, made if the contest is new."""
    settings = found.settings
    if not found.has_ledger and not settings.contest.secret and not key_file(settings).exists():
        found.make_key()
    try:
        return secret_of(settings)
    except SettingsError as error:
        raise found.told(error) from error


def _bring(host: HostSettings, found: TakenFolder) -> Copied | None:
    """Copy the contest's ledger to the host's database, or make one there."""
    url, settings = host.database.url, found.settings
    contest = settings.contest.id
    if not found.has_ledger:
        if glance(url, contest, 1) is None:
            Store.create(url, contest, keys=settings.ledger.key).close()
        return None
    if glance(url, contest, 1) is not None:
        raise Conflict(f"{contest} has a ledger in the host's database, and {found.folder / found.ledger} is there; "
                       "move one of them away (if the host had the contest before, the host's is the newer one: rename "
                       "the file)")
    with found.ledger_copied() as since:
        assert settings.ledger_file is not None
        demand_tables(settings.ledger_file, (table.name for table in contest_tables()))
        copied = copy_contest(settings.ledger.url, url, contest, settings.ledger.key)
        _since(host, settings, since)
    return copied


def _since(host: HostSettings, settings: Settings, since: int) -> None:
    """Take along when the mailbox was last read."""
    with turn(replace(settings, ledger=replace(settings.ledger, url=host.database.url))) as there:
        there.note(since)


def dismiss(host: HostSettings, contest: str) -> list[str]:
    """Take a contest from the host; its ledger stays, and so does its tenant.

    Return the contests that name it among those which read their mailbox: they can't be polled until they don't.
    """
    with registry.opened(host) as connection:
        naming = registry.naming(connection, host, registry.one(connection, contest))
        registry.leave(connection, contest)
        return naming
