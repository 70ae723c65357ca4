"""The Werewolves of Nomic Crossing, with their roles.

It is the contract of two nomics; its whole name is that of NC 1a (D-N54).

NC 4a: “The werewolves SHALL settle, all of them agreeing, on exactly one villager to attack”.

NC 7a: “The Seer's duty each night is to name another townsperson.”

NC 7b: “which works once a session and keeps the attack from killing when the night ends”.

NC 7c: “Until e has picked, the phase in progress doesn't end.”

NC 7d: “When one Lover is killed, so is the other.”
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from nomicwolf.village.events import Agreed, Chose, Drawn, Ended, Joined, Killed, Removed, Seen, Told
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.groups import (
    GRAVEYARD_SWITCH,
    LOVERS,
    PACK,
    always_open,
    among,
    between,
    graveyard,
    unanimous_attack,
)
from nomicwolf.village.laws.majority import DAY_LIMIT, day_limit, majority
from nomicwolf.village.laws.phases import CARDS, SURRENDER, Ending, dawn_switch, departures, ending, mortality, phases
from nomicwolf.village.lots import draw
from nomicwolf.village.role_file import Terms, from_files
from nomicwolf.village.rules import (
    Course,
    Dealt,
    Duty,
    Events,
    Law,
    Owed,
    Refusal,
    Role,
    Switch,
    acquainted,
    always,
    another,
    anyone,
    at_phase_end,
    each_night,
    hunt_switch,
    instead,
    looks_evil,
    once,
    spared_by,
    whenever,
)

villager = from_files("nomic-crossing", Terms("werewolves", "villagers"))["villager"]
duty, agreeing = unanimous_attack("werewolf", cites=("NC 4a", "D-N13"))
werewolf = Role(
    "werewolf", "werewolves", (duty, among(PACK, "werewolf", opens=always_open, cites=("NC 4a",))),
    (*agreeing, *acquainted("werewolf", topic="pack", text="The werewolves are: {}.", cites=("NC 2b",))),
    title="werewolf", cites=("NC 2b", "NC 4a"),
    story="You are a werewolf. Each night the living werewolves agree on one villager to attack.",
)


@whenever(Seen, "NC 7a")
def answer(game: Game, event: Seen) -> Events:
    """NC 7a: the Seer is told during the night whether that townsperson is a werewolf."""
    return [Told(event.by, "seen", f"{event.who} is {'' if event.evil else 'not '}a werewolf.", (event.who,))]


def look(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """Let *me* see what side the person named is on."""
    return [Seen(me, it, looks_evil(game, it, "werewolves")) for it in what]


see = Duty("see", each_night, another, look, cites=("NC 7a", "D-N31"), says="see NAME: learn whether e is a werewolf")
seer = Role(
    "seer", "villagers", (see,), (answer,), title="Seer", cites=("NC 7a",),
    story="You are the Seer, and on the villagers' side. Each night you choose another townsperson, and are told "
    "before dawn whether e is a werewolf.",
)


def victim(game: Game) -> tuple[str, ...]:
    """Return whom the werewolves have agreed to attack tonight."""
    return tuple(v for a in game.now(Agreed, verb="attack") for v in a.whom)


def knows_victim(game: Game, me: str) -> bool:
    """Open once the werewolves have agreed: until then there is nothing to decide."""
    return each_night(game, me) and bool(victim(game))


def the_victim(game: Game, me: str, it: str) -> str:
    """Allow the person attacked tonight, the Witch themself included (N-81)."""
    return "" if it in victim(game) else "You can only heal the person who is attacked tonight."


def neither_self_nor_victim(game: Game, me: str, it: str) -> str:
    """D-N14: the poison is for another than the Witch and the person attacked."""
    return "The poison is for another than the person attacked." if it in victim(game) else another(game, me, it)


@whenever(Agreed, "NC 7b", "D-N26")
def learn_victim(game: Game, event: Agreed) -> Events:
    """NC 7b: the Witch is told whom the werewolves have agreed to attack, with potions left or without."""
    whom = ", ".join(event.whom)
    return [Told(w, "victim", f"The werewolves attack {whom} tonight.", event.whom) for w in game.living("witch")]


heal = Duty(
    "heal", once(knows_victim, "heal"), the_victim, optional=lambda game, me: victim(game), may_pass=True,
    cites=("NC 7b", "D-N33"), says="heal, or heal nobody: save the person attacked tonight (once in a session)",
)
poison = Duty(
    "poison", once(knows_victim, "poison"), neither_self_nor_victim, at_phase_end(lambda it: Killed(it, "poison")),
    may_pass=True, cites=("NC 7b", "D-N14"), says="poison NAME, or poison nobody: kill another (once in a session)",
)
witch = Role(
    "witch", "villagers", (heal, poison), (learn_victim, spared_by("heal", "attack", "NC 7b")), title="Witch",
    cites=("NC 7b",),
    story="You are the Witch, and on the villagers' side. Each night you are told whom the werewolves attack. Once in "
    "the session you can heal that person, and once you can poison another. Say each night whether you do either.",
)


LAST_SHOT = "last shot"
"""The topic of what a killed Hunter is asked."""


def unavenged(game: Game, me: str) -> bool:
    """NC 7c: whoever is killed as the Hunter owes a choice, if anyone is left to choose.

    Where leaving kills nothing is owed after it, though they had been killed before (D-N11).
    """
    if me in game.alive or not game.alive or game.phase == "over":
        return False
    if game.switch("departure") == "kill" and game.ever(Removed, who=me):
        return False
    return bool(game.ever(Killed, who=me)) and not game.ever(Chose, who=me, verb="shoot")


@always("NC 7c", "D-N15")
def ask(game: Game, owed: Owed) -> Events:
    """Ask the dead Hunter, once all who die of that death have died; the duty lists those who can be named."""
    left = game.living()
    return [Told(who, LAST_SHOT, "You have been killed. Choose one to take along.", left) for who, verb in owed
            if verb == "shoot" and not game.ever(Told, to=who, topic=LAST_SHOT)]


shoot = Duty(
    "shoot", unavenged, anyone, lambda game, me, what: [Killed(it, "shot") for it in what],
    cites=("NC 7c", "D-N15"), says="shoot NAME: take another townsperson along",
)
hunter = Role(
    "hunter", "villagers", (shoot,), (ask,), title="Hunter", cites=("NC 7c",),
    story="You are the Hunter, and on the villagers' side. When you are killed you choose another townsperson, who is "
    "killed too; the phase waits for your choice.",
)


def before_the_start(game: Game, me: str) -> bool:
    """Open before the first day begins (NC 7d); with a Cupid who has left, and so is dead, it begins without Lovers."""
    return game.phase == "setup" and me in game.alive and not game.ever(Joined)


def lovers(game: Game) -> tuple[str, ...]:
    """Return the Lovers, or nobody."""
    joined = game.last(Joined)
    return joined.lovers if joined else ()


def join(game: Game, me: str, what: tuple[str, ...]) -> Events:
    """Make the two persons named Lovers."""
    return [Joined((what[0], what[1]))]


@whenever(Joined, "NC 7d")
def tell_lovers(game: Game, event: Joined) -> Events:
    """NC 7d: both Lovers are told who the Lovers are; neither side nor role."""
    text = f"The Lovers are {event.lovers[0]} and {event.lovers[1]}. If one of you is killed, both are."
    return [Told(p, "lovers", text, event.lovers) for p in event.lovers]


@whenever(Killed, "NC 7d", "D-N33")
def die_together(game: Game, event: Killed) -> Events:
    """NC 7d: if either Lover is killed, then both are (not when one leaves: D-N11)."""
    both = lovers(game)
    if event.who not in both or event.cause == "departure":
        return None
    return [Killed(p, "heartbreak") for p in both if p in game.alive]


@instead(Ended, "NC 7d", "D-N19")
def crossed(game: Game, event: Ended) -> Events:
    """NC 7d: Lovers of opposite sides win as the last two survivors, and otherwise not at all."""
    both = lovers(game)
    if not both or game.sides[both[0]] == game.sides[both[1]]:
        return None
    last_two = game.alive == frozenset(both)
    won = tuple(p for p in game.seats if (last_two if p in both else p in event.winners))
    return None if won == event.winners else [replace(event, winners=won, why=f"{event.why}; NC 7d")]


match_two = Duty(
    "match", before_the_start, anyone, join, arity=2, cites=("NC 7d", "D-N28"),
    says="match NAME and NAME: make two townspersons the Lovers",
)
LOVE = (tell_lovers, die_together, crossed)
"""What holds wherever there are Lovers, also where a rehearsal gives them without a Cupid."""
cupid = Role(
    "cupid", "villagers", (match_two,), title="Cupid", cites=("NC 7d",),
    story="You are Cupid, and on the villagers' side. Before the first day begins you choose two townspersons, who "
    "become the Lovers. You may choose yourself.",
)


OPTIONAL = ("seer", "witch", "hunter", "cupid")


def werewolves(n: int) -> int:
    """Return how many of *n* townspersons are werewolves (NC 2b).

    >>> [werewolves(n) for n in range(5, 12)]
    [1, 1, 1, 2, 2, 2, 3]
    """
    return 1 + (n - 5) // 3


FORMULA = "formula"
WOLVES = Switch(
    "wolves", (), "D-N57", "how many werewolves there are", default=FORMULA, form=rf"{FORMULA}|[1-9]\d?",
    like=f"{FORMULA!r}, for as many as NC 2b has, or a number from 1 on")


def _asked_for(n: int, chosen: Sequence[str], wolves: int) -> None:
    """Raise `Refusal` for optional roles that *n* townspersons, *wolves* of them werewolves, can't be dealt (NC 7)."""
    why = f"Optional roles are {', '.join(OPTIONAL)}, each at most once"
    cites = ("NC 7", "NC 2c")
    if "werewolf" in chosen:
        raise Refusal(f"Of {n} townspersons {wolves} are werewolves without being asked for; leave that role out. The "
                      "switch wolves sets another number.", ("NC 2b", "D-N57"), OPTIONAL)
    if any(role not in OPTIONAL for role in chosen):
        raise Refusal(f"{why}.", cites, OPTIONAL)
    if twice := [role for role, number in Counter(chosen).items() if number > 1]:
        raise Refusal(f"{why}; {twice[0]} is there more often.", cites, OPTIONAL)
    if 2 * wolves >= n:
        raise Refusal(f"Of {n} townspersons {wolves} would be werewolves, who have won then; choose fewer.",
                      ("NC 5b", "D-N57"))
    if len(chosen) > n - wolves:
        raise Refusal(f"There are {len(chosen)} optional roles for {n - wolves} villagers.", cites)


def deal(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """NC 2b, 2c: draw the werewolves, then a different villager for each role in *chosen*.

    Returns (player, role) in seat order, and the lots drawn; the order of *names* does not matter to who gets
    what. Raises `Refusal` for fewer than five players (NC 2) or a role that the contract does not have.
    """
    if len(names) < 5:
        raise Refusal(f"A session needs at least five contestants; there are {len(names)}.", ("NC 2",))
    given = switches.get(WOLVES.name, FORMULA)
    wolves = werewolves(len(names)) if given == FORMULA else int(given)
    _asked_for(len(names), chosen, wolves)
    pack = draw(seed, "werewolves", names, wolves)
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
    WOLVES,
    hunt_switch("D-N58", "the werewolves"),
    SURRENDER,
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
