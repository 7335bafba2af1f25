"""`end:`, outcomes and `evaluate`: from a state to payoffs.

A function that ends a game gives a denominator and one numerator a player; the denominator 0
says that the game is not over.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from math import lcm

from gamedsl.compiler.evaluate import NotKnownError
from gamedsl.compiler.faults import NO_PLAYER
from gamedsl.compiler.ir.values import integer, not_, select
from gamedsl.compiler.layout import TURN
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.statements import Statements
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes, operations
from gamedsl.model.types import Scalar, number, scalar_of
from gamedsl.model.values import Value, text_of
from gamedsl.model.walk import statements


class Ends(Statements):
    """The endings of one game.

    Attributes:
        movers: while the end is asked for that follows a move from a state that was not over:
            the players who may have made it. Tests that such a move cannot have made true are
            left out then. Empty: nothing is known of what came before.
        has_left_out: some test has been left out.
    """

    movers: tuple[int, ...] = ()
    has_left_out: bool = False

    def outcome(self, statement: nodes.Outcome, scope: Scope) -> None:
        """Give back the payoffs."""
        if isinstance(statement, nodes.Pay):
            numbers = [self.numeric(part, scope) for part in statement.payoffs]
            self._pay(numbers)
            return
        self._win(statement, scope)

    def _pay(self, numbers: list[Code]) -> None:
        per = lcm(*(one.per for one in numbers))
        self.builder.give(per, *(one.expr * (per // one.per) for one in numbers))

    def _win(self, outcome: nodes.Win, scope: Scope) -> None:
        winner = self.lower(outcome.player, scope)
        unit = Code(integer(outcome.sign), number(outcome.sign, outcome.sign))
        if outcome.amount is not None:
            amount = self.numeric(outcome.amount, scope)
            unit = amount if outcome.sign > 0 else _opposite(amount)
        players = self.model.players
        if isinstance(winner, Known) and winner.value in players:
            shares = (unit if player is winner.value else _opposite(unit) for player in players)
            self._pay(list(shares))
            return
        held = self._surely_player(outcome, winner)
        self._pay([self._share(held, unit, n) for n in range(len(players))])

    def _surely_player(self, outcome: nodes.Win, winner: Low) -> Code:
        """The winner under a name, guarded where it may be no player."""
        code = (
            Code(self.value(winner), scalar_of((winner.value,)))
            if isinstance(winner, Known)
            else winner
        )
        if code.type.kinds == {"player"}:
            return code
        kind = code.type

        def message(found: int, _: int) -> tuple[str, str | None]:
            whom = text_of(self.codes.value(found, kind))
            return f"an outcome for `{whom}`, who is no player", NO_PLAYER

        held = self.program.hold(code.expr, "winner")
        site = self.site("E3005", outcome.span, message, (kind,))
        codes = [self.codes.code(player) for player in self.model.players]
        with self.builder.when(not_(self.among(held, codes))):
            self.builder.fault(site, held)
        return Code(held, kind)

    def _share(self, winner: Code, unit: Code, player: int) -> Code:
        code = self.codes.code(self.model.players[player])
        share = select(winner.expr.eq(code), unit.expr, -unit.expr)
        return Code(share, unit.type, unit.per)

    # --- what a move cannot have made true -----------------------------------------------------

    def _branch(self, statement: nodes.Branch, scope: Scope) -> Scope | None:
        """A condition under which the game surely ends did not hold before the move."""
        movers, self.movers = self.movers, ()
        try:
            if movers and self._is_sure_end(statement):
                parts = list(self._alternatives(statement.branches[0][0], scope))
                if not any(self._may_become_true(node, inner, movers) for node, inner in parts):
                    self.has_left_out = True
                    return scope
            return super()._branch(statement, scope)
        finally:
            self.movers = movers

    def _loop_statement(self, statement: nodes.Loop, scope: Scope) -> None:
        movers = self.movers
        if statement.condition is not None or statement.going is not None:
            self.movers = ()
        if not isinstance(self.known_value(statement.domain, scope), tuple):
            self.movers = ()
        super()._loop_statement(statement, scope)
        self.movers = movers

    @staticmethod
    def _is_sure_end(statement: nodes.Branch) -> bool:
        blocks = [block for _, block in statement.branches]
        is_alone = len(blocks) == 1 and not statement.otherwise
        return is_alone and isinstance(blocks[0][0], nodes.Win | nodes.Pay)

    def _alternatives(self, node: nodes.Expr, scope: Scope) -> Iterator[tuple[nodes.Expr, Scope]]:
        """The operands of `or`, calls of definitions opened."""
        if isinstance(node, nodes.Logic) and node.operator == "or":
            for operand in node.operands:
                yield from self._alternatives(operand, scope)
            return
        inner = self.bound(node, scope) if isinstance(node, nodes.Apply) else None
        if inner is not None and isinstance(node, nodes.Apply):
            yield from self._alternatives(node.definition.body, inner)
        else:
            yield node, scope

    def _may_become_true(self, node: nodes.Expr, scope: Scope, movers: tuple[int, ...]) -> bool:
        """Whether a move may make a condition true; False is certain."""
        if not isinstance(node, nodes.Builtin) or node.name != "line" or self.safety.can_fail(node):
            return True
        whole, value, length = node.arguments
        assert isinstance(whole, nodes.Whole)
        anybody = replace(
            scope, turn=Code(self.field(TURN), Scalar(atoms=frozenset(self.model.players)))
        )
        try:  # what depends on the turn was something else before the move
            held = self.evaluator.value(value, anybody)
            self.evaluator.value(length, anybody)
        except (NotKnownError, operations.OperationError):
            return True
        return any(self._may_write(whole.variable, held, mover) for mover in movers)

    def _may_write(self, variable: nodes.Variable, value: Value, mover: int) -> bool:
        """Whether a move of a player may write a value into a variable."""
        return any(
            self._may_be(statement.value, value, self.scope_of(mover, move.body))
            for move in self.model.moves
            for statement in statements(move.body)
            if isinstance(statement, nodes.SetCell) and statement.variable.offset == variable.offset
        )

    def _may_be(self, node: nodes.Expr, value: Value, scope: Scope) -> bool:
        try:
            return operations.equal(self.evaluator.value(node, scope), value)
        except (NotKnownError, operations.OperationError):
            values = node.type.enumerate() if isinstance(node.type, Scalar) else None
            return values is None or value in values

    def movers_before(self, player: int) -> tuple[int, ...]:
        """Who may have made the move after which a player is to move."""
        count = len(self.model.players)
        if any(self.keeps_turn(move.body) for move in self.model.moves):
            return tuple(range(count))
        return ((player - 1) % count,)

    @abstractmethod
    def scope_of(self, player: int, block: nodes.Block = ()) -> Scope:
        """The scope in which a player is to move."""

    # --- the functions -------------------------------------------------------------------------

    def end(self, scope: Scope) -> None:
        """The body of the function that says whether and how the game is over."""
        if not self.block(self.model.end, scope):
            self.not_over()

    def not_over(self) -> None:
        """No outcome is reached."""
        self.builder.give(0, *(0 for _ in self.model.players))

    def evaluation(self, scope: Scope, evaluation: nodes.Evaluation, player: int) -> None:
        """The body of the function that gives EVAL for one player."""
        inner = scope.having(evaluation.slot, Known(self.model.players[player]))
        value = self.numeric(evaluation.value, inner)
        self.builder.give(value.per, value.expr)

    def quiescence(self, scope: Scope, evaluation: nodes.Evaluation, player: int) -> None:
        """The body of the function that says whether EVAL can be trusted."""
        assert evaluation.quiescent is not None
        inner = scope.having(evaluation.slot, Known(self.model.players[player]))
        self.builder.give(self.condition(evaluation.quiescent, inner))


def _opposite(code: Code) -> Code:
    return Code(-code.expr, code.type, code.per)
