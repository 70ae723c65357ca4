"""How much mail a contest makes, by the letters of an example: ``python -m tests.demo.reach [FOLDER ...]``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from email.utils import parsedate_to_datetime
from pathlib import Path

from scripts.golden import EXAMPLES, PLAYED

ALONE = ("Your role", "Please confirm")
"""Letters that come by themselves: what is kept, and what a word has to be taken from."""
EMPTY = ("There is nothing new for you", "Nothing is due from you", "Nothing is asked of you")
"""How a line begins that says that nothing is to be said."""


@dataclass
class Reach:
    """The private letters of a contest's players.

    *runs* counts letters by (reader, instant), without those that come *alone*; *days* is how many days they took;
    *characters* is what all of them say, padding and all, *idle* how much of that is no news; *again* how much is in
    lines that the same reader had before; *subjects* counts subjects.
    """

    letters: int = 0
    readers: set[str] = field(default_factory=set)
    runs: Counter[tuple[str, int]] = field(default_factory=Counter)
    days: int = 0
    characters: int = 0
    idle: int = 0
    again: int = 0
    subjects: Counter[str] = field(default_factory=Counter)

    @property
    def news(self) -> float:
        """The share of characters that are neither padding nor lines that say nothing."""
        return 1 - self.idle / self.characters

    @property
    def daily(self) -> float:
        """Letters for each reader and day."""
        return self.letters / len(self.readers) / self.days


def measured(letters: Iterable[bytes], contestmaster: str = "Murphy") -> Reach:
    """Return what *letters*, as they left, come to for the players."""
    found, had, at = Reach(), dict[str, set[str]](), set[int]()
    for message in map(opened, letters):
        reader, subject = str(message["To"]), str(message["Subject"]).partition("] ")[2]
        if message["Reply-To"] is None or "journal" in subject or reader.startswith(contestmaster.lower()):
            continue
        instant = int(parsedate_to_datetime(str(message["Date"])).timestamp())
        at.add(instant)
        found.letters += 1
        found.readers.add(reader)
        found.subjects[subject] += 1
        if subject not in ALONE:
            found.runs[reader, instant] += 1
        for line, padding in lines(message):
            found.characters += len(line)
            idle = padding or line.startswith(EMPTY)
            found.idle += len(line) * idle
            found.again += len(line) * (not idle and line in had.setdefault(reader, set()))
            had.setdefault(reader, set()).add(line)
    found.days = max(1, -(-(max(at, default=0) - min(at, default=0)) // 86_400))
    return found


def opened(data: bytes) -> EmailMessage:
    """Return a letter as its reader's program has it."""
    message = message_from_bytes(data, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def lines(message: EmailMessage) -> Iterator[tuple[str, bool]]:
    """Yield each line of a letter's texts, and whether it is in an attachment or of nothing but dashes."""
    for part in message.walk():
        if part.get_content_type() == "text/plain":
            for line in part.get_content().splitlines():
                yield line, part.is_attachment() or (len(line) > 3 and not line.strip("-"))


def letters_of(folder: Path) -> list[bytes]:
    """Return the letters that a contest has sent, from its example's folder."""
    return [path.read_bytes() for path in sorted((folder / "out").glob("*.eml"))]


def main() -> None:
    """Print a table of the examples, or of the folders that are named."""
    for folder in [Path(name) for name in sys.argv[1:]] or [EXAMPLES / name for name in PLAYED]:
        found = measured(letters_of(folder))
        told = (f"{folder.name}: {found.letters} letters to {len(found.readers)} players in {found.days} days, "
                f"{found.daily:.2f} each a day, at most {max(found.runs.values(), default=0)} in a run; "
                f"{found.news:.1%} news, {found.again / found.characters:.0%} in lines had before")
        print(told)  # noqa: T201
        for subject, count in found.subjects.most_common():
            print(f"  {count:3} {subject}")  # noqa: T201


if __name__ == "__main__":
    main()
