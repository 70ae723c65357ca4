"""The roster: persons, parties, addresses, absences, preferences.

Names look alike if their letters differ by marks alone, as "Bëx" and "Bex" do (NC 3). Marks above, below and through
letters are often left out in mail, and hardly seen. Marks that are vowels or sounds of their own, as many scripts write
them, are none of these.

What is due from an absent person waits until they are back (D-N37).

A person who has left every nomic leaves the session, too, at the place of their letter among all others.

NC 1c: “CAN join, and CAN leave again”.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from nomicwolf.contest import delivery, silence
from nomicwolf.contest.step import Misuse, Work, answers_left, channel_of, effective_in_forum, forums_of
from nomicwolf.language.naming import skeleton, unfit
from nomicwolf.language.reader import read
from nomicwolf.letters.attribution import authored, beginning
from nomicwolf.letters.identity import addr_spec, fold_address, for_transport, hashed, same, written_by
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import DeedDone, DeedHeard, DeedMoved, PartyJoined, PartyLeft, PersonKnown, Refused
from nomicwolf.nomic.law_events import (
    AbsenceAnnounced,
    AbsenceEnded,
    AddressAsked,
    AddressConfirmed,
    StatisticsChosen,
    ZoneChosen,
)
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.day_spans import span
from nomicwolf.reading.deeds import Deed, People
from nomicwolf.reading.law_checks import nomics_named
from nomicwolf.reports.layout import UTC_NAMES, known_zone, near_zones
from nomicwolf.reports.sections import address_token
from nomicwolf.village.events import Removed
from nomicwolf.village.rules import Refusal

_MARKED = frozenset((1, 202, 216, 220, 230))
"""The combining classes of overlays, cedillas, horns, and marks below or above a letter."""
_STRUCK = str.maketrans("øØłŁđĐħĦŧŦƀɨɇɍɏ", "oOlLdDhHtTbiery")
"""Letters that have a stroke, which Unicode takes for letters of their own."""


def looks_like(name: str, others: Iterable[str]) -> str:
    """Return whose of the names of *others* *name* looks like, or that it looks like nothing; '' if neither.

    >>> looks_like("Bëx", ["Gus", "Bex"])
    '“Bëx” looks like Bex.'
    >>> looks_like("がな", ["かな"])
    ''
    """
    shape = _shape(name)
    like = next((other for other in others if _shape(other) == shape), "")
    return f"“{name}” looks like {like or 'nothing'}." if like or not shape else ""


def _shape(name: str) -> str:
    """Return what *name* looks like without the marks on its letters."""
    apart = unicodedata.normalize("NFKD", name)
    bare = "".join(c for c in apart if unicodedata.combining(c) not in _MARKED)
    return skeleton(unicodedata.normalize("NFKC", bare).translate(_STRUCK))


ABSENCE_OVER = ("over", "none", "ended", "back", "off", "cancel", "cancelled", "canceled")


def announce_absence(work: Work, who: str, words: str, cause: str, at: int) -> None:
    """Record that *who* is away as *words* of *at* (UTC seconds) say; raise `Refusal` if they name no days to come."""
    if words.casefold().strip(" .!") in ABSENCE_OVER:
        _end_absence(work, who, cause, at)
        return
    days = span(words, at)
    if days is None or days[1] <= work.now:
        raise Refusal("Say when you are away, like: holiday: 2026-12-20 to 2027-01-03.", ("D-N37",))
    work.add(AbsenceAnnounced(who, *days), cites=("D-N37",), cause=cause)


def _end_absence(work: Work, who: str, cause: str, at: int) -> None:
    """End the absences of *who*; from whoever wasn't away it is talk."""
    if any(name == who and until > at for name, _, until in work.contest.law.away):
        work.add(AbsenceEnded(who), max(at, work.contest.clock), ("D-N37",), cause)


LEAVE = "leave"
"""The verb of the deed that waits."""
BY_EIR_WORD = "by eir own word"
"""Why somebody leaves who says so themself."""


def schedule_departure(work: Work, who: str, letter: Letter, number: int, text: str, place: int) -> None:
    """Schedule *who*'s leaving the session for the instant at which they left the last nomic, by *letter* or another.

    *number* is the letter's, *text* the words in it, *place* that among its deeds.
    """
    nomics = work.contest.setup.nomics
    channel = channel_of(work.contest, letter)
    rank = nomics.index(channel) if channel in nomics else len(nomics)
    work.add(DeedHeard(
        letter=number, who=who, verb=LEAVE, names=(), ballot=None, words="", says=LEAVE, line=1, text=text,
        channel=channel, instant=left_at(work, who), key=(letter.arrived, rank, letter.order, place), sure="from",
    ), cites=("D-N9",), cause=f"letter {number}")


def left_at(work: Work, who: str) -> int:
    """Return when *who* left the last nomic in which they were a party (UTC seconds), each by their first letter."""
    left: dict[str, int] = {}
    for entry in reversed(work.contest.entries):
        if isinstance(entry.event, PartyJoined) and entry.event.who == who:
            break
        if isinstance(entry.event, PartyLeft) and entry.event.who == who:
            left[entry.event.nomic] = min(left.get(entry.event.nomic, entry.at), entry.at)
    return max(left.values(), default=0)


def backdate_departure(work: Work, who: str, nomic: str, cause: str, at: int) -> bool:
    """Backdate the leaving of *who*, who plays, to *at* if only a later letter was read; return whether it changed."""
    game = work.contest.running
    if game is None or who not in game.seats or who in work.contest.parties.get(nomic, ()):
        return False
    last = next((e for e in reversed(work.contest.entries) if isinstance(e.event, PartyJoined | PartyLeft)
                 and (e.event.who, e.event.nomic) == (who, nomic)), None)
    if last is None or not isinstance(last.event, PartyLeft) or last.event.why != BY_EIR_WORD or last.at <= at:
        return False
    work.add(PartyLeft(who, nomic, BY_EIR_WORD), at, ("NC 1c", "D-N9"), cause)
    return True


def leave_session(work: Work, who: str, why: str, at: int, cause: str, number: int = 0) -> None:
    """Remove *who* from the session at *at* (D-N11, D-A2); the deed *number* waits no longer.

    The dead are removed, too: public news can't show whether they were killed this night, and whoever has left doesn't
    come back (D-A2).
    """
    game = work.contest.running
    if game is None or who not in game.seats:
        if number:
            work.add(DeedDone(number, who, LEAVE, ""), at, (), cause)
        return
    rules, moment = work.rules, max(at, game.clock)
    work.play(lambda g: rules.settle(g, moment, (Removed(who, why),), ("NC 1c", "D-N11"), cause))


SIDES = ("old", "new")
_ASCII = "its mail server takes none that is beyond ASCII before the @ (smtp.utf8 = false). Give another one."


def ask_confirmation(work: Work, letter: Letter, who: str, deed: Deed, cause: str) -> None:
    """Ask both addresses whether *who* is to write from another one; raise `Refusal` for one that can't be."""
    address = fold_address(addr_spec(deed.words.strip().strip("<>.")) or "")
    if not address:
        raise Refusal("That is no address; write like: address: ash@example.org")
    if not reachable(work.contest.setup, address):
        raise Refusal(f"The contest can't write to {address}: {_ASCII}")
    if who not in work.contest.persons or address_owner(work.contest, address):
        raise Refusal(f"{address} is somebody's address already, or yours.")
    asked = AddressAsked(who, address)
    if work.contest.told.before(asked):
        raise Refusal("Both addresses have just been asked for you: answer each letter with its confirm line.")
    if not answers_left(work, letter, who):
        return
    work.add(asked, cites=("NC 1c",), cause=cause)
    work.add(DeedDone(0, who, deed.says, "Both your addresses are asked: answer each letter with its confirm line."),
             cause=cause)


def address_owner(contest: Contest, address: str) -> str:
    """Return the owner of *address*: a person, the contestmaster, the contest or a nomic's forum; '' for none."""
    setup = contest.setup
    whose = {
        **{fold_address(f.address): f"the forum of {f.nomic}" for f in setup.forums},
        **{fold_address(f.discussion): f"a list of {f.nomic}" for f in setup.forums if f.discussion},
        fold_address(setup.address): setup.name,
        **{fold_address(a): setup.contestmaster for a in setup.contestmaster_addresses},
        **{fold_address(a): p.name for p in contest.persons.values() for a in p.addresses},
    }
    return whose.get(fold_address(address), "")


def reachable(setup: Setup, address: str) -> bool:
    """Return whether letters of the contest's can go to *address* (RFC 6531)."""
    return setup.utf8 or for_transport(address).isascii()


def given_address(contest: Contest, text: str, who: str) -> str:
    """Return the address that the contestmaster gives for *who*; `Refusal` for one that can't be theirs alone.

    Letters from an address that two persons share are nobody's for certain, and would all be held.
    """
    address = fold_address(addr_spec(text.strip().strip("<>")) or "")
    if not address:
        raise Misuse(f"{text!r} is no address; write it as name@host, without a display name.")
    if not reachable(contest.setup, address):
        raise Refusal(f"No letter can go to {address}: {_ASCII}")
    if (whose := address_owner(contest, address)) not in ("", who):
        raise Refusal(f"{address} belongs to {whose}: nobody could tell whose letters come from it. Give another one.")
    return address


def asked_by(contest: Contest, who: str) -> tuple[int, AddressAsked, tuple[str, ...]] | None:
    """Return the latest change that *who* asked for, if it is open: its entry, what it is, and the sides confirmed."""
    mine = [(number, asked, sides) for number, (asked, sides) in contest.law.asked.items() if asked.who == who]
    last = max(mine, default=None)
    return last if last is not None and set(last[2]) < set(SIDES) else None


def confirm_address(work: Work, who: str, deed: Deed, cause: str) -> None:
    """Take one of the two confirmations; with both, the new address takes the old one's place."""
    found = asked_by(work.contest, who)
    side = side_of(work.contest, who, deed.words)
    if found is None or not side:
        raise Refusal("That confirms nothing. Send the line that begins with “confirm” as it is in your newest letter "
                      "of the kind: a word that is mistyped, or of an older one, does nothing.")
    number, asked, _ = found
    old = work.contest.address_of(who)
    work.add(AddressConfirmed(number, side), cause=cause)
    if asked_by(work.contest, who) is not None:
        other = asked.address if side == "old" else old
        work.add(DeedDone(0, who, "confirm", f"Now confirm from the letter that went to {other}."), cause=cause)
        return
    person = work.contest.persons[who]
    work.add(PersonKnown(who, (asked.address, *person.addresses[1:]), person.aliases), cites=("NC 1c",), cause=cause)
    work.add(DeedDone(0, who, "confirm", f"You write from {asked.address} now; {old} is no longer yours."), cause=cause)


def side_of(contest: Contest, who: str, word: str) -> str:
    """Return which side of *who*'s open change *word* confirms: ``old``, ``new`` or ''."""
    found = asked_by(contest, who)
    given = hashed(word)
    right = [s for s in SIDES if found and same(hashed(address_token(contest.setup, found[0], found[1], s)), given)]
    return right[0] if right else ""


def address_newcomer(contest: Contest, letter: Letter) -> str | None:
    """Return who confirms their new address by this letter from it, None if nobody does."""
    senders = {fold_address(address) for _, address in letter.senders}
    for asked, _ in contest.law.asked.values():
        if fold_address(asked.address) in senders and asked_by(contest, asked.who):
            reading = read(beginning(letter).lines, People(living=()), to="contestmaster")
            if any(d.verb == "confirm" and side_of(contest, asked.who, d.words) for d in reading.deeds):
                return asked.who
    return None


ROSTER_VERBS = ("join", "leave", "alias", "address", "confirm", "holiday", "standby", "observe", "digest",
                "timezone", "statistics")


def newcomer(contest: Contest, letter: Letter) -> str | None:
    """Return the name of a stranger who joins by this letter in a forum, None if it does not.

    The letter stays a stranger's if the name is taken, looks like a taken one or means something else, or if no letter
    can go to the address. The contestmaster can then link the address by ``party address``, or admit the person under
    any name by ``party add``.
    """
    name, why = joining(contest, letter)
    return name if name and not why else None


def joining(contest: Contest, letter: Letter) -> tuple[str, str]:
    """Return the name of a stranger who joins by *letter* in a forum, and why they can't have it ('': they can).

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
    if not reachable(contest.setup, address):
        return "", ""
    name = " ".join((joins[0].words or display.partition(" via ")[0] or address.partition("@")[0]).split())[:40]
    return name, _name_fault(contest, name) if name else ""


def fitting_name(contest: Contest, names: Sequence[str]) -> str:
    """Return the first of *names* that somebody new can take by mail, else one that is made up."""
    shown = [" ".join(name.split())[:40] for name in names]
    found = next((name for name in shown if name and not _name_fault(contest, name)), "")
    return found or f"Observer {contest.last}"


def check_name(contest: Contest, name: str, but: str = "") -> str:
    """Check the *name* that the contestmaster gives *but*, or somebody new: return a warning, '' if none is needed.

    `Refusal` for a name that is or looks like somebody else's, or the contest's own: votes for one would be taken for
    the other (NC 3). What means something else in votes and deeds is theirs to decide; a player can't take it by mail.
    """
    others = (*_names(contest, but), contest.setup.name)
    if name.casefold() in {other.casefold() for other in others}:
        raise Refusal(f"{name} is somebody else's name already. Choose another name.", ("NC 3",))
    if why := looks_like(name, others):
        raise Refusal(f"{why} Choose another name, so that nobody takes one for the other.", ("NC 3",))
    if why := unfit(name, _names(contest, but)):
        return f"{why} Another name would be safer (`party rename`)."
    return ""


def _name_fault(contest: Contest, name: str, but: str = "") -> str:
    """Return why *but*, or somebody new, can't take *name* by mail, '' if they can."""
    names = _names(contest, but)
    return looks_like(name, (*names, contest.setup.name)) or unfit(name, names)


def _names(contest: Contest, but: str = "") -> tuple[str, ...]:
    """Return every name of everybody except *but*."""
    known = [n for p in contest.persons.values() if p.name != but for n in (p.name, *p.aliases)]
    return tuple(dict.fromkeys((*known, contest.setup.contestmaster)))


def change_roster(work: Work, letter: Letter, who: str, deed: Deed, number: int, place: int = 0) -> None:
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
        _change_preferences(work, letter, who, deed, cause)


def _published(work: Work, letter: Letter, nomic: str) -> int:
    """Return when joining and leaving by *letter* take effect in *nomic*: when its forum made it available (CFJ 2266).

    Where the nomic has chosen another clock for what is posted (D-V10) it is that, but nothing later than now.
    """
    forum = work.contest.setup.forum(nomic)
    return min(effective_in_forum(forum, letter) if forum is not None else letter.arrived, letter.arrived)


def _change_preferences(work: Work, letter: Letter, who: str, deed: Deed, cause: str) -> None:
    """Do what someone says about their address, absence, letters, or being ready to take over from another."""
    try:
        if deed.verb == "address":
            ask_confirmation(work, letter, who, deed, cause)
        elif deed.verb == "confirm":
            confirm_address(work, who, deed, cause)
        elif deed.verb == "standby":
            silence.stand_by(work, who, deed.words, cause)
        elif deed.verb == "observe":
            delivery.observe(work, who, deed.words, cause)
        elif deed.verb == "digest":
            delivery.digest(work, who, deed.words, cause)
        elif deed.verb == "timezone":
            timezone(work, who, deed.words, cause)
        elif deed.verb == "statistics":
            statistics(work, who, deed.words, cause)
        else:
            announce_absence(work, who, deed.words, cause, letter.arrived)
    except Refusal as refused:
        work.add(Refused(0, who, deed.verb, deed.text, refused.why, refused.options), cites=refused.cites, cause=cause)


def copy_heard(work: Work, who: str, letter: Letter, number: int, nomic: str) -> None:
    """A copy, *letter*, of a letter that joins or leaves came through another nomic's forum: it does so there too."""
    cause = f"letter {number}"
    if not who or not any(e.comes_of("letter", number) and isinstance(e.event, PartyJoined | PartyLeft | Refused)
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
    """Make *who* a party in *nomic* from *at* on (NC 1c, NC 1h), unless they are one already."""
    if who not in work.contest.parties.get(nomic, ()):
        work.add(PartyJoined(who, nomic), at, ("NC 1c",), cause)
        silence.remind_members(work, cause)


def leave(work: Work, who: str, nomic: str, why: str, cause: str = "command", at: int | None = None) -> bool:
    """Make *who* no party in *nomic* from *at* on (NC 1c); return whether they were one."""
    if who not in work.contest.parties.get(nomic, ()):
        return False
    work.add(PartyLeft(who, nomic, why), at, ("NC 1c",), cause)
    return True


def _leave_by_word(work: Work, who: str, nomic: str, cause: str, at: int) -> bool:
    """Make *who* leave *nomic* by a letter of *at*; return whether that is new."""
    return leave(work, who, nomic, BY_EIR_WORD, cause, at) or backdate_departure(work, who, nomic, cause, at)


def remove(
    work: Work, who: str, nomics: Sequence[str], why: str, cause: str = "command", at: int | None = None
) -> None:
    """Remove *who* from *nomics* from *at* on, and, if they are a party nowhere, from the session.

    What was sent or is due until then is done first (D-A4).
    """
    before = _in_no_nomic(work, who)
    for nomic in nomics:
        leave(work, who, nomic, why, cause, at)
    moment = work.now if at is None else at
    work.catch_up(moment)
    if _in_no_nomic(work, who) and not before:
        leave_session(work, who, why, moment, cause)


def _in_no_nomic(work: Work, who: str) -> bool:
    """Return whether *who* plays in the session and is a party nowhere any more (D-N11)."""
    game = work.contest.running
    return game is not None and who in game.seats and not any(
        who in names for names in work.contest.parties.values())


def _leave_session(work: Work, who: str, letter: Letter, number: int, text: str, place: int = 0) -> None:
    """Schedule *who*'s leaving the session at their letter's place, if they are a party nowhere any more (D-A4)."""
    waiting = [(n, d.instant) for n, d in work.contest.pending.items() if (d.who, d.verb) == (who, LEAVE)]
    for waits, instant in waiting:
        if (left := left_at(work, who)) < instant:
            work.add(DeedMoved(waits, left), cites=("D-N9",), cause=f"letter {number}")
    if not waiting and _in_no_nomic(work, who):
        schedule_departure(work, who, letter, number, text, place)


def _alias(work: Work, who: str, deed: Deed, cause: str) -> None:
    """Give *who* one more name, unless it is or looks like somebody else's."""
    person = work.contest.persons.get(who)
    name = deed.words.strip()
    if person is None or not name:
        return
    same = name.casefold() in {n.casefold() for n in _names(work.contest, who)}
    if why := f"{name} is somebody else's name." if same else _name_fault(work.contest, name, who):
        work.add(Refused(0, who, deed.verb, deed.text, why), cites=("NC 3",), cause=cause)
        return
    aliases = tuple(dict.fromkeys((*person.aliases, name)))
    work.add(PersonKnown(who, person.addresses, aliases), cause=cause)
    work.add(DeedDone(0, who, deed.says, f"You are also known as {name}."), cause=cause)


ZONES, LISTED = ("D-A21",), ("D-A22",)


def choose_zone(work: Work, who: str, name: str, cause: str) -> str:
    """Record that *who* wants times in the zone called *name*, too, and return its name ('': UTC alone).

    `Refusal` for a name that no zone has, with those that are near it, and if that is so already.
    """
    zone = "" if name.strip().casefold() in UTC_NAMES else known_zone(name)
    if zone is None:
        raise Refusal(f"No time zone is called {name[:60]}. Zones are named by a city, like Europe/Berlin.", ZONES,
                      near_zones(name))
    if zone == work.contest.law.zones.get(who, ""):
        raise Refusal(f"Times are in {zone or 'UTC alone'} already.", ZONES)
    work.add(ZoneChosen(who, zone), cites=ZONES, cause=cause)
    return zone


def timezone(work: Work, who: str, words: str, cause: str) -> None:
    """Show times in the zone that *words* name in letters to *who*; `Refusal` as by `choose_zone`."""
    zone = choose_zone(work, who, words, cause)
    note = (f'Your letters give times in UTC, and at the end also in {zone}. "timezone: UTC" ends it.' if zone
            else "Your letters give times in UTC alone.")
    work.add(DeedDone(0, who, f"timezone: {zone or 'UTC'}", note), cause=cause)


def choose_listing(work: Work, who: str, cause: str, *, listed: bool) -> None:
    """Leave *who* out of the statistics, or take them in again; `Refusal` if that is so already."""
    if listed == (who not in work.contest.law.unlisted):
        raise Refusal(f"{who} is {'in' if listed else 'left out of'} the statistics already.", LISTED)
    work.add(StatisticsChosen(who, listed), cites=LISTED, cause=cause)


def statistics(work: Work, who: str, words: str, cause: str) -> None:
    """Leave *who* out of the statistics by their own word (``off``), or take them in again; `Refusal` as above."""
    listed = words != "off"
    choose_listing(work, who, cause, listed=listed)
    note = ("The statistics list you again." if listed else
            'The statistics no longer list you. What you did in games is still shown. "statistics: on" takes it back.')
    work.add(DeedDone(0, who, f"statistics: {words}", note), cause=cause)
