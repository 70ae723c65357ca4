"""Loading of settings, with every problem at once."""

from __future__ import annotations

import os
import re
import tomllib
from base64 import b64decode
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, time
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

from nomicwolf.settings.keys import (
    NAME,
    ContestSettings,
    ImapSettings,
    Level,
    NomicSettings,
    OAuthSettings,
    Person,
    Settings,
    SettingsError,
    SmtpSettings,
    WebhookSettings,
    is_loopback,
)
from nomicwolf.settings.shape import WAYS, Typed, key_of, keys_of, nearest, read_table, tables_of

_MICROSOFT = "https://login.microsoftonline.com/common/oauth2/v2.0"
_PROVIDERS: Mapping[str, Mapping[str, str]] = {
    "microsoft": {
        "token_url": f"{_MICROSOFT}/token", "device_url": f"{_MICROSOFT}/devicecode",
        "authorize_url": f"{_MICROSOFT}/authorize",
        "scope": "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access",
    },
    # Google's devices can't have the scope of mail, and a refresh token comes only to who asks for it, and asks again.
    "google": {
        "token_url": "https://oauth2.googleapis.com/token", "scope": "https://mail.google.com/",
        "authorize_url": "https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent",
    },
    "yahoo": {
        "token_url": "https://api.login.yahoo.com/oauth2/get_token", "scope": "mail-w",
        "authorize_url": "https://api.login.yahoo.com/oauth2/request_auth",
    },
    "fastmail": {
        "token_url": "https://api.fastmail.com/oauth/refresh",
        "authorize_url": "https://api.fastmail.com/oauth/authorize",
        "scope": "https://www.fastmail.com/dev/protocol-imap https://www.fastmail.com/dev/protocol-smtp",
    },
    "other": {},
}


def completed_oauth(oauth: OAuthSettings) -> OAuthSettings:
    """Return the settings with what the provider brings where they are silent."""
    usual = _PROVIDERS[oauth.provider]
    return replace(
        oauth, token_url=oauth.token_url or usual.get("token_url", ""), scope=oauth.scope or usual.get("scope", ""),
        device_url=oauth.device_url or usual.get("device_url", ""),
        authorize_url=oauth.authorize_url or usual.get("authorize_url", ""))


def oauth_problems(oauth: OAuthSettings | None) -> list[str]:
    """Say what is missing of a provider that isn't known here."""
    if oauth is None:
        return []
    found = completed_oauth(oauth)
    told = ("scope",) if found.issuer else ("token_url", "scope")
    missing = [key for key in told if not getattr(found, key)]
    if not found.device_url and not found.authorize_url and not found.issuer:
        missing.append("device_url")
    known = ", ".join(name for name in _PROVIDERS if name != "other")
    return [f"oauth.{key}: missing; write what the provider's pages say (with authorize_url where it has no "
            f"device_url, or issuer, which tells them), or name a provider that is known here ({known})"
            for key in missing]


_NO_HOST = re.compile(r"[/@\s]|^$|^\.|\.\.|[^.]{64}")
"""A fault in a host's name, by which no server is looked for (RFC 1035 2.3.4)."""


def address_problems(parts: Mapping[str, Any], nomics: tuple[NomicSettings, ...]) -> list[str]:
    """Say which addresses would let a private letter reach a forum, or one nomic's letter another's."""
    private = _private(parts)
    forums = [(f"nomic.{n.name}.{key}", a) for n in nomics
              for key, a in (("forum", n.forum), ("discussion", n.discussion)) if a]
    ours = {a.lower() for _, a in private}
    problems = [f"{key}: {a} is also the contest's or contestmaster's address, so private letters would be public"
                 for key, a in forums if a.lower() in ours]
    seen = Counter(a.lower() for _, a in forums)
    twice = [f"nomic: {a} is named {n} times; each forum belongs to one nomic" for a, n in seen.items() if n > 1]
    return problems + twice


def _private(parts: Mapping[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    contest: ContestSettings | None = parts.get("contest")
    smtp: SmtpSettings | None = parts.get("smtp")
    if contest is not None:
        found += [("contest.contestmaster.addresses", a) for a in contest.contestmaster.addresses]
        found += [("contest.address", contest.address)] if contest.address else []
    return [*found, ("smtp.from", smtp.sender)] if smtp is not None else found


def part_problems(parts: Mapping[str, Any], given: Container[str], *, mail: bool) -> list[str]:
    """Say what is wrong within each table that could be read.

    Passwords are asked for only if there is *mail*; *given* are the secrets that are somewhere, read or not.
    """
    needed = mail and "oauth" not in parts  # by which one logs in without a password
    problems = [fault for name in ("imap", "smtp")
                for fault in _wire_problems(name, parts.get(name), needed and f"{name}.password" not in given)]
    problems += oauth_problems(parts.get("oauth"))
    absence = parts.get("absence")
    if absence is not None and len(absence.remind) > 2:
        problems.append("absence.remind: is more than two times; whoever is reminded too often stops reading")
    domain = parts.get("domain")
    for address in domain.leaves_from if domain is not None else ():
        try:
            ip_address(address)
        except ValueError:
            problems.append(f"domain.leaves_from: {address!r} is no address; write it like 192.0.2.25 or 2001:db8::25")
    return problems


def _wire_problems(name: str, wire: ImapSettings | SmtpSettings | None, needed: bool) -> list[str]:
    if wire is None:
        return []
    problems = []
    if wire.certificate_file and wire.security == "none":
        problems.append(f"{name}.certificate_file: is shown with encryption alone; set {name}.security")
    if _NO_HOST.search(wire.host):
        problems.append(f"{name}.host: {wire.host!r} is no host's name; write it alone, like {name}.example.org")
    elif wire.security == "none" and not is_loopback(wire.host):
        problems.append(f"{name}.security: none is for loopback only, and {wire.host} is not; use tls or starttls")
    if needed and wire.user and not wire.certificate_file:
        ways = f"{name}.password, {name}.password_file or NOMICWOLF_{name.upper()}_PASSWORD"
        problems.append(f"{name}.password: missing; set {ways}, or write [oauth] (docs/mailboxes.md)")
    return problems


KEY_FILE = "contest.key"
PREFIX = "NOMICWOLF_"
LOST = ("put back {0} as it was, from a backup, for this user to read. It makes the reply addresses, the confirmation "
        "words and the marks by which the contest knows its own letters. If it is lost for good, a new one is made by "
        "`openssl rand -hex 32 > {0}`: answers to older letters then count no more, and their heads can't be checked")
"""The remedy for a lost key; its file is {0}."""
MISSING = "put the secret there, for this user to read"
SEALED = "put the key back, from the copy that you keep: without it nobody reads what is secret in the ledger"


def fill_secrets(
    source: Source, given: dict[str, Any], key: str, where: str, problems: list[str]
) -> dict[str, Any]:
    """Return *given* with the secret *key* read from where it is, if that is elsewhere.

    A way that the environment names comes before what is in the settings. The *source* notes which it was.
    """
    ways = [way for way in (key, *(f"{key}{way}" for way in WAYS)) if way in given]
    ways = [way for way in ways if isinstance(given[way], Typed)] or ways
    if len(ways) > 1:
        problems.append(f"{where}.{key}: given {len(ways)} times ({', '.join(ways)}); keep one")
    rest = {name: value for name, value in given.items() if name not in {f"{key}{way}" for way in WAYS}}
    if ways and given[ways[0]]:
        source.found[f"{where}.{key}"] = _where(given[ways[0]], where, key, ways[0])
    if len(ways) != 1 or ways[0] == key or not isinstance(given[ways[0]], str):
        wrong = [way for way in ways if not isinstance(given[way], str)]
        problems.extend(f"{where}.{way}: must be a text in quotes" for way in wrong if way != key)
        return rest
    try:
        rest[key] = source.read(given, ways[0], SEALED if where == "ledger" else MISSING)
    except LookupError as error:
        problems.append(f"{where}.{ways[0]}: {error.args[0]}")
    return rest


@dataclass(frozen=True, slots=True)
class Source:
    """The places of secrets: files in *folder*, credentials as *environ* says, the keyring.

    *found* takes in words where each secret was, by its key.
    """

    folder: Path
    environ: Mapping[str, str]
    found: dict[str, str] = field(default_factory=dict)

    def read(self, given: Mapping[str, Any], way: str, remedy: str) -> str:
        """Return the secret that *way* names; LookupError says why there is none, with the *remedy* if it's gone."""
        if way.endswith("_file"):
            return _read_file(self.folder / given[way], remedy)
        return _ask_keyring(given, way, remedy) if way.endswith("_keyring") else self._credential(given[way], remedy)

    def _credential(self, name: str, remedy: str) -> str:
        """Return what systemd keeps for this service under *name* (systemd.exec(5), LoadCredential)."""
        place = self.environ.get("CREDENTIALS_DIRECTORY", "")
        if not place:
            raise LookupError("systemd gives this process no credentials; write LoadCredential="
                              f"{name}:/path/to/the/secret into the service, and start it by systemd")
        if "/" in name or name.startswith("."):
            raise LookupError(f"{name!r} is no credential's name; write what stands before the : in LoadCredential")
        return _read_file(Path(place) / name, remedy)


def _where(value: object, where: str, key: str, way: str) -> str:
    """Return in words where a secret is; never what it is."""
    if way == key:
        named = f"{PREFIX}{where}_{key}".upper()
        return f"the environment ({named})" if isinstance(value, Typed) else "contest.toml"
    kind = way.removeprefix(f"{key}_")
    return f"the {'systemd credential' if kind == 'credential' else kind} {value}"


def _read_file(path: Path, remedy: str) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise LookupError(f"{path}: {error.strerror}; {remedy}") from error
    except ValueError as error:
        raise LookupError(f"{path}: {error}; {remedy}") from error
    if not text:
        raise LookupError(f"{path} is empty; {remedy}")
    return text


def _ask_keyring(given: Mapping[str, Any], way: str, remedy: str) -> str:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise LookupError("keyring is not installed (pip install 'nomicwolf[keyring]')") from error
    service, user = given[way], str(given.get("user", "nomicwolf"))
    try:
        found = keyring.get_password(service, user)
    except KeyringError as error:
        raise LookupError(f"the keyring can't be used here: {error}") from error
    if not found:
        raise LookupError(f"the keyring has no password of {user!r} for {service!r}; {remedy}")
    return found


def key_file(settings: Settings) -> Path:
    """Return where the contest's key lies: beside the ledger, or in the contest's folder."""
    ledger = settings.ledger_file
    return (ledger.parent if ledger else settings.folder) / KEY_FILE


def make_key(path: Path, at: int | None = None, text: str = "") -> str:
    """Write 32 random bytes as hex, or *text*, into a new file of mode 0600, on the disk for good, and return them.

    *path* may be a name in the folder with the descriptor *at*. A file that is there already is left alone:
    FileExistsError.
    """
    text = text or os.urandom(32).hex()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=at)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    return text


def secret_of(settings: Settings) -> str:
    """Return the contest's secret, from the settings or its key file; `SettingsError` says what is missing."""
    if settings.contest.secret:
        return settings.contest.secret
    path = key_file(settings)
    try:
        return _read_file(path, LOST.format(path))
    except LookupError as error:
        raise SettingsError(f"contest.secret: {error.args[0]}") from error


_FREE = ("switches", "assurance")


def overlay(
    tree: dict[str, Any], environ: Mapping[str, str], shapes: Mapping[str, type], problems: list[str]
) -> None:
    """Put what *environ* sets into *tree*; a name that is nearly a key is a problem, any other isn't ours."""
    for name in sorted(environ):
        if not name.startswith(PREFIX):
            continue
        section, _, rest = name.removeprefix(PREFIX).lower().partition("_")
        path = _path(section, rest, tree, shapes)
        if path is not None:
            _set(tree, path, Typed(environ[name]))
        elif section in {*shapes, *_FREE, "nomic"}:
            known = keys_of(shapes[section]) if section in shapes else keys_of(NomicSettings)
            problems.append(f"{name}: no such key in {section}; {nearest(rest, known)}")
        elif rest and (hint := nearest(section, [*shapes, *_FREE, "nomic"])).startswith("did"):
            problems.append(f"{name}: no such table as {section}; {hint}")


def _path(section: str, rest: str, tree: Mapping[str, Any], shapes: Mapping[str, type]) -> tuple[str, ...] | None:
    if section in _FREE:
        return (section, rest) if rest else None
    if section == "nomic":
        return _nomic_path(rest, tree)
    if section not in shapes:
        return None
    for key in keys_of(Person) if section == "contest" else ():
        if rest == f"contestmaster_{key}":
            return (section, "contestmaster", key)
    return (section, rest) if rest in keys_of(shapes[section]) else None


def _nomic_path(rest: str, tree: Mapping[str, Any]) -> tuple[str, ...] | None:
    for key in sorted(keys_of(NomicSettings), key=len, reverse=True):
        name = rest.removesuffix(f"_{key}")
        if name and name != rest and key != "name":
            nomics = tree.get("nomic", {})
            written = {str(n).lower().replace("-", "_"): str(n) for n in nomics} if isinstance(nomics, dict) else {}
            return ("nomic", written.get(name, name), key)
    return None


def _set(tree: dict[str, Any], path: tuple[str, ...], text: Typed) -> None:
    for step in path[:-1]:
        inner = tree.setdefault(step, {})
        if not isinstance(inner, dict):
            return  # what is there is no table, which the reading of the table reports
        tree = inner
    tree[path[-1]] = text


FILE = "contest.toml"
TABLES = tables_of(Settings)
WHSEC = "whsec_"
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
        raise SettingsError(*problems)
    return _rooted(Settings(folder=folder, nomics=nomics, assurance=assurance, switches=switches,
                            webhooks=webhooks, secrets=MappingProxyType(source.found), **parts))


def table_of_environment(name: str, environ: Mapping[str, str]) -> Any:  # noqa: ANN401 - one of the dataclasses in `TABLES`
    """Return a table that needs no key, as the environment alone sets it; `SettingsError` for a wrong one."""
    problems: list[str] = []
    tree: dict[str, Any] = {}
    overlay(tree, environ, {name: TABLES[name]}, problems)
    found = _part(Source(Path(), environ), name, tree, problems)
    if problems:
        raise SettingsError(*problems)
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise SettingsError(f"{path}: not there; `nomicwolf init` writes one, -C names another folder") from error
    except NotADirectoryError as error:
        raise SettingsError(f"{path.parent}: is a file; -C names the folder that has contest.toml in it") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: {error}; mend that place (docs/settings.md shows how tables look)") from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}; it has to be a UTF-8 file that this user can read") from error


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
    if hook.secret.startswith(WHSEC):
        try:
            b64decode(hook.secret.removeprefix(WHSEC), validate=True)
        except ValueError:
            yield f"{where}.secret: what stands behind {WHSEC} must be base64; make one by openssl rand -base64 32"


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
