"""What lots and commitments are hashes of: whoever has the seed can make them again (D-N23, docs on proofs)."""

from __future__ import annotations

from hashlib import sha256

from nomicwolf.village import lots
from tests.tables import each


def digest(text: str) -> str:
    """Return the SHA-256 of *text*, in hex digits."""
    return sha256(text.encode()).hexdigest()


@each(("made", "text"), [
    (lots.ticket("7", "lynching, day 1", "Ash").hex(), "nomicwolf draw 1\n7\nlynching, day 1\nAsh\n"),
    (lots.commitment("fair", 2, "7"), "nomicwolf seed 1\nfair\n2\n7\n"),
    (lots.nonce("7", "Ash"), "nomicwolf nonce 1\n7\nAsh\n"),
    (lots.role_commitment("fair", 2, "Ash", "seer", "abc"), "nomicwolf role 1\nfair\n2\nAsh\nseer\nabc\n"),
    (lots.half_commitment("fair", 2, "77"), "nomicwolf half 1\nfair\n2\n77\n"),
    (lots.mixed_seed("77", []), "nomicwolf seed from 1\n77\n"),
    (lots.mixed_seed("77", [("Ash", "a1"), ("Bex", "b2")]), "nomicwolf seed from 1\n77\nAsh\na1\nBex\nb2\n"),
])
def test_a_hash_is_of_these_lines(made: str, text: str) -> None:
    """Each line ends in a newline; the first says what it is, and of which version."""
    assert made == digest(text)


def test_each_role_is_bound_by_its_own_hash() -> None:
    """In the order of the deal, each hidden by the player's own nonce."""
    bound = lots.roles_bound("fair", 2, "7", [("Bex", "seer"), ("Ash", "villager")])

    assert bound == tuple((who, lots.role_commitment("fair", 2, who, role, lots.nonce("7", who)))
                          for who, role in (("Bex", "seer"), ("Ash", "villager")))


def test_the_best_tickets_win() -> None:
    """The smallest hashes of seed, purpose and name, whatever the order of the names; one unless more are asked for."""
    names = ["Ash", "Bex", "Cam", "Dov"]
    ranked = sorted(names, key=lambda who: lots.ticket("7", "deal", who))

    assert lots.draw("7", "deal", names) == (ranked[0],)
    assert lots.draw("7", "deal", names[::-1], 3) == tuple(ranked[:3])
