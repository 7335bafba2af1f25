"""Rules for syntax colouring, for highlighters that only know words.

In: the vocabulary. Out: rules, tried in order at each place: a kind of stretch, and a regular
expression that Python and Oniguruma read alike. `pygments_lexer` and the grammar of the extension
for Visual Studio Code are made of the rules; colours by the meaning of names come from `tokens`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cache

from gamedsl.model.builtins import BUILTINS
from gamedsl.model.operations import REDUCTIONS
from gamedsl.model.symbols.keywords import KEYWORDS
from gamedsl.model.values import COMPASS
from gamedsl.syntax.grammar import HARD_WORDS
from gamedsl.syntax.vocabulary import literals
from gamedsl.syntax.words import SECTIONS, STATEMENTS


class Colour(StrEnum):
    """Kinds of stretches, by the scopes of TextMate grammars."""

    COMMENT = "comment.line.number-sign"
    STRING = "string.quoted.double"
    SECTION = "keyword.other.section"
    KEYWORD = "keyword.control"
    OPERATOR_WORD = "keyword.operator.word"
    OUTCOME = "keyword.other.outcome"
    FUNCTION = "support.function"
    CONSTANT = "constant.language"
    DECLARED = "entity.name.function"
    NUMBER = "constant.numeric"
    OPERATOR = "keyword.operator"
    PUNCTUATION = "punctuation"
    NAME = "variable.other"
    OTHER = "meta.other"


OPERATOR_WORDS = frozenset({"and", "or", "not", "in"})
OUTCOMES = frozenset({"wins", "loses", "draw", "payoff"})
_HEADS = ("def", "effect", "move", "simultaneous", "type", "param")
_NAME = r"[^\W\d]\w*"


@cache
def rules() -> tuple[tuple[Colour, str], ...]:
    """The kinds and their expressions, in the order in which they are tried."""
    words = {word for word in literals().values() if word.isalpha()}
    sections = words & set(SECTIONS)
    hard = ((words & set(STATEMENTS)) | HARD_WORDS | {"where", "while"}) - OPERATOR_WORDS - OUTCOMES
    soft = words - sections - hard - OPERATOR_WORDS - OUTCOMES - KEYWORDS
    constants = (KEYWORDS | COMPASS.keys()) - hard - OPERATOR_WORDS - OUTCOMES
    return (
        (Colour.STRING, r'(?<=^game )"[^"\n]*"|(?<=^include )"[^"\n]*"'),
        (Colour.COMMENT, r"#.*"),
        (Colour.SECTION, rf"^(?:{_any(sections)})\b"),
        *((Colour.DECLARED, rf"(?<=^{head} ){_NAME}") for head in _HEADS),
        (Colour.OPERATOR_WORD, rf"\b(?:{_any(OPERATOR_WORDS)})\b"),
        (Colour.KEYWORD, rf"\b(?:{_any(hard)})\b"),
        (Colour.OUTCOME, rf"\b(?:{_any(OUTCOMES)})\b"),
        (Colour.FUNCTION, rf"\b(?:{_any({*BUILTINS, *REDUCTIONS})})(?=\()"),
        (Colour.KEYWORD, rf"\b(?:{_any(soft)})\b(?![ \t]*[\[,.)\]}}<>=+*/-]|\()"),
        (Colour.CONSTANT, rf"\b(?:{_any(constants)})\b"),
        (Colour.NUMBER, r"\b\d+(?:\.\d+)?\b"),
        (Colour.NAME, _NAME),
        (Colour.OPERATOR, r"->|==|!=|<=|>=|\+=|-=|\.\.|//|[-+*/%<>=|]"),
        (Colour.PUNCTUATION, r"[\[\](){},:]"),
        (Colour.STRING, r'"[^"\n]*"?'),
        (Colour.OTHER, r"[^\s\w]"),
    )


def _any(words: Iterable[str]) -> str:
    """An alternation of words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))
