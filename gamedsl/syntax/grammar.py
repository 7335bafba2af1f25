"""The parser made from the grammar file.

In: the grammar. Out: a Lark parser, which builds the AST while parsing. Errors are explained
elsewhere.
"""

from __future__ import annotations

import hashlib
import pickle
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import lark
from lark import Lark, TextSlice, Token, UnexpectedInput, UnexpectedToken
from lark.indenter import Indenter

from gamedsl.source.keeping import keep, kept, user_folder
from gamedsl.syntax.builders.extent import BuildError
from gamedsl.syntax.builders.trees import Builder
from gamedsl.syntax.grammar_file import grammar_file

HARD_WORDS = frozenset({"and", "or", "not", "in", "if", "elif", "else", "for"})
"""Words that are never names of variables (labels and moves may have any name)."""

GAP = "\ue000"
"""The mark left by recovery in place of a dropped line; texts containing the mark are refused."""

TAB = 4
"""A tab moves to the next multiple of this many columns."""


class IndentationMismatchError(Exception):
    """A line whose indentation fits no block above; `token` is the line end before the line."""

    def __init__(self, token: Token) -> None:
        super().__init__("indentation")
        self.token = token


PARSE_ERRORS = (UnexpectedInput, BuildError, IndentationMismatchError)
"""The exceptions of the parser."""


class BlockIndenter(Indenter):
    """Turns the indentation of lines into tokens; inside brackets line ends do not count."""

    NL_type = "_NL"
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012 (Lark's interface)
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    tab_len = TAB

    # Line ends, and whole words: `winsome` is one word even where `wins` is expected.
    always_accept = ("_NL", "NAME")

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens with blocks. Every text has brackets and blocks of its own: several threads
        may parse at once."""
        tokens: Iterator[Token] = Indenter.process(BlockIndenter(), stream)  # type: ignore[no-untyped-call]
        return tokens

    def handle_NL(self, token: Token) -> Iterator[Token]:  # noqa: N802 (Lark's interface)
        """The line end, and the blocks that the next line opens or closes."""
        if self.paren_level > 0:
            return
        yield token
        indent = indent_width(token.rpartition("\n")[2])
        if indent > self.indent_level[-1]:
            self.indent_level.append(indent)
            yield Token.new_borrow_pos(self.INDENT_type, "", token)
            return
        while indent < self.indent_level[-1]:
            self.indent_level.pop()
            yield Token.new_borrow_pos(self.DEDENT_type, "", token)
        if indent != self.indent_level[-1]:
            raise IndentationMismatchError(token)


def indent_width(blank: str) -> int:
    """The width of a run of spaces and tabs, in columns."""
    width = 0
    for character in blank:
        width = (width // TAB + 1) * TAB if character == "\t" else width + 1
    return width


def build_parser(*, strict: bool = False) -> Lark:
    """A new parser; `strict` also checks that no two terminals can match the same text."""
    return Lark(
        grammar_file().read_text(encoding="utf-8"),
        parser="lalr",
        start=["program", "suite", "lone_expression"],
        keep_all_tokens=True,
        maybe_placeholders=True,
        strict=strict,
        **_own_parts(),
    )


@cache
def parser() -> Lark:
    """The parser of the process.

    Making the parser tables takes longer than checking a file. The installed package has tables, if
    made by the Python and Lark in use; otherwise the tables are kept between runs.
    """
    if (made := shipped_tables()).is_file():
        return _parser_with(made.read_bytes())
    path = user_folder() / "parser" / made.name
    content = kept(path)
    if content is not None:
        return _parser_with(content)
    new = build_parser()
    keep(path, tables_of(new))
    return new


def tables_of(parser: Lark) -> bytes:
    """The tables of a parser, for storage: without the parts made of the package's code."""
    file = BytesIO()
    parser.save(file, exclude_options=_own_parts())
    return file.getvalue()


def shipped_tables() -> Path:
    """The path of the shipped tables for the grammar, Lark and Python in use; the file may be
    missing. A wheel has the tables of the Python that built the wheel."""
    parts = (grammar_file().read_text(encoding="utf-8"), lark.__version__, sys.version)
    identity = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]
    return Path(__file__).resolve().parents[1] / "_tables" / f"tables_{identity}"


def _parser_with(tables: bytes) -> Lark:
    read = pickle.loads(tables)
    read["data"]["options"] |= _own_parts()
    return Lark.load(read)


def _own_parts() -> dict[str, Any]:
    """The parts of the parser made of the package's code."""
    return {
        "postlex": BlockIndenter(),
        "transformer": Builder(),
        "lexer_callbacks": {"NAME": _reserve},
    }


def accepted(part: TextSlice[str], symbol: str, error: UnexpectedInput) -> frozenset[str]:
    """The terminals that would have fitted where the parser refused a text.

    The parser notices a wrong token only after reductions in vain, so the text is read again, up to
    the token.
    """
    wrong = error.token if isinstance(error, UnexpectedToken) else None
    reader = parser().parse_interactive(part, start=symbol)
    try:
        for token in reader.iter_parse():
            if wrong and (token.type, token.start_pos) == (wrong.type, wrong.start_pos):
                break
    except UnexpectedInput:
        pass  # the lexer knows no token here: the parser has stopped at the right place
    terminals: set[str] = reader.accepts()  # type: ignore[no-untyped-call]
    return frozenset(terminals)


def _reserve(token: Token) -> Token:
    """A hard word in the place of a name: the word stays a keyword, and therefore an error."""
    if token.value in HARD_WORDS:
        return Token.new_borrow_pos(token.value.upper(), token.value, token)
    return token
