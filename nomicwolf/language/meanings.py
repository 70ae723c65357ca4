"""What a clause does: from its skeleton to acts, a function for each rule of `grammar/clauses.lark`."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from nomicwolf.language.clauses import Clause
from nomicwolf.language.situation import Situation
from nomicwolf.language.skeletons import Skeleton
from nomicwolf.language.values import NOBODY
from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act
from nomicwolf.reading.law_checks import belongs, pointed, unconditional
from nomicwolf.village.ballots import Ballot, Copy, Endorse, FirstOf, For, If, Nobody

Meaning: TypeAlias = tuple[str, tuple[Act, ...]]
"""The frame of a clause, and its acts."""
UNKNOWN = "?"
"""The verb of an act that only says whom."""
UNDO_IT = "undo it"
"""The verb of an act that takes back what the sentence speaks of."""
_TO = re.compile(r"^(?:to|for|against|of|with|from) +", re.IGNORECASE)
_THE = re.compile(r"^(?:the|this|that|my|your|eir) +(?=\w+ )", re.IGNORECASE)
_SWITCHING = frozenset({"reassign", "switch", "change", "move", "swap", "shift"})
_PUBLIC_PERSON = frozenset({"accuse", "second"})
_COURTLY = re.compile(r"\W*(?:your|yer|m'?lud)\b", re.IGNORECASE)
"""What is said behind an objection that is a joke: "I object, your honour!"."""
_POINTERS = frozenset({"this", "that", "it"})
_FORMS = {"object": "object to", "support": "support"}


def meaning(clause: Clause, situation: Situation) -> Meaning | None:
    """Return what *clause* does; None for a clause that does nothing.

    Raise `BallotError` where it can't be done so, such as an objection on a condition.
    """
    skeleton = _skeleton(clause)
    if skeleton.act is not None:
        return skeleton.act.verb, (skeleton.act,)
    return _MEANINGS.get(skeleton.rule, _aimed_clause)(clause, situation)


def _skeleton(clause: Clause) -> Skeleton:
    assert clause.skeleton is not None
    return clause.skeleton


def _vote(ballot: Ballot | None) -> Meaning | None:
    return None if ballot is None else ("vote", (Act("vote", ballot=ballot),))


def _cast(clause: Clause, situation: Situation) -> Meaning | None:
    """``I vote for Gus``."""
    return _vote(_skeleton(clause).ballot)


def _switched(clause: Clause, situation: Situation) -> Meaning | None:
    """``switching to Gus``; other verbs of the kind need the word *vote*, and by night it is the one duty's target."""
    skeleton = _skeleton(clause)
    if situation.private and _only_duty(situation) and isinstance(skeleton.ballot, For):
        return _aimed("choose", skeleton.ballot.whom, situation)
    return _vote(skeleton.ballot) if skeleton.lemma in _SWITCHING else None


def _recast(clause: Clause, situation: Situation) -> Meaning | None:
    """``change it to Gus``: the vote, or by night the one duty's target."""
    ballot = _skeleton(clause).ballot
    if situation.private and _only_duty(situation) and isinstance(ballot, For):
        return _aimed("choose", ballot.whom, situation)
    return _vote(ballot)


def _subject_gets_it(clause: Clause, situation: Situation) -> Meaning | None:
    """``Gus has my vote``, ``Gus is my choice``, ``Gus it is``, ``Gus for me``."""
    skeleton = _skeleton(clause)
    is_choice = skeleton.rule == "has_choice"
    if (skeleton.rule == "from_me" and skeleton.auxiliaries) or (
        is_choice and ([word.terminal for word in skeleton.auxiliaries] != ["BE"] or not situation.private)
    ):
        return None
    person = skeleton.subject.person if skeleton.subject is not None else None
    named = person.name if person is not None and len(person.names) == 1 else clause.meant
    if named and situation.private and skeleton.rule in {"it_is", "has_choice"} and _only_duty(situation):
        return _aimed("choose", named, situation)
    return _vote(For(named)) if named and not situation.private else None


def _on(clause: Clause, situation: Situation) -> Meaning | None:
    """``I'm on Gus``, as one says where votes are counted in wagons."""
    skeleton = _skeleton(clause)
    target = skeleton.targets[0]
    mine = skeleton.subject is not None and skeleton.subject.sense("I") is not None
    is_on = [word.terminal for word in skeleton.auxiliaries] == ["BE"]
    return _vote(For(target)) if mine and is_on and isinstance(target, str) and not situation.private else None


def _given(clause: Clause, situation: Situation) -> Meaning | None:
    """``I give Gus my vote``."""
    target = _skeleton(clause).targets[0]
    return _vote(_ballot_for(target)) if isinstance(target, str) else None


def _no_lynch(clause: Clause, situation: Situation) -> Meaning | None:
    """``no lynch``."""
    return None if situation.private else _vote(Nobody())


def _unvote(clause: Clause, situation: Situation) -> Meaning | None:
    """``I withdraw my vote``; "take my vote for Gus" gives it, unless it is taken "off" or "back"."""
    taken = any(word.sense("TAKE") for word in clause.said)
    gives = taken and not any(word.sense("OUT", "FROM") for word in clause.said)
    return None if gives else ("unvote", (Act("unvote"),))


def _undo_it(clause: Clause, situation: Situation) -> Meaning | None:
    """``I withdraw it``; "drops it" tells what one does with a thing."""
    if _skeleton(clause).form == "third" or any(word.text == "do not count" for word in clause.said):
        return None
    return "unvote", (Act(UNDO_IT),)


def _endorsement(clause: Clause, situation: Situation) -> Meaning | None:
    """``my vote is an endorsement of Bex``."""
    skeleton = _skeleton(clause)
    target = skeleton.targets[-1] if skeleton.targets else None
    return (
        _vote(Endorse(target))
        if "endorse" in skeleton.frames and isinstance(target, str) and (target != NOBODY)
        else None
    )


def _undone(clause: Clause, situation: Situation) -> Meaning | None:
    """``my vote is withdrawn``."""
    skeleton = _skeleton(clause)
    return (
        ("unvote", (Act("unvote"),))
        if (skeleton.mine == "vote" or skeleton.rule == "undone_for") and skeleton.form == "past"
        else None
    )


def _doomed(clause: Clause, situation: Situation) -> Meaning | None:
    """``Gus dies tonight``, ``Cam comes with me``: the deed of an open duty that has that effect."""
    skeleton = _skeleton(clause)
    subject = skeleton.subject
    person = subject.person if subject is not None else None
    nobody = subject is not None and subject.sense("NOBODY") is not None
    if not (nobody or (person is not None and len(person.names) == 1)) or not situation.private:
        return None
    senses = skeleton.verb.senses if skeleton.verb is not None else ()
    frames = [each.frame for each in senses if each.terminal == "FATE" and each.frame in (situation.open or ())]
    return _aimed(frames[0], person.name if person is not None else NOBODY, situation) if frames else None


def _victims_fate(clause: Clause, situation: Situation) -> Meaning | None:
    """``let the victim die``: whoever can heal them doesn't, or does where they are to live."""
    if not situation.private or "heal" not in (situation.open or ()):
        return None
    if any(word.terminal == "NOT" for word in _skeleton(clause).auxiliaries):
        return None
    return "heal", (Act("heal") if _skeleton(clause).frame == "heal" else Act("heal", words=NOBODY),)


def _accompanied(clause: Clause, situation: Situation) -> Meaning | None:
    """``whoever Bex picks, I pick``: an endorsement, and nothing else."""
    skeleton = _skeleton(clause)
    return (
        _vote(skeleton.ballot) if "choose" in skeleton.frames and isinstance(skeleton.ballot, Endorse | Copy) else None
    )


def _taken(clause: Clause, situation: Situation) -> Meaning | None:
    """``I take Gus with me``: a hunter's shot."""
    target = _skeleton(clause).targets[-1]
    return _aimed("shoot", target, situation) if isinstance(target, str) else None


def _gets(clause: Clause, situation: Situation) -> Meaning | None:
    """``Cam gets the poison``: whoever is the subject is aimed at."""
    skeleton = _skeleton(clause)
    person = skeleton.subject.person if skeleton.subject is not None else None
    if person is None or len(person.names) > 1 or not situation.private:
        return None
    return _aimed(skeleton.frames[-1], person.name, situation)


def _to_lynch(clause: Clause, situation: Situation) -> Meaning | None:
    """``I choose Gus for lynching``."""
    skeleton = _skeleton(clause)
    target = skeleton.targets[-1]
    return _vote(_ballot_for(target)) if "choose" in skeleton.frames and isinstance(target, str) else None


def _judge_by(clause: Clause, situation: Situation) -> Meaning | None:
    """``I vote to convict``; other verbs than those of verdicts take no part in it."""
    frame = next((each for each in _skeleton(clause).frames if each in {"guilty", "innocent"}), "")
    return (frame, (Act(frame),)) if frame else None


def _kept(clause: Clause, situation: Situation) -> Meaning | None:
    """``I keep my poison``, ``the poison stays in the cupboard``: it is not used."""
    frame = _skeleton(clause).mine or next(reversed(_skeleton(clause).frames), "")
    known = situation.lexicon.frames.get(frame)
    return _aimed(frame, NOBODY, situation) if known is not None and known.private else None


def _kept_both(clause: Clause, situation: Situation) -> Meaning | None:
    """``I keep both my potions``."""
    return ("pass", (Act("pass"),)) if situation.private else None


def _on_victim(clause: Clause, situation: Situation) -> Meaning | None:
    """``the good one is for the victim``."""
    return ("heal", (Act("heal"),)) if _skeleton(clause).mine == "heal" and situation.private else None


def _used_both(clause: Clause, situation: Situation) -> Meaning | None:
    """``I use both potions``: the clauses that follow say on whom."""
    return None


def _kept_safe(clause: Clause, situation: Situation) -> Meaning | None:
    """``keep Jon safe``: the open duty that protects."""
    target = _skeleton(clause).targets[-1]
    duty = next((verb for verb in ("protect", "guard") if verb in (situation.open or ())), "")
    return _aimed(duty, target, situation) if duty and isinstance(target, str) else None


def _undo_noun(clause: Clause, situation: Situation) -> Meaning | None:
    """``I withdraw my endorsement of Bex``, ``I withdraw my accusation of Gus``."""
    verb = {
        "endorse": "unvote",
        "nominate": "unvote",
        "guilty": "unvote",
        "accuse": "withdraw",
        "second": "withdraw",
    }.get(_skeleton(clause).frame)
    return (verb, (Act(verb),)) if verb else None


def _value(clause: Clause, situation: Situation) -> Meaning | None:
    """``my vote is for Gus``, ``target: Gus``, ``if Bex is voting for Gus, I vote for Gus``."""
    skeleton = _skeleton(clause)
    if skeleton.rule == "value" and not skeleton.mine:
        plain = isinstance(skeleton.ballot, For | Nobody)
        return _vote(skeleton.ballot) if clause.says_vote and not plain and not situation.private else None
    frame = skeleton.mine or skeleton.frame
    if frame == "vote" and situation.private and _only_duty(situation) and not _calls_it_a_vote(clause):
        frame = "choose"
    if frame == "vote":
        return _vote(skeleton.ballot)
    if frame == "second":
        return None
    ballot = skeleton.ballot
    return (
        _aimed(frame, ballot.whom, situation)
        if isinstance(ballot, For)
        else _aimed(frame, NOBODY, situation)
        if isinstance(ballot, Nobody)
        else None
    )


def _calls_it_a_vote(clause: Clause) -> bool:
    """Whether the clause speaks of a vote, and not of a finger or a choice."""
    return any(word.text.startswith(("vot", "ballot")) for word in clause.said)


def _judge(clause: Clause, situation: Situation) -> Meaning | None:
    """``I find Gus guilty``; "I am innocent" is a claim."""
    skeleton = _skeleton(clause)
    if not skeleton.mine and any(word.terminal == "BE" for word in skeleton.auxiliaries):
        return None
    value = skeleton.judgement
    names = tuple(each for each in skeleton.targets if isinstance(each, str) and each != NOBODY)
    if isinstance(value, Act):
        return value.verb, (replace(value, names=names),)
    if isinstance(value, For) and value.whom in {"guilty", "innocent"}:
        return value.whom, (Act(value.whom, names),)
    return ("guilty", (Act("vote", ballot=value),)) if isinstance(value, If | FirstOf | Endorse | Nobody) else None


def _asked(clause: Clause, situation: Situation) -> Meaning | None:
    """``status``, ``show me the votes``."""
    asks = clause.apart and any(word.sense("REQUEST") for word in clause.said)
    if not ((clause.whole or asks) and clause.closed):
        return None
    verb = _skeleton(clause).frame
    return verb, (Act(verb),)


def _alone(clause: Clause, situation: Situation) -> Meaning | None:
    """``I pass``, ``unvote``."""
    frame = _skeleton(clause).frame
    parted = clause.parted and not any(word.sense("NOBODY") for word in clause.said)
    if frame == "pass" and (
        (_skeleton(clause).commanded and not (clause.whole or parted)) or _skeleton(clause).targets
    ):
        return None
    if frame == "pass":
        return (
            (frame, (Act("pass"),))
            if situation.private or (clause.whole and _skeleton(clause).lemma == "pass")
            else None
        )
    if frame == "abstain":
        return ("pass", (Act("pass"),)) if situation.private else _vote(Nobody())
    known = situation.lexicon.frames.get(frame)
    denied = any(word.terminal in {"NOT", "CHOOSE_NOT"} for word in _skeleton(clause).auxiliaries)
    if known is not None and known.private and (denied or NOBODY in _skeleton(clause).targets):
        return frame, (Act(frame, words=NOBODY),)
    return frame, (Act(frame),)


def _party(clause: Clause, situation: Situation) -> Meaning | None:
    """``I join the contract``."""
    frame = _skeleton(clause).frame
    if any(word.person is not None or word.text in {"myself", "ourselves"} for word in clause.said[1:]):
        return None
    said = [word.terminal for word in clause.said]
    if _skeleton(clause).lemma == "play" and not any(word.terminal == "LIKE" for word in _skeleton(clause).auxiliaries):
        return None
    if _skeleton(clause).lemma == "enter" and "COMMUNITY" not in said:
        return None
    elsewhere = "NOMIC" in said and "COMMUNITY" not in said and "IN" not in said
    of_else = "COMMUNITY" not in said and clause.after is not None and _begins_object(clause.after)
    out_of_town = clause.said[-1].text == "town" and said[-2:-1] != ["THE"]
    return (
        None
        if elsewhere or of_else or out_of_town or said[-1:] in (["IN"], ["THE"], ["MY"])
        else (frame, (Act(frame),))
    )


def _begins_object(word: Word) -> bool:
    """Whether *word* begins what somebody joins or leaves, in "I'm in a mood"."""
    return (
        (word.sense("HIM") is not None and word.text != "it")
        or word.terminal in {"THE", "MY"}
        or not (word.text == "under" or word.senses or word.marks or word.text.isdigit() or word.person)
    )


def _second(clause: Clause, situation: Situation) -> Meaning | None:
    """``I second the accusation against Gus``; whoever accused is not named in the act."""
    skeleton = _skeleton(clause)
    names = tuple(each for each in skeleton.targets if isinstance(each, str) and each != NOBODY)
    if skeleton.rule == "second_of":
        return "second", (Act("second", names[1:]),)
    if skeleton.commanded and not names and not clause.whole:
        return None
    return "second", (Act("second", names[-1:]),)


def _pair(clause: Clause, situation: Situation) -> Meaning | None:
    """``I match Ash and Bex``, or what else is done to two."""
    skeleton = _skeleton(clause)
    names, known = tuple(each for each in skeleton.targets if isinstance(each, str)), situation.lexicon.frames
    if skeleton.rule == "bare_pair" and not (clause.whole and situation.open is not None and "match" in situation.open):
        return None
    frames = [skeleton.frame, *skeleton.frames]
    pairs = [each for each in frames if each in known and known[each].takes == "pair"]
    if (
        not pairs
        and skeleton.verb is not None
        and skeleton.verb.sense("STRIKE", "POWER")
        and not ({*frames} & {"choose", "shoot"} and _only_duty(situation) == "match")
    ):
        return None
    verb = pairs[0] if pairs else "match"
    if names == (NOBODY,) and situation.private:
        return verb, (Act(verb, words=NOBODY),)
    return (verb, (Act(verb, names),)) if len(names) == 2 and situation.private else None


def _none_of(clause: Clause, situation: Situation) -> Meaning | None:
    """``no attack tonight``, ``no looking``."""
    if _skeleton(clause).form in {"base", "third", "past"}:
        return None
    return _aimed(_skeleton(clause).frame, NOBODY, situation)


def _bare(clause: Clause, situation: Situation) -> Meaning | None:
    """``heal``, ``I acquit``: verbs that need no name."""
    frame = _frame_of(clause, situation)
    known = situation.lexicon.frames.get(frame)
    after = clause.after
    states = _skeleton(clause).lemma == "know" and any(word.terminal == "DO" for word in _skeleton(clause).auxiliaries)
    if states or (
        _skeleton(clause).form == "ing" and after is not None and not after.marks & {"polite", "joint reason"}
    ):
        return None
    if (
        known is not None
        and known.takes == "person"
        and situation.private
        and any(word.terminal in {"NOT", "CHOOSE_NOT"} for word in _skeleton(clause).auxiliaries)
    ):
        return frame, (Act(frame, words=NOBODY),)
    if known is not None and known.private and not situation.private and not clause.whole:
        return None
    if frame == "heal" and clause.refused:
        return frame, (Act(frame, words=NOBODY),)
    needless = frame == "heal" or (frame in {"guilty", "innocent"} and clause.whole)
    return (frame, (Act(frame),)) if needless else None


def _uncalled(situation: Situation) -> Callable[[str], str]:
    """Return a function that takes from "that Cam" the name of who is called by it."""

    def plain(tail: str) -> str:
        entries = situation.lexicon.entries
        while (last := entries.get(tail.rpartition(" ")[2])) and not last.senses and set(last.marks) <= {"discourse"}:
            tail = tail.rpartition(" ")[0]
        pointer, _, name = tail.rpartition(" ")
        called = pointer.casefold().removeprefix("to ") in _POINTERS and situation.book.names_in(name)
        return pointer if called else tail

    return plain


def _told(clause: Clause, situation: Situation) -> Meaning | None:
    """An objection, support, or what withdraws one: about what its words say, if they are of intents (NC 1c)."""
    skeleton = _skeleton(clause)
    verb = "withdraw" if skeleton.rule == "take_back" else skeleton.frame
    kind = {"object": "OBJECT", "support": "SUPPORT", "resolve": "RESOLVE"}.get(verb, "WITHDRAW")
    before, _, remark = clause.words.partition(",")
    tails = (clause.words.strip(" ,"), *([] if _COURTLY.match(remark) else [before.strip()]))
    about = next((tail for tail in map(_uncalled(situation), tails) if belongs(frozenset({kind}), tail)), None)
    if about is None and verb == "withdraw" and any(word.text.startswith("inten") for word in clause.said):
        about = ""
    if situation.private or about is None:
        return None
    plain = _THE.sub("", _TO.sub("", about))
    if verb == "resolve":
        return verb, (Act(verb, words=pointed(plain)),)
    said = unconditional(pointed(plain), _FORMS.get(verb, "withdraw my objection to"))
    return verb, (Act(verb, words=said),)


def _aimed_clause(clause: Clause, situation: Situation) -> Meaning | None:
    """``I attack Gus``, ``I use my shot on Gus``."""
    skeleton = _skeleton(clause)
    if not skeleton.targets:
        return None
    target = skeleton.targets[-1]
    if skeleton.mine and skeleton.mine not in {"vote", "choose"}:
        return _aimed(skeleton.mine, target, situation) if isinstance(target, str) else None
    by_noun = skeleton.rule in {"use", "use_to", "give", "strike_with"} and skeleton.frames
    frame = skeleton.frames[-1] if by_noun else _frame_of(clause, situation)
    if isinstance(target, Word):
        if target.text == "it" or (target.text == "you" and frame not in _PUBLIC_PERSON):
            return (frame, (Act("heal"),)) if frame == "heal" else None
        if frame == "heal" or not clause.meant:
            return frame, (Act("heal") if frame == "heal" else Act(UNKNOWN, words=target.text),)
        target = clause.meant
    return _aimed(frame, str(target), situation, plain=clause.whole and skeleton.lemma == frame)


def _aimed(frame: str, target: str, situation: Situation, *, plain: bool = False) -> Meaning | None:
    """The act of *frame* at *target*; of what only chooses, that of the one open duty.

    In a forum a deed of private mail is one only where it is *plain*: a letter's whole sentence.
    """
    known = situation.lexicon.frames.get(frame)
    if (known is not None and known.private and not situation.private and not plain) or (
        frame in _PUBLIC_PERSON and target == NOBODY
    ):
        return None
    if frame in {"choose", ""}:
        frame = _only_duty(situation) or "choose"
        known = situation.lexicon.frames.get(frame)
    if frame == "choose" or (known is not None and known.takes == "pair"):
        return "choose", (Act(UNKNOWN, words=target),)
    if frame in {"guilty", "innocent"}:
        return frame, (Act(frame, (target,) if target != NOBODY else ()),)
    return frame, (Act(frame, words=NOBODY) if target == NOBODY else Act(frame, (target,)),)


def _frame_of(clause: Clause, situation: Situation) -> str:
    """The frame of the clause's verb: that of an open duty, else the first."""
    skeleton = _skeleton(clause)
    frames = [each.frame for each in skeleton.verb.senses if each.frame] if skeleton.verb is not None else []
    known = situation.lexicon.frames
    frames = frames or list(skeleton.frames) or [skeleton.frame]
    frames = [each for each in frames if each in known and known[each].private == situation.private] or frames
    if situation.open is None:
        return frames[0]
    duty = _only_duty(situation)
    if duty and "choose" in (*frames, skeleton.frame):
        return duty
    return next((frame for frame in frames if frame in situation.open), frames[0])


def _only_duty(situation: Situation) -> str:
    """The one private verb that is open to the author; '' for none, or several."""
    frames = situation.lexicon.frames
    duties = [verb for verb in sorted(situation.open or ()) if verb in frames and frames[verb].private]
    return duties[0] if len(duties) == 1 else ""


def _ballot_for(name: str) -> Ballot:
    return Nobody() if name == NOBODY else For(name)


_MEANINGS: dict[str, Callable[[Clause, Situation], Meaning | None]] = {
    **dict.fromkeys(("vote", "carried", "cleft", "fronted", "follow", "endorse", "this_vote"), _cast),
    **dict.fromkeys(("has_mine", "has_choice", "it_is", "from_me"), _subject_gets_it),
    **dict.fromkeys(("value", "labelled"), _value),
    **dict.fromkeys(("tell", "take_back"), _told),
    **dict.fromkeys(("second", "second_of"), _second),
    **dict.fromkeys(("pair", "pair_of", "bare_pair"), _pair),
    "switched": _switched,
    "recast": _recast,
    "given": _given,
    "on": _on,
    "endorsement": _endorsement,
    "undone": _undone,
    "undone_for": _undone,
    "doomed": _doomed,
    "taken": _taken,
    "victims_fate": _victims_fate,
    "accompanied": _accompanied,
    "gets": _gets,
    "judge_by": _judge_by,
    "kept": _kept,
    "kept_both": _kept_both,
    "used_both": _used_both,
    "stayed": _kept,
    "on_victim": _on_victim,
    "kept_safe": _kept_safe,
    "to_lynch": _to_lynch,
    "for_me": _judge,
    "no_lynch": _no_lynch,
    "unvote": _unvote,
    "undo_it": _undo_it,
    "undo_power": _undo_noun,
    "judge": _judge,
    "asked": _asked,
    "nothing": _alone,
    "party": _party,
    "none_of": _none_of,
    "bare_none": _none_of,
    "bare": _bare,
}
