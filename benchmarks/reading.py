"""Reading: letters a second, text to deeds, beside a reply parser with regular expressions; statements beside Lark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module

from lark import Lark

from benchmarks._harness import Against, Effort, Row, compare, timed
from nomicwolf.language.reader import read
from nomicwolf.letters.attribution import own_text
from nomicwolf.reading.deeds import People

PLAYERS = ("Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ida", "Jan", "Kit", "Lou")
PEOPLE = People(living=PLAYERS)
SIZES = (20, 100, 500)
LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pl", "sv", "da", "cs", "ja"]
NAMES = "|".join(PLAYERS)
VERBS = tuple(re.compile(pattern, re.IGNORECASE | re.MULTILINE) for pattern in (
    rf"^\s*I (?:hereby )?vote for ({NAMES})\b", rf"^\s*I endorse ({NAMES})\b", r"^\s*I (?:retract|withdraw) my vote",
    rf"^\s*I attack ({NAMES})\b", rf"^\s*I (?:see|investigate) ({NAMES})\b", r"^\s*(?:status|votes|help)\s*$",
))
GRAMMAR = r"""
start: statement+
statement: "I" deed "."
deed: "vote" "for" NAME [cond] -> vote
    | "endorse" NAME -> endorse
cond: "if" test ("and" test)*
test: NAME "is" "voting" "for" NAME -> votes | NAME "is" "dead" -> dead
NAME: /Ash|Bex|Cam|Dov|Eli|Fay|Gus|Hal|Ida|Jan|Kit|Lou/
%ignore /\s+/
"""
STATEMENTS = (
    "I vote for {0}.", "I endorse {0}.", "I vote for {0} if {1} is voting for {0}.",
    "I vote for {0} if {1} is dead and {2} is voting for {0}.",
)


def letters(size: int) -> list[str]:
    """Return *size* letters as people write them: an attribution, a quotation, a deed, some talk, a signature."""
    found = []
    for number in range(size):
        who, whom, other = (PLAYERS[(number * step + step) % 12] for step in (1, 7, 5))
        say = (f"I vote for {whom}.", f"I endorse {other}.", f"I vote for {whom} if {other} is voting for {whom}.",
               "I wonder what the witch was up to.")[number % 4]
        found.append(
            f"On Tue, 1 Dec 2026 at 09:0{number % 10}, {who} <{who.lower()}@players.test> wrote:\n"
            f"> I vote for {other}, and whoever doubts it\n> may look at the last count.\n>\n> -- \n> {who}\n\n"
            f"That was quick.\n{say}\n\nLet us see what the others make of it; I will be away on Friday.\n\n"
            f"-- \n{other}\n")
    return found


def statements(size: int) -> list[str]:
    """Return *size* bare statements."""
    return [STATEMENTS[n % 4].format(*(PLAYERS[(n * step + step) % 12] for step in (1, 5, 7))) for n in range(size)]


def rows(effort: Effort) -> Iterator[Row]:
    """Letters, then statements, each at three sizes."""
    parser = import_module("mailparser_reply").EmailReplyParser(languages=LANGUAGES)
    lark = Lark(GRAMMAR, parser="lalr")

    def by_expressions(text: str) -> int:
        reply = parser.parse_reply(text) or ""
        return sum(len(verb.findall(reply)) for verb in VERBS)

    def ours(text: str) -> int:
        return len(read(tuple(enumerate(own_text(text).split("\n"), 1)), PEOPLE, to="forum").deeds)

    def bare(text: str) -> int:
        return len(read(((1, text),), PEOPLE, to="forum").deeds)

    for size in SIZES[: effort.sizes]:
        texts = letters(size)
        yield from compare(
            "reading letters", "seconds each", size,
            {"ours": timed(lambda texts=texts: list(map(ours, texts)), size),  # type: ignore[misc]
             "mail-parser-reply, re": timed(lambda texts=texts: list(map(by_expressions, texts)), size)},  # type: ignore[misc]
            [Against("mail-parser-reply, re", ">=", 2)], effort)
    for size in SIZES[: effort.sizes]:
        said = statements(size)
        yield from compare(
            "reading statements", "seconds each", size,
            {"ours": timed(lambda said=said: list(map(bare, said)), size),  # type: ignore[misc]
             "Lark, bare": timed(lambda said=said: list(map(lark.parse, said)), size)},  # type: ignore[misc]
            [Against("Lark, bare", ">=", 0.7)], effort)
