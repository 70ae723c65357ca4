"""A quiet village: two werewolves or more, a majority lynches by day, a pack agrees by night, and nobody is special."""

from collections.abc import Mapping, Sequence

from nomicwolf.village.events import Drawn
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.majority import majority
from nomicwolf.village.laws.phases import Ending, dawn_switch, departures, ending, mortality, phases
from nomicwolf.village.lots import dealt
from nomicwolf.village.rules import Refusal, Switch
from nomicwolf.village.rulesets.nomic_crossing import villager, werewolf


def deal(
    names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]
) -> tuple[tuple[tuple[str, str], ...], tuple[Drawn, ...]]:
    """One werewolf for every four players; raises `Refusal` for fewer than eight, or for any other role."""
    if len(names) < 8 or chosen:
        raise Refusal("A quiet village has eight players or more, and nobody special.")
    pack = len(names) // 4
    return dealt(names, ["werewolf"] * pack + ["villager"] * (len(names) - pack), seed)


quiet_village = Ruleset(
    "quiet-village",
    "A quiet village",
    "QV",
    laws=(
        mortality("QV 1"),
        ending(Ending("werewolves", "villagers", evil_wins=("QV 4",), good_wins=("QV 4",))),
        majority({"werewolves": "werewolf", "villagers": "not a werewolf"}, "QV 2", disclosing=("QV 2",)),
        departures("QV 1"),
        phases("day", opens=("QV 1",), night=("QV 3",), dawn=("QV 3",)),
    ),
    roles={role.name: role for role in (villager, werewolf)},
    deal=deal,
    switches=(
        Switch("departure", ("kill", "stay"), "D-A2", "what leaving in mid-session does"),
        Switch("reveal_after", ("on", "off"), "D-N23", "whether all roles are published after the session"),
        dawn_switch("times of day (UTC) at which dawn may be announced"),
    ),
    smallest=8,
    plain="villager",
)
