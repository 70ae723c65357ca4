"""Acting for a silent player (NC 1j), and by ruling where the contract gives no such power (D-N3).

NC 1j: “From then on the contestmaster CAN do it on eir behalf.”
"""

from __future__ import annotations

from nomicwolf.contest.channels import BALLOTS, public_verbs
from nomicwolf.contest.commands.timing import instant_of
from nomicwolf.contest.doing import perform
from nomicwolf.contest.happenings import Command, Misuse
from nomicwolf.contest.mail.taking import open_to
from nomicwolf.contest.work import Work
from nomicwolf.language.reader import read
from nomicwolf.nomic.events import ActedFor, DeedHeard, Ruled
from nomicwolf.nomic.owed import deeds_owed
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.times import when
from nomicwolf.reading.deeds import Deed
from nomicwolf.reports.views import own_frames, people_of
from nomicwolf.village.game import Game
from nomicwolf.village.rules import Refusal


def act_for(work: Work, command: Command) -> str:
    """NC 1j: act on behalf of a townsperson who has owed it for as long as "as soon as possible" lasts."""
    written = command.words("deed", "Say what is done for em, as e would write it: 'see Bex'.", ("NC 1j",))
    game, who = _who(work, command)
    deed = _deed(work, who, written)
    if game.phase != "night" or who not in game.alive:
        raise Refusal(
            f"NC 1j lets the contestmaster act for a townsperson during a night phase; it is {game.place}"
            + ("" if who in game.alive else f", and {who} is no townsperson") + ". A ruling may do it instead.",
            ("NC 1j", "D-N3"))
    verbs = [verb for owes, verb in work.rules.owed(game) if owes == who]
    verb = deed.verb if deed.verb in verbs else verbs[0] if verbs and deed.verb == "pass" else ""
    if not verb:
        raise Refusal(f"{who} owes nothing of that kind tonight.", ("NC 1j",))
    if work.contest.law.guard:
        raise Refusal(f"Nobody polled since {when(work.contest.law.guard)}; say `resume` first, and let em answer.",
                      ("NC 1j", "D-N39"))
    owed = next(o for o in deeds_owed(work.contest) if (o.who, o.verb) == (who, verb))
    if work.now < owed.until:
        since, may = when(owed.since), when(owed.until)
        ends = f", but {game.place} ends at {when(game.deadline)} all the same" * (0 < game.deadline <= owed.until)
        raise Refusal(f"{who} has owed this since {since}; the contestmaster can act from {may} on{ends}.", ("NC 1j",))
    perform(work, _heard(work, who, deed), "command", by=work.contest.setup.contestmaster)
    work.add(ActedFor(who, deed.says, owed.since), cites=("NC 1j",), cause="command")
    return f"Acting on behalf of {who} under clause 1j: {deed.says}."


def ruling(work: Work, command: Command) -> str:
    """Record a ruling and its authority, such as an amendment (NC 1e); with --for and --deed, also do what it rules.

    A vote that could not be understood can be ruled for the instant at which it was written (D-N10). All are told
    of it, unless the deed is one that nobody else may know of (D-A11).
    """
    needs = "A ruling needs its words and --authority: the clause, amendment or case that allows it."
    text, authority = command.words("text", needs), command.words("authority", needs)
    if not command.get("who"):
        if command.get("deed") or command.get("as_of"):
            raise Misuse("Say whose deed it rules: --for NAME, with --deed; without both nothing is done by it.")
        work.add(Ruled(text, authority), cites=("D-N3",), cause="command")
        return "The ruling is recorded; all are told."
    written = command.words("deed", "Say what is done by it, as the player would write it: --deed 'see Bex'.")
    _, who = _who(work, command)
    deed = _deed(work, who, written)
    instant = _as_of(work, deed, command.get("as_of"))
    secret = deed.verb not in public_verbs(work.rules)
    perform(work, _heard(work, who, deed, instant), "command", by=work.contest.setup.contestmaster)
    cites = ("D-N10",) if deed.verb in BALLOTS else ("D-N3",)
    work.add(Ruled(text, authority, (who,), secret), cites=(*cites, "D-A11"), cause="command")
    told = f"{who} alone is told, and all once the roles are" if secret else "all are told"
    return f"The ruling is recorded and carried out; {told}."


def _who(work: Work, command: Command) -> tuple[Game, str]:
    game, who = work.contest.running, command.get("who")
    if game is None:
        raise Refusal("No session is in progress; `start` begins one.", ("NC 1j",))
    if who not in game.seats:
        raise Refusal(f"{who!r} is not in this session.", options=game.seats)
    return game, who


def _deed(work: Work, who: str, text: str) -> Deed:
    role, verbs = open_to(work.contest, who)
    reading = read(((1, text),), people_of(work.contest, who), to="contestmaster", instant=work.now,
                   role=role, open_verbs=verbs, own=own_frames(work.contest))
    if len(reading.deeds) != 1 or reading.problems:
        hint = "; ".join(p.hint or p.problem for p in reading.problems)
        raise Refusal(f"Write one deed as the player would, such as 'see Bex'. {hint}".strip())
    return reading.deeds[0]


def _as_of(work: Work, deed: Deed, text: str) -> int:
    """Return the instant (UTC seconds) for which *deed* is ruled: now, or for votes an earlier one (D-N10)."""
    if not text:
        return work.now
    instant = instant_of(text, ("D-N10",))
    if deed.verb not in BALLOTS:
        raise Refusal("Only votes can be ruled for an earlier moment.", ("D-N10",))
    if instant > work.now:
        raise Refusal(f"{when(instant)} lies ahead; name the moment at which it was written.", ("D-N10",))
    return instant


def _heard(work: Work, who: str, deed: Deed, instant: int = 0) -> DeedHeard:
    return DeedHeard(
        letter=0, who=who, verb=deed.verb, names=deed.names, ballot=deed.ballot, words=deed.words, says=deed.says,
        line=1, text=deed.text, channel=PRIVATE, instant=instant or work.now, key=(work.now,))
