"""One sentence to deeds: each clause judged, with what is beside it."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple

from nomicwolf.language.clauses import Clause, Clauses
from nomicwolf.language.hazards import behind_condition, could_be_deed, deed_of, hazard, is_trifle, own_death
from nomicwolf.language.inquiries import inquiry
from nomicwolf.language.law import lawful
from nomicwolf.language.lexicon import lexicon
from nomicwolf.language.meanings import UNDO_IT, UNKNOWN, Meaning, meaning
from nomicwolf.language.mood import Features, Row, features, judged
from nomicwolf.language.parts import Part, Talk, as_talk, heading, merged, parts_of
from nomicwolf.language.situation import Situation
from nomicwolf.language.talk_features import BIDDING, CHOICE, NOT_WHOLE, SUPPOSING, TWICE, UNREAD, Deed, Hazard, Mood
from nomicwolf.language.values import NOBODY, Values
from nomicwolf.language.words import Word, words_of
from nomicwolf.reading.deeds import Act, BallotError
from nomicwolf.reading.lark_driver import Wording
from nomicwolf.reading.law_checks import on_named
from nomicwolf.reading.sentences import Sentence
from nomicwolf.reading.text import clean as cleaned
from nomicwolf.village.ballots import For, If

_COMMENT = re.compile(r"[\[{]([^\]}]*)[\]}]")
_PROPOSALS = re.compile(r"\b(?:[1-9]\d{2,}|proposals?|referenda?|elections?|cfjs?|judge\w*|office)\b", re.IGNORECASE)
"""What a vote is about that names nobody of the town: proposals and elections of the nomic."""
_POINTS = re.compile(r"Who is |Nobody here is called “(?:his|hers|theirs|eirs)”")
"""How a pronoun is asked about."""
_TAG = 4
"""Words of the longest question that is hung on a sentence: ", happy now?"."""
_TAIL = 12
"""Words behind a clause that are looked at with it."""
_VERDICTS = frozenset({"guilty", "innocent"})
_TAKING_BACK = frozenset({"no", "actually", "edit", "wait"})
_EVERYBODY = frozenset({"people", "folks", "guys", "everyone", "everybody", "all", "town", "y'all"})
_SEVERAL = 2
_REQUESTS = ("leave given", "asked of the contestmaster")
"""Rows by which the contestmaster is asked to do it, as a question or not."""
_ASKED = frozenset({"say", "ask", "check"})
"""Deeds that may be asked for, as any question to the contest may."""


class Judged(NamedTuple):
    """A clause that could be a deed: its *acts*, the *mood* it is in, and the row or hazard that says so."""

    clause: Clause
    acts: tuple[Act, ...]
    mood: Mood
    row: str
    reason: str
    error: BallotError | None = None


@dataclass(slots=True)
class Understood:
    """What a sentence comes to: its parts, and the clauses that were judged.

    It *undoes* what is before it if it says no more than "I retract that".
    """

    sentence: Sentence
    parts: list[Part]
    judged: list[Judged] = field(default_factory=list)
    hazards: list[Hazard] = field(default_factory=list)
    doubt: Talk | None = None
    likely: bool = False
    undoes: bool = False
    only_said: list[Sentence] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)

    @property
    def talk(self) -> Talk:
        """All its words, as talk."""
        words = [word for word in self.words if not word.breaks] or self.words
        first = self.parts[0] if self.parts else None
        apart = any(word.terminal in {"COMMA", "SEMI", "DASH", "COLON"} for word in self.words)
        joint = first.joint if isinstance(first, Talk) else ""
        return Talk(
            words, joint=joint, marks={mark for word in words for mark in word.marks}, parted="COMMA" if apart else ""
        )

    @property
    def replaces(self) -> bool:
        """Whether it begins by taking back what was said before."""
        first = self.parts[0] if self.parts else None
        if not isinstance(first, Talk):
            return False
        corrects = any("joint correction" in word.marks for word in first.words[:3])
        return corrects or (first.words[0].text in _TAKING_BACK and bool(first.parted))

    @property
    def deeds(self) -> list[Judged]:
        """The clauses that do something."""
        return [each for each in self.judged if each.mood == "does"]


def understand(sentence: Sentence, situation: Situation) -> Understood:
    """Return what *sentence* comes to in its *situation*."""
    clean = sentence.clean
    words = words_of(clean, situation.book, situation.lexicon)
    values = Values(
        clean, situation.book, situation.clock, situation.limits, _wording(words, situation), _around(words, situation)
    )
    clauses = Clauses(
        words,
        values,
        lambda clause: _means(clause, situation),
        private=situation.private,
        named=situation.named,
        addressed=situation.addressed,
    )
    found = Understood(sentence, parts_of(clauses), words=words)
    elsewhere = not any(word.person for word in words) and _PROPOSALS.search(sentence.text) is not None
    for number, part in enumerate(found.parts):
        if isinstance(part, Clause):
            _place_in(part, words, sentence)
            aside = part.skeleton is None and (elsewhere or _of_others(words, part, situation))
            if (one := _judge(part, situation, sentence, aside=aside)) is not None:
                found.judged.append(_after(found, number, one, words))
            else:
                found.parts[number] = as_talk(part, number, found.parts, words)
    found.parts = merged(found.parts)
    _beside(found, situation)
    if not found.hazards and any(each.mood == "does" for each in found.judged):
        found.judged = sorted((*found.judged, *_absences(found, clean.text)), key=lambda each: each.clause.first)
    by_law = any("law proxy" in word.marks for word in words) or any("law claim" in word.marks for word in words[:2])
    unread = by_law or all(
        each.row == "unread" or each.mood == "talk" or (each.acts and all(act.verb == UNKNOWN for act in each.acts))
        for each in found.judged
    )
    whole = Clause(0, len(words), len(clean.text))
    if unread and (question := inquiry(words, asked=sentence.asked)) is not None:
        found.judged, found.doubt = [Judged(whole, (question,), "does", "question to the contest", "")], None
    elif unread and (act := lawful(words, clean.text, asked=sentence.asked)) is not None:
        error = act if isinstance(act, BallotError) else None
        acts = (act,) if isinstance(act, Act) else ()
        found.judged, found.doubt = [Judged(whole, acts, "ask" if error else "does", "law", "", error)], None
    return found


def _absences(found: Understood, text: str) -> list[Judged]:
    """What the talk beside a deed does by the law, if it tells of an absence: "..., and I'm away until Friday"."""
    told = [part.words for part in found.parts if isinstance(part, Talk) and part.words[0].sense("AND", "I")]
    absent = [words for words in told if any("away" in word.marks for word in words)]
    acts = [lawful(words, text[words[0].start : words[-1].end], asked=found.sentence.asked) for words in absent]
    clauses = [Clause(found.words.index(words[0]), 0, 0) for words in absent]
    does = zip(clauses, acts, strict=True)
    return [Judged(clause, (act,), "does", "law", "") for clause, act in does if isinstance(act, Act)]


def _around(words: list[Word], situation: Situation) -> str:
    """The only other person that *words* name or, if they name nobody, the letter before them; '' for none."""
    apart = {situation.book.people.author, *situation.book.people.others}
    named = {name for word in words if word.person for name in word.person.names} - apart or situation.named
    return next(iter(named)) if len(named) == 1 else ""


def _of_others(words: list[Word], clause: Clause, situation: Situation) -> bool:
    """Whether *clause*, whose value was not read, is about another's deed, an earlier one, or a deed as a thing."""
    first, before = words[clause.first], words[clause.first - 1] if clause.first else None
    said = words[clause.first : clause.last]
    if (not situation.private and any(word.sense("NOT") for word in said)) or any(word.text == "been" for word in said):
        return True
    after = words[clause.first + 1 : clause.first + 2]
    if (
        first.sense("LET")
        or any(word.sense("I") for word in words[clause.first : clause.last + _TAIL])
        or any(word.sense("N_VOTE") for word in (*after, first) if first.sense("MY", "THIS"))
    ):
        return False
    known = situation.lexicon.frames
    frames = [s.frame for word in words[clause.first : clause.last + 1] for s in word.senses if s.frame in known]
    apart = (
        before is None
        or before.breaks
        or before.sense("AND", "OR")
        or any(mark in {"discourse", "force", "polite"} or mark.startswith("joint ") for mark in before.marks)
    )
    return (
        not apart
        or first.person is not None
        or first.sense("THEY", "YOU", "WE") is not None
        or (not situation.private and first.sense("THE") is not None)
        or (not situation.private and bool(frames) and all(known[frame].private for frame in frames))
        or (first.senses[:1] != () and first.senses[0].form == "past")
    )


def _wording(words: list[Word], situation: Situation) -> Wording:
    """What "as Bex does" means among *words*: some say that a vote is to be followed, others that it is pinned."""
    marks = {mark for word in words for mark in word.marks}
    if ("tracks" in marks) != ("pins" in marks):
        return "track" if "tracks" in marks else "pin"
    return situation.wording


def _after(found: Understood, number: int, one: Judged, words: list[Word]) -> Judged:
    """Let what "and" joins to a clause that is only thought of, and that has no subject, be in the mood of that one."""
    last = found.parts[number - 1] if number else None
    clause = one.clause
    goes_on = clause.skeleton is not None and clause.skeleton.form == "third"
    runs_on = isinstance(last, Clause) and last.last == clause.first
    joined = isinstance(last, Clause) and (
        runs_on or words[clause.first - 1].sense("AND", *(["COMMA"] if goes_on else []))
    )
    subject = clause.skeleton is None or clause.skeleton.subject is not None
    sure = one.mood != "does" and not (goes_on and one.mood == "ask")
    if not joined or subject or not found.judged or found.judged[-1].clause is not last or sure:
        return one
    before = found.judged[-1]
    return (
        one
        if before.mood == "does" or (before.row.startswith("denied") and not runs_on)
        else one._replace(mood=before.mood, row=before.row, reason=before.reason)
    )


def _dangles(clause: Clause, words: list[Word]) -> bool:
    """Whether *clause* hangs on a name before it, ranks a name, or only compares: "as I see it"."""
    skeleton = clause.skeleton
    before = words[clause.first - 1] if clause.first else None
    if skeleton is None or before is None:
        return False
    known = lexicon().frames.get(skeleton.frame)
    if (known is not None and known.private and before.text == "as") or (
        before.terminal == "ARROW" and words[clause.first].person is not None
    ):
        return True
    aside = before.terminal == "OPEN" and skeleton.form == "ing"
    doer = words[clause.first - 2] if aside and clause.first > 1 else before
    hangs = skeleton.subject is None and not skeleton.mine and (aside or bool(skeleton.auxiliaries))
    return hangs and (doer.person is not None or doer.sense("THEY", "YOU", "NOBODY") is not None)


def _place_in(clause: Clause, words: list[Word], sentence: Sentence) -> None:
    """Note whether *clause* depends on a name before it, is all of its sentence, and whether that is closed."""
    skeleton = clause.skeleton
    before = words[clause.first - 1] if clause.first else None
    clause.dangling = _dangles(clause, words)
    clause.whole = clause.whole or all(
        clause.first <= at < clause.last
        or word.marks & {"polite", "discourse", "official"}
        or word.breaks
        or (word.person is not None and at < clause.first)
        for at, word in enumerate(words)
    )
    rest = words[clause.last : clause.last + _TAIL]
    ends = clause.last + _TAIL >= len(words) and all(
        word.breaks or word.marks & {"polite", "discourse"} for word in rest
    )
    clause.apart = ends and (before is None or before.breaks or before.sense("AND") is not None)
    clause.requested = any("polite" in word.marks for word in (*clause.skipped, *rest))
    after = rest[0] if rest else None
    clause.after = after if after is not None and not after.breaks else None
    own = skeleton is not None and skeleton.subject is not None and skeleton.subject.terminal == "I"
    tail = words[clause.last : clause.last + _TAG + 1]
    joined = clause.first > 0 and words[clause.first - 1].terminal == "AND"
    tagged = not joined and 1 < len(tail) <= _TAG and not any(word.person or word.terminal == "AND" for word in tail)
    clause.settled = (after is not None and after.terminal in {"SEMI", "DASH", "COLON"} and own) or (
        after is not None
        and after.terminal == "COMMA"
        and tagged
        and (own or clause.own or (skeleton is not None and skeleton.form == "ing"))
    )
    at = words[clause.first].start
    clause.emote = "*" in sentence.text[max(0, at - 2) : at + 1]
    clause.closed = not sentence.text.rstrip().endswith(":")
    clause.refused = (after is not None and after.text in {"no", "not"}) or (
        after is not None
        and after.terminal in {"COLON", "DASH"}
        and any(word.sense("ALONE", "NO", "NOT", "NOBODY") for word in words[clause.last + 1 : clause.last + 3])
    )


def _means(clause: Clause, situation: Situation) -> bool:
    """Whether *clause* does something, or would but for what its author has to say otherwise."""
    try:
        return meaning(clause, situation) is not None
    except BallotError:
        return True


def _features(clause: Clause, frame: str, situation: Situation) -> Features:
    """The features of *clause* as a deed of *frame*."""
    author = (situation.book.people.author or "",)
    closed = situation.open is not None and frame not in situation.open
    return features(
        clause,
        frame,
        author=author,
        private=situation.private,
        role=situation.role,
        closed=closed,
        words=situation.lexicon,
    )


def _row(clause: Clause, frame: str, situation: Situation) -> Row:
    """The row of the mood table that fits *clause* as a deed of *frame*."""
    return judged(_features(clause, frame, situation))


def features_of(clause: Clause, situation: Situation) -> tuple[str, ...]:
    """Return the features of *clause* that are not as usual: "agent: author", "form: past", "negated"."""
    if clause.skeleton is None or not clause.skeleton.frame:
        return ()
    known = asdict(_features(clause, clause.skeleton.frame, situation))
    return tuple(name if value is True else f"{name}: {value}" for name, value in known.items() if value)


def _meant_by(clause: Clause, situation: Situation, sentence: Sentence) -> Meaning | Judged | None:
    """What *clause* does; what its author has to say otherwise, unless that is talk; None for no deed."""
    try:
        return meaning(clause, situation)
    except BallotError as error:
        row = _row(clause, clause.skeleton.frame if clause.skeleton is not None else "", situation)
        talk = row.mood == "talk" or sentence.asked
        return Judged(clause, (), "talk" if talk else "ask", row.name, row.reason, error.as_value())


def _judge(clause: Clause, situation: Situation, sentence: Sentence, *, aside: bool) -> Judged | None:
    """Judge *clause* by its features; None for one that is no deed of the language.

    *aside* says that it is about what else a nomic votes on, or not its author's.
    """
    if clause.skeleton is None:
        return Judged(clause, (), "talk" if aside else "ask", "unread", "", clause.error)
    meant = _meant_by(clause, situation, sentence)
    if meant is None or isinstance(meant, Judged):
        return meant
    frame, acts = meant
    acts = tuple(on_named(act, sentence.clean.text[: clause.said[0].start] if clause.said else "") for act in acts)
    if clause.dangling:
        return Judged(clause, (), "talk", "another's deed", "It says what somebody else does.")
    row = _row(clause, frame, situation)
    requested = row.name in _REQUESTS
    mood = "talk" if row.name == _REQUESTS[1] and not (sentence.asked or clause.requested) else row.mood
    if sentence.exclaimed and frame == "help" and not clause.whole:
        return Judged(clause, acts, "talk", "cry", "It calls for help, and asks nothing of the contest.")
    if (
        sentence.asked
        and frame == "join"
        and row.mood != "ask"
        and clause.skeleton.subject is not None
        and clause.skeleton.subject.terminal == "I"
    ):
        return Judged(clause, acts, "ask", "question", "It is a question.")
    if sentence.asked and mood != "talk" and not _may_be_asked(frame, situation) and not (clause.settled or requested):
        return Judged(clause, acts, "talk", "question", "It is a question.")
    no_longer = any(word.text == "no longer" for word in clause.skeleton.auxiliaries) or (
        clause.after is not None and "ended" in clause.after.marks
    )
    if row.name == "denied deed" and no_longer and frame in {"vote", "object", "support", "join"}:
        undone = {"vote": Act("unvote"), "join": Act("leave")}
        acts = (undone.get(frame) or Act("withdraw", words=acts[0].words),)
        return Judged(clause, acts, "does", "no longer", "")
    if row.name == "denied choice":
        if any(act.names for act in acts):
            return Judged(clause, acts, "ask", "denied deed", "It says what is not done.")
        acts = tuple(Act(act.verb, words=NOBODY) if act.verb == "heal" else act for act in acts)
    return Judged(clause, acts, mood, row.name, row.reason)


def _may_be_asked(verb: str, situation: Situation) -> bool:
    frame = situation.lexicon.frames.get(verb)
    return verb in _ASKED or (frame is not None and frame.question)


def _beside(found: Understood, situation: Situation) -> None:
    """Judge the clauses of a sentence again by what is beside them: all of them, or none."""
    last = max((number for number, part in enumerate(found.parts) if isinstance(part, Clause)), default=-1)
    likely = found.likely = _likely(found, situation)
    for number, part in enumerate(found.parts):
        before = number < last
        if not isinstance(part, Talk) or (before and found.replaces and (number == 0 or _takes_back(part))):
            continue
        if before and number == 0 and _addressed(found, situation):
            found.hazards.append(BIDDING)
        danger = _danger(found, number, situation, before=before)
        if danger is not None and not (likely and is_trifle(danger, *_first_deed(found), part)):
            found.hazards.append(danger)
        if found.doubt is None and could_be_deed(part, situation):
            found.doubt = part
    found.hazards += _calls_all(found)
    found.hazards += behind_condition(
        found.parts, [(each.clause, each.acts) for each in found.judged], found.sentence.text
    )
    if last >= 0:
        for comment in _comments_of(found.sentence, situation):
            if (danger := hazard(comment, Deed(), before=False, private=situation.private)) is not None:
                found.hazards.append(danger)
    _settle(found)
    _drop_unvote(found)
    _drop_pointing(found)
    if (spoilt := _spoilt(found, len(situation.open or ()))) is not None:
        found.judged = [
            each
            if each.mood != "does"
            else each._replace(mood="talk" if _bids(each) else spoilt.mood, row=spoilt.name, reason=spoilt.reason)
            for each in found.judged
        ]


def _likely(found: Understood, situation: Situation) -> bool:
    """Whether all that a sentence does can be changed until the night ends, and is receipted as it was understood."""
    acts = [act for each in found.judged if each.mood == "does" for act in each.acts]
    known = [situation.lexicon.frames.get(act.verb) for act in acts]
    duties = situation.private and situation.open is not None and bool(acts)
    return duties and all(each and each.private and each.doubt == "likely" for each in known)


def _first_deed(found: Understood) -> tuple[Clause, bool]:
    """The first clause that does something, and whether any passes."""
    return found.deeds[0].clause, any(act.verb == "pass" for each in found.judged for act in each.acts)


def _calls_all(found: Understood) -> list[Hazard]:
    """The doubt about a command that is followed by a call to everybody: "vote Gus, people!"."""
    last = max((number for number, part in enumerate(found.parts) if isinstance(part, Clause)), default=-1)
    after = found.parts[last + 1 : last + 2] if last >= 0 else []
    before = found.parts[last] if after else None
    if not isinstance(before, Clause) or before.skeleton is None or before.own:
        return []
    calls = all(
        word.text in _EVERYBODY or word.breaks for part in after if isinstance(part, Talk) for word in part.words
    )
    bids = before.skeleton.commanded and before.skeleton.form != "ing"
    return [BIDDING._replace(mood="ask")] if calls and bids else []


def _bids(each: Judged) -> bool:
    """Whether others are bidden to join something or to leave: "Join our club of investors!"."""
    skeleton = each.clause.skeleton
    return skeleton is not None and skeleton.commanded and each.acts[0].verb in {"join", "leave"}


def _takes_back(talk: Talk) -> bool:
    """Whether *talk* only takes back what was said before: "no", "wait"."""
    return all(word.text in _TAKING_BACK or word.marks & {"discourse"} for word in talk.words)


def _danger(found: Understood, number: int, situation: Situation, *, before: bool) -> Hazard | None:
    """What the talk *parts[number]* does to the deed nearest to it, *before* which it stands or not."""
    parts = found.parts
    following = parts[number + 1 :] if before else parts[number - 1 :: -1] if number else []
    nearest = next((each for each in following if isinstance(each, Clause) and each.skeleton is not None), None)
    talk = parts[number]
    only_told = any(each.clause is nearest and each.mood == "talk" for each in found.judged)
    if (
        nearest is None
        or not isinstance(talk, Talk)
        or (only_told and talk.joint != "condition" and talk.words[0].text not in SUPPOSING)
    ):
        return None
    after = parts[number + 1] if number + 1 < len(parts) else None
    if talk.joint == "addition" and len(talk.words) == 1 and isinstance(after, Talk):
        return None
    if any("joint condition" in word.marks for word in talk.words[:2]) and (
        talk.parted == "COMMA" and isinstance(after, Talk)
    ):
        talk = replace(talk, words=talk.words + after.words)
    if before and talk.parted == "COLON":
        talk = heading(parts[: number + 1])
    deed = deed_of(nearest)
    if deed.frame in {"choose", *(situation.open or ())} and "shoot" in (situation.open or ()) and own_death(talk):
        return None
    return hazard(talk, deed, before=before, private=situation.private)


def _spoilt(found: Understood, duties: int) -> Hazard | None:
    """What leaves none of a sentence's deeds: talk beside them, a part that is not understood, a clause in doubt.

    Two verdicts in one sentence are none (D-M20). Who has several *duties* can pass with one and use another.
    """
    if found.hazards:
        return found.hazards[0]
    if found.doubt is not None and not found.likely:
        return UNREAD
    acts = [act for each in found.judged if each.mood == "does" for act in each.acts]
    ballots = [act.ballot for act in acts if act.ballot is not None]
    verdicts = {act.verb for act in acts} & _VERDICTS
    if any(_of_another(found, number) for number in range(len(found.judged))):
        return CHOICE
    if any(_runs_on(one, after) for one, after in pairwise(found.judged)):
        return NOT_WHOLE
    if duties < _SEVERAL and any(act.verb == "pass" for act in acts) and any(act.names for act in acts):
        return CHOICE
    if len(verdicts) > 1:
        return Hazard("two verdicts", "ask", "If this is your verdict, write “guilty” or “innocent”.")
    if len(dict.fromkeys(ballots)) > 1:
        return TWICE
    asked = next(
        (each for each in found.judged if each.mood == "ask" and not (each.acts and set(each.acts) <= set(acts))), None
    )
    return Hazard(asked.row, "ask", asked.reason) if asked is not None else None


def _runs_on(one: Judged, after: Judged) -> bool:
    """Whether what follows without a mark may belong to a condition, be a verdict, or tell what is seen."""
    ballots = [act.ballot for act in one.acts if act.ballot is not None]
    hangs = any(isinstance(ballot, If) for ballot in ballots) or any(act.verb == "see" for act in one.acts)
    hangs = hangs or (bool(ballots) and any(act.verb in _VERDICTS for act in after.acts))
    return hangs and one.clause.last == after.clause.first


def _of_another(found: Understood, number: int) -> bool:
    """Whether the judged clause *number* says how somebody else votes, with but a comma between it and a deed."""
    one = found.judged[number]
    near = [found.judged[place] for place in (number - 1, number + 1) if 0 <= place < len(found.judged)]
    if (
        one.row != "another's deed"
        or one.clause.skeleton is None
        or one.clause.skeleton.frame not in {"vote", "second", "choose"}
        or any(
            "joint relative" in word.marks for word in found.words[max(0, one.clause.first - 1) : one.clause.first + 1]
        )
    ):
        return False
    later = max(number, 1)
    apart = found.words[found.judged[later].clause.first - 1] if len(found.judged) > later else None
    differ = any(
        each.clause.skeleton is not None and each.clause.skeleton.frame == one.clause.skeleton.frame == "choose"
        for each in near
    )
    parting = apart is not None and (apart.terminal == "COMMA" or (differ and apart.sense("AND") is not None))
    return parting and any(each.mood == "does" for each in near)


def _drop_unvote(found: Understood) -> None:
    """Drop "(unvote: Fay)" behind a vote: a new vote replaces the old one by itself."""
    verbs = [each.acts[0].verb if each.acts else "" for each in found.judged]
    if "vote" in verbs and verbs[-1] == "unvote" and found.judged[-1].mood == "does":
        skeleton = found.judged[-1].clause.skeleton
        targets = skeleton.targets if skeleton is not None else ()
        ballots = [act.ballot for each in found.judged for act in each.acts if isinstance(act.ballot, For)]
        if targets and all(ballot.whom not in targets for ballot in ballots):
            found.judged.pop()


def _drop_pointing(found: Understood) -> None:
    """Take what is done to a pronoun for talk beside a deed: "I vote for Gus, putting em at L-1"."""
    done = any(each.mood == "does" and all(act.verb != UNKNOWN for act in each.acts) for each in found.judged)
    for place, each in enumerate(found.judged):
        unknown = each.error is not None and _POINTS.match(each.error.message) is not None
        if done and (unknown or (each.acts and all(act.verb == UNKNOWN for act in each.acts))):
            found.judged[place] = each._replace(mood="talk")


def _comments_of(sentence: Sentence, situation: Situation) -> list[Talk]:
    """What is in square or curly brackets before and behind a sentence, which its words lack."""
    found = []
    for match in _COMMENT.finditer(sentence.commented):
        words = words_of(cleaned(match[1]), situation.book, situation.lexicon)
        if words and match[1] not in sentence.text:
            found.append(Talk(words, "OPEN", marks={mark for word in words for mark in word.marks}, parted="CLOSE"))
    return found


def _addressed(found: Understood, situation: Situation) -> bool:
    """Whether a sentence calls others than the contestmaster, and a command follows that is not about one's own."""
    first = next(number for number, part in enumerate(found.parts) if isinstance(part, Clause))
    clause = found.parts[first]
    called = [word for part in found.parts[:first] if isinstance(part, Talk) for word in part.words]
    calls = all(
        word.person is not None or word.sense("YOU", "AND") or word.marks & {"polite", "discourse"} for word in called
    )
    others = any(
        word.sense("YOU") or (word.person is not None and word.person.names[0] not in situation.book.people.others)
        for word in called
    )
    return (
        calls
        and others
        and isinstance(clause, Clause)
        and not clause.own
        and (clause.skeleton is not None and clause.skeleton.commanded and clause.skeleton.form != "ing")
    )


def _settle(found: Understood) -> None:
    """Take "I withdraw it" for the vote that the sentence speaks of, and for talk where it speaks of none."""
    for place, each in enumerate(found.judged):
        if each.acts and each.acts[0].verb == UNDO_IT:
            talk = [word for part in found.parts if isinstance(part, Talk) for word in part.words]
            about = any(word.sense("N_VOTE", "VOTE") for word in talk)
            found.undoes = not about and each.mood == "does"
            found.judged[place] = each._replace(acts=(Act("unvote"),)) if about else each._replace(acts=(), mood="talk")
