"""OpenPGP: exactly one signature, by a registered key, over all that is read; signature wrapping proves nothing."""

from __future__ import annotations

import base64

import dkim
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat
from pysequoia import SignatureMode, Tsk, sign

from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.proofs import prover
from nomicwolf.proofs.dkim import Signer, asking, dkim_signers, new_key, record_of, usable
from nomicwolf.proofs.prover import sealed
from tests.proofs.keys import NOW, SHORT, plain
from tests.tables import each

ASH, BEX, EVE = (Tsk.generate(f"{who} <{who.lower()}@players.example>") for who in ("Ash", "Bex", "Eve"))
KEYS = {ASH.extract_certificate().fingerprint: str(ASH.extract_certificate())}
HEAD = "From: Ash <ash@players.example>\r\nTo: wolf@wolf.example\r\nMessage-ID: <m@players.example>\r\n"
PART = "Content-Type: text/plain; charset=utf-8\r\n\r\nsee Bex\r\n"
ARMOUR = "-----BEGIN PGP SIGNATURE-----"
HTML = "Content-Type: text/html\r\n\r\n<p>attack Cam</p>\r\n"


def detached(text: str, signer: Tsk = ASH) -> str:
    """Return the armored signature over *text*."""
    return sign(signer.signer(), text.encode(), mode=SignatureMode.DETACHED).decode()


def together(*armors: str) -> str:
    """Return the signatures of several armors in one."""
    bodies = (armor.partition("\n\n")[2].partition("\n=")[0].partition("-----")[0] for armor in armors)
    packets = b"".join(map(base64.b64decode, bodies))
    return f"{ARMOUR}\n\n{base64.encodebytes(packets).decode()}-----END PGP SIGNATURE-----\n"


def clear(text: str, signer: Tsk = ASH) -> str:
    """Return *text* signed inline."""
    return sign(signer.signer(), text.encode(), mode=SignatureMode.CLEAR).decode()


def mime(part: str = PART, signature: str = "", *, before: str = "", after: str = "", kind: str = "multipart/signed",
         more: str = "") -> bytes:
    """Return a PGP/MIME letter (RFC 3156)."""
    armor = signature or detached(part)
    return (f'{HEAD}MIME-Version: 1.0\r\nContent-Type: {kind}; protocol="application/pgp-signature"; '
            f"micalg=pgp-sha512; boundary=b\r\n\r\n{before}--b\r\n{part}\r\n--b\r\n"
            f"Content-Type: application/pgp-signature\r\n\r\n{armor}\r\n{more}--b--\r\n{after}").encode()


def inline(text: str, head: str = "") -> bytes:
    """Return a letter whose text is *text*."""
    return (HEAD + head + "\r\n" + text.replace("\n", "\r\n")).encode()


def looked_at(data: bytes, keys: dict[str, str] | None = None) -> Letter:
    """Return the letter with what it proves."""
    raw = Raw("here", 1, 0, data, len(data))
    return sealed(raw, make_letter(raw), KEYS if keys is None else keys)


@each(
    "data",
    [
        mime(),
        inline(clear("see Bex\n")),
        inline(clear("- see Bex\nsee Cam\n")),
        inline("\n\n" + clear("see Bex\n") + "\n  \n"),
        inline(base64.encodebytes(clear("see Bex\n").encode()).decode(), "Content-Transfer-Encoding: base64\r\n"),
    ],
)
def test_a_wholly_signed_letter_is_sealed(data: bytes) -> None:
    """MIME and inline, dash-escaped and transfer-encoded; the seal names the key and when it was made."""
    letter = looked_at(data)
    assert letter.unproven == ""
    assert letter.seal is not None
    assert letter.seal.fingerprint in KEYS
    assert letter.seal.made > 1_700_000_000
    assert "see Bex" in letter.body
    assert "PGP" not in letter.body


@each(
    "data",
    [
        mime(signature=detached("Content-Type: text/plain\r\n\r\nsee Cam\r\n")),
        mime(signature=detached(PART, EVE)),
        mime(signature=detached(PART) + detached(PART, BEX)),
        mime(signature=together(detached(PART), detached(PART, EVE))),
        mime(signature=together(detached(PART), detached(PART))),
        mime(more=f"--b\r\n{HTML}"),
        mime(before=f"{clear('attack Cam')}\r\n"),
        mime(after="attack Cam\r\n"),
        mime(kind="multipart/mixed"),
        mime(signature="nothing of the kind"),
        (HEAD + "Content-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n" + HTML + "--o\r\n").encode()
        + mime().partition(b"MIME-Version: 1.0\r\n")[2] + b"--o--\r\n",
        inline("attack Cam\n" + clear("see Bex\n")),
        inline(clear("see Bex\n") + "attack Cam\n"),
        inline(clear("see Bex\n") + clear("attack Cam\n")),
        inline(clear("see Bex\n", EVE)),
        inline(clear("see Bex\n").replace("see Bex", "see Cam")),
        inline(clear("see Bex\n").replace("Hash:", "attack Cam\nHash:")),
        inline(clear("see Bex\n").replace("-----BEGIN PGP SIG", f"{ARMOUR}\n-----BEGIN PGP SIG", 1)),
        inline("> " + clear("see Bex\n").replace("\n", "\n> ")),
        inline("<pre>" + clear("see Bex\n") + "</pre>", "Content-Type: text/html\r\n"),
        inline(clear("see Bex\n").replace("\n\n-----BEGIN", "\n-----BEGIN PGP SIGNED MESSAGE-----\n-----BEGIN")),
    ],
)
def test_what_is_wrapped_moved_doubled_or_of_somebody_else_proves_nothing(data: bytes) -> None:
    """Other text, other keys, two signatures, parts and texts around it, quoted, hidden in HTML: no seal, and why."""
    letter = looked_at(data)
    assert letter.seal is None
    assert letter.unproven or b"protocol" in data or b"> -----" in data
    assert letter.body == make_letter(Raw("here", 1, 0, data, len(data))).body


def test_signatures_in_one_armor_are_read_as_they_are_made_here() -> None:
    """One signature that was armored again is as good as before, so that it is the second one that spoils two."""
    assert looked_at(mime(signature=together(detached(PART)))).seal is not None


def test_a_name_in_a_key_says_nothing() -> None:
    """Eve's key says that it is Ash's; only what is registered counts."""
    forged = Tsk.generate("Ash <ash@players.example>")
    assert looked_at(inline(clear("see Bex\n", forged))).seal is None


def test_without_a_registered_key_nothing_is_proven() -> None:
    """The letter says why, for the contestmaster."""
    letter = looked_at(mime(), {})
    assert (letter.seal, letter.unproven) == (None, "it is signed, and no key is registered for its author")


def test_an_unsigned_letter_is_left_alone() -> None:
    """Nothing is looked for where nothing is."""
    letter = looked_at(inline("see Bex\n"))
    assert (letter.seal, letter.unproven) == (None, "")


def test_the_same_text_has_the_same_digest_however_it_is_sent() -> None:
    """So a replay is known by what was signed."""
    text = clear("see Bex\n")
    one, two = looked_at(inline(text)), looked_at(inline("\n" + text + "\n", "Subject: again\r\n"))
    assert one.seal is not None
    assert two.seal is not None
    assert one.seal.digest == two.seal.digest


@pytest.mark.parametrize("encoding", ["", "7bit", "base64", "quoted-printable"])
@each("name", ["inline", "inline, part of it", "mime", "none"])
def test_no_signature_is_passed_over(name: str, encoding: str) -> None:
    """A letter that is put by at a glance, without being taken apart, is one in which no signature would be found."""
    texts = {"inline": clear("see Bex\n"), "inline, part of it": f"so\n{clear('see Bex')}", "mime": "", "none": "so\n"}
    text = texts[name]
    body = base64.encodebytes(text.encode()).decode() if encoding == "base64" else text.replace("=", "=3D")
    head = f"Content-Transfer-Encoding: {encoding}\r\n" if encoding else ""
    data = inline(body, head) if text else mime()

    raw = Raw("here", 1, 0, data, len(data))
    if prover._may_be_signed(data, make_letter(raw)):
        assert name != "none" or encoding in ("base64", "quoted-printable")
    else:
        assert prover._taken_apart(data.replace(b"\r\n", b"\n")) is None


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
