"""Settings, from `contest.toml` and the environment."""

from nomicwolf.settings.keys import (
    ArchiveSettings,
    ContestSettings,
    ImapSettings,
    LedgerSettings,
    LimitSettings,
    MaildirSettings,
    MboxSettings,
    NomicSettings,
    Person,
    Settings,
    SettingsError,
    SmtpSettings,
)
from nomicwolf.settings.load import key_file, load, make_key, secret_of

__all__ = [
    "ArchiveSettings",
    "ContestSettings",
    "ImapSettings",
    "LedgerSettings",
    "LimitSettings",
    "MaildirSettings",
    "MboxSettings",
    "NomicSettings",
    "Person",
    "Settings",
    "SettingsError",
    "SmtpSettings",
    "key_file",
    "load",
    "make_key",
    "secret_of",
]
