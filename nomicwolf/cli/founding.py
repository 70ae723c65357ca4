"""``init``: a contest's folder, from at most ten questions."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import typer

from nomicwolf.cli.base import WRONG_USE, fail, say
from nomicwolf.cli.rekeying import FILE as KEY
from nomicwolf.cli.rekeying import write
from nomicwolf.cli.units import command_of, write_units
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.ledger.sealing import make_key
from nomicwolf.run.world import prepared_secret
from nomicwolf.settings import SettingsError
from nomicwolf.settings.keys import is_loopback
from nomicwolf.settings.load import load
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refused
from nomicwolf.village.rulesets import BUILT_IN, ruleset

QUESTIONS: Mapping[str, tuple[str, str]] = {
    "ruleset": (f"Which rule set ({', '.join(BUILT_IN)})?", "nomic-crossing"),
    "name": ("What is the contest called?", ""),
    "contestmaster": ("Who runs it (the contestmaster's name)?", ""),
    "address": ("Eir own mail address?", ""),
    "contest_address": ("The contest's own address, that players write to?", ""),
    "imap": ("Its IMAP server (host or host:port)?", ""),
    "smtp": ("Its SMTP server (host or host:port)?", ""),
    "user": ("The user's name at both servers?", ""),
    "forum": ("The nomics' public forums (agora=ADDRESS, b=ADDRESS)?", ""),
}
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
    """Write the folder of a contest; nothing is written over."""
    if (folder / "contest.toml").exists():
        fail(f"{folder / 'contest.toml'}: is there already; edit it, or name another folder", WRONG_USE)
    answers: dict[str, str] = {}
    for key in QUESTIONS:
        answers[key] = given[key] or _answer(key, {**given, **answers}, ask=ask)
        if key == "ruleset":
            _rules(answers[key])
    forums = _forums(answers["forum"])
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / "contest.toml").write_text(_toml(folder, answers, forums), encoding="utf-8")
        (folder / "contest.toml").chmod(0o600)
        write(folder / KEY, make_key())
        prepared_secret(load(folder, os.environ, mail=False))
    except (SettingsError, LedgerError, OSError) as error:
        (folder / "contest.toml").unlink(missing_ok=True)
        fail(str(error).splitlines())
    write_units(folder.absolute(), _id(folder))
    say(f"The contest's folder is {folder}: contest.toml, contest.db, contest.key, ledger.key, crontab, systemd/.")
    say(ENOUGH.format(folder=folder, check=command_of("-C", str(folder), "check")))


def _answer(key: str, given: Mapping[str, str], *, ask: bool) -> str:
    question, usual = QUESTIONS[key]
    if key == "user":
        usual = given["contest_address"]
    elif key == "name":
        usual = _rules(given["ruleset"]).title
    if ask and sys.stdin.isatty():
        return str(typer.prompt(question, default=usual or None, prompt_suffix=" "))
    if usual:
        return usual
    return fail(f"--{key.replace('_', '-')} is missing: {question}", WRONG_USE)


def _rules(name: str) -> Ruleset:
    try:
        return ruleset(name)
    except Refused as refused:
        fail(f"--ruleset: {refused}", WRONG_USE)


def _forums(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in text.split(","):
        nomic, equals, address = (piece.strip() for piece in part.partition("="))
        if not equals or not nomic or "@" not in address:
            fail(f"--forum {part.strip()}: write NOMIC=ADDRESS, such as agora=agora-business@agoranomic.org", WRONG_USE)
        found[nomic] = address
    return found


def _toml(folder: Path, answers: Mapping[str, str], forums: Mapping[str, str]) -> str:
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
    for nomic, address in forums.items():
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
    host, port = _host(text)
    lines = [f"host = {json.dumps(host)}"] + ([f"port = {port}"] if port.isdecimal() else [])
    return [*lines, 'security = "none"'] if is_loopback(host) else lines


def _login(text: str, user: str) -> list[str]:
    """Return how to log in where letters go out; a server on this machine asks nobody on it for a name."""
    if is_loopback(_host(text)[0]):
        return [f"# user = {user}    # if it asks for one"]
    return [f"user = {user}", '# password_file = "mail.password"    # or NOMICWOLF_SMTP_PASSWORD']


def _host(text: str) -> tuple[str, str]:
    host, _, port = text.partition(":")
    return host, port
