"""What a client says to log in by a token: XOAUTH2, as Google and Microsoft have it, and OAUTHBEARER (RFC 7628)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

BY_TOKEN = ("OAUTHBEARER", "XOAUTH2")
"""The mechanisms, the standard one first."""


class Bearer(Protocol):
    """Knows the token by which the contest logs in, and renews it."""

    def __call__(self, refused: str = "") -> str:
        """Return an access token; another than the *refused* one, if there can be one. `Away` and `Denied` may come."""


def words(mechanism: str, user: str, token: str) -> str:
    r"""Return a client's first words.

    >>> words("XOAUTH2", "wolf", "t0k"), words("OAUTHBEARER", "a,b", "t0k")
    ('user=wolf\x01auth=Bearer t0k\x01\x01', 'n,a=a=2Cb,\x01auth=Bearer t0k\x01\x01')
    """
    if mechanism == "XOAUTH2":
        return f"user={user}\1auth=Bearer {token}\1\1"
    name = user.replace("=", "=3D").replace(",", "=2C")
    return f"n,a={name},\1auth=Bearer {token}\1\1"


def speaker(mechanism: str, user: str, token: str) -> Callable[[bytes], bytes]:
    """Return what answers a server: its first word by ours, and why it refuses them by nothing but a nod (3.2.3)."""
    said = iter([words(mechanism, user, token).encode()])
    nod = b"\1" if mechanism == "OAUTHBEARER" else b""
    return lambda _: next(said, nod)


def by_token_only(mechanisms: Iterable[str]) -> bool:
    """Whether a server that offers these *mechanisms* takes tokens, and no password in any way."""
    offered = {each.upper() for each in mechanisms}
    return bool(offered) and offered <= set(BY_TOKEN)
