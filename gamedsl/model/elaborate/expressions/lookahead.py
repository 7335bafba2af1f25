"""Elaborate `stuck(p, moves)`: whether a player has none of some moves, at any place of the rules.

Names of moves have no other meaning in expressions. `checks.looking_ahead` bounds the questions.
"""

from __future__ import annotations

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.narrowing import narrowed
from gamedsl.model.symbols.scope import Scope
from gamedsl.model.types import BOOLEAN, UNKNOWN, Scalar, describe
from gamedsl.syntax import ast

CODE = "E0136"
EXAMPLE = "as in `stuck(opponent)`, or with the moves that count: `stuck(opponent, {})`"


def stuck_among(elaborator: Elaborator, written: ast.Call, scope: Scope) -> nodes.Expr:
    """`stuck(p)`, for all moves, or `stuck(p, go, drop)`, for the named moves."""
    declared = {move.name.text: move for move in elaborator.symbols.all(ast.MoveDecl)}
    if scope.is_constant:
        message = "`stuck(...)` is not known before the game starts"
        return elaborator.wrong("E1306", written.span, message)
    example = EXAMPLE.format(next(iter(declared), "go"))
    if not written.arguments:
        message = "`stuck(...)` needs the player who is asked about"
        return elaborator.wrong(CODE, written.span, message, hint=example)
    first, *named = written.arguments
    if isinstance(first, ast.Name) and first.text in declared and not scope.find(first.text):
        return elaborator.wrong(
            CODE,
            first.span,
            f"`{first.text}` is a move; the first in the brackets is a player",
            hint=f"write `stuck(turn, {first.text})` or `stuck(opponent, {first.text})`",
        )
    player = narrowed(elaborator.expression(first, scope), scope)
    if player.type == UNKNOWN:
        return nodes.Stuck(written.span, UNKNOWN, player)
    if not isinstance(player.type, Scalar) or player.type.kinds != {"player"}:
        message = f"`stuck(...)` asks about a player; this is {describe(player.type)}"
        return elaborator.wrong(CODE, first.span, message, hint=example)
    for name in named:
        problem = _problem_with(elaborator, name, declared)
        if problem is not None:
            message, hint = problem
            return elaborator.wrong(CODE, name.span, message, hint=hint)
    if not named and any(move.is_simultaneous for move in declared.values()):
        message = "`simultaneous` moves have no player to move; name the moves that count"
        return elaborator.wrong(CODE, written.span, message, hint=example)
    moves = tuple(name.text for name in named if isinstance(name, ast.Name)) or tuple(declared)
    return nodes.Stuck(written.span, BOOLEAN, player, tuple(dict.fromkeys(moves)))


def _problem_with(
    elaborator: Elaborator, name: ast.Expression, declared: dict[str, ast.MoveDecl]
) -> tuple[str, str | None] | None:
    """What is wrong with an argument that names a move, and a hint."""
    listed = ", ".join(f"`{move}`" for move in declared)
    if isinstance(name, ast.Call) and name.function.text in declared:
        move = name.function.text
        return f"`{move}` stands here without its parameters", f"write `stuck(..., {move})`"
    if not isinstance(name, ast.Name):
        return f"behind the player stand names of moves: {listed}", None
    if name.text not in declared:
        near = elaborator.symbols.nearest(name.text, declared)
        meant = f"; did you mean `{near}`?" if near else f"; the moves are {listed}"
        return f"there is no move `{name.text}`{meant}", None
    if declared[name.text].is_simultaneous:
        return f"`{name.text}` is `simultaneous`: it has no player to move", None
    return None
