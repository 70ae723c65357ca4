"""What people choose by a letter (D-A21, D-A22), and addresses beyond ASCII (RFC 6530 to 6532)."""

from __future__ import annotations

import pytest

from nomicwolf.contest import Contest
from nomicwolf.letters.compose import Envelope, compose
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import Refused
from nomicwolf.nomic.law_events import StatisticsChosen, ZoneChosen
from tests.contest.test_caring import night
from tests.contest.world import AGORA, SEVEN, World, setup
from tests.tables import each

COVERED = ("02:00", "08:00", "14:00", "20:00")


def last(world: World, who: str) -> Outgoing:
    """The latest letter to *who*."""
    return [letter for letter in world.sent if letter.person == who][-1]


@each(("line", "zone"), [("timezone: Europe/Berlin", "Europe/Berlin"), ("time zone: europe/berlin", "Europe/Berlin"),
                         ("My time zone: America/New York.", "America/New_York")])
def test_letters_have_times_in_the_zone_that_somebody_chooses(line: str, zone: str) -> None:
    """A receipt says so; what is due stands in both, with what is left, and the forums' letters stay as they are."""
    world, seer = night()
    world.write(seer, line, "contestmaster", 3)

    assert [e.event for e in world.events(ZoneChosen)] == [ZoneChosen(seer, zone)]
    assert f"Received: timezone: {zone}." in last(world, seer).body
    world.write(seer, "help", "contestmaster", 4)
    first = last(world, seer).body.splitlines()[0]
    assert first.startswith("Due by Tue 8 Dec 2026 02:00 UTC (")
    assert ("(Tue 8 Dec 03:00 CET), in 7 days" if zone == "Europe/Berlin" else "(Mon 7 Dec 21:00 EST), in 7 d") in first
    assert not [x for x in world.sent if x.kind == "public" and zone in x.body]


def test_other_instants_stand_in_a_table_near_the_end() -> None:
    """With what is left until then, above the foot of the letter; nothing else says that all times are UTC."""
    world, seer = night()
    world.command("party-timezone", 3, who=seer, zone="Asia/Tokyo")
    world.write(seer, "holiday: 2026-12-05 to 2026-12-07", "contestmaster", 4)
    body = last(world, seer).body

    table, foot = body.partition("The same in Asia/Tokyo:\n")[2].split("\n\n", 1)
    assert " ".join(table.splitlines()[0].split()) == "Sat 5 Dec 2026 00:00 UTC Sat 5 Dec 09:00 JST in 4 days"
    assert foot.startswith("--\nThis letter is for")
    assert "All times are UTC" not in body


def test_a_zone_that_there_is_not_is_answered_with_near_ones() -> None:
    """Nothing is guessed; a choice that is made already changes nothing."""
    world = World().start()
    world.write("Cam", "timezone: Berlin", "contestmaster", 1)
    assert "Not done (timezone): No time zone is called Berlin." in last(world, "Cam").body
    assert "You can name: Europe/Berlin" in last(world, "Cam").body
    world.write("Cam", "timezone: UTC", "contestmaster", 2)

    assert "Times are in UTC alone already" in last(world, "Cam").body
    assert not world.events(ZoneChosen)
    assert [type(e.event) for e in world.events(Refused)] == [Refused, Refused]


@each("name", ["localtime", "Factory", "../../etc/passwd", "Europe", "/"])
def test_what_only_this_machine_calls_a_zone_is_none(name: str) -> None:
    """Where the contest runs is nobody's business, and a letter made again elsewhere would have other times."""
    world = World().start()
    world.write("Ash", f"timezone: {name}", "contestmaster", 2)

    assert world.contest.law.zones == {}
    assert "No time zone is called" in world.to("Ash")


def test_utc_takes_it_back() -> None:
    """And the choice goes with another name."""
    world = World().start(names=("Ash", "Bex", "Cam", "Dov", "Eli"))
    world.write("Ida", "I join this contract.", at=1)
    world.write("Ida", "timezone: Europe/Berlin", "contestmaster", 2)
    world.command("party-rename", 3, who="Ida", new="Zed")
    assert world.contest.law.zones == {"Zed": "Europe/Berlin"}
    world.write("Ida", "timezone: UTC", "contestmaster", 4, sender="Zed <ida@players.example>")

    assert world.contest.law.zones == {"Zed": ""}
    assert Contest.of(world.contest.setup, world.contest.entries).law == world.contest.law


def test_a_chosen_zone_does_not_show_who_has_something_to_do() -> None:
    """In a covered session all letters of a kind stay of one size, one with a table and one without."""
    world, seer = night(setup(cover=COVERED))
    other = next(who for who in world.game.living() if world.game.roles[who] == "villager")
    for who in (seer, other):
        world.write(who, "timezone: Australia/Adelaide", "contestmaster", 3)
    rooms = {}
    for who in (seer, other):
        world.write(who, "help\nstatus", "contestmaster", 4)
        rooms[who] = last(world, who).room
    assert rooms[seer] == rooms[other] > 0
    mark = len(world.sent)
    for hour in range(5, 30):
        world.tick(hour)

    assert len({letter.room for letter in world.sent[mark:] if letter.kind == "private" and letter.even
                and letter.person != "Murphy"}) == 1


def test_statistics_leave_out_who_asks_for_it() -> None:
    """By a letter; the choice goes with another name, and is taken back by it."""
    world = World().start()
    world.write("Ida", "I join this contract.", at=1)
    world.write("Ida", "statistics: off", "contestmaster", 2)
    assert "The statistics no longer list you." in last(world, "Ida").body
    world.write("Fay", "Leave me out of the statistics.", "contestmaster", 2)
    assert [e.event for e in world.events(StatisticsChosen)] == [
        StatisticsChosen("Ida", listed=False), StatisticsChosen("Fay", listed=False)]
    world.command("party-rename", 3, who="Ida", new="Zed")
    world.write("Zed", "statistics: off", "contestmaster", 4, sender="Zed <ida@players.example>")
    assert "left out of the statistics already" in " ".join(last(world, "Zed").body.split())
    world.write("Zed", "statistics: on", "contestmaster", 5, sender="Zed <ida@players.example>")

    assert world.contest.law.unlisted == {"Fay"}


@each("text", ["Statistics: I have some", "stats: 12 votes, 3 of them mine", "time zone: no idea yet, sorry"])
def test_what_says_neither_is_not_done(text: str) -> None:
    """It is answered, and changes nothing."""
    world = World().start()
    before = world.contest.law
    world.write("Cam", text, "contestmaster", 1)

    assert world.contest.law == before


BEYOND = ("zoë@players.example", "डाटा@मेल.example")


@pytest.mark.parametrize("address", [*BEYOND, "a@bücher.example"])
def test_people_join_and_play_from_addresses_beyond_ascii(address: str) -> None:
    """By their forum, with marks on their letters too; and each letter to them can be made."""
    world = World()
    assert world.write("Zoe", "I join this contract.", sender=f"Zoe <{address}>").bucket == "deeds"
    assert world.contest.parties["agora"] == ("Zoe",)
    world.start(SEVEN)
    assert world.write("Zoe", "status", "contestmaster", 1, sender=f"Zoe <{address}>").bucket == "deeds"
    envelope = Envelope("Wolf", "wolf@wolf.example", "wolf", b"k" * 32, {"agora": AGORA})
    (letter,) = (o for o in world.letters if o.person == "Zoe")
    local, _, _ = address.partition("@")
    assert f"To: {local}@".encode() in compose(letter, envelope)


def test_a_domain_is_the_same_as_it_travels() -> None:
    """RFC 5890 2.3.2.1: bücher and xn--bcher-kva are one name, and ß is no ss."""
    world = World()
    world.write("Zoe", "I join this contract.", sender="Zoe <zoe@bücher.example>")
    same = world.write("Zoe", "status", "contestmaster", sender="Zoe <zoe@XN--bcher-kva.example>")
    assert same.author == "Zoe"
    world.command("party-add", who="Fay", address="a@faß.example")
    assert world.contest.persons["Fay"].addresses == ("a@xn--fa-hia.example",)
    assert world.write("Fay", "status", "contestmaster", sender="Fay <a@fass.example>").bucket == "stranger"


@pytest.mark.parametrize("address", BEYOND)
def test_nobody_joins_whom_no_letter_can_reach(address: str) -> None:
    """The contestmaster is told, and what e can do; e isn't asked to let em in with that address."""
    world = World(setup(utf8=False))
    assert world.write("Zoe", "I join this contract.", sender=f"Zoe <{address}>").bucket == "stranger"
    told = " ".join(world.to("Murphy").split())
    assert not world.contest.parties.get("agora")
    assert "smtp.utf8 = false" in told
    assert "from another one" in told
    assert "party add" not in told


def test_a_domain_beyond_ascii_needs_no_such_server() -> None:
    """It travels as ASCII, so people of such domains join anyway."""
    world = World(setup(utf8=False))
    assert world.write("Zoe", "I join this contract.", sender="Zoe <zoe@bücher.example>").bucket == "deeds"


def test_nobody_moves_to_where_no_letter_can_reach_em() -> None:
    """By eir own word; the answer says why."""
    world = World(setup(utf8=False)).start()
    world.write("Ash", "address: zoë@players.example", "contestmaster", 1)
    assert "beyond ASCII" in world.to("Ash")
