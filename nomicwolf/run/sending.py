"""Sending: letters paced, composed once, marked, and posted.

A letter is marked before its first byte leaves. The outcome may be doubtful, and is recorded as such. After a restore,
the announcements owed may have gone out after the backup was made. They are marked unknown until their echo is found or
the contestmaster has looked; private letters go again under the same Message-ID.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from nomicwolf.ledger.records import OwedLetter
from nomicwolf.ledger.store import Store
from nomicwolf.ledger.transaction import Outbox, Step
from nomicwolf.letters.compose import Envelope, addressed_to, compose, letter_id, recipient
from nomicwolf.letters.letter import Outgoing
from nomicwolf.letters.origin import return_path
from nomicwolf.nomic.events import RESEND, Answered
from nomicwolf.post.refusals import DAY, HOUR, MINUTE, PATIENCE, PostError, Waiting, provider_of, schedule
from nomicwolf.run.resources import Allowance, Findings, bearer_of
from nomicwolf.settings.keys import Settings, SettingsError, SmtpSettings
from nomicwolf.village.events import Entry

if TYPE_CHECKING:
    from nomicwolf.post.smtp import Fate, Job, Wire
    from nomicwolf.proofs.dkim import Signer


def limits_of(smtp: SmtpSettings) -> Mapping[int, int]:
    """Return how many letters the server takes in so many seconds: as the settings say, else as its provider is known.

    >>> from nomicwolf.settings.keys import SmtpSettings
    >>> limits_of(SmtpSettings("smtp.gmail.com", "wolf@gmail.example", per_hour=40))
    {86400: 500, 3600: 40}
    """
    provider = provider_of(smtp.host)
    given = {MINUTE: smtp.per_minute, HOUR: smtp.per_hour, DAY: smtp.per_day}
    return {**(provider.takes if provider else {}), **{seconds: most for seconds, most in given.items() if most}}


def connections_of(smtp: SmtpSettings) -> int:
    """Return how many connections are made at most: of a known provider no more than it takes."""
    provider = provider_of(smtp.host)
    return min(smtp.connections, provider.connections) if provider and provider.connections else smtp.connections


def takes_senders(smtp: SmtpSettings) -> bool:
    """Return whether letters may have return paths of their own, for all that is known of the server."""
    provider = provider_of(smtp.host)
    return provider is None or not provider.knows_senders


def times_of(smtp: SmtpSettings, owed: Sequence[OwedLetter], outbox: Outbox, now: int) -> Mapping[int, int]:
    """Return when each of the letters *owed* goes, by its number (UTC seconds; *now*: at once)."""
    limits = limits_of(smtp)
    sent = outbox.sent_since(now - max(limits)) if limits else ()
    return schedule([waiting_of(one) for one in owed], sent, limits, now)


def waiting_of(one: OwedLetter) -> Waiting:
    """Return an owed letter as it waits; one that was never tried, or was asked for again, has no answer."""
    letter = one.letter
    return Waiting(one.number, letter.forum or letter.to.lower(), letter.at, one.changed_at if one.error else 0,
                   one.error)


Home: TypeAlias = Callable[[str], str]
"""From a person to the address for private mail, '' if unknown."""


def envelope_of(settings: Settings, secret: bytes) -> Envelope:
    """Return what all letters of the contest share; discussion forums count as public."""
    return Envelope(
        name=settings.contest.name or settings.contest.id,
        address=settings.address,
        instance=settings.contest.id,
        secret=secret,
        forums={nomic.name: nomic.forum for nomic in settings.nomics},
        archive=settings.archive.url if settings.archive.write else "",
        never_private=tuple(nomic.discussion for nomic in settings.nomics if nomic.discussion),
    )


def send_owed(
    settings: Settings, secret: bytes, store: Store, now: Callable[[], int], found: Findings, home: Home,
    allowance: Allowance | None = None,
) -> None:
    """Send the letters of the outbox; they stay owed if the server is away or the *allowance* is used up.

    *home* gives a person's present address.
    """
    outbox = store.outbox()
    for interrupted in outbox.settle_interrupted(now()):
        found.needs_you(doubt_text(interrupted))
    owed = outbox.owed(settings.limits.sendings)
    if owed:
        times, at = times_of(settings.smtp, owed, outbox, now()), now()
        owed = tuple(one for one in owed if times[one.number] <= at)
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

    back = settings.smtp.sender if settings.identity.subaddresses and takes_senders(settings.smtp) else ""
    round_ = SendingRound(store, envelope_of(settings, secret), now, found, back, home, signer)
    try:
        send(round_.jobs(owed), wire, round_.begin, round_.end)
    except PostError as error:
        found.failed(error)


def requeue_undelivered(store: Store, entries: Iterable[Entry], now: int) -> None:
    """Queue doubtful and failed letters again for each person who asked, by *entries*, to have their mail resent."""
    again = {e.event.who for e in entries if isinstance(e.event, Answered) and e.event.topic == RESEND}
    outbox = store.outbox()
    for owed in outbox.in_state("failed", "unknown") if again else ():
        if owed.letter.person in again:
            outbox.requeue(owed.letter.key, now)


def composed(letter: Outgoing, envelope: Envelope, signer: Signer | None = None) -> bytes:
    """Return a letter as bytes; its secret part is included only if it can be encrypted to the recipient's key.

    A *signer* adds a DKIM signature.
    """
    found = _encrypted(letter, envelope) or compose(letter, envelope)
    return signer.sign(found) if signer is not None else found


def _encrypted(letter: Outgoing, envelope: Envelope) -> bytes | None:
    """Return the encrypted letter; None if it has no secret part, or can't be encrypted."""
    if not letter.secret or not letter.certificates:
        return None
    from nomicwolf.proofs.prover import encrypted

    return encrypted(compose(replace(letter, body=letter.secret), envelope), letter.certificates)


def wire_of(settings: Settings) -> Wire:
    """Return how the SMTP server is reached."""
    from nomicwolf.post.routes import Route
    from nomicwolf.post.smtp import Wire

    smtp = settings.smtp
    return Wire(
        **asdict(smtp) | {"port": smtp.real_port, "connections": connections_of(smtp)},
        bearer=bearer_of(settings, smtp) if smtp.user else None,
        route=Route.of(settings.network.proxy, settings.network.direct))


class SendingRound:
    """One round of sending, in which each step is recorded before the next.

    Private letters have return paths of their own made from *sender*, if there is one (VERP). Public ones keep the
    plain sender, which lists know; their bounces are recognised by the Message-ID.
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
        """Return the letters as bytes, each with its recipient; one that can't be composed fails and is reported."""
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
        """Return a letter addressed to its recipient's present address; bytes for another address are dropped."""
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
        """Return the letter's own return path, '' for the usual one."""
        if not self._sender or letter.letter.kind == "public":
            return ""
        return return_path(self._sender, letter_id(letter.letter, self._envelope))

    def _known(self, owed: tuple[OwedLetter, ...]) -> dict[str, Literal["public", "private"]]:
        """Return the kinds of the letters that these reply to, so that no thread is both private and public."""
        named = self._store.forums_of({one.letter.in_reply_to for one in owed if one.letter.in_reply_to})
        kinds = {message_id: {bool(forums) for forums in found} for message_id, found in named.items()}
        return {message_id: "public" if kind == {True} else "private" for message_id, kind in kinds.items()
                if len(kind) == 1}

    def begin(self, job: Job) -> None:
        """Record that a letter is about to leave."""
        self._outbox.mark_sending(job.key, job.data, letter_id(self._owed[job.key].letter, self._envelope), self._now())

    def end(self, job: Job, fate: Fate, why: str) -> None:
        """Record the outcome of sending it."""
        now, number = self._now(), self._owed[job.key].number
        if fate == "sent":
            self._outbox.mark_sent(job.key, now)
            self._found.sent += 1
        elif fate == "unknown":
            self._outbox.mark_unknown(job.key, why, now)
            self._found.needs_you(doubt_text(self._owed[job.key]))
        elif fate == "refused":
            self._outbox.mark_failed(job.key, why, now)
            self._found.needs_you(f"letter {number} to {_whom(self._owed[job.key])} was refused: {_short(why)}; mend "
                                  f"that (nomicwolf unsent tells more), then nomicwolf unsent --again {number}")
        else:
            self._outbox.mark_queued(job.key, why, now)
            self._put_off(self._owed[job.key], why, now)

    def _put_off(self, owed: OwedLetter, why: str, now: int) -> None:
        """Report that a letter was deferred, and when it is tried again."""
        from nomicwolf.nomic.times import duration, when

        waiting = waiting_of(replace(owed, error=why, changed_at=now))
        pause, age = waiting.pause, now - owed.letter.at
        again = f" ({pause.name}); it is tried again from {when(waiting.due)} on" if pause else ""
        said = f"letter {owed.number} to {_whom(owed)} was put off: {_short(why)}{again}"
        if age > PATIENCE:
            self._found.needs_you(f"{said}. It has waited for {duration(age)}: look what the server says (nomicwolf "
                                  "unsent)")
        else:
            self._found.later(said)


def _short(why: str) -> str:
    """Return the server's code, or our own words for the error; the rest may contain addresses."""
    return why[:3] if why[:3].isdigit() else why.partition(":")[0]


def _whom(owed: OwedLetter) -> str:
    return owed.letter.forum or owed.letter.person or "someone"


def doubt_text(owed: OwedLetter) -> str:
    """Return the report of a letter that may or may not have been accepted."""
    then = "look whether the forum has it" if owed.letter.forum else "it is sent again, with the same Message-ID"
    return f"nobody knows whether letter {owed.number} to {_whom(owed)} was taken: {then}"


MARK = "restored"
"""The mark of a restored ledger whose mailbox has not been read since."""


def doubt_public_letters(settings: Settings, secret: bytes, store: Store, now: Callable[[], int],
                          found: Findings) -> None:
    """After a restore, mark every public letter owed as unknown, or as sent if its very words have come back.

    Words are compared rather than Message-IDs, which depend on the order in which letters were heard. Each poll does
    this until one has read the whole mailbox.
    """
    mark = store.mark(MARK)
    if mark is None or not mark[2]:
        return
    read = not found.said
    outbox = store.outbox()
    doubtful = SendingRound(store, envelope_of(settings, secret), now, found)
    queued = {o.letter.key: o.letter for o in outbox.in_state("queued") if o.letter.kind == "public"}
    echoes = [(name, _words(kept.letter.body)) for kept in store.in_bucket("own") for name in kept.letter.through]
    for job in doubtful.jobs(tuple(o for o in outbox.in_state("queued") if o.letter.key in queued)):
        letter = queued[job.key]
        doubtful.begin(job)
        echo = next((e for e in echoes if e[0] == letter.forum and _words(letter.body) in e[1]), None)
        if echo is None:
            doubtful.end(job, "unknown", "the ledger was restored: it may have gone out before; see `unsent`")
        else:
            echoes.remove(echo)
            outbox.mark_sent(job.key, now())
    if read:
        tip = store.tip()
        store.append(Step(tip.last, mark=(MARK, 0, 0), now=now(), alarm=tip.alarm))


def _words(body: str) -> str:
    """Return a text with white space normalised, because lists wrap lines and append footers."""
    return " ".join(body.split())


def signer_of(settings: Settings) -> Signer | None:
    """Return the DKIM signer, None if the server signs; `SettingsError` if the key can't be used."""
    if not settings.domain.dkim_sign:
        return None
    from nomicwolf.proofs.dkim import Signer, usable

    path = settings.domain.dkim_key_file
    try:
        pem = usable(path.read_bytes())
    except OSError as error:
        why = f"{error.strerror}; nomicwolf dkim makes a key, or put the one that you have there, for this user to read"
        raise SettingsError(f"domain.dkim_key_file: {path}: {why}") from error
    except ValueError as error:
        why = f"{error}; move it away, and nomicwolf dkim makes another"
        raise SettingsError(f"domain.dkim_key_file: {path}: {why}") from error
    return Signer(settings.address.rpartition("@")[2].lower(), settings.domain.selector, pem)
