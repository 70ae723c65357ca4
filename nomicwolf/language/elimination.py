"""Letters that name somebody and no deed: where only one thing can be meant, it is likely."""

from __future__ import annotations

from nomicwolf.language.lexicon import Frame, lexicon
from nomicwolf.language.sentence import Understood
from nomicwolf.language.situation import Situation
from nomicwolf.language.values import NOBODY
from nomicwolf.language.words import Word
from nomicwolf.reading.acts import Act, says
from nomicwolf.reading.deeds import Deed, Problem

_DOUBTFUL = frozenset(
    {
        "cancel",
        "report",
        "sample",
        "fiction",
        "hedge",
        "elsewhere",
        "joint condition",
        "joint choice",
        "vague",
    }
)
_NONE = frozenset({"no", "nobody", "none", "nothing", "neither", "not"})
_SIDING = frozenset({"same", "trust", "support"})
"""Words beside a name that make it that of somebody whom one follows."""
_CURIOUS = frozenset({"know", "whether", "wolf", "werewolf", "mafia", "nod", "thumbs", "learn", "side", "alignment"})
"""Words by which somebody asks what a person is."""
_PAST = frozenset({"had", "found", "was", "were", "did", "knew", "saw", "turned", "checked", "asked"})
_LONGEST = 30
_HINT = "say what you do, with its verb and the name, such as “attack NAME” or “see NAME”"


def by_elimination(found: list[Understood], situation: Situation) -> tuple[list[Deed], list[Problem]] | None:
    """Return the deed of a short private letter that names one person, whose author has one duty; or a question.

    In a forum, a letter that is nothing but a name is asked about. None for everything else.
    """
    words = [word for each in found for word in each.words]
    judged = {one.mood for each in found for one in each.judged}
    if not words or len(words) > _LONGEST or judged - {"talk"} or (judged and situation.private):
        return None
    own = {situation.book.people.author, *situation.book.people.others, *_mates(words)}
    named = {name: None for word in words if word.person for name in word.person.names if name not in own}
    if not situation.private:
        return _bare_name(found, words, list(named))
    duties = [
        frame
        for verb in sorted(situation.open or ())
        if (frame := lexicon().frames.get(verb)) and frame.private and frame.takes == "person"
    ]
    if len(duties) != 1:
        return None
    return _of_duty(found, words, list(named), duties[0])


def _mates(words: list[Word]) -> set[str]:
    """Who is named together with the author: "me and Jon talked"."""
    return {
        name
        for first, joint, second in zip(words, words[1:], words[2:], strict=False)
        if joint.sense("AND")
        for one, other in ((first, second), (second, first))
        if one.person is not None and other.sense("I", "ME")
        for name in one.person.names
    }


def _of_duty(
    found: list[Understood],
    words: list[Word],
    named: list[str],
    duty: Frame,
) -> tuple[list[Deed], list[Problem]] | None:
    """What a letter comes to whose author has one *duty*."""
    texts = {word.text for word in words}
    marks = {mark for word in words for mark in word.marks}
    asked = any(each.sentence.asked for each in found)
    if texts & _PAST:
        return None
    first = next((each for each in found if any(word.person for word in each.words)), found[0])
    line, text = first.sentence.line_at(0), first.sentence.written
    curious = duty.name == "see" and (asked or bool(texts & _CURIOUS)) and not any("wait" in text for text in texts)
    doubtful = marks & (_DOUBTFUL - {"joint choice"} if curious else _DOUBTFUL)
    denied = bool(texts & {"not", "no"}) and not curious
    sides = bool(texts & _SIDING) or texts >= {"agree", "with"}
    if len(named) == 1 and not doubtful and not denied and not sides and (curious or not asked):
        act = Act(duty.name, (named[0],))
        if duty.doubt == "likely" or curious:
            return [Deed(line, text, act.verb, says(act), act.names)], []
        return [], [Problem(line, text, "ambiguous", (says(act),), _HINT)]
    if not named and len(words) <= 6 and texts & _NONE and not asked and all(map(_chooses_nobody, words)):
        act = Act(duty.name, words=NOBODY)
        return [Deed(line, text, act.verb, says(act), (), None, act.words)], []
    return ([], [Problem(line, text, "ambiguous", (), _HINT)]) if named and len(words) <= 15 else None


def _chooses_nobody(word: Word) -> bool:
    """Whether *word* is one with which nobody is chosen, or changes nothing beside it."""
    return (
        word.text in _NONE
        or word.breaks
        or bool(word.marks & {"discourse", "force", "polite"})
        or (word.sense("POWER", "ACTION", "FOR", "FROM", "ME", "I", "MY", "THE", "STRIKE") is not None)
    )


def _bare_name(found: list[Understood], words: list[Word], named: list[str]) -> tuple[list[Deed], list[Problem]] | None:
    """The question about a letter in a forum that is hardly more than one name."""
    rest = [word for word in words if not word.person and not word.marks & {"discourse", "force", "polite", "vague"}]
    changed = any("joint correction" in word.marks for word in words)
    if len(named) != 1 or (rest and not changed) or any(each.sentence.asked for each in found):
        return None
    sentence = found[0].sentence
    return [], [
        Problem(
            sentence.line_at(0),
            sentence.written,
            "ambiguous",
            (f"vote {named[0]}",),
            f"if this is meant as a vote, write “vote {named[0]}”",
        )
    ]
