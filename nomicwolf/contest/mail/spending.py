"""Words and reply tags that a forum has seen are spent: whoever read them there could use them (D-N44).

It doesn't matter who posted them, how, or what became of the letter. A tag is replaced by another one; what waits for
a word has to be written anew, and its author is told so.
"""

from __future__ import annotations

from nomicwolf.contest.addresses import SIDES, asked_by
from nomicwolf.contest.mail.assurance import is_open
from nomicwolf.contest.recognising import known_persons
from nomicwolf.contest.work import Work
from nomicwolf.letters.letter import Letter
from nomicwolf.letters.parts import squeezed
from nomicwolf.nomic.care import AddressConfirmed
from nomicwolf.nomic.events import Refused
from nomicwolf.nomic.proof import Confirmed, ReplyTagSeen
from nomicwolf.reports import address_letters
from nomicwolf.reports.token_letters import reply_tag_of, token_of

SEEN = "A confirmation counts only by private mail, and all have seen this word: write what you want done anew."


def spend(work: Work, letter: Letter, number: int) -> None:
    """Let no word and no tag that *letter*, in entry *number*, shows to a forum be good for anything any more."""
    if not letter.forums:
        return
    contest, cause = work.contest, f"letter {number}"
    for person in known_persons(contest):
        if squeezed(reply_tag_of(contest, person.name)) in letter.shown:
            work.add(ReplyTagSeen(person.name, contest.session), cites=("D-N44",), cause=cause)
    for entry, aside in list(contest.law.aside.items()):
        if is_open(work, aside) and squeezed(token_of(contest.setup, entry, aside)) in letter.shown:
            work.add(Confirmed(entry, "nothing: the word was seen"), cites=("D-N44",), cause=cause)
            _tell(work, aside.who, cause)
    for who in {asked.who: None for asked, _ in contest.law.asked.values()}:
        found = asked_by(contest, who)
        if found and any(squeezed(address_letters.token(contest.setup, *found[:2], side)) in letter.shown
                         for side in SIDES):
            work.add(AddressConfirmed(found[0], "nothing: the word was seen"), cites=("D-N44",), cause=cause)
            _tell(work, who, cause)


def told(work: Work, author: str) -> bool:
    """Return whether *author* is told in this step that a word of eirs is spent."""
    return any(isinstance(e.event, Refused) and (e.event.who, e.event.why) == (author, SEEN) for e in work.entries)


def _tell(work: Work, who: str, cause: str) -> None:
    work.add(Refused(0, who, "confirm", "confirm", SEEN), cites=("D-N44",), cause=cause)
