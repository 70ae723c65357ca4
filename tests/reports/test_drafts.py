"""Acting for the silent, drafted for the contestmaster (NC 1j): to whom it applies, from when, in which words."""

from __future__ import annotations

from nomicwolf.cli.app import order_of
from nomicwolf.contest import Contest
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.asjson import status_json
from nomicwolf.reports.drafts import drafts
from nomicwolf.reports.terminal import status_text
from nomicwolf.reports.views import contestmaster_view

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
    assert told["Cam"].command == 'nomicwolf act-for "Cam" "see NAME" --phase "night 1"'
    assert "Cam" not in told["Cam"].names
    assert told["Cam"].command in status_text(contest, now)
    assert [d["who"] for d in status_json(contest, now)["drafts"]] == list(told)


def test_nobody_acts_for_a_lynched_hunter() -> None:
    """D-N3: 1j covers townspersons in a night phase, and status says that nobody may."""
    contest = standing("2026-12-20T00:00Z", "day 1", "{Ash: Eli, Bex: Eli, Cam: Eli, Dov: Eli}")

    assert contest.running is not None
    assert drafts(contestmaster_view(contest)) == ()
    assert "nobody may act for em (D-N3)" in status_text(contest)
