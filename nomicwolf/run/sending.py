"""The letters owed, out: composed once, marked before their first byte leaves, and honest about doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from nomicwolf.ledger.records import OwedLetter
from nomicwolf.ledger.store import Store
from nomicwolf.letters.bounces import return_path
from nomicwolf.letters.compose import Envelope, addressed_to, compose, letter_id, recipient
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import RESEND, Answered
from nomicwolf.post.errors import Away, PostError
from nomicwolf.run.reports import Findings
from nomicwolf.run.signing import signer_of
from nomicwolf.run.turn import Allowance
from nomicwolf.run.world import bearer_of
from nomicwolf.settings import Settings, SettingsError
from nomicwolf.village.events import Entry

if TYPE_CHECKING:
    from nomicwolf.post.smtp import Fate, Job
    from nomicwolf.post.smtp_connection import Wire
    from nomicwolf.proofs.signing import Signer


Home: TypeAlias = Callable[[str], str]
"""Tells where private mail for a person goes; '' if nobody knows."""


def envelope_of(settings: Settings, secret: bytes) -> Envelope:
    """Return what all letters of the contest share; discussion forums are as public as the others."""
    return Envelope(
        name=settings.contest.name or settings.contest.id,
        address=settings.address,
        instance=settings.contest.id,
        secret=secret,
        forums={nomic.name: nomic.forum for nomic in settings.nomics},
        never_private=tuple(nomic.discussion for nomic in settings.nomics if nomic.discussion),
    )


def send_owed(
    settings: Settings, secret: bytes, store: Store, now: Callable[[], int], found: Findings, home: Home,
    allowance: Allowance | None = None,
) -> None:
    """Send what the outbox owes; a server that is away leaves it owed, and so does an *allowance* that is used up.

    *home* tells where private mail for a person goes now.
    """
    outbox = store.outbox()
    for interrupted in outbox.settle_interrupted(now()):
        found.needs_you(doubt(interrupted))
    owed = outbox.owed(settings.limits.sendings)
    if not owed:
        return
    try:
        signer = signer_of(settings)
    except SettingsError as error:
        found.needs_you(f"{len(owed)} letters wait, for nothing can sign them: {error}")
        return
    wire = wire_of(settings)
    if allowance is not None:
        wire = replace(wire, connections=allowance.connections(min(wire.connections, len(owed))))
        allowed = owed[:allowance.letters(len(owed)) if wire.connections else 0]
        if len(allowed) < len(owed):
            found.later(f"{len(owed) - len(allowed)} letters wait until the server takes more of us")
        if not allowed:
            return
        owed = allowed
    from nomicwolf.post.smtp import send

    back = settings.smtp.sender if settings.identity.subaddresses else ""
    round_ = Round(store, envelope_of(settings, secret), now, found, back, home, signer)
    try:
        send(round_.jobs(owed), wire, round_.begin, round_.end)
    except PostError as error:
        (found.later if isinstance(error, Away) else found.needs_you)(str(error))


def send_undelivered(store: Store, entries: Iterable[Entry], now: int) -> None:
    """Let what did not surely arrive go again to each person who is told once more what e was told, by *entries*."""
    again = {e.event.who for e in entries if isinstance(e.event, Answered) and e.event.topic == RESEND}
    outbox = store.outbox()
    for owed in outbox.in_state("failed", "unknown") if again else ():
        if owed.letter.person in again:
            outbox.requeue(owed.letter.key, now)


def composed(letter: Outgoing, envelope: Envelope, signer: Signer | None = None) -> bytes:
    """Return a letter as bytes: with what is secret only if it can be encrypted to its reader's key.

    A *signer* signs it as it leaves.
    """
    found = _encrypted(letter, envelope) or compose(letter, envelope)
    return signer.sign(found) if signer is not None else found


def _encrypted(letter: Outgoing, envelope: Envelope) -> bytes | None:
    """Return a letter that only its reader can open; None if nothing in it is secret, or it can't be encrypted."""
    if not letter.secret or not letter.certificates:
        return None
    from nomicwolf.proofs.encrypting import encrypted

    return encrypted(compose(replace(letter, body=letter.secret), envelope), letter.certificates)


def wire_of(settings: Settings) -> Wire:
    """Return how the server for letters out is reached."""
    from nomicwolf.post.smtp_connection import Wire

    smtp = settings.smtp
    return Wire(
        smtp.host, smtp.real_port, smtp.security, smtp.sender, smtp.user, smtp.password, smtp.timeout,
        smtp.connections, bearer_of(settings, smtp) if smtp.user else None)


class Round:
    """One round of sending, with each step written down before the next.

    Private letters come back to addresses of their own made from *sender*, if there is one (VERP). Public ones keep the
    plain sender, which is what lists know: their bounces are told by the Message-ID.
    """

    def __init__(
        self, store: Store, envelope: Envelope, now: Callable[[], int], found: Findings, sender: str = "",
        home: Home = lambda _: "", signer: Signer | None = None,
    ) -> None:
        self._store = store
        self._signer = signer
        self._outbox = store.outbox()
        self._envelope = envelope
        self._now = now
        self._found = found
        self._sender = sender
        self._home = home
        self._owed: dict[str, OwedLetter] = {}

    def jobs(self, owed: tuple[OwedLetter, ...]) -> list[Job]:
        """Return the letters as bytes, each with its one recipient; one that can't be made is failed, and told."""
        from nomicwolf.post.smtp import Job

        made, known = [], self._known(owed)
        for given in owed:
            key, letter = given.letter.key, given
            try:
                letter = self._at_home(given)
                head = self._store.head_when_owed(letter.number) if letter.letter.kind == "public" else ""
                envelope = replace(self._envelope, known=known, head=head)
                data = letter.data or composed(letter.letter, envelope, self._signer)
                made.append(Job(key, recipient(letter.letter, envelope), data, self._back(letter)))
                self._owed[key] = letter
            except ValueError as error:
                self._outbox.mark_failed(key, str(error), self._now())
                self._found.needs_you(f"letter {letter.number} can't be sent: {error}")
        return made

    def _at_home(self, owed: OwedLetter) -> OwedLetter:
        """Return a letter as it goes to where its reader is now; bytes that name another address are forgotten."""
        letter = owed.letter
        home = self._home(letter.person) if letter.kind == "private" and not letter.bound else ""
        if not home:
            return owed
        there = replace(letter, to=home)
        if owed.data is None or addressed_to(owed.data) == recipient(there, self._envelope):
            return replace(owed, letter=there)
        self._outbox.forget_bytes(letter.key, self._now())
        return replace(owed, letter=there, data=None)

    def _back(self, letter: OwedLetter) -> str:
        """Return the letter's own address to come back to, '' for the usual one."""
        if not self._sender or letter.letter.kind == "public":
            return ""
        return return_path(self._sender, letter_id(letter.letter, self._envelope))

    def _known(self, owed: tuple[OwedLetter, ...]) -> dict[str, Literal["public", "private"]]:
        """Return of which kind the letters are that these answer, so that private and public never join."""
        named = self._store.forums_of({one.letter.in_reply_to for one in owed if one.letter.in_reply_to})
        kinds = {message_id: {bool(forums) for forums in found} for message_id, found in named.items()}
        return {message_id: "public" if kind == {True} else "private" for message_id, kind in kinds.items()
                if len(kind) == 1}

    def begin(self, job: Job) -> None:
        """Write down that a letter leaves."""
        self._outbox.mark_sending(job.key, job.data, letter_id(self._owed[job.key].letter, self._envelope), self._now())

    def end(self, job: Job, fate: Fate, why: str) -> None:
        """Write down what became of it."""
        now, number = self._now(), self._owed[job.key].number
        if fate == "sent":
            self._outbox.mark_sent(job.key, now)
            self._found.sent += 1
        elif fate == "unknown":
            self._outbox.mark_unknown(job.key, why, now)
            self._found.needs_you(doubt(self._owed[job.key]))
        elif fate == "refused":
            self._outbox.mark_failed(job.key, why, now)
            self._found.needs_you(f"letter {number} to {_whom(self._owed[job.key])} was refused: {_short(why)}; mend "
                                  f"that (nomicwolf unsent tells more), then nomicwolf unsent --again {number}")
        else:
            self._outbox.mark_queued(job.key, why, now)
            self._found.later(f"letter {number} to {_whom(self._owed[job.key])} was put off: {_short(why)}")


def _short(why: str) -> str:
    """The server's code, or our own words of what went wrong; the rest of what it said may name addresses."""
    return why[:3] if why[:3].isdigit() else why.partition(":")[0]


def _whom(owed: OwedLetter) -> str:
    return owed.letter.forum or owed.letter.person or "someone"


def doubt(owed: OwedLetter) -> str:
    """Return what to say of a letter that may or may not have been taken."""
    then = "look whether the forum has it" if owed.letter.forum else "it is sent again, with the same Message-ID"
    return f"nobody knows whether letter {owed.number} to {_whom(owed)} was taken: {then}"
