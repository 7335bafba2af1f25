"""Floor 1: text to AST and back. The only floor that knows the parsing library."""

from gamedsl.syntax.compare import same
from gamedsl.syntax.format import format_program
from gamedsl.syntax.parse import parse, parse_expression

__all__ = ["format_program", "parse", "parse_expression", "same"]
