"""What a player understands of eir own mail: what is asked of em, who lives, who votes for whom."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage
from functools import lru_cache

from nomicwolf.dataclass import dataclass
from nomicwolf.demo.places import CONTEST

DUTY = re.compile(
    r"^- (?P<says>.*(?:\n  (?!NAME can be).*)*)(?:\n  NAME can be: (?P<names>.*(?:\n  .*)*))?", re.MULTILINE)
OPEN = re.compile(r"Open to you by private mail[^\n]*:\n(.*?)(?:\n\n|\Z)", re.DOTALL)
LIVING = re.compile(r"^(?:Townspersons|Players)(?: at the end)?: ([^.]*)\.", re.MULTILINE)
SEEN = re.compile(r"^(\w+) is (not )?(?:a|one of the) (?:werewolf|Werewolf|Gadianton|mafia)\.", re.MULTILINE)
PACK = re.compile(r"^The (?:werewolves|Werewolves|Gadiantons|mafia)[^:]*: ([^.]*)\.", re.MULTILINE)
DAY = re.compile(r"^Day (\d+) begins", re.MULTILINE)
NIGHT = re.compile(r"^Night (\d+) begins", re.MULTILINE)
STAGE = re.compile(r"^The (discussion|nominations|defence|ballot|verdict) of day \d+ begins?", re.MULTILINE)
ACCUSED = re.compile(r"^accuse (\w+)", re.MULTILINE)
ABOUT = re.compile(r"^It is (?:on|between) ([^.]*)\.", re.MULTILINE)
FREED = re.compile(r"^(\w+) is acquitted", re.MULTILINE)
VOTE = re.compile(r"^I vote for (\w+)\.", re.MULTILINE)
LYNCHED = re.compile(r"^(\w+) is lynched", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mail:
    """One letter: who wrote it, its body, whether it came through a list and whether it is the contest's.

    *answer* is where an answer to it goes, '' if it doesn't say.
    """

    message_id: str
    author: str
    subject: str
    body: str
    public: bool
    official: bool
    answer: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that is asked of a player: its *verb*, how many *names* it takes of which *options*."""

    verb: str
    arity: int
    options: tuple[str, ...]
    may_decline: bool


@lru_cache(maxsize=256)
def opened(data: bytes) -> Mail:
    """Return a letter as its reader sees it; a list sends all its members the same."""
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain", "html"))
    body = part.get_content() if part is not None else ""
    sender = str(message["From"] or "")
    return Mail(
        str(message["Message-ID"] or "").strip(), sender.partition("<")[0].strip(' "'), str(message["Subject"] or ""),
        body.replace("\r\n", "\n"), message["List-Id"] is not None, CONTEST in sender,
        str(message["Reply-To"] or "").strip(),
    )


def asked(mail: Mail) -> tuple[Asked, ...]:
    """Return what a private letter asks of its reader: what is due, not what e merely may do."""
    block = OPEN.search(mail.body)
    found = []
    for item in DUTY.finditer(block[1] if block else ""):
        says = " ".join(item["says"].split())
        verb = says.split()[0].rstrip(":,")
        head = says.partition(":")[0].partition(", or")[0]
        if "(due by" in says:
            found.append(Asked(verb, head.count("NAME"), listed(item["names"] or ""), "nobody" in says))
    return tuple(found)


def listed(text: str) -> tuple[str, ...]:
    r"""Return the names in a list as letters have it.

    >>> listed("Ash, Bex and\n  Cam")
    ('Ash', 'Bex', 'Cam')
    """
    return tuple(name for name in re.split(r",\s*|\s+and\s+|\s+", text.strip()) if name)
