"""After a restore: what may have gone out after the backup was made is called unknown, and not sent again by itself.

Letters that were sent since can't be known from the backup: so announcements that are owed then are not sent, but
called unknown, until their echo is found or the contestmaster has looked; private letters go again under the same
Message-ID.
"""

from __future__ import annotations

from collections.abc import Callable

from nomicwolf.ledger.store import Store
from nomicwolf.run.reports import Findings
from nomicwolf.run.sending import Round, envelope_of
from nomicwolf.settings import Settings

MARK = "restored"
"""The mark of a ledger that was brought back, and not read on from since."""


def doubt_what_may_be_out(settings: Settings, secret: bytes, store: Store, now: Callable[[], int],
                          found: Findings) -> None:
    """After a restore, call unknown every announcement that is owed, and sent those whose very words came back.

    The words tell, not the Message-ID: that hangs on the order in which all was heard. It is done by each poll until
    one has read the whole mailbox.
    """
    mark = store.mark(MARK)
    if mark is None or not mark[2]:
        return
    read = not found.said
    outbox = store.outbox()
    doubtful = Round(store, envelope_of(settings, secret), now, found)
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
        store.keep(tip.last, mark=(MARK, 0, 0), now=now(), alarm=tip.alarm)


def _words(body: str) -> str:
    """Return a text as its words alone: lists wrap lines, and put footers below."""
    return " ".join(body.split())
