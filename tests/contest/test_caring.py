"""A contest's care: outages, absences, contestmasters, addresses, errors in awards."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from nomicwolf.contest import Setup, Tick, hear
from nomicwolf.nomic.awards import derive
from nomicwolf.nomic.duties import contract_duties, deadline_past, deeds_owed
from nomicwolf.nomic.events import Awarded, AwardsHeld, PartyJoined, Refused, Reminded
from nomicwolf.nomic.law_events import AddressAsked, AwardCorrected, ContestmasterChanged, GuardRaised, MemberReminded
from nomicwolf.nomic.setup import profile
from nomicwolf.nomic.times import when
from nomicwolf.reading.day_spans import span
from nomicwolf.reports.awards import award_book, award_totals, book_csv, limit_lines
from nomicwolf.reports.journal import journal
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.views import contestmaster_view, public_view
from nomicwolf.village.events import Ended
from tests.contest.world import HOUR, SEVEN, START, World, setup
from tests.tables import each

DAY = 24


def night(given: Setup | None = None) -> tuple[World, str]:
    """A session in night 1, which began at hour 2; and its Seer, who owes and lives."""
    world = World(given).start(roles="seer")
    seer, wolf = world.holder("seer"), world.holder("werewolf")
    victim = next(p for p in SEVEN if p not in (seer, wolf))
    for who in [p for p in SEVEN if p != victim][:4]:
        world.write(who, f"I vote for {victim}.", at=2)
    assert world.game.phase == "night"
    return world, seer


def reminders(world: World, who: str) -> list[str]:
    """What *who* was reminded of."""
    return [e.event.verb for e in world.events(Reminded) if isinstance(e.event, Reminded) and e.event.who == who]


def test_one_is_reminded_at_half_of_the_term_and_a_day_before_it_is_late() -> None:
    """NC 1j, D-A12: a private letter says since when it is owed, until when there is time, and what silence does."""
    world, seer = night()
    world.tick(2 + 3.5 * DAY - 0.01)
    assert reminders(world, seer) == []
    for at, told in ((3.5, 1), (5.9, 1), (6, 2), (9, 2)):
        world.tick(2 + at * DAY)
        assert reminders(world, seer) == ["see"] * told
        if at in (3.5, 6):
            said = " ".join(world.to(seer).split())
            assert said.startswith("Due by Tue 8 Dec 2026 02:00 UTC")
            assert "If you don't, the contestmaster may" in said

    assert not [m for m in world.letters if m.forum]


def test_nobody_is_reminded_who_has_been_replaced() -> None:
    """A late poll may find that one is to be reminded, and replaced: then there is nothing to remind em of."""
    world, seer = night()
    world.write("Ida", "I join.", at=4)
    world.command("substitute", 150, old=seer, new="Ida")

    assert reminders(world, seer) == []
    assert "You have owed" not in world.to(seer)
    assert "You take over from" in world.to("Ida")


def test_who_plays_on_for_another_has_the_whole_term() -> None:
    """NC 1j, D-N41: what e takes over is due seven days after that, and not after it began for the other."""
    world, seer = night()
    world.write("Ida", "I join.", at=4)
    world.command("substitute", 50, old=seer, new="Ida")

    assert {(o.verb, o.since, o.until) for o in deeds_owed(world.contest) if o.who == "Ida"} == {
        ("see", START + 50 * HOUR, START + (50 + 7 * DAY) * HOUR)}


def test_an_absence_puts_off_what_is_owed() -> None:
    """D-N37: days away don't count towards the seven of NC 1j; the refusal names the new day."""
    world, seer = night()
    world.write(seer, "holiday: 2026-12-02 to 2026-12-04", "contestmaster", at=3)
    other = next(p for p in SEVEN if p != seer)
    outcome = world.command("act-for", 2 + 7 * DAY, who=seer, deed=f"see {other}")
    assert (outcome.status, "Fri 11 Dec 2026 02:00 UTC" in outcome.said) == (1, True)

    game = world.game
    other = next(p for p in game.living() if p != seer)
    assert world.command("act-for", 2 + 10 * DAY, who=seer, deed=f"see {other}").status == 0


def test_after_an_outage_nothing_bites_until_resume() -> None:
    """D-N39: a gap of more than two days raises the guard; the time between does not count."""
    world, seer = night()
    other = next(p for p in SEVEN if p != seer and p in world.game.alive)
    late = START + (2 + 8 * DAY) * HOUR
    outcome = hear(world.contest, Tick(since=START + 3 * HOUR), late)
    world.contest = outcome.contest
    assert [type(e.event) for e in outcome.entries] == [GuardRaised]
    assert "nomicwolf resume" in outcome.letters[0].body
    assert world.command("act-for", 2 + 8 * DAY, who=seer, deed=f"see {other}").status == 1

    assert world.command("resume", 2 + 8 * DAY).status == 0
    assert world.command("act-for", 2 + 8 * DAY, who=seer, deed=f"see {other}").status == 1
    assert world.command("resume", 2 + 8 * DAY).status == 1
    assert world.command("act-for", 2 + 15 * DAY, who=seer, deed=f"see {other}").status == 0


def test_a_gap_that_is_short_raises_nothing() -> None:
    """D-N39: a poll some hours late is no outage."""
    world, _ = night()
    outcome = hear(world.contest, Tick(since=START + 3 * HOUR), START + 40 * HOUR)
    two_days = hear(world.contest, Tick(since=START + 3 * HOUR), START + 51 * HOUR)
    longer = hear(world.contest, Tick(since=START + 3 * HOUR), START + 51 * HOUR + 1)

    assert not [e for e in (*outcome.entries, *two_days.entries) if isinstance(e.event, GuardRaised)]
    assert [e for e in longer.entries if isinstance(e.event, GuardRaised)]


def test_a_holiday_moves_the_end_of_a_term() -> None:
    """CFJ 2321, 3138: what would be due in a holiday is due 72 hours after it."""
    world, seer = night()
    world.command("holiday", 3, nomic="agora", **{"from": "2026-12-07", "to": "2026-12-10"})
    other = next(p for p in SEVEN if p != seer)

    assert "Mon 14 Dec 2026 00:00 UTC" in world.command("act-for", 200, who=seer, deed=f"see {other}").said


def test_letters_tell_the_same_term_as_the_duties() -> None:
    """NC 1j, D-N37: a holiday moves the day in the claim's public letter, as in what the contestmaster owes."""
    world = won()
    world.command("holiday", 28, nomic="agora", **{"from": "2026-12-08", "to": "2026-12-10"})
    world.write("Bex", "CoE: award 2: Fay was dead.", at=30)

    (duty,) = [d for d in contract_duties(world.contest) if d.clause == "NC 5i"]
    assert duty.until == START + 13 * DAY * HOUR
    assert f"as soon as possible, and by {when(duty.until)} at the latest" in " ".join(world.to("agora").split())


def test_a_nomic_of_another_haste_has_another_term() -> None:
    """NC 1j: where a nomic's own law says ten days, the journal says ten days, and acts from then on."""
    usual, slow = setup(), replace(profile("agora-2009"), soon=10)
    world, _ = night(replace(usual, forums=(replace(usual.forums[0], own=slow), usual.forums[1])))
    views, last = (contestmaster_view(world.contest), public_view(world.contest)), world.contest.entries[-1:]
    before = journal(*views, last, Prose(), START + 9 * DAY * HOUR)
    after = journal(*views, last, Prose(), START + 11 * DAY * HOUR)

    assert "You can act for others from Fri 11 Dec 2026" in " ".join(before[0].body.split())
    assert "10 days of night 1 have passed" in " ".join(after[0].body.split())


@each(("words", "days"), [
    ("2026-12-20 to 2027-01-03", (19, 34)), ("from 20 December to 3 January", (19, 34)),
    ("20 Dec - 3 Jan 2027", (19, 34)), ("2026-12-05", (4, 5)), ("until 5 December", (0, 5)), ("next week", (6, 13)),
    ("from 3 to 9 December", (2, 9)), ("3-9 December", (2, 9)), ("December 3-9", (2, 9)), ("until Friday", (0, 4)),
    ("between 3 and 9 December", (2, 9)), ("for a week", (0, 7)), ("for the next 5 days", (0, 5)),
    ("from tomorrow for two weeks", (1, 15)), ("tomorrow", (1, 2)), ("this weekend", (4, 6)), ("until the 5th", (0, 5)),
    ("back on 5 December", (0, 4)), ("until 5 December 12:00 UTC", (0, 5)), ("from keyboard until tomorrow", None),
    ("", None), ("for ever", None), ("0 December", None), ("until 99999-12-01", None),
    ("2026-12-05 to 2026-12-01", None), ("30 February", None),
    ("20.12.2026 to 3.1.2027", (19, 34)), ("20.12. - 03.01.", (19, 34)), ("20.12.-3.1.27", (19, 34)),
    ("24.-27.12.2026", (23, 27)), ("2026.12.20 to 2027/1/3", (19, 34)), ("2026-12-20/2027-01-03", (19, 34)),
    ("20/12/2026 to 3/1/2027", (19, 34)), ("12/20/2026 to 1/3/2027", (19, 34)), ("12/20 - 1/3", (19, 34)),
    ("20-12-2026 to 03-01-2027", (19, 34)), ("20-Dec-2026 to 3-Jan-2027", (19, 34)), ("until 5/5/2027", (0, 156)),
    ("3/4/2027 to 5/4/2027", None), ("until 3/1/2027", None), ("20/12/2026 to 12/20/2026", None),
    ("24/27 December", None), ("20.13.2026 to 3.1.2027", None), ("12.20.2026 to 1.3.2027", None),
    ("Sun, 20 Dec '26 to Sun, 3 Jan '27", (19, 34)), ("20 December to 24 December 2027", (384, 389)),
    ("the 20th to the 3rd", (19, 34)), ("until 20 December 6 pm", None), ("until 6 pm on 20 December", None),
    ("from 20 Dezember to 24 Dezember", None), ("for 1.5 weeks", None), ("the next 2.5 days", None),
    ("from 20 December", None), ("week 51", None), ("the week after next", None), ("the week of 20 December", None),
    ("5-12 December and 20-24 December", None), ("20 xii 2026 to 3 i 2027", None), ("20·12·2026", None)])
def test_days_as_people_write_them(words: str, days: tuple[int, int] | None) -> None:
    """The last day belongs to it; what names no days is nothing."""
    expected = None if days is None else (START + days[0] * DAY * HOUR, START + days[1] * DAY * HOUR)

    assert span(words, START) == expected


def test_pauses_add_up_once() -> None:
    """Pauses that overlap count once, and those before or after don't count."""
    assert deadline_past(100, 50, [(10, 20), (110, 130), (120, 140), (500, 600)]) == 180
    assert deadline_past(100, 50, []) == 150


def test_what_the_contestmaster_owes_has_clause_and_term() -> None:
    """NC 2: with five contestants and no session, one is to be started within seven days."""
    world = World()
    for hour, name in enumerate(SEVEN[:5]):
        world.write(name, "I join.", at=hour)
    world.tick(6)

    duty = contract_duties(world.contest)[0]
    assert (duty.who, duty.clause, duty.since, duty.until) == (
        "Murphy", "NC 2", START + 4 * HOUR, START + (4 + 7 * DAY) * HOUR)


def test_joining_takes_effect_when_it_was_published() -> None:
    """CFJ 2266: each nomic's roster changes when its own forum had the letter, not when the mailbox was read."""
    world = World()
    world.write("Ash", "I join.", at=1, arrives=9, message_id="<j@players.example>")
    world.write("Ash", "I join.", "b", at=2, arrives=9, message_id="<j@players.example>")

    joined = [(e.event.nomic, e.at) for e in world.events(PartyJoined) if isinstance(e.event, PartyJoined)]
    assert joined == [("agora", START + HOUR), ("b", START + 2 * HOUR)]


def test_a_member_who_plays_the_other_nomic_is_reminded() -> None:
    """NC 1h: once, in private, and the duty has a term."""
    world = World()
    world.write("Ash", "I join.")
    world.command("party-status", 1, who="Ash", nomic="b", player="yes")
    assert [e.event.nomic for e in world.events(MemberReminded) if isinstance(e.event, MemberReminded)] == ["b"]
    assert "NC 1h" in world.to("Ash")
    assert [d.clause for d in contract_duties(world.contest)] == ["NC 1h"]
    world.write("Ash", "I join.", "b", at=2)

    assert contract_duties(world.contest) == ()


def test_the_contestmaster_can_change_in_one_nomic() -> None:
    """NC 1d, NC 1i: it is published, nobody who plays can be it, and what disagrees is said."""
    world = World().start()
    assert "plays in this session" in world.command("contestmaster", 1, nomic="b", who="Ash", how="elected").said
    world.command("party-add", 1, who="Root", address="root@x.example", nomic="b")
    outcome = world.command("contestmaster", 2, nomic="b", who="Root", how="by election")

    assert "disagree" in outcome.said
    assert len(world.events(ContestmasterChanged)) == 1
    assert "Root" not in world.contest.contestants()
    assert "NC 1i" in world.to("agora")


def test_who_is_a_member_nowhere_is_not_reminded_to_join() -> None:
    """NC 1h asks only those who are members elsewhere: whoever plays a nomic and has left the contract owes nothing."""
    world = World().start()
    world.write("Bex", "I leave this contract.", at=1)
    assert world.command("party-status", 2, who="Bex", nomic="b", player="yes").status == 0
    assert not world.events(MemberReminded)

    assert world.command("party-status", 3, who="Cam", nomic="b", player="yes").status == 0
    assert [e.event.who for e in world.events(MemberReminded) if isinstance(e.event, MemberReminded)] == ["Cam"]


def test_both_addresses_confirm_a_change() -> None:
    """Only whoever reads both letters can change an address; the old one is cut off then."""
    world = World().start()
    world.write("Bex", "address: bex@new.example", "contestmaster", at=1)
    asked = {m.to: re.findall(r"confirm ([A-Z2-7-]+)", m.body)[0] for m in world.letters if "/address/" in m.key}
    assert set(asked) == {"bex@players.example", "bex@new.example"}
    assert asked["bex@players.example"] not in "".join(m.body for m in world.letters if m.to == "bex@new.example")

    world.write("Bex", f"confirm {asked['bex@players.example']}", "contestmaster", at=2)
    assert world.contest.address_of("Bex") == "bex@players.example"
    world.write("", f"confirm {asked['bex@new.example']}", "contestmaster", at=3, sender="B <bex@new.example>")
    assert world.contest.persons["Bex"].addresses == ("bex@new.example",)
    assert world.write("Bex", "I vote for Gus.", at=4).bucket == "stranger"


def test_the_contestmaster_has_eir_address_from_the_settings() -> None:
    """Nothing is asked of em by mail, who is nobody of the roster: one who forged eir From would get all secrets."""
    world = World().start()
    world.write("Murphy", "address: murphy@new.example", "contestmaster", at=1, sender="murphy@murphy.example")

    assert [e.event.who for e in world.events(Refused) if isinstance(e.event, Refused)] == ["Murphy"]
    assert not world.events(AddressAsked)
    assert not any("murphy@new.example" in (letter.to or "") for letter in world.sent)


def test_a_wrong_word_confirms_nothing() -> None:
    """A guess from a stranger stays a stranger's; from the person emself it is refused."""
    world = World().start()
    world.write("Bex", "address: bex@new.example", "contestmaster", at=1)
    outcome = world.write("", "confirm AAAAA-BBBBB", "contestmaster", at=2, sender="B <bex@new.example>")
    assert outcome.bucket == "stranger"
    world.write("Bex", "confirm AAAAA-BBBBB", "contestmaster", at=3)

    assert world.events(Refused)
    assert world.contest.address_of("Bex") == "bex@players.example"


def test_a_former_name_still_means_em() -> None:
    """A person is renamed between sessions; letters that use the old name are understood."""
    world = World()
    for name in SEVEN:
        world.write(name, "I join.")
    assert world.command("party-rename", 1, who="Gus", new="Gustav").status == 0
    world.command("start", 2, seed="7")
    world.write("Bex", "I vote for Gus.", at=3)

    assert world.game.table["Bex"] == "Gustav"
    assert world.command("party-rename", 4, who="Bex", new="Rebecca").status == 1


def won() -> World:
    """A session that the villagers have won by lynching the werewolf; P = 50."""
    world = World().start()
    wolf = world.holder("werewolf")
    for who in [p for p in SEVEN if p != wolf][:4]:
        world.write(who, f"I vote for {wolf}.", at=2)
    assert world.events(Ended)
    return world


def test_p_is_derived_from_who_counts() -> None:
    """NC 5i, CFJ 2296: five for each party that is an active first-class player; the rest are named with reasons."""
    world = won()
    world.command("party-status", 3, who="Ash", nomic="agora", player="no")
    found = derive(world.contest, "agora")

    assert found is not None
    assert (found.points, found.counted, found.left_out) == (30, SEVEN[1:], (("Ash", "not player"),))
    assert derive(world.contest, "b") is None


def test_an_error_is_claimed_answered_and_corrected() -> None:
    """D-N40: awards are never edited; a further numbered action makes the difference, and never above P."""
    world = won()
    first = world.contest.awards[1][0]
    last = max(a.number for a in world.contest.awards[1])
    assert world.command("claim", 3, number="1", who="Bex", why="P was 45").status == 0
    assert "NC 5i" in [d.clause for d in contract_duties(world.contest)]
    assert world.command("claim", 4, number="1", answer="accepted", why="it was").status == 0
    assert world.command("correct", 5, number="1", amount="500", why="no").status == 1
    assert world.command("correct", 5, number="1", amount="4", why="P was 24").status == 0

    event = world.events(AwardCorrected)[0].event
    assert isinstance(event, AwardCorrected)
    assert (event.number, event.award, event.who, event.amount) == (last + 1, 1, first.who, 4 - first.amount)
    assert world.contest.awards[1][0] == first
    assert f"revoke {first.amount - 4} X point from {first.who}" in world.to("agora").replace("\n", " ")
    assert world.command("claim", 6, number="1", answer="denied", why="again").status == 1


def test_the_award_book_holds_awards_and_corrections() -> None:
    """NC 5i, D-N40: rows in the order announced, totals over all, and CSV that a spreadsheet reads."""
    world = won()
    world.command("correct", 5, number="1", amount="4", why="P was 24")
    first, last = award_book(world.contest)[0], award_book(world.contest)[-1]

    assert (first.session, first.number, first.corrects, last.corrects) == (1, 1, 0, 1)
    assert ("agora", first.who, "X points", 4) in award_totals(world.contest)
    lines = book_csv(world.contest).split("\r\n")
    assert lines[0] == "session,ruleset,number,at,nomic,who,what,amount,corrects,claim"
    assert lines[1].startswith("1,nomic-crossing,1,2026-12-01T02:00:00Z,agora,")
    assert len(lines) == len(award_book(world.contest)) + 2


def test_a_p_that_the_roster_does_not_yield_is_said() -> None:
    """N-110: the confirmation tells what the roster comes to, and `award` who was counted."""
    world = World()
    for name in SEVEN:
        world.write(name, "I join.")

    assert "the roster yields 35" in world.command("award", 1, limit="agora=60").said
    assert "yields" not in world.command("award", 1, limit="agora=35").said
    assert "  counted: Ash" in limit_lines(world.contest)


def test_who_gets_no_points_is_said_before_the_awards() -> None:
    """D-N55: `award` names whoever is no player of Agora, to whom an award is IMPOSSIBLE (CFJ 2438)."""
    world = World().start()
    assert not [line for line in limit_lines(world.contest) if "gets no points" in line]
    world.command("party-status", 1, who="Gus", nomic="agora", player="no")

    told = [line for line in limit_lines(world.contest) if "gets no points" in line]
    assert told == ["  gets no points: Gus, no player there (CFJ 2438; D-N55)"]


def ended(found: World, **started: Any) -> World:
    """Let all seven join, start a session, and let the villagers lynch the werewolf; settle it."""
    for player in SEVEN:
        found.write(player, "I join.")
    assert found.command("start", seed="7", **started).status == 0
    evil = [who for who in SEVEN if found.contest.game is not None and found.game.sides[who] == "werewolves"]
    for voter in [who for who in SEVEN if who not in evil][:4]:
        found.write(voter, f"I vote for {evil[0]}.", at=1)
    found.tick(at=2)
    return found


def test_a_share_of_nothing_in_the_only_nomic_ends_the_waiting() -> None:
    """NC 5i, D-N21: P of 3 among six winners is 0 for each; with that the end is told, and a session can be started."""
    usual = setup()
    found = World(replace(usual, forums=tuple(f for f in usual.forums if f.law.awards == "points")))
    ended(found)
    assert found.events(AwardsHeld)
    assert found.command("start", seed="8").status == 1

    assert found.command("award", limit="agora=3").status == 0
    assert not found.events(Awarded)
    over = [x.body for x in found.letters if "is over" in x.subject]
    assert over
    assert "so no points are awarded in Agora" in " ".join(over[0].split())
    assert found.command("start", seed="8").status == 0


@pytest.mark.parametrize(("limit", "started"), [
    ({"agora": 36}, {}), ({}, {"limit": "agora=36"}), ({}, {"limit": "agora=36", "how": "5 times 7, and one for luck"}),
    ({"agora": 35}, {}), ({}, {"limit": "agora=35"}),
])
def test_more_than_the_roster_yields_is_awarded_by_a_word_of_that_time_alone(
    limit: dict[str, int], started: dict[str, str]
) -> None:
    """Wherever P was said, and however it was reckoned: it waits, and the journal says by how much it is too much."""
    found = ended(World(setup(limit=limit)), **started)
    waits = 36 in limit.values() or "36" in started.get("limit", "")
    assert bool(found.events(AwardsHeld)) == waits
    assert bool(found.events(Awarded)) != waits
    assert ("which is 1 more than the roster yields" in " ".join(found.sent[-1].body.split())) == waits

    assert found.command("award", at=3, limit="agora=36").status == 0
    assert len([e for e in found.events(Awarded) if e.event.nomic == "agora"]) == 6  # type: ignore[attr-defined]


def test_who_leaves_makes_less_of_p() -> None:
    """What the roster yielded when P was confirmed at the start is too much once one of seven has left."""
    found = World(setup())
    for player in (*SEVEN, "Hal"):
        found.write(player, "I join.")
    found.command("award", limit="agora=40")
    found.write("Hal", "I leave the contract.", at=0.5)
    ended(found)
    assert found.events(AwardsHeld)
    assert not found.events(Awarded)
