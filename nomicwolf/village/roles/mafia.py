"""The roles of the Mafia with a narrator.

Mafiosi and Godfather, civilians and masons, policemen, the Doctor who raises the dead.
"""

from nomicwolf.village.events import Due, NightClosed, Removed, Revived
from nomicwolf.village.game import Game
from nomicwolf.village.laws.actions import stopped
from nomicwolf.village.laws.groups import (
    MASONS,
    NOBODY,
    PACK,
    POLICEMEN,
    Question,
    among,
    ask_together,
    attack,
    choices,
)
from nomicwolf.village.role_file import Terms
from nomicwolf.village.roles import from_files
from nomicwolf.village.rules import (
    Duty,
    Events,
    Role,
    acquainted,
    anyone,
    from_night,
    the_dead,
    whenever,
    while_night_is_open,
)

kill, kill_rules = attack(
    "mafioso", "godfather", opens=from_night(2), stopped=stopped, cites=("NM 3e", "NM 5b", "D-C5", "D-C13", "D-C19"))
ask, ask_rules = ask_together(
    Question("policeman", "mafia", "{who} is {negation}one of the mafia."),
    says="learn whether e is one of the mafia; the policemen ask about whom most of them name",
    cites=("NM 3d", "NM 5c", "D-C5", "D-C12", "D-C15", "D-C18"), allows=anyone)
knows = acquainted(
    "mafioso", "godfather", topic="pack", text="The mafia are: {}.", alone="You are the only one of the mafia.",
    cites=("NM 5b", "D-C12"))

talk = among(PACK, "mafioso", "godfather", cites=("NM 3e", "NM 3f"))


def publicly_dead(game: Game, me: str, it: str) -> str:
    """D-C6, D-A2: only those whose death was public at nightfall can be raised, and who haven't left."""
    if game.ever(Removed, who=it) and game.switches.get("departure") == "kill":
        return f"{it} has left, and does not come back."
    return the_dead(game, me, it)


def has_dead(game: Game, me: str) -> bool:
    """Open on nights on which somebody is dead who could come back."""
    return while_night_is_open(game, me) and any(not publicly_dead(game, me, it) for it in game.shown_dead)


@whenever(NightClosed, "NM 3g", "D-C7", "D-C8", "D-C16")
def bring_back(game: Game, event: NightClosed) -> Events:
    """D-C16: whom each Doctor named last comes back in the morning, unless that one has left since (D-A2)."""
    named = {who: it for who, it in choices(game, "revive").items() if it != NOBODY}
    return [Due(Revived(it)) for who, it in named.items() if not publicly_dead(game, who, it)]


revive = Duty(
    "revive", has_dead, publicly_dead, may_pass=True, again=True, changeable=True,
    cites=("NM 3g", "NM 5d", "D-C6", "D-C8", "D-C16"),
    says="revive NAME, or revive nobody: bring a dead person back in the morning",
)
MAFIA = {"night": "the mafia"}
mafioso = Role(
    "mafioso", "mafia", (kill, talk), (*kill_rules, *knows), title="mafioso", cites=("NM 3e",),
    story="You are one of the mafia. From the second night on the mafia choose one person to kill, or nobody.",
    kills=MAFIA,
)
godfather = Role(
    "godfather", "mafia", (kill, talk), (*kill_rules, *knows), title="Godfather", cites=("NM 3f",),
    story="You are the Godfather, one of the mafia, and choose with them whom they kill from the second night on. The "
    "policemen see you as a civilian.",
    seems="good", kills=MAFIA,
)
policeman = Role(
    "policeman", "civilians", (ask, among(POLICEMEN, "policeman", cites=("NM 3d",))),
    (*ask_rules, *acquainted("policeman", topic="police", text="The policemen are: {}.", cites=("NM 5c",))),
    title="policeman", cites=("NM 3d",),
    story="You are a policeman, on the civilians' side. Each night the policemen ask together about one person, and "
    "learn whether e is one of the mafia.",
)
mason = Role(
    "mason", "civilians", (among(MASONS, "mason", cites=("NM 3c",)),),
    acquainted("mason", topic="masons", text="The masons are: {}.", cites=("NM 5a",)),
    title="mason", cites=("NM 3c",),
    story="You are a mason, on the civilians' side, and know your fellow masons. By night you can talk with them.",
)
doctor = Role(
    "doctor", "civilians", (revive,), (bring_back,), title="Doctor", cites=("NM 3g",),
    story="You are the Doctor, on the civilians' side. Each night on which somebody is dead you may bring one of the "
    "dead back to life.",
)
civilian = from_files("narrated-mafia", Terms("mafia", "civilians"))["civilian"]
