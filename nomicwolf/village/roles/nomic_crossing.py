"""The roles of Nomic Crossing (NC 4, NC 7).

NC 4a: “The werewolves SHALL settle, all of them agreeing, on exactly one villager to attack”.

NC 7a: “The Seer's duty each night is to name another townsperson.”

NC 7b: “which works once a session and keeps the attack from killing when the night ends”.

NC 7c: “Until e has picked, the phase in progress doesn't end.”

NC 7d: “When one Lover is killed, so is the other.”
"""

from dataclasses import replace

from nomicwolf.village.events import Agreed, Chose, Ended, Joined, Killed, Removed, Seen, Told
from nomicwolf.village.game import Game
from nomicwolf.village.laws.groups import PACK, always_open, among, unanimous_attack
from nomicwolf.village.role_file import Terms
from nomicwolf.village.roles import from_files
from nomicwolf.village.rules import (
    Duty,
    Events,
    Owed,
    Role,
    acquainted,
    always,
    another,
    anyone,
    at_phase_end,
    each_night,
    instead,
    listed,
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
    """Allow the person attacked tonight, the Witch emself included (N-81)."""
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

    Where leaving kills nothing is owed after it, though e had been killed before (D-N11).
    """
    if me in game.alive or not game.alive or game.phase == "over":
        return False
    if game.switch("departure") == "kill" and game.ever(Removed, who=me):
        return False
    return bool(game.ever(Killed, who=me)) and not game.ever(Chose, who=me, verb="shoot")


@always("NC 7c", "D-N15")
def ask(game: Game, owed: Owed) -> Events:
    """Ask the dead Hunter, once all who die of that death have died, with the list of those who can be named."""
    left = game.living()
    words = f"You have been killed. Choose one to take along: {listed(left)}."
    return [Told(who, LAST_SHOT, words, left) for who, verb in owed
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
