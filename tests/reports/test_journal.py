"""What the contestmaster is told of what only they can do: acting for the silent, facts, questions."""

from __future__ import annotations

from nomicwolf.cli.app import order_of
from nomicwolf.contest import Contest
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.journal import drafts
from nomicwolf.reports.json_reports import status_json
from nomicwolf.reports.terminal import status_text
from nomicwolf.reports.views import contestmaster_view
from tests.contest.world import World

SESSION = """
ruleset: nomic-crossing
given:
  roles: {Ash: werewolf, Hal: werewolf, Bex: villager, Cam: seer, Dov: witch, Eli: hunter, Fay: villager, Gus: villager}
  contestmaster: Murphy
  phase: PHASE
  at: 2026-12-01T00:00Z
  votes: VOTES
when:
  - {at: 2026-12-01T09:00Z, from: Fay, says: "I vote for Eli."}
  - {at: UNTIL}
"""


def standing(until: str, phase: str = "night 1", votes: str = "{}") -> Contest:
    """A contest at *until*, in which nobody has acted since the first."""
    text = SESSION.replace("UNTIL", until).replace("PHASE", phase).replace("VOTES", votes)
    return rehearse(read_script(text), order_of).contest


def test_nothing_is_drafted_before_its_time() -> None:
    """Seven days are to pass first; until then it says from when on."""
    contest = standing("2026-12-07T23:59Z")

    assert drafts(contestmaster_view(contest)) == ()
    assert "act-for from Tue 8 Dec 2026 00:00 UTC" in " ".join(status_text(contest).split())


def test_what_is_late_is_drafted_with_clause_and_time() -> None:
    """The words name who, by which clause, since when, until when; the command can be copied."""
    contest = standing("2026-12-08T00:00Z")
    now = contest.entries[0].at + 7 * 86_400
    told = {d.who: d for d in drafts(contestmaster_view(contest), now)}

    assert set(told) == {"Ash", "Hal", "Cam"}
    assert told["Cam"].words == (
        "Acting on behalf of Cam under clause 1j, who has owed it since Tue 1 Dec 2026 00:00 UTC and had time until "
        "Tue 8 Dec 2026 00:00 UTC: see NAME.")
    assert told["Cam"].command == 'nomicwolf act-for Cam "see NAME" --phase "night 1"'
    assert "Cam" not in told["Cam"].names
    assert told["Cam"].command in status_text(contest, now)
    assert [d["who"] for d in status_json(contest, now)["drafts"]] == list(told)


def test_nobody_acts_for_a_lynched_hunter() -> None:
    """D-N3: 1j covers townspersons in a night phase, and status says that nobody may."""
    contest = standing("2026-12-20T00:00Z", "day 1", "{Ash: Eli, Bex: Eli, Cam: Eli, Dov: Eli}")

    assert contest.running is not None
    assert drafts(contestmaster_view(contest)) == ()
    assert "nobody may act for em (D-N3)" in status_text(contest)


VOTE = 'I vote for Gus if "the proposal 6789 was adopted" is so, otherwise Fay.'
FACT = "the proposal 6789 was adopted"
LINE = f"a fact on which Cam's vote depends: nomicwolf publish '{FACT}' true, or false"


def _voted() -> World:
    world = World()
    world.start(roles="seer")
    world.write("Cam", VOTE, at=1)
    return world


def test_a_fact_that_a_vote_waits_for_is_told_until_it_is_published() -> None:
    """NC 3, D-N8: the journal and the status name the fact, and the command, ready for a shell."""
    world = _voted()

    assert LINE in " ".join(world.to("Murphy").split())
    assert LINE in status_text(world.contest)

    world.command("publish", at=2, fact=FACT, value="true")
    assert "a fact on which" not in status_text(world.contest)


def test_a_fact_cannot_leave_its_quotation_marks() -> None:
    """What a player wrote is copied into a shell: it stays one word there."""
    world = World()
    world.start(roles="seer")
    world.write("Cam", 'I vote for Gus if "it\'s $(date); rm -rf" is so.', at=1)

    assert "nomicwolf publish 'it'\"'\"'s $(date); rm -rf' true, or false" in status_text(world.contest)


def test_a_published_fact_on_which_nothing_hangs_is_told_so() -> None:
    """D-N8: votes match a fact word by word, so a slip in its words would go unseen."""
    world = _voted()

    wrong = world.command("publish", at=2, fact="the proposal 6788 was adopted", value="true")
    right = world.command("publish", at=3, fact=FACT, value="true")
    again = world.command("publish", at=4, fact=FACT, value="true")

    assert wrong.said.endswith(f'is true. No vote depends on it now. Votes depend on "{FACT}".')
    assert right.said.endswith("is true.")
    assert again.said.endswith("is true. It had been published before.")


def test_a_question_cannot_pass_for_the_command_beside_it() -> None:
    """Its words stay between the quotation marks, whatever marks they have."""
    world = World()
    world.start(roles="seer")
    world.write("Gus", "ask gm: may I” (nomicwolf end) “vote?", to="contestmaster", at=1)
    number = next(iter(world.contest.recalled.questions))

    asked = f"Gus asks: “may I’ (nomicwolf end) ‘vote?” (nomicwolf answer {number} TEXT)"
    assert asked in status_text(world.contest)


def test_a_question_waits_until_it_is_answered() -> None:
    """D-M16: the status lists each question that has no answer yet."""
    world = World()
    world.start(roles="seer")
    world.write("Gus", "ask gm: may the dead talk?", to="contestmaster", at=1)
    number = next(iter(world.contest.recalled.questions))

    assert f"Gus asks: “may the dead talk?” (nomicwolf answer {number} TEXT)" in status_text(world.contest)
    assert "1 question from a player waits for your answer" in " ".join(world.to("Murphy").split())

    world.command("answer", at=2, number=str(number), text="No.")
    assert "Gus asks" not in status_text(world.contest)
