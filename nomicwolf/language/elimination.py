"""Letters that name somebody and no deed: where only one thing can be meant, it is likely."""

from __future__ import annotations

from itertools import pairwise

from nomicwolf.language.hazards import is_aside
from nomicwolf.language.lexicon import Frame, lexicon
from nomicwolf.language.meanings import UNKNOWN
from nomicwolf.language.sentence import Understood
from nomicwolf.language.situation import Situation
from nomicwolf.language.talk_features import HARMLESS
from nomicwolf.language.values import NOBODY
from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act, Deed, Problem, says
from nomicwolf.village.ballots import For

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
_EXCLUDING = frozenset({"not", "no", "never", "but", "except", "avoid", "spare"})
_GREETING = frozenset({"see you", "bye", "hi", "hello", "hey", "cheers", "cc", "thanks", "thank you", "ty"})
_AGAINST = frozenset(
    {
        "than",
        "away",
        "forward",
        "against",
        "regret",
        "suspect",
        "dead",
        "results",
        "spare",
        "refuse",
        "poor",
    }
)
"""Words of letters that name somebody without choosing them."""
_STOPPING = frozenset({"stop", "delay", "postpone"})
_ROLES = frozenset({"seer", "witch", "hunter", "cupid", "doctor", "villager", "werewolf", "wolf"})
"""What somebody is said to be, who is not chosen thereby."""
_ADVICE = frozenset({"wise", "should", "allowed"})
"""Words of questions about the game, and not about what a person is."""
_LONGEST = 30
_SHORT = 15
_UNDECIDED = frozenset({"hold on", "hang on", "waiting", "leaning", "leaning to", "leaning towards"})
_TERSE = 8
_CHANGED = frozenset({"changed my mind", "i have changed my mind", "instead"})
_SWITCHING = frozenset({"switch", "change"})
_SETTLING = frozenset({"so", "instead", "must", "settled", "settle", "final", "finally", "ended", "decided", "make"})
"""Words by which the last of several who are named is the choice."""
_HINT = "say what you do, with its verb and the name, such as “attack NAME” or “see NAME”"


def by_elimination(found: list[Understood], situation: Situation) -> tuple[list[Deed], list[Problem]] | None:
    """Return the deed of a short private letter that names one person, whose author has one duty; or a question.

    In a forum, a letter that is nothing but a name is asked about. None for everything else.
    """
    words = [word for each in found for word in each.words]
    judged = {one.mood for each in found for one in each.judged}
    settled = not _only_unread(found, situation) if situation.private else judged - {"talk"}
    if not words or len(words) > _LONGEST or settled:
        return None
    own = {situation.book.people.author, *situation.book.people.others, *_mates(words)}
    named = {name: None for word in words if word.person for name in word.person.names if name not in own}
    if not situation.private:
        return _bare_name(found, words, list(named))
    private = [f for verb in sorted(situation.open or ()) if (f := situation.lexicon.frames.get(verb)) and f.private]
    if [frame.name for frame in private if frame.name != "pass"] == ["match"]:
        return _of_pair(found, words, situation)
    duties = [frame for frame in private if frame.takes == "person"]
    if len(duties) > 1 and not named and _is_nothing(found, words):
        first = found[0].sentence
        return [Deed(first.line_at(0), first.written, "pass", "pass", (), None, "")], []
    if len(duties) != 1:
        return None
    return _of_duty(found, words, list(named), duties[0])


def _only_unread(found: list[Understood], situation: Situation) -> bool:
    """Whether all that could be a deed was not understood, by no verb of a duty, or is done to nobody who is named."""
    duty = any(
        sense.terminal == "STRIKE" and sense.frame in (situation.open or ())
        for each in found
        if any(one.error is not None for one in each.judged)
        for word in each.words
        for sense in word.senses
    )
    return not duty and all(
        one.mood == "ask" and (one.error is not None or all(act.verb == UNKNOWN for act in one.acts))
        for each in found
        for one in each.judged
    )


def _denies(words: list[Word]) -> bool:
    """Whether something else than a name is denied."""
    return any(one.text in {"not", "no"} and two.person is None for one, two in pairwise(words))


def _none_chosen(words: list[Word], named: list[str]) -> bool:
    """Whether all who are *named* are not chosen, or only spoken to: "not Bex", "hi, Bex"."""
    told = [
        word
        for n, word in enumerate(words)
        if not (n and words[n - 1].text in _GREETING and (word.breaks or word.sense("FOR")))
    ]
    whom = [
        (before.text if before is not None else "")
        for before, word in pairwise([None, *told])
        if word is not None and word.person is not None and word.person.names[0] in named
    ]
    return bool(whom) and all(before in _EXCLUDING | _GREETING for before in whom)


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
    marks = {mark for each in found if not is_aside(each.talk) for word in each.words for mark in word.marks}
    asked = any(each.sentence.asked for each in found)
    bare = _only_bare(found)
    if len(named) > 1 and duty.doubt == "likely" and (last := _settled(found, named) or bare) is not None:
        act = Act(duty.name, (last[1],))
        return [Deed(last[0].sentence.line_at(0), last[0].sentence.written, act.verb, says(act), act.names)], []
    if (
        texts & _PAST
        or any(word.text in _UNDECIDED for word in words)
        or (texts & {"result", "results"} and any(text.startswith("thank") for text in texts))
    ):
        return None
    first = next((each for each in found if any(word.person for word in each.words)), found[0])
    line, text = first.sentence.line_at(0), first.sentence.written
    curious = (
        duty.name == "see"
        and (asked or bool(texts & _CURIOUS))
        and not (any("wait" in text for text in texts) or (asked and texts & _ADVICE))
    )
    doubtful = marks & (
        _DOUBTFUL - {"joint choice"} if curious else _DOUBTFUL - ({"vague", "report"} if bare else set())
    )
    denied = _chooses_none(words, named, bare, curious=curious)
    if len(named) == 1 and not doubtful and not denied and (curious or not asked):
        act = Act(duty.name, (bare[1] if bare else named[0],))
        spoken = not texts & {"whether", "question"} and any(
            sense.frame == duty.name for word in words for sense in word.senses
        )
        done = duty.doubt == "likely" or (spoken and len(words) <= _TERSE)
        if curious or (done and not _unread(found, duty)):
            return [Deed(line, text, act.verb, says(act), act.names)], []
        return [], [Problem(line, text, "ambiguous", (says(act),), _HINT)]
    if not named and not asked and _is_nothing(found, words):
        act = Act(duty.name, words=NOBODY)
        return [Deed(line, text, act.verb, says(act), (), None, act.words)], []
    return ([], [Problem(line, text, "ambiguous", (), _HINT)]) if named and len(words) <= 15 else None


def _chooses_none(words: list[Word], named: list[str], bare: tuple[Understood, str] | None, *, curious: bool) -> bool:
    """Whether those who are *named* are not chosen: only greeted, denied, followed, or told what they are."""
    texts = {word.text for word in words}
    sides = bool(texts & _SIDING) or any(
        one.text == "with" and any(word.person for word in words[n + 1 : n + 3]) and "agree" in texts
        for n, one in enumerate(words)
    )
    if _none_chosen(words, named) or sides or words[0].text in _STOPPING:
        return True
    is_role = bare is None and any(
        one.sense("BE") and two.text == "the" and three.text in _ROLES
        for one, two, three in zip(words, words[1:], words[2:], strict=False)
    )
    against = bool(texts & _AGAINST) or _denies(words if bare is None else bare[0].words)
    return not curious and (is_role or against)


def _unread(found: list[Understood], duty: Frame) -> bool:
    """Whether the verb of the *duty* stands in a sentence that was not understood: "cancel the attack on Fay".

    A role's file has few words for its deeds, so that of those this says nothing.
    """
    return lexicon().frames.get(duty.name) == duty and any(
        sense.terminal == "STRIKE" and sense.frame == duty.name
        for each in found
        if each.doubt is not None
        for word in each.words
        for sense in word.senses
    )


def _settled(found: list[Understood], named: list[str]) -> tuple[Understood, str] | None:
    """The sentence in which one of several who are *named* is settled on last, and who: "so Eve it must be"."""
    last = next(each for each in reversed(found) if any(word.person for word in each.words))
    at = next(
        (
            n
            for n in range(len(last.words) - 1, -1, -1)
            if not _SETTLING.isdisjoint(last.words[n].text.split()) and last.words[n].text != "instead of"
        ),
        None,
    )
    if at is None or last.sentence.asked:
        return None
    tail = last.words[at + 1 :]
    if not any(word.person for word in tail):
        before = max((n for n in range(at) if last.words[n].breaks), default=-1)
        tail = last.words[before + 1 :]
    told = [word for word in tail if not (word.breaks or word.marks & HARMLESS)]
    whom = {name for word in tail if word.person for name in word.person.names if name in named}
    marks = {mark for word in tail for mark in word.marks}
    if len(whom) != 1 or len(told) > _TERSE or marks & _DOUBTFUL or any(word.text in _NONE for word in tail):
        return None
    return last, whom.pop()


def _only_bare(found: list[Understood]) -> tuple[Understood, str] | None:
    """The one sentence, or its end behind a mark, that is only a name: "Fay tonight.", "Not Gus, Hal please."."""
    bare = []
    for each in found:
        parts: list[list[Word]] = [[]]
        for before, word in pairwise([None, *each.words]):
            if word is None or (word.text == "not" and parts[-1]) or (word.person and before and before.text == "not"):
                continue
            if word.terminal in {"COLON", "COMMA", "DASH"}:
                parts.append([])
            elif not (word.breaks or word.marks & HARMLESS):
                parts[-1].append(word)
        names = [part[0].person for part in parts if len(part) == 1 and part[0].person]
        last = next((part for part in reversed(parts) if part), [])
        if len(last) == 1 and last[0].person is not None and len(names) == 1 and not each.sentence.asked:
            bare.append((each, last[0].person.names[0]))
    whom = {name for _, name in bare}
    return bare[-1] if len(whom) == 1 else None


def _of_pair(
    found: list[Understood], words: list[Word], situation: Situation
) -> tuple[list[Deed], list[Problem]] | None:
    """The lovers of a letter that names two persons and no more."""
    author = situation.book.people.author
    names = [
        name
        for word in words
        for name in (word.person.names if word.person else (author,) if word.sense("ME") else ())
        if name is not None and name not in situation.book.people.others
    ]
    marks = {mark for word in words for mark in word.marks}
    texts = {word.text for word in words}
    two = list(dict.fromkeys(names))
    if (
        len(two) != 2
        or marks & _DOUBTFUL
        or texts & {"not", "no", *_PAST}
        or words[0].text in _GREETING
        or any(each.sentence.asked for each in found)
    ):
        return None
    first = next(each for each in found if any(word.person for word in each.words)).sentence
    act = Act("match", (two[0], two[1]))
    joined = any(
        after - at <= 6
        and all(
            word.sense("AND", "COMMA") or word.text == "x" or word.marks & {"force", "discourse"}
            for word in words[at + 1 : after]
        )
        for at, after in pairwise(n for n, word in enumerate(words) if word.person or word.sense("ME"))
    )
    if not (joined or any(word.sense("POWER", "PAIRED", "LET") for word in words)):
        return [], [Problem(first.line_at(0), first.written, "ambiguous", (says(act),), _HINT)]
    return [Deed(first.line_at(0), first.written, act.verb, says(act), act.names)], []


def _is_nothing(found: list[Understood], words: list[Word]) -> bool:
    """Whether a letter says that nothing is done: "neither potion", "no patients tonight"."""
    told = [word for word in words if not (word.breaks or word.marks & HARMLESS)]
    texts = {word.text for word in words}
    saves = any(word.sense("KEEP") for word in words) and bool(texts & {"both", "them", "everything"})
    none = bool(texts & _NONE)
    return (saves and len(words) <= _TERSE) or (
        none
        and 1 < len(told) <= 4
        and len(words) <= 8
        and all(_chooses_nobody(word) or not (word.senses or word.marks) for word in told)
    )


def _chooses_nobody(word: Word) -> bool:
    """Whether *word* is one with which nobody is chosen, or changes nothing beside it."""
    return (
        word.text in _NONE
        or word.breaks
        or bool(word.marks & HARMLESS)
        or (word.sense("POWER", "ACTION", "FOR", "FROM", "ME", "I", "MY", "THE", "STRIKE") is not None)
    )


def _closed_with_a_vote(found: list[Understood]) -> Deed | None:
    """The vote that is told as one behind its name: "Kill Cam. That's my vote.", "Jon. Vote."."""
    words = [word for each in found for word in each.words]
    at = next((n for n, word in enumerate(words) if word.sense("CLOSING") or _my_vote(words, n)), None)
    if at is None:
        at = next((n for n, word in enumerate(words) if word.sense("VOTE", "N_VOTE") and _alone(found, word)), None)
    if at is None:
        return None
    close = next(each for each in found if words[at] in each.words)
    before = close.words[: close.words.index(words[at])]
    above = [each for each in reversed(found[: found.index(close)]) if _whom(each.words)]
    last = close if _whom(before) else next((each for each in above if not each.sentence.asked), None)
    if last is None or close.sentence.asked:
        return None
    whom = _whom(before if last is close else last.words)
    if last is not close and any(not _whom(each.words) <= whom for each in above[: above.index(last)]):
        return None
    beside = [*last.words, *(close.words if close is not last else ())]
    if len(whom) != 1 or any(word.marks & _DOUBTFUL and not word.sense("CLOSING") for word in beside):
        return None
    act = Act("vote", ballot=For(whom.pop()))
    return Deed(last.sentence.line_at(0), last.sentence.written, "vote", says(act), (), act.ballot)


def _my_vote(words: list[Word], at: int) -> bool:
    """Whether "my vote" begins at the word *at*, between marks: "quick one: Ivy, my vote."."""
    near = [words[n] if 0 <= n < len(words) else None for n in range(at - 1, at + 3)]
    before, my, vote, after = near
    apart = before is not None and before.breaks and (after is None or after.breaks)
    return bool(apart and my and my.sense("MY") and vote and vote.sense("N_VOTE"))


def _changed_to(found: list[Understood]) -> Deed | None:
    """The vote of who says that they change it, and then only a name: "Switching. Hal.", "changed my mind: Bex"."""
    words = [word for each in found for word in each.words]
    changes = any(word.text in _CHANGED or any(sense.lemma in _SWITCHING for sense in word.senses) for word in words)
    last = _only_bare(found)
    others = any(word.sense("THEY", "YOU", "WE", "WILL", "WOULD") for word in words)
    dropped = [two.person is not None for one, two in pairwise(words) if one.sense("NOT")]
    changes, others = changes or any(dropped), others or not all(dropped)
    if not changes or last is None or others or any(word.marks & (_DOUBTFUL - {"cancel", "vague"}) for word in words):
        return None
    each, name = last
    act = Act("vote", ballot=For(name))
    return Deed(each.sentence.line_at(0), each.sentence.written, "vote", says(act), (), act.ballot)


def _whom(words: list[Word]) -> set[str]:
    """Who is named in *words*, but for those behind a "not"."""
    return {
        name
        for before, word in pairwise([None, *words])
        if word is not None
        and word.person is not None
        and "official" not in word.marks
        and (before is None or before.text not in _NONE)
        for name in word.person.names
    }


def _alone(found: list[Understood], said: Word) -> bool:
    """Whether a sentence is, up to a reason, the word *said*, and what changes nothing beside it."""
    each = next(each for each in found if said in each.words)
    reason = next((n for n, word in enumerate(each.words) if n and "joint reason" in word.marks), len(each.words))
    told = [word for word in each.words[:reason] if not (word.breaks or word.marks & HARMLESS)]
    return told == [said]


def _bare_name(found: list[Understood], words: list[Word], named: list[str]) -> tuple[list[Deed], list[Problem]] | None:
    """The question about a letter in a forum that is hardly more than one name."""
    if (deed := _closed_with_a_vote(found) or _changed_to(found)) is not None:
        return [deed], []
    rest = [
        word
        for word in words
        if not (
            word.person or word.marks & {"discourse", "force", "polite", "vague"} or word.sense("FOR", "FROM", "ME")
        )
    ]
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
