"""``login``: what a person does once, so that polls can do without em."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from nomicwolf.cli.app import run
from nomicwolf.run.oauth_login import Login
from nomicwolf.settings.load import load
from tests.run.test_oauth_login import contest
from tests.servers.provider import Provider


def test_by_a_browser(provider: Provider, tmp_path: Path) -> None:
    """The page is printed, the browser comes back, and the login is there; what was printed holds no token."""
    folder = contest(tmp_path, provider)
    command = [sys.executable, "-u", "-m", "nomicwolf", "-C", str(folder), "login"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"COLUMNS": "500"}) as process:
        assert process.stdout is not None
        said = ""
        while not (found := re.search(r"http://\S+authorize\S+", said)):
            said += process.stdout.readline()
        assert "log in there as wolf" in said
        urlopen(provider.log_in_at(found[0])).close()
        said += process.stdout.read()
        assert process.wait(20) == 0
    assert "Logged in" in said
    assert "token-number" not in said
    assert Login(load(folder, {}))() in provider.good


def test_without_settings(provider: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A contest that logs in by a password is told which table it takes."""
    text = (contest(tmp_path, provider) / "contest.toml").read_text()
    (tmp_path / "contest.toml").write_text(text.partition("[oauth]")[0])
    assert run(["-C", str(tmp_path), "login"]) == 1
    assert "oauth: missing; write [oauth]" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["microsoft", "google", "yahoo", "fastmail"])
def test_providers_that_are_known(name: str, provider: Provider, tmp_path: Path) -> None:
    """They need the program's id alone, and are asked by TLS."""
    text = (contest(tmp_path, provider) / "contest.toml").read_text().partition("[oauth]")[0]
    (tmp_path / "contest.toml").write_text(f'{text}[oauth]\nclient_id = "c"\nprovider = "{name}"\n')
    client = Login(load(tmp_path, {})).client
    assert client.scope
    assert all(url.startswith("https://") for url in (client.token_url, client.authorize_url))
    assert bool(client.device_url) == (name == "microsoft")


@pytest.mark.parametrize(("lines", "said"), [
    ("", "oauth.token_url: missing"),
    ('provider = "hotmail"', "oauth.provider: must be one of"),
    ('token_url = "http://provider.example/"', "must be an address that begins with https://"),
    ('provider = "google"\nredirect_url = "https://wolf.example/"', "must lead to this machine"),
])
def test_wrong_settings(
    lines: str, said: str, provider: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is missing or can't be is named before anything."""
    text = (contest(tmp_path, provider) / "contest.toml").read_text().partition("[oauth]")[0]
    (tmp_path / "contest.toml").write_text(f'{text}[oauth]\nclient_id = "c"\n{lines}\n')
    assert run(["-C", str(tmp_path), "login"]) == 1
    assert said in capsys.readouterr().err
