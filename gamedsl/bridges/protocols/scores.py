"""The score of a finished game, as programs of Go write it: `B+3`, `W+0.5`, `0`."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain

from gamedsl.game.game import LoadedGame
from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.interpreter.expressions import Expressions
from gamedsl.interpreter.rules import RulesInterpreter
from gamedsl.model import nodes
from gamedsl.model.state import State
from gamedsl.model.values import Value
from gamedsl.model.walk import statements


class _Sides(Expressions):
    """The meanings of a game's expressions; of the comparisons of numbers that decide an outcome,
    the difference of the sides is noted where the comparison holds.

    Attributes:
        lead: the difference noted last; None so far.
    """

    def __init__(self, game: LoadedGame) -> None:
        model = game.model
        super().__init__(model.board, model.players, model.most_calls)
        branches = (s.branches for s in statements(model.end) if isinstance(s, nodes.Branch))
        self._deciding = {
            id(node)
            for node, _ in chain.from_iterable(branches)
            if isinstance(node, nodes.Compare) and node.operator in {"<", ">"}
        }
        self.lead: Fraction | None = None

    def meaning(self, node: nodes.Expr) -> Meaning:
        """The usual meaning; a deciding comparison that holds notes the difference."""
        if id(node) not in self._deciding or not isinstance(node, nodes.Compare):
            return super().meaning(node)
        left, right = super().meaning(node.left), super().meaning(node.right)
        holds = super().meaning(node)

        def compared(env: Environment) -> Value:
            value = holds(env)
            sides = left(env), right(env)
            if value is True and all(isinstance(side, int | Fraction) for side in sides):
                self.lead = abs(Fraction(sides[0]) - Fraction(sides[1]))  # type: ignore[arg-type]
            return value

        return compared


def score(game: LoadedGame, state: State) -> str:
    """The score of a finished game of two players: the winner and the lead, `0` for a draw.

    The lead is the payoff, where payoffs are numbers; else the difference of the two sides of the
    comparison by which the rules name the winner, such as `area(Black) > area(White) + komi`. A
    winner by other rules has no lead: `B+`.
    """
    payoffs = game.utilities(state)
    if payoffs[0] == payoffs[1]:
        return "0"
    lead: Fraction | None = max(payoffs) - min(payoffs)
    if not game.facts.pays_numbers:
        sides = _Sides(game)
        RulesInterpreter(game.model, sides).utilities(state)
        lead = sides.lead
    winner = "B" if payoffs[0] > payoffs[1] else "W"
    return f"{winner}+" + ("" if lead is None else f"{float(lead):g}")
