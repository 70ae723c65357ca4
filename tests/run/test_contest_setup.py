"""Setups of contests, and packs."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from nomicwolf.run.contest_setup import LARGEST_PACK, read_pack, setup_of, unpack
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from nomicwolf.village.role_file import RoleError
from tests.tables import each
from tests.village.test_role_files import JAILKEEPER, NURSE
from tests.village.test_setup_files import FRIDAY

TOML = """
[contest]
id = "w1"
contestmaster = {name = "Murphy", addresses = ["Murphy@Masters.test"]}
[maildir]
path = "mail"
[smtp]
host = "localhost"
from = "wolf@contest.test"
[nomic.agora]
forum = "a@lists.test"
list_id = "<a.lists.test>"
limit = 35
[nomic.b]
forum = "b@lists.test"
instant = "forum"
[switches]
departure = "kill"
"""


@pytest.mark.parametrize(("change", "seconds"), [
    (("", ""), 600),
    (('instant = "forum"', 'instant = "clamped"'), 1800),
    (('departure = "kill"', 'departure = "kill"\nsettling = 3'), 180),
    (('departure = "kill"', 'departure = "kill"\nsettling = 0'), 0),
])
def test_settling(tmp_path: Path, change: tuple[str, str], seconds: int) -> None:
    """D-N9: 10 minutes, 30 where a forum's stamps are clamped, or as set."""
    (tmp_path / "contest.toml").write_text(TOML.replace(*change) if change[0] else TOML)
    assert setup_of(load(tmp_path, {}), b"k" * 32).settling == seconds


def test_a_contest_from_settings(tmp_path: Path) -> None:
    """Forums with their profiles, P where it is confirmed, addresses as they compare, switches without our own."""
    (tmp_path / "contest.toml").write_text(TOML)
    setup = setup_of(load(tmp_path, {}), b"k" * 32)
    assert setup.contestmaster_addresses == ("murphy@masters.test",)
    assert [(f.nomic, f.profile, f.list_id) for f in setup.forums] == [
        ("agora", "agora-2009", "a.lists.test"), ("b", "b-2009", "")]
    assert (setup.limit, setup.switches, setup.address) == ({"agora": 35}, {"departure": "kill"}, "wolf@contest.test")


def with_setup(folder: Path, text: str, ruleset: str = "six-phases") -> Path:
    """A contest whose settings name a setup, and whose folder has a role."""
    (folder / "roles").mkdir(exist_ok=True)
    (folder / "roles" / "nurse.toml").write_text(NURSE)
    (folder / "setup.toml").write_text(text)
    own = f'[contest]\nruleset = "{ruleset}"\nsetup = "setup.toml"'
    (folder / "contest.toml").write_text(TOML.replace("[contest]", own))
    return folder


def test_a_contest_with_a_setup_of_the_program(tmp_path: Path) -> None:
    """By its name; a role of the contest's own that is called the same is left aside."""
    with_setup(tmp_path, FRIDAY)
    (tmp_path / "roles" / "consort.toml").write_text("nonsense")
    settings = tmp_path / "contest.toml"
    settings.write_text(settings.read_text().replace("setup.toml", "two-of-four"))
    found = setup_of(load(tmp_path, {}), b"k" * 32)

    assert found.chosen is not None
    assert found.chosen.roles == ("mafioso", "consort", "cop", "jailkeeper")


def test_a_contest_with_a_setup_of_its_own(tmp_path: Path) -> None:
    """Its roles wait for the start; its switches hold where the settings say nothing else."""
    found = setup_of(load(with_setup(tmp_path, FRIDAY), {}), b"k" * 32)

    assert found.chosen is not None
    assert found.chosen.roles == ("mafioso", "mafioso", "cop", "jailkeeper", "nurse")
    assert found.switches == {
        "deadlines": "24, 48, 24, 48, 72", "mafia_picks": "each", "departure": "kill"}
    assert found.roles == {"nurse": NURSE}


def test_a_setup_that_cant_be_used_is_a_wrong_setting(tmp_path: Path) -> None:
    """Each with what to write: a wrong key in it, another rule set, no file."""
    for written, says in (
        ((FRIDAY.replace("nurse", "nures"),), "setup.toml, line 10: nures: no such role; did you"),
        ((FRIDAY, "tabula"), 'write ruleset = "six-phases"'),
        ((FRIDAY.replace("six-phases", "chess"),), "setup.toml, line 3: ruleset: There is no rule"),
    ):
        with pytest.raises(SettingsError, match=re.escape(says)):
            setup_of(load(with_setup(tmp_path, *written), {}), b"k" * 32)
    (tmp_path / "setup.toml").unlink()
    with pytest.raises(SettingsError, match=r"contest\.setup: setup\.toml"):
        setup_of(load(tmp_path, {}), b"k" * 32)


def test_a_role_that_cant_be_read_stops_nothing_but_its_start(tmp_path: Path) -> None:
    """Too large, or no text: it is there without words, and a poll goes on."""
    (tmp_path / "contest.toml").write_text(TOML)
    (tmp_path / "roles").mkdir()
    (tmp_path / "roles" / "large.toml").write_text("#" * 10_000)
    (tmp_path / "roles" / "bytes.toml").write_bytes(b"\xff")

    assert setup_of(load(tmp_path, {}), b"k" * 32).roles == {"large": "", "bytes": ""}


PACKED = 'title = "Friday"\nruleset = "nomic-crossing"\nplayers = 7\n\n[roles]\nwarden = 1\n'
WARDEN = JAILKEEPER.replace('"jailkeeper"', '"warden"')


def packed(folder: Path, files: dict[str, str | bytes]) -> Path:
    """A pack of *files*."""
    with ZipFile(folder / "pack.zip", "w", ZIP_DEFLATED) as pack:
        for name, data in files.items():
            pack.writestr(name, data)
    return folder / "pack.zip"


def test_a_pack_is_written_beside_a_contest(tmp_path: Path) -> None:
    """Once; what is there already stays, and what says something else stops all of it."""
    pack = packed(tmp_path, {"roles/": "", "roles/warden.toml": WARDEN, "friday.toml": PACKED})
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


def test_a_folder_in_a_pack_is_told_apart(tmp_path: Path) -> None:
    """As it comes of zipping the folder and not what is in it."""
    with pytest.raises(RoleError, match="zip what is in the folder, not the folder"):
        read_pack(packed(tmp_path, {"friday/roles/warden.toml": WARDEN}))


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


def test_a_pack_that_can_be_read_is_called_no_other_thing(tmp_path: Path) -> None:
    """What is wrong is said of the file that is wrong."""
    with pytest.raises(RoleError) as refused:
        read_pack(packed(tmp_path, {"roles/warden.toml": "#" * 9000}))
    assert refused.value.problems == (
        f"{tmp_path / 'pack.zip'}: roles/warden.toml: it is larger than 8192 bytes; a role is a page of text",)
