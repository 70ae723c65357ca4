"""The channels of letters and deeds, and their daily caps.

NC 1g: “Whatever is said about the contract belongs in a forum of every nomic where it is in force”.

A letter's acts take effect at an instant that depends on the channel (D-N9).
"""

from __future__ import annotations

from functools import cache
from itertools import chain

from nomicwolf.contest.step import Work
from nomicwolf.letters.identity import Identified, Trust, fold_address, identify, vouched
from nomicwolf.letters.letter import ForumInfo, Letter
from nomicwolf.letters.origin import OwnMarks, answerable
from nomicwolf.nomic.caps import LOUD, NOBODY, OVER, spent_today
from nomicwolf.nomic.events import Noted, Refused
from nomicwolf.nomic.setup import DAY, PRIVATE, Forum, Setup
from nomicwolf.nomic.state import Contest, Person
from nomicwolf.village.day_replay import effective as stamped_by
from nomicwolf.village.game import Game
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Duty

DISCUSSION = "discussion"


def forums_of(setup: Setup) -> tuple[ForumInfo, ...]:
    """Return each nomic's forum under the nomic's name, and all discussion forums as one, ``discussion``."""
    talk = tuple(f.discussion for f in setup.forums if f.discussion)
    public = tuple(_info(f) for f in setup.forums)
    return (*public, ForumInfo(DISCUSSION, talk)) if talk else public


def _info(forum: Forum) -> ForumInfo:
    ids = (forum.list_id,) if forum.list_id else ()
    hosts = (forum.received_by,) if forum.received_by else ()
    return ForumInfo(forum.nomic, (forum.address,), ids, hosts)


def forums_reached(nomics: tuple[str, ...], letter: Letter) -> tuple[str, ...]:
    """Return the nomics whose forum this copy of *letter* came through; of a copy through no list, those it names.

    One letter to two forums comes once through each, unless the mailbox keeps one copy only (NC 1g, CFJ 2800).
    """
    through = tuple(n for n in nomics if n in letter.through)
    return through or tuple(n for n in nomics if n in letter.forums)


def trust_of(setup: Setup) -> Trust:
    """Return whose word on a letter's author counts."""
    return Trust(setup.authserv_ids, setup.forum_authserv_ids, forums_of(setup), setup.stamps_prove)


def marks_of(setup: Setup) -> OwnMarks:
    """Return what the contest's own mail is known by."""
    return OwnMarks(setup.secret, (setup.address,), setup.contest)


def known_persons(contest: Contest) -> tuple[Person, ...]:
    """Return everyone whose letters are heard: the persons of the roster, and the contestmaster."""
    setup, persons = contest.setup, contest.persons
    master = persons.get(setup.contestmaster)
    others = tuple(p for name, p in persons.items() if name != setup.contestmaster)
    addresses = tuple(dict.fromkeys((*setup.contestmaster_addresses, *(master.addresses if master else ()))))
    return (*others, Person(setup.contestmaster, addresses)) if addresses else others


def author_of(contest: Contest, letter: Letter) -> Identified:
    """Return who wrote *letter*, and how sure that is."""
    return identify(letter, known_persons(contest), trust_of(contest.setup))


def channel_of(contest: Contest, letter: Letter) -> str:
    """Return where *letter* was sent: the first nomic whose forum has it, else ``discussion`` or ``contestmaster``."""
    public = forums_reached(contest.setup.nomics, letter)
    return public[0] if public else DISCUSSION if DISCUSSION in letter.forums else PRIVATE


def effective_at(contest: Contest, letter: Letter) -> int:
    """Return the instant at which what *letter* does takes effect (D-N9, D-V10).

    It is never later than the letter arrived, but where a nomic takes the sender's date as it is.
    """
    forums = map(contest.setup.forum, forums_reached(contest.setup.nomics, letter))
    return min((effective_in_forum(forum, letter) for forum in forums if forum is not None), default=letter.arrived)


def effective_in_forum(forum: Forum, letter: Letter) -> int:
    """Return the instant of *letter*, which came through *forum*, by the clock that its nomic has chosen (D-V10)."""
    stamp = min(dict(letter.stamps).get(forum.nomic, letter.arrived), letter.arrived)
    return stamped_by(letter.sent if letter.sent is not None else stamp, stamp, forum.instant)


LAW = ("object", "withdraw", "support", "intend", "resolve", "claim")
"""Verbs about actions without member objection and awards; they belong in a forum."""
KILLS = ("attack", "shoot")
"""Verbs that anyone may use for what eir role kills by."""
DEAD = "You are dead, and the dead take no part."
SPOKEN = ("accuse", "second")
"""Verbs of games in which somebody is accused in a forum before a vote on em."""
BALLOTS = ("vote", "unvote", "guilty", "innocent", "nominate")


def public_verbs(rules: Ruleset) -> frozenset[str]:
    """Return the verbs that *rules* has done in a forum."""
    verbs = frozenset(d.verb for d in _duties(rules) if d.public)
    return verbs | frozenset(BALLOTS) if "vote" in verbs else verbs


def duty_verb(verb: str) -> str:
    """Return the verb of the duty that *verb* is done by: everything that is a ballot is a vote."""
    return "vote" if verb in BALLOTS else verb


def can_do(rules: Ruleset, game: Game, identify: str, verb: str) -> bool:
    """Return whether *who* can do *verb* now, by the right way: a killed Hunter can still shoot (NC 7c)."""
    return any(d.verb == duty_verb(verb) for d in rules.duties(game, identify))


def _duties(rules: Ruleset) -> tuple[Duty, ...]:
    return tuple(chain(*(law.duties for law in rules.laws), *(role.duties for role in rules.roles.values())))


def no_accusations(rules: Ruleset, verb: str) -> str:
    """Return why *verb* does nothing where nobody is accused before a vote; '' in other games, and for other verbs."""
    if verb not in SPOKEN or verb in public_verbs(rules):
        return ""
    return f"There are no accusations in {rules.title}, only votes."


def wrong_channel(rules: Ruleset, verb: str, channel: str, nomics: tuple[str, ...]) -> str:
    """Return why a deed can't be done by this way, '' if it can."""
    if channel != PRIVATE and (why := no_accusations(rules, verb)):
        return why
    if verb in LAW or verb in public_verbs(rules):
        if channel in nomics:
            return ""
        if channel == "discussion":
            return ("The discussion forum is not public, so this does not count. Post it to the forum itself: your own "
                    "letter, sent on to it with TTttPF above, counts from then.")
        return ("This does not count by private mail: post it to the list. If you post it to the forum, everyone can "
                "see it.")
    if channel == PRIVATE:
        return ""
    return (
        "Nothing was done: what belongs in private mail was posted where others can read it. Write to the "
        "contestmaster's address alone."
    )


CITES = ("D-N47",)


def cap_exceeded(work: Work, author: str, letter: Letter, deeds: int = 0) -> str:
    """Return why *letter*, *author*'s, with so many *deeds* is more than the day has on which it came; '' if not.

    The contestmaster has no caps.
    """
    contest = work.contest
    caps, spent = contest.setup.caps, spent_today(contest.spent, author, min(letter.arrived, work.now))
    if author == contest.setup.contestmaster:
        return ""
    if not deeds and caps.letters and spent.letters >= caps.letters:
        return _cap_text(caps.letters, "letters")
    if deeds and caps.deeds and spent.deeds + deeds > caps.deeds:
        return _cap_text(caps.deeds, "deeds")
    return ""


@cache
def _cap_text(most: int, what: str) -> str:
    """Return why a letter is held that is one too many: one text for all of a flood, of which each letter keeps it."""
    return f"{OVER}{most} {what} a day"


def report_flood(work: Work, author: str, at: int, why: str, number: int) -> None:
    """Tell *author* of the first of eir letters that is held for a flood, and the contestmaster; later ones quietly."""
    if spent_today(work.contest.spent, author, min(at, work.now)).over > 1:
        return
    told = (f"Your letter is {why}: it waits for the contestmaster, and so does whatever else you write that is above "
            "it, until midnight UTC. You are told so only once.")
    work.add(Refused(0, author, "", "", told), cites=CITES, cause=f"letter {number}")
    work.add(Noted("flood", f"{author}'s letter {number} is {why}: it is held, and so are further ones today. The sum "
                            "follows at midnight UTC."), cites=CITES, cause=f"letter {number}")


def is_quiet(contest: Contest, at: int) -> bool:
    """Return whether so many letters that are nobody's for certain were held today that one more is told in the sum."""
    return spent_today(contest.spent, NOBODY, at).over > LOUD


def newcomers_left(contest: Contest, at: int) -> int:
    """Return of how many more strangers who seem to want to join the contestmaster is told today."""
    return LOUD - spent_today(contest.spent, NOBODY, at).newcomers


def forgeries_left(contest: Contest, at: int) -> int:
    """Return of how many more letters in the contest's own name the contestmaster is told today."""
    return LOUD - spent_today(contest.spent, NOBODY, at).forgeries


def may_answer(contest: Contest, letter: Letter, address: str, at: int) -> bool:
    """Return whether *letter*, a stranger's, may be answered at *address*: once a day, and only so many strangers.

    Nobody is answered who may not have written it (RFC 3834 2, D-A17), and no machine is.
    """
    told = spent_today(contest.spent, NOBODY, at).strangers
    return (fold_address(address) not in told and len(told) < LOUD and vouched(letter, address, trust_of(contest.setup))
            and answerable(letter, marks_of(contest.setup)))


def answers_left(work: Work, letter: Letter, author: str) -> bool:
    """Return whether *author* may be answered once more today, and in this run (RFC 3834 2); say so when that ends."""
    contest = work.contest
    now = spent_today(contest.spent, author, min(letter.arrived, work.now))
    caps, given = contest.setup.caps.answers, max(now.answers, contest.told.to(author))
    full = bool(caps) and given >= caps and author != contest.setup.contestmaster
    if caps and given == caps and full:
        told = f"These were {caps} answers today. What you ask now is answered no more until midnight UTC."
        work.add(Refused(0, author, "", "", told), cites=CITES)
    return answerable(letter, marks_of(contest.setup), [a for _, a in letter.senders] if full else ())


def alarm(contest: Contest) -> tuple[int, str] | None:
    """Return the midnight at which the contestmaster is told how much was held on a day with a flood."""
    days = [s.since for s in contest.spent.values() if s.untold]
    return ((min(days) + 1) * DAY, "digest") if days else None


def strike(work: Work, at: int) -> None:
    """Report the number of letters that were held."""
    told = [f"{who or 'nobody for certain'}: {s.untold}" for who, s in sorted(work.contest.spent.items()) if s.untold]
    work.add(Noted("digest", "Letters that were held above the day's limits, by author: " + "; ".join(told) + ". See "
                             "`nomicwolf held`."), at, CITES, "clock")
