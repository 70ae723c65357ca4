"""Public facts, told to the addresses that the settings name: each once at most, those that are away later.

How far an address was told is a mark in the ledger: it is moved before a message leaves, and back if the message surely
did not arrive. So a run that dies in between leaves one out, and none is told twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nomicwolf.post.webhooks import deliver
from nomicwolf.reports.hooks import Fact, facts, message
from nomicwolf.reports.times import when
from nomicwolf.run.network import route_of
from nomicwolf.settings.webhooks import WebhookSettings

if TYPE_CHECKING:
    from nomicwolf.run.desk import Desk

MARK = "webhook "
"""How the sources of their marks begin; validity is until when an address is left alone (UTC seconds)."""
SOONEST, LATEST = 300, 6 * 3600
"""Seconds after which one that is away is tried again: as long as the fact is old, within these."""
MOST = 50
"""So many facts are told in one run: the rest waits for the next one."""


def tell_webhooks(desk: Desk, now: Callable[[], int]) -> None:
    """Tell every address what it has not been told; what goes wrong is reported, without the address."""
    for hook in desk.settings.webhooks:
        mark = desk.store.mark(f"{MARK}{hook.name}")
        if mark is None:
            _move(desk, hook, desk.contest.last, 0, now())
        elif mark[1] <= now():
            _tell(desk, hook, mark[2], now)


def _tell(desk: Desk, hook: WebhookSettings, after: int, now: Callable[[], int]) -> None:
    told = 0
    for fact in facts(desk.contest, after):
        if "*" not in hook.events and fact.event not in hook.events:
            continue
        if told >= MOST:
            return
        before = fact.number - 1
        _move(desk, hook, fact.number, 0, now())
        fate, why = _sent(desk, hook, fact, now())
        told += 1
        if fate in ("later", "refused"):
            wait = LATEST if fate == "refused" else max(SOONEST, min(LATEST, now() - fact.at))
            _move(desk, hook, before, now() + wait, now())
            said = f"webhook.{hook.name}: {why}; it is tried again from {when(now() + wait)} on"
            (desk.found.later if fate == "later" else desk.found.needs_you)(said)
            return
        if fate == "unknown":
            desk.found.later(f"webhook.{hook.name}: {why}; nobody knows whether it was told of {fact.event}, so it "
                             "isn't told again")


def _sent(desk: Desk, hook: WebhookSettings, fact: Fact, now: int) -> tuple[str, str]:
    body = message(desk.contest, fact, hook.format, desk.settings.archive.url)
    return deliver(hook.url, fact.id, now, body, secret=hook.secret, token=hook.token, put=hook.format == "matrix",
                timeout=hook.timeout, route=route_of(desk.settings))


def _move(desk: Desk, hook: WebhookSettings, last: int, until: int, now: int) -> None:
    desk.store.append(desk.contest.last, mark=(f"{MARK}{hook.name}", until, last), now=now, alarm=desk.store.alarm)
