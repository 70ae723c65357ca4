"""Packs of roles and setups: what is taken, and what no pack can do."""

from __future__ import annotations

import stat
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from nomicwolf.run.role_packs import LARGEST_PACK, read_pack, unpack
from nomicwolf.village.role_file import RoleError
from tests.tables import each
from tests.village.test_role_files import JAILKEEPER

FRIDAY = 'title = "Friday"\nruleset = "nomic-crossing"\nplayers = 7\n\n[roles]\nwarden = 1\n'
WARDEN = JAILKEEPER.replace('"jailkeeper"', '"warden"')


def packed(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A pack of *files*."""
    with ZipFile(folder / "pack.zip", "w", ZIP_DEFLATED) as pack:
        for name, data in files.items():
            pack.writestr(name, data)
    return folder / "pack.zip"


def test_a_pack_is_written_beside_a_contest(tmp_path: Path) -> None:
    """Once; what is there already stays, and what says something else stops all of it."""
    pack = packed(tmp_path, {"roles/": "", "roles/warden.toml": WARDEN, "friday.toml": FRIDAY})
    texts = read_pack(pack)
    assert unpack(texts, tmp_path) == ["roles/warden.toml", "friday.toml"]
    assert (tmp_path / "roles" / "warden.toml").read_text() == WARDEN
    assert unpack(texts, tmp_path) == []

    (tmp_path / "friday.toml").write_text("my own")
    (tmp_path / "roles" / "warden.toml").unlink()
    with pytest.raises(RoleError, match=r"friday\.toml: there is such a file"):
        unpack(texts, tmp_path)
    assert not (tmp_path / "roles" / "warden.toml").exists()


@each("name", ["../warden.toml", "/etc/warden.toml", "roles/../../x.toml", "roles/warden.py", "contest.toml.exe",
               "W.toml", "a/b.toml", "roles/sub/x.toml", "roles\\x.toml", "caf\u00e9.toml", "roles/x.toml\n"])
def test_no_file_goes_elsewhere(name: str, tmp_path: Path) -> None:
    """Nor is anything but such a file taken."""
    with pytest.raises(RoleError, match="can't be in a pack"):
        read_pack(packed(tmp_path, {name: WARDEN}))


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A gigabyte of blanks in a megabyte: no more than a role may have is ever read."""
    with ZipFile(tmp_path / "pack.zip", "w", ZIP_DEFLATED) as pack, pack.open("roles/warden.toml", "w") as file:
        for _ in range(512):
            file.write(b" " * (1 << 20))
    assert (tmp_path / "pack.zip").stat().st_size < LARGEST_PACK
    with pytest.raises(RoleError, match="larger than 8192 bytes"):
        read_pack(tmp_path / "pack.zip")


def test_what_is_no_pack_is_refused(tmp_path: Path) -> None:
    """Too large, too many, twice, a link, not UTF-8, or no zip at all."""
    big = tmp_path / "big.zip"
    big.write_bytes(bytes(LARGEST_PACK + 1))
    for pack, says in ((big, "larger than"), (tmp_path / "none.zip", "No such file"), (Path(__file__), "no zip")):
        with pytest.raises(RoleError, match=says):
            read_pack(pack)
    many = packed(tmp_path, {f"r{n}.toml": "" for n in range(201)})
    with pytest.raises(RoleError, match="201 files; 200 are the most"):
        read_pack(many)
    with pytest.raises(RoleError, match="UTF-8"):
        read_pack(packed(tmp_path, {"roles/x.toml": b"\xff"}))
    link = ZipInfo("roles/x.toml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with ZipFile(tmp_path / "link.zip", "w") as pack_file:
        pack_file.writestr(link, "/etc/passwd")
    with pytest.raises(RoleError, match="is a link"):
        read_pack(tmp_path / "link.zip")
    with ZipFile(tmp_path / "twice.zip", "w") as pack_file:
        pack_file.writestr("x.toml", "")
        with pytest.warns(UserWarning, match="Duplicate name"):
            pack_file.writestr("x.toml", "")
    with pytest.raises(RoleError, match="is there twice"):
        read_pack(tmp_path / "twice.zip")


def test_a_file_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    """A cut zip is told of, and is no defect."""
    pack = packed(tmp_path, {"roles/warden.toml": WARDEN})
    whole = pack.read_bytes()
    for cut in (10, 60, len(whole) // 2, len(whole) - 5):
        pack.write_bytes(whole[:cut])
        with pytest.raises(RoleError, match="no zip"):
            read_pack(pack)
