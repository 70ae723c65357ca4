"""What a client says to log in: by a token (XOAUTH2, and OAUTHBEARER of RFC 7628), or by SCRAM (RFC 5802, 7677)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from nomicwolf.post.errors import Denied

BY_TOKEN = ("OAUTHBEARER", "XOAUTH2")
"""The mechanisms, the standard one first."""
BY_PROOF = ("SCRAM-SHA-256", "SCRAM-SHA-1")
"""The mechanisms by which a password isn't told, but proved, and the server proves that it knows it; the best first."""


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
    """Return what answers a server: its first word by ours, and why it refuses them by nothing but a nod (3.2.3).

    imapclient's own `oauthbearer_login` tells the token once more there.
    """
    said = iter([words(mechanism, user, token).encode()])
    nod = b"\1" if mechanism == "OAUTHBEARER" else b""
    return lambda _: next(said, nod)


def by_token_only(mechanisms: Iterable[str]) -> bool:
    """Whether a server that offers these *mechanisms* takes tokens, and no password in any way."""
    offered = {each.upper() for each in mechanisms}
    return bool(offered) and offered <= set(BY_TOKEN)


def by_proof(mechanisms: Iterable[str]) -> str:
    """Return the best mechanism by proof that is offered, '' if none is."""
    offered = {each.upper() for each in mechanisms}
    return next((each for each in BY_PROOF if each in offered), "")


class Proof:
    """What answers a server's challenges in a login by proof; the server has *proved* itself, too, in the end."""

    def __init__(self, mechanism: str, user: str, password: str, where: str) -> None:
        from scramp import ScramClient

        self._client = ScramClient([mechanism], user, password)
        self._where = where
        self._step = 0
        self.proved = False

    def __call__(self, challenge: bytes) -> bytes:
        """Return the answer to a challenge; `Denied` if the server doesn't prove that it knows the password."""
        from scramp import ScramException

        self._step += 1
        try:
            if self._step == 1:
                return str(self._client.get_client_first()).encode()
            if self._step == 2:
                self._client.set_server_first(challenge.decode())
                return str(self._client.get_client_final()).encode()
            self._client.set_server_final(challenge.decode())
        except (ScramException, UnicodeDecodeError) as error:
            raise self.unproved() from error
        self.proved = True
        return b""

    def unproved(self) -> Denied:
        """Return what is wrong with a server that lets us in and proves nothing."""
        return Denied(f"{self._where}: doesn't prove that it knows the password, so it may be somebody else's server; "
                      "look at its name, and tell whoever runs it")
