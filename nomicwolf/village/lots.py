r"""Chance as a function of seed and place.

The ticket of an option is the SHA-256 of the UTF-8 text ``nomicwolf draw 1\n<seed>\n<place>\n<option>\n``;
the smallest tickets win, so anyone can redo every draw once the seed is out. The commitment is published when a session
starts, and one for the role of each player. Ties are broken by lot, and the record tells how.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256

from nomicwolf.village.events import Announced, Drawn, Event
from nomicwolf.village.game import Game
from nomicwolf.village.rules import listed


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


def most(game: Game, place: str, named: Iterable[str]) -> tuple[str, tuple[Drawn, ...]]:
    """Return the most frequent of *named*, and the lot if there was a tie; '' if nobody was named.

    The lot is drawn at *place*, which must be unlike any other of the session.
    """
    counts = Counter(named)
    if not counts:
        return "", ()
    top = max(counts.values())
    tied = sorted(name for name, n in counts.items() if n == top)
    return by_lot(game, place, tied)


def by_lot(game: Game, place: str, tied: Sequence[str]) -> tuple[str, tuple[Drawn, ...]]:
    """Return one of *tied*, drawn by lot if they are several, and the record of the draw."""
    if len(tied) == 1:
        return tied[0], ()
    seed = game.opened.seed if game.opened else ""
    (won,) = draw(seed, place, tied)
    return won, (Drawn(place, tuple(tied), (won,)),)


def public_lot(game: Game, place: str, tied: Sequence[str]) -> tuple[str, tuple[Event, ...]]:
    """Return one of *tied*, drawn by lot if they are several; the record of the draw, and that everyone is told."""
    won, drawn = by_lot(game, place, tied)
    words = f"It is a tie between {listed(tuple(tied))}; the lot falls on {won}."
    return won, (*drawn, Announced("a lot", words, (won,))) if drawn else ()
