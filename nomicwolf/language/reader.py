"""A letter's own lines to deeds: sentences understood, and what is around each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import islice, takewhile
from typing import Literal, NamedTuple, TypeAlias

from nomicwolf.language.elimination import by_elimination
from nomicwolf.language.hazards import beside, deed_of
from nomicwolf.language.law import tells_steps
from nomicwolf.language.lexicon import Entry, OwnFrame, lexicon
from nomicwolf.language.meanings import UNKNOWN
from nomicwolf.language.parts import Talk
from nomicwolf.language.sentence import Judged, Understood, features_of, understand
from nomicwolf.language.situation import Situation
from nomicwolf.language.talk_features import ANOTHERS, TIME, Mood
from nomicwolf.language.talk_features import Deed as NearDeed
from nomicwolf.language.whole_letter import capped, deduplicated, one_or_other, passed
from nomicwolf.reading.blocks import in_braces, without_blocks, without_quotations
from nomicwolf.reading.deeds import (
    LIMITS,
    Act,
    BallotError,
    Deed,
    Ignored,
    Limits,
    People,
    Problem,
    Reading,
    refuse_called_conditional,
    refuse_literal,
    says,
)
from nomicwolf.reading.lark_driver import Wording
from nomicwolf.reading.names import book_of
from nomicwolf.reading.sentences import Sentence, sentences
from nomicwolf.reading.times import Clock
from nomicwolf.reading.vocabulary import vocabulary
from nomicwolf.village.game import ATTACK
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Duty

_OF_LAW = frozenset({"law intent", "law claim", "law matter", "law proxy"})
_VOTING = frozenset({"vote", "endorse", "unvote"})
_REPEATED = 5
"""How often a sentence that is said again is looked behind."""
_NEAR = 3
"""Lines within which a sentence is beside another: what is further was left out between them, such as a table."""
_RECALLING = frozenset({"no", "nope", "nvm", "wait", "edit", "ps"})
"""Words with which a sentence goes back to what is above it, wherever that is."""
_PARTY = frozenset({"join", "leave"})
_QUESTIONS = frozenset({"help", "status", "resend"})
_DOUBTS = frozenset({"ambiguous", "not understood", "unknown player"})
_NOTHING = Entry()
Place: TypeAlias = Literal["forum", "contestmaster"]


class Why(NamedTuple):
    """What a sentence, or a clause of it, comes to, by which *row* of the mood table or talk beside it, and why.

    *features* are those of the clause, each as it is called in `nomicwolf.language.mood.Features`.
    """

    line: int
    text: str
    mood: Mood
    row: str
    reason: str
    features: tuple[str, ...] = ()


def read(
    lines: Iterable[tuple[int, str]],
    people: People,
    *,
    to: Place,
    instant: int | None = 0,
    day_began: int | None = None,
    limits: Limits = LIMITS,
    role: str = "",
    open_verbs: frozenset[str] | None = None,
    own: tuple[OwnFrame, ...] = (),
    wording: Wording = "ask",
) -> Reading:
    """Return what the author's own *lines* (number from 1, text) do.

    *to* is where it was sent; *instant* the letter's, None if unknown, and *day_began* that of the day phase, UTC
    seconds. *role* and *open_verbs* are the author's, for private letters, *own* the deeds that
    the session has beside the language's, *wording* what "as Bex does" means in it (D-N6). Never raises on any text.
    """
    book = book_of(people)
    private = to == "contestmaster"
    situation = Situation(book, Clock(instant, day_began), limits, private, role, open_verbs, lexicon(own), wording)
    unquoted, quoted = without_quotations(lines, people.author)
    left, fenced = without_blocks(unquoted, book)
    reading = _read(left, situation)
    if not (reading.deeds or reading.problems):
        reading = _only_fenced(fenced or in_braces(left), situation)
    ignored = tuple(
        Ignored(number, text, "quoted") for number, text in quoted if book.names_in(text) and _speaks_of_votes(text)
    )
    asked = tuple(replace(each, hint=_told(each.hint)) for each in reading.problems)
    deeds = tuple(_as_own(deed, open_verbs or frozenset(), own) for deed in reading.deeds)
    return capped(replace(reading, deeds=deeds, problems=asked, ignored=ignored), limits.deeds)


def _as_own(deed: Deed, open_verbs: frozenset[str], own: tuple[OwnFrame, ...]) -> Deed:
    """Return *deed* as the one of the session's own for which its verb is another word, if that one alone is open."""
    verb = next((f.verb for f in own if f.verb in open_verbs and deed.verb in f.other), "")
    if not verb or deed.verb in open_verbs:
        return deed
    return replace(deed, verb=verb, says=f"{verb}{deed.says.removeprefix(deed.verb)}")


def frames_of(rules: Ruleset, brought: Collection[str]) -> tuple[OwnFrame, ...]:
    """Return the deeds of those roles of *rules* whose texts were *brought*; who hunts does that as all do."""
    duties = [duty for role in rules.roles.values() if role.text in brought for duty in role.duties]
    return tuple(map(frame_of, own_duties(duties)))


def own_duties(duties: Iterable[Duty]) -> list[Duty]:
    """Return those of *duties* that are a role file's own: not talk, and not the pack's."""
    return [duty for duty in duties if not duty.hears and duty.verb != ATTACK]


def frame_of(duty: Duty) -> OwnFrame:
    """Return how a *duty* of a role's file is read: it names one person, two, or only the doer, who is not named."""
    takes = "pair" if duty.arity > 1 else "nothing" if duty.optional else "person"
    return OwnFrame(duty.verb, duty.words, not duty.changeable, takes)


def _only_fenced(lines: list[tuple[int, str]], situation: Situation) -> Reading:
    """Return the question about the first deed of *lines* that may be somebody else's words (D-N50)."""
    deeds = _read(lines, situation).deeds[:1] if lines else ()
    hint = (
        "It stands only in a code block, or set in under a line that tells whose words it is. If the deed is meant, "
        "send it again outside of that, or below “I act as follows:”."
    )
    return Reading(problems=tuple(Problem(d.line, d.text, "quoted only", (d.says,), hint) for d in deeds))


def _read(own: list[tuple[int, str]], situation: Situation) -> Reading:
    """Return what the lines that are an author's *own* do."""
    found = _found(own, situation)
    deeds: list[Deed] = []
    problems: list[Problem] = []
    governed = _governed(found)
    for number, each in enumerate(found):
        if not _replaced(found, number):
            before = len(deeds)
            _add(each, _spoilt(found, number, governed), situation, deeds, problems)
            problems += _only_said(each, situation)
            if problems and (replaced := _replaceable({deed.verb for deed in deeds[before:]}, situation)):
                above = {each.text: each for each in problems}
                moot = {
                    one.sentence.written
                    for one in found[:number]
                    if one.sentence.written in above and _only_does(one, replaced)
                }
                problems = [each for each in problems if not (each.text in moot and each.problem in _DOUBTS)]
    if not deeds and (situation.private or not problems) and (meant := by_elimination(found, situation)) is not None:
        deeds, problems = meant
    deeds = passed(deeds, situation) if situation.private else deeds
    deeds, unsure = one_or_other(deeds)
    problems += unsure
    done = {deed.says for deed in deeds}
    pointed = {each.sentence.written for each in found if _only_points(each, {deed.verb for deed in deeds}, situation)}
    asked = tuple(
        each
        for each in problems
        if not (each.suggestions and done.issuperset(each.suggestions)) and each.text not in pointed
    )
    return Reading(tuple(deduplicated(deeds)), asked)


def _only_points(each: Understood, done: set[str], situation: Situation) -> bool:
    """Whether all that a sentence could do, to a pronoun, is *done* already by name, or is no duty of the author's."""
    if not each.judged or not done:
        return False
    for one in each.judged:
        frame = one.clause.skeleton.frame if one.clause.skeleton is not None else "vote"
        points = (bool(one.acts) and all(act.verb == UNKNOWN for act in one.acts)) or (
            one.error is not None and one.error.message.startswith("Who is ")
        )
        known = lexicon().frames.get(frame)
        private = known is not None and known.private
        duty = situation.open is None or frame in situation.open if situation.private else not private
        if one.mood != "talk" and not (points and (frame in done or not duty)):
            return False
    return True


def _replaceable(verbs: set[str], situation: Situation) -> frozenset[str]:
    """The deeds above that those of *verbs* replace, whatever they were: a vote, or a choice that can be changed."""
    frames = situation.lexicon.frames
    if verbs & _VOTING:
        return _VOTING
    return frozenset(
        verb for verb in verbs if verb in frames and frames[verb].private and frames[verb].doubt == "likely"
    )


def _only_does(each: Understood, verbs: frozenset[str]) -> bool:
    """Whether a sentence, if it does anything, does only what deeds of *verbs* below replace."""
    could = {
        verb
        for one in each.judged
        if one.clause.skeleton is not None
        for verb in ([act.verb for act in one.acts] or [one.clause.skeleton.frame])
    }
    return could <= verbs and not any(mark in _OF_LAW for word in each.words for mark in word.marks)


def _found(own: list[tuple[int, str]], situation: Situation) -> list[Understood]:
    """Return the sentences of an author's *own* lines, but for those that introduce what was left out below them."""
    rows = [row for row in own if not row[1].startswith(">")]
    left_out = {number for number, _ in rows[:-1]} - {number - 1 for number, _ in rows}
    kept = [(number, line) for number, line in rows if not (number in left_out and line.rstrip().endswith(":"))]
    return _understood(list(sentences(kept, situation.book)), situation)


def _spoilt(found: list[Understood], number: int, governed: dict[int, str]) -> str:
    """Why what stands around the sentence *number* leaves no deed of it; '' if it does, as a claim or a question."""
    if _verbs(found[number]) and _verbs(found[number]) <= {"claim", *_QUESTIONS}:
        return ""
    return _taken_back(found, number) or _around(found, number) or governed.get(number, "")


def judgements(
    lines: Iterable[tuple[int, str]],
    people: People,
    *,
    to: Place,
    instant: int | None = 0,
    role: str = "",
    open_verbs: frozenset[str] | None = None,
) -> tuple[Why, ...]:
    """Return for each sentence of the author's own *lines* what it comes to and why; the rest is as for `read`."""
    book = book_of(people)
    situation = Situation(book, Clock(instant, None), LIMITS, to == "contestmaster", role, open_verbs)
    found = _found(without_blocks(without_quotations(lines, people.author)[0], book)[0], situation)
    governed = _governed(found)
    return tuple(
        each for number, one in enumerate(found) for each in _whys(one, _spoilt(found, number, governed), situation)
    )


def _whys(one: Understood, spoilt: str, situation: Situation) -> Iterator[Why]:
    """Yield why each clause of a sentence comes to what it does."""
    line, text = one.sentence.line_at(0), one.sentence.written
    for judged in one.judged:
        known = features_of(judged.clause, situation)
        if judged.mood == "does" and spoilt:
            yield Why(line, text, "ask", "beside", spoilt, known)
        else:
            reason = judged.reason or (judged.error.message if judged.error is not None else "")
            yield Why(line, text, judged.mood, judged.row, reason, known)
    if not one.judged:
        reason = "No clause of it has the verb of a deed, and what that verb needs."
        yield Why(line, text, "ask" if one.doubt is not None and not one.sentence.asked else "talk", "no deed", reason)


def _speaks_of_votes(text: str) -> bool:
    """Whether *text* has a word of voting."""
    entries = lexicon().entries
    return any(
        sense.frame in _VOTING
        for word in text.casefold().split()
        for sense in entries.get(word.strip(".,:;!?\"'*_()[]"), _NOTHING).senses
    )


def _add(each: Understood, spoilt: str, situation: Situation, deeds: list[Deed], problems: list[Problem]) -> None:
    """Add what a sentence does and what its author is asked; *spoilt* is why the sentences beside it leave no deed."""
    written = each.sentence.written if each.judged else ""
    for judged in each.judged:
        one = judged._replace(mood="ask", row="beside", reason=spoilt) if spoilt and judged.mood == "does" else judged
        if one.row == "no longer" and any(deed.verb == "vote" for deed in deeds):
            continue
        if one.mood == "does":
            try:
                deeds += [_deed(each, act, situation) for act in one.acts]
            except BallotError as error:
                one = one._replace(mood="ask", error=error)
        if one.mood == "ask" and not any(problem.text == written for problem in problems):
            problems.append(_problem(each, one))
    if not each.judged and each.doubt is not None and not each.sentence.asked:
        problems.append(
            Problem(
                each.sentence.line_at(0),
                each.sentence.written,
                "ambiguous",
                (),
                "If you mean to do something, say it plainly on a line of its own.",
            )
        )


_GOING_ON = frozenset({"_OTHERWISE", "_IF_NOT", "_BUT_IF", "_OR_IF_NONE", "IN_A_TIE"})
"""Terminals of words.lark by which a ballot goes on in the next sentence."""
_ONLY_IF = ("but only if", "only if", "if and only if", "provided", "as long as", "failing", "alternatively")
_CARRYING = frozenset({"say", "ask", "check", "intend"})


def _understood(waiting: list[Sentence], situation: Situation) -> list[Understood]:
    """Understand the *waiting* sentences: alone, with what goes on behind them, or to the end of their paragraph."""
    found: list[Understood] = []
    so_far: set[str] = set()
    at = 0
    while at < len(waiting):
        last = _named(found[-1:], situation)
        so_far |= last
        called = _called(found[-1], so_far) if found else ""
        addressed = next(iter(so_far)) if len(so_far) == 1 else called or situation.addressed
        situation = replace(situation, named=frozenset(last if len(last) == 1 else so_far), addressed=addressed)
        one, taken = _with_what_follows(waiting, at, found, situation)
        found.append(one)
        at += taken
    return found


def _called(one: Understood, named: set[str]) -> str:
    """Who, of those *named*, a sentence calls by name, at its beginning: "Fay, I'm sorry."; '' for nobody."""
    called = one.words[0].person if one.words and all(word.breaks for word in one.words[1:2]) else None
    return called.names[0] if called is not None and called.names[0] in named else ""


def _with_what_follows(
    waiting: list[Sentence], at: int, found: list[Understood], situation: Situation
) -> tuple[Understood, int]:
    """The sentence *at* of those that are *waiting*, with those that belong to it, and how many that are."""
    sentence, one = waiting[at], understand(waiting[at], situation)
    below = (waiting[n] for n in range(at + 1, len(waiting)))
    rest = takewhile(lambda each: each.paragraph == sentence.paragraph, below)
    verb = one.deeds[0].acts[0].verb if one.deeds else ""
    if verb in _CARRYING or _wants_words(one):
        whole = understand(sentence.to_the_end(), situation)
        if whole.deeds and whole.deeds[0].acts[0].verb in {*_CARRYING, "claim"}:
            carried = list(rest)
            whole.only_said = [each for each in carried if each.alone] if verb in {"say", "ask"} else []
            return whole, len(carried) + 1
        if _wants_words(one) and found and found[-1].sentence.paragraph == sentence.paragraph:
            return understand(found[-1].sentence.joined(sentence), situation), 1
    going_on: list[Sentence] = []
    if one.deeds:
        going_on = list(takewhile(_goes_on, rest))
    elif tells_steps(sentence.text):
        going_on = list(islice(rest, 1))
    if going_on:
        joined = understand(sentence.joined(*going_on), situation)
        if joined.deeds and not joined.hazards and (one.deeds or joined.deeds[0].acts[0].verb == "resolve"):
            return joined, len(going_on) + 1
    return one, 1


def _wants_words(one: Understood) -> bool:
    """Whether a claim of error does not say itself what is wrong."""
    return any(each.row == "law" and each.error is not None for each in one.judged) and any(
        "law claim" in word.marks for word in one.words
    )


def _goes_on(sentence: Sentence) -> bool:
    """Whether *sentence* goes on with the ballot of the one before: "Otherwise Hal.", "But only if Bex does."."""
    kinds = {kind for _, kind in vocabulary().matches(sentence.text, 0)}
    return not kinds.isdisjoint(_GOING_ON) or sentence.text.casefold().startswith(_ONLY_IF)


def _named(found: list[Understood], situation: Situation) -> set[str]:
    """Whom the sentences *found* name, but for their author and the contestmaster."""
    apart = {situation.book.people.author, *situation.book.people.others}
    return {name for each in found for word in each.words if word.person for name in word.person.names} - apart


def _replaced(found: list[Understood], number: int) -> bool:
    """Whether the next sentence takes back the deeds of this one and does something in their situation."""
    following = _replacing(found, number)
    return following is not None and _verbs(found[number]) <= _verbs(following)


def _taken_back(found: list[Understood], number: int) -> str:
    """Why a deed is in doubt in whose place the next sentence does another one; '' for joining and leaving."""
    after = found[number + 1] if number + 1 < len(found) else None
    following = after if after is not None and after.undoes else _replacing(found, number)
    if following is None or (following.deeds and _verbs(following) | _verbs(found[number]) <= _PARTY):
        return ""
    return f"“{following.sentence.written}” follows. If the deed is meant, send it again without that."


def _replacing(found: list[Understood], number: int) -> Understood | None:
    """The next sentence, if it takes back the deeds of this one and does something in their place."""
    following = found[number + 1] if number + 1 < len(found) else None
    if following is None or not found[number].deeds or not following.deeds or not following.replaces:
        return None
    return following


def _only_said(each: Understood, situation: Situation) -> list[Problem]:
    """The question about the first line below what is said that would do something by itself: "attack Gus"."""
    hint = (
        "It was only said, as part of what stands above it. If you mean to do it, send it by itself, or leave an "
        "empty line before it."
    )
    for sentence in each.only_said:
        one = understand(sentence, situation)
        if one.deeds:
            act = one.deeds[0].acts[0]
            return [Problem(sentence.line_at(0), sentence.written, "ambiguous", (says(act),), hint)]
    return []


def _verbs(understood: Understood) -> set[str]:
    return {act.verb for each in understood.deeds for act in each.acts}


def _deed(each: Understood, act: Act, situation: Situation) -> Deed:
    if act.verb == UNKNOWN:
        raise BallotError("ambiguous", "Say what you do, and to whom, by name.")
    if act.ballot is not None:
        refuse_literal(act.ballot, situation.book.people)
        refuse_called_conditional(each.sentence.text, act.ballot)
    line = each.sentence.line_at(0)
    return Deed(line, each.sentence.written, act.verb, says(act), act.names, act.ballot, act.words)


def _problem(each: Understood, one: Judged) -> Problem:
    error = one.error
    offered = tuple(says(act) for act in one.acts if act.verb != UNKNOWN)
    if error is not None:
        return Problem(
            each.sentence.line_at(0),
            each.sentence.written,
            error.problem,
            error.suggestions or (() if error.problem == "not a townsperson" else offered),
            " ".join(_told(part) for part in (error.message, error.hint) if part),
        )
    return Problem(each.sentence.line_at(0), each.sentence.written, "ambiguous", offered, one.reason)


def _governed(found: list[Understood]) -> dict[int, str]:
    """Why the sentences under a doubtful heading leave no deed, by their place: its paragraph's rest, or the next."""
    spoilt: dict[int, str] = {}
    reason, paragraph = "", -1
    for number, each in enumerate(found):
        here = each.sentence.paragraph
        if here != paragraph:
            reason = ""
        if reason:
            spoilt[number] = reason
        heading = next(
            (hazard for hazard in each.hazards if hazard.name in {"heading", "sample", "another's words"}), None
        )
        if heading is not None and any(isinstance(part, Talk) and part.parted == "COLON" for part in each.parts):
            reason, paragraph = heading.reason, here
        elif (
            not each.deeds
            and (each.sentence.text.endswith(":") or each.sentence.asked)
            and number + 1 < len(found)
            and not _apart(each, found[number + 1])
            and (hazard := beside([each.talk], each.sentence.text, NearDeed(), before=True, asked=each.sentence.asked))
            is not None
        ):
            reason, paragraph = hazard.reason, found[number + 1].sentence.paragraph
    for number in range(len(found) - 2, -1, -1):
        if found[number].deeds and found[number].sentence.text == found[number + 1].sentence.text:
            spoilt.setdefault(number, spoilt.get(number + 1) or _around(found, number + 1))
    return spoilt


def _around(found: list[Understood], number: int) -> str:
    """What the sentences beside leave of a deed: '' where they are harmless. One that is said again stands as one."""
    clause = next((each.clause for each in found[number].judged), None)
    deed = deed_of(clause) if clause is not None else NearDeed()
    said = found[number].sentence.text
    behind = found[number + 1 : number + 1 + _REPEATED]
    again = sum(1 for _ in takewhile(lambda each: each.sentence.text == said, behind))
    for step in (1 + again, -1):
        other = found[number + step] if 0 <= number + step < len(found) else None
        if other is None or other.deeds or not other.words:
            continue
        if step < 0 and other.hazards and any(one.mood == "ask" for one in other.judged):
            continue
        if _apart(other, found[number]) if step < 0 else other.sentence.text.endswith(":"):
            continue
        if (
            hazard := beside(
                [other.talk],
                other.sentence.text,
                deed,
                before=step < 0,
                asked=other.sentence.asked,
                ended=bool(other.sentence.close),
                near=other.replaces or other.words[0].text in _RECALLING or _near(found, number, number + step),
            )
        ) is not None and not (
            (hazard is ANOTHERS and (found[number].likely or _verbs(found[number]) == {"act-for"}))
            or (hazard is TIME and found[number].likely)
        ):
            return hazard.reason
    return ""


def _near(found: list[Understood], number: int, beside: int) -> bool:
    """Whether the sentence *beside* belongs to the sentence *number*: by its paragraph, or as one of its own."""
    paragraph = found[beside].sentence.paragraph
    others = [found[n] for n in (beside - 1, beside + 1) if 0 <= n < len(found) and n != number]
    return paragraph == found[number].sentence.paragraph or all(o.sentence.paragraph != paragraph for o in others)


def _apart(above: Understood, below: Understood) -> bool:
    """Whether something was left out between two sentences."""
    return below.sentence.line_at(0) - above.sentence.line_at(len(above.sentence.text) - 1) > _NEAR


def _told(hint: str) -> str:
    """Return *hint* as a sentence."""
    if not hint:
        return hint
    ended = hint.rstrip("”")[-1:] in {".", "?", "!"}
    return hint[0].upper() + hint[1:] + ("" if ended else ".")
