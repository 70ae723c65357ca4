"""The contestmaster's orders, in a session and under the law."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from nomicwolf.cli.base import WRONG_USE, At, Captured, Json, clock, fail, here, one_form, only_said
from nomicwolf.cli.output import say, say_json, say_report

Nomic = Annotated[str, typer.Argument(help="The nomic's name in the settings.")]


def intend(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(help="remove, amend, end-session or end-subgame.")],
    who: Annotated[str, typer.Option(help="Whom to remove.")] = "",
    text: Annotated[Path | None, typer.Option(help="A file with the contract as it is to be.")] = None,
    base: Annotated[Path | None, typer.Option(help="A file with the contract as it is, for the first time.")] = None,
    why: Annotated[str, typer.Option(help="What all are told of the reason.")] = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Announce an action that may be done without member objection.

    Example: nomicwolf intend remove --who Bex --why "e has left both nomics"
    """
    args = {"what": what, "who": who, "text": _text_of(text), "base": _text_of(base), "why": why}
    give(ctx, "intend", args, at, dry_run=dry_run, phase=phase)


def _text_of(path: Path | None) -> str:
    try:
        return path.read_text(encoding="utf-8") if path is not None else ""
    except (OSError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else "is no text in UTF-8"
        raise typer.BadParameter(f"{path}: {said}; name a text file in UTF-8") from error


def resolve(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="The intent's number.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Do what was intended, in each nomic in which nobody has objected in time.

    Example: nomicwolf resolve 1
    """
    give(ctx, "resolve", {"number": number}, at, dry_run=dry_run, phase=phase)


def holiday(
    ctx: typer.Context,
    nomic: Nomic,
    first: Annotated[str, typer.Argument(metavar="FROM", help="Its first day, as 2026-12-20.")],
    last: Annotated[str, typer.Argument(metavar="TO", help="Its last day.")],
    undo: Annotated[bool, typer.Option("--undo", help="Take back the one of these days, recorded by mistake.")] = False,
    why: Annotated[str, typer.Option(help="With --undo: what was wrong; all are told.")] = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record a holiday of a nomic's, in which nothing falls due; or, until it ends, take back one that is none.

    What it had put off is then due when it would be without it, but not before three days from now; all are told.

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03

    Example: nomicwolf holiday agora 2026-12-20 2027-01-03 --undo --why "that was last year's"
    """
    args = {"nomic": nomic, "from": first, "to": last, "undo": "yes" if undo else "", "why": why}
    give(ctx, "holiday", args, at, dry_run=dry_run, phase=phase)


def turn_clock(
    ctx: typer.Context,
    nomic: Nomic,
    turned: Annotated[str, typer.Argument(metavar="on|off", help="Which way.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record that a nomic's clock was turned on or off.

    Example: nomicwolf clock b off
    """
    give(ctx, "clock", {"nomic": nomic, "turned": turned}, at, dry_run=dry_run, phase=phase)


Award = Annotated[str, typer.Argument(metavar="N", help="The award's number in its session.")]
Session = Annotated[str, typer.Option(help="The session; if none is named, the latest in which anything was awarded.")]


def contestmaster(
    ctx: typer.Context,
    nomic: Nomic,
    who: Annotated[str, typer.Argument(help="Who is contestmaster there now.")],
    how: Annotated[str, typer.Option(help="By which of the nomic's rules.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record that somebody else is the contestmaster in a nomic.

    Example: nomicwolf contestmaster b Root --how "elected under B's rule 57"
    """
    give(ctx, "contestmaster", {"nomic": nomic, "who": who, "how": how}, at, dry_run=dry_run, phase=phase)


def claim(
    ctx: typer.Context,
    number: Award,
    why: Annotated[str, typer.Option(help="What is wrong; or, with --answer, why it is answered so.")],
    who: Annotated[str, typer.Option("--by", help="Who claims it.")] = "",
    answer: Annotated[str, typer.Option(help="Answer an open claim: accepted or denied.")] = "",
    session: Session = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Record a claim of error on an award, or answer one.

    Example: nomicwolf claim 3 --by Bex --why "P was 45, not 60"

    Example: nomicwolf claim 3 --answer accepted --why "two parties were no players"
    """
    args = {"number": number, "why": why, "who": who, "answer": answer, "session": session}
    give(ctx, "claim", args, at, dry_run=dry_run, phase=phase)


def correct(
    ctx: typer.Context,
    number: Award,
    amount: Annotated[str, typer.Option(help="What it should have come to.")],
    why: Annotated[str, typer.Option(help="The reason; all are told.")],
    to: Annotated[str, typer.Option(help="Who should have had it, if somebody else.")] = "",
    what: Annotated[str, typer.Option(help='"X points" or "Y points", if it should have been the other.')] = "",
    session: Session = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Set an award right by a further numbered action; awards themselves are never edited.

    Example: nomicwolf correct 3 --amount 11 --why "P was 45"
    """
    args = {"number": number, "amount": amount, "why": why, "who": to, "what": what, "session": session}
    give(ctx, "correct", args, at, dry_run=dry_run, phase=phase)


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
        only_said("--limit", as_csv=as_csv, as_json=as_json)
        give(ctx, "award", {"limit": limit, "how": how}, at, dry_run=dry_run, phase=phase)
        return
    if how:
        fail("--how tells how the P of --limit comes about; give --limit, too", WRONG_USE)
    from nomicwolf.cli.queries import contest_of
    from nomicwolf.reports.awards import book_csv
    from nomicwolf.reports.json_reports import award_json
    from nomicwolf.reports.terminal import award_text

    one_form(as_csv=as_csv, as_json=as_json)
    contest = contest_of(here(ctx))
    if as_csv:
        say(book_csv(contest).replace("\r\n", "\n").rstrip("\n"))
        return
    say_json(award_json(contest)) if as_json else say_report(award_text(contest))


DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and do nothing.")]
Phase = Annotated[
    str, typer.Option("--phase", help="The phase that this is meant for, such as 'night 1'; refused in any other.")]
Nomics = Annotated[list[str] | None, typer.Option("--nomic", help="In this nomic only; may be given again.")]
Args = Mapping[str, str | Sequence[str] | None]


def give(
    ctx: typer.Context, name: str, args: Args, at: str = "", *, dry_run: bool = False, phase: str = "",
    before: Callable[[], None] | None = None,
) -> None:
    """Give one order, and end with its status; *before* is called first, once it is sure to be taken.

    A blank argument is as good as none.
    """
    given = {key: value for key, value in args.items() if value and not (isinstance(value, str) and value.isspace())}
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


def start(
    ctx: typer.Context,
    roles: Annotated[str, typer.Option(help="Optional roles in play, with commas: seer,witch,hunter,cupid.")] = "",
    ruleset: Annotated[str, typer.Option(help="Another rule set than the settings'.")] = "",
    seed_from: Annotated[str, typer.Option(
        metavar="FILE",
        help="A file with a seed of 64 hex digits, drawn before witnesses; or the word letters: what players have "
             "written on a forum since --bind. Without it one is drawn here.")] = "",
    bind: Annotated[bool, typer.Option(
        "--bind", help="Start nothing yet: bind your half of the next seed, so that letters add to it.")] = False,
    limit: Annotated[list[str] | None, typer.Option(
        metavar="NOMIC=P", help="P of a nomic, confirmed: agora=50; may come again.")] = None,
    how: Annotated[str, typer.Option(help="How the P of --limit comes about, for the announcement.")] = "",
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
    from nomicwolf.cli.queries import contest_of
    from nomicwolf.cli.simulations import say_odds

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


def end(
    ctx: typer.Context,
    why: Annotated[str, typer.Option(help="What all are told.")],
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """End the session without winners.

    Example: nomicwolf end --why "by clause 1f, without member objection"
    """
    give(ctx, "end", {"why": why}, at, dry_run=dry_run, phase=phase)


def announce(ctx: typer.Context, dry_run: DryRun = False, phase: Phase = "", at: At = "") -> None:
    """Post the vote count to the forums now.

    Example: nomicwolf announce
    """
    give(ctx, "announce", {}, at, dry_run=dry_run, phase=phase)


def release(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="The held letter's number, as `held` shows it.")],
    author: Annotated[str, typer.Option("--as", help="Whose letter it is, where that was not certain.")] = "",
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Let a held letter through: what it says is done, or you read why not, and can release it again.

    Example: nomicwolf release 17 --as Bex
    """
    give(ctx, "release", {"number": number, "author": author}, at, dry_run=dry_run, phase=phase)


def reject(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="The held letter's number, as `held` shows it.")],
    why: Annotated[str, typer.Option(help="The reason, for the record.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Do not let a held letter through.

    Example: nomicwolf reject 17 --why "not from Bex's address"
    """
    give(ctx, "reject", {"number": number, "why": why}, at, dry_run=dry_run, phase=phase)


def act_for(
    ctx: typer.Context,
    player: Annotated[str, typer.Argument(help="For whom.")],
    deed: Annotated[str, typer.Argument(help="What, as e would write it: 'see Bex'.")],
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Act for a player who has been silent too long (NC 1j).

    Example: nomicwolf act-for Cam "see Bex" --phase "night 1"
    """
    give(ctx, "act-for", {"who": player, "deed": deed}, at, dry_run=dry_run, phase=phase)


def ruling(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(help="The ruling in one or two sentences.")],
    authority: Annotated[str, typer.Option(help="The clause, amendment or case that allows it.")],
    player: Annotated[str, typer.Option("--for", help="Whose deed it rules, with --deed.")] = "",
    deed: Annotated[str, typer.Option(help="What is done by it: 'shoot Gus'.")] = "",
    as_of: Annotated[str, typer.Option(help="When a vote that is ruled was written: 2026-12-01T09:00Z.")] = "",
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Rule on what the contract leaves open; with --for and --deed also do it, in secret if the deed is (D-A11).

    Example: nomicwolf ruling "Eli shoots Gus, as e wrote at noon." --authority "D-N3" --for Eli --deed "shoot Gus"
    """
    args = {"text": text, "authority": authority, "who": player, "deed": deed} | ({"as_of": as_of} if as_of else {})
    give(ctx, "ruling", args, at, dry_run=dry_run, phase=phase)


def publish(
    ctx: typer.Context,
    fact: Annotated[str, typer.Argument(help="The condition's text, as the votes have it.")],
    value: Annotated[str, typer.Argument(metavar="true|false", help="Whether it is so.")] = "true",
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Publish a fact that votes hang on.

    Example: nomicwolf publish "the proposal 6789 was adopted" true
    """
    give(ctx, "publish", {"fact": fact, "value": value}, at, dry_run=dry_run, phase=phase)


def extend(
    ctx: typer.Context,
    until: Annotated[str, typer.Argument(help="The new deadline, as 2026-12-01T09:00Z; never a past one.")] = "",
    by: Annotated[str, typer.Option(help="By how much it is later instead: 24h, 2d, 90m.")] = "",
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Move the deadline of the present stage; all are told. In the hour after one has passed it needs --phase (D-A1).

    Example: nomicwolf extend 2026-12-03T20:00Z

    Example: nomicwolf extend --by 24h --phase "day 2"
    """
    give(ctx, "extend", {"until": until, "by": by}, at, dry_run=dry_run, phase=phase)


def close(ctx: typer.Context, dry_run: DryRun = False, phase: Phase = "", at: At = "") -> None:
    """End the present stage now, as its deadline would.

    It fetches no mail: say `nomicwolf poll` first, for what was not polled before is not counted (D-A4). With
    --dry-run it says when that was. In the hour after a deadline it needs --phase, as `extend` does.

    Example: nomicwolf close --phase "day 2" --dry-run

    Example: nomicwolf close --phase "day 2"
    """
    give(ctx, "close", {}, at, dry_run=dry_run, phase=phase)


def substitute(
    ctx: typer.Context,
    old: Annotated[str, typer.Argument(help="Who is replaced.")],
    new: Annotated[str, typer.Argument(help="Who plays on, a party to the contract.")],
    address: Annotated[str, typer.Option(help="Where the new one writes from, if that is not known yet.")] = "",
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Let one player take over everything that is another's in this session.

    Example: nomicwolf substitute Gus Ida --phase "day 2"
    """
    give(ctx, "substitute", {"old": old, "new": new, "address": address}, at, dry_run=dry_run, phase=phase)


def undo(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="The number of its entry, as `history` shows it.")],
    why: Annotated[str, typer.Option(help="The reason; all are told of an undone vote.")],
    authority: Annotated[str, typer.Option(
        help="The clause, amendment or case that allows it where someone has been told what followed.")] = "",
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Undo a vote or a night deed of the present phase, unless a death depends on it.

    Example: nomicwolf undo 117 --why "it was sent by eir cat"
    """
    give(ctx, "undo", {"number": number, "why": why, "authority": authority}, at, dry_run=dry_run, phase=phase)


def answer(
    ctx: typer.Context,
    number: Annotated[str, typer.Argument(metavar="N", help="Its number, as the journal and `history` show it.")],
    text: Annotated[str, typer.Argument(help="The answer, which discloses nothing that the asker may not know.")],
    public: Annotated[bool, typer.Option(
        "--public/--private", help="Tell all, but not who asked; refused where answers stay private.")] = False,
    dry_run: DryRun = False,
    phase: Phase = "",
    at: At = "",
) -> None:
    """Answer a question that a player has put to you with "ask: ...".

    Example: nomicwolf answer 41 "No: the dead write to the Medium alone."
    """
    give(ctx, "answer", {"number": number, "text": text, "public": "yes" if public else ""}, at, dry_run=dry_run,
         phase=phase)


def resend(
    ctx: typer.Context,
    player: Annotated[str, typer.Argument(help="Who gets it, at eir present address.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Send a player eir role once more, with what opens its hash and all that e was told since.

    Letters to em that came back, or were refused, go again, too. E gets the same by writing "resend".

    Example: nomicwolf resend Gus
    """
    give(ctx, "resend", {"who": player}, at, dry_run=dry_run, phase=phase)


def pause(
    ctx: typer.Context,
    why: Annotated[str, typer.Option(help="What all are told.")],
    phase: Phase = "",
    dry_run: DryRun = False,
    at: At = "",
) -> None:
    """Stop all clocks of the session, until you say `resume`; what players send meanwhile is done then (D-A15).

    Example: nomicwolf pause --why "half of us are at a wedding"
    """
    give(ctx, "pause", {"why": why}, at, dry_run=dry_run, phase=phase)


def resume(ctx: typer.Context, phase: Phase = "", dry_run: DryRun = False, at: At = "") -> None:
    """Let the session go on after a pause, or after an outage that you have looked into.

    The deadline of the present stage comes later by what of either lies in it, unless you have moved it since.

    Example: nomicwolf resume
    """
    give(ctx, "resume", {}, at, dry_run=dry_run, phase=phase)


COMMANDS: dict[str, Callable[..., None]] = {
    "start": start, "end": end, "announce": announce, "release": release, "reject": reject, "act-for": act_for,
    "ruling": ruling, "publish": publish, "extend": extend, "close": close, "pause": pause, "resume": resume,
    "answer": answer, "resend": resend, "substitute": substitute, "undo": undo,
    "intend": intend, "resolve": resolve, "holiday": holiday, "clock": turn_clock, "contestmaster": contestmaster,
    "claim": claim, "correct": correct, "award": award,
}  # fmt: skip
