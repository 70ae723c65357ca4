"""A worker process: it runs until it is told to stop, and then finishes the contests that it is at."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from contextlib import closing

from procrastinate.exceptions import ConnectorException

from nomicwolf import __version__
from nomicwolf.contest.step import Parse
from nomicwolf.host import registry
from nomicwolf.host.health import serve
from nomicwolf.host.logs import LOG, logging_to_stderr
from nomicwolf.host.queue import Hands
from nomicwolf.host.schema import demand_fit
from nomicwolf.host.sealing import demand_key
from nomicwolf.host.settings import HostSettings
from nomicwolf.run.run_report import LATER

_PAUSE = 2  # seconds
_LOOK = 2.0  # seconds between two looks at the queue; no notice is waited for, since any login may give one
_LEAP = 10  # seconds by which a clock is set, and not only kept right


def run_worker(host: HostSettings, name: str = "", parse: Parse | None = None) -> str:
    """Take contests' turns until SIGTERM or SIGINT; *parse* reads orders that come by mail.

    Return why the worker had to stop by itself, '' if it didn't; `LedgerError` or `SettingsError` if it can't begin.
    """
    import nomicwolf.run.poll_work  # noqa: F401 - what every turn needs, before the first one

    demand_key(host.database.key)
    with registry.opened(host) as connection:
        demand_fit(connection)
    hands = Hands(host, name or f"{socket.gethostname()}-{os.getpid()}", parse)
    with logging_to_stderr(hands.worker.name), closing(hands.worker.pool):
        server = serve(host, hands.meters, hands.alive) if host.worker.listen else None
        LOG.info("worker began", extra={"version": __version__})
        try:
            asyncio.run(_run(hands))
        finally:
            if server is not None:
                server.shutdown()
            LOG.info("worker ended")
    return hands.unfit


async def _run(hands: Hands) -> None:
    """Work until told to stop, however often the database goes away meanwhile."""
    stop = asyncio.create_task(_stop())
    async with hands.app.open_async():
        beating = asyncio.create_task(_beat(hands))
        try:
            while not stop.done():
                await _work(hands, stop)
        finally:
            beating.cancel()


async def _stop() -> None:
    """Return at SIGTERM or SIGINT."""
    signalled = asyncio.Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(sign, signalled.set)
    await signalled.wait()


async def _work(hands: Hands, stop: asyncio.Task[None]) -> None:
    """Take turns until it is to *stop*, the clock is set, or the queue can't be had; those begun are finished first.

    The queue's ticks go on from the one before: after a clock was set back there would be none until it is there again,
    and after one was set forward all that lie between.
    """
    stale = hands.host.worker.stale
    working = asyncio.create_task(hands.app.run_worker_async(
        name=hands.worker.name, concurrency=hands.host.worker.at_once,
        update_heartbeat_interval=max(0.2, stale / 4), stalled_worker_timeout=stale,
        fetch_job_polling_interval=min(_LOOK, hands.host.worker.tick), delete_jobs="successful", listen_notify=False,
        install_signal_handlers=False))
    leaping = asyncio.create_task(_leap())
    await asyncio.wait({working, stop, leaping}, return_when=asyncio.FIRST_COMPLETED)
    leapt = leaping.done()
    leaping.cancel()
    working.cancel()
    await asyncio.wait({working})
    error = None if working.cancelled() else working.exception()
    if error is not None and not isinstance(error, ConnectorException):
        raise error
    if leapt:
        LOG.warning("the clock was set")
    elif not stop.done():
        LOG.warning("the queue is away, tried again")
        await asyncio.wait({stop}, timeout=_PAUSE)


async def _leap() -> None:
    """Return once this machine's clock was set, or the machine slept."""
    ahead = time.time() - time.monotonic()
    while True:
        await asyncio.sleep(1)
        before, ahead = ahead, time.time() - time.monotonic()
        if abs(ahead - before) > _LEAP:
            return


async def _beat(hands: Hands) -> None:
    """Note again and again that the loop goes round; end a worker that is stuck, for nothing else can."""
    while True:
        for contest in hands.stuck():
            LOG.critical("turn is stuck", extra={"contest": contest})
            os._exit(LATER)
        hands.beat = time.monotonic()
        await asyncio.sleep(1)
