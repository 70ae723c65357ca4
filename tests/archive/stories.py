"""Contests for the archive's tests: with a session over, with another begun, and two that differ in secrets only."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from nomicwolf.cli.app import order_of
from nomicwolf.letters.letter import Letter, Outgoing
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.archive import Posted, Published, Wrote, publish
from tests.contest.world import World

HOSTILE = "</pre><script>alert(1)</script><img src=x onerror=alert(2)><style>*{display:none}</style> ash@secret.example"

FACT = "<script>alert(3)</script>"

TWO = """
title: two worlds
ruleset: nomic-crossing
switches: {{dawn: "at once"}}
given:
  roles: {roles}
  contestmaster: Murphy
  phase: day 1
  at: 2026-12-01T00:00Z
  limit: {{agora: 35}}
when:
  - {{at: 2026-12-01T09:00Z, from: Dov, to: agora, says: "I vote for Gus."}}
  - {{at: 2026-12-01T09:10Z, from: Bex, to: b, says: "I endorse Dov."}}
  - {{at: 2026-12-01T10:00Z, from: Cam, to: agora, says: "I vote for Gus."}}
  - {{at: 2026-12-01T11:00Z, from: Eli, to: agora, says: "I vote for Gus if Bex is voting for Gus."}}
  - {{at: 2026-12-01T11:30Z, from: Fay, to: agora, says: "I vote for Gus."}}
{night}
  - {{at: 2026-12-02T09:00Z, from: Bex, to: agora, says: "I vote for Cam."}}
  - {{at: 2026-12-02T09:30Z, from: Dov, to: agora, says: "I endorse Bex."}}
"""


def posted(letters: list[Outgoing]) -> list[Posted]:
    """The public ones of *letters*, as if they had been sent, with Message-IDs that tell nothing."""
    public = [letter for letter in letters if letter.kind == "public"]
    return [Posted(letter, f"<m{number}@wolf.example>") for number, letter in enumerate(public)]


class Story(World):
    """A world that keeps the words of all letters, as a ledger does."""

    def __init__(self) -> None:
        super().__init__()
        self.words: dict[str, Wrote] = {}

    def letter(self, *args: Any, **more: Any) -> Letter:
        """A letter, whose words are kept by the hash of its bytes."""
        letter = super().letter(*args, **more)
        self.words[letter.content] = Wrote(letter.subject, letter.body, (letter.in_reply_to, *letter.references[::-1]))
        return letter


def published(world: World, url: str = "") -> Published:
    """What may be published of *world*."""
    words = world.words if isinstance(world, Story) else {}
    wrote = {number: words[heard.content] for number, heard in world.contest.letters.items() if heard.content in words}
    return publish(world.contest, posted(world.sent), url, wrote)


def play(world: World) -> World:
    """Play a session: day 1 lynches Bex, a night kills Eli, day 2 lynches Cam, the only werewolf."""
    world.start()
    world.command("ruling", at=1, text=f"Rule {HOSTILE}", authority="CFJ 1")
    world.write("Ash", f"I vote for Bex. {HOSTILE}", at=2)
    world.write("Cam", "I endorse Ash.", to="b", at=3)
    world.write("Dov", f'I vote for Bex if Cam is voting for Bex or "{FACT}" is so, otherwise nobody.', at=4)
    world.write("Gus", "I vote for Cam.\nAsk me at gus@secret.example.\n\n> I vote for Bex.", at=9,
                headers="In-Reply-To: <m8@players.example>\r\n")
    world.write("Fay", "I endorse Gus.", at=9.5)
    world.write("Eli", "I endorse Fay.", at=15)
    world.write("Fay", "I vote for Bex.", at=20)
    world.write("Gus", "I endorse Eli.", at=26)
    for who, deed in (("Cam", "attack Eli"), ("Dov", "see Cam"), ("Gus", "pass")):
        world.write(who, deed, to="contestmaster", at=27)
    world.tick(44.5)
    for hour, (who, deed) in enumerate((("Dov", "Cam"), ("Gus", "Cam"), ("Ash", "endorse Gus")), 50):
        world.write(who, f"I vote for {deed}." if deed == "Cam" else f"I {deed}.", at=hour)
    assert world.contest.game is not None
    assert world.contest.game.over
    return world


@cache
def finished() -> Published:
    """One session that is over, with its roles revealed."""
    return published(play(Story()))


@cache
def going_on() -> Published:
    """A second session, in which two have voted, after one that is over."""
    world = play(Story())
    assert world.command("start", at=60, roles="seer", seed="11", limit="agora=35").status == 0
    world.write("Ash", "I vote for Fay.", at=61)
    world.write("Bex", "I endorse Ash.", at=62)
    return published(world)


def two_worlds() -> tuple[Published, Published]:
    """What is published of two contests in which the same happens in public, by other hands and with more said."""
    one = _world(("werewolf", "seer"), [("Ash", "attack Hal"), ("Cam", "status"), ("Bex", "help"), ("Bex", "see Cam")])
    other = _world(("seer", "werewolf"), [
        ("Bex", "attack Hal"), ("Cam", "Good night."), ("Bex", "Good night."), ("Ash", "see Eli")])
    return one, other


def _world(first: tuple[str, str], night: list[tuple[str, str]]) -> Published:
    names = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida")
    roles = dict(zip(names, (*first, *["villager"] * 7), strict=True))
    deeds = "\n".join(
        f'  - {{at: 2026-12-01T12:{minute:02}Z, from: {who}, to: contestmaster, says: "{deed}"}}'
        for minute, (who, deed) in enumerate(night))
    given = ", ".join(f"{who}: {role}" for who, role in roles.items())
    played = rehearse(read_script(TWO.format(roles=f"{{{given}}}", night=deeds), Path()), order_of)
    chat = [(who, text) for who, text in night if text == "Good night."]
    assert [(each.who, each.text) for each in played.refused] == chat
    assert played.contest.game is not None
    assert (played.contest.game.phase, played.contest.game.number) == ("day", 2)
    return publish(played.contest, posted(played.letters))

