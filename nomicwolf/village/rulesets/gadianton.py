"""The rule set of Gadianton (GA 1a), with its roles.

Robbers murder by night and Prophets ask, the town accuses by day, and cards are shown.

The clauses on the end decide, not the aims (D-G7), and a side wins as a whole, its dead included (D-G12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nomicwolf.village.events import (
    Announced,
    Chose,
    DeathsAnnounced,
    Lynched,
    Opened,
    PhaseBegan,
    Replaced,
    Seen,
    Told,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import GRAVEYARD_SWITCH, PACK, PROPHETS, among, attack, graveyard
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
from nomicwolf.village.laws.trials import accusation
from nomicwolf.village.lots import by_hand, dealt, hands
from nomicwolf.village.role_file import Terms, from_files
from nomicwolf.village.rules import (
    Dealt,
    Duty,
    Events,
    Law,
    Licences,
    Refusal,
    Role,
    Switch,
    acquainted,
    anyone,
    listed,
    looks_evil,
    whenever,
    while_night_is_open,
)


@whenever(Seen, "GA 3ii aloud", "D-G14")
def aloud(game: Game, event: Seen) -> Events:
    """GA 3ii aloud: all hear yes or no, and nothing of who was meant."""
    if game.switches.get("answer_aloud") != "on":
        return None
    return [Announced("answer aloud", f"The answer was {'yes' if event.evil else 'no'}.")]


def look(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """GA 3ii: let *me* see whether the one named is a Gadianton."""
    return [Seen(me, it, looks_evil(game, it, "gadiantons")) for it in what]


@whenever(Seen, "GA 3ii", "D-G3", "D-G6")
def answer(game: Game, event: Seen) -> Events:
    """D-G3: each Prophet asks one question, and all Prophets hear the answers, in that night still (D-G6)."""
    text = f"{event.who} is {'' if event.evil else 'not '}a Gadianton."
    return [Told(p, "seen", text, (event.who,)) for p in game.living("prophet")]


kill, kill_rules = attack("gadianton", must="must_kill", stopped=stopped, cites=("GA 3i", "D-G4", "D-G5", "D-G21"))
ask = Duty(
    "see", while_night_is_open, anyone, look, may_pass=True, cites=("GA 3ii", "D-G3", "D-G20"),
    says="see NAME: learn whether e is a Gadianton; all Prophets hear it",
)
robber = Role(
    "gadianton", "gadiantons", (kill, among(PACK, "gadianton", cites=("GA 3i",))),
    (*kill_rules, *acquainted("gadianton", topic="pack", text="The Gadiantons are: {}.", cites=("GA 3i",))),
    title="Gadianton", cites=("GA 1b", "GA 3i"),
    story="You are a Gadianton. By night you and your fellows choose one person to kill, or nobody.",
    kills={"night": "the Gadiantons"},
)
prophet = Role(
    "prophet", "nephites", (ask, among(PROPHETS, "prophet", cites=("D-G3",))),
    (answer, aloud, *acquainted(
        "prophet", topic="prophets", text="The Prophets are: {}.", alone="You are the only Prophet.", cites=("D-G3",))),
    title="Prophet", cites=("GA 1d", "GA 3ii"),
    story="You are a Prophet, on the Nephites' side. By night you ask about one person, and learn whether e is a "
    "Gadianton.",
)
nephite = from_files("gadianton", Terms("gadiantons", "nephites"))["nephite"]


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
            case Replaced(old, new):
                lines.append(f"{new} took over from {old}, whose deeds are told as {new}'s.")
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
    return [Announced("claims", "Nobody may claim a role before the first day; a post that does has no effect.")]


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
