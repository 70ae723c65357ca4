"""Whole games in two worlds, to the end and its awards, where roles aren't told even then (`reveal_after`, D-N23)."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from nomicwolf.archive.files import letters_file, record_file
from nomicwolf.contest import Command
from nomicwolf.letters.letter import Outgoing
from nomicwolf.reports.archive import Posted, pages, publish
from nomicwolf.village.rulesets import ruleset
from tests.secrecy.worlds import START, World, Written, heads, lawful, traffic

pytestmark = pytest.mark.slow

STEP = 6 * 3600
SAME = {"Ash": "werewolf", "Bex": "werewolf", **dict.fromkeys(("Cam", "Dov", "Eli", "Fay", "Gus"), "villager")}
HELD = (("Hal", "Ida", "Jon", "Kim"), ("seer", "witch", "hunter", "cupid"))
HANGED = ("Cam", "Dov", "Ash", "Bex")
PREY = ("Eli", "Fay", "Gus")
PLAIN = ("Cam", "Dov", "Eli", "Fay", "Gus")


def dealt(roles: tuple[str, ...]) -> World:
    """A world in which those of `HELD` hold *roles*, and the others what they hold in all."""
    deal = (*SAME.items(), *zip(HELD[0], roles, strict=True))
    return World("nomic-crossing", deal, switches={"reveal_after": "off"})


def by_day(world: World, at: int) -> list[Written]:
    """The votes of the day: the same in all worlds."""
    game = world.contest.running
    if game is None or game.phase != "day":
        return []
    return [Written(at + n, who, "forum", f"I vote for {HANGED[game.number - 1]}.")
            for n, who in enumerate(game.shown_living())]


def by_night(world: World, own: random.Random, since: int, pair: tuple[str, str]) -> Iterator[Written]:
    """What is owed, each at an hour of *own*; by Cupid, who makes Lovers of a *pair*, at one that all may see."""
    game = world.contest.running
    assert game is not None
    rules = ruleset("nomic-crossing")
    for who, verb in rules.owed(game):
        other = own.choice([p for p in game.shown_living() if p != who])
        words = {"match": f"match {pair[0]} and {pair[1]}", "see": f"see {other}"}.get(verb, f"{verb} nobody")
        if verb == "attack":
            words = f"attack {PREY[game.number - 1]}"
        yield Written(since + 3600 if verb == "match" else own.randrange(since, since + STEP - 7200), who,
                      "contestmaster", words)


def asked(world: World, at: int) -> list[Written]:
    """Questions of everybody's, living and dead."""
    words = ("status", "history", "help", "votes")
    return [Written(at + n, who, "contestmaster", words[n % 4]) for n, who in enumerate(sorted(world.addresses))]


def seen(world: World, sent: list[Outgoing]) -> list[object]:
    """What carriers, readers of forums and archive, and plain villagers see of what has just left."""
    public = [Posted(x, f"<{n}@x.example>") for n, x in enumerate(sent) if x.kind == "public"]
    published = publish(world.contest, public)
    letters = sorted((x.person, x.at, x.subject, x.body) for x in sent if x.person in PLAIN)
    return [traffic(world, sent), heads(world, sent), letters, record_file(published), letters_file(published)]


def archive(world: World, sent: list[Outgoing]) -> dict[str, bytes]:
    """Each page of the archive after all that has left."""
    public = [Posted(x, f"<{n}@x.example>") for n, x in enumerate(x for x in sent if x.kind == "public")]
    return {page.path: page.make() for page in pages(publish(world.contest, public))}


class Side:
    """One of two worlds, with the hours and the Lovers that are its *own*, and all that has been *sent*."""

    def __init__(self, roles: tuple[str, ...], pair: tuple[str, str]) -> None:
        """Deal."""
        self.world, self.pair, self.own = dealt(roles), pair, random.Random(" ".join(roles))
        self.sent = list(self.world.sent)

    def go_on(self, step: int) -> object:
        """Play on for six hours, and return what all see of them, and what the contract discloses."""
        world, since = self.world, START + (step - 1) * STEP
        game = world.contest.running
        secret = [] if game is None or game.phase == "day" else by_night(world, self.own, since, self.pair)
        sent, entries = world.poll(since + STEP, [*by_day(world, since + 60), *secret, *asked(world, since + 30)])
        self.sent += sent
        return seen(world, sent), lawful(entries)

    def award(self, step: int) -> object:
        """Confirm P, let everyone ask once more, and return what all see of it, and the archive."""
        told = self.world.order(Command("limit", {"limit": ("agora=50",)}), START + step * STEP).letters
        assert any("points" in x.body for x in told if x.kind == "public")
        self.sent += told
        return seen(self.world, list(told)), self.go_on(step + 2), archive(self.world, self.sent)


def test_nothing_tells_who_held_what_even_after_the_end() -> None:
    """Four days and three nights, the end, the awards, and what is asked then; the very pages of the archive, too."""
    one, other = Side(HELD[1], ("Hal", "Jon")), Side(("cupid", "hunter", "seer", "witch"), ("Ida", "Kim"))
    step = 0
    while one.world.contest.running is not None and step < 40:
        step += 1
        assert one.go_on(step) == other.go_on(step), f"step {step}"

    game = one.world.contest.game
    assert game is not None
    assert (len(game.shown_dead), game.over) == (len(HANGED) + len(PREY), True)
    assert one.award(step + 1) == other.award(step + 1)
