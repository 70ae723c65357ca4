"""What a clause does: from its skeleton to acts, a function for each rule of `grammar/clauses.lark`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from nomicwolf.language.clauses import Clause
from nomicwolf.language.lexicon import lexicon
from nomicwolf.language.place import Place
from nomicwolf.language.skeletons import Skeleton
from nomicwolf.language.values import NOBODY
from nomicwolf.language.words import Word
from nomicwolf.reading.acts import Act
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.lawful import belongs, pointed, unconditional
from nomicwolf.village.ballots import Ballot, Endorse, FirstOf, For, If, Nobody

Meaning: TypeAlias = tuple[str, tuple[Act, ...]]
"""The frame of a clause, and its acts."""
UNKNOWN = "?"
"""The verb of an act that only says whom."""
UNDO_IT = "undo it"
"""The verb of an act that takes back what the sentence speaks of."""
_TO = re.compile(r"^(?:to|for|against|of|with|from) +", re.IGNORECASE)
_INTENT = re.compile(r"^(?:the )?intent(?:ion)?s? +(?=\d|to )", re.IGNORECASE)
_SWITCHING = frozenset({"switch", "change", "move", "swap", "shift"})
_HELP = ("how", "what can", "what do", "what should", "what com", "which com", "list", "com")
_PUBLIC_PERSON = frozenset({"accuse", "nominate", "second"})
_FORMS = {"object": "object to", "support": "support"}


def meaning(clause: Clause, place: Place) -> Meaning | None:
    """Return what *clause* does at its *place*; None for a clause that does nothing."""
    skeleton = _skeleton(clause)
    if skeleton.act is not None:
        return skeleton.act.verb, (skeleton.act,)
    return _MEANINGS.get(skeleton.rule, _aimed_clause)(clause, place)


def _skeleton(clause: Clause) -> Skeleton:
    assert clause.skeleton is not None
    return clause.skeleton


def _vote(ballot: Ballot | None) -> Meaning | None:
    return None if ballot is None else ("vote", (Act("vote", ballot=ballot),))


def _cast(clause: Clause, place: Place) -> Meaning | None:
    """``I vote for Gus``."""
    return _vote(_skeleton(clause).ballot)


def _switched(clause: Clause, place: Place) -> Meaning | None:
    """``switching to Gus``; other verbs of the kind need the word *vote*."""
    skeleton = _skeleton(clause)
    return _vote(skeleton.ballot) if skeleton.lemma in _SWITCHING else None


def _subject_gets_it(clause: Clause, place: Place) -> Meaning | None:
    """``Gus has my vote``, ``Gus it is``."""
    skeleton = _skeleton(clause)
    person = skeleton.subject.person if skeleton.subject is not None else None
    return _vote(For(person.name)) if person is not None and len(person.names) == 1 and not place.private else None


def _given(clause: Clause, place: Place) -> Meaning | None:
    """``I give Gus my vote``."""
    target = _skeleton(clause).targets[0]
    return _vote(_ballot_for(target)) if isinstance(target, str) else None


def _no_lynch(clause: Clause, place: Place) -> Meaning | None:
    """``no lynch``."""
    return None if place.private else _vote(Nobody())


def _unvote(clause: Clause, place: Place) -> Meaning | None:
    """``I withdraw my vote``."""
    return "unvote", (Act("unvote"),)


def _undo_it(clause: Clause, place: Place) -> Meaning | None:
    """``I withdraw it``."""
    return "unvote", (Act(UNDO_IT),)


def _undo_noun(clause: Clause, place: Place) -> Meaning | None:
    """``I withdraw my endorsement of Bex``, ``I withdraw my accusation of Gus``."""
    verb = {"endorse": "unvote", "accuse": "withdraw"}.get(_skeleton(clause).frame)
    return (verb, (Act(verb),)) if verb else None


def _value(clause: Clause, place: Place) -> Meaning | None:
    """``my vote is for Gus``, ``target: Gus``, ``if Bex is voting for Gus, I vote for Gus``."""
    skeleton = _skeleton(clause)
    if skeleton.rule == "value" and not skeleton.mine:
        plain = isinstance(skeleton.ballot, For | Nobody)
        return _vote(skeleton.ballot) if clause.says_vote and not plain and not place.private else None
    frame = skeleton.mine or skeleton.frame
    if frame == "vote":
        return _vote(skeleton.ballot)
    ballot = skeleton.ballot
    return _aimed(frame, ballot.whom, place) if isinstance(ballot, For) else _aimed(frame, NOBODY, place) if isinstance(
        ballot, Nobody) else None


def _judge(clause: Clause, place: Place) -> Meaning | None:
    """``I find Gus guilty``; "I am innocent" is a claim."""
    skeleton = _skeleton(clause)
    if not skeleton.mine and any(word.terminal == "BE" for word in skeleton.auxiliaries):
        return None
    value = skeleton.judgement
    if isinstance(value, Act):
        return value.verb, (value,)
    if isinstance(value, For) and value.whom in {"guilty", "innocent"}:
        return value.whom, (Act(value.whom),)
    return ("guilty", (Act("vote", ballot=value),)) if isinstance(value, If | FirstOf | Endorse | Nobody) else None


def _asked(clause: Clause, place: Place) -> Meaning | None:
    """``status``, ``show me the votes``."""
    if not (clause.whole and clause.closed):
        return None
    lemma = _skeleton(clause).lemma
    if lemma.startswith(_HELP):
        return "help", (Act("help"),)
    verb = next((verb for verb in ("help", "status", "history") if verb in lemma), "votes")
    verb = "status" if lemma in {"standings", "state of play"} else verb
    return verb, (Act(verb),)


def _alone(clause: Clause, place: Place) -> Meaning | None:
    """``I pass``, ``unvote``."""
    frame = _skeleton(clause).frame
    if frame == "pass" and _skeleton(clause).commanded and not clause.whole:
        return None
    if frame == "pass":
        return (frame, (Act("pass"),)) if place.private else None
    if frame == "abstain":
        return ("pass", (Act("pass"),)) if place.private else _vote(Nobody())
    return frame, (Act(frame),)


def _party(clause: Clause, place: Place) -> Meaning | None:
    """``I join the contract``."""
    frame = _skeleton(clause).frame
    return frame, (Act(frame),)


def _second(clause: Clause, place: Place) -> Meaning | None:
    """``I second the accusation against Gus``; whoever accused is not named in the act."""
    skeleton = _skeleton(clause)
    names = tuple(each for each in skeleton.targets if isinstance(each, str) and each != NOBODY)
    if skeleton.rule == "second_of":
        return "second", (Act("second", names[1:]),)
    if skeleton.commanded and not names and not clause.whole:
        return None
    return "second", (Act("second", names[-1:]),)


def _pair(clause: Clause, place: Place) -> Meaning | None:
    """``I match Ash and Bex``."""
    names = tuple(each for each in _skeleton(clause).targets if isinstance(each, str))
    return ("match", (Act("match", names),)) if len(names) == 2 and place.private else None


def _none_of(clause: Clause, place: Place) -> Meaning | None:
    """``no attack tonight``."""
    return _aimed(_skeleton(clause).frame, NOBODY, place)


def _bare(clause: Clause, place: Place) -> Meaning | None:
    """``heal``, ``I acquit``: verbs that need no name."""
    frame = _frame_of(clause, place)
    needless = frame == "heal" or (frame in {"guilty", "innocent"} and clause.whole)
    return (frame, (Act(frame),)) if needless else None


def _told(clause: Clause, place: Place) -> Meaning | None:
    """An objection, support, or what withdraws one: about what its words say, if they are of intents (NC 1c)."""
    skeleton = _skeleton(clause)
    verb = "withdraw" if skeleton.rule == "take_back" else skeleton.frame
    kind = {"object": "OBJECT", "support": "SUPPORT"}.get(verb, "WITHDRAW")
    if place.private or not belongs(frozenset({kind}), clause.words, private=False):
        return None
    plain = _TO.sub("", clause.words)
    try:
        said = unconditional(pointed(plain), _FORMS.get(verb, "withdraw my objection to"))
    except BallotError:
        return verb, (Act(UNKNOWN, words=plain),)
    return verb, (Act(verb, words=_INTENT.sub("", said)),)


def _aimed_clause(clause: Clause, place: Place) -> Meaning | None:
    """``I attack Gus``, ``I use my shot on Gus``."""
    skeleton = _skeleton(clause)
    if not skeleton.targets:
        return None
    target = skeleton.targets[-1]
    by_noun = skeleton.rule in {"use", "use_to", "give", "strike_with"} and skeleton.frames
    frame = skeleton.frames[-1] if by_noun else _frame_of(clause, place)
    if isinstance(target, Word):
        return frame, (Act("heal") if frame == "heal" else Act(UNKNOWN, words=target.text),)
    return _aimed(frame, str(target), place)


def _aimed(frame: str, target: str, place: Place) -> Meaning | None:
    """The act of *frame* at *target*; of what only chooses, that of the one open duty."""
    known = lexicon().frames.get(frame)
    if (known is not None and known.private and not place.private) or (frame in _PUBLIC_PERSON and target == NOBODY):
        return None
    frame = _only_duty(place) or frame if frame == "choose" else frame
    if frame == "choose" or (known is not None and known.takes == "pair"):
        return "choose", (Act(UNKNOWN, words=target),)
    if frame in {"guilty", "innocent"}:
        return frame, (Act(frame),)
    return frame, (Act(frame, words=NOBODY) if target == NOBODY else Act(frame, (target,)),)


def _frame_of(clause: Clause, place: Place) -> str:
    """The frame of the clause's verb: that of an open duty, else the first."""
    skeleton = _skeleton(clause)
    frames = [each.frame for each in skeleton.verb.senses if each.frame] if skeleton.verb is not None else []
    frames = frames or list(skeleton.frames) or [skeleton.frame]
    if place.open is None:
        return frames[0]
    duty = _only_duty(place)
    if duty and "choose" in (*frames, skeleton.frame):
        return duty
    return next((frame for frame in frames if frame in place.open), frames[0])


def _only_duty(place: Place) -> str:
    """The one private verb that is open to the author; '' for none, or several."""
    frames = lexicon().frames
    duties = [verb for verb in sorted(place.open or ()) if verb in frames and frames[verb].private]
    return duties[0] if len(duties) == 1 else ""


def _ballot_for(name: str) -> Ballot:
    return Nobody() if name == NOBODY else For(name)


_MEANINGS: dict[str, Callable[[Clause, Place], Meaning | None]] = {
    **dict.fromkeys(("vote", "carried", "recast", "follow", "endorse"), _cast),
    **dict.fromkeys(("has_mine", "it_is"), _subject_gets_it), **dict.fromkeys(("value", "labelled"), _value),
    **dict.fromkeys(("tell", "take_back"), _told), **dict.fromkeys(("second", "second_of"), _second),
    **dict.fromkeys(("pair", "pair_of"), _pair), "switched": _switched, "given": _given, "no_lynch": _no_lynch,
    "unvote": _unvote, "undo_it": _undo_it, "undo_power": _undo_noun, "judge": _judge, "asked": _asked,
    "nothing": _alone, "party": _party, "none_of": _none_of, "bare": _bare,
}
