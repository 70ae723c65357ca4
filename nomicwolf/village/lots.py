r"""Chance from a seed: draws, rows, decks.

The ticket of an option is the SHA-256 of the UTF-8 text ``nomicwolf draw 1\n<seed>\n<place>\n<option>\n``;
the smallest tickets win, so anyone can redo every draw once the seed is out. The commitment is published when a session
starts, and one for the role of each player. Ties are broken by lot, and the record tells how.

An item of a list of roles may be rows of which the seed chooses one, as open setups of forums have them:
``cop+doctor|mason+mason|nothing``. Everyone may know the rows; which one was drawn is known when the seed is.

Cards of a deck go by lot, or by the contestmaster's own hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, product
from typing import Final, TypeAlias

from nomicwolf.village.events import Announced, Drawn, Event
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Dealt, Refusal, Role, listed


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
    """Return what hides the role of *who* in its commitment, 64 hex digits; told to them alone until *seed* is out."""
    return sha256(f"nomicwolf nonce 1\n{seed}\n{who}\n".encode()).hexdigest()


def role_commitment(contest: str, session: int, who: str, role: str, hidden: str) -> str:
    """Return the hash that binds the contestmaster to the *role* of *who*, 64 hex digits; *hidden* is their `nonce`."""
    return sha256(f"nomicwolf role 1\n{contest}\n{session}\n{who}\n{role}\n{hidden}\n".encode()).hexdigest()


def roles_bound(contest: str, session: int, seed: str, dealt: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return each player of *dealt* (player, role) with the commitment to their role, in that order."""
    return tuple((who, role_commitment(contest, session, who, role, nonce(seed, who))) for who, role in dealt)


def half_commitment(contest: str, session: int, half: str) -> str:
    """Return the hash that binds the contestmaster's *half* of a seed before players add to it, 64 hex digits."""
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


Row: TypeAlias = tuple[str, ...]
NOTHING: Final = "nothing"
"""What a row without roles is called."""
MOST_CASES: Final = 1000
"""In how many ways the rows of one setup may fall."""
ROW: Final = "row"
"""What the lots are drawn for: ``row 1``."""


def item_of(rows: Iterable[Row]) -> str:
    """Return the item of a list of roles that is a choice of one of *rows*.

    >>> item_of([("cop", "doctor"), ()])
    'cop+doctor|nothing'
    """
    return "|".join("+".join(row) or NOTHING for row in rows)


def is_choice(item: str) -> bool:
    """Return whether an *item* of a list of roles is a choice of rows."""
    return "|" in item


def rows_of(item: str) -> tuple[Row, ...]:
    """Return the rows of which *item* is one; a plain role is the one row of itself.

    >>> rows_of("cop + doctor | nothing"), rows_of("cop")
    ((('cop', 'doctor'), ()), (('cop',),))
    """
    parts = (tuple(role.strip() for role in row.split("+")) for row in item.split("|"))
    return tuple(() if row == (NOTHING,) else row for row in parts)


def possible(items: Iterable[str]) -> tuple[str, ...]:
    """Return every role that *items* can bring, in their order, as often as they name it."""
    return tuple(role for item in items for row in rows_of(item) for role in row)


def cases(items: Sequence[str]) -> Iterator[Row]:
    """Yield the roles of *items* in each of the ways in which their rows can fall.

    >>> list(cases(["cop", "doctor|mason+mason"]))
    [('cop', 'doctor'), ('cop', 'mason', 'mason')]
    """
    return (tuple(chain(*rows)) for rows in product(*map(rows_of, items)))


def cast(items: Sequence[str], seed: str) -> tuple[Row, tuple[Drawn, ...]]:
    """Return the roles of *items* as *seed* has their rows fall, and the lots.

    The options of the first choice's lot, ``row 1``, are its rows with their numbers: ``2 cop+doctor``.
    """
    roles, lots = list[str](), list[Drawn]()
    for item in items:
        if not is_choice(item):
            roles.append(item)
            continue
        rows, place = rows_of(item), f"{ROW} {len(lots) + 1}"
        options = tuple(f"{number} {item_of([row])}" for number, row in enumerate(rows, 1))
        (won,) = draw(seed, place, options)
        lots.append(Drawn(place, options, (won,)))
        roles += rows[options.index(won)]
    return tuple(roles), tuple(lots)


def dealt(names: Sequence[str], deck: Sequence[str], seed: str) -> Dealt:
    """Deal *deck* (one card a player) by lot: returns (player, role) in seat order, and the lots drawn.

    Roles are drawn one after the other in the order in which they first are in *deck*; whoever is left over gets
    the last.
    """
    kinds = list(dict.fromkeys(deck))
    left, roles, drawn = sorted(names), {}, []
    for role in kinds[:-1]:
        holders = draw(seed, role, left, deck.count(role))
        drawn.append(Drawn(role, tuple(left), holders))
        roles.update(dict.fromkeys(holders, role))
        left = [p for p in left if p not in roles]
    return tuple((p, roles.get(p, kinds[-1])) for p in names), tuple(drawn)


def by_hand(
    names: Sequence[str], given: Mapping[str, str], cites: tuple[str, ...], *, known: Iterable[str] = (),
    deck: Sequence[str] = (),
) -> Dealt:
    """Return the deal that the contestmaster gave by hand, without a draw (D-G14).

    Raises `Refusal` if it is not one *known* role for each player, or, where there is a *deck*, not its cards.
    """
    roles = tuple(known or deck)
    odd = sorted({*(set(names) ^ set(given)), *(p for p, role in given.items() if role not in roles)})
    if odd:
        raise Refusal(f"Give each player one role; look at: {', '.join(odd)}.", cites, tuple(dict.fromkeys(roles)))
    if deck and Counter(given.values()) != Counter(deck):
        cards = ", ".join(f"{n} {role}" for role, n in Counter(deck).items())
        raise Refusal(f"The cards are {cards}; deal these.", cites)
    return tuple((p, given[p]) for p in names), ()


def as_asked(
    names: Sequence[str], chosen: Sequence[str], seed: str, roles: Mapping[str, Role], *,
    plain: str, cites: tuple[str, ...],
) -> Dealt:
    """Deal the roles that *chosen* lists, and *plain* to all others: for games whose text gives no counts.

    *chosen* may also say who gets what (see `hands`). Raises `Refusal` by the clauses *cites* for a role that isn't
    among *roles*, or for more roles than players.
    """
    if given := hands(chosen):
        return by_hand(names, given, cites, known=roles)
    if unknown := [role for role in chosen if role not in roles]:
        raise Refusal(f"These rules have no role {unknown[0]}.", cites, tuple(roles))
    if len(chosen) > len(names):
        raise Refusal(f"There are {len(chosen)} roles and {len(names)} players.", cites)
    return dealt(names, [*sorted(chosen), *[plain] * (len(names) - len(chosen))], seed)


def hands(chosen: Sequence[str]) -> dict[str, str]:
    """Return who gets which role, from items such as ``Ash=gadianton``."""
    pairs = (item.partition("=") for item in chosen if "=" in item)
    return {who.strip(): role.strip() for who, _, role in pairs}
