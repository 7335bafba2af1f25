"""A lexer for Pygments, which Sphinx, MkDocs, LaTeX and Rich use to colour texts.

The lexer is registered as an entry point: `pygmentize -l gamedsl my_game.game`.
"""

from __future__ import annotations

import re
from typing import ClassVar

from pygments import token
from pygments.lexer import RegexLexer

from gamedsl.services.colours import Colour, rules

TOKENS = {
    Colour.COMMENT: token.Comment.Single,
    Colour.STRING: token.String.Double,
    Colour.SECTION: token.Keyword.Declaration,
    Colour.KEYWORD: token.Keyword,
    Colour.OPERATOR_WORD: token.Operator.Word,
    Colour.OUTCOME: token.Keyword.Reserved,
    Colour.FUNCTION: token.Name.Builtin,
    Colour.CONSTANT: token.Keyword.Constant,
    Colour.DECLARED: token.Name.Function,
    Colour.NUMBER: token.Number,
    Colour.OPERATOR: token.Operator,
    Colour.PUNCTUATION: token.Punctuation,
    Colour.NAME: token.Name,
    Colour.OTHER: token.Text,
}


class GameLexer(RegexLexer):  # type: ignore[misc]
    """Rules of games."""

    name = "gamedsl"
    aliases: ClassVar[list[str]] = ["gamedsl"]
    filenames: ClassVar[list[str]] = ["*.game"]
    flags = re.MULTILINE
    tokens: ClassVar[dict[str, list[tuple[str, object]]]] = {
        "root": [
            (r"\s+", token.Whitespace),
            *((pattern, TOKENS[colour]) for colour, pattern in rules()),
            (r".", token.Text),
        ]
    }
