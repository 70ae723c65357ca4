"""Mail that no person wrote: bounces, absence notes, receipts, and our own echo (RFC 3834, 3464, 8098).

By headers that also work on lists: ``Precedence: bulk`` and ``List-Id`` stand on people's letters there, so the first
counts only on letters to the contest alone and the second never does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nomicwolf.letters.addresses import fold_address
from nomicwolf.letters.autoreplies import shown_by
from nomicwolf.letters.compose import MARK, is_ours
from nomicwolf.letters.headers import every, named
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.parts import value_of

_ROBOTS = frozenset(
    ("mailerdaemon", "postmaster", "noreply", "donotreply", "bounce", "bounces", "autoreply", "autoresponder",
     "autoresponse", "autoconfirm", "mdaemon", "maildaemon", "listserv", "majordomo", "vacation"),
)
"""Names before the ``@`` that no person writes from, without hyphens and the like."""
_ROBOT_ENDS = ("-bounces", "-bounce", "-owner-bounces", "+bounces")
_PARTS = str.maketrans("", "", "-_.")
_NONE = ("",)
_REPORTS = (
    "multipart/report", "message/delivery-status", "message/disposition-notification", "message/feedback-report",
)


@dataclass(frozen=True, slots=True)
class OwnMarks:
    """By what our own mail is known: the key of its Message-IDs, the contest's *addresses*, its *instance*."""

    secret: bytes
    addresses: tuple[str, ...] = ()
    instance: str = ""


def machine(letter: Letter) -> str:
    """Why *letter* was written by a machine, or '' if a person may have written it.

    Its deeds must not count and it must never be answered.
    """
    fields = named(letter.headers)
    if submitted := _submitted(fields):
        return f"Auto-Submitted: {submitted[:40]}"
    if "<>" in map(str.strip, fields.get("return-path", ())):
        return "null return path"
    kind = value_of(_first(fields, "content-type"))
    if kind in _REPORTS:
        return f"a report: {kind}"
    if sign := shown_by(fields, letter.subject):
        return sign
    if "autoresponder" in (value.strip().lower() for value in fields.get("delivered-to", ())):
        return "Delivered-To: Autoresponder"
    precedence = _first(fields, "precedence").strip().lower()
    if precedence in ("auto_reply", "auto-reply") or (precedence in ("bulk", "junk") and not letter.forums):
        return f"Precedence: {precedence}"
    if _first(fields, "x-auto-response-suppress") and not letter.through:
        return "X-Auto-Response-Suppress"
    local = _robot(letter)
    return f"from {local}" if local else ""


def own(letter: Letter, own_marks: OwnMarks) -> bool:
    """Whether *letter* is our own mail come back: by the seal in its Message-ID, our mark, or our address in From.

    A letter that only pretends to be ours is not heard either.
    """
    if is_ours(letter.message_id, own_marks.secret):
        return True
    if own_marks.instance and own_marks.instance in every(letter.headers, MARK):
        return True
    ours = {fold_address(address) for address in own_marks.addresses}
    return any(fold_address(address) in ours for _, address in letter.senders)


def answerable(letter: Letter, own_marks: OwnMarks, caps: Sequence[str] = ()) -> bool:
    """Whether an answer to *letter* may be sent at all (RFC 3834 2): a person's, whose address isn't in *caps*."""
    capped = {fold_address(address) for address in caps}
    senders = {fold_address(address) for _, address in letter.senders}
    return bool(senders) and not senders & capped and not machine(letter) and not own(letter, own_marks)


def _submitted(fields: Mapping[str, tuple[str, ...]]) -> str:
    """What Auto-Submitted says, in any of its fields, unless it is ``no`` (RFC 3834 5)."""
    said = (value.split("(", 1)[0].split(";", 1)[0].strip().lower() for value in fields.get("auto-submitted", ()))
    return next((each for each in said if each not in ("", "no")), "")


def _first(fields: Mapping[str, tuple[str, ...]], name: str) -> str:
    """The topmost value of the field *name* (in lower case), or ''."""
    return fields.get(name, _NONE)[0]


def _robot(letter: Letter) -> str:
    """The local part of a sender that no person writes from, or ''."""
    for _, address in letter.senders:
        local = address.rpartition("@")[0].lower()
        if local.partition("+")[0].translate(_PARTS) in _ROBOTS or local.endswith(_ROBOT_ENDS):
            return local
    return ""
