"""Floor 1: text to AST and back. The only floor that knows the parsing library."""

from gamedsl.syntax.parse import is_gambit, parse, parse_expression

__all__ = ["is_gambit", "parse", "parse_expression"]
