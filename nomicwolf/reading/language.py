"""The grammar of values, built once in a process when first needed: Lark's LALR tables.

`grammar/words.lark`, `conditions.lark`, `ballots.lark` and `written.lark` make one grammar. Its terminals are
lists of phrases, so the words of the language stand in one readable place; `tokens` cuts text by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from lark import Lark, Token
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState
from lark.parsers.lalr_analysis import ParseTableBase, Shift
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from nomicwolf.data import GRAMMAR, grammar_text
from nomicwolf.reading.phrases import phrases
from nomicwolf.reading.trees import Builder

STARTS = ("ballot", "condition", "judgement", "written", "asked")

_OTHERS = ("NAME", "NUMBER", "TIME", "HOURS", "STRING", "TEXT", "POSS", "LPAR", "RPAR", "COMMA", "SLASH", "COLON")
"""Terminals that are no phrases."""

class _FedByHand(Lexer):
    """Lark wants a lexer; tokens are fed one by one instead (`nomicwolf.reading.parsing`)."""

    def __init__(self, conf: LexerConf) -> None:
        self.terminals = tuple(conf.terminals)

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        """No tokens of its own."""
        return iter(())


@cache
def parser() -> Lark:
    """The parser for all of `STARTS`, with the tree builder inside.

    `nomicwolf.reading.tokens` cuts the text, so that Lark need not compile the phrases of the terminals. Two threads
    that begin at once may make two, whose states have different numbers: whoever asks about a state names its table.
    """
    declared = " ".join((*phrases(), *_OTHERS))
    rules = "\n".join((f"%declare {declared}", *map(grammar_text, GRAMMAR[1:])))
    return Lark(
        rules, parser="lalr", lexer=_FedByHand, start=list(STARTS), transformer=Builder(), maybe_placeholders=False)


class Accepts:
    """The terminals that can come next, exactly: the parser's reductions are followed without being done."""

    def __init__(self, stack: tuple[Any, ...], table: ParseTableBase[Any]) -> None:
        self._stack = stack
        self._states = table.states
        self._ends = frozenset(table.end_states.values())
        self._known: dict[str, bool] = {}

    def __contains__(self, kind: object) -> bool:
        if not isinstance(kind, str):
            return False
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = kind in self._states[self._stack[-1]] and self._fits(kind)
        return known

    def _fits(self, kind: str) -> bool:
        stack = list(self._stack)
        while (step := self._states[stack[-1]].get(kind)) is not None:
            if kind == "$END" and stack[-1] in self._ends:
                return True
            action, rule = step
            if action is Shift:
                return True
            if rule.expansion:
                del stack[-len(rule.expansion):]
            stack.append(self._states[stack[-1]][rule.origin.name][1])
        return kind == "$END" and stack[-1] in self._ends


def begun(start: str) -> ParserState[Any]:
    """A parse of *start* that has seen nothing yet."""
    return ParserState(_conf(start), None)  # type: ignore[arg-type]


def accepts(state: ParserState[Any]) -> Accepts:
    """What can come next in *state*; what is found out is kept with the states that it hangs on."""
    return _accepts(tuple(state.state_stack), state.parse_conf.parse_table)


@cache
def _conf(start: str) -> ParseConf[Any]:
    conf: ParseConf[Any] = parser().parse_interactive(start=start).parser_state.parse_conf
    return conf


@lru_cache(maxsize=2048)
def _accepts(stack: tuple[Any, ...], table: ParseTableBase[Any]) -> Accepts:
    return Accepts(stack, table)
