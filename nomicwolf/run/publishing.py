"""From a contest's ledger to what may be published of it."""

from __future__ import annotations

from contextlib import closing

from nomicwolf.contest import Contest
from nomicwolf.ledger.store import Store
from nomicwolf.letters.letter import Letter
from nomicwolf.reports.archive import Posted, Published, Wrote, publish
from nomicwolf.run.contest_setup import setup_of
from nomicwolf.run.resources import secret_if_any
from nomicwolf.settings import Settings


def published(settings: Settings) -> Published:
    """Return what may be published now; `LedgerError` if the ledger can't be read."""
    with closing(Store.open(
            settings.ledger.url, settings.contest.id, readonly=True, keys=settings.ledger.key)) as store:
        contest = Contest.of(setup_of(settings, secret_if_any(settings)), store.record())
        posted = [Posted(owed.letter, owed.message_id) for owed in store.outbox().each()
                  if owed.state == "sent" and owed.letter.kind == "public"]
        wrote = {kept.entry: _words(kept.letter) for kept in store.letters() if kept.entry and kept.letter.forums}
        return publish(contest, posted, settings.archive.url, wrote)


def _words(letter: Letter) -> Wrote:
    answers = (letter.in_reply_to, *reversed(letter.references))
    return Wrote(letter.subject, letter.body, tuple(dict.fromkeys(i for i in answers if i)))
