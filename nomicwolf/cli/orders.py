"""The contestmaster's orders, in a session and under the law."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from nomicwolf.cli.base import WRONG_USE, At, Captured, Json, clock, demand_one_form, fail, here, refuse_other_options
from nomicwolf.cli.output import say, say_json, say_report

Nomic = Annotated[str, typer.Argument(help="The nomic's name in the settings.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would happen, and do nothing.")]
Phase = Annotated[
    str, typer.Option("--phase", help="Only do it in this phase, such as 'night 1'.")]
Nomics = Annotated[list[str] | None, typer.Option("--nomic", help="In this nomic only. Can be repeated.")]
Args = Mapping[str, str | Sequence[str] | bool | None]


def give(
    ctx: typer.Context, name: str, args: Args, at: str = "", *, dry_run: bool = False, phase: str = "",
    before: Callable[[], None] | None = None,
) -> None:
    """Give one order, and end with its status; *before* is called first, once it is sure to be taken.

    A blank argument is as good as none; a flag that is set is ``yes``.
    """
    given = {key: "yes" if value is True else value for key, value in args.items()
             if value and not (isinstance(value, str) and value.isspace())}
    at_work = here(ctx)
    if at_work.capture:
        from nomicwolf.contest import Command

        raise Captured(Command(name, {k: v if isinstance(v, str) else tuple(v) for k, v in given.items()}, phase))
    from nomicwolf.run import command

    now = clock(at)
    dated = bool(at)
    done = command(at_work.settings(), name, given, now, dry_run=dry_run or before is not None, phase=phase,
                   clock_is_right=dated)
    if before is not None and not done.status:
        before()
        done = done if dry_run else command(
            at_work.settings(), name, given, now, phase=phase, clock_is_right=dated)
    if done.status:
        fail(done.said.splitlines(), done.status)
    if dry_run:
        say("Nothing was done, as this was a dry run. It would have said:")
    say(done.said)
    if dry_run:
        for event in done.events:
            say(f"All would see: {event}")
        for whom, subject in done.letters:
            say(f"Would go to {whom}: {subject}")


_SHARED = [Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
           for name, default, kind in (("phase", "", Phase), ("dry_run", False, DryRun), ("at", "", At))]


def order(name: str) -> Callable[[Callable[..., Args | None]], Callable[..., None]]:
    """Make a command of a function that returns the arguments of the order *name*; None for its own, as they are.

    The command also takes --phase, --dry-run and --at.
    """
    def made(function: Callable[..., Args | None]) -> Callable[..., None]:
        def command(ctx: typer.Context, phase: str, dry_run: bool, at: str, **given: Any) -> None:  # noqa: ANN401
            give(ctx, name, function(**given) or given, at, dry_run=dry_run, phase=phase)

        own = signature(function, eval_str=True).parameters.values()
        context = Parameter("ctx", Parameter.KEYWORD_ONLY, annotation=typer.Context)
        parameters = [context, *(each.replace(kind=Parameter.KEYWORD_ONLY) for each in own), *_SHARED]
        vars(command).update(__signature__=Signature(parameters))
        command.__doc__ = function.__doc__
        return command

    return made


@order("intend")
def intend(
    what: Annotated[str, typer.Argument(help="remove, amend, end-session or end-subgame.")],
    who: Annotated[str, typer.Option(help="The contestant to remove.")] = "",
    text: Annotated[Path | None, typer.Option(help="A file with the contract as amended.")] = None,
    base: Annotated[Path | None, typer.Option(help="A file with the contract as it is, the first time only.")] = None,
    why: Annotated[str, typer.Option(help="The reason, told to everyone.")] = "",
) -> Args:
    """Announce an action that may be done without member objection.

    Example: nomicwolf intend remove --who Bex --why "e has left both nomics"
    """
    return {"what": what, "who": who, "text": _text_of(text), "base": _text_of(base), "why": why}


def _text_of(path: Path | None) -> str:
    try:
        return path.read_text(encoding="utf-8") if path is not None else ""
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "is no text in UTF-8"
        raise typer.BadParameter(f"{path}: {said}; name a text file in UTF-8") from error


@order("resolve")
def resolve(number: Annotated[str, typer.Argument(metavar="N", help="The intent's number.")]) -> None:
    """Carry out an intent, in each nomic in which nobody has objected in time.

    Example: nomicwolf resolve 1
    """


@order("holiday")
def holiday(
    nomic: Nomic,
    first: Annotated[str, typer.Argument(metavar="FROM", help="Its first day, as 2026-12-20.")],
    last: Annotated[str, typer.Argument(metavar="TO", help="Its last day.")],
    undo: Annotated[bool, typer.Option("--undo", help="Take back the holiday of these days.")] = False,
    why: Annotated[str, typer.Option(help="With --undo: the reason; everyone is told.")] = "",
) -> Args:
    """Record a nomic's holiday, in which nothing falls due; with --undo, take one back before it ends.

    What a holiday that is taken back put off falls due as without it, but no sooner than in three days.

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03 --undo --why "that was last year's"
    """
    return {"nomic": nomic, "from": first, "to": last, "undo": undo, "why": why}


@order("clock")
def turn_clock(
    nomic: Nomic,
    turned: Annotated[str, typer.Argument(metavar="on|off", help="The clock's new state.")],
) -> None:
    """Record that a nomic's clock was turned on or off.

    Example: nomicwolf clock b off
    """


Award = Annotated[str, typer.Argument(metavar="N", help="The award's number in its session.")]
Session = Annotated[str, typer.Option(help="The session; by default the latest with awards.")]


@order("contestmaster")
def contestmaster(
    nomic: Nomic,
    who: Annotated[str, typer.Argument(help="The new contestmaster.")],
    how: Annotated[str, typer.Option(help="The nomic's rule that made it so.")],
) -> None:
    """Record a new contestmaster in a nomic.

    Example: nomicwolf contestmaster b Root --how "elected under B's rule 57"
    """


@order("claim")
def claim(
    number: Award,
    why: Annotated[str, typer.Option(help="What is wrong; with --answer, the reason for the answer.")],
    who: Annotated[str, typer.Option("--by", help="Who claims it.")] = "",
    answer: Annotated[str, typer.Option(help="Answer an open claim: accepted or denied.")] = "",
    session: Session = "",
) -> None:
    """Record a claim of error on an award, or answer one.

    Example: nomicwolf claim 3 --by Bex --why "P was 45, not 60"

    Example: nomicwolf claim 3 --answer accepted --why "two parties were no players"
    """


@order("correct")
def correct(
    number: Award,
    amount: Annotated[str, typer.Option(help="The right amount.")],
    why: Annotated[str, typer.Option(help="The reason; everyone is told.")],
    to: Annotated[str, typer.Option(help="The right winner, if it was somebody else.")] = "",
    what: Annotated[str, typer.Option(help='"X points" or "Y points", if the kind was wrong.')] = "",
    session: Session = "",
) -> Args:
    """Correct an award by a further numbered action; awards themselves are never edited.

    Example: nomicwolf correct 3 --amount 11 --why "P was 45"
    """
    return {"number": number, "amount": amount, "why": why, "who": to, "what": what, "session": session}


def award(
    ctx: typer.Context,
    limit: Annotated[list[str] | None, typer.Option(help="Confirm P of a nomic: agora=50.")] = None,
    how: Annotated[str, typer.Option(help="How that P was computed, for the announcement.")] = "",
    as_csv: Annotated[bool, typer.Option("--csv", help="The award book over all sessions as CSV.")] = False,
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
    as_json: Json = False,
) -> None:
    """Show the award book; with --limit, confirm P and make the awards that wait for it.

    Example: nomicwolf award --limit agora=50 --how "5 times the 10 parties"
    """
    if limit or here(ctx).capture:
        refuse_other_options("--limit", as_csv=as_csv, as_json=as_json)
        give(ctx, "award", {"limit": limit, "how": how}, at, dry_run=dry_run, phase=phase)
        return
    if how:
        fail("--how tells how the P of --limit comes about; give --limit, too", WRONG_USE)
    from nomicwolf.cli.queries import contest_of
    from nomicwolf.reports.awards import book_csv
    from nomicwolf.reports.json_reports import award_json
    from nomicwolf.reports.terminal import award_text

    demand_one_form(as_csv=as_csv, as_json=as_json)
    contest = contest_of(here(ctx))
    if as_csv:
        say(book_csv(contest).replace("\r\n", "\n").rstrip("\n"))
        return
    say_json(award_json(contest)) if as_json else say_report(award_text(contest))


def start(
    ctx: typer.Context,
    roles: Annotated[str, typer.Option(help="Optional roles, separated by commas: seer,witch,hunter,cupid.")] = "",
    ruleset: Annotated[str, typer.Option(help="Use this rule set instead of the one in the settings.")] = "",
    seed_from: Annotated[str, typer.Option(
        metavar="FILE",
        help="A file with a seed of 64 hex digits, drawn before witnesses; or the word letters: what players have "
             "written on a forum since --bind. Without it one is drawn here.")] = "",
    bind: Annotated[bool, typer.Option(
        "--bind", help="Only commit to your half of the next seed; letters add the rest.")] = False,
    limit: Annotated[list[str] | None, typer.Option(
        metavar="NOMIC=P", help="Confirm P of a nomic: agora=50. Can be repeated.")] = None,
    how: Annotated[str, typer.Option(help="How the P of --limit was computed, for the announcement.")] = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Start a session among all parties.

    Example: nomicwolf start --roles seer,witch --limit agora=50

    Example: nomicwolf start --limit agora=45 --how "5 times the 9 active first-class players"

    Example: nomicwolf start --bind

    Example: nomicwolf start --seed-from letters
    """
    if bind:
        give(ctx, "seed-bind", {"seed": "" if here(ctx).capture else seed_of(seed_from)}, at, dry_run=dry_run)
        return
    seed = "" if here(ctx).capture else seed_of(seed_from)
    args = {"roles": roles, "ruleset": ruleset, "seed": seed, "limit": limit, "how": how}
    give(ctx, "start", args, at, dry_run=dry_run, before=lambda: _odds(ctx, ruleset, roles))


def _odds(ctx: typer.Context, ruleset: str, roles: str) -> None:
    from nomicwolf.cli.offline import say_odds
    from nomicwolf.cli.queries import contest_of

    say_odds(contest_of(here(ctx)), ruleset, roles)


def seed_of(path: str) -> str:
    """Return 32 random bytes as 64 hex digits, or those that the file *path* holds; ``letters`` stays as it is."""
    if path == "letters":
        return path
    if not path:
        import secrets

        return secrets.token_hex(32)

    try:
        seed = Path(path).read_text(encoding="utf-8").strip().lower()
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "is no text"
        fail(f"--seed-from {path}: {said}; name a file with 64 hex digits", WRONG_USE)
    if len(seed) != 64 or any(digit not in "0123456789abcdef" for digit in seed):
        fail(f"--seed-from {path}: has no seed of 64 hex digits; make one with `openssl rand -hex 32`", WRONG_USE)
    return seed


@order("end")
def end(why: Annotated[str, typer.Option(help="What everyone is told.")]) -> None:
    """End the session without winners.

    Example: nomicwolf end --why "by clause 1f, without member objection"
    """


@order("announce")
def announce() -> None:
    """Post the vote count to the forums now.

    Example: nomicwolf announce
    """


@order("release")
def release(
    number: Annotated[str, typer.Argument(metavar="N", help="The held letter's number, as `held` shows it.")],
    author: Annotated[str, typer.Option("--as", help="The author, if that was not certain.")] = "",
) -> None:
    """Release a held letter: its deeds are done, or you read why not and can release it again.

    Example: nomicwolf release 17 --as Bex
    """


@order("reject")
def reject(
    number: Annotated[str, typer.Argument(metavar="N", help="The held letter's number, as `held` shows it.")],
    why: Annotated[str, typer.Option(help="The reason, for the record.")],
) -> None:
    """Reject a held letter.

    Example: nomicwolf reject 17 --why "not from Bex's address"
    """


@order("act-for")
def act_for(
    player: Annotated[str, typer.Argument(help="The silent player.")],
    deed: Annotated[str, typer.Argument(help="The deed as the player would write it: 'see Bex'.")],
) -> Args:
    """Act for a player who has been silent too long (NC 1j).

    Example: nomicwolf act-for Cam "see Bex" --phase "night 1"
    """
    return {"who": player, "deed": deed}


@order("ruling")
def ruling(
    text: Annotated[str, typer.Argument(help="The ruling in one or two sentences.")],
    authority: Annotated[str, typer.Option(help="The clause, amendment or case that allows it.")],
    player: Annotated[str, typer.Option("--for", help="The player whose deed it is, with --deed.")] = "",
    deed: Annotated[str, typer.Option(help="The deed that the ruling does: 'shoot Gus'.")] = "",
    as_of: Annotated[str, typer.Option(help="When the vote was written: 2026-12-01T09:00Z.")] = "",
) -> Args:
    """Rule on what the contract leaves open; --for and --deed also do a deed, in secret if it is secret (D-A11).

    Example: nomicwolf ruling "Eli shoots Gus, as e wrote at noon." --authority "D-N3" --for Eli --deed "shoot Gus"
    """
    return {"text": text, "authority": authority, "who": player, "deed": deed} | ({"as_of": as_of} if as_of else {})


@order("publish")
def publish(
    fact: Annotated[str, typer.Argument(help="The fact in the words of the votes.")],
    value: Annotated[str, typer.Argument(metavar="true|false", help="Whether it is true.")] = "true",
) -> None:
    """Publish a fact on which votes depend.

    Example: nomicwolf publish "the proposal 6789 was adopted" true
    """


@order("extend")
def extend(
    until: Annotated[str, typer.Argument(help="The new deadline, as 2026-12-01T09:00Z; never a past one.")] = "",
    by: Annotated[str, typer.Option(help="Move it by this much instead: 24h, 2d, 90m.")] = "",
) -> None:
    """Move the deadline of the present stage, and tell everyone. In the hour after a deadline it needs --phase (D-A1).

    Example: nomicwolf extend 2026-12-03T20:00Z

    Example: nomicwolf extend --by 24h --phase "day 2"
    """


@order("close")
def close() -> None:
    """End the present stage now, as its deadline would.

    It fetches no mail: run `nomicwolf poll` first, because what was not polled is not counted (D-A4). --dry-run shows
    the time of the last poll. In the hour after a deadline it needs --phase, as `extend` does.

    Example: nomicwolf close --phase "day 2" --dry-run

    Example: nomicwolf close --phase "day 2"
    """


@order("substitute")
def substitute(
    old: Annotated[str, typer.Argument(help="Who is replaced.")],
    new: Annotated[str, typer.Argument(help="Who takes over, a party to the contract.")],
    address: Annotated[str, typer.Option(help="The new player's address, if it is not known yet.")] = "",
) -> None:
    """Replace one player by another for the rest of this session.

    Example: nomicwolf substitute Gus Ida --phase "day 2"
    """


@order("undo")
def undo(
    number: Annotated[str, typer.Argument(metavar="N", help="The number of its entry, as `history` shows it.")],
    why: Annotated[str, typer.Option(help="The reason; everyone is told of an undone vote.")],
    authority: Annotated[str, typer.Option(
        help="The clause, amendment or case that allows it, needed if someone has been told what followed.")] = "",
) -> None:
    """Undo a vote or a night deed of the present phase, unless a death depends on it.

    Example: nomicwolf undo 117 --why "it was sent by eir cat"
    """


@order("answer")
def answer(
    number: Annotated[str, typer.Argument(metavar="N", help="Its number, as the journal and `history` show it.")],
    text: Annotated[str, typer.Argument(help="The answer, which discloses nothing that the asker may not know.")],
    public: Annotated[bool, typer.Option(
        "--public/--private", help="Tell everyone, but not who asked; refused where answers stay private.")] = False,
) -> None:
    """Answer a question that a player has put to you with "ask: ...".

    Example: nomicwolf answer 41 "No: the dead write to the Medium alone."
    """


@order("resend")
def resend(player: Annotated[str, typer.Argument(help="The player, at their present address.")]) -> Args:
    """Send a player their role again, with what opens its hash and everything they were told since.

    Letters to them that bounced or were refused go again, too.

    Example: nomicwolf resend Gus
    """
    return {"who": player}


@order("pause")
def pause(why: Annotated[str, typer.Option(help="What everyone is told.")]) -> None:
    """Stop all clocks of the session until `resume`; what players send meanwhile is done then (D-A15).

    Example: nomicwolf pause --why "half of us are at a wedding"
    """


@order("resume")
def resume() -> None:
    """Resume the session after a pause, or after an outage that you have looked into.

    The deadline of the present stage moves by the part of the pause or outage that lay in it, unless you have moved it
    since.

    Example: nomicwolf resume
    """
