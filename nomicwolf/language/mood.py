"""What a clause is: a deed, something to ask about, or talk. One table; the first row that fits decides.

Each row has its reason, in the words in which its author is asked, and examples that are tests. `docs/language.md` is
printed from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from nomicwolf.language.clauses import Clause
from nomicwolf.language.lexicon import Doubt, Lexicon, lexicon
from nomicwolf.language.talk_features import Mood
from nomicwolf.language.words import Word

Agent: TypeAlias = Literal["author", "group", "nobody said", "you", "other"]


@dataclass(frozen=True, slots=True)
class Features:
    """What is known of a clause, and nothing else decides about it.

    *agent* acts; *form* is the verb's; *modal* is the first auxiliary that takes the deed out of here and now; *frame*
    is the deed's; *duty* says that it is one of a role's, *closed* that it is known not to be among their own.
    """

    agent: Agent
    frame: str
    form: str
    modal: str
    negated: bool
    hedged: bool
    infinitive: bool
    commanded: bool
    polite: bool
    private: bool
    doubt: Doubt
    passive: bool = False
    lemma: str = ""
    bygone: bool = False
    own: bool = False
    emote: bool = False
    done_to: bool = False
    was: bool = False
    closed: bool = False
    requested: bool = False
    duty: bool = False


class Row(NamedTuple):
    """One row of the table: its *name*, when it fits, the *mood*, the *reason*, and examples."""

    name: str
    fits: Callable[[Features], bool]
    mood: Mood
    reason: str
    examples: tuple[str, ...] = ()


def features(
    clause: Clause,
    frame: str,
    *,
    author: tuple[str, ...],
    private: bool,
    role: str = "",
    closed: bool = False,
    words: Lexicon | None = None,
) -> Features:
    """Return the features of *clause* as a deed of *frame*; *author* are the names that mean its author.

    *closed* says that the deed is known not to be among their duties; *words* is the lexicon, if not the usual one.
    """
    skeleton = clause.skeleton
    assert skeleton is not None
    known = (words or lexicon()).frames.get(frame)
    modal, negated = _modal(skeleton.auxiliaries)
    past = any(word.text in {"was", "were", "had", "did", "been"} for word in skeleton.auxiliaries)
    form = (
        "past"
        if past or (modal == "HAVE" and skeleton.form in {"past", "base"} and skeleton.rule != "has_mine")
        else skeleton.form
    )
    return Features(
        _agent(clause, author, role, private=private, others_pack=closed),
        frame,
        form,
        "" if past else modal,
        negated,
        any("hedge" in word.marks for word in clause.skipped),
        skeleton.infinitive,
        skeleton.commanded,
        any("polite" in word.marks and word.start < _verb_at(clause) for word in clause.skipped),
        private,
        known.doubt if known is not None else "sure",
        modal == "BE" and skeleton.form == "past",
        skeleton.lemma,
        any("bygone" in word.marks for word in clause.skipped),
        clause.own,
        clause.emote,
        bool(skeleton.mine) or skeleton.rule in {"undone", "undone_for"},
        past,
        closed,
        clause.requested,
        known is not None and known.private,
    )


def _modal(auxiliaries: Sequence[Word]) -> tuple[str, bool]:
    """The first of *auxiliaries* that takes the deed out of here and now, and whether they deny it.

    Who is "gonna have to" does it.
    """
    modal, negated = "", False
    resigned = any(word.terminal == "GOING" for word in auxiliaries)
    for word in auxiliaries:
        kind = word.terminal
        if resigned and kind == "MUST":
            continue
        negated ^= word.sense("NOT", "CHOOSE_NOT") is not None
        if (
            kind in {"WILL", "WOULD", "CAN", "MUST", "LIKE", "CHOOSE", "CHOOSE_NOT", "PLAN", "LET", "LETS"}
            and modal in {"", "BE", "HAVE", "DO", "WILL", "WOULD"}
        ) or (not modal and kind in {"BE", "HAVE", "DO"}):
            modal = kind
    return modal, negated


def _verb_at(clause: Clause) -> int:
    """Where the verb of *clause* begins; behind everything for a clause without one."""
    verb = clause.skeleton.verb if clause.skeleton is not None else None
    return verb.start if verb is not None else clause.end


def _agent(clause: Clause, author: tuple[str, ...], role: str, *, private: bool, others_pack: bool) -> Agent:
    """Who acts: the subject, or who "my vote" is; "the werewolves" are others where they are *others_pack*."""
    skeleton = clause.skeleton
    assert skeleton is not None
    subject = skeleton.subject
    if skeleton.mine or skeleton.rule in {
        "has_mine",
        "has_choice",
        "from_me",
        "it_is",
        "this_vote",
        "for_me",
        "doomed",
        "undone_for",
        "fronted",
    }:
        return "author"
    if skeleton.rule == "gets" and private:
        return "author"
    if subject is None:
        return "nobody said"
    match subject.terminal:
        case "I":
            return "author"
        case "WE":
            return "other" if private and others_pack and subject.text.startswith("the ") else "group"
        case "YOU":
            return "you"
    if subject.person is not None and subject.person.names == author[:1]:
        return "author"
    return "group" if private and role and subject.text.removeprefix("the ") == role else "other"


_DECIDED = ("settle", "agree", "decide", "resolve", "choose", "pick", "select")
"""Verbs whose past tells a choice that holds now: "we have settled on Gus"."""
_PUBLIC_ASKED = frozenset({"WILL", "MUST", "LIKE", "PLAN"})

ROWS = (
    Row(
        "leave given",
        lambda f: (
            f.agent == "you"
            and f.own
            and (f.modal == "CAN" or (f.requested and f.modal in {"WOULD", "WILL"}))
            and not (f.negated or f.hedged)
        ),
        "does",
        "It asks the contestmaster to do it.",
        ("You can move my vote to Gus.", "You can put me down for Gus.", "You may count my vote for Gus."),
    ),
    Row(
        "asked of the contestmaster",
        lambda f: (
            f.agent == "you"
            and f.private
            and f.duty
            and not (f.closed or f.negated or f.hedged)
            and f.modal in {"CAN", "WOULD", "WILL"}
        ),
        "does",
        "It asks the contestmaster to do it.",
    ),
    Row(
        "another's deed",
        lambda f: f.agent in {"other", "you"},
        "talk",
        "It says what somebody else does.",
        ("Bex votes for Gus.", "You should vote for Gus.", "He votes for Gus."),
    ),
    Row(
        "purpose",
        lambda f: f.infinitive,
        "talk",
        "It tells a purpose, and does nothing.",
        ("To vote for Gus.", "To lynch Gus.", "To endorse Bex."),
    ),
    Row(
        "denied choice",
        lambda f: (
            f.negated
            and f.private
            and f.duty
            and not f.closed
            and f.doubt != "heard"
            and f.form != "past"
            and f.frame != "pass"
        ),
        "does",
        "It says that nobody is chosen.",
    ),
    Row(
        "denied deed",
        lambda f: f.negated,
        "talk",
        "It says what is not done.",
        ("I don't vote for Gus.", "I am not voting for Gus.", "I do not endorse Bex."),
    ),
    Row(
        "bidding to stop",
        lambda f: f.commanded and f.form == "base" and f.lemma.partition(" ")[0] in {"stop", "cease"},
        "talk",
        "It asks others to stop.",
        ("Stop voting for Gus.", "Stop endorsing Bex.", "Cease voting for Gus."),
    ),
    Row(
        "report",
        lambda f: (
            (f.form == "past" or f.passive)
            and not (f.done_to and not f.was)
            and not (f.frame == "second" and f.agent == "nobody said")
            and not (f.private and f.agent in {"group", "author"} and not f.was and f.lemma.startswith(_DECIDED))
        ),
        "talk",
        "It reports what was done before.",
        ("I voted for Gus.", "I have voted for Gus.", "I was voting for Gus."),
    ),
    Row(
        "hedged",
        lambda f: f.hedged,
        "ask",
        "You don't say it for certain.",
        ("I maybe vote for Gus.", "I probably vote for Gus.", "I perhaps vote for Gus."),
    ),
    Row(
        "suggestion",
        lambda f: f.modal == "LETS" and not f.private,
        "ask",
        "It proposes what all should do.",
        ("Let's lynch Gus.", "Let us vote for Gus.", "Lets vote Gus."),
    ),
    Row(
        "possibility",
        lambda f: f.modal in {"WOULD", "CAN"},
        "talk",
        "It says what could be.",
        ("I could vote for Gus.", "I would vote for Gus.", "I can vote for Gus."),
    ),
    Row(
        "plan",
        lambda f: f.modal == "PLAN" and f.lemma != "intend to" and not f.private,
        "talk",
        "It says what is planned.",
        ("I plan to vote for Gus.", "I am planning to vote for Gus.", "I hope to vote for Gus."),
    ),
    Row(
        "future",
        lambda f: (
            f.modal in _PUBLIC_ASKED
            and (not f.private or f.modal == "PLAN")
            and not (f.modal == "WILL" and (f.frame == "second" or f.done_to))
            and not (f.modal == "LIKE" and f.requested)
        ),
        "ask",
        "It says what you will do or wish to, not what you do.",
        ("I will vote for Gus.", "I want to vote for Gus.", "I must vote for Gus."),
    ),
    Row(
        "the group in public",
        lambda f: f.agent == "group" and not f.private,
        "talk",
        "In a forum each player speaks only for emself.",
        ("We vote for Gus.", "We all vote for Gus.", "All of us vote for Gus."),
    ),
    Row(
        "third person",
        lambda f: f.form == "third" and f.agent == "nobody said" and not f.emote,
        "ask",
        "It does not say who does it.",
        ("Lynches Gus.", "Denounces Gus.", "Accuses Gus."),
    ),
    Row(
        "earlier vote",
        lambda f: f.bygone and f.commanded,
        "talk",
        "It names an earlier vote.",
        ("Previous vote: Gus.", "Old vote: Gus.", "Former vote: Gus."),
    ),
    Row(
        "request",
        lambda f: f.commanded and f.polite and not f.private and not f.own,
        "ask",
        "It may ask others to do it.",
        ("Please vote for Gus.", "Please execute Gus.", "Kindly hang Gus."),
    ),
    Row(
        "bidding",
        lambda f: f.agent == "nobody said" and f.modal == "DO" and not f.private,
        "talk",
        "It asks others to do it.",
        ("Do vote for Gus!", "Do hang Gus.", "Do endorse Bex."),
    ),
    Row("deed", lambda _: True, "does", "", ("I vote for Gus.", "vote Gus", "Voting Gus.")),
)


def judged(found: Features) -> Row:
    """Return the first row that fits."""
    return next(row for row in ROWS if row.fits(found))
