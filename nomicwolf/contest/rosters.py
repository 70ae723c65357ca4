"""Persons and parties: who is known, who has joined the contract in which nomic, and by what addresses (NC 1c).

NC 1c: “CAN join, and CAN leave again”.
"""

from __future__ import annotations

from collections.abc import Sequence

from nomicwolf.contest import absences, addresses, departing, observing, preferences, reminding, standing_by
from nomicwolf.contest.arriving import effective_in
from nomicwolf.contest.lookalikes import looks_like
from nomicwolf.contest.recognising import forums_of
from nomicwolf.contest.work import Work
from nomicwolf.language.naming import unfit
from nomicwolf.language.reader import read
from nomicwolf.letters.authored import authored, beginning
from nomicwolf.letters.identity import written_by
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import DeedDone, DeedMoved, PartyJoined, PartyLeft, PersonKnown, Refused
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Deed, People
from nomicwolf.reading.lawful import nomics_named
from nomicwolf.village.rules import Refusal

VERBS = ("join", "leave", "alias", "address", "confirm", "holiday", "standby", "observe", "digest",
         "timezone", "statistics")


def newcomer(contest: Contest, letter: Letter) -> str | None:
    """Return the name of a stranger who joins by this letter in a forum, None if it does not.

    A name that is taken, looks like a taken one or means something else makes the letter a stranger's as before, and so
    does an address that no letter can go to (the contestmaster can link the address by ``party address``, or let em in
    under any name by ``party add``).
    """
    name, why = joining(contest, letter)
    return name if name and not why else None


def joining(contest: Contest, letter: Letter) -> tuple[str, str]:
    """Return the name of a stranger who wants to join by *letter* in a forum, and why e can't have it ('': e can).

    It is what the letter says after "join as", else its display name; '' for any other letter.
    """
    display, address = written_by(letter, forums_of(contest.setup))
    if not letter.through or not address:
        return "", ""
    nobody = People(living=(), others=tuple(contest.persons))
    reading = read(beginning(letter).lines, nobody, to="forum")
    joins = [d for d in reading.deeds if d.verb == "join"]
    if not joins or any(d.verb not in ("join", "standby") for d in reading.deeds):
        return "", ""
    if not addresses.reachable(contest.setup, address):
        return "", ""
    name = " ".join((joins[0].words or display.partition(" via ")[0] or address.partition("@")[0]).split())[:40]
    return name, _unfit(contest, name) if name else ""


def fitting(contest: Contest, names: Sequence[str]) -> str:
    """Return the first of *names* that somebody new can take by mail, else one that is made up."""
    shown = [" ".join(name.split())[:40] for name in names]
    found = next((name for name in shown if name and not _unfit(contest, name)), "")
    return found or f"Observer {contest.last}"


def suits(contest: Contest, name: str, but: str = "") -> str:
    """Let the contestmaster call *but*, or somebody new, *name*: return a warning, '' if there is no need of one.

    `Refusal` for a name that is or looks like somebody else's, or the contest's own: votes for one would be taken for
    the other (NC 3). What means something else in votes and deeds is eirs to decide; a player can't take it by mail.
    """
    others = (*_names(contest, but), contest.setup.name)
    if name.casefold() in {other.casefold() for other in others}:
        raise Refusal(f"{name} is somebody else's name already. Choose another name.", ("NC 3",))
    if why := looks_like(name, others):
        raise Refusal(f"{why} Choose another name, so that nobody takes one for the other.", ("NC 3",))
    if why := unfit(name, _names(contest, but)):
        return f"{why} Another name would be safer (`party rename`)."
    return ""


def _unfit(contest: Contest, name: str, but: str = "") -> str:
    """Return why *but*, or somebody new, can't take *name* by mail, '' if e can."""
    names = _names(contest, but)
    return looks_like(name, (*names, contest.setup.name)) or unfit(name, names)


def _names(contest: Contest, but: str = "") -> tuple[str, ...]:
    """Return every name by which somebody but *but* is known."""
    known = [n for p in contest.persons.values() if p.name != but for n in (p.name, *p.aliases)]
    return tuple(dict.fromkeys((*known, contest.setup.contestmaster)))


def do(work: Work, letter: Letter, who: str, deed: Deed, number: int, place: int = 0) -> None:
    """Do a deed of the roster, at *place* in its letter, at once; what leaving does in a session waits for its turn."""
    cause = f"letter {number}"
    if who not in work.contest.persons and who != work.contest.setup.contestmaster:
        address = written_by(letter, forums_of(work.contest.setup))[1]
        work.add(PersonKnown(who, (address,)), cites=("NC 1c",), cause=cause)
    named = nomics_named(deed.text) & set(work.contest.setup.nomics) if deed.verb in ("join", "leave") else set()
    nomics = [n for n in work.contest.setup.nomics if n in letter.forums and (not named or n in named)]
    if deed.verb in ("join", "leave") and not nomics:
        where = f"the forum of {' and '.join(sorted(named))}" if named else "a forum"
        why = f"Joining and leaving take effect in {where}: post it there."
        work.add(Refused(0, who, deed.verb, deed.text, why), cites=("NC 1c", "NC 1g"), cause=cause)
    elif deed.verb == "join":
        for nomic in nomics:
            join(work, who, nomic, cause, _published(work, letter, nomic))
    elif deed.verb == "leave":
        left = [_leave_by_word(work, who, nomic, cause, _published(work, letter, nomic)) for nomic in nomics]
        if any(left):
            _leave_session(work, who, letter, number, deed.text, place)
    elif deed.verb == "alias":
        _alias(work, who, deed, cause)
    else:
        _about_emself(work, letter, who, deed, cause)


def _published(work: Work, letter: Letter, nomic: str) -> int:
    """Return when joining and leaving by *letter* take effect in *nomic*: when its forum made it available (CFJ 2266).

    Where the nomic has chosen another clock for what is posted (D-V10) it is that, but nothing later than now.
    """
    forum = work.contest.setup.forum(nomic)
    return min(effective_in(forum, letter) if forum is not None else letter.arrived, letter.arrived)


def _about_emself(work: Work, letter: Letter, who: str, deed: Deed, cause: str) -> None:
    """Do what someone says of eir address, absence and letters, or that e is ready to play on for another."""
    try:
        if deed.verb == "address":
            addresses.ask(work, letter, who, deed, cause)
        elif deed.verb == "confirm":
            addresses.confirm(work, who, deed, cause)
        elif deed.verb == "standby":
            standing_by.stand_by(work, who, deed.words, cause)
        elif deed.verb == "observe":
            observing.observe(work, who, deed.words, cause)
        elif deed.verb == "digest":
            observing.digest(work, who, deed.words, cause)
        elif deed.verb == "timezone":
            preferences.timezone(work, who, deed.words, cause)
        elif deed.verb == "statistics":
            preferences.statistics(work, who, deed.words, cause)
        else:
            absences.absence(work, who, deed.words, cause, letter.arrived)
    except Refusal as refused:
        work.add(Refused(0, who, deed.verb, deed.text, refused.why, refused.options), cites=refused.cites, cause=cause)


def copy_heard(work: Work, who: str, letter: Letter, number: int, nomic: str) -> None:
    """A copy, *letter*, of a letter that joins or leaves came through another nomic's forum: it does so there too."""
    cause = f"letter {number}"
    if not who or not any(e.cause == cause and isinstance(e.event, PartyJoined | PartyLeft | Refused)
                          for e in work.contest.entries[number:]):
        return
    for deed in read(authored(letter).lines, People(living=(), others=tuple(work.contest.persons)), to="forum").deeds:
        named = nomics_named(deed.text) & set(work.contest.setup.nomics)
        if deed.verb == "join" and (not named or nomic in named):
            join(work, who, nomic, cause, _published(work, letter, nomic))
        elif deed.verb == "leave" and (not named or nomic in named) and _leave_by_word(
                work, who, nomic, cause, _published(work, letter, nomic)):
            _leave_session(work, who, letter, number, deed.text)


def join(work: Work, who: str, nomic: str, cause: str = "command", at: int | None = None) -> None:
    """Let *who* be a party in *nomic* from *at* on (NC 1c, NC 1h); nothing happens if e is one already."""
    if who not in work.contest.parties.get(nomic, ()):
        work.add(PartyJoined(who, nomic), at, ("NC 1c",), cause)
        reminding.members(work, cause)


def leave(work: Work, who: str, nomic: str, why: str, cause: str = "command", at: int | None = None) -> bool:
    """Let *who* be no party in *nomic* from *at* on (NC 1c); return whether e was one."""
    if who not in work.contest.parties.get(nomic, ()):
        return False
    work.add(PartyLeft(who, nomic, why), at, ("NC 1c",), cause)
    return True


def _leave_by_word(work: Work, who: str, nomic: str, cause: str, at: int) -> bool:
    """Let *who* leave *nomic* by a letter of *at*, or have left it by then; return whether that is new."""
    return leave(work, who, nomic, departing.BY_EIR_WORD, cause, at) or departing.sooner(work, who, nomic, cause, at)


def remove(
    work: Work, who: str, nomics: Sequence[str], why: str, cause: str = "command", at: int | None = None
) -> None:
    """Let *who* be no party in *nomics* any more from *at* on, and so, if e is one nowhere, no longer of the session.

    What was sent or is due until then is done first (D-A4).
    """
    before = _gone(work, who)
    for nomic in nomics:
        leave(work, who, nomic, why, cause, at)
    moment = work.now if at is None else at
    work.catch_up(moment)
    if _gone(work, who) and not before:
        departing.leave(work, who, why, moment, cause)


def _gone(work: Work, who: str) -> bool:
    """Return whether *who* plays in the session and is a party nowhere any more (D-N11)."""
    game = work.contest.running
    return game is not None and who in game.seats and not any(
        who in names for names in work.contest.parties.values())


def _leave_session(work: Work, who: str, letter: Letter, number: int, text: str, place: int = 0) -> None:
    """Let *who* leave the session in eir letter's place among all others, if e is a party nowhere any more (D-A4)."""
    waiting = [(n, d.instant) for n, d in work.contest.pending.items() if (d.who, d.verb) == (who, departing.LEAVE)]
    for waits, instant in waiting:
        if (left := departing.left_at(work, who)) < instant:
            work.add(DeedMoved(waits, left), cites=("D-N9",), cause=f"letter {number}")
    if not waiting and _gone(work, who):
        departing.in_eir_turn(work, who, letter, number, text, place)


def _alias(work: Work, who: str, deed: Deed, cause: str) -> None:
    """Let *who* be known by one more name, unless it is or looks like somebody else's."""
    person = work.contest.persons.get(who)
    name = deed.words.strip()
    if person is None or not name:
        return
    same = name.casefold() in {n.casefold() for n in _names(work.contest, who)}
    if why := f"{name} is somebody else's name." if same else _unfit(work.contest, name, who):
        work.add(Refused(0, who, deed.verb, deed.text, why), cites=("NC 3",), cause=cause)
        return
    aliases = tuple(dict.fromkeys((*person.aliases, name)))
    work.add(PersonKnown(who, person.addresses, aliases), cause=cause)
    work.add(DeedDone(0, who, deed.says, f"You are also known as {name}."), cause=cause)
