"""Joining and leaving, and the names by which persons are known (NC 1c, NC 3)."""

from __future__ import annotations

import pytest

from nomicwolf.contest.rosters import looks_like
from nomicwolf.nomic.events import Asked, DeedHeard
from nomicwolf.reports.terminal import explain, explain_text
from nomicwolf.village.events import Voted
from tests.contest.world import AGORA, World, setup
from tests.tables import each

LEAVES = "I join this contract.\nActually, no: I leave."


@each(("text", "parties"), [
    (LEAVES, ()), ("I join. I leave.", ()), ("I join this contract. No, wait, I leave.", ()),
    ("I leave.\n\nActually, no: I join.", ("Ash",)), ("I leave. I join this contract.", ("Ash",)),
])
def test_the_later_statement_stands(text: str, parties: tuple[str, ...]) -> None:
    """For one who is known, whether e was a party before or not."""
    for before in ("I join this contract.", "I join this contract. I leave."):
        world = World()
        world.write("Ash", "I join this contract.")
        world.write("Ash", before)
        world.write("Ash", text, at=1)
        assert world.contest.parties["agora"] == parties, before


def test_each_forums_copy_says_both() -> None:
    """The copy from the other forum joins and leaves there, too: nobody stays in by half a letter."""
    world = World()
    world.write("Ash", "I join this contract.")
    for forum in ("agora", "b"):
        world.write("Ash", LEAVES, forum, 1, message_id="<both@players.example>")

    assert not any(world.contest.parties.values())


def test_a_stranger_who_takes_it_back_is_no_newcomer() -> None:
    """E stays a stranger, and the contestmaster is told."""
    world = World()

    assert world.write("Ash", LEAVES).bucket == "stranger"
    assert not any(world.contest.parties.values())
    assert "seems to want to join" in world.to("Murphy")


def test_the_contestmaster_is_told_who_wants_to_join_by_private_mail() -> None:
    """NC 1c: nobody joins there, and a stranger isn't answered, so somebody has to tell em where; once is enough."""
    world = World()
    for at in (0, 1):
        assert world.write("Ash", "I join this contract.", "contestmaster", at).bucket == "stranger"
    told = [o.body for o in world.sent if o.person == "Murphy"]

    assert not any(world.contest.parties.values())
    assert len(told) == 1
    assert "Ash <ash@players.example>" in " ".join(told[0].split())
    assert "in a letter to the contest's own address, where nobody joins" in " ".join(told[0].split())
    assert world.write("Spam", "Join our club of investors today!", "contestmaster", 2).bucket == "stranger"
    assert len([o for o in world.sent if o.person == "Murphy"]) == 1


@each("text", [
    "I agree to be bound by this contract", "I want to join", "count me in", "sign me up", "I would like to join",
    "may I join", "I wish to join this contract", "please add me", "I want to play",
])
def test_whoever_seems_to_join_is_read_in_private_mail(text: str) -> None:
    """In whatever words, between others: what joins in a forum, or is told of there, is told of."""
    said = f"Hello!\n\n{text[0].upper()}{text[1:]}.\n\nRegards"
    public, private = World(), World()
    joins = public.write("Ash", said).bucket == "deeds"
    assert private.write("Ash", said, "contestmaster").bucket == "stranger"
    wants = [joins or "seems to want to join" in public.to("Murphy"), "seems to want to join" in private.to("Murphy")]
    assert wants[0] == wants[1]


@pytest.mark.parametrize("text", ["Scratch that.", "Actually, no: scratch that.", "No, wait, never mind."])
def test_who_takes_it_back_is_asked(text: str) -> None:
    """A joining that is taken back in the next sentence does nothing, and is asked about."""
    world = World()
    world.write("Ash", "I join this contract. I leave.")
    world.write("Ash", "I join this contract.\n", at=0.5)
    world.write("Ash", "I leave.", at=0.6)

    assert world.write("Ash", f"I join this contract. {text}", at=1).bucket == "no-deed"
    assert not any(world.contest.parties.values())


@pytest.mark.parametrize("text", ["I vote for Gus. Actually, no: I leave.", "I vote for Gus.\nNo, wait, I leave."])
def test_who_leaves_in_place_of_a_vote_has_left(text: str) -> None:
    """The vote that is taken back isn't cast, and is asked about; the leaving stands (NC 1c)."""
    world = World().start()
    world.write("Ash", text, at=1)

    assert "Ash" not in world.contest.parties["agora"]
    assert {e.event.verb for e in world.events(DeedHeard)} == {"leave"}  # type: ignore[attr-defined]
    assert "Please say it again" in world.to("Ash")


def test_what_follows_a_joke_may_be_one() -> None:
    """Neither is done, and e is asked."""
    world = World().start()
    world.write("Ash", "I vote for Gus. Just kidding, I leave.", at=1)

    assert "Ash" in world.contest.parties["agora"]
    assert "Please say it again" in world.to("Ash")


def test_who_names_one_nomic_leaves_that_alone() -> None:
    """NC 1c: a letter to both forums that leaves in B joins or leaves nothing in Agora."""
    world = World()
    for nomic in ("agora", "b"):
        world.write("Ash", "I join.", nomic, message_id="<join@players.example>")
    world.write("Ash", "I leave the contract in B.", at=1, headers="Cc: spoon-business@b.example\r\n")

    assert world.contest.parties == {"agora": ("Ash",), "b": ()}


def through_a_list(world: World, who: str, text: str, address: str, at: float = 0) -> str | None:
    """Let *text* come through a list that puts itself into From, as Mailman can (`munge_from`); return its bucket."""
    reply = f"Reply-To: {who} <{address}>\r\n"
    return world.write(who, text, at=at, sender=f"{who} via Agora <{AGORA}>", headers=reply).bucket


def test_who_joins_through_a_list_that_rewrites_from_is_a_party() -> None:
    """By the name and the address that the list has moved elsewhere."""
    world = World()

    assert through_a_list(world, "Ash", "I join this contract.", "ash@players.example") == "deeds"
    assert world.contest.parties["agora"] == ("Ash",)
    assert world.contest.persons["Ash"].addresses == ("ash@players.example",)
    assert world.write("Ash", "status", "contestmaster", 1).bucket == "deeds"


def test_nobody_becomes_a_party_by_an_invented_list() -> None:
    """Where the contest's own mail servers aren't named, headers of a list can be invented: nothing is done by them."""
    world = World(setup(stamps_prove=False)).start()
    for text in ("I vote for Bex.", "I leave the contract."):
        assert through_a_list(world, "Ash", text, "ash@players.example", 1) == "held"

    assert "Ash" in world.contest.parties["agora"]
    assert not world.contest.pending
    assert "contest.mail_hosts" in world.to("Murphy")


def test_what_strangers_post_through_a_list_that_rewrites_from_is_not_held() -> None:
    """It was, each of their posts; but a post with a party's name is, for it may be that party's."""
    world = World().start()

    assert through_a_list(world, "Hal", "I vote FOR proposal 6789.", "hal@elsewhere.example") == "stranger"
    assert not world.contest.held
    assert through_a_list(world, "Hal", LEAVES, "hal@elsewhere.example", 1) == "stranger"
    assert "A stranger, Hal <hal@elsewhere.example>, seems to want to join" in " ".join(world.to("Murphy").split())
    assert through_a_list(world, "Ash", "I vote for Gus.", "ash@elsewhere.example", 2) == "held"


@each("name", ["Bëx", "Be\u0301x", "Bex\u0327", "B\u0335ex", "Ｂëx", "Веx", "b\u00e9X"])
def test_marks_on_letters_make_no_other_name(name: str) -> None:
    """By mail it is refused to a stranger and as an alias, and by command to the contestmaster."""
    world = World(setup()).start()
    came = world.write("Zoe", f"I join this contract as {name}.", sender="Zoe <zoe@new.example>", at=1)
    assert came.bucket == "stranger"
    came = world.write("Zoe", "I join this contract.", sender=f"{name} <zoe@new.example>", at=1)
    assert came.bucket == "stranger"

    world.write("Cam", f"alias: {name}", "contestmaster", at=2)
    assert "looks like Bex" in world.to("Cam")
    added = world.command("party-add", 3, who=name, address="zoe@new.example")
    assert "looks like Bex" in added.said
    assert added.status == 1


@each(
    ("name", "other"), [("がな", "かな"), ("राम", "रम"), ("Ash", "Asha"), ("Jörg", "Jürgen"), ("Ola", "Ole")])
def test_other_sounds_are_other_names(name: str, other: str) -> None:
    """Marks that are vowels or sounds of their own stay what they are."""
    assert looks_like(name, [other]) == ""


@pytest.mark.parametrize(("name", "other"), [("Søren", "Soren"), ("Łukasz", "Lukasz"), ("Đorđe", "Dorde")])
def test_strokes_are_marks(name: str, other: str) -> None:
    """They have no combining character, and look like the letter without them all the same."""
    assert looks_like(name, [other]) == f"“{name}” looks like {other}."


NAMES = ("Jörg Müller", "Bex", "Ann Lee", "Ann Poe", "Will Hill", "Fay", "Gus")


def sitting() -> World:
    """Seven play, some of them under two names."""
    world = World()
    for number, name in enumerate(NAMES):
        world.command("party-add", who=name, address=f"{number}@players.example")
    assert world.command("start", roles="", seed="7", limit="agora=35").status == 0
    return world


def write(world: World, text: str, at: float) -> None:
    """Let Bex write to the forum."""
    world.write("Bex", text, at=at, sender="Bex <1@players.example>")


def voted(world: World) -> list[str]:
    """For whom Bex has voted, in order."""
    return [repr(e.event) for e in world.events(Voted)]


def test_a_first_name_is_enough() -> None:
    """Jörg is Jörg Müller; Ann can be two, so is asked about; Will is a word of its own."""
    world = sitting()
    write(world, "I vote for Jörg.", 1)
    assert len(voted(world)) == 1
    assert "Jörg Müller" in voted(world)[0]

    write(world, "I vote for Ann.", 2)
    assert len(voted(world)) == 1
    assert world.events(Asked)


def test_another_may_take_it() -> None:
    """Who is called Jörg and nothing else is meant by it, as soon as e is known."""
    world = sitting()
    world.command("party-add", at=1, who="Ida", address="ida@players.example")
    world.command("party-alias", at=1, who="Ida", alias=("Jörg",))
    write(world, "I vote for Jörg.", 2)

    assert voted(world) == []


@each("name", ["Jorg", "jörg", "Jörg Müller", "jorg muller", "JM"])
def test_the_contestmaster_need_not_spell_it_out(name: str) -> None:
    """Aliases, first names, and letters without their marks are understood where e asks why a vote counts."""
    world = sitting()
    world.command("party-alias", who="Jorg", alias=("JM",))

    assert explain(world.contest, name).what == "Jörg Müller's vote"
    assert "Jörg Müller" in explain_text(world.contest, name)
