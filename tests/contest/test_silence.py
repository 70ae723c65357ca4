"""The policy on absence, and the players who stand by (D-A12 to D-A14, D-N41)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from nomicwolf.archive.replay import redo
from nomicwolf.contest import Tick, hear, next_alarm
from nomicwolf.nomic.duties import owing, reminders
from nomicwolf.nomic.events import ActedFor, Answered, CountPosted, Refused, Reminded
from nomicwolf.nomic.setup import Alerted, Policy, Prodded, StandbyEnded, StandbyOffered
from nomicwolf.reports.answers import QUESTIONS
from nomicwolf.reports.archive import publish
from nomicwolf.reports.prose import packaged
from nomicwolf.village.events import Drawn, Entry, Replaced
from tests.archive.stories import posted
from tests.contest.test_caring import DAY, night
from tests.contest.world import HOUR, SEVEN, START, World, setup
from tests.tables import each

REPLACE = Policy(("prod", "replace"))


def prodded(world: World) -> list[tuple[str, int]]:
    """Who has been named, and for which time."""
    return [(e.event.who, e.event.times) for e in world.events(Prodded) if isinstance(e.event, Prodded)]


def all_but(world: World, silent: str, at: float) -> None:
    """Let everyone but *silent* say something in a forum."""
    for who in SEVEN:
        if who != silent:
            world.write(who, "Nothing new.", at=at)


def pass_days(world: World, silent: str, until: int) -> None:
    """Let the days from the second on pass, with a word from everyone but *silent* on each."""
    for day in range(2, until):
        all_but(world, silent, at=day * DAY)
        world.tick(day * DAY + 9)


@each("told", [("50%", "24h"), ("24h",), ("25%", "2h"), ()])
def test_a_reminder_lies_within_the_term(told: tuple[str, ...]) -> None:
    """Each of what is owed is reminded of at most twice, in order, and never when it is late."""
    owed = owing(night()[0].contest)[0]
    found = reminders(owed, told)

    assert len(found) == len(told)
    assert list(found) == sorted(found)
    assert all(owed.since < at < owed.ends for at in found)


def test_who_has_just_acted_is_not_reminded() -> None:
    """A poll that finds both looks at the letter first."""
    world, seer = night()
    other = next(p for p in world.game.living() if p != seer)
    world.write(seer, f"see {other}", "contestmaster", at=2 + 3.5 * DAY)

    assert seer not in [e.event.who for e in world.events(Reminded) if isinstance(e.event, Reminded)]


def test_a_count_is_posted_each_day_though_nothing_changes() -> None:
    """`daily_count`: at the first dawn slot, from a whole day after the vote has begun."""
    world = World().start()
    for hour in range(0, 5 * DAY, 2):
        world.tick(hour)

    assert [(e.at - START) / HOUR for e in world.events(CountPosted)] == [32, 56, 80, 104]


def test_a_count_that_nothing_changes_is_posted_once_a_week() -> None:
    """`quiet_days`: a vote brings the next day's count; all the while who is silent is named as before."""
    world = World(setup(quiet_days=7)).start()
    for hour in range(0, 31 * DAY, 2):
        world.tick(hour)
        if hour == 20 * DAY:
            world.write("Ash", "I vote for Bex.", at=hour)
    days = [round((e.at - START) / HOUR / DAY) for e in world.events(CountPosted)]

    assert days == [1, 8, 15, 20, 27]
    assert len({e.at for e in world.events(Prodded)}) > 1


def test_a_late_poll_posts_one_count() -> None:
    """Not one for each day on which nobody polled."""
    world = World().start()
    world.tick(20 * DAY)

    assert len(world.events(CountPosted)) == 1


def test_who_is_replaced_is_who_is_silent_and_the_first_on_standby_comes() -> None:
    """D-A12, D-N41: named at first, replaced when e is silent once more; all are told, and who comes has eir role."""
    world = World(setup(absence=REPLACE)).start()
    for who, at in (("Ida", 1), ("Jon", 2)):
        world.write(who, "I join.", at=at)
        world.contest.record(Entry(world.contest.last + 1, START + at * HOUR, StandbyOffered(who)))
    pass_days(world, "Gus", 8)

    assert prodded(world) == [("Gus", 1), ("Gus", 2)]
    assert [(e.event.old, e.event.new) for e in world.events(Replaced) if isinstance(e.event, Replaced)] == [
        ("Gus", "Ida")]
    assert world.contest.law.standby == ("Jon",)
    assert not [e for e in world.events(Alerted) if "Gus" in getattr(e.event, "text", "")]


def test_a_word_in_a_forum_begins_it_anew() -> None:
    """Who is seen is not gone, vote or no vote."""
    world = World(setup(absence=REPLACE)).start()
    for day in range(2, 14):
        all_but(world, "Gus", at=day * DAY)
        if day % 5 == 0:
            world.write("Gus", "I am thinking.", at=day * DAY + 1)
        world.tick(day * DAY + 9)

    assert set(prodded(world)) == {("Gus", 1)}


def test_a_private_letter_is_no_sign_that_all_can_see() -> None:
    """D-A12: were it one, who is named would tell who has something to do by night."""
    world = World(setup(absence=REPLACE)).start()
    for day in range(2, 6):
        all_but(world, "Gus", at=day * DAY)
        world.write("Gus", "status", "contestmaster", at=day * DAY)
        world.tick(day * DAY + 9)

    assert prodded(world) == [("Gus", 1)]


def test_nobody_is_named_while_away() -> None:
    """D-N37: days that were announced don't count."""
    world = World().start()
    world.write("Gus", "holiday: 2026-12-02 to 2026-12-12", "contestmaster", at=1)
    pass_days(world, "Gus", 12)

    assert prodded(world) == []


def test_absences_one_after_the_other_put_nothing_off_for_ever() -> None:
    """D-N37: fourteen days of all of them don't count, else who announces the next in time could hold up all others."""
    world, seer = night(setup(absence=Policy(("act-for",))))
    world.write(seer, "holiday: 2026-12-01 to 2026-12-13", "contestmaster", at=3)
    for day in range(12, 60, 12):
        first = datetime(2026, 12, 2, tzinfo=UTC) + timedelta(days=day)
        world.write(seer, f"holiday: {first:%Y-%m-%d} to {first + timedelta(days=11):%Y-%m-%d}", "contestmaster",
                    at=day * DAY)
        world.tick(day * DAY + 1)
    acted = [e for e in world.events(ActedFor) if isinstance(e.event, ActedFor) and e.event.who == seer]

    assert 14 * DAY < (acted[0].at - START) / HOUR < 24 * DAY + 2


def test_a_seat_goes_to_who_is_there() -> None:
    """Of those on standby one who has announced to be away comes last; if all are, the first has the seat."""
    for others in ((), ("Jon",)):
        world = World(setup(absence=REPLACE)).start()
        world.write("Ida", "I join.", at=1)
        world.write("Ida", "standby\nholiday: 2026-12-02 to 2026-12-25", "contestmaster", at=1.5)
        for who in others:
            world.write(who, "I join.", at=2)
            world.write(who, "standby", "contestmaster", at=3)
        pass_days(world, "Gus", 9)

        assert [e.event.new for e in world.events(Replaced) if isinstance(e.event, Replaced)] == [*others, "Ida"][:1]


def test_who_changes_eir_mind_is_announced_once() -> None:
    """A letter that offers and takes back, again and again, is one sentence and one list to the forums."""
    world = World().start()
    world.write("Ida", "I join.", at=1)
    world.write("Ida", "standby\nstandby: over\n" * 5 + "standby", "contestmaster", at=2)

    assert world.to("agora").count("Ida is ready to take somebody's place") == 1
    assert world.to("agora").count("On standby, in this order: Ida.") == 1
    assert "stands by no more" not in world.to("agora")


def test_without_anyone_on_standby_the_contestmaster_has_the_command() -> None:
    """What waits for the contestmaster has its command ready, in the journal, once."""
    world = World(setup(absence=Policy(("prod", "replace", "remove")))).start()
    pass_days(world, "Gus", 30)
    told = [e.event.text for e in world.events(Alerted) if isinstance(e.event, Alerted) and "Gus" in e.event.text]

    assert prodded(world) == [("Gus", 1), ("Gus", 2)]
    assert len(told) == 1
    assert "nomicwolf substitute Gus NAME" in told[0]
    assert "nomicwolf intend remove --who Gus" in told[0]


def test_a_contest_that_chose_nothing_is_told_at_once_and_has_the_commands() -> None:
    """D-N29, D-N56: a day that nothing ends is told at the start, and who stays silent with the commands, each once."""
    world = World()
    for name in SEVEN:
        world.write(name, "I join.")
    said = world.command("start", roles="seer,witch,hunter", seed="7", limit="agora=35").said
    journal = " ".join(world.to("Murphy").split())
    pass_days(world, "Gus", 12)
    told = [e.event.text for e in world.events(Alerted) if isinstance(e.event, Alerted)]

    assert 'day_limit = "14 plurality"' in said
    assert 'day_limit = "14 plurality"' in journal
    assert "Something waits for you" in journal
    assert len([text for text in told if "day_limit" in text]) == 1
    assert [text for text in told if "Gus" in text] == [(
        "Gus has been silent for too long (D-A12), and what becomes of em is left to you: `nomicwolf substitute Gus "
        'NAME` lets somebody take over, and `nomicwolf intend remove --who Gus --why "silent"` announces that e '
        "is to be removed.")]


@each(("rules", "switches"), [("nomic-crossing", {"day_limit": "14 plurality"}), ("gadianton", {})])
def test_a_day_that_something_ends_is_not_told(rules: str, switches: dict[str, str]) -> None:
    """A limit is one way, stages are another."""
    world = World(replace(setup(switches=switches), ruleset=rules)).start((*SEVEN, "Hal", "Ida"), roles="")

    assert not [e for e in world.events(Alerted) if "day_limit" in getattr(e.event, "text", "")]


def test_a_command_that_is_ready_does_nothing_else_whatever_players_are_called() -> None:
    """A name that a shell would run is quoted in each command that the contestmaster may copy."""
    world = World(setup(absence=Policy(("prod", "remove"))))
    world.write("Hal", "I join.", sender='"$(touch x)" <hal@players.example>')
    world.start()
    pass_days(world, "", 9)
    told = " ".join(e.event.text for e in world.events(Alerted) if isinstance(e.event, Alerted))

    assert "nomicwolf substitute '$(touch x)' NAME" in told
    assert "nomicwolf intend remove --who '$(touch x)' --why" in told


def test_the_policy_that_was_announced_holds_whatever_the_settings_say_later() -> None:
    """A session keeps to what its players were told at the start."""
    world = World(setup(absence=Policy(("act-for",)))).start()
    assert "lot from the session's seed decides" in " ".join(world.to("agora").split())
    world.contest.setup = setup()

    assert world.contest.law.policy == Policy(("act-for",))


def test_where_nothing_was_announced_nobody_is_replaced() -> None:
    """A session of an earlier version goes on as it began, though the settings have a policy by now."""
    world = World().start()
    world.contest.setup = setup(absence=REPLACE)
    pass_days(world, "Gus", 14)

    assert prodded(world) == [("Gus", 1), ("Gus", 2)]
    assert not world.events(Replaced)


def test_a_lot_acts_for_the_silent_and_can_be_redone() -> None:
    """NC 1j, D-A13: the wolf attacks by lot and the Seer sees by lot when seven days are over; the archive agrees."""
    world, seer = night(setup(absence=Policy(("act-for",))))
    world.tick(2 + 7 * DAY - 1)
    assert not world.events(ActedFor)
    for day in range(7, 16):
        world.tick(2 + day * DAY)
    acted = {e.event.who: e.event.says for e in world.events(ActedFor) if isinstance(e.event, ActedFor)}
    drawn = [e.event for e in world.events(Drawn) if isinstance(e.event, Drawn) and "silent" in e.event.purpose]

    assert acted[seer].startswith("see ")
    assert len(drawn) == 2
    assert world.game.place == "day 2"
    world.command("end", 20 * DAY, why="enough")
    assert redo(publish(world.contest, posted(world.sent))).differs == []


def test_nothing_is_done_for_anyone_in_an_outage() -> None:
    """D-N39: nobody is late who got no answers."""
    world, _ = night(setup(absence=Policy(("prod", "act-for"))))
    outcome = hear(world.contest, Tick(since=START + 3 * HOUR), START + 30 * DAY * HOUR)

    assert not [e for e in outcome.entries if isinstance(e.event, ActedFor | Reminded | Prodded | Alerted)]


@pytest.mark.parametrize("steps", [("prod",), ("prod", "replace", "act-for", "remove")])
def test_time_that_has_been_looked_at_is_not_asked_for_again(steps: tuple[str, ...]) -> None:
    """A host polls when a contest says so: what can't be done must not be asked for at once again."""
    world, _ = night(setup(absence=Policy(steps)))  # type: ignore[arg-type]
    for hour in range(2, 40 * DAY, 7):
        world.tick(hour)
        alarm = next_alarm(world.contest, START + hour * HOUR)
        assert alarm is None or alarm > START + hour * HOUR, world.contest.entries[-3:]


def test_a_stranger_is_told_to_join_first() -> None:
    """Only a party can play on; nobody else is on the list."""
    world = World().start()
    world.write("Ida", "I join.", at=1)
    world.command("party-remove", 2, who="Ida", why="by mistake")
    world.write("Ida", "standby", "contestmaster", at=3)

    assert not world.events(StandbyOffered)
    assert [e.event.why for e in world.events(Refused) if isinstance(e.event, Refused) and "join" in e.event.why]


def test_who_is_dealt_in_stands_by_no_more() -> None:
    """The list is of those who don't play."""
    world = World()
    for who in ("Ash", "Bex", "Cam", "Dov", "Eli"):
        world.write(who, "I join.\n\nStandby.", at=1)
    assert len(world.contest.law.standby) == 5
    world.command("start", 2, seed="7", limit="agora=50", how="as reckoned")

    assert not world.contest.law.standby


def test_it_is_taken_back_once() -> None:
    """Twice is refused, and so is what was never offered."""
    world = World().start()
    world.write("Ida", "I join.", at=1)
    for at, words in enumerate(("standby", "standby", "I'm no longer on standby.", "standby: over"), 2):
        world.write("Ida", words, "contestmaster", at=at)

    assert [type(e.event) for e in world.contest.entries if isinstance(e.event, StandbyOffered | StandbyEnded)] == [
        StandbyOffered, StandbyEnded]
    assert len([e for e in world.events(Refused) if getattr(e.event, "verb", "") == "standby"]) == 2


@each("verb", QUESTIONS)
def test_a_question_is_a_row_and_a_template(verb: str) -> None:
    """Each is answered by its own template, in a letter to whoever asks, and `help` lists it."""
    world = World().start()
    words = f"{verb}: I vote for Gus." if QUESTIONS[verb].words else verb
    world.write("Ash", words, "contestmaster", at=1)

    assert QUESTIONS[verb].template in packaged()
    assert [e.event.topic for e in world.events(Answered) if isinstance(e.event, Answered)] == [verb]
    assert world.to("Ash")
    world.write("Bex", "help", "contestmaster", at=2)
    assert verb == "help" or f'"{verb}' in world.to("Bex")


@each("verb", ["role", "who"])
def test_a_word_of_talk_asks_nothing_in_a_forum(verb: str) -> None:
    """“Who?” is talk there."""
    world = World().start()
    outcome = world.write("Ash", f"{verb.capitalize()}?", at=1)

    assert outcome.bucket == "no-deed"
    assert not world.events(Answered)
