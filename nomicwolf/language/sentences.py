"""One sentence to deeds: each clause judged, with what stands beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from nomicwolf.language.clauses import Clause, Clauses
from nomicwolf.language.hazards import BIDDING, TWICE, UNREAD, Hazard, Mood, hazard
from nomicwolf.language.law import lawful
from nomicwolf.language.lexicon import Sense, lexicon
from nomicwolf.language.meanings import UNDO_IT, meaning
from nomicwolf.language.mood import features, judged
from nomicwolf.language.parts import Part, Talk, as_talk, merged, parts_of
from nomicwolf.language.place import Place
from nomicwolf.language.values import NOBODY, Values
from nomicwolf.language.words import Word, words_of
from nomicwolf.reading.acts import Act
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.sentences import Sentence
from nomicwolf.village.ballots import For, If

_ASKED = frozenset({"help", "status", "votes", "history", "say", "ask", "check"})


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
    """What a sentence comes to: its parts, and the clauses that were judged."""

    sentence: Sentence
    parts: list[Part]
    judged: list[Judged] = field(default_factory=list)
    hazards: list[Hazard] = field(default_factory=list)
    doubt: Talk | None = None
    words: list[Word] = field(default_factory=list)

    @property
    def replaces(self) -> bool:
        """Whether it begins by taking back what was said before."""
        first = self.parts[0] if self.parts else None
        if not isinstance(first, Talk):
            return False
        corrects = any("joint correction" in word.marks for word in first.words[:3])
        return corrects or (first.words[0].text in {"no", "actually", "edit"} and bool(first.parted))

    @property
    def deeds(self) -> list[Judged]:
        """The clauses that do something."""
        return [each for each in self.judged if each.mood == "does"]


def understand(sentence: Sentence, place: Place, spoken_of: str = "") -> Understood:
    """Return what *sentence* comes to at its *place*; *spoken_of* is the only person named in the one before it."""
    clean = sentence.clean
    words = words_of(clean, place.book)
    values = Values(clean, place.book, place.clock, place.limits)
    clauses = Clauses(words, values, private=place.private, spoken_of=spoken_of)
    found = Understood(sentence, parts_of(clauses), words=words)
    for number, part in enumerate(found.parts):
        if isinstance(part, Clause):
            _place_in(part, words, sentence)
            if (one := _judge(part, place, sentence)) is not None:
                found.judged.append(one)
            else:
                found.parts[number] = as_talk(part, number, found.parts, words)
    found.parts = merged(found.parts)
    _beside(found, place)
    if not found.judged and found.doubt is None and (
            act := lawful(words, clean.text, asked=sentence.asked)) is not None:
        clause = Clause(0, len(words), len(clean.text))
        error = act if isinstance(act, BallotError) else None
        acts = (act,) if isinstance(act, Act) else ()
        found.judged.append(Judged(clause, acts, "ask" if error else "does", "law", "", error))
    return found


def _place_in(clause: Clause, words: list[Word], sentence: Sentence) -> None:
    """Note whether *clause* hangs on a name before it, is all of its sentence, and whether that is closed."""
    skeleton = clause.skeleton
    before = words[clause.first - 1] if clause.first else None
    clause.dangling = skeleton is not None and skeleton.subject is None and bool(skeleton.auxiliaries) and (
        before is not None and (before.person is not None or before.terminal in {"THEY", "YOU"}))
    clause.whole = clause.whole or (clause.first == 0 and all(
        word.marks & {"polite", "discourse"} or word.breaks for word in words[clause.last:]))
    clause.closed = not sentence.text.rstrip().endswith(":")


def _judge(clause: Clause, place: Place, sentence: Sentence) -> Judged | None:
    """Judge *clause* by its features; None for one that is no deed of the language."""
    if clause.skeleton is None:
        return Judged(clause, (), "ask", "unread", "", clause.error)
    meant = meaning(clause, place)
    if meant is None:
        return None
    frame, acts = meant
    if clause.dangling:
        return Judged(clause, (), "talk", "another's deed", "It says what somebody else does.")
    author = (place.book.people.author or "",)
    row = judged(features(clause, frame, author=author, private=place.private, role=place.role))
    mood: Mood = row.mood
    if sentence.exclaimed and frame == "help":
        return Judged(clause, acts, "talk", "cry", "It calls for help, and asks nothing of the contest.")
    if sentence.asked and mood != "talk" and frame not in _ASKED:
        return Judged(clause, acts, "talk", "question", "It is a question.")
    if row.name == "denied choice":
        if any(act.names for act in acts):
            return Judged(clause, acts, "ask", "denied deed", "It says what is not done.")
        acts = tuple(Act(act.verb, words=NOBODY) if act.verb == "heal" else act for act in acts)
    return Judged(clause, acts, mood, row.name, row.reason)


def _beside(found: Understood, place: Place) -> None:
    """Judge the clauses of a sentence again by what stands beside them: all of them, or none."""
    last = max((number for number, part in enumerate(found.parts) if isinstance(part, Clause)), default=-1)
    for number, part in enumerate(found.parts):
        before = number < last
        if not isinstance(part, Talk) or (before and number == 0 and found.replaces):
            continue
        if before and number == 0 and _addressed(part, found.parts[1]):
            found.hazards.append(BIDDING)
        if last >= 0 and (danger := hazard(part, before=before, private=place.private)) is not None:
            found.hazards.append(danger)
        if found.doubt is None and _unread(part, place):
            found.doubt = part
    _settle(found)
    _drop_unvote(found)
    if (spoilt := _spoilt(found)) is not None:
        found.judged = [each if each.mood != "does" else each._replace(
            mood=spoilt.mood, row=spoilt.name, reason=spoilt.reason) for each in found.judged]


def _spoilt(found: Understood) -> Hazard | None:
    """What leaves none of a sentence's deeds: talk beside them, a part that is not understood, a clause in doubt."""
    if found.hazards:
        return found.hazards[0]
    if found.doubt is not None:
        return UNREAD
    acts = [act for each in found.judged if each.mood == "does" for act in each.acts]
    ballots = [act.ballot for act in acts if act.ballot is not None]
    if len(ballots) > 1 and any(isinstance(each, If) for each in ballots):
        return TWICE
    asked = next((each for each in found.judged if each.mood == "ask"), None)
    return Hazard(asked.row, "ask", asked.reason) if asked is not None else None


def _drop_unvote(found: Understood) -> None:
    """Drop "(unvote: Fay)" behind a vote: a new vote replaces the old one by itself."""
    verbs = [each.acts[0].verb if each.acts else "" for each in found.judged]
    if "vote" in verbs and verbs[-1] == "unvote" and found.judged[-1].mood == "does":
        skeleton = found.judged[-1].clause.skeleton
        targets = skeleton.targets if skeleton is not None else ()
        ballots = [act.ballot for each in found.judged for act in each.acts if isinstance(act.ballot, For)]
        if targets and all(ballot.whom not in targets for ballot in ballots):
            found.judged.pop()


def _addressed(talk: Talk, following: Part) -> bool:
    """Whether *talk* calls somebody, and a command follows."""
    calls = all(word.person is not None or word.sense("YOU", "AND") or "polite" in word.marks for word in talk.words)
    return calls and talk.parted == "COMMA" and isinstance(following, Clause) and (
        following.skeleton is not None and following.skeleton.commanded)


def _settle(found: Understood) -> None:
    """Take "I withdraw it" for the vote that the sentence speaks of, and for talk where it speaks of none."""
    for place, each in enumerate(found.judged):
        if each.acts and each.acts[0].verb == UNDO_IT:
            talk = [word for part in found.parts if isinstance(part, Talk) for word in part.words]
            about = any(word.sense("N_VOTE", "VOTE") for word in talk)
            found.judged[place] = each._replace(acts=(Act("unvote"),)) if about else each._replace(acts=(), mood="talk")


def _unread(talk: Talk, place: Place) -> bool:
    """Whether *talk* speaks of a deed of its author's, and of a person, so that it could be one."""
    if talk.joint in {"reason", "concession", "relative"} or "quoted" in talk.marks:
        return False
    own = any(word.terminal in {"I", "MY"} or word.sense("LET") for word in talk.words) or bool(
        talk.words[0].sense("VOTE", "LABEL", "ENDORSE", "CAST", "UNDO"))
    author = (place.book.people.author,)
    deed = any(_is_deed(sense, private=place.private) for word in talk.words for sense in word.senses)
    whom = any((word.person is not None and word.person.names != author) or word.sense("HIM", "NOBODY")
               for word in talk.words)
    return own and deed and whom and not talk.marks & {"question", "report"}


def _is_deed(sense: Sense, *, private: bool) -> bool:
    """Whether *sense* is the verb or noun of a deed that is done here and now."""
    frame = lexicon().frames.get(sense.frame)
    return frame is not None and frame.private == private and sense.form in {"", "base", "ing"} and (
        sense.terminal in {"VOTE", "N_VOTE", "LABEL", "ENDORSE", "STRIKE", "MATCH", "POWER"})
