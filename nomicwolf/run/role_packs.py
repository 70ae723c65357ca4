"""Packs: roles and setups in one zip, read within limits and written beside a contest, never over what is there."""

from __future__ import annotations

import re
import stat
import zlib
from pathlib import Path
from typing import Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from nomicwolf.run.contest_setup import MOST_ROLES
from nomicwolf.village.role_file import LARGEST, RoleError, decoded

LARGEST_PACK: Final = 1 << 20
"""Bytes of a pack."""
MOST_FILES: Final = 2 * MOST_ROLES
_NAME: Final = re.compile(r"(roles/)?[a-z0-9]+(-[a-z0-9]+)*\.toml")


def read_pack(pack: Path) -> dict[str, str]:
    """Return the texts of the files in *pack*, by their names (``roles/warden.toml``, ``friday.toml``).

    Raises `RoleError` with everything that is wrong: for a pack that is no zip, is too large or names a file that has
    no business there. No more of any file is unpacked than a role may have.
    """
    try:
        if pack.stat().st_size > LARGEST_PACK:
            raise RoleError((f"{pack}: it is larger than {LARGEST_PACK} bytes; a pack is {MOST_FILES} files at most",))
        with ZipFile(pack) as opened:
            return _texts(pack, opened)
    except OSError as error:
        raise RoleError((f"{pack}: {error.strerror or error}",)) from error
    except (BadZipFile, RuntimeError, ValueError, EOFError, zlib.error) as error:
        raise RoleError((f"{pack}: this is no zip that can be read ({error})",)) from error


def _texts(pack: Path, opened: ZipFile) -> dict[str, str]:
    entries = [entry for entry in opened.infolist() if not entry.is_dir()]
    if len(entries) > MOST_FILES:
        raise RoleError((f"{pack}: it has {len(entries)} files; {MOST_FILES} are the most",))
    names = [entry.filename for entry in entries]
    problems = [f"{pack}: {entry.filename!r} {why}" for entry in entries if (why := _unfit(entry, names))]
    found = dict[str, str]()
    for entry in entries if not problems else ():
        with opened.open(entry) as file:
            data = file.read(LARGEST + 1)
        try:
            found[entry.filename] = decoded(data, f"{pack}: {entry.filename}")
        except RoleError as error:
            problems += error.problems
    if problems:
        raise RoleError(tuple(problems))
    return found


def _unfit(entry: ZipInfo, names: list[str]) -> str:
    """Return why an entry can't be unpacked, '' if it can."""
    if not _NAME.fullmatch(entry.filename):
        return "can't be in a pack; name files roles/NAME.toml, or NAME.toml for a setup"
    if names.count(entry.filename) > 1:
        return "is there twice"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a link"
    return "has a password" if entry.flag_bits & 1 else ""


def unpack(texts: dict[str, str], folder: Path) -> list[str]:
    """Write the *texts* of a pack into *folder*; return the names of those that weren't there.

    Raises `RoleError`, and writes nothing, if a file of the name is there that says something else.
    """
    places = {name: folder / name for name in texts}
    there = [name for name, place in places.items() if place.is_symlink() or place.exists()]
    other = [name for name in there if not _same(places[name], texts[name])]
    if other:
        raise RoleError(tuple(f"{places[name]}: there is such a file; move it away, or rename one" for name in other))
    new = [name for name in texts if name not in there]
    for name in new:
        places[name].parent.mkdir(exist_ok=True)
        places[name].write_text(texts[name], encoding="utf-8")
    return new


def _same(place: Path, text: str) -> bool:
    return place.is_file() and place.stat().st_size <= LARGEST and place.read_bytes() == text.encode()
