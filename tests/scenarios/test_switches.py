"""Every value of every switch has a rehearsal; every ruling that has a switch names it; every value is one of them."""

import re
from pathlib import Path
from typing import Any

import pytest

from nomicwolf import plainyaml
from nomicwolf.village.rules import Switch
from nomicwolf.village.rulesets import BUILT_IN, ruleset
from tests.tables import each

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
RULINGS = (HERE.parents[1] / "contract" / "rulings.md").read_text(encoding="utf-8")
SWITCHES = [(name, switch) for name in sorted(BUILT_IN) for switch in ruleset(name).switches]


def played(name: str) -> list[dict[str, str]]:
    """Return the switches of each rehearsal of the rule set *name*."""
    files = sorted((HERE / name).glob("*.yaml"))
    loaded: list[Any] = [plainyaml.load(path.read_text(encoding="utf-8")) for path in files]
    return [rehearsal.get("switches", {}) for rehearsal in loaded]


@each(("name", "switch"), SWITCHES)
def test_every_value_of_a_switch_is_rehearsed(name: str, switch: Switch) -> None:
    """A closed list of values is rehearsed value by value; a free text in its default and in another one."""
    given = {switches.get(switch.name, switch.usual) for switches in played(name)}

    assert set(switch.values or (switch.usual,)) <= given
    assert switch.values or len(given) > 1, f"{switch.name} is never anything but {switch.usual}"


@each("switch", [switch for _, switch in SWITCHES])
def test_every_switch_stands_in_the_ruling_that_it_names(switch: Switch) -> None:
    """The ruling has a line `Switch:` with the same values."""
    ruling = RULINGS.split(f"### {switch.decision}\n", 1)[1].split("\n### ", 1)[0]
    (line,) = re.findall(rf"^- Switch: `{switch.name}` = (.*)$", ruling, re.MULTILINE)

    assert set(switch.values) <= set(re.findall(r"`([^`]*)`", line))
