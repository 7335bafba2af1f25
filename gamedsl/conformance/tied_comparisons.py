"""Ties that one player always wins: comparisons in `end:` that forget the case of equality.

Example: `Ann if card[Ann] > card[Bob] else Bob` lets Bob win with equal cards. The comparisons of
two players' numbers in `end:` are watched during play, and the winner after equal sides is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field

from gamedsl.game.game import LoadedGame
from gamedsl.interpreter.environment import Environment, Meaning
from gamedsl.model import nodes
from gamedsl.model.engine import Payoffs
from gamedsl.model.nodes.likeness import key
from gamedsl.model.values import Atom, Value
from gamedsl.model.walk import expressions_of, parts, statements, with_parts
from gamedsl.source import Diagnostic, Label, Severity
from gamedsl.source.records import dataclass

FEWEST_TIES = 3
"""Least number of endings with equal sides for a note that one player won all of them."""


@dataclass(slots=True)
class TiedComparisons:
    """The comparisons of a game, and the winners of endings with equal sides.

    Attributes:
        winners: by comparison, how often a player alone had the highest payoff; None: a shared
            highest payoff.
    """

    game: LoadedGame
    comparisons: dict[int, nodes.Compare] = field(init=False)
    winners: dict[int, Counter[int | None]] = field(default_factory=dict)
    _equal: set[int] = field(default_factory=set)
    _sides: set[int] = field(init=False)
    _values: dict[int, Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        model = self.game.model
        self.comparisons = {
            id(comparison): comparison for comparison in _comparisons(model.end, model.players)
        }
        self._sides = {
            id(x)
            for comparison in self.comparisons.values()
            for x in (comparison.left, comparison.right)
        }

    def watched(self, node: nodes.Expr, meaning: Meaning) -> Meaning:
        """Wrap the meaning of an expression.

        For a side of a comparison, the wrapper stores the value; for a comparison, the wrapper
        records equality of the two sides.
        """
        values, number = self._values, id(node)
        if number in self._sides:

            def side(env: Environment) -> Value:
                value = values[number] = meaning(env)
                return value

            return side
        comparison = self.comparisons.get(number)
        if comparison is None:
            return meaning
        left, right = id(comparison.left), id(comparison.right)

        def compare(env: Environment) -> Value:
            value = meaning(env)
            if values[left] == values[right]:
                self._equal.add(number)
            return value

        return compare

    def begin(self) -> None:
        """Start to watch the evaluation of the outcomes of a state."""
        self._equal.clear()

    def end(self, payoffs: Payoffs) -> None:
        """Count the winner by these payoffs for every comparison with equal sides."""
        best = max(payoffs)
        winner = payoffs.index(best) if payoffs.count(best) == 1 else None
        for number in self._equal:
            self.winners.setdefault(number, Counter())[winner] += 1

    def diagnostics(self, extent: str) -> Iterator[Diagnostic]:
        """Notes on the comparisons with equal sides that a single player always won."""
        for number, winners in self.winners.items():
            (winner, times), *rest = winners.items()
            if rest or winner is None or times < FEWEST_TIES:
                continue
            name = self.game.model.players[winner].name
            yield Diagnostic(
                "W3115",
                f"both sides were equal {times:,} times, and `{name}` won, in {extent}",
                Label(self.comparisons[number].span),
                self.game.source,
                severity=Severity.NOTE,
                hint="if that is a draw, give each player a line of his own, and `draw` below",
            )


def _comparisons(end: nodes.Block, players: tuple[Atom, ...]) -> Iterator[nodes.Compare]:
    """Comparisons by `<` or `>` of corresponding numbers of two players."""
    for statement in statements(end):
        for expression in expressions_of(statement):
            pending = [expression]
            while pending:
                node = pending.pop()
                pending += parts(node)
                if isinstance(node, nodes.Compare) and node.operator in {"<", ">"}:
                    left, right = (_of_anybody(side, players) for side in (node.left, node.right))
                    if key(left) == key(right) and key(node.left) != key(node.right):
                        yield node


def _of_anybody(node: nodes.Expr, players: tuple[Atom, ...]) -> nodes.Expr:
    """The expression with every player replaced by `turn`."""
    match node:
        case nodes.Builtin(name="other", arguments=(player,)):
            return _of_anybody(player, players)
        case nodes.Const(value=Atom() as value) if value in players:
            return nodes.Mover(node.span, node.type, "turn")
    return with_parts(node, lambda part: _of_anybody(part, players))
