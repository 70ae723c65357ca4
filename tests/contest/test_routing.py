"""Forums and contests: several in one mailbox, and who writes to one forum alone (NC 1g)."""

from __future__ import annotations

from dataclasses import replace

from nomicwolf.contest.mail.assurance import names_of, route
from nomicwolf.nomic.setup import Other
from nomicwolf.reports.history import one_forum_only
from nomicwolf.reports.terminal import status_text
from tests.contest.world import ADDRESSES, AGORA, B, World, setup

FAIR = Other(("fair",), "fair@wolf.example", (AGORA, B), b"f" * 32, ("ida@players.example",), ("Ida",))


def test_a_list_that_rewrites_from_hides_no_ones_contest() -> None:
    """What Ida posts is for the fair, where e is a party, and what Ash posts is for eirs."""
    world = World(setup(others=(FAIR,)))
    world.command("party-add", who="Ash", address="ash@players.example")
    for who, contest in (("Ida", "fair"), ("Ash", "wolf")):
        reply = f"Reply-To: {who} <{who.lower()}@players.example>\r\n"
        letter = world.letter(who, "I vote for Bex.", sender=f"{who} via Agora <{AGORA}>", headers=reply)
        assert route(world.contest, letter).contests == (contest,)


def test_each_contest_comes_to_the_same_answer_about_a_list_that_is_not_its_own() -> None:
    """The fair lives in B alone, and the wolf in Agora alone; Ash's letter to both came through B's list."""
    agora, b = setup().forums
    known = (AGORA,), b"k" * 32, ("ash@players.example",), ("Ash",)
    fair = Other(("fair",), "fair@wolf.example", (B,), b"f" * 32)
    wolf = World(replace(setup(others=(fair,)), forums=(agora,)))
    wolf.command("party-add", who="Ash", address="ash@players.example")
    there = World(replace(setup(others=(Other(names_of(wolf.contest.setup), "wolf@wolf.example", *known),)),
                          contest="fair", name="The Fair", address="fair@wolf.example", forums=(b,), secret=b"f" * 32))
    reply = f"Reply-To: Ash <ash@players.example>\r\nCc: {AGORA}\r\n"

    found = [route(world.contest, world.letter(
        "Ash", "I vote for Bex.", "b", sender=f"Ash via B <{B}>", headers=reply)).contests for world in (wolf, there)]

    assert found == [("wolf",)] * 2


def test_status_tells_who_writes_to_one_forum_alone() -> None:
    """A letter whose copy came through the other forum too is not listed; its vote counted all the same."""
    world = World().start()
    joined = len(one_forum_only(world.contest))
    world.write("Bex", "I vote for Gus.", at=1, message_id="<both@players.example>")
    world.write("Cam", "I vote for Fay.", at=1)
    assert len(one_forum_only(world.contest)) == joined + 2

    world.write("Bex", "I vote for Gus.", "b", at=1.1, message_id="<both@players.example>")

    assert [author for _, author, _ in one_forum_only(world.contest)[joined:]] == ["Cam"]
    assert "since the session began (NC 1g): Cam 1 in agora." in status_text(world.contest)
    assert world.game.table["Cam"] == "Fay"


def test_a_copy_is_told_by_the_list_that_it_came_through() -> None:
    """A letter addressed to both forums comes once through each; the second copy is b's, whatever its To says."""
    world = World().start()
    listed = len(one_forum_only(world.contest))
    world.write("Bex", "I vote for Gus.", at=1, message_id="<two@players.example>", headers=f"Cc: {ADDRESSES['b']}\r\n")
    world.write("Bex", "I vote for Gus.", "b", at=1.1, message_id="<two@players.example>",
                headers=f"Cc: {ADDRESSES['agora']}\r\n")

    assert len(one_forum_only(world.contest)) == listed


def test_leaving_by_a_copy_leaves_there_too() -> None:
    """Whoever posts the same leave to each forum, as two copies of one letter, is a party of neither (NC 1c)."""
    world = World()
    for nomic in ("agora", "b"):
        world.write("Ida", "I join.", nomic, message_id="<in@players.example>")
    assert all("Ida" in names for names in world.contest.parties.values())

    for nomic in ("agora", "b"):
        world.write("Ida", "I leave this contract.", nomic, at=1, message_id="<out@players.example>")

    assert not any("Ida" in names for names in world.contest.parties.values())


def test_who_names_one_nomic_joins_there_alone() -> None:
    """NC 1c: "I join in B", posted to both forums, is no word about Agora; posted to Agora alone it is refused."""
    world = World()
    for nomic in ("agora", "b"):
        world.write("Ida", "I join in B.", nomic, message_id="<b@players.example>")
    world.write("Joe", "I join this contract in B Nomic.", "agora", at=1)

    assert "Ida" in world.contest.parties["b"]
    assert "Ida" not in world.contest.parties["agora"]
    assert not any("Joe" in names for names in world.contest.parties.values())
    assert any("forum of b" in letter.body for letter in world.sent)
