"""The public half of a record, and its history in words."""

from __future__ import annotations

import nomicwolf.contest  # noqa: F401 - declares every kind of event
from nomicwolf.nomic.delivery import Batched, CoverBegan
from nomicwolf.nomic.events import HalfTold, LetterHeard, SeedBound, SeedKept, SeedMixed
from nomicwolf.nomic.law import Confirmed, KeyAdded, KeyRemoved, ReplyTagSeen
from nomicwolf.nomic.law_events import AddressAsked, AddressConfirmed, PartyStatus
from nomicwolf.reports.history import SAYINGS, event_line, public_record
from nomicwolf.reports.views import public_view
from nomicwolf.village.events import Chose, Counted, Event, Undone
from tests.contest.world import World
from tests.reports.stories import view_of
from tests.tables import each


def test_the_public_view_is_what_a_fold_gives() -> None:
    """After every letter of a day; and two branches of one contest don't learn each other's news."""
    world = World().start()
    before = world.contest
    for hour, (who, text) in enumerate((("Ash", "I vote for Gus."), ("Bex", "I endorse Ash."), ("Cam", "Hello."),
                                        ("Dov", "I vote for Gus."), ("Eli", "I vote for Gus.")), 1):
        world.write(who, text, at=hour)
        anew = view_of(world.contest.setup, world.contest.entries)
        assert public_view(world.contest) == anew
    assert public_view(before) == view_of(before.setup, before.entries)
    assert len(public_record(before)[0]) < len(public_record(world.contest)[0])


def test_every_event_of_ours_has_words() -> None:
    """What another package brings is told by its name and fields, what we bring is told in a sentence."""
    ours = {kind for kind in Event.kinds.values() if kind.__module__.startswith("nomicwolf.")}

    assert sorted(kind.name for kind in ours - SAYINGS.keys()) == []


@each(("event", "said"), [
    (Chose("Ash", "say", (), "", "pack: Gus it is"), "Ash: say: pack: Gus it is"),
    (Chose("Ash", "attack", ()), "Ash: attack nobody"),
    (Counted((), (("Gus", 1),), 4), "count: Gus 1 (4 lynch)"),
    (Counted((), (("guilty", 3), ("innocent", 1)), 4), "count: guilty 3, innocent 1 (4 convict)"),
    (Counted((), (("Gus", 2),), 0), "count: Gus 2"),
    (Undone((41, 42)), "these entries count as if they had not happened: 41 and 42"),
    (PartyStatus("Bex", "agora", (("player", True), ("active", False))), "status of Bex in agora: player, not active"),
    (AddressAsked("Bex", "bex@new.example"), "Bex asks to write from bex@new.example"),
    (AddressConfirmed(12, "old"), "the old address agrees to what was asked in entry 12"),
    (Confirmed(12, "token"), "what waited in entry 12 is confirmed by the word that was sent"),
    (Confirmed(12, "nothing: the word was seen"),
     "what waited in entry 12 is not done: others could read the word that was sent"),
    (ReplyTagSeen("Bex", 2),
     "others could read the reply address of Bex's letters of session 2: another takes its place"),
    (KeyAdded("Bex", "ab12", "-----BEGIN"), "Bex signs with the OpenPGP key ab12"),
    (KeyRemoved("Bex", "ab12"), "Bex no longer signs with the OpenPGP key ab12"),
    (CoverBegan(("02:00", "14:00")), "letters by night go out at 02:00 and 14:00 UTC"),
    (CoverBegan(()), "letters by night go out at once"),
    (Batched("slot"), "everyone's letters go out at their time"),
    (Batched("turn"), "everyone's letters go out with what all see"),
    (SeedBound(2, "e4fb"), "half of the seed of session 2 is bound: e4fb"),
    (SeedKept(2, "2b72"), "the half of the seed of session 2 that is bound is 2b72"),
    (SeedMixed(2, (("Ash", "06e1"), ("Bex", "9ac0"))),
     "the seed of session 2 is made of the bound half and these letters: Ash 06e1; Bex 9ac0"),
    (HalfTold(2, "2b72"), "the half of the seed of session 2 that was bound is 2b72"),
])
def test_what_is_seldom_told(event: Event, said: str) -> None:
    """Seeds, covers, keys, addresses and confirmations, as the contestmaster reads them in the history."""
    assert event_line(event) == said


def test_our_own_letters_are_no_strangers() -> None:
    """A forum's echo is told as the contest's, a letter of nobody known as someone's."""
    own, stranger = (LetterHeard("<m@x>", "", "", "", bucket, "agora") for bucket in ("own", "stranger"))

    assert event_line(own) == "letter from the contest through agora: own"
    assert event_line(stranger) == "letter from someone through agora: stranger"
