"""What the contestmaster may show or be sent in the clear: eir journal, and the public history.

Nothing of what is written in private, and nothing of how far a night is.

Found by an attack through mail alone.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from nomicwolf.contest import Tick, hear
from nomicwolf.ledger.encryption import make_key
from nomicwolf.reports.terminal import history_text
from tests.contest.world import SEVEN, World, setup
from tests.run.world import BEGIN, PLAYERS, SEED, letter, new_world

MISMATCH = "MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n"
TWO_TEXTS = ("--b\r\nContent-Type: text/plain\r\n\r\nsee {}\r\n"
             "--b\r\nContent-Type: text/html\r\n\r\n<p>see {}</p>\r\n--b--")


def night(roles: str = "seer") -> World:
    """Seven players on night 1, after Gus was lynched; nobody has done anything in it."""
    world = World().start(roles=roles)
    for who in SEVEN[:4]:
        world.write(who, "I vote for Gus.", at=1)
    world.tick(at=2)
    return world


def journal_of_a_held_letter(world: World, at: float) -> str:
    """The journal that follows when Bex has written a private letter that is held, on one line."""
    world.write("Bex", TWO_TEXTS.format("Ash", "Cam"), "contestmaster", at=at, headers=MISMATCH)
    return " ".join(world.to("Murphy").split())


def test_a_held_private_letter_is_not_quoted() -> None:
    """The reason is told, and how to read the letter; of a public one the line is told as well."""
    world = night()
    told = journal_of_a_held_letter(world, 3)
    world.write("Cam", TWO_TEXTS.format("Ash", "Dov"), at=3, headers=MISMATCH)
    public = " ".join(world.to("Murphy").split())

    assert "from Bex: its HTML copy does not have this line (nomicwolf held" in told
    assert "see Ash" not in told
    assert "from Cam: its HTML copy does not have this line: see Ash." in public


@pytest.mark.parametrize("roles", ["", "seer", "seer,witch,hunter"])
def test_by_night_the_journal_does_not_tell_how_much_is_owed(roles: str) -> None:
    """NC 6b: one deed fewer would tell that a Seer is dead, or has done eir part."""
    told = journal_of_a_held_letter(night(roles), 3)

    assert "You can act for others from Tue 8 Dec" in told


def test_a_night_that_is_done_looks_like_one_that_is_not() -> None:
    """NC 4c: since when the dawn is owed would tell when the last deed of the night was done."""
    fresh, done = night(), night()
    assert done.contest.running is not None
    game = done.contest.running
    alive = [w for w in SEVEN if w != "Gus"]
    for wolf in game.holders("werewolf"):
        prey = next(w for w in alive if w not in game.holders("werewolf"))
        done.write(wolf, f"attack {prey}", "contestmaster", at=2.5)
    for seer in game.holders("seer"):
        done.write(seer, f"see {next(w for w in alive if w != seer)}", "contestmaster", at=2.5)
    done.tick(at=2.6)
    one, other = (journal_of_a_held_letter(w, 3).partition("Letters heard")[0] for w in (fresh, done))

    assert "announce who was killed" not in other
    assert one.partition("Waiting")[0] == other.partition("Waiting")[0]


def test_after_seven_days_the_journal_says_so() -> None:
    """NC 1j: that a night has lasted seven days, all can see; who is late tells `status`."""
    world = night()
    first, later = (journal_of_a_held_letter(world, 24 * 7 + hours) for hours in (5, 6))

    assert "It is night 1, and it has waited for 7 days 4 hours. `nomicwolf status` names who owes what" in first
    assert "of night 1 have passed" not in first
    assert "7 days of night 1 have passed; nomicwolf status shows whether you may act" in later


def test_in_an_outage_nobody_can_be_acted_for() -> None:
    """D-N39: before `resume` no day is named (a day in thirty years was)."""
    world = night()
    late = world.letter("Bex", TWO_TEXTS.format("Ash", "Cam"), "contestmaster", 24 * 8, headers=MISMATCH)
    step = hear(world.contest, Tick(late.arrived - 6 * 86_400), late.arrived)
    world.contest = step.contest
    told = journal_of_a_held_letter(world, 24 * 8)

    assert world.contest.law.guard
    assert "You can act for nobody before nomicwolf resume" in told


def test_public_histories_do_not_tell_how_much_was_written_in_private() -> None:
    """Numbered as in the archive: the gaps between the numbers of entries would be the letters of the night."""
    quiet, busy = night(), night()
    for hour in range(5):
        busy.write("Cam", "I wonder.", "contestmaster", at=3 + hour / 10)
        busy.write("Ash", "help", "contestmaster", at=3.05 + hour / 10)
    for world in (quiet, busy):
        world.write("Bex", "I vote for Cam.", at=5)

    told = [history_text(world.contest, public=True) for world in (quiet, busy)]
    assert told[0] == told[1]
    assert [line.split()[0] for line in told[0].splitlines() if line[0].isdigit()] == [
        str(n) for n in range(1, 1 + sum(line[0].isdigit() for line in told[0].splitlines()))]
    assert len(history_text(busy.contest)) > len(history_text(quiet.contest))


def test_what_waits_to_be_confirmed_is_told_in_words() -> None:
    """In the contestmaster's own history: whose, what, how certain; clauses stand once."""
    world = World(replace(setup(), assurance={"private": "signed"})).start()
    world.write("Bex", "see Ash", "contestmaster", at=3)
    told = " ".join(history_text(world.contest).split())

    assert "in Bex's name waits to be confirmed: see Ash (certain as from, needed: signed; session 1, day 1" in told
    assert "DeedHeard(" not in told
    assert "(NC 4c) (NC 4c)" not in told


TO = "wolf@contest.test"
WORDS = ("xyzzyplugh", "see Gus", "I vote", "You are", "werewolf", '"seer"', "the Seer",
         *(f"{who.lower()}@players.test" for who in PLAYERS))
"""What is searched for. What is sealed lies in base64, half a million letters of it: a word of four of its letters
stands in there by chance in one session of thirty."""
BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=")


def a_session(folder: Path, *, sealed: bool) -> bytes:
    """Play a session in *folder*, and return the bytes of its ledger and of what else lies there."""
    with new_world(folder) as world:
        if sealed:
            (folder / "ledger.key").write_text(make_key())
            with (folder / "contest.toml").open("a", encoding="utf-8") as file:
                file.write('[ledger]\nkey_file = "ledger.key"\n')
        for who in PLAYERS:
            world.command("party-add", who=who, address=f"{who.lower()}@players.test")
        assert world.command("start", seed=SEED, roles=("seer", "hunter")).status == 0
        for number, who in enumerate(PLAYERS):
            data = letter(f"n{number}", who, "see Gus xyzzyplugh", BEGIN + 60, TO)
            world.deliver(f"n{number}", data, BEGIN + 60)
            world.post(f"v{number}", who, "I vote for Gus.", BEGIN + 120)
        assert world.poll(BEGIN + 600).heard
        world.poll(BEGIN + 2 * 86_400)
    assert len(world.smtp.taken) > len(PLAYERS)
    return b"".join(path.read_bytes() for path in folder.glob("*")
                    if path.is_file() and path.name not in ("contest.toml", "ledger.key"))


def test_a_session_writes_no_secret_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Logs, output and the ledger's files are searched; the mailbox and the settings are what they are."""
    caplog.set_level(logging.DEBUG)
    files = a_session(tmp_path, sealed=True)
    said = "".join(capfd.readouterr()) + caplog.text

    assert said
    for word in WORDS:
        assert word not in said
        assert word.encode() not in files


def test_the_search_would_find_a_secret(tmp_path: Path) -> None:
    """Without a key each word lies in the ledger; none is so short that what is sealed holds it by chance."""
    files = a_session(tmp_path, sealed=False)

    for word in WORDS:
        assert word.encode() in files, word
        assert len(word) >= 8 or not BASE64.issuperset(word)
