"""Each way of giving a secret that the handbook's table shows is tried as it stands there."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from tests.docs.pages import table

TOML = """
[contest]
id = "w1"
contestmaster = {{ name = "Murphy", addresses = ["murphy@example.org"] }}
[imap]
host = "imap.example.org"
user = "wolf"
{}
[smtp]
host = "127.0.0.1"
security = "none"
from = "wolf@example.org"
[nomic.agora]
forum = "agora@lists.example"
"""
ROWS = {row[0]: row[1:] for row in table("docs/settings.md", "## Secrets")}


def given(folder: Path, way: str) -> None:
    """Write settings with what the table has for that *way*."""
    line = ROWS[way][0].strip("`") if ROWS[way][0] != "nothing" else ""
    (folder / "contest.toml").write_text(TOML.format(line.replace("/run/secrets", str(folder / "secrets"))))


def taken(folder: Path, environ: dict[str, str]) -> tuple[str, str]:
    """Return the password, and where the program says that it was."""
    found = load(folder, environ)
    assert found.imap is not None
    return found.imap.password, found.secrets["imap.password"]


def test_a_file(tmp_path: Path) -> None:
    """From the contest's folder."""
    given(tmp_path, "a file")
    (tmp_path / "imap.password").write_text("sesame\n")
    assert taken(tmp_path, {}) == ("sesame", "the file imap.password")


def test_the_environment(tmp_path: Path) -> None:
    """The secret itself, or the name of a file."""
    given(tmp_path, "the environment")
    (tmp_path / "pw").write_text("sesame\n")
    assert "NOMICWOLF_IMAP_PASSWORD" in ROWS["the environment"][1]
    assert taken(tmp_path, {"NOMICWOLF_IMAP_PASSWORD": "sesame"}) == (
        "sesame", "the environment (NOMICWOLF_IMAP_PASSWORD)")
    assert taken(tmp_path, {"NOMICWOLF_IMAP_PASSWORD_FILE": "pw"}) == ("sesame", "the file pw")


@contextmanager
def keyring_with(passwords: Mapping[tuple[str, str], str]) -> Iterator[None]:
    """Have a keyring that knows *passwords* by service and user while the block lasts."""
    import keyring
    from keyring.backend import KeyringBackend

    class Memory(KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return passwords.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            raise AssertionError

    before = keyring.get_keyring()
    keyring.set_keyring(Memory())  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        keyring.set_keyring(before)


def test_a_keyring(tmp_path: Path) -> None:
    """Under the service that the settings name, and the table's user."""
    given(tmp_path, "a keyring")
    with keyring_with({("nomicwolf", "wolf"): "sesame"}):
        assert taken(tmp_path, {}) == ("sesame", "the keyring nomicwolf")


def test_systemd(tmp_path: Path) -> None:
    """As systemd lays a service's credentials out: files in a folder that the environment names."""
    given(tmp_path, "systemd")
    (tmp_path / "credentials").mkdir()
    (tmp_path / "credentials" / "imap.password").write_text("sesame\n")
    assert "LoadCredential=imap.password:" in ROWS["systemd"][1]
    assert taken(tmp_path, {"CREDENTIALS_DIRECTORY": str(tmp_path / "credentials")}) == (
        "sesame", "the systemd credential imap.password")


@pytest.mark.parametrize(("environ", "said"), [
    ({}, "imap.password_credential: systemd gives this process no credentials; write LoadCredential=imap.password:/"),
    ({"CREDENTIALS_DIRECTORY": "/nowhere"}, "imap.password_credential: /nowhere/imap.password: No such file"),
])
def test_a_credential_that_is_not_there(tmp_path: Path, environ: dict[str, str], said: str) -> None:
    """It is said what to write into the service."""
    given(tmp_path, "systemd")
    with pytest.raises(SettingsError) as raised:
        load(tmp_path, environ)
    assert raised.value.problems[0].startswith(said)


def test_a_credential_is_a_name(tmp_path: Path) -> None:
    """No path leads out of the folder of credentials."""
    (tmp_path / "contest.toml").write_text(TOML.format('password_credential = "../contest.toml"'))
    with pytest.raises(SettingsError, match="is no credential's name"):
        load(tmp_path, {"CREDENTIALS_DIRECTORY": str(tmp_path / "x")})


def test_a_container(tmp_path: Path) -> None:
    """Where Docker and Podman mount secrets."""
    given(tmp_path, "a container")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "imap_password").write_text("sesame")
    assert taken(tmp_path, {})[0] == "sesame"


def test_check_says_which_way_it_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:
    """Each secret's place, and never the secret."""
    given(tmp_path, "a file")
    (tmp_path / "imap.password").write_text("sesame\n")
    monkeypatch.setenv("NOMICWOLF_IMAP_HOST", "127.0.0.1")
    monkeypatch.setenv("NOMICWOLF_IMAP_PORT", "9")
    monkeypatch.setenv("NOMICWOLF_SMTP_PORT", "9")
    run(["-C", str(tmp_path), "check"])
    out, err = capsys.readouterr()
    assert "secrets: imap.password from the file imap.password\n" in out
    assert "sesame" not in out + err
