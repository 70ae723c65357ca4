"""When two copies are one act: same author, same Message-ID, same words (CFJ 2800, CFJ 3572)."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence

from nomicwolf.letters import marks
from nomicwolf.letters.addresses import fold_address, folded_in
from nomicwolf.letters.headers import Fields, every
from nomicwolf.letters.letter import ForumInfo
from nomicwolf.letters.route import own_addresses


def digest(fields: Fields, sender: str, message_id: str, body: str, forums: Sequence[ForumInfo]) -> str:
    """SHA-256 hex, equal for the copies that several forums and the direct way bring of one letter.

    Taken over the author's address, the Message-ID (the Date header if there is none) and the words. A list that
    puts its own address into From names the author in Reply-To or X-Original-From; that is good enough for telling
    copies apart, never for telling who someone is. The subject is left out: lists put tags into it.
    """
    lists = {address for forum in forums for address in own_addresses(forum)}
    author = fold_address(sender)
    if author in lists:
        author = next(iter(original_senders(fields, lists)), author)
    when = message_id or "".join(every(fields, "Date")[:1])
    return hashlib.sha256("\0".join((author, when, words(body))).encode("utf-8", "replace")).hexdigest()


def original_senders(fields: Fields, lists: set[str]) -> tuple[str, ...]:
    """The addresses (folded, not the lists' own) that a list which rewrites From may have moved elsewhere.

    One for each of the fields that names exactly one, best field first.
    """
    found: list[str] = []
    for name in ("X-Original-From", "Reply-To", "X-MailFrom", "Cc"):
        named = {address for value in every(fields, name) for address in folded_in(value)} - lists
        found += named if len(named) == 1 else ()
    return tuple(dict.fromkeys(found))


def words(body: str) -> str:
    """*body* as it is compared: NFC, without a list's footer and mbox's ``>From``, white space made one space."""
    if not marks.may_have_footer(body) and ">From " not in body:
        return " ".join(unicodedata.normalize("NFC", body).split())
    lines = body.split("\n")
    end = next((index for index in range(len(lines)) if marks.footer(lines, index)), len(lines))
    while 0 < end < len(lines) and not lines[end - 1].strip(" \t\u00a0-_=~*#"):  # the rule, or "-- ", above it
        end -= 1
    kept = [line[1:] if line.startswith(">From ") else line for line in lines[:end]]
    return " ".join(unicodedata.normalize("NFC", " ".join(kept)).split())
