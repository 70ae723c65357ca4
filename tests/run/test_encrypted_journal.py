"""The journal tells secrets to whoever has the contestmaster's key, and to nobody else (NC 6)."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest
from pysequoia import Tsk, decrypt

from nomicwolf.proofs.signing import encrypted
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, make_world, started

pytestmark = pytest.mark.slow

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
    script = SmtpScript()
    with smtp_server(script) as port:
        world = make_world(tmp_path / "w", port, script)
        if key != "none":
            certificate = str(MURPHY.extract_certificate()) if key == "good" else "-----BEGIN PGP PUBLIC KEY BLOCK-----"
            done = world.command("key-add", who="Murphy", fingerprint="ab" * 20, certificate=certificate)
            assert done.status == 0, done.said
        lynch(started(world))
    mails = [message_from_bytes(data) for to, data in script.taken if to == "murphy@masters.test"]

    assert mails
    assert {mail.get_content_type() for mail in mails} == {"multipart/encrypted" if key == "good" else "text/plain"}
    said = "\n".join(opened(mail) if key == "good" else plain(mail) for mail in mails)
    assert ("Who owes what:" in said) is (key == "good")
    assert "journal of Werewolves" in said or key == "good"


@pytest.mark.parametrize("key", [False, True])
def test_in_the_clear_only_where_it_is_switched_on(tmp_path: Path, *, key: bool) -> None:
    """``contest.open_journal`` serves who has no key; with one it is encrypted all the same."""
    script = SmtpScript()
    with smtp_server(script) as port:
        world = make_world(tmp_path / "w", port, script)
        toml = world.folder / "contest.toml"
        toml.write_text(toml.read_text().replace("[contest]\n", "[contest]\nopen_journal = true\n"))
        if key:
            certificate = str(MURPHY.extract_certificate())
            assert world.command("key-add", who="Murphy", fingerprint="ab" * 20, certificate=certificate).status == 0
        lynch(started(world))
    mails = [message_from_bytes(data) for to, data in script.taken if to == "murphy@masters.test"]

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
