"""From parsed clauses to their skeletons: who does what to whom, by which words (`grammar/clauses.lark`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from lark import Token, Transformer, Tree, v_args

from nomicwolf.language.lexicon import Sense
from nomicwolf.language.words import Word
from nomicwolf.reading.deeds import Act
from nomicwolf.village.ballots import Ballot, Endorse

Worded: TypeAlias = tuple[Word, Sense]

_OWN = {"ACTION": "choose", "MINE": "vote", "N_LYNCH": "vote"}
"""Whose deed it is that "my choice" and "mine" speak of."""


@dataclass(frozen=True, slots=True)
class Skeleton:
    """What a clause says: the *rule* that made it, its verb's *frame*, and its values.

    *subject* and *auxiliaries* are words; whoever feeds the parser tells these, for copies of it share their lists.
    *form* is the verb's; *mine* says that its subject is "my vote" or the like.
    """

    rule: str
    frame: str = ""
    form: str = ""
    lemma: str = ""
    frames: tuple[str, ...] = ()
    ballot: Ballot | None = None
    judgement: object = None
    targets: tuple[object, ...] = ()
    verb: Word | None = None
    subject: Word | None = None
    mine: str = ""
    auxiliaries: tuple[Word, ...] = ()
    infinitive: bool = False
    commanded: bool = True
    act: Act | None = None


@v_args(inline=True)
class Skeletons(Transformer[Token, Any]):
    """A method for each rule."""

    def clause(self, *parts: Token | Sense | Worded | Skeleton) -> Skeleton:
        """A clause with or without a subject."""
        *before, skeleton = parts
        assert isinstance(skeleton, Skeleton)
        subject, mine = None, ""
        for part in before:
            if isinstance(part, Token):
                subject = part.value[0]
            elif isinstance(part, Sense):
                mine = part.frame or _OWN.get(part.terminal, part.terminal)
        return replace(skeleton, subject=subject, mine=mine, commanded=subject is None and not mine)

    def doomed(self, *parts: Token | Worded) -> Skeleton:
        """``Gus dies tonight``."""
        subject, fate = parts[0], parts[-1]
        assert isinstance(subject, Token)
        assert isinstance(fate, Token)
        word, sense = fate.value
        return Skeleton(
            "doomed",
            sense.frame,
            "base",
            sense.lemma,
            (sense.frame,),
            verb=word,
            subject=subject.value[0],
            commanded=False,
        )

    def infinitive(self, _to: Token, skeleton: Skeleton) -> Skeleton:
        """``to vote for Gus``."""
        return replace(skeleton, infinitive=True)

    def mine(self, *words: Token | Tree[Token]) -> Sense:
        """``my vote``, ``mine``, or ``my choice for the attack``."""
        told = [word for word in words if isinstance(word, Token) and word.type not in {"MY", "THE", "FOR", "VICTIM"}]
        return told[-1].value[1]  # type: ignore[no-any-return]

    def aux(self, word: Token) -> Worded:
        """``would``."""
        return word.value  # type: ignore[no-any-return]

    def __default__(self, data: str, children: list[Token | Tree[Token]], meta: object) -> Skeleton | Tree[Token]:
        """Any other rule: the first verb, and the values in their order; what is only a part is left to its whole."""
        if str(data).startswith("_"):
            return Tree(data, children)
        return _skeleton(str(data), children)


def _skeleton(rule: str, children: list[Any]) -> Skeleton:
    verb: Sense | None = None
    word: Word | None = None
    form = ""
    frames: list[str] = []
    ballot: Ballot | None = None
    judgement: object = None
    targets: list[object] = []
    for child in children:
        if not isinstance(child, Token):
            continue
        match child.type:
            case "BALLOT" | "FOLLOW":
                ballot = child.value
            case "JUDGEMENT":
                judgement = child.value
            case "TARGET":
                targets.append(child.value)
            case "PAIR":
                targets.extend(child.value)
            case _:
                sense = child.value[1]
                if sense.frame:
                    frames.append(sense.frame)
                if verb is None or (sense.frame and not verb.frame) or child.type == "ASKED":
                    verb, word = sense, child.value[0]
                form = form or sense.form
    if rule == "endorse" and targets and isinstance(targets[-1], str):
        ballot = Endorse(targets[-1])
    return Skeleton(
        rule,
        verb.frame if verb else "",
        form,
        verb.lemma if verb else "",
        tuple(frames),
        ballot,
        judgement,
        tuple(targets),
        verb=word,
    )
