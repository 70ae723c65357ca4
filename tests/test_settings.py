"""Settings: what commands.md promises of `contest.toml` and the environment."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.load import key_file, load, make_key, secret_of
from tests.docs.test_secrets import keyring_with

GOOD = """
[contest]
id = "s3"
name = "Werewolves, third session"
contestmaster = {name = "Murphy", addresses = ["murphy@example.org"]}

[imap]
host = "mail.example.org"
user = "wolf"
password = "sesame"

[smtp]
host = "mail.example.org"
from = "wolf@example.org"

[nomic.agora]
forum = "agora-business@agora.test"
discussion = "agora-discussion@agora.test"
list_id = "<agora-business.agora.test>"
received_by = "lists.agora.test"

[nomic.b]
forum = "b-business@b.test"
profile = "b-2009"

[switches]
departure = "kill"
reveal_after = true
dawn = ["08:00", "20:00"]
deadlines = {discussion = 72, night = 24}
"""


def contest(folder: Path, text: str = GOOD, **environ: str) -> Settings:
    """Return the settings of a folder with this `contest.toml`."""
    (folder / "contest.toml").write_text(text)
    return load(folder, environ)


def problems(folder: Path, text: str, **environ: str) -> tuple[str, ...]:
    """Return what is said to be wrong with this `contest.toml`."""
    with pytest.raises(SettingsError) as caught:
        contest(folder, text, **environ)
    return caught.value.problems


def test_all_keys_become_one_value(tmp_path: Path) -> None:
    """What is written is found again, and the rest has its default."""
    found = contest(tmp_path)
    assert found.contest.contestmaster.addresses == ("murphy@example.org",)
    assert found.imap is not None
    assert (found.imap.real_port, found.imap.mailbox, found.imap.security) == (993, "INBOX", "tls")
    assert [n.name for n in found.nomics] == ["agora", "b"]
    assert found.nomics[0].received_by == "lists.agora.test"
    assert found.ledger_file == tmp_path / "contest.db"
    assert found.address == "wolf@example.org"
    assert (found.maildir, found.mbox) == (None, None)


def test_switches_are_texts(tmp_path: Path) -> None:
    """Truth, lists and tables of `switches` become the words in which the rule set knows them."""
    assert dict(contest(tmp_path).switches) == {
        "departure": "kill", "reveal_after": "on", "dawn": "08:00, 20:00",
        "deadlines.discussion": "72", "deadlines.night": "24",
    }


def test_environment_comes_first(tmp_path: Path) -> None:
    """Every key can be set by the environment, which wins over the file."""
    found = contest(
        tmp_path,
        NOMICWOLF_IMAP_PASSWORD="other",
        NOMICWOLF_SMTP_FROM="fox@example.org",
        NOMICWOLF_SMTP_PORT="2525",
        NOMICWOLF_NOMIC_AGORA_LIST_ID="x.agora.test",
        NOMICWOLF_CONTEST_CONTESTMASTER_ADDRESSES="m@example.org, n@example.org",
        NOMICWOLF_SWITCHES_DEPARTURE="stay",
        NOMICWOLF_EXAMPLES="3",
        NOMICWOLF_NOMIC_B_LIMIT="50",
        NOMICWOLF_CONTEST_DAILY_COUNT="off",
        HOME="/",
    )
    assert found.imap is not None
    assert found.imap.password == "other"
    assert (found.smtp.sender, found.smtp.real_port) == ("fox@example.org", 2525)
    assert found.nomics[0].list_id == "x.agora.test"
    assert found.contest.contestmaster.addresses == ("m@example.org", "n@example.org")
    assert found.switches["departure"] == "stay"
    assert [nomic.limit for nomic in found.nomics] == [None, 50]
    assert not found.contest.daily_count


def test_environment_alone_can_make_a_table(tmp_path: Path) -> None:
    """A table that the file lacks may come whole from the environment."""
    text = GOOD.replace("[smtp]", "").replace('from = "wolf@example.org"', "").replace(
        'host = "mail.example.org"\n\n\n', "")
    found = contest(tmp_path, text, NOMICWOLF_SMTP_HOST="h.example", NOMICWOLF_SMTP_FROM="w@h.example")
    assert found.smtp.host == "h.example"


def test_every_wrong_key_is_named_at_once(tmp_path: Path) -> None:
    """Unknown keys with the nearest known one, wrong types, missing keys, bad addresses: all in one go."""
    text = (
        GOOD.replace('name = "Were', "name = 3 # ")
        .replace('host = "mail.example.org"\nuser', 'hosst = "mail.example.org"\nport = "many"\nuser')
        .replace('id = "s3"', 'id = "s 3"')
        .replace("[switches]", "[swiches]")
        .replace('forum = "b-business@b.test"', 'forum = "the B forum"')
    )
    said = problems(tmp_path, text, NOMICWOLF_SMTP_HOTS="x", NOMICWOLF_IMPA_PASSWORD="y")
    for fragment in (
        "imap.hosst: unknown key; did you mean host?",
        "imap.host: missing",
        "imap.port: must be a whole number",
        "contest.id: 's 3' must be letters",
        "contest.name: must be a text",
        "swiches: unknown table; did you mean switches?",
        "nomic.b.forum: 'the B forum' is no address",
        "NOMICWOLF_SMTP_HOTS: no such key in smtp; did you mean host?",
        "NOMICWOLF_IMPA_PASSWORD: no such table as impa; did you mean imap?",
    ):
        assert any(line.startswith(fragment) for line in said), (fragment, said)
    assert len(said) == 9


@pytest.mark.parametrize(("old", "new", "start"), [
    ('user = "wolf"', 'user = "wolf"\nsecurity = "none"', "imap.security: none is for loopback only"),
    ('user = "wolf"', 'user = "wolf"\nsecurity = "ssl"', "imap.security: must be one of tls, starttls, none"),
    *((f'[{table}]\nhost = "mail.example.org"', f'[{table}]\nhost = "{wrong}"', f"{table}.host: {wrong!r} is no host's")
      for table in ("imap", "smtp")
      for wrong in ("mail..example.org", "mail example.org", "l" * 64 + ".example", ".example.org")),
    ('password = "sesame"', "", "imap.password: missing"),
    ('password = "sesame"', "password = 7", "imap.password: must be a text"),
    ('password = "sesame"', 'password_file = "nowhere"', "imap.password_file: "),
    ('password = "sesame"', 'password = "a"\npassword_file = "b"', "imap.password: given 2 times"),
    ("[imap]", '[maildir]\npath = "m"\n[imap]', "imap, maildir: more than one source"),
    ('forum = "b-business@b.test"', 'forum = "Wolf@example.org"', "nomic.b.forum: Wolf@example.org is also"),
    ('forum = "b-business@b.test"', 'forum = "agora-business@agora.test"', "nomic: agora-business@"),
    ("[switches]", '[ledger]\nurl = "contest.db"\n[switches]', "ledger.url: 'contest.db' must be like sqlite:///contest.db"),
    *(("[switches]", f'[ledger]\nurl = "{wrong}"\n[switches]', f"ledger.url: '{told}' must be like sqlite:///contest.db")
      for wrong, told in (
          ("postgres://wolf:hush@db/x", "postgres://wolf@db/x"),
          ("postgresql://wolf:hu/sh@db/x", "postgresql://wolf@db/x"),
          ("postgresql://wolf:hu@sh@db/x", "postgresql://wolf@db/x"),
          ("postgres:wolf:hush@db/x", "postgres@db/x"),
          ("wolf:hush@db/x", "wolf@db/x"),
          ("postgresql://db:five/x?PASSWORD=hush", "postgresql://db:five/x?PASSWORD="),
          ("postgresql://wolf@db:five/x?password=hush", "postgresql://wolf@db:five/x?password="))),
    ('forum = "b-business@b.test"', 'forum = "mailto:b@b.test"', "nomic.b.forum: 'mailto:b@b.test' is no"),
    ("[switches]", "[limits]\nletter_bytes = 0\n[switches]", "limits.letter_bytes: must be at least 1"),
    ("[switches]", "[stages]\nextend_hours = 0\n[switches]",
     "stages.extend_hours: must be at least 1; stages.extend_if_missing = 0 extends nothing"),
    ("[switches]", "[archive]\ntimeout = 0\n[switches]", "archive.timeout: must be at least 1"),
    ("[switches]", "[identity]\ntoken_hours = 0\n[switches]", "identity.token_hours: must be at least 1"),
    ('user = "wolf"', 'user = "wolf"\nport = 65536', "imap.port: must be 0 to 65535"),
    ("[switches]", '[webhook.chat]\nurl = "https://chat.example/x"\ntimeout = 61\n[switches]',
     "webhook.chat.timeout: must be 1 to 60"),
    ("[switches]", '[assurance]\nvote = "high"\n[switches]', "assurance.vote: must be one of"),
    ("[contest]", "contest = 3\n[other]", "contest: must be a table"),
    ("[contest]", "[contest]\nprefixes = 1", "contest.prefixes: must be true or false"),
    ("[nomic.b]", '[nomic.b]\nlimit = "many"', "nomic.b.limit: must be a whole number"),
    ("[switches]", '[switches]\nsettling = "soon"', "switches.settling: must be whole minutes"),
])
def test_one_wrong_key(tmp_path: Path, old: str, new: str, start: str) -> None:
    """Each kind of wrong key is told by name."""
    assert any(line.startswith(start) for line in problems(tmp_path, GOOD.replace(old, new, 1)))


def test_no_limit_is_nought(tmp_path: Path) -> None:
    """Whatever is counted by the day or in seconds can be left without a limit, as the settings' page says."""
    names = ("letter_seconds", "run_seconds", "letters_per_day", "deeds_per_day", "answers_per_day")
    text = GOOD.replace("[switches]", "\n".join(("[limits]", *(f"{name} = 0" for name in names), "[switches]")))
    assert {getattr(contest(tmp_path, text).limits, name) for name in names} == {0}


def test_no_file_and_no_toml(tmp_path: Path) -> None:
    """A folder without `contest.toml` and one with a broken one say what to do, with the place."""
    with pytest.raises(SettingsError, match="nomicwolf init"):
        load(tmp_path, {})
    assert "line 1" in problems(tmp_path, "[contest\n")[0]


def test_secrets_from_files(tmp_path: Path) -> None:
    """`password_file` is read from the contest's folder, without its line end."""
    (tmp_path / "pw").write_text("open\n")
    found = contest(tmp_path, GOOD.replace('password = "sesame"', 'password_file = "pw"'))
    assert found.imap is not None
    assert found.imap.password == "open"


def test_a_secret_of_the_environment_comes_first(tmp_path: Path) -> None:
    """Whichever way the environment gives a secret, the way in the file is left, and its file needn't be there."""
    by_file = GOOD.replace('password = "sesame"', 'password_file = "gone"')
    (tmp_path / "pw").write_text("open\n")
    exported = contest(tmp_path, by_file, NOMICWOLF_IMAP_PASSWORD="other")
    named = contest(tmp_path, GOOD, NOMICWOLF_IMAP_PASSWORD_FILE="pw")
    assert [found.imap and found.imap.password for found in (exported, named)] == ["other", "open"]
    said = problems(tmp_path, GOOD, NOMICWOLF_IMAP_PASSWORD="other", NOMICWOLF_IMAP_PASSWORD_FILE="pw")
    assert said == ("imap.password: given 2 times (password, password_file); keep one",)


def test_secrets_from_the_keyring(tmp_path: Path) -> None:
    """`password_keyring` asks the keyring for the user's password under that service."""
    with keyring_with({("wolf-mail", "wolf"): "ring"}):
        found = contest(tmp_path, GOOD.replace('password = "sesame"', 'password_keyring = "wolf-mail"'))
        assert found.imap is not None
        assert found.imap.password == "ring"
        said = problems(tmp_path, GOOD.replace('password = "sesame"', 'password_keyring = "cat-mail"'))
        assert any("no password of 'wolf' for 'cat-mail'" in line for line in said)


def test_passwords_are_not_shown(tmp_path: Path) -> None:
    """A value that is printed, as in a traceback, shows no secret."""
    found = contest(tmp_path, GOOD.replace('id = "s3"', 'id = "s3"\nsecret = "hidden-key"'))
    assert "sesame" not in repr(found)
    assert "hidden-key" not in repr(found)


def test_the_key_is_made_once_for_its_owner(tmp_path: Path) -> None:
    """The key file has mode 0600, is never written over, and its loss is told."""
    found = contest(tmp_path)
    with pytest.raises(SettingsError, match="backup"):
        secret_of(found)
    made = make_key(key_file(found))
    assert stat.S_IMODE(key_file(found).stat().st_mode) == 0o600
    assert secret_of(found) == made
    assert len(bytes.fromhex(made)) == 32
    with pytest.raises(FileExistsError):
        make_key(key_file(found))


def test_reading_settings_is_light() -> None:
    """The idle path stays light: nothing of pydantic, lark, sqlmodel or keyring comes in with the settings."""
    code = "import sys, nomicwolf.settings; print([m for m in sys.modules if m.split('.')[0] in sys.argv])"
    heavy = ["pydantic", "lark", "sqlmodel", "sqlalchemy", "keyring", "asyncio"]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_passwords_are_asked_for_only_where_there_is_mail(tmp_path: Path) -> None:
    """Looking at the ledger needs no password."""
    text = GOOD.replace('password = "sesame"', "")

    assert problems(tmp_path, text) == (
        ("imap.password: missing; set imap.password, imap.password_file or NOMICWOLF_IMAP_PASSWORD, or write [oauth] "
         "(docs/mailboxes.md)"),)
    assert load(tmp_path, {}, mail=False).contest.id == "s3"
