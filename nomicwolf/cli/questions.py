"""What ``init`` asks, and what an answer must look like: a wrong one is told at once, and asked again."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import typer

from nomicwolf.cli.base import WRONG_USE, fail, say
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, ruleset

QUESTIONS: Mapping[str, tuple[str, str]] = {
    "ruleset": (f"Which rule set ({', '.join(BUILT_IN)})?", "nomic-crossing"),
    "name": ("What is the contest called?", ""),
    "contestmaster": ("Who runs it (the contestmaster's name)?", ""),
    "address": ("Eir own mail address?", ""),
    "contest_address": ("The contest's own address, that players write to?", ""),
    "imap": ("Its IMAP server (host or host:port)?", ""),
    "smtp": ("Its SMTP server (host or host:port)?", ""),
    "user": ("The user's name at both servers?", ""),
    "forum": ("The nomics' public forums (agora=ADDRESS, b=ADDRESS)?", ""),
    "mail_hosts": ("Your own mail servers (names, or the file of a letter from a forum; empty: later)?", ""),
}
_OPTIONAL = ("mail_hosts",)
_ADDRESS = re.compile(r"[^\s@,<>]+@[^\s@,<>]+")
_SERVER = re.compile(r"[A-Za-z0-9._:/-]+")
_HOST = re.compile(r"(?:(?P<name>[^\s/@:\[\]]+)|\[(?P<address>[^\s\[\]]+)\])(?::(?P<port>\d+))?")


def answers(given: Mapping[str, str], *, ask: bool) -> dict[str, str]:
    """Return an answer to each question: what is *given*, else what is asked for or usual; end the command if wrong."""
    found: dict[str, str] = {}
    for key in QUESTIONS:
        known = {**given, **found}
        found[key] = _asked(key, known) if ask and sys.stdin.isatty() and not given[key] else _told(key, known)
    return found


def host_and_port(text: str) -> tuple[str, str]:
    """Return a server's name or address and its port, '' if none is given; ValueError says how to write it.

    >>> host_and_port("mail.example.org:1143"), host_and_port("[::1]:1143"), host_and_port("[::1]")
    (('mail.example.org', '1143'), ('::1', '1143'), ('::1', ''))
    """
    if (found := _HOST.fullmatch(text)) is not None:
        with suppress(ValueError):
            return found["name"] or str(ip_address(found["address"])), found["port"] or ""
    raise ValueError(f"{text}: is no server; write its name alone, like mail.example.org, with a port like "
                     "mail.example.org:1234, or an address like [::1]:1234")


def forums_in(text: str) -> dict[str, str]:
    """Return the forum's address of each nomic; ValueError says how to write it.

    >>> forums_in("agora=business@agora.example, b=spoon@b.example")
    {'agora': 'business@agora.example', 'b': 'spoon@b.example'}
    """
    found: dict[str, str] = {}
    for part in text.split(","):
        nomic, _, address = (piece.strip() for piece in part.partition("="))
        if not nomic or not _ADDRESS.fullmatch(address):
            raise ValueError(f"{part.strip()}: write NOMIC=ADDRESS, such as agora=agora-business@agoranomic.org")
        found[nomic] = address
    return found


def hosts_in(text: str, forums: Mapping[str, str]) -> tuple[str, ...]:
    """Return the mail servers of an answer: their names, or those in the letter in a file, through one of *forums*.

    ValueError says how to write it.
    """
    file = Path(text)
    if not text or not file.is_file():
        found = tuple(part for part in re.split(r"[,\s]+", text) if part)
        if wrong := next((part for part in found if not _SERVER.fullmatch(part)), ""):
            raise ValueError(f"{wrong}: is no file here, and no server; write names like mx.example.org")
        return found
    from nomicwolf.run.relays import relays_in

    try:
        found = relays_in(file.read_bytes(), forums)
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from error
    if not found:
        raise ValueError(f"{file}: is no letter that came through {' or '.join(forums.values())}")
    return found


def _asked(key: str, known: Mapping[str, str]) -> str:
    """Ask until there is an answer that can be used."""
    usual = _usual(key, known)
    default = usual if usual or key in _OPTIONAL else None
    while True:
        given = typer.prompt(QUESTIONS[key][0], default=default, show_default=bool(usual), prompt_suffix=" ")
        text = str(given).strip()
        wrong = _wrong(key, text, known)
        if not wrong:
            return text
        say(wrong)


def _told(key: str, known: Mapping[str, str]) -> str:
    text, option = known.get(key, "") or _usual(key, known), f"--{key.replace('_', '-')}"
    if not text and key not in _OPTIONAL:
        fail(f"{option} is missing: {QUESTIONS[key][0]}", WRONG_USE)
    if wrong := _wrong(key, text, known):
        fail(f"{option}: {wrong}", WRONG_USE)
    return text


def _usual(key: str, known: Mapping[str, str]) -> str:
    if key == "name":
        return ruleset(known["ruleset"]).title
    return known["contest_address"] if key == "user" else QUESTIONS[key][1]


def _wrong(key: str, text: str, known: Mapping[str, str]) -> str:
    """Return what is wrong with an answer, and how to write it; '' if nothing is."""
    if not text:
        return "" if key in _OPTIONAL else "An answer is needed here."
    try:
        if key == "ruleset":
            ruleset(text)
        elif key == "forum":
            forums_in(text)
        elif key in ("imap", "smtp"):
            host_and_port(text)
        elif key == "mail_hosts":
            hosts_in(text, forums_in(known["forum"]))
    except (Refusal, ValueError) as refused:
        return str(refused)
    if key in ("address", "contest_address") and not _ADDRESS.fullmatch(text):
        return f"{text}: is no mail address; write it alone, like wolf@example.org"
    return ""
