"""The contestmaster's tools: substitution and undoing (D-N41, D-N42)."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.sessions import Position, people, stand
from nomicwolf.nomic.delivery import USUAL
from nomicwolf.nomic.events import LetterHeld
from nomicwolf.nomic.law_events import DeedUndone
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.views import player_view, public_view
from nomicwolf.village.events import Agreed, Chose, DeathsAnnounced, Ended, Killed, Lynched, PhaseBegan, Replaced, Voted
from nomicwolf.village.game import replay
from nomicwolf.village.rulesets import ruleset
from tests.contest.world import SEVEN, START, World, setup
from tests.tables import each


def started() -> World:
    """Seven in a session, and Ida a party who waits."""
    world = World().start(roles="seer,witch,hunter")
    world.write("Ida", "I join.", at=0.5)
    return world


def night(world: World) -> str:
    """Let a plain villager be lynched at hour 2, and return em."""
    victim = next(p for p in SEVEN if world.game.roles[p] == "villager")
    for who in [p for p in SEVEN if p != victim][:4]:
        world.write(who, f"I vote for {victim}.", at=2)
    assert world.game.phase == "night"
    return victim


def test_everything_moves_to_the_substitute() -> None:
    """D-N41: role, side, duties, what was told; the public is told names and no role."""
    world = started()
    night(world)
    witch, wolf, _seer = (world.holder(r) for r in ("witch", "werewolf", "seer"))
    victim = next(p for p in world.game.living() if p not in (witch, wolf))
    world.write(wolf, f"attack {victim}", "contestmaster", at=3)
    world.write(witch, "heal", "contestmaster", at=4)
    outcome = world.command("substitute", 5, old=witch, new="Ida")
    assert outcome.status == 0, outcome.said

    game = world.game
    assert (game.roles["Ida"], game.sides["Ida"], witch in game.seats) == ("witch", "villagers", False)
    told = world.to("Ida").replace("\n", " ")
    assert "You are the Witch" in told
    assert f"The werewolves attack {victim} tonight." in told
    assert "heal" in told
    assert f"Ida takes over from {witch}" in next(m.subject.partition("] ")[2] for m in world.letters if m.forum)
    assert "itch" not in world.to("agora")
    world.write("Ida", "heal", "contestmaster", at=6)
    assert [c.who for c in game.ever(Chose, verb="heal")] == ["Ida"]
    world.write("Ida", "poison nobody", "contestmaster", at=6)
    assert not [o for o in public_view(world.contest).living if o == witch]


def test_votes_for_and_by_the_old_one_move() -> None:
    """D-N41: a vote stands through the change, and the old name in a letter means the new person."""
    world = started()
    for who in ("Bex", "Cam"):
        world.write(who, "I vote for Gus.", at=1)
    world.write("Gus", "I vote for Bex.", at=1)
    world.command("substitute", 2, old="Gus", new="Ida")
    assert {w: world.game.table.get(w) for w in ("Bex", "Cam", "Ida")} == {
        "Bex": "Ida", "Cam": "Ida", "Ida": "Bex"}
    world.write("Dov", "I vote for Gus.", at=3)
    world.write("Eli", "I endorse Dov.", at=4)

    assert [e.event.who for e in world.events(Lynched) if isinstance(e.event, Lynched)] == ["Ida"]


def test_the_old_address_is_cut_off() -> None:
    """D-N41: who was replaced has no vote and no night deed any more; nobody comes back."""
    world = started()
    world.command("substitute", 1, old="Gus", new="Ida")
    world.write("Gus", "I vote for Bex.", at=2)

    assert "Gus" not in world.game.table
    assert "not a townsperson" in world.to("Gus").replace("\n", " ")
    assert world.command("substitute", 3, old="Bex", new="Gus").status == 1


def test_who_was_replaced_is_told_so_in_eir_last_letter() -> None:
    """D-N41, D-N48: everyone who lived gets a letter of one size then; eirs names no role, for e has none any more."""
    world = World(setup(cover=USUAL)).start()
    world.write("Ida", "I join.", at=0.5)
    world.command("substitute", 1, old="Gus", new="Ida")
    last = next(m.body for m in world.letters if m.person == "Gus")

    assert "Ida has taken your place" in last
    assert "You are:" not in last


def test_a_deed_that_still_settles_is_done_by_the_substitute() -> None:
    """D-N41: what the old one wrote before counts, though the clock settles after."""
    world = World(setup(settling=600))
    for name in (*SEVEN, "Ida"):
        world.write(name, "I join.")
    world.command("party-remove", 0.1, who="Ida")
    world.command("start", 0.5, seed="7", limit="agora=35")
    world.command("party-add", 0.6, who="Ida")
    world.write("Gus", "I vote for Bex.", at=1)
    world.command("substitute", 1.1, old="Gus", new="Ida")
    world.tick(2)

    assert world.game.table["Ida"] == "Bex"


def test_what_the_old_one_posted_before_counts_whenever_it_arrives() -> None:
    """D-N41, D-A8: from its own instant, so that the new one's vote, which is later, stands; a later letter doesn't."""
    world = started()
    world.command("substitute", 2, old="Gus", new="Ida")
    world.write("Gus", "I vote for Bex.", at=1, arrives=3)
    assert world.game.table["Ida"] == "Bex"

    world.write("Ida", "I vote for Cam.", at=3.5)
    world.write("Gus", "I vote for Dov.", at=1.5, arrives=4)
    assert world.game.table["Ida"] == "Cam"
    assert "not a townsperson" not in world.to("Gus")

    world.write("Gus", "I vote for Eli.", at=2.5, arrives=5)
    assert world.game.table["Ida"] == "Cam"
    assert "not a townsperson" in world.to("Gus").replace("\n", " ")


def test_a_late_letter_goes_with_the_seat_however_often_it_changed_hands() -> None:
    """D-N41: two have followed the author, and the second is who has voted."""
    world = started()
    world.write("Jo", "I join.", at=0.6)
    world.command("substitute", 2, old="Gus", new="Ida")
    world.command("substitute", 3, old="Ida", new="Jo")
    world.write("Gus", "I vote for Bex.", at=1, arrives=4)
    world.write("Ida", "I vote for Cam.", at=2.5, arrives=4.5)

    assert world.game.table["Jo"] == "Cam"


def test_a_late_letter_of_who_was_replaced_is_held_once_the_day_is_over() -> None:
    """D-A8: as any other's; e who wrote it is told, and not who takes over from em."""
    world = started()
    night(world)
    world.command("substitute", 3, old="Gus", new="Ida")
    world.write("Gus", "I vote for Bex.", at=1, arrives=5)

    assert len(world.events(LetterHeld)) == 1
    assert "the contestmaster will rule on it" in world.to("Gus").replace("\n", " ")
    assert "rule on it" not in world.to("Ida")


def test_history_keeps_both_names_and_replays() -> None:
    """X-15: the record names who did it then, and rebuilding from it gives the same session."""
    world = started()
    world.write("Gus", "I vote for Bex.", at=1)
    world.command("substitute", 2, old="Gus", new="Ida")
    world.write("Ida", "I vote for Cam.", at=3)

    voters = [e.event.who for e in world.events(Voted) if isinstance(e.event, Voted)]
    again = Contest.of(world.contest.setup, world.contest.entries).game
    assert voters == ["Gus", "Ida"]
    assert again is not None
    assert (again.table, again.roles, again.seats) == (
        world.game.table, world.game.roles, world.game.seats)
    assert replay(world.game.entries).seats == world.game.seats
    assert any(isinstance(e.event, Chose | Voted) for e in player_view(world.contest, "Ida").public.record)


@each(("old", "new", "says"), [
    ("Zoe", "Ida", "not in this session"), ("Gus", "Bex", "is or was"), ("Gus", "Murphy", "contestmaster"),
    ("Gus", "Zoe", "no party"), ("Gus", "", "Say who")])
def test_a_substitution_that_cannot_be(old: str, new: str, says: str) -> None:
    """D-N41: each refusal says why, and nothing has happened."""
    world = started()
    outcome = world.command("substitute", 1, old=old, new=new)

    assert (outcome.status, says in outcome.said) == (1, True)
    assert not world.events(Replaced)


def test_a_session_ends_rightly_for_a_substitute() -> None:
    """D-N41: the substitute wins, and the awards name em."""
    world = started()
    wolf = world.holder("werewolf")
    out = next(p for p in SEVEN if p != wolf)
    world.command("substitute", 1, old=out, new="Ida")
    for who in [p for p in (*SEVEN, "Ida") if p not in (wolf, out)][:4]:
        world.write(who, f"I vote for {wolf}.", at=2)

    ended = world.events(Ended)[0].event
    assert isinstance(ended, Ended)
    assert "Ida" in ended.winners
    assert out not in ended.winners
    assert "Ida" in [a.who for a in world.contest.awards[1]]


def test_a_vote_is_undone_and_recounted() -> None:
    """D-N42: the vote before it stands again, all are told, and the record keeps what was."""
    world = started()
    world.write("Bex", "I vote for Gus.", at=1)
    world.write("Bex", "I vote for Cam.", at=2)
    number = world.events(Voted)[-1].number
    assert world.command("undo", 3, number=str(number)).status == 2
    assert world.command("undo", 3, number=str(number), why="sent by eir cat").status == 0

    assert world.game.table["Bex"] == "Gus"
    assert "eir cat" in world.to("agora")
    assert len(world.events(Voted)) == 3
    assert world.command("undo", 4, number=str(number), why="again").status == 1


def test_a_vote_on_which_a_death_depends_stays() -> None:
    """D-N42: what has been disclosed can't be taken back."""
    world = started()
    night(world)
    number = world.events(Voted)[0].number
    outcome = world.command("undo", 3, number=str(number), why="no")

    assert outcome.status == 1
    assert "phase is over" in outcome.said or "death depends" in outcome.said
    assert not world.events(DeedUndone)


def test_a_choice_is_undone_only_while_nobody_knows_of_it() -> None:
    """D-N42: the Seer's answer can't be forgotten without authority; then the duty is open again, in private."""
    world = started()
    night(world)
    seer = world.holder("seer")
    one, other = [p for p in world.game.living() if p != seer][:2]
    world.write(seer, f"see {one}", "contestmaster", at=3)
    number = world.events(Chose)[-1].number
    assert "authority" in world.command("undo", 4, number=str(number), why="a slip").said
    assert world.command("undo", 4, number=str(number), why="a slip", authority="CFJ 9999").status == 0
    assert seer not in world.to("agora")
    assert (seer, "see") in ruleset("nomic-crossing").owed(world.game)
    world.write(seer, f"see {other}", "contestmaster", at=5)

    assert [c.what for c in world.game.ever(Chose, who=seer, verb="see")] == [(other,)]
    again = Contest.of(world.contest.setup, world.contest.entries).game
    assert again is not None
    assert again.ever(Chose) == world.game.ever(Chose)


def test_an_attack_that_is_undone_kills_nobody() -> None:
    """D-N42: what was due by it is not due any more; another attack takes its place."""
    world = World().start(roles="seer")
    night(world)
    wolf, seer = world.holder("werewolf"), world.holder("seer")
    first, second = [p for p in world.game.living() if p not in (wolf, seer)][:2]
    world.write(wolf, f"attack {first}", "contestmaster", at=3)
    assert world.command("undo", 4, number=str(world.events(Chose)[-1].number), why="a slip").status == 0
    world.write(wolf, f"attack {second}", "contestmaster", at=5)
    world.write(seer, f"see {first}", "contestmaster", at=5)
    world.tick(48)

    deaths = [e.event.killed for e in world.events(DeathsAnnounced) if isinstance(e.event, DeathsAnnounced)]
    assert deaths == [(second,)]
    assert len(world.events(PhaseBegan)) == 3
    assert [k.who for k in world.game.ever(Killed)][-1] == second


def test_a_night_deed_sent_by_day_is_done_at_nightfall() -> None:
    """D-N38: it is kept, a later one takes its place, and it is done as the night begins."""
    world = World().start(roles="seer")
    seer = world.holder("seer")
    first, second = [p for p in SEVEN if p != seer and world.game.roles[p] == "villager"][1:3]
    world.write(seer, f"see {first}", "contestmaster", at=0.5)
    assert "kept" in world.to(seer)
    world.write(seer, f"see {second}", "contestmaster", at=1)
    assert not world.game.ever(Chose)
    night(world)

    assert [c.what for c in world.game.ever(Chose, who=seer)] == [(second,)]
    assert f"{second} is not a werewolf" in world.to(seer)


def test_what_is_kept_tells_no_role() -> None:
    """D-N38, NC 6: whoever sends a night deed by day gets the same words; at night it is not open to em."""
    world = World().start(roles="seer")
    seer = world.holder("seer")
    other = next(p for p in SEVEN if world.game.roles[p] == "villager")
    target = next(p for p in SEVEN if p not in (seer, other))
    world.write(seer, f"see {target}", "contestmaster", at=0.5)
    first = world.to(seer)
    world.write(other, f"see {target}", "contestmaster", at=0.6)

    assert first.replace(seer, "X") == world.to(other).replace(other, "X")
    assert not [m for m in world.letters if m.forum]


def test_an_order_about_a_secret_sends_nobodys_letters_early() -> None:
    """D-N48: the letters of 08:00 go when that is settled, whether or not an order comes before: it would show."""
    world = World(setup(settling=600, cover=USUAL)).start()
    victim = next(p for p in SEVEN if world.game.roles[p] == "villager")
    for who in [p for p in SEVEN if p != victim][:4]:
        world.write(who, f"I vote for {victim}.", at=2)
    world.tick(2.5)
    world.write(world.holder("seer"), f"see {world.holder('witch')}", "contestmaster", at=3)
    world.tick(7)
    chosen = world.events(Chose)[-1].number
    assert world.command("undo", 8.1, number=str(chosen), why="a slip", authority="CFJ 1").status == 0
    assert {o.person for o in world.letters if o.kind == "private"} <= {"Murphy"}

    world.tick(8.2)
    assert {o.person for o in world.letters if o.kind == "private"} >= {p for p in SEVEN if p != victim}


def vote_numbers(world: World, who: str) -> list[int]:
    """The entries of *who*'s votes."""
    return [e.number for e in world.events(Voted) if isinstance(e.event, Voted) and e.event.who == who]


def test_votes_are_undone_one_after_the_other() -> None:
    """D-N42: each goes back to the one before it that is not undone, not to the one that was undone last."""
    world = started()
    for hour, whom in enumerate(("Gus", "Eli", "Fay"), 1):
        world.write("Bex", f"I vote for {whom}.", at=hour)
    first, second, third = vote_numbers(world, "Bex")

    assert world.command("undo", 4, number=str(third), why="a slip").status == 0
    assert world.game.table["Bex"] == "Eli"
    assert world.command("undo", 4, number=str(vote_numbers(world, "Bex")[-1]), why="a slip").status == 0
    assert world.game.table["Bex"] == "Gus"
    assert world.command("undo", 4, number=str(second), why="a slip").status == 1
    assert world.command("undo", 4, number=str(first), why="a slip").status == 0
    assert dict(world.game.table)["Bex"] is None
    assert world.command("undo", 4, number=str(first), why="a slip").status == 1
    assert [e.event.deed for e in world.events(DeedUndone) if isinstance(e.event, DeedUndone)] == [third, second, first]


def test_a_vote_is_undone_though_an_earlier_one_came_in_later() -> None:
    """D-N42, D-A8: what stands is the vote that took effect last; before it was the late one."""
    world = started()
    world.write("Bex", "I vote for Gus.", at=2)
    world.write("Bex", "I vote for Eli.", at=1, arrives=3)
    assert world.game.table["Bex"] == "Gus"

    assert world.command("undo", 4, number=str(vote_numbers(world, "Bex")[0]), why="a slip").status == 0
    assert world.game.table["Bex"] == "Eli"


def test_what_one_said_in_another_vote_of_the_day_comes_back_by_no_undoing() -> None:
    """D-N42: the vote before a verdict is a verdict of the same trial, or none."""
    names = dict.fromkeys(SEVEN, "civilian") | {"Ash": "mafioso", "Bex": "mafioso"}
    given = replace(setup(), ruleset="narrated-mafia")
    world = World()
    world.contest = stand(
        people(Contest(given), {n: (f"{n.lower()}@players.example",) for n in SEVEN}, {"agora": 50}, START),
        Position(tuple(names.items()), START, "day", 2, seed="7"))
    for accused in ("Gus", "Fay"):
        world.write("Ash", f"I accuse {accused}.", at=1)
        world.write("Dov", f"I second the accusation of {accused}.", at=1)
    world.write("Eli", "guilty", at=2)
    for who in SEVEN:
        if who != "Eli":
            world.write(who, "innocent", at=3)
    assert world.game.stage == "ballot"
    old = vote_numbers(world, "Eli")[0]
    assert "counted" in world.command("undo", 4, number=str(old), why="a slip").said

    world.write("Eli", "innocent", at=4)
    assert world.command("undo", 5, number=str(vote_numbers(world, "Eli")[-1]), why="a slip").status == 0
    assert world.game.table["Eli"] is None


def test_without_one_of_those_who_agreed_nothing_is_agreed() -> None:
    """D-N42, NC 4a: a werewolf's choice that is undone counts as not done, so the pack names its victim anew."""
    world = World()
    names = dict.fromkeys(SEVEN, "villager") | {"Ash": "werewolf", "Bex": "werewolf"}
    world.contest = stand(
        people(Contest(setup()), {n: (f"{n.lower()}@players.example",) for n in SEVEN}, {"agora": 50}, START),
        Position((*names.items(), ("Hal", "villager")), START, "night", 1, seed="7"))
    world.write("Ash", "attack Gus", to="contestmaster", at=1)
    world.write("Bex", "attack Gus", to="contestmaster", at=1)
    assert world.game.now(Agreed)
    number = str(world.events(Chose)[0].number)
    assert "authority" in world.command("undo", 2, number=number, why="a slip").said
    assert world.command("undo", 2, number=number, why="a slip", authority="CFJ 1").status == 0

    assert not world.game.now(Agreed)
    assert world.write("Bex", "attack Fay", to="contestmaster", at=3).bucket == "deeds"
    world.write("Ash", "attack Fay", to="contestmaster", at=3)
    assert [a.whom for a in world.game.now(Agreed)] == [("Fay",)]
    world.tick(at=12)
    assert world.game.shown_dead == ("Fay",)
