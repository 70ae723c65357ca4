"""Mailboxes, reply tags, and authors of letters.

Mailboxes and ids are parsed strictly: whatever has two readings has none (RFC 5322 3.4, 3.6.4). Reply tags (RFC 5233)
and tokens that confirm one act are words that only the contest's key can make: HMAC-SHA-256 cut to at least 128 bits,
in base 32, which mail systems preserve whatever they do to case.

An author is identified as RFC 8601 and 6376 allow; Reply-To alone never identifies anybody.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b32encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from hmac import new as keyed
from typing import NamedTuple, Protocol

from authres import AuthenticationResultsHeader, AuthResError

from nomicwolf.letters.headers import decoded_words, every, named
from nomicwolf.letters.letter import Assurance, ForumInfo, Letter

MAX_ID = 250
MAX_ADDRESS = 254
_USUAL = 2000
"""Of a longer field nothing is kept for the next letter."""
_LONGEST_LOCAL = 64  # RFC 5321 4.5.3.1.1
_ATOM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~.")
_LABEL = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_MAX_COMMENT_DEPTH = 20
_NO_NAME = frozenset("@<>:;,")
"""A comment with one of these may be an address to some program, and a name to another."""
_ID = re.compile(r"[!#-'*+\--;=?-Z^-~]+")


def mailbox(value: str) -> tuple[str, str] | None:
    """Return the one mailbox in a From field as (display name as written, address), or None.

    None if there are several, a group, a route, a comment within the address or with one in it, a control character,
    an open quote or bracket, or anything else that two programs could read differently. A comment is held to be a name
    only where a space parts it from the address, as old programs write it. Linear in ``len(value)``.
    """
    return _mailbox(value) if len(value) <= _USUAL else None


@lru_cache(maxsize=256)
def _mailbox(value: str) -> tuple[str, str] | None:
    """Return what `mailbox` does; most letters are from the same few senders."""
    plain = value.isascii() and value.isprintable()
    if not (plain or all(unicodedata.category(char) not in ("Cc", "Cs") for char in value)):
        return None
    pieces = _pieces(value)
    if pieces is None:
        return None
    words = [text for kind, text in pieces if kind in ("atom", "quoted")]
    angles = [text for kind, text in pieces if kind == "angle"]
    comments = [text for kind, text in pieces if kind == "comment"]
    if comments and (_NO_NAME.intersection("".join(comments)) or not _apart(value)):
        return None
    if len(angles) == 1:
        kinds = [kind for kind, _ in pieces if kind != "comment"]
        if kinds[-1] != "angle" or any(kind == "atom" and "@" in text for kind, text in pieces):
            return None
        address, shown = addr_spec(angles[0]), " ".join(words)
    elif not angles and len(words) == 1 and pieces[0][0] == "atom":
        address, shown = addr_spec(words[0]), " ".join(comments)
    else:
        return None
    return None if address is None else (shown.strip(), address)


def _apart(value: str) -> bool:
    """Return whether each comment of a field is alone, with a space or the field's end on either side.

    What is in another one or in a quoted string is not looked at.
    """
    place = 0
    while place < len(value):
        if value[place] == "(":
            end = _comment_end(value, place)
            if end is None or value[place - 1:place] not in ("", " ") or value[end:end + 1] not in ("", " "):
                return False
            place = end
        else:
            place = (_quoted_end(value, place) or len(value)) if value[place] == '"' else place + 1
    return True


def addr_spec(text: str) -> str | None:
    """Return ``local@domain`` with the domain in lower case, or None; letters beyond ASCII stay exact (RFC 6532)."""
    return _addr_spec(text) if len(text) <= MAX_ADDRESS else None


@lru_cache(maxsize=256)
def _addr_spec(text: str) -> str | None:
    """Return what `addr_spec` does; most letters name the same few addresses."""
    local, at, domain = text.partition("@")
    if not at or not 0 < len(local) <= 64:
        return None
    if local[0] == "." or local[-1] == "." or ".." in local:
        return None
    if not _ATOM.issuperset(local) and not all(char in _ATOM or _is_letter(char) for char in local):
        return None
    domain = domain.lower()
    return f"{local}@{domain}" if is_domain(domain) else None


def is_domain(domain: str) -> bool:
    """Return whether *domain* (lower case) is labels of letters, digits and hyphens with dots between."""
    labels = domain.split(".")
    return all(
        0 < len(label) <= 63
        and label[0] != "-" != label[-1]
        and (_LABEL.issuperset(label) or all(char in _LABEL or _is_letter(char) for char in label))
        for label in labels
    )


def _is_letter(char: str) -> bool:
    """Return whether *char* is a letter or digit beyond ASCII, or a mark on one, as many scripts write their vowels."""
    return ord(char) > 127 and (char.isalnum() or unicodedata.category(char) in ("Mn", "Mc"))


def for_transport(address: str) -> str:
    """Return *address* with each label of its domain in the form that any server knows (RFC 5890 2.3.2.1).

    What stays beyond ASCII is before the ``@``, and needs a server that knows SMTPUTF8 (RFC 6531).

    >>> for_transport("ash@Bücher.example")
    'ash@xn--bcher-kva.example'
    """
    if address.isascii():
        return address
    local, _, domain = address.rpartition("@")
    labels = unicodedata.normalize("NFC", domain.lower()).split(".")
    return f"{local}@{'.'.join(_a_label(label) for label in labels)}"


def _a_label(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")


def fold_address(address: str) -> str:
    """Return *address* as addresses are compared: NFC, the domain as it travels, ASCII letters in lower case.

    Two that reach one mailbox are equal.
    """
    if address.isascii():
        return address.strip().lower()
    same = for_transport(unicodedata.normalize("NFC", address.strip()))
    return "".join(char.lower() if char.isascii() else char for char in same)


def addresses_in(value: str) -> tuple[str, ...]:
    """Return all addresses that a To, Cc, Reply-To or Delivered-To field names, at most 200; lenient, linear."""
    found: list[str] = []
    for chunk in value[:20_000].replace("<", ",").replace(">", ",").replace(";", ",").replace(":", ",").split(","):
        for word in chunk.split():
            address = addr_spec(word.strip("()\"'"))
            if address is not None and len(found) < 200:
                found.append(address)
    return tuple(dict.fromkeys(found))


def folded_in(value: str) -> frozenset[str]:
    """Return the addresses that `addresses_in` finds, folded."""
    return _folded_in(value) if len(value) <= _USUAL else _folded_in.__wrapped__(value)


@lru_cache(maxsize=256)
def _folded_in(value: str) -> frozenset[str]:
    """Return what `folded_in` does; most letters go to the same few addresses."""
    return frozenset(map(fold_address, addresses_in(value)))


def split_tag(address: str) -> tuple[str, str]:
    """Split ``local+tag@domain`` into ``local@domain`` and ``tag``, '' if there is none (RFC 5233)."""
    local, _, domain = address.rpartition("@")
    base, _, tag = local.partition("+")
    return f"{base}@{domain}", tag


def with_tag(address: str, tag: str) -> str:
    """Return *address* with *tag* in it, after any tag of its own; *address* itself if there is no room.

    >>> with_tag("wolf@contest.example", "x"), with_tag("wolf+town@contest.example", "x")
    ('wolf+x@contest.example', 'wolf+town-x@contest.example')
    """
    local, _, domain = address.rpartition("@")
    made = f"{local}{'-' if '+' in local else '+'}{tag}"
    return f"{made}@{domain}" if tag and len(made) <= _LONGEST_LOCAL else address


def tag_in(address: str, own: str) -> str:
    """Return the tag that `with_tag` put into *own* to make *address*, both folded; '' if it didn't."""
    (base, tag), (own_base, own_tag) = split_tag(address), split_tag(own)
    before = f"{own_tag}-" if own_tag else ""
    return tag[len(before) :] if base == own_base and tag.startswith(before) else ""


def message_ids(value: str) -> tuple[str, ...]:
    """Return every valid ``<left@right>`` in *value*, in order, at most 100."""
    found: list[str] = []
    for chunk in value[:65_536].split("<")[1:]:
        text, close, _ = chunk.partition(">")
        if close and _is_id(text) and len(found) < 100:
            found.append(f"<{text}>")
    return tuple(dict.fromkeys(found))


def message_id(value: str) -> str:
    """Return the id if *value* is exactly one of at most 250 characters, else ''."""
    text = value.strip()
    inner = text[1:-1]
    return text if text[:1] == "<" and text[-1:] == ">" and len(text) <= MAX_ID and _is_id(inner) else ""


def _is_id(text: str) -> bool:
    """Return whether *text* is ``left@right`` in printable ASCII; only a literal may have brackets."""
    left, at, right = text.partition("@")
    if not (left and at and right) or "@" in right or len(text) > MAX_ID - 2:
        return False
    if right[0] == "[" and right[-1] == "]" and len(right) > 2:
        right = right[1:-1]
    return _ID.fullmatch(left + right) is not None


def _pieces(value: str) -> list[tuple[str, str]] | None:
    """Split *value* into atoms, quoted strings, comments and angle brackets; None if it is malformed."""
    pieces: list[tuple[str, str]] = []
    index = 0
    while index < len(value):
        char = value[index]
        if char == " ":
            index += 1
            continue
        if char in '"(<':
            end = {'"': _quoted_end, "(": _comment_end, "<": _angle_end}[char](value, index)
            if end is None:
                return None
            kind = {'"': "quoted", "(": "comment", "<": "angle"}[char]
            inner = value[index + 1 : end - 1]
            pieces.append((kind, inner if kind == "angle" else inner.replace("\\", "")))
        else:
            end = index
            while end < len(value) and value[end] not in ' "(<>),;:\\[]':
                end += 1
            if end == index:
                return None
            pieces.append(("atom", value[index:end]))
        index = end
    return pieces or None


def _quoted_end(value: str, start: int) -> int | None:
    """Return the index after the quoted string that opens at *start*."""
    index = start + 1
    while index < len(value):
        if value[index] == "\\":
            index += 1
        elif value[index] == '"':
            return index + 1
        index += 1
    return None


def _comment_end(value: str, start: int) -> int | None:
    """Return the index after the comment that opens at *start*; None if it nests too deeply or never closes."""
    depth, index = 0, start
    while index < len(value):
        if value[index] == "\\":
            index += 1
        elif value[index] == "(":
            depth += 1
            if depth > _MAX_COMMENT_DEPTH:
                return None
        elif value[index] == ")":
            depth -= 1
            if depth == 0:
                return index + 1
        index += 1
    return None


def _angle_end(value: str, start: int) -> int | None:
    """Return the index after the angle bracket that opens at *start*; None if another opens within or none closes."""
    end = value.find(">", start)
    return None if end < 0 or "<" in value[start + 1 : end] else end + 1


_TOKEN_CHARS, _GROUP = 28, 7  # 140 bits
_TAG_CHARS = 26  # 130 bits


def token(secret: bytes, *parts: str) -> str:
    """Return the word that confirms what *parts* name: 28 letters and digits in four groups."""
    word = _keyed_word(secret, "nomicwolf token 1", parts)[:_TOKEN_CHARS]
    return "-".join(word[place : place + _GROUP] for place in range(0, _TOKEN_CHARS, _GROUP))


def hashed(given: str) -> str:
    """Return the SHA-256 hex of a token as its reader wrote it: case, hyphens, spaces and marks don't matter."""
    return sha256("".join(c for c in given.upper() if c.isascii() and c.isalnum()).encode()).hexdigest()


def same(one: str, other: str) -> bool:
    """Compare two hashes in constant time."""
    return compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def reply_tag(secret: bytes, contest: str, session: int, who: str, turn: int = 0) -> str:
    """Return the tag after ``+`` in *who*'s address for answers to letters of *session*.

    *turn* counts the tags of theirs that others have seen.
    """
    return _keyed_word(secret, "nomicwolf reply 1", (contest, str(session), who, str(turn)))[:_TAG_CHARS].lower()


def is_reply_tag(given: str, made: str) -> bool:
    """Return whether *given* is the tag *made*, whatever its case."""
    return same(given.lower(), made)


def _keyed_word(secret: bytes, purpose: str, parts: tuple[str, ...]) -> str:
    """Return 52 characters of base 32; each part's length goes in, so no two lists of parts are alike."""
    said = "\n".join([purpose, *(f"{len(part)}:{part}" for part in parts)])
    return b32encode(keyed(secret, said.encode("utf-8", "replace"), sha256).digest()).decode("ascii")


_LONGEST, _MOST_COMMENTS = 4000, 20
UNPROVEN = ("From is a forum's address, and nothing proves that the forum put it there: name your own mail servers in "
            "contest.mail_hosts, as they stand in the Received fields above the forum's")
"""Why a letter is held whose From a list seems to have rewritten."""


class Person(Protocol):
    """A possible author: a canonical name and the addresses registered for them."""

    @property
    def name(self) -> str:
        """Return the canonical name."""

    @property
    def addresses(self) -> Iterable[str]:
        """Return every address registered for the person."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose word counts.

    *authserv_ids* are the names under which one's own mail server writes Authentication-Results (it must strip
    foreign ones of that name, RFC 8601 5); *forum_authserv_ids* those of the forums' servers, for letters that came
    through them; *forums* the forums, for From fields that a list has rewritten; *stamps_prove* says that a forum's
    stamp can't be invented.
    """

    authserv_ids: tuple[str, ...] = ()
    forum_authserv_ids: tuple[str, ...] = ()
    forums: tuple[ForumInfo, ...] = ()
    stamps_prove: bool = True


@dataclass(frozen=True, slots=True)
class Identified:
    """The author (None: unknown), how certain that is, and *reason*, why it isn't surer or must be held."""

    person: Person | None
    assurance: Assurance
    reason: str = ""
    held: bool = False


def identify(letter: Letter, persons: Sequence[Person], trust: Trust | None = None) -> Identified:
    """Find the author of *letter* among *persons* by its one From address.

    Held if From is no single address, if two persons share it, if a list has rewritten it and the author can't be
    told for certain, if another person has sent it on as it is, or if a server that is trusted says that a player's own
    domain disowns the letter.
    """
    trust = trust or Trust()
    if len(letter.senders) != 1:
        return Identified(None, "none", "its From field is not exactly one plain address", held=True)
    address = fold_address(letter.senders[0][1])
    lists, owners = _lists(trust.forums), _owners(tuple(persons))
    if address in lists:
        return _rewritten(letter, owners, lists[address], set(lists), stamps_prove=trust.stamps_prove)
    matches = owners.get(address, ())
    if len(matches) != 1:
        reason = "no one is registered with this address" if not matches else "several persons share its address"
        return Identified(None, "none", reason, held=bool(matches))
    if others := _resent(letter, owners) - {matches[0].name}:
        why = f"{' and '.join(sorted(others))} has sent it on, unchanged (Resent-From)"
        return Identified(matches[0], "none", why, held=True)
    return _weighed(letter, matches[0], address.rpartition("@")[2], trust)


def _resent(letter: Letter, owners: Mapping[str, Sequence[Person]]) -> set[str]:
    """Return the persons who say that they resent *letter* (RFC 5322 3.6.6) and so chose its recipients."""
    fields = named(letter.headers)
    resent = (found for name in ("resent-from", "resent-sender") for value in fields.get(name, ())
              for found in folded_in(value))
    return {person.name for address in resent for person in owners.get(address, ())}


def _weighed(letter: Letter, person: Person, domain: str, trust: Trust) -> Identified:
    """Return how certain the From field of a known person is."""
    names = trust.forum_authserv_ids if letter.stamps else trust.authserv_ids
    signed, disowned = verdict(letter, names, domain)
    if disowned:
        return Identified(person, "none", disowned, held=True)
    if signed or any(_aligned(signer, domain) for signer in letter.signers):
        return Identified(person, "signed")
    return Identified(person, "forum" if letter.stamps else "from")


def _rewritten(
    letter: Letter, owners: Mapping[str, Sequence[Person]], forum: str, lists: set[str], *, stamps_prove: bool
) -> Identified:
    """Return the author of a letter whose From the list *forum* has made its own (``Ash via agora-business``).

    Only if it came through that list, and the addresses in X-Original-From and Reply-To that aren't lists' all belong
    to one person; so must those in Cc where Mailman has moved the author there. If there is but one, and it is nobody's
    as the name beside it is, a stranger wrote the letter. A person's it is by the list's word alone, so that a stamp of
    the list's server must prove that the list has spoken.
    """
    if forum not in letter.through:
        return Identified(None, "none", "it has a forum's address in From but did not come through it", held=True)
    moved = _moved(letter, lists)
    found_ones = [owners.get(address, ()) for address in sorted(moved)]
    people = {match.name: match for matches in found_ones for match in matches}
    if len(moved) == 1 and not people:
        shown, known = _named(letter).casefold(), (p.name.casefold() for ps in owners.values() for p in ps)
        if shown not in known:
            return Identified(None, "none", "no one is registered with this address")
    if len(people) != 1 or not all(found_ones):
        return Identified(None, "none", "the list has rewritten From and the author is not certain", held=True)
    author = next(iter(people.values()))
    if not stamps_prove or forum not in dict(letter.stamps):
        return Identified(author, "none", UNPROVEN, held=True)
    return Identified(author, "forum", "the list has rewritten From")


def written_by(letter: Letter, forums: Sequence[ForumInfo]) -> tuple[str, str]:
    """Return the name ('' for none) and address of *letter*'s author, ('', '') if there is no single one.

    It is what its From says; where a list has made that its own, the one address to which it has moved the author's.
    """
    if len(letter.senders) != 1:
        return "", ""
    name, address = letter.senders[0]
    lists = set(_lists(tuple(forums)))
    if fold_address(address) not in lists:
        return name, address
    moved = _moved(letter, lists)
    if len(moved) != 1:
        return "", ""
    author, name = next(iter(moved)), _named(letter)
    return "" if name == f"{author.partition('@')[0]}---" else name, author


def _named(letter: Letter) -> str:
    """Return the author's name in a rewritten From: ``Ash`` of ``Ash via agora`` or ``'Ash' via agora``."""
    name = letter.senders[0][0].partition(" via ")[0]
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == "'" else name


def _moved(letter: Letter, lists: set[str]) -> set[str]:
    """Return the addresses (folded, no lists') to which a list that rewrote From moved the author's."""
    named_in = (value for name in ("X-Original-From", "Reply-To") for value in every(letter.headers, name))
    return {found for value in named_in for found in folded_in(value)} - lists | _copied(letter, lists)


def _copied(letter: Letter, lists: set[str]) -> set[str]:
    """Return the one address (folded, no list's) in Cc if Mailman moved the author there.

    Cc names them as From does: ``Ash via agora-business``, ``Ash <ash@example.org>``. A list that names nobody in From
    leaves in Cc whom the author sent a copy to; so nothing is known where there are several.
    """
    fields = named(letter.headers)
    name, via, _ = letter.senders[0][0].partition(" via ")
    if not via or "x-mailman-version" not in fields:
        return set()
    copied = ", ".join(fields.get("cc", ()))
    found = folded_in(copied) - lists
    shown = decoded_words(copied).replace('"', "").lower()
    meant = (f"{name.lower()} <{address}>" in shown or name == f"{address.partition('@')[0]}---" for address in found)
    return set(found) if len(found) == 1 and any(meant) else set()


def _lists(forums: tuple[ForumInfo, ...]) -> Mapping[str, str]:
    """Return the name of the forum of each list's address (folded)."""
    return {fold_address(found): forum.name for forum in forums for found in forum.addresses}


def _owners(persons: tuple[Person, ...]) -> Mapping[str, Sequence[Person]]:
    """Return the persons registered with each address (folded), in order."""
    found: dict[str, list[Person]] = {}
    for person in persons:
        for address in dict.fromkeys(map(fold_address, person.addresses)):
            found.setdefault(address, []).append(person)
    return found


def vouched(letter: Letter, address: str, trust: Trust) -> bool:
    """Return whether an answer to *address* reaches the author of *letter*, and nobody they only pose as.

    A forum's server had it, and its stamp can't be invented; or the address's domain has signed it, or DMARC passed.
    """
    if letter.stamps and trust.stamps_prove:
        return True
    domain = fold_address(address).rpartition("@")[2]
    names = trust.forum_authserv_ids if letter.stamps else trust.authserv_ids
    found = _checked(letter, names, domain)
    good = found.signed or found.approved or any(_aligned(signer, domain) for signer in letter.signers)
    return good and not found.disowned


def verdict(letter: Letter, names: Sequence[str], domain: str) -> tuple[bool, str]:
    """Return whether *domain* signed the letter, and why it disowns it or '', by the topmost trusted result.

    A DKIM signature counts if its ``d=`` is the domain or one above it. Failures count only where the domain signs:
    a DMARC failure for it, or a broken signature of its own with no good one beside it.
    """
    found = _checked(letter, names, domain)
    if found.disowned:
        return False, f"{domain} disowns it (DMARC)"
    if found.broken and not found.signed and not found.approved:
        return False, f"the signature of {domain} is broken (DKIM)"
    return found.signed, ""


class _Checked(NamedTuple):
    """A server's findings on a domain: signature good or broken, DMARC passed or failed."""

    signed: bool = False
    broken: bool = False
    approved: bool = False
    disowned: bool = False


def _checked(letter: Letter, names: Sequence[str], domain: str) -> _Checked:
    """Return what the topmost result of one of *names* says of *domain*."""
    signed = broken = approved = disowned = False
    for method, result, properties in _trusted(letter, names):
        if method == "dkim":
            aligned = _aligned(properties.get("d") or properties.get("i", "").rpartition("@")[2], domain)
            signed |= aligned and result == "pass"
            broken |= aligned and result in ("fail", "hardfail", "permerror")
        elif method == "dmarc" and properties.get("from", domain).rpartition("@")[2] in ("", domain):
            approved |= result == "pass"
            disowned |= result in ("fail", "hardfail")
    return _Checked(signed, broken, approved, disowned)


def _trusted(letter: Letter, names: Sequence[str]) -> list[tuple[str, str, dict[str, str]]]:
    """Yield (method, result, properties) of the topmost Authentication-Results by one of *names*."""
    wanted = {name.lower() for name in names}
    for value in every(letter.headers, "Authentication-Results"):
        first = value[:300].split(";", 1)[0].split("(", 1)[0].split()
        if not first or first[0].lower() not in wanted:
            continue
        if len(value) > _LONGEST or value.count("(") > _MOST_COMMENTS:
            return []
        try:
            parsed = AuthenticationResultsHeader.parse(f"Authentication-Results: {value}")
        except AuthResError:
            return []
        return [
            (str(found.method).lower(), str(found.result).lower(),
             {str(part.name).lower(): str(part.value or "").lower() for part in found.properties})
            for found in parsed.results
        ]
    return []


def _aligned(signer: str, domain: str) -> bool:
    """Return whether *signer* is *domain* or a domain above it, with at least two labels (RFC 7489 3.1, relaxed)."""
    return "." in signer and (domain == signer or domain.endswith("." + signer))
