"""Pseudonyms for a person erased from texts.

In texts, JSON and messages a pseudonym replaces the person's name, and their own words are removed.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from collections.abc import Set as AbstractSet
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.policy import compat32
from hashlib import sha256
from typing import Any, TypeAlias

from nomicwolf.village.events import ERASED

NOWHERE = "erased.invalid"
"""The domain of addresses that nobody has (RFC 2606)."""
Row: TypeAlias = tuple[str, ...]
"""Words, casefolded."""
_TOGETHER = 6
"""So many words in a row are one's own wherever they stand; fewer only where they are quoted."""
_EXACT = 2
"""A name of so few characters is replaced as it is written alone: any case of it may be a word."""
_STRUCTURE = frozenset({
    "verb", "phase", "stage", "role", "roles", "ruleset", "switches", "seed", "half", "topic", "channel", "bucket",
    "assurance", "nomic", "digest", "content", "commitment", "operator", "odds", "kind", "state", "forum", "forums",
    "place", "placed", "event", "cause", "cites", "version", "sure", "reply_tag",
})  # fmt: skip
"""Keys of the record and of letters whose texts are the program's own: none of them is anybody's name or words."""
_ROLES = frozenset({"deal", "became"})
"""Keys of lists of players, each with what is theirs: no name, though one may be called so."""
_WORD = re.compile(r"\w+")
_ID = re.compile(r"<[^<>\s]+>")
_QUOTED = re.compile(r"(?<=“)[^“”\n]*(?=”)|(?<=\")[^\"\n]*(?=\")|(?<= this line: )[^\n]*\Z")
_BESIDE = re.compile(r"\([^()]*\)|\"[^\"]*\"")
"""A nickname or a comment in a display name."""
_MARKED = re.compile(r"[ \t]*(?:[>|][ \t]*)+")


class Disguise:
    """A pseudonym for one person in texts.

    *name* is the pseudonym; *names* and *addresses* are what the person was called and wrote from, *ids* the
    Message-IDs of the person's letters, and *words* what stood in these, each a text of any length, of which *spoken*
    are rows that somebody else said first. A name among the *common* words (casefolded) is replaced as it is written
    alone.
    """

    def __init__(
        self, name: str, names: Iterable[str], addresses: Iterable[str], ids: Iterable[str] = (),
        words: Iterable[str] = (), spoken: AbstractSet[Row] = frozenset(), common: Container[str] = frozenset(),
    ) -> None:
        self.name = name
        self._common = common
        self._addresses = {form.casefold(): f"{name.lower()}.{number}@{NOWHERE}"
                           for number, address in enumerate(dict.fromkeys(a.casefold() for a in addresses if a), 1)
                           for form in _written(address)}
        called = sorted({" ".join(n.split()) for n in names} - {""}, key=len, reverse=True)
        self._pattern = _any_of([*sorted(self._addresses, key=len, reverse=True), *called])
        self._names = {n.casefold(): n for n in called}
        self._ids = {i: f"<{sha256(f'{name} {i}'.encode()).hexdigest()[:32]}@{NOWHERE}>" for i in ids if i}
        self._rows, self._lines = set[Row](), set[Row]()
        for text in words:
            self._lines.update(tuple(_tokens(line)) for line in text.splitlines())
            self._rows.update(rows_of(text))
        self._rows -= spoken
        self._lines.discard(())

    def address(self, given: str) -> str:
        """Return the address that replaces one of the person's; other addresses are unchanged."""
        return self._addresses.get(given.casefold(), given)

    def text(self, said: str) -> str:
        """Return a text without the person: names and addresses replaced, the person's words removed."""
        if not said:
            return said
        if self._ids and "<" in said:
            said = _ID.sub(lambda found: self._ids.get(found[0], found[0]), said)
        if self._lines:
            said = self._without_words(said)
        return self._without_names(said)

    def plain(self, value: Any, key: str = "") -> Any:  # noqa: ANN401 - any value of JSON
        """Return a JSON value without the person, except values that are the program's own by their *key*."""
        if isinstance(value, str):
            kept = key in _STRUCTURE or (key == "purpose" and value.casefold() in self._common)
            return value if kept else self._without_names(value) if is_canonical(key, value) else self.text(value)
        if isinstance(value, list) and key in _ROLES and all(isinstance(part, list) for part in value):
            return [[self.plain(who), *rest] for who, *rest in value]
        if isinstance(value, list):
            return [self.plain(part, key) for part in value]
        if isinstance(value, dict):
            return {name: self.plain(part, name) for name, part in value.items()}
        return value

    def names(self, text: str) -> bool:
        """Return whether a text still has a name or an address of the person."""
        return self._pattern is not None and self.text(text) != text

    def _without_names(self, said: str) -> str:
        return self._pattern.sub(self._instead, said) if self._pattern is not None else said

    def _instead(self, found: re.Match[str]) -> str:
        text = " ".join(found[0].split())
        if text.casefold() in self._addresses:
            return self._addresses[text.casefold()]
        called = self._names[text.casefold()]
        as_written = len(called) <= _EXACT or called.casefold() in self._common
        return found[0] if as_written and text != called else self.name

    def _without_words(self, said: str) -> str:
        said = _QUOTED.sub(lambda found: ERASED if tuple(_tokens(found[0])) in self._lines else found[0], said)
        lines = said.split("\n")
        for number, line in enumerate(lines):
            mark = _MARKED.match(line)
            if mark is not None and tuple(_tokens(line)) in self._lines:
                lines[number] = f"{mark[0]}{ERASED}"
        return self._without_rows("\n".join(lines))

    def _without_rows(self, said: str) -> str:
        found = [*_WORD.finditer(said)]
        words = [match[0].casefold() for match in found]
        mine = [False] * len(words)
        for at in range(len(words) - _TOGETHER + 1):
            if tuple(words[at:at + _TOGETHER]) in self._rows:
                mine[at:at + _TOGETHER] = [True] * _TOGETHER
        if not any(mine):
            return said
        kept, end = list[str](), 0
        for first, last in _runs(mine):
            kept += [said[end:found[first].start()], ERASED]
            end = found[last].end()
        return "".join((*kept, said[end:]))


def is_canonical(key: str, said: str) -> bool:
    """Return whether a text of the record is a deed in the program's words: a player's are behind a colon alone."""
    return key == "says" and ":" not in said


def rows_of(text: str) -> Iterator[Row]:
    """Yield the words of a text, so many in a row that they are one's own wherever they stand."""
    words = _tokens(text)
    yield from (tuple(words[at:at + _TOGETHER]) for at in range(len(words) - _TOGETHER + 1))


def _runs(mine: list[bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last place of each run of true places."""
    at = 0
    while at < len(mine):
        first = at
        while at < len(mine) and mine[at]:
            at += 1
        if at > first:
            yield first, at - 1
        at += 1


def _tokens(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _written(address: str) -> tuple[str, ...]:
    """Return the forms of an address: plain, in another (VERP, SRS), in a URL, in an archive."""
    local, _, domain = address.rpartition("@")
    return address, f"{local}={domain}", f"{local}%40{domain}", f"{local} at {domain}"


def _any_of(found: Iterable[str]) -> re.Pattern[str] | None:
    """Return an expression for any of these as whole words, with any white space."""
    forms = [r"\s+".join(map(re.escape, text.split())) for text in found]
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE) if forms else None


def readable(data: bytes) -> str:
    """Return everything a message says, decoded: its fields and texts, whatever its structure."""
    message = message_from_bytes(data, policy=compat32)
    texts = [f"{name}: {_decoded(value)}" for part in message.walk() for name, value in part.items()]
    return "\n".join((*texts, *(_text(part) for part in message.walk() if not part.is_multipart())))


def disguised(data: bytes, disguise: Disguise) -> bytes:
    """Return a message without the person in its fields and texts; unreadable parts are left out."""
    message = message_from_bytes(data, policy=compat32)
    for part in message.walk():
        fields = [(name, _field(value, disguise)) for name, value in part.items()]
        for name in {name for name, _ in fields}:
            del part[name]
        for name, value in fields:
            part[name] = value
        if not part.is_multipart():
            _reword(part, disguise)
    made = message.as_bytes(policy=compat32.clone(linesep="\r\n"))
    return made if not disguise.names(readable(made)) else b""


def plain_message(message_id: str, subject: str, body: str) -> bytes:
    """Return a message of just these fields and text, in UTF-8."""
    one_line = " ".join(subject.split())
    head = f"Message-ID: {message_id}\nSubject: {one_line}\nContent-Type: text/plain; charset=utf-8\n"
    return "\r\n".join(f"{head}\n{body}".splitlines()).encode("utf-8", "replace")


def real_names(data: bytes, addresses: Iterable[str]) -> Iterator[str]:
    """Yield the display names before any of the *addresses* in a message, also as others write them."""
    from email.utils import getaddresses

    mine = {address.casefold() for address in addresses}
    message = message_from_bytes(data, policy=compat32)
    fields = [_decoded(value) for name, value in message.items()
              if name.lower() in {"from", "reply-to", "sender", "cc", "to", "x-original-from"}]
    for name, address in getaddresses(fields):
        shown = name.partition(" via ")[0].strip()
        if shown and address.casefold() in mine:
            last, _, first = _BESIDE.sub(" ", shown).partition(",")
            yield from (shown, " ".join(f"{first} {last}".split()))


def _field(value: Any, disguise: Disguise) -> str:  # noqa: ANN401 - as the parser gives it
    was = _decoded(value)
    now = disguise.text(was)
    if now == was:
        return str(value).encode("ascii", "surrogateescape").decode("ascii", "replace").replace("\ufffd", "?")
    return " ".join(now.encode("ascii", "backslashreplace").decode("ascii").split())


def _decoded(value: Any) -> str:  # noqa: ANN401 - as the parser gives it
    try:
        return str(make_header(decode_header(value)))
    except (LookupError, UnicodeError, ValueError):
        return str(value)


def _text(part: Message) -> str:
    given = part.get_payload(decode=True)
    data = given if isinstance(given, bytes) else str(part.get_payload()).encode("utf-8", "replace")
    try:
        return data.decode(part.get_content_charset("utf-8"), "replace")
    except LookupError:
        return data.decode("latin-1")


def _reword(part: Message, disguise: Disguise) -> None:
    was = _text(part)
    now = disguise.text(was)
    if now == was:
        return
    for name in ("Content-Transfer-Encoding", "Content-Type"):
        del part[name]
    part["Content-Type"] = "text/plain; charset=utf-8"
    part["Content-Transfer-Encoding"] = "8bit"
    part.set_payload(now.encode("utf-8", "replace").decode("ascii", "surrogateescape"))
