"""`end:`, outcomes and `evaluate`: from a state to payoffs.

A function that ends a game gives a denominator and one numerator a player; the denominator 0
says that the game is not over.
"""

from __future__ import annotations

from gamedsl.compiler.faults import NO_PLAYER
from gamedsl.compiler.scope import Code, Known, Scope
from gamedsl.compiler.statements import Statements
from gamedsl.compiler.tables import Low
from gamedsl.model import nodes
from gamedsl.model.types import number, scalar_of
from gamedsl.model.values import text_of


class Ends(Statements):
    """The endings of one game."""

    def outcome(self, statement: nodes.Outcome, scope: Scope) -> None:
        """Give back the payoffs."""
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
            unit = (
                amount if outcome.sign > 0 else Code(f"(-{amount.text})", amount.type, amount.per)
            )
        players = self.model.players
        if isinstance(winner, Known) and winner.value in players:
            minus = Code(f"(-{unit.text})", unit.type, unit.per)
            self._pay([unit if player is winner.value else minus for player in players])
            return
        held = self._surely_player(outcome, winner)
        self._pay([self._share(held, unit, n) for n in range(len(players))])

    def _surely_player(self, outcome: nodes.Win, winner: Low) -> Code:
        """The winner under a name, guarded where it may be no player."""
        code = (
            Code(self.text(winner), scalar_of((winner.value,)))
            if isinstance(winner, Known)
            else winner
        )
        if code.type.kinds == {"player"}:
            return code
        kind = code.type

        def message(found: int, _: int) -> tuple[str, str | None]:
            whom = text_of(self.codes.value(found, kind))
            return f"an outcome for `{whom}`, who is no player", NO_PLAYER

        held = self._hold(code, "winner")
        assert isinstance(held, Code)
        site = self.site("E3005", outcome.span, message)
        codes = ", ".join(str(self.codes.code(player)) for player in self.model.players)
        with self.program.writer.block(f"if not ({held.text} in ({codes},))"):
            self.program.writer.line(f"fault({site}, {held.text}, 0)")
        return held

    def _share(self, winner: Code, unit: Code, player: int) -> Code:
        code = self.codes.code(self.model.players[player])
        text = f"({unit.text} if {winner.text} == {code} else -{unit.text})"
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

    def quiescence(self, scope: Scope, evaluation: nodes.Evaluation, player: int) -> None:
        """The body of the function that says whether EVAL can be trusted."""
        assert evaluation.quiescent is not None
        inner = scope.having(evaluation.slot, Known(self.model.players[player]))
        self.program.writer.line(f"return {self.condition(evaluation.quiescent, inner)}")
