"""The rule set of Gadianton (GA 1a).

Robbers murder by night, the town accuses by day, and cards are shown.

The clauses on the end decide, not the aims (D-G7), and a side wins as a whole, its dead included (D-G12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicwolf.village.events import Announced, Chose, DeathsAnnounced, Lynched, Opened, PhaseBegan, Told
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.accusation import accusation
from nomicwolf.village.laws.groups import GRAVEYARD_SWITCH, graveyard
from nomicwolf.village.laws.phases import (
    CARDS,
    COMMON,
    Ending,
    cards,
    departures,
    ending,
    executions,
    mortality,
    nights,
)
from nomicwolf.village.lots import by_hand, dealt, hands
from nomicwolf.village.roles.gadianton import gadianton as robber
from nomicwolf.village.roles.gadianton import nephite, prophet
from nomicwolf.village.rules import Dealt, Events, Law, Licences, Refusal, Switch, listed, whenever

ROLES = {r.name: r for r in (robber, prophet, nephite)}


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """GA 2b, GA 2c, D-G1, D-G2: three Gadiantons from twelve players on, else two; a second Prophet from sixteen on."""
    n = len(names)
    if n < 8:
        raise Refusal(f"Gadianton needs at least eight players; there are {n}.", ("GA 2a", "D-G1"))
    given = switches.get("prophets", "by number")
    prophets = int(given) if given.isdecimal() else 2 if n >= 16 else 1
    robbers = 3 if n >= 12 else 2
    deck = ["gadianton"] * robbers + ["prophet"] * prophets + ["nephite"] * (n - robbers - prophets)
    by_moderator, given_by_hand = switches.get("dealt_by_moderator") == "on", hands(chosen)
    if bool(given_by_hand) is not by_moderator or any("=" not in item for item in chosen):
        raise Refusal(
            "The moderator deals: give each player's card, such as --roles Ash=gadianton,Bex=prophet,Cam=nephite ..."
            if by_moderator else "Cards are dealt by lot unless the switch dealt_by_moderator is on; ask for no roles.",
            ("GA 2d", "GA 2e", "D-G14"))
    if by_moderator:
        return by_hand(names, given_by_hand, ("GA 2e", "D-G14"), deck=deck)
    return dealt(names, deck, seed)


def story(game: Game) -> str:
    """Return the full story so far, as the dead may have it: who was dealt what, and what was done in each night."""
    cards = {card.title: [p for p in game.seats if game.roles[p] == name] for name, card in game.cards.items()}
    lines = [f"{title}{'s' * (len(who) > 1)}: {listed(tuple(who))}." for title, who in cards.items() if who]
    night = 0
    for entry in game.entries:
        match entry.event:
            case PhaseBegan("night", number):
                night = number
            case Chose(who, "attack" | "see" as verb, what):
                lines.append(f"Night {night}: {who} chose to {verb} {listed(what)}.")
    return "\n".join(lines)


def tell_the_dead(game: Game, event: DeathsAnnounced | Lynched) -> Events:
    """D-G16: whoever has died gets the full story, and again whenever a night or a day has added to it."""
    just = event.who if isinstance(event, Lynched) else ""
    dead = [p for p in game.seats if p not in game.alive or p in game.shown_dead or p == just]
    return [Told(p, "story", story(game), ()) for p in dead] if game.switches.get("dead_see") == "on" else None


@whenever(Opened, "GA 3i must", "D-G21")
def lots_for_the_silent(game: Game, event: Opened) -> Events:
    """D-G21: where the Gadiantons must kill, all are told at the start what becomes of silence."""
    if game.switches.get("must_kill") != "on":
        return None
    return [Announced("must kill", "The Gadiantons must kill somebody each night: for each of them who has named "
                      "nobody when the night ends, a lot names one who is no Gadianton.")]


dead_see = tuple(whenever(kind, "GA 4b", "D-G16")(tell_the_dead) for kind in (DeathsAnnounced, Lynched))


@whenever(Opened, "GA 2f", "D-G17")
def no_claims_yet(game: Game, event: Opened) -> Events:
    """D-G17: players are told not to claim anything before the first day."""
    return [Announced("claims", "Nobody may claim a role before the first day; a post that does is no deed.")]


LICENCES: Licences = {
    "opened": ("GA 2b", "GA 2c", "GA 2d"), "roles-brought": ("GA 2b", "GA 2c", "GA 2d"),
    "drawn setup": ("GA 2b", "GA 2c", "GA 2d"),
    "removed": ("NC 1c", "D-A2"), "killed departure": ("D-A2", "D-G15"), "killed attack": ("GA 3i",),
    "phase-began night": ("GA 3", "GA 5h"), "stage-began night": ("GA 3", "D-A1"),
    "stage-began discussion": ("GA 5a", "GA 5b", "D-A1"), "declared accuse": ("GA 5b",),
    "declared second": ("GA 5c", "D-G9"), "tried": ("GA 5c", "D-G11"), "stage-began defence": ("GA 5d", "D-A1"),
    "stage-began ballot": ("GA 5e", "D-G10", "D-A1"), "acquitted": ("GA 5f", "D-G10"),
    "announced quiet day": ("GA 5g",),
}
"""By which clauses happens what the rules of several clauses bring about."""

gadianton = Ruleset(
    "gadianton",
    "Gadianton",
    "GA",
    laws=(
        mortality("GA 4b"),
        ending(Ending("gadiantons", "nephites", evil_wins=("GA 6a",), good_wins=("GA 6b",))),
        cards(DeathsAnnounced, Lynched, titles=lambda game, who: f"a {game.cards[game.roles[who]].title}",
              cites=("GA 4a", "GA 5e")),
        executions("GA 5e"),
        accusation(once=True, defence=True, accuse=("GA 5b", "GA 5f", "D-G18"), second=("GA 5c", "D-G9"),
                   verdict=("GA 5e", "D-G10")),
        departures("GA 4b", "D-A2"),
        graveyard("GA 4b", "D-A20"),
        Law("the dead see", rules=(*dead_see, no_claims_yet, lots_for_the_silent)),
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
        CARDS,
        GRAVEYARD_SWITCH,
        *COMMON,
    ),
    smallest=8,
    plain="nephite",
    cards=("GA 2f", "GA 5a", "D-G13"),
    aliases={"robber": "gadianton", "gadiantons": "gadianton", "seer": "prophet", "villager": "nephite"},
    first="night",
    condemned="convicted",
    tells_causes=True,
    rulings="D-G",
    licences=LICENCES,
    evil="gadiantons",
)
