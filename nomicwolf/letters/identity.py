"""Authors of letters, and how certain they are.

RFC 8601 and 6376; Reply-To alone never identifies anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from authres import AuthenticationResultsHeader, AuthResError

from nomicwolf.letters.addresses import fold_address, folded_in
from nomicwolf.letters.headers import decoded_words, every, named
from nomicwolf.letters.letter import Assurance, ForumInfo, Letter

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

    Cc names em as From does: ``Ash via agora-business``, ``Ash <ash@example.org>``. A list that names nobody in From
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
