"""What a rule set leaves open, and what is chosen for a session."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from nomicwolf.dataclass import dataclass
from nomicwolf.village.rules import Refusal

if TYPE_CHECKING:
    from nomicwolf.village.kernel import Ruleset

OF_ALL: Final = ("settling", "cover")
"""What can be chosen beside a rule set's own switches, in every game."""


@dataclass(frozen=True)
class Switch:
    """A decision that the contestmaster may take otherwise: *values* with the default first.

    Without *values* it is free text, which matches the regular expression *form*; *like* says in words what that is.
    """

    name: str
    values: tuple[str, ...]
    decision: str
    says: str
    default: str = ""
    form: str = ".*"
    like: str = ""

    @property
    def usual(self) -> str:
        """The default value."""
        return self.default or self.values[0]


def with_switches(ruleset: Ruleset, given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return all switches of *ruleset* with *given* in place of defaults; raise `Refusal` for what it has not."""
    known = {s.name: s for s in ruleset.switches}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, [*known, *OF_ALL], 1)
            what = f"did you mean {near[0]}?" if near else f"it has {', '.join(sorted(known)) or 'none'}."
            raise Refusal(f"{ruleset.name} has no switch {name!r}; {what}")
        values = known[name].values
        if values and value not in values:
            can = ", ".join(values)
            raise Refusal(f"The switch {name} can be {can}; it can't be {value!r}.", (known[name].decision,))
        if not values and not re.fullmatch(known[name].form, value):
            raise Refusal(f"The switch {name} is {known[name].like}; it can't be {value!r}.", (known[name].decision,))
    return tuple((s.name, given.get(s.name, s.usual)) for s in ruleset.switches)
