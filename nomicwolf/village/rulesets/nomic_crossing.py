"""The Werewolves of Nomic Crossing.

It is the contract of two nomics; its whole name is that of NC 1a (D-N54).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicwolf.village.events import Drawn
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.groups import GRAVEYARD_SWITCH, LOVERS, always_open, between, graveyard
from nomicwolf.village.laws.majority import DAY_LIMIT, day_limit, majority
from nomicwolf.village.laws.phases import CARDS, Ending, dawn_switch, departures, ending, mortality, phases
from nomicwolf.village.lots import draw
from nomicwolf.village.roles.nomic_crossing import LOVE, cupid, hunter, lovers, seer, villager, werewolf, witch
from nomicwolf.village.rules import Course, Dealt, Law, Refusal, Switch

OPTIONAL = ("seer", "witch", "hunter", "cupid")


def werewolves(n: int) -> int:
    """Return how many of *n* townspersons are werewolves (NC 2b).

    >>> [werewolves(n) for n in range(5, 12)]
    [1, 1, 1, 2, 2, 2, 3]
    """
    return 1 + (n - 5) // 3


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """NC 2b, 2c: draw the werewolves, then a different villager for each role in *chosen*.

    Returns (player, role) in seat order, and the lots drawn; the order of *names* does not matter to who gets
    what. Raises `Refusal` for fewer than five players (NC 2) or a role that the contract does not have.
    """
    if len(names) < 5:
        raise Refusal(f"A session needs at least five contestants; there are {len(names)}.", ("NC 2",))
    unknown = [r for r in chosen if r not in OPTIONAL]
    if unknown or len(set(chosen)) != len(chosen):
        raise Refusal(f"Optional roles are {', '.join(OPTIONAL)}, each at most once.", ("NC 7", "NC 2c"), OPTIONAL)
    pack = draw(seed, "werewolves", names, werewolves(len(names)))
    drawn = [Drawn("werewolves", tuple(sorted(names)), pack)]
    roles = dict.fromkeys(names, "villager") | dict.fromkeys(pack, "werewolf")
    for role in (r for r in OPTIONAL if r in chosen):
        free = tuple(sorted(p for p in names if roles[p] == "villager"))
        (holder,) = draw(seed, role, free)
        roles[holder] = role
        drawn.append(Drawn(role, free, (holder,)))
    return tuple((p, roles[p]) for p in names), tuple(drawn)


def nobody_left(game: Game) -> str:
    """D-N18: with nobody left on either side both 5a and 5b hold."""
    return "werewolves" if game.switch("nobody_left") == "werewolves" else "draw"


SWITCHES = (
    Switch("departure", ("stay", "kill"), "D-N11", "what leaving the contract in mid-session does to a townsperson"),
    Switch("hunter_pause", ("closed", "open"), "D-N12", "whether votes go on while a lynched Hunter chooses"),
    Switch("parity", ("after-cascade", "immediate"), "D-N17", "when parity is tested while a Hunter's choice is owed"),
    Switch("nobody_left", ("werewolves", "draw"), "D-N18", "who wins if nobody is left"),
    Switch("copy_wording", ("ask", "track", "pin"), "D-N6", "what 'I vote as Bex does' means"),
    Switch("reveal_after", ("on", "off"), "D-N23", "whether all roles are published after the session"),
    dawn_switch("times of day (UTC) at which dawn may be announced"),
    Switch("lovers_vote", ("free", "spared"), "D-N16", "whether a Lover's vote for eir Lover counts"),
    CARDS,
    DAY_LIMIT,
    GRAVEYARD_SWITCH,
)

nomic_crossing = Ruleset(
    "nomic-crossing",
    "The Werewolves of Nomic Crossing",
    "NC",
    laws=(
        mortality("NC 2a"),
        ending(Ending("werewolves", "villagers", survivors_only=True, neither=nobody_left,
               evil_wins=("NC 5b",), good_wins=("NC 5a",))),
        majority({"werewolves": "werewolf", "villagers": "not a werewolf"}, "NC 3", "D-N4",
                 disclosing=("NC 3", "D-N32")),
        departures("NC 2a", "D-N11"),
        Law("lovers", (between(LOVERS, lovers, always_open, ("NC 7d",)),), LOVE),
        day_limit("NC 1e", "D-N56"),
        graveyard("NC 2a", "D-A20"),
        phases("day", opens=("NC 2d", "D-N2"), night=("NC 3",), dawn=("NC 4c", "D-N22", "D-N24")),
    ),
    roles={r.name: r for r in (villager, werewolf, seer, witch, hunter, cupid)},
    deal=deal,
    switches=SWITCHES,
    optional=OPTIONAL,
    plain="villager",
    person="townsperson",
    aliases={"wolf": "werewolf", "townsperson": "villager"},
    first="day",
    rulings="D-N",
    course=Course(),
)
