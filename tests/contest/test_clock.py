"""Deadlines moved, and sessions paused: clocks are stopped, deeds wait, and the record can be redone (D-A1, D-A15)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.contest import Command, Tick, hear, next_alarm
from nomicwolf.nomic.duties import deeds_owed
from nomicwolf.nomic.events import CountPosted, DeedDone, Noted, Reminded, SessionStarted
from nomicwolf.nomic.law_events import GuardRaised, Paused, PauseEnded, QuestionAsked
from nomicwolf.nomic.times import iso, when
from nomicwolf.reports.archive import publish
from nomicwolf.reports.terminal import explain_json, explain_text, status_text
from nomicwolf.village.events import Announced, Chose, Extended, Lynched, Opened, StageBegan, Told, Voted
from tests.archive.stories import posted
from tests.contest.test_caring import DAY, night
from tests.contest.test_late import trials
from tests.contest.world import HOUR, SEVEN, START, World, setup
from tests.tables import each

TWELVE = tuple(f"Player{n:02}" for n in range(1, 13))
MOB = "mafia,mafia,cop,medium"


def world(name: str, **switches: str) -> World:
    """A contest of twelve in the rule set *name*, before its first session."""
    found = World(replace(setup(), ruleset=name, switches=switches))
    for player in TWELVE:
        found.write(player, "I join.")
    return found


def started(name: str, roles: str = "", **switches: str) -> World:
    """A session of the twelve."""
    found = world(name, **switches)
    outcome = found.command("start", roles=roles, seed="7", limit="agora=35")
    assert outcome.status == 0, outcome.said
    return found


def test_a_stage_is_extended_in_public_and_never_into_the_past() -> None:
    """X-18, D-A1: all are told the new deadline, and the night ends then."""
    night = started("gadianton")
    refused = night.command("extend", at=2, until="2026-12-01T01:00Z")
    assert (refused.status, "past" in refused.said) == (1, True)
    assert night.command("extend", at=2, until="tomorrow").status == 2

    outcome = night.command("extend", at=2, until="2026-12-05T00:00Z")
    assert outcome.said.startswith(
        "Night 1 lasts until Sat 5 Dec 2026 00:00 UTC; before, its deadline was Fri 4 Dec 2026 00:00 UTC.")
    assert len(night.events(Extended)) == 1
    assert night.letters
    night.tick(at=95)
    assert night.game.phase == "night"
    night.tick(at=96)
    assert night.game.phase == "day"


def after_outage(polled: float) -> World:
    """A first night until hour 72, and nobody who polled between the hours *polled* and 200."""
    found = World(replace(setup(settling=600), ruleset="gadianton"))
    for player in TWELVE:
        found.write(player, "I join.")
    found.command("start", seed="7", limit="agora=35")
    found.contest = hear(found.contest, Tick(since=START + int(polled * HOUR)), START + 200 * HOUR).contest
    return found


@pytest.mark.parametrize(("extended", "ends"), [(0, 72 + 210 - 10), (215, 215), (300, 300)])
def test_a_deadline_comes_later_by_the_outage(extended: int, ends: int) -> None:
    """D-N39: nobody is late for want of answers; if the contestmaster has moved it since, it stands where e put it."""
    night = after_outage(10)
    if extended:
        assert night.command("extend", at=201, until=iso(START + extended * HOUR)).status == 0
    said = night.command("resume", at=210).said
    assert ("before, its deadline was Fri 4 Dec" in said) == (ends == 272)

    night.tick(at=ends + 0.1)
    assert night.game.place == "night 1"
    night.tick(at=ends + 0.2)
    assert night.game.place == "day 1"


def test_a_deadline_right_before_the_outage_takes_nothing_from_the_next_stage() -> None:
    """D-N39: it had not been settled when the polling stopped, and the discussion after it has all of its time."""
    night = after_outage(72.1)
    assert night.command("resume", at=210).status == 0
    night.tick(at=210.2)
    assert (night.game.stage, night.game.deadline) == ("discussion", START + (210 + 72) * HOUR + 1)


def overtaken(minutes: float, *, polled: bool, phase: str = "", name: str = "extend") -> tuple[World, str]:
    """A contest to whose master it says what comes of an order so long after the first night's deadline."""
    found = World(replace(setup(settling=600), ruleset="gadianton"))
    for player in TWELVE:
        found.write(player, "I join.")
    found.tick(at=1)
    assert found.command("start", at=1, seed="7", limit="agora=35").status == 0
    at = 73 + minutes / 60
    if polled:
        found.tick(at=at)
    args = {"until": "2026-12-05T00:00Z"} if name == "extend" else {}
    first = hear(found.contest, Command(name, args, phase), START + int(at * HOUR))
    found.contest = first.contest
    return found, first.said


@pytest.mark.parametrize("name", ["extend", "close"])
@each(("minutes", "polled"), [(5, True), (5, False), (45, True), (200, False)])
def test_an_order_that_its_deadline_overtook_moves_no_other_deadline(name: str, minutes: float, polled: bool) -> None:
    """D-A1, D-A4: the night is over, its deadline can't be moved, and that of the next stage isn't meant."""
    found, said = overtaken(minutes, polled=polled, name=name)

    assert said.startswith(
        "Nothing was done: night 1 ended at Fri 4 Dec 2026 01:00 UTC. Now it is the discussion of day 1, until Mon "
        "7 Dec 2026 01:00 UTC; to ")
    assert 'say --phase "day 1".' in said
    assert not found.events(Extended)


@pytest.mark.parametrize(("minutes", "phase"), [(5, "day 1"), (45, "day 1"), (75, "")])
def test_who_names_the_phase_or_gives_it_time_moves_what_e_means(minutes: float, phase: str) -> None:
    """The order says what it has moved, and from when."""
    found, said = overtaken(minutes, polled=True, phase=phase)

    assert said.startswith(
        "The discussion of day 1 lasts until Sat 5 Dec 2026 00:00 UTC; before, its deadline was Mon 7 Dec")
    assert len(found.events(Extended)) == 1


def test_a_stage_of_the_same_phase_is_moved_once_it_is_announced() -> None:
    """The phase alone doesn't tell a discussion from the nominations after it."""
    found = World(replace(setup(settling=600), ruleset="six-phases"))
    for player in TWELVE:
        found.write(player, "I join.")
    found.tick(at=1)
    assert found.command("start", at=1, roles=MOB, seed="7", limit="agora=35").status == 0
    while found.game.place != "day 1":
        found.tick(at=(found.game.deadline - START) / HOUR + 1)
    ends = (found.game.deadline - START) / HOUR
    order = Command("extend", {"until": "2026-12-30T00:00Z"}, "day 1")

    refused = hear(found.contest, order, START + int((ends + 0.1) * HOUR))
    assert refused.status == 1
    assert refused.said.startswith("Nothing was done: the discussion of day 1 ended at ")
    assert "Now it is the nominations of day 1" in refused.said
    assert f"as `nomicwolf poll` does from {when(int(START + ends * HOUR) + 600)} on." in refused.said
    found.tick(at=ends + 0.2)
    assert hear(found.contest, order, START + int((ends + 0.3) * HOUR)).status == 0


def test_a_stage_is_closed_before_its_time() -> None:
    """GA 5g (G-21): the moderator finds that there has been time enough."""
    found = started("gadianton")
    assert found.command("close", at=1).status == 0
    assert found.game.phase == "day"

    found.command("close", at=2)
    assert (found.game.phase, found.game.number) == ("night", 2)
    assert [a.text for a in found.game.ever(Announced)][-1] == "Nobody was killed today."
    none = World().start().command("close", at=3)
    assert "no stage with a deadline" in none.said


def test_what_a_night_ends_without_waits_for_no_command() -> None:
    """D-A1: a night of three days is over before seven days have passed, so nobody is told to act for em then."""
    said = status_text(started("gadianton").contest)
    assert "when the night ends all the same" in " ".join(said.split())
    assert "act-for" not in said


def test_cards_that_are_dealt_by_hand_are_not_told() -> None:
    """GA 2e, D-G14: recorded, and no public letter says who holds what, nor does the public record."""
    found = world("gadianton", dealt_by_moderator="on")
    cards = ["gadianton"] * 3 + ["prophet"] + ["nephite"] * 8
    assert "give each player" in found.command("start", roles="", seed="7").said

    given = ",".join(f"{who}={card}" for who, card in zip(TWELVE, cards, strict=True))
    assert found.command("start", roles=given, seed="7").status == 0
    assert found.game.holders("gadianton") == TWELVE[:3]
    (begun,) = found.events(SessionStarted)
    assert isinstance(begun.event, SessionStarted)
    assert begun.event.roles == ()
    assert "3 Gadiantons" in found.to("agora")
    assert "The contestmaster has dealt the cards by hand, not by lot." in found.to("agora")
    assert "by lot:" not in found.to("agora")
    (opened,) = found.events(Opened)
    assert isinstance(opened.event, Opened)
    assert opened.event.roles == ()


def test_roles_go_by_their_other_names() -> None:
    """What a community calls them: the session knows them by ours."""
    found = started("six-phases", MOB)

    (begun,) = found.events(Opened)
    assert isinstance(begun.event, Opened)
    assert sorted(begun.event.roles) == ["cop", "mafioso", "mafioso", "medium"]


def test_unusual_decks_are_warned_of() -> None:
    """D-T2 (T-02): the contestmaster is told, in eir journal too, and the session begins."""
    found = world("tabula")
    said = found.command("start", roles="mythomaniac", seed="7").said

    assert "Mythomaniac is suggested from 16 players on." in said
    assert [e.event.text for e in found.events(Noted) if isinstance(e.event, Noted) and e.event.topic == "deck"]


def test_a_pack_talks_by_way_of_the_program() -> None:
    """SP 4: relayed in the contest's own words, to the pack alone, without an address."""
    found = started("six-phases", MOB)
    one, other = found.game.holders("mafioso")
    found.tick(at=25)
    found.write(one, "say pack: Player12 tonight?", "contestmaster", at=26)

    assert f"{one} says: Player12 tonight?" in found.to(other)
    assert "players.example" not in found.to(other)
    assert [t.event.to for t in found.events(Told) if isinstance(t.event, Told) and t.event.topic == "relay"] == [other]


@pytest.mark.parametrize(("hour", "heard"), [(1, True), (30, False)])
def test_questions_reach_the_contestmaster_in_free_discussion(hour: int, heard: bool) -> None:
    """SP 0f, D-M16: at night they are refused."""
    found = started("six-phases", MOB)
    found.tick(at=hour)
    found.write(TWELVE[0], "ask gm: may I vote for myself?", "contestmaster", at=hour + 1)

    assert (f"{TWELVE[0]} asks: “may I vote for myself" in " ".join(found.to("Murphy").split())) is heard
    assert not found.to("agora")


@pytest.mark.parametrize(("name", "clauses"), [("nomic-crossing", ["NC 3"]), ("gadianton", [])])
def test_an_explanation_names_no_clause_that_a_game_has_not(name: str, clauses: list[str]) -> None:
    """Votes rest on the contract in its own game alone; an entry rests on what it cites, be that nothing."""
    found = started(name)

    assert explain_json(found.contest, "count")["clauses"] == clauses
    assert ("NC" in explain_text(found.contest, "count")) == bool(clauses)
    assert explain_json(found.contest, "1")["events"][0]["cites"] == explain_json(found.contest, "1")["clauses"] == []


def test_in_other_games_one_may_always_ask() -> None:
    """No clause of theirs sets a time for it."""
    found = World().start()
    found.write("Ash", "ask: may I vote for myself?", "contestmaster", at=1)

    (asked,) = found.events(QuestionAsked)
    assert "Ash asks: “may I vote for myself" in " ".join(found.to("Murphy").split())
    assert "may I vote for myself" in explain_text(found.contest, str(asked.number))
    assert not found.events(Chose)


def test_last_words_are_a_whole_letter() -> None:
    """SP 3c, D-M14: without a verb, from the condemned alone, and only then."""
    found = started("six-phases", MOB)
    victim, other = found.game.holders("townie")[:2]
    found.tick(at=24 + 72 + 72 + 1)
    found.write(other, f"nominate {victim}", "contestmaster", at=170)
    found.tick(at=24 + 72 + 72 + 48 + 24 + 24 + 1)
    found.write(other, "guilty", "contestmaster", at=266)
    found.write(victim, "I was framed.\nYou will miss me.", "contestmaster", at=267)
    assert not found.events(Lynched)

    found.write(other, "Well, well.", "contestmaster", at=24 + 72 + 72 + 48 + 24 + 24 + 48 + 1)
    assert found.game.stage == "last words"
    found.write(victim, "I was framed.\nYou will miss me.", "contestmaster", at=24 + 72 + 72 + 48 + 24 + 24 + 48 + 2)
    assert "I was framed." in found.to("agora")
    assert "You will miss me." in found.to("agora")
    assert [e.event.who for e in found.events(Lynched) if isinstance(e.event, Lynched)] == [victim]


def test_a_card_that_is_shown_is_pointed_out() -> None:
    """GA 5a, D-G13: to the contestmaster, and whoever's card it is; the words are no deed, and a claim is free."""
    found = started("gadianton")
    found.tick(at=73)
    found.write(TWELVE[0], "Look:\n\n> You are the Prophet, on the Nephites' side.\n> accuse Player02\n", at=74)
    assert "quotes a letter about a card" in found.to("Murphy")
    assert not found.to("agora")

    found.write(TWELVE[1], "I tell you: you are a Gadianton, and I am a Prophet.", at=75)
    assert len([e for e in found.events(Noted) if isinstance(e.event, Noted) and e.event.topic == "card"]) == 1


def test_a_sealed_ballot_brings_no_daily_count() -> None:
    """D-M1: that somebody has voted is not told to anyone before the ballots are opened."""
    found = started("six-phases", MOB)
    found.tick(at=24 + 72 + 72 + 1)
    assert found.game.stage == "nominations"
    found.write(TWELVE[0], f"nominate {TWELVE[1]}", "contestmaster", at=170)
    found.tick(at=24 + 72 + 72 + 40)

    assert not found.to("agora")
    assert not found.events(CountPosted)
    assert found.events(StageBegan)


@pytest.mark.parametrize("topic", ["votes", "status"])
def test_who_asks_behind_a_deadline_is_told_that_it_has_passed(topic: str) -> None:
    """D-N9: letters of a poll are read before time passes, for they may be from before; the answer says so."""
    found = started("gadianton")
    ends = (found.game.deadline - START) / HOUR
    found.write("Player01", topic, "contestmaster", ends - 1)
    assert "has passed since" not in found.to("Player01")
    found.write("Player01", topic, "contestmaster", ends + 1)
    assert f"The deadline, {when(START + int(ends * HOUR))}, has passed since" in " ".join(found.to("Player01").split())
    found.write("Player01", topic, "contestmaster", ends + 2)
    assert "has passed since" not in found.to("Player01")


def test_nominations_are_spoken_of_as_of_many() -> None:
    """D-A1: they last, and are closed."""
    world = trials("tabula", stage="nominations", W1="werewolf", W2="werewolf", S1="seer")
    assert world.command("extend", 1, until="2026-12-04T00:00Z").said == (
        "The nominations of day 1 last until Fri 4 Dec 2026 00:00 UTC; before, their deadline was Thu 3 Dec 2026 "
        "00:00 UTC.")
    assert world.command("close", 2).said.startswith("The nominations of day 1 are closed.")


def test_what_is_owed_is_due_later_by_the_pause() -> None:
    """NC 1j: the seven days of a night stand still, and nobody is reminded meanwhile."""
    world, seer = night()
    world.command("pause", 3 * DAY, why="a wedding")
    world.tick(30 * DAY)
    assert not world.events(Reminded)
    assert next_alarm(world.contest) is None
    world.command("resume", 30 * DAY)

    assert [o.until for o in deeds_owed(world.contest) if o.who == seer] == [START + (2 + 34 * DAY) * HOUR]
    world.tick(2 + 33 * DAY)
    assert [e.at for e in world.events(Reminded)]


def test_a_letter_that_comes_late_out_of_a_pause_counts_from_its_end() -> None:
    """Its stamp lies in the pause, and it reaches the contest after it: it is no earlier than what waited."""
    world = World(setup(settling=600)).start()
    world.command("pause", 1, why="a wedding")
    world.write("Ash", "I vote for Gus.", at=2)
    world.command("resume", 10)
    world.write("Bex", "I vote for Gus.", at=3, arrives=11)
    world.tick(12)

    assert [(e.event.who, e.at) for e in world.events(Voted) if isinstance(e.event, Voted)] == [
        ("Ash", START + 10 * HOUR), ("Bex", START + 10 * HOUR)]


def test_a_letter_from_before_the_pause_counts_in_it_from_its_own_moment() -> None:
    """It was sent in time, and nothing that was due before is undone by a pause."""
    world = World().start()
    world.command("pause", 5, why="a wedding")
    world.write("Ash", "I vote for Gus.", at=4, arrives=6)

    (vote,) = world.events(Voted)
    assert vote.at == START + 4 * HOUR


def test_an_objection_does_not_wait() -> None:
    """A nomic's own time goes on, in which B's intents happen by themselves."""
    world = World().start()
    world.command("intend", 1, what="remove", who="Eli", why="silence")
    world.command("pause", 2, why="a wedding")
    world.write("Ash", "I object to intent 1.", at=3)

    assert world.contest.law.intents[1].objections
    assert [e.event.says for e in world.events(DeedDone) if isinstance(e.event, DeedDone)] == ["object: 1"]


def test_it_is_told_once_and_twice_is_refused() -> None:
    """All are told of the beginning and of the end, with the reason; nothing else is resumed."""
    world = World().start()
    assert world.command("resume", 1).status == 1
    assert world.command("pause", 1, why=" ").status == 2
    world.command("pause", 1, why="a wedding")
    assert "a wedding" in world.to("agora")
    assert world.command("pause", 2, why="another").status == 1
    for command in ("extend", "close", "announce"):
        assert "resume" in world.command(command, 3, until="2026-12-09T00:00Z").said
    world.command("resume", 4)
    assert "takes effect now" in world.to("b")
    assert [type(e.event) for e in world.contest.entries if isinstance(e.event, Paused | PauseEnded)] == [
        Paused, PauseEnded]


def test_nobody_has_to_poll_in_a_pause() -> None:
    """D-N39: an outage can't be one of clocks that stand still."""
    world = World().start()
    world.command("pause", 1, why="a wedding")
    outcome = hear(world.contest, Tick(since=START + HOUR), START + 30 * DAY * HOUR)

    assert not [e for e in outcome.entries if isinstance(e.event, GuardRaised)]


@pytest.mark.parametrize("arrives", [20, 50])
def test_the_session_can_be_redone(arrives: float) -> None:
    """Verifying the archive takes what was sent in a pause as of its end, though it came even later."""
    world = World().start()
    world.write("Ash", "I vote for Gus.", at=1)
    world.command("pause", 2, why="a wedding")
    for hour, who in enumerate([p for p in SEVEN if p not in ("Ash", "Gus", "Bex")], 3):
        world.write(who, "I vote for Gus." if hour < 5 else "I vote for Bex.", at=hour)
    world.command("resume", 40)
    world.write("Bex", "I vote for Gus.", at=10, arrives=arrives)
    world.command("end", 60, why="enough")

    assert redo(publish(world.contest, posted(world.sent))).differs == []
