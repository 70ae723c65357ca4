"""From parsed rules to acts: a method for each rule of `grammar/deeds.lark`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from lark import Token, Transformer, v_args

from nomicwolf.reading.acts import NOBODY, Act
from nomicwolf.reading.claims import same_as
from nomicwolf.reading.conditions import name_of
from nomicwolf.reading.errors import BallotError
from nomicwolf.village.ballots import Ballot, Condition, For, If, Nobody, Side


@v_args(inline=True)
class DeedRules(Transformer[Token, Any]):
    """One method for each thing that can be done."""

    def deeds(self, *acts: Act) -> tuple[Act, ...]:
        """All that one sentence does, in order."""
        return acts

    def vote(self, ballot: Ballot) -> Act:
        """A vote."""
        return Act("vote", ballot=ballot)

    def abstain(self, _word: Token) -> Act:
        """``I abstain``: a vote for nobody."""
        return Act("vote", ballot=Nobody())

    def unvote(self, _word: Token, *_name: Token | str) -> Act:
        """A retraction; whom the vote was for does not matter."""
        return Act("unvote")

    def recast(self, *parts: Token | str | Ballot) -> Act:
        """A vote taken from one and given to another: a change of it."""
        return Act("vote", ballot=cast(Ballot, parts[-1]))

    def accuse(self, _word: Token, name: str) -> Act:
        """An accusation."""
        return Act("accuse", (name,))

    def unaccuse(self, _word: Token, _name: str) -> Act:
        """What can't be taken back, and is answered so (D-A5)."""
        return Act("withdraw")

    def second(self, _word: Token, *name: str) -> Act:
        """The second of an accusation."""
        return Act("second", name)

    def second_of(self, _word: Token, _accuser: str, *rest: str | Token) -> Act:
        """The second of somebody's accusation, which may name the accused."""
        return Act("second", tuple(each for each in rest if not isinstance(each, Token)))

    def nominate(self, _word: Token, whom: str | None) -> Act:
        """A nomination."""
        return _at("nominate", whom)

    def nominate_if(self, _word: Token, name: str, condition: Condition, *rest: Ballot | None) -> Act:
        """``nominate Gus if C``: a ballot like any other."""
        otherwise = next((part for part in rest if part is not None), Nobody())
        return Act("vote", ballot=If(same_as(condition, name), For(name), otherwise))

    def guilty(self, *_words: Token) -> Act:
        """A verdict."""
        return Act("guilty")

    def innocent(self, *_words: Token) -> Act:
        """The other verdict."""
        return Act("innocent")

    def found(self, *parts: Act | str) -> Act:
        """A verdict that names the accused."""
        verdict = next(part for part in parts if isinstance(part, Act))
        return replace(verdict, names=tuple(part for part in parts if isinstance(part, str)))

    def plainly(self, *parts: Act | Token) -> Act:
        """``I attack ...``, ``I want to see ...``."""
        return next(part for part in parts if isinstance(part, Act))

    def skip(self, _word: Token) -> Act:
        """``I pass``."""
        return Act("pass")

    def join(self, *_words: Token) -> Act:
        """Joining the contract (NC 1c)."""
        return Act("join")

    def leave(self, *_words: Token) -> Act:
        """Leaving it."""
        return Act("leave")

    def whom(self, who: str | Token) -> str | None:
        """A name, or None for nobody."""
        return None if isinstance(who, Token) else who

    def name(self, token: Token) -> str:
        """One person."""
        return name_of(token)

    def attack(self, _word: Token, whom: str | None) -> Act:
        """The werewolves' choice (NC 4a)."""
        return _at("attack", whom)

    def see(self, _word: Token, whom: str | None) -> Act:
        """The Seer's question (NC 7a)."""
        return _at("see", whom)

    def heal(self, _word: Token, *whom: str | Token | None) -> Act:
        """The Witch's healing (NC 7b); without a name, or with a pronoun, the victim e was told of."""
        if not whom or isinstance(whom[0], Token):
            return Act("heal")
        return _at("heal", whom[0])

    def poison(self, _word: Token, whom: str | None) -> Act:
        """The Witch's poison (NC 7b)."""
        return _at("poison", whom)

    def poisoned(self, name: str) -> Act:
        """``give Gus the poison``."""
        return _at("poison", name)

    def protect(self, _word: Token, whom: str | None) -> Act:
        """A doctor's protection."""
        return _at("protect", whom)

    def shoot(self, _word: Token, whom: str | None) -> Act:
        """The Hunter's choice (NC 7c)."""
        return _at("shoot", whom)

    def no_attack(self, _word: Token) -> Act:
        """``no kill``."""
        return _at("attack", None)

    def no_heal(self, *_words: Token) -> Act:
        """``don't heal``."""
        return _at("heal", None)

    def no_heal_for(self, word: Token, name: str) -> Act:
        """``don't heal Bex``, which leaves open whether someone else is to be healed."""
        raise BallotError("ambiguous", f"Is anyone to be healed, if not {name}?", word.column or 1,
                          ("heal nobody",), "write “heal nobody”, or “heal” for the victim")

    def no_poison(self, _word: Token) -> Act:
        """``don't poison``."""
        return _at("poison", None)

    def no_shot(self, _word: Token) -> Act:
        """``don't shoot``."""
        return _at("shoot", None)

    def see_whether(self, name: str, *_side: Token | Side) -> Act:
        """``learn whether Bex is a werewolf``."""
        return _at("see", name)

    def match_names(self, one: Token, other: Token) -> Act:
        """``Ash and Bex shall be the Lovers``."""
        return Act("match", (name_of(one), name_of(other)))

    def match(self, *parts: str | Token) -> Act:
        """Cupid's choice (NC 7d)."""
        return Act("match", tuple(part for part in parts if not isinstance(part, Token)))

    def guard(self, _word: Token, whom: str | None) -> Act:
        """A bodyguard's choice."""
        return _at("guard", whom)

    def point(self, _word: Token, whom: str | None) -> Act:
        """A choice by pointing."""
        return _at("point", whom)

    def revive(self, _word: Token, whom: str | None) -> Act:
        """A doctor's revival."""
        return _at("revive", whom)

    def block(self, _word: Token, whom: str | None) -> Act:
        """A roleblocker's choice."""
        return _at("block", whom)

    def track(self, _word: Token, whom: str | None) -> Act:
        """A tracker's choice."""
        return _at("track", whom)

    def watch(self, _word: Token, whom: str | None) -> Act:
        """A watcher's choice."""
        return _at("watch", whom)


def _at(verb: str, whom: str | None) -> Act:
    """*verb* aimed at one person, or at nobody."""
    return Act(verb, words=NOBODY) if whom is None else Act(verb, (whom,))
