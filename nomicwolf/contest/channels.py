"""The channels by which letters and deeds come.

NC 1g: “Whatever is said about the contract belongs in a forum of every nomic where it is in force”.

A letter's acts take effect at an instant that depends on the channel (D-N9).
"""

from __future__ import annotations

from itertools import chain

from nomicwolf.letters.identity import Identified, Trust, identify
from nomicwolf.letters.letter import ForumInfo, Letter
from nomicwolf.letters.machine import OwnMarks
from nomicwolf.nomic.folds import Person
from nomicwolf.nomic.setup import PRIVATE, Forum, Setup
from nomicwolf.nomic.state import Contest
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
