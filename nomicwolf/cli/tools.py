"""Everything else: setting up, the cron job, the award book, and what is for anyone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import NEEDS_YOU, WRONG_USE, At, Json, clock, fail, here, say, say_json, say_report, waiting
from nomicwolf.cli.helping import Commands
from nomicwolf.cli.odds import odds
from nomicwolf.cli.orders import DryRun, Phase, give

Files = Annotated[list[str] | None, typer.Argument(metavar="[FILE]...", help="Files; '-' or none: standard input.")]


def init(
    ctx: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="[DIR]", help="Where; made if it is not there.")] = None,
    name: Annotated[str, typer.Option(help="What the contest is called.")] = "",
    contestmaster: Annotated[str, typer.Option(help="Who runs it.")] = "",
    address: Annotated[str, typer.Option(help="Eir own address, for the journal.")] = "",
    contest_address: Annotated[str, typer.Option(help="The contest's address, which players write to.")] = "",
    imap: Annotated[str, typer.Option(help="The IMAP server, host or host:port.")] = "",
    smtp: Annotated[str, typer.Option(help="The SMTP server, host or host:port.")] = "",
    user: Annotated[str, typer.Option(help="The user's name at both.")] = "",
    forum: Annotated[list[str] | None, typer.Option(help="A nomic's forum: agora=ADDRESS. May be given again.")] = None,
    ruleset: Annotated[str, typer.Option(help="The rule set; without --name, the contest is called by it.")] = "",
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing: take the options and the usual answers.")] = False,
) -> None:
    """Write a contest's folder: settings, an empty ledger, a crontab line and a systemd timer to copy.

    Example: nomicwolf init crossing
    """
    from nomicwolf.cli.founding import found

    given = {
        "name": name, "contestmaster": contestmaster, "address": address, "contest_address": contest_address,
        "imap": imap, "smtp": smtp, "user": user, "forum": ", ".join(forum or ()), "ruleset": ruleset,
    }
    found(folder or here(ctx).folder, given, ask=not yes)


def check(
    ctx: typer.Context,
    send: Annotated[bool, typer.Option("--send", help="Send a test letter to the contestmaster, too.")] = False,
) -> None:
    """Try everything that can be wrong with a setup, and say what to do about each fault.

    Example: nomicwolf -C crossing check --send
    """
    from nomicwolf.cli.checking import check_all

    if not check_all(here(ctx), send=send):
        raise typer.Exit(NEEDS_YOU)


def poll(
    ctx: typer.Context,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say what was done.")] = False,
    at: At = "",
) -> None:
    """Fetch, hear, let time pass, send: one cron run, silent when all is well.

    Example: nomicwolf -C crossing poll
    """
    from nomicwolf.cli.polling import poll as run

    raise typer.Exit(run(str(here(ctx).folder), here(ctx).order_of, clock(at), verbose=verbose))


def award(
    ctx: typer.Context,
    limit: Annotated[list[str] | None, typer.Option(help="Confirm P of a nomic: agora=50.")] = None,
    how: Annotated[str, typer.Option(help="How that P comes about, for the announcement.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="The award book over all sessions as CSV.")] = False,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
    as_json: Json = False,
) -> None:
    """Show the award book; with --limit, confirm P, and give the awards that wait for it.

    Example: nomicwolf award --limit agora=50 --how "5 times the 10 parties"
    """
    if limit or here(ctx).capture:
        give(ctx, "award", {"limit": limit, "how": how}, at, dry_run=dry_run, phase=phase)
        return
    from nomicwolf.cli.asking import contest_of
    from nomicwolf.reports.asjson import award_json
    from nomicwolf.reports.awardbook import book_csv
    from nomicwolf.reports.terminal import award_text

    contest = contest_of(here(ctx))
    if as_csv:
        say(book_csv(contest).replace("\r\n", "\n").rstrip("\n"))
        return
    say_json(award_json(contest)) if as_json else say_report(award_text(contest))


def read(
    ctx: typer.Context,
    files: Files = None,
    text: Annotated[str | None, typer.Option(help="A body alone, or a file with one; '-': standard input.")] = None,
    author: Annotated[str, typer.Option(help="Who wrote it.")] = "",
    players: Annotated[str, typer.Option(help="Who can be meant: 'Ash,Bex,G.,0x44'.")] = "",
    dead: Annotated[str, typer.Option(help="Those of them who are dead.")] = "",
    aliases: Annotated[str, typer.Option(help="Further names: 'Gus=Gustav,GG'.")] = "",
    to: Annotated[str, typer.Option(help="Where it was sent: forum or contestmaster.")] = "",
    as_json: Json = False,
) -> None:
    """Tell how a letter is understood: its deeds, its problems, and what does not count.

    Example: nomicwolf read letter.eml --players Ash,Bex,Gus
    """
    from nomicwolf.cli.reading import Terms, read_all

    if to not in ("", "forum", "contestmaster", "discussion"):
        fail(f"--to {to}: write forum or contestmaster", WRONG_USE)
    read_all(here(ctx), files or (), text, Terms(author, players, dead, aliases, to), as_json=as_json)


def tally(files: Files = None, as_json: Json = False) -> None:
    """Tell what ballots come to, and why.

    The input is YAML or JSON: townspersons: [Ash, Bex, Cam]; votes: {Ash: "endorse Bex", Bex: Cam}; and if needed
    now, phase, killed, disclosed, facts.

    Example: nomicwolf tally votes.yaml
    """
    from nomicwolf.cli.texts import texts
    from nomicwolf.tally import TallyError, load_tally, tally_text
    from nomicwolf.tally import tally as tallied

    for name, content in texts(files or ()):
        try:
            result = tallied(load_tally(content))
        except TallyError as error:
            fail(f"{name}: {error}", WRONG_USE)
        say_json(result) if as_json else say_report(tally_text(result))


def rehearse(
    ctx: typer.Context,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Rehearsals, or folders of them.")],
    until: Annotated[int | None, typer.Option(metavar="STEP", help="Stop after this step.", min=0)] = None,
    as_json: Json = False,
) -> None:
    """Play scripted contests offline and check what they expect.

    A file says what is given (roles, phase), what happens when (letters, commands, time), and what must be so then;
    docs and tests/scenarios have examples.

    Example: nomicwolf rehearse tests/scenarios/nomic-crossing
    """
    from nomicwolf.cli.rehearsing import rehearse_all

    order_of = here(ctx).order_of
    assert order_of is not None
    raise typer.Exit(rehearse_all(files, order_of, until, as_json=as_json))


def demo(
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="What is played.")] = "nomic-crossing",
    players: Annotated[int | None, typer.Option(help="How many play.", min=1)] = None,
    seed: Annotated[str, typer.Option(help="Any text: another seed is another contest.")] = "8",
    speed: Annotated[str, typer.Option(metavar="slow|fast", help="slow lets one read along.")] = "fast",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Where letters and ledger are left; new.")] = None,
) -> None:
    """Play a whole contest over a mail server on loopback, with players who write real mail.

    Example: nomicwolf demo --players 9 --seed 7 --speed slow
    """
    from nomicwolf.cli.showing import show_demo

    if speed not in ("slow", "fast"):
        fail(f"--speed {speed}: write slow or fast", WRONG_USE)
    show_demo(ruleset, players, seed, out, pause=0.4 if speed == "slow" else 0.0)


def rules(
    ctx: typer.Context,
    ruleset: Annotated[str, typer.Argument(help="nomic-crossing, gadianton, tabula, six-phases, narrated-mafia.")],
    switches: Annotated[bool, typer.Option("--switches", help="The switches and what they can be.")] = False,
    as_json: Json = False,
) -> None:
    """Print a rule set in plain words: roles, phases, ways to vote, switches as they stand in the contest's folder.

    Example: nomicwolf rules nomic-crossing --switches
    """
    from nomicwolf.cli.ruling import print_rules

    print_rules(here(ctx), ruleset, switches=switches, as_json=as_json)


def backup(
    ctx: typer.Context,
    target: Annotated[Path, typer.Argument(help="The copy; a new file.")],
) -> None:
    """Copy the ledger while it is in use.

    Example: nomicwolf backup /var/backups/contest.db
    """
    from nomicwolf.ledger.copying import backup as copied
    from nomicwolf.ledger.errors import LedgerError

    settings = here(ctx).settings(mail=False)
    try:
        with waiting("Copying the ledger"):
            copied(settings.ledger.url, settings.contest.id, target, settings.ledger.key)
    except (LedgerError, OSError) as error:
        fail(str(error))
    say(f"The ledger is copied to {target}. Keep contest.key with it: without that key mail can't be told for ours.")


ledger = Commands(help="Prove the ledger whole, copy it to another database, seal it with a new key.")


@ledger.command("verify")
def ledger_verify(
    ctx: typer.Context,
    told: Annotated[list[Path] | None, typer.Option(
        help="A letter or mbox of the forum's own, whose heads must be this record's; may come again.")] = None,
    forget_snapshot: Annotated[bool, typer.Option(
        "--forget-snapshot", help="Take the snapshot away first; the next poll folds the whole record.")] = False,
    as_json: Json = False,
) -> None:
    """Prove that the ledger is whole: its chain, its numbers, its letters' bytes, its sums; and do it all again.

    Example: nomicwolf ledger verify

    Example: nomicwolf ledger verify --told agora-december.mbox
    """
    import nomicwolf.contest  # noqa: F401 - declares every kind of event
    from nomicwolf.cli.redoing import redone, summary
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.ledger.store import Store
    from nomicwolf.run.comparing import problems as snapshot_problems
    from nomicwolf.run.heads import other_key, told_otherwise
    from nomicwolf.run.setting import setup_of
    from nomicwolf.settings.secret import secret_of

    settings = here(ctx).settings(mail=False)
    secret = secret_of(settings).encode()
    try:
        with waiting("Following the chain"), Store.open(
                settings.ledger.url, settings.contest.id, readonly=not forget_snapshot, keys=settings.ledger.key,
                ) as store:
            if forget_snapshot:
                store.shortcuts().forget()
            problems, counts = store.verify(), store.counts()
            key = other_key(store, secret)
            problems += [key] if key else told_otherwise(store, secret, told or ())
            problems += [] if problems else snapshot_problems(setup_of(settings, secret), store)
    except (LedgerError, OSError) as error:
        fail(str(error))
    again = None if problems else redone(here(ctx))
    differs, worded = (again.differs, again.worded) if again else ([], [])
    if as_json:
        say_json({"schema": 1, "whole": not problems, "problems": problems, "differs": differs, "worded": worded})
    elif again:
        say(f"The ledger is whole. {counts}\n{summary(again)}")
    if problems:
        fail([*problems, "restore the last backup that verifies"] if not as_json and problems != [key] else problems)
    if differs:
        fail([*differs, "the record stands; was it heard by another version, or with other keys?"]
             if not as_json else differs)


FIRST: dict[str, Callable[..., None]] = {"init": init, "check": check, "poll": poll}
COMMANDS: dict[str, Callable[..., None]] = {
    "award": award, "read": read, "tally": tally, "rehearse": rehearse, "rules": rules, "demo": demo,
    "odds": odds, "backup": backup,
}  # fmt: skip
