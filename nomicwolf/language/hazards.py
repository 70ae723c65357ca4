"""What talk does to a deed beside it, in its sentence and in the sentences around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from nomicwolf.language.around_sentence import ABOVE, AROUND, NEXT
from nomicwolf.language.clauses import Clause
from nomicwolf.language.lexicon import Sense
from nomicwolf.language.parts import Talk
from nomicwolf.language.situation import Situation
from nomicwolf.language.talk_features import (
    DYING,
    EXPLAINING,
    HARMLESS,
    LEFT_OVER,
    NOT_WHOLE,
    TIME,
    Beside,
    Deed,
    Hazard,
    Row,
)
from nomicwolf.language.within_sentence import ANYWHERE, BEFORE, BEHIND
from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act
from nomicwolf.village.ballots import Ballot, Fact, For, If
from nomicwolf.village.resolution import walk

_APART = frozenset({"until", "till", "because", "since"})
"""Words behind which another clause begins, that is about somebody else's doings."""
_THINGS = frozenset({"it", "this", "that", "these", "those", "which"})
_PREDICATE = 8
"""Words between a subject and its verb, at most."""


def deed_of(clause: Clause) -> Deed:
    """Return what talk beside *clause* may belong to."""
    skeleton = clause.skeleton
    if skeleton is None:
        return Deed()
    ballot = skeleton.ballot
    names = {each for each in skeleton.targets if isinstance(each, str)} | (
        {ballot.whom} if isinstance(ballot, For) else set()
    )
    whole_party = skeleton.rule == "party" and any(word.sense("COMMUNITY") for word in clause.said)
    filled = whole_party or bool(
        ballot or skeleton.targets or skeleton.act or skeleton.rule in {"tell", "asked", "undone", "unvote"}
    )
    mine = skeleton.subject is not None and skeleton.subject.terminal == "I"
    wished = any(word.terminal == "LIKE" for word in skeleton.auxiliaries)
    frame = "unvote" if skeleton.rule == "unvote" else skeleton.frame
    return Deed(frame, filled, frozenset(names), mine, mine or bool(skeleton.mine), wished)


def hazard(talk: Talk, deed: Deed, *, before: bool, private: bool) -> Hazard | None:
    """Return what *talk* does to the *deed* beside it in its sentence, *before* which it stands or not.

    None for what is known to be harmless.
    """
    known = _known([talk], talk.parted, deed, private=private)
    return _first(known, (*ANYWHERE, *(BEFORE if before else BEHIND)))


def is_trifle(danger: Hazard, clause: Clause, passes: bool, talk: Talk) -> bool:
    """Return whether *talk* that was not understood leaves a likely deed as it is: "kill Gus w/ fire", "hold my fire".

    The deed is that of *clause*; *passes* says that it does nothing.
    """
    first, said = talk.words[0], " ".join(word.text for word in clause.said).split()
    if danger is NOT_WHOLE:
        named = any(word.person or word.sense("I", "THEY") for word in talk.words)
        return passes and not (named or (said and said[-1].startswith("any")))
    kept = clause.skeleton is not None and clause.skeleton.rule == "kept_both"
    if danger not in {LEFT_OVER, *({TIME} if kept else ())} or first.terminal == "POSS":
        return False
    if first.sense("HAVE", "BE", "WILL") or any(
        word.sense("NOT", "UNDO", "LET") or word.marks & {"think"} for word in talk.words
    ):
        return False
    if any(word.text in {"a", "an", "before", "after", "until", "once"} for word in talk.words[:2]):
        return False
    return kept or not (passes or any(text.startswith("see") for text in said))


def own_death(talk: Talk) -> bool:
    """Return whether *talk* is the condition of its author's own death, on which a Hunter's shot always hangs."""
    texts = {part for word in talk.words for part in word.text.split()}
    return "i" in texts and texts <= DYING


def beside(
    talk: list[Talk],
    text: str,
    deed: Deed,
    *,
    before: bool,
    asked: bool = False,
    ended: bool = True,
    near: bool = True,
) -> Hazard | None:
    """Return what a whole sentence of *talk* does to a *deed* in the next one, *before* which it is, or behind it."""
    if not talk:
        return None
    parted = "COLON" if text.endswith(":") else talk[0].parted
    near = near or parted == "COLON"
    known = replace(_known(talk, parted, deed, private=False), asked=asked, ended=ended, above=before, near=near)
    return _first(known, (*AROUND, *((ABOVE if before else NEXT) if near else ())))


def is_aside(talk: Talk) -> bool:
    """Return whether a whole sentence of *talk* is a condition with its own consequence, and names nobody."""
    known = _known([talk], "", Deed(), private=True)
    return known.has_consequence and not known.named


def _first(known: Beside, rows: Sequence[Row]) -> Hazard | None:
    return next((row.hazard for row in rows if row.fits(known)), None)


def _known(talk: list[Talk], parted: str, deed: Deed, *, private: bool) -> Beside:
    words = [word for each in talk for word in each.words]
    persons = [word.person for word in words if word.person is not None and "official" not in word.marks]
    return Beside(
        words,
        frozenset(mark for each in talk for mark in each.marks),
        frozenset(part for word in words for part in word.text.split()),
        talk[0].joint,
        talk[0].before,
        parted,
        talk[0].attached,
        bool(persons),
        private,
        deed.frame,
        deed.filled,
        frozenset(name for person in persons for name in person.names) - deed.names,
        mine=deed.mine,
        own=deed.own,
        wished=deed.wished,
    )


def behind_condition(
    parts: Sequence[Clause | Talk], acts: Sequence[tuple[Clause, Sequence[Act]]], text: str
) -> list[Hazard]:
    """Return the doubt about a vote on a condition behind which words stand that may belong to the condition.

    *acts* are those of each clause among the *parts* of a sentence, *text* is the sentence's.
    """
    for part, after in pairwise(parts):
        ballots = [act.ballot for clause, does in acts if clause is part for act in does]
        if not isinstance(after, Talk) or not any(isinstance(ballot, If) for ballot in ballots):
            continue
        assert isinstance(part, Clause)
        near = takewhile(lambda word: word.terminal != "SEMI", after.words)
        told = [word for word in near if not (word.breaks or word.marks & HARMLESS)]
        said = " ".join(text[: part.end].split()).casefold()
        fact = any(said.endswith(last.rpartition(" ")[2].casefold()) for last in map(_last_fact, ballots) if last)
        ends = said.endswith((" is", " isn't", " is not", " are", " does")) or after.words[0].text in {"as", "like"}
        if told and (fact or (after.attached and (ends or after.joint not in EXPLAINING))):
            return [LEFT_OVER]
    return []


def _last_fact(ballot: Ballot | None) -> str:
    """The last fact in words that *ballot* depends on; '' for none."""
    facts = [part.text for part in walk(ballot) if isinstance(part, Fact)] if isinstance(ballot, If) else []
    return facts[-1] if facts else ""


def could_be_deed(talk: Talk, situation: Situation) -> bool:
    """Return whether *talk* speaks of a deed of its author's, and of a person, so that it could be one."""
    if talk.joint in {"reason", "concession", "relative"} or "quoted" in talk.marks:
        return False
    later = [word.terminal for word in talk.words if word.terminal != "I"][:2] == ["AND", "WILL"]
    own = (not later and any(word.terminal in {"I", "MY"} or word.sense("LET") for word in talk.words)) or bool(
        talk.words[0].sense("VOTE", "LABEL", "ENDORSE", "CAST", "UNDO")
    )
    author = (situation.book.people.author,)
    bids = talk.words[0].terminal in {"VOTE", "LABEL", "ENDORSE", "CAST", "UNDO", "STRIKE", "ALONE"}
    near = [word for place, word in enumerate(talk.words) if bids or _own_predicate(talk.words, place)]
    deed = any(_is_deed(sense, situation) for word in near for sense in word.senses)
    own_part = takewhile(lambda word: word.text not in _APART, talk.words)
    whom = any(
        (word.person is not None and word.person.names != author) or (word.sense("HIM", "NOBODY") and word.text != "it")
        for word in own_part
    )
    return own and deed and whom and not talk.marks & {"question", "report"}


def _own_predicate(words: Sequence[Word], place: int) -> bool:
    """Whether the nearest subject before the word *place* is the author's: not "I think they'll go for"."""
    before = reversed(words[max(0, place - _PREDICATE) : place])
    kinds = ("I", "MY", "LET", "THE", "THEY", "YOU")
    subject = next((each for each in before if each.sense(*kinds) and each.text not in _THINGS), None)
    return subject is not None and subject.sense("I", "MY", "LET", "THE") is not None


def _is_deed(sense: Sense, situation: Situation) -> bool:
    """Whether *sense* is the verb or noun of a deed that is done here and now."""
    frame = situation.lexicon.frames.get(sense.frame)
    return (
        frame is not None
        and frame.private == situation.private
        and sense.form in {"", "base", "ing"}
        and (sense.terminal in {"VOTE", "N_VOTE", "LABEL", "ENDORSE", "STRIKE", "MATCH", "POWER"})
    )
