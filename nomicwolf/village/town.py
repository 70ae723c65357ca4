"""The public record at one instant.

It is all that a condition may look at besides the votes (NC 3).

Nothing here is secret. What the record does not tell is unknown, never guessed: see ``Town.known``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, Literal

from nomicwolf.village.ballots import After, Alive, Before, Condition, Day, Dead, Fact, Fixed, InPhase, Operator, Was

LOOSE: Final = "\0loose"
"""What stands for a vote that some condition decides (``unconditional``); nobody is called so."""
UNKNOWN: Final = "\0unknown"
"""What stands for a vote that has not been followed to its end yet; nobody is called so."""
NOT_A_WEREWOLF: Final = "not a werewolf"
"""What is disclosed of a lynched townsperson who was none (NC 3, 6b); the same as the villagers' side."""


@dataclass(frozen=True)
class Town:
    """Who lives, who has been killed, and what everyone knows, at one instant.

    *living* are the townspersons in seat order; *dead* those whose death is public; *disclosed* maps a name
    to the side that was published ("werewolf", "villager", "not a werewolf", or another rule set's word);
    *day* is the number of the current or last day; *now* is in UTC seconds; *facts* are what the
    contestmaster has published, by their text; with *own_votes* one may vote for oneself (D-T23, D-M18). The last so
    many of *living* as *verdicts* says are no persons, but can be voted for: guilty and innocent. *weights* has how
    many votes a person has whose ballot counts as another number than one.
    """

    living: tuple[str, ...]
    dead: tuple[str, ...] = ()
    disclosed: Mapping[str, str] = field(default_factory=dict)
    day: int = 1
    phase: Literal["day", "night"] = "day"
    now: int = 0
    facts: Mapping[str, bool] = field(default_factory=dict)
    own_votes: bool = False
    verdicts: int = 0
    weights: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def by_seat(self) -> list[int]:
        """How many votes each of the living has, by seat."""
        return [self.weights.get(name, 1) for name in self.living]

    @cached_property
    def seats(self) -> dict[str, int]:
        """The place of each living townsperson, from 0."""
        return {name: seat for seat, name in enumerate(self.living)}

    @cached_property
    def unknown(self) -> dict[str, str | None]:
        """Each living townsperson's vote while nothing is known; not to be changed, a copy is quickly made."""
        return dict.fromkeys(self.living, UNKNOWN)

    @cached_property
    def places(self) -> dict[str | None, int]:
        """What a vote for each is among seats: -1 for nobody, and -2 for one that is ``LOOSE``."""
        places: dict[str | None, int] = {None: -1, LOOSE: -2}
        places.update(self.seats)
        return places

    def at(self, now: int) -> Town:
        """The same record at another instant (UTC seconds)."""
        town = object.__new__(Town)
        town.__dict__.update(self.__dict__, now=now, seats=self.seats)
        return town

    @property
    def majority(self) -> int:
        """How many votes are more than half of the living (NC 3), without those who have none."""
        voters = len(self.living) - self.verdicts
        return (voters - self.by_seat.count(0) if self.weights else voters) // 2 + 1

    def side(self, who: str, side: str) -> bool | None:
        """Whether *who* was a *side*; None until it has been disclosed."""
        told = self.disclosed.get(who)
        if told is None:
            return None
        return told == side or (side == "villager" and told == NOT_A_WEREWOLF)

    def known(self, atom: Condition) -> bool | None:
        """Whether the record makes *atom* true; None if it does not tell, or if *atom* is no public one."""
        match atom:
            case Fixed(value):
                return value
            case Alive(who):
                return who in self.seats
            case Dead(who):
                return who in self.dead
            case Was(who, side):
                return self.side(who, side)
            case Day(operator, number):
                return compare(operator, self.day, number)
            case InPhase(phase):
                return self.phase == phase
            case After(instant):
                return self.now >= instant
            case Before(instant):
                return self.now < instant
            case Fact(text):
                return self.facts.get(text)
            case _:
                return None


def compare(operator: Operator, left: int, right: int) -> bool:
    """Whether *left* stands to *right* as *operator* says."""
    low, high, inside = bounds(operator, right)
    within = (low is None or left >= low) and (high is None or left <= high)
    return within is inside


def bounds(operator: Operator, number: int) -> tuple[int | None, int | None, bool]:
    """The whole numbers that *operator* *number* admits: least and greatest (None: no end).

    The third is whether they are those inside (True) or those outside (False: only for ``!=``).
    """
    match operator:
        case ">=":
            return number, None, True
        case ">":
            return number + 1, None, True
        case "<=":
            return None, number, True
        case "<":
            return None, number - 1, True
        case "==":
            return number, number, True
        case "!=":
            return number, number, False
