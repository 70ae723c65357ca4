"""The contestmaster's orders by mail: few, confirmed first, for the phase that they name (D-N46)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.contest import Command, LetterCame
from nomicwolf.contest.commands import SAFE
from nomicwolf.nomic.events import CountPosted, LetterHeld, Noted
from nomicwolf.nomic.law import Confirmed, SetAside
from tests.contest.world import SEVEN, World
from tests.tables import each

MURPHY = "Murphy <murphy@murphy.example>"


def parse(words: Sequence[str]) -> Command:
    """The command line's own parser."""
    return order_of(words)


def ordered(world: World, line: str, at: float, to: str = "contestmaster", sender: str = MURPHY) -> str:
    """Let an order come by mail; return what is noted of it."""
    letter = world.letter("Murphy", line, to, at, sender=sender)
    world._hear(LetterCame(letter, parse), letter.arrived)
    return " ".join(e.event.text for e in world.entries if isinstance(e.event, Noted))


def by_day() -> World:
    """A session, by day."""
    return World().start()


def word(world: World) -> str:
    """The token of the letter to the contestmaster."""
    found = [o for o in world.letters if o.key.endswith("/confirm")]
    assert [o.to for o in found] == ["murphy@murphy.example"]
    match = re.search(r'"confirm ([A-Z2-7-]+)"', found[0].body)
    assert match is not None
    return match[1]


def test_an_order_is_done_once_it_is_confirmed() -> None:
    """Put aside, asked about, done; the letter shows the order."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1)
    assert world.events(CountPosted) == []
    assert "announce" in world.to("Murphy")
    text = f"confirm {word(world)}"
    assert "carried out: announce" in ordered(world, text, 2)
    assert len(world.events(CountPosted)) == 1
    ordered(world, text, 3)
    assert len(world.events(CountPosted)) == 1


@each(
    ("line", "why"),
    [
        ('nomicwolf: announce --phase "night 1"', "present phase"),
        ("nomicwolf: announce", "present phase"),
        ("nomicwolf: start", "never done by mail"),
        ('nomicwolf: end --why "x" --phase "day 1"', "never done by mail"),
        ("nomicwolf: award --limit agora=5", "never done by mail"),
        ('contestmaster: undo 3 --why "x"', "never done by mail"),
        ("contestmaster: party address Bex eve@evil.example", "never done by mail"),
        ("contestmaster: substitute Bex Eve", "never done by mail"),
        ("nomicwolf: poll", "no order"),
        ("nomicwolf: party key add Bex /etc/passwd", "no order"),
        ('nomicwolf: announce --phase "day 1', "no command"),
        ('nomicwolf: announce --phase "day 1"\nnomicwolf: announce --phase "day 1"', "one order"),
    ],
)
def test_what_is_not_taken(line: str, why: str) -> None:
    """Nothing that draws, reveals, ends or renames; nothing stale, doubled or unreadable; each is told."""
    world = by_day()
    before = len(world.contest.entries)
    said = ordered(world, line, 1)
    assert why in said or "See `nomicwolf" in said
    assert world.events(SetAside) == []
    harmless = {"LetterHeard", "Noted", "Refused", "Asked"}
    assert {type(e.event).__name__ for e in world.contest.entries[before:]} <= harmless


def test_only_the_contestmaster_orders_and_only_in_private() -> None:
    """A player's line is no order, and none counts that was posted."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1, sender="Bex <bex@players.example>")
    assert world.events(SetAside) == []
    assert "private mail alone" in ordered(world, 'nomicwolf: announce --phase "day 1"', 2, to="agora")
    assert world.events(SetAside) == []


def test_an_order_is_for_its_phase() -> None:
    """Confirmed after the phase has passed, it does nothing (compare and set)."""
    world = by_day()
    ordered(world, 'nomicwolf: announce --phase "day 1"', 1)
    text = f"confirm {word(world)}"
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=2)
    ordered(world, text, 3)
    assert world.events(Confirmed) == []


def test_what_an_order_answers_may_be_secret_and_is_not_mailed() -> None:
    """Why one can't act for somebody tells eir role: the note doesn't say it."""
    world = by_day()
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=1)
    phase = shlex.quote("night 1")
    ordered(world, f"nomicwolf: act-for Ash 'see Bex' --phase {phase}", 2)
    said = ordered(world, f"confirm {word(world)}", 3)
    assert "was refused: give it where the contest runs" in said
    assert "owes" not in said


def test_a_held_letter_is_rejected_by_mail() -> None:
    """Orders that need no phase of their own are bound to the one in which they came."""
    world = by_day()
    world.write("Ash", "I vote for Gus.", at=1, message_id="<x@y.example>")
    world.write("Ash", "I vote for Fay.", at=1.1, message_id="<x@y.example>")
    held = world.events(LetterHeld)[-1].event.letter  # type: ignore[attr-defined]
    ordered(world, f'nomicwolf: reject {held} --why "twice"', 2)
    ordered(world, f"confirm {word(world)}", 3)
    assert world.contest.held == {}


def test_every_order_that_is_safe_is_one() -> None:
    """The names are commands of the command line."""
    from nomicwolf.contest.commands import COMMANDS

    assert set(SAFE) <= set(COMMANDS)


CASES = [
    ("clock", {"nomic": "agora", "turned": "offf"}, "Say which way the clock of agora was turned.", ("on", "off")),
    ("clock", {"nomic": "c", "turned": "off"}, "Say which nomic's clock", ("agora", "b")),
    ("intend", {"what": "remove"}, "Say whom to remove: --who NAME.", ("Ash", "Bex")),
    ("intend", {"what": "remove", "who": "Zed"}, "Zed is no contestant", ("Ash", "Bex")),
    ("holiday", {"nomic": "agora", "from": "2026-12-20", "to": "2026-12-01"}, "the first day and then the last", ()),
    ("holiday", {"nomic": "agora", "from": "20.12.2026", "to": "3.1.2027"}, "like 2026-12-20 2027-01-03", ()),
    ("close", {}, "It is day 1, which has no stage with a deadline", ()),
    ("extend", {"until": "2027-01-01T00:00Z"}, "It is day 1, which has no stage with a deadline", ()),
    ("act-for", {"who": "Cam", "deed": "see Bex"}, "NC 1j lets the contestmaster act", ()),
]


@pytest.mark.slow
@each(("name", "args", "said", "options"), CASES)
def test_a_refused_order_names_its_fault(name: str, args: dict[str, str], said: str, options: tuple[str, ...]) -> None:
    """The sentence is about the word that is wrong; what could stand there follows."""
    outcome = World().start().command(name, 1, **args)

    assert outcome.status == (2 if name in ("clock", "holiday") or args == {"what": "remove"} else 1)
    assert said in outcome.said
    for option in options:
        assert option in outcome.said.partition("Possible: ")[2]


@pytest.mark.slow
def test_what_could_stand_there_is_said_once() -> None:
    """Where the sentence names all of it, nothing follows; else it does."""
    world = World()
    rules = world.command("start", ruleset="chess").said

    assert rules.endswith("there are gadianton, narrated-mafia, nomic-crossing, six-phases, tabula.")
    assert world.start().command("act-for", 200, who="Zed", deed="see Bex").said.count("Ash") == 1


@pytest.mark.slow
@each(("name", "args"), [
    ("announce", {}), ("end", {"why": "x"}), ("act-for", {"who": "Cam", "deed": "see Bex"}),
    ("substitute", {"old": "Ash", "new": "Bex"}), ("undo", {"number": "3", "why": "x"}),
    ("intend", {"what": "end-session"}), ("publish", {"fact": "it rains", "value": "true"}),
])
def test_without_a_session_one_is_told_how_to_begin_one(name: str, args: dict[str, str]) -> None:
    """The next step stands beside what is wrong."""
    assert "No session is in progress; `start` begins one." in World().command(name, 1, **args).said


@pytest.mark.slow
def test_without_a_session_there_is_nothing_to_close() -> None:
    """It says that, and not that a stage is missing."""
    assert "No session is in progress" in World().command("close", 1).said


@pytest.mark.slow
def test_the_contestmaster_hears_each_time_of_an_odd_wording_in_a_forum() -> None:
    """What is asked about in public stands in the journal, also the second time; what is asked in private never."""
    world = World().start()
    for at, text in enumerate(("I vote for Bexx.", "I vote for Bexx."), 1):
        world.write("Ash", text, at=at)
        assert '"I vote for Bexx." (unknown player)' in " ".join(world.to("Murphy").split())
        assert "Ash is asked about eir letter to the forum of agora" in " ".join(world.to("Murphy").split())

    world.write("Cam", "attack Bexx", "contestmaster", at=4)
    assert world.to("Cam")
    assert world.to("Murphy") == ""


@pytest.mark.slow
def test_nobody_is_asked_whether_e_means_what_e_has_written_beside_it() -> None:
    """A wish beside a plain word is no question; beside another deed it is one."""
    world = World()
    world.write("Ash", "I'd like to join! I join.")
    assert "Ash" in world.contest.parties["agora"]
    assert world.to("Ash") == ""

    world.write("Ash", "I'd like to join! I leave.", at=1)
    assert "Did you mean: join?" in world.to("Ash")


@pytest.mark.slow
@each("text", ['I vote for "', "I vote for ” if", "I vote for “"])
def test_a_quotation_mark_that_is_not_understood_is_named(text: str) -> None:
    """A mark between two others is no word that anyone reads."""
    world = World().start()
    world.write("Ash", text, at=1)

    assert "stopped at a quotation mark." in " ".join(world.to("Ash").split())


def _known() -> World:
    world = World()
    world.start(roles="seer")
    assert world.command("party-alias", who="Gus", alias="Gustav").status == 0
    return world


@pytest.mark.parametrize("name", ["Gus", "gus", "Gustav", "GUSTAV"])
def test_orders_take_every_name_that_votes_take(name: str) -> None:
    """NC 1c: “The former name still means em” holds for the contestmaster's commands, too."""
    world = _known()

    assert world.command("party-address", who=name, address="gus@new.example").said.startswith("Gus writes from")
    assert world.command("party-add", who=name, nomic=("agora",)).said == "Gus is a party already; nothing was done."
    assert "Gus plays in this session" in world.command("party-rename", who=name, new="Augustus").said


def test_who_is_replaced_can_be_called_by_an_alias() -> None:
    """D-N41: both names of `substitute` are looked up."""
    world = _known()
    assert world.command("party-add", who="Ida", address="ida@players.example").status == 0

    assert world.command("substitute", old="gustav", new="ida").said.startswith("Ida plays on for Gus")


def test_another_address_is_no_silent_loss() -> None:
    """NC 3: who is entered with an address of somebody else's is not taken for em, nor is the address dropped."""
    world = _known()
    before = world.contest.last

    said = world.command("party-add", who="Gus", address="other@players.example").said

    assert said.startswith("Gus is known already, and writes from gus@players.example. Use `party address`")
    assert world.contest.last == before
    assert world.command("party-add", who="Gus", address="Gus@players.example").status == 0


@pytest.mark.slow
@each(("command", "arguments"), [
    ("release", {"number": "²"}),
    ("reject", {"number": "③", "why": "no"}),
    ("answer", {"number": "²", "text": "No."}),
    ("limit", {"limit": "agora=²"}),
    ("resolve", {"number": "²"}),
    ("claim", {"number": "②", "why": "it is wrong"}),
    ("undo", {"number": "²", "why": "it is wrong"}),
    ("release", {"number": "9" * 5000}),
    ("limit", {"limit": f"agora={'9' * 5000}"}),
    ("claim", {"number": "1", "session": "9" * 5000, "why": "it is wrong"}),
])
def test_what_is_no_number_is_refused(command: str, arguments: dict[str, str]) -> None:
    """The contestmaster is told what there is, and nothing has changed."""
    world = World().start()
    before = world.contest

    outcome = world.command(command, 1, **arguments)

    assert outcome.status == 2
    assert outcome.said
    assert outcome.contest is before
    assert outcome.entries == ()


@pytest.mark.slow
@pytest.mark.parametrize("command", ["party-add", "party-remove"])
def test_a_nomic_that_the_contest_does_not_live_in_is_refused(command: str) -> None:
    """NC 1b: nobody joins or leaves there, and the answer names the nomics that there are."""
    world = World().start()
    before = world.contest

    outcome = world.command(command, 1, who="Bex", nomic="mars")

    assert outcome.status == 2
    assert "does not live in mars. (NC 1b) Possible: agora, b." in outcome.said
    assert outcome.contest is before


@pytest.mark.slow
def test_no_further_name_is_none() -> None:
    """It was entered as if it were one."""
    world = World().start()

    outcome = world.command("party-alias", 1, who="Bex", alias=("", " "))

    assert (outcome.status, outcome.entries) == (2, ())
    assert outcome.said == "Say by which further name."
