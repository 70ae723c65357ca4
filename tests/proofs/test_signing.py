"""Letters that nomicwolf signs itself: good for whoever checks, with keys of one's own making."""

from __future__ import annotations

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from nomicwolf.proofs.dkim import asking, dkim_signers
from nomicwolf.proofs.signing import Signer, new_key, record_of, usable
from tests.proofs.keys import NOW, SHORT, plain
from tests.tables import each

KEY = new_key()
SIGNER = Signer("wolf.example", "nomicwolf", usable(KEY))


def lookup(name: str) -> bytes | None:
    """Have the key where it belongs, and nowhere else."""
    return record_of(KEY).encode() if name == "nomicwolf._domainkey.wolf.example" else None


@pytest.mark.parametrize("letter", [
    plain(sender="Wolf <wolf@wolf.example>"),
    plain("a line\r\n\r\n   and one\t with  blanks \r\n\r\n\r\n"),
    plain("").replace(b"Subject: a move", b"Subject: =?utf-8?b?w6k=?=\r\n =?utf-8?b?w6k=?="),
    plain().replace(b"To: wolf@", "To: żółw@".encode()),
])
def test_a_signed_letter_is_proven(letter: bytes) -> None:
    """By the terms by which players' letters are proven, which are stricter than most; the letter is as it was."""
    signed = SIGNER.sign(letter)
    assert signed.endswith(letter)
    assert dkim_signers(signed, lookup, NOW * 2) == ("wolf.example",)


@pytest.mark.parametrize(("old", "new"), [
    (b"see Bex", b"see Cam"), (b"Subject: a move", b"Subject: [list] a move"), (b"From: Ash", b"From: Bex"),
    (b"To: wolf@", b"To: cub@"),
])
def test_a_changed_letter_is_not(old: bytes, new: bytes) -> None:
    """Whoever changes what it says, or from or to whom, breaks the signature."""
    signed = SIGNER.sign(plain())
    assert signed.count(old) == 1
    assert dkim_signers(signed.replace(old, new), lookup, NOW * 2) == ()


def test_nobody_adds_a_from() -> None:
    """It is signed that there is one alone, so that dkimpy's own check fails, too, which takes letters with two."""
    signed = SIGNER.sign(plain())
    asked = asking(lookup)
    assert dkim.verify(signed, dnsfunc=asked)
    assert not dkim.verify(signed.replace(b"From: Ash", b"From: Bex <bex@wolf.example>\r\nFrom: Ash"), dnsfunc=asked)


def test_keys_of_other_programs_are_taken() -> None:
    """OpenDKIM's and Rspamd's are PKCS#8 or PKCS#1; both sign the same."""
    made = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    forms = [made.private_bytes(Encoding.PEM, form, NoEncryption())
             for form in (PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL)]
    one, other = (Signer("wolf.example", "s", usable(pem)) for pem in forms)
    assert dkim_signers(one.sign(plain()), lambda _: record_of(forms[1]).encode(), NOW * 2) == ("wolf.example",)
    assert one.pem == other.pem


@each("pem", [
    b"", b"secret", SHORT, ed25519.Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    rsa.generate_private_key(public_exponent=65537, key_size=1024).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"hush")),
])
def test_a_key_that_signs_nothing_is_refused(pem: bytes) -> None:
    """None, one that is too short or of a kind that few know, and one behind a password."""
    with pytest.raises(ValueError, match="holds no"):
        usable(pem)


def test_a_key_is_never_shown() -> None:
    """What is printed of a signer has no key in it."""
    assert "PRIVATE" not in repr(SIGNER)
