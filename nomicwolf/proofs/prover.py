"""All proofs of one letter, and OpenPGP.

Proofs are those that the settings and the registered keys ask for. An OpenPGP signature, checked by Sequoia, counts if
it is the only one, by a registered key, over all that is read (RFC 3156, 9580 7). Programs that show signed mail were
fooled by parts around the signed one, by texts before and after it, by second signatures and by names; so a letter
proves something only if it is nothing but one signed text.

A letter of ours is encrypted to its reader as one OpenPGP message (RFC 3156 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING

from nomicwolf.letters.headers import every, split_head, transfer
from nomicwolf.letters.letter import Letter, Limits, Raw, Seal
from nomicwolf.letters.parts import split_parts, value_and_parameters, value_of

if TYPE_CHECKING:
    from nomicwolf.proofs.dkim import Dns

BEGIN, SIGNATURE, END = (
    b"-----BEGIN PGP SIGNED MESSAGE-----", b"-----BEGIN PGP SIGNATURE-----", b"-----END PGP SIGNATURE-----")
_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Signed:
    """The signed text: *whole* as Sequoia reads it, the signature's *armor*, and whether it is *inline*."""

    whole: bytes
    armor: bytes
    inline: bool


class UnprovenError(Exception):
    """A signature that proves nothing; the message says why, and quotes nothing."""


def sealed(raw: Raw, letter: Letter, certificates: Mapping[str, str]) -> Letter:
    """Return *letter* with its seal, if one of *certificates* (by fingerprint) has signed all of it.

    Of an inline text only what the signature covers is left as the body. Where a signature proves nothing, the letter
    stays as it was and ``unproven`` says why.
    """
    if not _may_be_signed(raw.data, letter):
        return letter
    try:
        signed = _taken_apart(raw.data.replace(b"\r\n", b"\n"))
        if signed is None:
            return letter
        seal, text = _verified(signed, certificates)
    except UnprovenError as why:
        return replace(letter, unproven=str(why))
    if signed.inline:
        return replace(letter, seal=seal, body=text.decode("utf-8", "replace").replace("\r\n", "\n"))
    return replace(letter, seal=seal)


def _may_be_signed(data: bytes, letter: Letter) -> bool:
    """Return whether a letter has to be parsed for a signature: its visible text in *data* shows one.

    What is beyond `_LIMITS` in one whose own limits are wider makes no difference: it is taken apart, then, or shows
    that it isn't signed.
    """
    if BEGIN in data or b"application/pgp-signature" in data:
        return True
    kind = value_of(next(iter(every(letter.headers, "Content-Type")), ""))
    encoding = next(iter(every(letter.headers, "Content-Transfer-Encoding")), "").strip().lower()
    return kind == "multipart/signed" or encoding not in ("", "7bit", "8bit", "binary")


def _taken_apart(data: bytes) -> _Signed | None:
    """Return the signed text of a letter that is one; None if it has no signature."""
    head = split_head(data, _LIMITS.headers, _LIMITS.header_bytes)
    kind, parameters = value_and_parameters(head.first("Content-Type"))
    if kind == "multipart/signed" and parameters.get("protocol", "").lower() == "application/pgp-signature":
        return _mime(head.rest, parameters.get("boundary", ""))
    body, _ = transfer(head.rest, head.first("Content-Transfer-Encoding"))
    if BEGIN not in (body or b"") and b"application/pgp-signature" not in data:
        return None
    if kind.startswith("multipart/"):
        raise UnprovenError("its signature covers only a part of it")
    if kind not in ("", "text/plain"):
        raise UnprovenError("its signature is in no plain text")
    return _inline(body or b"")


def _mime(rest: bytes, boundary: str) -> _Signed:
    parts, defects = split_parts(rest, boundary, 3)
    if len(parts) != 2 or defects:
        raise UnprovenError("it is not one signed part and its signature")
    before = rest.partition(b"--" + boundary.encode("utf-8", "replace"))[0]
    after = rest.rpartition(b"--" + boundary.encode("utf-8", "replace") + b"--")[2]
    if (before.strip() and BEGIN in before) or after.strip():
        raise UnprovenError("text stands around its signed part")
    signature = split_head(parts[1], _LIMITS.headers, _LIMITS.header_bytes)
    if value_and_parameters(signature.first("Content-Type"))[0] != "application/pgp-signature":
        raise UnprovenError("its second part is no signature")
    armor, _ = transfer(signature.rest, signature.first("Content-Transfer-Encoding"))
    return _Signed(parts[0].replace(b"\n", b"\r\n"), armor or b"", inline=False)


def _inline(body: bytes) -> _Signed:
    lines = [line.rstrip(b" \t\r") for line in body.split(b"\n")]
    marks = [line for line in lines if line in (BEGIN, SIGNATURE, END)]
    if marks != [BEGIN, SIGNATURE, END]:
        raise UnprovenError("it is not one signed text and its signature")
    text = body.strip()
    if not text.startswith(BEGIN) or not text.endswith(END):
        raise UnprovenError("text stands before or after its signed text")
    heads = lines[lines.index(BEGIN) + 1 :]
    heads = heads[: heads.index(b"")] if b"" in heads else heads
    if not all(line.startswith(b"Hash: ") for line in heads):
        raise UnprovenError("its signed text begins with something else than a hash")
    return _Signed(text + b"\n", text[text.index(SIGNATURE) :] + b"\n", inline=True)


def _verified(signed: _Signed, certificates: Mapping[str, str]) -> tuple[Seal, bytes]:
    """Return the seal of a good signature and the bytes that it covers."""
    try:
        from pysequoia import Cert, Sig, verify
        from pysequoia.packet import PacketPile, Tag
    except ImportError as error:
        raise UnprovenError("it is signed, and OpenPGP is not there (pip install nomicwolf[openpgp])") from error
    if not certificates:
        raise UnprovenError("it is signed, and no key is registered for its author")
    known = {mark: Cert.from_bytes(text.encode()) for mark, text in certificates.items()}
    armor = signed.armor.strip()
    if not (armor.startswith(SIGNATURE) and armor.endswith(END) and armor.count(b"-----BEGIN") == 1):
        raise UnprovenError("it has not exactly one signature")
    try:
        packets = list(PacketPile.from_bytes(signed.armor))
        if len(packets) != 1 or packets[0].tag != Tag.Signature:
            raise UnprovenError("it has not exactly one signature")
        signature = Sig.from_bytes(signed.armor)
        certs = list(known.values())
        found = (verify(bytes=signed.whole, store=lambda _: certs) if signed.inline
                 else verify(bytes=signed.whole, store=lambda _: certs, signature=signature))
    except (RuntimeError, ValueError, TypeError, OSError) as error:
        raise UnprovenError("its signature is not good, or not by a key that is registered for its author") from error
    marks = [valid.certificate for valid in found.valid_sigs]
    if len(marks) != 1 or marks[0] not in known or signature.created is None:
        raise UnprovenError("it has not exactly one good signature by a key that is registered for its author")
    text = (found.bytes or b"") if signed.inline else signed.whole
    plain = text.replace(b"\r\n", b"\n").strip()
    return Seal(marks[0], int(signature.created.timestamp()), sha256(plain).hexdigest()), text


def certificate_of(data: bytes) -> tuple[str, str]:
    """Return (fingerprint, armored certificate) of the one public key in *data*; ValueError says what is wrong."""
    try:
        from pysequoia import Cert
        from pysequoia.packet import PacketPile
    except ImportError as error:
        raise ValueError("OpenPGP is not installed here; pip install nomicwolf[openpgp]") from error
    try:
        found = Cert.split_bytes(data)
        secret = any("Secret" in str(packet.tag) for packet in PacketPile.from_bytes(data))
    except (RuntimeError, ValueError, OSError) as error:
        raise ValueError("has no OpenPGP public key in it; export one with `gpg --armor --export ADDRESS`") from error
    if len(found) != 1:
        raise ValueError(f"has {len(found)} keys in it; export the one that its owner signs with")
    if secret:
        raise ValueError("holds a SECRET key; its owner should never give that away. Export the public key")
    if found[0].is_revoked:
        raise ValueError("its key has been revoked")
    return found[0].fingerprint, str(found[0])


@dataclass(frozen=True, slots=True)
class Prover:
    """A contest's terms for proofs.

    With *dns*, DKIM signatures are checked by keys from *nameservers*, for *seconds* at most in all, and ARC seals of
    *sealers* count.
    """

    dns: bool = False
    nameservers: tuple[str, ...] = ()
    seconds: float = 10
    sealers: tuple[str, ...] = ()
    _asked: list[Dns] = field(default_factory=list, compare=False)

    def prove(self, raw: Raw, letter: Letter, certificates: Mapping[str, str], now: int) -> Letter:
        """Return *letter* with all that its bytes prove; *certificates* are its author's keys by their fingerprints.

        A letter that is held anyway proves nothing.
        """
        if letter.trouble or raw.truncated:
            return letter
        found = sealed(raw, letter, certificates)
        return replace(found, signers=self._signers(raw.data, now)) if self.dns else found

    def _signers(self, data: bytes, now: int) -> tuple[str, ...]:
        from nomicwolf.proofs import dkim

        if not self._asked:
            self._asked.append(dkim.Dns(self.nameservers, self.seconds))
        lookup = self._asked[0].key
        found = (*dkim.dkim_signers(data, lookup, now), *dkim.arc_signers(data, lookup, self.sealers))
        return tuple(dict.fromkeys(found))


_CONTENT = (b"content-type:", b"content-transfer-encoding:")


def encrypted(letter: bytes, certificates: Sequence[str]) -> bytes | None:
    """Return a composed *letter* whose text only holders of *certificates* (armored public keys) can read.

    Headers stay as they are but for those of the content. None if there is no key that can encrypt, or no Sequoia.
    """
    try:
        from pysequoia import Cert, encrypt
    except ImportError:
        return None
    head, _, body = letter.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    inner = [line for line in lines if line.lower().startswith(_CONTENT)]
    outer = [line for line in lines if line not in inner]
    try:
        readers = [Cert.from_bytes(certificate.encode("ascii")) for certificate in certificates]
        coded = bytes(encrypt(b"\r\n".join([*inner, b"", body]), recipients=readers)) if readers else b""
    except (RuntimeError, ValueError, TypeError, OSError):
        return None
    if b"-----BEGIN PGP MESSAGE-----" not in coded:
        return None
    mark = b"pgp-" + sha256(coded).hexdigest()[:32].encode("ascii")
    parts = [
        b"Content-Type: application/pgp-encrypted\r\n\r\nVersion: 1\r\n",
        b'Content-Type: application/octet-stream; name="encrypted.asc"\r\n\r\n'
        + b"\r\n".join(coded.splitlines()) + b"\r\n",
    ]
    kind = b'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted";\r\n boundary="' + mark + b'"'
    whole = b"".join(b"--" + mark + b"\r\n" + part for part in parts) + b"--" + mark + b"--\r\n"
    return b"\r\n".join([*outer, kind]) + b"\r\n\r\n" + whole
