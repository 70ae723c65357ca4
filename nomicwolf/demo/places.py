"""Where the demo plays: addresses, forums, the contest's folder; and what a world of mail must be able to do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from nomicwolf.maillist import MailingList

CONTEST = "wolf@contest.example"
CONTESTMASTER = "Murphy"
PLAYERS = "players.example"
NAMES = (
    "Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kit", "Lea", "Max", "Nia", "Ole", "Pia",
    "Quin", "Ros", "Sam", "Tia", "Uli", "Val", "Wim", "Yan",
)  # fmt: skip
FORUMS = {"agora": "agora-business@lists.agora.example", "b": "spoon-business@lists.b.example"}
DISCUSSIONS = {"agora": "agora-discussion@lists.agora.example", "b": "spoon-discuss@lists.b.example"}
TITLES = {"agora": "Agora", "b": "B"}
TAGS = {"agora": ("BUS:", "DIS:"), "b": ("[s-b]", "[s-d]")}


class World(Protocol):
    """A world of mail: letters go in, and lie in mailboxes."""

    def post(self, sender: str, recipients: Sequence[str], data: bytes) -> None:
        """Send one letter; when this returns it lies in every mailbox that it was for."""

    def inbox(self, address: str) -> list[bytes]:
        """Return every letter that *address* has received, oldest first."""


def address_of(name: str) -> str:
    """Return where *name* writes from.

    >>> address_of("Ash")
    'ash@players.example'
    """
    return f"{name.lower()}@{PLAYERS}"


def forums(names: Sequence[str]) -> tuple[MailingList, ...]:
    """Return the four lists of two nomics, with all players and the contest subscribed."""
    everyone = (CONTEST, *(address_of(name) for name in names))
    found = []
    for nomic, addresses in ((n, (FORUMS[n], DISCUSSIONS[n])) for n in FORUMS):
        for address, tag in zip(addresses, TAGS[nomic], strict=True):
            name, _, host = address.partition("@")
            footer = f"\n_______________________________________________\n{name} mailing list\n{name}@{host}\n"
            found.append(MailingList(address, TITLES[nomic], tag, footer, everyone))
    return tuple(found)


def secret_of(seed: str, what: str) -> str:
    """Return 64 hex digits that hang on the demo's seed alone, so that it can be played again."""
    return sha256(f"nomicwolf demo\n{seed}\n{what}\n".encode()).hexdigest()


def settings_text(
    ruleset: str, seed: str, imap_port: int, smtp_port: int, user: str, password: str,
    title: str = "The Werewolves of Nomic Crossing",
) -> str:
    """Return `contest.toml` for a contest called *title* among mail servers on loopback."""
    lines = [
        "[contest]", 'id = "demo"', f"name = {json.dumps(title)}", f"ruleset = {json.dumps(ruleset)}",
        f'contestmaster = {{ name = "{CONTESTMASTER}", addresses = ["{address_of(CONTESTMASTER)}"] }}',
        f'secret = "{secret_of(seed, "secret")}"', "", "[imap]", 'host = "127.0.0.1"', f"port = {imap_port}",
        'security = "none"', f"user = {json.dumps(user)}", f"password = {json.dumps(password)}", "", "[smtp]",
        'host = "127.0.0.1"', f"port = {smtp_port}", 'security = "none"', f'from = "{CONTEST}"', "connections = 1", "",
    ]
    for nomic, forum in FORUMS.items():
        lines += [f"[nomic.{nomic}]", f'forum = "{forum}"', f'discussion = "{DISCUSSIONS[nomic]}"',
                  f'title = "{TITLES[nomic]}"', f'list_id = "{forum.replace("@", ".")}"',
                  *(["limit = 50"] if nomic == "agora" else []), ""]
    lines += ["[switches]", "cover = false", ""]
    return "\n".join(lines)


def write_settings(folder: Path, text: str) -> None:
    """Write `contest.toml` into a new folder, for its owner alone."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "contest.toml").write_text(text, encoding="utf-8")
    (folder / "contest.toml").chmod(0o600)
