"""Loading of settings, with every problem at once."""

from __future__ import annotations

import re
import tomllib
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from datetime import date, time
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from nomicwolf.settings.check import address_problems, part_problems
from nomicwolf.settings.keys import NAME, Level, NomicSettings, Settings, SettingsError, WebhookSettings
from nomicwolf.settings.shape import key_of, nearest, read_table, tables_of
from nomicwolf.settings.sources import Source, fill_secrets, overlay

FILE = "contest.toml"
TABLES = tables_of(Settings)
PREFIX = "whsec_"
"""How secrets begin that are told in base64 (Standard Webhooks)."""
_REQUIRED = ("contest", "smtp")
_SOURCES = ("imap", "maildir", "mbox")
_SLOT = re.compile(r"([01]\d|2[0-3]):[0-5]\d")
_VERB = re.compile(r"[a-z][a-z-]*")
_NO_LEVEL = ("help", "status", "votes", "history", "resend", "check", "role", "who", "join", "leave", "alias",
             "address", "confirm", "holiday", "standby", "observe", "digest", "timezone", "statistics")
"""Verbs that no level is asked for: answers go to the registered address alone, rosters are public or confirmed."""


def load(folder: Path, environ: Mapping[str, str], *, mail: bool = True) -> Settings:
    """Return the settings of the contest in *folder*, or raise `SettingsError` with every wrong key.

    Without *mail* no letter is fetched or sent, and passwords may be missing.
    """
    folder = folder.absolute()
    problems: list[str] = []
    tree = _read(folder / FILE)
    overlay(tree, environ, TABLES, problems)
    known = [*TABLES, "nomic", "switches", "assurance", "webhook"]
    problems += [f"{key}: unknown table; {nearest(key, known)}" for key in tree if key not in known]
    source = Source(folder, environ)
    parts: dict[str, Any] = {
        name: _part(source, name, tree, problems) for name in TABLES if name in tree or name in _REQUIRED}
    nomics = _nomics(tree.get("nomic", {}), problems)
    webhooks = _webhooks(source, tree.get("webhook", {}), problems)
    assurance = _assurance(tree.get("assurance", {}), problems)
    switches = _switches(tree.get("switches", {}), problems)
    problems += _settling_problems(switches) + _source_problems(tree)
    problems += part_problems(parts, source.found, mail=mail) + address_problems(parts, nomics)
    if problems:
        raise SettingsError(tuple(problems))
    return _rooted(Settings(folder=folder, nomics=nomics, assurance=assurance, switches=switches,
                            webhooks=webhooks, secrets=MappingProxyType(source.found), **parts))


def table_of_environment(name: str, environ: Mapping[str, str]) -> Any:  # noqa: ANN401 - one of the dataclasses in `TABLES`
    """Return a table that needs no key, as the environment alone sets it; `SettingsError` for a wrong one."""
    problems: list[str] = []
    tree: dict[str, Any] = {}
    overlay(tree, environ, {name: TABLES[name]}, problems)
    found = _part(Source(Path(), environ), name, tree, problems)
    if problems:
        raise SettingsError(tuple(problems))
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SettingsError((f"{path}: not there; `nomicwolf init` writes one, -C names another folder",)) from error
    except NotADirectoryError as error:
        raise SettingsError((f"{path.parent}: is a file; -C names the folder that has contest.toml in it",)) from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError((f"{path}: {error}; mend that place (docs/settings.md shows how tables look)",)) from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError((f"{path}: {error}; it has to be a UTF-8 file that this user can read",)) from error


def _part(source: Source, name: str, tree: Mapping[str, Any], problems: list[str]) -> object:
    given = tree.get(name, {})
    for part in fields(TABLES[name]):
        if part.metadata.get("secret") and isinstance(given, dict):
            given = fill_secrets(source, given, key_of(part), name, problems)
    return read_table(TABLES[name], given, name, problems)


def _nomics(given: object, problems: list[str]) -> tuple[NomicSettings, ...]:
    if not isinstance(given, Mapping) or not given:
        problems.append('nomic: none; write [nomic.agora] with forum = "the address of its public forum"')
        return ()
    found = []
    for name, keys in given.items():
        if not NAME["form"].fullmatch(name):
            problems.append(f"nomic.{name}: a nomic's name here is letters, digits, '-' and '_'")
        found.append(read_table(NomicSettings, keys, f"nomic.{name}", problems, name=name))
    return tuple(nomic for nomic in found if nomic is not None)


def _webhooks(source: Source, given: object, problems: list[str]) -> tuple[WebhookSettings, ...]:
    if not isinstance(given, Mapping):
        problems.append('webhook: must be tables; write [webhook.chat] and below it url = "https://..."')
        return ()
    found = []
    for name, keys in given.items():
        where, filled = f"webhook.{name}", dict(keys) if isinstance(keys, Mapping) else keys
        if not NAME["form"].fullmatch(name):
            problems.append(f"{where}: a webhook's name is letters, digits, '.', '-' and '_'")
        for key in ("url", "secret", "token") if isinstance(filled, dict) else ():
            filled = fill_secrets(source, filled, key, where, problems)
        hook = read_table(WebhookSettings, filled, where, problems, name=name)
        if hook is not None:
            problems += _odd_webhook(hook, where)
            found.append(hook)
    return tuple(found)


def _odd_webhook(hook: WebhookSettings, where: str) -> Iterator[str]:
    """Yield what is wrong with a webhook beyond its types."""
    if hook.format == "matrix" and not hook.token:
        yield f"{where}.token: missing; Matrix wants the access token of the account that writes in the room"
    if hook.secret.startswith(PREFIX):
        try:
            b64decode(hook.secret.removeprefix(PREFIX), validate=True)
        except ValueError:
            yield f"{where}.secret: what stands behind {PREFIX} must be base64; make one by openssl rand -base64 32"


def _assurance(given: object, problems: list[str]) -> Mapping[str, Level]:
    if not isinstance(given, Mapping):
        problems.append('assurance: must be a table; write [assurance] and below it vote = "from"')
        return {}
    for verb, level in given.items():
        if not _VERB.fullmatch(verb):
            problems.append(f"assurance.{verb}: must be a verb such as vote or see, or public, private")
        elif verb in _NO_LEVEL:
            problems.append(f"assurance.{verb}: has no level (see docs/security.md); leave it out")
        if level not in get_args(Level):
            problems.append(f"assurance.{verb}: must be one of {', '.join(get_args(Level))}, not {level!r}")
    return MappingProxyType(dict(given))


def _switches(given: object, problems: list[str], where: str = "switches") -> Mapping[str, str]:
    if not isinstance(given, Mapping):
        problems.append(f'{where}: must be a table; write [{where}] and below it departure = "stay"')
        return {}
    found: dict[str, str] = {}
    for key, value in given.items():
        if isinstance(value, Mapping):
            found |= {f"{key}.{k}": v for k, v in _switches(value, problems, f"{where}.{key}").items()}
        else:
            found[key] = ", ".join(_word(v) for v in value) if isinstance(value, list) else _word(value)
    return MappingProxyType(found)


def _settling_problems(switches: Mapping[str, str]) -> list[str]:
    settling, cover = switches.get("settling", "0"), switches.get("cover", "off")
    found = [] if settling.isdecimal() else [f"switches.settling: must be whole minutes, not {settling!r}"]
    times = [] if cover in ("off", "strict") else [part.strip() for part in cover.split(",")]
    if any(not _SLOT.fullmatch(time) for time in times):
        found.append(f'switches.cover: must be "off", "strict" or times such as ["08:00", "20:00"], not {cover!r}')
    return found


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, time):
        return value.strftime("%H:%M")
    return value.isoformat() if isinstance(value, date) else str(value)


def _source_problems(tree: Mapping[str, Any]) -> list[str]:
    given = [name for name in _SOURCES if name in tree]
    if len(given) == 1:
        return []
    if given:
        return [f"{', '.join(given)}: more than one source of letters; keep one of them"]
    return ["imap: missing; write [imap] with host, user and password, or [maildir] or [mbox] with path"]


def _rooted(found: Settings) -> Settings:
    """Make the paths absolute, from the folder."""
    root = found.folder
    kind, slashes, rest = found.ledger.url.partition(":///")
    url = f"{kind}{slashes}{root / rest}" if kind.split("+")[0] == "sqlite" and rest else found.ledger.url
    box = found.mbox
    if box and str(box.path) != "-":
        box = replace(box, path=root / box.path)
    imap, smtp = found.imap, found.smtp
    if imap and imap.certificate_file:
        imap = replace(imap, certificate_file=root / imap.certificate_file)
    if smtp.certificate_file:
        smtp = replace(smtp, certificate_file=root / smtp.certificate_file)
    return replace(
        found, imap=imap, smtp=smtp, ledger=replace(found.ledger, url=url), mbox=box,
        maildir=found.maildir and replace(found.maildir, path=root / found.maildir.path),
        archive=replace(found.archive, path=root / found.archive.path),
        keep=replace(found.keep, backups=root / found.keep.backups),
        domain=replace(found.domain, dkim_key_file=root / found.domain.dkim_key_file),
    )
