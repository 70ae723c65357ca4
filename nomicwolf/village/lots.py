r"""Chance as a function of a seed and a place: every draw can be redone by anyone once the seed is out.

The ticket of an option is the SHA-256 of the UTF-8 text ``nomicwolf draw 1\n<seed>\n<place>\n<option>\n``;
the smallest tickets win. The commitment is published when a session starts, and one for the role of each player.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256


def ticket(seed: str, place: str, option: str) -> bytes:
    """Return the ticket of *option* at *place*, 32 bytes."""
    return sha256(f"nomicwolf draw 1\n{seed}\n{place}\n{option}\n".encode()).digest()


def draw(seed: str, place: str, options: Iterable[str], number: int = 1) -> tuple[str, ...]:
    """Return *number* of *options* by lot, best ticket first; the order of *options* does not matter.

    >>> draw("7", "deal", ["Ash", "Bex", "Cam"]) == draw("7", "deal", ["Cam", "Ash", "Bex"])
    True
    """
    return tuple(sorted(options, key=lambda o: ticket(seed, place, o))[:number])


def commitment(contest: str, session: int, seed: str) -> str:
    """Return the hash that binds the contestmaster to *seed* before anyone acts, 64 hex digits."""
    return sha256(f"nomicwolf seed 1\n{contest}\n{session}\n{seed}\n".encode()).hexdigest()


def nonce(seed: str, who: str) -> str:
    """Return what hides the role of *who* in its commitment, 64 hex digits; told to em alone until *seed* is out."""
    return sha256(f"nomicwolf nonce 1\n{seed}\n{who}\n".encode()).hexdigest()


def role_commitment(contest: str, session: int, who: str, role: str, hidden: str) -> str:
    """Return the hash that binds the contestmaster to the *role* of *who*, 64 hex digits; *hidden* is eir `nonce`."""
    return sha256(f"nomicwolf role 1\n{contest}\n{session}\n{who}\n{role}\n{hidden}\n".encode()).hexdigest()


def roles_bound(contest: str, session: int, seed: str, dealt: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return each player of *dealt* (player, role) with the commitment to eir role, in that order."""
    return tuple((who, role_commitment(contest, session, who, role, nonce(seed, who))) for who, role in dealt)


def half_commitment(contest: str, session: int, half: str) -> str:
    """Return the hash that binds the contestmaster to eir *half* of a seed before players add to it, 64 hex digits."""
    return sha256(f"nomicwolf half 1\n{contest}\n{session}\n{half}\n".encode()).hexdigest()


def mixed_seed(half: str, letters: Iterable[tuple[str, str]]) -> str:
    """Return the seed that is made of *half* and of *letters* (author, digest) in their order, 64 hex digits."""
    added = "".join(f"{who}\n{digest}\n" for who, digest in letters)
    return sha256(f"nomicwolf seed from 1\n{half}\n{added}".encode()).hexdigest()
