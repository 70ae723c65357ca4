"""Gadianton: robbers by night, accusations by day, cards shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicwolf.village.events import DeathsAnnounced, Lynched
from nomicwolf.village.kernel import Ruleset, Switch
from nomicwolf.village.laws.accusation import accusation
from nomicwolf.village.laws.ending import Ending, ending
from nomicwolf.village.laws.nights import cards, executions, nights
from nomicwolf.village.laws.phases import departures, mortality
from nomicwolf.village.laws.stages import DEADLINES
from nomicwolf.village.roles.gadianton import gadianton as robber
from nomicwolf.village.roles.gadianton import nephite, prophet
from nomicwolf.village.rules import Refused
from nomicwolf.village.rulesets.decks import Dealt, by_hand, dealt, hands

ROLES = {r.name: r for r in (robber, prophet, nephite)}


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """GA 2b, 2c, D-G1, D-G2: three Gadiantons from twelve players on, else two; a second Prophet from sixteen on."""
    n = len(names)
    if n < 8:
        raise Refused(f"Gadianton needs at least eight players; there are {n}.", ("GA 2a", "D-G1"))
    if hands(chosen):
        return by_hand(names, hands(chosen), ("GA 2e", "D-G14"))
    given = switches.get("prophets", "by number")
    prophets = int(given) if given.isdigit() else 2 if n >= 16 else 1
    robbers = 3 if n >= 12 else 2
    deck = ["gadianton"] * robbers + ["prophet"] * prophets + ["nephite"] * (n - robbers - prophets)
    return dealt(names, deck, seed)


gadianton = Ruleset(
    "gadianton",
    "Gadianton",
    "GA",
    laws=(
        mortality("GA 4b"),
        ending(Ending("gadiantons", "nephites", evil_wins=("GA 6a",), good_wins=("GA 6b",))),
        cards(DeathsAnnounced, Lynched, titles=lambda game, who: f"a {ROLES[game.roles[who]].title}",
              cites=("GA 4a", "GA 5e")),
        executions("GA 5e"),
        accusation(once=True, defence=True, cites=("GA 5b", "GA 5c", "D-G9", "D-G11"), verdict=("GA 5e", "D-G10")),
        departures("GA 4b"),
        nights(opens=("GA 3",), night=("GA 3i", "GA 5h"), dawn=("GA 4a",)),
    ),
    roles=ROLES,
    deal=deal,
    switches=(
        Switch("prophets", ("by number", "1", "2"), "D-G2", "how many Prophets there are"),
        Switch("must_kill", ("off", "on"), "D-G14", "whether the Gadiantons have to kill somebody each night"),
        Switch("answer_aloud", ("off", "on"), "D-G14", "whether all hear the Prophet's answer"),
        Switch("dealt_by_moderator", ("off", "on"), "D-G14", "whether the contestmaster deals by hand"),
        Switch("dead_see", ("on", "off"), "D-G16", "whether the dead are told everything"),
        Switch("departure", ("kill", "stay"), "D-G15", "what leaving in mid-session does"),
        Switch("reveal_after", ("on", "off"), "D-N23", "whether all roles are published after the session"),
        Switch("dawn", (), "D-N24", "times of day (UTC) at which dawn may be announced", default="08:00, 20:00"),
        DEADLINES,
    ),
    smallest=8,
    first="night",
)
