"""Elaborate moves: parameters, groups (separated by `otherwise`) and numbers of actions.

The instances of typed moves are numbered consecutively.
"""

from __future__ import annotations

from functools import partial

from gamedsl.model import nodes
from gamedsl.model.checks.statement_order import check_order
from gamedsl.model.elaborate.certainty import is_never, truth_of
from gamedsl.model.elaborate.elaborator import Elaborator
from gamedsl.model.elaborate.narrowing import learned
from gamedsl.model.elaborate.statements.blocks import block
from gamedsl.model.limits import MOST_ACTIONS, MOST_SIDE_BY_SIDE, MOST_VALUES
from gamedsl.model.symbols.scope import RuleContext, Scope
from gamedsl.model.types import UNKNOWN, Scalar, describe, element_of
from gamedsl.model.values import Domain
from gamedsl.source import Label
from gamedsl.syntax import ast


def elaborate_moves(elaborator: Elaborator) -> tuple[nodes.Move, ...]:
    """The moves in order of declaration, without moves in error."""
    moves: list[nodes.Move] = []
    group, first_id = 0, 0
    names: dict[str, ast.MoveDecl] = {}
    previous: ast.Otherwise | None = None
    seen_in_group = False
    for declared in elaborator.symbols.program.declarations:
        if isinstance(declared, ast.Otherwise):
            if not seen_in_group:
                elaborator.reporter.report(
                    "E2005",
                    declared.span,
                    "`otherwise` stands between moves: what is above it goes first",
                    hint="no move is above this one: write one there, or leave the line out",
                )
            group, seen_in_group, previous = group + 1, False, declared
        elif isinstance(declared, ast.MoveDecl):
            seen_in_group = True
            elaborator.symbols.is_word(declared.name)
            namesake = names.setdefault(declared.name.text, declared)
            if namesake is not declared:
                elaborator.reporter.report(
                    "E1002",
                    declared.name.span,
                    f"two moves are called `{declared.name.text}`",
                    secondary=(Label(namesake.name.span, "the first one"),),
                )
            move = _move(elaborator, declared, group, first_id)
            if move is not None:
                moves.append(move)
                first_id += move.size
    saying = {name for name, declared in names.items() if _says_greatest(declared.body)}
    if saying:
        from gamedsl.model.checks.greatest import check_greatest

        check_greatest(moves, saying, elaborator.reporter)
    if previous is not None and not seen_in_group:
        elaborator.reporter.report(
            "E2005",
            previous.span,
            "no move follows this `otherwise`",
            hint="a move that replaces an included move keeps the place of the included move"
            if len(elaborator.symbols.program.source.files) > 1
            else None,
        )
    if first_id > MOST_ACTIONS:
        elaborator.reporter.report(
            "E1203",
            moves[-1].span,
            f"the moves have more than {MOST_ACTIONS:,} instances: all values of their"
            " parameters multiplied",
            hint="let a move take fewer parameters, or divide it into several moves",
        )
    return tuple(moves)


def _without_brackets(elaborator: Elaborator, written: ast.Parameter) -> str | None:
    """A hint for `n in [1..6]`."""
    listed = written.domain
    if not isinstance(listed, ast.ListLiteral | ast.SetLiteral) or len(listed.items) != 1:
        return None
    return f"write `{written.name.text} in {elaborator.text(listed.items[0])}`, without brackets"


def _says_greatest(body: ast.Block) -> bool:
    """Whether `require e is greatest` stands anywhere in a block."""
    return any(isinstance(node, ast.RequireGreatest) for node in ast.nodes_in(body))


def _move(
    elaborator: Elaborator, written: ast.MoveDecl, group: int, first_id: int
) -> nodes.Move | None:
    context = RuleContext.SIMULTANEOUS if written.is_simultaneous else RuleContext.MOVE
    scope = Scope(context)
    parameters: list[nodes.Parameter] = []
    complete = True
    if len(written.parameters) > MOST_SIDE_BY_SIDE:
        elaborator.reporter.report(
            "E1203",
            written.parameters[MOST_SIDE_BY_SIDE].span,
            f"a move has at most {MOST_SIDE_BY_SIDE} parameters",
        )
    is_possible = True
    for parameter in written.parameters[:MOST_SIDE_BY_SIDE]:
        with elaborator.reporter.unreachable(not is_possible):
            typed_parameter, scope = _parameter(elaborator, parameter, scope)
        complete = complete and typed_parameter is not None
        if typed_parameter is not None:
            parameters.append(typed_parameter)
            is_possible = is_possible and _can_be_chosen(typed_parameter)
    body = elaborator.elaborate_if_reachable(
        is_possible, partial(block, elaborator, written.body, scope), ()
    )
    check_order(body, elaborator.reporter)
    if not complete:
        return None
    return nodes.Move(
        written.name.text,
        written.name.span,
        tuple(parameters),
        body,
        written.is_secret,
        written.is_simultaneous,
        group,
        first_id,
    )


def _can_be_chosen(parameter: nodes.Parameter) -> bool:
    """Whether a parameter has values that its condition may allow."""
    condition = parameter.condition
    return bool(parameter.values) and (condition is None or truth_of(condition) is not False)


def _parameter(
    elaborator: Elaborator, written: ast.Parameter, scope: Scope
) -> tuple[nodes.Parameter | None, Scope]:
    if written.is_subset:
        from gamedsl.model.elaborate.declarations.subsets import elaborate_subset

        return elaborate_subset(elaborator, written, scope)
    domain = elaborator.worked_out(
        written.domain,
        elaborator.collection(written.domain, scope, f"parameter `{written.name.text}`"),
    )
    element = element_of(domain.type)
    values = domain.known
    single = element if isinstance(element, Scalar) else UNKNOWN
    scope, slot = elaborator.new_local(written.name, single, scope)
    condition = None
    if written.condition is not None:
        asked = partial(elaborator.condition, written.condition, scope, "`where`")
        condition = elaborator.elaborate_if_reachable(not is_never(domain.type), asked, None)
    if condition is not None:
        scope = scope.knowing(learned(condition))
    if not isinstance(element, Scalar):
        elaborator.reporter.report(
            "E1105",
            written.domain.span,
            f"a parameter is a single value; these are {describe(element)}",
            hint=_without_brackets(elaborator, written),
        )
        return None, scope
    if element.unknown:
        return None, scope
    choices = None if isinstance(values, tuple) else domain
    if not isinstance(values, tuple):
        values = element.enumerate()
    if values is None:
        elaborator.reporter.report(
            "E1203",
            written.domain.span,
            f"`{written.name.text}` must take at most {MOST_VALUES:,} values, known before the"
            f" game starts; this is {describe(element)}",
            hint="name a fixed set, and narrow it with `where`",
        )
        return None, scope
    possible = Domain(tuple(dict.fromkeys(values)))
    return nodes.Parameter(written.name.text, slot, possible, choices, condition), scope
