"""The ``host`` commands: many contests on many machines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nomicwolf.cli.base import Commands, Json, clock, fail, here
from nomicwolf.cli.output import say, say_json, say_table

if TYPE_CHECKING:
    from nomicwolf.host.settings import HostSettings

host = Commands(help="Many contests on many machines; -C names the folder with host.toml.")
Contest = Annotated[str, typer.Argument(help="Its contest.id.")]


@contextmanager
def _host_settings(ctx: typer.Context) -> Iterator[HostSettings]:
    """Yield the host's settings; end the command if its packages are not installed."""
    try:
        from nomicwolf.host.settings import load_host

        yield load_host(here(ctx).folder)
    except ModuleNotFoundError as error:
        fail(f"{error.name} is missing; install nomicwolf[host]")


@host.command("key")
def key() -> None:
    """Print a new key for database.key; keep it as safe as passwords, because it opens them.

    Example: nomicwolf host key
    """
    from nomicwolf.ledger.encryption import make_key

    say(make_key())


@host.command("setup")
def setup(ctx: typer.Context) -> None:
    """Create or upgrade the tables, roles and rights in the database; nothing is removed.

    Example: nomicwolf -C /etc/nomicwolf host setup
    """
    with _host_settings(ctx) as settings:
        from nomicwolf.host.schema import set_up

        set_up(settings)
    say("The database is ready. `nomicwolf host add` takes contests, `nomicwolf host worker` works on them.")


@host.command("add")
def add(
    ctx: typer.Context,
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="The contest's folder, or those of many.")],
    tenant: Annotated[str, typer.Option(help="The tenant: a name of a-z, 0-9 and _.")],
) -> None:
    """Add a contest: its ledger is copied and verified, its settings, key and templates are kept sealed.

    Run again, it updates what was changed in the folder. If one of many contests can't be added, those before it stay.

    Example: nomicwolf -C /etc/nomicwolf host add crossing --tenant murphy
    """
    with _host_settings(ctx) as settings:
        from nomicwolf.host.admission import admit
        from nomicwolf.reports.prose import plural

        for folder in folders:
            contest, copied = admit(settings, folder, tenant)
            rows = plural(sum(copied.rows.values()), "row") if copied else ""
            say(f"The host has {contest}, for {tenant}." + (
                f" {rows} of its ledger came along, each as it was." if copied else ""))
            say("Take its line out of cron: its workers poll it from now on.")


@host.command("remove")
def remove(ctx: typer.Context, contest: Contest) -> None:
    """Remove a contest and its queued jobs from the host; its ledger stays in the database.

    Example: nomicwolf -C /etc/nomicwolf host remove s3
    """
    with _host_settings(ctx) as settings:
        from nomicwolf.host.admission import dismiss

        naming = dismiss(settings, contest)
    say(f"Nobody polls {contest} any more. Its ledger stays; `nomicwolf ledger copy`, with ledger.url set to the "
        "host's database, takes it elsewhere.")
    if naming:
        say(f"Nor can anyone poll what names it in contest.others: {', '.join(naming)}. Take it out there, and "
            "`nomicwolf host add` these again.")


@host.command("pause")
def pause(ctx: typer.Context, contest: Contest) -> None:
    """Pause a contest's polls; a turn that has begun ends.

    Example: nomicwolf -C /etc/nomicwolf host pause s3
    """
    _pause(ctx, contest, paused=True)


@host.command("resume")
def resume(ctx: typer.Context, contest: Contest) -> None:
    """Resume a contest's polls, at once.

    Example: nomicwolf -C /etc/nomicwolf host resume s3
    """
    _pause(ctx, contest, paused=False)


def _pause(ctx: typer.Context, contest: str, *, paused: bool) -> None:
    with _host_settings(ctx) as settings:
        from nomicwolf.host import registry

        with registry.opened(settings) as connection:
            registry.pause(connection, contest, paused=paused)
    say(f"{contest} rests." if paused else f"{contest} goes on.")


@host.command("list")
def list_contests(ctx: typer.Context, as_json: Json = False) -> None:
    """Show the contests, their tenants, when each was last polled, and which need attention.

    Example: nomicwolf -C /etc/nomicwolf host list
    """
    with _host_settings(ctx) as settings:
        from nomicwolf.host import registry
        from nomicwolf.host.schema import name_of

        with registry.opened(settings) as connection:
            found = [replace(one, tenant=name_of(one.tenant)) for one in registry.hosted(connection)]
    if as_json:
        say_json({"schema": 1, "contests": [
            {key: value for key, value in asdict(one).items() if key != "revision"} for one in found]})
        return
    say_table(("contest", "tenant", "polled", "status", "worker", "says"), [
        (one.contest, one.tenant, "rests" if one.paused else _when(one.ended_at), str(one.status), one.worker,
         one.said.partition("\n")[0]) for one in found], "The host has no contests; `nomicwolf host add` takes one.")


def _when(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%SZ") if at else "never"


@host.command("worker")
def worker(
    ctx: typer.Context,
    name: Annotated[str, typer.Option(help="Its name in logs; by default the machine and the process.")] = "",
    listen: Annotated[str, typer.Option(help="Overrides worker.listen: 127.0.0.1:9464.")] = "",
) -> None:
    """Poll contests until SIGTERM; contests that were begun are finished first.

    It logs lines of JSON to standard error.

    Example: nomicwolf -C /etc/nomicwolf host worker
    """
    with _host_settings(ctx) as settings:
        from nomicwolf.host.settings import listening
        from nomicwolf.host.worker import run_worker

        unfit = run_worker(listening(settings, listen), name, here(ctx).order_of)
    if unfit:
        fail(unfit)


@host.command("restored")
def restored(ctx: typer.Context) -> None:
    """Prepare a database restored from a dump, before any worker starts, so that no announcement is made twice.

    Announcements that may be out already wait for their echo, or for you (`host do CONTEST unsent`). Repeat commands
    given since the dump.

    Example: nomicwolf -C /etc/nomicwolf host restored
    """
    with _host_settings(ctx) as settings:
        from nomicwolf.host import registry
        from nomicwolf.reports.prose import plural

        with registry.opened(settings) as connection:
            found = registry.doubt(connection, clock("")())
    say(f"{plural(len(found), 'contest is', 'contests are')} wary now of what may be out already. "
        "Start the workers, then look at `nomicwolf host list`.")


@host.command("metrics")
def metrics(ctx: typer.Context) -> None:
    """Print the host's metrics for Prometheus; workers with worker.listen have more, at /metrics.

    Example: nomicwolf -C /etc/nomicwolf host metrics
    """
    with _host_settings(ctx) as settings:
        from nomicwolf.host.health import numbers_text

        text = numbers_text(settings).decode()
    say(text)


@host.command("do", context_settings={"allow_interspersed_args": False})
def do(
    ctx: typer.Context,
    contest: Contest,
    words: Annotated[list[str], typer.Argument(help="A command of the contestmaster's, with its arguments.")],
) -> None:
    """Run a command for one contest of the host, as its tenant.

    Example: nomicwolf -C /etc/nomicwolf host do s3 status
    """
    run = here(ctx).run
    assert run is not None
    if words[:2] == ["ledger", "rekey"]:
        fail("A hosted contest's key lies sealed for all machines. In the folder that `host add` took, write a new one "
             "(`nomicwolf host key`) and a space before the old one, into the file that ledger.key_file names; then "
             "`host add` it again.")
    with _host_settings(ctx) as settings:
        from nomicwolf.host import registry
        from nomicwolf.host.registry import url_as
        from nomicwolf.host.schema import demand_fit, name_of
        from nomicwolf.host.settings import granted
        from nomicwolf.post.routes import restricted_to

        with registry.opened(settings) as connection:
            demand_fit(connection)
            found = registry.one(connection, contest)
            if words[:2] == ["ledger", "copy"] and not found.paused:
                fail(f"Workers would go on with the ledger here. Let it rest before: `nomicwolf host pause {contest}`. "
                     f"Once the copy is there, `nomicwolf host remove {contest}`.")
            place, others = registry.laid_out(connection, settings, found)
    before = dict(os.environ)
    os.environ["NOMICWOLF_LEDGER_URL"] = url_as(settings.database.url, found.tenant)
    if others:
        os.environ["NOMICWOLF_CONTEST_OTHERS"] = ",".join(map(str, others))
    try:
        with restricted_to(granted(settings, name_of(found.tenant))):
            status = run(["-C", str(place), *words])
    finally:
        os.environ.clear()
        os.environ.update(before)
    raise typer.Exit(status)
