"""Where and with whom the demo plays.

Addresses, forums, the contest's folder, what a world of mail must be able to do; and, by rule set, the number of
players, their roles, and what is done by day.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from nomicwolf.maillist import MailingList
from nomicwolf.village.rulesets import ruleset
from nomicwolf.village.rulesets.tabula import SUGGESTED


@dataclass(frozen=True, slots=True)
class Ways:
    """The *verbs* that everyone has by day; *sealed* ballots go to the contest alone."""

    verbs: frozenset[str] = frozenset({"vote"})
    sealed: bool = False


def ways_of(name: str) -> Ways:
    """Return the ways of the rule set called *name*; raise `Refusal` if there is none."""
    duties = [duty for law in ruleset(name).laws for duty in law.duties]
    return Ways(frozenset(d.verb for d in duties), any(d.sealed for d in duties))


USUAL = {"gadianton": 12, "tabula": 16, "six-phases": 9, "narrated-mafia": 11}
"""The number of players with which a rule set shows most of its features; seven for any other."""
MORE = {
    "six-phases": (("cop", 4), ("doctor", 4), ("roleblocker", 9), ("medium", 10), ("watcher", 11), ("tracker", 12),
                   ("vigilante", 13), ("godfather", 14), ("mayor", 15), ("miller", 16)),
    "narrated-mafia": (("policeman", 5), ("doctor", 5), ("godfather", 9), ("policeman", 9), ("mason", 11),
                       ("mason", 11)),
}
"""Roles in the demo besides mafiosi, each from so many players on."""


def usual(name: str) -> int:
    """Return the default number of players of the rule set *name*."""
    return USUAL.get(name, 7)


def deck(name: str, players: int) -> tuple[str, ...]:
    """Return the roles for the demo, if the rule set has a choice."""
    match name:
        case "nomic-crossing":
            return ("seer", "witch", "hunter", "cupid") if players > 6 else ("seer", "witch")
        case "tabula":
            return tuple(role for role, least in SUGGESTED.items() if players >= least
                         for _ in range(2 if role == "freemason" else 1))
    if name not in MORE:
        return ()
    plain, wanted = ruleset(name).plain, [role for role, least in MORE[name] if players >= least]
    deck = ["mafioso"] * (max(1, players // 4) - wanted.count("godfather")) + wanted
    return (*deck, *[plain] * (players - len(deck)))


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
    """A mail world: letters go in, and are delivered to mailboxes."""

    def post(self, sender: str, recipients: Sequence[str], data: bytes) -> None:
        """Send one letter and return once it is delivered to every mailbox."""

    def inbox(self, address: str) -> list[bytes]:
        """Return every letter that *address* has received, oldest first."""


def address_of(name: str) -> str:
    """Return the address of *name*.

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
    """Return 64 hex digits that depend on the demo's seed alone, so that it can be repeated."""
    return sha256(f"nomicwolf demo\n{seed}\n{what}\n".encode()).hexdigest()


def settings_text(
    ruleset: str, seed: str, imap_port: int, smtp_port: int, user: str, password: str,
    title: str = "The Werewolves of Nomic Crossing", players: int = 7,
) -> str:
    """Return `contest.toml` for a contest called *title* on loopback mail servers.

    P is what a roster of so many *players* yields in Agora.
    """
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
                  *([f"limit = {5 * players}"] if nomic == "agora" else []), ""]
    return "\n".join(lines)


def write_settings(folder: Path, text: str) -> None:
    """Write `contest.toml` into a new folder, readable by its owner alone."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "contest.toml").write_text(text, encoding="utf-8")
    (folder / "contest.toml").chmod(0o600)
