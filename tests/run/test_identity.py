"""Identity through whole polls: DKIM by a name server on loopback, OpenPGP by registered keys, orders by mail."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import dkim
import pytest
from pysequoia import SignatureMode, Tsk, decrypt, sign

from nomicwolf.cli.main import ordered
from nomicwolf.nomic.events import CountPosted, DeedHeard, LetterHeard, LetterHeld, Noted
from nomicwolf.nomic.law import SetAside
from nomicwolf.proofs.dkim import zone_line
from nomicwolf.proofs.prover import encrypted
from nomicwolf.run import poll
from nomicwolf.run.resources import PollReport
from nomicwolf.village.events import Event
from tests.post.scripted import SmtpScript, smtp_server
from tests.proofs.keys import DOMAINS, HEADERS, key, record
from tests.run.world import BEGIN, World, letter, make_world, new_world, started
from tests.servers.nameserver import nameserver

pytestmark = pytest.mark.slow

HOUR = 3600
WOLF = "wolf@contest.test"
BEX = Tsk.generate("Bex <bex@players.test>")


ZONE = {
    f"{selector}._domainkey.{ours}": {"TXT": [zone_line("", found.decode()).partition("TXT ")[2]]}
    for theirs in DOMAINS for ours in {theirs, theirs.replace("players.example", "players.test")}
    for selector in ("s", "short") if (found := record(f"{selector}._domainkey.{theirs}")) is not None}


def confirmations(world: World) -> list[tuple[str, str]]:
    """Return (to whom, the word) of each letter taken so far that asks to be confirmed."""
    letters = [(to, message_from_bytes(data, policy=default).get_content()) for to, data in world.smtp.taken]
    return [(to, found[1]) for to, text in letters if (found := re.search(r'"confirm ([A-Z2-7-]+)"', text))]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A session in progress, with a name server."""
    script = SmtpScript()
    with smtp_server(script) as port, nameserver(ZONE) as (server, _):
        made = make_world(tmp_path / "c", port, script)
        made.add(f'\n[identity]\ndkim = "dns"\nnameservers = ["{server}"]\n')
        yield started(made)


def events(world: World, kind: type[Event]) -> list[Event]:
    """The events of *kind* in the ledger."""
    with world.store() as store:
        return [e.event for e in store.record() if isinstance(e.event, kind)]


def heard(world: World, at: int) -> PollReport:
    """Poll as the command does, with the command line's parser."""
    return poll(world.settings, lambda: at, ordered)


def levels(world: World) -> list[str]:
    """How certain the authors of all letters were."""
    return [e.assurance for e in events(world, LetterHeard) if isinstance(e, LetterHeard)]


def dkim_signed(data: bytes) -> bytes:
    """Return *data* with a signature of players.test; its key is the one of players.example."""
    private = key("players.example", 1024)[0]
    return bytes(dkim.sign(data, b"s", b"players.test", private, include_headers=HEADERS)) + data


def test_a_signature_of_the_domain_is_enough_for_a_private_act(world: World) -> None:
    """Checked by the key in the DNS, and written down; a changed letter waits for its confirmation."""
    good = dkim_signed(letter("one", "Bex", "ask: may I?", BEGIN + HOUR, WOLF))
    bad = dkim_signed(letter("two", "Bex", "ask: what now?", BEGIN + HOUR, WOLF)).replace(b"what now", b"what then")
    world.deliver("one", good, BEGIN + HOUR)
    world.deliver("two", bad, BEGIN + HOUR)

    assert heard(world, BEGIN + HOUR + 60).said == ()

    assert sorted(levels(world)) == ["from", "signed"]
    assert len(events(world, DeedHeard)) == len(events(world, SetAside)) == 1


def test_no_name_server_delays_nothing(world: World) -> None:
    """Where nobody answers, the letter is as certain as without a signature, and the run goes on."""
    toml = world.folder / "contest.toml"
    toml.write_text(re.sub(r"127.0.0.1:\d+\"]", '127.0.0.1:9"]\ndns_seconds = 1', toml.read_text()))
    world.deliver("one", dkim_signed(letter("one", "Bex", "ask: may I?", BEGIN + HOUR, WOLF)), BEGIN + HOUR)

    assert heard(world, BEGIN + HOUR + 60).status == 0
    assert levels(world) == ["from"]


def clear(text: str) -> str:
    """Return *text* signed by Bex."""
    return sign(BEX.signer(), text.encode(), mode=SignatureMode.CLEAR).decode().replace("\n", "\r\n")


def keyed(world: World) -> World:
    """Let Bex sign with eir key."""
    certificate = BEX.extract_certificate()
    done = world.command("key-add", who="Bex", fingerprint=certificate.fingerprint, certificate=str(certificate))
    assert done.status == 0, done.said
    return world


def place(world: World) -> str:
    """Return the present session and phase, as a signed text names them."""
    with world.store() as store:
        began = next(e for e in reversed(list(store.record())) if e.event.name == "phase-began").event
    return f"session 1, {began.phase} {began.number}"  # type: ignore[attr-defined]


def test_a_signed_letter_is_certain_once(world: World) -> None:
    """A copy of the signed text in a new letter is held, whoever sends it."""
    keyed(world)
    text = clear(f"contest w1\r\n{place(world)}\r\nask: may I?\n")
    now = int(time.time())  # the signature's date is the machine's
    world.deliver("one", letter("one", "Bex", text, now, WOLF), now)
    heard(world, now + 60)
    world.deliver("two", letter("two", "Bex", text, now + 100, WOLF), now + 100)
    heard(world, now + 200)

    assert levels(world) == ["openpgp", "none"]
    held = [e.why for e in events(world, LetterHeld) if isinstance(e, LetterHeld)]
    assert held == ["its signed text came before, in another letter"]


def test_a_text_signed_for_another_contest_proves_nothing_here(world: World) -> None:
    """What names no contest, or another one, can be sent on by whoever has it: it is as certain as its From (D-N45)."""
    keyed(world)
    now = int(time.time())
    for name, line in (("one", ""), ("two", "contest w2\r\n")):
        text = clear(f"{line}{place(world)}\r\nask: may I, {name}?\n")
        world.deliver(name, letter(name, "Bex", text, now, WOLF), now)
    heard(world, now + 60)

    assert levels(world) == ["from", "from"]
    assert len(events(world, SetAside)) == 2
    assert events(world, DeedHeard) == []


def test_an_old_signature_is_held_and_one_for_another_phase(world: World) -> None:
    """Signed weeks ago by this clock; or for a night that is not now."""
    keyed(world)
    later = int(time.time()) + 10 * 86_400
    world.deliver("one", letter("one", "Bex", clear("contest w1\r\nask: may I?\n"), later, WOLF), later)
    other = clear("contest w1\r\nsession 1, night 4\r\nask: may I?\n")
    world.deliver("two", letter("two", "Bex", other, later, WOLF), later)
    heard(world, later + 60)

    why = [e.why for e in events(world, LetterHeld) if isinstance(e, LetterHeld)]
    assert ["older than 2 days" in w or "before this session" in w or "is not now" in w for w in why] == [True, True]
    assert events(world, DeedHeard) == []


def test_a_players_letter_waits_and_is_confirmed_over_the_wire(world: World) -> None:
    """The token goes to the registered address; the confirmation comes back as mail, and only then it is done."""
    world.deliver("one", letter("one", "Bex", "ask: may I?", BEGIN + HOUR, WOLF), BEGIN + HOUR)
    heard(world, BEGIN + HOUR + 60)
    asked = confirmations(world)
    assert [to for to, _ in asked] == ["bex@players.test"]

    text = f"confirm {asked[0][1]}"
    world.deliver("two", letter("two", "Bex", text, BEGIN + 2 * HOUR, WOLF), BEGIN + 2 * HOUR)
    heard(world, BEGIN + 2 * HOUR + 60)

    assert [e.sure for e in events(world, DeedHeard) if isinstance(e, DeedHeard)] == ["confirmed"]


def test_an_order_by_mail_is_confirmed_and_done(world: World) -> None:
    """By the command line's own parser; a forged one does nothing but ask the contestmaster."""
    with world.store() as store:
        game_day = next(e for e in reversed(list(store.record())) if e.event.name == "phase-began").event
    place = f"{game_day.phase} {game_day.number}"  # type: ignore[attr-defined]
    data = letter("one", "Murphy", f'nomicwolf: announce --phase "{place}"', BEGIN + HOUR, WOLF).replace(
        b"murphy@players.test", b"murphy@masters.test")
    world.deliver("one", data, BEGIN + HOUR)
    heard(world, BEGIN + HOUR + 60)
    assert events(world, CountPosted) == []
    word = next(word for _, word in confirmations(world))

    answer = letter("two", "Murphy", f"confirm {word}", BEGIN + 2 * HOUR, WOLF).replace(
        b"murphy@players.test", b"murphy@masters.test")
    world.deliver("two", answer, BEGIN + 2 * HOUR)
    heard(world, BEGIN + 2 * HOUR + 60)

    assert len(events(world, CountPosted)) == 1
    assert any("carried out" in e.text for e in events(world, Noted) if isinstance(e, Noted))


MURPHY = Tsk.generate("Murphy <murphy@masters.test>")
PLAIN = (b"From: a@b.test\r\nTo: c@d.test\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\n"
         b"Content-Transfer-Encoding: 7bit\r\n\r\nAsh is the seer.\r\n")


def opened(mail: Any) -> str:
    """What an encrypted letter says to the holder of the key."""
    assert mail.get_content_type() == "multipart/encrypted"
    version, coded = mail.get_payload()
    assert (version.get_content_type(), version.get_payload().strip()) == (
        "application/pgp-encrypted", "Version: 1")
    text = decrypt(coded.get_payload(decode=True), decryptor=MURPHY.decryptor()).bytes
    assert text is not None
    inner = message_from_bytes(text)
    return plain(inner)


def plain(mail: Any) -> str:
    """What a letter of one part says."""
    return bytes(mail.get_payload(decode=True)).decode()


def lynch(world: World) -> None:
    """Let everyone vote on the first day, and a night begin in which some owe what nobody may know."""
    for number, who in enumerate(("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus")):
        world.post(f"v{number}", who, "I vote for Gus." if who != "Gus" else "I vote for Ash.", BEGIN + 60)
    world.poll(BEGIN + 7200)


@pytest.mark.parametrize("key", ["none", "good", "of no use"])
def test_a_journal_with_secrets_goes_out_encrypted_or_not_at_all(tmp_path: Path, key: str) -> None:
    """With a key it names who owes what; without one, or with one that can't encrypt, it is what it was."""
    with new_world(tmp_path / "w") as world:
        if key != "none":
            certificate = str(MURPHY.extract_certificate()) if key == "good" else "-----BEGIN PGP PUBLIC KEY BLOCK-----"
            done = world.command("key-add", who="Murphy", fingerprint="ab" * 20, certificate=certificate)
            assert done.status == 0, done.said
        lynch(started(world))
    mails = [message_from_bytes(data) for to, data in world.smtp.taken if to == "murphy@masters.test"]

    assert mails
    assert {mail.get_content_type() for mail in mails} == {"multipart/encrypted" if key == "good" else "text/plain"}
    said = "\n".join(opened(mail) if key == "good" else plain(mail) for mail in mails)
    assert ("Who owes what:" in said) is (key == "good")
    assert "journal of Werewolves" in said or key == "good"


@pytest.mark.parametrize("key", [False, True])
def test_in_the_clear_only_where_it_is_switched_on(tmp_path: Path, *, key: bool) -> None:
    """``contest.open_journal`` serves who has no key; with one it is encrypted all the same."""
    with new_world(tmp_path / "w") as world:
        world.change("[contest]\n", "[contest]\nopen_journal = true\n")
        if key:
            certificate = str(MURPHY.extract_certificate())
            assert world.command("key-add", who="Murphy", fingerprint="ab" * 20, certificate=certificate).status == 0
        lynch(started(world))
    mails = [message_from_bytes(data) for to, data in world.smtp.taken if to == "murphy@masters.test"]

    assert {mail.get_content_type() for mail in mails} == {"multipart/encrypted" if key else "text/plain"}
    assert "Who owes what:" in "\n".join(opened(mail) if key else plain(mail) for mail in mails)


def test_only_the_key_opens_it() -> None:
    """The text lies nowhere in the letter; its headers stay, those of its content are inside."""
    letter = encrypted(PLAIN, [str(MURPHY.extract_certificate())])

    assert letter is not None
    assert b"seer" not in letter
    mail = message_from_bytes(letter)
    assert (mail["From"], mail["To"], mail["Content-Transfer-Encoding"]) == ("a@b.test", "c@d.test", None)
    assert opened(mail).strip() == "Ash is the seer."


@pytest.mark.parametrize("certificates", [[], ["no key"], ["-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nxx\n"]])
def test_what_can_not_be_encrypted_is_not_made(certificates: list[str]) -> None:
    """Whoever asked for it sends something else."""
    assert encrypted(PLAIN, certificates) is None
