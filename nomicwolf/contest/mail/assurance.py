"""A letter's contest, author and certainty.

Contests that share a mailbox ask the same questions of the same letter, in the same order, and so come to the same
answer: the letter is heard in one of them, and in the others it is a stranger's.

The letter of an announced intent shows from when the intent counts (D-N34). A letter that only pretends to be ours does
nothing, but everyone on the forum has read it, so the contestmaster is told. Our letters that a forum has not sent
back, or that nobody got, are reported once, so that only these go again (NC 1g).

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
from dataclasses import dataclass, replace

from nomicwolf.contest.rosters import SIDES, asked_by
from nomicwolf.contest.step import (
    Command,
    LetterCame,
    Verdict,
    Work,
    author_of,
    forgeries_left,
    known_persons,
    marks_of,
)
from nomicwolf.letters.attribution import authored, own_text
from nomicwolf.letters.compose import is_ours, message_id
from nomicwolf.letters.headers import every
from nomicwolf.letters.identity import (
    Identified,
    addresses_in,
    fold_address,
    hashed,
    is_reply_tag,
    same,
    tag_in,
    written_by,
)
from nomicwolf.letters.letter import Assurance, Bucket, ForumInfo, Letter, Outgoing, Seal, higher, reaches
from nomicwolf.letters.origin import is_own, machine
from nomicwolf.letters.parts import squeezed
from nomicwolf.nomic.events import DeedHeard, LetterHeld, Noted, Refused
from nomicwolf.nomic.law import Confirmed, ReplyTagSeen, SetAside
from nomicwolf.nomic.law_events import AddressConfirmed, IntentAnnounced, IntentPosted, IntentPublished
from nomicwolf.nomic.setup import PRIVATE, Other, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.history import echoing_forums, unseen_letters
from nomicwolf.reports.prose import tag_of
from nomicwolf.reports.sections import address_token, confirmation_token, reply_tag_of
from nomicwolf.reports.views import phase_of
from nomicwolf.village.events import Entry

_LINES = 5
"""Among how many of a letter's first lines one may say which contest it is for."""
_SAID = re.compile(r"(?:for |in |re:? ?)?(?:the )?contest:? +(.{1,60}?)\W*", re.IGNORECASE)
_BRACKETED = re.compile(r"\[([^\[\]]{1,60})\]")


@dataclass(frozen=True, slots=True)
class Route:
    """The contests that a letter may be *for* (ids, sorted), and *why*."""

    contests: tuple[str, ...]
    why: str

    def sure(self) -> bool:
        """Return whether it is for one alone."""
        return len(self.contests) == 1


def names_of(setup: Setup) -> tuple[str, ...]:
    """Return the names of a contest: its id, its name, and the tag in the brackets of its subjects."""
    tags = (f.tag for f in setup.forums if f.tag)
    return tuple(dict.fromkeys(n for n in (setup.contest, setup.name, tag_of(setup), *tags) if n))


def route(contest: Contest, letter: Letter) -> Route:
    """Return which of the contests that read this mailbox *letter* is for; one that says nothing may be several's."""
    setup = contest.setup
    members = tuple(a for p in contest.persons.values() for a in p.addresses)
    seats = tuple(contest.running.seats) if contest.running is not None else ()
    ours = Other(names_of(setup), setup.address, tuple(f.address for f in setup.forums), setup.secret,
                 (*members, *setup.contestmaster_addresses), seats)
    all_ = sorted((ours, *setup.others), key=lambda o: o.names[0])
    for found, why in ((_named_in_text(all_, letter), "it says so"), (_addressed(all_, letter), "by its address"),
                       (_answering(all_, letter), "by what it answers"), (_titled(all_, letter), "by its subject")):
        if len(found) == 1:
            return Route((found[0].names[0],), why)
    return _route_by_knowledge(all_, letter, _author(all_, letter))


def _author(all_: list[Other], letter: Letter) -> str:
    """Return the address of who wrote *letter*, '' if that isn't certain; each contest's list may rewrite From."""
    return written_by(letter, [ForumInfo(o.names[0], o.forums) for o in all_])[1]


def _route_by_knowledge(all_: list[Other], letter: Letter, author: str) -> Route:
    """Return the contests that the forum, the author's address and the names in the text leave."""
    left, why = all_, ""
    text = "\n".join(line for _, line in authored(letter).lines)
    for found, reason in ((_living_there(left, letter), "by its forum"),
                          (_contests_knowing(left, author), "by who knows its author"),
                          (_contests_naming(left, text), "by whom it names")):
        narrowed = [o for o in left if o in found]
        left, why = (narrowed, reason) if narrowed else (left, why)
        if len(left) == 1:
            return Route((left[0].names[0],), why)
    return Route(tuple(o.names[0] for o in left), "nothing in it tells for which contest it is")


def names_itself(setup: Setup, letter: Letter) -> bool:
    """Return whether a line of *letter*'s own text says that it is for this contest: ``contest fair``."""
    lines = [line.strip() for _, line in authored(letter).lines]
    return any(_folded(said[1]) in map(_folded, names_of(setup)) for said in filter(None, map(_SAID.fullmatch, lines)))


def _named_in_text(all_: list[Other], letter: Letter) -> list[Other]:
    """Return the contest that a line of the author's own names: ``contest fair``, ``Contest: The Fair``."""
    own_lines = [line.strip() for _, line in authored(letter).lines if line.strip()][:_LINES]
    for said in filter(None, map(_SAID.fullmatch, own_lines)):
        found = [o for o in all_ if _folded(said[1]) in map(_folded, o.names)]
        if found:
            return found
    return []


def _addressed(all_: list[Other], letter: Letter) -> list[Other]:
    """Return the contests to whose own address it went; the longest address that fits, tags after it allowed."""
    fields = ("To", "Cc") if letter.forums else ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To")
    went = {fold_address(a) for name in fields for value in every(letter.headers, name) for a in addresses_in(value)}
    fits = [(len(o.address), o) for o in all_ if any(_is_address_of(each, fold_address(o.address)) for each in went)]
    longest = max((size for size, _ in fits), default=0)
    return [o for size, o in fits if size == longest]


def _is_address_of(address: str, ours: str) -> bool:
    return address == ours or bool(tag_in(address, ours))


def _answering(all_: list[Other], letter: Letter) -> list[Other]:
    """Return the contest whose letter this one answers: Message-IDs are sealed with a contest's own key."""
    for answered in (letter.in_reply_to, *reversed(letter.references)):
        found = [o for o in all_ if o.secret and answered and is_ours(answered, o.secret)]
        if found:
            return found
    return []


def _titled(all_: list[Other], letter: Letter) -> list[Other]:
    titles = {_folded(title) for title in _BRACKETED.findall(letter.subject)}
    return [o for o in all_ if titles & set(map(_folded, o.names))]


def _living_there(all_: list[Other], letter: Letter) -> list[Other]:
    """Return the contests that live in the forums of a public letter."""
    went = {fold_address(a) for name in ("To", "Cc", "X-BeenThere", "List-Post") for value in
            every(letter.headers, name) for a in addresses_in(value)}
    return [o for o in all_ if went & set(map(fold_address, o.forums))]


def _contests_knowing(all_: list[Other], author: str) -> list[Other]:
    return [o for o in all_ if author and fold_address(author) in map(fold_address, o.members)]


def _contests_naming(left: list[Other], text: str) -> list[Other]:
    """Return the contests in which *text* names a player who plays in none of the others."""
    folded = text.casefold()
    named = [{who.casefold() for who in o.seats
              if re.search(rf"(?<!\w){re.escape(who.casefold())}(?!\w)", folded)} for o in left]
    return [o for i, o in enumerate(left) if named[i] - set().union(*named[:i], *named[i + 1:])]


def _folded(name: str) -> str:
    return " ".join(name.casefold().split())


def for_other_contest(contest: Contest, letter: Letter) -> tuple[Bucket, str, str] | None:
    """Return the bucket of a letter that is for another contest, its author ('') and why; None if it is heard here."""
    setup = contest.setup
    if not setup.others or is_own(letter, marks_of(setup)):
        return None
    if {fold_address(a) for _, a in letter.senders} & {fold_address(o.address) for o in setup.others}:
        return "own", "", "mail of another contest that reads this mailbox"
    if machine(letter):
        return None
    found = route(contest, letter)
    if found.contests[0] == setup.contest:
        return None
    return "stranger", "", f"for another contest, {found.contests[0]}: {found.why}"


def possible_contests(contest: Contest, letter: Letter) -> tuple[str, ...]:
    """Return the contests that *letter* could be for; () if it is for one."""
    found = route(contest, letter) if contest.setup.others else None
    return () if found is None or found.sure() else found.contests


def which_contest_text(contests: tuple[str, ...]) -> str:
    """Return the question which of *contests* is meant."""
    named = " or ".join(f"contest {name}" for name in contests)
    return ("You take part in more than one contest here, and this could be for any of them: nothing was done. Write "
            f"it again, with a line of its own before it: {named}; or answer a letter of the contest that you mean.")


def note_posted(work: Work, letters: Sequence[Outgoing], entries: Sequence[Entry]) -> None:
    """Record which of the *letters* owed for *entries* announces an intent to each forum."""
    told = [e.event.number for e in entries if isinstance(e.event, IntentAnnounced)]
    first = {o.forum: o for o in reversed(letters) if o.kind == "public"}
    for number in told:
        for nomic, letter in first.items():
            begins = _begins(message_id(f"public/{letter.key}", work.contest.setup.secret, "forum"))
            work.add(IntentPosted(number, nomic, begins), cites=("D-N34",), cause="command")


def note_published(work: Work, letter: Letter) -> None:
    """Note the instant at which a forum published an intent, when *letter*, our own, comes through it."""
    stamps = dict(letter.stamps)
    for intent in list(work.contest.law.intents.values()):
        for nomic, begins in intent.posted:
            if nomic in letter.through and begins == _begins(letter.message_id) and nomic not in dict(intent.published):
                at = min(stamps.get(nomic, letter.arrived), letter.arrived)
                work.add(IntentPublished(intent.number, nomic, at), cites=("NC 1g", "D-N34"))


def report_forgery(work: Work, letter: Letter, number: int) -> None:
    """Report to the contestmaster a letter on a forum with the contest's address or mark, but not its seal.

    Not where contests share a mailbox: another one's letters may bear the same address.
    """
    setup, left = work.contest.setup, forgeries_left(work.contest, work.now)
    if not letter.through or setup.others or is_ours(letter.message_id, setup.secret) or left <= 0:
        return
    told = (f"Letter {number} came through {' and '.join(letter.through)} in the contest's name, and nomicwolf did not "
            "send it: if you didn't either, tell the forum so. It did nothing.")
    told += " Of further ones you are told from midnight UTC on." if left == 1 else ""
    work.add(Noted("forged", told), cites=("NC 1g",), cause=f"letter {number}")


def _begins(message: str) -> str:
    return message.strip("<>").partition("@")[0].lower()


UNNAMED, SHOWN = "unnamed", 4
"""Under which topic hosts are noted that `contest.mail_hosts` lacks, and how many notes there are at most."""
_HOST = re.compile(r"[a-z0-9.:_-]{1,80}")


def echo_missing(work: Work, command: Command) -> str:
    """Note each letter in ``letters`` ("NOMIC NUMBER SUBJECT") once, if its forum is one that echoes."""
    echoes = echoing_forums(work.contest)
    for item in command.many("letters"):
        nomic, _, rest = item.partition(" ")
        number, _, subject = rest.partition(" ")
        text = (f"Letter {number} to {nomic}, {subject!r}, was sent a day ago or more and has not come back from the "
                f"forum: look whether the forum has it (moderation, a full mailbox).{_of_intent(work, nomic, subject)}")
        if nomic in echoes and ("echo", text) not in work.contest.noted:
            work.add(Noted("echo", text), cites=("NC 1g",), cause="clock")
    return ""


def only_named(work: Work, command: Command) -> str:
    """Note each letter once that counts as posted by its To or Cc, and that no forum has sent a copy of."""
    for note in unseen_notes(work.contest, work.now):
        work.add(note, cites=("NC 1g",), cause="clock")
    return ""


def unseen_notes(contest: Contest, now: int) -> tuple[Noted, ...]:
    """Return the notes about such letters that weren't made yet."""
    notes = (Noted("unseen", (
        f"Letter {number} from {letter.author} counts as posted to {letter.channel} by its own To or Cc; no copy has "
        "come from that forum for a day. If the forum hasn't got it, nobody else has seen it: you may undo what it did "
        '(`nomicwolf undo`), and assurance.public = "forum" waits for the forum\'s copy. If a copy has come, the '
        "forum's stamp on it isn't believed: contest.mail_hosts, where it is set, has to name every mail server of "
        "yours that such a letter passes."))
        for number, letter in unseen_letters(contest, now))
    return tuple(note for note in notes if (note.topic, note.text) not in contest.noted)


def _of_intent(work: Work, nomic: str, subject: str) -> str:
    """Return what follows where the letter announces an intent: its days don't count yet (D-N34)."""
    for intent in work.contest.law.intents.values():
        if f"Intent {intent.number}:" in subject and nomic not in dict(intent.published):
            return (f" It announces intent {intent.number}, whose days count in {nomic} from when the forum has "
                    "it: if it was lost, announce the intent anew with `nomicwolf intend`.")
    return ""


def note_unnamed(work: Work, letter: Letter) -> None:
    """Note, once for the same hosts, that a forum's stamp isn't believed for hosts above it that are none of ours.

    Whoever invents such hosts could have any number of notes, so a contest has but a few.
    """
    unnamed = {forum: [host for at, host in letter.unnamed if at == forum] for forum, _ in letter.unnamed}
    for forum, hosts in unnamed.items():
        shown = ", ".join(host for host in hosts[:SHOWN] if _HOST.fullmatch(host)) or "a server without a name"
        told = (f"A letter came through {forum} whose forum's stamp isn't believed, for above it stands {shown}, and "
                "contest.mail_hosts does not name that. If it is a mail server of yours, add it there; if not, "
                "somebody has invented the stamp.")
        noted = work.contest.noted
        if (UNNAMED, told) not in noted and sum(topic == UNNAMED for topic, _ in noted) < SHOWN:
            work.add(Noted(UNNAMED, told), cites=("D-N9",))


def note_returned(work: Work, came: LetterCame, verdict: Verdict) -> None:
    """Note once that a letter of ours came back, if it was a machine that says so."""
    told = ("bounce", came.returned)
    if came.returned and verdict.bucket == "machine" and told not in work.contest.noted:
        work.add(Noted("bounce", came.returned), cites=("NC 1g",))


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
"""How much may wait for one person's confirmation: more is held, so that forged letters don't flood them with mail."""


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
    """Return the number of the entry that *author*'s word confirms, 0 if they weren't asked for it."""
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
        if found and any(squeezed(address_token(contest.setup, *found[:2], side)) in letter.shown
                         for side in SIDES):
            work.add(AddressConfirmed(found[0], "nothing: the word was seen"), cites=("D-N44",), cause=cause)
            _tell_spent(work, who, cause)


def was_told_spent(work: Work, author: str) -> bool:
    """Return whether this step tells *author* that their word is spent."""
    return any(isinstance(e.event, Refused) and (e.event.who, e.event.why) == (author, SEEN) for e in work.entries)


def _tell_spent(work: Work, who: str, cause: str) -> None:
    work.add(Refused(0, who, "confirm", "confirm", SEEN), cites=("D-N44",), cause=cause)
