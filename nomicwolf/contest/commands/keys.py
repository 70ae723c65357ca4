"""The OpenPGP keys by which players sign: the contestmaster takes them from em, and the record keeps them."""

from __future__ import annotations

from nomicwolf.contest.happenings import Command, Misuse
from nomicwolf.contest.work import Work
from nomicwolf.nomic.proof import KeyAdded, KeyRemoved
from nomicwolf.village.rules import Refusal

HEX = frozenset("0123456789abcdef")
MOST = 5
"""How many keys one person may have: each makes proving a letter longer."""


def add(work: Work, command: Command) -> str:
    """Let *who* sign with a key: its ``fingerprint`` and ``certificate`` as the command line has read them."""
    who, fingerprint = _whose(work, command)
    certificate = command.get("certificate")
    if not certificate:
        raise Refusal("The certificate is missing: name the file with the public key.", ("D-N45",))
    holders = [p for p, keys in work.contest.law.keys.items() for k in keys if k.fingerprint == fingerprint]
    if holders:
        raise Refusal(f"That key is {holders[0]}'s already; nobody else can sign with it.", ("D-N45",))
    if len(work.contest.law.keys.get(who, ())) >= MOST:
        raise Refusal(f"{who} has {MOST} keys already: remove one.", ("D-N45",))
    work.add(KeyAdded(who, fingerprint, certificate), cites=("D-N45",), cause="command")
    return f"{who} signs with the OpenPGP key {fingerprint}."


def remove(work: Work, command: Command) -> str:
    """Let a key prove nothing any longer."""
    who, fingerprint = _whose(work, command)
    known = tuple(k.fingerprint for k in work.contest.law.keys.get(who, ()))
    if fingerprint not in known:
        raise Refusal(f"{who} has no key {fingerprint}.", ("D-N45",), known)
    work.add(KeyRemoved(who, fingerprint), cites=("D-N45",), cause="command")
    return f"{who} signs no longer with the OpenPGP key {fingerprint}."


def _whose(work: Work, command: Command) -> tuple[str, str]:
    who = command.get("who")
    fingerprint = "".join(command.get("fingerprint").lower().split())
    if who not in work.contest.persons and who != work.contest.setup.contestmaster:
        raise Refusal(f"Nobody here is called {who!r}.", ("D-N45",), tuple(work.contest.persons))
    if len(fingerprint) not in (40, 64) or not set(fingerprint) <= HEX:
        raise Misuse("A fingerprint is 40 or 64 hex digits, never a short key id.", ("D-N45",))
    return who, fingerprint
