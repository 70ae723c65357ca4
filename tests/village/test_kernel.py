"""How events follow from one another: order, causes, clauses, and an end to it (architecture: the kernel)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from nomicwolf.village.ballots import For
from nomicwolf.village.events import (
    STAGE,
    Announced,
    Chose,
    ClockStruck,
    Declared,
    Disclosed,
    Ended,
    Entry,
    Event,
    Killed,
    Opened,
    Voted,
)
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Endless, Ruleset
from nomicwolf.village.rules import Dealt, Duty, Events, Law, Owed, Refusal, Role, Rule, always, instead, whenever
from nomicwolf.village.rulesets import ruleset
from tests.tables import each
from tests.village.games import HOUR, S5, S7, S8, Play, Staged


def nobody(names: Sequence[str], chosen: Sequence[str], seed: str, switches: Mapping[str, str]) -> Dealt:
    """Deal no role to anybody: the sessions here are opened with a deal of their own."""
    return (), ()


def tiny(*rules: Rule, duties: tuple[Duty, ...] = (), extra: tuple[Rule, ...] = ()) -> Ruleset:
    """Return a rule set of two laws, the first with *rules*, and the roles ``one`` and ``two``."""
    return Ruleset(
        "tiny", "Tiny", "TI", (Law("first", duties, rules), Law("second", rules=extra)),
        {"one": Role("one", "side"), "two": Role("two", "side")}, deal=nobody)


def opened(rules: Ruleset) -> Game:
    """Return a session of Ash, who is ``one``, and Bex, who is ``two``."""
    deal = (("Ash", "one", "side"), ("Bex", "two", "side"))
    return rules.settle(Game(), HOUR, (Opened("tiny", 1, "", deal),), ("TI 1",), "command")[0]


def say(text: str) -> Announced:
    """Return an announcement."""
    return Announced("test", text)


def texts(game: Game) -> list[str]:
    """Return what has been announced."""
    return [a.text for a in game.ever(Announced)]


def on(text: str, *more: str) -> Callable[[Game, Announced], Events]:
    """Return what follows from the announcement of *text*: announcements of *more*."""
    return lambda game, event: [say(m) for m in more] if event.text == text else None


def test_consequences_come_first_in_first_out() -> None:
    """Each entry has the rule's clauses and the number of the entry that it follows from."""
    rules = tiny(whenever(Announced, "TI 2")(on("a", "b", "c")), extra=(whenever(Announced, "TI 3")(on("b", "d")),))
    game, news = rules.settle(opened(rules), 2 * HOUR, (say("a"), say("x")), ("TI 1",), "deed 7")

    assert texts(game) == ["a", "x", "b", "c", "d"]
    assert [(e.number, e.at, e.cites, e.cause) for e in news] == [
        (2, 2 * HOUR, ("TI 1",), "deed 7"), (3, 2 * HOUR, ("TI 1",), "deed 7"), (4, 2 * HOUR, ("TI 2",), "entry 2"),
        (5, 2 * HOUR, ("TI 2",), "entry 2"), (6, 2 * HOUR, ("TI 3",), "entry 4")]
    assert tuple(game.entries[1:]) == news


def test_a_replacement_happens_at_once_and_in_its_place() -> None:
    """It cites its rule, or what the replaced event cited if the rule names no clause; an empty one lets nothing be."""
    twice = instead(Announced, "TI 2")(on("a", "b", "c"))
    silent = instead(Announced)(on("x", "y"))
    never = instead(Killed, "TI 4")(lambda game, event: [])
    rules = tiny(twice, silent, never)
    events = (say("a"), say("x"), Killed("Ash", "test"), say("z"))
    game, news = rules.settle(opened(rules), HOUR, events, ("TI 1",), "c")

    assert texts(game) == ["b", "c", "y", "z"]
    assert [e.cites for e in news] == [("TI 2",), ("TI 2",), ("TI 1",), ("TI 1",)]
    assert {e.cause for e in news} == {"c"}
    assert "Ash" in game.alive


def test_a_rule_replaces_a_chain_once() -> None:
    """What it makes is not replaced by it again, though by another rule; a second event of the kind is."""
    rules = tiny(instead(Announced)(on("a", "a", "b")), instead(Announced)(on("b", "c")))
    game, _ = rules.settle(opened(rules), HOUR, (say("a"), say("a")), (), "")

    assert texts(game) == ["a", "c", "a", "c"]


def test_what_holds_always_comes_when_nothing_is_left() -> None:
    """In the order of the laws, the first that has something to say; without a cause."""
    def once(text: str) -> Callable[[Game, object], Events]:
        return lambda game, owed: None if text in texts(game) else [say(text)]

    rules = tiny(whenever(Announced)(on("a", "b")), always("TI 2")(once("p")), extra=(always("TI 3")(once("q")),))
    game = opened(rules)
    assert texts(game) == ["p", "q"]
    assert [(e.cites, e.cause) for e in game.entries[1:]] == [(("TI 2",), ""), (("TI 3",), "")]
    assert texts(rules.settle(game, HOUR, (say("a"),), (), "")[0]) == ["p", "q", "a", "b"]


def test_rules_that_answer_each_other_for_ever_are_a_defect() -> None:
    """They are stopped, with the last events in the message."""
    rules = tiny(whenever(Announced)(on("a", "b")), whenever(Announced)(on("b", "a")))

    with pytest.raises(Endless, match=r"after \['Announced', 'Announced', 'Announced', 'Announced'\]"):
        rules.settle(opened(rules), HOUR, (say("a"),), (), "")


def test_rules_of_roles_hold_only_where_these_were_dealt() -> None:
    """A role that nobody holds changes nothing."""
    there = Role("one", "side", rules=(whenever(Announced)(on("a", "one")),))
    absent = Role("three", "side", rules=(whenever(Announced)(on("a", "three")),))
    rules = Ruleset("tiny", "Tiny", "TI", (), {"one": there, "two": Role("two", "side"), "three": absent}, deal=nobody)

    assert texts(rules.settle(opened(rules), HOUR, (say("a"),), (), "")[0]) == ["a", "one"]


def act(duty: Duty, *what: str, passing: bool = False) -> tuple[Entry, ...]:
    """Let Ash do *duty* to *what*."""
    rules = tiny(duties=(duty,))
    return rules.act(opened(rules), 2 * HOUR, "Ash", duty.verb, what, passing=passing, by="Cat", cause="deed 1")[1]


def test_a_deed_is_recorded_with_what_follows() -> None:
    """Who, verb, whom, by whose hand; spoken deeds are declared; the duty's clauses, the deed's cause."""
    def then(game: Game, me: str, what: tuple[str, ...]) -> list[Event]:
        return [Disclosed(it, me) for it in what]

    def free(game: Game, me: str, it: str) -> str:
        return ""

    done = act(Duty("nod", lambda game, me: True, free, then, cites=("TI 5",)), "Bex")
    assert [(e.event, e.at, e.cites, e.cause) for e in done] == [
        (Chose("Ash", "nod", ("Bex",), "Cat"), 2 * HOUR, ("TI 5",), "deed 1"),
        (Disclosed("Bex", "Ash"), 2 * HOUR, ("TI 5",), "deed 1")]
    assert act(Duty("nod", lambda game, me: True, free, spoken=True), "Bex")[0].event == Declared(
        "Ash", "nod", ("Bex",), "Cat")
    passed = act(Duty("nod", lambda game, me: True, free, then, may_pass=True), passing=True)
    assert [e.event for e in passed] == [Chose("Ash", "nod", (), "Cat")]


@each(("arity", "what", "why"), [
    (0, ("Bex",), "To nod you must name nobody."), (1, (), "To nod you must name one person."),
    (2, ("Bex",), "To nod you must name two persons."), (3, ("Bex",), "To nod you must name 3 persons."),
    (2, ("Bex", "Bex"), "Name different persons."),
])
def test_a_deed_names_as_many_as_it_takes(arity: int, what: tuple[str, ...], why: str) -> None:
    """The refusal has the duty's clauses, and whom one can name."""
    def allowed(game: Game, me: str, it: str) -> str:
        return "" if it == "Bex" else "no"

    duty = Duty("nod", lambda game, me: True, allowed, arity=arity, cites=("TI 6",))
    with pytest.raises(Refusal) as wrong:
        act(duty, *what)

    assert (wrong.value.why, wrong.value.cites, wrong.value.options) == (why, ("TI 6",), ("Bex",))


def test_a_must_forbids_passing() -> None:
    """A duty that may be declined can't while it must be done."""
    def free(game: Game, me: str, it: str) -> str:
        return ""

    for must, refused in ((lambda game: True, True), (lambda game: False, False)):
        duty = Duty("nod", lambda game, me: True, free, may_pass=True, must=must)
        if refused:
            with pytest.raises(Refusal, match="You can't decline to nod"):
                act(duty, passing=True)
        else:
            assert act(duty, passing=True)


def test_whoever_is_no_player_has_no_duties() -> None:
    """And a session that is over, or not yet open, owes nothing and waits for nothing."""
    play = Play(S8)
    assert play.rules.duties(play.game, "Zed") == []
    assert [d.verb for d in play.rules.duties(play.game, "Ash")] == ["say", "vote"]
    assert (play.rules.alarms(Game()), play.rules.alarm(Game())) == ([], None)

    play = Play(S7).lynch("Ash", "Bex", "Cam", "Dov", "Eli")
    assert (play.game.over, play.owed, play.rules.alarms(play.game)) == (True, [], [])


def test_alarms_are_ahead_and_in_order() -> None:
    """The next is the first; what is due now is not waited for."""
    play = Play(S5).do("Eli match Ash Bex", at=8 * HOUR)
    play.do("Ash vote Bex if it is after 1970-01-01T20:00Z", "Bex vote Cam if it is after 1970-01-01T12:00Z",
            "Cam vote Dov if it is after 1970-01-01T09:00Z", at=9 * HOUR)

    assert play.rules.alarms(play.game) == [(12 * HOUR, "a condition")]
    assert play.rules.alarm(play.do("dawn").game) == (20 * HOUR, "a condition")


def test_a_late_ballot_that_lynches_is_the_cause_of_it() -> None:
    """D-V9: the recount and the lynching follow from the entry of the ballot, which overtook the others."""
    play = Play(S7).do("Bex vote Gus", "Cam vote Gus", "Fay vote Gus", at=9 * HOUR).do("Fay vote Dov", at=12 * HOUR)
    play.do("Ash vote Gus", at=10 * HOUR)
    first, recounted = play.news[0], play.news[1]

    assert (first.event.name, first.at) == ("voted", 10 * HOUR)
    assert (recounted.event.name, recounted.cause, recounted.cites) == (
        "recounted", f"entry {first.number}", first.cites)
    assert [e.number for e in play.news] == list(range(first.number, first.number + len(play.news)))


def test_words_are_for_the_group_that_is_named() -> None:
    """LT 3: with a group before the colon for that one, else for the first that one may speak to; kept as said."""
    play = Play(S8)
    for words, kept in (("pack: hello", "pack: hello"), ("pack: so: no", "pack: so: no"),
                        ("hello: you", "pack: hello: you"), (" hi ", "pack: hi")):
        _, news = play.rules.speak(play.game, 9 * HOUR, "Ash", "say", words, by="Cat", cause="deed 2")
        assert (news[0].event, news[0].cause, news[0].cites) == (
            Chose("Ash", "say", (), "Cat", kept), "deed 2", ("NC 4a",))
    with pytest.raises(Refusal, match="No such action is open to you now: say"):
        play.rules.speak(play.game, 9 * HOUR, "Ash", "say", "lovers: hello")
    with pytest.raises(Refusal, match="There are no words to say") as wrong:
        play.rules.speak(play.game, 9 * HOUR, "Ash", "say", "pack: ")
    assert wrong.value.cites == ("NC 4a",)
    assert play.rules.speak(play.game, 9 * HOUR, "Ash", "say", "pack: hi")[1][0] == Entry(
        play.game.next, 9 * HOUR, Chose("Ash", "say", (), "", "pack: hi"), ("NC 4a",), "")


def test_words_without_a_group_are_kept_as_they_are() -> None:
    """What is for nobody's group stands without one; and only what is spoken can be said."""
    def aloud(game: Game, me: str, words: str) -> list[Event]:
        return [say(words)]

    ask = Duty("ask", lambda game, me: True, lambda game, me, it: "", arity=0, hears=aloud)
    nod = Duty("nod", lambda game, me: True, lambda game, me, it: "")
    rules = tiny(duties=(nod, ask))
    news = rules.speak(opened(rules), 2 * HOUR, "Ash", "ask", "may: I?")[1]
    assert [e.event for e in news] == [Chose("Ash", "ask", (), "", "may: I?"), say("may: I?")]
    for verb in ("nod", "say"):
        with pytest.raises(Refusal, match=f"No such action is open to you now: {verb}"):
            rules.speak(opened(rules), 2 * HOUR, "Ash", verb, "hello")


def test_what_was_done_once_is_done_by_whom_and_what() -> None:
    """A spoken deed, too, is open once, but to others, and for other verbs; a refusal offers each eir own choice."""
    def another(game: Game, me: str, it: str) -> str:
        return "" if it != me else "not you"

    duties = tuple(Duty(verb, lambda game, me: True, another, spoken=spoken, owed=True)
                   for verb, spoken in (("nod", True), ("wink", False)))
    rules = tiny(duties=duties)
    game, _ = rules.act(opened(rules), 2 * HOUR, "Ash", "nod", ("Bex",))
    assert [d.verb for d in rules.duties(game, "Ash")] == ["wink"]
    assert rules.owed(game) == [("Ash", "wink"), ("Bex", "nod"), ("Bex", "wink")]
    game, _ = rules.act(game, 3 * HOUR, "Ash", "wink", ("Bex",))
    assert rules.duties(game, "Ash") == []
    for what, passing in ((("Bex",), True), ((), False), (("Bex",), False)):
        with pytest.raises(Refusal) as wrong:
            rules.act(game, 4 * HOUR, "Bex", "wink", what, passing=passing)
        assert wrong.value.options == ("Ash",)


def test_what_is_owed_and_waited_for_ends_with_the_session() -> None:
    """A law is told what is owed; only what is ahead is waited for, the next first; the clock is a cause of its own."""
    def soon(game: Game, owed: Owed) -> list[tuple[int, str]]:
        return [(game.clock, "now"), (game.clock + 2, "later"), (game.clock + 1, f"{len(owed)} owed")]

    duty = Duty("nod", lambda game, me: True, lambda game, me, it: "")
    roles = {"one": Role("one", "side"), "two": Role("two", "side")}
    rules = Ruleset("tiny", "Tiny", "TI", (Law("only", (duty,), alarms=soon),), roles, deal=nobody)
    game = opened(rules)
    assert rules.owed(game) == [("Ash", "nod"), ("Bex", "nod")]
    assert rules.alarms(game) == [(HOUR + 1, "2 owed"), (HOUR + 2, "later")]
    assert rules.strike(game, 2 * HOUR, "later")[1] == (Entry(2, 2 * HOUR, ClockStruck("later"), (), "clock"),)

    over, _ = rules.settle(game, 2 * HOUR, (Ended("side", (), ""),), (), "")
    assert (rules.owed(over), rules.alarms(over), rules.alarm(over)) == ([], [], None)


@each(("name", "role"), [
    (" Cop ", "cop"), ("COP", "cop"), ("Town", "townie"), (" Bard ", "Bard"), ("the Cop", "the Cop"),
])
def test_roles_are_found_whatever_the_letters(name: str, role: str) -> None:
    """A role by its name or another that players have for it; what is none is left as it was written."""
    assert ruleset("six-phases").called(name) == role


def test_a_duty_without_names_has_consequences_and_a_declined_one_has_none() -> None:
    """Nobody need be named where a duty names nobody; a player who declines does nothing, whatever follows else."""
    def then(game: Game, me: str, what: tuple[str, ...]) -> list[Event]:
        return [say(f"{me} did")]

    def free(game: Game, me: str, it: str) -> str:
        return ""

    done = act(Duty("nod", lambda game, me: True, free, then, arity=0))
    assert [e.event for e in done] == [Chose("Ash", "nod", (), "Cat"), say("Ash did")]
    passed = act(Duty("nod", lambda game, me: True, free, then, may_pass=True), passing=True)
    assert [e.event for e in passed] == [Chose("Ash", "nod", (), "Cat")]


def test_a_deed_without_a_hand_or_a_cause_has_none() -> None:
    """Nobody's hand but the player's own, and nothing in the record that it follows from."""
    def free(game: Game, me: str, it: str) -> str:
        return ""

    rules = tiny(duties=(Duty("nod", lambda game, me: True, free),))
    assert rules.act(opened(rules), 2 * HOUR, "Ash", "nod", ("Bex",))[1] == (
        Entry(2, 2 * HOUR, Chose("Ash", "nod", ("Bex",)), (), ""),)
    play = Play(S7)
    assert play.rules.cast(play.game, 9 * HOUR, "Bex", "vote", For("Gus"))[1][0] == Entry(
        play.game.next, 9 * HOUR, Voted("Bex", For("Gus")), ("NC 3", "D-N4"), "")


@pytest.mark.parametrize(("at", "late"), [(9 * HOUR, False), (9 * HOUR + 1, False), (9 * HOUR - 1, True)])
def test_a_ballot_is_recorded_as_it_was_cast(at: int, late: bool) -> None:
    """D-V9: whose, by whose hand, in which order, under which clauses; late is what comes in behind the clock."""
    play = Play(S7).do("Cam vote Gus", at=9 * HOUR)
    _, news = play.rules.cast(play.game, at, "Bex", "vote", For("Dov"), key=(3, 1), by="Cat", cause="deed 4")

    assert news[0] == Entry(play.game.next, at, Voted("Bex", For("Dov"), (3, 1), late, by="Cat"), ("NC 3", "D-N4"),
                            "deed 4")


def test_only_what_is_a_vote_can_be_cast() -> None:
    """A ballot needs a duty that takes one, under its own name."""
    pins = Duty("vote", lambda game, me: True, lambda game, me, it: "", pins=lambda game, at, me, ballot: ballot)
    nod = Duty("nod", lambda game, me: True, lambda game, me, it: "")
    rules = tiny(duties=(pins, nod))
    for verb in ("nod", "shout"):
        with pytest.raises(Refusal, match=f"No such action is open to you now: {verb}"):
            rules.cast(opened(rules), 2 * HOUR, "Ash", verb, For("Bex"))
    assert rules.cast(opened(rules), 2 * HOUR, "Ash", "vote", For("Bex"))[1][0].event == Voted("Ash", For("Bex"))


def test_a_stage_ends_at_its_second_though_something_else_came_in_it() -> None:
    """Else it would last until something else happened, whenever that is."""
    play = Staged("G12").to("day")
    ends = play.game.deadline
    play.do("N1 accuse G1", at=ends)

    assert (play.game.clock, play.rules.alarm(play.game)) == (ends, (ends, STAGE))


def test_a_late_ballot_is_dated_when_it_was_cast_and_what_follows_by_how_votes_count() -> None:
    """Votes that stand are counted at the instant of each (NC 3); in a stage they are counted when they are heard."""
    stands = Play(S7).do("Ash vote Gus", "Bex vote Gus")
    stage = Staged("C11").to("day").do("P1 accuse C1", "P2 second C1").at_once("P1 guilty", "P2 guilty")

    for play, who, ballot, counted in ((stands, "Cam", "Gus", 30), (stage, "D", "guilty", 0)):
        clock = play.game.clock
        _, news = play.rules.cast(play.game, clock - 30, who, "vote", For(ballot))
        assert [(e.event.name, clock - e.at) for e in news] == [("voted", 30), ("counted", counted)]
