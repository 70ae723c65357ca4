"""Decks, and the deal of roles.

Cards go by lot, or by the contestmaster's own hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from nomicwolf.village.events import Drawn
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Dealt, Refusal, Role


def dealt(names: Sequence[str], deck: Sequence[str], seed: str) -> Dealt:
    """Deal *deck* (one card a player) by lot: returns (player, role) in seat order, and the lots drawn.

    Roles are drawn one after the other in the order in which they first stand in *deck*; whoever is left over gets
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
    evil: str, plain: Role, example: str, cites: tuple[str, ...],
) -> Dealt:
    """Deal the roles that *chosen* lists, and *plain* to all others: for games whose text gives no counts.

    *chosen* may also say who gets what (see `hands`). Raises `Refusal` by the clauses *cites* for a role that isn't
    among *roles*, if none is of the side *evil*, or for more roles than players; *example* shows how roles are listed.
    """
    if given := hands(chosen):
        return by_hand(names, given, cites, known=roles)
    if any(r not in roles for r in chosen) or not any(roles[r].side == evil for r in chosen):
        raise Refusal(
            f"These rules name no counts: say which roles are in play, such as --roles {example}; the others are "
            f"{plain.title}s.", cites, tuple(roles))
    if len(chosen) > len(names):
        raise Refusal(f"There are {len(chosen)} roles and {len(names)} players.", cites)
    return dealt(names, [*sorted(chosen), *[plain.name] * (len(names) - len(chosen))], seed)


def hands(chosen: Sequence[str]) -> dict[str, str]:
    """Return who gets which role, from items such as ``Ash=gadianton``."""
    pairs = (item.partition("=") for item in chosen if "=" in item)
    return {who.strip(): role.strip() for who, _, role in pairs}
