"""The words of the language, and names for the terminals of the grammar in messages.

In: names of terminals. Out: human words for messages. Only the grammar says which words are
possible at a place.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cache

from lark.lexer import PatternStr

from gamedsl.syntax.grammar import parser

VALUE = frozenset({"NAME", "NUMBER", "DECIMAL", "LPAR", "LSQB", "LBRACE", "MINUS", "NOT"})
"""Terminals that begin an expression."""

_OPERATORS = {
    "PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "VBAR", "LESSTHAN", "MORETHAN", "AND", "OR", "IN",
    "NOT", "IF", "LSQB", "LPAR",
}  # fmt: skip

_WORDS = {
    "NAME": "a name",
    "WORD": "a name",
    "NUMBER": "a number",
    "DECIMAL": "a number",
    "CELL": "a row of the diagram",
    "TITLE": "a title in quotes",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "nothing more",
}

_LONGEST_LIST = 6


@cache
def literals() -> dict[str, str]:
    """Terminal -> its text, for terminals with a fixed text."""
    return {
        terminal.name: terminal.pattern.value
        for terminal in parser().terminals
        if isinstance(terminal.pattern, PatternStr) and terminal.name != "GAP"
    }


def accepted_words(accepts: Set[str]) -> list[str]:
    """The keywords among some terminals."""
    texts = (literals().get(terminal, "") for terminal in sorted(accepts))
    return [text for text in texts if text.isalpha()]


def is_value(accepts: Set[str]) -> bool:
    """Whether an expression may begin."""
    return accepts >= VALUE - {"NOT"}


def is_operator(accepts: Set[str]) -> bool:
    """Whether an expression may go on."""
    return {"PLUS", "STAR"} <= accepts


def is_comparison(accepts: Set[str]) -> bool:
    """Whether an expression may go on with a comparison."""
    return "LESSTHAN" in accepts


def expected(accepts: Set[str]) -> str:
    """The expected terminals, as part of a sentence."""
    if {"PLAYERS", "STATE"} <= accepts:
        return "the beginning of a section"
    if {"LET", "REQUIRE"} <= accepts:
        return "a statement"
    if {"EQUAL", "WINS"} <= accepts:
        return "`=`, or an outcome such as `p wins`"
    if {"WORD", "NUMBER", "LPAR"} <= accepts:
        return "a payoff or who moves next" if "MINUS" in accepts else "a branch of the tree"
    rest = set(accepts) - {"GAP", "_DEDENT"}
    words = []
    if is_value(accepts):
        words.append("a value")
        rest -= VALUE
    elif is_operator(accepts):
        words.append("an operator")
        rest -= _OPERATORS
        rest = {terminal for terminal in rest if not _is_sign_of_operator(terminal)}
    words += sorted({_word(terminal) for terminal in rest}, key=_order)
    if len(words) > _LONGEST_LIST:
        words = [*words[:_LONGEST_LIST], "something else"]
    return _listed(words)


def _is_sign_of_operator(terminal: str) -> bool:
    return literals().get(terminal) in {"==", "!=", "<=", ">=", "//", ".."}


def _word(terminal: str) -> str:
    if terminal in _WORDS:
        return _WORDS[terminal]
    return f"`{literals().get(terminal, terminal)}`"


def _order(word: str) -> tuple[bool, str]:
    return word == _WORDS["_NL"], word


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"
