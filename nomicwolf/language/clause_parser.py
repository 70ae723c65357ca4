"""The parser of clauses, Lark's LALR, which is fed one word at a time (`grammar/clauses.lark`)."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache
from typing import Any, cast

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer, LexerState
from lark.parsers.lalr_interactive_parser import InteractiveParser

from nomicwolf.data import grammar_text
from nomicwolf.language.skeletons import Skeleton, Skeletons


class _FedByHand(Lexer):
    """Lark wants a lexer; words are fed one by one instead."""

    def __init__(self, conf: object) -> None:
        """Take no terminals: those of the grammar are declared."""

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        """Yield no tokens."""
        return iter(())


@cache
def _grammar() -> Lark:
    return Lark(
        grammar_text("clauses"),
        parser="lalr",
        lexer=_FedByHand,
        start="clause",
        transformer=Skeletons(),
        maybe_placeholders=False,
    )


def begun() -> InteractiveParser:
    """Return a parser that has been fed nothing yet."""
    return _grammar().parse_interactive("")


def ended(parser: InteractiveParser) -> Skeleton | None:
    """Return what *parser* has been fed as a clause; None where that is no whole one."""
    try:
        return cast(Skeleton, parser.feed_eof())  # type: ignore[no-untyped-call]
    except UnexpectedToken:
        return None


def can_end(parser: InteractiveParser) -> bool:
    """Return whether what *parser* has been fed is a whole clause for certain."""
    return ended(copied(parser)) is not None


def copied(parser: InteractiveParser) -> InteractiveParser:
    """Return a copy of *parser* that is fed apart from it; the values on its stack are shared."""
    return cast(InteractiveParser, parser.copy(deepcopy_values=False))  # type: ignore[no-untyped-call]


def choices_of(parser: InteractiveParser) -> Container[str]:
    """Return the terminals that *parser* may take next, by a look of one rule ahead."""
    return cast(dict[str, Any], parser.choices())  # type: ignore[no-untyped-call]
