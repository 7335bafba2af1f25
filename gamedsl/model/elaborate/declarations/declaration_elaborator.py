"""Elaborate declarations on demand of the `SymbolTable`: boards, constants and state variables.

Values given from outside replace the defaults of parameters. The result is None after a reported
error.
"""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.model import nodes
from gamedsl.model.board import Board
from gamedsl.model.elaborate.declarations.declared_board import elaborate_board
from gamedsl.model.elaborate.declarations.parameters import elaborate_parameter
from gamedsl.model.elaborate.declarations.player_count import elaborate_player_count
from gamedsl.model.elaborate.declarations.products import elaborate_product
from gamedsl.model.elaborate.declarations.variables import elaborate_variable
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.operations import as_collection
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import set_of
from gamedsl.model.values import unique
from gamedsl.syntax import ast


class DeclarationElaborator:
    """The `Meanings` of a symbol table: delegates by kind of declaration."""

    def __init__(self, elaborator: Elaborator, bindings: Mapping[str, str]) -> None:
        self._elaborator = elaborator
        self._bindings = bindings

    def player_count(self, declared: ast.PlayersDecl, count: ast.Expression) -> int | None:
        """The number in front of the names of the players; None after a reported error."""
        return elaborate_player_count(self._elaborator, declared, count)

    def board(self) -> Board | None:
        """The board that the file declares, if any."""
        return elaborate_board(self._elaborator)

    def parameter(self, declared: ast.ParamDecl) -> nodes.Const | None:
        """The value given from outside for a parameter, or its default."""
        text = self._bindings.get(declared.name.text)
        return elaborate_parameter(self._elaborator, declared, text)

    def type(self, declared: ast.TypeDecl) -> nodes.Const | None:
        """The values of a type, without duplicates."""
        if declared.owner is not None:
            return elaborate_product(self._elaborator, declared, declared.owner)
        constant = self._elaborator.constant(declared.value, Scope(RuleContext.CONSTANT))
        if constant is None:
            return None
        values = unique(as_collection(constant.value))
        return nodes.Const(constant.span, set_of(values), values)

    def variable(self, declared: ast.VariableDecl) -> nodes.Variable | None:
        """A state variable; its cells are placed behind the cells of earlier variables."""
        return elaborate_variable(self._elaborator, declared)
