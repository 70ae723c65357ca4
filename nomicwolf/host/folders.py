"""A contest's files, from the host's database onto whatever machine works on it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from nomicwolf.host.settings import HostSettings
from nomicwolf.ledger.postgres import with_options
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load

OTHERS = "others.txt"
"""The file that names the contests which read the same mailbox, by their ids, in the order of the settings."""


def place_of(host: HostSettings, contest: str, revision: int) -> Path:
    """Return where a contest's files of one revision lie on this machine."""
    return host.worker.folder / contest / str(revision)


def lay_out(host: HostSettings, contest: str, revision: int, files: Mapping[str, bytes]) -> Path:
    """Write a contest's files for this user alone, all or none, and forget those of revisions long gone."""
    place = place_of(host, contest, revision)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = Path(tempfile.mkdtemp(dir=place.parent))
    try:
        for name, data in files.items():
            write(made / name, data)
        made.rename(place)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
        if not place.is_dir():  # else a neighbour was quicker
            raise
    for old in place.parent.iterdir():
        if old.name.isdecimal() and int(old.name) < revision - 1:
            shutil.rmtree(old, ignore_errors=True)
    return place


def places(host: HostSettings) -> dict[str, list[Path]]:
    """Return where files of contests lie on this machine, of all revisions, by contest."""
    if not host.worker.folder.is_dir():
        return {}
    return {folder.name: [place for place in folder.iterdir() if place.name.isdecimal()]
            for folder in host.worker.folder.iterdir() if folder.is_dir()}


def take_away(places: Iterable[Path]) -> None:
    """Take files of contests off this machine."""
    for place in places:
        shutil.rmtree(place, ignore_errors=True)
        with suppress(OSError):  # it holds more
            place.parent.rmdir()


def write(file: Path, data: bytes) -> None:
    """Write a file for this user alone, on the disk for good: where its folder is there, it isn't looked at again."""
    _make_folder(file.parent)
    file.touch(mode=0o600)
    with file.open("wb") as written:
        written.write(data)
        written.flush()
        os.fsync(written.fileno())


def _make_folder(folder: Path) -> None:
    """Make a folder, with those above it, for this user alone."""
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir(exist_ok=True, mode=0o700)


def others_in(place: Path) -> list[str]:
    """Return the contests which read the same mailbox as the one that is laid out there."""
    file = place / OTHERS
    return file.read_text(encoding="utf-8").split() if file.is_file() else []


@lru_cache(maxsize=4096)
def settings_in(host: HostSettings, place: Path, role: str) -> Settings:
    """Return the settings of a contest that was laid out, with the host's ledger, opened as its tenant alone.

    A place's files never change, for each revision has its own; so they are read once.
    """
    found = load(place, {})
    return replace(found, ledger=replace(found.ledger, url=url_as(host.database.url, role)))


def url_as(url: str, role: str) -> str:
    """Return a database's URL for a session that is *role*'s.

    >>> url_as("postgresql+psycopg://host@db/wolves", "nomicwolf_t_ann")
    'postgresql+psycopg://host@db/wolves?options=-c%20role%3Dnomicwolf_t_ann'
    """
    return with_options(url, f"role={role}")
