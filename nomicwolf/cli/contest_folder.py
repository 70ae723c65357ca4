"""First commands, and a new contest's folder."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import resources
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, WRONG_USE, At, clock, command_of, domain_of, fail, here, program
from nomicwolf.cli.ledger import KEY_FILE_NAME as KEY
from nomicwolf.cli.output import say, waiting
from nomicwolf.ledger.database import write_private
from nomicwolf.ledger.encryption import make_key
from nomicwolf.ledger.errors import LedgerError
from nomicwolf.post.refusals import Provider, provider_of
from nomicwolf.run.resources import ensure_founded
from nomicwolf.settings.keys import USUAL_SECURITY, SettingsError, is_loopback
from nomicwolf.settings.load import load, table_of_environment
from nomicwolf.village.rules import Refusal
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
    "mail_hosts": ("Your own mail servers (names, or the file of a letter from a forum; empty: later)?", ""),
}
_OPTIONAL = ("mail_hosts",)
_ADDRESS = re.compile(r"[^\s@,<>]+@[^\s@,<>]+")
_SERVER = re.compile(r"[A-Za-z0-9._:/-]+")
_HOST = re.compile(r"(?:(?P<name>[^\s/@:\[\]]+)|\[(?P<address>[^\s\[\]]+)\])(?::(?P<port>\d+))?")


def answers(given: Mapping[str, str], *, ask: bool) -> dict[str, str]:
    """Return an answer to each question: what is *given*, else what is asked for or usual; end the command if wrong."""
    found: dict[str, str] = {}
    by_hand = ask and sys.stdin.isatty()
    usual = {key: default for key, (_, default) in QUESTIONS.items()}
    for key in QUESTIONS:
        known = {**given, **found}
        if key == "imap" and not (known["imap"] and known["smtp"]):
            usual |= _looked_up(known["contest_address"], by_hand=by_hand)
            usual["user"] = "" if known["imap"] else usual["user"]
        if key in ("name", "user"):
            usual[key] = usual[key] or _following(key, known)
        found[key] = _asked(key, known, usual[key]) if by_hand and not given[key] else _from_option(
            key, known, usual[key])
    return found


def _following(key: str, known: Mapping[str, str]) -> str:
    """Return the usual answer that follows from others."""
    return ruleset(known["ruleset"]).title if key == "name" else known["contest_address"]


def _looked_up(address: str, *, by_hand: bool) -> dict[str, str]:
    """Return the servers of an *address* as its domain tells them; those that only a person may confirm, to one alone.

    Names for examples and local networks are asked about where the environment names whom to ask.
    """
    from nomicwolf.post.routes import Route
    from nomicwolf.postmaster.examining import servers_of
    from nomicwolf.postmaster.records import is_reserved
    from nomicwolf.proofs.dkim import Dns

    identity, network = (table_of_environment(name, os.environ) for name in ("identity", "network"))
    if is_reserved(address.rpartition("@")[2]) and not identity.nameservers:
        return {}
    with waiting("Looking for its mail servers"):
        found = servers_of(address, Dns(identity.nameservers, identity.dns_seconds),
                           Route.of(network.proxy, network.direct))
    if found is None:
        return {}
    if not (found.sure or by_hand):
        say(f"{found.said} names servers of another domain: if they are your provider's, say --imap {found.imap} "
            f"--smtp {found.smtp}")
        return {}
    say(f"Its mail servers, as {found.said} has them: {found.imap} in, {found.smtp} out")
    return {"imap": found.imap, "smtp": found.smtp, "user": found.user}


def host_and_port(text: str) -> tuple[str, str]:
    """Return a server's name or address and its port, '' if none is given; ValueError says how to write it.

    >>> host_and_port("mail.example.org:1143"), host_and_port("[::1]:1143"), host_and_port("[::1]")
    (('mail.example.org', '1143'), ('::1', '1143'), ('::1', ''))
    """
    if (found := _HOST.fullmatch(text)) is not None:
        with suppress(ValueError):
            return found["name"] or str(ip_address(found["address"])), found["port"] or ""
    raise ValueError(f"{text}: is no server; write its name alone, like mail.example.org, with a port like "
                     "mail.example.org:1234, or an address like [::1]:1234")


def forums_in(text: str) -> dict[str, str]:
    """Return the forum's address of each nomic; ValueError says how to write it.

    >>> forums_in("agora=business@agora.example, b=spoon@b.example")
    {'agora': 'business@agora.example', 'b': 'spoon@b.example'}
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        nomic, _, address = (piece.strip() for piece in part.partition("="))
        if not nomic or not _ADDRESS.fullmatch(address):
            raise ValueError(f"{part.strip()}: write NOMIC=ADDRESS, such as agora=agora-business@agoranomic.org")
        found[nomic] = address
    return found


def hosts_in(text: str, forums: Mapping[str, str]) -> tuple[str, ...]:
    """Return the mail servers of an answer: their names, or those in the letter in a file, through one of *forums*.

    ValueError says how to write it.
    """
    file = Path(text)
    if not text or not file.is_file():
        found = tuple(part for part in re.split(r"[,\s]+", text) if part)
        if wrong := next((part for part in found if not _SERVER.fullmatch(part)), ""):
            raise ValueError(f"{wrong}: is no file here, and no server; write names like mx.example.org")
        return found
    from nomicwolf.run.contest_setup import relays_in

    try:
        found = relays_in(file.read_bytes(), forums)
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from error
    if not found:
        raise ValueError(f"{file}: is no letter that came through {' or '.join(forums.values())}")
    return found


def _asked(key: str, known: Mapping[str, str], usual: str) -> str:
    """Ask until there is an answer that can be used."""
    default = usual if usual or key in _OPTIONAL else None
    while True:
        given = typer.prompt(QUESTIONS[key][0], default=default, show_default=bool(usual), prompt_suffix=" ")
        text = str(given).strip()
        wrong = _wrong(key, text, known)
        if not wrong:
            return text
        say(wrong)


def _from_option(key: str, known: Mapping[str, str], usual: str) -> str:
    text, option = known.get(key, "") or usual, f"--{key.replace('_', '-')}"
    if not text and key not in _OPTIONAL:
        fail(f"{option} is missing: {QUESTIONS[key][0]}", WRONG_USE)
    if wrong := _wrong(key, text, known):
        fail(f"{option}: {wrong}", WRONG_USE)
    return text


def _wrong(key: str, text: str, known: Mapping[str, str]) -> str:
    """Return what is wrong with an answer, and how to write it; '' if nothing is."""
    if not text:
        return "" if key in _OPTIONAL else "An answer is needed here."
    try:
        if key == "ruleset":
            ruleset(text)
        elif key == "forum":
            forums_in(text)
        elif key in ("imap", "smtp"):
            host_and_port(text)
        elif key == "mail_hosts":
            hosts_in(text, forums_in(known["forum"]))
    except (Refusal, ValueError) as refused:
        return str(refused)
    if key in ("address", "contest_address") and not _ADDRESS.fullmatch(text):
        return f"{text}: is no mail address; write it alone, like wolf@example.org"
    return ""


CRON = "*/10 * * * * {command}\n"


def write_units(folder: Path, name: str) -> None:
    """Write ``crontab`` and ``systemd/`` into a contest's *folder* (absolute); *name* is the contest's id."""
    words = (program(), "-C", str(folder), "poll")
    (folder / "crontab").write_text(CRON.format(command=shlex.join(words).replace("%", "\\%")), encoding="utf-8")
    units = folder / "systemd"
    units.mkdir(exist_ok=True)
    user = os.environ.get("USER") or os.environ.get("LOGNAME") or "nomicwolf"
    for packaged in (resources.files("nomicwolf.cli") / "systemd").iterdir():
        filled = packaged.read_text(encoding="utf-8").format(
            name=name, user=user, folder=str(folder).replace("%", "%%"), place=_quoted(str(folder)),
            command=" ".join(map(_quoted, words)))
        (units / packaged.name).write_text(filled, encoding="utf-8")


def _quoted(word: str) -> str:
    """Return a word as systemd.syntax(7) and systemd.unit(5) want it, specifiers escaped."""
    word = word.replace("%", "%%")
    if not any(c.isspace() or c in "\"'\\" for c in word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'


ENOUGH = """\
Next:
  1. {login}
  2. {check}
  3. Copy the line of {folder}/crontab into your crontab (crontab -e), or
     the two files of {folder}/systemd to /etc/systemd/system.
"""
FIRST_STEP = """\
Write the password into {folder}/mail.password, a file that only
     you can read (chmod 600), and take the # from password_file in
     {folder}/contest.toml; or export NOMICWOLF_IMAP_PASSWORD and
     NOMICWOLF_SMTP_PASSWORD."""
OAUTH_STEP = """\
{provider} takes no password from a program. Register one there
     (docs/mailboxes.md), write its client id into
     {folder}/contest.toml, take the # from the lines of [oauth], and
     log in as the contest's mailbox: {command}"""
HOSTS_LATER = "    # your own mail servers; `check` names them once a letter has come through a forum"


def found_contest(folder: Path, given: Mapping[str, str], *, ask: bool) -> None:
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
    except (SettingsError, LedgerError, OSError):
        (folder / "contest.toml").unlink(missing_ok=True)
        raise
    write_units(folder.absolute(), _id(folder))
    say(f"The contest's folder is {folder}: contest.toml, contest.db, contest.key, ledger.key, crontab, systemd/.")
    say(ENOUGH.format(folder=folder, login=_first_step(folder, answered), check=command_of("-C", str(folder), "check")))


def _provider(answered: Mapping[str, str]) -> Provider | None:
    """Return the provider that takes no password, None if neither server is of one."""
    found = (provider_of(host_and_port(answered[key])[0]) for key in ("smtp", "imap"))
    return next((each for each in found if each is not None and each.oauth), None)


def _first_step(folder: Path, answered: Mapping[str, str]) -> str:
    if provider := _provider(answered):
        return OAUTH_STEP.format(provider=provider.name, folder=folder, command=command_of("-C", str(folder), "login"))
    return FIRST_STEP.format(folder=folder)


def _toml(folder: Path, answers: Mapping[str, str]) -> str:
    text = {key: json.dumps(value, ensure_ascii=False) for key, value in answers.items()}
    hosts = hosts_in(answers["mail_hosts"], forums_in(answers["forum"]))
    lines = [
        "# A contest of nomicwolf's. `nomicwolf check` says what is wrong in here.", "[contest]",
        f"id = {json.dumps(_id(folder))}", f"name = {text['name']}", f"ruleset = {text['ruleset']}",
        f"contestmaster = {{ name = {text['contestmaster']}, addresses = [{text['address']}] }}",
        f"{'' if hosts else '# '}mail_hosts = [{', '.join(map(json.dumps, hosts))}]{'' if hosts else HOSTS_LATER}", "",
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
    return "\n".join([*lines, "", *_silence(answers["ruleset"]), ""])


def _silence(name: str) -> list[str]:
    """Return what becomes of the silent in the rule set called *name*, and the table of its switches."""
    rules = ruleset(name)
    steps = ["prod", "replace", *["act-for"] * rules.votes_stand]
    lines = ["[absence]    # a game by mail dies of silence; a session announces this when it starts",
             "# named in a forum, then replaced from the standby list" + (
                 "; what is owed by night is done by lot, once clause 1j allows it" if rules.votes_stand else ""),
             f"policy = {json.dumps(steps)}", "", "[switches]",
             f"# `nomicwolf rules {name} --switches` lists what can be set here", '# dawn = ["08:00", "20:00"]']
    if rules.votes_stand:
        lines.append('# day_limit = "14 plurality"  # else only a majority ends a day; your players must agree (D-N56)')
    return lines


def _id(folder: Path) -> str:
    """Return the contest's id: the folder's name in letters and digits."""
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in folder.absolute().name.lower()).strip("-")
    return name or "contest"


def _server(text: str, *, out: bool = False) -> list[str]:
    host, port = host_and_port(text)
    lines = [f"host = {json.dumps(host)}"] + ([f"port = {port}"] if port.isdecimal() else [])
    if is_loopback(host):
        return [*lines, 'security = "none"']
    provider = provider_of(host) if out else None
    usual = USUAL_SECURITY.get(int(port), "tls") if port else provider.security if provider else "tls"
    return [*lines, f'security = "{usual}"'] if usual != "tls" else lines


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


def init(
    ctx: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="The folder; created if missing.")] = None,
    name: Annotated[str, typer.Option(help="What the contest is called.")] = "",
    contestmaster: Annotated[str, typer.Option(help="Who runs it.")] = "",
    address: Annotated[str, typer.Option(help="The contestmaster's own address, for the journal.")] = "",
    contest_address: Annotated[str, typer.Option(help="The contest's address, which players write to.")] = "",
    imap: Annotated[str, typer.Option(help="The IMAP server, host or host:port; found by default.")] = "",
    smtp: Annotated[str, typer.Option(help="The SMTP server, likewise.")] = "",
    user: Annotated[str, typer.Option(help="The user's name at both.")] = "",
    forum: Annotated[list[str] | None, typer.Option(help="A nomic's forum: agora=ADDRESS. Can be repeated.")] = None,
    mail_hosts: Annotated[str, typer.Option(
        help="The mail servers on your side, as in Received: names, or the file of a letter that came through a forum.",
    )] = "",
    ruleset: Annotated[str, typer.Option(help="The rule set; without --name, the contest is called by it.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing; use the options and the defaults.")] = False,
) -> None:
    """Create a contest's folder: settings, an empty ledger, a crontab line and a systemd timer to copy.

    Example: nomicwolf init crossing
    """
    given = {
        "name": name, "contestmaster": contestmaster, "address": address, "contest_address": contest_address,
        "imap": imap, "smtp": smtp, "user": user, "forum": ", ".join(forum or ()), "ruleset": ruleset,
        "mail_hosts": mail_hosts,
    }
    found_contest(folder or here(ctx).folder, given, ask=not yes)


def check(
    ctx: typer.Context,
    send: Annotated[bool, typer.Option("--send", help="Send a test letter to the contestmaster, too.")] = False,
) -> None:
    """Check the whole setup, and say how to fix each fault.

    Example: nomicwolf -C crossing check --send
    """
    from nomicwolf.cli.check import check_all

    if not check_all(here(ctx), send=send):
        raise typer.Exit(NEEDS_YOU)


def poll(
    ctx: typer.Context,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print what was done.")] = False,
    clock_is_right: Annotated[bool, typer.Option(
        "--clock-is-right", help="Continue although the mail servers say that it is earlier, or none tells the time.",
    )] = False,
    at: At = "",
) -> None:
    """Fetch letters, act on them and on the clock, and send: one cron run, silent when all is well.

    Example: nomicwolf -C crossing poll
    """
    from nomicwolf.cli.output import poll as run

    raise typer.Exit(run(str(here(ctx).folder), here(ctx).order_of, clock(at), verbose=verbose,
                         clock_is_right=clock_is_right or bool(at)))


def login(
    ctx: typer.Context,
    browser: Annotated[bool, typer.Option(
        "--browser", help="Use a browser on this machine even if any device would do.")] = False,
) -> None:
    """Log in to the contest's mailbox by OAuth 2.0, as [oauth] says; polls renew the login by themselves.

    Example: nomicwolf -C crossing login
    """
    from nomicwolf.post import oauth
    from nomicwolf.run.oauth_login import Login, token_file

    settings = here(ctx).settings(mail=False)
    kept = Login(settings)
    user = settings.imap.user if settings.imap else settings.smtp.user
    if browser and not kept.client.authorize_url:
        fail("--browser: this provider is set without a page for browsers; set oauth.authorize_url")

    def enter(page: str, code: str) -> None:
        say(f"Open {page} in a browser, on any device, log in there as {user}, and enter the code {code}")

    def go(page: str) -> None:
        say(f"Open this page in a browser on this machine, and log in there as {user}:\n\n{page}\n")

    if kept.client.device_url and not browser:
        tokens = oauth.by_device(kept.client, enter)
    else:
        tokens = oauth.by_browser(kept.client, user, go)
    kept.keep(tokens)
    say(f"Logged in; the login is sealed in {token_file(settings)}. `nomicwolf check` tries it.")


def dkim(ctx: typer.Context) -> None:
    """Create the key with which nomicwolf signs letters (DKIM) if the mail server doesn't, and print the DNS record.

    An existing key is kept. domain.dkim_key_file names the file.

    Example: nomicwolf -C crossing dkim
    """
    from nomicwolf.ledger.database import write_private
    from nomicwolf.postmaster.records import key_name
    from nomicwolf.proofs.dkim import new_key, record_of, zone_line

    settings = here(ctx).settings(mail=False)
    path, name = settings.domain.dkim_key_file, domain_of(settings.address)
    found = path.exists()
    if not found:
        write_private(path, new_key().decode("ascii"))
    try:
        record = record_of(path.read_bytes())
    except ValueError as error:
        fail(f"{path}: {error}; move it away, and nomicwolf dkim makes another")
    selector = settings.domain.selector or "nomicwolf"
    say(f"The key is in {path}{', as before' if found else ''}. Put its public half into the DNS of {name}:")
    say(f"  {zone_line(key_name(selector, name), record)}")
    if settings.domain.dkim_sign:
        say("Letters are signed by it. `nomicwolf check` says whether the DNS has it.")
    else:
        say("When it is there, write [domain] and below it dkim_sign = true into contest.toml; `nomicwolf check` then "
            "says whether receivers find it.")
