"""Floor 1: text to AST and back. The only floor that knows the parsing library."""

from gamedsl.syntax.compare import same
from gamedsl.syntax.gambit.program import is_gambit
from gamedsl.syntax.including.expand import expand
from gamedsl.syntax.parse import parse, parse_expression
from gamedsl.syntax.printers.program import format_program

__all__ = ["expand", "format_program", "is_gambit", "parse", "parse_expression", "same"]
