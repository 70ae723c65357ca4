"""Who signs the letters of a contest, by its settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nomicwolf.settings import Settings, SettingsError

if TYPE_CHECKING:
    from nomicwolf.proofs.signing import Signer


def signer_of(settings: Settings) -> Signer | None:
    """Return what signs letters out, None where the server does; `SettingsError` if the key can't be used."""
    if not settings.domain.dkim_sign:
        return None
    from nomicwolf.proofs.signing import Signer, usable

    path = settings.domain.dkim_key_file
    try:
        pem = usable(path.read_bytes())
    except OSError as error:
        why = f"{error.strerror}; nomicwolf dkim makes a key, or put the one that you have there, for this user to read"
        raise SettingsError((f"domain.dkim_key_file: {path}: {why}",)) from error
    except ValueError as error:
        why = f"{error}; move it away, and nomicwolf dkim makes another"
        raise SettingsError((f"domain.dkim_key_file: {path}: {why}",)) from error
    return Signer(settings.address.rpartition("@")[2].lower(), settings.domain.selector, pem)
