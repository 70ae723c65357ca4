"""Letters that come back from a real server: tied to letter and player, told once, never passed on."""

from __future__ import annotations

import json
from email import message_from_bytes
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.letters.origin import return_path
from nomicwolf.nomic.events import Noted
from tests.letters.test_origin import REPORT
from tests.post.scripted import SmtpScript
from tests.run.test_echoes import contest, echo, world
from tests.run.world import BEGIN, World, letter, make_world, running_world
from tests.servers.site import MailSite

HOUR = 3600


def with_letter_to(world: World, who: str) -> tuple[int, str]:
    """Return number and Message-ID of the last letter that was sent to *who*."""
    with world.store() as store:
        owed = [o for o in store.outbox().in_state("sent") if o.letter.person == who][-1]
    return owed.number, owed.message_id


def journals(smtp: SmtpScript) -> str:
    """Return all letters to the contestmaster."""
    mine = [message_from_bytes(data) for to, data in smtp.taken if to == "murphy@masters.test"]
    return "\n".join(bytes(mail.get_payload(decode=True)).decode() for mail in mine)


@pytest.mark.slow
def test_a_bounce_is_told_once(tmp_path: Path) -> None:
    """The letter is unsent from then on, the journal says whose address fails; a second report says nothing more."""
    with running_world(tmp_path / "contest") as world:
        number, message_id = with_letter_to(world, "Gus")
        report = REPORT.format(to=return_path("wolf@contest.test", message_id), action="failed", status="5.1.1",
                               kind="text/plain", back="you are the seer")
        world.deliver("r1", report.encode(), BEGIN + HOUR)
        world.smtp.taken.clear()

        done = world.poll(BEGIN + HOUR)
        assert done.status == 1
        assert f"Letter {number} to Gus came back (5.1.1)" in done.said[0]
        journal = journals(world.smtp)
        assert f"Letter {number} to Gus came back (5.1.1)" in " ".join(journal.split())
        assert "seer" not in journal
        world.deliver("r2", report.replace("<report@", "<again@").encode(), BEGIN + HOUR + 60)
        world.smtp.taken.clear()
        world.poll(BEGIN + HOUR + 60)

    assert journals(world.smtp) == ""
    with world.store() as store:
        assert [o.number for o in store.outbox().in_state("failed")] == [number]
        assert store.check().buckets["machine"] == 2


@pytest.mark.slow
def test_what_went_to_a_mistyped_address_goes_to_the_right_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """A role letter came back: status names it first; with a new address --again, or resend, reaches its player."""
    with running_world(tmp_path / "contest") as world:
        folder = ["-C", str(world.folder)]
        number, message_id = with_letter_to(world, "Gus")
        report = REPORT.format(to=return_path("wolf@contest.test", message_id), action="failed", status="5.1.1",
                               kind="text/plain", back="")
        world.deliver("r1", report.encode(), BEGIN + HOUR)
        assert world.poll(BEGIN + HOUR).status == 1
        capsys.readouterr()
        assert run([*folder, "status"]) == 0
        assert capsys.readouterr().out.startswith(f"Not delivered:\n  {number}  Gus  ")
        assert run([*folder, "status", "--json"]) == 0
        (row,) = json.loads(capsys.readouterr().out)["mail"]["undelivered"]
        assert (row["number"], row["to"], row["state"]) == (number, "Gus", "failed")

        world.command("party-address", BEGIN + HOUR + 60, who="Gus", address=("gus@right.test",), only="yes")
        assert run([*folder, "unsent", "--again", str(number)]) == 0
        world.smtp.taken.clear()
        assert world.poll(BEGIN + HOUR + 120).status == 0
        ((to, data),) = [(to, data) for to, data in world.smtp.taken if to.startswith("gus")]
        mail = message_from_bytes(data)
        assert (to, mail["To"], mail["Message-ID"]) == ("gus@right.test", "gus@right.test", message_id)
        assert b"nomicwolf role 1" in mail.get_payload(decode=True)

        world.deliver("r2", report.replace("<report@", "<again@").encode(), BEGIN + HOUR + 180)
        assert world.poll(BEGIN + HOUR + 180).status == 1
        world.smtp.taken.clear()
        done = world.command("resend", BEGIN + HOUR + 240, who="Gus")
        assert "gus@right.test" in done.said
        assert [to for to, _ in world.smtp.taken] == ["gus@right.test"] * 2
        assert all(b"nomicwolf role 1" in message_from_bytes(data).get_payload(decode=True)
                   for _, data in world.smtp.taken)

    with world.store() as store:
        assert store.outbox().in_state("failed", "unknown") == ()
        assert store.verify() == []


@pytest.mark.slow
def test_what_waits_follows_its_reader_but_not_what_asks_an_address(tmp_path: Path) -> None:
    """What asks an address whether it is eirs has a word that only whoever reads mail there may know."""
    with running_world(tmp_path / "contest") as world:
        world.smtp.mail = "451 later"
        for number, text in enumerate(("address: gus@new.test", "help")):
            world.deliver(f"g{number}", letter(f"g{number}", "Gus", text, BEGIN + HOUR, "wolf@contest.test"),
                          BEGIN + HOUR)
        world.poll(BEGIN + HOUR)
        world.command("party-address", BEGIN + HOUR + 60, who="Gus", address=("gus@third.test",), only="yes")
        world.smtp.mail = ""
        world.smtp.taken.clear()
        world.poll(BEGIN + HOUR + 600)

    told = [(to, bytes(message_from_bytes(data).get_payload(decode=True))) for to, data in world.smtp.taken]
    assert sorted(to for to, body in told if b'"confirm ' in body) == ["gus@new.test", "gus@players.test"]
    assert [to for to, body in told if b"You asked for help" in body] == ["gus@third.test"]


@pytest.mark.slow
def test_an_old_report_is_of_an_earlier_sending(tmp_path: Path) -> None:
    """The mailbox is numbered anew, so all comes once more: what was sent again since isn't called failed for it."""
    with running_world(tmp_path / "contest") as world:
        number, message_id = with_letter_to(world, "Gus")
        report = REPORT.format(to=return_path("wolf@contest.test", message_id), action="failed", status="5.1.1",
                               kind="text/plain", back="").encode()
        world.deliver("r1", report, BEGIN + HOUR)
        assert world.poll(BEGIN + HOUR).status == 1
        assert run(["-C", str(world.folder), "unsent", "--again", str(number)]) == 0
        assert world.poll(BEGIN + HOUR + 60).status == 0
        world.deliver("r1-once-more", report, BEGIN + HOUR)

        again = world.poll(BEGIN + HOUR + 120)
        assert (again.status, again.said, again.heard) == (0, (), 1)
        world.deliver("r2", report.replace(b"<report@", b"<again@"), BEGIN + HOUR + 180)
        assert f"Letter {number} to Gus came back" in world.poll(BEGIN + HOUR + 180).said[0]

    with world.store() as store:
        assert [o.number for o in store.outbox().in_state("failed")] == [number]
        assert store.verify() == []


@pytest.mark.slow
def test_a_bounced_journal_makes_no_journal(tmp_path: Path) -> None:
    """What can't reach the contestmaster is said on standard error alone."""
    with running_world(tmp_path / "contest") as world:
        _, message_id = with_letter_to(world, "Murphy")
        report = REPORT.format(to=return_path("wolf@contest.test", message_id), action="failed", status="5.2.2",
                               kind="text/plain", back="")
        world.deliver("r1", report.encode(), BEGIN + HOUR)
        world.smtp.taken.clear()

        assert "to Murphy came back (5.2.2)" in world.poll(BEGIN + HOUR).said[0]

    assert journals(world.smtp) == ""


@pytest.mark.slow
@pytest.mark.parametrize("subaddresses", [True, False])
def test_a_report_of_a_real_server(mail_site: MailSite, tmp_path: Path, subaddresses: bool) -> None:
    """Nobody knows the player and the lists: reports come to the letter's own address, or name it by its headers."""
    script = SmtpScript()
    world = make_world(tmp_path / "contest", mail_site.smtp_port, script)
    world.live_on_site(mail_site.imap_port)
    with (world.folder / "contest.toml").open("a") as settings:
        settings.write(f"\n[identity]\nsubaddresses = {str(subaddresses).lower()}\n")
    assert world.command("party-add", who="Gus", address="nobody-at-all@players.example").status == 0
    said = list(world.poll(BEGIN + 60).said)
    mail_site.send("gus@players.example", ["wolf@contest.example"],
                   b"From: nobody-at-all@players.example\r\nTo: wolf@contest.example\r\nMessage-ID: <h@x.example>\r\n"
                   b"Subject: x\r\n\r\nhelp\r\n")
    said += world.poll(BEGIN + HOUR).said
    mail_site.settle()
    said += world.poll(BEGIN + 2 * HOUR).said

    assert all(any(f"to {whom} came back (5." in line for line in said) for whom in ("Gus", "agora", "b"))
    with world.store() as store:
        returned = [kept for kept in store.letters() if kept.bucket == "machine"]
        heads = [kept.raw.data.partition(b"\r\n\r\n")[0] for kept in returned]
        assert {b"+b-" in head for head in heads} == ({False, True} if subaddresses else {False})
        failed = store.outbox().in_state("failed")
        assert {o.letter.person or o.letter.forum for o in failed} == {"Gus", "agora", "b"}
        assert len(failed) == len(returned) > 0


__all__ = ["world"]


def forge_a_bounce(world: World, at: int) -> str:
    """Let somebody say that the start never reached Agora: its Message-ID stands in everyone's mailbox."""
    with world.store() as store:
        start = next(
            o for o in store.outbox().each() if o.letter.forum == "agora" and "begins" in o.letter.subject)
    report = REPORT.format(to="wolf@contest.test", action="failed", status="5.1.1", kind="text/rfc822-headers",
                           back=f"Message-ID: {start.message_id}")
    world.deliver(f"bounce.{at}", report.replace("<report@", f"<report{at}@").encode(), at)
    return start.message_id


def test_nobody_can_say_that_an_announcement_came_back_which_the_forum_has(world: World) -> None:
    """It stays sent, nobody is told to send it again, and nothing goes out twice (found by an attack through mail)."""
    echo(world, "agora", BEGIN + 60)
    world.poll(BEGIN + 120)
    message_id = forge_a_bounce(world, BEGIN + 180)

    assert world.poll(BEGIN + 240).status == 0
    with world.store() as store:
        assert store.outbox().in_state("failed") == ()
        assert store.outbox().heard_again(message_id)
    assert not [e for e in contest(world).entries if isinstance(e.event, Noted) and e.event.topic == "bounce"]


def test_an_echo_outweighs_a_bounce(world: World) -> None:
    """Said to have come back before the forum's copy is read: the copy settles it."""
    message_id = forge_a_bounce(world, BEGIN + 30)
    assert world.poll(BEGIN + 40).status == 1
    echo(world, "agora", BEGIN + 60)
    world.poll(BEGIN + 120)

    with world.store() as store:
        outbox = store.outbox()
        assert outbox.in_state("failed") == ()
        found = outbox.by_message_id(message_id)
        assert found is not None
        assert found.state == "sent"
