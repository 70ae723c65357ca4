"""Each letter to the forums says what to do next and by when, and nothing that has to stay secret (NC 3, NC 6)."""

from __future__ import annotations

from nomicwolf.nomic.events import SessionStarted, SessionStopped
from nomicwolf.village.ballots import For
from nomicwolf.village.events import Announced, Voted
from tests.contest.test_clock import MOB, started
from tests.contest.world import SEVEN, World, setup
from tests.reports.stories import Story, setup_of


def subject(world: World, forum: str = "agora") -> str:
    """Return the subject of the last step's letter to *forum*."""
    return next(o.subject for o in world.letters if o.forum == forum)


def hunter_down(switches: dict[str, str]) -> str:
    """Return what the forums are told when the Hunter is lynched."""
    world = World(setup(switches=switches)).start()
    game = world.game
    out = game.holders("hunter")[0]
    for hour, who in enumerate([p for p in SEVEN if p != out][:4], 1):
        world.write(who, f"I vote for {out}.", at=hour)
    return world.to("agora").replace("\n", " ")


def test_a_day_that_waits_says_that_there_is_nothing_to_do() -> None:
    """NC 7c, D-N12: for whom it waits stays untold; with the votes open, that they are."""
    waits = hunter_down({})
    assert "nothing to do in a forum until the next announcement" in waits
    assert "unter" not in waits
    goes_on = hunter_down({"hunter_pause": "open"})
    assert "Day 1 and its votes go on" in goes_on
    assert "unter" not in goes_on


def test_a_lynching_before_night_does_not_wait() -> None:
    """NC 3: the night that follows says what comes next."""
    story = Story()
    story.start()
    for who in ("Bex", "Cam", "Dov", "Fay"):
        story.votes(who, For("Gus"))
    body = next(m.body for m in story.letters if m.forum)
    assert "Night 1 begins" in body
    assert "until the next announcement" not in body


def test_a_night_of_stages_says_by_when_to_act() -> None:
    """GA 3: until the night's end; sooner where dawn comes at once."""
    night = started("gadianton")
    told = night.to("agora").replace("\n", " ")
    assert "do it by the end of night 1, Fri 4 Dec 2026 00:00 UTC, in 3 days." in told
    quick = started("gadianton", dawn="at once")
    assert "it ends sooner if everything is done." in quick.to("agora").replace("\n", " ")


def test_a_trial_says_until_when_e_is_heard() -> None:
    """GA 5c: the defence first, the ballots after it, with their own letter."""
    world = started("gadianton")
    world.command("close", at=1)
    living = world.game.living()
    world.write(living[0], f"I accuse {living[1]}.", at=2)
    world.write(living[2], f"I second {living[1]}.", at=3)
    assert subject(world).endswith(f"{living[1]} is on trial")
    told = world.to("agora").replace("\n", " ")
    assert f"{living[1]} is on trial. The defence of day 1 lasts until" in told
    assert f"until Wed 2 Dec 2026 03:00 UTC, in 1 day. {living[1]} may answer in a forum by then" in told
    assert told.count("Wed 2 Dec 2026 03:00 UTC") == 1
    world.tick(at=27)
    first = world.to("agora").index("- guilty or innocent")
    assert first < world.to("agora").index("- accuse NAME")


def test_an_announcement_is_its_own_subject() -> None:
    """SP 3c: a long one is called by its topic; one sentence is said whole."""
    story = Story()
    story.start()
    for text, expected in (("Nobody was killed today.", "Nobody was killed today"), ("word " * 20, "Quiet day")):
        letters = story.happens(Announced("quiet day", text))
        assert letters[0].subject.endswith(f": {expected}")


def test_what_is_undone_in_the_open_comes_with_the_new_count() -> None:
    """D-N42: the votes as they stand without it."""
    world = World().start()
    world.write("Bex", "I vote for Gus.", at=1)
    world.write("Bex", "I vote for Cam.", at=2)
    world.command("undo", 3, number=str(world.events(Voted)[-1].number), why="sent by eir cat")
    assert "The votes of day 1 are now: Gus 1, 6 for nobody." in world.to("agora")
    assert "1/4  [#...]  Gus  Bex" in world.to("agora")


def test_a_sealed_ballot_is_undone_in_private() -> None:
    """SP 3a, D-N42: what nobody has been told, the notice doesn't tell either."""
    world = started("six-phases", MOB)
    world.tick(at=24)
    world.command("close", at=30)
    world.command("close", at=31)
    assert world.game.stage == "nominations"
    who, other = world.game.living()[:2]
    world.write(who, f"I vote for {other}.", "contestmaster", at=32)
    outcome = world.command("undo", 33, number=str(world.events(Voted)[-1].number), why="a slip")
    assert outcome.status == 0, outcome.said
    assert world.to("agora") == ""
    assert f'undone your "vote {other}"' in world.to(who).replace("\n", " ")


def test_before_the_first_session_subjects_name_none() -> None:
    """There is no session 0."""
    world = World()
    world.write("Ash", "I join.")
    world.write("Ash", "help", "contestmaster", at=1)
    assert {o.subject for o in world.letters if o.person == "Ash"} == {"[Werewolves] Your question"}
    assert all("session 0" not in o.subject for o in world.sent)


def test_other_rule_sets_cite_no_clause_of_nomic_crossing_and_their_lines_are_full() -> None:
    """Clauses are left out before lines are filled, so that none is short."""
    story = Story(setup=setup_of(name="Gadianton", ruleset="gadianton"))
    story.happens(SessionStarted(1, "gadianton", SEVEN, (), "0" * 64))
    cited = SessionStopped(1, "it was time")
    body = story.happens(cited)[0].body
    assert "(NC" not in body
    assert body.split("\n")[:2] == [
        "As contestmaster I have ended session 1 at Tue 1 Dec 2026 00:00 UTC:", "nobody wins, and nothing is awarded."]
