"""Assurance: how certain a letter's author is.

A signed text is good once, for a while, and for the phase that it names: replays are held (D-N45).

An act that doesn't reach its level of assurance is put aside, and one letter to the registered address asks for a
confirmation (D-N44).

Words and reply tags that a forum has seen are spent: whoever read them there could use them (D-N44).

It doesn't matter who posted them, how, or what became of the letter. A tag is replaced by another one; what waits for a
word has to be written anew, and its author is told so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nomicwolf.contest.mail.routing import names_itself
from nomicwolf.contest.rosters import SIDES, asked_by
from nomicwolf.contest.step import Work, author_of, known_persons
from nomicwolf.letters.addresses import hashed, is_reply_tag, same
from nomicwolf.letters.attribution import own_text
from nomicwolf.letters.identity import Identified
from nomicwolf.letters.letter import Assurance, Letter, Seal, higher, reaches
from nomicwolf.letters.parts import squeezed
from nomicwolf.nomic.events import DeedHeard, LetterHeld, Refused
from nomicwolf.nomic.law import Confirmed, ReplyTagSeen, SetAside
from nomicwolf.nomic.law_events import AddressConfirmed
from nomicwolf.nomic.setup import PRIVATE, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports import notices
from nomicwolf.reports.notices import confirmation_token, reply_tag_of
from nomicwolf.reports.views import phase_of

AHEAD = 3600
"""How far in the future a signature may be made by a clock that is wrong, in seconds."""
_PLACE = re.compile(r"\bsession (\d{1,6}), (day|night) (\d{1,6})\b", re.IGNORECASE)


def freshness(contest: Contest, letter: Letter, seal: Seal) -> str:
    """Return why a signed text may be an old one sent again, '' if it is not.

    It must name the present session and phase, or have been signed of late; it never counts in another phase than one
    that it names, and never twice.
    """
    if seal.digest in contest.by_seal:
        return "its signed text came before, in another letter"
    if seal.made > letter.arrived + AHEAD:
        return "its signature is from the future"
    named = _PLACE.search(own_text(letter.body))
    if named is not None:
        game = contest.running
        there = (contest.session, game.phase, game.number) if game is not None else (0, "", 0)
        if (int(named[1]), named[2].lower(), int(named[3])) != there:
            return f"it was signed for {named[0].lower()}, which is not now"
        return ""
    if contest.running is not None and seal.made < contest.running.entries[0].at:
        return "its signature is from before this session, and names no session and phase"
    if letter.arrived - seal.made > 86_400 * contest.setup.signature_days:
        return f"its signature is older than {contest.setup.signature_days} days and names no session and phase"
    return ""


OPEN_AT_ONCE = 5
"""How much may wait for one person's confirmation: more is held, so that forged letters don't flood em with mail."""


OVER = "This was meant for {}, which is over: {} was done."


def identified(contest: Contest, letter: Letter) -> Identified:
    """Return who wrote *letter*, and how certain that is by all that it shows."""
    found = author_of(contest, letter)
    if found.person is None or found.held:
        return found
    name, level, unproven = found.person.name, found.assurance, letter.unproven
    answers = bool(letter.tag) and not letter.forums and is_reply_tag(letter.tag, reply_tag_of(contest, name))
    if answers:
        level = higher(level, "signed")
    seal = letter.seal
    if seal is not None and any(seal.fingerprint == key.fingerprint for key in contest.law.keys.get(name, ())):
        if stale := freshness(contest, letter, seal):
            return Identified(found.person, "none", stale, held=True)
        if answers or names_itself(contest.setup, letter):
            level = "openpgp"
        else:
            unproven = "its signed text does not say for which contest it is"
    if level == found.assurance and not unproven:
        return found
    return replace(found, assurance=level, reason=found.reason or unproven)


def proofs(letter: Letter) -> tuple[str, ...]:
    """Return by what a letter's author is certain, as the record keeps it."""
    seal = (f"openpgp {letter.seal.fingerprint} {letter.seal.made} {letter.seal.digest}",) if letter.seal else ()
    return (*(f"dkim {signer}" for signer in letter.signers), *seal)


def needed_level(setup: Setup, verb: str, channel: str) -> str:
    """Return the level that *verb* needs: its own, or that of all acts that come this way."""
    return setup.assurance.get(verb) or setup.assurance.get("private" if channel == PRIVATE else "public", "from")


def is_enough(setup: Setup, verb: str, channel: str, sure: Assurance) -> bool:
    """Return whether a letter of level *sure* may do *verb*.

    That a forum's server had it proves nothing where anyone can write so: where our own servers aren't known by name.
    """
    proved: Assurance = "from" if sure == "forum" and not setup.stamps_prove else sure
    return reaches(proved, needed_level(setup, verb, channel))


def set_aside(
    work: Work, author: str, number: int, sure: Assurance, deeds: Sequence[DeedHeard], order: tuple[str, ...] = ()
) -> None:
    """Put acts of letter *number* aside until *author* confirms them, or hold the letter if too much waits already."""
    setup, cause = work.contest.setup, f"letter {number}"
    levels = [needed_level(setup, d.verb, d.channel) for d in deeds] or ["confirmed"]
    highest = next(level for level in ("openpgp", "confirmed", "signed", "forum", "from") if level in levels)
    if highest == "openpgp":
        why = "This needs an OpenPGP signature by a key that is registered for you; nothing was done."
        for deed in deeds:
            work.add(Refused(0, author, deed.verb, deed.text, why), cites=("D-N44",), cause=cause)
        return
    phase = phase_of(work.contest)
    if sum(a.who == author and is_open(work, a) for a in work.contest.law.aside.values()) >= OPEN_AT_ONCE:
        work.add(LetterHeld(number, "its author is not certain, and too much waits for eir confirmation already"))
        return
    until = work.now + 3600 * setup.token_hours
    kept = SetAside(number, author, sure, highest, tuple(deeds), order, phase, until, "")
    word = confirmation_token(setup, work.contest.last + 1, kept)
    work.add(replace(kept, token=hashed(word)), cites=("D-N44",), cause=cause)


def is_open(work: Work, aside: SetAside) -> bool:
    """Return whether what was set aside can still be confirmed."""
    return aside.waits(work.now, phase_of(work.contest))


def act_meant_by(work: Work, author: str, words: str) -> int:
    """Return the number of the entry that *author*'s word confirms, 0 if it is none that e was asked for."""
    given = hashed(words)
    mine = [(n, same(aside.token, given)) for n, aside in work.contest.law.aside.items() if aside.who == author]
    return next((number for number, right in mine if right), 0)


def confirm(work: Work, letter: Letter, author: str, number: int, cause: str) -> SetAside | None:
    """Do what was set aside in entry *number*, dated by this letter; return it, None if it is refused."""
    aside, phase = work.contest.law.aside[number], phase_of(work.contest)
    why = ""
    if aside.until < letter.arrived:
        why = "This came too late: the word was good for a time only. Write what you want done anew."
    elif not aside.waits(letter.arrived, phase):
        why = OVER.format(aside.phase, "nothing")
    if why:
        work.add(Refused(0, author, "confirm", "confirm", why), cites=("D-N44",), cause=cause)
        return None
    work.add(Confirmed(number, "token"), cites=("D-N44",), cause=cause)
    still = aside.still(phase)
    queue_deeds(work, still, letter.arrived, letter, "confirmed", cause)
    if len(still) < len(aside.deeds):
        told = OVER.format(aside.phase, "only the question")
        work.add(Refused(0, author, "confirm", "confirm", told), cites=("D-N44",), cause=cause)
    return aside


def queue_deeds(
    work: Work, deeds: Sequence[DeedHeard], instant: int, letter: Letter, sure: Assurance, cause: str
) -> None:
    """Queue *deeds* for *instant*, at which they became certain."""
    for place_, deed in enumerate(deeds):
        key = (letter.arrived, deed.key[1], letter.order, place_)
        work.add(replace(deed, instant=instant, key=key, sure=sure), cites=("D-N44", "D-N9"), cause=cause)


def raise_assurance(work: Work, letter: Letter, number: int, instant: int, sure: Assurance) -> None:
    """Do what was set aside of letter *number* if this copy of it is certain enough."""
    for entry, aside in list(work.contest.law.aside.items()):
        good = all(is_enough(work.contest.setup, d.verb, d.channel, sure) for d in aside.deeds)
        if aside.letter == number and aside.deeds and good and is_open(work, aside):
            work.add(Confirmed(entry, "copy"), cites=("D-N44",), cause=f"letter {number}")
            queue_deeds(work, aside.still(phase_of(work.contest)), instant, letter, sure, f"letter {number}")


SEEN = "A confirmation counts only by private mail, and all have seen this word: write what you want done anew."


def invalidate_tokens(work: Work, letter: Letter, number: int) -> None:
    """Invalidate the words and tags that *letter*, in entry *number*, has shown to a forum."""
    if not letter.forums:
        return
    contest, cause = work.contest, f"letter {number}"
    for person in known_persons(contest):
        if squeezed(reply_tag_of(contest, person.name)) in letter.shown:
            work.add(ReplyTagSeen(person.name, contest.session), cites=("D-N44",), cause=cause)
    for entry, aside in list(contest.law.aside.items()):
        if is_open(work, aside) and squeezed(confirmation_token(contest.setup, entry, aside)) in letter.shown:
            work.add(Confirmed(entry, "nothing: the word was seen"), cites=("D-N44",), cause=cause)
            _tell_spent(work, aside.who, cause)
    for who in {asked.who: None for asked, _ in contest.law.asked.values()}:
        found = asked_by(contest, who)
        if found and any(squeezed(notices.address_token(contest.setup, *found[:2], side)) in letter.shown
                         for side in SIDES):
            work.add(AddressConfirmed(found[0], "nothing: the word was seen"), cites=("D-N44",), cause=cause)
            _tell_spent(work, who, cause)


def was_told_spent(work: Work, author: str) -> bool:
    """Return whether *author* is told in this step that a word of eirs is spent."""
    return any(isinstance(e.event, Refused) and (e.event.who, e.event.why) == (author, SEEN) for e in work.entries)


def _tell_spent(work: Work, who: str, cause: str) -> None:
    work.add(Refused(0, who, "confirm", "confirm", SEEN), cites=("D-N44",), cause=cause)
