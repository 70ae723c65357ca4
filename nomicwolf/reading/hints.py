"""What could stand where understanding stopped, and what to write in place of words with two meanings."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING

from nomicwolf.reading.errors import BallotError

if TYPE_CHECKING:
    from lark import Token

_OFFERS = (
    ("NAME", "a name"), ("NOBODY", "nobody"), ("ENDORSE", "endorse NAME"), ("VOTES", "is voting for NAME"),
    ("ALIVE", "is alive"), ("DEAD", "is dead"), ("IS", "was a werewolf"), ("HAS", "has at least 3 votes"),
    ("AT_LEAST", "at least 3 others are voting for NAME"), ("NUMBER", "a number"), ("_IT_IS", "it is day 2 or later"),
    ("STRING", "“some text” is so (for the contestmaster to publish)"), ("TIME", "a time such as 2026-12-01T12:00Z"),
    ("_IF", "if ..."), ("_OTHERWISE", "otherwise NAME"), ("_AND", "and ..."), ("_OR", "or ..."), ("RPAR", ")"),
    ("_THEN", "then NAME"), ("WEREWOLF", "a werewolf"), ("CROWD", "townspersons, or others"), ("VOTE_NOUN", "votes"),
    ("TEXT", "some text"), ("COLON", "a colon"), ("$END", "the end of the sentence"),
)
_MOST_OFFERS = 7
_FACTS = ("What the language has no words for can be written as “some text” is so (in quotation marks), "
          "and counts from when the contestmaster publishes it")

MISSING = "Something is missing at the end."


def what_could_stand(accepts: Container[str], conditional: bool) -> str:
    """*accepts* (names of terminals) as a short list of things to write; conditions can also be published as facts."""
    offers = [words for kind, words in _OFFERS if kind in accepts]
    hint = f"there could stand: {'; '.join(offers[:_MOST_OFFERS])}" if offers else ""
    return f"{hint}. {_FACTS}".lstrip(". ") if conditional else hint


def doubtful_word(word: str, at: int) -> BallotError | None:
    """The question about a *word* in a condition that many write and that has no one meaning here; None for others."""
    match word.casefold():
        case "currently" | "presently" | "now":
            return BallotError(
                "ambiguous", f"“{word}” could be now as you write, or whenever the votes are counted.", at,
                hint="leave it out to follow what is so at each moment, or end the condition with “as of now”")
        case "everyone" | "everybody" | "all":
            return BallotError(
                "ambiguous", f"Does “{word}” take in the one who is voted for, who can't vote for emself?", at,
                ("at least 3 others are voting for NAME",), "give a number")
        case "lynched" | "hanged" | "executed":
            return BallotError(
                "not understood", "The language knows who is dead, not how e died.", at, ("NAME is dead",),
                "write “is dead”, or a fact in quotation marks: “NAME was lynched” is so")
    return None


def ambiguous_words(token: Token) -> BallotError:
    """The question about *token*, a pronoun or words that name nobody in particular."""
    words = str(token)
    at = token.column or 1
    if token.type == "PRONOUN":
        return BallotError("ambiguous", f"Who is “{words}”?", at, hint="use the name")
    return BallotError("ambiguous", f"“{words}” names nobody in particular.", at, hint="name one person")


def follow_or_copy(token: Token, name: str) -> BallotError:
    """The question about *token*, which could follow the vote of *name* or copy it (D-N6)."""
    return BallotError(
        "ambiguous", f"“{token} {name} ...” could be understood in more than one way.", token.column or 1,
        suggestions=(f"endorse {name}", f"copy {name}'s present vote"),
        hint=f"“endorse {name}” follows that vote whatever it becomes, “copy {name}'s present vote” takes it as it is "
             "now",
    )
