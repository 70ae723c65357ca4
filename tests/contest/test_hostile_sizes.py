"""What a long letter costs: 64 kB of anything at most 80 times 1 kB of it, and of a stranger's the beginning alone.

Work is counted in lines of Python and calls, not in seconds; so nothing depends on how busy the machine is.
"""

from __future__ import annotations

import sys
from time import process_time
from types import FrameType

import pytest

from nomicwolf.contest import LetterCame, hear
from nomicwolf.nomic.events import LetterHeard, Noted
from nomicwolf.village.events import Voted
from tests.contest.world import World, setup
from tests.tables import each

pytestmark = pytest.mark.slow

SMALL, LARGE, MOST = 1_000, 64_000, 80
SHAPES = {
    "talk": "The rain went on all day, and nobody in the village did much.\n",
    "reasons": "I think that I vote for Gus because ",
    "reasons on lines": "I think that I vote for Gus because\n",
    "turns": "I said I vote for Gus, but ",
    "doubts": "maybe I vote for Gus, ",
    "dots": ".", "dots on lines": ".\n", "dots apart": ". ", "dots and words": "I vote... ",
    "unknown names": "I vote for Xanthippe Quux of Zork.\n",
    "fields": "a: b\n", "fields of names": "Bex: Gus\n", "votes as fields": "vote: Gus\n",
    "votes": "I vote for Gus.\n", "conditions": "I vote for Gus if Bex votes for Cam.\n",
    "a condition without end": "I vote for Gus if Bex is dead and ",
    "quotations": '"I vote for Gus" ', "open quotations": '"I vote for Gus\n', "brackets": "(I vote for Gus",
    "braces": "{ I vote for Gus } ", "fences": "```\nI vote for Gus.\n```\n",
    "attributions": "On Tue, Bex wrote\n", "marks": "> ", "quoted votes": "> I vote for Gus.\n",
    "names": "Gus, ", "a word": "vote ", "letters": "x", "spaces": " ", "lines": "\n", "dashes": "- ", "stars": "*",
    "headings": "I do this:\n\n", "table": "| Gus | 3 |\n", "bullets": "* vote Gus\n", "numbers": "1. vote Gus\n",
    "abbreviations": "I vote for Gus etc. because ", "examples": "e.g. I vote for Gus, i.e. ", "P.S.": "P.S. ",
    "as another": "I vote as Bex does. ", "joining": "I join this contract. ", "objections": "I object. ",
    "signatures": "-- \n", "turned": "\u202eI vote\u200b for Gus\n", "addresses": "http://x.example/ ",
    "second thoughts": "I vote for Gus. Never mind. ",
    "as long as may be": "I say " + "that I vote for Gus " * 48 + ". ",
}


def counted(world: World, who: str, text: str, **more: str) -> int:
    """How many calls and returns it takes to make *who*'s letter of its bytes and hear it, those in C among them."""
    steps = 0

    def step(_frame: FrameType, _event: str, _arg: object) -> None:
        nonlocal steps
        steps += 1

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        heard(world, who, text, **more)
    finally:
        sys.setprofile(before)
    return steps


def heard(world: World, who: str, text: str, **more: str) -> None:
    """Let *who*'s letter be heard, and forget it."""
    letter = world.letter(who, text, at=1, **more)  # type: ignore[arg-type]
    hear(world.contest, LetterCame(letter), letter.arrived)


def sized(shape: str, size: int) -> str:
    """A text of that *shape*, again and again up to *size* characters."""
    text = SHAPES[shape]
    return (text * (size // len(text) + 1))[:size]


@each("shape", SHAPES)
def test_a_letter_costs_in_proportion_to_its_size(shape: str) -> None:
    """A player's letter, whatever stands in it."""
    world = World(setup()).start()
    heard(world, "Bex", sized(shape, SMALL))
    small = counted(world, "Bex", sized(shape, SMALL))
    assert counted(world, "Bex", sized(shape, LARGE)) <= MOST * small


@each("shape", ["reasons", "turns", "doubts", "dots", "reasons on lines", "a condition without end"])
def test_nor_does_what_one_call_does_grow_faster(shape: str) -> None:
    """Work within one call isn't counted: the best time of three, where 64 kB took a thousand times as long."""
    world = World(setup()).start()

    def seconds(size: int) -> float:
        took = []
        for _ in range(4):
            began = process_time()
            heard(world, "Bex", sized(shape, size))
            took.append(process_time() - began)
        return min(took)

    assert seconds(LARGE) <= 4 * MOST * max(seconds(SMALL), 0.0005)


@each("shape", ["dots", "dots on lines", "reasons", "votes", "unknown names", "table", "fields",
                                   "objections", "signatures", "talk"])
def test_of_a_stranger_the_beginning_is_read(shape: str) -> None:
    """200 kB cost no more than a few times what 4 kB do: for nobody registered no more is looked at."""
    world = World(setup()).start()
    zoe = {"sender": "Zoe <zoe@new.example>"}
    heard(world, "Zoe", sized(shape, 4_000), **zoe)
    small = counted(world, "Zoe", sized(shape, 4_000), **zoe)
    assert counted(world, "Zoe", sized(shape, 200_000), **zoe) <= 4 * small + 4000


@pytest.mark.parametrize("text", ["I think that I vote for Gus because ", "I say: I vote for Gus; "])
def test_what_is_too_long_is_held_whole_and_told(text: str) -> None:
    """A sentence that is longer than anyone writes isn't half read, and nor is what stands around it."""
    world = World(setup()).start()
    assert world.write("Bex", f"I vote for Cam.\n\n{text * 100}", at=1).bucket == "held"
    assert world.events(Voted) == []
    assert "a sentence of it has more than 1000 characters" in " ".join(world.to("Bex").split())

    (number,) = world.contest.held
    letter = world.letter("Bex", f"I vote for Cam.\n\n{text * 100}", at=1)
    from nomicwolf.contest import Command

    assert "vote Cam" in hear(world.contest, Command("release", {"number": str(number)}, letter=letter), 0).said


def test_a_long_report_is_heard() -> None:
    """Tables and lists without a full stop say nothing of what their author does, and stop no vote beside them."""
    world = World(setup()).start()
    report = "\n".join(f"Player {n:3}  {n * 7:5} points   since 2026-11-{n % 30:02}" for n in range(300))
    assert world.write("Bex", f"The report:\n\n{report}\n\nI vote for Cam.", at=1).bucket == "deeds"
    assert len(world.events(Voted)) == 1


def test_a_long_letter_of_usual_sentences_is_heard() -> None:
    """Who argues for 60 kB in sentences of the usual length is heard as ever."""
    world = World(setup()).start()
    assert world.write("Bex", f"{SHAPES['talk'] * 900}\n\nI vote for Cam.", at=1).bucket == "deeds"
    assert len(world.events(Voted)) == 1


def test_a_stranger_joins_by_what_e_writes_first() -> None:
    """In the first 4,096 characters; of what comes later the contestmaster isn't told."""
    world = World(setup()).start()
    long = SHAPES["talk"] * 2000
    first = world.write("Zoe", f"I join this contract.\n\n{long}", sender="Zoe <zoe@new.example>", at=1)
    late = world.write("Yan", f"{long}\n\nI join this contract.", sender="Yan <yan@new.example>", at=2)
    assert (first.bucket, late.bucket) == ("deeds", "stranger")
    assert [e for e in world.events(Noted) if e.event.topic == "newcomer"] == []  # type: ignore[attr-defined]
    assert len(world.events(LetterHeard)) == 9


def test_parts_within_parts_cost_little_more() -> None:
    """20 parts within one another around 64 kB, beside the same text alone."""
    world = World(setup()).start()
    text = SHAPES["talk"] * (LARGE // len(SHAPES["talk"]))
    boxes = "".join(f'--b{n}\r\nContent-Type: multipart/mixed; boundary="b{n + 1}"\r\n\r\n' for n in range(18))
    inside = f"{boxes}--b18\r\n\r\n{text}"
    head = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b0"\r\n'

    heard(world, "Bex", "Hello.")
    assert counted(world, "Bex", inside, headers=head) <= 2 * counted(world, "Bex", text)
