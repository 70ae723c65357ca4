"""``init``: a contest's folder, from at most ten questions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from nomicwolf.cli.base import WRONG_USE, fail, fail_of, say
from nomicwolf.cli.questions import answers, forums_in, host_and_port, hosts_in
from nomicwolf.cli.rekeying import FILE as KEY
from nomicwolf.cli.units import command_of, write_units
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.files import write_private
from nomicwolf.ledger.sealing import make_key
from nomicwolf.post.pacing import Provider, provider_of
from nomicwolf.run.resources import ensure_founded
from nomicwolf.settings import SettingsError
from nomicwolf.settings.keys import is_loopback
from nomicwolf.settings.load import load

ENOUGH = """\
Next:
  1. {login}
  2. {check}
  3. Copy the line of {folder}/crontab into your crontab (crontab -e), or
     the two files of {folder}/systemd to /etc/systemd/system.
"""
BY_WORD = """\
Write the password into {folder}/mail.password, a file that only
     you can read (chmod 600), and take the # from password_file in
     {folder}/contest.toml; or export NOMICWOLF_IMAP_PASSWORD and
     NOMICWOLF_SMTP_PASSWORD."""
BY_OAUTH = """\
{provider} takes no password from a program. Register one there
     (docs/mailboxes.md), write its client id into
     {folder}/contest.toml, take the # from the lines of [oauth], and
     log in as the contest's mailbox: {command}"""
LATER = "    # your own mail servers; `check` names them once a letter has come through a forum"


def found(folder: Path, given: Mapping[str, str], *, ask: bool) -> None:
    """Write the folder of a contest; settings, keys and ledgers that are there are not written over."""
    if (folder / "contest.toml").exists():
        fail(f"{folder / 'contest.toml'}: is there already; edit it, or name another folder", WRONG_USE)
    answered = answers(given, ask=ask)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "contest.toml").write_text(_toml(folder, answered), encoding="utf-8")
        (folder / "contest.toml").chmod(0o600)
        if not (folder / KEY).exists():
            write_private(folder / KEY, make_key())
        ensure_founded(load(folder, os.environ, mail=False))
    except (SettingsError, LedgerError, OSError) as error:
        (folder / "contest.toml").unlink(missing_ok=True)
        fail_of(error)
    write_units(folder.absolute(), _id(folder))
    say(f"The contest's folder is {folder}: contest.toml, contest.db, contest.key, ledger.key, crontab, systemd/.")
    say(ENOUGH.format(folder=folder, login=_first_step(folder, answered), check=command_of("-C", str(folder), "check")))


def _provider(answered: Mapping[str, str]) -> Provider | None:
    """Return the provider that takes no password, None if neither server is of one."""
    found = (provider_of(host_and_port(answered[key])[0]) for key in ("imap", "smtp"))
    return next((each for each in found if each is not None and each.oauth), None)


def _first_step(folder: Path, answered: Mapping[str, str]) -> str:
    if provider := _provider(answered):
        return BY_OAUTH.format(provider=provider.name, folder=folder, command=command_of("-C", str(folder), "login"))
    return BY_WORD.format(folder=folder)


def _toml(folder: Path, answers: Mapping[str, str]) -> str:
    text = {key: json.dumps(value, ensure_ascii=False) for key, value in answers.items()}
    hosts = hosts_in(answers["mail_hosts"], forums_in(answers["forum"]))
    lines = [
        "# A contest of nomicwolf's. `nomicwolf check` says what is wrong in here.", "[contest]",
        f"id = {json.dumps(_id(folder))}", f"name = {text['name']}", f"ruleset = {text['ruleset']}",
        f"contestmaster = {{ name = {text['contestmaster']}, addresses = [{text['address']}] }}",
        f"{'' if hosts else '# '}mail_hosts = [{', '.join(map(json.dumps, hosts))}]{'' if hosts else LATER}", "",
        "[imap]", *_server(answers["imap"]), f"user = {text['user']}", *_password(answers["imap"], "IMAP"), "",
        "[smtp]", *_server(answers["smtp"], out=True), *_login(answers["smtp"], text["user"]),
        f"from = {text['contest_address']}",
    ]
    if provider := _provider(answers):
        lines += ["", "# [oauth]                   # docs/mailboxes.md", f'# provider = "{provider.oauth}"',
                  '# client_id = "00000000-0000-0000-0000-000000000000"']
    for nomic, address in forums_in(answers["forum"]).items():
        lines += ["", f"[nomic.{nomic}]", f"forum = {json.dumps(address)}",
                  "# limit = 50                # P, if the contest may award points there"]
    lines += ["", "[ledger]", f"key_file = {json.dumps(KEY)}    # seals what is secret; keep a copy"]
    lines += ["", "[archive]", "# write = true              # each poll keeps the public web pages up to date",
              '# url = "https://..."       # where they are read: public letters then link to them']
    shown = f"# `nomicwolf rules {answers['ruleset']} --switches` lists what can be set here"
    return "\n".join([*lines, "", "[switches]", shown, '# dawn = ["08:00", "20:00"]', ""])


def _id(folder: Path) -> str:
    """Return the contest's id: the folder's name in letters and digits."""
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in folder.absolute().name.lower()).strip("-")
    return name or "contest"


def _server(text: str, *, out: bool = False) -> list[str]:
    host, port = host_and_port(text)
    lines = [f"host = {json.dumps(host)}"] + ([f"port = {port}"] if port.isdecimal() else [])
    if is_loopback(host):
        return [*lines, 'security = "none"']
    provider = provider_of(host)
    return [*lines, f'security = "{provider.security}"'] if out and provider and provider.security != "tls" else lines


def _password(text: str, table: str) -> list[str]:
    """Return how to log in by a password, where there may be one."""
    provider = provider_of(host_and_port(text)[0])
    if provider is not None and provider.oauth:
        return []
    return [f'# password_file = "mail.password"    # or NOMICWOLF_{table}_PASSWORD']


def _login(text: str, user: str) -> list[str]:
    """Return how to log in where letters go out; a server on this machine asks nobody on it for a name."""
    if is_loopback(host_and_port(text)[0]):
        return [f"# user = {user}    # if it asks for one"]
    return [f"user = {user}", *_password(text, "SMTP")]
