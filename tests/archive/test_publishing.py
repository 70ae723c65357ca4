"""What is published, and what is not."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest

from nomicwolf.archive.files import letters_file, record_file
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import DeedHeard, PersonKnown
from nomicwolf.nomic.law_events import AwardCorrected, DeedUndone
from nomicwolf.reports.archive import Posted, Published, pages, publish
from nomicwolf.reports.archive.published import hide_addresses, is_told_later, message_hash
from nomicwolf.reports.archive.sessions import standings
from nomicwolf.reports.history import is_public
from nomicwolf.reports.views import TAKES_OVER
from nomicwolf.village.events import Chose, Due, Entry, Event, Killed, Opened, Seen, Told, Voted
from nomicwolf.village.game import RELAY, SEANCE
from tests.archive.stories import finished, going_on, play, published, two_worlds
from tests.contest.world import World
from tests.tables import each


@dataclass(frozen=True)
class Whispered(Event):
    """Another package's event that holds a player's words."""

    who: str
    words: str


def all_bytes(given: Published) -> dict[str, bytes]:
    """Every file of the archive but the list of them."""
    made = {page.path: page.make() for page in pages(given)}
    return {**made, "record.json": record_file(given), "letters.json": letters_file(given)}


def test_two_deals_with_the_same_public_facts_make_the_same_archive() -> None:
    """NC 6: no byte of a running session's archive tells who is what, who wrote in private, or how much."""
    one, other = two_worlds()

    assert all_bytes(one) == all_bytes(other)


def test_a_running_session_tells_public_facts_only() -> None:
    """The second session runs: its entries are public, the first's are told in full."""
    given = going_on()
    second = next(e.number for e in given.entries if e.event.name == "session-started" and e.event.session == 2)  # type: ignore[attr-defined]

    assert all(is_public(e.event) for e in given.entries if e.number >= second)
    assert any(isinstance(e.event, Seen) for e in given.entries if e.number < second)
    assert [isinstance(e.event, Opened) for e in given.entries].count(True) == 1


def test_numbers_are_counted_anew() -> None:
    """The numbers of entries and letters, causes and keys tell nothing of what is not published."""
    given = finished()

    assert [e.number for e in given.entries] == list(range(1, len(given.entries) + 1))
    assert [letter.number for letter in given.heard] == list(range(1, len(given.heard) + 1))
    voted = [e for e in given.entries if isinstance(e.event, Voted)]
    assert [e.event.key for e in voted] == [(place,) for place in range(1, len(voted) + 1)]  # type: ignore[attr-defined]
    for entry in voted:
        deed = given.entries[int(entry.cause.removeprefix("deed ")) - 1].event
        assert isinstance(deed, DeedHeard)
        assert isinstance(entry.event, Voted)
        assert deed.who == entry.event.who
        assert given.heard[deed.letter - 1].author == deed.who


def test_no_address_and_no_message_id_is_told() -> None:
    """Addresses of players, contestmaster and forums stay out of every file, and so do Message-IDs."""
    text = b"\n".join(all_bytes(going_on()).values()).decode()

    for secret in ("players.example", "agora.example", "b.example", "murphy.example", "secret.example", "wolf.example"):
        assert secret not in text


@each(("event", "told"), [
    (Told("Bex", RELAY, "Ash says: I live in Paris."), False),
    (Told("Bex", SEANCE, "A spirit says: I live in Paris."), False),
    (Told("Bex", TAKES_OVER, "You take over from Ash. What Ash was told: Cam says: I live in Paris."), False),
    (Told("Bex", "a kind of letter that nobody has thought of", "Ash says: I live in Paris."), False),
    (Due(Told("Bex", RELAY, "Ash says: I live in Paris.")), False),
    (Whispered("Ash", "I live in Paris."), False),
    (Chose("Ash", "say", (), "", "I live in Paris."), False),
    (PersonKnown("Ash", ("ash@players.example",)), False),
    (Told("Bex", "seen", "Ash is a werewolf."), True),
    (Due(Told("Bex", "mythomaniac", "You stay a Human until the game ends.")), True),
    (Due(Killed("Bex", "attack")), True),
    (Chose("Ash", "see", ("Bex",)), True),
])
def test_what_players_say_in_private_stays_private(event: Event, told: bool) -> None:
    """Whispers and questions to the contestmaster are not told even when all else of a session is; nor what is new."""
    assert is_told_later(event) is told


@pytest.mark.parametrize(("text", "shown"), [
    ("write to ash@players.example, please", "write to ash@…, please"),
    ("<ash+w@x.example>", "<ash+w@…>"),
    ("3 @ 4", "3 @ 4"),
])
def test_addresses_are_hidden_in_texts(text: str, shown: str) -> None:
    """An address in a text keeps its left half, as far as it is one."""
    assert hide_addresses(text, frozenset()) == shown


def test_names_that_look_like_addresses_stay() -> None:
    """A player may be called as e likes; eir name must stay the same in lots and votes."""
    event = Chose("ash@players.example", "see", ("Bex",))

    assert hide_addresses(event, frozenset({"ash@players.example"})) is event
    assert hide_addresses(event, frozenset()) == replace(event, who="ash@…")


def test_private_letters_are_never_published() -> None:
    """Even if they are handed over, only public letters get in; one to two forums is told once."""
    world = play(World())
    private = next(letter for letter in world.sent if letter.kind == "private")
    public = Outgoing("k1", "public", "Hello", "Body\n", 1_796_083_200, forum="agora")
    copies = [Posted(public, "<1@x>"), Posted(replace(public, key="k2", forum="b"), "<2@x>"), Posted(private, "<3@x>")]
    after = Posted(Outgoing("k3", "public", "Next", "Body\n", 1_796_083_201, forum="b", thread="k2"), "<4@x>")

    sent = publish(world.contest, [*copies, after]).sent

    assert [(s.number, s.subject, s.nomics, s.thread) for s in sent] == [
        (1, "Hello", ("agora", "b"), 0), (2, "Next", ("b",), 1)]
    assert sent[0].messages == (message_hash("<1@x>"), message_hash("<2@x>"))


def test_the_record_is_one_entry_a_line() -> None:
    """A record is JSON that also reads well line by line, so that a later one differs by what was added."""
    given = published(World().start())
    data = record_file(given)

    assert len(data.splitlines()) == len(given.entries) + 7
    assert len(json.loads(data)["entries"]) == len(given.entries)


def test_what_was_undone_is_named_by_its_published_number() -> None:
    """D-N42: a public notice names the entry of the vote in the archive's own numbers, and the redone game agrees."""
    world = World().start()
    world.write("Ash", "I vote for Bex.", at=2)
    number = next(e.number for e in world.contest.entries if isinstance(e.event, Voted))
    assert world.command("undo", at=3, number=str(number), why="sent for another").status == 0
    given = published(world)
    undone = next(e.event for e in given.entries if isinstance(e.event, DeedUndone))

    assert isinstance(given.entries[undone.deed - 1].event, Voted)
    assert number != undone.deed


def test_corrected_awards_count() -> None:
    """A further action that sets an award right stands in the book, and in the standings."""
    story = finished()
    right = AwardCorrected(1, 9, 1, "agora", "Dov", "X points", -2, "a slip")
    last = story.entries[-1]
    told = replace(story, entries=(*story.entries, Entry(last.number + 1, last.at, right)))
    made = {page.path: page.make().decode() for page in pages(told)}
    scores = {score.record.who: score.awards for score in standings(told).scores}

    assert "correcting award 1: a slip" in made["awards.html"]
    assert {nomic: amount for nomic, _, amount in scores["Dov"]} == {"agora": 6, "b": 1}
    assert {nomic: amount for nomic, _, amount in scores["Ash"]} == {"agora": 8, "b": 1}
