"""`end:`, outcomes and `evaluate`: from a state to payoffs.

A function that ends a game gives a denominator and one numerator a player; the denominator 0
says that the game is not over.
"""

from __future__ import annotations

from gamedsl.compiler.errors import CannotCompileError
from gamedsl.compiler.expressions import Low
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.statements import Statements
from gamedsl.model import nodes
from gamedsl.model.types import Scalar, number


class Ends(Statements):
    """The endings of one game."""

    def outcome(self, statement: nodes.Outcome, scope: Scope) -> None:
        if isinstance(statement, nodes.Pay):
            numbers = [self.numeric(part, scope) for part in statement.payoffs]
            self._pay(numbers)
            return
        self._win(statement, scope)

    def _pay(self, numbers: list[Code]) -> None:
        from math import lcm

        per = lcm(*(one.per for one in numbers))
        texts = [o.text if o.per == per else f"({o.text} * {per // o.per})" for o in numbers]
        self.program.writer.line(f"return {per}, {', '.join(texts)}")

    def _win(self, outcome: nodes.Win, scope: Scope) -> None:
        winner = self.lower(outcome.player, scope)
        unit = Code(str(outcome.sign), number(outcome.sign, outcome.sign))
        if outcome.amount is not None:
            amount = self.numeric(outcome.amount, scope)
            unit = amount if outcome.sign > 0 else Code(f"(-{amount.text})", amount.type, amount.per)
        players = self.model.players
        if isinstance(winner, Known):
            if winner.value not in players:
                raise CannotCompileError("an outcome for no player", outcome.span)
            minus = Code(f"(-{unit.text})", unit.type, unit.per)
            self._pay([unit if player is winner.value else minus for player in players])
            return
        self._check_player(outcome, winner)
        self._pay([self._share(winner, unit, n) for n in range(len(players))])

    def _check_player(self, outcome: nodes.Win, winner: Code) -> None:
        if not isinstance(winner.type, Scalar) or winner.type.kinds != {"player"}:
            raise CannotCompileError("an outcome for what may be no player", outcome.span)

    @staticmethod
    def _share(winner: Code, unit: Code, player: int) -> Code:
        text = f"({unit.text} if {winner.text} == {player} else -{unit.text})"
        return Code(text, unit.type, unit.per)

    def end(self, scope: Scope) -> None:
        """The body of the function that says whether and how the game is over."""
        if not self.block(self.model.end, scope):
            self.not_over()

    def not_over(self) -> None:
        """No outcome is reached."""
        self.program.writer.line(f"return 0, {', '.join('0' for _ in self.model.players)}")

    def evaluation(self, scope: Scope, evaluation: nodes.Evaluation, player: int) -> None:
        """The body of the function that gives EVAL for one player."""
        inner = scope.having(evaluation.slot, Known(self.model.players[player]))
        value = self.numeric(evaluation.value, inner)
        self.program.writer.line(f"return {value.per}, {value.text}")


__all__ = ["Ends", "Low"]
