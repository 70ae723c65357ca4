"""The acts that only the contestmaster may do. Each is refused with what changed when it comes too late."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nomicwolf.contest import acting, addresses, hearing, rosters, sessions, timing
from nomicwolf.contest.doing import place
from nomicwolf.contest.further import FURTHER
from nomicwolf.contest.happenings import Command
from nomicwolf.contest.work import Work
from nomicwolf.letters.authored import authored
from nomicwolf.nomic.awards import derive
from nomicwolf.nomic.events import (
    CountPosted,
    LetterHeld,
    LetterRejected,
    LetterReleased,
    LimitConfirmed,
    Noted,
    PersonKnown,
)
from nomicwolf.nomic.events import Refused as DeedRefused
from nomicwolf.reports.happened import happened
from nomicwolf.village.events import Ended, Lynched, PhaseBegan, Published
from nomicwolf.village.laws.majority import lynched_today
from nomicwolf.village.rules import Refused as Refusal


def run(work: Work, command: Command) -> str:
    """Do *command* and return what to say to the contestmaster; raise `Refusal` if it can't be done."""
    doing = COMMANDS.get(command.name)
    if doing is None:
        raise Refusal(f"There is no command {command.name!r}; there are {', '.join(sorted(COMMANDS))}.")
    game = work.contest.running
    if command.phase and (game is None or place(game) != command.phase):
        now = place(game) if game is not None else "no session in progress"
        raise Refusal(f"This was meant for {command.phase}, and it is {now}: nothing was done.")
    return doing(work, command)


def _start(work: Work, command: Command) -> str:
    if work.contest.law.subgame_ended:
        raise Refusal("The subgame has been ended by clause 1f: no further session can be started.", ("NC 1f",))
    limits = [_confirm(work, item, "confirmed with the start") for item in command.many("limit")]
    sessions.start(work, command.many("roles"), command.get("seed"), command.get("ruleset"), command.get("odds"))
    started = work.contest.sessions[work.contest.session]
    notes = [e.event.text for e in work.entries if isinstance(e.event, Noted) and e.event.topic == "deck"]
    said = f"Session {started.session} of {started.ruleset} has started with {len(started.players)} players."
    return " ".join([said, *limits, *notes])


def _end(work: Work, command: Command) -> str:
    sessions.stop(work, command.get("why") or "by the contestmaster")
    return f"Session {work.contest.session} has been ended; nobody wins."


def _announce(work: Work, command: Command) -> str:
    if work.contest.running is None:
        raise Refusal("No session is in progress.", ("NC 2",))
    if lynched_today(work.contest.running):
        raise Refusal("Somebody was lynched, and the vote is over: its count was posted with that.", ("NC 3", "D-N12"))
    if not work.rules.votes_stand:
        raise Refusal("Counts are posted where votes stand until they are changed. Here each ballot is told when it is "
                      "closed; nomicwolf votes shows how it stands.", ("D-M1",))
    work.add(CountPosted("asked for by the contestmaster"), cites=("NC 1g",), cause="command")
    return "The count will be posted to the forums."


def _held(work: Work, command: Command) -> tuple[int, LetterHeld]:
    text = command.get("number")
    if not text.isdigit() or int(text) not in work.contest.held:
        known = ", ".join(map(str, sorted(work.contest.held))) or "none"
        raise Refusal(f"No letter {text} is held; held are: {known}.")
    return int(text), work.contest.held[int(text)]


def _release(work: Work, command: Command) -> str:
    number, held = _held(work, command)
    if held.other:
        raise Refusal(
            f"Letter {number} came in after its day had ended, and what that day came to has been announced. "
            f"{held.other} `reject {number}` lets the announced outcome stand; a ruling can set right what can still "
            "be.", ("D-N9",))
    heard = work.contest.letters[number]
    author = command.get("author") or heard.author
    if author not in work.contest.persons:
        raise Refusal("Say whose letter it is: --as NAME, of a person that the contest knows.")
    if command.letter is None:
        raise Refusal(f"The bytes of letter {number} are not at hand.")
    work.add(LetterReleased(number, author), cause="command")
    reading = hearing.read_letter(work.contest, command.letter, author, authored(command.letter))
    hearing.take_reading(work, command.letter, author, reading, number)
    done = ", ".join(d.says for d in reading.deeds) or "no deed in it"
    return f"Letter {number} is released as {author}'s: {done}."


def _reject(work: Work, command: Command) -> str:
    number, _ = _held(work, command)
    author, why = work.contest.letters[number].author, command.get("why")
    work.add(LetterRejected(number, why), cause="command")
    if author in work.contest.persons:
        said = f"A letter that came as yours waited for a ruling; the contestmaster has not let it through: {why}"
        work.add(DeedRefused(0, author, "", "", said), cause=f"letter {number}")
    return f"Letter {number} is rejected."


def _publish(work: Work, command: Command) -> str:
    game = work.contest.running
    text, value = command.get("fact"), command.get("value").lower()
    if game is None or not text or value not in ("true", "false"):
        raise Refusal("A fact needs a session in progress, its text, and true or false.", ("NC 3",))
    rules, at = work.rules, max(work.now, game.clock)
    work.play(lambda g: rules.settle(g, at, (Published(text, value == "true"),), ("NC 3", "D-N8"), "command"))
    return f"Published: {text!r} is {value}."


def _limit(work: Work, command: Command) -> str:
    how = command.get("how") or "confirmed by the contestmaster"
    said = [_confirm(work, item, how) for item in command.many("limit")]
    if not said:
        raise Refusal("Say which: --limit agora=50.", ("D-N21",))
    if work.contest.session in work.contest.awards_held:
        sessions.award(work)
    return " ".join(said)


def _confirm(work: Work, item: str, how: str) -> str:
    nomic, _, points = item.partition("=")
    if nomic not in work.contest.setup.nomics or not points.isdigit():
        nomics = ", ".join(work.contest.setup.nomics)
        raise Refusal(f"P is given as NOMIC=POINTS, NOMIC one of {nomics}; not {item!r}.", ("D-N21",))
    work.add(LimitConfirmed(nomic, int(points), how), cites=("NC 5i", "D-N21"), cause="command")
    found = derive(work.contest, nomic)
    if found is None or found.points in (None, int(points)):
        return f"P of {nomic} is {points}."
    return (f"P of {nomic} is {points}, as you confirm; but the roster yields {found.points} ({found.formula}; "
            f"{len(found.counted)} counted). See nomicwolf award; an award above P fails (CFJ 2296).")


def _party_add(work: Work, command: Command) -> str:
    who, address = " ".join(command.get("who").split()), command.get("address")
    if not who:
        raise Refusal("Say who joins.", ("NC 1c",))
    warning = ""
    if who not in work.contest.persons:
        if not address:
            raise Refusal(f"{who} is not known yet: give eir address.")
        warnings = [rosters.suits(work.contest, name) for name in (who, *command.many("aliases"))]
        warning = " ".join(filter(None, warnings))
        work.add(PersonKnown(who, (addresses.given(work.contest, address, who),), command.many("aliases")),
                 cause="command")
    for nomic in command.many("nomic") or work.contest.setup.nomics:
        if nomic not in work.contest.setup.nomics:
            raise Refusal(f"The contest does not live in {nomic}.", ("NC 1b",), work.contest.setup.nomics)
        rosters.join(work, who, nomic)
    return f"{who} is a party. {warning}".strip()


def _party_remove(work: Work, command: Command) -> str:
    who = _known(work, command)
    for nomic in command.many("nomic") or work.contest.setup.nomics:
        rosters.leave(work, who, nomic, command.get("why") or "removed by the contestmaster")
    return f"{who} is no longer a party."


def _party_alias(work: Work, command: Command) -> str:
    who = _known(work, command)
    person, more = work.contest.persons[who], tuple(" ".join(alias.split()) for alias in command.many("alias"))
    warnings = " ".join(filter(None, [rosters.suits(work.contest, alias, who) for alias in more]))
    work.add(PersonKnown(who, person.addresses, tuple(dict.fromkeys((*person.aliases, *more)))), cause="command")
    return f"{who} is also known as {', '.join(work.contest.persons[who].aliases)}. {warnings}".strip()


def _party_address(work: Work, command: Command) -> str:
    who = _known(work, command)
    person = work.contest.persons[who]
    new = tuple(addresses.given(work.contest, a, who) for a in command.many("address"))
    if not new:
        raise Refusal("Say which address.")
    others = () if command.get("only") else tuple(a for a in person.addresses if a not in new)
    work.add(PersonKnown(who, (*new, *others), person.aliases), cause="command")
    return f"{who} writes from {', '.join(work.contest.persons[who].addresses)}."


def _known(work: Work, command: Command) -> str:
    who = command.get("who")
    if who not in work.contest.persons:
        raise Refusal(f"Nobody here is called {who!r}.", options=tuple(work.contest.persons))
    return who


def describe(work: Work) -> str:
    """Return what everyone sees happen with the command, in one sentence more, for the terminal; '' if nothing is."""
    words = "; ".join(happened(e.event) for e in work.entries if isinstance(e.event, Lynched | Ended | PhaseBegan))
    return f" {words[:1].upper()}{words[1:]}." if words else ""


COMMANDS: Mapping[str, Callable[[Work, Command], str]] = {
    "start": _start, "end": _end, "announce": _announce, "release": _release, "reject": _reject,
    "publish": _publish, "limit": _limit, "award": _limit, "party-add": _party_add, "party-remove": _party_remove,
    "party-alias": _party_alias, "party-address": _party_address, "act-for": acting.act_for, "ruling": acting.ruling,
    **FURTHER,
    "extend": timing.extend, "close": timing.close,
}
