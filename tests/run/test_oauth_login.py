"""The contest's login: sealed at rest, renewed by polls that nobody watches, and told of when it is withdrawn."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.ledger.encryption import make_key
from nomicwolf.post.oauth import Tokens
from nomicwolf.post.refusals import Away, Denied
from nomicwolf.run.oauth_login import EARLY, Login, token_file
from nomicwolf.run.resources import ensure_founded
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from tests.docs.test_secrets import keyring_with
from tests.run.world import write_reading
from tests.servers.dovecot import Dovecot, running_dovecot
from tests.servers.provider import Provider


def contest(folder: Path, provider: Provider, port: int = 1) -> Path:
    """Write a contest's settings and its ledger's key; return its folder."""
    (folder / "ledger.key").write_text(make_key())
    (folder / "ledger.key").chmod(0o600)
    return write_reading(folder, port, more=f'[ledger]\nkey_file = "ledger.key"\n{provider.settings(device=False)}')


class Clock:
    """Tells the time that it is given."""

    now = 1_800_000_000.0

    def __call__(self) -> float:
        """Return it."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Return a clock."""
    return Clock()


@pytest.fixture
def login(tmp_path: Path, provider: Provider, clock: Clock) -> Login:
    """Return a contest's login, freshly made."""
    found = Login(load(contest(tmp_path, provider), {}), clock)
    new = provider.new()
    found.keep(Tokens(str(new["access_token"]), str(new["refresh_token"])))
    return found


def test_a_token_is_kept_while_it_lasts(login: Login, provider: Provider, clock: Clock) -> None:
    """The provider is asked when it runs out, and not before; each refresh token is used once."""
    first = login()
    assert (login(), provider.asked) == (first, [])
    clock.now += 3600 - EARLY
    second = login()
    assert (second == first, login() == second, len(provider.asked)) == (False, True, 1)
    clock.now += 3600
    assert login() not in (first, second)


def test_a_refused_token_is_renewed_once(login: Login, provider: Provider, clock: Clock) -> None:
    """A server may know more than the clock; but a token that is new is not renewed again and again."""
    first = login()
    clock.now += 600
    second = login(first)
    assert (second == first, login(first) == second, login(second) == second) == (False, True, True)
    assert len(provider.asked) == 1


def test_two_at_once_ask_once(login: Login, provider: Provider, clock: Clock) -> None:
    """A refresh token is good for one use: whoever comes second takes what the first has got."""
    clock.now += 3600
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(login())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), len(set(found)), len(provider.asked)) == (4, 1, 1)


def test_nothing_of_it_lies_in_the_clear(login: Login, tmp_path: Path, provider: Provider) -> None:
    """In no file of the contest's, and the file is its owner's alone; another key opens nothing."""
    path = token_file(load(tmp_path, {}))
    assert path.stat().st_mode & 0o777 == 0o600
    assert not any(b"token-number" in file.read_bytes() for file in tmp_path.iterdir())
    assert "token-number" not in repr(login) + repr(login._read())
    (tmp_path / "ledger.key").write_text(make_key())
    with pytest.raises(Denied, match=r"another key than ledger\.key; give nomicwolf login anew"):
        Login(load(tmp_path, {}))()


def test_a_key_in_a_keyring(login: Login, tmp_path: Path) -> None:
    """Then the login lies beside no key; without that keyring nobody uses it."""
    file, token = tmp_path / "contest.toml", login()
    key = (tmp_path / "ledger.key").read_text().strip()
    (tmp_path / "ledger.key").unlink()
    file.write_text(file.read_text().replace('key_file = "ledger.key"', 'key_keyring = "wolves"'))
    with keyring_with({("wolves", "nomicwolf"): key}):
        assert Login(load(tmp_path, {}), login._clock)() == token
    with keyring_with({}), pytest.raises(SettingsError, match=r"ledger\.key_keyring: .* put the key back"):
        load(tmp_path, {})


def test_another_key_seals_it_too(login: Login, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After `ledger rekey` the old key opens the login no more, and the new one does."""
    token, old = login(), (tmp_path / "ledger.key").read_text()
    ensure_founded(load(tmp_path, {}))
    assert run(["-C", str(tmp_path), "ledger", "rekey"]) == 0, capsys.readouterr().err
    assert Login(load(tmp_path, {}), login._clock)() == token
    (tmp_path / "ledger.key").write_text(old)
    with pytest.raises(Denied, match="another key"):
        Login(load(tmp_path, {}))()


def test_without_a_key_or_a_login(tmp_path: Path, provider: Provider, login: Login) -> None:
    """Nothing is kept unsealed; and each thing that is missing is told with what to do."""
    for old, new, said in (
            ("werewolves", "others", "another oauth.client_id"), ('key_file = "ledger.key"', "", "ledger rekey")):
        text = (tmp_path / "contest.toml").read_text()
        (tmp_path / "contest.toml").write_text(text.replace(old, new))
        with pytest.raises((Denied, SettingsError), match=said):
            Login(load(tmp_path, {}))()
        (tmp_path / "contest.toml").write_text(text)
    for damaged in (b"", b"{}", b"\xff"):
        token_file(load(tmp_path, {})).write_bytes(damaged)
        with pytest.raises(Denied, match="give nomicwolf login anew"):
            login()
    token_file(load(tmp_path, {})).unlink()
    with pytest.raises(Denied, match="nobody has logged in for the contest yet; give nomicwolf login"):
        login()


def test_a_provider_that_is_away(login: Login, provider: Provider, clock: Clock) -> None:
    """The login stays, and the next run goes on with it."""
    provider.answers = [(503, {})]
    clock.now += 3600
    with pytest.raises(Away):
        login()
    assert login() in provider.good


@pytest.fixture
def mailbox(provider: Provider) -> Iterator[Dovecot]:
    """Return a Dovecot that takes the provider's tokens alone."""
    with running_dovecot(provider=provider.url("introspect")) as dovecot:
        yield dovecot


def test_polls_go_on_by_themselves(
    mailbox: Dovecot, provider: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """From `login` over polls that renew it to the day on which it is withdrawn: then one line says what to do."""
    folder = contest(tmp_path, provider, mailbox.imap_port)
    command = ["-C", str(folder)]
    assert run([*command, "poll"]) == 1
    assert "nobody has logged in for the contest yet; give nomicwolf login" in capsys.readouterr().err
    provider.lasting = EARLY  # so each poll has to renew it
    login = Login(load(folder, {}))
    new = provider.new()
    login.keep(Tokens(str(new["access_token"]), str(new["refresh_token"]), provider.lasting))
    for _ in range(3):
        assert run([*command, "poll"]) == 0, capsys.readouterr().err
    assert [form["grant_type"] for form in provider.asked] == ["refresh_token"] * len(provider.asked)
    assert len({form["refresh_token"] for form in provider.asked}) == len(provider.asked) >= 3
    provider.good.clear()
    provider.refresh.clear()
    assert run([*command, "poll"]) == 1
    out, err = capsys.readouterr()
    assert "withdrawn or ran out" in err
    assert "give nomicwolf login" in err
    assert "token-number" not in out + err
    assert not any(b"token-number" in file.read_bytes() for file in folder.iterdir() if file.is_file())


def test_an_issuer_is_enough(provider: Provider, tmp_path: Path, clock: Clock) -> None:
    """Its addresses are asked for when a token is renewed, and by no run that has a good one."""
    issuer = provider.url("").rstrip("/")
    provider.tell("/.well-known/openid-configuration", issuer)
    text = (contest(tmp_path, provider) / "contest.toml").read_text().partition("[oauth]")[0]
    (tmp_path / "contest.toml").write_text(
        f'{text}[oauth]\nclient_id = "werewolves"\nissuer = "{issuer}"\nscope = "imap smtp"\n')
    new = provider.new()
    Login(load(tmp_path, {}), clock).keep(Tokens(str(new["access_token"]), str(new["refresh_token"])))

    assert Login(load(tmp_path, {}), clock)() == new["access_token"]
    assert provider.looked == []
    clock.now += 4000
    assert Login(load(tmp_path, {}), clock)() in provider.good
    assert len(provider.looked) == 2
