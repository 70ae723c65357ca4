"""``init``: a contest's folder, from at most ten questions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from nomicwolf.cli.base import WRONG_USE, fail, fail_of, say
from nomicwolf.cli.questions import answers, forums_in, host_and_port
from nomicwolf.cli.rekeying import FILE as KEY
from nomicwolf.cli.units import command_of, write_units
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.files import write_private
from nomicwolf.ledger.sealing import make_key
from nomicwolf.run.world import prepared_secret
from nomicwolf.settings import SettingsError
from nomicwolf.settings.keys import is_loopback
from nomicwolf.settings.load import load

ENOUGH = """\
Next:
  1. Write the password into {folder}/mail.password, a file that only
     you can read (chmod 600), and take the # from password_file in
     {folder}/contest.toml; or export NOMICWOLF_IMAP_PASSWORD and
     NOMICWOLF_SMTP_PASSWORD.
  2. {check}
  3. Copy the line of {folder}/crontab into your crontab (crontab -e), or
     the two files of {folder}/systemd to /etc/systemd/system.
"""


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
        prepared_secret(load(folder, os.environ, mail=False))
    except (SettingsError, LedgerError, OSError) as error:
        (folder / "contest.toml").unlink(missing_ok=True)
        fail_of(error)
    write_units(folder.absolute(), _id(folder))
    say(f"The contest's folder is {folder}: contest.toml, contest.db, contest.key, ledger.key, crontab, systemd/.")
    say(ENOUGH.format(folder=folder, check=command_of("-C", str(folder), "check")))


def _toml(folder: Path, answers: Mapping[str, str]) -> str:
    text = {key: json.dumps(value, ensure_ascii=False) for key, value in answers.items()}
    lines = [
        "# A contest of nomicwolf's. `nomicwolf check` says what is wrong in here.", "[contest]",
        f"id = {json.dumps(_id(folder))}", f"name = {text['name']}", f"ruleset = {text['ruleset']}",
        f"contestmaster = {{ name = {text['contestmaster']}, addresses = [{text['address']}] }}", "",
        "[imap]", *_server(answers["imap"]), f"user = {text['user']}",
        '# password_file = "mail.password"    # or NOMICWOLF_IMAP_PASSWORD', "",
        "[smtp]", *_server(answers["smtp"]), *_login(answers["smtp"], text["user"]),
        f"from = {text['contest_address']}",
    ]
    for nomic, address in forums_in(answers["forum"]).items():
        lines += ["", f"[nomic.{nomic}]", f"forum = {json.dumps(address)}",
                  "# limit = 50                # P, if the contest may award points there"]
    lines += ["", "[ledger]", f"key_file = {json.dumps(KEY)}    # seals what is secret; keep a copy"]
    shown = f"# `nomicwolf rules {answers['ruleset']} --switches` lists what can be set here"
    return "\n".join([*lines, "", "[switches]", shown, '# dawn = ["08:00", "20:00"]', ""])


def _id(folder: Path) -> str:
    """Return the contest's id: the folder's name in letters and digits."""
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in folder.absolute().name.lower()).strip("-")
    return name or "contest"


def _server(text: str) -> list[str]:
    host, port = host_and_port(text)
    lines = [f"host = {json.dumps(host)}"] + ([f"port = {port}"] if port.isdecimal() else [])
    return [*lines, 'security = "none"'] if is_loopback(host) else lines


def _login(text: str, user: str) -> list[str]:
    """Return how to log in where letters go out; a server on this machine asks nobody on it for a name."""
    if is_loopback(host_and_port(text)[0]):
        return [f"# user = {user}    # if it asks for one"]
    return [f"user = {user}", '# password_file = "mail.password"    # or NOMICWOLF_SMTP_PASSWORD']
