"""Elaborate a name as an expression.

The `Scope` and the symbol table decide the meaning of the name: a local name, a word of the
language, a constant, a state variable, or a `def` without parameters.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.model import nodes
from gamedsl.model.elaborate.elaborator import Elaborator, in_error
from gamedsl.model.elaborate.expressions import definitions
from gamedsl.model.elaborate.expressions.cells import cell_type, initial_value, is_worked_out
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import BOOLEAN, UNKNOWN, ArrayType, atoms
from gamedsl.syntax import ast


def named(elaborator: Elaborator, written: ast.Name, scope: Scope) -> nodes.Expr:
    """The meaning of a name."""
    local = scope.find(written.text)
    if local is not None:
        if elaborator.notes is not None and isinstance(local, nodes.Local):
            elaborator.notes.note_local(written.span, local.span)
        return replace(local, span=written.span)
    if written.text in {"turn", "me", "opponent", "stuck"}:
        return _word(elaborator, written, scope)
    meaning = elaborator.symbols.find(written.text)
    match meaning:
        case nodes.Const():
            return replace(meaning, span=written.span)
        case nodes.Variable():
            return _variable(elaborator, written, meaning, scope)
        case ast.DefDecl() if not meaning.parameters:
            return definitions.apply(elaborator, written.span, meaning, (), scope)
        case ast.DefDecl() | ast.EffectDecl():
            kind = "`def`" if isinstance(meaning, ast.DefDecl) else "`effect`"
            names = ", ".join(name.text for name in meaning.parameters)
            return elaborator.wrong(
                "E1003",
                written.span,
                f"`{written.text}` is {kind} and needs its arguments",
                hint=f"write `{written.text}({names})`",
            )
        case None:
            return unknown_name(elaborator, written, scope)


def unknown_name(elaborator: Elaborator, written: ast.Name, scope: Scope) -> nodes.Expr:
    """Report an undeclared name; names in error or in broken lines are not reported."""
    name, symbols = written.text, elaborator.symbols
    is_known = symbols.knows(name) and not symbols.is_idle(name)
    if is_known or name in elaborator.reporter.broken:
        return in_error(written.span)
    from gamedsl.model.symbols.suggestions import explain

    problem = explain(symbols, name, scope)
    if problem is None:
        return in_error(written.span)
    message, hint = problem.message, problem.hint
    elaborator.reporter.report_unknown(name, problem.code, written.span, message, hint)
    return in_error(written.span)


def _word(elaborator: Elaborator, written: ast.Name, scope: Scope) -> nodes.Expr:
    symbols = elaborator.symbols
    players = atoms(*symbols.players) if symbols.players else UNKNOWN
    match written.text:
        case "turn" | "opponent" | "stuck" if scope.is_constant:
            return elaborator.wrong(
                "E1306", written.span, f"`{written.text}` is not known before the game starts"
            )
        case "turn":
            return nodes.Mover(written.span, players, "turn")
        case "opponent":
            if not symbols.players:
                return in_error(written.span)
            if len(symbols.players) != 2:
                return elaborator.wrong(
                    "E1303",
                    written.span,
                    f"`opponent` needs two players; this game has {len(symbols.players)}",
                    hint="use `next(turn)`, or `p != turn`",
                )
            turn = nodes.Mover(written.span, players, "turn")
            return nodes.Builtin(written.span, players, "other", (turn,))
        case "me" if scope.context is not RuleContext.SIMULTANEOUS:
            return elaborator.wrong(
                "E1302",
                written.span,
                "`me` is the chooser of a `simultaneous` move",
                hint="the player to move is `turn`",
            )
        case "me":
            return nodes.Mover(written.span, players, "me")
        case _ if scope.context is not RuleContext.END:
            return elaborator.wrong(
                "E1302",
                written.span,
                "`stuck` can be asked in `end:` alone",
                hint="to look ahead name a player, and the moves that count: `stuck(opponent, go)`;"
                " for a move that is legal only if no other is, write `otherwise` above it",
            )
        case _:
            return nodes.Stuck(written.span, BOOLEAN)


def _variable(
    elaborator: Elaborator, written: ast.Name, variable: nodes.Variable, scope: Scope
) -> nodes.Expr:
    if not variable.indices and is_worked_out(variable, scope):
        return initial_value(elaborator, written.span, variable, 0)
    if scope.is_constant and not variable.is_constant:
        return elaborator.wrong(
            "E1306",
            written.span,
            f"`{written.text}` changes during the game; this must be known before it starts",
            hint="use numbers and `param`s",
        )
    if variable.indices:
        return nodes.ArrayRef(written.span, ArrayType(variable.name), variable)
    return nodes.Cell(written.span, cell_type(variable), variable, ())
