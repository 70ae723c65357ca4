"""Sessions one after the other in one contest, and seeds in which players have a part (NC 2b, N-201, N-12b)."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from nomicwolf.archive.replay import redo
from nomicwolf.nomic.events import HalfTold, Revealed, SeedBound, SeedKept, SeedMixed, SessionStarted
from nomicwolf.reports.archive import Published, publish
from nomicwolf.reports.awards import award_book, results_of, statistics_text
from nomicwolf.village.events import Event, Lynched, Opened
from nomicwolf.village.lots import half_commitment, mixed_seed
from tests.contest.world import SEVEN, World
from tests.tables import each


def play(world: World, at: float) -> tuple[str, str]:
    """Let the werewolf of the running session be lynched; return em, and the side that has won."""
    game = world.game
    wolf = game.holders("werewolf")[0]
    for who in [p for p in game.seats if p != wolf][:4]:
        world.write(who, f"I vote for {wolf}.", at=at)
    return wolf, "villagers"


def test_three_sessions_of_one_contest() -> None:
    """NC 2: each has a seed, a number and awards of its own; statistics speak of those that are over."""
    world = World().start(roles="seer")
    wolves = [play(world, 1)[0]]
    assert world.command("start", 2, seed="8", roles="witch").status == 0
    assert world.command("start", 2.5, seed="9").status == 1
    wolves.append(play(world, 3)[0])
    world.command("start", 4, seed="9")
    world.command("end", 5, why="by clause 1f")
    world.command("start", 6, seed="10")

    found = {r.who: r for r in results_of(world.contest).players}
    assert set(found) == set(SEVEN)
    assert all(r.sessions == 2 for r in found.values())
    assert sum(r.condemned for r in found.values()) == 2
    assert found[wolves[0]].won == 2 - wolves.count(wolves[0])
    assert [(s.side, s.sessions, s.won) for s in results_of(world.contest).sides] == [
        ("villagers", 2, 2), ("werewolves", 2, 0)]
    assert {row.session for row in award_book(world.contest)} == {1, 2}
    assert len({s.commitment for s in world.contest.sessions.values()}) == 4
    assert len(statistics_text(world.contest).splitlines()) == 1 + 7 + 2


def test_a_running_session_is_in_no_statistics() -> None:
    """NC 6: nothing is told of sides while they are secret."""
    world = World().start()

    assert results_of(world.contest).players == ()
    assert results_of(world.contest).sides == ()


HALF = "5" * 64


def begun(*words: str) -> World:
    """A session with a seed to which Ash, Bex and so on have added *words* after the half was bound."""
    world = World()
    for name in SEVEN:
        world.write(name, "I join.")
    assert world.command("seed-bind", at=1, seed=HALF).status == 0
    for number, (who, text) in enumerate(zip(SEVEN, words, strict=False)):
        world.write(who, text, at=2 + number)
    outcome = world.command("start", at=20, roles="seer", seed="letters", limit="agora=35")
    assert outcome.status == 0, outcome.said
    return world


def seed_of(world: World) -> str:
    """The seed of the session that runs."""
    opened = world.events(Opened)[-1].event
    assert isinstance(opened, Opened)
    return opened.seed


def only(world: World, kind: type[Event]) -> Event:
    """The one event of *kind*."""
    (entry,) = world.events(kind)
    return entry.event


def test_each_letter_goes_into_the_seed() -> None:
    """Another word, another order, one letter more: another seed; and what is bound is the half alone."""
    worlds = [begun(), begun("rain"), begun("snow"), begun("rain", "snow"), begun("snow", "rain")]

    assert len({seed_of(world) for world in worlds}) == 5
    bound = {only(world, SeedBound) for world in worlds}
    assert bound == {SeedBound(1, half_commitment(worlds[0].contest.setup.contest, 1, HALF))}
    for world in worlds:
        mixed = only(world, SeedMixed)
        assert isinstance(mixed, SeedMixed)
        assert seed_of(world) == mixed_seed(HALF, mixed.letters)


def test_nobody_but_the_contestmaster_knows_the_half_before_the_end() -> None:
    """No letter and nothing that is published has it; nor has the seed."""
    world = begun("rain")

    assert only(world, SeedKept) == SeedKept(1, HALF)
    assert not [x for x in world.sent if HALF in x.body or seed_of(world) in x.body]
    assert HALF not in repr(publish(world.contest))


def test_there_is_no_choice_once_a_half_is_bound() -> None:
    """It is bound once, the session needs the letters then, and letters need a half."""
    world = World()
    for name in SEVEN:
        world.write(name, "I join.")
    assert "--bind" in world.command("start", at=1, seed="letters").said
    assert world.command("seed-bind", at=2, seed=HALF).status == 0
    again = world.command("seed-bind", at=3, seed="6" * 64)
    assert (again.status, "bound already" in again.said) == (1, True)
    other = world.command("start", at=4, seed="7" * 64)
    assert (other.status, "--seed-from letters" in other.said) == (1, True)


def over() -> Published:
    """What is published of a session with such a seed that has ended."""
    world = begun("rain", "snow")
    werewolf = world.holder("werewolf")
    for number, who in enumerate(name for name in SEVEN if name != werewolf):
        world.write(who, f"I vote for {werewolf}.", at=30 + number / 10)
    world.tick(at=40)
    assert world.events(Lynched)
    assert world.events(Revealed)
    return publish(world.contest)


def test_the_seed_can_be_made_again_by_all() -> None:
    """When it is over the half is told, and `verify` finds a lie about half, letters or seed."""
    published = over()
    assert list(redo(published).differs) == []

    other_half, not_made = "the half of the seed is not the one that was bound", "the seed is not made of the half and"
    lies: dict[type[Event], tuple[Callable[[Any], Event], str]] = {
        HalfTold: (lambda e: replace(e, half="6" * 64), other_half),
        SeedMixed: (lambda e: replace(e, letters=e.letters[:1]), not_made),
        SeedBound: (lambda e: replace(e, commitment="0" * 64), other_half),
        Opened: (lambda e: replace(e, seed="8" * 64), not_made),
        SessionStarted: (lambda e: replace(e, commitment="0" * 64), "the commitment is not that of the seed"),
    }
    for kind, (lie, said) in lies.items():
        entries = tuple(replace(e, event=lie(e.event)) if isinstance(e.event, kind) else e for e in published.entries)
        assert any(said in line for line in redo(replace(published, entries=entries)).differs), kind
        left_out = tuple(e for e in published.entries if not isinstance(e.event, kind))
        assert kind not in {HalfTold, SeedMixed, SeedBound} or any(
            other_half in line for line in redo(replace(published, entries=left_out)).differs), kind


def test_a_letter_that_was_left_out_is_found() -> None:
    """The contestmaster can't leave out one of the letters between the others."""
    published = over()
    gone = replace(published.heard[-1], number=99, digest="0" * 64)
    place = next(i for i, h in enumerate(published.heard) if h.digest == only_letters(published)[0][1])
    heard = (*published.heard[:place + 1], gone, *published.heard[place + 1:])

    assert any("one after the other" in line for line in redo(replace(published, heard=heard)).differs)


@each(("which", "change", "found"), [
    ("last before", {"arrived": 600}, False),
    ("last before", {"arrived": 601}, True),
    ("last before", {"number": "after"}, True),
    ("first", {"number": "before"}, True),
    ("first", {"number": "after"}, True),
    ("next", {"number": "before"}, True),
    ("next", {"arrived": 0}, False),
])
def test_letters_that_came_while_a_half_was_bound(which: str, change: dict[str, Any], found: bool) -> None:
    """By their entries in the record they came while it was bound; a mailbox's clock may be ten minutes ahead."""
    published = over()
    bound = next(e for e in published.entries if isinstance(e.event, SeedBound))
    place = next(i for i, h in enumerate(published.heard) if h.digest == only_letters(published)[0][1])
    at = {"last before": place - 1, "first": place, "next": place + 2}[which]
    made = {"arrived": bound.at + change["arrived"]} if "arrived" in change else {
        "number": published.heard[0 if change["number"] == "before" else -1].number}
    heard = (*published.heard[:at], replace(published.heard[at], **made), *published.heard[at + 1:])

    told = [line for line in redo(replace(published, heard=heard)).differs if "seed" in line]
    assert ["other letters came" in line for line in told] == [True] * found


def test_letters_at_the_end_of_what_was_heard_go_into_a_seed() -> None:
    """Nobody wrote after them; and what the contestmaster writes between them doesn't count."""
    published = over()
    place = next(i for i, h in enumerate(published.heard) if h.digest == only_letters(published)[0][1])
    own = replace(published.heard[-1], author=published.about.contestmaster, digest="0" * 64)
    heard = (*published.heard[:place + 1], own, published.heard[place + 1])

    assert not [line for line in redo(replace(published, heard=heard)).differs if "seed" in line]


def only_letters(published: Published) -> tuple[tuple[str, str], ...]:
    """The letters that went into the seed."""
    return next(e.event.letters for e in published.entries if isinstance(e.event, SeedMixed))


def test_the_shell_line_of_the_letter_gives_the_commitment() -> None:
    """Nothing has to be put into it: id, session and seed are there, and no line is too long for mail."""
    world = World().start(seed="5f0c2a9e7d41b8363f9a1c5e0d7b24869e3f1ad05c7b8246e9d13a7f5b0c8e42")
    game = world.game
    werewolf = game.holders("werewolf")[0]
    for who in [name for name in SEVEN if name != werewolf][:4]:
        world.write(who, f"I vote for {werewolf}.", at=1)
    letter = next(o.body for o in world.sent if "roles and seed" in o.subject)
    line = re.search(r"In a shell:\n(.*sha256sum)$", letter, re.DOTALL | re.MULTILINE)
    bound = re.search(r"Commitment published at the start:\n  ([0-9a-f]{64})", letter)

    assert line is not None
    assert bound is not None
    assert max(map(len, letter.splitlines())) <= 72
    told = subprocess.run(["sh", "-c", line[1]], capture_output=True, text=True, timeout=60, check=True).stdout
    assert told == f"{bound[1]}  -\n"
