"""A forger who writes chain, hashes and pages anew is found by what the record says of itself, and is told where."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from email.utils import formatdate
from pathlib import Path
from typing import Any, TypeAlias

from nomicwolf.archive import verify, write
from nomicwolf.archive.replay import redo
from nomicwolf.archive.verification import trace
from nomicwolf.nomic.events import DeedHeard, Revealed, SessionStarted
from nomicwolf.reports.archive import Published
from nomicwolf.village.ballots import For
from nomicwolf.village.events import ClockStruck, Counted, Entry, Event, Killed, Opened, Told, Voted
from nomicwolf.village.events import Published as Fact
from tests.archive.stories import finished, going_on, play, published
from tests.contest.world import HOUR, START, World, setup
from tests.tables import each

Forge: TypeAlias = Callable[[Published], Published]


def changed(kind: type[Event], change: Callable[[Any], Event], which: int = -1) -> Forge:
    """A forger who tells one event of *kind* otherwise."""
    def forge(story: Published) -> Published:
        place = places(story, kind)[which]
        entry = replace(story.entries[place], event=change(story.entries[place].event))
        return replace(story, entries=(*story.entries[:place], entry, *story.entries[place + 1:]))
    return forge


def entered(kind: type[Event], which: int = -1, **change: Any) -> Forge:
    """A forger who tells the instant, the clauses or the cause of one event otherwise."""
    def forge(story: Published) -> Published:
        place = places(story, kind)[which]
        entry = replace(story.entries[place], **change)
        return replace(story, entries=(*story.entries[:place], entry, *story.entries[place + 1:]))
    return forge


def without(*kinds: type[Event], which: slice = slice(None)) -> Forge:
    """A forger who leaves entries out, and numbers the others anew, in whatever names them."""
    def forge(story: Published) -> Published:
        gone = {place for kind in kinds for place in places(story, kind)[which]}
        return renumbered(story, [e for i, e in enumerate(story.entries) if i not in gone])
    return forge


def added(event: Event, before: type[Event], **more: Any) -> Forge:
    """A forger who puts *event* before the last event of another kind, and numbers the others anew."""
    def forge(story: Published) -> Published:
        place = places(story, before)[-1]
        entry = Entry(0, story.entries[place].at, event, **more)
        return renumbered(story, [*story.entries[:place], entry, *story.entries[place:]])
    return forge


def renumbered(story: Published, kept: list[Entry]) -> Published:
    """The *kept* entries of a story with numbers and causes in good order."""
    numbers = {e.number: place for place, e in enumerate(kept, 1) if e.number}
    causes = {f"{kind} {old}": f"{kind} {new}" for kind in ("entry", "deed") for old, new in numbers.items()}
    return replace(story, entries=tuple(
        replace(e, number=place, cause=causes.get(e.cause, e.cause)) for place, e in enumerate(kept, 1)))


def vote_passed_over(story: Published) -> Published:
    """The story without Fay's first ballot and its count, but with eir letter; votes are ranked anew."""
    place = next(i for i, e in enumerate(story.entries) if isinstance(e.event, Voted) and e.event.who == "Fay")
    told = renumbered(story, [e for i, e in enumerate(story.entries) if i not in (place, place + 1)])
    votes = sorted((e.at, e.event.key, e.number) for e in told.entries if isinstance(e.event, Voted))
    ranks = {number: (rank,) for rank, (_, _, number) in enumerate(votes, 1)}
    return replace(told, entries=tuple(
        replace(e, event=replace(e.event, key=ranks[e.number])) if isinstance(e.event, Voted) else e
        for e in told.entries))


def places(story: Published, kind: type[Event]) -> list[int]:
    """Where events of *kind* stand."""
    return [i for i, e in enumerate(story.entries) if isinstance(e.event, kind)]


def a_ballot_for(who: str) -> Callable[[DeedHeard], Event]:
    """The deed as if it had been a vote for *who*, in its words and in its meaning."""
    return lambda deed: replace(deed, ballot=For(who), says=f"vote {who}", text=f"I vote for {who}.")


def letters_moved(story: Published) -> Published:
    """The story with two letters to the forums in each other's place, numbers and all."""
    first, second, *rest = story.heard
    return replace(story, heard=(replace(second, number=1), replace(first, number=2), *rest))


def another_seed_told(story: Published) -> Published:
    """The story whose first announcement of a seed's commitment tells another one."""
    started = next(e.event for e in story.entries if isinstance(e.event, SessionStarted))
    return replace(story, sent=tuple(
        replace(letter, body=letter.body.replace(started.commitment, "f" * 64)) for letter in story.sent))


def opened_twice(story: Published) -> Published:
    """The story whose session is opened a second time, at once and just as before."""
    place = places(story, Opened)[0]
    return renumbered(story, [*story.entries[:place + 1], replace(story.entries[place], number=0),
                              *story.entries[place + 1:]])


LIES: dict[str, tuple[Forge, str]] = {
    "a vote that its letter doesn't say": (changed(DeedHeard, a_ballot_for("Fay")), "does not say 'I vote for Fay.'"),
    "a vote that its words don't say": (
        changed(DeedHeard, lambda d: replace(d, ballot=For("Fay"), says="vote Fay"), 0), "what was written says"),
    "a vote whose form is another": (changed(DeedHeard, lambda d: replace(d, says="vote Eli")), "and not 'vote Eli'"),
    "a vote of another kind": (changed(DeedHeard, lambda d: replace(d, verb="nominate")), "what was written says"),
    "a vote in another's name": (changed(DeedHeard, lambda d: replace(d, who="Eli")), "is not Eli's"),
    "a vote by another forum": (changed(DeedHeard, lambda d: replace(d, channel="b"), 0), "did not come through b"),
    "a vote at another time": (
        changed(DeedHeard, lambda d: replace(d, instant=d.instant + 1)), "takes effect at another time"),
    "a ballot that was never written": (
        changed(Voted, lambda v: replace(v, ballot=For("Fay"))), "the record says voted"),
    "a vote whose deed is left out": (without(DeedHeard, which=slice(1)), "which it names as its cause"),
    "a vote that was passed over": (vote_passed_over, "Fay could vote endorse Gus then, and nothing came of it"),
    "votes in another order": (changed(Voted, lambda v: replace(v, key=(99,))), "of all, and not (99,)"),
    "letters in another order": (letters_moved, "letter 1, is Bex's"),
    "a death out of nothing": (added(Killed("Fay", "attack"), DeedHeard), "killed follows from nothing"),
    "a count out of nothing": (added(Counted((), (), 4), DeedHeard), "counted follows from nothing"),
    "an event after the end": (added(Fact("so", value=True), Revealed), "the session was over before"),
    "an alarm that was not due": (changed(ClockStruck, lambda c: replace(c, what="stage")), "was due then"),
    "another clause": (entered(Counted, cites=("NC 9",)), "redone it is by NC 3"),
    "another cause": (entered(Counted, cause="entry 20"), "caused by 'entry 20'"),
    "a cause that is not there": (entered(Counted, cause="letter 999"), "there is no letter 999 before it"),
    "a cause that is nothing": (entered(Counted, cause="letter 0"), "there is no letter 0 before it"),
    "an entry that is its own cause": (entered(ClockStruck, 0, cause="entry 999"), "there is no entry 999 before it"),
    "a session that is opened twice": (opened_twice, "opens another session than was started"),
    "a cause that is no deed": (entered(Counted, cause="deed 1"), "is no deed"),
    "a number of another's": (entered(Counted, number=7), "has the number 7"),
    "what a player was told": (changed(Told, lambda t: replace(t, text="Fay is a werewolf.")), "the record says told"),
    "a session that was never started": (without(SessionStarted), "no session was started"),
    "a session whose opening is hidden": (without(Opened), "reveals a session that was not started"),
    "a session whose end is hidden": (without(Revealed), "whose end reveals no roles and no seed"),
    "a session of other players": (
        changed(SessionStarted, lambda s: replace(s, players=s.players[1:])), "opens another session than was started"),
    "a session of another time": (entered(SessionStarted, at=1), "opens another session than was started"),
    "a session of another number": (changed(SessionStarted, lambda s: replace(s, session=2)), "is not the next one"),
    "another commitment on the forum": (another_seed_told, "which is not in the record"),
}


@each("lie", LIES)
def test_a_forger_is_found_and_the_place_named(lie: str) -> None:
    """Whoever changes the record changes what hangs together in it."""
    forge, said = LIES[lie]
    story = forge(finished())
    told = [*redo(story).differs, *trace(story)]

    assert any(said in line for line in told), told


def test_it_does_not_help_to_write_everything_anew(tmp_path: Path) -> None:
    """The forger's own program makes the chain, the hashes and all pages of the forged record: `verify` finds it."""
    write(vote_passed_over(finished()), tmp_path)

    assert verify(tmp_path).differs == (
        "entry 31: Fay could vote endorse Gus then, and nothing came of it",)


def test_what_was_not_forged_is_not_doubted() -> None:
    """Nothing in a session that is over, nor in one that has begun after it, fails to hang together."""
    for story in (finished(), going_on()):
        assert [*redo(story).differs, *trace(story)] == []


def test_what_another_version_may_say_otherwise_is_no_lie() -> None:
    """Clauses and the words of notices may have been others in the version that wrote an archive; a death may not."""
    worded = changed(Told, lambda t: replace(t, text="Cam is one of them."))(finished())
    story = entered(Counted, cites=("NC 9",))(worded)

    assert [*redo(story, exact=False).differs, *trace(story, exact=False)] == []
    assert redo(changed(Killed, lambda k: replace(k, who="Ash"))(story), exact=False).differs


def test_letters_by_any_clock_of_a_nomic_are_not_doubted() -> None:
    """D-V10: a deed may count from its Date; D-N9: by a forum whose clock is ahead, from when the mailbox had it."""
    dated = setup()
    world = World(replace(dated, forums=tuple(replace(forum, instant="date") for forum in dated.forums)))
    world.start()
    sent = f"Date: {formatdate(START + HOUR)}\r\n"
    world.write("Ash", "I vote for Gus.", at=3, headers=sent)
    ahead = World().start()
    ahead.write("Ash", "I vote for Gus.", at=3, arrives=2, headers=sent)

    for played, hour in ((world, 1), (ahead, 2)):
        story = published(played)
        assert [e.event.instant for e in story.entries if isinstance(e.event, DeedHeard)] == [START + hour * HOUR]
        assert [*trace(story)] == []
    late = changed(DeedHeard, lambda d: replace(d, instant=START + 3 * HOUR))(published(ahead))
    assert any("takes effect at another time" in line for line in trace(late))


def test_a_session_that_tells_nothing_when_it_is_over_is_not_doubted() -> None:
    """D-N23: with ``reveal_after`` off neither seed nor roles are told, and what is public fits together."""
    story = published(play(World(setup(switches={"reveal_after": "off"}))))
    assert not places(story, Opened)
    assert [e.event.deal for e in story.entries if isinstance(e.event, Revealed)] == [()]

    assert [*redo(story).differs, *trace(story)] == []
