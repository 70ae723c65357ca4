"""The header of an older letter, copied above its text in any language: From:, Sent:, To:, Subject:."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from nomicwolf.letters import tongues
from nomicwolf.letters.marks import SPACE, blank, dated, indented

_LABELS = {"from": tongues.FROM, "sent": tongues.SENT, "to": tongues.TO, "subject": tongues.SUBJECT}
_BROKEN = 2
"""So many lines in a row may a field have been broken into."""
_LONGEST = 16
"""So many lines may a block have."""
_MOST = 12
"""So many colons of a line are looked at."""


def header_block(lines: Sequence[str], index: int) -> int:
    """How many lines from *index* copy an older letter's header (From:, Sent:, To:, Subject:), or 0.

    A sender and two more of date, recipient and subject must be there, at most two empty lines between two of them,
    or all on one line; of sender, date and recipient two are enough if they give addresses and a date. Fields of
    other names, and up to two lines in a row that a field was broken into, may stand between them. In a language that
    isn't known here, three fields are enough if two give an address and one a date; in letters that English has, two
    must be known.
    """
    kind, name, value = _field(lines[index])
    if not kind and "@" in lines[index] and lines[index].lstrip("| *\t").partition(" ")[0].lower() in tongues.FROM:
        return _bare_block(lines, index)
    if not kind or (kind == "other" and (name.isascii() or not ("@" in value or dated(value)))):
        return 0
    if kind == "from" and lines[index].count(":") >= 3 and _has_three(lines[index]):
        return 1
    above = lines[index - 1] if index else ""
    found, last = _Found(), index
    for place, kind, name, value in _fields_from(lines, index):
        found.add(kind, name, value)
        last = place
    return last - index + 1 if found.is_header(ruled=len(above) >= 10 and not above.strip("_" + SPACE)) else 0


def _fields_from(lines: Sequence[str], index: int) -> Iterator[tuple[int, str, str, str]]:
    """Yield the fields from line *index* on, as `_field` tells them, each with its place, to the end of the block."""
    broken = 0
    for place in range(index, min(index + _LONGEST, len(lines))):
        line = lines[place]
        if blank(line):
            if broken or (blank(lines[place - 1]) and blank(lines[place - 2])):
                return
            continue
        kind, name, value = _field(line)
        if kind:
            broken = 0
            yield place, kind, name, value
        else:
            broken += not indented(line)
            if blank(lines[place - 1]) or broken > _BROKEN:
                return


@dataclass(slots=True)
class _Found:
    """The fields of a block: their *kinds*, of which *sure* have an address or a date as they should.

    And how many there are, how many with an address, with a date, and with a name beyond ASCII (*strange*).
    """

    kinds: set[str] = field(default_factory=set)
    sure: set[str] = field(default_factory=set)
    fields: int = 0
    mailboxes: int = 0
    dates: int = 0
    strange: int = 0

    def add(self, kind: str, name: str, value: str) -> None:
        """Count one more."""
        address, date = "@" in value, dated(value)
        self.fields += 1
        self.mailboxes += address
        self.dates += date
        self.strange += not name.isascii()
        if kind != "other":
            self.kinds.add(kind)
        if (kind in ("from", "to") and address) or (kind == "sent" and date):
            self.sure.add(kind)

    def is_header(self, *, ruled: bool) -> bool:
        """Return whether they are a header's; a sender alone is enough below a line that is *ruled*."""
        if len(self.sure) >= 2 or ("from" in self.kinds and len(self.kinds) >= 3):
            return True
        if ruled and self.sure == {"from"}:
            return True
        if not self.dates:
            return False
        alike = self.fields >= 3 and self.mailboxes > 0
        two_are_told = len(self.kinds) >= 2 or (self.strange > 0 and self.mailboxes >= 2)
        return (alike and two_are_told) or (self.strange >= 3 and "from" in self.kinds)


def _bare_block(lines: Sequence[str], index: int) -> int:
    """The same for a header with no colons, in a table or not: ``From Bex <bex@b.example>``, ``| Date | 1 Dec |``."""
    kinds: set[str] = set()
    place = index
    while place < len(lines) and (kind := _labelled(lines[place])) not in kinds | {""}:
        if not kinds and kind != "from":
            return 0
        kinds.add(kind)
        place += 1
    return place - index if len(kinds) >= 3 else 0


def _labelled(line: str) -> str:
    """With what label *line* begins that is a table's cell, or a word before something else; or ''."""
    cell, bar, value = line.strip(SPACE + "|*").partition("|")
    if not bar:
        cell, _, value = cell.partition(" ")
    label = cell.strip(SPACE + "*:").lower()
    return next((kind for kind, words in _LABELS.items() if label in words and value.strip()), "")


def _has_three(line: str) -> bool:
    """Whether *line* has three fields in it, one after the other, as letters without their line ends have."""
    kinds: set[str] = set()
    for piece in line.split(":", _MOST)[:-1]:
        words = piece.lower().replace("*", " ").split()[-3:]
        tails = {" ".join(words[-count:]) for count in (1, 2, 3)}
        kinds.update(kind for kind, names in _LABELS.items() if not names.isdisjoint(tails))
    return "from" in kinds and len(kinds) >= 3


@lru_cache(maxsize=2 * _LONGEST)
def _field(line: str) -> tuple[str, str, str]:
    """What field *line* copies, its name and its value; ``from``, ``sent``, ``to``, ``subject``, ``other`` or ''.

    ``other`` is what may be one, in words unknown here. The blocks that may begin at two lines in a row share lines.
    """
    if ":" not in line and "：" not in line:
        return "", "", ""
    name, _, value = line.strip(SPACE + "*").replace("：", ":", 1).partition(":")
    label = name.strip(SPACE + "*").lower()
    if not label or len(label) > 30:
        return "", "", ""
    for kind, words in _LABELS.items():
        if label in words:
            return kind, label, value
    other = label[0].isalpha() and label.count(" ") <= 3 and value.strip(SPACE + "*") and not value.startswith("//")
    return "other" if other else "", label, value
