"""`end:`, outcomes and `evaluate`: from a state to payoffs.

A function that ends a game gives a denominator and one numerator a player; the denominator 0
says that the game is not over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import lcm

from gamedsl.compiler.ir.values import integer, select
from gamedsl.compiler.lowering.bodies import blocks, rising, state_functions
from gamedsl.compiler.lowering.values import expressions, numbers
from gamedsl.compiler.lowering.values.context import Lowering
from gamedsl.compiler.lowering.values.evaluate import NotKnownError
from gamedsl.compiler.lowering.values.scope import AfterMove, Code, Known, Low, Scope
from gamedsl.model import messages, nodes, operations
from gamedsl.model.messages import paid_twice
from gamedsl.model.statement_facts import facts_of, keeps_turn
from gamedsl.model.types import Scalar, number, scalar_of
from gamedsl.model.values import Value
from gamedsl.model.walk import statements as all_statements

PAYOFF = numbers.needed_as("a payoff")


def write_outcome(lowering: Lowering, statement: nodes.Outcome, scope: Scope) -> None:
    """Return the payoffs."""
    if isinstance(statement, nodes.Pay):
        if not statement.proved:
            _check_named(lowering, statement, scope)
        paid = (_paid(lowering, part, scope, statement) for part in statement.payoffs)
        _pay(lowering, list(paid))
        return
    _win(lowering, statement, scope)


def _check_named(lowering: Lowering, outcome: nodes.Pay, scope: Scope) -> None:
    """Fail unless the players of a `payoff` are all players, each once."""
    paid: list[Code] = []

    def twice(detail: int, _: int) -> tuple[str, str | None]:
        return paid_twice(lowering.codes.value(detail, scalar_of(lowering.model.players)))

    site = lowering.origin.site("E3005", outcome.span, twice, ("twice",))
    for player, _ in outcome.named:
        payee = _surely_player(lowering, outcome, lowering.lower(player, scope))
        held = lowering.program.hold(payee.expr, "paid")
        for earlier in paid:
            with lowering.builder.when(held.eq(earlier.expr)):
                lowering.builder.fault(site, held)
        paid.append(Code(held, payee.type))


def _paid(lowering: Lowering, amount: nodes.Expr, scope: Scope, outcome: nodes.Outcome) -> Code:
    return numbers.numeric(lowering, amount, scope, PAYOFF, outcome.span)


def _pay(lowering: Lowering, numbers: list[Code]) -> None:
    per = lcm(*(share.per for share in numbers))
    lowering.builder.give(per, *(share.expr * (per // share.per) for share in numbers))


def _win(lowering: Lowering, outcome: nodes.Win, scope: Scope) -> None:
    winner = lowering.lower(outcome.player, scope)
    unit = Code(integer(outcome.sign), number(outcome.sign, outcome.sign))
    if outcome.amount is not None:
        amount = _paid(lowering, outcome.amount, scope, outcome)
        unit = amount if outcome.sign > 0 else _opposite(amount)
    players = lowering.model.players
    if isinstance(winner, Known) and winner.value in players:
        shares = (unit if player is winner.value else _opposite(unit) for player in players)
        _pay(lowering, list(shares))
        return
    held = _surely_player(lowering, outcome, winner)
    _pay(lowering, [_share(lowering, held, unit, n) for n in range(len(players))])


def _surely_player(lowering: Lowering, outcome: nodes.Outcome, winner: Low) -> Code:
    """The winner, or the paid player, under a name, guarded where the value may be no player."""
    code = (
        Code(lowering.value(winner), scalar_of((winner.value,)))
        if isinstance(winner, Known)
        else winner
    )
    if code.type.kinds == {"player"}:
        return code
    held = lowering.program.hold(code.expr, "winner")
    blocks.refuse_nobody(lowering, held, code, outcome.span, messages.nobody_wins)
    return Code(held, code.type)


def _share(lowering: Lowering, winner: Code, unit: Code, player: int) -> Code:
    code = lowering.codes.code(lowering.model.players[player])
    share = select(winner.expr.eq(code), unit.expr, -unit.expr)
    return Code(share, unit.type, unit.per)


def write_branch(lowering: Lowering, statement: nodes.Branch, scope: Scope) -> Scope | None:
    """A condition under which the game surely ends did not hold before the move."""
    after = scope.purpose
    if not isinstance(after, AfterMove):
        return blocks.write_branch_plain(lowering, statement, scope)
    inner = replace(scope, purpose=None)
    if _is_sure_end(statement):
        parts = _alternatives(lowering, statement.branches[0][0], inner)
        if not any(_may_become_true(lowering, node, at, after.movers) for node, at in parts):
            after.left_out.append(statement)
            return scope
    return None if blocks.write_branch_plain(lowering, statement, inner) is None else scope


def write_loop(lowering: Lowering, statement: nodes.Loop, scope: Scope) -> None:
    """`for`: conditions that a move cannot have made true are left out if every round is
    executed.
    """
    is_part = statement.condition is not None or statement.going is not None
    if isinstance(scope.purpose, AfterMove) and (
        is_part or not isinstance(lowering.evaluator.known(statement.domain, scope), tuple)
    ):
        scope = replace(scope, purpose=None)
    blocks.write_loop_plain(lowering, statement, scope)


def _is_sure_end(statement: nodes.Branch) -> bool:
    blocks = [block for _, block in statement.branches]
    is_alone = len(blocks) == 1 and not statement.otherwise
    return is_alone and facts_of(blocks[0][0]).ends


def _alternatives(
    lowering: Lowering, node: nodes.Expr, scope: Scope
) -> Iterator[tuple[nodes.Expr, Scope]]:
    """The operands of `or`, calls of definitions opened."""
    if isinstance(node, nodes.Logic) and node.operator == "or":
        for operand in node.operands:
            yield from _alternatives(lowering, operand, scope)
        return
    inner = expressions.bound(lowering, node, scope) if isinstance(node, nodes.Apply) else None
    if inner is not None and isinstance(node, nodes.Apply):
        yield from _alternatives(lowering, node.definition.body, inner)
    else:
        yield node, scope


def _may_become_true(
    lowering: Lowering, node: nodes.Expr, scope: Scope, movers: tuple[int, ...]
) -> bool:
    """Whether a move may make a condition true; False is certain."""
    if lowering.can_fail(node):
        return True
    # an expression that depends on the turn had another value before the move
    anybody = replace(scope, turn=state_functions.anybody(lowering))
    new = rising.causes(lowering, node, anybody)
    return not new or any(
        _may_write(lowering, variable, value, mover) for variable, value in new for mover in movers
    )


def _may_write(lowering: Lowering, variable: nodes.Variable, value: Value, mover: int) -> bool:
    """Whether a move of a player may write a value into a variable."""
    for move in lowering.model.moves:
        for statement in all_statements(move.body):
            facts = facts_of(statement)
            if facts.writes is None or facts.writes.offset != variable.offset:
                continue
            scope = state_functions.scope_of(lowering, mover, move.body)
            if facts.value is None or _may_be(lowering, facts.value, value, scope):
                return True
    return False


def _may_be(lowering: Lowering, node: nodes.Expr, value: Value, scope: Scope) -> bool:
    try:
        return operations.equal(lowering.evaluator.value(node, scope), value)
    except (NotKnownError, operations.OperationError):
        values = node.type.enumerate() if isinstance(node.type, Scalar) else None
        return values is None or value in values


def movers_before(lowering: Lowering, player: int) -> tuple[int, ...]:
    """The players who may have made the move before a player's turn."""
    count = len(lowering.model.players)
    if any(keeps_turn(move.body) for move in lowering.model.moves):
        return tuple(range(count))
    return ((player - 1) % count,)


def write_end(lowering: Lowering, scope: Scope) -> None:
    """The body of the function that returns whether and how the game is over."""
    if not blocks.write_block(lowering, lowering.model.end, scope):
        not_over(lowering)


def not_over(lowering: Lowering) -> None:
    """No outcome is reached."""
    lowering.builder.give(0, *(0 for _ in lowering.model.players))


def write_evaluation(
    lowering: Lowering, scope: Scope, evaluation: nodes.Evaluation, player: int
) -> None:
    """The body of the function that gives EVAL for one player."""
    inner = scope.having(evaluation.slot, Known(lowering.model.players[player]))
    value = numbers.numeric(lowering, evaluation.value, inner, PAYOFF)
    lowering.builder.give(value.per, value.expr)


def write_quiescence(
    lowering: Lowering, scope: Scope, evaluation: nodes.Evaluation, player: int
) -> None:
    """The body of the function that says whether EVAL can be trusted."""
    assert evaluation.quiescent is not None
    inner = scope.having(evaluation.slot, Known(lowering.model.players[player]))
    lowering.builder.give(lowering.condition(evaluation.quiescent, inner))


def _opposite(code: Code) -> Code:
    return Code(-code.expr, code.type, code.per)
