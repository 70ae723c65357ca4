"""By what a contest recognises letters: its forums, whose word on an author counts, its persons, its own mail."""

from __future__ import annotations

from nomicwolf.letters.identity import Identified, Trust, identify
from nomicwolf.letters.letter import ForumInfo, Letter
from nomicwolf.letters.machine import OwnMarks
from nomicwolf.nomic.persons import Person
from nomicwolf.nomic.setup import Forum, Setup
from nomicwolf.nomic.state import Contest

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


def posted(nomics: tuple[str, ...], letter: Letter) -> tuple[str, ...]:
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
    """Return who wrote *letter*, and how sure that is by what stands in it."""
    return identify(letter, known_persons(contest), trust_of(contest.setup))
