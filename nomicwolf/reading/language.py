"""The grammar, built once in a process when first needed: Lark's LALR tables.

`grammar/words.lark`, `conditions.lark`, `ballots.lark` and `deeds.lark` make one grammar. Its terminals are
lists of phrases, so the words of the language stand in one readable place; `tokens` cuts text by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from lark import Lark, Token
from lark.common import LexerConf
from lark.lexer import Lexer, LexerState, TerminalDef
from lark.parsers.lalr_analysis import Shift
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from nomicwolf.data import GRAMMAR, grammar_tables, grammar_text
from nomicwolf.reading.tables import kept, key_of, restored
from nomicwolf.reading.trees import Builder

STARTS = ("ballot", "condition", "deeds", "judgement", "written", "asked")


class _FedByHand(Lexer):
    """Lark wants a lexer; tokens are fed one by one instead (`nomicwolf.reading.parsing`)."""

    def __init__(self, conf: LexerConf) -> None:
        self.terminals = tuple(conf.terminals)

    def lex(self, lexer_state: LexerState, parser_state: object) -> Iterator[Token]:
        """No tokens of its own."""
        return iter(())


@cache
def parser() -> Lark:
    """The parser for all of `STARTS`, with the tree builder inside."""
    return restored(grammar_tables(), key_of(_texts(), STARTS), _FedByHand, Builder()) or made()


def made() -> Lark:
    """The same parser, its tables worked out from the grammar."""
    return Lark(
        "\n".join(_texts()), parser="lalr", lexer=_FedByHand, start=list(STARTS), transformer=Builder(),
        maybe_placeholders=False,
    )


def tables() -> str:
    """What ``grammar/tables.json`` is to hold."""
    return kept(made(), key_of(_texts(), STARTS))


def _texts() -> list[str]:
    return [grammar_text(name) for name in GRAMMAR]


class Accepts:
    """The terminals that can come next, exactly: the parser's reductions are followed without being done."""

    def __init__(self, stack: tuple[Any, ...], states: dict[Any, Any]) -> None:
        self._stack = stack
        self._states = states
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
            if kind == "$END" and stack[-1] in _ends():
                return True
            action, rule = step
            if action is Shift:
                return True
            if rule.expansion:
                del stack[-len(rule.expansion):]
            stack.append(self._states[stack[-1]][rule.origin.name][1])
        return kind == "$END" and stack[-1] in _ends()


def begun(start: str) -> ParserState[Any]:
    """A parse of *start* that has seen nothing yet."""
    return ParserState(_conf(start), None)  # type: ignore[arg-type]


def accepts(state: ParserState[Any]) -> Accepts:
    """What can come next in *state*; what is found out is kept with the states that it hangs on."""
    return _accepts(tuple(state.state_stack))


@cache
def _conf(start: str) -> ParseConf[Any]:
    conf: ParseConf[Any] = parser().parse_interactive(start=start).parser_state.parse_conf
    return conf


@cache
def _ends() -> frozenset[Any]:
    """The states in which a parse of one of `STARTS` is complete."""
    return frozenset(_conf(start).end_state for start in STARTS)


@lru_cache(maxsize=2048)
def _accepts(stack: tuple[Any, ...]) -> Accepts:
    return Accepts(stack, _conf(STARTS[0]).states)


def phrases_of_terminals() -> dict[str, list[str]]:
    """The phrases of each terminal, as the grammar has them sorted by length."""
    return {terminal.name: _phrases(terminal) for terminal in parser().terminals}


def _phrases(terminal: TerminalDef) -> list[str]:
    """The plain alternatives that a terminal is made of (Lark has joined them with bars, escaped)."""
    pattern = terminal.pattern
    if pattern.type == "str":
        return [pattern.value]
    joined = pattern.value.removeprefix("(?:").removesuffix(")")
    return ["".join(_unescaped(piece)) for piece in joined.split("|")]


def _unescaped(piece: str) -> Iterator[str]:
    escaped = False
    for char in piece:
        if char == "\\" and not escaped:
            escaped = True
            continue
        escaped = False
        yield char
