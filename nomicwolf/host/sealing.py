"""Contests' files, sealed with the host's key before they go to the database: passwords are among them."""

from __future__ import annotations

from cryptography.fernet import Fernet, InvalidToken, MultiFernet

from nomicwolf.settings.keys import SettingsError


def new_key() -> str:
    """Return a new key, as text."""
    return Fernet.generate_key().decode()


def seal(key: str, data: bytes) -> bytes:
    """Return *data* so that only who has the host's key can read it, or change it unnoticed."""
    return _keys(key).encrypt(data)


def unseal(key: str, sealed: bytes) -> bytes:
    """Return what was sealed; `SettingsError` if it was with another key, or has been changed."""
    try:
        return _keys(key).decrypt(sealed)
    except InvalidToken as error:
        raise SettingsError(("database.key: doesn't open the contests' files; put back the one before",)) from error


def demand_key(key: str) -> None:
    """Raise `SettingsError` unless *key* is one; whether it is the right one, only what was sealed can tell."""
    _keys(key)


def _keys(text: str) -> MultiFernet:
    try:
        return MultiFernet([Fernet(line) for line in text.split()])
    except ValueError as error:
        raise SettingsError(("database.key: is no key; `nomicwolf host key` makes one",)) from error
